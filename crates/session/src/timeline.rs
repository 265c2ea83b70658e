//! Moves along the run's timeline: to an earlier moment, on from there, and to another branch.
//!
//! An earlier moment is shown with the document of that time. Looking changes nothing: stepping and playing follow
//! the recorded timeline, with all its inputs, until something is changed. Then the old continuation is kept as a
//! separate branch.

use super::branches::{Bookmark, Branch};
use super::document::history::NotedEdit;
use super::run::Input;
use super::run::line::{self, Written};
use super::run::stretch;
use super::{Breakpoint, Session, SnapshotNeeds, branches, record};

/// Memory for stored states of all branches together, bytes.
pub const PAST_MEMORY: usize = stretch::MEMORY + line::MEMORY + branches::MEMORY;

/// The steps of the current timeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeline {
    /// The earliest step whose state can be restored.
    pub first: u64,
    /// The step of the current moment.
    pub now: u64,
    /// The latest step made.
    pub last: u64,
}

impl Session {
    /// Shows the run's current moment with the document of that time. `crossed`: the bodies may have changed.
    pub(super) fn arrive_at(&mut self, crossed: bool) {
        self.follow_document();
        let Some(open) = &self.open else { return };
        let step = open.run.world().state.step_count;
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

    /// Sets the document to the one recorded for the run's current moment.
    pub(super) fn follow_document(&mut self) {
        let Some(open) = &mut self.open else { return };
        let Some(Written { document, version, .. }) = open.written().cloned() else { return };
        if std::sync::Arc::ptr_eq(&document, &open.document.scene) {
            return;
        }
        open.document.set_scene(document);
        self.settings = open.document.settings();
        self.revision += 1;
        if let Some(by) = self.history.distance(version) {
            self.history.move_by(by);
        }
    }

    /// Whether the document recorded for this moment can no longer be reached by undo or redo.
    pub(super) fn is_unreachable(&self) -> bool {
        let written = self.open.as_ref().and_then(|open| open.written());
        written.is_some_and(|written| written.version != self.history.version())
    }

    /// Prepares a change: if the run is at an earlier moment, the states after it become a separate branch.
    pub(super) fn diverge(&mut self) {
        let Some(open) = self.open.as_mut().filter(|open| open.line.is_past()) else { return };
        self.cuts += 1;
        let (step, time) = (open.run.world().state.step_count, open.run.world().state.time);
        let (last, written) = (open.line.last().cloned(), open.written().cloned());
        let name = self.branches.present().to_owned();
        if let Some(held) = self.whole_line() {
            self.branches.leave(name, (step, time), held);
        }
        self.branches.name = None;
        let Some(open) = &mut self.open else { return };
        open.cut();
        self.samples.cut(step);
        self.log.cut(step);
        self.bookmarks.retain(|bookmark| bookmark.step <= step);
        if let Some(recorder) = &mut self.recorder {
            recorder.cut(step);
        }
        // If undo cannot reach the document of that time, record the return to it as an edit after the newest one.
        let unreachable = written.is_some_and(|written| written.version != self.history.version());
        let ahead = self.history.future().len() as isize;
        if unreachable {
            self.history.move_by(ahead);
        }
        if unreachable && let Some(newest) = self.history.document().cloned() {
            let label = format!("Back to step {step}");
            let edit = NotedEdit { label: label.clone(), bodies: true, before: last, after: Some(open.present()) };
            self.history.edit(edit, None, &newest, &open.document.scene);
            self.write(&label, true);
        }
        // A mouse pull of that time must not continue into the new branch.
        if let Some(open) = self.open.as_mut().filter(|open| open.run.world().state.mouse_joint.is_some()) {
            open.run.input(Input::MouseJoint(None));
            self.snapshot.show_mouse_joint(open.run.world());
        }
    }

    /// Records the document and its version from the current step on.
    pub(super) fn write(&mut self, label: &str, joins: bool) {
        let version = self.history.version();
        let Some(open) = &mut self.open else { return };
        let (step, time) = (open.run.world().state.step_count, open.run.world().state.time);
        let document = open.document.scene.clone();
        open.line.write(Written { step, time, label: label.to_owned(), document, version }, joins);
    }

    /// Names a step, or removes its name (`None`).
    pub(super) fn bookmark(&mut self, step: u64, name: Option<String>) {
        let time = self.time_of(step);
        self.bookmarks.retain(|bookmark| bookmark.step != step);
        self.bookmarks.extend(name.map(|name| Bookmark { step, time, name }));
        self.bookmarks.sort_by_key(|bookmark| bookmark.step);
    }

    /// The steps of the current timeline.
    pub fn timeline(&self) -> Option<Timeline> {
        let open = self.open.as_ref()?;
        let now = open.run.world().state.step_count;
        let seconds = open.run.step_seconds;
        let last = open.line.last().map_or(now, |last| last.world.state.step_count);
        let mut first = open.run.stretch().reaches(seconds);
        // Earlier chapters count as long as each can be restored from its end.
        for chapter in open.line.before() {
            if first > chapter.end_step() {
                break;
            }
            first = chapter.stretch.reaches(seconds);
        }
        Some(Timeline { first: first.min(now), now, last })
    }

    /// The simulated time after a step of the current timeline, s; between stored states interpolated linearly.
    pub fn time_of(&self, step: u64) -> f64 {
        let Some(open) = &self.open else { return 0.0 };
        let now = (open.run.world().state.step_count, open.run.world().state.time);
        let end = open.line.last().map(|last| (last.world.state.step_count, last.world.state.time));
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

    /// Whether the run is at an earlier moment than its last.
    pub fn is_past(&self) -> bool {
        self.open.as_ref().is_some_and(|open| open.line.is_past())
    }

    /// The edits on the current timeline: step, time in s, and label.
    pub fn edits(&self) -> impl Iterator<Item = (u64, f64, &str)> {
        let written = self.open.iter().flat_map(|open| open.line.written());
        let named = written.filter(|written| !written.label.is_empty());
        named.map(|written| (written.step, written.time, written.label.as_str()))
    }

    /// The intervals of steps in which the mouse pulled a body, on the current timeline.
    pub fn holds(&self) -> Vec<(u64, u64)> {
        let Some(open) = &self.open else { return Vec::new() };
        let now = open.run.world().state.step_count;
        let others = open.line.others().flat_map(|chapter| chapter.stretch.holds(chapter.end_step()));
        let end = open.line.end_step().unwrap_or(now);
        open.run.stretch().holds(end).into_iter().chain(others).collect()
    }

    /// The named moments of the current timeline, in order of time.
    pub fn bookmarks(&self) -> &[Bookmark] {
        &self.bookmarks
    }

    /// The name of the current timeline.
    pub fn branch_name(&self) -> &str {
        self.branches.present()
    }

    /// The other branches, in the order in which they were left.
    pub fn branches(&self) -> &[Branch] {
        &self.branches.list
    }

    /// The breakpoints, in the order in which they were added.
    pub fn breakpoints(&self) -> &[Breakpoint] {
        &self.breakpoints.list
    }

    /// The breakpoint that paused the run, and the value that triggered it, until the next step.
    pub fn paused_at(&self) -> Option<&str> {
        self.breakpoints.paused.as_deref()
    }

    /// Whether events are logged.
    pub fn logs(&self) -> bool {
        self.log.is_on()
    }

    /// Approximate memory used by stored states, bytes; at most about [`PAST_MEMORY`].
    pub fn past_bytes(&self) -> usize {
        let Some(open) = &self.open else { return 0 };
        open.run.stretch().bytes() + line::bytes(open.line.others().chain(self.branches.chapters()))
    }
}
