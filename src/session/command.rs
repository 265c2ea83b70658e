//! What a user may ask of a session. Panels and the command line build these; [`super::Session::dispatch`] obeys.

use std::path::PathBuf;

use glam::Vec3;

use super::comparison::CompareCommand;
use super::document::edit::Edit;
use super::document::history::Gesture;
use super::document::merge::Conflict;
use crate::doctor::Fix;
use crate::physics::setting::Value;

/// One request. Edits of the document can be undone; everything else is playing, files or input.
#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    Play,
    Pause,
    TogglePlay,
    /// Pauses and runs one step.
    Step,
    /// Pauses and goes one step back along what was, exactly, as far as states are kept.
    StepBack,
    /// Pauses and goes to the state after this step, with the document as it was then. What came behind it stays: steps
    /// lead along it until something else is done.
    Seek(u64),
    /// Goes on from an earlier moment as it stands: what came behind it becomes a future of its own.
    Fork,
    /// Goes to another future, by its number, at the same step where it has that.
    SwitchTo(u64),
    /// Calls a future otherwise; the present one has the number 0.
    RenameFuture(u64, String),
    ForgetFuture(u64),
    /// Pauses from now on in any step in which this comes to hold: see [`super::condition`].
    Break(String),
    SwitchBreakpoint(u64, bool),
    ForgetBreakpoint(u64),
    /// Notes what happens from now on, or no more: see [`super::events`].
    Log(bool),
    /// Marks a step of the present line by a name, or no longer.
    Bookmark {
        step: u64,
        name: Option<String>,
    },
    /// The world again as the document says, at time zero; playing or paused as before.
    Reset,
    /// Simulated seconds per second of wall time, 0.01 to 10.
    SetSpeed(f32),
    /// An edit: one setting of the document, effective on the next step. Repeated within a second for the same
    /// number (a drag) it is one entry of the history.
    Set {
        name: &'static str,
        value: Value,
    },
    /// An edit: the value that the file on disk gives this setting.
    ResetSetting(&'static str),
    /// An edit: all settings as the file on disk has them. An experiment that is shown is only taken away.
    ResetSettings,
    /// The file's settings with those of the document's experiment of this index, to be looked at: no edit.
    ApplyExperiment(usize),
    /// The same with these settings, on top of the experiment that is shown if one is: what a line asks for.
    Lay(Vec<(&'static str, Value)>),
    /// An edit: the simulated poses become the document's.
    KeepPose,
    /// An edit of bodies and joints, which the world follows at once; what the edit does not touch moves on. A pattern
    /// or part whose member is edited is written out as the bodies that it stands for. Edits of one gesture (a drag)
    /// are one entry of the history.
    Edit {
        edit: Edit,
        gesture: Option<Gesture>,
    },
    /// An edit: does what the doctor proposes, see [`super::Session::findings`].
    Treat(Fix),
    /// Has the doctor look at the scene now.
    Examine,
    /// Holds a body with the mouse joint, a critically damped spring; repeated while the mouse moves. A recorded input,
    /// not an edit.
    MouseJoint {
        /// The physics body, as in [`super::BodyView::id`].
        body: u32,
        /// Where it is held, in the body's frame (from its centre of mass), m.
        point: Vec3,
        /// Where that point is drawn to, world, m.
        target: Vec3,
    },
    /// Lets go of the body that the mouse joint holds.
    Release,
    /// Samples this joint's value and speed, for the plots; by its index in the snapshot.
    Watch(usize),
    Undo,
    Redo,
    /// Several edits at once: undone where negative, else made again.
    Travel(isize),
    /// An empty scene with a floor, without a file yet.
    New,
    /// Opens a scene's text as the unsaved state of `file`. On a mistake the present scene stays open.
    Recover {
        text: String,
        file: Option<PathBuf>,
    },
    /// Reads a scene file. On a mistake the present scene stays open.
    Open(PathBuf),
    /// An edit: the document as its file has it now, run from its beginning. On a mistake the present scene stays open.
    Reload,
    /// An edit: for each difference between the document and its file, in their order, theirs where that is true, else
    /// mine. The document differs from its file as it is now from then on. On a mistake nothing changes.
    Merge {
        conflict: Box<Conflict>,
        theirs: Vec<bool>,
    },
    /// Makes the scene's parts anew from their files; edits stay. On a mistake they stay as they are.
    ReadParts,
    /// Writes the document to the file that it came from.
    Save,
    /// Writes the document to another file, which is its file from then on.
    SaveAs(PathBuf),
    /// Writes the world as it stands, poses and velocities, as a scene to another file. The document stays as it is,
    /// with its file.
    Export(PathBuf),
    /// Goes back to the beginning and records from there on what is done: see [`super::recording`].
    Record,
    /// Of runs beside this one with other settings: see [`super::comparison`].
    Compare(CompareCommand),
    /// Forgets what was recorded.
    StopRecording,
    /// Writes what was recorded to a file, and records no more.
    SaveRecording(PathBuf),
}

impl Command {
    /// Whether it goes along what was done and does nothing new.
    pub(super) fn travels(&self) -> bool {
        matches!(self, Self::Step | Self::StepBack | Self::Seek(_) | Self::SwitchTo(_) | Self::Compare(_))
    }
}
