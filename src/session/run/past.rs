//! The past of a run across edits of its bodies.
//!
//! ```text
//! run        |--- stretch ---|E|--- stretch ---|E|--- stretch --->       E: an edit of bodies
//! document   v0               v1                v2
//! ```
//! Each edit ends a stretch of the run and begins another one of another world. What has ended stays as a `Chapter`,
//! with the document that its states belong to: going back across the edit brings both. A `Moment` is one state with
//! all that belongs to it. The history of edits keeps the moments just before and just after each edit: where an undo
//! cannot take an edit back in the present state without tearing things apart, it goes back to that in which it was
//! made.

use std::collections::VecDeque;
use std::sync::Arc;

use super::Stretch;
use crate::physics::world::World;
use crate::scene::Scene;
use crate::session::names::Names;

/// A state of the run, and the document that it is a state of.
#[derive(Clone)]
pub struct Moment {
    pub world: Arc<World>,
    /// The document's world at step 0.
    pub beginning: Arc<World>,
    pub names: Arc<Names>,
    /// What the two worlds were made from.
    pub made_from: Arc<Scene>,
    /// The document, which may have been edited since without the world following it, by a kept pose or other words.
    pub document: Arc<Scene>,
}

impl Moment {
    /// The memory that it takes, about, bytes: two worlds.
    pub fn bytes(&self) -> usize {
        2 * self.world.bytes()
    }
}

/// A stretch of the run that an edit has ended.
pub struct Chapter {
    pub stretch: Stretch,
    /// Its last state.
    pub end: Arc<Moment>,
    /// The version of the document, as the history counts them.
    pub version: u64,
}

/// The chapters of a run, oldest first.
#[derive(Default)]
pub struct Past {
    chapters: VecDeque<Chapter>,
}

/// Memory for ended stretches, bytes; beyond it the oldest states go.
const BYTES: usize = 64 << 20;

impl Past {
    /// Takes a stretch that has ended, if there is a step of it to go back to.
    pub fn push(&mut self, chapter: Chapter) {
        if chapter.end.world.step_count <= chapter.stretch.first_step() {
            return;
        }
        self.chapters.push_back(chapter);
        while self.bytes() > BYTES {
            match self.chapters.iter_mut().find_map(|chapter| chapter.stretch.forget().then_some(())) {
                Some(()) => {}
                None if self.chapters.len() > 1 => drop(self.chapters.pop_front()),
                None => break,
            }
        }
    }

    fn bytes(&self) -> usize {
        self.chapters.iter().map(|chapter| chapter.stretch.bytes() + chapter.end.bytes()).sum()
    }

    /// The chapter that ends with this moment, to go on in it; what came later is forgotten with it.
    pub fn reopen(&mut self, end: &Arc<Moment>) -> Option<Chapter> {
        let index = self.chapters.iter().position(|chapter| Arc::ptr_eq(&chapter.end, end))?;
        self.chapters.truncate(index + 1);
        self.chapters.pop_back()
    }

    /// The latest chapter that began before this step, with its state there, or its last one: what was while something
    /// was being dragged is no state of any document. It and what came later are taken out. `None`, and nothing is
    /// taken out, if no state from which to get there is kept.
    pub fn back(&mut self, step: u64, step_seconds: f64) -> Option<(Chapter, World)> {
        let index = self.chapters.iter().rposition(|chapter| chapter.stretch.first_step() <= step)?;
        let chapter = self.chapters.get(index)?;
        let step = step.min(chapter.end.world.step_count);
        let world = chapter.stretch.at(step, step_seconds)?;
        self.chapters.truncate(index + 1);
        let mut chapter = self.chapters.pop_back()?;
        chapter.stretch.cut(step);
        Some((chapter, world))
    }

    /// All documents are called otherwise from now on.
    pub fn rename(&mut self, rename: &dyn Fn(&mut Scene)) {
        for chapter in &mut self.chapters {
            chapter.end = Arc::new(chapter.end.renamed(rename));
        }
    }

    pub fn clear(&mut self) {
        self.chapters.clear();
    }
}

impl Moment {
    /// The same with a document that calls things otherwise.
    pub fn renamed(&self, rename: &dyn Fn(&mut Scene)) -> Self {
        let renamed = |scene: &Arc<Scene>| {
            let mut scene = (**scene).clone();
            rename(&mut scene);
            Arc::new(scene)
        };
        let document = renamed(&self.document);
        let same = Arc::ptr_eq(&self.document, &self.made_from);
        let made_from = if same { document.clone() } else { renamed(&self.made_from) };
        Self { document, made_from, ..self.clone() }
    }
}
