//! Contacts that act through joints (`crates/physics/src/solvers/jointed_contacts`).

use std::f32::consts::TAU;

use delassus_physics::body::{BodyDef, Material, Motion};
use delassus_physics::joints::*;
use delassus_physics::settings::Settings;
use delassus_physics::shape::Shape;
use delassus_physics::world::{WORLD, World};
use glam::{Quat, Vec3};

use crate::build::{body, floor, joint};

/// A hub of M = 1 kg with a knob of m = 20 g welded to it, which flies at v against a wall of many tonnes. The two are one
/// body whose centres are r apart along the wall: λ = v/K with K = 1/(M + m) + d²/I, where d is the knob's distance from
/// the common centre and I the inertia about it. The knob alone would take m v, fifty times less. One sweep finds it.
#[test]
fn a_knob_on_a_hub_is_as_hard_to_stop_as_the_hub() {
    let (hub_mass, knob_mass, apart, speed) = (1.0f32, 0.02, 0.3, 2.0);
    let mut settings = Settings::default();
    settings.step.gravity = Vec3::ZERO;
    // So short a step that the knob's way about the hub is straight.
    (settings.step.rate, settings.step.substeps) = (20_000.0, 1);
    (settings.solver.iterations, settings.stabilization.relax) = (1, 0);
    let mut world = World::new(settings);
    let wall = Vec3::new(1.0, 5.0, 5.0);
    world.add_body(BodyDef { motion: Motion::Static, ..body(Shape::Box { half: wall }, Vec3::X * 1.0) });
    let flying = |mass: f32, radius: f32, at: Vec3| BodyDef {
        mass,
        velocity: Vec3::X * speed,
        material: Material { friction: 0.0, ..Material::default() },
        ..body(Shape::Sphere { radius }, at)
    };
    let hub = world.add_body(BodyDef { collide: false, ..flying(hub_mass, 0.1, Vec3::X * -0.05) });
    let knob = world.add_body(flying(knob_mass, 0.05, Vec3::new(-0.05, apart, 0.0)));
    world.add_joint(joint(&world, hub, knob, Vec3::X * -0.05, Vec3::X, JointKind::Fixed(Fixed::default())));
    world.step();
    let total = hub_mass + knob_mass;
    let d = apart * hub_mass / total;
    let ball = |mass: f32, radius: f32, off: f32| 0.4 * mass * radius * radius + mass * off * off;
    let inertia = ball(hub_mass, 0.1, apart - d) + ball(knob_mass, 0.05, d);
    let impulse = speed / (1.0 / total + d * d / inertia);
    let left: f32 = [hub, knob]
        .map(|body| world.state.velocities[body as usize].linear.x)
        .into_iter()
        .zip([hub_mass, knob_mass])
        .map(|(v, m)| m * v)
        .sum();
    let found = total * speed - left;
    assert!((found / impulse - 1.0).abs() < 1e-3, "{found} N·s, {impulse} expected");
    let knob = &world.state.velocities[knob as usize].linear;
    assert!(knob.x.abs() < 1e-3 * speed, "the knob goes on at {} m/s", knob.x);
}

/// A gear as text: a hub that turns about Y by a motor, and `count` teeth welded to it. The pitch radius is 5 mm a tooth.
fn gear(name: &str, x: f64, count: u32, phase: f64, motor: &str) -> (String, String) {
    let pitch = 0.005 * f64::from(count);
    let mut bodies = format!(
        "(name: \"{name}\", shape: Cylinder(radius: {}, half_length: 0.01), at: ({x}, 0, 0.3), rotation: AxisAngle(axis: \
         (1, 0, 0), angle: Degrees(90)), mass: 1, collide: false), ",
        pitch - 0.0125
    );
    let mut joints = format!(
        "(name: \"{name} hinge\", b: \"{name}\", anchor: ({x}, 0, 0.3), axis: (0, -1, 0), kind: Hinge(motor: {motor})), "
    );
    for tooth in 0..count {
        let angle = phase + f64::from(tooth) * std::f64::consts::TAU / f64::from(count);
        let (sine, cosine) = angle.sin_cos();
        let mut points = String::new();
        for (out, half) in [(-0.012, 0.0106), (0.010, 0.0026)] {
            for (side, y) in [(-half, -0.01), (-half, 0.01), (half, -0.01), (half, 0.01)] {
                let along: f64 = pitch + out;
                points += &format!("({}, {y}, {}), ", along * cosine - side * sine, along * sine + side * cosine);
            }
        }
        bodies += &format!(
            "(name: \"{name} {tooth}\", shape: Hull(points: [{points}]), at: ({x}, 0, 0.3), mass: 0.02, friction: 0), "
        );
        joints += &format!("(a: \"{name}\", b: \"{name} {tooth}\", anchor: ({x}, 0, 0.3), kind: Fixed), ");
    }
    (bodies, joints)
}

/// Twelve teeth drive twenty-four against a brake, at the default: the wheel turns half as far as the pinion but for the
/// teeth's play, which is less than 0.03 rad. The teeth of 20 g carry what the hubs of 1 kg ask for. Solved for the
/// masses of the teeth, they overlapped by 10 mm and jumped.
#[test]
fn gears_of_welded_teeth_keep_their_ratio() {
    let (pinion, own) = gear("pinion", 0.0, 12, 0.0, "(speed: 4, max_torque: 20)");
    let half_a_tooth = std::f64::consts::PI / 24.0;
    let (wheel, other) = gear("wheel", 0.18, 24, half_a_tooth, "(speed: 0, max_torque: 2)");
    let text = format!("(version: 1, title: \"gears\", bodies: [{pinion}{wheel}], joints: [{own}{other}])");
    let mut world = delassus_scene::read_str(&text, "gears.ron").expect("a scene").flat.world(Settings::default());
    let value = |world: &World, name: usize| world.state.joints[name].readout.value;
    for _ in 0..60 {
        world.step();
        let deep = world.metrics().penetration_max;
        assert!(deep < 1e-4, "teeth overlap by {deep} m at {} s", world.state.time);
    }
    let (driver, driven) = (value(&world, 0), value(&world, 13));
    assert!((driver - 4.0).abs() < 0.05, "the pinion turns by {driver} rad");
    assert!((driven + 0.5 * driver).abs() < 0.03, "the wheel turns by {driven} rad, the pinion by {driver}");
}

/// A thin rod that tumbles and spins fast about itself comes down on a floor. Impacts and friction only take energy; the
/// pole of its inertia turns far within a step, and rows that kept the inertia of the step's beginning gave it 4 J at
/// once.
#[test]
fn a_spinning_rod_gains_nothing_from_a_floor() {
    let mut settings = Settings::default();
    settings.step.gravity = Vec3::NEG_Z * 9.81;
    let mut world = World::new(settings);
    world.add_body(floor());
    let shape = Shape::Capsule { radius: 0.02, half_length: 0.3 };
    world.add_body(BodyDef {
        rotation: Quat::from_rotation_y(TAU / 6.0),
        angular_velocity: Vec3::new(100.0, 30.0, 10.0),
        mass: 1.0,
        ..body(shape, Vec3::Z * 0.5)
    });
    let mut before = f64::INFINITY;
    for _ in 0..180 {
        world.step();
        let energy = world.metrics().energy();
        assert!(energy < before + 0.05, "{energy} J after {before} J, at {} s", world.state.time);
        before = energy;
    }
}

/// A ram on a slider drives at 0.5 m/s and stops at a wall 0.9 m ahead: the wall bears the motor's cap. Where only the
/// motor keeps a contact's row from moving anything, the row is not off: the ram drove through the wall. A motor without
/// a cap stops as well, and pushes harder from step to step.
#[test]
fn a_motor_does_not_drive_through_a_wall() {
    for cap in [20.0f32, 500.0, 1e4, UNBOUNDED] {
        let (mut world, ram) = ram(Settings::default(), cap);
        let half = Vec3::new(0.1, 1.0, 1.0);
        world.add_body(BodyDef { motion: Motion::Static, ..body(Shape::Box { half }, Vec3::X * 1.1) });
        for _ in 0..240 {
            world.step();
        }
        let x = world.state.bodies[ram as usize].position.x;
        assert!((x - 0.9).abs() < 1e-3, "a cap of {cap} N: the ram is at {x} m");
        let pressed: f32 = world.contact_points().map(|point| point.impulse).sum::<f32>() / world.settings.h();
        assert!(cap == UNBOUNDED || (pressed / cap - 1.0).abs() < 1e-3, "{pressed} N, {cap} N expected");
    }
}

/// The same ram pushes a block whose slider has a friction of 20 N, by a motor without a cap: both go on at 0.5 m/s, and
/// the contact bears the 20 N.
#[test]
fn what_a_motor_pushes_against_friction_moves() {
    let (mut world, ram) = ram(Settings::default(), UNBOUNDED);
    let block = world.add_body(body(Shape::Box { half: Vec3::splat(0.1) }, Vec3::X * 0.5));
    let slider = Prismatic { friction: 20.0, ..Prismatic::default() };
    world.add_joint(joint(&world, WORLD, block, Vec3::X * 0.5, Vec3::X, JointKind::Prismatic(slider)));
    for _ in 0..240 {
        world.step();
    }
    let [ram, block] = [ram, block].map(|body| world.state.bodies[body as usize].position.x);
    assert!((ram - 2.0).abs() < 2e-3 && (block - ram - 0.2).abs() < 1e-3, "{ram} and {block} m");
    let pressed: f32 = world.contact_points().map(|point| point.impulse).sum::<f32>() / world.settings.h();
    assert!((pressed / 20.0 - 1.0).abs() < 1e-3, "{pressed} N, 20 N expected");
}

/// A box of 1 kg on a slider along X, with a motor of this cap, N, that drives it at 0.5 m/s; no gravity.
fn ram(mut settings: Settings, cap: f32) -> (World, u32) {
    settings.step.gravity = Vec3::ZERO;
    let mut world = World::new(settings);
    let ram = world.add_body(body(Shape::Box { half: Vec3::splat(0.1) }, Vec3::ZERO));
    let motor = Some(LinearDrive { speed: 0.5, max_force: cap });
    let slider = JointKind::Prismatic(Prismatic { motor, ..Prismatic::default() });
    world.add_joint(joint(&world, WORLD, ram, Vec3::ZERO, Vec3::X, slider));
    (world, ram)
}
