//! State of an open scene: its document and the run made from it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::SessionError;
use super::document::Document;
use super::names::Names;
use super::run::Run;
use super::run::ahead::Precomputed;
use super::run::line::{Chapter, RunChapters, RunMoment, Written};
use super::run::rerun::Rerun;
use delassus_physics::settings::Settings;
use delassus_physics::world::World;
use delassus_scene::{self as scene, Scene};

/// State of an open scene.
pub(super) struct OpenScene {
    pub document: Document,
    pub run: Run,
    pub names: Arc<Names>,
    /// The scene that the world was made from.
    pub made_from: Arc<Scene>,
    /// The parts of the run before the last edit of bodies, and those after the current moment if that is an earlier
    /// one.
    pub line: RunChapters,
}

/// How a state of the timeline is found: the first number is the offset of its chapter from the current one.
pub(super) enum SeekPlan {
    /// It is the current one.
    Here,
    /// It is the last one.
    Last(isize, Arc<World>),
    Rerun(isize, Rerun),
}

impl OpenScene {
    /// Reads a file and makes its world.
    pub fn read(path: &Path) -> Result<Self, SessionError> {
        let loaded = scene::read(path).map_err(SessionError::Mistakes)?;
        Ok(Self::new(loaded, Some(path.into())))
    }

    /// Opens a text as the unsaved state of a file, made from its content `base`, or else from its present content.
    pub fn recover(text: &str, file: Option<PathBuf>, base: Option<String>) -> Result<Self, SessionError> {
        let origin = file.as_ref().map_or_else(|| "recovered".into(), |file| file.display().to_string());
        let loaded = scene::read_str(text, &origin).map_err(SessionError::Mistakes)?;
        let now = file.as_deref().and_then(|file| scene::read(file).ok()).map(|on_disk| (on_disk.scene, on_disk.text));
        let saved = match base {
            // If it was saved after the copy was made, nothing is unsaved.
            Some(base) if now.as_ref().is_none_or(|(now, _)| *now != loaded.scene) => {
                scene::scene_of(&base).map(|scene| (scene, base))
            }
            _ => now,
        };
        let mut open = Self::new(loaded, file);
        // If there is no valid file, the whole text counts as unsaved.
        let (saved, text) = saved.unwrap_or_default();
        open.document.differs_from(saved, &text);
        Ok(open)
    }

    /// Makes the world of a scene that was read; `file` is where the document is saved.
    pub fn new(loaded: scene::Loaded, file: Option<PathBuf>) -> Self {
        let names = Arc::new(Names::of(&loaded.flat));
        let run = Run::new(loaded.flat.world(loaded.scene.settings.settings()));
        let document = Document::new(loaded.scene, &loaded.text, loaded.base, file);
        Self { made_from: document.scene.clone(), document, run, names, line: RunChapters::default() }
    }

    /// Rebuilds the world from the document. Returns whether its bodies and joints may differ from before.
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
        self.start_run(world);
        Ok(remake)
    }

    /// Starts a run from a world at step 0; the earlier run is discarded.
    pub fn start_run(&mut self, world: World) {
        let device = self.run.device().cloned();
        self.run = Run::new(world);
        self.run.use_device(device);
        self.line.clear();
    }

    /// The moment just after the last edit of bodies; `None` if that edit was made at step 0, which can be rebuilt
    /// from the document.
    pub fn start(&self) -> Option<Arc<RunMoment>> {
        Some(Arc::new(self.moment(self.run.start()?.clone())))
    }

    /// The current moment.
    pub fn present(&self) -> Arc<RunMoment> {
        moment(&self.run, &self.names, &self.made_from, &self.document)
    }

    fn moment(&self, world: Arc<World>) -> RunMoment {
        RunMoment {
            world,
            beginning: self.run.beginning().clone(),
            names: self.names.clone(),
            made_from: self.made_from.clone(),
            document: self.document.scene.clone(),
        }
    }

    /// Continues from another moment of the run. The caller still has to replace the document.
    pub fn go_to(&mut self, moment: &Arc<RunMoment>) {
        let world = World::clone(&moment.world);
        match self.line.reopen(moment) {
            Some(stretch) => drop(self.run.resume(stretch, world)),
            None => {
                let end = self.present();
                let (stretch, _) = self.run.continue_with(moment.beginning.clone(), world);
                self.line.push(stretch, end);
            }
        }
        self.belong_to(moment);
    }

    /// How the state after this step, or the nearest one before it, is found, with the inputs of that time. `None` if
    /// no state is kept from which the step can be reached.
    pub fn plan_seek(&self, step: u64) -> Option<SeekPlan> {
        let now = self.run.world().state.step_count;
        if step >= now && !self.line.is_past() {
            return Some(SeekPlan::Here);
        }
        let (by, step) = self.line.find(step, self.run.stretch().first_step())?;
        let last = self.line.last().filter(|last| last.world.state.step_count == step && by >= 0);
        if let Some(last) = last.filter(|_| self.line.ends_after(by)) {
            return Some(SeekPlan::Last(by, last.world.clone()));
        }
        let (stretch, here) = match self.line.chapter(by).filter(|_| by != 0) {
            Some(chapter) => (&chapter.stretch, None),
            None => (self.run.stretch(), Some(self.run.world())),
        };
        Some(SeekPlan::Rerun(by, stretch.rerun(step, here, self.run.step_seconds)?))
    }

    /// Stands at a state that [`Self::plan_seek`] led to, `by` chapters from here. Later states are kept. The caller
    /// still has to replace the document. Returns whether the bodies may differ there.
    pub fn stand(&mut self, by: isize, world: World) -> bool {
        let Self { run, names, made_from, document, line } = self;
        line.leave(|| moment(run, names, made_from, document));
        for _ in 0..by.unsigned_abs() {
            // The chapters were counted by `plan_seek`.
            let turned = self.turn(by > 0);
            debug_assert!(turned.is_some());
        }
        self.run.stand(world);
        self.follow_line();
        by != 0
    }

    /// Runs one step; at an earlier moment it follows the recorded timeline. Returns whether all was well, and
    /// whether the bodies may have changed.
    pub fn step(&mut self) -> (bool, bool) {
        let well = self.run.step();
        (well, self.stepped())
    }

    /// Takes over a step made ahead from this state; returns the same, and the previous state.
    pub fn accept(&mut self, made: Precomputed) -> (bool, bool, Box<World>) {
        let (well, old) = self.run.accept(made);
        if self.line.is_past() {
            self.run.put_in();
        }
        (well, self.stepped(), old)
    }

    /// After a step: follows the recorded timeline at an earlier moment. Returns whether the bodies may have changed.
    fn stepped(&mut self) -> bool {
        if !self.line.is_past() {
            return false;
        }
        let step = self.run.world().state.step_count;
        let ends = self.line.end_step() == Some(step);
        let mut crossed = false;
        if ends && self.turn(true).is_some() {
            let start = self.run.stretch().start_state();
            self.run.stand(start);
            crossed = true;
        }
        self.follow_line();
        crossed
    }

    /// Leaves the past if the run is at its last moment again.
    fn follow_line(&mut self) {
        let step = self.run.world().state.step_count;
        if self.line.last().is_some_and(|last| last.world.state.step_count == step) && self.line.ends_after(0) {
            self.line.arrive();
        }
    }

    /// Moves to the next chapter (`on`) or the previous one. The caller still has to set the state.
    fn turn(&mut self, on: bool) -> Option<()> {
        let (stretch, end) = self.line.turn(on, self.run.stretch().clone())?;
        self.run.continue_in(stretch);
        self.belong_to(&end);
        Some(())
    }

    /// All chapters of the timeline.
    pub fn all_chapters(&self) -> Vec<Chapter> {
        self.line.all_chapters(self.run.stretch(), || self.present())
    }

    /// Replaces the timeline, and goes to its last moment.
    pub fn become_whole(&mut self, chapters: Vec<Chapter>) {
        if let Some((stretch, end)) = self.line.become_whole(chapters) {
            self.run.resume(stretch, World::clone(&end.world));
            self.belong_to(&end);
        }
    }

    /// Discards the states after the current moment, because a new branch begins here.
    pub fn cut(&mut self) {
        let step = self.run.world().state.step_count;
        self.line.cut(step);
        self.run.cut();
    }

    /// Whether the document differs from the one recorded for the run's current step.
    pub fn is_other_document(&self) -> bool {
        self.written().is_some_and(|written| !Arc::ptr_eq(&written.document, &self.document.scene))
    }

    /// The document recorded for the run's current step.
    pub fn written(&self) -> Option<&Written> {
        self.line.document(self.run.world().state.step_count)
    }

    fn belong_to(&mut self, moment: &RunMoment) {
        (self.names, self.made_from) = (moment.names.clone(), moment.made_from.clone());
    }
}

/// The current moment of a run.
fn moment(run: &Run, names: &Arc<Names>, made_from: &Arc<Scene>, document: &Document) -> Arc<RunMoment> {
    Arc::new(RunMoment {
        world: Arc::new(run.world().clone()),
        beginning: run.beginning().clone(),
        names: names.clone(),
        made_from: made_from.clone(),
        document: document.scene.clone(),
    })
}
