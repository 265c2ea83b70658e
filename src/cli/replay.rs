//! `delassus replay`: repeats a recorded run and compares the states.

use std::io::Write;
use std::path::PathBuf;

use super::common::{Failure, device};
use delassus_session::recording::{Mismatch, replay};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Recordings, as the window and `delassus run --record` write them
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
}

/// Replays each file; fails if any run differs.
pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<(), Failure> {
    let mut same = true;
    for file in &arguments.files {
        let replay = replay(file, device())?;
        let name = file.display();
        match replay.differs {
            None => writeln!(out, "{name}: {} steps, the same state at all {} checks", replay.steps, replay.checks)?,
            Some(differs) => {
                same = false;
                writeln!(out, "{name}: {}", words(&differs))?;
            }
        }
    }
    if same { Ok(()) } else { Err(Failure::AlreadyReported) }
}

/// Describes where the run differs.
fn words(Mismatch { right, step, recorded, found }: &Mismatch) -> String {
    let found = match found {
        Some(found) => format!("{found} instead of the recorded {recorded}"),
        None => "it cannot be made".to_owned(),
    };
    if step - right == 1 {
        format!("step {step} is the first that differs: {found}")
    } else {
        format!("differs between step {right}, which is right, and step {step}: {found}")
    }
}
