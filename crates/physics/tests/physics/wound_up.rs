//! Ropes that are wound up to their end: the hook at the rope's end stops at the drum, 1.05 radii from its axis.

use delassus_physics::body::{BodyDef, Motion};
use delassus_physics::joint::{JointDef, JointOptions};
use delassus_physics::joints::*;
use delassus_physics::settings::Settings;
use delassus_physics::shape::Shape;
use delassus_physics::world::{WORLD, World};
use glam::{Quat, Vec3};

use crate::build::{G, bead, body, floor, joint};

/// Default settings, and those under which the other ropes are tested.
const SETTINGS: [&[&str]; 4] = [
    &[],
    &["solver.method=Direct"],
    &["stabilization.method=Baumgarte"],
    &["stabilization.method=Baumgarte", "solver.method=Direct"],
];

/// A drum at the origin about y, whose motor hauls up a weight; all masses kg, speed rad/s, torque N·m.
struct Winch {
    radius: f32,
    drum: f32,
    weight: f32,
    speed: f32,
    cap: f32,
    /// Of the rope off the drum, m.
    length: f32,
}

/// The bodies and joints of a winch, by their indices.
const DRUM: usize = 1;
const WEIGHT: usize = 2;
const MOTOR: usize = 0;
const ROPE: usize = 1;

fn rope(world: &World, a: u32, b: u32, radius: f32) -> JointDef {
    let axis_a = world.state.bodies[a as usize].rotation.inverse() * Vec3::Y;
    let (anchor_a, anchor_b, axis_b, collide) = (Vec3::ZERO, Vec3::ZERO, Vec3::Y, false);
    let kind = JointKind::Drum(Drum { radius, length: None });
    JointDef { a, b, anchor_a, anchor_b, axis_a, axis_b, kind, collide, options: JointOptions::default() }
}

fn world(assignments: &[&str]) -> World {
    let mut world = World::new(Settings::default());
    assignments.iter().for_each(|assignment| world.settings.assign(assignment).expect("a valid assignment"));
    world
}

/// A drum about y on the world, with a motor.
fn driven(world: &mut World, at: Vec3, (radius, mass): (f32, f32), (speed, cap): (f32, f32)) -> u32 {
    let shape = Shape::Cylinder { radius: radius.abs(), half_length: 0.05 };
    let rotation = Quat::from_rotation_arc(Vec3::Z, Vec3::Y);
    let wheel = world.add_body(BodyDef { mass, rotation, collide: false, ..body(shape, at) });
    let motor = Some(AngularDrive { speed, max_torque: cap });
    let hinge = JointKind::Hinge(Hinge { motor, ..Hinge::default() });
    world.add_joint(joint(world, WORLD, wheel, at, Vec3::Y, hinge));
    wheel
}

impl Winch {
    fn world(&self, assignments: &[&str]) -> World {
        let mut world = world(assignments);
        // The rope is wound up by turns of the radius' sign.
        let speed = self.speed * self.radius.signum();
        let wheel = driven(&mut world, Vec3::ZERO, (self.radius, self.drum), (speed, self.cap));
        let at = Vec3::new(-self.radius, 0.0, -self.length);
        let weight = world.add_body(BodyDef { mass: self.weight, ..bead(at) });
        world.add_joint(rope(&world, wheel, weight, self.radius));
        world
    }
}

/// The distance of B's anchor from the drum's axis, m.
fn away(world: &World, joint: usize) -> f32 {
    let joint = &world.state.joints[joint];
    let frames = joint.frames(&world.state.bodies);
    frames.p().reject_from_normalized(frames.axis_a).length()
}

/// Steps for so many seconds; the largest error of a rope, m, and the least distance of its end from the drum, m.
fn watched(world: &mut World, joint: usize, seconds: f32) -> (f32, f32) {
    let (mut error, mut least) = (0.0f32, f32::INFINITY);
    for _ in 0..(seconds * 60.0) as usize {
        world.step();
        let read = &world.state.joints[joint].readout;
        assert!(read.is_finite() && world.report.fault.is_none(), "{:?}", world.report.fault);
        (error, least) = (error.max(read.error), least.min(away(world, joint)));
    }
    (error, least)
}

/// The rope of a hoist was wound up to the drum's rim, where it had no tangent: its row vanished, and it opened by 0.39 m.
#[test]
fn a_rope_that_is_wound_up_to_its_end_stays_closed() {
    for assignments in SETTINGS {
        let mut world = world(assignments);
        world.add_body(floor());
        let radius = 0.15;
        let wheel = driven(&mut world, Vec3::new(-1.0, 0.0, 0.5), (radius, 20.0), (2.0, 300.0));
        let at = [(0.0, 2.0), (2.0, 0.41)].map(|(x, z)| Vec3::new(x, 0.0, z));
        let halves = [Vec3::splat(0.2), Vec3::new(0.3, 0.3, 0.4)];
        let [counter, cage] = [(0, 70.0), (1, 100.0)].map(|(index, mass)| {
            world.add_body(BodyDef { mass, ..body(Shape::Box { half: halves[index] }, at[index]) })
        });
        let [over_a, over_b] = [0.0, 2.0].map(|x| Vec3::new(x, 0.0, 4.0));
        let over = JointKind::Pulley(Pulley { over_a, over_b, ..Pulley::default() });
        let hoist = world.state.joints.len();
        world.add_joint(JointDef { kind: over, ..rope(&world, counter, cage, radius) });
        world.add_joint(rope(&world, wheel, counter, radius));
        let haul = hoist + 1;
        let mut stopped = 0;
        for _ in 0..600 {
            let (error, least) = watched(&mut world, haul, 1.0 / 60.0);
            assert!(error < 2e-3, "{assignments:?}: {error} m");
            assert!(least > 1.05 * radius - 2e-3, "{assignments:?}: {least} m from the axis");
            let read = &world.state.joints[haul].readout;
            assert!(
                read.limit >= 0.0 && (read.stops.least || read.limit == 0.0),
                "the drum pulls with {} N",
                read.limit
            );
            stopped += i32::from(read.limit > 100.0);
        }
        assert!(stopped > 5, "{assignments:?}: in {stopped} steps the drum stops the rope's end");
    }
}

/// A weight m hangs r beside the axis while it is hauled, and 1.05 r at most once it goes round with the drum. A motor whose cap
/// is between m g r and 1.05 m g r hauls it up and stalls.
#[test]
fn a_motor_stalls_where_its_rope_is_wound_up() {
    for assignments in SETTINGS {
        for radius in [0.15, -0.15f32, 0.03, 0.6] {
            let weight = 20.0;
            let cap = 1.03 * weight * G * radius.abs();
            // So slow that its way over the drum takes more energy than it has.
            let speed = 0.04 * (G / radius.abs()).sqrt();
            let winch = Winch { radius, drum: 5.0, weight, speed, cap, length: 3.0 * radius.abs() };
            let mut world = winch.world(assignments);
            let (error, least) = watched(&mut world, ROPE, 25.0);
            let before = world.state.joints[MOTOR].readout.value;
            let (later, nearest) = watched(&mut world, ROPE, 5.0);
            let read = &world.state.joints[MOTOR].readout;
            let name = format!("{assignments:?}, {radius} m");
            assert!(error.max(later) < 2e-3, "{name}: {error} m, {later} m");
            assert!(least.min(nearest) > 1.05 * radius.abs() - 2e-3, "{name}: {least} m");
            assert!(world.state.bodies[WEIGHT].position.z < 0.0, "{name}: it is not carried over the drum");
            assert!((read.value - before).abs() < 0.4, "{name}: it turned on by {} rad", read.value - before);
            assert!((read.motor.abs() - cap).abs() < 1e-3 * cap, "{name}: {} of {cap} N·m", read.motor);
        }
    }
}

/// A strong motor carries the weight round with the drum, slow or fast, light or heavy.
#[test]
fn a_strong_motor_carries_its_weight_round() {
    for assignments in SETTINGS {
        for (radius, drum, weight, speed) in [
            (0.15, 20.0, 70.0, 2.0),
            (-0.15, 20.0, 70.0, 2.0),
            (0.05, 1.0, 1000.0, 6.0),
            (0.3, 1000.0, 1.0, 6.0),
            (-0.5, 10.0, 10.0, 30.0),
            (0.02, 1.0, 1.0, 60.0),
        ] {
            let is_baumgarte = assignments.contains(&"stabilization.method=Baumgarte");
            // Baumgarte tears whips of half a radian a step and more off.
            if is_baumgarte && speed >= 30.0 {
                continue;
            }
            let winch = Winch { radius, drum, weight, speed, cap: 1e6, length: 1.0 + radius.abs() };
            let mut world = winch.world(assignments);
            let (error, least) = watched(&mut world, ROPE, 2.0 / (radius.abs() * speed) + 5.0);
            let name = format!("{assignments:?}, {radius} m, {drum} and {weight} kg, {speed} rad/s");
            let before = world.state.joints[MOTOR].readout.value;
            watched(&mut world, ROPE, 1.0);
            let turned = world.state.joints[MOTOR].readout.value - before;
            // The default does not see a swing of v² h²/2t within a step of 1/60 s. Baumgarte leaves a whip open by a share of
            // the radius.
            let v = radius.abs() * speed;
            let swing = v * v / (2.0 * 3600.0 * 0.32 * radius.abs());
            let seen = if is_baumgarte { 0.35 * radius.abs() } else { 1e-3 + swing };
            assert!(error < seen, "{name}: {error} m of {seen} m");
            assert!(least > 1.01 * radius.abs() - seen, "{name}: {least} m");
            // Where the weight whips, the motor slips.
            let slips = v > 10.0;
            assert!(slips || (turned.abs() - speed).abs() < 0.02 * speed, "{name}: {turned} rad/s");
        }
    }
}

/// Two ropes on one drum: one is wound up to its end, the other one goes down.
#[test]
fn one_of_two_ropes_is_wound_up() {
    for assignments in SETTINGS {
        let mut world = world(assignments);
        let radius = 0.2;
        let wheel = driven(&mut world, Vec3::ZERO, (radius, 5.0), (1.5, 1e4));
        let [up, down] =
            [-radius, radius].map(|x| world.add_body(BodyDef { mass: 3.0, ..bead(Vec3::new(x, 0.0, -1.0)) }));
        world.add_joint(rope(&world, wheel, up, radius));
        world.add_joint(rope(&world, wheel, down, -radius));
        let (error, least) = watched(&mut world, 1, 5.0);
        assert!(error < 2e-3 && least > 1.05 * radius - 2e-3, "{assignments:?}: {error} m, {least} m");
        assert!(world.state.joints[2].readout.error < 2e-3);
        // 1.5 rad/s · 5 s · 0.2 m
        let low = world.state.bodies[down as usize].position.z;
        assert!((low + 2.5).abs() < 0.02, "{low} m");
    }
}

/// Wherever the end of a rope is, the joint has its rows and an error: within the drum, on its axis, on the rim.
#[test]
fn a_rope_whose_end_is_in_its_drum_is_driven_out() {
    for share in [0.0, 1e-9, 0.3, 0.999, 1.0, 1.02] {
        for radius in [0.15f32, -0.4] {
            let mut world = world(&["step.gravity=0,0,0"]);
            let shape = Shape::Cylinder { radius: radius.abs(), half_length: 0.05 };
            let rotation = Quat::from_rotation_arc(Vec3::Z, Vec3::Y);
            let wheel = BodyDef { motion: Motion::Static, rotation, collide: false, ..body(shape, Vec3::ZERO) };
            let wheel = world.add_body(wheel);
            let weight = world.add_body(bead(share * radius.abs() * Vec3::X + 0.001 * Vec3::Y));
            world.add_joint(rope(&world, wheel, weight, radius));
            let joint = &world.state.joints[0];
            let mut list = delassus_physics::row::RowList::default();
            joint.rows(&joint.frames(&world.state.bodies), &mut list);
            assert_eq!(list.rows.len(), 2, "{share} radii");
            world.step();
            let name = format!("{share} of {radius} m");
            assert!(world.state.joints[0].readout.is_finite() && world.report.fault.is_none(), "{name}");
            watched(&mut world, 0, 2.0);
            let away = away(&world, 0);
            assert!(away > 1.049 * radius.abs(), "{name}: {away} m");
            assert!(world.state.velocities[DRUM + 1].linear.length() < 20.0 * radius.abs(), "{name}");
        }
    }
}
