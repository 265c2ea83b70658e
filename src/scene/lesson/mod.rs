//! Lessons: a scene of the library taught, as a file of its own in the folder `lessons`: a question, a prediction to make
//! before the answer is shown, experiments that are a click each, what happened, and why. No code belongs to a lesson.

mod check;

use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::letter::Live;
use super::wording;

pub use check::{LinkCheck, LinkTarget, own};

/// The folder under the library's that has them.
pub const FOLDER: &str = "lessons";

/// A lesson as its file has it.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lesson {
    /// The file's name without its ending, by which lessons are put in order and progress is kept.
    #[serde(skip)]
    pub id: String,
    /// The file of its scene where that is none of the library.
    #[serde(skip)]
    pub file: Option<PathBuf>,
    pub title: String,
    /// The document and chapter, as in `004 ch. 6`.
    #[serde(default)]
    pub source: String,
    /// Whether who is here for the first time is led to it.
    #[serde(default)]
    pub first: bool,
    /// The scene by which it is taught: one of the library, `book/06-bead-on-wire`, or a file beside the lesson.
    pub scene: String,
    /// What it is about, in a question and what one has to know for it.
    pub question: String,
    pub prediction: Prediction,
    /// What to run, in its order.
    pub trials: Vec<Trial>,
    /// What was to be seen.
    pub happened: String,
    /// Where it comes from.
    pub why: Vec<Paragraph>,
    /// The letters of its formulas that have a value and a place in the view.
    #[serde(default)]
    pub live: Option<Live>,
    /// What to read beside it in the derivations and the errata: `math: Soft rows`, `errata: 14`.
    #[serde(default)]
    pub read: Vec<String>,
}

impl Lesson {
    /// Whether it is somebody's own: such a one has its file's whole path for an id, the library's have a name.
    pub fn is_own(&self) -> bool {
        Path::new(&self.id).is_absolute()
    }
}

/// What the learner says before it is shown.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prediction {
    pub ask: String,
    pub choices: Vec<String>,
    /// The index of the choice that the run bears out.
    pub right: usize,
}

/// One run, or a look at something. The default one runs nothing: it is the desk with its plots.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trial {
    /// What to look at.
    pub say: String,
    /// One of the scene's experiments; the scene as it opens if left out.
    #[serde(default)]
    pub experiment: String,
    /// Simulated seconds per second.
    #[serde(default = "one")]
    pub speed: f32,
    /// So many steps are made at once and time stands still then; if left out it plays.
    #[serde(default)]
    pub steps: Option<u32>,
    /// The tab of the lower dock in which it is to be seen; the plots if left out.
    #[serde(default)]
    pub tab: Option<Tab>,
    /// The joint or body to select, by its name.
    #[serde(default)]
    pub select: String,
    /// A system of the page *Linear systems*, by its name: the page is opened with it, and nothing is run.
    #[serde(default)]
    pub system: String,
    /// A page of matrices with live numbers that is opened beside it.
    #[serde(default)]
    pub algebra: Option<Algebra>,
}

/// The pages of matrices with live numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub enum Algebra {
    /// u, J, M⁻¹ and K between two bodies: chapters 2 to 4.
    TwoBodies,
    /// A contact's points as they come and go: chapter 13.
    Manifold,
    /// L(q) and R(q): chapter 15.
    Quaternions,
}

/// The most steps of a trial that stands still.
pub const MOST_STEPS: u32 = 240;

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

/// A paragraph or a formula, in LaTeX.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub enum Paragraph {
    Words(String),
    Formula(String),
}

fn one() -> f32 {
    1.0
}

/// Reads a lesson.
///
/// # Errors
/// Where and what is wrong.
pub fn read(text: &str, id: &str) -> Result<Lesson, String> {
    let read: Result<Lesson, _> = wording::options().from_str(text);
    let lesson = read.map_err(|error| format!("{id}: {error}"))?;
    let Prediction { choices, right, .. } = &lesson.prediction;
    if *right >= choices.len() {
        return Err(format!("{id}: the right one is number {right} of {} choices", choices.len()));
    }
    if let Some(trial) = lesson.trials.iter().find(|trial| trial.steps.is_some_and(|steps| steps > MOST_STEPS)) {
        return Err(format!("{id}: “{}” makes more than {MOST_STEPS} steps", trial.say));
    }
    Ok(Lesson { id: id.to_owned(), ..lesson })
}

/// The lessons under the library's folder, in their order; those that cannot be read are left out.
pub fn all(root: &Path) -> Vec<Lesson> {
    let Ok(files) = std::fs::read_dir(root.join(FOLDER)) else { return Vec::new() };
    let lesson = |path: &Path| {
        let id = path.file_name()?.to_str()?.strip_suffix(".ron")?.to_owned();
        read(&std::fs::read_to_string(path).ok()?, &id).ok()
    };
    let mut lessons: Vec<Lesson> = files.flatten().filter_map(|file| lesson(&file.path())).collect();
    lessons.sort_by(|a, b| a.id.cmp(&b.id));
    lessons
}
