//! Cams compared with their closed forms.

use std::f32::consts::{PI, TAU};

use delassus_physics::body::BodyDef;
use delassus_physics::joint::{JointDef, JointOptions};
use delassus_physics::joints::*;
use delassus_physics::primitives::profile::Profile;
use delassus_physics::world::{WORLD, World};
use glam::Vec3;

use crate::build::{close, cube, joint, run, settings};

/// Radius of a circular cam and its eccentricity, m.
const RADIUS: f32 = 0.2;
const E: f32 = 0.08;

/// r(θ) of that circle.
fn eccentric(angle: f64) -> f64 {
    let (radius, e) = (f64::from(RADIUS), f64::from(E));
    e * angle.cos() + (radius * radius - (e * angle.sin()).powi(2)).sqrt()
}

/// Height of a point or of a roller's centre over the axis, m, where the cam has turned by `angle`, and its derivative, m/rad.
fn lift(angle: f32, roller: f32) -> (f32, f32) {
    let (sine, cosine) = angle.sin_cos();
    let rod = ((RADIUS + roller).powi(2) - (E * sine).powi(2)).sqrt();
    (E * cosine + rod, -E * sine - E * E * sine * cosine / rod)
}

/// A cam of 1 kg on an axle with this hinge, and a follower of 2 kg on a guide above it: the axle is joint 0, the guide 1,
/// the cam 2.
fn machine(assignments: &[&str], hinge: Hinge, cam: Cam) -> World {
    let mut world = World::new(settings(assignments));
    let first = cam.radii.radii()[0] + cam.roller;
    let wheel = world.add_body(BodyDef { mass: 1.0, collide: false, ..cube(0.1, Vec3::ZERO) });
    let follower = world.add_body(BodyDef { mass: 2.0, collide: false, ..cube(0.05, Vec3::Z * first) });
    world.add_joint(joint(&world, WORLD, wheel, Vec3::ZERO, -Vec3::Y, JointKind::Hinge(hinge)));
    let guide = JointKind::Prismatic(Prismatic::default());
    world.add_joint(joint(&world, WORLD, follower, Vec3::Z * first, Vec3::Z, guide));
    world.add_joint(between(wheel, follower, cam));
    world
}

fn between(a: u32, b: u32, cam: Cam) -> JointDef {
    let (anchor_a, anchor_b, axis_a, axis_b) = (Vec3::ZERO, Vec3::ZERO, -Vec3::Y, -Vec3::Y);
    let (kind, options) = (JointKind::Cam(cam), JointOptions::default());
    JointDef { a, b, anchor_a, anchor_b, axis_a, axis_b, kind, collide: false, options }
}

fn circle(roller: f32, rests: bool) -> Cam {
    Cam { radii: Profile::of(36, eccentric), roller, rests, ..Cam::default() }
}

fn turns(speed: f32) -> Hinge {
    Hinge { motor: Some(AngularDrive { speed, max_torque: UNBOUNDED }), ..Hinge::default() }
}

const METHODS: [&[&str]; 4] =
    [&[], &["solver.method=Direct"], &["stabilization.method=Rattle"], &["preset=SmallSteps"]];

/// s = e cos θ + √((R + ρ)² − e² sin² θ) through three turns, with a knife edge, a roller, and one that only rests there.
#[test]
fn an_eccentric_circle_lifts_as_a_crank() {
    for more in METHODS {
        for cam in [circle(0.0, false), circle(0.05, false), circle(0.05, true)] {
            let mut world = machine(&[more, &["step.rate=240"]].concat(), turns(PI), cam);
            let mut most = 0.0f32;
            for _ in 0..6 * 240 {
                world.step();
                let (angle, height) = (world.state.joints[0].readout.value, world.state.bodies[2].position.z);
                most = most.max((height - lift(angle, cam.roller).0).abs());
            }
            close("turns", world.state.joints[0].readout.value, 6.0 * PI, 0.02);
            // Seen from the cam the follower turns the other way.
            close("angle of the follower", world.state.joints[2].readout.value, -6.0 * PI, 0.02);
            // In a step the normal turns by ω h, along which e is travelled: e ω h.
            assert!(most < E * PI / 240.0, "{more:?}, {cam:?}: off by {most} m");
        }
    }
}

/// The cam bears the follower at rest with T = m g ds/dθ; the force along the normal is m g over the cosine of the pressure
/// angle α, sin α = e sin θ/(R + ρ).
#[test]
fn the_torque_of_a_cam_at_rest() {
    for roller in [0.0, 0.05] {
        for degrees in [30.0f32, 90.0, 150.0, 250.0] {
            let angle = degrees.to_radians();
            let mut world = machine(&["step.rate=240"], turns(angle), circle(roller, false));
            run(&mut world, 1.0);
            if let JointKind::Hinge(hinge) = &mut world.state.joints[0].def.kind {
                *hinge = turns(0.0);
            }
            run(&mut world, 1.0);
            let weight = 2.0 * 9.81;
            let torque = weight * lift(world.state.joints[0].readout.value, roller).1;
            close("torque", world.state.joints[0].readout.motor, torque, 0.01 * weight * E);
            let pressure = (E * angle.sin() / (RADIUS + roller)).asin();
            close("force", world.state.joints[2].readout.coupling, weight / pressure.cos(), 0.01 * weight);
        }
    }
}

/// A follower that rests on r = r₀ + e cos θ has the acceleration −e ω² at the top. Below ω = √(g/e) it stays on the cam,
/// above it flies off, and never dips into the cam.
#[test]
fn a_follower_lifts_off_a_fast_cam() {
    let e = 0.05f32;
    let radii = Profile::of(72, |t| 0.25 + f64::from(e) * t.cos());
    let limit = (9.81 / e).sqrt();
    for (speed, flies) in [(0.8 * limit, false), (1.3 * limit, true)] {
        let mut world = machine(&["step.rate=480"], turns(speed), Cam { radii, rests: true, ..Cam::default() });
        let (mut over, mut under) = (0.0f32, 0.0f32);
        for _ in 0..(480.0 * 2.0 * TAU / speed) as usize {
            world.step();
            let angle = world.state.joints[0].readout.value;
            let gap = world.state.bodies[2].position.z - (0.25 + e * angle.cos());
            (over, under) = (over.max(gap), under.min(gap));
        }
        assert_eq!(over > 0.2 * e, flies, "{speed} rad/s: {over} m");
        assert!(under > -2e-3 && (flies || over < 2e-3), "{speed} rad/s: {over} and {under} m");
    }
}

/// A free cam and its follower keep both momenta.
#[test]
fn a_free_cam_keeps_its_momentum() {
    let mut world = World::new(settings(&["step.gravity=0,0,0"]));
    let carrier = world.add_body(BodyDef { mass: 3.0, collide: false, ..cube(0.3, Vec3::Y * 0.2) });
    let wheel = BodyDef { mass: 1.0, collide: false, angular_velocity: Vec3::Y * -6.0, ..cube(0.1, Vec3::ZERO) };
    let wheel = world.add_body(wheel);
    let follower = world.add_body(BodyDef { mass: 2.0, collide: false, ..cube(0.05, Vec3::Z * (RADIUS + E)) });
    world.add_joint(joint(&world, carrier, wheel, Vec3::ZERO, -Vec3::Y, JointKind::Hinge(Hinge::default())));
    let guide = JointKind::Prismatic(Prismatic::default());
    world.add_joint(joint(&world, carrier, follower, Vec3::Z * (RADIUS + E), Vec3::Z, guide));
    world.add_joint(between(wheel, follower, circle(0.0, false)));
    let before = world.metrics();
    run(&mut world, 3.0);
    let after = world.metrics();
    assert!((after.momentum - before.momentum).length() < 1e-4, "{}", after.momentum);
    let (changed, scale) =
        ((after.angular_momentum - before.angular_momentum).length(), before.angular_momentum.length());
    assert!(changed < 2e-3 * scale, "{changed} of {scale}");
    assert!(world.state.joints[0].readout.speed.abs() > 0.5, "it turns");
}
