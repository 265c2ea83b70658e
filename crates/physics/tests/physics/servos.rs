//! Servos, drives that vary with time, and zeros of joints against closed forms.

use std::f32::consts::PI;

use delassus_physics::angle::Angle;
use delassus_physics::body::BodyDef;
use delassus_physics::force::formula::Formula;
use delassus_physics::force::{ByTime, Force};
use delassus_physics::joint::{JointDef, OwnOptions};
use delassus_physics::joints::{
    AngularDrive, AngularServo, Cylindrical, Hinge, JointKind, LinearDrive, LinearServo, Prismatic, UNBOUNDED,
};
use delassus_physics::row::Softness;
use delassus_physics::settings::Settings;
use delassus_physics::shape::Shape;
use delassus_physics::world::{WORLD, World};
use glam::Vec3;

use crate::build::{G, body, close, cube, joint, run, settings};

const WEIGHTLESS: &str = "step.gravity=0,0,0";
/// Ways to solve the rows of a joint.
const METHODS: [&[&str]; 6] = [
    &[],
    &["solver.rows=Tree", "solver.iterations=200"],
    &["solver.method=Direct"],
    &["solver.method=Jacobi", "solver.iterations=200"],
    &["step.substeps=4", "stabilization.method=Split"],
    &["stabilization.method=Baumgarte", "solver.iterations=100"],
];
const INERTIA: f32 = 0.5;

fn servo(stiffness: f32, damping: f32) -> AngularServo {
    AngularServo { softness: Softness::of_stiffness(stiffness, damping), ..AngularServo::default() }
}

/// A wheel of 4 kg and 0.5 m on the world's z axis: I = m r²/2 = 0.5 kg m². A constant `torque` drives it.
fn wheel(settings: Settings, torque: f32, hinge: Hinge, by_time: ByTime) -> World {
    let mut world = World::new(settings);
    let own = body(Shape::Cylinder { radius: 0.5, half_length: 0.1 }, Vec3::ZERO);
    let forces = vec![Force { torque: Vec3::Z * torque, ..Force::default() }];
    let wheel = world.add_body(BodyDef { mass: 4.0, forces, ..own });
    let def = joint(&world, WORLD, wheel, Vec3::ZERO, Vec3::Z, JointKind::Hinge(hinge));
    let options = OwnOptions { by_time, ..OwnOptions::default() }.into();
    world.add_joint(JointDef { options, ..def });
    world
}

fn driven(more: &[&str], servo: AngularServo, by_time: ByTime) -> World {
    wheel(settings(&[&[WEIGHTLESS], more].concat()), 0.0, Hinge { servo: Some(servo), ..Hinge::default() }, by_time)
}

fn value(world: &World) -> f32 {
    world.state.joints[0].readout.value
}

fn rate(world: &World) -> f32 {
    world.state.velocities[1].angular.z
}

/// Under a load τ the angle is off by τ/k, and the servo gives just the load.
#[test]
fn a_load_turns_a_servo_by_the_torque_over_the_stiffness() {
    let (load, stiffness, target) = (1.5f32, 40.0f32, 0.6f32);
    for more in METHODS {
        let own = AngularServo { target: Angle::radians(target), ..servo(stiffness, 8.0) };
        let hinge = Hinge { servo: Some(own), ..Hinge::default() };
        let mut world = wheel(settings(&[&[WEIGHTLESS], more].concat()), load, hinge, ByTime::Constant);
        run(&mut world, 4.0);
        close(&format!("{more:?}: angle"), value(&world), target + load / stiffness, 1e-4);
        close(&format!("{more:?}: torque"), world.state.joints[0].readout.motor, -load, 1e-3 * load);
    }
}

/// A constant torque that equals the load takes its sag away: τ₀ = m g l cos φ.
#[test]
fn a_torque_known_beforehand_takes_the_sag_away() {
    let (mass, length) = (2.0f32, 0.7f32);
    let load = mass * G * length;
    for more in METHODS {
        for (torque, sag) in [(0.0, load / 400.0), (load, 0.0)] {
            let mut world = World::new(settings(more));
            let ball = body(Shape::Sphere { radius: 0.4 }, Vec3::X * length);
            let bob = world.add_body(BodyDef { mass, collide: false, ..ball });
            // About −y, so that the angle grows upwards.
            let own = AngularServo { torque, ..servo(400.0, 40.0) };
            let kind = JointKind::Hinge(Hinge { servo: Some(own), ..Hinge::default() });
            world.add_joint(joint(&world, WORLD, bob, Vec3::ZERO, -Vec3::Y, kind));
            run(&mut world, 4.0);
            // k φ = m g l cos φ − τ₀, of which cos φ is 1 to φ²/2.
            close(&format!("{more:?}, {torque} N·m"), value(&world), -sag, 2e-3 * load / 400.0);
        }
    }
}

/// I θ'' = k (θ* − θ) − c θ' from rest: θ = θ* (1 − e^{−δ t} (cos ω t + (δ/ω) sin ω t)), δ = c/2I, ω² = k/I − δ².
#[test]
fn a_servo_swings_about_its_target() {
    let (stiffness, damping, target) = (20.0f32, 0.4f32, 0.5f32);
    let decay = damping / (2.0 * INERTIA);
    let omega = (stiffness / INERTIA - decay * decay).sqrt();
    for more in METHODS {
        let own = AngularServo { target: Angle::radians(target), ..servo(stiffness, damping) };
        let mut world = driven(&[more, &["step.rate=240"]].concat(), own, ByTime::Constant);
        for step in 1..=480 {
            world.step();
            let t = step as f32 / 240.0;
            let left = (-decay * t).exp() * ((omega * t).cos() + decay / omega * (omega * t).sin());
            // What is read may be half a step off: ω h/2 of the amplitude.
            close(&format!("{more:?} at {t} s"), value(&world), target * (1.0 - left), 0.02 * target);
        }
    }
}

/// The same servo by frequency and damping ratio: f = √(k/I)/2π, ζ = c/(2 √(k I)).
#[test]
fn a_frequency_and_a_ratio_are_a_stiffness_and_a_damping() {
    let (stiffness, damping) = (20.0f32, 0.4f32);
    let hertz = (stiffness / INERTIA).sqrt() / (2.0 * PI);
    let ratio = damping / (2.0 * (stiffness * INERTIA).sqrt());
    let target = Angle::radians(0.5);
    let by_ratio = AngularServo { softness: Softness::of(hertz, ratio), target, ..AngularServo::default() };
    let mut worlds =
        [AngularServo { target, ..servo(stiffness, damping) }, by_ratio].map(|own| driven(&[], own, ByTime::Constant));
    for _ in 0..120 {
        worlds.iter_mut().for_each(World::step);
        close("angle", value(&worlds[0]), value(&worlds[1]), 1e-5);
    }
}

/// θ* = A cos Ω t: θ = Re(A H e^{iΩt}) once the beginning has decayed, H = (k + i c Ω)/(k − I Ω² + i c Ω).
#[test]
fn a_servo_follows_a_sinusoid_with_amplitude_and_phase() {
    let (stiffness, damping, amplitude, offset) = (20.0f32, 4.0f32, 0.4f32, 0.3f32);
    for more in METHODS {
        for omega in [2.0f32, 8.0, 20.0] {
            let (target, offset_angle) = (Angle::radians(amplitude), Angle::radians(offset));
            let own = AngularServo { target, offset: offset_angle, ..servo(stiffness, damping) };
            let by_time = ByTime::Sinusoid { rate: omega, phase: Angle::default() };
            let mut world = driven(&[more, &["step.rate=240"]].concat(), own, by_time);
            run(&mut world, 4.0);
            let (re, im, across) = (stiffness - INERTIA * omega * omega, damping * omega, stiffness);
            let size = re * re + im * im;
            // H = (k + i b)(re − i b)/size.
            let (real, imaginary) = ((across * re + im * im) / size, (im * re - across * im) / size);
            for step in 961..=1200 {
                world.step();
                let phase = omega * step as f32 / 240.0;
                let expected = offset + amplitude * (real * phase.cos() - imaginary * phase.sin());
                // The step is of first order: in c h/2I by its damper, and in Ω h/2 by the way of the target in a step.
                let first_order = (damping / INERTIA + omega) / (2.0 * 240.0);
                let most = amplitude * real.hypot(imaginary).max(0.5) * (0.003 + first_order);
                close(&format!("{more:?}, {omega} rad/s, step {step}"), value(&world), expected, most);
            }
        }
    }
}

/// A formula leads a servo, and drives a motor, as the sinusoid that it equals.
#[test]
fn a_formula_drives_as_the_sinusoid_that_it_equals() {
    let formula = |text| ByTime::Formula { factor: Formula::read(text).expect("a formula"), start: 0.0 };
    let sinusoid = ByTime::Sinusoid { rate: 3.0, phase: Angle::degrees(-90.0) };
    for more in METHODS {
        let own = AngularServo { target: Angle::radians(0.4), ..servo(20.0, 4.0) };
        let motor = Some(AngularDrive { speed: 2.0, max_torque: UNBOUNDED });
        let weightless = settings(&[&[WEIGHTLESS], more].concat());
        let turned = |by_time| wheel(weightless, 0.0, Hinge { motor, ..Hinge::default() }, by_time);
        let servos = [sinusoid.clone(), formula("sin(3*t)")].map(|law| driven(more, own, law));
        let motors = [sinusoid.clone(), formula("sin(3*t)")].map(turned);
        for (what, mut worlds) in [("servo", servos), ("motor", motors)] {
            for step in 1..=180 {
                worlds.iter_mut().for_each(World::step);
                close(&format!("{more:?}: {what}, step {step}"), value(&worlds[1]), value(&worlds[0]), 1e-5);
            }
        }
    }
}

/// A damper alone: I ω' = c (ω* − ω).
#[test]
fn a_damper_without_a_spring_aims_at_a_speed() {
    let (damping, speed) = (0.5f32, 3.0f32);
    for more in METHODS {
        let own = AngularServo { speed, ..servo(0.0, damping) };
        let mut world = driven(&[more, &["step.rate=240"]].concat(), own, ByTime::Constant);
        run(&mut world, 1.0);
        let expected = speed * (1.0 - (-damping / INERTIA).exp());
        close(&format!("{more:?}"), rate(&world), expected, 5e-3 * speed);
    }
}

/// Far from its target a servo gives its cap: ω = M t/I. A constant torque alone does the same.
#[test]
fn a_cap_bounds_the_torque() {
    for more in METHODS {
        let target = Angle::radians(100.0);
        let far = AngularServo { target, max_torque: 0.8, ..servo(1e4, 10.0) };
        let alone = AngularServo { torque: 0.8, ..servo(0.0, 0.0) };
        let both = AngularServo { torque: 5.0, max_torque: 0.8, ..servo(0.0, 0.0) };
        for own in [far, alone, both] {
            let mut world = driven(more, own, ByTime::Constant);
            run(&mut world, 2.0);
            close(&format!("{more:?}, {own:?}"), rate(&world), 0.8 * 2.0 / INERTIA, 5e-3 * 3.2);
            close("torque", world.state.joints[0].readout.motor, 0.8, 1e-3);
        }
        // A load above the cap turns the wheel on: α = (τ − M)/I.
        let held = AngularServo { max_torque: 1.0, ..servo(1e4, 100.0) };
        let hinge = Hinge { servo: Some(held), ..Hinge::default() };
        let mut world = wheel(settings(&[&[WEIGHTLESS], more].concat()), 1.5, hinge, ByTime::Constant);
        run(&mut world, 2.0);
        close(&format!("{more:?}: gives way"), rate(&world), 0.5 * 2.0 / INERTIA, 0.03 * 2.0);
    }
}

/// A target of several turns is reached by several turns.
#[test]
fn a_servo_turns_on_beyond_half_a_turn() {
    for more in METHODS {
        let target = Angle::radians(-20.0);
        let mut world = driven(more, AngularServo { target, ..servo(20.0, 6.0) }, ByTime::Constant);
        run(&mut world, 5.0);
        close(&format!("{more:?}"), value(&world), -20.0, 1e-3);
    }
}

/// ½ I ω² + ½ k (θ − θ*)² never grows beyond what it was, for soft and for very stiff servos.
#[test]
fn a_servo_gives_no_energy_but_that_of_its_spring() {
    for more in METHODS {
        for (stiffness, damping) in [(20.0f32, 0.0f32), (2e3, 0.0), (2e5, 0.0), (2e3, 1.0)] {
            let own = AngularServo { target: Angle::radians(0.5), ..servo(stiffness, damping) };
            let mut world = driven(more, own, ByTime::Constant);
            let begin = 0.5 * stiffness * 0.25;
            for _ in 0..600 {
                world.step();
                let energy = 0.5 * INERTIA * rate(&world).powi(2) + 0.5 * stiffness * (value(&world) - 0.5).powi(2);
                // The symplectic step keeps another energy, which is off by ω h/2 of this one.
                let share = 0.5 * ((stiffness / INERTIA).sqrt() / 60.0).min(1.0);
                assert!(energy <= begin * (1.01 + share), "{more:?}, {stiffness} N·m/rad: {energy} J of {begin} J");
            }
        }
    }
}

/// Two bodies on a rail: the servo moves them towards each other, their momentum stays zero, and the distance at rest is
/// the target. On a cylindrical joint it does the same.
#[test]
fn a_servo_along_an_axis() {
    let own = LinearServo { softness: Softness::of(1.0, 1.0), target: 0.3, ..LinearServo::default() };
    let slider = JointKind::Prismatic(Prismatic { servo: Some(own), zero: 0.1, ..Prismatic::default() });
    let rod = JointKind::Cylindrical(Cylindrical { servo: Some(own), zero: 0.1, ..Cylindrical::default() });
    for more in METHODS {
        for kind in [slider, rod] {
            let mut world = World::new(settings(&[&[WEIGHTLESS], more].concat()));
            let a = world.add_body(BodyDef { mass: 1.0, collide: false, ..cube(0.2, Vec3::ZERO) });
            let b = world.add_body(BodyDef { mass: 3.0, collide: false, ..cube(0.2, Vec3::ZERO) });
            world.add_joint(joint(&world, a, b, Vec3::ZERO, Vec3::X, kind));
            for _ in 0..240 {
                world.step();
                close("momentum", world.metrics().momentum.x as f32, 0.0, 1e-4);
            }
            let apart = world.state.bodies[b as usize].position.x - world.state.bodies[a as usize].position.x;
            // The slide counts from 0.1 m.
            close(&format!("{more:?}, {}: apart", kind.info().name), apart, 0.4, 1e-4);
            close("slide", value(&world), 0.3, 1e-4);
        }
    }
}

/// The speed of a motor by time: θ = (ω/Ω) sin Ω t, and the area below a table.
#[test]
fn a_motor_s_speed_varies_with_time() {
    let (speed, omega) = (2.0f32, 3.0f32);
    for more in METHODS {
        let motor = Some(AngularDrive { speed, max_torque: UNBOUNDED });
        let by_time = ByTime::Sinusoid { rate: omega, phase: Angle::default() };
        let weightless = settings(&[&[WEIGHTLESS], more].concat());
        let mut world = wheel(weightless, 0.0, Hinge { motor, ..Hinge::default() }, by_time);
        for step in 1..=180 {
            world.step();
            let t = step as f32 / 60.0;
            close(&format!("{more:?} at {t} s"), value(&world), speed / omega * (omega * t).sin(), 2e-3);
        }
        let mut world = World::new(weightless);
        let sled = world.add_body(cube(0.2, Vec3::ZERO));
        let motor = Some(LinearDrive { speed: 0.5, max_force: UNBOUNDED });
        let kind = JointKind::Prismatic(Prismatic { motor, ..Prismatic::default() });
        // Up within 1 s, constant, down within 1 s: an area of 2 s.
        let by_time = ByTime::Table { points: vec![(0.0, 0.0), (1.0, 1.0), (2.0, 1.0), (3.0, 0.0)] };
        let def = joint(&world, WORLD, sled, Vec3::ZERO, Vec3::X, kind);
        world.add_joint(JointDef { options: OwnOptions { by_time, ..OwnOptions::default() }.into(), ..def });
        run(&mut world, 3.5);
        close(&format!("{more:?}: slide"), value(&world), 0.5 * 2.0, 1e-3);
        close(&format!("{more:?}: still"), world.state.joints[0].readout.speed, 0.0, 1e-3);
    }
}

/// A zero at −3π/2 from the scene's pose: the joint begins at 3π/2. Limits, targets and readings count from there.
#[test]
fn a_joint_counts_from_its_zero() {
    let (zero, begin) = (Angle::radians(-1.5 * PI), 1.5 * PI);
    for more in METHODS {
        let hinge = Hinge { zero, ..Hinge::default() };
        let mut world = wheel(settings(&[&[WEIGHTLESS], more].concat()), 0.0, hinge, ByTime::Constant);
        run(&mut world, 0.1);
        close(&format!("{more:?}: begins"), value(&world), begin, 1e-5);
        let own = AngularServo { target: Angle::radians(begin + 0.4), ..servo(20.0, 6.0) };
        let hinge = Hinge { zero, servo: Some(own), ..Hinge::default() };
        let mut world = wheel(settings(&[&[WEIGHTLESS], more].concat()), 0.0, hinge, ByTime::Constant);
        run(&mut world, 4.0);
        close(&format!("{more:?}: target"), value(&world), begin + 0.4, 1e-4);
        // The wheel has turned by 0.4 rad in the world.
        let turned = 2.0 * world.state.bodies[1].rotation.z.asin();
        close(&format!("{more:?}: turned"), turned, 0.4, 1e-4);
        let limit = Some((Angle::radians(begin - 0.2), Angle::radians(begin + 0.3)));
        let hinge = Hinge { zero, limit, ..Hinge::default() };
        let mut world = wheel(settings(&[&[WEIGHTLESS], more].concat()), 0.5, hinge, ByTime::Constant);
        run(&mut world, 4.0);
        close(&format!("{more:?}: limit"), value(&world), begin + 0.3, 2e-3);
    }
}

/// With the default settings, RATTLE and sub-steps: sag, target and the sinusoid's amplitude.
#[test]
fn servos_under_the_default_settings() {
    let mut usual = Settings::default();
    usual.assign(WEIGHTLESS).expect("a setting");
    let own = AngularServo { target: Angle::radians(0.6), ..servo(40.0, 8.0) };
    let mut world = wheel(usual, 1.5, Hinge { servo: Some(own), ..Hinge::default() }, ByTime::Constant);
    run(&mut world, 4.0);
    close("sag", value(&world), 0.6 + 1.5 / 40.0, 1e-4);
    let by_time = ByTime::Sinusoid { rate: 8.0, phase: Angle::default() };
    let own = AngularServo { target: Angle::radians(0.4), ..servo(20.0, 4.0) };
    let mut world = wheel(usual, 0.0, Hinge { servo: Some(own), ..Hinge::default() }, by_time);
    run(&mut world, 4.0);
    let mut most = 0.0f32;
    for _ in 0..60 {
        world.step();
        most = most.max(value(&world));
    }
    // |H| = √((k² + b²)/((k − I Ω²)² + b²)), b = c Ω.
    let (k, b, rest) = (20.0f32, 4.0f32 * 8.0, 20.0 - INERTIA * 64.0);
    close("amplitude", most, 0.4 * ((k * k + b * b) / (rest * rest + b * b)).sqrt(), 0.02 * 0.4);
}
