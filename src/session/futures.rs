//! The futures of a run. Whatever is done at an earlier moment begins another one; the one that was left stays, with
//! all of its states, and can be gone to again.
//!
//! ```text
//! first run   ────────●──────────────         ●: gone back to, and there the friction was changed
//!                     └──────────── friction 0.2
//! ```

use super::document::history::NotedEdit;
use super::recording::Recorder;
use super::run::line::{self, Chapter};
use super::snapshot::samples::Samples;
use super::{Session, SessionError};
use crate::scene::Scene;

/// A moment that has a name.
#[derive(Debug, Clone, PartialEq)]
pub struct Bookmark {
    pub step: u64,
    /// Simulated, s.
    pub time: f64,
    pub name: String,
}

/// A future that the run has left.
pub struct Future {
    /// Never given twice, never 0.
    pub number: u64,
    pub name: String,
    /// The last step that it has in common with the line that was begun when it was left, and its time, s.
    pub fork: (u64, f64),
    /// Its last step, and the time then, s.
    pub end: (u64, f64),
    /// Whether it was left by a reset or an undo, and not by something else that was done at an earlier moment.
    taken_back: bool,
    pub(super) held: LineData,
}

/// What belongs to a line beside the run itself.
pub(super) struct LineData {
    pub chapters: Vec<Chapter>,
    pub samples: Samples,
    pub bookmarks: Vec<Bookmark>,
    pub recorder: Option<Recorder>,
}

/// All futures but the present one.
#[derive(Default)]
pub(super) struct Futures {
    pub list: Vec<Future>,
    /// The number that was given last.
    last: u64,
    /// The name of the present line; none until something is done in it.
    pub name: Option<String>,
}

/// What the line is called on which the scene was opened.
pub const FIRST: &str = "First run";
/// Memory for the states of futures that were left, bytes; beyond it the states of the oldest go, then these futures.
pub const MEMORY: usize = 64 << 20;

impl Futures {
    /// The name of the present line.
    pub fn present(&self) -> &str {
        match &self.name {
            Some(name) => name,
            None if self.list.is_empty() => FIRST,
            None => "As it was",
        }
    }

    /// Takes a future that is left.
    pub fn leave(&mut self, name: String, fork: (u64, f64), held: LineData) {
        let Some(last) = held.chapters.last() else { return };
        let end = (last.end.world.step_count, last.end.world.time);
        self.last += 1;
        self.list.push(Future { number: self.last, name, fork, end, taken_back: false, held });
        while self.bytes() > MEMORY && self.forget() {}
    }

    /// Takes a line that a reset or an undo takes back. The one that was taken back before goes, unless somebody has named
    /// moments of it: whoever resets often is not to find a list of all of it.
    pub fn take_back(&mut self, name: String, fork: (u64, f64), held: LineData) {
        if line::bytes(held.chapters.iter()) > MEMORY {
            return;
        }
        self.list.retain(|future| !future.taken_back || !future.held.bookmarks.is_empty());
        let last = self.last;
        self.leave(name, fork, held);
        if let Some(future) = self.list.last_mut().filter(|future| future.number > last) {
            future.taken_back = true;
        }
        self.name = None;
    }

    /// Forgets the oldest key state, else the oldest future; false if only one of them is left.
    fn forget(&mut self) -> bool {
        let mut chapters = self.list.iter_mut().flat_map(|future| &mut future.held.chapters);
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

    pub fn chapters(&self) -> impl Iterator<Item = &Chapter> {
        self.list.iter().flat_map(|future| &future.held.chapters)
    }

    /// Hands over the future of this number.
    pub fn take(&mut self, number: u64) -> Option<Future> {
        let index = self.list.iter().position(|future| future.number == number)?;
        Some(self.list.remove(index))
    }

    /// All documents are called otherwise from now on.
    pub fn rename(&mut self, rename: &dyn Fn(&mut Scene)) {
        self.list.iter_mut().flat_map(|future| &mut future.held.chapters).for_each(|chapter| chapter.rename(rename));
    }

    pub fn clear(&mut self) {
        (self.list, self.name) = (Vec::new(), None);
    }
}

impl Session {
    /// All that belongs to the present line.
    pub(super) fn whole_line(&self) -> Option<LineData> {
        let chapters = self.open.as_ref()?.whole();
        let (samples, bookmarks, recorder) = (self.samples.clone(), self.bookmarks.clone(), self.recorder.clone());
        Some(LineData { chapters, samples, bookmarks, recorder })
    }

    /// The present line with its name, if anything has happened in it: for whoever takes it back.
    pub(super) fn line_to_take_back(&self) -> Option<(String, LineData)> {
        let open = self.open.as_ref()?;
        let last = open.line.last().map_or(open.run.world().step_count, |last| last.world.step_count);
        // Of a world that large the states would not fit.
        let fits = open.run.world().bytes() < MEMORY / 8;
        (last > 0 && fits).then(|| self.whole_line())?.map(|held| (self.futures.present().to_owned(), held))
    }

    /// The line was taken back to this moment: it stays as a future, and its bookmarks up to there stay with both.
    pub(super) fn take_back(&mut self, line: Option<(String, LineData)>, (step, time): (u64, f64)) {
        match line {
            Some((name, held)) => self.futures.take_back(name, (step, time), held),
            None => self.futures.clear(),
        }
        self.bookmarks.retain(|bookmark| bookmark.step <= step);
    }

    /// Goes on from here; what comes behind stays as a future of its own.
    pub(super) fn fork(&mut self) -> Result<(), SessionError> {
        let open = self.open.as_ref().ok_or(SessionError::NoScene)?;
        if open.line.is_past() {
            let time = open.run.world().time;
            self.diverge();
            self.name_future(&format!("On from {time:.3} s"));
        }
        Ok(())
    }

    /// Goes to another future.
    pub(super) fn switch_to(&mut self, number: u64) -> Result<(), SessionError> {
        self.play(false);
        let future = self.futures.take(number).ok_or(SessionError::NoFuture(number))?;
        let open = self.open.as_mut().ok_or(SessionError::NoScene)?;
        let (before, newest) = (open.run.world().step_count, open.document.scene.clone());
        let (here, name) = (open.present(), self.futures.present().to_owned());
        let Future { name: there, fork, held, .. } = future;
        let left = LineData {
            chapters: open.whole(),
            samples: std::mem::replace(&mut self.samples, held.samples),
            bookmarks: std::mem::replace(&mut self.bookmarks, held.bookmarks),
            recorder: std::mem::replace(&mut self.recorder, held.recorder),
        };
        self.futures.leave(name, fork, left);
        open.become_whole(held.chapters);
        self.log.clear();
        self.futures.name = Some(there.clone());
        self.follow_document();
        if self.is_forsaken()
            && let Some(open) = &self.open
        {
            // Behind all that could be redone, so that nothing of it is lost.
            let ahead = self.history.future().len() as isize;
            self.history.went(ahead);
            let newest = self.history.document().cloned().unwrap_or(newest);
            let label = format!("To {there}");
            let edit =
                NotedEdit { label: label.clone(), bodies: true, before: Some(here), after: Some(open.present()) };
            self.history.edit(edit, None, &newest, &open.document.scene);
            self.write("", false);
        }
        let Some(open) = &mut self.open else { return Ok(()) };
        if open.run.world().step_count > before {
            // Where that cannot be had any more, its end is what there is.
            let _ = open.seek(before);
        }
        self.arrive_at(true);
        Ok(())
    }

    pub(super) fn rename_future(&mut self, number: u64, name: String) -> Result<(), SessionError> {
        if number == 0 {
            self.futures.name = Some(name);
            return Ok(());
        }
        let future = self.futures.list.iter_mut().find(|future| future.number == number);
        future.ok_or(SessionError::NoFuture(number))?.name = name;
        Ok(())
    }

    pub(super) fn forget_future(&mut self, number: u64) -> Result<(), SessionError> {
        self.futures.take(number).map(drop).ok_or(SessionError::NoFuture(number))
    }

    /// A line that has no name is called after what is done first in it.
    pub(super) fn name_future(&mut self, name: &str) {
        if !self.futures.list.is_empty() && self.futures.name.is_none() {
            self.futures.name = Some(name.to_owned());
        }
    }

    /// Another run begins: none of what was belongs to it.
    pub(super) fn forget_futures(&mut self) {
        self.futures.clear();
        self.bookmarks.clear();
    }
}
