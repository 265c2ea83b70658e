//! Undo: the scenes before each edit, shared rather than copied.

use std::sync::Arc;
use std::time::Duration;

use crate::scene::Scene;

/// The scene before an edit (or, among the undone ones, after it), and what the edit was.
#[derive(Debug, Clone)]
pub struct Entry {
    /// What it is called.
    pub label: String,
    pub scene: Arc<Scene>,
    /// Whether the running world's bodies followed it.
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
    past: Vec<Entry>,
    future: Vec<Entry>,
    /// What the newest entry is still being dragged about: further edits of it join that entry.
    drag: Option<Gesture>,
    /// Wall time since the last edit.
    idle: Duration,
}

/// Entries kept.
const CAPACITY: usize = 256;
/// A pause this long ends a drag.
const DRAG_ENDS: Duration = Duration::from_secs(1);

impl History {
    /// Notes the edit called `entry.label` that turns `entry.scene` into `after`. Edits of one gesture are one entry.
    pub fn edit(&mut self, entry: Entry, drag: Option<Gesture>, after: &Scene) {
        self.future.clear();
        let joins = drag.is_some_and(|gesture| self.is_dragging(gesture));
        if !joins {
            if self.past.len() == CAPACITY {
                self.past.remove(0);
            }
            self.past.push(entry);
        } else if let Some(last) = self.past.last_mut() {
            last.label = entry.label;
        }
        self.drag = drag;
        self.idle = Duration::ZERO;
        // Dragged there and back: nothing to undo.
        if joins && self.past.last().is_some_and(|entry| *entry.scene == *after) {
            self.past.pop();
            self.drag = None;
        }
    }

    /// Whether the next edit of this gesture would join the newest entry.
    pub fn is_dragging(&self, gesture: Gesture) -> bool {
        self.drag == Some(gesture) && (self.idle < DRAG_ENDS || matches!(gesture, Gesture::Drag(_)))
    }

    /// Lets wall time pass.
    pub fn wait(&mut self, wall: Duration) {
        self.idle = self.idle.saturating_add(wall);
    }

    /// Ends a drag: the next edit is an entry of its own.
    pub fn settle(&mut self) {
        self.drag = None;
    }

    /// The scene before the newest edit, and the edit's name; `present` can then be redone.
    pub fn undo(&mut self, present: &Arc<Scene>) -> Option<Entry> {
        let entry = self.past.pop()?;
        self.drag = None;
        self.future.push(Entry { scene: present.clone(), ..entry.clone() });
        Some(entry)
    }

    /// The scene after the edit that was undone last, and the edit's name.
    pub fn redo(&mut self, present: &Arc<Scene>) -> Option<Entry> {
        let entry = self.future.pop()?;
        self.drag = None;
        self.past.push(Entry { scene: present.clone(), ..entry.clone() });
        Some(entry)
    }

    /// Name of the edit that an undo takes back.
    pub fn undo_label(&self) -> Option<&str> {
        self.past.last().map(|e| e.label.as_str())
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

    fn title(travel: Option<Entry>) -> Option<String> {
        travel.map(|entry| entry.scene.title.clone())
    }

    fn edit(history: &mut History, label: &str, drag: Option<&'static str>, before: &Arc<Scene>, after: &Scene) {
        let entry = Entry { label: label.into(), scene: before.clone(), bodies: false };
        history.edit(entry, drag.map(Gesture::Setting), after);
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
        assert_eq!(title(history.undo(&d)), Some("c".into()));
        assert_eq!(title(history.undo(&c)), Some("a".into()));
        assert_eq!(title(history.undo(&a)), None);
        assert_eq!(title(history.redo(&a)), Some("c".into()));
        assert_eq!(title(history.redo(&c)), Some("d".into()));
        assert_eq!(title(history.redo(&d)), None);
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
        assert_eq!(title(history.undo(&d)), Some("c".into()));
        assert_eq!(title(history.undo(&c)), Some("b".into()));
        edit(&mut history, "slop", Some("slop"), &b, &d);
        assert_eq!(history.redo_label(), None, "an edit ends what could be redone");
    }

    #[test]
    fn a_drag_of_the_pointer_may_pause_and_the_next_drag_is_another_entry() {
        let mut history = History::default();
        let (a, b, c, d) = (scene("a"), scene("b"), scene("c"), scene("d"));
        let mut drag = |number, before: &Arc<Scene>, after: &Scene| {
            history.edit(
                Entry { label: "Move".into(), scene: before.clone(), bodies: true },
                Some(Gesture::Drag(number)),
                after,
            );
            history.wait(Duration::from_secs(60));
        };
        drag(1, &a, &b);
        drag(1, &b, &c);
        drag(2, &c, &d);
        assert_eq!(title(history.undo(&d)), Some("c".into()));
        assert_eq!(title(history.undo(&c)), Some("a".into()));
    }

    #[test]
    fn memory_is_bounded() {
        let mut history = History::default();
        let a = scene("a");
        for _ in 0..3 * CAPACITY {
            edit(&mut history, "switch", None, &a, &scene("b"));
        }
        assert_eq!(history.past.len(), CAPACITY);
    }
}
