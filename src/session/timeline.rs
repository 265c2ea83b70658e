//! Along the run's time: to any moment of what was, on from there, and to another future.
//!
//! A moment that was is shown with its document, as it was then. Nothing is lost by looking: steps and playing lead
//! along what was, with all that was done to it, until something else is done. Then what would have come is a future of
//! its own, and stays.

use super::document::history::NotedEdit;
use super::futures::{Bookmark, Future};
use super::run::Input;
use super::run::line::{self, Written};
use super::run::stretch;
use super::{Breakpoint, Session, SessionError, SnapshotNeeds, futures, record};

/// The memory that the states of the past may take, all futures together, bytes.
pub const PAST_MEMORY: usize = stretch::MEMORY + line::MEMORY + futures::MEMORY;

/// The steps of the present line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeline {
    /// The first whose state can be had.
    pub first: u64,
    pub now: u64,
    /// The last that was made.
    pub last: u64,
}

impl Session {
    /// Goes to the state after this step.
    pub(super) fn seek(&mut self, step: u64) -> Result<(), SessionError> {
        self.play(false);
        let open = self.open.as_mut().ok_or(SessionError::NoScene)?;
        if open.run.world().step_count == step {
            return Ok(());
        }
        let crossed = open.seek(step).ok_or(SessionError::NoEarlierState)?;
        self.arrive_at(crossed);
        Ok(())
    }

    /// Pauses and goes one step back.
    pub(super) fn step_back(&mut self) -> Result<(), SessionError> {
        let open = self.open.as_ref().ok_or(SessionError::NoScene)?;
        let step = open.run.world().step_count.checked_sub(1).ok_or(SessionError::NoEarlierState)?;
        self.seek(step)
    }

    /// Shows the moment of its line at which the run stands, with the document of then; `crossed` says that the bodies
    /// may be others.
    pub(super) fn arrive_at(&mut self, crossed: bool) {
        self.follow_document();
        let Some(open) = &self.open else { return };
        let step = open.run.world().step_count;
        self.samples.go_to(step);
        if crossed {
            self.generation += 1;
            self.show_edited_world();
        } else {
            self.snapshot.refresh(&open.run, None, &SnapshotNeeds::ALL);
            if self.samples.samples.back().is_none_or(|last| last.step < step) {
                record(&mut self.samples, &open.run, self.watched, self.needs.quantities);
            }
            self.look_anew();
        }
        self.snapshot.still();
    }

    /// The document is what it was at the moment at which the run stands.
    pub(super) fn follow_document(&mut self) {
        let Some(open) = &mut self.open else { return };
        let Some(Written { document, version, .. }) = open.written().cloned() else { return };
        if std::sync::Arc::ptr_eq(&document, &open.document.scene) {
            return;
        }
        open.document.take(document);
        self.settings = open.document.settings();
        self.revision += 1;
        if let Some(by) = self.history.distance(version) {
            self.history.went(by);
        }
    }

    /// Whether the document is one to which no way of the history leads any more.
    pub(super) fn is_forsaken(&self) -> bool {
        let written = self.open.as_ref().and_then(|open| open.written());
        written.is_some_and(|written| written.version != self.history.version())
    }

    /// Something else is about to be done: where the run stands at an earlier moment than its last, what comes behind
    /// it becomes a future that was left.
    pub(super) fn diverge(&mut self) {
        let Some(open) = self.open.as_mut().filter(|open| open.line.is_past()) else { return };
        self.cuts += 1;
        let (step, time) = (open.run.world().step_count, open.run.world().time);
        let (last, written) = (open.line.last().cloned(), open.written().cloned());
        let name = self.futures.present().to_owned();
        if let Some(held) = self.whole_line() {
            self.futures.leave(name, (step, time), held);
        }
        self.futures.name = None;
        let Some(open) = &mut self.open else { return };
        open.cut();
        self.samples.cut(step);
        self.log.cut(step);
        self.bookmarks.retain(|bookmark| bookmark.step <= step);
        if let Some(recorder) = &mut self.recorder {
            recorder.cut(step);
        }
        // The document of then, where no way of the history leads to it, is an edit of the newest.
        let forsaken = written.is_some_and(|written| written.version != self.history.version());
        let ahead = self.history.future().len() as isize;
        if forsaken {
            self.history.went(ahead);
        }
        if forsaken && let Some(newest) = self.history.document().cloned() {
            let label = format!("Back to step {step}");
            let edit = NotedEdit { label: label.clone(), bodies: true, before: last, after: Some(open.present()) };
            self.history.edit(edit, None, &newest, &open.document.scene);
            self.write(&label, true);
        }
        // The hand that held something then is not the one that does something now.
        if let Some(open) = self.open.as_mut().filter(|open| open.run.world().mouse_joint.is_some()) {
            open.run.input(Input::MouseJoint(None));
            self.snapshot.show_mouse_joint(open.run.world());
        }
    }

    /// Notes what the document is from here on.
    pub(super) fn write(&mut self, label: &str, joins: bool) {
        let version = self.history.version();
        let Some(open) = &mut self.open else { return };
        let (step, time) = (open.run.world().step_count, open.run.world().time);
        let document = open.document.scene.clone();
        open.line.write(Written { step, time, label: label.to_owned(), document, version }, joins);
    }

    /// Names a moment, or takes its name away.
    pub(super) fn bookmark(&mut self, step: u64, name: Option<String>) {
        let time = self.time_of(step);
        self.bookmarks.retain(|bookmark| bookmark.step != step);
        self.bookmarks.extend(name.map(|name| Bookmark { step, time, name }));
        self.bookmarks.sort_by_key(|bookmark| bookmark.step);
    }

    /// The steps of the present line.
    pub fn timeline(&self) -> Option<Timeline> {
        let open = self.open.as_ref()?;
        let now = open.run.world().step_count;
        let seconds = open.run.step_seconds;
        let last = open.line.last().map_or(now, |last| last.world.step_count);
        let mut first = open.run.stretch().reaches(seconds);
        // As far back as one chapter leads to the one before.
        for chapter in open.line.before() {
            if first > chapter.end_step() {
                break;
            }
            first = chapter.stretch.reaches(seconds);
        }
        Some(Timeline { first: first.min(now), now, last })
    }

    /// The simulated time after a step of the present line, s; between states that are kept as if all steps were alike.
    pub fn time_of(&self, step: u64) -> f64 {
        let Some(open) = &self.open else { return 0.0 };
        let now = (open.run.world().step_count, open.run.world().time);
        let end = open.line.last().map(|last| (last.world.step_count, last.world.time));
        let others = open.line.others().flat_map(|chapter| chapter.stretch.times());
        let known = open.run.stretch().times().chain(others).chain([now]).chain(end);
        let (mut low, mut high) = ((0, 0.0), None::<(u64, f64)>);
        for one in known {
            if one.0 <= step && one.0 >= low.0 {
                low = one;
            }
            if one.0 >= step && high.is_none_or(|high| one.0 < high.0) {
                high = Some(one);
            }
        }
        match high {
            Some(high) if high.0 > low.0 => low.1 + (high.1 - low.1) * (step - low.0) as f64 / (high.0 - low.0) as f64,
            _ => low.1,
        }
    }

    /// Whether the run stands at an earlier moment than its last.
    pub fn is_past(&self) -> bool {
        self.open.as_ref().is_some_and(|open| open.line.is_past())
    }

    /// The edits of the present line: step, time, s, and name.
    pub fn edits(&self) -> impl Iterator<Item = (u64, f64, &str)> {
        let written = self.open.iter().flat_map(|open| open.line.written());
        let named = written.filter(|written| !written.label.is_empty());
        named.map(|written| (written.step, written.time, written.label.as_str()))
    }

    /// From which step to which the hand held something, on the present line.
    pub fn holds(&self) -> Vec<(u64, u64)> {
        let Some(open) = &self.open else { return Vec::new() };
        let now = open.run.world().step_count;
        let others = open.line.others().flat_map(|chapter| chapter.stretch.holds(chapter.end_step()));
        let end = open.line.end_step().unwrap_or(now);
        open.run.stretch().holds(end).into_iter().chain(others).collect()
    }

    /// The moments of the present line that have names, in their order.
    pub fn bookmarks(&self) -> &[Bookmark] {
        &self.bookmarks
    }

    /// The name of the present line.
    pub fn future_name(&self) -> &str {
        self.futures.present()
    }

    /// The futures that were left, in the order in which they were.
    pub fn futures(&self) -> &[Future] {
        &self.futures.list
    }

    /// The breakpoints, in the order in which they were added.
    pub fn breakpoints(&self) -> &[Breakpoint] {
        &self.breakpoints.list
    }

    /// The breakpoint at which the run has paused, and how it was hit, until time goes on.
    pub fn paused_at(&self) -> Option<&str> {
        self.breakpoints.paused.as_deref()
    }

    /// Whether events are logged.
    pub fn logs(&self) -> bool {
        self.log.is_on()
    }

    /// The memory that the states of the past take, about, bytes, of [`PAST_MEMORY`].
    pub fn past_bytes(&self) -> usize {
        let Some(open) = &self.open else { return 0 };
        open.run.stretch().bytes() + line::bytes(open.line.others().chain(self.futures.chapters()))
    }
}
