//! Tests the claims of the library's scenes and experiments: `delassus check --claims` as a test.

use super::every_scene::experiment_trouble;
use delassus_scene::{self as scene, library, library::scenes_folder};
use delassus_session::claims::{ClaimVerdict, exercise_faults, mistakes, trial_run};
use rayon::prelude::*;

/// The scenes of the library except the largest ones, read.
fn all() -> Vec<(library::LibraryEntry, scene::Loaded)> {
    let mut scenes = library::ordinary(&scenes_folder());
    scenes.extend(library::arena(&scenes_folder()));
    assert!(scenes.len() >= 80, "the library was not found");
    let read =
        |entry: &library::LibraryEntry| scene::read(&entry.path).unwrap_or_else(|e| panic!("{}: {e:?}", entry.id));
    scenes.into_iter().map(|entry| (entry.clone(), read(&entry))).collect()
}

#[test]
fn every_scene_and_experiment_claims_something() {
    let silent: Vec<String> = (all().iter())
        .flat_map(|(entry, loaded)| {
            let own = loaded.scene.claims.is_empty().then(|| entry.id.clone());
            let experiments = loaded.scene.experiments.iter().filter(|experiment| experiment.claims.is_empty());
            own.into_iter().chain(experiments.map(|experiment| format!("{} “{}”", entry.id, experiment.name)))
        })
        .collect();
    assert!(silent.is_empty(), "{}", silent.join("\n"));
}

#[test]
fn every_claim_of_the_library_is_kept_and_nothing_is_stopped_in_any_experiment() {
    let all = all();
    let slips: Vec<_> = all.iter().flat_map(|(entry, loaded)| mistakes(&entry.path, loaded)).collect();
    assert!(slips.is_empty(), "{slips:#?}");
    let runs: Vec<_> = (all.iter())
        .flat_map(|(entry, loaded)| {
            let whose = std::iter::once(None).chain((0..loaded.scene.experiments.len()).map(Some));
            whose.map(move |whose| (&entry.id, loaded, whose))
        })
        .collect();
    let broken: Vec<String> = (runs.par_iter())
        .flat_map_iter(|(id, loaded, whose)| {
            let name = whose.map_or("", |index| &loaded.scene.experiments[index].name);
            let broken =
                |outcome: &delassus_session::claims::ClaimOutcome| !matches!(outcome.verdict, ClaimVerdict::Held(_));
            let (outcomes, mut world) = trial_run(loaded, *whose);
            let broken = outcomes.into_iter().filter(broken);
            let broken = broken.map(|outcome| format!("{id} “{name}”: {}: {:?}", outcome.text, outcome.verdict));
            let trouble = whose.and_then(|_| experiment_trouble(id, name, &mut world));
            broken.chain(trouble).collect::<Vec<_>>()
        })
        .collect();
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn every_exercise_of_the_library_has_a_solution_that_solves_it() {
    let folder = scenes_folder();
    let lessons = scene::lesson::all(&folder);
    let tasks: Vec<_> = lessons.iter().filter_map(|lesson| Some((lesson, lesson.exercise.as_ref()?))).collect();
    assert!(tasks.len() >= 4, "the exercises were not found");
    let faults: Vec<String> = (tasks.par_iter())
        .flat_map_iter(|(lesson, exercise)| {
            let path = folder.join(format!("{}.ron", lesson.scene));
            let loaded = scene::read(&path).unwrap_or_else(|e| panic!("{}: {e:?}", lesson.id));
            exercise_faults(&loaded, exercise).into_iter().map(|fault| format!("{}: {fault}", lesson.id))
        })
        .collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
