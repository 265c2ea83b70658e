//! Shared by the commands: failures, opening of scenes, and output.

use std::io::{self, Write};
use std::sync::Arc;
#[cfg(feature = "gpu")]
use std::sync::LazyLock;

use super::in_short::in_short;
use super::printable;
use delassus_launch::{Change, OpenRequest, OpeningError};
use delassus_physics::device::StepDevice;
use delassus_scene::Mistake;
use delassus_session::{Session, SessionError};

/// Why a command failed.
#[derive(Debug)]
pub enum Failure {
    /// A message; exit code 1.
    Error(String),
    /// The request makes no sense; exit code 2.
    Misuse(String),
    /// A run that cannot be trusted; exit code 3.
    Distrust(String),
    /// A condition of `--fail-if` was met, or a sensor raised an alarm with `--fail-on-alarm`; exit code 4.
    Held(String),
    /// The user stopped it; exit code 130.
    Stopped(String),
    /// The output already says what is wrong; exit code 1.
    AlreadyReported,
    /// Standard output was closed, as under `| head`: no error.
    Pipe,
}

impl From<SessionError> for Failure {
    fn from(error: SessionError) -> Self {
        Self::Error(match error {
            SessionError::Mistakes(mistakes) => mistake_lines(&mistakes).join("\n"),
            other => other.to_string(),
        })
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

/// Opens a scene for a command, with additional changes.
pub fn open(open_request: &OpenRequest, more: &[Change]) -> Result<Session, Failure> {
    let mut session = open_request.open_with(more)?;
    session.use_device(device());
    Ok(session)
}

/// Makes a step.
///
/// # Errors
/// The step cannot be made: what follows would show the state before it.
#[cfg(feature = "gui")]
pub fn step(session: &mut Session) -> Result<(), Failure> {
    let step = session.snapshot().step + 1;
    session.dispatch(delassus_session::Command::Step)?;
    if session.snapshot().step < step {
        return Err(Failure::Distrust(format!("not to be trusted: {}", stuck_at(session, step))));
    }
    Ok(())
}

/// Why this step was not made.
pub fn stuck_at(session: &Session, step: u64) -> String {
    let trouble = session.snapshot().trouble.as_ref().map(|trouble| trouble.what.to_string());
    trouble.unwrap_or_else(|| format!("step {step} cannot be made"))
}

/// The graphics device for `solver.device`, shared by all runs; it is opened on first use.
#[cfg(feature = "gpu")]
pub fn device() -> Option<Arc<dyn StepDevice>> {
    static DEVICE: LazyLock<Arc<delassus_gpu::Stepper>> = LazyLock::new(|| Arc::new(delassus_gpu::Stepper::headless()));
    Some(DEVICE.clone())
}

/// Without the feature `gpu` there is no device.
#[cfg(not(feature = "gpu"))]
pub fn device() -> Option<Arc<dyn StepDevice>> {
    None
}

/// Reports once why the processor makes a run's steps although the settings ask for the device.
pub fn report_device(run: &str, session: &mut Session) {
    if let Some(notice) = session.take_device_notice() {
        // A closed standard error is ignored.
        let _ = writeln!(printable::stderr(), "{run}{notice}");
    }
}

/// How often the same mistake of a file is reported.
const MAX_ALIKE: usize = 3;

/// Reports mistakes, one per line.
pub fn report_mistakes(mistakes: &[Mistake]) {
    for line in mistake_lines(mistakes) {
        // A closed standard error is ignored; the exit code shows the failure.
        let _ = writeln!(printable::stderr(), "{}", in_short(&line, std::env::args_os()));
    }
}

/// Mistakes, one per line, in the form that editors can jump to: a file that cannot be read gets line 1, column 1. Of
/// those that read the same only the first few are listed, and how many more there are.
fn mistake_lines(mistakes: &[Mistake]) -> Vec<String> {
    let is_like = |a: &Mistake, b: &Mistake| a.file == b.file && a.what == b.what;
    let mut lines = Vec::new();
    for (index, mistake) in mistakes.iter().enumerate() {
        let before = mistakes[..index].iter().filter(|other| is_like(mistake, other)).count();
        if before >= MAX_ALIKE {
            continue;
        }
        let more = mistakes[index + 1..].iter().filter(|other| is_like(mistake, other)).count();
        let note = match before + 1 {
            MAX_ALIKE if more > 0 => format!(" (and {more} more like this)"),
            _ => String::new(),
        };
        let mistake = Mistake { what: mistake.what.clone() + &note, ..mistake.clone() };
        lines.push(Mistake { line: mistake.line.max(1), column: mistake.column.max(1), ..mistake }.to_string());
    }
    lines
}

/// Prints a value as JSON.
pub fn print_json<T: serde::Serialize>(value: &T, out: &mut impl Write) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(value).map_err(|e| Failure::Error(e.to_string()))?;
    writeln!(out, "{}", printable::json(&text))?;
    Ok(out.flush()?)
}
