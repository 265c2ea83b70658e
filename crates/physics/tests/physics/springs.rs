//! Springs of a given stiffness and damping coefficient, and what creeps.

use glam::Vec3;

use delassus_physics::angle::Angle;
use delassus_physics::body::BodyDef;
use delassus_physics::joints::{AngularSpring, Hinge, JointKind, LinearSpring, Prismatic, Spring};
use delassus_physics::row::{Damping, Softness, SpringRate};
use delassus_physics::settings::{Method, Settings};
use delassus_physics::shape::Shape;
use delassus_physics::world::{WORLD, World};

use crate::build::{G, body, close, cube, joint, settings};

const METHODS: [Method; 3] = [Method::GaussSeidel, Method::Jacobi, Method::Direct];

/// A block on a rail along z, held by a spring, and its place after so many steps.
fn on_a_rail(set: &[&str], method: Method, mass: f32, softness: Softness, slide: f32, steps: u32) -> Vec<f32> {
    let mut settings = settings(set);
    settings.solver.method = method;
    let mut world = World::new(settings);
    let block = world.add_body(BodyDef { mass, collide: false, ..cube(0.1, Vec3::ZERO) });
    let spring = Some(LinearSpring { softness, slide });
    let kind = JointKind::Prismatic(Prismatic { spring, ..Prismatic::default() });
    world.add_joint(joint(&world, WORLD, block, Vec3::ZERO, Vec3::Z, kind));
    let at = |world: &mut World| {
        world.step();
        world.state.bodies[block as usize].position.z
    };
    (0..steps).map(|_| at(&mut world)).collect()
}

/// x = −m g/k, whatever hangs on it.
#[test]
fn a_spring_of_given_stiffness_sags_by_the_weight_over_it() {
    let (stiffness, damping) = (800.0, 120.0);
    for method in METHODS {
        for mass in [0.5f32, 3.0, 20.0] {
            let softness = Softness::of_stiffness(stiffness, damping);
            let way = on_a_rail(&["step.gravity=0,0,-9.81"], method, mass, softness, 0.0, 900);
            let sag = mass * G / stiffness;
            close(&format!("{method:?}, {mass} kg"), way[way.len() - 1], -sag, 1e-3 * sag + 1e-6);
        }
    }
}

/// A hinge's spring: φ = τ/k, τ = m g d cos φ.
#[test]
fn a_torsion_spring_of_given_stiffness_turns_by_the_torque_over_it() {
    let stiffness = 300.0f32;
    for mass in [0.5f32, 4.0] {
        let mut world = World::new(settings(&["step.gravity=0,0,-9.81"]));
        let half = Vec3::new(1.0, 0.02, 0.02);
        let bar = world.add_body(BodyDef { mass, collide: false, ..body(Shape::Box { half }, Vec3::X) });
        let softness = Softness::of_stiffness(stiffness, 60.0);
        let spring = Some(AngularSpring { softness, angle: Angle::radians(0.0) });
        let kind = JointKind::Hinge(Hinge { spring, ..Hinge::default() });
        world.add_joint(joint(&world, WORLD, bar, Vec3::ZERO, Vec3::Y, kind));
        (0..600).for_each(|_| world.step());
        let mut turn = 0.0f32;
        (0..50).for_each(|_| turn = mass * G * turn.cos() / stiffness);
        let read = world.state.joints[0].readout;
        close(&format!("{mass} kg"), read.value, turn, 1e-3 * turn);
        close("energy", read.energy, 0.5 * stiffness * turn * turn, 2e-3 * stiffness * turn * turn);
        // The inertia about the hinge, to which a frequency would refer.
        let inertia = mass * (1.0 + (4.0 + 0.0016) / 12.0);
        close("inertia", read.sprung, inertia, 1e-3 * inertia);
    }
}

/// T = 2π √(m/k), and of a free spring between two bodies 2π √(μ/k), μ their reduced mass.
#[test]
fn a_spring_of_given_stiffness_swings_with_its_mass() {
    let stiffness = 60.0f32;
    let period = |way: &[f32], middle: f32, rate: f32| {
        let ups: Vec<f32> = (1..way.len())
            .filter(|k| way[k - 1] < middle && way[*k] >= middle)
            .map(|k| (k as f32 - (way[k] - middle) / (way[k] - way[k - 1])) / rate)
            .collect();
        (ups[ups.len() - 1] - ups[0]) / (ups.len() - 1) as f32
    };
    for mass in [0.5f32, 2.0] {
        let way = on_a_rail(
            &["step.gravity=0,0,0"],
            Method::GaussSeidel,
            mass,
            Softness::of_stiffness(stiffness, 0.0),
            0.1,
            1200,
        );
        let right = std::f32::consts::TAU * (mass / stiffness).sqrt();
        close(&format!("{mass} kg"), period(&way, 0.1, 60.0), right, 2e-3 * right);
    }
    let mut world = World::new(settings(&["step.gravity=0,0,0"]));
    let [a, b] = [(1.0f32, 0.0f32), (3.0, 1.2)]
        .map(|(mass, x)| world.add_body(BodyDef { mass, collide: false, ..cube(0.1, Vec3::X * x) }));
    let kind = JointKind::Spring(Spring { length: Some(1.0), softness: Softness::of_stiffness(stiffness, 0.0) });
    let mut def = joint(&world, a, b, Vec3::ZERO, Vec3::Z, kind);
    (def.anchor_a, def.anchor_b) = (Vec3::ZERO, Vec3::ZERO);
    world.add_joint(def);
    let apart = |world: &mut World| {
        world.step();
        world.state.bodies[b as usize].position.x - world.state.bodies[a as usize].position.x
    };
    let way: Vec<f32> = (0..1200).map(|_| apart(&mut world)).collect();
    let right = std::f32::consts::TAU * (0.75f32 / stiffness).sqrt();
    close("two bodies", period(&way, 1.0, 60.0), right, 2e-3 * right);
}

/// A ratio of a given stiffness, and a coefficient of a given frequency: c = 2 ζ √(k m).
#[test]
fn either_number_may_be_given_either_way() {
    let (mass, stiffness) = (2.0f32, 500.0f32);
    let hertz = (stiffness / mass).sqrt() / std::f32::consts::TAU;
    let coefficient = 2.0 * 0.3 * (stiffness * mass).sqrt();
    let run = |softness| on_a_rail(&["step.gravity=0,0,-9.81"], Method::GaussSeidel, mass, softness, 0.0, 60);
    let right = run(Softness::of(hertz, 0.3));
    for softness in [
        Softness::of_stiffness(stiffness, coefficient),
        Softness { rate: SpringRate::Stiffness(stiffness), damping: Damping::Ratio(0.3) },
        Softness { rate: SpringRate::Frequency(hertz), damping: Damping::Coefficient(coefficient) },
    ] {
        let way = run(softness);
        assert!(way.iter().zip(&right).all(|(x, y)| (x - y).abs() < 1e-5), "{softness:?}");
    }
}

/// Poles of 484 and 34,810 per second, as of a stiff drive, and of 0.65 and 22 per second, as of a door closer: from
/// rest at x = 0 to 1, 1 − x = (p₂ e^{−p₁ t} − p₁ e^{−p₂ t})/(p₂ − p₁). It creeps in and never turns back.
#[test]
fn an_overdamped_spring_creeps_in_at_its_rate() {
    for (slow, fast) in [(484.0f64, 34_810.0f64), (0.65, 22.0)] {
        for method in METHODS {
            for rate in [10u32, 30, 60, 240, 1000, 2000] {
                for substeps in [1u32, 4] {
                    let mass = 2.0f32;
                    let softness = Softness::of_stiffness((slow * fast) as f32 * mass, (slow + fast) as f32 * mass);
                    let set =
                        ["step.gravity=0,0,0", &format!("step.rate={rate}"), &format!("step.substeps={substeps}")];
                    let steps = (1.5 * f64::from(rate) / slow).ceil().min(3000.0) as u32 + 3;
                    let way = on_a_rail(&set, method, mass, softness, 1.0, steps);
                    let name = format!("{slow}, {method:?}, {rate} Hz, {substeps} sub-steps");
                    let h = 1.0 / (f64::from(rate) * f64::from(substeps));
                    for (k, x) in way.iter().enumerate() {
                        let before = if k == 0 { 0.0 } else { way[k - 1] };
                        // Within rounding.
                        assert!(*x >= before - 2e-6 && *x < 1.0 + 2e-6, "{name}: {before} m, then {x} m");
                    }
                    // What decays by less than a third in a sub-step decays at its rate.
                    if slow * h < 0.4 {
                        let near = |t: f64| (fast * (-slow * t).exp() - slow * (-fast * t).exp()) / (fast - slow);
                        let end = way.len() - 1;
                        let left = 1.0 - f64::from(way[end]);
                        let right = near((end + 1) as f64 / f64::from(rate));
                        // The start is short by what the fast pole takes in one sub-step.
                        let bound = right * (0.01 + 0.6 * slow * h) + 1e-5;
                        assert!((left - right).abs() < bound, "{name}: {left} m are left, right {right}");
                        let shrinks = (left / (1.0 - f64::from(way[end / 2]))).ln();
                        let right = -slow * (end - end / 2) as f64 / f64::from(rate);
                        assert!((shrinks / right - 1.0).abs() < 0.01, "{name}: {shrinks}, right {right}");
                    }
                }
            }
        }
    }
}

/// A damper without a spring: a weight sinks at m g/c.
#[test]
fn a_damper_alone_lets_a_weight_sink_at_its_weight_over_it() {
    for method in METHODS {
        for (mass, damping) in [(1.0f32, 40.0f32), (5.0, 8000.0)] {
            let softness = Softness::of_stiffness(0.0, damping);
            let way = on_a_rail(&["step.gravity=0,0,-9.81"], method, mass, softness, 0.0, 240);
            let (sinks, right) = (60.0 * (way[238] - way[239]), mass * G / damping);
            close(&format!("{method:?}, {mass} kg"), sinks, right, 2e-3 * right + 1e-5);
        }
    }
}

/// A soft floor of k N/m carries a box on four corners as it carries a ball on one point: x = m g/k.
#[test]
fn a_soft_surface_of_given_stiffness_gives_way_by_the_weight_over_it() {
    let stiffness = 20_000.0f32;
    for (shape, mass) in [(Shape::Box { half: Vec3::splat(0.2) }, 8.0f32), (Shape::Sphere { radius: 0.2 }, 8.0)] {
        let mut world = World::new(settings(&["step.gravity=0,0,-9.81", "contact.slop=0"]));
        let mut floor = body(Shape::Box { half: Vec3::new(5.0, 5.0, 0.5) }, Vec3::NEG_Z * 0.5);
        floor.motion = delassus_physics::Motion::Static;
        floor.material.soft = Some(Softness::of_stiffness(stiffness, 400.0));
        world.add_body(floor);
        let block = world.add_body(BodyDef { mass, ..body(shape, Vec3::Z * 0.2) });
        (0..300).for_each(|_| world.step());
        let sag = mass * G / stiffness;
        close("sag", 0.2 - world.state.bodies[block as usize].position.z, sag, 0.02 * sag);
    }
}

/// Without damping a spring keeps its energy, ½ v² a kilogram, at any rate: it swings for a minute.
#[test]
fn an_undamped_spring_keeps_its_energy_however_short_the_steps() {
    for method in METHODS {
        for (rate, within) in [(60u32, 2e-3), (240, 3e-4), (1000, 3e-4)] {
            let mut settings = settings(&[&format!("step.rate={rate}"), "step.gravity=0,0,0"]);
            settings.solver.method = method;
            let mut world = World::new(settings);
            let block = world.add_body(BodyDef { velocity: Vec3::Z, collide: false, ..cube(0.1, Vec3::ZERO) });
            let spring = Some(LinearSpring { softness: Softness::of(1.0, 0.0), slide: 0.0 });
            let kind = JointKind::Prismatic(Prismatic { spring, ..Prismatic::default() });
            world.add_joint(joint(&world, WORLD, block, Vec3::ZERO, Vec3::Z, kind));
            let omega = std::f64::consts::TAU;
            // The spring's energy at the turning points, where nothing is kinetic: ½ ω² z².
            let half = (rate / 2) as usize;
            let ends: Vec<f64> = (0..120)
                .map(|_| {
                    let far = (0..half).map(|_| {
                        world.step();
                        f64::from(world.state.bodies[block as usize].position.z).abs()
                    });
                    far.fold(0.0, f64::max)
                })
                .collect();
            for z in [ends[0], ends[119]] {
                assert!((z * omega - 1.0).abs() < within, "{method:?} at {rate} Hz: {}", z * omega);
            }
        }
    }
}

/// A spring without damping keeps its amplitude, however fast it is. With w = ω h a step turns by θ, where cos θ = 1 − ½ w²/(1
/// + β w²) and β goes from 0 at w = ½ to ¼ at 1. From z = 0 and v = 1 m/s on, z(n) = (h/sin θ) sin(n θ).
#[test]
fn a_fast_undamped_spring_swings_on() {
    for hertz in [30.0f32, 60.0, 200.0] {
        for method in METHODS {
            let mut settings = Settings::default();
            (settings.solver.method, settings.step.gravity) = (method, Vec3::ZERO);
            let (h, squared) = (settings.h(), (std::f32::consts::TAU * hertz * settings.h()).powi(2));
            let beta = 0.25 * (2.0 * squared.sqrt() - 1.0).clamp(0.0, 1.0);
            let cosine = 1.0 - 0.5 * squared / (1.0 + beta * squared);
            let amplitude = h / (1.0 - cosine * cosine).sqrt();
            let mut world = World::new(settings);
            let block = world.add_body(BodyDef { velocity: Vec3::Z, collide: false, ..cube(0.1, Vec3::ZERO) });
            let spring = Some(LinearSpring { softness: Softness::of(hertz, 0.0), slide: 0.0 });
            let kind = JointKind::Prismatic(Prismatic { spring, ..Prismatic::default() });
            world.add_joint(joint(&world, WORLD, block, Vec3::ZERO, Vec3::Z, kind));
            let mut farthest = |steps: u32| {
                let step = |_| {
                    world.step();
                    world.state.bodies[block as usize].position.z.abs()
                };
                (0..steps).map(step).fold(0.0, f32::max)
            };
            for seconds in [2, 10, 2] {
                close(&format!("{method:?}, {hertz} Hz"), farthest(60 * seconds), amplitude, 0.02 * amplitude);
            }
        }
    }
}
