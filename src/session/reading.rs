//! What can be asked of a session: panels, tools and tests read, and change nothing.

use std::path::Path;

use glam::Vec3;

use super::{Clock, Hit, OnDisk, Samples, Session, Snapshot, run};
use crate::physics::settings::{LIST, Settings};
use crate::physics::world::World;
use crate::scene::{Origin, Scene};

impl Session {
    /// The world as it stands.
    pub fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }

    /// The metrics of the last steps.
    pub fn samples(&self) -> &Samples {
        &self.samples
    }

    /// The metrics of the run as it was before it was reset last, while its bodies are the same.
    pub fn earlier(&self) -> Option<&Samples> {
        self.earlier.as_deref()
    }

    /// The document.
    pub fn scene(&self) -> Option<&Scene> {
        self.open.as_ref().map(|open| &*open.document.scene)
    }

    /// The world itself, for readers of rows and blocks; while it runs in the forest a copy that is made once a step.
    pub fn world(&self) -> Option<&World> {
        self.open.as_ref().map(|open| open.run.settled())
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

    /// What has become of the document's file since it was last read or written; reads it.
    pub fn on_disk(&self) -> OnDisk {
        self.open.as_ref().map_or(OnDisk::Same, |open| open.document.on_disk())
    }

    /// Whether the document differs from its file by anything that somebody has made: an experiment that is looked at is
    /// no work of anybody's.
    pub fn is_dirty(&self) -> bool {
        let differs = || self.open.as_ref().is_some_and(|open| open.document.is_dirty());
        self.is_edited_beneath().unwrap_or_else(|| differs() && !self.shows_an_experiment())
    }

    /// Whether the document differs from its file by an experiment of it alone, which was asked for as such.
    fn shows_an_experiment(&self) -> bool {
        let asked = self.active_experiment().is_some_and(|active| self.applied.contains(&active));
        asked && self.open.as_ref().is_some_and(|open| open.document.differs_by_settings_alone())
    }

    /// Grows whenever another scene is opened or its bodies may have changed: drop what is kept by body number.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// The joint whose value and speed are sampled, by its index in the snapshot.
    pub fn watched(&self) -> Option<usize> {
        self.watched
    }

    /// Grows whenever another document takes the present one's place.
    pub fn opened(&self) -> u64 {
        self.opened
    }

    /// Grows whenever the document changes: drop what was made from it.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// The element of the document that a body comes from; by its number in the snapshot.
    pub fn body_origin(&self, id: u32) -> Option<Origin> {
        self.open.as_ref()?.names.origins.get((id as usize).checked_sub(1)?).copied()
    }

    /// The element of the document that a joint comes from; by its index in the snapshot.
    pub fn joint_origin(&self, index: usize) -> Option<Origin> {
        self.open.as_ref()?.names.joint_origins.get(index).copied()
    }

    /// The clock.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Whether time runs.
    pub fn playing(&self) -> bool {
        self.clock.playing && self.open.is_some()
    }

    /// The asked speed, simulated seconds per second.
    pub fn speed(&self) -> f32 {
        self.clock.speed
    }

    /// How far the picture is from each body's `previous` pose (0) to its `pose` (1).
    pub fn alpha(&self) -> f32 {
        self.clock.alpha(1.0 / f64::from(self.settings.step.rate))
    }

    /// The achieved speed, simulated seconds per second; zero when paused.
    pub fn real_time_factor(&self) -> f32 {
        self.clock.real_time_factor()
    }

    /// Whether steps take too long for the asked speed.
    pub fn behind(&self) -> bool {
        self.clock.behind()
    }

    /// The document's settings, which the world follows.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The settings as the file on disk has them.
    pub fn file_settings(&self) -> &Settings {
        &self.file_settings
    }

    /// The names of the settings whose value is not the file's.
    pub fn settings_differ_from_file(&self) -> Vec<&'static str> {
        LIST.iter().filter(|s| (s.get)(&self.settings) != (s.get)(&self.file_settings)).map(|s| s.name).collect()
    }

    /// Whether this setting's value is not the file's.
    pub fn differs(&self, name: &str) -> bool {
        LIST.iter().any(|s| s.name == name && (s.get)(&self.settings) != (s.get)(&self.file_settings))
    }

    /// The experiment whose settings are the present ones.
    pub fn active_experiment(&self) -> Option<usize> {
        let document = &self.open.as_ref()?.document;
        let is_active = |index: &usize| document.experiment(*index) == Some(self.settings);
        // Two may ask for the same settings to show two things of them: the one that was clicked is meant.
        let asked = self.applied.iter().rev().copied().find(is_active);
        asked.or_else(|| (0..document.scene.experiments.len()).find(is_active))
    }

    /// The name of the experiment that was asked for and is shown, or was when settings were changed on top of it.
    pub fn shown_experiment(&self) -> Option<&str> {
        let active = self.active_experiment().filter(|active| self.applied.contains(active));
        let index = active.or(self.applied.last().copied())?;
        self.scene()?.experiments.get(index).map(|experiment| experiment.name.as_str())
    }

    /// The scene as it was read or written last.
    pub fn saved(&self) -> Option<&Scene> {
        Some(self.open.as_ref()?.document.saved())
    }

    /// Whether the document differs from its file by more than settings.
    pub fn is_edited_beyond_settings(&self) -> bool {
        self.open.as_ref().is_some_and(|open| !open.document.differs_by_settings_alone())
    }

    /// The names of the edits that can be undone, the oldest first.
    pub fn past(&self) -> impl ExactSizeIterator<Item = &str> + DoubleEndedIterator {
        self.history.past()
    }

    /// The names of the edits that can be redone, the next first.
    pub fn future(&self) -> impl ExactSizeIterator<Item = &str> {
        self.history.future()
    }

    /// The memory that the history takes, bytes, of [`HISTORY_MEMORY`](super::HISTORY_MEMORY).
    pub fn history_bytes(&self) -> usize {
        self.history.bytes()
    }

    /// Name of the edit that an undo takes back.
    pub fn undo_label(&self) -> Option<&str> {
        self.history.undo_label()
    }

    /// Name of the edit that a redo makes again.
    pub fn redo_label(&self) -> Option<&str> {
        self.history.redo_label()
    }

    /// The first body that a ray meets, world frame; `direction` need not be of unit length.
    pub fn pick(&self, origin: Vec3, direction: Vec3) -> Option<Hit> {
        self.pick_where(origin, direction, |_| true)
    }

    /// The first body that a ray meets among those that `among` takes by their numbers.
    pub fn pick_where(&self, origin: Vec3, direction: Vec3, among: impl Fn(u32) -> bool) -> Option<Hit> {
        run::pick::pick(self.open.as_ref()?.run.shown(), origin, direction, among)
    }

    /// All inputs to the world since its last reset, or since its bodies were edited last.
    pub fn inputs(&self) -> &[run::Recorded] {
        self.open.as_ref().map_or(&[], |open| open.run.inputs())
    }

    /// The hash of the state to which the recorded inputs lead when the run is repeated from its beginning; equal to
    /// the snapshot's, or the run was not deterministic.
    pub fn replayed_hash(&self) -> Option<u64> {
        self.open.as_ref().map(|open| open.run.replayed_hash())
    }
}
