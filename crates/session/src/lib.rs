//! A session: the document (a scene), the world made from it, and every operation on either.
//!
//! ```text
//! Command -> Session::dispatch -> document, world       Session::advance -> steps -> Snapshot, Samples
//! ```
//!
//! Architecture invariant: nothing outside the session changes a scene or a world. Panels read a [`Snapshot`] and
//! send [`Command`]s. The document is authoritative: flipping a switch edits the document, the world takes the
//! setting over for its next step, and Reset rebuilds the world from the document.

mod accounts;
mod advance;
mod analysing;
pub mod background;
pub mod branches;
pub mod breakpoints;
mod by_hand;
pub mod claims;
pub mod columns;
pub mod command;
pub mod comparison;
pub mod condition;
pub mod contact;
mod convergence;
mod device_run;
mod dispatch;
mod doctor_checks;
pub mod document;
mod entries;
mod error;
pub mod events;
mod experiment;
mod files;
mod free_motions;
mod names;
mod open;
mod part_files;
mod past;
mod posing;
pub mod quantity;
mod reading;
pub mod recording;
mod reload;
pub mod run;
mod seeking;
pub mod sensors;
pub mod snapshot;
mod stepped_by;
mod sync;
pub mod timeline;
mod traces;
mod travel;

use std::path::Path;

/// A mechanism over the travel of one of its joints.
pub mod analysis {
    pub use crate::analysing::{AnalysedMechanism, AnalysisFile, QuantityInfo};
    pub use delassus_analysis::rows::Measure;
    pub use delassus_analysis::summary::digits;
    pub use delassus_analysis::{Analysis, Quantity, Refusal, Request, Sample, Travel};
}
pub use accounts::{Accounted, Accounts};
pub use branches::{Bookmark, Branch};
pub use breakpoints::Breakpoint;
pub use claims::{ClaimState, GoalState};
pub use command::Command;
pub use comparison::{CompareCommand, ComparedRun, Divergence};
pub use contact::ContactView;
pub use convergence::WATCH;
pub use dispatch::SPEEDS;
pub use document::edit::element::{Element, Heading};
pub use document::edit::{Edit, Placed, rigid};
pub use document::history::{Gesture, MEMORY as HISTORY_MEMORY};
pub use document::merge::{Conflict, Difference, EntryChange, MergeSide};
pub use document::{OnDisk, UnsavedWork};
pub use error::SessionError;
pub use events::{Event, EventKind};
pub use free_motions::FoundMotions;
/// Coordinates of joints, and how a mechanism is posed by them.
pub mod pose {
    pub use delassus_analysis::rows::Measure;
    pub use delassus_analysis::{Coordinate, CoordinateAt, PoseRequest, Stop};
}
pub use posing::{AssemblyEdit, FoundPose};
pub use quantity::{Quantity, QuantityTrace};
pub use run::clock::Clock;
pub use run::pick::Hit;
pub use run::trouble::{Trouble, crowd};
pub use snapshot::needs::{BodyNeeds, JointNeeds, SnapshotNeeds};
pub use snapshot::samples::{JointSample, Sample, Samples, TimeTick, Watched};
pub use snapshot::{
    BodyEnds, BodyView, ForceView, JointPose, JointView, Metrics, Motion, MouseJointView, Phases, Pose, Readout,
    Snapshot,
};

pub use timeline::{PAST_MEMORY, Timeline};

use delassus_physics::plan::Facts;
use delassus_physics::row::RowList;
use delassus_physics::settings::Settings;
use delassus_physics::world::World;
use document::history::History;
use open::OpenScene;
use run::Run;
use run::ahead::Precomputed;

/// A scene and its run; see the module documentation.
#[derive(Default)]
pub struct Session {
    open: Option<OpenScene>,
    history: History,
    /// Alternative continuations of the run, kept when it branched at an earlier moment.
    branches: branches::Branches,
    bookmarks: Vec<Bookmark>,
    breakpoints: breakpoints::Breakpoints,
    log: events::EventLog,
    /// Earlier events and values that are being computed.
    back: past::LooksBack,
    clock: Clock,
    /// Settings of the document, which are also the world's.
    settings: Settings,
    /// Settings as the file on disk has them.
    file_settings: Settings,
    snapshot: Snapshot,
    needs: SnapshotNeeds,
    samples: Samples,
    /// Samples of the run before the last reset; the plots draw them as a ghost.
    earlier: Option<Box<Samples>>,
    generation: u64,
    opened: u64,
    revision: u64,
    /// Index of the joint whose value and speed are sampled.
    watched: Option<usize>,
    /// Experiments that were applied, the latest last.
    applied: Vec<usize>,
    overlay: Option<experiment::ActiveExperiment>,
    chart: doctor_checks::Chart,
    /// Set while the run is being recorded.
    recorder: Option<recording::Recorder>,
    stepped_by: stepped_by::SteppedBy,
    /// Runs with other settings, stepped in lockstep with this one.
    comparison: comparison::Comparison,
    /// How often the states after a moment were discarded.
    cuts: u64,
    /// The earlier moment that the run is to go to.
    seeking: Option<seeking::Seeking>,
    /// See [`Session::take_notice`].
    notices: Vec<String>,
    /// Steps made ahead of time, if the window asks for them.
    ahead: advance::StepsAhead,
    claims: claims::live::LiveClaims,
    /// What decides which settings have an effect on the open scene.
    facts: Facts,
}

impl Session {
    /// A session without a scene.
    pub fn new() -> Self {
        Self::default()
    }

    /// A session with the scene in this file, paused at time zero.
    ///
    /// # Errors
    /// Every mistake in the file.
    pub fn open(path: &Path) -> Result<Self, SessionError> {
        let mut session = Self::new();
        session.dispatch(Command::Open(path.into()))?;
        Ok(session)
    }

    /// A session with a scene that has no file yet. Paths of its parts are relative to the current directory.
    ///
    /// # Errors
    /// Every mistake in the text; `origin` names the text in their messages.
    pub fn from_text(text: &str, origin: &str) -> Result<Self, SessionError> {
        let mut session = Self::new();
        let loaded = delassus_scene::read_str(text, origin).map_err(SessionError::Mistakes)?;
        session.install(OpenScene::new(loaded, None));
        Ok(session)
    }

    /// Replaces the open scene.
    fn install(&mut self, open: OpenScene) {
        self.snapshot = Snapshot::default();
        self.watched = to_watch(open.run.world());
        self.history = History::default();
        self.applied.clear();
        self.overlay = None;
        self.earlier = None;
        self.opened += 1;
        self.run_from_beginning(open);
    }

    /// Takes over this document and its run, at its beginning.
    fn run_from_beginning(&mut self, open: OpenScene) {
        self.settings = open.document.settings();
        self.file_settings = open.document.file_settings();
        let open = self.open.insert(open);
        open.run.use_device(self.stepped_by.device.clone());
        self.delete_branches();
        self.write("", false);
        self.generation += 1;
        self.revision += 1;
        self.show_new_world();
        self.examine();
    }

    fn show_new_world(&mut self) {
        self.samples.clear();
        self.log.clear();
        self.clock.clear_time_due();
        self.clock.reset_factor();
        self.show_world();
    }

    /// Shows the world after an edit changed its bodies or joints. The run continues.
    fn show_edited_world(&mut self) {
        self.earlier = None;
        self.show_world();
        self.edited();
    }

    /// Shows a world whose bodies or joints may have changed, and adds a sample of it. An older sample of this step
    /// is dropped.
    fn show_world(&mut self) {
        self.place_traces();
        let Some(open) = &self.open else { return };
        let watched = self.watched.and_then(|joint| Some((joint, self.snapshot.joints.get(joint)?.name.clone())));
        let count = self.snapshot.joints.len();
        self.snapshot = Snapshot::new(&open.run, &open.names);
        let joints = &self.snapshot.joints;
        self.samples.rename_joints(joints.iter().map(|joint| &joint.name));
        // If the number of joints is unchanged, the joint was only renamed and keeps its index.
        let renamed = |index: usize| Some(index).filter(|_| joints.len() == count);
        if let Some((old, name)) = watched {
            let now = joints.iter().position(|joint| joint.name == name).or(renamed(old));
            self.samples.renumber(old, now);
            self.watched = now.or_else(|| to_watch(open.run.world()));
        }
        self.facts = Facts::of(open.run.world());
        let step = open.run.world().state.step_count;
        if open.line.is_past() {
            self.samples.go_to(step);
        } else {
            self.samples.rewind_before(step);
        }
        if self.samples.samples.back().is_none_or(|last| last.step < step) {
            record(&mut self.samples, &open.run, self.watched, self.needs.quantities);
        }
        self.look_anew();
        self.follow_plots();
    }

    /// The run reached the shown state without making a step: the event log and the breakpoints take it as their new
    /// reference and report nothing.
    fn look_anew(&mut self) {
        let Some(open) = &self.open else { return };
        self.log.arrive(open.run.world());
        self.breakpoints.arrive(&self.snapshot, self.samples.samples.back());
    }

    /// Runs one step, whether playing or not. `made`: the step, if it was made ahead.
    fn step(&mut self, made: Option<Precomputed>) -> Result<(), SessionError> {
        let active_claims = self.active_claims();
        let open = self.open.as_mut().ok_or(SessionError::NoScene)?;
        open.run.read_late(false);
        self.snapshot.before_step(open.run.world());
        let (before, was_past) = (open.run.world().state.step_count, open.line.is_past());
        let (_, crossed) = self.make_or_take(made)?;
        let open = self.open.as_mut().ok_or(SessionError::NoScene)?;
        let made = open.run.world().state.step_count > before;
        if let Some(recorder) = self.recorder.as_mut().filter(|_| made) {
            recorder.stepped(open.run.world());
        }
        if made && self.needs.is_complete() {
            self.chart.stepped(&open.run);
        }
        if was_past {
            if !crossed {
                self.log.check(open.run.world(), &open.names);
            }
            self.arrive_at(crossed);
            return Ok(());
        }
        let measured = made.then(|| record(&mut self.samples, &open.run, self.watched, self.needs.quantities));
        if made {
            self.claims.check((self.opened, self.cuts), open, &active_claims, measured);
        }
        self.snapshot.refresh(&open.run, measured, &SnapshotNeeds::ALL);
        self.log.check(open.run.world(), &open.names);
        self.breakpoints.check(&self.snapshot, self.samples.samples.back());
        Ok(())
    }

    /// Sets which parts of the snapshot are kept up to date while playing; initially all. The other parts are filled
    /// in when the run pauses.
    pub fn set_needs(&mut self, needs: SnapshotNeeds) {
        self.set_needs_of_runs(&needs);
        let begins = needs.quantities && !self.needs.quantities;
        self.needs = needs;
        if begins {
            // Fill in the steps at which quantities were not recorded.
            self.samples.traces.iter_mut().for_each(|trace| trace.filled = false);
            self.fill();
        }
    }

    /// Brings the parts of the snapshot that are older than its step up to date.
    fn complete(&mut self) {
        let Some(open) = &mut self.open else { return };
        let late = open.run.late().is_some();
        open.run.read_late(false);
        if late || !self.snapshot.is_complete() {
            self.snapshot.refresh(&open.run, None, &SnapshotNeeds::ALL);
        }
    }
}

/// The default joint to watch: the first one with a motor or a stop.
fn to_watch(world: &World) -> Option<usize> {
    world.state.joints.iter().position(|j| {
        let kind = j.def.kind;
        kind.is_driven() || (kind.range(j.rest_length).is_some() && kind.info().axis)
    })
}

/// Adds a sample of the run's current state and returns its metrics. The quantities of the document's sensors are
/// recorded too, and those of its plots if `notes` is set.
fn record(samples: &mut Samples, run: &Run, watched: Option<usize>, notes: bool) -> Metrics {
    let world = run.shown();
    let mut list = RowList::default();
    let mut read = |joint: usize| {
        let Readout { value, speed, .. } = world.joint_now(joint, &mut list).1;
        JointSample { value, speed }
    };
    let watched = watched.filter(|joint| *joint < world.state.joints.len()).map(|joint| {
        let JointSample { value, speed } = read(joint);
        Watched { joint, value, speed }
    });
    samples.note_traces(world, notes);
    let (time, step, metrics, step_ms) = (world.state.time, world.state.step_count, world.metrics(), run.last_step_ms);
    samples.push(Sample { time, step, metrics, step_ms, watched }, (0..world.state.joints.len()).map(read));
    metrics
}
