//! Delassus compared with Rapier and, for chains, with a program that does only this, in one run: `scripts/bench`.
//! Prints a table of the median step time, of the ratios, and of the accuracy reached. `--also "solver.rows=Tree
//! solver.iterations=4"` adds Delassus with these settings on one thread; it can be given several times.

mod ruler;
mod runner;

use runner::Runner;
use work::scene::Scene;

/// A program with its options: its name in the table, its file, and the arguments after the scene's.
type Way<'a> = (&'a str, &'a str, &'a [&'a str]);

const RAPIER: Way<'static> = ("Rapier, 4 sub-steps", "rapier", &["4"]);
/// As it comes, with the default settings, against the other engine as it comes.
const DEFAULT: Way<'static> = ("Delassus, as it comes", "ours", &["solver.threads=1"]);
const SWEEPS: Way<'static> =
    ("Delassus, 10 sweeps", "ours", &["preset=SingleStep", "solver.threads=1", "solver.rows=Block"]);
const TREES: Way<'static> =
    ("Delassus, trees", "ours", &["preset=SingleStep", "solver.threads=1", "solver.rows=Tree", "solver.iterations=1"]);
const TREES_BY_TWO: Way<'static> = (
    "Delassus, trees, 2 threads",
    "ours",
    &["preset=SingleStep", "solver.threads=2", "solver.rows=Tree", "solver.iterations=1"],
);
const TREES_OF_FOUR: Way<'static> = (
    "Delassus, trees, 4 sub-steps, 2 threads",
    "ours",
    &["preset=SingleStep", "solver.threads=2", "solver.rows=Tree", "solver.iterations=1", "step.substeps=4"],
);
const SWEPT_TREES: Way<'static> = (
    "Delassus, trees, 4 sweeps",
    "ours",
    &["preset=SingleStep", "solver.threads=1", "solver.rows=Tree", "solver.iterations=4"],
);
const SWEPT_TREES_BY_TWO: Way<'static> = (
    "Delassus, trees, 4 sweeps, 2 threads",
    "ours",
    &["preset=SingleStep", "solver.threads=2", "solver.rows=Tree", "solver.iterations=4"],
);
/// A pyramid of 40 stands with 32 sweeps. With sixteen it seems to rest, buckles slowly and falls after 17 s.
const MORE_SWEEPS: Way<'static> = (
    "Delassus, 32 sweeps",
    "ours",
    &["preset=SingleStep", "solver.threads=1", "solver.rows=Block", "solver.iterations=32"],
);
/// Four sub-steps of one sweep, as in the other engine: soft contacts, detected once a step, and friction after the
/// main sweeps. A heap needs only two.
const SMALL_STEPS: Way<'static> =
    ("Delassus, 4 small steps", "ours", &small_steps("step.substeps=4", "solver.threads=1"));
const TWO_SMALL_STEPS: Way<'static> =
    ("Delassus, 2 small steps", "ours", &small_steps("step.substeps=2", "solver.threads=1"));
const TWO_SMALL_STEPS_BY_TWO: Way<'static> =
    ("Delassus, 2 small steps, 2 threads", "ours", &small_steps("step.substeps=2", "solver.threads=2"));

/// The same without what the other engine leaves out by its defaults: see [`AS_THE_OTHER`].
const TWO_SMALL_STEPS_AS_THE_OTHER: Way<'static> = (
    "Delassus, 2 small steps, 2 threads, as Rapier models it",
    "ours",
    &with(small_steps("step.substeps=2", "solver.threads=2"), ["warm_start.safeguard=Off", "contact.continuous=Off"]),
);

/// Small steps with two settings more.
const fn with([a, b, c, d, e, f, g, h, i, l]: [&'static str; 10], [j, k]: [&'static str; 2]) -> [&'static str; 12] {
    [a, b, c, d, e, f, g, h, i, l, j, k]
}

const fn small_steps(substeps: &'static str, threads: &'static str) -> [&'static str; 10] {
    [
        "preset=SingleStep",
        threads,
        substeps,
        "solver.rows=Block",
        "solver.iterations=1",
        "stabilization.contacts=Soft",
        "stabilization.hertz=60",
        "contact.slop=0.003",
        "contact.collide=EachStep",
        "friction.deferred=true",
    ]
}
/// Five sweeps leave no more overlap in a heap than the other engine.
const FEW_SWEEPS: Way<'static> = (
    "Delassus, 5 sweeps",
    "ours",
    &["preset=SingleStep", "solver.threads=1", "solver.rows=Block", "solver.iterations=5"],
);
const FEW_SWEEPS_BY_TWO: Way<'static> = (
    "Delassus, 5 sweeps, 2 threads",
    "ours",
    &["preset=SingleStep", "solver.threads=2", "solver.rows=Block", "solver.iterations=5"],
);
/// The same without what the other engine omits by default: continuous collision detection for fast bodies, the
/// safeguard of old impulses; and contacts are predicted over a distance similar to the other engine's. It does have
/// the gyroscopic term by default.
const AS_THE_OTHER: Way<'static> = (
    "Delassus, 3 sweeps, as Rapier models it",
    "ours",
    &[
        "preset=SingleStep",
        "solver.threads=1",
        "solver.rows=Block",
        "solver.iterations=3",
        "stabilization.method=Split",
        "stabilization.beta=0.6",
        "warm_start.safeguard=Off",
        "contact.continuous=Off",
        "contact.prediction=0.003",
    ],
);
/// Joints corrected separately from the velocities, not by the step itself.
const SPLIT: Way<'static> = (
    "Delassus, split impulses",
    "ours",
    &["preset=SingleStep", "solver.threads=1", "solver.rows=Block", "stabilization.method=Split"],
);
const FLOOR: Way<'static> = ("floor", "floor", &["1", "1"]);
const FLOOR_OF_FOUR: Way<'static> = ("floor, 4 sub-steps", "floor", &["4", "1"]);

const CHAINS: &[Way<'static>] = &[RAPIER, DEFAULT, SWEEPS, TREES, TREES_BY_TWO, TREES_OF_FOUR, FLOOR, FLOOR_OF_FOUR];
const MIXED: &[Way<'static>] = &[RAPIER, DEFAULT, SWEEPS, SWEPT_TREES, SWEPT_TREES_BY_TWO];
const CONTACTS: &[Way<'static>] = &[RAPIER, DEFAULT, SWEEPS, SMALL_STEPS];
const TOWER: &[Way<'static>] = &[RAPIER, DEFAULT, SWEEPS, MORE_SWEEPS, SMALL_STEPS];
const HEAP: &[Way<'static>] = &[
    RAPIER,
    DEFAULT,
    SWEEPS,
    FEW_SWEEPS,
    FEW_SWEEPS_BY_TWO,
    TWO_SMALL_STEPS,
    TWO_SMALL_STEPS_BY_TWO,
    TWO_SMALL_STEPS_AS_THE_OTHER,
];
const RAGDOLLS: &[Way<'static>] = &[RAPIER, DEFAULT, SWEEPS, SPLIT, AS_THE_OTHER];

fn main() {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut also = Vec::new();
    while let Some(at) = arguments.iter().position(|a| a == "--also") {
        also.extend(arguments.drain(at..(at + 2).min(arguments.len())).nth(1));
    }
    let quick = arguments.iter().any(|a| a == "--quick");
    let only: Vec<&String> = arguments.iter().filter(|a| !a.starts_with("--")).collect();
    let mut list = vec![("chains 250", CHAINS), ("pyramid 20", CONTACTS), ("ragdolls 50", RAGDOLLS)];
    if !quick {
        list.extend([("chains 2500", CHAINS), ("mixed 2500", MIXED), ("pyramid 40", TOWER), ("heap 5000", HEAP)]);
    }
    println!("| work | engine | ms a step | of Rapier's | joint gap, mean | worst | overlap |");
    println!("|---|---|---|---|---|---|---|");
    for (words, ways) in
        list.into_iter().filter(|(words, _)| only.is_empty() || only.iter().any(|o| words.contains(*o)))
    {
        if let Some(scene) = Scene::named(words) {
            let options: Vec<Vec<&str>> = also.iter().map(|also| own(also)).collect();
            let also = also.iter().zip(&options).map(|(name, options)| (name.as_str(), "ours", options.as_slice()));
            measure(words, &scene, &ways.iter().copied().chain(also).collect::<Vec<_>>());
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
