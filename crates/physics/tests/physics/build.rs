//! Small worlds for the tests.

use std::sync::Arc;

use delassus_physics::angle::Angle;
use delassus_physics::body::{BodyDef, Motion};
use delassus_physics::joint::{JointDef, JointOptions};
use delassus_physics::joints::{AngularDrive, BallSocket, Hinge, JointKind};
use delassus_physics::preset::Preset;
use delassus_physics::settings::{HingeForm, Settings};
use delassus_physics::shape::Shape;
use delassus_physics::world::{WORLD, World};
use delassus_scene::{library, read};
use glam::Vec3;

/// Standard gravity of the analytic cases, m/s².
pub const G: f32 = 9.81;

/// A body of the given shape and position, at rest, 1 kg, dynamic, μ = 0.5.
pub fn body(shape: Shape, position: Vec3) -> BodyDef {
    BodyDef::new(Arc::new(shape.solid().expect("a solid shape")), position)
}

/// A cube of the given half side.
pub fn cube(half: f32, position: Vec3) -> BodyDef {
    body(Shape::Box { half: Vec3::splat(half) }, position)
}

/// A ball small enough to be a point mass.
pub fn bead(position: Vec3) -> BodyDef {
    BodyDef { collide: false, ..body(Shape::Sphere { radius: 0.01 }, position) }
}

/// A thick floor with its top at z = 0.
pub fn floor() -> BodyDef {
    let shape = Shape::Box { half: Vec3::new(100.0, 100.0, 1.0) };
    BodyDef { motion: Motion::Static, ..body(shape, Vec3::new(0.0, 0.0, -1.0)) }
}

/// A joint whose anchor is one world point and whose axis is one world direction, at the bodies' current poses.
pub fn joint(world: &World, a: u32, b: u32, anchor: Vec3, axis: Vec3, kind: JointKind) -> JointDef {
    let local = |i: u32| {
        let body = &world.state.bodies[i as usize];
        (body.rotation.inverse() * (anchor - body.position), body.rotation.inverse() * axis)
    };
    let ((anchor_a, axis_a), (anchor_b, mut axis_b)) = (local(a), local(b));
    // Of a rack and of a cross the second axis is another one.
    let second = kind.second_axis(axis, Vec3::ZERO, Vec3::ZERO).unwrap_or(axis);
    if second != axis {
        axis_b = world.state.bodies[b as usize].rotation.inverse() * second;
    }
    JointDef { a, b, anchor_a, anchor_b, axis_a, axis_b, kind, collide: false, options: JointOptions::default() }
}

/// A step of one sub-step, with assignments such as `solver.iterations=50`: tests follow a single step.
pub fn settings(assignments: &[&str]) -> Settings {
    let mut settings = Preset::SingleStep.settings();
    for assignment in assignments {
        settings.assign(assignment).expect("a valid assignment");
    }
    settings
}

/// The same, for tests whose numbers assume split impulses and block sweeps over anchors, whatever the defaults are.
pub fn split_blocks(assignments: &[&str]) -> Settings {
    settings(&[&["stabilization.method=Split", "solver.rows=Block"], assignments].concat())
}

/// A scene of the library, its own settings changed by assignments.
pub fn of_library(id: &str, assignments: &[&str]) -> World {
    let loaded = read(&library::find(id)).unwrap_or_else(|mistakes| panic!("{}", mistakes[0]));
    let mut settings = loaded.scene.settings.settings();
    assignments.iter().for_each(|assignment| settings.assign(assignment).expect("a valid assignment"));
    loaded.flat.world(settings)
}

/// Ten links of 1 kg on ball joints with 100 kg below, hanging down; the load has a sideways speed, m/s.
pub fn heavy_chain(assignments: &[&str], speed: f32) -> World {
    let mut world = World::new(settings(assignments));
    let mut above = WORLD;
    for i in 0..11 {
        let mass = if i == 10 { 100.0 } else { 1.0 };
        let at = Vec3::new(0.0, 0.0, -0.5 - i as f32);
        let link = world.add_body(BodyDef { mass, collide: false, ..cube(0.4, at) });
        let kind = JointKind::BallSocket(BallSocket {});
        world.add_joint(joint(&world, above, link, at + Vec3::Z * 0.5, Vec3::Y, kind));
        above = link;
    }
    world.state.velocities[above as usize].linear = (Vec3::X * speed).into();
    world
}

/// A wheel on the world's z axis that a motor of 1 N·m drives at 3 rad/s against a stop at 1 rad, after three
/// seconds; and the greatest angle reached.
pub fn motor_at_stop(wheel: BodyDef, formulation: Option<HingeForm>) -> (World, f32) {
    let mut world = World::new(settings(&["step.gravity=0,0,0"]));
    let wheel = world.add_body(wheel);
    let kind = JointKind::Hinge(Hinge {
        limit: Some((Angle::radians(-1.0), Angle::radians(1.0))),
        motor: Some(AngularDrive { speed: 3.0, max_torque: 1.0 }),
        formulation,
        ..Hinge::default()
    });
    world.add_joint(joint(&world, WORLD, wheel, Vec3::ZERO, Vec3::Z, kind));
    let mut peak = 0.0f32;
    for _ in 0..180 {
        world.step();
        peak = peak.max(world.state.joints[0].readout.value);
    }
    (world, peak)
}

/// Pseudo-random numbers, the same in every run.
pub struct Random(pub u64);

impl Random {
    /// Between 0 and 1.
    pub fn share(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f32 / (1u64 << 24) as f32
    }

    /// Between −1 and 1.
    pub fn next(&mut self) -> f32 {
        2.0 * self.share() - 1.0
    }

    pub fn vector(&mut self) -> Vec3 {
        Vec3::new(self.next(), self.next(), self.next())
    }

    pub fn below(&mut self, count: usize) -> usize {
        (self.share() * count as f32) as usize % count
    }

    pub fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    /// Between 10ᵃ and 10ᵇ, with a uniform exponent.
    pub fn power(&mut self, a: f32, b: f32) -> f32 {
        10f32.powf(a + (b - a) * self.share())
    }
}

/// The largest difference of two worlds' velocities over the fastest.
pub fn apart(world: &World, exact: &World) -> f32 {
    let (mut most, mut scale) = (0.0f32, 0.01f32);
    for (v, e) in world.state.velocities.iter().zip(&exact.state.velocities) {
        let difference = (v.linear - e.linear).abs().max((v.angular - e.angular).abs());
        most = most.max(difference.max_element());
        scale = scale.max(e.linear.abs().max(e.angular.abs()).max_element());
    }
    most / scale
}

/// Steps for a time, s, and reads a value after each step.
pub fn watch(world: &mut World, seconds: f64, read: impl Fn(&World) -> f32) -> Vec<f32> {
    let steps = (seconds * f64::from(world.settings.step.rate)).round() as usize;
    let step = |_| {
        world.step();
        read(world)
    };
    (0..steps).map(step).collect()
}

/// The mean time between upward zero crossings of samples that are `h` apart, s.
pub fn period(samples: &[f32], h: f32) -> f32 {
    let upward = samples.windows(2).enumerate().filter(|(_, w)| w[0] < 0.0 && w[1] >= 0.0);
    let zeros: Vec<f32> = upward.map(|(n, w)| (n as f32 + w[0] / (w[0] - w[1])) * h).collect();
    assert!(zeros.len() > 3, "it swings");
    (zeros[zeros.len() - 1] - zeros[0]) / (zeros.len() - 1) as f32
}

/// Runs for a time, s.
pub fn run(world: &mut World, seconds: f64) {
    watch(world, seconds, |_| 0.0);
}

/// Fails unless `found` is within `tolerance` of `expected`.
#[track_caller]
pub fn close(what: &str, found: f32, expected: f32, tolerance: f32) {
    assert!((found - expected).abs() <= tolerance, "{what}: {found}, expected {expected} ± {tolerance}");
}
