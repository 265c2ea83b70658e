//! `delassus lesson`: checks a user's own lesson and opens it.

use std::io::Write;
use std::path::PathBuf;

use super::common::{Failure, report_mistakes};
use delassus_app::{self as app, Start};
use delassus_scene::lesson::Lesson;
use delassus_scene::{library, read};
use delassus_session::claims;

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
        let faults = exercise_faults(&lesson);
        if !faults.is_empty() {
            faults.iter().for_each(|fault| eprintln!("{}: the exercise: {fault}", file.display()));
            return Err(Failure::AlreadyReported);
        }
        let trials = lesson.trials.len();
        let exercise = if lesson.exercise.is_some() { ", an exercise" } else { "" };
        writeln!(out, "{}: “{}”, {trials} trials{exercise}, no mistakes", file.display(), lesson.title)?;
        return Ok(out.flush()?);
    }
    let start = Start { lesson: Some(file), ..Start::default() };
    app::run(start).map_err(|error| Failure::Error(error.to_string()))
}

/// What is wrong with the lesson's exercise, found by running its scene.
fn exercise_faults(lesson: &Lesson) -> Vec<String> {
    let Some(exercise) = &lesson.exercise else { return Vec::new() };
    let path = lesson.file.clone().unwrap_or_else(|| library::find(&lesson.scene));
    match read(&path) {
        Ok(loaded) => claims::exercise_faults(&loaded, exercise),
        Err(mistakes) => mistakes.iter().map(ToString::to_string).collect(),
    }
}
