//! Heavy loads that swing on light links.

use delassus_physics::body::BodyDef;
use delassus_physics::breaking::Broken;
use delassus_physics::joint::JointDef;
use delassus_physics::joints::*;
use delassus_physics::shape::Shape;
use delassus_physics::world::{WORLD, World};
use glam::{Quat, Vec3};

use crate::build::{G, body, close, joint, of_library, run, settings};

/// Ten links of 1 kg and 0.5 m on ball joints with a load below, released at 30° from the vertical.
fn chain(load: f32, assignments: &[&str]) -> World {
    let mut world = World::new(settings(assignments));
    let rotation = Quat::from_rotation_y(30f32.to_radians());
    let along = rotation * Vec3::NEG_Z;
    let mut above = WORLD;
    for i in 0..11 {
        let (shape, mass, half) = match i {
            10 => (Shape::Sphere { radius: 0.4 }, load, 0.4),
            _ => (Shape::Capsule { radius: 0.05, half_length: 0.2 }, 1.0, 0.25),
        };
        let at = along * (0.5 * i as f32 + half);
        let link = world.add_body(BodyDef { mass, rotation, collide: false, ..body(shape, at) });
        let kind = JointKind::BallSocket(BallSocket {});
        world.add_joint(joint(&world, above, link, at - half * along, Vec3::Y, kind));
        above = link;
    }
    world
}

/// The energy exchanged by the swing, J: that of the fall of the load's centre, which hangs 5.4 m below the pivot.
fn turned_over(load: f32) -> f64 {
    f64::from(load * G) * 5.4 * (1.0 - 30f64.to_radians().cos())
}

/// The widest gap of a joint, m, and the largest energy gain over the start, J, in a minute.
fn swings(mut world: World) -> (f64, f64) {
    let start = world.metrics().energy();
    let (mut gap, mut gain) = (0.0f64, 0.0f64);
    for _ in 0..3600 {
        world.step();
        let now = world.metrics();
        (gap, gain) = (gap.max(now.joint_error_max), gain.max(now.energy() - start));
    }
    (gap, gain)
}

const STIFF: &str = "stabilization.geometric_stiffness=true";
const SOLVERS: [&[&str]; 2] = [&["solver.rows=Tree"], &["solver.method=Direct"]];

/// A link of 1 kg and 0.5 m under 1000 kg swings sideways at 2 √(T/(m l)) = 280 rad/s; a step of 1/60 s can handle
/// 120. Exact solves alone lose the chain from 100 kg on (90 rad/s, and the pull of the swing itself).
#[test]
fn a_thousand_kilograms_swing_on_links_of_one() {
    for load in [10.0, 100.0, 1000.0] {
        for solver in SOLVERS {
            for method in ["stabilization.method=Split", "stabilization.method=Rattle"] {
                let what = format!("{load} kg, {solver:?}, {method}");
                let (gap, gain) = swings(chain(load, &[&[STIFF, method], solver].concat()));
                // With less than ten kilograms the links themselves still whip, which opens the joints of split
                // impulses by ½ (ω h)² r.
                let most = if method.ends_with("Rattle") {
                    1e-5
                } else if load < 50.0 {
                    2e-3
                } else {
                    1e-3
                };
                assert!(gap < most, "{what}: a joint opened by {gap:.1e} m");
                let most = 0.01 * turned_over(load);
                assert!(gain < most, "{what}: {gain:.1} J gained, of {most} J allowed");
            }
        }
    }
    let (gap, _) = swings(chain(1000.0, &["solver.rows=Tree", "step.max_turn=0"]));
    assert!(gap > 1.0, "without it the links fly apart, here by {gap} m only");
}

/// A chain at rest carries the same loads as before: the inertia that is added neither creates nor removes a load.
#[test]
fn loads_stay_what_they_are() {
    for rod in [false, true] {
        let mut world = World::new(settings(&[STIFF, "solver.rows=Tree"]));
        let mut above = WORLD;
        for i in 0..6 {
            let at = Vec3::NEG_Z * (0.4 * (i + 1) as f32);
            let mass = if i == 5 { 500.0 } else { 1.0 };
            let bead = world.add_body(BodyDef { mass, collide: false, ..body(Shape::Sphere { radius: 0.1 }, at) });
            let kind = |name: &str| JointKind::all().into_iter().find(|kind| kind.info().name == name).expect("a kind");
            let def = joint(
                &world,
                above,
                bead,
                at + 0.2 * Vec3::Z,
                Vec3::Y,
                kind(if rod { "Distance" } else { "BallSocket" }),
            );
            let ends = JointDef { anchor_a: Vec3::ZERO, anchor_b: Vec3::ZERO, ..def.clone() };
            world.add_joint(if rod { ends } else { def });
            above = bead;
        }
        run(&mut world, 3.0);
        let weight = 505.0 * G;
        close("the upper joint's force", world.state.joints[0].readout.force.length(), weight, 1e-3 * weight);
        let fastest = world.state.velocities.iter().map(|u| u.linear.length()).fold(0.0, f32::max);
        assert!(fastest < 1e-3, "rods {rod}: {fastest} m/s at rest");
    }
}

/// A body in free fall falls as always, whatever pulled it before: only held bodies have stiffness.
#[test]
fn a_chain_that_is_let_go_falls_as_a_body_does() {
    let mut world = chain(100.0, &[STIFF, "solver.rows=Tree"]);
    run(&mut world, 0.5);
    let total: f32 = world.state.bodies.iter().filter(|body| body.is_dynamic()).map(|body| body.mass).sum();
    let momentum = |world: &World| -> f32 {
        let moving = world.state.bodies.iter().zip(&world.state.velocities).filter(|(body, _)| body.is_dynamic());
        moving.map(|(body, velocity)| body.mass * velocity.linear.z).sum()
    };
    let before = momentum(&world);
    world.state.joints[0].broken = Some(Broken { time: 0.5, force: 0.0, torque: 0.0 });
    run(&mut world, 0.25);
    let fallen = (momentum(&world) - before) / total;
    close("speed gained in a quarter of a second", fallen, -0.25 * G, 0.01 * G);
}

/// Chains of rods with up to a tonne at the end, at 60 steps a second: without geometric stiffness exact solves lose
/// them.
#[test]
fn rods_with_a_tonne_below_stay_whole() {
    let worst = |assignments: &[&str]| {
        let mut world = of_library("lab/08-heavy-on-light", assignments);
        let mut worst = 0.0f64;
        for _ in 0..1200 {
            world.step();
            worst = worst.max(world.metrics().joint_error_max);
        }
        worst
    };
    let stiff = worst(&["step.rate=60", "solver.rows=Tree", STIFF]);
    assert!(stiff < 1e-3, "a rod is off by {stiff:.1e} m");
    let plain = worst(&["step.rate=60", "solver.rows=Tree"]);
    assert!(plain > 0.1, "without it the rods come apart, here by {plain:.1e} m only");
}
