//! What there is once a scene is open: its document and the run that was made from it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::SessionError;
use super::document::Document;
use super::names::Names;
use super::run::Run;
use super::run::past::{Chapter, Moment, Past};
use crate::physics::settings::Settings;
use crate::physics::world::World;
use crate::scene::{self, Scene};

/// What there is once a scene is open.
pub(super) struct Open {
    pub document: Document,
    pub run: Run,
    pub names: Arc<Names>,
    /// What the world was made from.
    pub made_from: Arc<Scene>,
    /// What was before the last edit of the bodies.
    pub past: Past,
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
        let names = Arc::new(Names::of(&loaded.flat));
        let run = Run::new(loaded.flat.world(loaded.scene.settings.settings()));
        let document = Document::new(loaded.scene, &loaded.text, loaded.base, file);
        Self { made_from: document.scene.clone(), document, run, names, past: Past::default() }
    }

    /// Makes the world as the document says; true if its bodies and joints may be others than before.
    pub fn restart(&mut self, settings: Settings) -> Result<bool, SessionError> {
        let scene = &self.document.scene;
        let remake = !self.made_from.makes_the_world_of(scene);
        let mut world: World = if remake {
            let flat = scene::expand(scene, &self.document.base).map_err(SessionError::Mistakes)?;
            self.names = Arc::new(Names::of(&flat));
            flat.world(settings)
        } else {
            World::clone(self.run.beginning())
        };
        world.settings = settings;
        self.made_from = scene.clone();
        self.begin(world);
        Ok(remake)
    }

    /// Runs from a world that has not been stepped; what was before is forgotten.
    pub fn begin(&mut self, world: World) {
        self.run = Run::new(world);
        self.past.clear();
    }

    /// The moment just after the last edit of the bodies; `None` where that was made at step 0, to which the document
    /// leads by itself.
    pub fn start(&self) -> Option<Arc<Moment>> {
        Some(Arc::new(self.moment(self.run.start()?.clone())))
    }

    /// This moment.
    pub fn present(&self) -> Arc<Moment> {
        Arc::new(self.moment(Arc::new(self.run.world().clone())))
    }

    fn moment(&self, world: Arc<World>) -> Moment {
        Moment {
            world,
            beginning: self.run.beginning().clone(),
            names: self.names.clone(),
            made_from: self.made_from.clone(),
            document: self.document.scene.clone(),
        }
    }

    /// Goes on from another moment of the run; the document is still to follow. `version` is that of the present one.
    pub fn go_to(&mut self, moment: &Arc<Moment>, version: u64) {
        let world = World::clone(&moment.world);
        match self.past.reopen(moment) {
            Some(chapter) => drop(self.run.resume(chapter.stretch, world)),
            None => {
                let end = self.moment(Arc::new(self.run.world().clone()));
                let (stretch, _) = self.run.continue_with(moment.beginning.clone(), world);
                self.past.push(Chapter { stretch, end: Arc::new(end), version });
            }
        }
        self.belong_to(moment);
    }

    /// Goes one step back across the last edit of the bodies: the document that the state there belongs to, and its
    /// version; it is still to follow. `None` if no state from which to get there is kept.
    pub fn back_across(&mut self) -> Option<(Arc<Scene>, u64)> {
        let step = self.run.world().step_count.checked_sub(1)?;
        let (Chapter { stretch, end, version }, world) = self.past.back(step, self.run.step_seconds)?;
        self.run.resume(stretch, world);
        self.belong_to(&end);
        Some((end.document.clone(), version))
    }

    fn belong_to(&mut self, moment: &Moment) {
        (self.names, self.made_from) = (moment.names.clone(), moment.made_from.clone());
    }
}
