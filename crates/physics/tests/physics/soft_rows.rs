//! Any row as a spring: points, axes and stops of joints, and contacts, by frequency and damping ratio.
//!
//! ```text
//! x'' + 2 ζ ω x' + ω² x = 0      swings at ω √(1 − ζ²), each swing exp(−2π ζ/√(1 − ζ²)) of the one before
//! ```

use std::f32::consts::{PI, TAU};

use delassus_physics::angle::Angle;
use delassus_physics::body::{BodyDef, Material};
use delassus_physics::joint::{JointDef, OwnOptions};
use delassus_physics::joints::*;
use delassus_physics::primitives::swing_twist::SwingLimit;
use delassus_physics::row::Softness;
use delassus_physics::settings::{Method, Settings, StabilizationPatch};
use delassus_physics::shape::Shape;
use delassus_physics::softness::SoftRows;
use delassus_physics::world::{WORLD, World};
use glam::{Quat, Vec3};

use crate::build::{G, bead, body, close, cube, floor, joint, run, settings, split_blocks, watch};

const HERTZ: f32 = 1.0;
const ZETA: f32 = 0.05;
const SOFT: Softness = Softness::of(HERTZ, ZETA);

/// The times of the zeros of an oscillation, s, and its extremes between them, from samples a step apart.
fn zeros_and_peaks(samples: &[f32], h: f32) -> (Vec<f32>, Vec<f32>) {
    let (mut zeros, mut peaks, mut most) = (Vec::new(), Vec::new(), 0.0f32);
    for (n, pair) in samples.windows(2).enumerate() {
        if pair[0].signum() != pair[1].signum() {
            zeros.push((n as f32 + pair[0] / (pair[0] - pair[1])) * h);
            peaks.push(std::mem::take(&mut most));
        }
        most = most.max(pair[1].abs());
    }
    (zeros, peaks)
}

/// A cube at the origin on a joint at its own centre, displaced or rotated, without gravity; the value from `read`
/// has the period and the decay of its spring.
#[track_caller]
fn swings(
    what: &str,
    kind: JointKind,
    soft: SoftRows,
    off: (Vec3, Quat),
    assignments: &[&str],
    read: impl Fn(&World) -> f32,
) {
    let mut world = World::new(split_blocks(assignments));
    world.settings.step.gravity = Vec3::ZERO;
    let load = world.add_body(BodyDef { mass: 3.0, collide: false, ..cube(0.2, Vec3::ZERO) });
    let def = joint(&world, WORLD, load, Vec3::ZERO, Vec3::Z, kind);
    world.add_joint(JointDef { options: OwnOptions { soft: Some(soft), ..(*def.options).clone() }.into(), ..def });
    world.place(load, off.0, off.1);
    let h = world.settings.h();
    let samples = watch(&mut world, 4.0, read);
    let (zeros, peaks) = zeros_and_peaks(&samples, h);
    let bend = (1.0 - ZETA.powi(2)).sqrt();
    let half = 0.5 / (HERTZ * bend);
    assert!(zeros.len() >= 6, "{what}: it swings only {} times in 4 s", zeros.len());
    close(&format!("{what}: half a period"), (zeros[5] - zeros[0]) / 5.0, half, 0.01 * half);
    let decay = (-PI * ZETA / bend).exp();
    close(&format!("{what}: decay of half a swing"), (peaks[5] / peaks[1]).powf(0.25), decay, 0.01 * decay);
}

/// Points, rods, rails, axes and orientations, under every method of stabilisation and solver.
#[test]
fn every_row_swings_with_its_own_period_and_decay() {
    let anchor = SoftRows { anchor: Some(SOFT), ..SoftRows::default() };
    let axis = SoftRows { axis: Some(SOFT), ..SoftRows::default() };
    let at = |w: &World| w.state.bodies[1].position;
    let lean = |w: &World| (w.state.bodies[1].rotation * Vec3::Z).x;
    let moved = (Vec3::new(0.1, 0.0, 0.0), Quat::IDENTITY);
    let turned = (Vec3::ZERO, Quat::from_rotation_y(0.1));
    let lifted = (Vec3::new(0.0, 0.0, 0.1), Quat::IDENTITY);
    for method in ["Off", "Baumgarte", "Split", "Nonlinear", "Soft", "Shake", "Rattle"] {
        for solver in ["GaussSeidel", "Jacobi", "Direct"] {
            let (method, solver) = (format!("stabilization.method={method}"), format!("solver.method={solver}"));
            let all = [method.as_str(), solver.as_str(), "solver.iterations=60"];
            let what = format!("{method}, {solver}");
            let ball = JointKind::BallSocket(BallSocket {});
            swings(&format!("{what}: ball"), ball, anchor, moved, &all, |w| at(w).x);
            let hinge = JointKind::Hinge(Hinge::default());
            swings(&format!("{what}: hinge's point"), hinge, anchor, moved, &all, |w| at(w).x);
            swings(&format!("{what}: hinge's axis"), hinge, axis, turned, &all, lean);
            let weld = JointKind::Fixed(Fixed::default());
            swings(&format!("{what}: weld"), weld, axis, turned, &all, lean);
            let slider = JointKind::Prismatic(Prismatic::default());
            swings(&format!("{what}: rails"), slider, anchor, moved, &all, |w| at(w).x);
            let plane = JointKind::Plane(Plane::default());
            swings(&format!("{what}: plane"), plane, anchor, lifted, &all, |w| at(w).z);
            let lock = JointKind::AxisLock(AxisLock {});
            swings(&format!("{what}: lock"), lock, axis, turned, &all, lean);
        }
    }
    let scalar = ["solver.rows=Scalar"];
    swings("scalar rows", JointKind::BallSocket(BallSocket {}), anchor, moved, &scalar, |w| at(w).x);
}

/// Half the period of an impact on a soft stop: in for half a cycle, out with e = exp(−π ζ/√(1 − ζ²)), except that
/// the stop never pulls and so spares some of the damping; away from the stop the body moves freely.
#[test]
fn a_soft_stop_throws_back_what_comes_in() {
    let soft = SoftRows { limit: Some(Softness::of(2.0, 0.1)), anchor: Some(SOFT), axis: None };
    let limit = |from, to| Some((Angle::radians(from), Angle::radians(to)));
    // Each with the speed of its value; a rope's row connects points.
    for kind in [
        JointKind::Hinge(Hinge { limit: limit(-3.0, 0.05), ..Hinge::default() }),
        JointKind::Prismatic(Prismatic { limit: Some((-9.0, 0.05)), ..Prismatic::default() }),
        JointKind::ConeTwist(ConeTwist { swing: SwingLimit::Cone(Angle::radians(3.0)), twist: limit(-3.0, 0.05) }),
    ] {
        let mut world = World::new(split_blocks(&["step.gravity=0,0,0", "step.rate=240"]));
        let def = BodyDef { velocity: 0.5 * Vec3::Z, angular_velocity: 0.5 * Vec3::Z, ..body_at_rest() };
        let load = world.add_body(def);
        let def = joint(&world, WORLD, load, Vec3::ZERO, Vec3::Z, kind);
        let soft = SoftRows { anchor: None, ..soft };
        world.add_joint(JointDef { options: OwnOptions { soft: Some(soft), ..(*def.options).clone() }.into(), ..def });
        let (mut deepest, mut back) = (0.0f32, 0.0f32);
        for _ in 0..240 {
            world.step();
            let read = world.state.joints[0].readout;
            assert!(read.limit <= 0.0, "a stop pushes only");
            deepest = deepest.max(read.value - 0.05);
            back = read.speed;
        }
        // v/ω exp(−ζ φ/√(1 − ζ²)) sin φ/√(1 − ζ²)·… at its deepest, cos φ = ζ.
        let (zeta, omega) = (0.1f32, TAU * 2.0);
        let bend = (1.0 - zeta * zeta).sqrt();
        let turn = zeta.acos();
        close("depth", deepest, 0.5 / omega * (-zeta * turn / bend).exp(), 0.03 * 0.5 / omega);
        // It separates where spring and damper together stop pushing: k x + c v = 0, at φ = 2 acos ζ.
        let parts = (-zeta * 2.0 * turn / bend).exp();
        close("back", back, -0.5 * parts, 0.03 * 0.5);
    }
}

fn body_at_rest() -> BodyDef {
    BodyDef { collide: false, ..cube(0.2, Vec3::ZERO) }
}

/// A soft rope is a bungee cord: it hangs g/ω² longer, and is slack above its length.
#[test]
fn a_soft_rope_is_a_bungee() {
    let mut world = World::new(split_blocks(&[]));
    let bob = world.add_body(BodyDef { mass: 4.0, ..bead(-0.5 * Vec3::Z) });
    let mut def = joint(&world, WORLD, bob, -0.5 * Vec3::Z, Vec3::Z, JointKind::Rope(Rope { length: Some(1.0) }));
    def.anchor_a = Vec3::ZERO;
    def.options.soft = Some(SoftRows { anchor: Some(Softness::of(1.5, 0.4)), ..SoftRows::default() });
    world.add_joint(def);
    run(&mut world, 0.25);
    close("slack", world.state.velocities[bob as usize].linear.z, -0.25 * G, 1e-3);
    run(&mut world, 10.0);
    close("hangs", -world.state.bodies[bob as usize].position.z, 1.0 + G / (TAU * 1.5).powi(2), 1e-3);
    close("pull", world.state.joints[0].readout.anchor.z, 4.0 * G, 0.02);
}

/// On soft ground a load of any mass rests g/ω² deep, on one point or four, and oscillates with its period; without
/// contact there is no force.
#[test]
fn a_soft_surface_bears_by_a_spring() {
    let soft = Softness::of(3.0, 0.05);
    let sag = G / (TAU * 3.0).powi(2);
    for solver in [Method::GaussSeidel, Method::Direct] {
        for (load, height) in [
            (body(delassus_physics::shape::Shape::Sphere { radius: 0.3 }, Vec3::ZERO), 0.3),
            (cube(0.25, Vec3::ZERO), 0.25),
        ] {
            let mut world = World::new(split_blocks(&["solver.iterations=40"]));
            world.settings.solver.method = solver;
            let material = Material { soft: Some(soft), ..Material::default() };
            world.add_body(BodyDef { material, ..floor() });
            let load = world.add_body(BodyDef { mass: 7.0, position: Vec3::Z * height, ..load });
            let samples: Vec<f32> = (0..60)
                .map(|_| {
                    world.step();
                    world.state.bodies[load as usize].position.z - height + sag
                })
                .collect();
            let (zeros, _) = zeros_and_peaks(&samples, 1.0 / 60.0);
            // Released at the surface it moves down by twice the sag and back: a harmonic oscillation in which the
            // load never separates.
            let half = 0.5 / (3.0 * (1.0 - 0.05f32.powi(2)).sqrt());
            close("half a period", (zeros[3] - zeros[0]) / 3.0, half, 0.02 * half);
            run(&mut world, 8.0);
            close("depth", height - world.state.bodies[load as usize].position.z, sag, 0.01 * sag);
            let bears: f32 = world.contact_points().map(|point| point.impulse * 60.0).sum();
            close("bears", bears, 7.0 * G, 0.01 * 7.0 * G);
        }
    }
}

/// The `relax` and `position_iterations` of a joint act on it as the world's would.
#[test]
fn a_joint_s_own_sweeps_are_its_own() {
    let run = |assignments: &[&str], own: Option<StabilizationPatch>| {
        let mut world = World::new(split_blocks(assignments));
        let load = world.add_body(BodyDef { collide: false, ..cube(0.2, Vec3::new(0.4, 0.0, 0.0)) });
        let kind = JointKind::BallSocket(BallSocket {});
        let mut def = joint(&world, WORLD, load, Vec3::ZERO, Vec3::Z, kind);
        def.options.stabilization = own;
        world.add_joint(def);
        world.place(load, Vec3::new(0.5, 0.1, 0.0), Quat::IDENTITY);
        (0..20).for_each(|_| world.step());
        world.hash()
    };
    let own = |relax, position_iterations| {
        Some(StabilizationPatch { relax, position_iterations, ..StabilizationPatch::default() })
    };
    for (method, setting, own) in [
        ("stabilization.method=Soft", "stabilization.relax=0", own(Some(0), None)),
        ("stabilization.method=Soft", "stabilization.relax=3", own(Some(3), None)),
        ("stabilization.method=Nonlinear", "stabilization.position_iterations=0", own(None, Some(0))),
        ("stabilization.method=Nonlinear", "stabilization.position_iterations=9", own(None, Some(9))),
    ] {
        let wanted = run(&[method, setting], None);
        assert_eq!(run(&[method], own), wanted, "{setting}");
        assert_ne!(run(&[method], None), wanted, "{setting} changes something");
    }
}

/// A spring on a rail: sag g/(2π f)², wherever on the body the rail is.
#[test]
fn a_sprung_slider_is_as_stiff_wherever_its_anchor_is() {
    for beside in [0.0, 0.3, 1.0, 3.0] {
        let mut settings = Settings::default();
        settings.step.gravity = Vec3::NEG_Z * G;
        let mut world = World::new(settings);
        let block = world.add_body(BodyDef { collide: false, ..cube(0.1, Vec3::ZERO) });
        let spring = Some(LinearSpring { softness: Softness::of(5.0, 1.0), slide: 0.0 });
        let kind = JointKind::Prismatic(Prismatic { spring, ..Prismatic::default() });
        world.add_joint(joint(&world, WORLD, block, Vec3::X * beside, Vec3::Z, kind));
        let sag = G / (std::f32::consts::TAU * 5.0).powi(2);
        let mut lowest = 0.0f32;
        for _ in 0..180 {
            world.step();
            lowest = lowest.min(world.state.joints[0].readout.value);
        }
        close(&format!("sag {beside} m beside"), world.state.joints[0].readout.value, -sag, 0.01 * sag);
        // At ζ = 1 it creeps down to its place.
        assert!(lowest > -1.01 * sag, "{beside} m beside: overshoots to {lowest} of {sag} m");
    }
}

/// A free spring at the end of a bar of 3 kg: k = m ω² whatever its direction, F = k times its extension.
#[test]
fn a_spring_is_as_stiff_in_all_directions() {
    for degrees in [0.0f32, 30.0, 45.0, 90.0] {
        let mut world = World::new(settings(&["step.gravity=0,0,0", "step.rate=2000"]));
        let half = Vec3::new(1.0, 0.05, 0.05);
        let bar = world.add_body(BodyDef { mass: 3.0, ..body(Shape::Box { half }, Vec3::X) });
        let pivot = joint(&world, WORLD, bar, Vec3::ZERO, Vec3::Y, JointKind::Hinge(Hinge::default()));
        world.add_joint(pivot);
        let spring = JointKind::Spring(Spring { length: Some(1.9), softness: Softness::of(2.0, 0.0) });
        let mut def = joint(&world, WORLD, bar, Vec3::X * 2.0, Vec3::Y, spring);
        let (sin, cos) = degrees.to_radians().sin_cos();
        def.anchor_a = Vec3::X * 2.0 + 2.0 * Vec3::new(cos, 0.0, sin);
        world.add_joint(def);
        world.step();
        let force = 3.0 * (std::f32::consts::TAU * 2.0).powi(2) * 0.1;
        close(&format!("force at {degrees}°"), world.state.joints[1].readout.force.length(), force, 0.01 * force);
    }
}

/// A bar of 2 m on a hinge at its end lies on a soft stop: it sags by τ/(I ω²), I = m L²/3 about the hinge.
#[test]
fn a_soft_stop_of_a_hinge_is_as_stiff_as_it_says() {
    let mut settings = Settings::default();
    settings.step.gravity = Vec3::NEG_Z * G;
    let mut world = World::new(settings);
    let half = Vec3::new(1.0, 0.01, 0.01);
    let bar = world.add_body(BodyDef { collide: false, ..body(Shape::Box { half }, Vec3::X) });
    let limit = Some((Angle::radians(-1.0), Angle::radians(0.0)));
    let mut def = joint(&world, WORLD, bar, Vec3::ZERO, Vec3::Y, JointKind::Hinge(Hinge { limit, ..Hinge::default() }));
    let softness = Softness::of(4.0, 1.0);
    def.options.soft = Some(SoftRows { limit: Some(softness), ..SoftRows::default() });
    world.add_joint(def);
    let sag = G / (4.0 / 3.0 * (std::f32::consts::TAU * 4.0).powi(2));
    let mut most = 0.0f32;
    for _ in 0..180 {
        world.step();
        most = most.max(world.state.joints[0].readout.value);
    }
    close("sag", world.state.joints[0].readout.value, sag, 0.01 * sag);
    assert!(most < 1.01 * sag, "overshoots to {most} of {sag} rad");
}
