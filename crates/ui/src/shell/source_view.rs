//! A read-only view of a scene file with one line marked, or of what a notice has no room for. A notice's button opens
//! it.

use egui::{Color32, Label, RichText, ScrollArea, Ui, vec2};

use crate::{
    notices::FileLine,
    shell::state::UiState,
    widgets::{self, theme},
};
use delassus_files::{built_in, file_reader};

/// A text shown in a window.
#[derive(Clone, Debug)]
pub struct SourceView {
    title: String,
    /// Below the title: the file's path, if it is one.
    subtitle: String,
    /// The marked line, from one; lines are numbered if there is one.
    line: Option<usize>,
    lines: Vec<String>,
    /// Scroll to the line in the next frame.
    jump: bool,
}

/// The largest part of a file that is shown, bytes.
const MAX_BYTES: u64 = 4 << 20;
/// Longer lines are cut, characters.
const MAX_LINE: usize = 400;

impl SourceView {
    /// Reads the file; if that fails, the error is shown in its place.
    pub fn open(place: &FileLine) -> Self {
        let read = || {
            use std::io::Read;
            if let Some(text) = built_in::text(&place.path) {
                return Ok(text.to_owned());
            }
            let mut bytes = Vec::new();
            file_reader::open(&place.path)?.take(MAX_BYTES).read_to_end(&mut bytes)?;
            Ok(String::from_utf8_lossy(&bytes).into_owned())
        };
        let text = read().unwrap_or_else(|error: std::io::Error| format!("(the file cannot be read: {error})"));
        let lines = text.lines().map(|line| line.chars().take(MAX_LINE).collect::<String>().replace('\t', "    "));
        let name = place.path.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
        Self {
            title: format!("{name}, line {}", place.line),
            subtitle: place.path.display().to_string(),
            line: Some(place.line),
            lines: lines.collect(),
            jump: true,
        }
    }

    /// Lines that are in no file.
    pub fn of(title: &str, lines: &[String]) -> Self {
        Self { title: title.into(), subtitle: String::new(), line: None, lines: lines.to_vec(), jump: false }
    }
}

/// Draws the window if a file is open.
pub fn show(ui: &mut Ui, state: &mut UiState) {
    let Some(source) = &mut state.source else { return };
    let mut close = false;
    let screen = ui.ctx().content_rect();
    egui::Window::new("Source")
        .title_bar(false)
        .pivot(egui::Align2::CENTER_CENTER)
        .default_pos(screen.center())
        .default_size(vec2((screen.width() - 80.0).min(760.0), (screen.height() - 140.0).min(460.0)))
        .show(ui.ctx(), |ui| {
            close = widgets::window_header(ui, &source.title);
            contents(ui, source);
        });
    if close {
        state.source = None;
    }
}

fn contents(ui: &mut Ui, source: &mut SourceView) {
    let colors = theme::colors(ui.visuals());
    let Some(line) = source.line else { return paragraphs(ui, source) };
    ui.label(RichText::new(&source.subtitle).small().color(colors.weak));
    ui.separator();
    let height = ui.text_style_height(&egui::TextStyle::Monospace);
    ui.spacing_mut().item_spacing.y = 2.0;
    let row = height + 2.0;
    let mut area = ScrollArea::both().auto_shrink([false, false]);
    if source.jump {
        let middle = ui.available_height() * 0.4;
        area = area.vertical_scroll_offset((line as f32 * row - middle).max(0.0));
        source.jump = false;
    }
    area.show_rows(ui, height, source.lines.len(), |ui, range| {
        for index in range {
            let marked = index + 1 == line;
            let fill = if marked { colors.accent_soft } else { Color32::TRANSPARENT };
            let ink = if marked { colors.strong } else { colors.text };
            let text = format!("{:>5}  {}", index + 1, source.lines[index]);
            let text = RichText::new(text).monospace().color(ink).background_color(fill);
            ui.add(Label::new(text).extend().selectable(true));
        }
    });
}

/// Lines of words: wrapped, without numbers.
fn paragraphs(ui: &mut Ui, source: &SourceView) {
    ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
        for line in &source.lines {
            ui.add(Label::new(line).wrap().selectable(true));
        }
    });
}
