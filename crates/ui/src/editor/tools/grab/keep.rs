//! The edit at the end of a gesture.

use glam::{Quat, Vec3};

use crate::editor::tools::{
    grab::{Grab, GrabKind, Grabbed},
    scaling,
};
use crate::request::{Request, ask};
use crate::view::View;
use delassus_session::{Edit, Placed};

/// Requests one edit for everything that was moved; none if nothing has changed.
pub(super) fn finish(grab: &Grab, view: &View<'_>, out: &mut Vec<Request>) {
    let bodies = match &grab.held {
        Grabbed::Bodies(bodies) => bodies,
        Grabbed::Joint(frame) => {
            let (turn, shift) = grab.motion();
            let moved = frame.moved(grab.pivot, turn, shift);
            if (turn, shift) != (Quat::IDENTITY, Vec3::ZERO)
                && let Some(joint) = frame.entry(&moved, frame.moved_kind(shift), view)
            {
                ask(Edit::Joint { name: frame.joint.name.to_string(), joint: Box::new(joint) }, out);
            }
            return;
        }
    };
    let poses = bodies.iter().zip(grab.poses(bodies));
    if grab.kind == GrabKind::Scale {
        let mut changed: Vec<_> = poses
            .filter(|(_, (.., growth))| *growth != Vec3::ONE)
            .filter_map(|(held, (_, pose, growth))| {
                let mut body = view.session.body_entry(&held.name)?;
                body.shape = scaling::scaled(&body.shape, growth);
                body.mass_centre = body.mass_centre.map(|centre| centre * growth);
                // An unchanged pose stays as it is written in the entry.
                if pose != held.pose {
                    (body.at, body.rotation) = (pose.position, pose.rotation.into());
                }
                Some(body)
            })
            .collect();
        match changed.len() {
            0 => {}
            1 => {
                let body = Box::new(changed.remove(0));
                ask(Edit::Body { name: body.name.clone(), body }, out);
            }
            _ => ask(Edit::Change { bodies: changed, joints: vec![] }, out),
        }
        return;
    }
    let placed: Vec<Placed> = poses
        .filter(|(held, (_, after, _))| held.pose != *after)
        .map(|(held, (_, pose, _))| Placed { name: held.name.to_string(), at: pose.position, rotation: pose.rotation })
        .collect();
    if placed.is_empty() {
        return;
    }
    if grab.world.along && !grab.world.joints.is_empty() {
        let (turn, shift) = grab.about_origin();
        ask(Edit::Carry { placed, turn, shift }, out);
    } else {
        ask(Edit::Place(placed), out);
    }
}
