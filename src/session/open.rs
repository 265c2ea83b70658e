//! What there is once a scene is open: its document and the run that was made from it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::SessionError;
use super::document::Document;
use super::run::Run;
use super::view::Names;
use crate::physics::settings::Settings;
use crate::physics::world::World;
use crate::scene::{self, Scene};

/// What there is once a scene is open.
pub(super) struct Open {
    pub document: Document,
    pub run: Run,
    pub names: Names,
    /// What the world was made from.
    pub made_from: Arc<Scene>,
}

impl Open {
    /// Reads a file and makes its world.
    pub fn read(path: &Path) -> Result<Self, SessionError> {
        let loaded = scene::read(path).map_err(SessionError::Mistakes)?;
        Ok(Self::new(loaded, Some(path.into())))
    }

    /// Takes a text for the unsaved state of a file.
    pub fn recover(text: &str, file: Option<PathBuf>) -> Result<Self, SessionError> {
        let origin = file.as_ref().map_or_else(|| "recovered".into(), |file| file.display().to_string());
        let loaded = scene::read_str(text, &origin).map_err(SessionError::Mistakes)?;
        // A file that is gone or broken by now has nothing in common with the text.
        let saved =
            file.as_deref().and_then(|file| scene::read(file).ok()).map(|on_disk| (on_disk.scene, on_disk.text));
        let mut open = Self::new(loaded, file);
        let (saved, text) = saved.unwrap_or_default();
        open.document.differs_from(saved, &text);
        Ok(open)
    }

    pub fn new(loaded: scene::Loaded, file: Option<PathBuf>) -> Self {
        let names = Names::of(&loaded.flat);
        let run = Run::new(loaded.flat.world(loaded.scene.settings.settings()));
        let document = Document::new(loaded.scene, &loaded.text, loaded.base, file);
        Self { made_from: document.scene.clone(), document, run, names }
    }

    /// Whether the world was made from this scene, settings aside.
    pub fn is_made_from(&self, scene: &Arc<Scene>) -> bool {
        Arc::ptr_eq(&self.made_from, scene) || same_bodies(&self.made_from, scene)
    }

    /// Makes the world as the document says; true if its bodies and joints may be others than before.
    pub fn restart(&mut self, settings: Settings) -> Result<bool, SessionError> {
        let scene = &self.document.scene;
        let remake = !self.is_made_from(scene);
        let mut world: World = if remake {
            let flat = scene::expand(scene, &self.document.base).map_err(SessionError::Mistakes)?;
            self.names = Names::of(&flat);
            flat.world(settings)
        } else {
            self.run.beginning().clone()
        };
        world.settings = settings;
        self.made_from = scene.clone();
        self.run = Run::new(world);
        Ok(remake)
    }
}

/// Whether two scenes make the same world, settings aside.
fn same_bodies(a: &Scene, b: &Scene) -> bool {
    a.bodies == b.bodies
        && a.joints == b.joints
        && a.patterns == b.patterns
        && a.parts == b.parts
        && a.materials == b.materials
}
