//! What RATTLE keeps and reads where the sweeps leave much undone.

use std::f32::consts::{FRAC_PI_3, FRAC_PI_6};

use delassus_physics::angle::Angle;
use delassus_physics::body::BodyDef;
use delassus_physics::joints::{AngularDrive, Fixed, Hinge, JointKind, Prismatic};
use delassus_physics::preset::Preset;
use delassus_physics::settings::RowSolve;
use delassus_physics::shape::Shape;
use delassus_physics::world::{WORLD, World};
use glam::{Quat, Vec3};

use crate::build::{G, body, close, cube, joint};

fn world(preset: Preset) -> World {
    let mut world = World::new(preset.settings());
    world.settings.step.gravity = Vec3::NEG_Z * G;
    world
}

/// A mast of eight welded cubes of 1 kg with a heavy one beside its tip, joint by joint: sweeps do not hold it. It
/// falls, and its energy is at most what it began with, Σ m g z, in the velocities that are read too. Sweeps over the
/// end's rows that started from half of the step's impulses, whatever these were, read 2e4 times as much, and steps in
/// several parts carried it on.
#[test]
fn a_mast_that_sweeps_do_not_hold_gains_no_energy() {
    for (rows, load) in [(RowSolve::Block, 1000.0), (RowSolve::Block, 300.0), (RowSolve::Joint, 1000.0)] {
        for sweeps in [2, 4, 6, 10] {
            let mut world = world(Preset::SingleStep);
            (world.settings.solver.rows, world.settings.solver.iterations) = (rows, sweeps);
            let weld = JointKind::Fixed(Fixed::default());
            let mut below = WORLD;
            let mut held = 0.0;
            for level in 0..9 {
                let top = level == 8;
                let at = Vec3::new(if top { 0.5 } else { 0.0 }, 0.0, 0.25 + 0.5 * level as f32);
                let mass = if top { load } else { 1.0 };
                held += mass * G * at.z;
                let id = world.add_body(BodyDef { mass, collide: false, ..cube(0.25, at) });
                world.add_joint(joint(&world, below, id, Vec3::Z * 0.5 * level as f32, Vec3::Z, weld));
                below = id;
            }
            for _ in 0..600 {
                world.step();
                let energy = world.metrics().energy();
                let name = format!("{rows:?}, {load} kg, {sweeps} sweeps");
                assert!(energy < 1.01 * f64::from(held), "{name}: {energy} J of {held} after {} s", world.state.time);
            }
        }
    }
}

/// A bar that its motor presses on its stop stands there: at 60°, at no speed, whatever the motor's speed and cap.
#[test]
fn a_bar_that_its_motor_presses_on_its_stop_stands() {
    for preset in [Preset::SmallSteps, Preset::SingleStep] {
        for (speed, cap) in [(2.0, 5.0), (20.0, 0.5), (20.0, 5.0), (20.0, 500.0), (60.0, 5.0), (60.0, 5000.0)] {
            for (mass, half) in [(0.1, 0.0355), (0.01, 0.0355), (0.1, 0.3), (1.0, 0.0355)] {
                // The motor must lift the bar, m g l/2 at most.
                if cap < 2.0 * mass * G * half {
                    continue;
                }
                let mut world = world(preset);
                let middle = half * Vec3::new(FRAC_PI_6.cos(), 0.0, -FRAC_PI_6.sin());
                let shape = Shape::Box { half: half * Vec3::new(1.0, 0.14, 0.25) };
                let rotation = Quat::from_axis_angle(Vec3::NEG_Y, -FRAC_PI_6);
                let bar = world.add_body(BodyDef { mass, rotation, collide: false, ..body(shape, middle) });
                let motor = Some(AngularDrive { speed, max_torque: cap });
                let limit = Some((Angle::radians(0.0), Angle::radians(FRAC_PI_3)));
                let kind = JointKind::Hinge(Hinge { motor, limit, ..Hinge::default() });
                world.add_joint(joint(&world, WORLD, bar, Vec3::ZERO, Vec3::NEG_Y, kind));
                (0..240).for_each(|_| world.step());
                let name = format!("{preset:?}, {speed} rad/s, {cap} N·m, {mass} kg, {half} m");
                for _ in 0..30 {
                    world.step();
                    let readout = &world.state.joints[0].readout;
                    close(&name, readout.value, FRAC_PI_3, 2e-3);
                    close(&format!("{name}: speed"), readout.speed, 0.0, 2e-2);
                }
            }
        }
    }
}

/// A crank of 0.25 m that drives a slider of 2.5 kg over a rod of 0.7 m: its angle is ω t, whatever the sweeps leave in
/// the loop. It ran ahead by 1.4 % of its way in single steps, and by 10 % with Jacobi.
#[test]
fn a_driven_crank_in_a_loop_turns_as_far_as_its_speed_says() {
    for (preset, speed) in [
        (Preset::SmallSteps, 9.0),
        (Preset::SingleStep, 9.0),
        (Preset::SmallSteps, 12.0),
        (Preset::SingleStep, 3.0),
        (Preset::SingleStep, 12.0),
    ] {
        let mut world = world(preset);
        let at = |x: f32| Vec3::new(x, 0.0, 1.0);
        let bar = |x: f32, half: Vec3, mass: f32| BodyDef { mass, collide: false, ..body(Shape::Box { half }, at(x)) };
        // At the crank's start, along the slide, the rod turns back at ω r/l about the wrist.
        let (tip, back) = (speed * 0.25, speed * 0.25 / 0.7);
        let crank = world.add_body(BodyDef {
            velocity: Vec3::Z * 0.5 * tip,
            angular_velocity: Vec3::NEG_Y * speed,
            ..bar(0.125, Vec3::new(0.125, 0.03, 0.03), 1.2)
        });
        let rod = world.add_body(BodyDef {
            velocity: Vec3::Z * 0.5 * tip,
            angular_velocity: Vec3::Y * back,
            ..bar(0.6, Vec3::new(0.35, 0.02, 0.03), 0.9)
        });
        let slider = world.add_body(bar(0.95, Vec3::splat(0.1), 2.5));
        let motor = Some(AngularDrive { speed, max_torque: 1e5 });
        let hinge = |motor| JointKind::Hinge(Hinge { motor, ..Hinge::default() });
        world.add_joint(joint(&world, WORLD, crank, at(0.0), Vec3::NEG_Y, hinge(motor)));
        world.add_joint(joint(&world, crank, rod, at(0.25), Vec3::Y, hinge(None)));
        world.add_joint(joint(&world, rod, slider, at(0.95), Vec3::Y, hinge(None)));
        let slide = JointKind::Prismatic(Prismatic::default());
        world.add_joint(joint(&world, WORLD, slider, at(0.95), Vec3::X, slide));
        let seconds = 3.0;
        (0..(60.0 * seconds) as u32).for_each(|_| world.step());
        let value = world.state.joints[0].readout.value;
        close(&format!("{preset:?}, {speed} rad/s"), value, speed * seconds, 2e-3 * speed * seconds);
    }
}
