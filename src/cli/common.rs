//! What the commands share: why one did not succeed, how a scene is opened, and how things are told.

use std::io::{self, Write};
use std::sync::Arc;
#[cfg(feature = "gpu")]
use std::sync::LazyLock;

use crate::opening::{Change, OpenRequest, OpeningError};
use crate::physics::device::StepDevice;
use crate::scene::Mistake;
use crate::session::{Session, SessionError};

/// Why a command did not succeed.
#[derive(Debug)]
pub enum Failure {
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

/// Opens a scene for a command, with further changes behind those that were given.
pub fn open(opening: &OpenRequest, more: &[Change]) -> Result<Session, Failure> {
    let mut session = opening.open_with(more)?;
    session.use_device(device());
    Ok(session)
}

/// What makes the steps where `solver.device` asks for it, one for all runs; it is opened when one does.
#[cfg(feature = "gpu")]
pub fn device() -> Option<Arc<dyn StepDevice>> {
    static DEVICE: LazyLock<Arc<crate::gpu::Stepper>> = LazyLock::new(|| Arc::new(crate::gpu::Stepper::headless()));
    Some(DEVICE.clone())
}

/// This program was built without it.
#[cfg(not(feature = "gpu"))]
pub fn device() -> Option<Arc<dyn StepDevice>> {
    None
}

/// Says once why the processor makes a run's steps although the settings ask for the device.
pub fn tell_device(run: &str, session: &mut Session) {
    if let Some(notice) = session.take_device_notice() {
        // Nobody to tell if standard error is closed.
        let _ = writeln!(io::stderr(), "{run}{notice}");
    }
}

/// Tells of mistakes, a line each, as tools that jump to places read them: of a file that cannot be read its beginning.
pub fn report_mistakes(mistakes: &[Mistake]) {
    for mistake in mistakes {
        let placed = Mistake { line: mistake.line.max(1), column: mistake.column.max(1), ..mistake.clone() };
        // Nobody to tell if standard error is closed; the exit code tells.
        let _ = writeln!(io::stderr(), "{placed}");
    }
}

/// Prints something as JSON.
pub fn print_json<T: serde::Serialize>(told: &T, out: &mut impl Write) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(told).map_err(|e| Failure::Error(e.to_string()))?;
    writeln!(out, "{text}")?;
    Ok(out.flush()?)
}
