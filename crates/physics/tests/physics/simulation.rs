//! The library's front door refuses what the solvers could not take, and never panics.

use delassus_physics::joints::{AngularDrive, Distance};
use delassus_physics::{BallSocket, BodyDef, BodyId, Hinge, JointKind, Motion, Shape, Simulation};
use glam::{Quat, Vec3};

const BALL: Shape = Shape::Sphere { radius: 0.1 };
const HOSTILE: [f32; 4] = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 3e38];

fn ball() -> BodyDef {
    BodyDef::dynamic(&BALL, Vec3::Z, 1.0).expect("a ball")
}

#[test]
fn a_body_with_a_hostile_number_is_refused() {
    let mut simulation = Simulation::default();
    for value in HOSTILE {
        let fields: [fn(&mut BodyDef, f32); 8] = [
            |def, value| def.position.x = value,
            |def, value| def.velocity.y = value,
            |def, value| def.angular_velocity.z = value,
            |def, value| def.rotation.w = value,
            |def, value| def.material.friction = value,
            |def, value| def.material.restitution = value,
            |def, value| def.material.rolling = value,
            |def, value| def.plane = Some(Vec3::new(value, 0.0, value)),
        ];
        for (index, field) in fields.into_iter().enumerate() {
            let mut def = ball();
            field(&mut def, value);
            let added = simulation.add_body(def);
            // A rotation or direction that is finite has a direction, however long it is.
            assert!(added.is_err() || (value.is_finite() && index == 3), "field {index}, {value}: {added:?}");
        }
    }
    for mass in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        assert!(simulation.add_body(BodyDef { mass, ..ball() }).is_err(), "{mass}");
    }
    // A static body's mass is not read.
    assert!(simulation.add_body(BodyDef { mass: 0.0, motion: Motion::Static, ..ball() }).is_ok());
    (0..10).for_each(|_| simulation.step());
    assert!(simulation.metrics().kinetic_energy.is_finite());
}

#[test]
fn a_shape_without_volume_is_refused_in_words() {
    for shape in [
        Shape::Sphere { radius: 0.0 },
        Shape::Sphere { radius: f32::NAN },
        Shape::Box { half: Vec3::new(1.0, -1.0, 1.0) },
        Shape::Hull { points: vec![] },
        Shape::Hull { points: vec![Vec3::ZERO; 8] },
        Shape::Hull { points: vec![Vec3::X, Vec3::Y, Vec3::NAN, Vec3::Z] },
    ] {
        let refused = BodyDef::dynamic(&shape, Vec3::ZERO, 1.0).err().expect("it has no volume");
        assert!(refused.to_string().len() > 10, "{shape:?}: {refused}");
    }
}

#[test]
fn a_joint_with_a_hostile_number_or_a_foreign_body_is_refused() {
    let mut simulation = Simulation::default();
    let body = simulation.add_body(ball()).expect("a ball");
    let mut other = Simulation::default();
    let foreign = (0..3).map(|_| other.add_body(ball()).expect("a ball")).last().expect("three balls");
    let free = JointKind::Hinge(Hinge::default());
    for value in HOSTILE {
        let at = Vec3::new(0.0, value, 0.0);
        assert!(simulation.add_joint(BodyId::WORLD, body, at, Vec3::Z, free).is_err(), "at {at}");
        let motor = AngularDrive { speed: value, max_torque: -value.abs() };
        let driven = JointKind::Hinge(Hinge { motor: Some(motor), ..Hinge::default() });
        assert!(simulation.add_joint(BodyId::WORLD, body, Vec3::ZERO, Vec3::Z, driven).is_err(), "{motor:?}");
    }
    let length = JointKind::Distance(Distance { length: Some(-1.0) });
    assert!(simulation.add_joint(BodyId::WORLD, body, Vec3::ZERO, Vec3::Z, length).is_err());
    for (a, b, axis) in [(body, body, Vec3::Z), (body, foreign, Vec3::Z), (BodyId::WORLD, body, Vec3::ZERO)] {
        assert!(simulation.add_joint(a, b, Vec3::ZERO, axis, free).is_err(), "{a:?} {b:?} {axis}");
    }
    assert!(simulation.body(foreign).is_none());
    assert!(simulation.set("solver.iterations=x").is_err() && simulation.set("nothing").is_err());
}

/// Lengths do not matter: a quaternion of length two turns as one of length one.
#[test]
fn rotations_and_axes_need_not_have_unit_length() {
    let turned = |factor: f32| {
        let mut simulation = Simulation::default();
        let turn = Quat::from_rotation_x(0.5) * factor;
        let body = simulation.add_body(BodyDef { rotation: turn, ..ball() }).expect("a ball");
        let kind = JointKind::Hinge(Hinge::default());
        simulation.add_joint(BodyId::WORLD, body, Vec3::X, factor * Vec3::Y, kind).expect("a hinge");
        (0..30).for_each(|_| simulation.step());
        simulation.body(body).expect("it is there").position
    };
    assert!(turned(1.0).distance(turned(2.0)) < 1e-6);
}

/// A joint that was added in the pose where bodies are turned has its anchor where it was put.
#[test]
fn a_joint_is_added_at_a_point_of_the_world() {
    let mut simulation = Simulation::default();
    let turned = BodyDef { rotation: Quat::from_rotation_z(1.0), ..ball() };
    let body = simulation.add_body(turned).expect("a ball");
    let kind = JointKind::BallSocket(BallSocket::default());
    let joint = simulation.add_joint(BodyId::WORLD, body, Vec3::new(0.3, 0.2, 1.0), Vec3::Z, kind).expect("a joint");
    simulation.step();
    assert!(simulation.joint(joint).expect("it is there").error < 1e-4);
}
