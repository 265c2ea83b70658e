//! What the methods that close joints do to the mechanisms of the library. `docs/survey.md` is made by
//! `cargo test --release --no-default-features --test survey -- --ignored`; what it says of running away is held here by
//! a part of it.

mod page;
mod run;

use delassus::scene::{library, library::scenes_folder};
use delassus::session::Session;
use rayon::prelude::*;
use run::{Run, run};

/// The methods, Split first: the others are measured against it.
const METHODS: [&str; 3] = ["Split", "Shake", "Rattle"];
const SOLVERS: [(&str, &[&str]); 4] = [
    ("the scene's own", &[]),
    ("Gauss–Seidel", &["solver.method=GaussSeidel", "solver.rows=Block"]),
    ("Jacobi", &["solver.method=Jacobi", "solver.jacobi=Stable", "solver.rows=Block"]),
    ("whole trees", &["solver.method=GaussSeidel", "solver.rows=Tree"]),
];

/// A scene's runs by one solver, in the methods' order.
struct Runs {
    scene: String,
    solver: usize,
    runs: Vec<Run>,
}

/// Runs the scenes of at most so many bodies that have joints, with their own sweeps, for some seconds.
fn survey(seconds: f32, most: usize, wanted: impl Fn(&str) -> bool + Sync) -> Vec<Runs> {
    let of = |entry: &library::LibraryEntry| {
        let session = Session::open(&entry.path).unwrap_or_else(|e| panic!("{e}"));
        let world = session.world().filter(|world| !world.joints.is_empty() && world.bodies.len() <= most).cloned();
        let each = |solver: usize| {
            let world = world.as_ref()?;
            let by = |method: &&str| {
                let mut world = world.clone();
                let method = format!("stabilization.method={method}");
                for assignment in SOLVERS[solver].1.iter().copied().chain([method.as_str()]) {
                    world.settings.assign(assignment).expect("a setting");
                }
                run(world, seconds)
            };
            Some(Runs { scene: entry.id.clone(), solver, runs: METHODS.iter().map(by).collect() })
        };
        (0..SOLVERS.len()).filter_map(each).collect::<Vec<_>>()
    };
    library(&scenes_folder()).par_iter().filter(|entry| wanted(&entry.id)).flat_map_iter(of).collect()
}

/// What ran away under SHAKE or RATTLE before their account was kept, by one solver or another: nothing is stopped now, and
/// nothing comes to more than two and a half times the energy of motion that split impulses give it.
#[test]
fn what_ran_away_under_shake_runs_away_no_more() {
    const RAN: [&str; 8] = [
        "book/21-ragdoll",
        "jacobi/01-chain-40",
        "lab/08-heavy-on-light",
        "lab/09-slider-crank",
        "lab/10-four-bar",
        "lab/12-watt",
        "lab/17-car",
        "rows/21-ragdoll-joints",
    ];
    let found = survey(3.0, 150, |id| RAN.contains(&id));
    assert_eq!(found.len(), RAN.len() * SOLVERS.len());
    for Runs { scene, solver, runs } in found {
        for (method, run) in METHODS.iter().zip(&runs) {
            let (most, bound) = (run.most, 2.5 * runs[0].most);
            let what = format!("{scene}, {method}, {}", SOLVERS[solver].0);
            assert!(
                run.stopped == 0 && most <= bound,
                "{what}: {most:.3e} J, by split impulses {:.3e} J",
                runs[0].most
            );
        }
    }
}

#[test]
#[ignore = "writes docs/survey.md"]
fn page() {
    page::write(&survey(5.0, 60, |_| true));
}
