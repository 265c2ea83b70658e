//! Recordings: a run as a file, which can be repeated and checked step by step.
//!
//! ```text
//! scene at step 0 ─ steps ─ event ─ steps ─ event ─ …        event: the edited document, a mouse pull or release
//! check             the state's hash after each step; for large worlds only every 30 steps
//! ```
//! A recording starts at step 0 of its scene; Reset restarts it. It follows the current timeline: a change at an
//! earlier moment discards what was recorded after it. A change that cannot be expressed as an edit of the present
//! state ends it: an undo that moves to another moment, or reloaded parts. Parts are not copied into a recording; it
//! names their folder.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::{Command, Session, SessionError};
use delassus_files::file_reader;
use delassus_physics::device::StepDevice;
use delassus_physics::mouse_joint::MouseJoint;
use delassus_physics::world::World;
use delassus_scene::{self as scene, Scene, ron_text};

/// In worlds with more bodies, the hash is stored only every [`LARGE_WORLD_HASH_INTERVAL`] steps.
const MANY_BODIES: usize = 2000;
const LARGE_WORLD_HASH_INTERVAL: u64 = 30;
/// Version of the format.
const VERSION: u32 = 1;

/// A recorded run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Recording {
    pub version: u32,
    /// The folder that the paths of parts are relative to.
    pub folder: PathBuf,
    /// The scene as it was at step 0.
    pub scene: String,
    /// The recorded events, in order.
    pub events: Vec<RecordedEvent>,
    /// Number of steps.
    pub steps: u64,
    /// Step numbers and the hash of the state after each, in full (the window shows a shortened one).
    pub checks: Vec<(u64, String)>,
}

/// An action, and the number of steps made before it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RecordedEvent {
    pub step: u64,
    pub what: RecordedAction,
}

/// A recorded action.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum RecordedAction {
    /// The document changed to this text, including bodies and joints, which the world follows.
    Bodies(String),
    /// The document changed to this text: settings and words only.
    Words(String),
    /// The mouse joint pulls a body: its number, the point in the body's frame, m, and the target, world, m.
    #[serde(alias = "Pull")]
    MouseJoint(u32, [f32; 3], [f32; 3]),
    /// The mouse joint releases the body.
    Release,
}

/// Result of a replay.
#[derive(Debug, Clone, PartialEq)]
pub struct Replay {
    /// Number of steps that were repeated.
    pub steps: u64,
    /// Number of checks that agreed.
    pub checks: usize,
    /// The first mismatch.
    pub differs: Option<Mismatch>,
}

/// The first check that failed.
#[derive(Debug, Clone, PartialEq)]
pub struct Mismatch {
    /// The last step with a correct hash.
    pub right: u64,
    /// The step of the failed check.
    pub step: u64,
    /// The recorded hash; empty if the step could not be made and has none.
    pub recorded: String,
    /// The hash found; `None` if the step could not be made.
    pub found: Option<String>,
}

/// A recording in progress.
#[derive(Clone)]
pub(super) struct Recorder {
    recording: Recording,
    /// Whether it has ended.
    ended: bool,
}

/// The session's state before a command.
pub(super) struct Before {
    step: u64,
    document: Arc<Scene>,
    mouse_joint: Option<MouseJoint>,
    generation: u64,
    opened: u64,
}

fn hash(world: &World) -> String {
    format!("{:016x}", world.hash())
}

fn recorded_mouse_joint(mouse_joint: MouseJoint) -> RecordedAction {
    RecordedAction::MouseJoint(mouse_joint.body, mouse_joint.point.into(), mouse_joint.target.into())
}

impl Recorder {
    /// For a document whose run is at step 0.
    fn new(document: &Scene, folder: &Path) -> Self {
        let scene = scene::write(document);
        let folder = folder.to_path_buf();
        let recording = Recording { version: VERSION, folder, scene, events: Vec::new(), steps: 0, checks: Vec::new() };
        Self { recording, ended: false }
    }

    /// Records a step.
    pub fn stepped(&mut self, world: &World) {
        let step = world.state.step_count;
        if self.ended || step <= self.recording.steps {
            // The run follows its recorded past.
            return;
        }
        self.recording.steps = step;
        if world.state.bodies.len() <= MANY_BODIES || step.is_multiple_of(LARGE_WORLD_HASH_INTERVAL) {
            self.recording.checks.push((step, hash(world)));
        }
    }

    fn push(&mut self, step: u64, what: RecordedAction) {
        // Of several pulls between two steps only the last has an effect.
        if matches!(what, RecordedAction::MouseJoint(..)) {
            let last = self.recording.events.last();
            if last.is_some_and(|last| last.step == step && matches!(last.what, RecordedAction::MouseJoint(..))) {
                self.recording.events.pop();
            }
        }
        self.recording.events.push(RecordedEvent { step, what });
    }

    /// Discards what was recorded after this step, because the run changes here.
    pub fn cut(&mut self, step: u64) {
        self.recording.events.retain(|event| event.step <= step);
        self.recording.checks.retain(|(at, _)| *at <= step);
        self.recording.steps = step;
    }
}

impl Session {
    /// Resets the scene and starts recording.
    pub(super) fn record(&mut self) -> Result<(), SessionError> {
        self.recorder = None;
        self.dispatch(Command::Reset)?;
        let Some(open) = &self.open else { return Ok(()) };
        self.recorder = Some(Recorder::new(&open.document.scene, &open.document.base));
        Ok(())
    }

    /// The number of recorded steps, and whether recording continues; `None` if there is no recording.
    pub fn recorded(&self) -> Option<(u64, bool)> {
        self.recorder.as_ref().map(|recorder| (recorder.recording.steps, !recorder.ended))
    }

    /// The recording so far; its last step has a hash.
    pub fn recording(&self) -> Option<Recording> {
        let mut recording = self.recorder.as_ref()?.recording.clone();
        let world = self.open.as_ref()?.run.world();
        let last = recording.checks.last().map_or(0, |(step, _)| *step);
        if last < recording.steps && world.state.step_count == recording.steps {
            recording.checks.push((recording.steps, hash(world)));
        }
        Some(recording)
    }

    /// Ends the recording, because the next change cannot be recorded.
    pub(super) fn end_recording(&mut self) {
        if let Some(recorder) = &mut self.recorder {
            recorder.ended = true;
        }
    }

    /// Writes the recording to a file and stops recording.
    pub(super) fn save_recording(&mut self, path: &Path) -> Result<(), SessionError> {
        let recording = self.recording().ok_or_else(|| SessionError::Refused("nothing is being recorded".into()))?;
        let failed = |error| SessionError::Write { file: path.into(), error };
        scene::save(path, &recording.text()).map_err(failed)?;
        self.recorder = None;
        Ok(())
    }

    /// The state before a command, if recording.
    pub(super) fn before_command(&self) -> Option<Before> {
        let (open, _) = self.open.as_ref().zip(self.recorder.as_ref())?;
        Some(Before {
            step: open.run.world().state.step_count,
            document: open.document.scene.clone(),
            mouse_joint: open.run.world().state.mouse_joint,
            generation: self.generation,
            opened: self.opened,
        })
    }

    /// Records the effect of a command.
    pub(super) fn after_command(&mut self, before: &Before) {
        let (Some(open), Some(recorder)) = (&self.open, &mut self.recorder) else { return };
        if self.opened != before.opened || recorder.ended {
            recorder.ended = true;
            return;
        }
        let (step, document, mouse_joint) =
            (open.run.world().state.step_count, &open.document.scene, open.run.world().state.mouse_joint);
        if step == 0 {
            if before.step > 0 || !Arc::ptr_eq(document, &before.document) {
                *recorder = Recorder::new(document, &open.document.base);
            }
            if let Some(mouse_joint) = mouse_joint.filter(|mouse_joint| before.mouse_joint != Some(*mouse_joint)) {
                recorder.push(0, recorded_mouse_joint(mouse_joint));
            }
            return;
        }
        let bodies = self.generation != before.generation;
        if !Arc::ptr_eq(document, &before.document) {
            let text = scene::write(document);
            recorder.push(step, if bodies { RecordedAction::Bodies(text) } else { RecordedAction::Words(text) });
        } else if bodies {
            recorder.ended = true;
            return;
        }
        match (before.mouse_joint, mouse_joint) {
            (was, Some(mouse_joint)) if was != Some(mouse_joint) => {
                recorder.push(step, recorded_mouse_joint(mouse_joint))
            }
            (Some(_), None) => recorder.push(step, RecordedAction::Release),
            _ => {}
        }
    }

    /// Repeats a recorded action.
    fn redo(&mut self, what: &RecordedAction, origin: &str) -> Result<(), SessionError> {
        let document =
            |text: &str| scene::read_str(text, origin).map(|loaded| loaded.scene).map_err(SessionError::Mistakes);
        match what {
            RecordedAction::Bodies(text) => self.become_scene(document(text)?),
            RecordedAction::Words(text) => {
                let scene = document(text)?;
                self.edit("Recorded".into(), None, scene)
            }
            RecordedAction::MouseJoint(body, point, target) => {
                let (point, target) = (Vec3::from(*point), Vec3::from(*target));
                self.dispatch(Command::MouseJoint { body: *body, point, target })
            }
            RecordedAction::Release => self.dispatch(Command::Release),
        }
    }
}

impl Recording {
    /// The text of a recording's file.
    pub fn text(&self) -> String {
        let style = ron::ser::PrettyConfig::new().struct_names(false).compact_arrays(true);
        ron_text::write_in_lines(self, style).unwrap_or_default()
    }

    /// Reads the text of a recording's file; error messages call it `origin`.
    ///
    /// # Errors
    /// The text is not a recording of this version.
    pub fn read(text: &str, origin: &str) -> Result<Self, SessionError> {
        let refused = |words: String| SessionError::Refused(format!("{origin}: {words}"));
        let read: Result<Self, _> = ron_text::read(text, &ron::Options::default());
        let recording = read.map_err(|error| refused(format!("no recording: {error}")))?;
        if recording.version != VERSION {
            return Err(refused(format!(
                "the recording has version {}; this program reads version {VERSION}",
                recording.version
            )));
        }
        Ok(recording)
    }

    /// Repeats the run and compares the hashes.
    ///
    /// # Errors
    /// The scene cannot be read, or an action cannot be repeated.
    pub fn replay(&self) -> Result<Replay, SessionError> {
        self.replay_on(None)
    }

    /// Like [`Self::replay`], with a device that makes the steps if the settings ask for it.
    ///
    /// # Errors
    /// See [`Self::replay`].
    pub fn replay_on(&self, device: Option<Arc<dyn StepDevice>>) -> Result<Replay, SessionError> {
        let origin = self.folder.join("recording.ron").display().to_string();
        let mut session = Session::from_text(&self.scene, &origin)?;
        session.use_device(device);
        let mut events = self.events.iter().peekable();
        let mut checks = self.checks.iter().peekable();
        let (mut right, mut compared) = (0, 0);
        for step in 0..self.steps {
            while let Some(event) = events.next_if(|event| event.step == step) {
                session.redo(&event.what, &origin)?;
            }
            session.dispatch(Command::Step)?;
            let world = session.open.as_ref().ok_or(SessionError::NoScene)?.run.world();
            let made = world.state.step_count == step + 1;
            let due = checks.next_if(|(at, _)| *at == step + 1);
            let found = made.then(|| hash(world));
            if let Some((at, recorded)) = due.filter(|(_, recorded)| found.as_ref() != Some(recorded)) {
                let differs = Mismatch { right, step: *at, recorded: recorded.clone(), found };
                return Ok(Replay { steps: step + 1, checks: compared, differs: Some(differs) });
            }
            if !made {
                let differs = Mismatch { right, step: step + 1, recorded: String::new(), found: None };
                return Ok(Replay { steps: step, checks: compared, differs: Some(differs) });
            }
            if due.is_some() {
                (right, compared) = (step + 1, compared + 1);
            }
        }
        Ok(Replay { steps: self.steps, checks: compared, differs: None })
    }
}

/// The largest recording that is read, bytes: its scene and days of inputs.
const MAX_BYTES: u64 = 256 << 20;

/// Reads a file and replays it.
///
/// # Errors
/// The file cannot be read or an action cannot be repeated.
pub fn replay(path: &Path, device: Option<Arc<dyn StepDevice>>) -> Result<Replay, SessionError> {
    let origin = path.display().to_string();
    let text = file_reader::text(path, MAX_BYTES)
        .map_err(|error| SessionError::Refused(format!("{origin}: cannot be read: {error}")))?;
    Recording::read(&text, &origin)?.replay_on(device)
}
