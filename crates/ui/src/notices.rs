//! Short messages to the user: successes, refusals and events, with buttons for their remedies. A refusal disappears
//! as soon as a request is not refused. The shell draws them.

use std::{path::PathBuf, time::Duration};

use glam::Vec3;

use crate::request::Request;
use delassus_session::Command;

/// How serious a notice is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoticeSeverity {
    Info,
    /// Something happened in the scene.
    Notice,
    Error,
}

/// A line of a file, counted from one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileLine {
    pub path: PathBuf,
    pub line: usize,
}

/// The action of a notice's button.
#[derive(Clone, Debug, PartialEq)]
pub enum Remedy {
    /// Shows the file at that line.
    ShowLine(FileLine),
    /// Shows a longer text in a window.
    ShowText { label: String, title: String, lines: Vec<String> },
    /// Asks the application for something.
    Ask { label: String, request: Box<Request> },
}

/// The topic of a notice that stays until it is withdrawn or answered, if nothing else is said. A newer one on the topic
/// replaces it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topic {
    /// A change of the scene's file on disk.
    Disk,
    /// Work that was not saved when the program ended.
    LostWork,
    /// The last edit can be undone.
    Undo,
    /// The last request was refused.
    Refused,
    /// The run can no longer be trusted.
    Trouble,
    /// The rows add energy.
    Growth,
    /// What an import changed or left out.
    Imported,
    /// What a key has switched to; it disappears by itself.
    Switched,
}

/// One notice.
#[derive(Clone, Debug)]
pub struct Notice {
    pub severity: NoticeSeverity,
    pub text: String,
    /// What a lesson shows in its place, so that the motion stays in sight; `None` is the whole text.
    pub(crate) brief: Option<String>,
    pub remedies: Vec<Remedy>,
    pub(crate) topic: Option<Topic>,
    /// The place in the scene that it is about, world frame, m.
    pub(crate) about: Option<Vec3>,
    /// Remaining time on screen; [`Duration::MAX`] means until it is closed.
    pub(crate) left: Duration,
    pub(crate) id: u64,
    /// The session's count of edits in the first frame in which it was shown.
    pub(crate) revision: Option<u64>,
    /// The y of its lower edge when it was drawn last, points.
    pub(crate) bottom: Option<f32>,
}

/// The notices on screen, oldest first.
#[derive(Clone, Debug, Default)]
pub struct Notices {
    pub(crate) list: Vec<Notice>,
    pub(crate) next_id: u64,
    /// The pointer is on one of them: none disappears, and new ones wait.
    pub(crate) held: bool,
    /// Notices that arrived meanwhile.
    pub(crate) waiting: Vec<Notice>,
    /// The y of the upper edge of the highest one, points.
    pub(crate) top: f32,
}

/// The largest number of notices at once, as more would hide the picture; the oldest are dropped.
const MAX_NOTICES: usize = 3;

/// Drops the oldest notices beyond [`MAX_NOTICES`], but a question only if all others are questions, too.
pub(crate) fn shorten(list: &mut Vec<Notice>) {
    while list.len() > MAX_NOTICES {
        let oldest = list.iter().position(|notice| notice.left != Duration::MAX).filter(|at| at + 1 < list.len());
        list.remove(oldest.unwrap_or(0));
    }
}

impl Notices {
    /// Reports a success.
    pub fn info(&mut self, text: impl Into<String>) {
        self.push(NoticeSeverity::Info, text.into(), Vec::new(), Duration::from_secs(4));
    }

    /// Reports an event in the scene. It replaces the earlier one, so that a chain that breaks link by link does not
    /// cover the picture with notices.
    pub fn notice(&mut self, text: impl Into<String>) {
        self.forget_notices();
        self.push(NoticeSeverity::Notice, text.into(), Vec::new(), Duration::from_secs(6));
    }

    /// As [`Self::notice`], for an event at a point, world frame, m. The notice is drawn where it does not cover it.
    pub fn notice_at(&mut self, text: impl Into<String>, about: Vec3) {
        self.notice(text);
        self.newest().about = Some(about);
    }

    /// Removes the notices of events, because the scene starts over.
    pub fn forget_notices(&mut self) {
        self.retain(|notice| notice.severity != NoticeSeverity::Notice || notice.topic.is_some());
    }

    /// Reports what a key has switched to, in place of what it switched to before.
    pub fn switched(&mut self, text: impl Into<String>) {
        self.withdraw(Topic::Switched);
        self.info(text);
        self.newest().topic = Some(Topic::Switched);
    }

    /// Reports an action, with a button that undoes it.
    pub fn offer(&mut self, text: impl Into<String>, remedy: Remedy) {
        self.push(NoticeSeverity::Info, text.into(), vec![remedy], Duration::from_secs(8));
    }

    /// Withdraws offers to undo an edit that is no longer the last one. Call it before each frame's edits, with the
    /// session's count of edits.
    pub fn withdraw_outdated(&mut self, revision: u64) {
        for notice in self.list.iter_mut().chain(&mut self.waiting) {
            // An offer is made in the frame before its edit.
            notice.revision.get_or_insert(revision);
        }
        self.retain(|notice| notice.topic != Some(Topic::Undo) || notice.revision == Some(revision));
    }

    /// Reports an edit, with a button that undoes it. The notice disappears with the next edit, undo or redo, since its
    /// button would then undo something else.
    pub fn offer_undo(&mut self, text: impl Into<String>) {
        let request = Box::new(Request::Session(Command::Undo));
        self.offer(text, Remedy::Ask { label: "Undo".into(), request });
        self.newest().topic = Some(Topic::Undo);
    }

    /// Reports an error, with a remedy if there is one.
    pub fn error(&mut self, text: impl Into<String>, remedy: Option<Remedy>) {
        self.push(NoticeSeverity::Error, text.into(), remedy.into_iter().collect(), Duration::from_secs(15));
    }

    /// Reports that a request was refused. It disappears as soon as another request succeeds.
    pub fn refused(&mut self, text: impl Into<String>, remedy: Option<Remedy>) {
        self.error(text, remedy);
        self.newest().topic = Some(Topic::Refused);
    }

    /// Asks a question that blocks nothing: it stays until it is answered, dismissed or withdrawn.
    pub fn ask(&mut self, topic: Topic, text: impl Into<String>, remedies: Vec<Remedy>) {
        self.withdraw(topic);
        self.push(NoticeSeverity::Notice, text.into(), remedies, Duration::MAX);
        self.newest().topic = Some(topic);
    }

    /// As [`Self::ask`], about a point, world frame, m. The notice is drawn where it does not cover it.
    pub fn ask_at(&mut self, topic: Topic, text: impl Into<String>, remedies: Vec<Remedy>, about: Option<Vec3>) {
        self.ask(topic, text, remedies);
        self.newest().about = about;
    }

    /// What a lesson shows in place of the newest notice's text.
    pub fn in_brief(&mut self, text: impl Into<String>) {
        self.newest().brief = Some(text.into());
    }

    /// Removes the notice on this topic.
    pub fn withdraw(&mut self, topic: Topic) {
        self.retain(|notice| notice.topic != Some(topic));
    }

    fn retain(&mut self, keep: impl Fn(&Notice) -> bool) {
        self.list.retain(&keep);
        self.waiting.retain(&keep);
    }

    fn push(&mut self, severity: NoticeSeverity, text: String, remedies: Vec<Remedy>, left: Duration) {
        // A notice with the same text replaces the old one.
        self.retain(|notice| notice.text != text);
        self.next_id += 1;
        let (brief, topic, about, id, revision, bottom) = (None, None, None, self.next_id, None, None);
        let notice = Notice { severity, text, brief, remedies, topic, about, left, id, revision, bottom };
        let list = if self.held { &mut self.waiting } else { &mut self.list };
        list.push(notice);
        shorten(list);
    }

    /// The notice that was pushed last.
    fn newest(&mut self) -> &mut Notice {
        let list = if self.held { &mut self.waiting } else { &mut self.list };
        let last = list.len() - 1;
        &mut list[last]
    }

    /// The notices on screen.
    pub fn iter(&self) -> impl Iterator<Item = &Notice> {
        self.list.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_notice_does_not_pile_up() {
        let mut toasts = Notices::default();
        for _ in 0..3 {
            toasts.error("no such file", None);
        }
        assert_eq!(toasts.iter().count(), 1);
        for i in 0..20 {
            toasts.info(format!("saved {i}"));
        }
        assert_eq!(toasts.iter().count(), MAX_NOTICES);
    }

    /// A key pressed three times left three notices, of which the last was right.
    #[test]
    fn a_key_that_switches_on_has_one_notice() {
        let mut toasts = Notices::default();
        toasts.info("saved");
        (0..3).for_each(|turn| toasts.switched(format!("end {turn}")));
        let texts: Vec<_> = toasts.iter().map(|toast| toast.text.as_str()).collect();
        assert_eq!(texts, ["saved", "end 2"]);
    }

    #[test]
    fn one_notice_of_the_scene_at_a_time() {
        let mut toasts = Notices::default();
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
        let mut toasts = Notices::default();
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

    /// The offer of lost work was dropped by five other notices.
    #[test]
    fn a_question_is_not_pushed_out_by_news() {
        let mut toasts = Notices::default();
        toasts.ask(Topic::LostWork, "there is lost work", Vec::new());
        (0..20).for_each(|i| toasts.info(format!("saved {i}")));
        let texts: Vec<_> = toasts.iter().map(|toast| toast.text.as_str()).collect();
        assert_eq!(texts, ["there is lost work", "saved 18", "saved 19"]);
    }

    /// “Deleted … Undo” stayed after the undo, and its button undid the edit before.
    #[test]
    fn an_offer_to_undo_goes_with_the_next_edit() {
        let mut toasts = Notices::default();
        toasts.withdraw_outdated(3);
        toasts.offer_undo("Deleted box");
        toasts.info("saved");
        toasts.withdraw_outdated(4);
        toasts.withdraw_outdated(4);
        assert_eq!(toasts.iter().count(), 2);
        toasts.withdraw_outdated(5);
        assert_eq!(toasts.iter().map(|t| t.text.as_str()).collect::<Vec<_>>(), ["saved"]);
    }

    #[test]
    fn a_refusal_goes_with_its_cause() {
        let mut toasts = Notices::default();
        toasts.refused("a body is called `box` already", None);
        toasts.error("the disk is full", None);
        toasts.withdraw(Topic::Refused);
        assert_eq!(toasts.iter().map(|t| t.text.as_str()).collect::<Vec<_>>(), ["the disk is full"]);
    }
}
