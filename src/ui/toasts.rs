//! Short notices in the lower right of the view: they stay while the pointer is on them, and an error that concerns a
//! file has a button that shows the place.

use std::{path::PathBuf, time::Duration};

use egui::{Align2, Frame, Label, Margin, RichText, Stroke, Ui};
use lucide_icons::Icon;

use crate::session::Command;

use super::{
    source_view::SourceView,
    state::Request,
    theme,
    widgets::{icon_sized, mark_button, word_button},
};

/// How grave a notice is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    Info,
    /// Something happened in the scene.
    Notice,
    Error,
}

/// A place in a file, counted from one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub path: PathBuf,
    pub line: usize,
}

/// What a notice's button does.
#[derive(Clone, Debug, PartialEq)]
pub enum Remedy {
    /// Shows the file at that line.
    ShowLine(Place),
    /// Asks the application for something.
    Ask { label: String, request: Box<Request> },
}

/// What a notice that waits for an answer is about: a newer one takes its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topic {
    /// The scene's file on the disk.
    Disk,
}

/// One notice.
#[derive(Clone, Debug)]
pub struct Toast {
    pub severity: Severity,
    pub text: String,
    pub remedies: Vec<Remedy>,
    topic: Option<Topic>,
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
        self.push(Severity::Info, text.into(), Vec::new(), Duration::from_secs(4));
    }

    /// Something happened in the scene that one would want to know. It takes the place of what was told before: a
    /// chain that breaks link by link must not wall up the picture of its breaking.
    pub fn notice(&mut self, text: impl Into<String>) {
        self.forget_notices();
        self.push(Severity::Notice, text.into(), Vec::new(), Duration::from_secs(6));
    }

    /// What happened in the scene did not, for it starts over.
    pub fn forget_notices(&mut self) {
        self.list.retain(|toast| toast.severity != Severity::Notice || toast.topic.is_some());
    }

    /// Something happened that a click undoes.
    pub fn offer(&mut self, text: impl Into<String>, remedy: Remedy) {
        self.push(Severity::Info, text.into(), vec![remedy], Duration::from_secs(8));
    }

    /// Something went wrong, and perhaps what helps.
    pub fn error(&mut self, text: impl Into<String>, remedy: Option<Remedy>) {
        self.push(Severity::Error, text.into(), remedy.into_iter().collect(), Duration::from_secs(15));
    }

    /// Asks something that blocks nothing: it stays until it is answered, dismissed or withdrawn.
    pub fn ask(&mut self, topic: Topic, text: impl Into<String>, remedies: Vec<Remedy>) {
        self.withdraw(topic);
        self.push(Severity::Notice, text.into(), remedies, Duration::MAX);
        if let Some(toast) = self.list.last_mut() {
            toast.topic = Some(topic);
        }
    }

    /// Takes back what was asked about this.
    pub fn withdraw(&mut self, topic: Topic) {
        self.list.retain(|toast| toast.topic != Some(topic));
    }

    fn push(&mut self, severity: Severity, text: String, remedies: Vec<Remedy>, left: Duration) {
        // The same again takes the place of the old one instead of piling up.
        self.list.retain(|toast| toast.text != text);
        if self.list.len() >= MOST {
            self.list.remove(0);
        }
        self.next_id += 1;
        self.list.push(Toast { severity, text, remedies, topic: None, left, id: self.next_id });
    }

    /// What is on screen.
    pub fn iter(&self) -> impl Iterator<Item = &Toast> {
        self.list.iter()
    }

    /// Draws them with their lower right corner at `corner` and lets time pass. True if some remain.
    pub fn show(
        &mut self,
        ui: &mut Ui,
        corner: egui::Pos2,
        source: &mut Option<SourceView>,
        out: &mut Vec<Request>,
    ) -> bool {
        let dt = ui.input(|i| i.stable_dt).min(0.1);
        let mut bottom = corner.y;
        let mut closed = None;
        for toast in self.list.iter_mut().rev() {
            let area = egui::Area::new(egui::Id::unique(("toast", toast.id)))
                .order(egui::Order::Foreground)
                .pivot(Align2::RIGHT_BOTTOM)
                .fixed_pos(egui::pos2(corner.x, bottom))
                .show(ui.ctx(), |ui| card(ui, toast, source, out));
            bottom -= area.response.rect.height() + 8.0;
            if area.inner {
                closed = Some(toast.id);
            } else if !area.response.contains_pointer() && toast.topic.is_none() {
                toast.left = toast.left.saturating_sub(Duration::from_secs_f32(dt));
            }
        }
        self.list.retain(|toast| !toast.left.is_zero() && Some(toast.id) != closed);
        !self.list.is_empty()
    }
}

/// Draws one. True if it was closed.
fn card(ui: &mut Ui, toast: &Toast, source: &mut Option<SourceView>, out: &mut Vec<Request>) -> bool {
    let colors = theme::colors(ui.visuals());
    let (image, tint) = match toast.severity {
        Severity::Info => (Icon::CircleCheck, colors.good),
        Severity::Notice => (if toast.topic.is_some() { Icon::FileInput } else { Icon::Unlink }, colors.warn),
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
                    closed = remedy_buttons(ui, toast, source, out);
                });
                closed |= mark_button(ui, Icon::X, colors.weak, "Dismiss", "Dismiss").clicked();
            });
        });
    closed
}

/// The buttons, if there are any. True if the notice has done its duty.
fn remedy_buttons(ui: &mut Ui, toast: &Toast, source: &mut Option<SourceView>, out: &mut Vec<Request>) -> bool {
    if toast.remedies.is_empty() {
        return false;
    }
    ui.add_space(2.0);
    ui.horizontal_wrapped(|ui| {
        let mut done = false;
        for remedy in &toast.remedies {
            let (image, words) = match remedy {
                Remedy::ShowLine(place) => (Icon::FileSearch, format!("Show line {}", place.line)),
                Remedy::Ask { label, request } => (image_of(request), label.clone()),
            };
            let clicked = word_button(ui, image, &words).clicked();
            match remedy {
                Remedy::ShowLine(place) if clicked => *source = Some(SourceView::open(place)),
                Remedy::Ask { request, .. } if clicked => {
                    out.push((**request).clone());
                    done = true;
                }
                _ => {}
            }
        }
        done
    })
    .inner
}

fn image_of(request: &Request) -> Icon {
    match request {
        Request::Reload | Request::Session(Command::ReadParts) => Icon::RefreshCw,
        Request::Discard(then) => image_of(then),
        Request::KeepMine => Icon::Pin,
        Request::ShowConflict => Icon::GitMerge,
        Request::Overwrite => Icon::Save,
        Request::SaveAsDialog => Icon::SaveAll,
        Request::Open(_) => Icon::FolderOpen,
        _ => Icon::Undo2,
    }
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

    #[test]
    fn one_notice_of_the_scene_at_a_time() {
        let mut toasts = Toasts::default();
        toasts.error("no such file", None);
        toasts.notice("link 1 broke");
        toasts.notice("link 2 broke");
        let texts: Vec<_> = toasts.iter().map(|toast| toast.text.as_str()).collect();
        assert_eq!(texts, ["no such file", "link 2 broke"]);
        toasts.forget_notices();
        assert_eq!(toasts.iter().count(), 1);
    }

    #[test]
    fn a_question_about_the_disk_is_asked_once_and_can_be_withdrawn() {
        let mut toasts = Toasts::default();
        let reload = || vec![Remedy::Ask { label: "Reload".into(), request: Box::new(Request::Reload) }];
        toasts.ask(Topic::Disk, "changed", reload());
        toasts.info("saved");
        toasts.forget_notices();
        assert_eq!(toasts.iter().count(), 2, "a question is no notice of the scene");
        toasts.ask(Topic::Disk, "changed, and there are unsaved changes", reload());
        assert_eq!(
            toasts.iter().map(|t| t.text.as_str()).collect::<Vec<_>>(),
            ["saved", "changed, and there are unsaved changes"]
        );
        toasts.withdraw(Topic::Disk);
        assert_eq!(toasts.iter().count(), 1);
    }
}
