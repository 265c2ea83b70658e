//! Short notices: what was done, what was refused and what has happened, each with what helps. A refusal goes with its
//! cause, as soon as something is done that is not refused. The shell draws them.

use std::{path::PathBuf, time::Duration};

use glam::Vec3;

use crate::ui::request::Request;

/// How grave a notice is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoticeSeverity {
    Info,
    /// Something happened in the scene.
    Notice,
    Error,
}

/// A place in a file, counted from one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileLine {
    pub path: PathBuf,
    pub line: usize,
}

/// What a notice's button does.
#[derive(Clone, Debug, PartialEq)]
pub enum Remedy {
    /// Shows the file at that line.
    ShowLine(FileLine),
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
    /// The rows add energy.
    Growth,
}

/// One notice.
#[derive(Clone, Debug)]
pub struct Notice {
    pub severity: NoticeSeverity,
    pub text: String,
    pub remedies: Vec<Remedy>,
    pub(in crate::ui) topic: Option<Topic>,
    /// The place in the scene that it speaks of, world, m.
    pub(in crate::ui) about: Option<Vec3>,
    /// For ever if it is [`Duration::MAX`].
    pub(in crate::ui) left: Duration,
    pub(in crate::ui) id: u64,
    /// Where its lower edge was drawn.
    pub(in crate::ui) bottom: Option<f32>,
}

/// The notices on screen, oldest first.
#[derive(Clone, Debug, Default)]
pub struct Notices {
    pub(in crate::ui) list: Vec<Notice>,
    pub(in crate::ui) next_id: u64,
    /// The pointer is on one of them.
    pub(in crate::ui) held: bool,
    /// What has come meanwhile.
    pub(in crate::ui) waiting: Vec<Notice>,
    /// Where the upper edge of the highest was drawn.
    pub(in crate::ui) top: f32,
}

/// More than these at once hide the picture; the oldest go.
pub(in crate::ui) const MOST: usize = 5;

impl Notices {
    /// Something went well.
    pub fn info(&mut self, text: impl Into<String>) {
        self.push(NoticeSeverity::Info, text.into(), Vec::new(), Duration::from_secs(4));
    }

    /// Something happened in the scene that one would want to know. It takes the place of what was told before: a
    /// chain that breaks link by link must not wall up the picture of its breaking.
    pub fn notice(&mut self, text: impl Into<String>) {
        self.forget_notices();
        self.push(NoticeSeverity::Notice, text.into(), Vec::new(), Duration::from_secs(6));
    }

    /// The same, at a place of the scene, which it leaves to be seen.
    pub fn notice_at(&mut self, text: impl Into<String>, about: Vec3) {
        self.notice(text);
        self.newest().about = Some(about);
    }

    /// What happened in the scene did not, for it starts over.
    pub fn forget_notices(&mut self) {
        self.retain(|toast| toast.severity != NoticeSeverity::Notice || toast.topic.is_some());
    }

    /// Something happened that a click undoes.
    pub fn offer(&mut self, text: impl Into<String>, remedy: Remedy) {
        self.push(NoticeSeverity::Info, text.into(), vec![remedy], Duration::from_secs(8));
    }

    /// Something went wrong, and perhaps what helps.
    pub fn error(&mut self, text: impl Into<String>, remedy: Option<Remedy>) {
        self.push(NoticeSeverity::Error, text.into(), remedy.into_iter().collect(), Duration::from_secs(15));
    }

    /// What was asked for was refused, and perhaps what helps. It goes as soon as something is done.
    pub fn refused(&mut self, text: impl Into<String>, remedy: Option<Remedy>) {
        self.error(text, remedy);
        self.newest().topic = Some(Topic::Refused);
    }

    /// Asks something that blocks nothing: it stays until it is answered, dismissed or withdrawn.
    pub fn ask(&mut self, topic: Topic, text: impl Into<String>, remedies: Vec<Remedy>) {
        self.withdraw(topic);
        self.push(NoticeSeverity::Notice, text.into(), remedies, Duration::MAX);
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

    fn retain(&mut self, keep: impl Fn(&Notice) -> bool) {
        self.list.retain(&keep);
        self.waiting.retain(&keep);
    }

    fn push(&mut self, severity: NoticeSeverity, text: String, remedies: Vec<Remedy>, left: Duration) {
        // The same again takes the place of the old one instead of piling up.
        self.retain(|toast| toast.text != text);
        self.next_id += 1;
        let (topic, about, id, bottom) = (None, None, self.next_id, None);
        let toast = Notice { severity, text, remedies, topic, about, left, id, bottom };
        let list = if self.held { &mut self.waiting } else { &mut self.list };
        if list.len() >= MOST {
            list.remove(0);
        }
        list.push(toast);
    }

    /// What was pushed last.
    fn newest(&mut self) -> &mut Notice {
        let list = if self.held { &mut self.waiting } else { &mut self.list };
        let last = list.len() - 1;
        &mut list[last]
    }

    /// What is on screen.
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
        assert_eq!(toasts.iter().count(), MOST);
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

    #[test]
    fn a_refusal_goes_with_its_cause() {
        let mut toasts = Notices::default();
        toasts.refused("a body is called `box` already", None);
        toasts.error("the disk is full", None);
        toasts.withdraw(Topic::Refused);
        assert_eq!(toasts.iter().map(|t| t.text.as_str()).collect::<Vec<_>>(), ["the disk is full"]);
    }
}
