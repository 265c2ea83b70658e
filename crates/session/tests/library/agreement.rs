//! The solvers agree: Gauss–Seidel (by blocks, rows, inner sweeps and trees) and Jacobi, run to convergence, find the
//! direct solver's velocities after the first step of every scene of the library, without warm starting and with
//! everything in the scene: loops, limits, motors, springs, contacts, friction.

use std::collections::HashSet;

use delassus_physics::settings::{FrictionModel, JacobiStep, Method, RowSolve};
use delassus_physics::spectrum::{SWEEPS, Scratch, estimate};
use delassus_physics::work::Work;
use delassus_physics::world::World;
use delassus_scene::{Loaded, library, library::scenes_folder, read};
use rayon::prelude::*;

/// The most sweeps of a round, and the change per sweep at which the first round ends, m/s and rad/s: the resolution
/// of 32 bits at a few m/s.
const MOST: u32 = 20_000;
const STILL: f32 = 3e-7;
/// After 20,000 sweeps, rounding errors along a mechanism's free motion remain that further sweeps cannot remove. A
/// round solves the same step again starting from the impulses of the last round, which computes the velocities anew.
const ROUNDS: u32 = 8;
/// Relative difference of velocities, without friction.
const SAME: f32 = 1e-5;
/// With friction convergence is slow: the changes per sweep are small, but many sweeps remain; Jacobi is the slower
/// one.
const SAME_IN_TOUCH: f32 = 1e-4;
const SAME_IN_TOUCH_BY_JACOBI: f32 = 1e-2;

/// Scenes that 20,000 sweeps in 32 bits bring less near from a cold start: the remaining difference of Gauss–Seidel
/// and of Jacobi if it exceeds the bounds above, and that of the direct solver, m/s.
const SLOW: &[(&str, Option<f32>, Option<f32>, &str)] = &[
    ("lab/01-stack-10", Some(5e-4), None, "ten layers, 1 − ρ = 2.5e-4; direct 1e-15"),
    (
        "lab/02-pyramid-20",
        Some(1.3e-3),
        Some(0.03),
        "20 layers, 2,212 points, slide and spin bound together, colour by colour (8e-4 in the order of the pairs); \
         direct 5e-10",
    ),
    ("lab/06-card-house", Some(4e-4), Some(0.05), "cards held by friction alone; direct 2e-9"),
    (
        "lab/07-arch",
        Some(1.5e-3),
        Some(0.4),
        "a ring of 90 points under thrust, slide and spin bound together; direct 2e-9",
    ),
    ("lab/08-heavy-on-light", Some(6e-3), Some(0.06), "1000:1 on a stack, 1 − ρ = 7e-5; direct 6e-11"),
];

/// The world before its first step, set to one of the solvers.
fn world(loaded: &Loaded, method: Method, rows: RowSolve) -> World {
    let mut settings = loaded.scene.settings.settings();
    (settings.solver.method, settings.solver.rows) = (method, rows);
    settings.solver.jacobi = JacobiStep::MassSplitting;
    (settings.solver.iterations, settings.solver.tolerance) = (MOST, STILL);
    settings.step.substeps = 1;
    // The number of relaxing sweeps after the step is fixed, whatever the solver.
    settings.stabilization.relax = 0;
    let mut world = loaded.flat.world(settings);
    // 20,000 sweeps of a large scene are more work than a step may be.
    world.report.work = Work::of(u64::MAX);
    world
}

/// Takes the first step, repeated until it is within `allowed` of the exact one or the rounds are used up. Returns
/// the difference as a share of the largest velocity or g h.
fn settle(mut world: World, exact: &World, allowed: f32) -> f32 {
    let (bodies, velocities) = (world.state.bodies.clone(), world.state.velocities.clone());
    world.step();
    for _ in 1..ROUNDS {
        if apart(&world, exact) <= allowed || exact.contact_points().next().is_some() {
            break;
        }
        // About twice as fast as mass splitting, and stable: ω is below 2/λmax of the same rows.
        let largest = estimate(exact, &mut Scratch::default(), SWEEPS).largest;
        let solver = &mut world.settings.solver;
        (solver.tolerance, solver.jacobi, solver.relaxation) = (0.0, JacobiStep::Manual, 1.5 / largest);
        let warm = &mut world.settings.warm_start;
        (warm.enabled, warm.factor, warm.impulse_cap) = (true, 1.0, 0.0);
        world.state.bodies.clone_from(&bodies);
        world.state.velocities.clone_from(&velocities);
        (world.state.time, world.state.step_count) = (0.0, 0);
        world.step();
    }
    apart(&world, exact)
}

/// The largest difference of two worlds' velocities relative to the largest velocity, which is at least that of a
/// step's free fall.
fn apart(world: &World, exact: &World) -> f32 {
    let fall = exact.settings.step.gravity.length() * exact.settings.h();
    let (mut most, mut scale) = (0.0f32, fall.max(0.01));
    for (v, e) in world.state.velocities.iter().zip(&exact.state.velocities) {
        let (linear, angular) = (v.linear - e.linear, v.angular - e.angular);
        most = most.max(linear.abs().max_element()).max(angular.abs().max_element());
        scale = scale.max(e.linear.abs().max_element()).max(e.angular.abs().max_element());
    }
    most / scale
}

/// The bits after a first step of a few sweeps.
fn begun(world: &World) -> u64 {
    let mut world = world.clone();
    world.settings.solver.iterations = 12;
    world.step();
    world.hash()
}

/// Compares the solvers on one scene; returns the differences beyond the bounds.
fn compare(id: &str, loaded: &Loaded) -> Vec<String> {
    let mut apart = Vec::new();
    let mut exact = world(loaded, Method::Direct, RowSolve::Block);
    exact.step();
    let touching = exact.contact_points().next().is_some();
    let frictionless =
        exact.settings.friction.model == FrictionModel::Off || exact.contact_points().all(|p| p.mu == 0.0);
    let slow = SLOW.iter().find(|(slow, ..)| *slow == id);
    let mut seen = HashSet::new();
    for (method, rows) in [
        (Method::GaussSeidel, RowSolve::Block),
        (Method::GaussSeidel, RowSolve::Scalar),
        (Method::GaussSeidel, RowSolve::Inner),
        (Method::GaussSeidel, RowSolve::Tree),
        (Method::GaussSeidel, RowSolve::Mechanism),
        (Method::Jacobi, RowSolve::Block),
        (Method::Jacobi, RowSolve::Mechanism),
    ] {
        let allowed = match method {
            _ if frictionless => SAME,
            Method::Jacobi => slow.and_then(|s| s.2).unwrap_or(SAME_IN_TOUCH_BY_JACOBI),
            _ => slow.and_then(|s| s.1).unwrap_or(SAME_IN_TOUCH),
        };
        let mut world = world(loaded, method, rows);
        if touching && frictionless {
            // Contacts without friction must agree like joints: they get all sweeps.
            world.settings.solver.tolerance = 0.0;
        }
        // Without joints most modes are one: what has the same bits after a few sweeps has them after all.
        if !seen.insert((method == Method::Jacobi, begun(&world))) {
            continue;
        }
        let share = settle(world, &exact, allowed);
        if share > allowed || share.is_nan() {
            let residual = exact.report.residual;
            apart.push(format!(
                "{id}, {method:?}, {rows:?}: {share:.1e} apart, {allowed:.1e} allowed, direct residual {residual:.0e}"
            ));
        }
    }
    apart
}

#[test]
fn solvers_agree_on_every_scene() {
    let scenes = library::ordinary(&scenes_folder());
    assert!(scenes.len() > 80, "{} scenes: the library was not found", scenes.len());
    let apart: Vec<String> = (scenes.par_iter().with_max_len(1))
        .flat_map_iter(|entry| {
            let loaded = read(&entry.path).unwrap_or_else(|mistakes| panic!("{}", mistakes[0]));
            compare(&entry.id, &loaded)
        })
        .collect();
    assert!(apart.is_empty(), "{}", apart.join("\n"));
}

/// In a heap of ragdolls, limits and contacts press against each other, and large impulses that grow together have no
/// effect. The direct solver must not allow that: joints and contacts do no work on the whole, so its energy only
/// falls. Which bodies jam is random, so a slightly different heap, with initial velocities changed by 0.03 mm/s,
/// must behave the same.
#[test]
fn the_direct_solver_adds_no_energy_to_a_heap() {
    let loaded = read(&library::find("lab/04-ragdolls-50")).unwrap_or_else(|mistakes| panic!("{}", mistakes[0]));
    let energy = |world: &World| world.metrics().kinetic_energy + world.metrics().potential_energy;
    for nudge in [0.0, 3e-5] {
        let mut world = world(&loaded, Method::Direct, RowSolve::Block);
        world.state.velocities.iter_mut().skip(3).step_by(7).for_each(|velocity| velocity.linear.x += nudge);
        let start = energy(&world);
        for _ in 0..110 {
            world.step();
            let now = energy(&world);
            assert!(now < 1.01 * start, "{now} J of {start} J after {:.2} s, nudged by {nudge} m/s", world.state.time);
        }
    }
}
