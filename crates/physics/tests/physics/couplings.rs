//! Gears, racks, screws, belts and universal joints compared with their closed forms.

use std::f32::consts::{FRAC_PI_2, TAU};

use delassus_physics::body::{BodyDef, Motion};
use delassus_physics::joint::{JointDef, JointOptions};
use delassus_physics::joints::*;
use delassus_physics::settings::Settings;
use delassus_physics::shape::Shape;
use delassus_physics::world::{WORLD, World};
use glam::{Quat, Vec3};

use crate::build::{body, close, joint, run, settings};

/// A disc about `axis` that turns at `spin` rad/s. I = ½ m r² about its axis.
fn disc(radius: f32, mass: f32, at: Vec3, axis: Vec3, spin: f32) -> BodyDef {
    BodyDef {
        mass,
        rotation: Quat::from_rotation_arc(Vec3::Z, axis),
        angular_velocity: axis * spin,
        collide: false,
        ..body(Shape::Cylinder { radius, half_length: 0.05 }, at)
    }
}

fn inertia(radius: f32, mass: f32) -> f32 {
    0.5 * mass * radius * radius
}

/// A coupling between the centres of two bodies, about axes of the world.
fn coupling(world: &World, (a, b): (u32, u32), (axis_a, axis_b): (Vec3, Vec3), kind: JointKind) -> JointDef {
    let local = |body: u32, axis: Vec3| world.state.bodies[body as usize].rotation.inverse() * axis;
    let (anchor_a, anchor_b) = (Vec3::ZERO, Vec3::ZERO);
    let (axis_a, axis_b) = (local(a, axis_a), local(b, axis_b));
    JointDef { a, b, anchor_a, anchor_b, axis_a, axis_b, kind, collide: false, options: JointOptions::default() }
}

fn hinge(world: &mut World, a: u32, b: u32, axis: Vec3, hinge: Hinge) {
    let at = world.state.bodies[b as usize].position;
    world.add_joint(joint(world, a, b, at, axis, JointKind::Hinge(hinge)));
}

fn gear(radius_a: f32, radius_b: f32) -> JointKind {
    JointKind::Gear(Gear { radius_a, radius_b })
}

fn motor(speed: f32, max_torque: f32) -> Hinge {
    Hinge { motor: Some(AngularDrive { speed, max_torque }), ..Hinge::default() }
}

fn value(world: &World, joint: usize) -> f32 {
    world.state.joints[joint].readout.value
}

fn speed(world: &World, joint: usize) -> f32 {
    world.state.joints[joint].readout.speed
}

/// Two gears on axles in the world: hinges 0 and 1, the gear 2.
fn pair(assignments: &[&str], (r_a, r_b): (f32, f32), hinges: [Hinge; 2]) -> World {
    let mut world = World::new(Settings::default());
    for assignment in assignments {
        world.settings.assign(assignment).expect("a valid assignment");
    }
    let a = world.add_body(disc(r_a.abs(), 2.0, Vec3::ZERO, Vec3::Z, 0.0));
    let b = world.add_body(disc(r_b.abs(), 3.0, Vec3::X * (r_a + r_b), Vec3::Z, 0.0));
    for (body, own) in [(a, hinges[0]), (b, hinges[1])] {
        hinge(&mut world, WORLD, body, Vec3::Z, own);
    }
    world.add_joint(coupling(&world, (a, b), (Vec3::Z, Vec3::Z), gear(r_a, r_b)));
    world
}

/// r_a ω_a = −r_b ω_b. With a torque T on A: (I_a + (r_a/r_b)² I_b) α_a = T, and the tooth force is I_b α_b / r_b.
#[test]
fn a_train_accelerates_as_its_reduced_inertia() {
    for (r_a, r_b) in [(0.2, 0.5), (0.2, -0.7), (-0.9, 0.3)] {
        for solver in ["solver.method=GaussSeidel", "solver.method=Direct"] {
            // So fast a motor is a torque.
            let mut world = pair(&[solver], (r_a, r_b), [motor(1e6, 2.0), Hinge::default()]);
            run(&mut world, 1.0);
            let (i_a, i_b) = (inertia(r_a, 2.0), inertia(r_b, 3.0));
            let alpha = 2.0 / (i_a + (r_a / r_b).powi(2) * i_b);
            let what = format!("{r_a} on {r_b}, {solver}");
            close(&what, speed(&world, 0), alpha, 1e-4 * alpha);
            close(&what, speed(&world, 1), -alpha * r_a / r_b, 1e-4 * (alpha * r_a / r_b).abs());
            let tooth = i_b * (alpha * r_a / r_b) / r_b;
            close(&what, world.state.joints[2].readout.coupling.abs(), tooth.abs(), 1e-3 * tooth.abs());
        }
    }
}

/// A motor drives a train of three gears through hinges with friction for 100 turns of its own. The ratio of the angles
/// is that of the radii: friction is no match for teeth.
#[test]
fn friction_does_not_break_a_train() {
    let mut world = World::new(Settings::default());
    let radii = [0.3, 0.5, 0.7f32];
    let rough = Hinge { friction: 0.5, damping: 0.05, ..Hinge::default() };
    let (mut at, mut gears) = (Vec3::ZERO, Vec::new());
    for (i, radius) in radii.into_iter().enumerate() {
        at += Vec3::Y * if i == 0 { 0.0 } else { radii[i - 1] + radius };
        gears.push(world.add_body(disc(radius, 2.0, at, Vec3::Z, 0.0)));
        let driven = Hinge { friction: 0.5, ..motor(TAU * 5.0, 200.0) };
        hinge(&mut world, WORLD, gears[i], Vec3::Z, if i == 0 { driven } else { rough });
    }
    for i in 0..2 {
        let kind = gear(radii[i], radii[i + 1]);
        world.add_joint(coupling(&world, (gears[i], gears[i + 1]), (Vec3::Z, Vec3::Z), kind));
    }
    run(&mut world, 21.0);
    let turns = value(&world, 0) / TAU;
    assert!(turns > 100.0, "{turns} turns");
    for i in [1, 2] {
        let ratio = value(&world, i) / value(&world, 0);
        let expected = radii[0] / radii[i] * if i == 1 { -1.0 } else { 1.0 };
        assert!((ratio / expected - 1.0).abs() < 1e-5, "gear {i}: {ratio} instead of {expected}");
    }
}

/// After a thousand turns the teeth are where they were: no rounding adds up.
#[test]
fn a_thousand_turns_leave_no_drift() {
    let (r_a, r_b) = (0.3, 0.7);
    let mut world = pair(&[], (r_a, r_b), [motor(TAU * 10.0, 500.0), Hinge::default()]);
    run(&mut world, 101.0);
    let turns = value(&world, 0) / TAU;
    assert!(turns > 1000.0, "{turns} turns");
    let turned = |world: &World, joint: usize| {
        let q = world.state.bodies[joint + 1].rotation;
        2.0 * f64::from(q.z).atan2(f64::from(q.w))
    };
    // r_a φ_a + r_b φ_b, less the whole turns that the hinges counted.
    let whole = |joint: usize, angle: f64| ((f64::from(value(&world, joint)) - angle) / std::f64::consts::TAU).round();
    let angle = |joint: usize| {
        let angle = turned(&world, joint);
        angle + std::f64::consts::TAU * whole(joint, angle)
    };
    let slip = f64::from(r_a) * angle(0) + f64::from(r_b) * angle(1);
    assert!(slip.abs() < 2e-5, "{slip} m of slip after {turns} turns");
    assert!(world.state.joints[2].readout.error < 2e-5, "{}", world.state.joints[2].readout.error);
}

/// Willis: (ω_sun − ω_carrier) / (ω_ring − ω_carrier) = −r_ring / r_sun, with the ring held or driven.
#[test]
fn a_planetary_gear_obeys_willis() {
    let (sun_radius, planet_radius) = (0.3, 0.2f32);
    let (ring_radius, arm) = (sun_radius + 2.0 * planet_radius, sun_radius + planet_radius);
    for (carrier_speed, ring_speed) in [(2.0, 0.0), (2.0, -1.0), (0.0, 3.0)] {
        let mut world = World::new(Settings::default());
        let sun = world.add_body(disc(sun_radius, 1.0, Vec3::ZERO, Vec3::Z, 0.0));
        let ring = world.add_body(disc(ring_radius, 4.0, Vec3::ZERO, Vec3::Z, 0.0));
        let carrier = world.add_body(disc(arm, 2.0, Vec3::ZERO, Vec3::Z, 0.0));
        hinge(&mut world, WORLD, sun, Vec3::Z, Hinge::default());
        hinge(&mut world, WORLD, ring, Vec3::Z, motor(ring_speed, 1e3));
        hinge(&mut world, WORLD, carrier, Vec3::Z, motor(carrier_speed, 1e3));
        for k in 0..3 {
            let at = Quat::from_rotation_z(TAU / 3.0 * k as f32) * (Vec3::X * arm);
            let planet = world.add_body(disc(planet_radius, 0.5, at, Vec3::Z, 0.0));
            hinge(&mut world, carrier, planet, Vec3::Z, Hinge::default());
            let axes = (Vec3::Z, Vec3::Z);
            world.add_joint(coupling(&world, (sun, planet), axes, gear(sun_radius, planet_radius)));
            world.add_joint(coupling(&world, (planet, ring), axes, gear(planet_radius, -ring_radius)));
        }
        run(&mut world, 10.0);
        let sun_speed = carrier_speed - ring_radius / sun_radius * (ring_speed - carrier_speed);
        close("sun", speed(&world, 0), sun_speed, 1e-4 * sun_speed.abs());
        // Planet on its carrier: r_s (ω_s − ω_c) = −r_p ω.
        let planet_speed = -sun_radius / planet_radius * (sun_speed - carrier_speed);
        close("planet", speed(&world, 3), planet_speed, 1e-4 * planet_speed.abs());
        close("angle of the sun", value(&world, 0), value(&world, 2) * sun_speed / carrier_speed.max(1e-9), {
            if carrier_speed > 0.0 { 1e-3 * value(&world, 0).abs() } else { f32::INFINITY }
        });
    }
}

/// The differential of a car: two side gears on one axis, and between them planets whose axle turns with the carrier.
/// ω_carrier = (ω_left + ω_right) / 2, and both side gears get half of the carrier's torque.
#[test]
fn a_differential_of_bevel_gears_takes_the_mean() {
    let (side_radius, planet_radius) = (0.3, 0.2);
    for senses in [[1.0, 1.0], [-1.0, 1.0], [1.0, -1.0]] {
        let mut world = World::new(Settings::default());
        let centre = Vec3::Z;
        let left = world.add_body(disc(side_radius, 1.0, centre - Vec3::X * planet_radius, Vec3::X, 0.0));
        let right = world.add_body(disc(side_radius, 1.0, centre + Vec3::X * planet_radius, Vec3::X, 0.0));
        let carrier = world.add_body(disc(0.3, 2.0, centre, Vec3::X, 0.0));
        hinge(&mut world, WORLD, left, Vec3::X, motor(5.0, 1e3));
        hinge(&mut world, WORLD, right, Vec3::X, motor(-1.0, 1e3));
        hinge(&mut world, WORLD, carrier, Vec3::X, Hinge::default());
        let planet = world.add_body(disc(planet_radius, 0.5, centre + Vec3::Y * side_radius, Vec3::Y, 0.0));
        hinge(&mut world, carrier, planet, Vec3::Y, Hinge::default());
        // The sense of an axis does not matter.
        let (x, y) = (Vec3::X * senses[0], Vec3::Y * senses[1]);
        for side in [left, right] {
            world.add_joint(coupling(&world, (side, planet), (x, y), gear(side_radius, planet_radius)));
        }
        run(&mut world, 20.0);
        close("carrier", speed(&world, 2), 0.5 * (5.0 - 1.0), 1e-4);
        // r_p ω_p = r_s (ω_left − ω_carrier), about the axle on the carrier.
        let planet_speed = side_radius / planet_radius * (5.0 - 2.0);
        close("planet", speed(&world, 3).abs(), planet_speed, 1e-3);
        let error = world.state.joints.iter().map(|joint| joint.readout.error).fold(0.0, f32::max);
        assert!(error < 1e-4, "{senses:?}: {error} m");
        let angle = 0.5 * (value(&world, 0) + value(&world, 1));
        close("angle of the carrier", value(&world, 2), angle, 1e-4 * angle);
    }
}

/// A pinion with a weight on its rack: (m + I / r²) a = m g, x = r φ.
#[test]
fn a_rack_falls_as_its_pinion_turns() {
    for (side, radius) in [(1.0, 0.2), (-1.0, 0.2), (1.0, -0.2)] {
        let mut world = World::new(Settings::default());
        let pinion = world.add_body(disc(0.2, 3.0, Vec3::ZERO, Vec3::Y, 0.0));
        let weight = body(Shape::Box { half: Vec3::new(0.05, 0.05, 0.5) }, Vec3::X * (0.2 * side));
        let weight = world.add_body(BodyDef { mass: 2.0, collide: false, ..weight });
        hinge(&mut world, WORLD, pinion, Vec3::Y, Hinge::default());
        let rail = JointKind::Prismatic(Prismatic::default());
        world.add_joint(joint(&world, WORLD, weight, Vec3::X * (0.2 * side), Vec3::Z, rail));
        let kind = JointKind::Rack(Rack { radius });
        world.add_joint(coupling(&world, (pinion, weight), (Vec3::Y, Vec3::Z), kind));
        run(&mut world, 1.0);
        let acceleration = 2.0 * 9.81 / (2.0 + inertia(0.2, 3.0) / 0.04);
        close("fall", speed(&world, 1), -acceleration, 1e-3 * acceleration);
        close("slide", value(&world, 2), value(&world, 1), 1e-4);
        // At +x a rack that goes down turns the pinion about +y.
        let turned = -value(&world, 1) / 0.2 * side * radius.signum();
        close("pinion", value(&world, 0), turned, 1e-4 * turned.abs());
        let tooth = inertia(0.2, 3.0) * acceleration / 0.04;
        close("tooth", world.state.joints[2].readout.coupling.abs(), tooth, 1e-3 * tooth);
    }
}

/// A nut on a screw: slide = lead turns; under a weight it turns down with (m + I (2π / lead)²) a = m g.
#[test]
fn a_screw_sinks_as_it_turns() {
    for lead in [0.3, -0.3] {
        let mut world = World::new(Settings::default());
        let nut = world.add_body(disc(0.2, 2.0, Vec3::Z * 5.0, Vec3::Z, 0.0));
        let kind = JointKind::Screw(Screw { lead, ..Screw::default() });
        world.add_joint(joint(&world, WORLD, nut, Vec3::Z * 5.0, Vec3::Z, kind));
        run(&mut world, 2.0);
        let per_metre = TAU / lead;
        let acceleration = 2.0 * 9.81 / (2.0 + inertia(0.2, 2.0) * per_metre * per_metre);
        close("fall", speed(&world, 0), -2.0 * acceleration, 1e-3 * 2.0 * acceleration);
        let spin = world.state.velocities[nut as usize].angular.z;
        close("spin", spin, -2.0 * acceleration * per_metre, 1e-3 * (2.0 * acceleration * per_metre).abs());
        assert!(value(&world, 0) < -2.0 * lead.abs(), "more than two turns: {}", value(&world, 0));
        let q = world.state.bodies[nut as usize].rotation;
        let turned = 2.0 * q.z.atan2(q.w);
        let within = (value(&world, 0) / lead * TAU - turned) / TAU;
        close("thread", within - within.round(), 0.0, 1e-4);
    }
}

/// A cross between shafts bent by β, A's arm in the plane of the bend at first or across it:
/// tan φ_out = tan φ_in / cos β.
#[test]
fn a_universal_joint_turns_unevenly() {
    for degrees in [20.0f32, 50.0] {
        let bend = degrees.to_radians();
        let mut world = World::new(Settings::default());
        let (along, out) = (Vec3::X, Quat::from_rotation_y(bend) * Vec3::X);
        let first = world.add_body(disc(0.1, 1.0, -along, along, 0.0));
        let second = world.add_body(disc(0.1, 1.0, out, out, 0.0));
        hinge(&mut world, WORLD, first, along, motor(2.0, 1e4));
        hinge(&mut world, WORLD, second, out, Hinge::default());
        // The arm on A is across the bend, y; the other across B's shaft and it.
        let (arm_a, arm_b) = (Vec3::Y, out.cross(Vec3::Y));
        let mut def = joint(&world, first, second, Vec3::ZERO, arm_a, JointKind::Universal(Universal {}));
        def.axis_b = world.state.bodies[second as usize].rotation.inverse() * arm_b;
        world.add_joint(def);
        let mut most = 0.0f32;
        for _ in 0..600 {
            world.step();
            let (input, output) = (value(&world, 0), value(&world, 1));
            // Where A's arm is across the bend at φ = 0: tan φ_out = cos β tan φ_in, with the half turns of φ_in.
            let expected = (input.sin() * bend.cos()).atan2(input.cos());
            let off = (output - expected) / TAU;
            most = most.max((off - off.round()).abs() * TAU);
        }
        assert!(value(&world, 0) > 3.0 * TAU, "{}", value(&world, 0));
        assert!(most < 1e-3, "{degrees}°: off by {most} rad");
    }
}

/// An open belt turns both pulleys one way, a crossed one the opposite: r_a ω_a = ± r_b ω_b. Its spans pull on the pulley
/// with λ r.
#[test]
fn a_belt_keeps_its_ratio() {
    for crossed in [false, true] {
        let (r_a, r_b) = (0.2, if crossed { -0.5 } else { 0.5f32 });
        let mut world = World::new(Settings::default());
        let a = world.add_body(disc(r_a, 2.0, Vec3::ZERO, Vec3::Z, 0.0));
        let b = world.add_body(disc(r_b.abs(), 3.0, Vec3::X * 2.0, Vec3::Z, 0.0));
        hinge(&mut world, WORLD, a, Vec3::Z, motor(10.0, 100.0));
        hinge(&mut world, WORLD, b, Vec3::Z, Hinge { friction: 3.0, ..Hinge::default() });
        let kind = JointKind::Belt(Belt { radius_a: r_a, radius_b: r_b });
        world.add_joint(coupling(&world, (a, b), (Vec3::Z, Vec3::Z), kind));
        run(&mut world, 20.0);
        let ratio = value(&world, 1) / value(&world, 0);
        assert!((ratio / (r_a / r_b) - 1.0).abs() < 1e-5, "{ratio}");
        let pull = 3.0 / r_b;
        close("pull", world.state.joints[2].readout.coupling.abs(), pull.abs(), 1e-3 * pull.abs());
    }
}

/// Gears on a carrier that nothing holds: a torque between two of them changes neither momentum.
#[test]
fn a_free_train_keeps_its_momentum() {
    for second in [Vec3::Z, Vec3::new(0.0, 0.6, 0.8)] {
        let mut world = World::new(settings(&["step.gravity=0,0,0"]));
        let carrier = disc(0.3, 2.0, Vec3::Z * 0.3, Vec3::Y, 1.0);
        let carrier = world.add_body(BodyDef { velocity: Vec3::new(0.3, -0.2, 0.1), ..carrier });
        let a = world.add_body(disc(0.3, 1.0, Vec3::ZERO, Vec3::Z, 0.0));
        let b = world.add_body(disc(0.2, 0.5, Vec3::new(0.0, 0.5, 0.1), second, 0.0));
        for (body, axis, own) in [(a, Vec3::Z, motor(8.0, 1.0)), (b, second, Hinge::default())] {
            hinge(&mut world, carrier, body, axis, own);
        }
        world.add_joint(coupling(&world, (a, b), (Vec3::Z, second), gear(0.3, 0.2)));
        let before = world.metrics();
        run(&mut world, 3.0);
        let after = world.metrics();
        let scale = before.angular_momentum.length();
        assert!((after.momentum - before.momentum).length() < 1e-5 * before.momentum.length());
        let changed = (after.angular_momentum - before.angular_momentum).length();
        assert!(changed < 1e-3 * scale, "{changed} of {scale}");
        assert!(world.state.joints[2].readout.speed.abs() > 1.0, "it turns");
    }
}

/// Which motion of a body on a kinematic carrier a gear leaves: with the carrier turned by hand, a planet that meshes
/// with a fixed sun rolls on it, (1 + r_s / r_p) turns for each of the carrier.
#[test]
fn a_planet_rolls_about_a_fixed_sun() {
    let (r_s, r_p) = (0.4, 0.1);
    let mut world = World::new(Settings::default());
    let sun = world.add_body(BodyDef { motion: Motion::Static, ..disc(r_s, 1.0, Vec3::ZERO, Vec3::Z, 0.0) });
    let carrier = disc(0.1, 1.0, Vec3::ZERO, Vec3::Z, FRAC_PI_2);
    let carrier = world.add_body(BodyDef { motion: Motion::Kinematic, ..carrier });
    let planet = world.add_body(disc(r_p, 1.0, Vec3::X * (r_s + r_p), Vec3::Z, 0.0));
    hinge(&mut world, carrier, planet, Vec3::Z, Hinge::default());
    world.add_joint(coupling(&world, (sun, planet), (Vec3::Z, Vec3::Z), gear(r_s, r_p)));
    run(&mut world, 8.0);
    let expected = FRAC_PI_2 * (1.0 + r_s / r_p);
    close("planet", world.state.velocities[planet as usize].angular.z, expected, 1e-3 * expected);
}
