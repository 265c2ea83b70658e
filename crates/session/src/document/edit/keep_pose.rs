//! “Keep this pose”: writes the simulated poses into the document.
//!
//! Only poses are kept: velocities stay as in the document, and the laws of movers, forces and drives continue from the
//! present time. A pattern or part whose bodies have moved is written out as single bodies, since their new poses no longer form
//! the pattern. A joint between moved bodies keeps its anchors and axes on the bodies, its lengths and its
//! limits, although its angle now counts from the kept pose. The present deflection of a weld or slider becomes its
//! rest state. A broken joint is left out.
//!
//! “Save the state as a new scene” also writes the velocities, into a separate file.

use std::collections::{HashMap, HashSet};

use glam::Vec3;

use super::write_out;
use crate::open::OpenScene;
use delassus_physics::angle::Angle;
use delassus_physics::body::Body as WorldBody;
use delassus_physics::joint::Joint as WorldJoint;
use delassus_physics::joints::{JointKind, Parameter, Role, RotationVector};
use delassus_scene::{Body, Experiment, Force, Joint, Mover, Origin, Rotation, Scene};

/// The document with the world's present poses.
pub(crate) fn kept(open: &OpenScene) -> Scene {
    let (now, then, names) = (open.run.synced(), open.run.beginning(), &open.names);
    // Bodies and joints come from the scene that the world was made from; everything else from the document as
    // edited.
    let mut scene = open.document.scene.with_the_world_of(&open.made_from);
    let moved = |id: usize| {
        let (a, b) = (&now.state.bodies[id], &then.state.bodies[id]);
        a.position != b.position || a.rotation != b.rotation
    };
    let broken = || {
        let joints = now.state.joints.iter().zip(&names.joint_origins);
        joints.filter(|(joint, _)| joint.broken.is_some()).map(|(_, origin)| *origin)
    };
    let gone: HashSet<Origin> = (names.origins.iter().enumerate())
        .filter(|(i, origin)| write_out::is_many(origin) && moved(i + 1))
        .map(|(_, origin)| *origin)
        .chain(broken().filter(write_out::is_many))
        .collect();
    for (i, origin) in names.origins.iter().enumerate() {
        let body = &now.state.bodies[i + 1];
        match origin {
            Origin::Body(index) if moved(i + 1) => {
                keep_pose(&mut scene.bodies[*index], body, now.state.time);
            }
            other if gone.contains(other) => {
                let mut doc = write_out::body(names, then, i + 1);
                keep_pose(&mut doc, body, now.state.time);
                scene.bodies.push(doc);
            }
            _ => {}
        }
    }
    let mut joints = Vec::new();
    for (i, origin) in names.joint_origins.iter().enumerate() {
        let joint = &now.state.joints[i];
        match origin {
            Origin::Joint(index) if moved(joint.def.a as usize) || moved(joint.def.b as usize) => {
                write_out::on_bodies(&mut scene.joints[*index], joint, now);
                keep_lengths_and_limits(&mut scene.joints[*index], joint, now.state.time);
            }
            other if gone.contains(other) && joint.broken.is_none() => {
                let mut doc = write_out::joint(names, now, i);
                keep_lengths_and_limits(&mut doc, joint, now.state.time);
                joints.push(doc);
            }
            _ => {}
        }
    }
    let broken: HashSet<Origin> = broken().collect();
    scene.joints.keep_indices(|i| !broken.contains(&Origin::Joint(i)));
    // Joints of patterns and parts come before the document's own, which keeps the solving order.
    scene.joints.prepend(joints);
    write_out::dissolve(&mut scene, &gone);
    scene
}

/// The world's present state as a separate scene: poses, velocities of dynamic bodies, and the time in the title,
/// without claims. The solver's memory of contacts (warm starting) is not part of a scene.
pub(crate) fn exported(open: &OpenScene) -> Scene {
    let mut scene = kept(open);
    let world = open.run.synced();
    let ids: HashMap<&str, usize> = open.names.bodies.iter().enumerate().map(|(i, name)| (&**name, i + 1)).collect();
    scene.bodies.update(|body| {
        let id = *ids.get(body.name.as_str()).filter(|id| world.state.bodies[**id].is_dynamic())?;
        let mut body = body.clone();
        let BodyState { velocity, angular_velocity, at: _, rotation: _, mover: _, forces: _ } = state_of(&mut body);
        (*velocity, *angular_velocity) =
            (world.state.velocities[id].linear.into(), world.state.velocities[id].angular.into());
        Some(body)
    });
    scene.title = format!("{} at {:.2} s", scene.title, world.state.time);
    // Claims describe a run from the scene's beginning, which differs here.
    scene.claims.clear();
    scene.experiments.update(|experiment| {
        (!experiment.claims.is_empty()).then(|| Experiment { claims: Vec::new(), ..experiment.clone() })
    });
    scene
}

/// The fields of a body's entry that change during a run.
struct BodyState<'a> {
    at: &'a mut Vec3,
    rotation: &'a mut Rotation,
    velocity: &'a mut Vec3,
    angular_velocity: &'a mut Vec3,
    mover: &'a mut Option<Mover>,
    forces: &'a mut [Force],
}

fn state_of(doc: &mut Body) -> BodyState<'_> {
    // Fields are listed by name so that a new field must be classified here.
    let Body {
        at,
        rotation,
        velocity,
        angular_velocity,
        mover,
        forces,
        name: _,
        shape: _,
        motion: _,
        mass: _,
        density: _,
        mass_centre: _,
        inertia: _,
        material: _,
        friction: _,
        restitution: _,
        rolling: _,
        soft: _,
        collide: _,
        groups: _,
        mask: _,
        particle: _,
        plane: _,
        drag: _,
    } = doc;
    BodyState { at, rotation, velocity, angular_velocity, mover, forces }
}

/// Sets a body's entry to the body's pose after `time` s; its mover and forces continue from there.
fn keep_pose(doc: &mut Body, body: &WorldBody, time: f64) {
    let BodyState { at, rotation, mover, forces, velocity: _, angular_velocity: _ } = state_of(doc);
    forces.iter_mut().for_each(|force| *force = force.after(time));
    *mover = mover.as_ref().map(|mover| mover.after(*at, time));
    (*at, *rotation) = (body.shape_origin(), body.rotation.into());
}

/// Keeps a joint's lengths and limits, which were relative to the document's pose. Its drive continues from `time`, s.
pub(super) fn keep_lengths_and_limits(doc: &mut Joint, joint: &WorldJoint, time: f64) {
    doc.by_time = doc.by_time.after(time);
    // Angles count from the pose in the file, or from a zero that is given from there.
    let angle = joint.readout.value;
    let mut has_zero = false;
    // What a drum has wound up since is off its rope, for its angle is zero again.
    let wound = if let JointKind::Drum(drum) = &doc.kind { drum.radius * angle } else { 0.0 };
    let (mut angles, mut turns) = (Vec3::ZERO, 0);
    let less = |a: &mut Angle| {
        if angle != 0.0 {
            *a = Angle::radians(a.radians - angle);
        }
    };
    for Parameter { role, .. } in doc.kind.parameters() {
        match role {
            Role::AngleZero(zero) => {
                has_zero = true;
                *zero = Angle::radians(0.0 - angle);
            }
            _ if has_zero && !matches!(role, Role::Length(_)) => {}
            Role::AngleLimit(limit) => limit.iter_mut().for_each(|(min, max)| [min, max].into_iter().for_each(less)),
            Role::AngularSpring(spring) => spring.iter_mut().for_each(|spring| less(&mut spring.angle)),
            Role::Length(length) => {
                *length = Some((length.unwrap_or(joint.rest_length) - wound).max(f32::MIN_POSITIVE))
            }
            // Slides are measured between anchors and swings between axes, independent of the initial pose.
            Role::SlideZero(_) | Role::SlideLimit(_) | Role::LinearSpring(_) | Role::Swing(_) => {}
            Role::AngularServo(_) | Role::LinearServo(_) => {}
            Role::AngularMotor(_) | Role::LinearMotor(_) | Role::SpringRate(_) | Role::Damping(_) => {}
            Role::Coefficient(_) | Role::HingeForm(_) | Role::OrientationForm(_) => {}
            Role::Radius(_) | Role::Lead(_) | Role::Place(_) | Role::Wrap(_) => {}
            Role::Profile(_) | Role::Switch(_) | Role::Rows(_) | Role::Bounds(_) | Role::Values(_) => {}
            // What is free goes on from where it is, and what is locked has no angle.
            Role::TurnAxis(axis) => {
                angles[turns] = if axis.free().is_some() { joint.readout.angles[turns] } else { 0.0 };
                turns += 1;
            }
            Role::RotationZero(zero) if angles != Vec3::ZERO => *zero = RotationVector::of(Vec3::ZERO - angles),
            Role::RotationZero(_) | Role::SlideAxis(_) | Role::Axes(_) => {}
        }
    }
}
