//! Soft rows: springs by frequency and damping ratio, compared with the implicit Euler step of their equation.

use std::f32::consts::TAU;

use delassus_physics::angle::Angle;
use delassus_physics::body::BodyDef;
use delassus_physics::joints::*;
use delassus_physics::row::Softness;
use delassus_physics::shape::Shape;
use delassus_physics::world::{WORLD, World};
use glam::Vec3;

use crate::build::{G, bead, body, close, joint, run, split_blocks};

/// A spring between the centres of two bodies, at rest at the given length.
fn spring(world: &mut World, a: u32, b: u32, length: f32, hertz: f32, damping_ratio: f32) {
    let kind = JointKind::Spring(Spring { length: Some(length), softness: Softness::of(hertz, damping_ratio) });
    let mut def = joint(world, a, b, Vec3::ZERO, Vec3::Z, kind);
    (def.anchor_a, def.anchor_b) = (Vec3::ZERO, Vec3::ZERO);
    world.add_joint(def);
}

/// C(n+1) of a free spring: ((2 + D − w²) C(n) − C(n−1))/(1 + D) with w = ωh, D = exp(2ζw) − 1 while w ≤ ½, the
/// implicit ((2 + 2ζw) C(n) − C(n−1))/(1 + 2ζw + w²) from w = 1 on.
fn next(now: f32, before: f32, (hertz, zeta): (f32, f32), h: f32) -> f32 {
    let w = TAU * hertz * h;
    let (damping, lag) = if w <= 0.5 { ((2.0 * zeta * w).exp_m1(), 0.0) } else { (2.0 * zeta * w, 1.0) };
    assert!(w <= 0.5 || w >= 1.0, "between the two they are mixed");
    ((2.0 + damping + (lag - 1.0) * w * w) * now - before) / (1.0 + damping + lag * w * w)
}

/// Case 4: C(n+1) as in [`next`], for all masses, stabilisation methods, solvers and warm starting; for slow and fast
/// springs.
#[test]
fn spring_follows_its_recurrence() {
    for (method, solver, warm) in [
        ("Split", "GaussSeidel", true),
        ("Baumgarte", "GaussSeidel", false),
        ("Off", "Jacobi", true),
        ("Split", "Direct", true),
    ] {
        for hertz in [2.0, 12.0] {
            let mut world = World::new(split_blocks(&[
                "step.gravity=0,0,0",
                "solver.iterations=200",
                &format!("stabilization.method={method}"),
                &format!("solver.method={solver}"),
                &format!("warm_start.enabled={warm}"),
            ]));
            let a = world.add_body(bead(Vec3::ZERO));
            let b = world.add_body(BodyDef { mass: 3.0, ..bead(Vec3::X * 1.2) });
            spring(&mut world, a, b, 1.0, hertz, 0.1);
            let (mut before, mut now) = (0.2f32, 0.2f32);
            for n in 0..120 {
                world.step();
                (before, now) = (now, next(now, before, (hertz, 0.1), 1.0 / 60.0));
                let stretch =
                    world.state.bodies[b as usize].position.x - world.state.bodies[a as usize].position.x - 1.0;
                close(&format!("{method}, {solver}: step {n}"), stretch, now, 2e-5);
            }
        }
    }
}

/// Case 4: a hanging weight sags by g/ω², however heavy. (As printed by 000 it would sag by 13.6 mm at every
/// frequency.)
#[test]
fn spring_sags_by_gravity_over_omega_squared() {
    for hertz in [1.0f32, 5.0] {
        for mass in [0.5, 20.0] {
            let mut world = World::new(split_blocks(&[]));
            let weight = world.add_body(BodyDef { mass, ..bead(Vec3::new(0.0, 0.0, -1.0)) });
            spring(&mut world, WORLD, weight, 1.0, hertz, 1.0);
            run(&mut world, 5.0);
            let sag = -1.0 - world.state.bodies[weight as usize].position.z;
            let expected = G / (TAU * hertz).powi(2);
            close(&format!("{hertz} Hz, {mass} kg: sag"), sag, expected, 1e-3 * expected);
            close("force", world.state.joints[0].readout.force.length(), mass * G, 1e-3 * mass * G);
        }
    }
}

/// Split corrections ignore springs: a rod that is too long shrinks to its length at (1 − β) a step, however stiff
/// the spring that pulls against it.
#[test]
fn spring_does_not_resist_split_corrections() {
    for solver in ["GaussSeidel", "Direct"] {
        let mut world = World::new(split_blocks(&[
            "step.gravity=0,0,0",
            "stabilization.beta=0.2",
            "solver.iterations=100",
            &format!("solver.method={solver}"),
        ]));
        let ball = world.add_body(bead(Vec3::X * 1.5));
        spring(&mut world, WORLD, ball, 1.5, 10.0, 1.0);
        let kind = JointKind::Distance(Distance { length: Some(1.0) });
        let mut rod = joint(&world, WORLD, ball, Vec3::ZERO, Vec3::Z, kind);
        rod.anchor_b = Vec3::ZERO;
        world.add_joint(rod);
        for _ in 0..20 {
            world.step();
        }
        close(solver, world.state.joints[1].readout.error, 0.5 * 0.8f32.powi(20), 1e-4);
        close("speed", world.state.velocities[ball as usize].linear.length(), 0.0, 1e-3);
    }
}

/// Without spring and damper there is no row, and neither is there one between bodies that cannot move.
#[test]
fn spring_of_no_frequency_is_left_out() {
    let mut world = World::new(split_blocks(&[]));
    let weight = world.add_body(bead(Vec3::new(0.0, 0.0, -1.0)));
    spring(&mut world, WORLD, weight, 1.0, 0.0, 1.0);
    run(&mut world, 0.5);
    assert!(world.system.rows.is_empty() && world.system.blocks.is_empty());
    close("speed", world.state.velocities[weight as usize].linear.z, -G * 0.5, 1e-4);
}

/// A wheel on a hinge with a spring oscillates about the spring's own angle by the same recurrence.
#[test]
fn sprung_hinge_follows_its_recurrence() {
    let mut world = World::new(split_blocks(&["step.gravity=0,0,0"]));
    let wheel = world.add_body(body(Shape::Sphere { radius: 0.5 }, Vec3::ZERO));
    let spring = Some(AngularSpring { softness: Softness::of(2.0, 0.1), angle: Angle::radians(0.5) });
    let kind = JointKind::Hinge(Hinge { spring, ..Hinge::default() });
    world.add_joint(joint(&world, WORLD, wheel, Vec3::ZERO, Vec3::Z, kind));
    let (mut before, mut now) = (-0.5f32, -0.5f32);
    for n in 0..120 {
        world.step();
        (before, now) = (now, next(now, before, (2.0, 0.1), 1.0 / 60.0));
        close(&format!("step {n}"), world.state.joints[0].readout.value - 0.5, now, 2e-4);
    }
}

/// A body on a soft anchor without damping, let go: it swings for ever about its sag. At each passage without load the step
/// was taken for the crack of a whip and divided, which added energy without end.
#[test]
fn a_soft_anchor_without_damping_keeps_its_amplitude() {
    for hertz in [5.0f32, 9.0, 15.0] {
        let text = format!(
            r#"(version: 1, title: "t", bodies: [(name: "b", shape: Box(half: (0.1, 0.1, 0.1)), at: (0.3, 0, 0), mass: 2)],
            joints: [(b: "b", anchor: (0.3, 0, 0), kind: Fixed(), soft: (anchor: (hertz: {hertz}, damping_ratio: 0)))])"#
        );
        let loaded = delassus_scene::read_str(&text, "soft.ron").unwrap_or_else(|mistakes| panic!("{}", mistakes[0]));
        let mut world = loaded.flat.world(loaded.scene.settings.settings());
        let mut swing = |seconds: f64| {
            let (until, mut least, mut most) = (world.state.time + seconds, f32::MAX, f32::MIN);
            while world.state.time < until {
                world.step();
                let z = world.state.bodies[1].position.z;
                (least, most) = (least.min(z), most.max(z));
            }
            most - least
        };
        let begin = swing(2.0);
        swing(16.0);
        let end = swing(2.0);
        assert!((end / begin - 1.0).abs() < 0.02, "{hertz} Hz: {begin} m became {end}");
    }
}
