//! Growth of energy from rest: every kind of joint × solvers × stabilisations. `docs/growth.md` is written by `cargo
//! test --release -p delassus-session --test growth -- --ignored`; a part of its statements is tested here.

mod chain;
mod page;

use std::ops::ControlFlow;

use chain::{Link, Pose, chain, gain, links};
use delassus_physics::preset::Preset;
use delassus_physics::settings::Settings;
use delassus_physics::spectrum::Scratch;
use delassus_physics::stability::{stability, whips};
use delassus_session::WATCH;
use rayon::prelude::*;

/// The solvers and row modes.
const METHODS: &[(&str, &[&str])] = &[
    ("Gauss–Seidel", &["solver.rows=Block"]),
    ("Gauss–Seidel, scalar rows", &["solver.rows=Scalar"]),
    ("Gauss–Seidel, whole joints", &["solver.rows=Joint"]),
    ("Gauss–Seidel, whole trees", &["solver.rows=Tree"]),
    ("Jacobi, ω = 1/n", &["solver.method=Jacobi", "solver.rows=Block"]),
    ("Jacobi, mass splitting", &["solver.method=Jacobi", "solver.jacobi=MassSplitting", "solver.rows=Block"]),
    ("Jacobi, conjugate", &["solver.method=Jacobi", "solver.jacobi=Conjugate", "solver.rows=Block"]),
    ("direct", &["solver.method=Direct"]),
];
const LOADS: [f32; 2] = [1.0, 100.0];
const POSES: [Pose; 2] = [Pose::Level, Pose::Hanging];
const WAYS: &[&str] = &["Off", "Split", "Nonlinear", "Shake", "Rattle", "Soft", "Baumgarte"];

fn settings(method: &[&str], way: &str, more: &[&str]) -> Settings {
    let mut settings = Preset::SingleStep.settings();
    let way = format!("stabilization.method={way}");
    for assignment in method.iter().chain(more).chain([&way.as_str()]) {
        settings.assign(assignment).expect("a setting");
    }
    settings
}

/// The largest gain of a chain of eight links.
fn measured(link: Link, load: f32, pose: Pose, settings: Settings, seconds: f32) -> f64 {
    gain(&mut chain(link, 8, load, pose, settings), seconds, |_, _| ControlFlow::Continue(()))
}

/// Without feedback of errors no sweep adds energy, whatever the masses: at most one per cent of what gravity
/// converts, because split impulses and position sweeps lift bodies. The theorem is in `warm_start_limiter.rs`.
#[test]
fn no_sweep_gains_energy_without_feedback() {
    // A spring is a force: its stiffness depends on the effective mass of its row, and so on the pose.
    let rigid = links().into_iter().filter(|link| !link.name.starts_with("Spring"));
    for (number, link) in rigid.enumerate() {
        for (index, (name, method)) in METHODS.iter().enumerate().filter(|(_, (name, _))| *name != "direct") {
            for (third, way) in ["Off", "Split", "Nonlinear"].into_iter().enumerate() {
                // One combination of light or heavy load and initial pose each, in turn.
                let turn = number + index + third;
                let (load, pose) = ([100.0, 1.0][turn / 2 % 2], [Pose::Level, Pose::Hanging][turn % 2]);
                let gained = measured(link, load, pose, settings(method, way, &[]), 3.0);
                assert!(gained < 1e-2, "{}, {name}, {way}, {load}:1, {pose:?}: gained {gained}", link.name);
            }
        }
    }
}

/// The same sweeps without the safeguard explode under a heavy load, Jacobi's first.
#[test]
fn sweeps_without_the_safeguard_explode() {
    let ball = links()[0];
    for step in ["Stable", "MassSplitting", "Conjugate"] {
        let jacobi = format!("solver.jacobi={step}");
        let method = ["solver.method=Jacobi", "solver.rows=Block", &jacobi];
        let gained = measured(ball, 100.0, Pose::Level, settings(&method, "Off", &["warm_start.safeguard=Off"]), 5.0);
        assert!(gained > 1e3, "{step}: {gained}");
    }
}

/// Steps between two checks: until their time is up, and one for rounding.
const LOOK: u32 = (WATCH * 60.0) as u32 + 1;

/// The ways whose gain stays bounded.
const BOUNDED: [&str; 2] = ["Shake", "Rattle"];

/// A case that gains more energy than gravity can convert.
struct Grown {
    case: String,
    /// How joints are closed, and the gain.
    way: &'static str,
    gained: f64,
    /// The gain at the time of the first warning.
    gain_at_warning: Option<f64>,
}

/// Every case whose gain exceeds the energy that gravity can convert was reported before it reached a fifth of that:
/// every kind of joint, both loads, horizontal and hanging. If the step closes the joints the gain stays bounded,
/// with or without stops: a hinge whose stop was out of reach at a step's end once ran away with the direct solver.
#[test]
fn growth_is_told_before_it_is_seen() {
    let grown: Vec<Grown> = links().into_par_iter().flat_map_iter(grown).collect();
    let late: Vec<_> = grown.iter().filter(|grown| !grown.gain_at_warning.is_some_and(|at| at < 0.2)).collect();
    let cases: Vec<&str> = late.iter().map(|grown| grown.case.as_str()).collect();
    assert!(late.is_empty(), "{} of {} warned of too late:\n{}", late.len(), grown.len(), cases.join("\n"));
    assert!(grown.len() > 10, "{}", grown.len());
    for Grown { case, gained, .. } in grown.iter().filter(|grown| BOUNDED.contains(&grown.way)) {
        assert!(*gained < 30.0, "{case}");
    }
}

/// The cases of a kind of joint that gain energy.
fn grown(link: Link) -> Vec<Grown> {
    let mut grown = Vec::new();
    for (name, method) in METHODS.iter().filter(|(name, _)| *name != "Gauss–Seidel, scalar rows") {
        for way in WAYS {
            for (load, pose) in LOADS.iter().flat_map(|load| POSES.map(|pose| (*load, pose))) {
                let mut world = chain(link, 8, load, pose, settings(method, way, &[]));
                let (mut scratch, mut gain_at_warning, mut steps) = (Scratch::default(), None, 0);
                let gained = gain(&mut world, 3.0, |world, gained| {
                    steps += 1;
                    if gain_at_warning.is_none() && (steps % LOOK == 0 || whips(world).is_some()) {
                        gain_at_warning = (!stability(world, &mut scratch, 256).warnings.is_empty()).then_some(gained);
                    }
                    // How much more is gained is asked of these alone.
                    let asked = BOUNDED.contains(way);
                    if gain_at_warning.is_some() && gained > 1.0 && !asked {
                        ControlFlow::Break(())
                    } else {
                        ControlFlow::Continue(())
                    }
                });
                if gained > 1.0 {
                    let case = format!(
                        "{}, {name}, {way}, {load}:1, {pose:?}: gained {gained:.3}, warned at {gain_at_warning:?}",
                        link.name
                    );
                    grown.push(Grown { case, way, gained, gain_at_warning });
                }
            }
        }
    }
    grown
}

#[test]
#[ignore = "writes docs/growth.md"]
fn page() {
    page::write();
}
