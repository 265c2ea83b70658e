//! What is hidden in the view and what is locked against the pointer: the window's memory of a scene, by name; the file
//! knows nothing of it.
//!
//! What is hidden is not drawn, throws no shadow and is met by no ray. What is locked is seen, and things rest on it, but
//! the pointer takes what lies behind it; the outliner selects it all the same.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;

use glam::Vec3;

use super::state::View;
use crate::session::{Hit, JointView, Session};

const HIDDEN: u8 = 1;
const LOCKED: u8 = 2;

/// Names of bodies, and of joints apart from them.
#[derive(Clone, Debug, Default)]
struct Names {
    hidden: HashSet<String>,
    locked: HashSet<String>,
    hidden_joints: HashSet<String>,
}

/// What is hidden and locked in the open scene.
#[derive(Clone, Debug, Default)]
pub struct Veil {
    names: Names,
    /// Of the scenes that were open before, by file.
    before: HashMap<PathBuf, Names>,
    /// The file that the names belong to, and the session's count of opened documents.
    file: Option<PathBuf>,
    opened: u64,
    /// Counts changes of the names.
    changes: u64,
    /// The session's generation and the changes that the flags are made from.
    made_from: (u64, u64),
    /// Of body 1, 2, …; empty where nothing is hidden or locked.
    bodies: Arc<[u8]>,
    joints: Vec<bool>,
}

impl Veil {
    /// Keeps up with the session; to be called before each frame.
    pub fn follow(&mut self, session: &Session) {
        if session.opened() != self.opened {
            self.opened = session.opened();
            let file = session.file().map(std::path::Path::to_path_buf);
            if file != self.file {
                let names = std::mem::take(&mut self.names);
                if let Some(old) = std::mem::replace(&mut self.file, file) {
                    self.before.insert(old, names);
                }
                self.names = self.file.as_ref().and_then(|file| self.before.remove(file)).unwrap_or_default();
            } else if self.file.is_none() {
                self.names = Names::default();
            }
            self.changes += 1;
        }
        if self.file.as_deref() != session.file() {
            // Saved under another name.
            self.file = session.file().map(std::path::Path::to_path_buf);
        }
        let now = (session.generation(), self.changes);
        if now == self.made_from {
            return;
        }
        self.made_from = now;
        let (names, snapshot) = (&self.names, session.snapshot());
        let flag = |name: &str| {
            let (hidden, locked) = (names.hidden.contains(name), names.locked.contains(name));
            HIDDEN * u8::from(hidden) + LOCKED * u8::from(locked)
        };
        self.bodies = if names.hidden.is_empty() && names.locked.is_empty() {
            Arc::default()
        } else {
            snapshot.bodies.iter().map(|b| flag(&b.name)).collect()
        };
        self.joints.clear();
        if !names.hidden_joints.is_empty() {
            self.joints.extend(snapshot.joints.iter().map(|j| names.hidden_joints.contains(&*j.name)));
        }
    }

    fn has(&self, id: u32, flag: u8) -> bool {
        let at = (id as usize).wrapping_sub(1);
        self.bodies.get(at).is_some_and(|flags| flags & flag != 0)
    }

    /// Whether this body is not to be seen.
    pub fn is_hidden(&self, id: u32) -> bool {
        self.has(id, HIDDEN)
    }

    /// Whether the pointer is not to take this body.
    pub fn is_locked(&self, id: u32) -> bool {
        self.has(id, LOCKED)
    }

    /// Whether the pointer may take it: neither hidden nor locked.
    pub fn is_free(&self, id: u32) -> bool {
        !self.has(id, HIDDEN | LOCKED)
    }

    /// Whether what belongs to these two bodies is not to be seen: no body of the two is, the world aside.
    pub fn hides_between(&self, a: u32, b: u32) -> bool {
        let gone = |id: u32| id == 0 || self.is_hidden(id);
        !self.bodies.is_empty() && gone(a) && gone(b)
    }

    /// Whether this joint is not to be seen, by itself or because its bodies are not.
    pub fn hides_joint(&self, index: usize, joint: &JointView) -> bool {
        self.joints.get(index).copied().unwrap_or(false) || self.hides_between(joint.a, joint.b)
    }

    /// Whether this joint was hidden by itself.
    pub fn is_joint_hidden(&self, index: usize) -> bool {
        self.joints.get(index).copied().unwrap_or(false)
    }

    /// How many bodies and joints are hidden.
    pub fn hidden(&self) -> usize {
        self.names.hidden.len() + self.names.hidden_joints.len()
    }

    /// Which bodies the pointer may take, for a ray.
    pub fn free(&self) -> impl Fn(u32) -> bool + use<> {
        let bodies = self.bodies.clone();
        move |id| bodies.get((id as usize).wrapping_sub(1)).is_none_or(|flags| *flags == 0)
    }

    /// The first surface that is seen along a ray, locked or not.
    pub fn surface(&self, view: &View<'_>, origin: Vec3, direction: Vec3) -> Option<Hit> {
        view.session.pick_where(origin, direction, |id| !self.is_hidden(id))
    }

    /// Hides or shows bodies.
    pub fn hide<'a>(&mut self, names: impl IntoIterator<Item = &'a str>, hidden: bool) {
        set(&mut self.names.hidden, names, hidden);
        self.changes += 1;
    }

    /// Locks or unlocks bodies.
    pub fn lock<'a>(&mut self, names: impl IntoIterator<Item = &'a str>, locked: bool) {
        set(&mut self.names.locked, names, locked);
        self.changes += 1;
    }

    /// Hides or shows joints.
    pub fn hide_joints<'a>(&mut self, names: impl IntoIterator<Item = &'a str>, hidden: bool) {
        set(&mut self.names.hidden_joints, names, hidden);
        self.changes += 1;
    }

    /// Shows everything; says how many that were.
    pub fn show_all(&mut self) -> usize {
        let count = self.hidden();
        self.names.hidden.clear();
        self.names.hidden_joints.clear();
        self.changes += 1;
        count
    }

    /// Follows a body to its new name.
    pub fn rename(&mut self, old: &str, new: &str) {
        for set in [&mut self.names.hidden, &mut self.names.locked] {
            if set.remove(old) {
                set.insert(new.to_owned());
            }
        }
        self.changes += 1;
    }
}

fn set<'a>(set: &mut HashSet<String>, names: impl IntoIterator<Item = &'a str>, on: bool) {
    for name in names {
        if on {
            set.insert(name.to_owned());
        } else {
            set.remove(name);
        }
    }
}
