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
    pub fn undo(&mut self, present: &Arc<Scene>) -> Option<(Arc<Scene>, String)> {
        let entry = self.past.pop()?;
        self.drag = None;
        self.future.push(Entry { label: entry.label.clone(), scene: present.clone() });
        Some((entry.scene, entry.label))
    }

    /// The scene after the edit that was undone last, and the edit's name.
    pub fn redo(&mut self, present: &Arc<Scene>) -> Option<(Arc<Scene>, String)> {
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
