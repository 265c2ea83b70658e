//! `delassus check --claims`: tests the claims of scenes and of their experiments, each in its own run.

use std::io::Write;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde::Serialize;

use super::common::{Failure, print_json, report_mistakes};
use delassus_scene::{self as scene, Loaded, library};
use delassus_session::claims::{ClaimOutcome, ClaimVerdict, mistakes, trial};

/// The result of a claim, as JSON.
#[derive(Debug, Serialize)]
struct Line {
    scene: String,
    /// Empty for the scene itself.
    experiment: String,
    claim: String,
    /// `held`, `failed` or `unclear`.
    verdict: &'static str,
    /// The deciding value, or why the claim could not be evaluated.
    value: String,
}

/// Tests the claims of these scenes, or of the whole library, and prints a table.
pub fn check(scenes: &[String], json: bool, out: &mut impl Write) -> Result<(), Failure> {
    let files: Vec<PathBuf> = if scenes.is_empty() {
        let (root, path) = (library::scenes_folder(), |entry: library::LibraryEntry| entry.path);
        library::ordinary(&root).into_iter().chain(library::arena(&root)).map(path).collect()
    } else {
        scenes.iter().map(|scene| library::find(scene)).collect()
    };
    let mut mistaken = false;
    let mut all: Vec<(PathBuf, Loaded)> = Vec::new();
    for file in files {
        let read = scene::read(&file);
        let wrong = read.as_ref().map_or_else(Clone::clone, |loaded| mistakes(&file, loaded));
        mistaken |= !wrong.is_empty();
        report_mistakes(&wrong);
        all.extend(read.ok().map(|loaded| (file, loaded)));
    }
    // The scene itself, then its experiments. Runs are parallel, the table keeps this order.
    let jobs: Vec<(&Path, &Loaded, Option<usize>)> = (all.iter())
        .flat_map(|(file, loaded)| {
            let whose = std::iter::once(None).chain((0..loaded.scene.experiments.len()).map(Some));
            whose.map(move |whose| (file.as_path(), loaded, whose))
        })
        .collect();
    let tried: Vec<Vec<ClaimOutcome>> = jobs.par_iter().map(|(_, loaded, whose)| trial(loaded, *whose)).collect();
    let lines: Vec<Line> = (jobs.iter().zip(tried))
        .flat_map(|((file, loaded, whose), outcomes)| {
            outcomes.into_iter().map(|outcome| line(file, loaded, *whose, outcome))
        })
        .collect();
    let failed = lines.iter().filter(|line| line.verdict != "held").count();
    if json {
        print_json(&lines, out)?;
    } else {
        table(&lines, failed, out)?;
    }
    if mistaken || failed > 0 { Err(Failure::AlreadyReported) } else { Ok(()) }
}

fn line(file: &Path, loaded: &Loaded, whose: Option<usize>, outcome: ClaimOutcome) -> Line {
    let (verdict, value) = match outcome.verdict {
        ClaimVerdict::Held(value) => ("held", value.to_string()),
        ClaimVerdict::Failed(value) => ("failed", value.to_string()),
        ClaimVerdict::Unclear(why) => ("unclear", why),
        ClaimVerdict::Pending(_) => ("unclear", "the run ended before that".into()),
    };
    let experiment = whose.map_or_else(String::new, |index| loaded.scene.experiments[index].name.clone());
    Line { scene: file.display().to_string(), experiment, claim: outcome.text, verdict, value }
}

fn table(lines: &[Line], failed: usize, out: &mut impl Write) -> Result<(), Failure> {
    let width = lines.iter().map(|line| line.claim.chars().count()).max().unwrap_or(0).min(70);
    let mut last = ("", "");
    for line in lines {
        let now = (line.scene.as_str(), line.experiment.as_str());
        if now.0 != last.0 {
            writeln!(out, "{}", line.scene)?;
        }
        if now != last && !line.experiment.is_empty() {
            writeln!(out, "  “{}”", line.experiment)?;
        }
        last = now;
        let verdict = if line.verdict == "held" { "held   " } else { "FAILED " };
        writeln!(out, "    {verdict} {:width$}  {}", line.claim, line.value)?;
    }
    writeln!(out, "{} claims, {failed} failed", lines.len())?;
    Ok(out.flush()?)
}
