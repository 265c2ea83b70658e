//! Read access to a session, for panels, tools and tests.

use std::path::Path;

use glam::Vec3;

use super::{Clock, Hit, OnDisk, Quantity, Samples, Session, SessionError, Snapshot, run};
use delassus_physics::plan::Facts;
use delassus_physics::row::RowList;
use delassus_physics::settings::{LIST, Settings};
use delassus_physics::world::World;
use delassus_scene::{Flat, Origin, Scene};

impl Session {
    /// The current state of the world.
    pub fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }

    /// The metrics of the latest steps.
    pub fn samples(&self) -> &Samples {
        &self.samples
    }

    /// The samples of the run before the last reset, as long as the bodies are the same.
    pub fn earlier(&self) -> Option<&Samples> {
        self.earlier.as_deref()
    }

    /// The document.
    pub fn scene(&self) -> Option<&Scene> {
        self.open.as_ref().map(|open| &*open.document.scene)
    }

    /// The bodies and joints of the document, laid out anew. Reads the files of its parts.
    ///
    /// # Errors
    /// A part's file is no longer what it was, or no scene is open.
    pub fn laid_out(&self) -> Result<Flat, SessionError> {
        let document = &self.open.as_ref().ok_or(SessionError::NoScene)?.document;
        delassus_scene::expand(&document.scene, &document.base).map_err(SessionError::Mistakes)
    }

    /// The world itself, for reading rows and blocks. While trees are stepped in the articulations, this is a copy made
    /// at most once per step.
    pub fn world(&self) -> Option<&World> {
        self.open.as_ref().map(|open| open.run.synced())
    }

    /// The document's file.
    pub fn file(&self) -> Option<&Path> {
        self.open.as_ref()?.document.file.as_deref()
    }

    /// The scene's title, else its file's name.
    pub fn title(&self) -> String {
        let Some(scene) = self.scene() else { return "No scene".into() };
        let stem = || self.file().and_then(Path::file_stem).map(|s| s.to_string_lossy().into_owned());
        if scene.title.is_empty() { stem().unwrap_or_else(|| "Untitled".into()) } else { scene.title.clone() }
    }

    /// How the document's file changed since it was last read or written; reads the file.
    pub fn on_disk(&self) -> OnDisk {
        self.open.as_ref().map_or(OnDisk::Same, |open| open.document.on_disk())
    }

    /// Whether the document has unsaved edits. An experiment that is only shown does not count.
    pub fn is_dirty(&self) -> bool {
        let differs = || self.open.as_ref().is_some_and(|open| open.document.is_dirty());
        self.is_underlying_edited().unwrap_or_else(|| differs() && !self.shows_an_experiment())
    }

    /// Whether the document differs from its file only by an experiment that was applied.
    fn shows_an_experiment(&self) -> bool {
        let asked = self.active_experiment().is_some_and(|active| self.applied.contains(&active));
        asked && self.open.as_ref().is_some_and(|open| open.document.differs_by_settings_alone())
    }

    /// Increases whenever another scene is opened or its bodies may have changed; data indexed by body number is then
    /// invalid.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// Index, in the snapshot, of the joint whose value and speed are sampled.
    pub fn watched(&self) -> Option<usize> {
        self.watched
    }

    /// Increases whenever another document is opened.
    pub fn opened(&self) -> u64 {
        self.opened
    }

    /// Increases whenever the document changes; data derived from it is then invalid.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// The document element that a body comes from; by its number in the snapshot.
    pub fn body_origin(&self, id: u32) -> Option<Origin> {
        self.open.as_ref()?.names.origins.get((id as usize).checked_sub(1)?).copied()
    }

    /// The document element that a joint comes from; by its index in the snapshot.
    pub fn joint_origin(&self, index: usize) -> Option<Origin> {
        self.open.as_ref()?.names.joint_origins.get(index).copied()
    }

    /// The present value of a quantity; `None` if the scene does not have it, or nothing is measured.
    pub fn value_of(&self, quantity: &Quantity) -> Option<f64> {
        let value = if quantity.is_of_run() {
            quantity.of_run(self.samples.samples.back()?)?
        } else {
            let open = self.open.as_ref()?;
            quantity.value(&quantity.place(&open.names)?, open.run.synced(), &mut RowList::default())
        };
        Some(value).filter(|value| !value.is_nan())
    }

    /// The clock.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Whether time runs.
    pub fn playing(&self) -> bool {
        self.clock.playing && self.open.is_some()
    }

    /// The requested speed, simulated seconds per second of wall time.
    pub fn speed(&self) -> f32 {
        self.clock.speed
    }

    /// Interpolation between each body's `previous` pose (0) and its `pose` (1) for the picture.
    pub fn alpha(&self) -> f32 {
        self.clock.alpha(1.0 / f64::from(self.settings.step.rate))
    }

    /// The achieved speed, simulated seconds per second of wall time; zero when paused.
    pub fn real_time_factor(&self) -> f32 {
        self.clock.real_time_factor()
    }

    /// Whether steps take too long for the requested speed.
    pub fn behind(&self) -> bool {
        self.clock.behind()
    }

    /// What decides which settings have an effect on the open scene, for [`delassus_physics::plan::idle`].
    pub fn facts(&self) -> Facts {
        self.facts
    }

    /// The settings of the document, which are also the world's.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The settings in the file on disk.
    pub fn file_settings(&self) -> &Settings {
        &self.file_settings
    }

    /// Names of the settings that differ from the file's.
    pub fn settings_differ_from_file(&self) -> Vec<&'static str> {
        LIST.iter().filter(|s| (s.get)(&self.settings) != (s.get)(&self.file_settings)).map(|s| s.name).collect()
    }

    /// Whether this setting differs from the file's.
    pub fn differs(&self, name: &str) -> bool {
        LIST.iter().any(|s| s.name == name && (s.get)(&self.settings) != (s.get)(&self.file_settings))
    }

    /// The experiment whose settings equal the present ones.
    pub fn active_experiment(&self) -> Option<usize> {
        let document = &self.open.as_ref()?.document;
        let is_active = |index: &usize| document.experiment(*index) == Some(self.settings);
        // If several experiments have the same settings, the one applied last is meant.
        let asked = self.applied.iter().rev().copied().find(is_active);
        asked.or_else(|| (0..document.scene.experiments.len()).find(is_active))
    }

    /// The name of the experiment that was applied, also after settings were changed on top of it.
    pub fn shown_experiment(&self) -> Option<&str> {
        let active = self.active_experiment().filter(|active| self.applied.contains(active));
        let index = active.or(self.applied.last().copied())?;
        self.scene()?.experiments.get(index).map(|experiment| experiment.name.as_str())
    }

    /// The scene as last read or written.
    pub fn saved(&self) -> Option<&Scene> {
        Some(self.open.as_ref()?.document.saved())
    }

    /// Whether the document differs from its file by more than settings.
    pub fn is_edited_beyond_settings(&self) -> bool {
        self.open.as_ref().is_some_and(|open| !open.document.differs_by_settings_alone())
    }

    /// Labels of the edits that can be undone, oldest first.
    pub fn past(&self) -> impl ExactSizeIterator<Item = &str> + DoubleEndedIterator {
        self.history.past()
    }

    /// Labels of the edits that can be redone, the next first.
    pub fn future(&self) -> impl ExactSizeIterator<Item = &str> {
        self.history.future()
    }

    /// Memory of the history, bytes, at most about [`HISTORY_MEMORY`](super::HISTORY_MEMORY).
    pub fn history_bytes(&self) -> usize {
        self.history.bytes()
    }

    /// Label of the edit that an undo takes back.
    pub fn undo_label(&self) -> Option<&str> {
        self.history.undo_label()
    }

    /// Label of the edit that a redo makes again.
    pub fn redo_label(&self) -> Option<&str> {
        self.history.redo_label()
    }

    /// The first body that a ray hits, world frame; `direction` need not be of unit length.
    pub fn pick(&self, origin: Vec3, direction: Vec3) -> Option<Hit> {
        self.pick_where(origin, direction, |_| true)
    }

    /// The first body that a ray hits among those whose number `among` accepts.
    pub fn pick_where(&self, origin: Vec3, direction: Vec3, among: impl Fn(u32) -> bool) -> Option<Hit> {
        run::pick::pick(self.open.as_ref()?.run.shown(), origin, direction, among)
    }

    /// All inputs to the world since the last reset or the last edit of bodies.
    pub fn inputs(&self) -> &[run::Recorded] {
        self.open.as_ref().map_or(&[], |open| open.run.inputs())
    }

    /// The hash of the state reached by repeating the recorded inputs. If it differs from the snapshot's, the run was
    /// not deterministic.
    pub fn replayed_hash(&self) -> Option<u64> {
        self.open.as_ref().and_then(|open| open.run.replayed_hash())
    }
}
