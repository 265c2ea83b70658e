//! The command line: everything that the window can do to a scene, without a window, on the same
//! [`Session`].
//!
//! Results go to standard output, errors to standard error with exit code 1, misuse to standard error with code 2.

mod check;
mod doctor;
mod list;
#[cfg(feature = "gui")]
mod picture;
mod run;
mod stability;
mod summary;
mod tables;
mod verify;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::physics::setting::Value;
use crate::physics::settings::Settings;
use crate::scene::library;
use crate::session::{Command, Session, SessionError};

/// An interactive sandbox for rigid-body constraint solvers.
#[derive(Debug, Parser)]
#[command(name = "delassus", version, args_conflicts_with_subcommands = true)]
struct Arguments {
    #[command(subcommand)]
    action: Option<Action>,
    /// Scene to open in the window: a file, or a name from `delassus list`
    #[arg(value_name = "SCENE")]
    scene: Option<String>,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// List the scene library: path, title, source
    List,
    /// List every setting with unit, range and default
    Settings,
    /// Run a scene without a window and write what can be measured
    Run(run::Arguments),
    /// How fast a scene's sweeps converge, and which bounds its settings break
    Stability(stability::Arguments),
    /// Check scene files; exit code 1 on any mistake
    Check(check::Arguments),
    /// Tell what will go wrong with scenes, and why; exit code 1 if a finding is an error
    Doctor(doctor::Arguments),
    /// Measure the simulation against closed forms; exit code 1 if a number is farther off than is claimed or known
    Verify(verify::Arguments),
    /// Draw a scene to a PNG file without a display
    #[cfg(feature = "gui")]
    Render(picture::Arguments),
}

/// Why a command did not succeed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// What to tell; exit code 1.
    Error(String),
    /// What was asked makes no sense; exit code 2.
    Misuse(String),
    /// Everything has been told; exit code 1.
    Told,
    /// Nobody reads standard output any more, as under `| head`: no reason to complain.
    Pipe,
}

impl From<SessionError> for Failure {
    fn from(error: SessionError) -> Self {
        Self::Error(error.to_string())
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
        None => window(arguments.scene.as_deref()),
        Some(Action::List) => list::scenes(&mut io::stdout().lock()),
        Some(Action::Settings) => list::settings(&mut io::stdout().lock()),
        Some(Action::Run(arguments)) => run::run(&arguments),
        Some(Action::Stability(arguments)) => stability::stability(&arguments, &mut io::stdout().lock()),
        Some(Action::Check(arguments)) => check::check(&arguments, &mut io::stdout().lock()),
        Some(Action::Doctor(arguments)) => doctor::doctor(&arguments, &mut io::stdout().lock()),
        Some(Action::Verify(arguments)) => verify::run(&arguments, &mut io::stdout().lock()),
        #[cfg(feature = "gui")]
        Some(Action::Render(arguments)) => picture::render(&arguments),
    };
    let (message, code) = match done {
        Ok(()) | Err(Failure::Pipe) => return ExitCode::SUCCESS,
        Err(Failure::Told) => return ExitCode::FAILURE,
        Err(Failure::Error(message)) => (message, ExitCode::FAILURE),
        Err(Failure::Misuse(message)) => (format!("error: {message}\n\nFor more information, try '--help'."), 2.into()),
    };
    // Nobody to tell if standard error is closed, too.
    let _ = writeln!(io::stderr(), "{message}");
    code
}

#[cfg(feature = "gui")]
fn window(scene: Option<&str>) -> Result<(), Failure> {
    crate::app::run(scene.map(library::find)).map_err(|error| Failure::Error(error.to_string()))
}

#[cfg(not(feature = "gui"))]
#[cfg(feature = "gui")]
fn window(scene: Option<&str>) -> Result<(), Failure> {
    crate::app::run(scene.map(library::find)).map_err(|error| Failure::Error(error.to_string()))
}

#[cfg(not(feature = "gui"))]
fn window(_scene: Option<&str>) -> Result<(), Failure> {
    Err(Failure::Error(
        "this delassus was built without its window; build it with `--features gui`, or see `delassus --help`".into(),
    ))
}

/// Opens a scene, by path or library name, with changed settings.
fn open(scene: &str, changes: &[Assignment]) -> Result<Session, Failure> {
    let mut session = Session::open(&library::find(scene))?;
    for change in changes {
        session.dispatch(Command::Set { name: change.name, value: change.value })?;
    }
    Ok(session)
}

/// An argument of `--set`, found right.
#[derive(Debug, Clone, Copy)]
struct Assignment {
    name: &'static str,
    value: Value,
}

/// Reads `solver.iterations=50`.
fn assignment(text: &str) -> Result<Assignment, String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE, as in solver.iterations=50")?;
    let setting = Settings::find(name.trim()).map_err(|e| e.to_string())?;
    let value = setting.parse(value.trim()).map_err(|e| e.to_string())?;
    Ok(Assignment { name: setting.name, value })
}
