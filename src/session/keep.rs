//! “Keep this pose”: the simulated poses written into the document.
//!
//! Poses only: velocities stay as the document has them. A pattern or part whose bodies have moved is written out as
//! the bodies that it stands for, since their new poses are no pattern. A joint between bodies that have moved keeps
//! its anchors and axes on the bodies, its lengths, and its limits, although its angle now counts from the kept pose;
//! what a weld or a slider has been bent by becomes its rest.

use std::collections::HashSet;

use glam::Vec3;

use super::open::Open;
use crate::physics::angle::Angle;
use crate::physics::body::Body as Rigid;
use crate::physics::joint::Joint as Link;
use crate::physics::joints::JointKind;
use crate::physics::world::World;
use crate::scene::{Body, Joint, Origin, Scene, WORLD};

/// The document with the world's poses.
pub(super) fn kept(open: &Open) -> Scene {
    let (now, then, names) = (&open.run.world, open.run.beginning(), &open.names);
    // Bodies and joints as the world was made from; the rest as it has been edited since.
    let (made_from, edited) = (&*open.made_from, &*open.document.scene);
    let mut scene = Scene {
        bodies: made_from.bodies.clone(),
        joints: made_from.joints.clone(),
        patterns: made_from.patterns.clone(),
        parts: made_from.parts.clone(),
        materials: made_from.materials.clone(),
        ..edited.clone()
    };
    let moved = |id: usize| {
        let (a, b) = (&now.bodies[id], &then.bodies[id]);
        a.position != b.position || a.rotation != b.rotation
    };
    let written_out: HashSet<Origin> = (names.origins.iter().enumerate())
        .filter(|(i, origin)| !matches!(origin, Origin::Body(_)) && moved(i + 1))
        .map(|(_, origin)| *origin)
        .collect();
    for (i, origin) in names.origins.iter().enumerate() {
        let body = &now.bodies[i + 1];
        match origin {
            Origin::Body(index) if moved(i + 1) => {
                scene.bodies[*index].at = body.shape_origin();
                scene.bodies[*index].rotation = body.rotation.into();
            }
            other if written_out.contains(other) => scene.bodies.push(body_doc(&names.bodies[i], body, then, i + 1)),
            _ => {}
        }
    }
    let mut joints = Vec::new();
    for (i, origin) in names.joint_origins.iter().enumerate() {
        let joint = &now.joints[i];
        match origin {
            Origin::Joint(index) if moved(joint.def.a as usize) || moved(joint.def.b as usize) => {
                on_bodies(&mut scene.joints[*index], joint, now);
            }
            other if written_out.contains(other) => {
                let name = |id: u32| id.checked_sub(1).map_or(WORLD, |i| &*names.bodies[i as usize]);
                let mut doc = Joint::new(name(joint.def.a), name(joint.def.b), Vec3::ZERO, joint.def.kind);
                doc.collide = joint.def.collide;
                doc.set_options(joint.def.options);
                if *names.joints[i] != *doc.label() {
                    doc.name = names.joints[i].to_string();
                }
                on_bodies(&mut doc, joint, now);
                joints.push(doc);
            }
            _ => {}
        }
    }
    // Joints of patterns and parts come before the document's own: the order of solving stays.
    scene.joints.splice(0..0, joints);
    let mut index = 0..;
    scene.patterns.retain(|_| !index.next().is_some_and(|i| written_out.contains(&Origin::Pattern(i))));
    let mut index = 0..;
    scene.parts.retain(|_| !index.next().is_some_and(|i| written_out.contains(&Origin::Part(i))));
    scene
}

/// A body of a pattern or part, written out.
fn body_doc(name: &str, body: &Rigid, then: &World, id: usize) -> Body {
    let mut doc = Body::new(name, body.solid.shape.clone(), body.shape_origin());
    let velocity = then.velocities[id];
    doc.rotation = body.rotation.into();
    doc.motion = body.motion;
    doc.mass = body.is_dynamic().then_some(body.mass);
    doc.velocity = velocity.linear.into();
    doc.spin = velocity.angular.into();
    doc.friction = Some(body.material.friction);
    doc.restitution = Some(body.material.restitution).filter(|v| *v != 0.0);
    doc.rolling = Some(body.material.rolling).filter(|v| *v != 0.0);
    doc.collide = body.collide;
    doc
}

/// Gives a joint its ends in the bodies' shape frames, where a change of pose leaves them.
fn on_bodies(doc: &mut Joint, joint: &Link, world: &World) {
    let (a, b) = (&world.bodies[joint.def.a as usize], &world.bodies[joint.def.b as usize]);
    doc.anchor = None;
    doc.anchor_a = Some(joint.def.anchor_a + a.solid.centre);
    doc.anchor_b = Some(joint.def.anchor_b + b.solid.centre);
    doc.axis = None;
    if joint.def.kind.info().axis {
        doc.axis_a = Some(joint.def.axis_a);
        doc.axis_b = Some(joint.def.axis_b);
    }
    let length = |length: &mut Option<f32>| *length = length.or(Some(joint.rest_length));
    // Angles of these kinds count from the pose of the file.
    let angle = joint.readout.value;
    let less = |a: &mut Angle| {
        if angle != 0.0 {
            *a = Angle::Radians(a.radians() - angle);
        }
    };
    match &mut doc.kind {
        JointKind::Hinge(hinge) => {
            if let Some((min, max)) = &mut hinge.limit {
                less(min);
                less(max);
            }
            if let Some(spring) = &mut hinge.spring {
                less(&mut spring.angle);
            }
        }
        JointKind::ConeTwist(joint) => {
            if let Some((min, max)) = &mut joint.twist {
                less(min);
                less(max);
            }
        }
        JointKind::Distance(rod) => length(&mut rod.length),
        JointKind::Rope(rope) => length(&mut rope.length),
        JointKind::Spring(spring) => length(&mut spring.length),
        JointKind::PointOnRing(ring) => length(&mut ring.radius),
        _ => {}
    }
}
