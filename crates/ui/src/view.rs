//! The read-only data of a frame that the panels show.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use glam::Vec3;

use delassus_doctor::Finding;
use delassus_files::built_in;
use delassus_physics::{settings::Settings, stability::Stability};
use delassus_scene::{
    Scene,
    lesson::Lesson,
    library::{LibraryEntry, OwnFolder},
};
use delassus_session::{Hit, Samples, Session, Snapshot};

/// Everything that the panels read in a frame.
pub struct View<'a> {
    pub scene: &'a Scene,
    /// For data that has no field here. It cannot be changed through this reference.
    pub session: &'a Session,
    /// The scene's file; `None` before it has one.
    pub path: Option<&'a Path>,
    /// Whether the document differs from its file.
    pub unsaved: bool,
    /// The document's settings, as the next step will use them.
    pub settings: &'a Settings,
    /// The settings as the file on disk has them.
    pub file_settings: &'a Settings,
    pub snapshot: &'a Snapshot,
    pub samples: &'a Samples,
    /// The doctor's findings on the scene at step 0.
    pub findings: &'a [Finding],
    /// The result of the last convergence check.
    pub stability: &'a Stability,
    pub clock: Transport,
    /// The experiment whose settings are in use.
    pub experiment: Option<usize>,
    pub shelf: &'a Shelf,
    /// Names of the next edits to undo and to redo.
    pub undo: Option<&'a str>,
    pub redo: Option<&'a str>,
    /// The first surface along a ray, given by origin and unit direction, world frame.
    pub pick: &'a dyn Fn(Vec3, Vec3) -> Option<Hit>,
    /// The graphics adapter, for “About”.
    pub adapter: &'a str,
    /// Why the graphics device cannot step the scene: see [`Session::device_refusal`].
    pub device_refusal: Option<Arc<str>>,
    /// Wall time of a frame, stepping and drawing, ms.
    pub frame_ms: f64,
}

/// How time passes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transport {
    pub playing: bool,
    /// Requested simulated seconds per second of wall time.
    pub speed: f32,
    /// Simulated seconds achieved per second of wall time; zero when paused.
    pub factor: f32,
    /// Whether steps take too long for the requested speed.
    pub behind: bool,
    /// The picture's position between the last two steps, 0 to 1.
    pub alpha: f32,
}

impl<'a> View<'a> {
    /// The data of a session. `empty` is the scene while none is open.
    pub fn of(
        session: &'a Session,
        empty: &'a Scene,
        shelf: &'a Shelf,
        pick: &'a dyn Fn(Vec3, Vec3) -> Option<Hit>,
        adapter: &'a str,
        frame_ms: f64,
    ) -> Self {
        Self {
            scene: session.scene().unwrap_or(empty),
            session,
            path: session.file(),
            unsaved: session.is_dirty(),
            settings: session.settings(),
            file_settings: session.file_settings(),
            snapshot: session.snapshot(),
            samples: session.samples(),
            findings: session.findings(),
            stability: session.stability(),
            clock: Transport {
                playing: session.playing(),
                speed: session.speed(),
                factor: session.real_time_factor(),
                behind: session.behind(),
                alpha: session.alpha(),
            },
            experiment: session.active_experiment(),
            shelf,
            undo: session.undo_label(),
            redo: session.redo_label(),
            pick,
            adapter,
            device_refusal: session.device_refusal(),
            frame_ms,
        }
    }

    /// Whether Save can write to the scene's file: there is one, and it is not part of the program.
    pub fn has_own_file(&self) -> bool {
        self.path.is_some_and(|path| !built_in::is_built_in(path))
    }

    /// Whether there is anything to simulate.
    pub fn is_empty(&self) -> bool {
        self.snapshot.bodies.is_empty()
    }
}

/// All scenes of the library, in reading order: those of the user's own folders, then those of the program.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shelf {
    pub entries: Vec<LibraryEntry>,
    /// The user's own folders.
    pub folders: Vec<ShelfFolder>,
    /// The parts in the folders `parts`.
    pub parts: Vec<LibraryEntry>,
    /// The lessons, in order.
    pub lessons: Vec<Lesson>,
}

/// A user's own folder of scenes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShelfFolder {
    pub folder: OwnFolder,
    /// Whether it existed when the library was last read.
    pub exists: bool,
}

impl Shelf {
    /// The file of a lesson's scene.
    pub fn scene_of(&self, lesson: &Lesson) -> Option<PathBuf> {
        lesson.file.clone().or_else(|| self.of_program(&lesson.scene).map(|entry| entry.path.clone()))
    }

    /// The scene of this name that came with the program, even if the user has another of the same name.
    pub fn of_program(&self, id: &str) -> Option<&LibraryEntry> {
        self.entries.iter().find(|entry| entry.own.is_none() && entry.id == id)
    }

    /// The scene `offset` places after this one, before it if negative; wraps around at the ends. The first scene if
    /// this one is not in the library.
    pub fn neighbour(&self, path: Option<&Path>, offset: isize) -> Option<PathBuf> {
        let count = self.entries.len() as isize;
        if count == 0 {
            return None;
        }
        let index = path.and_then(|path| self.entries.iter().position(|e| is_same(&e.path, path)));
        let index = index.map_or(0, |index| (index as isize + offset).rem_euclid(count));
        Some(self.entries[index as usize].path.clone())
    }

    /// The entries that contain every word of `search` in title, source, folder or file name.
    pub fn matching(&self, search: &str) -> Vec<&LibraryEntry> {
        let words: Vec<String> = search.split_whitespace().map(str::to_lowercase).collect();
        (self.entries.iter())
            .filter(|entry| {
                let text = format!("{} {} {} {}", entry.title, entry.source, entry.folder(), file_name(entry));
                let text = text.to_lowercase();
                words.iter().all(|word| text.contains(word))
            })
            .collect()
    }
}

/// The file's name without its extension, as in `09-chain`.
pub fn file_name(entry: &LibraryEntry) -> &str {
    entry.id.rsplit('/').next().unwrap_or_default()
}

/// Whether two paths name the same file, even if one of them is relative.
pub fn is_same(a: &Path, b: &Path) -> bool {
    a == b || built_in::canonical(a).is_some_and(|a| built_in::canonical(b) == Some(a))
}
