//! Differences between the open scene and its file after another program changed it. Either side can be taken, entry by
//! entry.

use egui::{Id, Label, Modal, RichText, ScrollArea, Ui};
use lucide_icons::Icon;

use crate::{
    request::Request,
    shell::state::UiState,
    view::View,
    widgets::{Segment, icon_sized, segments, theme, word_button},
};
use delassus_session::{Conflict, Difference, MergeSide};

/// The differences, and for each of them whether theirs is taken.
#[derive(Clone, Debug, PartialEq)]
pub struct ConflictView {
    conflict: Conflict,
    theirs: Vec<bool>,
}

impl ConflictView {
    /// Proposes each change that only one side has made.
    pub fn new(conflict: Conflict) -> Self {
        let theirs = conflict.differences.iter().map(Difference::proposes_theirs).collect();
        Self { conflict, theirs }
    }
}

/// Draws the differences if they are shown.
pub fn show(ui: &mut Ui, view: &View<'_>, state: &mut UiState, out: &mut Vec<Request>) {
    let Some(mut shown) = state.questions.conflict.take() else { return };
    let mut done = false;
    let screen = ui.ctx().content_rect();
    let modal = Modal::new(Id::unique("conflict")).frame(egui::Frame::window(ui.style())).show(ui.ctx(), |ui| {
        ui.set_width((screen.width() - 80.0).clamp(40.0, 720.0));
        let colors = theme::colors(ui.visuals());
        let name = view.path.and_then(std::path::Path::file_name).unwrap_or_default().to_string_lossy();
        ui.horizontal(|ui| {
            ui.label(icon_sized(Icon::GitMerge, 20.0).color(colors.warn));
            ui.label(RichText::new(format!("Conflicting changes to {name}")).heading().color(colors.strong));
        });
        let both = shown.conflict.differences.iter().filter(|d| d.is_both()).count();
        let said = match (shown.conflict.differences.len(), both) {
            (0, _) => "The two scenes are the same: only comments and layout differ.".to_owned(),
            (n, 0) => format!("{} changed on one side only.", entries(n)),
            (n, both) => format!("{} that differ, {both} of them changed on both sides.", entries(n)),
        };
        ui.label(RichText::new(said).color(colors.weak));
        ui.horizontal(|ui| {
            for (words, value) in [("All mine", false), ("All theirs", true)] {
                if ui.button(words).clicked() {
                    shown.theirs.fill(value);
                }
            }
        });
        ui.separator();
        let height = (screen.height() - 260.0).clamp(60.0, 420.0);
        // Full height at once: growing frame by frame would move the buttons away from the pointer.
        let list = ScrollArea::vertical().max_height(height).min_scrolled_height(height).auto_shrink([false, true]);
        list.show(ui, |ui| {
            // Room for the scroll bar, which floats.
            ui.set_width((ui.available_width() - 10.0).max(0.0));
            for (difference, theirs) in shown.conflict.differences.iter().zip(&mut shown.theirs) {
                row(ui, difference, theirs);
            }
        });
        ui.separator();
        ui.horizontal(|ui| {
            if word_button(ui, Icon::Check, "Take these").clicked() {
                done = true;
                out.push(Request::Merge(Box::new(shown.conflict.clone()), shown.theirs.clone()));
            }
            done |= word_button(ui, Icon::X, "Cancel").clicked();
            ui.label(RichText::new("A single edit: Ctrl+Z reverts it.").small().color(colors.weak));
        });
    });
    if !done && !modal.should_close() {
        state.questions.conflict = Some(shown);
    }
}

fn entries(count: usize) -> String {
    if count == 1 { "1 entry".into() } else { format!("{count} entries") }
}

/// One entry: its name, the choice of a side, and both values.
fn row(ui: &mut Ui, difference: &Difference, theirs: &mut bool) {
    let colors = theme::colors(ui.visuals());
    let Difference { what, name, mine, theirs: other } = difference;
    ui.horizontal(|ui| {
        // What the two choices leave; a window may be narrower than they are.
        let width = (ui.available_width() - 190.0).max(0.0);
        ui.allocate_ui_with_layout(
            egui::vec2(width, theme::ROW_HEIGHT),
            egui::Layout::left_to_right(egui::Align::Center),
            |ui| {
                ui.set_width(width);
                ui.label(RichText::new(name).color(colors.strong));
                ui.label(RichText::new(*what).small().color(colors.weak));
                if difference.is_both() {
                    ui.label(RichText::new("changed on both sides").small().color(colors.warn));
                }
            },
        );
        let tip = |side: &MergeSide, whose: &str| format!("{whose}: {}", side.fate.word());
        let items = [Segment::new("Mine", tip(mine, "Mine")), Segment::new("Theirs", tip(other, "Theirs"))];
        if let Some(chosen) = segments(ui, name, &items, Some(usize::from(*theirs))) {
            *theirs = chosen == 1;
        }
    });
    for (side, whose, taken) in [(mine, "mine", !*theirs), (other, "theirs", *theirs)] {
        let color = if taken { colors.text } else { colors.weak };
        let words = if side.words.is_empty() { String::new() } else { format!("  {}", side.words) };
        let text = format!("{whose}, {}{words}", side.fate.word());
        let label = Label::new(RichText::new(text).monospace().size(11.5).color(color)).truncate();
        ui.add(label).on_hover_text(&side.words);
    }
    ui.add_space(6.0);
}
