//! The mechanisms in the Doctor tab: how each can move, and a button that shows its motions.

use egui::{Align, Label, Layout, RichText, Ui};
use lucide_icons::Icon;

use super::background_trace::computing;
use crate::{
    notices::Notices,
    request::Request,
    selection::Selection,
    view::View,
    view3d::{View3d, motion},
    widgets::{self, theme},
};
use delassus_doctor::{Mechanism, mechanism, motions};

/// The most lines; mechanisms of one kind share a line.
const LINES: usize = 12;

/// The state that the buttons change: the view, the selection, the notices.
type Shared<'a> = (&'a mut View3d, &'a mut Selection, &'a mut Notices);

/// Draws a line for each kind of mechanism.
pub fn show(ui: &mut Ui, view: &View<'_>, (view3d, selection, notices): Shared<'_>, out: &mut Vec<Request>) {
    let all = view.session.mechanisms();
    if all.is_empty() {
        return;
    }
    widgets::title(ui, "How it can move");
    let kinds = view.session.mechanism_kinds();
    // Of several of one kind, the one whose motion is shown, else the selected one.
    let chosen = view3d.motion.as_ref().map(|shown| shown.mechanism).or_else(|| {
        let id = selection.bodies.last()?;
        all.iter().position(|m| m.bodies.binary_search(id).is_ok())
    });
    for (kind, (first, count)) in kinds.iter().enumerate().take(LINES) {
        let index = chosen.filter(|index| all.get(*index).is_some_and(|m| m.kind == kind)).unwrap_or(*first);
        ui.push_id(("mechanism", kind), |ui| {
            card(ui, index, &all[index], *count, view, (view3d, selection, notices), out)
        });
        ui.add_space(2.0);
    }
    if kinds.len() > LINES {
        let colors = theme::colors(ui.visuals());
        let more = format!("and {} more kinds of mechanisms", kinds.len() - LINES);
        ui.label(RichText::new(more).small().color(colors.weak));
    }
    ui.add_space(8.0);
}

fn card(
    ui: &mut Ui,
    index: usize,
    mechanism: &Mechanism,
    count: usize,
    view: &View<'_>,
    (view3d, selection, notices): Shared<'_>,
    out: &mut Vec<Request>,
) {
    let colors = theme::colors(ui.visuals());
    let now = ui.input(|i| i.time);
    let shown = view3d.motion.as_ref().is_some_and(|shown| shown.mechanism == index);
    widgets::card(ui, |ui| {
        ui.horizontal(|ui| {
            let body = |id: u32| view.snapshot.body(id).map_or("", |b| &*b.name);
            let title = mechanism::title_by(body, mechanism, count);
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                if motions::can_compute(mechanism) {
                    let (icon, name, tip) = if shown {
                        (Icon::Square, "Stop showing", "Stop showing this motion")
                    } else {
                        (
                            Icon::Play,
                            "Show its motions",
                            "Show each motion that its joints leave free, with ghosts in the view",
                        )
                    };
                    let name = format!("{name}: {title}");
                    if widgets::icon_button(ui, icon, &name, tip).clicked() {
                        if shown {
                            view3d.motion = None;
                        } else {
                            motion::start_showing(index, now, view, (view3d, selection, notices), out);
                        }
                    }
                }
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                    let text = RichText::new(&title).color(colors.strong);
                    let label = ui.add(Label::new(text).truncate().sense(egui::Sense::click()));
                    if label.on_hover_text("Select its bodies").clicked() {
                        selection.clear();
                        selection.bodies.clone_from(&mechanism.bodies);
                    }
                });
            });
        });
        ui.add(Label::new(capital(&mechanism.words())).wrap());
        if mechanism.redundant > 0 {
            let rows = format!("{} of {} rows are redundant", mechanism.redundant, mechanism.rows);
            ui.label(RichText::new(rows).small().color(colors.weak));
        }
        if shown {
            steps(ui, now, view, view3d);
        }
    });
}

/// Which motion is shown, with buttons for the previous and the next.
fn steps(ui: &mut Ui, now: f64, view: &View<'_>, view3d: &mut View3d) {
    let colors = theme::colors(ui.visuals());
    let Some(shown) = &view3d.motion else { return };
    let (at, count, words, comes) = (shown.at, shown.motions().len(), shown.words().to_owned(), shown.is_pending());
    if count > 1 {
        ui.horizontal(|ui| {
            let mut by = 0;
            if widgets::icon_button(ui, Icon::ChevronLeft, "Previous motion", "The motion before").clicked() {
                by = -1;
            }
            ui.label(RichText::new(format!("{} of {count}", at + 1)).color(colors.weak));
            if widgets::icon_button(ui, Icon::ChevronRight, "Next motion", "The next motion").clicked() {
                by = 1;
            }
            if by != 0 {
                motion::show_another(by, now, view, view3d);
            }
        });
    }
    ui.add(Label::new(RichText::new(capital(&words)).color(colors.accent)).wrap());
    if comes {
        computing(ui, "The motion");
    }
}

/// The text with its first letter in upper case.
pub(super) fn capital(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
