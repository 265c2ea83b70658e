//! Limits under load: a stop yields by less than half a degree under a weight of 10 kg that leans on it 1 m away,
//! with the default 10 sweeps.

use delassus_physics::angle::Angle;
use delassus_physics::body::BodyDef;
use delassus_physics::joints::*;
use delassus_physics::primitives::swing_twist::SwingLimit;
use delassus_physics::settings::Stabilization;
use delassus_physics::world::{WORLD, World};
use glam::Vec3;

use crate::build::{close, cube, joint, run, settings};

/// A joint at the origin with 10 kg at the end of `arm`, after the weight has swung against the stop and come to
/// rest.
fn leaning(kind: JointKind, axis: Vec3, arm: Vec3, method: Stabilization) -> World {
    let mut world = World::new(settings(&[]));
    world.settings.stabilization.method = method;
    let load = world.add_body(BodyDef { mass: 10.0, collide: false, ..cube(0.3, arm) });
    world.add_joint(joint(&world, WORLD, load, Vec3::ZERO, axis, kind));
    run(&mut world, 4.0);
    world
}

/// Each limit, and how far its weight bends or turns it: to the angle of the stop on which it leans. Soft stops yield
/// by g/ω² per metre of arm in addition, 0.02° at 30 Hz.
#[test]
fn limits_hold_under_load_to_half_a_degree() {
    let degrees = Angle::degrees;
    let twist = Some((degrees(-20.0), degrees(20.0)));
    let limit = Some((degrees(-30.0), degrees(30.0)));
    let cone_twist = |swing| JointKind::ConeTwist(ConeTwist { swing, twist });
    let bent_shaft = |swing| JointKind::ConstantVelocity(ConstantVelocity { swing: Some(swing) });
    for method in [
        Stabilization::Split,
        Stabilization::Baumgarte,
        Stabilization::Nonlinear,
        Stabilization::Soft,
        Stabilization::Shake,
        Stabilization::Rattle,
    ] {
        let hinge = JointKind::Hinge(Hinge { limit, ..Hinge::default() });
        let world = leaning(hinge, Vec3::Y, Vec3::X, method);
        close(&format!("hinge, {method:?}"), world.state.joints[0].readout.value.to_degrees(), 30.0, 0.5);
        // The weight bends the joint about its second transverse axis: an ellipse and a pyramid of 30° by 50° stop it
        // at 50°.
        for (swing, stop) in [
            (SwingLimit::Cone(degrees(30.0)), 30.0),
            (SwingLimit::Ellipse(degrees(30.0), degrees(50.0)), 50.0),
            (SwingLimit::Pyramid(degrees(30.0), degrees(50.0)), 50.0),
        ] {
            for kind in [cone_twist(swing), bent_shaft(swing)] {
                let world = leaning(kind, Vec3::X, Vec3::X, method);
                let bend = (world.state.bodies[1].rotation * Vec3::X).angle_between(Vec3::X).to_degrees();
                close(&format!("{}, {swing:?}, {method:?}", kind.info().name), bend, stop, 0.5);
            }
        }
        let world = leaning(cone_twist(SwingLimit::Cone(degrees(5.0))), Vec3::X, Vec3::Y, method);
        close(&format!("twist, {method:?}"), world.state.joints[0].readout.value.to_degrees(), -20.0, 0.5);
    }
}
