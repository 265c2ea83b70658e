//! `delassus lesson`: checks a user's own lesson and opens it.

use std::io::Write;
use std::path::PathBuf;

use super::common::{Failure, report_mistakes};
use delassus_app::{self as app, Start};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The lesson's file: docs/teaching.md
    file: PathBuf,
    /// Only look for mistakes
    #[arg(long)]
    check: bool,
}

/// Reports all mistakes, or opens the window with the lesson in the Guide.
pub fn run(arguments: Arguments, out: &mut impl Write) -> Result<(), Failure> {
    let Arguments { file, check } = arguments;
    let lesson = app::lesson(&file).map_err(|mistakes| {
        report_mistakes(&mistakes);
        Failure::AlreadyReported
    })?;
    if check {
        let trials = lesson.trials.len();
        writeln!(out, "{}: “{}”, {trials} trials, no mistakes", file.display(), lesson.title)?;
        return Ok(out.flush()?);
    }
    let start = Start { lesson: Some(file), ..Start::default() };
    app::run(start).map_err(|error| Failure::Error(error.to_string()))
}
