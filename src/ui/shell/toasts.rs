//! Short notices in the lower right of the view, or in the lower left where they would cover what they speak of. While the
//! pointer is on one they all hold still: none goes, and new ones wait. A refusal goes with its cause, as soon as something
//! is done that is not refused. An error that concerns a file has a button that shows the place.

use std::{path::PathBuf, time::Duration};

use egui::{Align2, Frame, Label, Margin, RichText, Stroke, Ui};
use glam::Vec3;
use lucide_icons::Icon;

use crate::session::Command;

use crate::ui::{
    shell::{source_view::SourceView, state::Request},
    widgets::{icon_sized, mark_button, theme, word_button},
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
    /// What was asked for last could not be done.
    Refused,
    /// The run is not to be trusted any more.
    Trouble,
}

/// One notice.
#[derive(Clone, Debug)]
pub struct Toast {
    pub severity: Severity,
    pub text: String,
    pub remedies: Vec<Remedy>,
    topic: Option<Topic>,
    /// The place in the scene that it speaks of, world, m.
    about: Option<Vec3>,
    /// For ever if it is [`Duration::MAX`].
    left: Duration,
    id: u64,
    /// Where its lower edge was drawn.
    bottom: Option<f32>,
}

/// The notices on screen, oldest first.
#[derive(Clone, Debug, Default)]
pub struct Toasts {
    list: Vec<Toast>,
    next_id: u64,
    /// The pointer is on one of them.
    held: bool,
    /// What has come meanwhile.
    waiting: Vec<Toast>,
    /// Where the upper edge of the highest was drawn.
    top: f32,
}

/// Of the column of notices, points.
const WIDTH: f32 = 430.0;
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

    /// The same, at a place of the scene, which it leaves to be seen.
    pub fn notice_at(&mut self, text: impl Into<String>, about: Vec3) {
        self.notice(text);
        self.newest().about = Some(about);
    }

    /// What happened in the scene did not, for it starts over.
    pub fn forget_notices(&mut self) {
        self.retain(|toast| toast.severity != Severity::Notice || toast.topic.is_some());
    }

    /// Something happened that a click undoes.
    pub fn offer(&mut self, text: impl Into<String>, remedy: Remedy) {
        self.push(Severity::Info, text.into(), vec![remedy], Duration::from_secs(8));
    }

    /// Something went wrong, and perhaps what helps.
    pub fn error(&mut self, text: impl Into<String>, remedy: Option<Remedy>) {
        self.push(Severity::Error, text.into(), remedy.into_iter().collect(), Duration::from_secs(15));
    }

    /// What was asked for was refused, and perhaps what helps. It goes as soon as something is done.
    pub fn refused(&mut self, text: impl Into<String>, remedy: Option<Remedy>) {
        self.error(text, remedy);
        self.newest().topic = Some(Topic::Refused);
    }

    /// Asks something that blocks nothing: it stays until it is answered, dismissed or withdrawn.
    pub fn ask(&mut self, topic: Topic, text: impl Into<String>, remedies: Vec<Remedy>) {
        self.withdraw(topic);
        self.push(Severity::Notice, text.into(), remedies, Duration::MAX);
        self.newest().topic = Some(topic);
    }

    /// The same of a place of the scene, which it leaves to be seen.
    pub fn ask_at(&mut self, topic: Topic, text: impl Into<String>, remedies: Vec<Remedy>, about: Option<Vec3>) {
        self.ask(topic, text, remedies);
        self.newest().about = about;
    }

    /// Takes back what was told or asked about this.
    pub fn withdraw(&mut self, topic: Topic) {
        self.retain(|toast| toast.topic != Some(topic));
    }

    fn retain(&mut self, keep: impl Fn(&Toast) -> bool) {
        self.list.retain(&keep);
        self.waiting.retain(&keep);
    }

    fn push(&mut self, severity: Severity, text: String, remedies: Vec<Remedy>, left: Duration) {
        // The same again takes the place of the old one instead of piling up.
        self.retain(|toast| toast.text != text);
        self.next_id += 1;
        let (topic, about, id, bottom) = (None, None, self.next_id, None);
        let toast = Toast { severity, text, remedies, topic, about, left, id, bottom };
        let list = if self.held { &mut self.waiting } else { &mut self.list };
        if list.len() >= MOST {
            list.remove(0);
        }
        list.push(toast);
    }

    /// What was pushed last.
    fn newest(&mut self) -> &mut Toast {
        let list = if self.held { &mut self.waiting } else { &mut self.list };
        let last = list.len() - 1;
        &mut list[last]
    }

    /// What is on screen.
    pub fn iter(&self) -> impl Iterator<Item = &Toast> {
        self.list.iter()
    }

    /// Draws them in the lower right of `area`, or in its lower left where they would cover a place that they speak of, as
    /// `seen` says. Lets time pass. True if some remain.
    pub fn show(
        &mut self,
        ui: &mut Ui,
        area: egui::Rect,
        seen: &dyn Fn(Vec3) -> Option<egui::Pos2>,
        source: &mut Option<SourceView>,
        out: &mut Vec<Request>,
    ) -> bool {
        let dt = ui.input(|i| i.stable_dt).min(0.1);
        if !self.held {
            for toast in std::mem::take(&mut self.waiting) {
                self.list.push(toast);
            }
            let beyond = self.list.len().saturating_sub(MOST);
            self.list.drain(..beyond);
        }
        let column = egui::Rect::from_min_max(
            egui::pos2(area.right() - WIDTH, self.top.min(area.bottom() - 80.0)),
            area.right_bottom(),
        );
        let covers = |toast: &Toast| toast.about.and_then(seen).is_some_and(|at| column.expand(20.0).contains(at));
        let right = if self.list.iter().any(covers) { area.left() + WIDTH } else { area.right() };
        let mut bottom = area.bottom();
        let (mut closed, mut held) = (None, false);
        for toast in self.list.iter_mut().rev() {
            // Under the pointer they stay where they are, whatever goes beneath them.
            let at = toast.bottom.filter(|_| self.held).unwrap_or(bottom);
            let shown = egui::Area::new(egui::Id::unique(("toast", toast.id)))
                .order(egui::Order::Foreground)
                .pivot(Align2::RIGHT_BOTTOM)
                .fixed_pos(egui::pos2(right, at))
                .show(ui.ctx(), |ui| card(ui, toast, source, out));
            toast.bottom = Some(at);
            bottom = at - shown.response.rect.height() - 8.0;
            if shown.inner {
                closed = Some(toast.id);
            }
            held |= shown.response.contains_pointer();
        }
        self.top = bottom;
        if !held {
            for toast in self.list.iter_mut().filter(|toast| toast.left != Duration::MAX) {
                toast.left = toast.left.saturating_sub(Duration::from_secs_f32(dt));
            }
        }
        self.held = held;
        self.list.retain(|toast| !toast.left.is_zero() && Some(toast.id) != closed);
        !(self.list.is_empty() && self.waiting.is_empty())
    }
}

/// Draws one. True if it was closed.
fn card(ui: &mut Ui, toast: &Toast, source: &mut Option<SourceView>, out: &mut Vec<Request>) -> bool {
    let colors = theme::colors(ui.visuals());
    let (image, tint) = match toast.severity {
        Severity::Info => (Icon::CircleCheck, colors.good),
        Severity::Notice => {
            (if toast.topic == Some(Topic::Disk) { Icon::FileInput } else { Icon::Unlink }, colors.warn)
        }
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

    #[test]
    fn a_refusal_goes_with_its_cause() {
        let mut toasts = Toasts::default();
        toasts.refused("a body is called `box` already", None);
        toasts.error("the disk is full", None);
        toasts.withdraw(Topic::Refused);
        assert_eq!(toasts.iter().map(|t| t.text.as_str()).collect::<Vec<_>>(), ["the disk is full"]);
    }
}
