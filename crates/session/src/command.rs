//! What a user may ask of a session. Panels and the command line build commands; [`super::Session::dispatch`]
//! executes them.

use std::path::PathBuf;

use glam::Vec3;

use super::comparison::CompareCommand;
use super::document::edit::Edit;
use super::document::history::Gesture;
use super::document::merge::Conflict;
use delassus_doctor::Fix;
use delassus_physics::preset::Preset;
use delassus_physics::setting::Value;

/// One request. Edits of the document can be undone; all other commands concern playback, files or input.
#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    Play,
    Pause,
    TogglePlay,
    /// Pauses and runs one step.
    Step,
    /// Pauses and goes one step back in the run's past, bit for bit, as far as states are kept.
    StepBack,
    /// Pauses and goes to the state after this step, with the document as it was then. The later steps are kept, and
    /// stepping follows them until something is changed.
    Seek(u64),
    /// Continues from the current earlier moment; the steps after it are kept as a separate branch.
    Fork,
    /// Switches to another branch by its number, at the same step if it has one.
    SwitchTo(u64),
    /// Renames a branch; the current one has the number 0.
    RenameBranch(u64, String),
    /// Deletes a branch other than the current one, by its number.
    DeleteBranch(u64),
    /// Adds a breakpoint: playing pauses in any step in which this condition becomes true, see [`super::condition`].
    AddBreakpoint(String),
    SwitchBreakpoint(u64, bool),
    ForgetBreakpoint(u64),
    /// Sets the claims of a goal, which are checked in every run from the beginning, see [`super::Session::goal`].
    SetGoal(Vec<String>),
    /// Starts or stops the event log, see [`super::events`].
    Log(bool),
    /// Names a step of the current timeline; `None` removes the name.
    Bookmark {
        step: u64,
        name: Option<String>,
    },
    /// Rebuilds the world from the document, at time zero. Playing or paused stays as it was.
    Reset,
    /// Forgets the run before the last reset, which the plots draw as a ghost.
    ForgetEarlier,
    /// Simulated seconds per second of wall time, 0.01 to 10.
    SetSpeed(f32),
    /// An edit: one setting of the document, effective on the next step. Changes of the same numeric setting within a
    /// second (a drag) are one entry in the history.
    Set {
        name: &'static str,
        value: Value,
    },
    /// An edit: the settings of this preset, but for those that say what the scene is, such as gravity.
    ChoosePreset(Preset),
    /// An edit: resets this setting to its value in the file on disk.
    ResetSetting(&'static str),
    /// An edit: resets all settings to those of the file on disk. If an experiment is shown, it is only hidden.
    ResetSettings,
    /// Shows the file's settings with those of the document's experiment of this index. Not an edit.
    ApplyExperiment(usize),
    /// Like `ApplyExperiment` with these settings, on top of the experiment shown, if any. Used for a line of text
    /// that opens a scene with settings.
    Overlay(Vec<(&'static str, Value)>),
    /// An edit: the simulated poses become those of the document.
    KeepPose,
    /// An edit of bodies and joints, which the running world takes over at once; what the edit does not touch keeps
    /// moving. If a member of a pattern or part is edited, the pattern or part is first written out as single bodies.
    /// Edits of one gesture (a drag) are one entry in the history.
    Edit {
        edit: Edit,
        gesture: Option<Gesture>,
    },
    /// An edit: applies a fix that the doctor proposes, see [`super::Session::findings`].
    ApplyFix(Fix),
    /// Has the doctor examine the scene now.
    Examine,
    /// Pulls a body by the mouse joint, a critically damped spring; repeated while the mouse moves. A recorded input,
    /// not an edit.
    MouseJoint {
        /// Number of the physics body, as in [`super::BodyView::id`].
        body: u32,
        /// The point that is pulled, in the body's frame (from its centre of mass), m.
        point: Vec3,
        /// Where that point is pulled to, world, m.
        target: Vec3,
    },
    /// Releases the body that the mouse joint pulls.
    Release,
    /// Samples this joint's value and speed for the plots; its index in the snapshot.
    Watch(usize),
    Undo,
    Redo,
    /// Undoes (negative) or redoes (positive) this many edits.
    Travel(isize),
    /// An empty scene with a floor, not yet saved to a file.
    New,
    /// Opens a scene's text as the unsaved state of `file`. `base` is the content of the file that it was made from:
    /// without it, that is the file's present content. On a mistake the open scene stays.
    Recover {
        text: String,
        file: Option<PathBuf>,
        base: Option<String>,
    },
    /// Reads a scene file. On a mistake the open scene stays.
    Open(PathBuf),
    /// An edit: replaces the document by its file's present content and restarts the run. On a mistake the open scene
    /// stays.
    Reload,
    /// An edit: resolves each difference between the document and its file, in order: `true` takes the file's
    /// version, `false` keeps the document's. Afterwards the document counts as edited relative to the file's present
    /// content. On a mistake nothing changes.
    Merge {
        conflict: Box<Conflict>,
        theirs: Vec<bool>,
    },
    /// Reloads the scene's parts from their files; edits are kept. On a mistake the parts stay as they are.
    ReadParts,
    /// Writes the document to its file.
    Save,
    /// Writes the document to another file, which becomes its file.
    SaveAs(PathBuf),
    /// Writes the world's current state, poses and velocities, as a scene to another file. The document and its file
    /// stay as they are.
    Export(PathBuf),
    /// Goes back to the beginning and records all inputs and edits from there, see [`super::recording`].
    Record,
    /// A command about comparison runs with other settings, see [`super::comparison`].
    Compare(CompareCommand),
    /// Stops recording and discards the recording.
    StopRecording,
    /// Writes the recording to a file and stops recording.
    SaveRecording(PathBuf),
}

impl Command {
    /// Whether it only moves along the existing timeline and changes nothing.
    pub(super) fn travels(&self) -> bool {
        matches!(self, Self::Step | Self::StepBack | Self::Seek(_) | Self::SwitchTo(_) | Self::Compare(_))
    }
}
