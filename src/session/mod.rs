//! A session: the document (a scene), the world that was made from it, and all that happens to either.
//!
//! ```text
//! Command -> Session::dispatch -> document, world       Session::advance -> steps -> Snapshot, Samples
//! ```
//!
//! Architecture invariant: nothing outside changes a scene or a world; panels read a [`Snapshot`] and answer with
//! [`Command`]s. The document is the truth: a flipped switch is an edit of it that the world follows on its next
//! step, and Reset makes the world again from it.

pub mod command;
mod dispatch;
pub mod document;
mod entries;
mod names;
mod open;
mod part_files;
mod reload;
pub mod run;
pub mod snapshot;
mod sync;
mod travel;
mod treat;

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use glam::Vec3;

pub use command::{Command, SessionError};
pub use dispatch::SPEEDS;
pub use document::OnDisk;
pub use document::edit::element::{Element, Heading};
pub use document::edit::{Edit, Placed, rigid};
pub use document::history::{Gesture, MEMORY as HISTORY_MEMORY};
pub use document::merge::{Conflict, Difference, Fate, Side};
pub use run::clock::Clock;
pub use run::pick::Hit;
pub use run::trouble::{Trouble, crowd};
pub use snapshot::samples::{Mark, Reading, Sample, Samples, Watched};
pub use snapshot::{BodyView, JointView, Metrics, Motion, Phases, Pose, PullView, Readout, Snapshot};

use crate::physics::settings::{LIST, Settings};
use crate::physics::world::World;
use crate::scene::{Origin, Scene};
use document::history::History;
use open::Open;
use run::Run;

/// A scene and its run; see the module's page.
#[derive(Default)]
pub struct Session {
    open: Option<Open>,
    history: History,
    clock: Clock,
    /// The document's, and so the world's.
    settings: Settings,
    /// As the file on disk has them.
    file_settings: Settings,
    snapshot: Snapshot,
    samples: Samples,
    generation: u64,
    opened: u64,
    revision: u64,
    /// The joint whose samples are taken.
    watched: Option<usize>,
    /// The experiment that was asked for last.
    applied: Option<usize>,
    chart: treat::Chart,
}

impl Session {
    /// A session without a scene.
    pub fn new() -> Self {
        Self::default()
    }

    /// A session with the scene of this file, paused at time zero.
    ///
    /// # Errors
    /// All that is wrong with the file.
    pub fn open(path: &Path) -> Result<Self, SessionError> {
        let mut session = Self::new();
        session.dispatch(Command::Open(path.into()))?;
        Ok(session)
    }

    /// A session with a scene that has no file yet; its parts are relative to the current directory.
    ///
    /// # Errors
    /// All that is wrong with the text; `origin` names it.
    pub fn from_text(text: &str, origin: &str) -> Result<Self, SessionError> {
        let mut session = Self::new();
        let loaded = crate::scene::read_str(text, origin).map_err(SessionError::Mistakes)?;
        session.install(Open::new(loaded, None));
        Ok(session)
    }

    /// Takes another scene's place.
    fn install(&mut self, open: Open) {
        self.snapshot = Snapshot::default();
        self.watched = to_watch(&open.run.world);
        self.history = History::default();
        self.opened += 1;
        self.run_from_beginning(open);
    }

    /// Has this document and its run from now on.
    fn run_from_beginning(&mut self, open: Open) {
        self.settings = open.document.settings();
        self.file_settings = open.document.file_settings();
        self.open = Some(open);
        self.generation += 1;
        self.revision += 1;
        self.show_new_world();
        self.examine();
    }

    fn show_new_world(&mut self) {
        self.samples.clear();
        self.clock.still();
        self.clock.expect();
        self.show_world();
    }

    /// The world's bodies or joints are others now, and it runs on.
    fn show_edited_world(&mut self) {
        self.show_world();
        self.edited();
    }

    /// Shows a world whose bodies or joints may be others than before, with a sample of it: what was at this step is no more.
    fn show_world(&mut self) {
        let Some(open) = &self.open else { return };
        let watched = self.watched.and_then(|joint| Some((joint, self.snapshot.joints.get(joint)?.name.clone())));
        let joints = &self.snapshot.joints;
        let count = joints.len();
        let names: Vec<Arc<str>> = joints.iter().take(Samples::JOINTS).map(|joint| joint.name.clone()).collect();
        self.snapshot = Snapshot::new(&open.run, &open.names);
        // A joint that was renamed has its place still.
        let joints = &self.snapshot.joints;
        let renamed = |index: usize| Some(index).filter(|_| joints.len() == count);
        let was = |(index, name): (usize, &Arc<str>)| names.iter().position(|old| old == name).or(renamed(index));
        let from: Vec<_> = joints.iter().map(|joint| &joint.name).take(Samples::JOINTS).enumerate().map(was).collect();
        self.samples.reorder(&from);
        if let Some((old, name)) = watched {
            let now = joints.iter().position(|joint| joint.name == name).or(renamed(old));
            self.samples.renumber(old, now);
            self.watched = now.or_else(|| to_watch(&open.run.world));
        }
        self.samples.rewind_before(open.run.world.step_count);
        record(&mut self.samples, &open.run, self.watched);
    }

    /// Lets `wall` time pass since the last call and runs the steps that are due, but no longer than about `budget`:
    /// what does not fit is dropped, and [`Session::real_time_factor`] says so. Pauses where a step leads into
    /// [`Snapshot::trouble`]. Returns the number of steps.
    pub fn advance(&mut self, wall: Duration, budget: Duration) -> u32 {
        self.history.wait(wall);
        self.wait_for_doctor(wall);
        let Some(open) = &mut self.open else { return 0 };
        let h = 1.0 / f64::from(self.settings.step.rate);
        let begin = Instant::now();
        let (mut steps, mut halted) = (0, false);
        self.clock.owe(wall);
        while self.clock.take(h) {
            self.snapshot.before_step(&open.run.world);
            let before = open.run.world.step_count;
            let well = open.run.step();
            if open.run.world.step_count > before {
                record(&mut self.samples, &open.run, self.watched);
                steps += 1;
            }
            if !well {
                halted = true;
                break;
            }
            if begin.elapsed() + Duration::from_secs_f64(open.run.step_seconds) > budget {
                break;
            }
        }
        self.clock.settle(wall, f64::from(steps) * h, h);
        if steps > 0 || halted {
            self.snapshot.refresh(&open.run);
        }
        if halted {
            self.play(false);
        }
        steps
    }

    /// Runs one step, whether playing or not.
    fn step(&mut self) -> Result<(), SessionError> {
        let open = self.open.as_mut().ok_or(SessionError::NoScene)?;
        self.snapshot.before_step(&open.run.world);
        let before = open.run.world.step_count;
        open.run.step();
        if open.run.world.step_count > before {
            record(&mut self.samples, &open.run, self.watched);
        }
        self.snapshot.refresh(&open.run);
        Ok(())
    }

    /// The world as it stands.
    pub fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }

    /// The metrics of the last steps.
    pub fn samples(&self) -> &Samples {
        &self.samples
    }

    /// The document.
    pub fn scene(&self) -> Option<&Scene> {
        self.open.as_ref().map(|open| &*open.document.scene)
    }

    /// The world itself, for readers of rows and blocks.
    pub fn world(&self) -> Option<&World> {
        self.open.as_ref().map(|open| &open.run.world)
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

    /// Whether the document differs from its file.
    pub fn is_dirty(&self) -> bool {
        self.open.as_ref().is_some_and(|open| open.document.is_dirty())
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
        let asked = self.applied.filter(is_active);
        asked.or_else(|| (0..document.scene.experiments.len()).find(is_active))
    }

    /// The names of the edits that can be undone, the oldest first.
    pub fn past(&self) -> impl ExactSizeIterator<Item = &str> + DoubleEndedIterator {
        self.history.past()
    }

    /// The names of the edits that can be redone, the next first.
    pub fn future(&self) -> impl ExactSizeIterator<Item = &str> {
        self.history.future()
    }

    /// The memory that the history takes, bytes, of [`HISTORY_MEMORY`].
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
        run::pick::pick(&self.open.as_ref()?.run.world, origin, direction, among)
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

/// A joint with a motor or a stop is the one to look at, unless another is chosen.
fn to_watch(world: &World) -> Option<usize> {
    world.joints.iter().position(|j| {
        let kind = j.def.kind;
        kind.motor().is_some() || (kind.range(j.rest_length).is_some() && kind.info().axis)
    })
}

/// Adds a sample of the run as it stands.
fn record(samples: &mut Samples, run: &Run, watched: Option<usize>) {
    let world = &run.world;
    let readings = world.joints.iter().map(|j| Reading { value: j.readout.value, speed: j.readout.speed });
    let read = |joint: usize| {
        let readout = &world.joints.get(joint)?.readout;
        Some(Watched { joint, value: readout.value, speed: readout.speed })
    };
    let watched = watched.and_then(read);
    let (time, step, metrics, step_ms) = (world.time, world.step_count, world.metrics(), run.last_step_ms);
    samples.push(Sample { time, step, metrics, step_ms, watched }, readings);
}
