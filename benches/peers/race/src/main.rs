//! Delassus compared with other engines and, for chains, with a program that does only this, in one run: `scripts/bench`.
//! Prints a table of the median step time, of the ratios, and of the accuracy reached. Engines that were not built are left
//! out. `--also "solver.rows=Tree solver.iterations=4"` adds Delassus with these settings on one thread; it can be given
//! several times.

mod ruler;
mod runner;

use runner::Runner;
use work::scene::Scene;

/// A program with its options: its name in the table, its file, and the arguments after the scene's.
type Way<'a> = (&'a str, &'a str, &'a [&'a str]);

/// Each engine as it comes, on one thread; this one also with the settings of another, and two on two threads.
const AS_THEY_COME: &[Way<'static>] = &[
    ("Rapier", "rapier", &["4"]),
    ("Delassus", "ours", &["solver.threads=1"]),
    ("Box3D", "box3d", &[]),
    ("Jolt", "jolt", &[]),
    ("Delassus, preset Rapier", "ours", &["preset=Rapier", "solver.threads=1"]),
    ("Rapier, 2 threads", "rapier-threads", &["4"]),
    ("Delassus, 2 threads", "ours", &["solver.threads=2"]),
];
/// What one exact step of chains costs at least: a program that does nothing else.
const FLOOR: &[Way<'static>] = &[("floor", "floor", &["1", "1"]), ("floor, 4 sub-steps", "floor", &["4", "1"])];
/// A heap needs no more than two sub-steps.
const HEAP: &[Way<'static>] = &[("Delassus, 2 sub-steps", "ours", &["solver.threads=1", "step.substeps=2"])];
/// Joints solved one by one, as the other engines do.
const RAGDOLLS: &[Way<'static>] = &[("Delassus, joint by joint", "ours", &["solver.threads=1", "solver.rows=Block"])];

fn main() {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut also = Vec::new();
    while let Some(at) = arguments.iter().position(|a| a == "--also") {
        also.extend(arguments.drain(at..(at + 2).min(arguments.len())).nth(1));
    }
    let quick = arguments.iter().any(|a| a == "--quick");
    let only: Vec<&String> = arguments.iter().filter(|a| !a.starts_with("--")).collect();
    let mut list: Vec<(&str, &[Way])> = vec![("chains 250", FLOOR), ("pyramid 20", &[]), ("ragdolls 50", RAGDOLLS)];
    if !quick {
        list.extend([("chains 2500", FLOOR), ("mixed 2500", &[]), ("pyramid 40", &[]), ("heap 5000", HEAP)]);
    }
    let present: Vec<Way> = AS_THEY_COME.iter().copied().filter(|(_, file, _)| runner::is_built(file)).collect();
    println!("| work | engine | ms a step | of Rapier's | joint gap, mean | worst | overlap |");
    println!("|---|---|---|---|---|---|---|");
    for (words, ways) in
        list.into_iter().filter(|(words, _)| only.is_empty() || only.iter().any(|o| words.contains(*o)))
    {
        if let Some(scene) = Scene::named(words) {
            let options: Vec<Vec<&str>> = also.iter().map(|also| own(also)).collect();
            let also = also.iter().zip(&options).map(|(name, options)| (name.as_str(), "ours", options.as_slice()));
            measure(words, &scene, &present.iter().chain(ways).copied().chain(also).collect::<Vec<_>>());
        }
    }
}

/// The options for the requested settings; on one thread, unless they give a number of threads.
fn own(also: &str) -> Vec<&str> {
    std::iter::once("solver.threads=1").chain(also.split_whitespace()).collect()
}

/// A turn takes about this long for the slowest program, ms, and has so many steps. The first steps of a turn find the
/// other programs' data in the caches and take up to twice as long: in turns of ten short steps they are what is timed.
const TURN: f64 = 80.0;
const FEWEST: usize = 10;
const MOST: usize = 40;

/// Runs the programs side by side, some steps each in turn, so that disturbances of the machine affect all of them.
fn measure(words: &str, scene: &Scene, ways: &[Way]) {
    let mut runners: Vec<Runner> = ways.iter().map(|(_, file, options)| Runner::start(file, words, options)).collect();
    let mut slowest = 0.0f64;
    for runner in &mut runners {
        slowest = slowest.max(median(&mut runner.steps(scene.warm)));
    }
    let turn = ((TURN / slowest) as usize).clamp(FEWEST, MOST);
    let mut times: Vec<Vec<f64>> = vec![Vec::new(); runners.len()];
    for begin in (0..scene.steps).step_by(turn) {
        for (runner, times) in runners.iter_mut().zip(&mut times) {
            times.extend(runner.steps((scene.steps - begin).min(turn)));
        }
    }
    let medians: Vec<f64> = times.iter_mut().map(|times| median(times)).collect();
    for ((runner, (name, ..)), ms) in runners.iter_mut().zip(ways).zip(&medians) {
        let poses = runner.poses(scene.bodies.len());
        let (mean, worst) = ruler::gap(scene, &poses);
        let metres = |value: f32, shown: bool| if shown { format!("{value:.1e} m") } else { "–".into() };
        let joints = !scene.joints.is_empty();
        println!(
            "| {} | {name} | {ms:.3} | {:.2} | {} | {} | {} |",
            scene.name,
            ms / medians[0],
            metres(mean, joints),
            metres(worst, joints),
            if scene.collide { metres(ruler::overlap(scene, &poses), true) } else { metres(0.0, false) },
        );
    }
}

fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
