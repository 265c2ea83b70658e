//! Undo: the document before and after each edit, as many as the memory allows. Both share everything that the edit
//! did not change, so an undo only swaps a pointer.

mod weight;

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use crate::run::line::RunMoment;
use delassus_scene::Scene;

/// An edit to be recorded.
pub struct NotedEdit {
    /// Its label.
    pub label: String,
    /// Whether it changed the running world's bodies.
    pub bodies: bool,
    /// The run's moments just before and just after the edit; `None` if the edit was made at step 0.
    pub before: Option<Arc<RunMoment>>,
    pub after: Option<Arc<RunMoment>>,
}

impl NotedEdit {
    /// Memory of its moments, bytes.
    fn moment_bytes(&self) -> usize {
        self.before.iter().chain(&self.after).map(|moment| moment.bytes()).sum()
    }
}

/// An edit that can be undone or redone.
struct Entry {
    edit: NotedEdit,
    /// The document before and after it.
    scenes: (Arc<Scene>, Arc<Scene>),
    /// Memory without moments, bytes.
    bytes: usize,
    /// Version number of the document after it, unique within the history.
    version: u64,
}

/// The document that an undo or redo leads to.
#[derive(Debug, Clone)]
pub struct Travel {
    pub scene: Arc<Scene>,
    /// “Undo: Move box”, “Redo: 3 edits”.
    pub label: String,
    /// Whether the running world's bodies change.
    pub bodies: bool,
}

/// Identifies edits that are joined into one entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gesture {
    /// Changes of one setting in quick succession.
    Setting(&'static str),
    /// One drag of the pointer, of any duration; the number is chosen by the caller.
    Drag(u64),
}

/// The edits that can be undone and redone.
#[derive(Default)]
pub struct History {
    past: VecDeque<Entry>,
    /// Edits that can be redone, the next last.
    future: Vec<Entry>,
    /// The gesture of the newest entry, if it is still going on; further edits of it join the entry.
    drag: Option<Gesture>,
    /// Wall time since the last edit.
    idle: Duration,
    /// Memory of all entries without moments, bytes.
    bytes: usize,
    /// Version of the document before the oldest entry.
    base: u64,
    /// The last version number given.
    last: u64,
}

/// Memory limit of the history, bytes. Beyond it the oldest edits are dropped, but never the newest.
pub const MEMORY: usize = 256 << 20;
/// Memory limit of the moments of edits, bytes. Beyond it the oldest are dropped; undoing such an edit may then
/// restart the run from the beginning.
const MOMENTS: usize = 64 << 20;
/// A pause this long ends a drag.
const DRAG_ENDS: Duration = Duration::from_secs(1);

impl History {
    /// Records the edit that turns `before` into `after`. Edits of one gesture become one entry.
    pub fn edit(&mut self, edit: NotedEdit, gesture: Option<Gesture>, before: &Arc<Scene>, after: &Arc<Scene>) {
        self.note(edit, gesture, before.clone(), after);
        self.forget(MEMORY);
        self.forget_oldest_moments(MOMENTS);
    }

    fn note(&mut self, mut edit: NotedEdit, gesture: Option<Gesture>, mut before: Arc<Scene>, after: &Arc<Scene>) {
        self.bytes -= self.future.drain(..).map(|entry| entry.bytes).sum::<usize>();
        let joins = gesture.is_some_and(|gesture| self.is_dragging(gesture));
        self.idle = Duration::ZERO;
        self.drag = gesture;
        if joins && let Some(entry) = self.past.pop_back() {
            self.bytes -= entry.bytes;
            edit.bodies |= entry.edit.bodies;
            edit.before = entry.edit.before;
            before = entry.scenes.0;
            if before == *after {
                // Dragged away and back: nothing to undo.
                self.drag = None;
                return;
            }
        }
        let bytes = size_of::<Entry>() + edit.label.capacity() + weight::unshared(&before, after);
        self.bytes += bytes;
        self.last += 1;
        self.past.push_back(Entry { edit, scenes: (before, after.clone()), bytes, version: self.last });
    }

    /// Drops the oldest edits until the rest fits.
    fn forget(&mut self, memory: usize) {
        while self.bytes > memory && self.past.len() > 1 {
            if let Some(entry) = self.past.pop_front() {
                self.bytes -= entry.bytes;
                self.base = entry.version;
            }
        }
    }

    /// Drops the moments of the oldest edits until the rest fits, but never those of the newest.
    fn forget_oldest_moments(&mut self, memory: usize) {
        let mut taken = 0;
        for (age, entry) in self.past.iter_mut().rev().enumerate() {
            taken += entry.edit.moment_bytes();
            if taken > memory && age > 0 {
                (entry.edit.before, entry.edit.after) = (None, None);
            }
        }
    }

    /// Drops the moment after the newest edit, before another edit joins that entry: it can then be changed in place.
    pub fn let_go(&mut self) {
        if let Some(entry) = self.past.back_mut() {
            entry.edit.after = None;
        }
    }

    /// Drops all moments, because a new run begins.
    pub fn forget_moments(&mut self) {
        for entry in self.past.iter_mut().chain(&mut self.future) {
            (entry.edit.before, entry.edit.after) = (None, None);
        }
    }

    /// Version number of the current document.
    pub fn version(&self) -> u64 {
        self.past.back().map_or(self.base, |entry| entry.version)
    }

    /// The current document, if the history has an entry next to it.
    pub fn document(&self) -> Option<&Arc<Scene>> {
        let next = || self.future.last().map(|entry| &entry.scenes.0);
        self.past.back().map(|entry| &entry.scenes.1).or_else(next)
    }

    /// Number of edits from the current document to another version, negative for an undo; `None` if it cannot be
    /// reached any more.
    pub fn distance(&self, version: u64) -> Option<isize> {
        let back = |edits: usize| -(edits as isize);
        if self.base == version {
            return Some(back(self.past.len()));
        }
        if let Some(at) = self.past.iter().position(|entry| entry.version == version) {
            return Some(back(self.past.len() - 1 - at));
        }
        let ahead = self.future.iter().rev().position(|entry| entry.version == version);
        ahead.map(|at| at as isize + 1)
    }

    /// The stored moment of the run closest to the result of undoing or redoing `by` edits: before the oldest undone
    /// edit, or after the newest redone one.
    pub fn moment(&self, by: isize) -> Option<Arc<RunMoment>> {
        let count = by.unsigned_abs();
        if by < 0 {
            let first = self.past.len().checked_sub(count)?;
            self.past.iter().skip(first).find_map(|entry| entry.edit.before.clone())
        } else {
            let first = self.future.len().checked_sub(count)?;
            self.future.iter().skip(first).find_map(|entry| entry.edit.after.clone())
        }
    }

    /// Applies a renaming to all documents.
    pub fn rename(&mut self, rename: &dyn Fn(&mut Scene)) {
        self.drag = None;
        for entry in self.past.iter_mut().chain(&mut self.future) {
            let (before, after) = &mut entry.scenes;
            [before, after].into_iter().for_each(|scene| rename(Arc::make_mut(scene)));
            for moment in entry.edit.before.iter_mut().chain(&mut entry.edit.after) {
                *moment = Arc::new(moment.renamed(rename));
            }
        }
    }

    /// Whether the next edit of this gesture would join the newest entry.
    pub fn is_dragging(&self, gesture: Gesture) -> bool {
        self.drag == Some(gesture) && (self.idle < DRAG_ENDS || matches!(gesture, Gesture::Drag(_)))
    }

    /// Adds wall time since the last edit.
    pub fn wait(&mut self, wall: Duration) {
        self.idle = self.idle.saturating_add(wall);
    }

    /// Ends a drag: the next edit is an entry of its own.
    pub fn end_drag(&mut self) {
        self.drag = None;
    }

    /// The document after redoing `by` edits (undoing, if negative), without going there; `None` if there are fewer.
    pub fn seen(&self, by: isize) -> Option<Travel> {
        let count = by.unsigned_abs();
        let (verb, entries): (_, Vec<&Entry>) = match by {
            0 => return None,
            ..0 => ("Undo", self.past.iter().rev().take(count).collect()),
            _ => ("Redo", self.future.iter().rev().take(count).collect()),
        };
        let last = entries.last().filter(|_| entries.len() == count)?;
        let scene = if by < 0 { &last.scenes.0 } else { &last.scenes.1 };
        let label = if count == 1 { format!("{verb}: {}", last.edit.label) } else { format!("{verb}: {count} edits") };
        Some(Travel { scene: scene.clone(), label, bodies: entries.iter().any(|entry| entry.edit.bodies) })
    }

    /// Marks `by` edits as redone or undone; see [`History::seen`].
    pub fn move_by(&mut self, by: isize) {
        self.drag = None;
        for _ in 0..by.unsigned_abs() {
            if by < 0 {
                self.future.extend(self.past.pop_back());
            } else {
                self.past.extend(self.future.pop());
            }
        }
    }

    /// Labels of the edits that can be undone, oldest first.
    pub fn past(&self) -> impl ExactSizeIterator<Item = &str> + DoubleEndedIterator {
        self.past.iter().map(|entry| entry.edit.label.as_str())
    }

    /// Labels of the edits that can be redone, the next first.
    pub fn future(&self) -> impl ExactSizeIterator<Item = &str> {
        self.future.iter().rev().map(|entry| entry.edit.label.as_str())
    }

    /// Memory of all entries without moments, bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Label of the edit that an undo takes back.
    pub fn undo_label(&self) -> Option<&str> {
        self.past.back().map(|e| e.edit.label.as_str())
    }

    /// Label of the edit that a redo makes again.
    pub fn redo_label(&self) -> Option<&str> {
        self.future.last().map(|e| e.edit.label.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scene(title: &str) -> Arc<Scene> {
        Arc::new(Scene { title: title.into(), ..Scene::default() })
    }

    fn travel(history: &mut History, by: isize) -> Option<String> {
        let travel = history.seen(by)?;
        history.move_by(by);
        Some(travel.scene.title.clone())
    }

    fn undo(history: &mut History) -> Option<String> {
        travel(history, -1)
    }

    fn redo(history: &mut History) -> Option<String> {
        travel(history, 1)
    }

    fn edit(history: &mut History, label: &str, drag: Option<&'static str>, before: &Arc<Scene>, after: &Arc<Scene>) {
        history.edit(words(label), drag.map(Gesture::Setting), before, after);
    }

    fn words(label: &str) -> NotedEdit {
        NotedEdit { label: label.into(), bodies: false, before: None, after: None }
    }

    #[test]
    fn a_drag_is_one_entry_and_a_pause_begins_the_next() {
        let mut history = History::default();
        let (a, b, c, d) = (scene("a"), scene("b"), scene("c"), scene("d"));
        edit(&mut history, "β 0.1", Some("β"), &a, &b);
        history.wait(Duration::from_millis(16));
        edit(&mut history, "β 0.2", Some("β"), &b, &c);
        assert_eq!(history.undo_label(), Some("β 0.2"));
        history.wait(Duration::from_secs(2));
        edit(&mut history, "β 0.3", Some("β"), &c, &d);
        assert_eq!(undo(&mut history), Some("c".into()));
        assert_eq!(undo(&mut history), Some("a".into()));
        assert_eq!(undo(&mut history), None);
        assert_eq!(redo(&mut history), Some("c".into()));
        assert_eq!(redo(&mut history), Some("d".into()));
        assert_eq!(redo(&mut history), None);
    }

    #[test]
    fn a_drag_there_and_back_leaves_nothing() {
        let mut history = History::default();
        let (a, b) = (scene("a"), scene("b"));
        edit(&mut history, "β", Some("β"), &a, &b);
        edit(&mut history, "β", Some("β"), &b, &a);
        assert_eq!(history.undo_label(), None);
    }

    #[test]
    fn different_numbers_and_switches_are_entries_of_their_own() {
        let mut history = History::default();
        let (a, b, c, d) = (scene("a"), scene("b"), scene("c"), scene("d"));
        edit(&mut history, "β", Some("β"), &a, &b);
        edit(&mut history, "slop", Some("slop"), &b, &c);
        edit(&mut history, "warm starting", None, &c, &d);
        assert_eq!(undo(&mut history), Some("c".into()));
        assert_eq!(undo(&mut history), Some("b".into()));
        edit(&mut history, "slop", Some("slop"), &b, &d);
        assert_eq!(history.redo_label(), None, "an edit ends what could be redone");
    }

    #[test]
    fn a_drag_of_the_pointer_may_pause_and_the_next_drag_is_another_entry() {
        let mut history = History::default();
        let (a, b, c, d) = (scene("a"), scene("b"), scene("c"), scene("d"));
        let mut drag = |number, before: &Arc<Scene>, after: &Arc<Scene>| {
            history.edit(words("Move"), Some(Gesture::Drag(number)), before, after);
            history.wait(Duration::from_secs(60));
        };
        drag(1, &a, &b);
        drag(1, &b, &c);
        drag(2, &c, &d);
        assert_eq!(undo(&mut history), Some("c".into()));
        assert_eq!(undo(&mut history), Some("a".into()));
    }

    #[test]
    fn a_jump_goes_over_several_edits_at_once_and_lists_them() {
        let mut history = History::default();
        let scenes = ["a", "b", "c", "d"].map(scene);
        for (i, pair) in scenes.windows(2).enumerate() {
            edit(&mut history, &format!("edit {i}"), None, &pair[0], &pair[1]);
        }
        assert_eq!(travel(&mut history, -4), None, "there are three");
        assert_eq!(travel(&mut history, -2), Some("b".into()));
        assert_eq!(history.past().collect::<Vec<_>>(), ["edit 0"]);
        assert_eq!(history.future().collect::<Vec<_>>(), ["edit 1", "edit 2"]);
        assert_eq!(history.seen(2).map(|t| t.label), Some("Redo: 2 edits".into()));
        assert_eq!(travel(&mut history, 2), Some("d".into()));
    }

    #[test]
    fn memory_is_bounded_and_counted_exactly() {
        let mut history = History::default();
        let scenes = [scene("a"), scene("b")];
        for i in 0..1000 {
            edit(&mut history, "switch", None, &scenes[i % 2], &scenes[(i + 1) % 2]);
        }
        assert_eq!(history.past.len(), 1000, "no fixed number of entries");
        let each = history.bytes / 1000;
        history.forget(10 * each);
        assert_eq!((history.past.len(), history.bytes), (10, 10 * each));
        history.forget(0);
        assert_eq!(history.past.len(), 1, "the newest stays, however large");
        undo(&mut history);
        assert_eq!(history.bytes, each);
        edit(&mut history, "switch", None, &scenes[1], &scenes[0]);
        assert_eq!(history.bytes, each, "what could be redone is forgotten");
    }
}
