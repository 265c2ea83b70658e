//! `delassus check`: lists every mistake of every file, one per line, and what exceeds the budget.

use std::io::Write;
use std::path::Path;

use serde::Serialize;

use super::common::{Failure, print_json, report_mistakes};
use delassus_physics::collide::budget::Excess;
use delassus_physics::settings::Settings;
use delassus_scene::{self as scene, Loaded, Mistake, library};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Scene files, or names from `delassus list`
    #[arg(required_unless_present = "claims", value_name = "SCENE")]
    scenes: Vec<String>,
    /// Try their claims, or those of the whole library, each in a run of its own; exit code 1 if one fails
    #[arg(long)]
    claims: bool,
    /// Print what was found as JSON
    #[arg(long)]
    json: bool,
}

/// The result for a file.
#[derive(Debug, Serialize)]
struct FileReport {
    file: String,
    bodies: usize,
    joints: usize,
    mistakes: Vec<Fault>,
    warnings: Vec<Fault>,
}

/// A mistake; its file may be that of a part.
#[derive(Debug, Serialize)]
struct Fault {
    file: String,
    line: usize,
    column: usize,
    /// The path in the document, such as `bodies[2].shape`; empty if unknown.
    place: String,
    what: String,
}

pub fn check(arguments: &Arguments, out: &mut impl Write) -> Result<(), Failure> {
    if arguments.claims {
        return super::claims::check(&arguments.scenes, arguments.json, out);
    }
    let mut mistaken = false;
    let mut all = Vec::new();
    for scene in &arguments.scenes {
        let path = library::find(scene);
        let (counts, mistakes, warnings) = match scene::read(&path) {
            Ok(loaded) => {
                let counts = (loaded.flat.bodies.len(), loaded.flat.joints.len());
                (counts, delassus_session::claims::mistakes(&path, &loaded), crowds(&path, &loaded))
            }
            Err(mistakes) => ((0, 0), mistakes, Vec::new()),
        };
        mistaken |= !mistakes.is_empty();
        let (bodies, joints) = counts;
        if arguments.json {
            let faults = |list: Vec<Mistake>| list.into_iter().map(fault).collect();
            let (mistakes, warnings) = (faults(mistakes), faults(warnings));
            all.push(FileReport { file: path.display().to_string(), bodies, joints, mistakes, warnings });
            continue;
        }
        report_mistakes(&mistakes);
        report_mistakes(&warnings);
        if mistakes.is_empty() {
            let end = if warnings.is_empty() { "" } else { ", but see the warnings" };
            writeln!(out, "{}: {bodies} bodies, {joints} joints, no mistakes{end}", path.display())?;
        }
    }
    if arguments.json {
        print_json(&all, out)?;
    }
    out.flush()?;
    if mistaken { Err(Failure::AlreadyReported) } else { Ok(()) }
}

/// Warnings if the scene at its start has more contacts than a world can hold, with its own settings or with those of
/// an experiment.
fn crowds(path: &Path, loaded: &Loaded) -> Vec<Mistake> {
    let own_settings = loaded.scene.settings.settings();
    let ways = (loaded.scene.experiments.iter()).filter(|e| e.set.contact != Default::default()).map(|experiment| {
        let mut settings = own_settings;
        experiment.set.apply(&mut settings);
        (format!("in the experiment `{}` ", experiment.name), settings, ["experiments", "", ""])
    });
    let first = (String::new(), own_settings, ["settings", "contact", "prediction"]);
    let mut warnings = Vec::new();
    for (which, settings, place) in std::iter::once(first).chain(ways) {
        if let Some(excess) = crowd(loaded, settings) {
            let (line, column) = scene::line_of(&loaded.text, &place);
            let what = format!("warning: {which}{}", delassus_session::crowd(excess));
            warnings.push(Mistake { file: path.into(), line, column, what, ..Mistake::default() });
        }
    }
    warnings
}

/// The part of a scene's first step that exceeds the budget, if any.
fn crowd(loaded: &Loaded, settings: Settings) -> Option<Excess> {
    if !settings.contact.enabled {
        return None;
    }
    let mut world = loaded.flat.world(settings);
    world.state.contacts.find_pairs(&world.state.bodies, &world.state.velocities, &settings, settings.h());
    if world.state.contacts.excess.is_none() {
        world.state.contacts.find_points(
            (&world.state.bodies, &world.state.sleep),
            &world.state.velocities,
            &settings,
            settings.h(),
        );
    }
    world.state.contacts.excess
}

fn fault(mistake: Mistake) -> Fault {
    let Mistake { file, line, column, place, what, .. } = mistake;
    Fault { file: file.display().to_string(), line: line.max(1), column: column.max(1), place, what }
}
