//! Friction, damping and armature of joints against closed forms.

use delassus_physics::body::BodyDef;
use delassus_physics::force::Force;
use delassus_physics::joints::{AngularDrive, Hinge, JointKind, Prismatic};
use delassus_physics::shape::Shape;
use delassus_physics::world::{WORLD, World};
use glam::Vec3;

use crate::build::{G, bead, body, close, cube, joint, run, settings};

const WEIGHTLESS: &str = "step.gravity=0,0,0";
/// Ways to solve the rows of a joint.
const METHODS: [&[&str]; 5] = [
    &[],
    &["solver.rows=Tree", "solver.iterations=200"],
    &["solver.method=Direct"],
    &["solver.method=Jacobi", "solver.iterations=200"],
    &["step.substeps=4", "stabilization.method=Split"],
];

/// A wheel of 4 kg and 0.5 m on the world's z axis that begins with `spin` rad/s: I = m r²/2 = 0.5 kg m².
fn wheel(more: &[&str], spin: f32, torque: f32, hinge: Hinge) -> World {
    let mut world = World::new(settings(&[&[WEIGHTLESS], more].concat()));
    let own = body(Shape::Cylinder { radius: 0.5, half_length: 0.1 }, Vec3::ZERO);
    let forces = vec![Force { torque: Vec3::Z * torque, ..Force::default() }];
    let wheel = world.add_body(BodyDef { mass: 4.0, angular_velocity: Vec3::Z * spin, forces, ..own });
    world.add_joint(joint(&world, WORLD, wheel, Vec3::ZERO, Vec3::Z, JointKind::Hinge(hinge)));
    world
}

const INERTIA: f32 = 0.5;

fn spin(world: &World) -> f32 {
    world.state.velocities[1].angular.z
}

/// A wheel with friction τ slows down by τ/I and stands still from ω I/τ on.
#[test]
fn a_wheel_stops_after_its_momentum_over_the_friction() {
    let (start, friction) = (4.0f32, 0.8f32);
    let stop = start * INERTIA / friction;
    for more in METHODS {
        let mut world = wheel(more, start, 0.0, Hinge { friction, ..Hinge::default() });
        for step in 1..=240 {
            world.step();
            let t = step as f32 / 60.0;
            let most = friction / INERTIA / 60.0;
            close(&format!("{more:?}"), spin(&world), (start - friction * t / INERTIA).max(0.0), most);
            if t < stop - 0.1 {
                close("friction", world.state.joints[0].readout.friction, -friction, 2e-3 * friction);
            }
        }
        close("still", spin(&world), 0.0, 1e-6);
        // θ = ω² I/(2 τ).
        close("angle", world.state.joints[0].readout.value, start * start * INERTIA / (2.0 * friction), 0.04);
    }
}

/// A pendulum at the angle φ from below: m g l sin φ is what the friction must hold.
#[test]
fn friction_holds_up_to_the_weight_s_torque() {
    let (mass, length, phi) = (2.0f32, 0.7f32, 0.9f32);
    let load = mass * G * length * phi.sin();
    for (friction, breakaway, holds) in [
        (1.02 * load, 0.0, true),
        (0.98 * load, 0.0, false),
        (0.5 * load, 1.02 * load, true),
        (0.5 * load, 0.98 * load, false),
    ] {
        for more in METHODS {
            let mut world = World::new(settings(more));
            let at = Vec3::new(phi.sin(), 0.0, -phi.cos()) * length;
            let ball = body(Shape::Sphere { radius: 0.4 }, at);
            let bob = world.add_body(BodyDef { mass, collide: false, ..ball });
            let kind = JointKind::Hinge(Hinge { friction, breakaway, ..Hinge::default() });
            world.add_joint(joint(&world, WORLD, bob, Vec3::ZERO, Vec3::Y, kind));
            run(&mut world, 1.5);
            let moved = world.state.bodies[bob as usize].position.distance(at);
            assert_eq!(moved < 1e-3 * length, holds, "{more:?}, {friction} and {breakaway} on {load}: {moved} m");
            if holds {
                close("friction", world.state.joints[0].readout.friction.abs(), load, 5e-3 * load);
            }
        }
    }
}

/// A slider of mass m with the friction F under a force P: it stays for P < F, else a = (P − F)/m.
#[test]
fn a_slider_moves_by_what_is_left_of_the_force() {
    let (mass, friction) = (2.0f32, 2.0f32);
    for more in METHODS {
        for push in [1.9f32, -3.0] {
            let mut world = World::new(settings(&[&[WEIGHTLESS], more].concat()));
            let forces = vec![Force { force: Vec3::X * push, ..Force::default() }];
            let sled = world.add_body(BodyDef { mass, forces, ..cube(0.2, Vec3::ZERO) });
            let kind = JointKind::Prismatic(Prismatic { friction, ..Prismatic::default() });
            world.add_joint(joint(&world, WORLD, sled, Vec3::ZERO, Vec3::X, kind));
            run(&mut world, 2.0);
            let expected = push.signum() * (push.abs() - friction).max(0.0) / mass * 2.0;
            close(&format!("{more:?}"), world.state.velocities[sled as usize].linear.x, expected, 1e-2);
        }
    }
}

/// I ω' = τ − c ω: ω = τ/c + (ω₀ − τ/c) e^{−c t/I}, to the last digits for any c.
#[test]
fn damping_decays_exponentially() {
    for more in METHODS {
        for (damping, torque) in [(0.05f32, 0.0f32), (0.5, 0.0), (0.5, 1.5), (20.0, 3.0)] {
            let start = 3.0f32;
            let mut world = wheel(more, start, torque, Hinge { damping, ..Hinge::default() });
            for step in 1..=90 {
                world.step();
                let t = step as f32 / 60.0;
                let end = torque / damping;
                let expected = end + (start - end) * (-damping * t / INERTIA).exp();
                // Half a kick is added to what is read.
                let most = 2e-3 * (start + end) + 0.5 * (damping / INERTIA / 60.0).min(1.0) * 0.6 * (start - end).abs();
                close(&format!("{more:?}, {damping}"), spin(&world), expected, most);
            }
        }
    }
    let mut world = wheel(&[], 3.0, 0.0, Hinge { damping: 1e12, ..Hinge::default() });
    run(&mut world, 0.5);
    close("the greatest", spin(&world), 0.0, 1e-5);
}

/// Of two bodies on a rail the damper slows down the difference of their speeds: m = m₁ m₂/(m₁ + m₂). Their momentum
/// stays.
#[test]
fn a_damper_between_two_bodies_keeps_their_momentum() {
    let (m1, m2, c, start) = (1.0f32, 3.0f32, 0.6f32, 2.0f32);
    for more in METHODS {
        let mut world = World::new(settings(&[&[WEIGHTLESS], more].concat()));
        let a = world.add_body(BodyDef { mass: m1, collide: false, ..cube(0.2, Vec3::ZERO) });
        let def = BodyDef { mass: m2, velocity: Vec3::X * start, collide: false, ..cube(0.2, Vec3::ZERO) };
        let b = world.add_body(def);
        let kind = JointKind::Prismatic(Prismatic { damping: c, ..Prismatic::default() });
        world.add_joint(joint(&world, a, b, Vec3::ZERO, Vec3::X, kind));
        run(&mut world, 1.0);
        let left = start * (-c / (m1 * m2 / (m1 + m2))).exp();
        let apart = world.state.velocities[b as usize].linear.x - world.state.velocities[a as usize].linear.x;
        close(&format!("{more:?}"), apart, left, 1e-2 * start);
        close("momentum", world.metrics().momentum.x as f32, m2 * start, 1e-4 * m2 * start);
    }
}

/// Armature: α = τ/(I + I_r), for a rotor of a hundredth and of a hundred times the inertia.
#[test]
fn armature_adds_to_the_inertia() {
    for more in METHODS {
        for armature in [0.005f32, 0.5, 50.0] {
            let torque = 2.0f32;
            let mut world = wheel(more, 0.0, torque, Hinge { armature, ..Hinge::default() });
            run(&mut world, 2.0);
            let expected = torque * 2.0 / (INERTIA + armature);
            close(&format!("{more:?}, {armature}"), spin(&world), expected, 2e-3 * expected);
        }
    }
}

/// A pendulum with a rotor swings with ω² = m g l/(m l² + I_r), and keeps its energy with that of the rotor.
#[test]
fn a_pendulum_with_a_rotor() {
    let (mass, length, armature, start) = (2.0f32, 0.7f32, 0.6f32, 0.05f32);
    let mut world = World::new(settings(&["step.rate=240"]));
    let at = Vec3::new(start.sin(), 0.0, -start.cos()) * length;
    let bob = world.add_body(BodyDef { mass, ..bead(at) });
    let kind = JointKind::Hinge(Hinge { armature, ..Hinge::default() });
    world.add_joint(joint(&world, WORLD, bob, Vec3::ZERO, Vec3::Y, kind));
    let begin = world.metrics().energy();
    let omega = (mass * G * length / (mass * length * length + armature)).sqrt();
    // m g l (1 − cos φ), what swings to and fro.
    let swing = f64::from(mass * G * length * (1.0 - start.cos()));
    for step in 1..=960 {
        world.step();
        let t = step as f32 / 240.0;
        let x = world.state.bodies[bob as usize].position.x;
        close("place", x, length * start * (omega * t).cos(), 5e-3 * length * start);
        let off = (world.metrics().energy() - begin).abs();
        assert!(off < 5e-3 * swing, "{off} J of {swing} J after {t} s");
    }
}

/// A bead slides out along a wheel that turns freely, and drives a rotor: (m + I) s'' = m s ω², with the angular momentum
/// (J + m s²) ω kept. The centrifugal force on the rotor is zero; it was I s ω², and the energy grew fivefold.
#[test]
fn a_rotor_on_a_slide_takes_no_part_in_the_centrifugal_force() {
    let (mass, rotor, start, spin) = (1.0f32, 2.0f32, 0.3f32, 4.0f32);
    for (more, tolerance) in [(METHODS[0], 2e-3), (METHODS[2], 2e-3), (METHODS[4], 2e-2)] {
        let mut world = wheel(more, spin, 0.0, Hinge::default());
        let at = Vec3::X * start;
        let moving = BodyDef { velocity: Vec3::Z.cross(at) * spin, angular_velocity: Vec3::Z * spin, ..bead(at) };
        let bead = world.add_body(BodyDef { mass, ..moving });
        let kind = JointKind::Prismatic(Prismatic { armature: rotor, ..Prismatic::default() });
        world.add_joint(joint(&world, 1, bead, at, Vec3::X, kind));
        let [m, i, j] = [mass, rotor, INERTIA + world.state.bodies[bead as usize].inertia().z_axis.z].map(f64::from);
        let momentum = (j + m * f64::from(start * start)) * f64::from(spin);
        let rate = |s: f64| m * s * (momentum / (j + m * s * s)).powi(2) / (m + i);
        let (mut s, mut v, dt) = (f64::from(start), 0.0, 1e-4);
        for _ in 0..10_000 {
            v += 0.5 * dt * rate(s);
            s += dt * v;
            v += 0.5 * dt * rate(s);
        }
        let begin = world.metrics().energy();
        run(&mut world, 1.0);
        let found = world.state.bodies[bead as usize].position.length();
        close(&format!("{more:?}: slide"), found, s as f32, tolerance * (s as f32 - start));
        close(&format!("{more:?}: energy"), world.metrics().energy() as f32, begin as f32, tolerance * begin as f32);
    }
}

/// A motor that is stronger than the friction reaches its speed and gives what the friction takes; a weaker one stands.
#[test]
fn a_motor_against_friction() {
    for more in METHODS {
        for (cap, speed) in [(5.0f32, 2.0f32), (2.0, 0.0)] {
            let motor = Some(AngularDrive { speed: 2.0, max_torque: cap });
            let friction = 3.0;
            let mut world = wheel(more, 0.0, 0.0, Hinge { motor, friction, ..Hinge::default() });
            run(&mut world, 2.0);
            let read = world.state.joints[0].readout;
            close(&format!("{more:?}, {cap}: speed"), spin(&world), speed, 1e-3);
            close(&format!("{more:?}, {cap}: motor"), read.motor, cap.min(friction), 2e-2);
            close(&format!("{more:?}, {cap}: friction"), read.friction, -cap.min(friction), 2e-2);
        }
    }
}
