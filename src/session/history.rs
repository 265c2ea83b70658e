//! Undo: what each edit changed, as many edits as a stated memory holds.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use super::change::Change;
use crate::scene::Scene;

/// An edit that was made, or that can be made again.
#[derive(Debug, Clone)]
struct Entry {
    /// What it is called.
    label: String,
    change: Change,
    /// The memory that it takes.
    bytes: usize,
    /// Whether the running world's bodies followed it.
    bodies: bool,
}

/// The document at another point of its history, and the way there.
#[derive(Debug, Clone)]
pub struct Travel {
    pub scene: Scene,
    /// “Undo: Move box”, “Redo: 3 edits”.
    pub label: String,
    /// Whether the running world's bodies follow.
    pub bodies: bool,
}

/// What edits have in common that are one entry of the history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gesture {
    /// One setting, dragged or typed in quick succession.
    Setting(&'static str),
    /// One drag of the pointer, however long; numbered by whoever drags.
    Drag(u64),
}

/// The edits that can be undone and redone.
#[derive(Debug, Clone, Default)]
pub struct History {
    past: VecDeque<Entry>,
    /// The next to be redone is last.
    future: Vec<Entry>,
    /// What the newest entry is still being dragged about, and the scene before it: further edits of it join that entry.
    drag: Option<(Gesture, Arc<Scene>)>,
    /// Wall time since the last edit.
    idle: Duration,
    /// The memory that all entries take.
    bytes: usize,
}

/// The memory that the history may take, bytes. Beyond it the oldest edits are forgotten, but never the newest.
pub const MEMORY: usize = 256 << 20;
/// A pause this long ends a drag.
const DRAG_ENDS: Duration = Duration::from_secs(1);

impl History {
    /// Notes the edit called `label` that turns `before` into `after`; `bodies` says whether the running world's bodies
    /// followed. Edits of one gesture are one entry.
    pub fn edit(&mut self, label: String, bodies: bool, gesture: Option<Gesture>, before: &Arc<Scene>, after: &Scene) {
        self.note(label, bodies, gesture, before, after);
        self.forget(MEMORY);
    }

    fn note(&mut self, label: String, bodies: bool, gesture: Option<Gesture>, before: &Arc<Scene>, after: &Scene) {
        self.bytes -= self.future.drain(..).map(|entry| entry.bytes).sum::<usize>();
        let joins = gesture.is_some_and(|gesture| self.is_dragging(gesture));
        let began = match &self.drag {
            Some((_, began)) if joins => began.clone(),
            _ => before.clone(),
        };
        self.idle = Duration::ZERO;
        let mut followed = bodies;
        if joins && let Some(entry) = self.past.pop_back() {
            self.bytes -= entry.bytes;
            followed |= entry.bodies;
        }
        let change = Change::between(&began, after);
        if joins && change.is_empty() {
            // Dragged there and back: nothing to undo.
            self.drag = None;
            return;
        }
        self.drag = gesture.map(|gesture| (gesture, began));
        let bytes = size_of::<Entry>() + label.capacity() + change.bytes();
        self.bytes += bytes;
        self.past.push_back(Entry { label, change, bytes, bodies: followed });
    }

    /// Forgets the oldest edits until the rest fits.
    fn forget(&mut self, memory: usize) {
        while self.bytes > memory && self.past.len() > 1 {
            self.bytes -= self.past.pop_front().map_or(0, |entry| entry.bytes);
        }
    }

    /// Whether the next edit of this gesture would join the newest entry.
    pub fn is_dragging(&self, gesture: Gesture) -> bool {
        self.drag.as_ref().is_some_and(|(drag, _)| *drag == gesture)
            && (self.idle < DRAG_ENDS || matches!(gesture, Gesture::Drag(_)))
    }

    /// Lets wall time pass.
    pub fn wait(&mut self, wall: Duration) {
        self.idle = self.idle.saturating_add(wall);
    }

    /// Ends a drag: the next edit is an entry of its own.
    pub fn settle(&mut self) {
        self.drag = None;
    }

    /// The document `by` edits on, or back where that is negative; `None` where there are not so many.
    pub fn seen(&self, by: isize, present: &Scene) -> Option<Travel> {
        let count = by.unsigned_abs();
        let (verb, entries): (_, Vec<&Entry>) = match by {
            0 => return None,
            ..0 => ("Undo", self.past.iter().rev().take(count).collect()),
            _ => ("Redo", self.future.iter().rev().take(count).collect()),
        };
        let (first, others) = entries.split_first().filter(|_| entries.len() == count)?;
        let step = |entry: &Entry, scene: &Scene| {
            if by < 0 { entry.change.undone(scene) } else { entry.change.redone(scene) }
        };
        let scene = others.iter().fold(step(first, present), |scene, entry| step(entry, &scene));
        let label =
            if others.is_empty() { format!("{verb}: {}", first.label) } else { format!("{verb}: {count} edits") };
        Some(Travel { scene, label, bodies: entries.iter().any(|entry| entry.bodies) })
    }

    /// The document is there now, see [`History::seen`].
    pub fn went(&mut self, by: isize) {
        self.drag = None;
        for _ in 0..by.unsigned_abs() {
            if by < 0 {
                self.future.extend(self.past.pop_back());
            } else {
                self.past.extend(self.future.pop());
            }
        }
    }

    /// The names of the edits that can be undone, the oldest first.
    pub fn past(&self) -> impl ExactSizeIterator<Item = &str> + DoubleEndedIterator {
        self.past.iter().map(|entry| entry.label.as_str())
    }

    /// The names of the edits that can be redone, the next first.
    pub fn future(&self) -> impl ExactSizeIterator<Item = &str> {
        self.future.iter().rev().map(|entry| entry.label.as_str())
    }

    /// The memory that all entries take, bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Name of the edit that an undo takes back.
    pub fn undo_label(&self) -> Option<&str> {
        self.past.back().map(|e| e.label.as_str())
    }

    /// Name of the edit that a redo makes again.
    pub fn redo_label(&self) -> Option<&str> {
        self.future.last().map(|e| e.label.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scene(title: &str) -> Arc<Scene> {
        Arc::new(Scene { title: title.into(), ..Scene::default() })
    }

    fn travel(history: &mut History, by: isize, present: &Scene) -> Option<String> {
        let travel = history.seen(by, present)?;
        history.went(by);
        Some(travel.scene.title)
    }

    fn undo(history: &mut History, present: &Scene) -> Option<String> {
        travel(history, -1, present)
    }

    fn redo(history: &mut History, present: &Scene) -> Option<String> {
        travel(history, 1, present)
    }

    fn edit(history: &mut History, label: &str, drag: Option<&'static str>, before: &Arc<Scene>, after: &Scene) {
        history.edit(label.into(), false, drag.map(Gesture::Setting), before, after);
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
        assert_eq!(undo(&mut history, &d), Some("c".into()));
        assert_eq!(undo(&mut history, &c), Some("a".into()));
        assert_eq!(undo(&mut history, &a), None);
        assert_eq!(redo(&mut history, &a), Some("c".into()));
        assert_eq!(redo(&mut history, &c), Some("d".into()));
        assert_eq!(redo(&mut history, &d), None);
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
        assert_eq!(undo(&mut history, &d), Some("c".into()));
        assert_eq!(undo(&mut history, &c), Some("b".into()));
        edit(&mut history, "slop", Some("slop"), &b, &d);
        assert_eq!(history.redo_label(), None, "an edit ends what could be redone");
    }

    #[test]
    fn a_drag_of_the_pointer_may_pause_and_the_next_drag_is_another_entry() {
        let mut history = History::default();
        let (a, b, c, d) = (scene("a"), scene("b"), scene("c"), scene("d"));
        let mut drag = |number, before: &Arc<Scene>, after: &Scene| {
            history.edit("Move".into(), true, Some(Gesture::Drag(number)), before, after);
            history.wait(Duration::from_secs(60));
        };
        drag(1, &a, &b);
        drag(1, &b, &c);
        drag(2, &c, &d);
        assert_eq!(undo(&mut history, &d), Some("c".into()));
        assert_eq!(undo(&mut history, &c), Some("a".into()));
    }

    #[test]
    fn a_jump_goes_over_several_edits_at_once_and_lists_them() {
        let mut history = History::default();
        let scenes = ["a", "b", "c", "d"].map(scene);
        for (i, pair) in scenes.windows(2).enumerate() {
            edit(&mut history, &format!("edit {i}"), None, &pair[0], &pair[1]);
        }
        assert_eq!(travel(&mut history, -4, &scenes[3]), None, "there are three");
        assert_eq!(travel(&mut history, -2, &scenes[3]), Some("b".into()));
        assert_eq!(history.past().collect::<Vec<_>>(), ["edit 0"]);
        assert_eq!(history.future().collect::<Vec<_>>(), ["edit 1", "edit 2"]);
        assert_eq!(history.seen(2, &scenes[1]).map(|t| t.label), Some("Redo: 2 edits".into()));
        assert_eq!(travel(&mut history, 2, &scenes[1]), Some("d".into()));
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
        undo(&mut history, &scenes[0]);
        assert_eq!(history.bytes, each);
        edit(&mut history, "switch", None, &scenes[1], &scenes[0]);
        assert_eq!(history.bytes, each, "what could be redone is forgotten");
    }
}
