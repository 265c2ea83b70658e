//! Recordings: a run as a file, so that it can be made again and checked, step by step.
//!
//! ```text
//! scene at step 0 ─ steps ─ event ─ steps ─ event ─ …        event: the document as edited, the hand taken or let go
//! check             the state's hash after each step, of large worlds after some
//! ```
//! A recording begins where its scene does, at step 0: Reset begins it anew. It follows the line of time on which the
//! run stands: what is done at an earlier moment takes what was recorded behind it along. What cannot be said as an
//! edit of the present state, as an undo that leads to another moment or parts that are read again from their files,
//! ends it. Parts are not copied into a recording: it names the folder in which they are.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::{Command, Session, SessionError};
use crate::physics::device::StepDevice;
use crate::physics::mouse_joint::MouseJoint;
use crate::physics::world::World;
use crate::scene::{self, Scene};

/// Of larger worlds the hash is kept every so many steps only.
const MANY_BODIES: usize = 2000;
const SELDOM: u64 = 30;
/// The version of the format.
const VERSION: u32 = 1;

/// A recorded run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Recording {
    pub version: u32,
    /// The folder to which the scene's parts are relative.
    pub folder: PathBuf,
    /// The scene as it was at step 0.
    pub scene: String,
    /// What was done to it, in order.
    pub events: Vec<RecordedEvent>,
    /// So many steps were made.
    pub steps: u64,
    /// Steps and the hash of the state after each, as in the window's corner, but whole.
    pub checks: Vec<(u64, String)>,
}

/// Something done once so many steps were made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RecordedEvent {
    pub step: u64,
    pub what: RecordedAction,
}

/// What was done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum RecordedAction {
    /// The document became this: bodies and joints, which the world follows.
    Bodies(String),
    /// The document became this: settings and words; bodies go on as they are.
    Words(String),
    /// A body is held by the mouse joint: its number, the point in its frame, and where to, m.
    #[serde(alias = "Pull")]
    MouseJoint(u32, [f32; 3], [f32; 3]),
    /// It is let go.
    Release,
}

/// How a recording was made again.
#[derive(Debug, Clone, PartialEq)]
pub struct Replay {
    pub steps: u64,
    pub checks: usize,
    /// Where it first differed.
    pub differs: Option<Mismatch>,
}

/// The first check that failed.
#[derive(Debug, Clone, PartialEq)]
pub struct Mismatch {
    /// The last step whose hash was right.
    pub right: u64,
    pub step: u64,
    pub recorded: String,
    /// `None`: the step could not be made.
    pub found: Option<String>,
}

/// A recording while it is made.
#[derive(Clone)]
pub(super) struct Recorder {
    recording: Recording,
    /// It takes nothing more.
    ended: bool,
}

/// What there was before a command.
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

fn apart(mouse_joint: MouseJoint) -> RecordedAction {
    RecordedAction::MouseJoint(mouse_joint.body, mouse_joint.point.into(), mouse_joint.target.into())
}

impl Recorder {
    /// Of a document whose run is at step 0.
    fn new(document: &Scene, folder: &Path) -> Self {
        let scene = scene::write(document);
        let folder = folder.to_path_buf();
        let recording = Recording { version: VERSION, folder, scene, events: Vec::new(), steps: 0, checks: Vec::new() };
        Self { recording, ended: false }
    }

    /// A step was made.
    pub fn stepped(&mut self, world: &World) {
        let step = world.step_count;
        if self.ended || step <= self.recording.steps {
            // The run comes along what is recorded.
            return;
        }
        self.recording.steps = step;
        if world.bodies.len() <= MANY_BODIES || step.is_multiple_of(SELDOM) {
            self.recording.checks.push((step, hash(world)));
        }
    }

    fn push(&mut self, step: u64, what: RecordedAction) {
        // Of a drag between two steps only its last place matters.
        if matches!(what, RecordedAction::MouseJoint(..)) {
            let last = self.recording.events.last();
            if last.is_some_and(|last| last.step == step && matches!(last.what, RecordedAction::MouseJoint(..))) {
                self.recording.events.pop();
            }
        }
        self.recording.events.push(RecordedEvent { step, what });
    }

    /// Something else is done at this earlier step.
    pub fn cut(&mut self, step: u64) {
        self.recording.events.retain(|event| event.step <= step);
        self.recording.checks.retain(|(at, _)| *at <= step);
        self.recording.steps = step;
    }
}

impl Session {
    /// Records from the scene's beginning on, to which it goes for it.
    pub(super) fn record(&mut self) -> Result<(), SessionError> {
        self.recorder = None;
        self.dispatch(Command::Reset)?;
        let Some(open) = &self.open else { return Ok(()) };
        self.recorder = Some(Recorder::new(&open.document.scene, &open.document.base));
        Ok(())
    }

    /// Whether the run is being recorded: the steps that a recording has, and whether it goes on.
    pub fn recorded(&self) -> Option<(u64, bool)> {
        self.recorder.as_ref().map(|recorder| (recorder.recording.steps, !recorder.ended))
    }

    /// What was recorded until now; the last step has its hash.
    pub fn recording(&self) -> Option<Recording> {
        let mut recording = self.recorder.as_ref()?.recording.clone();
        let world = self.open.as_ref()?.run.world();
        let last = recording.checks.last().map_or(0, |(step, _)| *step);
        if last < recording.steps && world.step_count == recording.steps {
            recording.checks.push((recording.steps, hash(world)));
        }
        Some(recording)
    }

    /// Ends the recording: what comes next cannot be told by it.
    pub(super) fn end_recording(&mut self) {
        if let Some(recorder) = &mut self.recorder {
            recorder.ended = true;
        }
    }

    /// Writes the recording to a file and ends it.
    pub(super) fn save_recording(&mut self, path: &Path) -> Result<(), SessionError> {
        let recording = self.recording().ok_or_else(|| SessionError::Refused("nothing is being recorded".into()))?;
        let failed = |error| SessionError::Write { file: path.into(), error };
        scene::save(path, &recording.text()).map_err(failed)?;
        self.recorder = None;
        Ok(())
    }

    /// What there is before a command, if anybody records.
    pub(super) fn before_command(&self) -> Option<Before> {
        let (open, _) = self.open.as_ref().zip(self.recorder.as_ref())?;
        Some(Before {
            step: open.run.world().step_count,
            document: open.document.scene.clone(),
            mouse_joint: open.run.world().mouse_joint,
            generation: self.generation,
            opened: self.opened,
        })
    }

    /// Records what a command has changed.
    pub(super) fn after_command(&mut self, before: &Before) {
        let (Some(open), Some(recorder)) = (&self.open, &mut self.recorder) else { return };
        if self.opened != before.opened || recorder.ended {
            recorder.ended = true;
            return;
        }
        let (step, document, mouse_joint) =
            (open.run.world().step_count, &open.document.scene, open.run.world().mouse_joint);
        if step == 0 {
            if before.step > 0 || !Arc::ptr_eq(document, &before.document) {
                *recorder = Recorder::new(document, &open.document.base);
            }
            if let Some(mouse_joint) = mouse_joint.filter(|mouse_joint| before.mouse_joint != Some(*mouse_joint)) {
                recorder.push(0, apart(mouse_joint));
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
            (was, Some(mouse_joint)) if was != Some(mouse_joint) => recorder.push(step, apart(mouse_joint)),
            (Some(_), None) => recorder.push(step, RecordedAction::Release),
            _ => {}
        }
    }

    /// Does again what was recorded.
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
    /// As a file's text.
    pub fn text(&self) -> String {
        let style = ron::ser::PrettyConfig::new().struct_names(false).compact_arrays(true);
        ron::ser::to_string_pretty(self, style).unwrap_or_default()
    }

    /// Reads a file's text, which messages call `origin`.
    ///
    /// # Errors
    /// Where it is no recording.
    pub fn read(text: &str, origin: &str) -> Result<Self, SessionError> {
        let refused = |words: String| SessionError::Refused(format!("{origin}: {words}"));
        let recording: Self = ron::from_str(text).map_err(|error| refused(format!("no recording: {error}")))?;
        if recording.version != VERSION {
            return Err(refused(format!("a recording of version {}, this program knows {VERSION}", recording.version)));
        }
        Ok(recording)
    }

    /// Makes the run again and compares it.
    ///
    /// # Errors
    /// Where its scene cannot be read, or an event cannot be done again.
    pub fn replay(&self) -> Result<Replay, SessionError> {
        self.replay_on(None)
    }

    /// The same where a device makes the steps that the settings want from it.
    ///
    /// # Errors
    /// As above.
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
            let made = world.step_count == step + 1;
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

/// Reads and replays a file.
///
/// # Errors
/// Where it cannot be read or done again.
pub fn replay(path: &Path, device: Option<Arc<dyn StepDevice>>) -> Result<Replay, SessionError> {
    let origin = path.display().to_string();
    let text = std::fs::read_to_string(path)
        .map_err(|error| SessionError::Refused(format!("{origin}: cannot be read: {error}")))?;
    Recording::read(&text, &origin)?.replay_on(device)
}
