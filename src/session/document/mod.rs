//! The document: the scene as edited, the scene as the file has it, and where the file is.

pub mod edit;
pub mod history;
pub mod merge;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::SessionError;
use crate::physics::settings::{Settings, SettingsPatch};
use crate::scene::{self, Part, Scene};

/// What has become of the document's file since it was last read or written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnDisk {
    Same,
    /// Another program has written it.
    Changed,
    Gone,
}

/// An open scene.
#[derive(Debug, Clone)]
pub struct Document {
    pub scene: Arc<Scene>,
    /// As last read or written.
    saved: Arc<Scene>,
    /// The words of `saved`, which those of the scene are written into; none if it never had any.
    text: Arc<str>,
    dirty: bool,
    pub file: Option<PathBuf>,
    /// The folder that parts are relative to.
    pub base: PathBuf,
}

impl Document {
    /// A document as it was read; `file` is where it can be saved again.
    pub fn new(scene: Scene, text: &str, base: PathBuf, file: Option<PathBuf>) -> Self {
        let scene = Arc::new(scene);
        Self { saved: scene.clone(), scene, text: text.into(), dirty: false, file, base }
    }

    /// Says what the file holds, if it is not this scene.
    pub fn differs_from(&mut self, saved: Scene, text: &str) {
        self.dirty = *self.scene != saved;
        self.saved = Arc::new(saved);
        self.text = text.into();
    }

    /// As last read or written.
    pub fn saved(&self) -> &Scene {
        &self.saved
    }

    /// What has become of the file since it was last read or written; reads it.
    pub fn on_disk(&self) -> OnDisk {
        let Some(file) = &self.file else { return OnDisk::Same };
        match std::fs::read(file) {
            Ok(bytes) if bytes == self.text.as_bytes() => OnDisk::Same,
            Ok(_) => OnDisk::Changed,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => OnDisk::Gone,
            // What cannot be read cannot be compared; saving will say why.
            Err(_) => OnDisk::Same,
        }
    }

    /// The document as it would be with another scene and no file.
    pub fn with(&self, scene: Scene) -> Self {
        let mut other = Self { file: None, ..self.clone() };
        other.take(scene.into());
        other
    }

    /// Has another scene from now on.
    pub fn take(&mut self, scene: Arc<Scene>) {
        self.dirty = scene != self.saved;
        self.scene = scene;
    }

    /// Whether there is something to save.
    pub fn is_dirty(&self) -> bool {
        self.dirty
    }

    /// Whether nothing but its settings differs from what is saved.
    pub fn differs_by_settings_alone(&self) -> bool {
        Scene { settings: self.saved.settings, ..(*self.scene).clone() } == *self.saved
    }

    /// How the document names the file of this path: from its own folder, or by the whole path as long as it has none.
    pub fn calls(&self, path: &Path) -> String {
        if self.file.is_some() { relative(path, &self.base) } else { absolute(path).display().to_string() }
    }

    /// The settings that the document asks for.
    pub fn settings(&self) -> Settings {
        self.scene.settings.settings()
    }

    /// The settings that the file asks for.
    pub fn file_settings(&self) -> Settings {
        self.saved.settings.settings()
    }

    /// The scene with other settings. What the file names stays named, and what agrees with the file is written as
    /// the file has it, so that a change that is taken back leaves no trace.
    pub fn with_settings(&self, settings: &Settings) -> Scene {
        let mut patch = self.saved.settings;
        patch.merge(&SettingsPatch::between(&self.file_settings(), settings));
        Scene { settings: patch, ..(*self.scene).clone() }
    }

    /// The settings of one of the scene's experiments: the file's, with those that the experiment names.
    pub fn experiment(&self, index: usize) -> Option<Settings> {
        let mut settings = self.file_settings();
        self.scene.experiments.get(index)?.set.apply(&mut settings);
        Some(settings)
    }

    /// Whether the document must call its parts otherwise when it is saved there: from another folder, or from one at
    /// all, since it calls them by their whole paths as long as it has no file.
    pub fn renames_parts(&self, path: &Path) -> bool {
        let folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
        self.file.is_none() || !same_folder(&self.base, &folder)
    }

    /// Has a scene of this document call its parts as from another folder.
    pub fn renaming(&self, folder: &Path) -> impl Fn(&mut Scene) + use<> {
        let (base, folder) = (self.base.clone(), folder.to_path_buf());
        move |scene| rename_files(scene, |file| relative(&base.join(file), &folder))
    }

    /// Writes the scene to `path`, which is the document's file from then on. What has not changed since the file was
    /// read stays as its author wrote it, see [`scene::rewrite`].
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

/// Calls all other files otherwise that a scene refers to.
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
    path.canonicalize().or_else(|_| std::path::absolute(path)).unwrap_or_else(|_| path.into())
}

fn same_folder(a: &Path, b: &Path) -> bool {
    absolute(a) == absolute(b)
}

/// How `folder` names `file`.
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
