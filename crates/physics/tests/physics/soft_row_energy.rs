//! Soft rows without damping conserve energy: orientations, trampolines and ropes.

use std::f32::consts::TAU;

use delassus_physics::body::{BodyDef, Material};
use delassus_physics::joint::{JointDef, OwnOptions};
use delassus_physics::joints::*;
use delassus_physics::row::Softness;
use delassus_physics::settings::Settings;
use delassus_physics::shape::Shape;
use delassus_physics::softness::SoftRows;
use delassus_physics::world::{WORLD, World};
use glam::{Quat, Vec3};

use crate::build::{G, bead, body, close, cube, floor, joint, watch};

/// A body on a soft orientation, without damping: kinetic and elastic energy add up to what it started with, ½ ω·I ω,
/// however far it turns. The least damping of a spring takes 1e-6 of the speed in a step, so up to 3 % of the energy in
/// the 14,400 steps at 240 Hz. For the lock beside a ball joint and for the weld, by every solver.
#[test]
fn a_soft_orientation_keeps_its_energy() {
    let soft = SoftRows { axis: Some(Softness::of(1.0, 0.0)), ..SoftRows::default() };
    let half = Vec3::new(0.05, 0.1, 0.15);
    for (rate, tolerance) in [(60, 0.08), (240, 0.035)] {
        for solver in ["GaussSeidel", "Jacobi", "Direct"] {
            for weld in [false, true] {
                for omega in [Vec3::new(10.375717, 10.375717, 3.112715), Vec3::new(3.0, -5.0, 4.0)] {
                    // Ten sweeps of Jacobi leave a twentieth of a spring's impulse to the next step.
                    let set = [
                        &*format!("step.rate={rate}"),
                        &*format!("solver.method={solver}"),
                        "solver.iterations=60",
                        "step.gravity=0,0,0",
                    ];
                    let mut world = World::new(crate::build::settings(&set));
                    // Turned, so that no axis of inertia is an axis of the world.
                    let rotation = Quat::from_scaled_axis(Vec3::new(0.5, -0.3, 0.8));
                    let load = world.add_body(BodyDef {
                        collide: false,
                        rotation,
                        angular_velocity: omega,
                        ..body(delassus_physics::shape::Shape::Box { half }, Vec3::ZERO)
                    });
                    let lock = match weld {
                        true => JointKind::Fixed(Fixed::default()),
                        false => JointKind::OrientationLock(OrientationLock::default()),
                    };
                    let def = joint(&world, WORLD, load, Vec3::ZERO, Vec3::Z, lock);
                    world.add_joint(JointDef {
                        options: OwnOptions { soft: Some(soft), ..(*def.options).clone() }.into(),
                        ..def
                    });
                    if !weld {
                        let ball = JointKind::BallSocket(BallSocket {});
                        world.add_joint(joint(&world, WORLD, load, Vec3::ZERO, Vec3::Z, ball));
                    }
                    let whole = 0.5 * omega.dot(world.state.bodies[load as usize].inertia() * omega);
                    let energies = watch(&mut world, 60.0, |w| {
                        let kinetic = w.metrics().kinetic_energy as f32;
                        kinetic + w.state.joints.iter().map(|joint| joint.readout.energy).sum::<f32>()
                    });
                    let (least, most) = energies.iter().fold((f32::MAX, 0.0f32), |(l, m), e| (l.min(*e), m.max(*e)));
                    let what = format!("{least} to {most} of {whole} J, {set:?}, weld {weld}, {omega}");
                    assert!(least > (1.0 - tolerance) * whole && most < (1.0 + tolerance) * whole, "{what}");
                }
            }
        }
    }
}

/// A cube swings about one axis on a soft orientation: θ'' = −ω² sin θ, a pendulum. Its turning point is at
/// sin(θ/2) = ω₀/(2 ω), and the read-out of energy there is all of ½ I ω₀².
#[test]
fn the_energy_of_a_soft_orientation_is_that_of_its_torque() {
    let soft = SoftRows { axis: Some(Softness::of(1.0, 0.0)), ..SoftRows::default() };
    for start in [1.0f32, 8.0, 10.0, 12.0] {
        let mut world = World::new(crate::build::settings(&["step.rate=1000", "step.gravity=0,0,0"]));
        let load =
            world.add_body(BodyDef { collide: false, angular_velocity: start * Vec3::X, ..cube(0.1, Vec3::ZERO) });
        let lock = JointKind::OrientationLock(OrientationLock::default());
        let def = joint(&world, WORLD, load, Vec3::ZERO, Vec3::Z, lock);
        world.add_joint(JointDef { options: OwnOptions { soft: Some(soft), ..(*def.options).clone() }.into(), ..def });
        // I = 2/3 m a² of a cube of half side a.
        let inertia = 2.0 / 3.0 * 0.01;
        let whole = 0.5 * inertia * start * start;
        let mut furthest = 0.0f32;
        for _ in 0..1000 {
            world.step();
            let read = &world.state.joints[0].readout;
            close("energy", world.metrics().kinetic_energy as f32 + read.energy, whole, 0.01 * whole);
            furthest = furthest.max(read.value);
        }
        let turn = 2.0 * (start / (2.0 * TAU)).asin();
        close("turning point", furthest, turn, 0.01 * turn);
    }
}

/// A ball of 10 kg that falls by H on an undamped soft surface comes back to H, bounce after bounce, whatever the
/// stiffness: a spring takes no energy. It gained g h of speed at every bounce. What is left is that a spring may begin and
/// end within a sub-step, by v h of its way: ½ k (v h)² of m g H.
#[test]
fn an_undamped_trampoline_returns_what_falls() {
    let (mass, height, radius) = (10.0f32, 1.5, 0.5);
    for stiffness in [500.0f32, 2000.0, 20_000.0] {
        let mut world = World::new(Settings::default());
        let soft = Some(Softness::of_stiffness(stiffness, 0.0));
        world.add_body(BodyDef { material: Material { soft, ..Material::default() }, ..floor() });
        let at = Vec3::Z * (radius + height);
        let ball = world.add_body(BodyDef { mass, ..body(Shape::Sphere { radius }, at) });
        let (mut tops, mut before, mut rises) = (Vec::new(), at.z, false);
        while world.state.time < 20.0 {
            world.step();
            let now = world.state.bodies[ball as usize].position.z;
            if rises && now < before {
                tops.push(before - radius);
            }
            (rises, before) = (now > before, now);
        }
        let speed = (2.0 * G * height).sqrt();
        let share = 0.5 * stiffness * (speed * world.settings.h()).powi(2) / (mass * G * height);
        // The pose nearest to the top is up to half a step from it.
        let bound = share * height + 0.5 * G * (0.5 / 60.0f32).powi(2) + 1e-3;
        assert!(tops.len() > 8, "{stiffness} N/m: {tops:?}");
        assert!(tops.iter().all(|top| (top - height).abs() < bound), "{stiffness} N/m: {tops:?}, within {bound} m");
    }
}

/// The same of a rope that stretches like a spring: a ball of 10 kg falls from 0.5 m below its hook on a rope of 3 m.
#[test]
fn an_undamped_bungee_returns_what_falls() {
    for stiffness in [200.0f32, 1000.0, 4000.0] {
        let mut world = World::new(Settings::default());
        let ball = world.add_body(BodyDef { mass: 10.0, ..bead(Vec3::Z * -0.5) });
        let kind = JointKind::Rope(Rope { length: Some(3.0) });
        let rope = JointDef {
            anchor_a: Vec3::ZERO,
            anchor_b: Vec3::ZERO,
            ..joint(&world, WORLD, ball, Vec3::ZERO, Vec3::Z, kind)
        };
        let soft = SoftRows { anchor: Some(Softness::of_stiffness(stiffness, 0.0)), ..SoftRows::default() };
        world.add_joint(JointDef { options: OwnOptions { soft: Some(soft), ..OwnOptions::default() }.into(), ..rope });
        let mut top = f32::NEG_INFINITY;
        while world.state.time < 30.0 {
            world.step();
            // The last five seconds have at least two tops.
            if world.state.time > 25.0 {
                top = top.max(world.state.bodies[ball as usize].position.z);
            }
        }
        assert!((top + 0.5).abs() < 5e-3, "{stiffness} N/m: it comes back to {top} m of -0.5 m");
    }
}
