//! Joints that break above a given load.

use delassus_physics::body::{BodyDef, Motion};
use delassus_physics::breaking::Breaks;
use delassus_physics::joint::{JointDef, JointOptions, OwnOptions};
use delassus_physics::joints::*;
use delassus_physics::world::{WORLD, World};
use glam::Vec3;

use crate::build::{G, bead, close, cube, floor, joint, run, split_blocks};

const MASSES: [f32; 5] = [1.0, 2.0, 3.0, 4.0, 5.0];

fn bears(force: f32) -> JointOptions {
    OwnOptions { breaks: Some(Breaks { force: Some(force), torque: None }), ..OwnOptions::default() }.into()
}

/// A chain of those masses, a metre apart, hung from the world; each link breaks above `force`.
fn chain(kind: JointKind, force: f32, assignments: &[&str]) -> World {
    let mut world = World::new(split_blocks(assignments));
    let mut above = WORLD;
    for (i, mass) in MASSES.into_iter().enumerate() {
        let link = world.add_body(BodyDef { mass, ..bead(Vec3::new(0.0, 0.0, -(i as f32) - 1.0)) });
        let distance = !kind.info().coincident;
        world.add_joint(JointDef {
            a: above,
            b: link,
            anchor_a: Vec3::ZERO,
            anchor_b: if distance { Vec3::ZERO } else { Vec3::Z },
            axis_a: Vec3::Z,
            axis_b: Vec3::Z,
            kind,
            collide: false,
            options: bears(force),
        });
        above = link;
    }
    world
}

/// Case 3 with links that break: the highest carries all masses, 15 g = 147.15 N, the next 14 g = 137.34 N. With a
/// limit above the first value the chain holds; with a limit between the two only the highest link breaks and the
/// rest falls.
#[test]
fn a_chain_breaks_at_the_weight_that_it_carries() {
    let weight = MASSES.iter().sum::<f32>() * G;
    let next = weight - MASSES[0] * G;
    assert!(next < 140.0 && 140.0 < weight && weight < 155.0);
    for kind in [JointKind::Rope(Rope { length: None }), JointKind::BallSocket(BallSocket {})] {
        for method in ["GaussSeidel", "Direct"] {
            let assignments = ["solver.iterations=100", &format!("solver.method={method}")];
            let mut holds = chain(kind, 155.0, &assignments);
            run(&mut holds, 3.0);
            assert_eq!(holds.metrics().broken, 0, "{kind:?} by {method} holds");
            close("load", holds.state.joints[0].readout.force.length(), weight, 1e-2);

            let mut breaks = chain(kind, 140.0, &assignments);
            run(&mut breaks, 1.0);
            let broken: Vec<_> = breaks.state.joints.iter().map(|j| j.broken.is_some()).collect();
            assert_eq!(broken, [true, false, false, false, false], "{kind:?} by {method}");
            let broke = breaks.state.joints[0].broken.unwrap();
            assert!(broke.force > 140.0 && broke.force < 1.01 * weight, "under {} N", broke.force);
            // Everything below falls together, in free fall since then, without rows and force.
            let steps = (f64::from(breaks.settings.step.rate) * (breaks.state.time - broke.time)).round();
            close("falls", breaks.state.velocities[5].linear.z, -(f64::from(G) * steps / 60.0) as f32, 2e-2);
            assert_eq!(breaks.system.rows_of(0), 0..0);
            assert_eq!((breaks.state.joints[0].readout.force, breaks.state.joints[0].readout.error), (Vec3::ZERO, 0.0));
        }
    }
}

/// A weld bears the moment m g d of a load held at arm's length, and no more.
#[test]
fn a_weld_breaks_by_torque() {
    let moment = 2.0 * G * 0.5;
    for (most, breaks) in [(1.01 * moment, false), (0.99 * moment, true)] {
        let mut world = World::new(split_blocks(&["solver.iterations=200"]));
        let load = world.add_body(BodyDef { mass: 2.0, collide: false, ..cube(0.1, 0.5 * Vec3::X) });
        let mut def = joint(&world, WORLD, load, Vec3::ZERO, Vec3::Z, JointKind::Fixed(Fixed::default()));
        def.options.breaks = Some(Breaks { force: None, torque: Some(most) });
        world.add_joint(def);
        run(&mut world, 1.0);
        assert_eq!(world.state.joints[0].broken.is_some(), breaks, "at {most} N·m");
    }
}

/// Bodies that their joint kept from colliding can touch after it has broken, unless another joint still prevents
/// that.
#[test]
fn broken_joints_let_their_bodies_collide() {
    for others in [0, 1] {
        let mut world = World::new(split_blocks(&[]));
        let ground = world.add_body(floor());
        let block = world.add_body(cube(0.25, Vec3::Z));
        let mut def = joint(&world, ground, block, Vec3::Z, Vec3::Z, JointKind::Fixed(Fixed::default()));
        def.options = bears(0.5 * G);
        world.add_joint(def);
        for _ in 0..others {
            let drive = AngularMotor { motor: AngularDrive { speed: 0.0, max_torque: 0.0 } };
            world.add_joint(joint(&world, ground, block, Vec3::Z, Vec3::Z, JointKind::AngularMotor(drive)));
        }
        run(&mut world, 2.0);
        assert!(world.state.joints[0].broken.is_some());
        let z = world.state.bodies[block as usize].position.z;
        if others == 0 { close("rests on the floor", z, 0.25, 1e-2) } else { assert!(z < -5.0, "fell to {z}") }
    }
}

/// Breaking is checked after every sub-step, and a static joint's readings show it from then on.
#[test]
fn breaking_is_dated_by_the_substep() {
    let mut world = World::new(split_blocks(&["step.substeps=4", "solver.iterations=50"]));
    let body = world.add_body(BodyDef { motion: Motion::Dynamic, ..bead(-Vec3::Z) });
    let mut def = joint(&world, WORLD, body, Vec3::ZERO, Vec3::Z, JointKind::BallSocket(BallSocket {}));
    def.options = bears(0.5 * G);
    world.add_joint(def);
    world.step();
    let broken = world.state.joints[0].broken.unwrap();
    close("time", broken.time as f32, 1.0 / 240.0, 1e-7);
    close("force", broken.force, G, 1e-2);
    // The first sub-step held it, the other three let it fall.
    close("speed", world.state.velocities[body as usize].linear.z, -G * 3.0 / 240.0, 1e-4);
}

/// Settings: the limits of joints that have none of their own, and whether joints break at all.
#[test]
fn settings_say_what_all_joints_bear() {
    let hung = |own: &JointOptions, assignments: &[&str]| {
        let mut world = World::new(split_blocks(assignments));
        let body = world.add_body(bead(-Vec3::Z));
        let mut def = joint(&world, WORLD, body, Vec3::ZERO, Vec3::Z, JointKind::BallSocket(BallSocket {}));
        def.options = own.clone();
        world.add_joint(def);
        run(&mut world, 1.0);
        world.metrics().broken
    };
    let (none, weak, strong) = (&JointOptions::default(), &bears(0.5 * G), &bears(2.0 * G));
    assert_eq!(hung(none, &[]), 0);
    // A weight of 9.81 N.
    assert_eq!(hung(none, &["breaking.force=9"]), 1);
    assert_eq!(hung(none, &["breaking.force=10"]), 0);
    assert_eq!(hung(none, &["breaking.torque=0.1"]), 0);
    // A joint's own limit takes precedence.
    assert_eq!((hung(strong, &["breaking.force=9"]), hung(weak, &["breaking.force=1000"])), (0, 1));
    assert_eq!(hung(weak, &["breaking.force=9", "breaking.enabled=false"]), 0);
}
