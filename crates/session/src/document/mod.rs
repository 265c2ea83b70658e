//! The document: the scene as edited, the scene in the file, and the path of the file.

pub mod edit;
pub mod history;
pub mod merge;

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::SessionError;
use delassus_files::{built_in, file_reader};
use delassus_physics::settings::{Settings, SettingsPatch};
use delassus_scene::{self as scene, Part, Scene};

/// How the document's file changed since it was last read or written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnDisk {
    Same,
    /// Another program wrote it.
    Changed,
    Gone,
}

/// A document with unsaved changes, as pointers to it.
#[derive(Debug, Clone)]
pub struct UnsavedWork {
    /// What Save would write.
    pub scene: Arc<Scene>,
    /// The absolute path of its file, if it has one.
    pub file: Option<PathBuf>,
    /// The content of that file, from which the changes were begun.
    pub base: Arc<str>,
}

/// An open scene.
#[derive(Debug, Clone)]
pub struct Document {
    pub scene: Arc<Scene>,
    /// The scene as last read or written.
    saved: Arc<Scene>,
    /// The text of `saved`, into which changes are written; empty if there never was one.
    text: Arc<str>,
    dirty: bool,
    pub file: Option<PathBuf>,
    /// The folder that paths of parts are relative to.
    pub base: PathBuf,
}

impl Document {
    /// A document as it was read; `file` is where it is saved.
    pub fn new(scene: Scene, text: &str, base: PathBuf, file: Option<PathBuf>) -> Self {
        let scene = Arc::new(scene);
        Self { saved: scene.clone(), scene, text: text.into(), dirty: false, file, base }
    }

    /// Sets the file's present content, if it differs from this scene.
    pub fn differs_from(&mut self, saved: Scene, text: &str) {
        self.dirty = *self.scene != saved;
        self.saved = Arc::new(saved);
        self.text = text.into();
    }

    /// The scene as last read or written.
    pub fn saved(&self) -> &Scene {
        &self.saved
    }

    /// How the file changed since it was last read or written; reads the file.
    pub fn on_disk(&self) -> OnDisk {
        // Saving a scene of the program goes to another file, whatever the program has there now.
        let Some(file) = self.file.as_ref().filter(|file| !built_in::is_built_in(file)) else { return OnDisk::Same };
        match file_reader::bytes(file, scene::MAX_BYTES) {
            Ok(bytes) if bytes == self.text.as_bytes() => OnDisk::Same,
            Ok(_) => OnDisk::Changed,
            Err(error) if error.kind() == ErrorKind::NotFound => OnDisk::Gone,
            // Something else than a scene stands there now: a pipe, a folder, a file of gigabytes.
            Err(error) if matches!(error.kind(), ErrorKind::InvalidInput | ErrorKind::FileTooLarge) => OnDisk::Changed,
            // An unreadable file cannot be compared; saving will report the error.
            Err(_) => OnDisk::Same,
        }
    }

    /// This scene as unsaved work on the document's file.
    pub fn unsaved(&self, scene: Arc<Scene>) -> UnsavedWork {
        let file = self.file.as_deref().map(built_in::absolute);
        UnsavedWork { scene, file, base: self.text.clone() }
    }

    /// A copy of the document with another scene and no file.
    pub fn with(&self, scene: Scene) -> Self {
        let mut other = Self { file: None, ..self.clone() };
        other.set_scene(scene.into());
        other
    }

    /// Replaces the scene.
    pub fn set_scene(&mut self, scene: Arc<Scene>) {
        self.dirty = scene != self.saved;
        self.scene = scene;
    }

    /// Whether there are unsaved changes.
    pub fn is_dirty(&self) -> bool {
        self.dirty
    }

    /// Whether it differs from the saved scene at most in its settings.
    pub fn differs_by_settings_alone(&self) -> bool {
        Scene { settings: self.saved.settings, ..(*self.scene).clone() } == *self.saved
    }

    /// How the document refers to a file: relative to its own folder, or by the absolute path while it has no file.
    pub fn calls(&self, path: &Path) -> String {
        if self.file.is_some() { relative(path, &self.base) } else { absolute(path).display().to_string() }
    }

    /// The document's settings.
    pub fn settings(&self) -> Settings {
        self.scene.settings.settings()
    }

    /// The settings in the file.
    pub fn file_settings(&self) -> Settings {
        self.saved.settings.settings()
    }

    /// The scene with other settings. Settings written in the file stay written, and values equal to the file's keep
    /// the file's form, so that undoing a change leaves no trace in the text.
    pub fn with_settings(&self, settings: &Settings) -> Scene {
        let mut patch = self.saved.settings;
        patch.merge(&SettingsPatch::between(&self.file_settings(), settings));
        Scene { settings: patch, ..(*self.scene).clone() }
    }

    /// The settings of one of the scene's experiments: the file's settings with the experiment's changes.
    pub fn experiment(&self, index: usize) -> Option<Settings> {
        let mut settings = self.file_settings();
        self.scene.experiments.get(index)?.set.apply(&mut settings);
        Some(settings)
    }

    /// Whether saving to this path changes the paths of parts: it does if the folder changes, or if the document had
    /// no file and so used absolute paths.
    pub fn renames_parts(&self, path: &Path) -> bool {
        let folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
        self.file.is_none() || !same_folder(&self.base, &folder)
    }

    /// A function that rewrites a scene's part paths to be relative to `folder`.
    pub fn renaming(&self, folder: &Path) -> impl Fn(&mut Scene) + use<> {
        let (base, folder) = (self.base.clone(), folder.to_path_buf());
        move |scene| rename_files(scene, |file| relative(&built_in::join(&base, file), &folder))
    }

    /// Writes the scene to `path`, which becomes the document's file. Text that has not changed since the file was
    /// read is kept as its author wrote it, see [`scene::rewrite`].
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn save(&mut self, path: &Path) -> Result<(), SessionError> {
        let folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
        let renamed = self.renames_parts(path).then(|| {
            let mut scene = (*self.scene).clone();
            self.renaming(&folder)(&mut scene);
            Arc::new(scene)
        });
        let scene = renamed.unwrap_or_else(|| self.scene.clone());
        let text = scene::rewrite(&self.text, &self.saved, &scene);
        scene::save(path, &text).map_err(|e| SessionError::Write { file: path.into(), error: e })?;
        self.text = text.into();
        self.saved = scene.clone();
        self.scene = scene;
        self.dirty = false;
        self.file = Some(path.into());
        self.base = folder;
        Ok(())
    }
}

/// Renames all files that a scene refers to.
fn rename_files(scene: &mut Scene, name: impl Fn(&str) -> String) {
    let called = |part: &Part| Part { file: name(&part.file), ..part.clone() };
    scene.parts.update(|part| Some(called(part)));
    scene.patterns.update(|pattern| {
        let part = called(pattern.part()?);
        let mut pattern = pattern.clone();
        *pattern.part_mut()? = part;
        Some(pattern)
    });
}

fn absolute(path: &Path) -> PathBuf {
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    built_in::canonical(path).unwrap_or_else(|| built_in::absolute(path))
}

fn same_folder(a: &Path, b: &Path) -> bool {
    absolute(a) == absolute(b)
}

/// The path of `file` relative to `folder`.
fn relative(file: &Path, folder: &Path) -> String {
    let (file, folder) = (absolute(file), absolute(folder));
    let shared = file.components().zip(folder.components()).take_while(|(a, b)| a == b).count();
    if shared == 0 {
        return file.display().to_string();
    }
    let up = folder.components().skip(shared).map(|_| "..".to_owned());
    let down = file.components().skip(shared).map(|c| c.as_os_str().to_string_lossy().into_owned());
    up.chain(down).collect::<Vec<_>>().join("/")
}
