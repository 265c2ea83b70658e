//! Movers: kinematic bodies whose motion is a given function of time.

use delassus_physics::angle::Angle;
use delassus_physics::body::{BodyDef, Material, Motion};
use delassus_physics::joints::{Fixed, JointKind};
use delassus_physics::mover::Mover;
use delassus_physics::shape::Shape;
use delassus_physics::world::World;
use glam::Vec3;

use crate::build::{close, cube, joint, run, settings};

/// The book's function: v_y = 4 cos(t/4).
fn swing() -> Mover {
    Mover::Sinusoid { velocity: Vec3::Y * 4.0, angular_velocity: Vec3::ZERO, rate: 0.25, phase: Angle::default() }
}

fn driven(mover: Mover, def: BodyDef) -> BodyDef {
    BodyDef { motion: Motion::Kinematic, mover: Some(mover), ..def }
}

/// Case 19: the step from t − h to t has the velocity of t, so after T seconds y = Σ 4 h cos(k h/4) = 16 sin(T/4) + 2
/// h (cos(T/4) − 1), for any number of sub-steps.
#[test]
fn sinusoid_goes_where_its_sum_leads() {
    for (rate, substeps) in [(60.0, 1), (120.0, 1), (60.0, 4)] {
        let mut world = World::new(settings(&[]));
        (world.settings.step.rate, world.settings.step.substeps) = (rate, substeps);
        let platform = world.add_body(driven(swing(), cube(0.5, Vec3::ZERO))) as usize;
        run(&mut world, 10.0);
        let h = 1.0 / (rate * substeps as f32);
        let expected = 16.0 * 2.5f32.sin() + 2.0 * h * (2.5f32.cos() - 1.0);
        close("way", world.state.bodies[platform].position.y, expected, 1e-3);
    }
}

/// The platform's greatest acceleration, 4/4 m/s², is below μ g: a box rides along; without friction it is left
/// behind.
#[test]
fn a_box_rides_a_platform_by_friction() {
    for (model, rides) in [("Patch", true), ("Coulomb", true), ("Pyramid", true), ("Cone", true), ("Off", false)] {
        let mut world = World::new(settings(&["step.rate=120", &format!("friction.model={model}")]));
        let material = Material { friction: 0.9, ..Material::default() };
        let slab = crate::build::body(Shape::Box { half: Vec3::new(3.0, 20.0, 0.25) }, Vec3::new(0.0, 0.0, -0.25));
        let platform = world.add_body(BodyDef { material, ..driven(swing(), slab) }) as usize;
        // It starts with the platform's speed, so the test shows that it keeps up with it.
        let velocity = if rides { Vec3::Y * 4.0 } else { Vec3::ZERO };
        let cargo = world.add_body(BodyDef { material, velocity, ..cube(0.5, Vec3::new(0.0, 0.0, 0.5)) }) as usize;
        run(&mut world, 10.0);
        let (y, base) = (world.state.bodies[cargo].position.y, world.state.bodies[platform].position.y);
        close(model, y, if rides { base } else { 0.0 }, if rides { 0.02 } else { 1e-3 });
    }
}

/// A weld sees the velocity of the motion: the body follows it except for the error of stepping along the tangent.
#[test]
fn joints_see_the_velocity() {
    let mut world = World::new(settings(&["solver.method=Direct"]));
    let law = Mover::Sinusoid { velocity: Vec3::X, angular_velocity: Vec3::Z, rate: 2.0, phase: Angle::degrees(30.0) };
    let base = world.add_body(driven(law, cube(0.2, Vec3::ZERO)));
    let load = world.add_body(BodyDef { collide: false, ..cube(0.2, Vec3::Y) });
    let weld = joint(&world, base, load, Vec3::ZERO, Vec3::Z, JointKind::Fixed(Fixed::default()));
    world.add_joint(weld);
    // A step along the tangent leaves the circle by (ω h)² L/2, and a share β of the error is corrected each step.
    let off = (1.0f32 / 60.0).powi(2) / (2.0 * 0.2);
    for _ in 0..240 {
        world.step();
        close("anchors", world.state.joints[0].readout.error, 0.0, 1.1 * off);
        close("angle", world.state.joints[0].readout.angular_error, 0.0, 1.1 * off);
    }
    // w = cos(2 t + 30°) rad/s, at the end of the last step.
    let expected = (2.0 * 4.0 + 30f32.to_radians()).cos();
    close("spin", world.state.velocities[load as usize].angular.z, expected, 2e-3);
}

fn square(repeat: bool) -> Mover {
    Mover::Waypoints { points: vec![Vec3::X, Vec3::new(1.0, 1.0, 0.0), Vec3::Y], speed: 0.75, repeat }
}

/// After t seconds a body is speed · t metres along its path, lap after lap, without drift; without repetition it
/// stays at the last point.
#[test]
fn waypoints_are_kept_to() {
    for repeat in [true, false] {
        let mut world = World::new(settings(&["step.rate=50"]));
        let cart = world.add_body(driven(square(repeat), cube(0.1, Vec3::ZERO))) as usize;
        let corners = [Vec3::ZERO, Vec3::X, Vec3::new(1.0, 1.0, 0.0), Vec3::Y, Vec3::ZERO];
        for n in 1..=1500u32 {
            world.step();
            let way = 0.75 * n as f32 / 50.0;
            let way = if repeat { way % 4.0 } else { way.min(3.0) };
            let leg = (way as usize).min(3);
            let expected = corners[leg].lerp(corners[leg + 1], way - leg as f32);
            close("place", world.state.bodies[cart].position.distance(expected), 0.0, 2e-4);
        }
    }
}

/// A motion that replaces another after some time continues exactly as the old one would have.
#[test]
fn laws_go_on_from_where_they_are() {
    let constant = Mover::Constant { velocity: Vec3::X, angular_velocity: Vec3::Y };
    for law in [swing(), square(true), square(false), constant] {
        for time in [0.0, 1.0, 3.7, 11.3] {
            let mut whole = World::new(settings(&["step.rate=100"]));
            let a = whole.add_body(driven(law.clone(), cube(0.1, Vec3::ZERO))) as usize;
            run(&mut whole, time);
            let mut rest = World::new(settings(&["step.rate=100"]));
            let here = whole.state.bodies[a].position;
            let b = rest.add_body(driven(law.after(Vec3::ZERO, time), cube(0.1, here))) as usize;
            for _ in 0..300 {
                whole.step();
                rest.step();
                close("place", rest.state.bodies[b].position.distance(whole.state.bodies[a].position), 0.0, 5e-4);
            }
        }
    }
}
