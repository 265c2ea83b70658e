//! A line of time: one run across the edits of its bodies, and the moment of it at which the run stands.
//!
//! ```text
//! run        |--- chapter ---|E|--- chapter ---|E|--- chapter --->       E: an edit of bodies
//! document   v0       v1       v2        v3      v4       v5              w: settings and words, within a chapter
//!                     w                  w                w
//! ```
//! Each edit of bodies ends a stretch of the run and begins another one of another world. A `Chapter` is a stretch
//! with the documents that its states belong to; a `RunMoment` is one state with all that belongs to it. The run may
//! stand at any moment of its line: what comes then stays until something else is done there. The history of edits keeps
//! the moments just before and just after each edit: where an undo cannot take an edit back in the present state
//! without tearing things apart, it goes back to that in which it was made.

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

use super::stretch::Stretch;
use crate::physics::world::World;
use crate::scene::Scene;
use crate::session::names::Names;

/// A state of the run, and the document that it is a state of.
#[derive(Clone)]
pub struct RunMoment {
    pub world: Arc<World>,
    /// The document's world at step 0.
    pub beginning: Arc<World>,
    pub names: Arc<Names>,
    /// What the two worlds were made from.
    pub made_from: Arc<Scene>,
    /// The document, which may have been edited since without the world following it, by a kept pose or other words.
    pub document: Arc<Scene>,
}

/// What the document is from a step on.
#[derive(Clone)]
pub struct Written {
    pub step: u64,
    /// Simulated, s.
    pub time: f64,
    /// The edit that made it so; empty where the run begins.
    pub label: String,
    pub document: Arc<Scene>,
    /// As the history counts documents.
    pub version: u64,
}

/// A stretch of the run as a whole.
#[derive(Clone)]
pub struct Chapter {
    pub stretch: Stretch,
    /// What the document was in it, oldest first; never empty.
    pub words: Vec<Written>,
    /// Its last state.
    pub end: Arc<RunMoment>,
}

/// All that there is of a run beside the stretch in which it stands.
#[derive(Default)]
pub struct RunChapters {
    /// Oldest first.
    before: VecDeque<Chapter>,
    /// The next last; only while the run stands at an earlier moment.
    ahead: Vec<Chapter>,
    /// Of the stretch in which it stands.
    words: Vec<Written>,
    /// How that stretch ends, while the run stands at an earlier moment.
    end: Option<Arc<RunMoment>>,
}

/// Memory for chapters that have ended, bytes; beyond it the oldest states go.
pub const MEMORY: usize = 64 << 20;

impl RunMoment {
    /// The memory that it takes, about, bytes: two worlds.
    pub fn bytes(&self) -> usize {
        2 * self.world.bytes()
    }

    /// The same with a document that calls things otherwise.
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
        self.end.world.step_count
    }

    pub fn rename(&mut self, rename: &dyn Fn(&mut Scene)) {
        self.end = Arc::new(self.end.renamed(rename));
        self.words.iter_mut().for_each(|written| written.document = renamed(&written.document, rename));
    }
}

/// The memory of these chapters, about, bytes: what several of them have in common once.
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
    /// What the document is from this moment on, where the run stands.
    pub fn write(&mut self, written: Written, joins: bool) {
        if let Some(last) = self.words.last_mut().filter(|_| joins) {
            if last.step == written.step {
                *last = written;
                return;
            }
            // Of a drag its end is what is told.
            last.label.clear();
        }
        self.words.push(written);
    }

    /// A stretch begins; its document is still to come.
    pub fn begin(&mut self) {
        self.words.clear();
    }

    /// The document at a step of the stretch in which the run stands.
    pub fn document(&self, step: u64) -> Option<&Written> {
        let count = self.words.partition_point(|written| written.step <= step);
        self.words.get(count.saturating_sub(1))
    }

    /// Whether the run stands at an earlier moment than its last.
    pub fn is_past(&self) -> bool {
        self.end.is_some()
    }

    /// The step to which the stretch leads in which the run stands, while that is not its last.
    pub fn end_step(&self) -> Option<u64> {
        let end = self.end.as_ref()?.world.step_count;
        Some(self.ahead.last().map_or(end, |next| end.min(next.first_step())))
    }

    /// The last moment of all, while the run stands at an earlier one.
    pub fn last(&self) -> Option<&Arc<RunMoment>> {
        self.ahead.first().map(|chapter| &chapter.end).or(self.end.as_ref())
    }

    /// Whether no chapter lies behind the one that is so many away.
    pub fn ends_after(&self, by: isize) -> bool {
        by == self.ahead.len() as isize
    }

    /// From now on the run stands at an earlier moment than this, its last.
    pub fn leave(&mut self, end: impl FnOnce() -> Arc<RunMoment>) {
        self.end.get_or_insert_with(end);
    }

    /// The run has come to its last moment.
    pub fn arrive(&mut self) {
        debug_assert!(self.ahead.is_empty());
        self.end = None;
    }

    /// By how many chapters the one of this step is away from that in which the run stands, which begins at `first`; and
    /// the step, or the last one of that chapter: what was while something was being dragged is no state of any
    /// document.
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

    /// A chapter by its distance from the stretch in which the run stands.
    pub fn chapter(&self, by: isize) -> Option<&Chapter> {
        let count = by.unsigned_abs();
        if by > 0 {
            self.ahead.get(self.ahead.len().checked_sub(count)?)
        } else {
            self.before.get(self.before.len().checked_sub(count)?)
        }
    }

    /// Goes to the next chapter, or the one before: takes the stretch in which the run stood and gives that in which it
    /// stands. The run must stand at an earlier moment than its last.
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

    /// Forgets what comes behind the moment at which the run stands.
    pub fn cut(&mut self, step: u64) {
        self.end = None;
        self.ahead.clear();
        self.words.retain(|written| written.step <= step);
    }

    /// Takes a stretch that has ended, if there is a step of it to go back to. The documents of the next are still to
    /// come.
    pub fn push(&mut self, stretch: Stretch, end: Arc<RunMoment>) {
        let words = std::mem::take(&mut self.words);
        if end.world.step_count <= stretch.first_step() || words.is_empty() {
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

    /// The chapter that ends with this moment, to go on in it; what came later is forgotten with it.
    pub fn reopen(&mut self, end: &Arc<RunMoment>) -> Option<Stretch> {
        let index = self.before.iter().position(|chapter| Arc::ptr_eq(&chapter.end, end))?;
        self.before.truncate(index + 1);
        let chapter = self.before.pop_back()?;
        self.words = chapter.words;
        Some(chapter.stretch)
    }

    /// All of its chapters, oldest first, as they are; `stretch` is that in which the run stands, and `end` how it ends
    /// where it stands at the last moment of all.
    pub fn whole(&self, stretch: &Stretch, end: impl FnOnce() -> Arc<RunMoment>) -> Vec<Chapter> {
        let end = self.end.clone().unwrap_or_else(end);
        let here = Chapter { stretch: stretch.clone(), words: self.words.clone(), end };
        self.before.iter().cloned().chain([here]).chain(self.ahead.iter().rev().cloned()).collect()
    }

    /// Becomes the line of these chapters, at its last moment; gives the stretch of that.
    pub fn become_whole(&mut self, mut chapters: Vec<Chapter>) -> Option<(Stretch, Arc<RunMoment>)> {
        let last = chapters.pop()?;
        *self = Self { before: chapters.into(), ahead: Vec::new(), words: last.words, end: None };
        Some((last.stretch, last.end))
    }

    /// The chapters beside the stretch in which the run stands.
    pub fn others(&self) -> impl Iterator<Item = &Chapter> {
        self.before.iter().chain(self.ahead.iter().rev())
    }

    /// The chapters before the stretch in which the run stands, the latest first.
    pub fn before(&self) -> impl Iterator<Item = &Chapter> {
        self.before.iter().rev()
    }

    /// What the document was, in the order in which it came to be.
    pub fn written(&self) -> impl Iterator<Item = &Written> {
        let before = self.before.iter().flat_map(|chapter| &chapter.words);
        before.chain(&self.words).chain(self.ahead.iter().rev().flat_map(|chapter| &chapter.words))
    }

    /// All documents are called otherwise from now on.
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
