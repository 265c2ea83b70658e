//! Lessons: each teaches one scene and is a separate file in the folder `lessons`. A lesson has a question, a
//! prediction to make before the answer is shown, experiments to start with one click, what happened, and why. No
//! code belongs to a lesson.

mod check;
mod exercise;
mod sketch;

use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::letter::Live;
use super::read::read_text;
use super::ron_text;
use super::walk::{FoundFile, scene_files};
use super::wording;

pub use check::{LinkCheck, LinkTarget, own};
pub use exercise::{Exercise, Goal};
pub use sketch::Sketch;

/// The folder in the library that contains the lessons.
pub const FOLDER: &str = "lessons";

/// A lesson as in its file.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lesson {
    /// The file name without extension; determines the order of lessons and identifies saved progress. For a user's
    /// own lesson, the absolute path.
    #[serde(skip)]
    pub id: String,
    /// The file of its scene, if that is not in the program's library.
    #[serde(skip)]
    pub file: Option<PathBuf>,
    pub title: String,
    /// The document and chapter, such as `004 ch. 6`.
    #[serde(default)]
    pub source: String,
    /// Whether it is proposed to first-time users.
    #[serde(default)]
    pub first: bool,
    /// The unit of the angles in its texts. In lesson mode the window uses it, too.
    #[serde(default)]
    pub angles: AngleUnit,
    /// Its scene: one of the library, `book/06-bead-on-wire`, or a file in the lesson's folder.
    pub scene: String,
    /// The topic, as a question with the knowledge that it requires.
    pub question: String,
    /// It has choices, except in a lesson that is only an exercise.
    #[serde(default)]
    pub prediction: Prediction,
    /// The runs, in order.
    #[serde(default)]
    pub trials: Vec<Trial>,
    /// A task to solve alone, after the runs.
    #[serde(default)]
    pub exercise: Option<Exercise>,
    /// What was to be observed.
    #[serde(default)]
    pub happened: String,
    /// The explanation.
    #[serde(default)]
    pub why: Vec<Paragraph>,
    /// The symbols in its formulas that have a live value and a drawing in the view.
    #[serde(default)]
    pub live: Option<Live>,
    /// Further reading in the derivations and the errata: `math: Soft rows`, `errata: 14`.
    #[serde(default)]
    pub read: Vec<String>,
}

impl Lesson {
    /// Whether it is a user's own lesson: its id is then an absolute path, otherwise a name.
    pub fn is_own(&self) -> bool {
        Path::new(&self.id).is_absolute()
    }

    /// Whether there is something to predict.
    pub fn predicts(&self) -> bool {
        !self.prediction.choices.is_empty()
    }
}

/// The unit of angles and angular speeds in a lesson.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
pub enum AngleUnit {
    #[default]
    Degrees,
    Radians,
}

/// The prediction that the learner makes before the answer is shown.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prediction {
    pub ask: String,
    pub choices: Vec<String>,
    /// Index of the choice that the run confirms.
    pub right: usize,
    /// What the learner may draw before choosing.
    #[serde(default)]
    pub draw: Option<Sketch>,
}

/// One run, or a view of something. The default trial runs nothing and shows the plots.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trial {
    /// What to look at.
    pub say: String,
    /// One of the scene's experiments; if left out, the scene as opened.
    #[serde(default)]
    pub experiment: String,
    /// Simulated seconds per second of wall time.
    #[serde(default = "one")]
    pub speed: f32,
    /// The simulated time after which what it says is shown, s. Not used if the trial makes a number of steps.
    #[serde(default = "result_after")]
    pub seconds: f32,
    /// An experiment that runs beside this one, from the start, with a picture of its own; an empty name is the scene
    /// as opened.
    #[serde(default)]
    pub beside: Option<String>,
    /// Number of steps to make before pausing; if left out, the run plays.
    #[serde(default)]
    pub steps: Option<u32>,
    /// The tab of the lower dock that shows the effect; if left out, the plots.
    #[serde(default)]
    pub tab: Option<Tab>,
    /// Plays the next step from inside, so many blocks a second, once the run pauses. For the tab `Step`.
    #[serde(default)]
    pub blocks_per_second: Option<f32>,
    /// Name of the joint or body to select.
    #[serde(default)]
    pub select: String,
    /// Settings that the learner changes during the run, such as `contact.slop`.
    #[serde(default)]
    pub controls: Vec<String>,
    /// Name of a system on the page *Linear systems*: the page opens with it, and nothing is run.
    #[serde(default)]
    pub system: String,
    /// A page of matrices with live numbers to open as well.
    #[serde(default)]
    pub algebra: Option<Algebra>,
}

/// The pages of matrices with live numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub enum Algebra {
    /// u, J, M⁻¹ and K between two bodies: chapters 2 to 4.
    TwoBodies,
    /// The points of a contact as they appear and disappear: chapter 13.
    Manifold,
    /// L(q) and R(q): chapter 15.
    Quaternions,
}

/// How fast a step can be played from inside, blocks a second.
pub const BLOCKS_PER_SECOND: std::ops::RangeInclusive<f32> = 1.0..=100.0;

/// Maximum number of steps of a trial that pauses.
pub const MAX_STEPS: u32 = 240;

/// A tab of the lower dock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub enum Tab {
    Plots,
    Step,
    Rows,
    Matrix,
    Sweeps,
    Ledger,
    Compare,
}

/// A paragraph, or a formula in LaTeX.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub enum Paragraph {
    Words(String),
    Formula(String),
}

fn one() -> f32 {
    1.0
}

/// The time after which a trial's result is shown if the file does not say it, s.
const fn result_after() -> f32 {
    3.0
}

/// Longest time after which a trial's result may be shown, s.
pub const LONGEST_TRIAL: f32 = 120.0;

/// Reads a lesson.
///
/// # Errors
/// What is wrong, and where.
pub fn read(text: &str, id: &str) -> Result<Lesson, String> {
    let read: Result<Lesson, _> = ron_text::read(text, &wording::options());
    let lesson = read.map_err(|error| format!("{id}: {error}"))?;
    let Prediction { choices, right, .. } = &lesson.prediction;
    if lesson.exercise.is_none() && choices.is_empty() {
        return Err(format!("{id}: a lesson without an exercise has a prediction"));
    }
    if !choices.is_empty() && *right >= choices.len() {
        return Err(format!("{id}: the right one is number {right} of {} choices", choices.len()));
    }
    if let Some((field, what)) = lesson.prediction.draw.as_ref().and_then(Sketch::mistake) {
        return Err(format!("{id}: `{field}` of what is drawn: {what}"));
    }
    if let Some(trial) = lesson.trials.iter().find(|trial| trial.steps.is_some_and(|steps| steps > MAX_STEPS)) {
        return Err(format!("{id}: “{}” makes more than {MAX_STEPS} steps", trial.say));
    }
    Ok(Lesson { id: id.to_owned(), ..lesson })
}

/// The lessons in the library's folder, in order; unreadable ones are left out.
pub fn all(root: &Path) -> Vec<Lesson> {
    let lesson = |file: FoundFile| {
        let id = file.id.strip_suffix(".ron").filter(|id| !id.contains('/'))?.to_owned();
        read(&read_text(&file.path).ok()?, &id).ok()
    };
    scene_files(&root.join(FOLDER), &[]).into_iter().filter_map(lesson).collect()
}
