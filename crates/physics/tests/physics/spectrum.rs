//! How fast sweeps converge, compared with closed forms and with the solver itself; and the bounds of warm starting,
//! tested on both sides.

use delassus_scene::Words as _;
use std::f32::consts::PI;

use delassus_physics::body::{BodyDef, Motion};
use delassus_physics::joints::{BallSocket, Distance, Hinge, JointKind};
use delassus_physics::shape::Shape;
use delassus_physics::spectrum::{SWEEPS, Scratch, Spectrum, estimate};
use delassus_physics::stability::{Stability, stability};
use delassus_physics::world::{WORLD, World};
use glam::Vec3;

use crate::build::{bead, body, close, cube, joint, run, settings, split_blocks};

const GAUSS_SEIDEL: &[&str] = &["solver.method=GaussSeidel"];
const JACOBI: &[&str] = &["solver.method=Jacobi", "solver.jacobi=Manual", "solver.relaxation=1"];

/// A rod between the centres of two bodies.
fn rod(world: &mut World, a: u32, b: u32) {
    let mut def = joint(world, a, b, Vec3::ZERO, Vec3::Z, JointKind::Distance(Distance { length: None }));
    (def.anchor_a, def.anchor_b) = (Vec3::ZERO, Vec3::ZERO);
    world.add_joint(def);
}

/// `links` rods of 1 m between point masses of 1 kg in a line along x; the first end is fixed to the world or is a
/// mass itself. The speeds along the line are noise, so that all modes occur.
fn line(links: usize, held: bool, assignments: &[&str]) -> World {
    let mut world = World::new(split_blocks(assignments));
    world.settings.step.gravity = Vec3::ZERO;
    let noise = |i: usize| Vec3::X * ((i * 7919 % 97) as f32 / 48.0 - 1.0);
    let mut last = if held { WORLD } else { world.add_body(BodyDef { velocity: noise(0), ..bead(Vec3::ZERO) }) };
    for i in 1..=links {
        let next = world.add_body(BodyDef { velocity: noise(i), ..bead(Vec3::X * i as f32) });
        rod(&mut world, last, next);
        last = next;
    }
    world
}

fn spectrum(world: &World) -> Spectrum {
    estimate(world, &mut Scratch::default(), SWEEPS)
}

fn judge(world: &World) -> Stability {
    stability(world, &mut Scratch::default(), SWEEPS)
}

/// n links, one end fixed: ρ_J = cos(π/2n), ρ_GS = ρ_J², λmax(D⁻¹A) = 1 + ρ_J. Free: cos(π/(n + 1)). The distance to
/// 1, which is what matters, within 2 %.
#[test]
fn radius_of_a_line_matches_the_closed_form() {
    for links in [2, 5, 10, 40] {
        for held in [true, false] {
            let n = links as f32;
            let expected = if held { (PI / (2.0 * n)).cos() } else { (PI / (n + 1.0)).cos() };
            let name = format!("{links} links, held {held}");
            let mut world = line(links, held, JACOBI);
            world.step();
            let jacobi = spectrum(&world);
            close(&format!("{name}: 1 − ρ_J"), 1.0 - jacobi.radius, 1.0 - expected, 0.02 * (1.0 - expected));
            close(&format!("{name}: λmax"), jacobi.largest, 1.0 + expected, 0.002 * (1.0 + expected));
            let mut world = line(links, held, GAUSS_SEIDEL);
            world.step();
            let (found, expected) = (spectrum(&world).radius, expected * expected);
            close(&format!("{name}: 1 − ρ_GS"), 1.0 - found, 1.0 - expected, 0.02 * (1.0 - expected));
        }
    }
}

/// The largest speed with which a rod still grows or shrinks after a step of this many sweeps from zero.
fn left_after(build: &dyn Fn(&str) -> World, sweeps: u32) -> f32 {
    let mut world = build(&format!("solver.iterations={sweeps}"));
    world.step();
    world.report.residual
}

/// The rate at which the solver itself converges, from the residuals after this many sweeps and after twice as many.
fn measured(build: &dyn Fn(&str) -> World, sweeps: u32) -> f32 {
    (left_after(build, 2 * sweeps) / left_after(build, sweeps)).powf(1.0 / sweeps as f32)
}

/// The solver itself: its residual falls by the closed form's ρ per sweep.
#[test]
fn solver_converges_at_the_closed_form_rate() {
    for (links, sweeps) in [(3, 12), (5, 40), (10, 130)] {
        let n = links as f32;
        let expected = (PI / (2.0 * n)).cos();
        let build = |iterations: &str| line(links, true, &[GAUSS_SEIDEL, &[iterations]].concat());
        let rate = measured(&build, sweeps);
        close(&format!("{links} links: ρ_GS"), rate, expected * expected, 0.02 * (1.0 - expected * expected));
        let build = |iterations: &str| line(links, true, &[JACOBI, &[iterations]].concat());
        let rate = measured(&build, 2 * sweeps);
        close(&format!("{links} links: ρ_J"), rate, expected, 0.02 * (1.0 - expected));
    }
}

/// A bent chain of bodies of different masses.
fn chain(assignments: &[&str]) -> World {
    let mut world = World::new(split_blocks(assignments));
    let mut above = WORLD;
    for i in 0..6 {
        let at = Vec3::new(0.8, 0.0, -0.6) * (i as f32 + 1.0);
        let link = world.add_body(BodyDef { mass: 1.0 + 0.5 * i as f32, collide: false, ..cube(0.3, at) });
        let kind = if i % 2 == 0 { JointKind::BallSocket(BallSocket {}) } else { JointKind::Hinge(Hinge::default()) };
        world.add_joint(joint(&world, above, link, at - Vec3::new(0.4, 0.0, -0.3), Vec3::Y, kind));
        above = link;
    }
    world
}

/// The estimate is the rate of the solver as configured: method, ω, split masses, blocks or rows, soft rows.
#[test]
fn estimate_is_the_rate_of_the_configured_solver() {
    for assignments in [
        &["solver.method=GaussSeidel", "solver.rows=Block"][..],
        &["solver.method=GaussSeidel", "solver.rows=Scalar", "solver.order=Backward"],
        &["solver.method=Jacobi", "solver.rows=Block", "solver.jacobi=Stable"],
        &["solver.method=Jacobi", "solver.rows=Block", "solver.jacobi=MassSplitting"],
        &["solver.method=Jacobi", "solver.rows=Scalar", "solver.jacobi=Manual", "solver.relaxation=0.3"],
        &["solver.method=GaussSeidel", "solver.rows=Block", "stabilization.method=Soft", "stabilization.hertz=60"],
    ] {
        let build = |iterations: &str| chain(&[assignments, &[iterations]].concat());
        let mut world = build("solver.iterations=10");
        world.step();
        let found = spectrum(&world);
        assert!(found.settled, "{assignments:?}");
        // Over the number of sweeps that leave about a hundredth.
        let sweeps = (4.0 / -found.radius.ln()).clamp(10.0, 400.0) as u32;
        let rate = measured(&build, sweeps);
        close(&format!("{assignments:?}: 1 − ρ"), 1.0 - found.radius, 1.0 - rate, 0.05 * (1.0 - rate));
    }
}

/// A hub with six welds at its centre: D⁻¹A has the eigenvalue 6, so ω = 1 multiplies the error by −5; 1/n and split
/// masses are stable.
#[test]
fn hub_of_six_is_called_unstable() {
    let hub = |assignments: &[&str]| {
        let mut world =
            World::new(split_blocks(&[&["solver.method=Jacobi", "solver.iterations=2"], assignments].concat()));
        let hub = world.add_body(BodyDef { velocity: Vec3::X, ..bead(Vec3::ZERO) });
        for _ in 0..6 {
            let kind = JointKind::BallSocket(BallSocket {});
            world.add_joint(joint(&world, WORLD, hub, Vec3::ZERO, Vec3::Z, kind));
        }
        world.step();
        judge(&world)
    };
    let wild = hub(&["solver.jacobi=Manual", "solver.relaxation=1"]);
    close("λmax", wild.spectrum.largest, 6.0, 1e-3);
    close("ρ", wild.spectrum.radius, 5.0, 1e-3);
    assert_eq!(wild.spectrum.blocks_per_body, 6);
    assert_eq!(wild.warnings.len(), 1);
    let text = wild.warnings[0].words().to_string();
    assert!(text.contains("0.333") && text.contains("0.167") && text.contains("5.000"), "{text}");
    assert!(hub(&["solver.jacobi=Stable"]).warnings.is_empty());
    assert!(hub(&["solver.jacobi=MassSplitting"]).warnings.is_empty());
    // 0.3 is above 1/n and below 2/λmax: it overshoots, (1 − 1.8)² = 0.64, and converges.
    assert!(hub(&["solver.jacobi=Manual", "solver.relaxation=0.3"]).warnings.is_empty());
}

/// Whether the errors of a line that moves slightly decay with warm starting, and the stability that is reported.
fn dies_away(assignments: &[&str]) -> (bool, Stability) {
    let mut world = line(10, true, &[assignments, &["solver.method=GaussSeidel"]].concat());
    world.state.velocities.iter_mut().for_each(|v| v.linear *= 0.1);
    world.step();
    let judged = judge(&world);
    let mut worst = |seconds: f64| {
        let steps = (seconds * 60.0) as u32;
        (0..steps)
            .map(|_| {
                world.step();
                world.state.joints.iter().map(|j| j.readout.error).fold(0.0, f32::max)
            })
            .fold(0.0f32, f32::max)
    };
    let before = worst(3.0);
    worst(6.0);
    let after = worst(3.0);
    // The remaining error may be rounding only.
    (after < 0.7 * before || after < 2e-6, judged)
}

/// Warm starting with factor f and Baumgarte is stable while f (1 + β) ρᴺ < 1, and no further. Ten links at β = 0.2,
/// f = 1 need ln(1/1.2)/ln cos²(π/20) = 7.35, so 8 sweeps.
#[test]
fn warm_start_bound_of_baumgarte_holds_on_both_sides() {
    let base = ["stabilization.method=Baumgarte", "stabilization.beta=0.2"];
    let with = |more: &[&str]| dies_away(&[&base[..], more].concat());
    for (more, stable) in [
        (&["solver.iterations=8"][..], true),
        (&["solver.iterations=6"], false),
        (&["solver.iterations=4"], false),
        // ρ⁴ = 0.906: f must stay below 1/(1.2 · 0.906) = 0.920.
        (&["solver.iterations=4", "warm_start.factor=0.88"], true),
        (&["solver.iterations=4", "warm_start.factor=0.96"], false),
        (&["solver.iterations=4", "warm_start.enabled=false"], true),
        // β must stay below 1/0.906 − 1 = 0.104.
        (&["solver.iterations=4", "stabilization.beta=0.08"], true),
        (&["solver.iterations=4", "stabilization.beta=0.13"], false),
        (&["solver.iterations=4", "stabilization.method=Split"], true),
        (&["solver.iterations=4", "stabilization.method=Nonlinear"], true),
    ] {
        let (dies, judged) = with(more);
        assert_eq!(dies, stable, "{more:?}: errors die away: {dies}");
        assert_eq!(judged.warnings.is_empty(), stable, "{more:?}: {:?}", judged.warnings);
    }
    let (_, judged) = with(&["solver.iterations=4"]);
    assert_eq!(judged.sweeps_needed, Some(8));
    let text = judged.warnings[0].words().to_string();
    assert!(text.contains("at least 8 iterations") && text.contains("0.92") && text.contains("0.10"), "{text}");
}

/// Two equal rods on one bead: λmax(D⁻¹A) = 2. At ω = 0.8 a sweep multiplies an error by −0.6: with an odd number of
/// sweeps warm starting becomes unstable, since −0.6 < −1/3; −0.6² = 0.36 and, at ω = 0.64, −0.28 are stable.
#[test]
fn odd_sweeps_that_overshoot_swing_warm_starting_up() {
    let run = |relaxation: &str, sweeps: &str, warm: &str| {
        let mut world = World::new(split_blocks(&[
            "solver.method=Jacobi",
            "solver.jacobi=Manual",
            "stabilization.method=Off",
            relaxation,
            sweeps,
            warm,
        ]));
        let ball = world.add_body(bead(Vec3::X));
        world.settings.step.gravity = Vec3::X;
        rod(&mut world, WORLD, ball);
        rod(&mut world, WORLD, ball);
        (0..40).for_each(|_| world.step());
        let fast = world.state.velocities[ball as usize].linear.length();
        (fast, judge(&world).warnings)
    };
    let on = "warm_start.enabled=true";
    let g_h = 1.0 / 60.0;
    for (relaxation, sweeps, warm, stable) in [
        ("solver.relaxation=0.8", "solver.iterations=1", on, false),
        ("solver.relaxation=0.8", "solver.iterations=2", on, true),
        ("solver.relaxation=0.8", "solver.iterations=3", on, true),
        ("solver.relaxation=0.8", "solver.iterations=1", "warm_start.enabled=false", true),
        ("solver.relaxation=0.64", "solver.iterations=1", on, true),
        ("solver.relaxation=0.7", "solver.iterations=1", on, false),
    ] {
        let (fast, warnings) = run(relaxation, sweeps, warm);
        assert_eq!(fast < 2.0 * g_h, stable, "{relaxation}, {sweeps}, {warm}: {fast} m/s");
        assert_eq!(warnings.is_empty(), stable, "{relaxation}, {sweeps}, {warm}: {warnings:?}");
    }
}

/// With a tolerance the sweeps end when they no longer change anything by more than it, and their number is reported;
/// the remaining error is the geometric series after the last change, at most tolerance · ρ/(1 − ρ).
#[test]
fn sweeps_end_at_the_tolerance() {
    for method in ["GaussSeidel", "Jacobi"] {
        for stabilization in ["Split", "Off"] {
            let with = |more: &[&str]| {
                let mut world = chain(
                    &[
                        &[
                            &format!("solver.method={method}")[..],
                            &format!("stabilization.method={stabilization}"),
                            "solver.jacobi=MassSplitting",
                            "solver.iterations=1000",
                        ],
                        more,
                    ]
                    .concat(),
                );
                world.step();
                world
            };
            let (all, some) = (with(&[]), with(&["solver.tolerance=1e-4"]));
            assert_eq!(all.metrics().sweeps, 1000.0, "{method}");
            let sweeps = some.metrics().sweeps;
            assert!(sweeps > 10.0 && sweeps < 900.0, "{method}: {sweeps} sweeps");
            let rho = spectrum(&some).radius;
            let left = 1e-4 * rho / (1.0 - rho);
            for (found, exact) in some.state.velocities.iter().zip(&all.state.velocities) {
                let apart = (found.linear - exact.linear).abs().max_element();
                assert!(apart < 3.0 * left, "{method}: {apart} m/s apart, {left} expected");
            }
        }
    }
    // Nothing to do: one sweep per sub-step detects that.
    let mut world = World::new(split_blocks(&["solver.tolerance=1e-3", "step.substeps=4"]));
    let still = world.add_body(BodyDef { motion: Motion::Static, ..bead(Vec3::ZERO) });
    let ball = world.add_body(bead(Vec3::X));
    rod(&mut world, still, ball);
    run(&mut world, 1.0);
    assert!(world.metrics().sweeps < 2.5, "{} sweeps", world.metrics().sweeps);
}

/// If the setting asks for it, ρ is in the metrics every so many steps, and converges to the true value while the
/// world rests.
#[test]
fn live_estimate_comes_to_the_true_value() {
    let mut world = line(20, true, &["solver.spectrum_every=5", "stabilization.method=Off"]);
    world.step();
    assert_eq!(world.metrics().radius, None);
    for _ in 0..99 {
        world.step();
    }
    let expected = (PI / 40.0).cos().powi(2);
    close("1 − ρ", 1.0 - world.metrics().radius.unwrap() as f32, 1.0 - expected, 0.02 * (1.0 - expected));
    world.settings.solver.spectrum_every = 0;
    world.step();
    assert_eq!(world.metrics().radius, None);
}

/// Six bars on hinges whose ends are both held: whole trees leave the loop's error, as large a share a sweep with
/// hinges, five rows of which repeat others, as with ball joints, none of which does.
#[test]
fn a_loop_of_redundant_rows_has_a_radius() {
    let radius = |hinges: bool| {
        let mut world = World::new(settings(&["solver.rows=Tree"]));
        let mut above = WORLD;
        for bar in 0..6 {
            let left = Vec3::X * 0.5 * bar as f32;
            let shape = Shape::Box { half: Vec3::new(0.25, 0.05, 0.05) };
            let id = world.add_body(BodyDef { collide: false, ..body(shape, left + Vec3::X * 0.25) });
            let kind = match hinges {
                true => JointKind::Hinge(Hinge::default()),
                false => JointKind::BallSocket(BallSocket {}),
            };
            world.add_joint(joint(&world, above, id, left, Vec3::Y, kind));
            if bar == 5 {
                world.add_joint(joint(&world, WORLD, id, left + Vec3::X * 0.5, Vec3::Y, kind));
            }
            above = id;
        }
        // They sag first: in a straight line the loop is singular.
        run(&mut world, 1.0);
        world.pipeline.executor.keep_rows = true;
        world.step();
        estimate(&world, &mut Scratch::default(), SWEEPS).radius
    };
    let [balls, hinges] = [false, true].map(radius);
    assert!((balls - hinges).abs() < 1e-3 && balls > 0.9, "{balls} and {hinges}");
}
