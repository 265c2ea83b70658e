//! The joints of a scene, at points and along axes of the world in the model's pose.

use std::f64::consts::TAU;

use delassus_physics::angle::Angle;
use delassus_physics::joints::{
    AngularServo, AngularSpring, AxisLock, BallSocket, ConeTwist, Fixed, Hinge, JointKind, LinearServo, LinearSpring,
    Plane, Prismatic, UNBOUNDED,
};
use delassus_physics::primitives::swing_twist::SwingLimit;
use delassus_physics::row::{Damping, Softness, SpringRate};
use delassus_scene::{Joint as SceneJoint, WORLD as WORLD_NAME};

use glam::{DVec3, Vec3};

use super::bodies::LinkBody;
use super::names::Names;
use crate::model::{Drive, Freedom, Joint, Mass, Model};
use crate::report::Report;

/// Gives every joint that moves and has no drive a servo that holds it, with critical damping.
///
/// ```text
/// k = J ω²,  c = 2 J ω,   J what the joint carries in the model's pose: Σ m |a × r|² + aᵀ I a about a hinge, Σ m along a slide
/// ```
pub fn hold(model: &mut Model, hertz: f64) {
    let omega = TAU * hertz;
    let inertias: Vec<f64> = model.joints.iter().map(|joint| carried(model, joint)).collect();
    for (joint, inertia) in model.joints.iter_mut().zip(inertias) {
        if joint.drive.is_none() && matches!(joint.freedom, Freedom::Turn | Freedom::Slide) {
            let (stiffness, damping) = (inertia * omega * omega, 2.0 * inertia * omega);
            let target = joint.value;
            joint.drive = Some(Drive { stiffness, damping, target, cap: joint.effort, ..Drive::NONE });
        }
    }
}

/// The inertia about a hinge, or the mass along a slide, of all that a joint carries; kg·m² or kg.
fn carried(model: &Model, joint: &Joint) -> f64 {
    let mut moves = vec![false; model.links.len()];
    moves[joint.child] = true;
    // A joint comes after that of its parent.
    for other in model.joints.iter().filter(|other| !other.closes && other.freedom != Freedom::All) {
        moves[other.child] |= moves[other.parent];
    }
    let links = model.links.iter().zip(&moves).filter(|(_, moves)| **moves);
    let own = links.filter_map(|(link, _)| Some((link, link.mass?)));
    let parts = own.map(|(link, Mass { mass, centre, inertia })| match joint.freedom {
        Freedom::Slide => mass,
        _ => {
            let (arm, axis) = (link.pose.point(centre) - joint.anchor, link.pose.turn.inverse() * joint.axis);
            mass * joint.axis.cross(arm).length_squared() + axis.dot(inertia * axis)
        }
    });
    parts.sum::<f64>() + joint.armature
}

/// The joints of the scene, and by joint of the model the name of its joint in the scene, if it has one.
pub fn all(
    model: &Model,
    made: &[LinkBody],
    names: &mut Names,
    report: &Report,
) -> (Vec<SceneJoint>, Vec<Option<String>>) {
    let mut joints = Vec::new();
    let mut numbers = Vec::new();
    for joint in &model.joints {
        let Some([a, b]) = ends(model, made, joint) else {
            if joint.freedom != Freedom::All {
                report.note(
                    joint.place,
                    format!("joint `{}`", joint.name),
                    "both of its ends are fixed: it is left out",
                );
            }
            numbers.push(None);
            continue;
        };
        note_unsupported(joint, report);
        let mut kinds = kinds(joint).into_iter();
        let Some(first) = kinds.next() else {
            numbers.push(None);
            continue;
        };
        let ends_apart = joint.apart.map(|of_child| {
            let is_child = |name: &str| made.iter().any(|made| made.link == joint.child && made.body.name == name);
            let points = if is_child(&b) { [joint.anchor, of_child] } else { [of_child, joint.anchor] };
            [within(made, &a, points[0]), within(made, &b, points[1])]
        });
        let new = |name: String, kind: JointKind| {
            let axis = kind.info().axis.then(|| joint.axis.as_vec3().map(|x| if x.abs() < 1e-9 { 0.0 } else { x }));
            let made = SceneJoint { name, axis, ..SceneJoint::new(a.clone(), b.clone(), joint.anchor.as_vec3(), kind) };
            match ends_apart {
                Some([on_a, on_b]) => SceneJoint { anchor: None, anchor_a: Some(on_a), anchor_b: Some(on_b), ..made },
                None => made,
            }
        };
        let name = names.unique(&joint.name);
        numbers.push(Some(name.clone()));
        joints.push(new(name, first));
        joints.extend(kinds.map(|kind| new(names.unique(&joint.name), kind)));
    }
    (joints, numbers)
}

/// A point of the world, m, in the frame of a body's shape; itself for the world.
pub fn within(made: &[LinkBody], body: &str, point: DVec3) -> Vec3 {
    let found = made.iter().find(|made| made.body.name == body);
    let frame = found.and_then(|made| Some((made.body.at, made.body.rotation.quat().ok()?)));
    frame.map_or(point.as_vec3(), |(at, turn)| turn.inverse() * (point.as_vec3() - at))
}

/// The names of a joint's two bodies; the world's name for a fixed link without a body. `None` if the joint is not needed.
pub fn ends(model: &Model, made: &[LinkBody], joint: &Joint) -> Option<[String; 2]> {
    let of = |link: usize| {
        // Scenery is several bodies, so the joint is attached to the world instead.
        let single = made.iter().find(|body| body.link == link && !model.links[link].scenery);
        single.map_or_else(|| WORLD_NAME.to_owned(), |body| body.body.name.clone())
    };
    if joint.freedom == Freedom::All || model.links[joint.parent].fixed && model.links[joint.child].fixed {
        return None;
    }
    let (a, b) = (of(joint.parent), of(joint.child));
    // The world can only be A.
    Some(if b == WORLD_NAME { [b, a] } else { [a, b] })
}

/// Notes which properties of a joint the joint kinds of a scene do not have.
fn note_unsupported(joint: &Joint, report: &Report) {
    let title = format!("joint `{}`", joint.name);
    if joint.effort.is_some() && joint.drive.is_none() {
        report.note(
            joint.place,
            "`effort` of <limit>",
            "bounds a drive, but there is none; `delassus import --hold HZ` adds servos",
        );
    }
    if matches!(joint.freedom, Freedom::Turn | Freedom::Slide) {
        return;
    }
    let resists = [("damping", joint.damping), ("friction", joint.friction), ("armature", joint.armature)];
    let mut left: Vec<&str> = resists.iter().filter(|(_, value)| *value != 0.0).map(|(name, _)| *name).collect();
    left.extend(joint.limit.filter(|_| joint.freedom != Freedom::Ball).map(|_| "the limit"));
    left.extend(joint.spring.map(|_| "the spring"));
    left.extend(joint.drive.map(|_| "the drive"));
    if joint.freedom == Freedom::Ball && joint.limit.is_some() {
        let what = "its `range` bounds the whole rotation in MuJoCo; here it bounds the swing of its axis, and the twist \
            about that, each";
        report.note(joint.place, title.clone(), what);
    }
    if !left.is_empty() && joint.freedom != Freedom::Nothing {
        report.note(joint.place, title, format!("a joint of its kind cannot have {}", left.join(", ")));
    }
}

/// The joint kinds of a scene that together act like this joint of a model.
fn kinds(joint: &Joint) -> Vec<JointKind> {
    let f = |value: f64| value as f32;
    let angle = |value: f64| Angle::radians(value as f32);
    let spring = joint.spring.map(|(stiffness, rest)| {
        let softness = Softness { rate: SpringRate::Stiffness(f(stiffness)), damping: Damping::Coefficient(0.0) };
        (softness, rest)
    });
    let cap = |drive: &Drive| drive.cap.map_or(UNBOUNDED, |cap| cap as f32);
    let softness = |drive: &Drive| Softness {
        rate: SpringRate::Stiffness(f(drive.stiffness)),
        damping: Damping::Coefficient(f(drive.damping)),
    };
    let zero = |value: f64| if value == 0.0 { 0.0 } else { -value };
    match joint.freedom {
        Freedom::Nothing => vec![JointKind::Fixed(Fixed::default())],
        Freedom::Ball => vec![match joint.limit {
            Some((_, most)) => {
                let twist = Some((angle(-most), angle(most)));
                JointKind::ConeTwist(ConeTwist { swing: SwingLimit::Cone(angle(most)), twist })
            }
            None => JointKind::BallSocket(BallSocket::default()),
        }],
        Freedom::Plane => {
            vec![JointKind::Plane(Plane::default()), JointKind::AxisLock(AxisLock::default())]
        }
        Freedom::All => Vec::new(),
        Freedom::Turn => vec![JointKind::Hinge(Hinge {
            zero: angle(zero(joint.value)),
            limit: joint.limit.map(|(least, most)| (angle(least), angle(most))),
            servo: joint.drive.as_ref().map(|drive| AngularServo {
                softness: softness(drive),
                target: angle(drive.target),
                offset: Angle::default(),
                speed: f(drive.speed),
                torque: f(drive.force),
                max_torque: cap(drive),
            }),
            spring: spring.map(|(softness, rest)| AngularSpring { softness, angle: angle(rest) }),
            friction: f(joint.friction),
            damping: f(joint.damping),
            armature: f(joint.armature),
            ..Hinge::default()
        })],
        Freedom::Slide => vec![JointKind::Prismatic(Prismatic {
            zero: f(zero(joint.value)),
            limit: joint.limit.map(|(least, most)| (f(least), f(most))),
            servo: joint.drive.as_ref().map(|drive| LinearServo {
                softness: softness(drive),
                target: f(drive.target),
                offset: 0.0,
                speed: f(drive.speed),
                force: f(drive.force),
                max_force: cap(drive),
            }),
            spring: spring.map(|(softness, rest)| LinearSpring { softness, slide: f(rest) }),
            friction: f(joint.friction),
            damping: f(joint.damping),
            armature: f(joint.armature),
            ..Prismatic::default()
        })],
    }
}
