//! Cone–twist and constant velocity joints.

use delassus_physics::angle::Angle;
use delassus_physics::body::BodyDef;
use delassus_physics::joints::*;
use delassus_physics::primitives::swing_twist::SwingLimit;
use delassus_physics::shape::Shape;
use delassus_physics::world::{WORLD, World};
use glam::{Quat, Vec3};

use crate::build::{body, close, joint, run, settings};

const HALF_DEGREE: f32 = 0.5 * std::f32::consts::PI / 180.0;

/// A 20 kg bar standing on its anchor, pushed over sideways.
fn tipping_bar(kind: JointKind, push: Vec3) -> (World, u32) {
    let mut world = World::new(settings(&[]));
    let shape = Shape::Box { half: Vec3::new(0.1, 0.1, 0.5) };
    let at = Vec3::new(0.0, 0.0, 0.5);
    let bar = world.add_body(BodyDef { mass: 20.0, collide: false, velocity: push, ..body(shape, at) });
    world.add_joint(joint(&world, WORLD, bar, Vec3::ZERO, Vec3::Z, kind));
    (world, bar)
}

/// The swing about x and y: the axis across z times the angle.
fn swing(world: &World, bar: u32) -> (f32, f32) {
    let b = world.state.bodies[bar as usize].rotation * Vec3::Z;
    let (cross, angle) = (Vec3::Z.cross(b), b.dot(Vec3::Z).clamp(-1.0, 1.0).acos());
    let phi = cross.normalize_or_zero() * angle;
    (phi.x, phi.y)
}

/// How far a swing is inside its limit, rad; negative outside.
fn margin(limit: SwingLimit, (x, y): (f32, f32)) -> f32 {
    match limit {
        SwingLimit::Cone(s) => s.radians - x.hypot(y),
        SwingLimit::Ellipse(s, t) => s.radians.min(t.radians) * (1.0 - (x / s.radians).hypot(y / t.radians)),
        SwingLimit::Pyramid(s, t) => (s.radians - x.abs()).min(t.radians - y.abs()),
    }
}

/// Pushed to the stop in any direction and loaded there, the axis does not exceed its limit by half a degree.
#[test]
fn swing_limits_hold_a_load() {
    let (s, t) = (Angle::degrees(30.0), Angle::degrees(60.0));
    for limit in [SwingLimit::Cone(s), SwingLimit::Ellipse(s, t), SwingLimit::Pyramid(s, t)] {
        for kind in [
            JointKind::ConeTwist(ConeTwist { swing: limit, twist: None }),
            JointKind::ConstantVelocity(ConstantVelocity { swing: Some(limit) }),
        ] {
            for push in [Vec3::X, Vec3::Y, Vec3::new(1.0, 1.0, 0.0), Vec3::new(-2.0, 0.5, 0.0)] {
                let (mut world, bar) = tipping_bar(kind, push);
                let (mut least, mut open) = (f32::INFINITY, 0.0f32);
                for _ in 0..600 {
                    world.step();
                    least = least.min(margin(limit, swing(&world, bar)));
                    open = open.max(world.state.joints[0].readout.error);
                }
                // When the bar slides fast round the tip of an ellipse, a step along the tangent leads outside.
                let most = if matches!(limit, SwingLimit::Ellipse(..)) { 2.0 * HALF_DEGREE } else { HALF_DEGREE };
                assert!(open < 0.01, "{kind:?}, {push}: the anchors part by {open} m at the stop");
                assert!(least > -most, "{kind:?}, {push}: {}° past", -least.to_degrees());
                let left = margin(limit, swing(&world, bar));
                assert!(
                    left < HALF_DEGREE,
                    "{kind:?}, {push}: leans on its limit, but {}° are left",
                    left.to_degrees()
                );
            }
        }
    }
}

/// Pushed over the corner, both rows of a pyramid hold.
#[test]
fn a_pyramids_rows_hold_together() {
    let pyramid = SwingLimit::Pyramid(Angle::degrees(20.0), Angle::degrees(20.0));
    let kind = JointKind::ConstantVelocity(ConstantVelocity { swing: Some(pyramid) });
    let (mut world, bar) = tipping_bar(kind, Vec3::new(1.0, 1.0, 0.0));
    run(&mut world, 3.0);
    let (x, y) = swing(&world, bar);
    close("about x", x.to_degrees(), -20.0, 0.5);
    close("about y", y.to_degrees(), 20.0, 0.5);
}

/// A motor turns a leaning bar about its axis into the twist's stop.
#[test]
fn twist_limit_holds_its_motor() {
    for lean in [0.0f32, 40.0] {
        let limit = Some((Angle::degrees(-10.0), Angle::degrees(30.0)));
        let kind = JointKind::ConeTwist(ConeTwist { swing: SwingLimit::Cone(Angle::degrees(40.0)), twist: limit });
        let (mut world, bar) = tipping_bar(kind, Vec3::ZERO);
        world.settings.step.gravity = Vec3::ZERO;
        world.state.bodies[bar as usize].rotation = Quat::from_rotation_y(lean.to_radians());
        world.state.bodies[bar as usize].position =
            world.state.bodies[bar as usize].rotation * Vec3::new(0.0, 0.0, 0.5);
        world.state.bodies[bar as usize].refresh_inertia();
        let motor = AngularMotor { motor: AngularDrive { speed: 5.0, max_torque: 2.0 } };
        world.add_joint(joint(&world, WORLD, bar, Vec3::ZERO, Vec3::Z, JointKind::AngularMotor(motor)));
        let mut peak = 0.0f32;
        for _ in 0..300 {
            world.step();
            peak = peak.max(world.state.joints[0].readout.value.to_degrees());
        }
        assert!(peak < 30.5, "lean {lean}°: twist {peak}°");
        assert!(
            lean > 0.0 || world.state.joints[0].readout.value.to_degrees() > 29.5,
            "the motor turns it to the stop"
        );
    }
}

/// From the exactly opposite direction, any direction leads back into the cone.
#[test]
fn cone_leads_back_from_opposed() {
    let kind = JointKind::ConeTwist(ConeTwist::default());
    let (mut world, bar) = tipping_bar(kind, Vec3::ZERO);
    world.settings.step.gravity = Vec3::ZERO;
    world.state.bodies[bar as usize].rotation = Quat::from_rotation_x(std::f32::consts::PI);
    world.state.bodies[bar as usize].position = Vec3::new(0.0, 0.0, -0.5);
    run(&mut world, 3.0);
    let (x, y) = swing(&world, bar);
    assert!(x.hypot(y).to_degrees() < 45.5, "{}°", x.hypot(y).to_degrees());
}
