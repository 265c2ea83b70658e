//! Undo: the scenes before each edit, shared rather than copied.

use std::sync::Arc;
use std::time::Duration;

use crate::scene::Scene;

/// The scene before an edit, and the edit's name.
#[derive(Debug, Clone)]
struct Entry {
    label: String,
    scene: Arc<Scene>,
}

/// The edits that can be undone and redone.
#[derive(Debug, Clone, Default)]
pub struct History {
    past: Vec<Entry>,
    future: Vec<Entry>,
    /// What the newest entry is still being dragged about: further edits of it join that entry.
    drag: Option<&'static str>,
    /// Wall time since the last edit.
    idle: Duration,
}

/// A scene to return to, and the name of the edit in between.
pub type Return = (Arc<Scene>, String);

/// Entries kept.
const CAPACITY: usize = 256;
/// A pause this long ends a drag.
const DRAG_ENDS: Duration = Duration::from_secs(1);

impl History {
    /// Notes the edit that turns `before` into `after`. `drag` names the number that is edited, if it is one: edits of
    /// the same number in quick succession are one entry.
    pub fn edit(&mut self, label: String, drag: Option<&'static str>, before: &Arc<Scene>, after: &Scene) {
        self.future.clear();
        let joins = drag.is_some() && drag == self.drag && self.idle < DRAG_ENDS;
        if !joins {
            if self.past.len() == CAPACITY {
                self.past.remove(0);
            }
            self.past.push(Entry { label, scene: before.clone() });
        } else if let Some(entry) = self.past.last_mut() {
            entry.label = label;
        }
        self.drag = drag;
        self.idle = Duration::ZERO;
        // Dragged there and back: nothing to undo.
        if joins && self.past.last().is_some_and(|entry| *entry.scene == *after) {
            self.past.pop();
            self.drag = None;
        }
    }

    /// Whether the next edit of `name` would join the newest entry.
    pub fn is_dragging(&self, name: &str) -> bool {
        self.drag == Some(name) && self.idle < DRAG_ENDS
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
    pub fn undo(&mut self, present: &Arc<Scene>) -> Option<Return> {
        let entry = self.past.pop()?;
        self.drag = None;
        self.future.push(Entry { label: entry.label.clone(), scene: present.clone() });
        Some((entry.scene, entry.label))
    }

    /// The scene after the edit that was undone last, and the edit's name.
    pub fn redo(&mut self, present: &Arc<Scene>) -> Option<Return> {
        let entry = self.future.pop()?;
        self.drag = None;
        self.past.push(Entry { label: entry.label.clone(), scene: present.clone() });
        Some((entry.scene, entry.label))
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

    fn title(travel: Option<(Arc<Scene>, String)>) -> Option<String> {
        travel.map(|(scene, _)| scene.title.clone())
    }

    #[test]
    fn a_drag_is_one_entry_and_a_pause_begins_the_next() {
        let mut history = History::default();
        let (a, b, c, d) = (scene("a"), scene("b"), scene("c"), scene("d"));
        history.edit("β 0.1".into(), Some("β"), &a, &b);
        history.wait(Duration::from_millis(16));
        history.edit("β 0.2".into(), Some("β"), &b, &c);
        assert_eq!(history.undo_label(), Some("β 0.2"));
        history.wait(Duration::from_secs(2));
        history.edit("β 0.3".into(), Some("β"), &c, &d);
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
        history.edit("β".into(), Some("β"), &a, &b);
        history.edit("β".into(), Some("β"), &b, &a);
        assert_eq!(history.undo_label(), None);
    }

    #[test]
    fn different_numbers_and_switches_are_entries_of_their_own() {
        let mut history = History::default();
        let (a, b, c, d) = (scene("a"), scene("b"), scene("c"), scene("d"));
        history.edit("β".into(), Some("β"), &a, &b);
        history.edit("slop".into(), Some("slop"), &b, &c);
        history.edit("warm starting".into(), None, &c, &d);
        assert_eq!(title(history.undo(&d)), Some("c".into()));
        assert_eq!(title(history.undo(&c)), Some("b".into()));
        history.edit("slop".into(), Some("slop"), &b, &d);
        assert_eq!(history.redo_label(), None, "an edit ends what could be redone");
    }

    #[test]
    fn memory_is_bounded() {
        let mut history = History::default();
        let a = scene("a");
        for _ in 0..3 * CAPACITY {
            history.edit("switch".into(), None, &a, &scene("b"));
        }
        assert_eq!(history.past.len(), CAPACITY);
    }
}
