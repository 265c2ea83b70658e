//! The command line: everything that the window can do to a scene, without a window, through the same `Session`.
//!
//! Results go to standard output, errors to standard error; `CODES` lists the exit codes.

mod analyse;
mod arena;
#[cfg(feature = "gpu")]
mod bench_gpu;
mod check;
mod claims;
mod common;
mod compare;
mod doctor;
mod export;
mod extremes;
#[cfg(feature = "gui")]
mod figures;
mod format;
mod import;
mod in_short;
mod ledger;
#[cfg(feature = "gui")]
mod lesson;
mod licences;
mod list;
mod mistyped;
mod not_finite;
mod outputs;
mod pose;
mod presets;
mod printable;
#[cfg(feature = "gui")]
mod render;
mod replay;
mod run;
mod run_verdict;
mod scenes;
mod sensors;
mod shells;
mod stability;
mod stop;
mod summary;
mod sweep;
mod tables;
mod values;
mod verify;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use common::Failure;

use delassus_files::built_in;
use delassus_launch::LaunchOptions;
use delassus_scene::library;

/// The meaning of the exit codes; printed below the help.
const CODES: &str = "\
Exit codes:
  0  all is well
  1  an error: a mistake in a scene, a file that cannot be written
  2  misuse: an argument that makes no sense
  3  the run is not to be trusted: a joint gapes, a motor slips, forces are missing, bodies overlap or energy grows
     beyond the bounds of docs/doctor.md and the scene does not expect it; or a body was stopped, an impulse
     guarded, something is not finite, or a step needs more contacts or more work than the budget
  4  a condition of --fail-if held
  130  the user stopped the run by Ctrl+C; what was written is whole";

/// An interactive sandbox for rigid-body constraint solvers.
#[derive(Debug, Parser)]
#[command(name = "delassus", version, args_conflicts_with_subcommands = true, after_help = CODES)]
struct Arguments {
    #[command(subcommand)]
    action: Option<Action>,
    #[command(flatten)]
    options: LaunchOptions,
    /// Also look for scenes in this folder, before all others; may be given several times
    #[arg(long = "scenes", value_name = "DIR", global = true)]
    folders: Vec<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// List all scenes: the name that opens each, its title, its source, and where it comes from
    #[command(after_help = scenes::FOLDERS)]
    List,
    /// Write the library to a folder, to change its scenes
    #[command(after_help = scenes::FOLDERS)]
    Scenes {
        #[command(subcommand)]
        action: scenes::Action,
    },
    /// List every setting with unit, range and default
    Settings {
        /// Print them as JSON
        #[arg(long)]
        json: bool,
    },
    /// List every preset: what it sets, and for those of other engines where each value comes from
    Presets {
        /// As a document
        #[arg(long)]
        markdown: bool,
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
    /// Make a scene of a robot description: URDF, or MJCF, the XML of MuJoCo
    Import(import::Arguments),
    /// Write a scene as MJCF, the XML of MuJoCo, and list what has no counterpart there
    Export(export::Arguments),
    /// Run a scene without a window and write what can be measured
    #[command(after_help = CODES)]
    Run(run::Arguments),
    /// Run a scene with up to four sets of settings in lockstep, and report how the runs differ
    Compare(compare::Arguments),
    /// Run a scene many times with different settings, and write the values of a column as a table
    Sweep(sweep::Arguments),
    /// Run every solver on scenes whose right values are known, and write the errors against the costs: docs/arena.md
    Arena(arena::Arguments),
    /// Repeat recorded runs and report the first step that differs; exit code 1 if one does
    Replay(replay::Arguments),
    /// What each cause contributed to energy and momentum in every step, as CSV: gravity, joints, contacts, the
    /// integrator
    Ledger(ledger::Arguments),
    /// How fast a scene's sweeps converge, and which bounds its settings break
    Stability(stability::Arguments),
    /// Check scene files; exit code 1 on any mistake
    Check(check::Arguments),
    /// Report what will go wrong with scenes, and why; exit code 1 if a finding is an error
    Doctor(doctor::Arguments),
    /// Analyse a mechanism over the travel of one joint: positions, forces, torques, dead centres, curves of points
    Analyse(analyse::Arguments),
    /// Pose a scene by the value of a joint: loops are closed, and a value that cannot be reached is reported
    Pose(pose::Arguments),
    /// Measure the simulation against closed forms; exit code 1 if a number is farther off than is claimed or known
    Verify(verify::Arguments),
    /// The licences of the program, and of the fonts and crates that it contains
    Licences,
    /// Print the script by which a shell completes commands and options
    Completions { shell: clap_complete::Shell },
    /// Print the manual page of the program, or of one of its commands
    Man { command: Option<String> },
    /// Measure document 001's chains of beads on the graphics device, method by method, beside the processor
    #[cfg(feature = "gpu")]
    BenchGpu(bench_gpu::Arguments),
    /// Draw a scene to a PNG file without a display
    #[cfg(feature = "gui")]
    Render(render::Arguments),
    /// Open the window with a lesson of your own, once it has no mistakes; exit code 1 on any
    #[cfg(feature = "gui")]
    Lesson(lesson::Arguments),
    /// Redraw every figure of the documents on one page, without a display
    #[cfg(feature = "gui")]
    Figures(figures::Arguments),
}

/// Parses the arguments and runs the command.
pub fn main() -> ExitCode {
    built_in::install(delassus_library::FILES);
    let first = std::env::args_os().nth(1).map(|first| first.to_string_lossy().into_owned());
    if let Some(what) = mistyped::mistyped::<Arguments>(first) {
        return fails(&format!("error: {what}\n\nFor more information, try '--help'."), 2.into());
    }
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) if error.use_stderr() && std::env::args_os().any(|argument| in_short::is_long(&argument)) => {
            return fails(error.render().to_string().trim_end(), 2.into());
        }
        Err(error) => error.exit(),
    };
    if let Err(what) = library::add_folders(&arguments.folders) {
        return fails(&format!("error: --scenes {what}\n\nFor more information, try '--help'."), 2.into());
    }
    for what in library::unusable_folders() {
        let _ = writeln!(printable::stderr(), "warning: {what}");
    }
    let done = match arguments.action {
        None => window(arguments.options),
        Some(Action::List) => list::scenes(&mut printable::stdout()),
        Some(Action::Scenes { action }) => scenes::run(&action, &mut printable::stdout()),
        Some(Action::Settings { json }) => list::settings(json, &mut printable::stdout()),
        Some(Action::Presets { markdown }) => presets::presets(markdown, &mut printable::stdout()),
        Some(Action::Columns { markdown }) => list::columns(markdown, &mut printable::stdout()),
        Some(Action::Format { markdown, json }) => format::format(markdown, json, &mut printable::stdout()),
        Some(Action::Import(arguments)) => import::run(&arguments, &mut printable::stdout()),
        Some(Action::Export(arguments)) => export::run(&arguments, &mut printable::stdout()),
        Some(Action::Run(arguments)) => run::run(&arguments),
        Some(Action::Compare(arguments)) => compare::run(&arguments, &mut printable::stdout()),
        Some(Action::Sweep(arguments)) => sweep::run(&arguments),
        Some(Action::Arena(arguments)) => arena::run(&arguments, &mut printable::stdout()),
        Some(Action::Replay(arguments)) => replay::run(&arguments, &mut printable::stdout()),
        Some(Action::Ledger(arguments)) => ledger::run(&arguments),
        Some(Action::Stability(arguments)) => stability::stability(&arguments, &mut printable::stdout()),
        Some(Action::Check(arguments)) => check::check(&arguments, &mut printable::stdout()),
        Some(Action::Doctor(arguments)) => doctor::doctor(&arguments, &mut printable::stdout()),
        Some(Action::Analyse(arguments)) => analyse::run(&arguments, &mut printable::stdout()),
        Some(Action::Pose(arguments)) => pose::run(&arguments, &mut printable::stdout()),
        Some(Action::Verify(arguments)) => verify::run(&arguments, &mut printable::stdout()),
        Some(Action::Licences) => licences::licences(&mut printable::stdout()),
        Some(Action::Completions { shell }) => {
            shells::completions(Arguments::command(), shell, &mut printable::stdout())
        }
        Some(Action::Man { command }) => {
            shells::man(Arguments::command(), command.as_deref(), &mut printable::stdout())
        }
        #[cfg(feature = "gpu")]
        Some(Action::BenchGpu(arguments)) => bench_gpu::run(&arguments, &mut printable::stdout()),
        #[cfg(feature = "gui")]
        Some(Action::Render(arguments)) => {
            render::quietly();
            render::render(&arguments)
        }
        #[cfg(feature = "gui")]
        Some(Action::Lesson(arguments)) => lesson::run(arguments, &mut printable::stdout()),
        #[cfg(feature = "gui")]
        Some(Action::Figures(arguments)) => {
            render::quietly();
            figures::run(&arguments)
        }
    };
    let (message, code) = match done {
        Ok(()) | Err(Failure::Pipe) => return ExitCode::SUCCESS,
        Err(Failure::AlreadyReported) => return ExitCode::FAILURE,
        Err(Failure::Error(message)) => (message, ExitCode::FAILURE),
        Err(Failure::Distrust(message)) => (message, 3.into()),
        Err(Failure::Held(message)) => (message, 4.into()),
        Err(Failure::Stopped(message)) => (message, 130.into()),
        Err(Failure::Misuse(message)) => (format!("error: {message}\n\nFor more information, try '--help'."), 2.into()),
    };
    fails(&message, code)
}

/// Prints why the program fails, and returns its exit code.
fn fails(message: &str, code: ExitCode) -> ExitCode {
    // A closed standard error is ignored.
    let _ = writeln!(printable::stderr(), "{}", in_short::in_short(message, std::env::args_os()));
    code
}

#[cfg(feature = "gui")]
fn window(options: LaunchOptions) -> Result<(), Failure> {
    if let Some(open_request) = options.open_request() {
        if let Some(what) = mistyped::misplaced::<Arguments>(&open_request.scene) {
            return Err(Failure::Misuse(what));
        }
        open_request.check()?;
    }
    delassus_app::run(delassus_app::Start { options, lesson: None }).map_err(|error| Failure::Error(error.to_string()))
}

#[cfg(not(feature = "gui"))]
fn window(_options: LaunchOptions) -> Result<(), Failure> {
    Err(Failure::Error(
        "this delassus was built without its window; build it with `--features gui`, or see `delassus --help`".into(),
    ))
}
