//! Bodies and joints that are hidden in the view or locked against the pointer, by name. This is kept in the user's
//! settings for recent files; it is not part of the scene's file.
//!
//! Hidden things are not drawn, cast no shadow and are met by no ray. Locked things are seen, but the pointer takes
//! what lies behind them. The outliner selects both.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use glam::Vec3;
use serde::{Deserialize, Serialize};

use crate::view::View;
use delassus_session::{Hit, JointView, Session};

const HIDDEN: u8 = 1;
const LOCKED: u8 = 2;

/// Names of bodies, and of joints apart from them.
#[derive(Clone, Debug, Default)]
struct Names {
    hidden: HashSet<String>,
    locked: HashSet<String>,
    hidden_joints: HashSet<String>,
}

impl Names {
    fn is_empty(&self) -> bool {
        [&self.hidden, &self.locked, &self.hidden_joints].into_iter().all(HashSet::is_empty)
    }

    /// Forgets names that the scene no longer has.
    fn keep_known(&mut self, session: &Session) {
        if self.is_empty() {
            return;
        }
        let snapshot = session.snapshot();
        let bodies: HashSet<&str> = snapshot.bodies.iter().map(|b| &*b.name).collect();
        let joints: HashSet<&str> = snapshot.joints.iter().map(|j| &*j.name).collect();
        self.hidden.retain(|name| bodies.contains(name.as_str()));
        self.locked.retain(|name| bodies.contains(name.as_str()));
        self.hidden_joints.retain(|name| joints.contains(name.as_str()));
    }
}

/// Hidden and locked names of one file, as saved in the user's settings.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SavedVisibility {
    /// The whole path.
    pub file: PathBuf,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hidden: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub locked: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hidden_joints: Vec<String>,
}

/// The most names of a kind that are saved for a scene.
const MAX_NAMES: usize = 500;

fn absolute(file: &Path) -> PathBuf {
    delassus_files::built_in::absolute(file)
}

/// What is hidden and locked in the open scene.
#[derive(Clone, Debug, Default)]
pub struct Visibility {
    names: Names,
    /// The same of scenes that were open before, by the file's full path.
    before: HashMap<PathBuf, Names>,
    /// The file that the names belong to, and the session's count of opened documents.
    file: Option<PathBuf>,
    opened: u64,
    /// Counts changes of the names.
    changes: u64,
    /// The session's generation and the count of changes that the flags were made from.
    made_from: (u64, u64),
    /// Flags of body 1, 2, …; empty if nothing is hidden or locked.
    bodies: Arc<[u8]>,
    joints: Vec<bool>,
}

impl Visibility {
    /// Follows the session; to be called before each frame.
    pub fn update(&mut self, session: &Session) {
        if session.opened() != self.opened {
            self.opened = session.opened();
            let file = session.file().map(std::path::Path::to_path_buf);
            if file != self.file {
                let names = std::mem::take(&mut self.names);
                if let Some(old) = std::mem::replace(&mut self.file, file) {
                    self.before.insert(absolute(&old), names);
                }
                let before = self.file.as_ref().and_then(|file| self.before.remove(&absolute(file)));
                self.names = before.unwrap_or_default();
                self.names.keep_known(session);
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

    /// A number that changes whenever something is hidden, shown, locked or unlocked.
    pub fn version(&self) -> (u64, u64) {
        self.made_from
    }

    /// Restores saved names.
    pub fn of(kept: &[SavedVisibility]) -> Self {
        let set = |names: &[String]| names.iter().take(MAX_NAMES).cloned().collect();
        let names = |v: &SavedVisibility| Names {
            hidden: set(&v.hidden),
            locked: set(&v.locked),
            hidden_joints: set(&v.hidden_joints),
        };
        Self { before: kept.iter().map(|v| (v.file.clone(), names(v))).collect(), ..Self::default() }
    }

    /// The hidden and locked names of these files, to be saved.
    pub fn kept(&self, files: &[PathBuf]) -> Vec<SavedVisibility> {
        let open = self.file.as_deref().map(absolute);
        let sorted = |names: &HashSet<String>| {
            let mut names: Vec<_> = names.iter().cloned().collect();
            names.sort_unstable();
            names.truncate(MAX_NAMES);
            names
        };
        let kept = |file: &PathBuf| {
            let names = if open.as_ref() == Some(file) { &self.names } else { self.before.get(file)? };
            (!names.is_empty()).then(|| SavedVisibility {
                file: file.clone(),
                hidden: sorted(&names.hidden),
                locked: sorted(&names.locked),
                hidden_joints: sorted(&names.hidden_joints),
            })
        };
        files.iter().filter_map(kept).collect()
    }

    fn has(&self, id: u32, flag: u8) -> bool {
        let at = (id as usize).wrapping_sub(1);
        self.bodies.get(at).is_some_and(|flags| flags & flag != 0)
    }

    /// Whether this body is hidden.
    pub fn is_hidden(&self, id: u32) -> bool {
        self.has(id, HIDDEN)
    }

    /// Whether this body is locked.
    pub fn is_locked(&self, id: u32) -> bool {
        self.has(id, LOCKED)
    }

    /// Whether the pointer may take this body: it is neither hidden nor locked.
    pub fn is_free(&self, id: u32) -> bool {
        !self.has(id, HIDDEN | LOCKED)
    }

    /// Whether both bodies are hidden, so that what is between them is hidden, too. The world does not count.
    pub fn hides_between(&self, a: u32, b: u32) -> bool {
        let gone = |id: u32| id == 0 || self.is_hidden(id);
        !self.bodies.is_empty() && gone(a) && gone(b)
    }

    /// Whether this joint is hidden, by itself or with its bodies.
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

    /// Shows everything, and returns how many were hidden.
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

#[cfg(test)]
mod tests {
    use super::*;
    use delassus_session::Command;

    const SCENE: &str = r#"(
        version: 1,
        title: "SavedVisibility",
        bodies: [
            (name: "a", shape: Sphere(radius: 0.2), at: (0, 0, 1)),
            (name: "b", shape: Sphere(radius: 0.2), at: (1, 0, 1)),
        ],
        joints: [(name: "rod", a: "a", b: "b", kind: Distance())],
    )"#;

    #[test]
    fn what_is_hidden_and_locked_is_there_in_the_next_run_without_names_that_are_gone() {
        let folder = tempfile::tempdir().expect("a folder");
        let (file, other) = (folder.path().join("veiled.ron"), folder.path().join("other.ron"));
        std::fs::write(&file, SCENE).expect("a file");
        std::fs::write(&other, SCENE).expect("a file");
        let mut session = Session::new();
        session.dispatch(Command::Open(file.clone())).expect("a scene");
        let mut visibility = Visibility::default();
        visibility.update(&session);
        visibility.hide(["a"], true);
        visibility.lock(["a", "b"], true);
        visibility.hide_joints(["rod"], true);
        let files = [other.clone(), file.clone()];
        let kept = visibility.kept(&files);
        assert_eq!(kept.len(), 1, "nothing is kept of a scene with nothing hidden");
        session.dispatch(Command::Open(other)).expect("a scene");
        visibility.update(&session);
        assert!(!visibility.is_locked(2));
        assert_eq!(visibility.kept(&files), kept, "also of the scene that was open before");
        assert_eq!(visibility.kept(&files[..1]), [], "a file that is no longer among the recent ones is forgotten");
        // In the next run another program has renamed a body.
        std::fs::write(&file, SCENE.replace("\"b\"", "\"c\"")).expect("a file");
        let (mut session, mut visibility) = (Session::new(), Visibility::of(&kept));
        session.dispatch(Command::Open(file)).expect("a scene");
        visibility.update(&session);
        assert!(
            visibility.is_hidden(1)
                && visibility.is_locked(1)
                && !visibility.is_locked(2)
                && visibility.is_joint_hidden(0)
        );
        assert_eq!(visibility.kept(&files)[0].locked, ["a"]);
    }

    #[test]
    fn no_more_is_kept_than_a_small_file_holds() {
        let file = std::path::absolute("many.ron").expect("a path");
        let names = (0..9_000).map(|i| format!("body {i}")).collect();
        let visibility =
            Visibility::of(&[SavedVisibility { file: file.clone(), hidden: names, ..SavedVisibility::default() }]);
        assert_eq!(visibility.kept(&[file])[0].hidden.len(), MAX_NAMES);
    }
}
