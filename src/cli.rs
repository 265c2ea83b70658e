//! The command line: everything that the window can do to a scene, without a window, on the same
//! `Session`.
//!
//! Results go to standard output, what is wrong to standard error; `CODES` are the exit codes.

#[cfg(feature = "gpu")]
mod bench_gpu;
mod check;
mod claims;
mod compare;
mod doctor;
mod extremes;
#[cfg(feature = "gui")]
mod figures;
mod format;
#[cfg(feature = "gui")]
mod lesson;
mod list;
#[cfg(feature = "gui")]
mod render;
mod replay;
mod run;
mod stability;
mod summary;
mod sweep;
mod tables;
mod values;
mod verdict;
mod verify;

use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::Arc;
#[cfg(feature = "gpu")]
use std::sync::LazyLock;

use clap::{Parser, Subcommand};

use crate::opening::{Change, Opening, OpeningError, Wanted};
use crate::physics::device::Device;
use crate::scene::Mistake;
use crate::session::{Session, SessionError};

/// What the exit codes mean; printed below the help.
const CODES: &str = "\
Exit codes:
  0  all is well
  1  an error: a mistake in a scene, a file that cannot be written
  2  misuse: an argument that makes no sense
  3  the run is not to be trusted: a body was stopped, an impulse guarded, something is not finite, or there are
     more contacts than the budget
  4  a condition of --fail-if held";

/// An interactive sandbox for rigid-body constraint solvers.
#[derive(Debug, Parser)]
#[command(name = "delassus", version, args_conflicts_with_subcommands = true, after_help = CODES)]
struct Arguments {
    #[command(subcommand)]
    action: Option<Action>,
    #[command(flatten)]
    wanted: Wanted,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// List the scene library: path, title, source
    List,
    /// List every setting with unit, range and default
    Settings {
        /// Print them as JSON
        #[arg(long)]
        json: bool,
    },
    /// List every column of the tables that `run` writes, with its unit
    Columns {
        /// As a table for documents
        #[arg(long)]
        markdown: bool,
    },
    /// The reference of the scene format: every field with its unit, range and default
    Format {
        /// As a document
        #[arg(long, conflicts_with = "json")]
        markdown: bool,
        /// For programs
        #[arg(long)]
        json: bool,
    },
    /// Run a scene without a window and write what can be measured
    #[command(after_help = CODES)]
    Run(run::Arguments),
    /// Run a scene with up to four lots of settings in lockstep, and tell how the runs differ
    Compare(compare::Arguments),
    /// Run a scene over and over with other settings, and write what a column came to as a table
    Sweep(sweep::Arguments),
    /// Make recorded runs again and tell the first step that differs; exit code 1 if one does
    Replay(replay::Arguments),
    /// How fast a scene's sweeps converge, and which bounds its settings break
    Stability(stability::Arguments),
    /// Check scene files; exit code 1 on any mistake
    Check(check::Arguments),
    /// Tell what will go wrong with scenes, and why; exit code 1 if a finding is an error
    Doctor(doctor::Arguments),
    /// Measure the simulation against closed forms; exit code 1 if a number is farther off than is claimed or known
    Verify(verify::Arguments),
    /// Measure document 001's chains of beads on the graphics device, method by method, beside the processor
    #[cfg(feature = "gpu")]
    BenchGpu(bench_gpu::Arguments),
    /// Draw a scene to a PNG file without a display
    #[cfg(feature = "gui")]
    Render(render::Arguments),
    /// Open the window with a lesson of your own, once it has no mistakes; exit code 1 on any
    #[cfg(feature = "gui")]
    Lesson(lesson::Arguments),
    /// Draw every figure of the documents anew, on one page, without a display
    #[cfg(feature = "gui")]
    Figures(figures::Arguments),
}

/// Why a command did not succeed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// What to tell; exit code 1.
    Error(String),
    /// What was asked makes no sense; exit code 2.
    Misuse(String),
    /// A run is not to be trusted; exit code 3.
    Distrust(String),
    /// A condition of `--fail-if` held; exit code 4.
    Held(String),
    /// The output has already told what is wrong; exit code 1.
    AlreadyReported,
    /// Nobody reads standard output any more, as under `| head`: no reason to complain.
    Pipe,
}

impl From<SessionError> for Failure {
    fn from(error: SessionError) -> Self {
        Self::Error(error.to_string())
    }
}

impl From<OpeningError> for Failure {
    fn from(error: OpeningError) -> Self {
        match error {
            OpeningError::Misuse(what) => Self::Misuse(what),
            OpeningError::Session(error) => error.into(),
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::Pipe,
            _ => Self::Error(format!("cannot write: {error}")),
        }
    }
}

/// Reads the arguments and obeys.
pub fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let done = match arguments.action {
        None => window(arguments.wanted),
        Some(Action::List) => list::scenes(&mut io::stdout().lock()),
        Some(Action::Settings { json }) => list::settings(json, &mut io::stdout().lock()),
        Some(Action::Columns { markdown }) => list::columns(markdown, &mut io::stdout().lock()),
        Some(Action::Format { markdown, json }) => format::format(markdown, json, &mut io::stdout().lock()),
        Some(Action::Run(arguments)) => run::run(&arguments),
        Some(Action::Compare(arguments)) => compare::run(&arguments, &mut io::stdout().lock()),
        Some(Action::Sweep(arguments)) => sweep::run(&arguments),
        Some(Action::Replay(arguments)) => replay::run(&arguments, &mut io::stdout().lock()),
        Some(Action::Stability(arguments)) => stability::stability(&arguments, &mut io::stdout().lock()),
        Some(Action::Check(arguments)) => check::check(&arguments, &mut io::stdout().lock()),
        Some(Action::Doctor(arguments)) => doctor::doctor(&arguments, &mut io::stdout().lock()),
        Some(Action::Verify(arguments)) => verify::run(&arguments, &mut io::stdout().lock()),
        #[cfg(feature = "gpu")]
        Some(Action::BenchGpu(arguments)) => bench_gpu::run(&arguments, &mut io::stdout().lock()),
        #[cfg(feature = "gui")]
        Some(Action::Render(arguments)) => match render::quietly() {
            Some(code) => return code,
            None => render::render(&arguments),
        },
        #[cfg(feature = "gui")]
        Some(Action::Lesson(arguments)) => lesson::run(arguments, &mut io::stdout().lock()),
        #[cfg(feature = "gui")]
        Some(Action::Figures(arguments)) => match render::quietly() {
            Some(code) => return code,
            None => figures::run(&arguments),
        },
    };
    let (message, code) = match done {
        Ok(()) | Err(Failure::Pipe) => return ExitCode::SUCCESS,
        Err(Failure::AlreadyReported) => return ExitCode::FAILURE,
        Err(Failure::Error(message)) => (message, ExitCode::FAILURE),
        Err(Failure::Distrust(message)) => (message, 3.into()),
        Err(Failure::Held(message)) => (message, 4.into()),
        Err(Failure::Misuse(message)) => (format!("error: {message}\n\nFor more information, try '--help'."), 2.into()),
    };
    // Nobody to tell if standard error is closed, too.
    let _ = writeln!(io::stderr(), "{message}");
    code
}

#[cfg(feature = "gui")]
fn window(wanted: Wanted) -> Result<(), Failure> {
    if let Some(opening) = wanted.opening() {
        opening.check()?;
    }
    crate::app::run(crate::app::Start { wanted, lesson: None }).map_err(|error| Failure::Error(error.to_string()))
}

#[cfg(not(feature = "gui"))]
fn window(_wanted: Wanted) -> Result<(), Failure> {
    Err(Failure::Error(
        "this delassus was built without its window; build it with `--features gui`, or see `delassus --help`".into(),
    ))
}

/// Opens a scene for a command, with further changes behind those that were given.
fn open(opening: &Opening, more: &[Change]) -> Result<Session, Failure> {
    let mut session = opening.open_with(more)?;
    session.use_device(device());
    Ok(session)
}

/// What makes the steps where `solver.device` asks for it, one for all runs; it is opened when one does.
#[cfg(feature = "gpu")]
fn device() -> Option<Arc<dyn Device>> {
    static DEVICE: LazyLock<Arc<crate::gpu::Stepper>> = LazyLock::new(|| Arc::new(crate::gpu::Stepper::headless()));
    Some(DEVICE.clone())
}

/// This program was built without it.
#[cfg(not(feature = "gpu"))]
fn device() -> Option<Arc<dyn Device>> {
    None
}

/// Says once why the processor makes a run's steps although the settings ask for the device.
fn tell_device(run: &str, session: &mut Session) {
    if let Some(notice) = session.take_device_notice() {
        // Nobody to tell if standard error is closed.
        let _ = writeln!(io::stderr(), "{run}{notice}");
    }
}

/// Tells of mistakes, a line each, as tools that jump to places read them: of a file that cannot be read its beginning.
fn tell(mistakes: &[Mistake]) {
    for mistake in mistakes {
        let placed = Mistake { line: mistake.line.max(1), column: mistake.column.max(1), ..mistake.clone() };
        // Nobody to tell if standard error is closed; the exit code tells.
        let _ = writeln!(io::stderr(), "{placed}");
    }
}

/// Prints something as JSON.
fn print_json<T: serde::Serialize>(told: &T, out: &mut impl Write) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(told).map_err(|e| Failure::Error(e.to_string()))?;
    writeln!(out, "{text}")?;
    Ok(out.flush()?)
}
