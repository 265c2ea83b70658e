//! The branches of a run. A change at an earlier moment begins a new branch; the old one is kept with all its states
//! and can be returned to.
//!
//! ```text
//! first run   ────────●──────────────         ●: the run went back to here, and the friction was changed
//!                     └──────────── friction 0.2
//! ```

use super::document::history::NotedEdit;
use super::recording::Recorder;
use super::run::line::{self, Chapter};
use super::snapshot::samples::Samples;
use super::{Session, SessionError};
use delassus_scene::Scene;

/// A named moment.
#[derive(Debug, Clone, PartialEq)]
pub struct Bookmark {
    pub step: u64,
    /// Simulated time, s.
    pub time: f64,
    pub name: String,
}

/// A branch other than the current one.
pub struct Branch {
    /// Unique, never reused and never 0.
    pub number: u64,
    pub name: String,
    /// The last step that it shares with the timeline that replaced it, and the time of that step, s.
    pub fork: (u64, f64),
    /// Its last step and that step's time, s.
    pub end: (u64, f64),
    /// Whether a reset or an undo ended it, rather than a change at an earlier moment.
    taken_back: bool,
    pub(super) held: LineData,
}

/// A timeline with everything that belongs to it.
pub(super) struct LineData {
    pub chapters: Vec<Chapter>,
    pub samples: Samples,
    pub bookmarks: Vec<Bookmark>,
    pub recorder: Option<Recorder>,
}

/// All branches except the current one.
#[derive(Default)]
pub(super) struct Branches {
    pub list: Vec<Branch>,
    /// The number of the branch that was stored last.
    last: u64,
    /// Name of the current timeline; `None` until something is changed on it.
    pub name: Option<String>,
}

/// Name of the timeline on which the scene was opened.
pub const FIRST: &str = "First run";
/// Memory for the states of other branches, bytes; beyond it the oldest states are dropped, then the oldest branches.
pub const MEMORY: usize = 64 << 20;

impl Branches {
    /// The name of the current timeline.
    pub fn present(&self) -> &str {
        match &self.name {
            Some(name) => name,
            None if self.list.is_empty() => FIRST,
            None => "As it was",
        }
    }

    /// Stores the timeline that the run leaves.
    pub fn leave(&mut self, name: String, fork: (u64, f64), held: LineData) {
        let Some(last) = held.chapters.last() else { return };
        let end = (last.end.world.state.step_count, last.end.world.state.time);
        self.last += 1;
        self.list.push(Branch { number: self.last, name, fork, end, taken_back: false, held });
        while self.bytes() > MEMORY && self.forget() {}
    }

    /// Stores a timeline ended by a reset or an undo. It replaces the previous one of this kind, unless that has
    /// bookmarks: frequent resets should not fill the list.
    pub fn take_back(&mut self, name: String, fork: (u64, f64), held: LineData) {
        if line::bytes(held.chapters.iter()) > MEMORY {
            return;
        }
        self.list.retain(|branch| !branch.taken_back || !branch.held.bookmarks.is_empty());
        let last = self.last;
        self.leave(name, fork, held);
        if let Some(branch) = self.list.last_mut().filter(|branch| branch.number > last) {
            branch.taken_back = true;
        }
        self.name = None;
    }

    /// Drops the oldest key state, or else the oldest branch; false if only one branch is left.
    fn forget(&mut self) -> bool {
        let mut chapters = self.list.iter_mut().flat_map(|branch| &mut branch.held.chapters);
        if chapters.any(|chapter| chapter.stretch.forget()) {
            return true;
        }
        let many = self.list.len() > 1;
        if many {
            self.list.remove(0);
        }
        many
    }

    fn bytes(&self) -> usize {
        line::bytes(self.chapters())
    }

    /// The chapters of all stored branches.
    pub fn chapters(&self) -> impl Iterator<Item = &Chapter> {
        self.list.iter().flat_map(|branch| &branch.held.chapters)
    }

    /// Removes and returns the branch of this number.
    pub fn take(&mut self, number: u64) -> Option<Branch> {
        let index = self.list.iter().position(|branch| branch.number == number)?;
        Some(self.list.remove(index))
    }

    /// Applies a renaming to all documents.
    pub fn rename(&mut self, rename: &dyn Fn(&mut Scene)) {
        self.list.iter_mut().flat_map(|branch| &mut branch.held.chapters).for_each(|chapter| chapter.rename(rename));
    }

    pub fn clear(&mut self) {
        (self.list, self.name) = (Vec::new(), None);
    }
}

impl Session {
    /// A copy of the current timeline with everything that belongs to it.
    pub(super) fn whole_line(&self) -> Option<LineData> {
        let chapters = self.open.as_ref()?.all_chapters();
        let (samples, bookmarks, recorder) = (self.samples.clone(), self.bookmarks.clone(), self.recorder.clone());
        Some(LineData { chapters, samples, bookmarks, recorder })
    }

    /// The current timeline and its name, if it has any steps: stored by a reset or an undo.
    pub(super) fn line_to_take_back(&self) -> Option<(String, LineData)> {
        let open = self.open.as_ref()?;
        let last = open.line.last().map_or(open.run.world().state.step_count, |last| last.world.state.step_count);
        // States of a very large world would not fit in the memory for branches.
        let fits = open.run.world().bytes() < MEMORY / 8;
        (last > 0 && fits).then(|| self.whole_line())?.map(|held| (self.branches.present().to_owned(), held))
    }

    /// After a reset or an undo to this moment: stores the old timeline as a branch. Bookmarks up to the moment stay
    /// on both.
    pub(super) fn take_back(&mut self, line: Option<(String, LineData)>, (step, time): (u64, f64)) {
        match line {
            Some((name, held)) => self.branches.take_back(name, (step, time), held),
            None => self.branches.clear(),
        }
        self.bookmarks.retain(|bookmark| bookmark.step <= step);
    }

    /// Continues from the current moment; the states after it become a separate branch.
    pub(super) fn fork(&mut self) -> Result<(), SessionError> {
        let open = self.open.as_ref().ok_or(SessionError::NoScene)?;
        if open.line.is_past() {
            let time = open.run.world().state.time;
            self.diverge();
            self.name_branch(&format!("On from {time:.3} s"));
        }
        Ok(())
    }

    /// Switches to another branch.
    pub(super) fn switch_to(&mut self, number: u64) -> Result<(), SessionError> {
        self.play(false);
        let branch = self.branches.take(number).ok_or(SessionError::NoBranch(number))?;
        let open = self.open.as_mut().ok_or(SessionError::NoScene)?;
        let (before, newest) = (open.run.world().state.step_count, open.document.scene.clone());
        let (here, name) = (open.present(), self.branches.present().to_owned());
        let Branch { name: there, fork, held, .. } = branch;
        let left = LineData {
            chapters: open.all_chapters(),
            samples: std::mem::replace(&mut self.samples, held.samples),
            bookmarks: std::mem::replace(&mut self.bookmarks, held.bookmarks),
            recorder: std::mem::replace(&mut self.recorder, held.recorder),
        };
        self.branches.leave(name, fork, left);
        open.become_whole(held.chapters);
        self.log.clear();
        self.branches.name = Some(there.clone());
        self.follow_document();
        if self.is_unreachable()
            && let Some(open) = &self.open
        {
            // Go to the end of the redo list first, so that none of its edits is lost.
            let ahead = self.history.future().len() as isize;
            self.history.move_by(ahead);
            let newest = self.history.document().cloned().unwrap_or(newest);
            let label = format!("To {there}");
            let edit =
                NotedEdit { label: label.clone(), bodies: true, before: Some(here), after: Some(open.present()) };
            self.history.edit(edit, None, &newest, &open.document.scene);
            self.write("", false);
        }
        self.arrive_at(true);
        if self.open.as_ref().is_some_and(|open| open.run.world().state.step_count > before) {
            // If that step cannot be restored, stay at the end of the branch.
            let _ = self.seek(before);
        }
        Ok(())
    }

    pub(super) fn rename_branch(&mut self, number: u64, name: String) -> Result<(), SessionError> {
        if number == 0 {
            self.branches.name = Some(name);
            return Ok(());
        }
        let branch = self.branches.list.iter_mut().find(|branch| branch.number == number);
        branch.ok_or(SessionError::NoBranch(number))?.name = name;
        Ok(())
    }

    pub(super) fn delete_branch(&mut self, number: u64) -> Result<(), SessionError> {
        self.branches.take(number).map(drop).ok_or(SessionError::NoBranch(number))
    }

    /// Names a timeline without a name after the first change on it.
    pub(super) fn name_branch(&mut self, name: &str) {
        if !self.branches.list.is_empty() && self.branches.name.is_none() {
            self.branches.name = Some(name.to_owned());
        }
    }

    /// A new run begins: drops all branches and bookmarks.
    pub(super) fn delete_branches(&mut self) {
        self.branches.clear();
        self.bookmarks.clear();
    }
}
