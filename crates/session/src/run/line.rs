//! A timeline: one run across the edits of its bodies, and the moment at which the run currently is.
//!
//! ```text
//! run        |--- chapter ---|E|--- chapter ---|E|--- chapter --->       E: an edit of bodies
//! document   v0       v1       v2        v3      v4       v5              w: an edit of settings or words
//!                     w                  w                w                  within a chapter
//! ```
//! Each edit of bodies ends one stretch of the run and begins another with a different world. A `Chapter` is a
//! stretch and the versions of the document during it. A `RunMoment` is one state with everything needed to continue
//! from it. The run may be at any moment of its timeline; later states are kept until something is changed there. The
//! undo history keeps the moments just before and just after each edit: if an edit cannot be undone in the present
//! state without tearing mechanisms apart, undo returns to the moment before it.

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

use super::stretch::Stretch;
use crate::names::Names;
use delassus_physics::world::World;
use delassus_scene::Scene;

/// A state of the run, with the document that it belongs to.
#[derive(Clone)]
pub struct RunMoment {
    pub world: Arc<World>,
    /// The document's world at step 0.
    pub beginning: Arc<World>,
    pub names: Arc<Names>,
    /// The scene that both worlds were made from.
    pub made_from: Arc<Scene>,
    /// The document. It may differ from `made_from` by edits that do not affect the world: a kept pose or changed
    /// words.
    pub document: Arc<Scene>,
}

/// The document from a step on.
#[derive(Clone)]
pub struct Written {
    pub step: u64,
    /// Simulated time, s.
    pub time: f64,
    /// Label of the edit that produced it; empty where the run begins.
    pub label: String,
    pub document: Arc<Scene>,
    /// Version number of the document in the history.
    pub version: u64,
}

/// A completed stretch of the run.
#[derive(Clone)]
pub struct Chapter {
    pub stretch: Stretch,
    /// The versions of the document during it, oldest first; never empty.
    pub words: Vec<Written>,
    /// The last state.
    pub end: Arc<RunMoment>,
}

/// All chapters of a run except the current stretch.
#[derive(Default)]
pub struct RunChapters {
    /// Earlier chapters, oldest first.
    before: VecDeque<Chapter>,
    /// Later chapters, the next one last; empty unless the run is at an earlier moment.
    ahead: Vec<Chapter>,
    /// Document versions of the current stretch.
    words: Vec<Written>,
    /// The end of the current stretch, while the run is at an earlier moment.
    end: Option<Arc<RunMoment>>,
}

/// Memory for completed chapters, bytes; beyond it the oldest states are dropped.
pub const MEMORY: usize = 64 << 20;

impl RunMoment {
    /// Approximate memory, bytes: two worlds.
    pub fn bytes(&self) -> usize {
        2 * self.world.bytes()
    }

    /// The same moment with the documents renamed by `rename`.
    pub fn renamed(&self, rename: &dyn Fn(&mut Scene)) -> Self {
        let document = renamed(&self.document, rename);
        let same = Arc::ptr_eq(&self.document, &self.made_from);
        let made_from = if same { document.clone() } else { renamed(&self.made_from, rename) };
        Self { document, made_from, ..self.clone() }
    }
}

fn renamed(scene: &Arc<Scene>, rename: &dyn Fn(&mut Scene)) -> Arc<Scene> {
    let mut scene = (**scene).clone();
    rename(&mut scene);
    Arc::new(scene)
}

impl Chapter {
    pub fn first_step(&self) -> u64 {
        self.stretch.first_step()
    }

    pub fn end_step(&self) -> u64 {
        self.end.world.state.step_count
    }

    /// Applies a renaming to all documents of the chapter.
    pub fn rename(&mut self, rename: &dyn Fn(&mut Scene)) {
        self.end = Arc::new(self.end.renamed(rename));
        self.words.iter_mut().for_each(|written| written.document = renamed(&written.document, rename));
    }
}

/// Approximate memory of these chapters, bytes. States shared by several are counted once.
pub fn bytes<'a>(chapters: impl Iterator<Item = &'a Chapter>) -> usize {
    let mut known: HashSet<*const World> = HashSet::new();
    let mut sum = 0;
    for chapter in chapters {
        let end = (&chapter.end.world, chapter.end.bytes());
        let states = chapter.stretch.states().chain([end]);
        sum += states.filter(|(world, _)| known.insert(Arc::as_ptr(world))).map(|(_, bytes)| bytes).sum::<usize>();
    }
    sum
}

impl RunChapters {
    /// Records the document from the run's current moment on. If `joins`, it continues the previous edit (a drag).
    pub fn write(&mut self, written: Written, joins: bool) {
        if let Some(last) = self.words.last_mut().filter(|_| joins) {
            if last.step == written.step {
                *last = written;
                return;
            }
            // The label of a drag is shown at its end only.
            last.label.clear();
        }
        self.words.push(written);
    }

    /// Begins a stretch without document versions.
    pub fn start_stretch(&mut self) {
        self.words.clear();
    }

    /// The document at a step of the current stretch.
    pub fn document(&self, step: u64) -> Option<&Written> {
        let count = self.words.partition_point(|written| written.step <= step);
        self.words.get(count.saturating_sub(1))
    }

    /// Whether the run is at an earlier moment than its last.
    pub fn is_past(&self) -> bool {
        self.end.is_some()
    }

    /// The last step of the current stretch, while the run is at an earlier moment.
    pub fn end_step(&self) -> Option<u64> {
        let end = self.end.as_ref()?.world.state.step_count;
        Some(self.ahead.last().map_or(end, |next| end.min(next.first_step())))
    }

    /// The last moment of the timeline, while the run is at an earlier one.
    pub fn last(&self) -> Option<&Arc<RunMoment>> {
        self.ahead.first().map(|chapter| &chapter.end).or(self.end.as_ref())
    }

    /// Whether the chapter at offset `by` from the current one is the last.
    pub fn ends_after(&self, by: isize) -> bool {
        by == self.ahead.len() as isize
    }

    /// Marks the run as being at an earlier moment; `end` becomes the end of the current stretch.
    pub fn leave(&mut self, end: impl FnOnce() -> Arc<RunMoment>) {
        self.end.get_or_insert_with(end);
    }

    /// Marks the run as being at its last moment.
    pub fn arrive(&mut self) {
        debug_assert!(self.ahead.is_empty());
        self.end = None;
    }

    /// Finds the chapter with this step. Returns its offset from the current stretch, which begins at `first`, and
    /// the step, limited to the chapter's last one: states during a drag belong to no document and cannot be reached.
    pub fn find(&self, step: u64, first: u64) -> Option<(isize, u64)> {
        if let Some(later) = self.ahead.iter().position(|chapter| chapter.first_step() <= step) {
            let end = self.ahead[later].end_step();
            let next = later.checked_sub(1).map(|next| self.ahead[next].first_step());
            return Some(((self.ahead.len() - later) as isize, step.min(end).min(next.unwrap_or(end))));
        }
        if first <= step {
            return Some((0, self.end_step().map_or(step, |end| step.min(end))));
        }
        let earlier = self.before.iter().rposition(|chapter| chapter.first_step() <= step)?;
        let next = self.before.get(earlier + 1).map_or(first, Chapter::first_step);
        Some((earlier as isize - self.before.len() as isize, step.min(self.before[earlier].end_step()).min(next)))
    }

    /// A chapter by its offset from the current stretch.
    pub fn chapter(&self, by: isize) -> Option<&Chapter> {
        let count = by.unsigned_abs();
        if by > 0 {
            self.ahead.get(self.ahead.len().checked_sub(count)?)
        } else {
            self.before.get(self.before.len().checked_sub(count)?)
        }
    }

    /// Moves to the next chapter (`on`) or the previous one: stores the current stretch and returns the new one with
    /// its end. `None` if there is no such chapter, or the run is at its last moment.
    pub fn turn(&mut self, on: bool, stretch: Stretch) -> Option<(Stretch, Arc<RunMoment>)> {
        let end = self.end.take()?;
        let next = if on { self.ahead.pop() } else { self.before.pop_back() };
        let Some(next) = next else {
            self.end = Some(end);
            return None;
        };
        let words = std::mem::replace(&mut self.words, next.words);
        let left = Chapter { stretch, words, end };
        if on {
            self.before.push_back(left)
        } else {
            self.ahead.push(left)
        }
        self.end = Some(next.end.clone());
        Some((next.stretch, next.end))
    }

    /// Discards all after the current moment, which is at this step.
    pub fn cut(&mut self, step: u64) {
        self.end = None;
        self.ahead.clear();
        self.words.retain(|written| written.step <= step);
    }

    /// Stores a completed stretch, if it has a step to go back to. The caller then records the document versions of
    /// the next stretch.
    pub fn push(&mut self, stretch: Stretch, end: Arc<RunMoment>) {
        let words = std::mem::take(&mut self.words);
        if end.world.state.step_count <= stretch.first_step() || words.is_empty() {
            return;
        }
        self.before.push_back(Chapter { stretch, words, end });
        while bytes(self.before.iter()) > MEMORY {
            match self.before.iter_mut().find_map(|chapter| chapter.stretch.forget().then_some(())) {
                Some(()) => {}
                None if self.before.len() > 1 => drop(self.before.pop_front()),
                None => break,
            }
        }
    }

    /// Reopens the chapter that ends with this moment; later chapters are discarded.
    pub fn reopen(&mut self, end: &Arc<RunMoment>) -> Option<Stretch> {
        let index = self.before.iter().position(|chapter| Arc::ptr_eq(&chapter.end, end))?;
        self.before.truncate(index + 1);
        let chapter = self.before.pop_back()?;
        self.words = chapter.words;
        Some(chapter.stretch)
    }

    /// Copies of all chapters, oldest first. `stretch` is the current stretch; `end` makes its end if the run is at
    /// its last moment.
    pub fn all_chapters(&self, stretch: &Stretch, end: impl FnOnce() -> Arc<RunMoment>) -> Vec<Chapter> {
        let end = self.end.clone().unwrap_or_else(end);
        let here = Chapter { stretch: stretch.clone(), words: self.words.clone(), end };
        self.before.iter().cloned().chain([here]).chain(self.ahead.iter().rev().cloned()).collect()
    }

    /// Replaces the timeline by these chapters, at its last moment. Returns the last stretch and its end.
    pub fn become_whole(&mut self, mut chapters: Vec<Chapter>) -> Option<(Stretch, Arc<RunMoment>)> {
        let last = chapters.pop()?;
        *self = Self { before: chapters.into(), ahead: Vec::new(), words: last.words, end: None };
        Some((last.stretch, last.end))
    }

    /// All chapters except the current stretch.
    pub fn others(&self) -> impl Iterator<Item = &Chapter> {
        self.before.iter().chain(self.ahead.iter().rev())
    }

    /// The chapters before the current stretch, latest first.
    pub fn before(&self) -> impl Iterator<Item = &Chapter> {
        self.before.iter().rev()
    }

    /// All document versions, in order of time.
    pub fn written(&self) -> impl Iterator<Item = &Written> {
        let before = self.before.iter().flat_map(|chapter| &chapter.words);
        before.chain(&self.words).chain(self.ahead.iter().rev().flat_map(|chapter| &chapter.words))
    }

    /// Applies a renaming to all documents of the timeline.
    pub fn rename(&mut self, rename: &dyn Fn(&mut Scene)) {
        self.before.iter_mut().chain(&mut self.ahead).for_each(|chapter| chapter.rename(rename));
        self.words.iter_mut().for_each(|written| written.document = renamed(&written.document, rename));
        if let Some(end) = &mut self.end {
            *end = Arc::new(end.renamed(rename));
        }
    }

    pub fn clear(&mut self) {
        *self = Self::default();
    }
}
