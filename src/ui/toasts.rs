//! Short notices in the lower right of the view: they stay while the pointer is on them, and an error that concerns a
//! file has a button that shows the place.

use std::{path::PathBuf, time::Duration};

use egui::{Align2, Frame, Label, Margin, RichText, Stroke, Ui, vec2};
use lucide_icons::Icon;

use super::{
    source_view::SourceView,
    theme,
    widgets::{icon_sized, mark_button, named},
};

/// How grave a notice is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    Info,
    Error,
}

/// A place in a file, counted from one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub path: PathBuf,
    pub line: usize,
}

/// One notice.
#[derive(Clone, Debug)]
pub struct Toast {
    pub severity: Severity,
    pub text: String,
    pub place: Option<Place>,
    left: Duration,
    id: u64,
}

/// The notices on screen, oldest first.
#[derive(Clone, Debug, Default)]
pub struct Toasts {
    list: Vec<Toast>,
    next_id: u64,
}

/// More than these at once hide the picture; the oldest go.
const MOST: usize = 5;

impl Toasts {
    /// Something went well.
    pub fn info(&mut self, text: impl Into<String>) {
        self.push(Severity::Info, text.into(), None, Duration::from_secs(4));
    }

    /// Something went wrong; `place` is where the file says so.
    pub fn error(&mut self, text: impl Into<String>, place: Option<Place>) {
        self.push(Severity::Error, text.into(), place, Duration::from_secs(15));
    }

    fn push(&mut self, severity: Severity, text: String, place: Option<Place>, left: Duration) {
        // The same again takes the place of the old one instead of piling up.
        self.list.retain(|toast| toast.text != text);
        if self.list.len() >= MOST {
            self.list.remove(0);
        }
        self.next_id += 1;
        self.list.push(Toast { severity, text, place, left, id: self.next_id });
    }

    /// What is on screen.
    pub fn iter(&self) -> impl Iterator<Item = &Toast> {
        self.list.iter()
    }

    /// Draws them with their lower right corner at `corner` and lets time pass. True if some remain.
    pub fn show(&mut self, ui: &mut Ui, corner: egui::Pos2, source: &mut Option<SourceView>) -> bool {
        let dt = ui.input(|i| i.stable_dt).min(0.1);
        let mut bottom = corner.y;
        let mut closed = None;
        for toast in self.list.iter_mut().rev() {
            let area = egui::Area::new(egui::Id::unique(("toast", toast.id)))
                .order(egui::Order::Foreground)
                .pivot(Align2::RIGHT_BOTTOM)
                .fixed_pos(egui::pos2(corner.x, bottom))
                .show(ui.ctx(), |ui| card(ui, toast, source));
            bottom -= area.response.rect.height() + 8.0;
            if area.inner {
                closed = Some(toast.id);
            } else if !area.response.contains_pointer() {
                toast.left = toast.left.saturating_sub(Duration::from_secs_f32(dt));
            }
        }
        self.list.retain(|toast| !toast.left.is_zero() && Some(toast.id) != closed);
        !self.list.is_empty()
    }
}

/// Draws one. True if it was closed.
fn card(ui: &mut Ui, toast: &Toast, source: &mut Option<SourceView>) -> bool {
    let colors = theme::colors(ui.visuals());
    let (image, tint) = match toast.severity {
        Severity::Info => (Icon::CircleCheck, colors.good),
        Severity::Error => (Icon::TriangleAlert, colors.bad),
    };
    let mut closed = false;
    Frame::popup(ui.style())
        .stroke(Stroke::new(1.0, tint.gamma_multiply(0.7)))
        .inner_margin(Margin::symmetric(12, 10))
        .show(ui, |ui| {
            ui.set_max_width(420.0);
            ui.horizontal_top(|ui| {
                ui.label(icon_sized(image, 17.0).color(tint));
                ui.vertical(|ui| {
                    ui.set_width(340.0);
                    ui.add(Label::new(RichText::new(&toast.text).color(colors.strong)).wrap());
                    if let Some(place) = &toast.place {
                        ui.add_space(2.0);
                        let words = format!("Show line {}", place.line);
                        if named(ui.button((icon_sized(Icon::FileSearch, 14.0), &words)), &words).clicked() {
                            *source = Some(SourceView::open(place));
                        }
                    }
                });
                closed = mark_button(ui, Icon::X, colors.weak, "Dismiss", "Dismiss").clicked();
            });
            ui.allocate_space(vec2(0.0, 0.0));
        });
    closed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_notice_does_not_pile_up() {
        let mut toasts = Toasts::default();
        for _ in 0..3 {
            toasts.error("no such file", None);
        }
        assert_eq!(toasts.iter().count(), 1);
        for i in 0..20 {
            toasts.info(format!("saved {i}"));
        }
        assert_eq!(toasts.iter().count(), MOST);
    }
}
