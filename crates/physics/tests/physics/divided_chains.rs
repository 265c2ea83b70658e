//! Divided steps of chains that snap taut, and of one mechanism among many.

use delassus_physics::body::BodyDef;
use delassus_physics::joints::*;
use delassus_physics::world::{WORLD, World};
use glam::Vec3;

use crate::build::{bead, joint, settings};
use crate::divided::{RATE, rotor};

/// A chain of `count` beads of 1 kg, 0.25 m apart, that hangs on the world by its first bead and is let go level;
/// the last bead has a mass of `end` kg.
fn level_chain(count: usize, end: f32) -> World {
    let mut world = World::new(settings(&[]));
    let mut last = WORLD;
    for index in 0..count {
        let at = Vec3::X * (0.25 * (index + 1) as f32);
        let mass = if index + 1 == count { end } else { 1.0 };
        let next = world.add_body(BodyDef { mass, collide: false, ..bead(at) });
        let pivot = at - Vec3::X * 0.25;
        world.add_joint(joint(&world, last, next, pivot, Vec3::Z, JointKind::BallSocket(BallSocket {})));
        last = next;
    }
    world
}

/// The widest gap of a joint in some seconds, m, and the change of energy as a share of the most energy of motion.
fn gap_and_loss(world: &mut World, seconds: f32) -> (f32, f64) {
    let energy = |world: &World| {
        let metrics = world.metrics();
        (metrics.energy(), metrics.kinetic_energy)
    };
    let (start, mut gap, mut swing) = (energy(world).0, 0.0f32, 0.0f64);
    for _ in 0..(seconds * RATE) as u32 {
        world.step();
        gap = world.state.joints.iter().map(|joint| joint.readout.error).fold(gap, f32::max);
        swing = swing.max(energy(world).1);
    }
    (gap, (energy(world).0 - start) / swing)
}

/// A chain let go level cracks at its end. Its links are held by rigid joints and nothing else, so its joints are
/// closed and its energy is what it was at the start. (A chain of 20 was open by 5 mm and lost a quarter of its
/// swing: only the share of all energy was looked at, at the ends of whole steps.)
#[test]
fn a_long_chain_that_is_let_go_level_stays_closed_and_keeps_its_energy() {
    for count in [10, 20, 40] {
        let (gap, loss) = gap_and_loss(&mut level_chain(count, 1.0), 10.0);
        assert!(gap < 1e-4, "{count} beads: open by {gap} m");
        assert!(loss.abs() < 0.01, "{count} beads: energy off by {loss} of the swing");
    }
}

/// A weight at its end pulls the chain taut within a step that begins and ends slack. (It was open by 10 mm.)
#[test]
fn a_chain_that_a_weight_snaps_taut_stays_closed() {
    for weight in [5.0, 20.0, 100.0] {
        let (gap, _) = gap_and_loss(&mut level_chain(10, weight), 10.0);
        assert!(gap < 3e-3, "{weight} kg: open by {gap} m");
    }
}

/// A chain with more bodies than two batches is one mechanism: its steps are divided like those of a short one.
#[test]
fn a_chain_of_many_hundred_beads_is_divided_too() {
    let mut world = level_chain(600, 1.0);
    let (gap, _) = gap_and_loss(&mut world, 0.5);
    let most = world.report.parts;
    assert!(most > 1, "in {most} parts");
    assert!(gap < 1e-3, "open by {gap} m");
}

/// All bodies take the parts that one of them asks for, so one of many mechanisms asks for less: 256 parts times its
/// share of the moving bodies. Among 15 still pendulums a whirling one has 16, among 255 none.
#[test]
fn one_of_many_mechanisms_asks_for_its_share_of_the_parts() {
    for (others, parts) in [(0, 256), (15, 16), (127, 2), (255, 1)] {
        let mut world = rotor(100.0 * RATE, &["step.max_turn=0.1"]);
        for index in 0..others {
            let at = Vec3::Z * (3.0 + index as f32);
            let bead = world.add_body(bead(at + Vec3::X));
            let ball = joint(&world, WORLD, bead, at, Vec3::Z, JointKind::BallSocket(BallSocket {}));
            world.add_joint(ball);
        }
        world.step();
        assert_eq!(world.report.parts, parts, "{others} others");
    }
}
