//! Joints compared with closed forms.

use delassus_physics::body::{BodyDef, Motion};
use delassus_physics::joint::{JointDef, JointOptions};
use delassus_physics::joints::*;
use delassus_physics::primitives::orientation;
use delassus_physics::shape::Shape;
use delassus_physics::world::{WORLD, World};
use glam::{Quat, Vec3};

use crate::build::{G, bead, body, close, cube, joint, run, split_blocks};

/// A ball whose inertia about every axis is `inertia`, kg m².
fn flywheel(inertia: f32, mass: f32) -> BodyDef {
    let radius = (2.5 * inertia / mass).sqrt(); // I = 2/5 m r²
    BodyDef { mass, collide: false, ..body(Shape::Sphere { radius }, Vec3::ZERO) }
}

/// Case 3: link i of a hanging chain carries the weight of all masses below it.
#[test]
fn hanging_chain_carries_the_weight_below() {
    let mut world = World::new(split_blocks(&["solver.iterations=50"]));
    let masses = [1.0, 2.0, 3.0, 4.0, 5.0];
    let mut above = WORLD;
    for (i, mass) in masses.into_iter().enumerate() {
        let link = world.add_body(BodyDef { mass, ..bead(Vec3::new(0.0, 0.0, -(i as f32) - 1.0)) });
        world.add_joint(JointDef {
            a: above,
            b: link,
            anchor_a: Vec3::ZERO,
            anchor_b: Vec3::ZERO,
            axis_a: Vec3::Z,
            axis_b: Vec3::Z,
            kind: JointKind::Distance(Distance { length: None }),
            collide: false,
            options: JointOptions::default(),
        });
        above = link;
    }
    run(&mut world, 5.0);
    for link in [0, 2, 4] {
        let weight = masses[link..].iter().sum::<f32>() * G;
        close("tension", world.state.joints[link].readout.force.length(), weight, 1e-3 * weight);
    }
}

/// Case 11: one solve conserves linear and angular momentum even where the anchors are separated, in every form that
/// is meant to be correct.
#[test]
fn open_joints_conserve_momentum() {
    let kinds = [
        JointKind::BallSocket(BallSocket {}),
        JointKind::Distance(Distance { length: Some(0.3) }),
        JointKind::Spring(Spring { length: Some(0.3), ..Spring::default() }),
        JointKind::Hinge(Hinge::default()),
        JointKind::Fixed(Fixed::default()),
        JointKind::Prismatic(Prismatic::default()),
        JointKind::OrientationLock(OrientationLock::default()),
        JointKind::AxisLock(AxisLock::default()),
        JointKind::Plane(Plane::default()),
        JointKind::ConeTwist(ConeTwist { twist: Some(Default::default()), ..ConeTwist::default() }),
        JointKind::ConstantVelocity(ConstantVelocity { swing: Some(ConeTwist::default().swing) }),
        JointKind::PointOnRing(PointOnRing { radius: Some(0.3) }),
        JointKind::Universal(Universal {}),
        JointKind::Screw(Screw::default()),
        JointKind::Gear(Gear { radius_a: 0.2, radius_b: 0.6 }),
        JointKind::Rack(Rack { radius: 0.2 }),
        JointKind::Belt(Belt { radius_a: 0.2, radius_b: 0.3 }),
        JointKind::Cam(Cam { roller: 0.1, ..Cam::default() }),
        JointKind::SixDof(SixDof {
            z: SlideAxis::FREE,
            about_x: TurnAxis::FREE,
            about_y: TurnAxis::FREE,
            ..SixDof::default()
        }),
    ];
    let hinge = JointKind::Hinge(Hinge::default());
    let forms = [
        (hinge, "formulation.hinge=TwoAxis"),
        (hinge, "formulation.hinge=Vector"),
        (hinge, "formulation.hinge=Quaternion"),
        (JointKind::Fixed(Fixed::default()), "formulation.orientation=Quaternion"),
        (JointKind::BallSocket(BallSocket {}), "formulation.anchor=Squared"),
        (JointKind::ConstantVelocity(ConstantVelocity::default()), "formulation.constant_velocity=Quaternion"),
        (JointKind::RotaryMotor(RotaryMotor::default()), "formulation.motor=Relative"),
    ];
    let rows = ["solver.rows=Block", "solver.rows=Scalar"];
    for (kind, form) in kinds.into_iter().flat_map(|kind| rows.map(|rows| (kind, rows))).chain(forms) {
        let mut world = World::new(split_blocks(&["step.gravity=0,0,0", "step.gyroscopic=Off", form]));
        let shape = Shape::Box { half: Vec3::new(0.1, 0.2, 0.3) };
        let angular_velocity = Vec3::new(0.3, -1.0, 0.7);
        let a = world.add_body(BodyDef { velocity: Vec3::X, angular_velocity, ..body(shape.clone(), Vec3::ZERO) });
        let turn = Quat::from_axis_angle(Vec3::new(1.0, 2.0, 2.0) / 3.0, 0.6);
        let at = Vec3::new(0.7, 0.1, -0.2);
        let b = world.add_body(BodyDef { mass: 3.0, rotation: turn, velocity: Vec3::Y, ..body(shape, at) });
        world.add_joint(JointDef {
            a,
            b,
            anchor_a: Vec3::new(0.2, 0.1, 0.0),
            anchor_b: Vec3::new(-0.1, 0.0, 0.3),
            axis_a: Vec3::Z,
            axis_b: Vec3::Y,
            kind,
            collide: true,
            options: JointOptions::default(),
        });
        world.settings.contact.enabled = false;
        let before = world.metrics();
        // The velocities after the solve belong to the poses before it.
        let poses: Vec<_> = world.state.bodies.iter().map(|b| (b.position, b.rotation)).collect();
        world.step();
        for (body, (position, rotation)) in world.state.bodies.iter_mut().zip(poses) {
            (body.position, body.rotation) = (position, rotation);
            body.refresh_inertia();
        }
        let after = world.metrics();
        let changed =
            (after.momentum - before.momentum).length() + (after.angular_momentum - before.angular_momentum).length();
        let scale = before.momentum.length() + before.angular_momentum.length();
        assert!(changed < 2e-6 * scale, "{kind:?}, {form}: momentum changed by {changed}");
        assert!(world.system.rows.iter().any(|r| r.impulse.abs() > 1e-3), "{kind:?}, {form} acts");
    }
}

/// Case 13: with Baumgarte an equality row keeps (1 − β) of its error per step.
#[test]
fn baumgarte_decays_by_its_factor() {
    for method in ["Baumgarte", "Split"] {
        let mut world = World::new(split_blocks(&[
            "step.gravity=0,0,0",
            "stabilization.beta=0.2",
            &format!("stabilization.method={method}"),
        ]));
        let ball = world.add_body(bead(Vec3::ZERO));
        let kind = JointKind::BallSocket(BallSocket {});
        let def = joint(&world, WORLD, ball, Vec3::ZERO, Vec3::Z, kind);
        world.add_joint(def);
        world.state.bodies[ball as usize].position = Vec3::new(0.5, 0.0, 0.0);
        for _ in 0..20 {
            world.step();
        }
        close(method, world.state.joints[0].readout.error, 0.5 * 0.8f32.powi(20), 1e-6);
        // Split impulses leave no speed; Baumgarte leaves that of the last correction.
        let left = if method == "Split" { 0.0 } else { 0.2 * 60.0 * 0.5 * 0.8f32.powi(19) };
        close("speed", world.state.velocities[ball as usize].linear.length(), left, 1e-5);
    }
}

/// Case 14: a hinge whose axes are 100° and 170° apart closes within 2 s, whatever the sign of its quaternions.
#[test]
fn hinge_has_no_mirrored_rest_pose() {
    for degrees in [100.0f32, 170.0] {
        for sign in [1.0, -1.0] {
            let mut world = World::new(split_blocks(&["step.gravity=0,0,0"]));
            let a = world.add_body(BodyDef { motion: Motion::Kinematic, collide: false, ..cube(0.2, Vec3::ZERO) });
            let b = world.add_body(BodyDef { collide: false, ..cube(0.2, Vec3::X) });
            world.add_joint(joint(&world, a, b, Vec3::X * 0.5, Vec3::Z, JointKind::Hinge(Hinge::default())));
            world.state.bodies[a as usize].rotation = Quat::IDENTITY * sign;
            let turn = Quat::from_rotation_x(degrees.to_radians());
            world.state.bodies[b as usize].rotation = turn;
            world.state.bodies[b as usize].refresh_inertia();
            run(&mut world, 2.0);
            let aligned = (world.state.bodies[b as usize].rotation * Vec3::Z).dot(Vec3::Z);
            assert!(aligned > 0.9999, "from {degrees}°, sign {sign}: axes at cosine {aligned}");
        }
    }
}

/// The angle of a hinge continues past a half turn.
#[test]
fn hinge_angle_unwraps() {
    let mut world = World::new(split_blocks(&["step.gravity=0,0,0"]));
    let wheel = world.add_body(BodyDef { angular_velocity: Vec3::Z * 4.0, ..flywheel(0.3, 1.0) });
    world.add_joint(joint(&world, WORLD, wheel, Vec3::ZERO, Vec3::Z, JointKind::Hinge(Hinge::default())));
    run(&mut world, 5.0);
    close("angle", world.state.joints[0].readout.value, 20.0, 1e-2);
    close("speed", world.state.joints[0].readout.speed, 4.0, 1e-3);
}

/// The orientation error takes the shorter rotation, whatever the quaternions' signs.
#[test]
fn orientation_error_takes_the_short_way() {
    let turn = Quat::from_rotation_y(0.2);
    for sign in [1.0, -1.0] {
        let error =
            orientation::error(Quat::from_rotation_z(3.0), turn * Quat::from_rotation_z(3.0) * sign, Quat::IDENTITY);
        close("error", error.distance(Vec3::Y * 2.0 * 0.1f32.sin()), 0.0, 1e-5);
    }
}

/// Warm starting keeps Baumgarte's corrections as if they were loads: if ρ^iterations exceeds 1/(1 + β) they grow. A
/// welded cantilever is beyond that limit; split impulses hold it.
#[test]
fn welded_cantilever_holds_with_split_impulses() {
    let worst = |method: &str| {
        let mut world = World::new(split_blocks(&[&format!("stabilization.method={method}")]));
        let bar = |x: f32| BodyDef {
            collide: false,
            ..body(Shape::Box { half: Vec3::new(0.2, 0.15, 0.1) }, Vec3::new(x, 0.0, 0.0))
        };
        let mut held = WORLD;
        for i in 0..5 {
            let x = 0.42 * (i as f32 + 1.0);
            let next = world.add_body(bar(x));
            let at = Vec3::new(x - 0.21, 0.0, 0.0);
            world.add_joint(joint(&world, held, next, at, Vec3::X, JointKind::Fixed(Fixed::default())));
            held = next;
        }
        run(&mut world, 5.0);
        world.state.joints.iter().map(|j| j.readout.error).fold(0.0, f32::max)
    };
    let split = worst("Split");
    assert!(split < 0.02, "split impulses: {split} m");
    let baumgarte = worst("Baumgarte");
    assert!(baumgarte > 1.0, "Baumgarte is expected to blow up here, but holds within {baumgarte} m");
}

/// A ball-socket measures B's rotation in A's frame.
#[test]
fn ball_socket_measures_its_turn() {
    let mut world = World::new(split_blocks(&["step.gravity=0,0,0"]));
    let axis = Vec3::new(2.0, -1.0, 2.0) / 3.0;
    let ball = world.add_body(BodyDef { angular_velocity: axis * 2.0, ..flywheel(0.3, 1.0) });
    world.add_joint(joint(&world, WORLD, ball, Vec3::ZERO, Vec3::Z, JointKind::BallSocket(BallSocket {})));
    run(&mut world, 0.5);
    close("turn", world.state.joints[0].readout.value, 1.0, 1e-4);
    close("rate", world.state.joints[0].readout.speed, 2.0, 1e-4);
}

/// Down a slope of sine s a body slides by g s (t² + t h)/2, with steps of h, and keeps its rotation about the axis;
/// an impulse across the axis and one that would tip it are resisted.
#[test]
fn a_cylindrical_joint_slides_and_turns_freely_and_holds_the_rest() {
    let mut world = World::new(split_blocks(&[]));
    let axis = Vec3::new(0.6, 0.0, -0.8);
    let across = Vec3::new(0.8, 0.0, 0.6);
    let start = BodyDef { angular_velocity: 3.0 * axis + 2.0 * across, velocity: Vec3::Y, ..cube(0.3, Vec3::ZERO) };
    let rod = world.add_body(start);
    let kind = JointKind::Cylindrical(Cylindrical::default());
    world.add_joint(joint(&world, WORLD, rod, Vec3::ZERO, axis, kind));
    run(&mut world, 1.0);
    let slide = 0.8 * G * (1.0 + world.settings.h()) / 2.0;
    let (body, velocity) = (&world.state.bodies[rod as usize], &world.state.velocities[rod as usize]);
    close("slide", world.state.joints[0].readout.value, slide, 1e-3 * slide);
    close("spin", Vec3::from(velocity.angular).dot(axis), 3.0, 1e-3);
    close("across", body.position.reject_from_normalized(axis).length(), 0.0, 1e-3);
    close("lean", (body.rotation * axis).angle_between(axis), 0.0, 1e-3);
}

/// Its slide has stops, and a motor of force F accelerates a mass m to F t / m.
#[test]
fn a_cylindrical_joint_is_driven_along_its_axis_and_stops_at_its_limit() {
    let mut world = World::new(split_blocks(&["step.gravity=0,0,0"]));
    let rod = world.add_body(BodyDef { mass: 2.0, ..cube(0.3, Vec3::ZERO) });
    let motor = Some(LinearDrive { speed: 5.0, max_force: 4.0 });
    let kind = JointKind::Cylindrical(Cylindrical { limit: Some((-1.0, 1.5)), motor, ..Cylindrical::default() });
    world.add_joint(joint(&world, WORLD, rod, Vec3::ZERO, Vec3::X, kind));
    run(&mut world, 0.5);
    close("speed", world.state.velocities[rod as usize].linear.x, 4.0 / 2.0 * 0.5, 1e-3);
    run(&mut world, 2.0);
    close("stop", world.state.bodies[rod as usize].position.x, 1.5, 1e-3);
}
