//! The futures of a run. Whatever is done at an earlier moment begins another one; the one that was left stays, with
//! all of its states, and can be gone to again.
//!
//! ```text
//! first run   ────────●──────────────         ●: gone back to, and there the friction was changed
//!                     └──────────── friction 0.2
//! ```

use super::recording::Recorder;
use super::run::line::{self, Chapter};
use super::snapshot::samples::Samples;
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
    pub(super) held: Held,
}

/// What belongs to a line beside the run itself.
pub(super) struct Held {
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
    pub fn leave(&mut self, name: String, fork: (u64, f64), held: Held) {
        let Some(last) = held.chapters.last() else { return };
        let end = (last.end.world.step_count, last.end.world.time);
        self.last += 1;
        self.list.push(Future { number: self.last, name, fork, end, taken_back: false, held });
        while self.bytes() > MEMORY && self.forget() {}
    }

    /// Takes a line that a reset or an undo takes back. The one that was taken back before goes, unless somebody has named
    /// moments of it: whoever resets often is not to find a list of all of it.
    pub fn take_back(&mut self, name: String, fork: (u64, f64), held: Held) {
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
