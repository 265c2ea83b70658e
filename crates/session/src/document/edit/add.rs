//! Adds bodies and joints under unused names.

use std::collections::{HashMap, HashSet};

use glam::Vec3;

use super::label::{fresh, noun};
use super::{Context, check_ends};
use crate::SessionError;
use delassus_scene::words::counted;
use delassus_scene::{Body, Joint, Scene, WORLD};

/// Adds bodies and joints; returns the edit's label.
pub(super) fn add(
    scene: &mut Scene,
    bodies: &[Body],
    joints: &[Joint],
    context: &Context<'_>,
) -> Result<String, SessionError> {
    let mut new: HashSet<String> = HashSet::new();
    let mut renamed: HashMap<&str, String> = HashMap::new();
    for body in bodies {
        let wanted = if body.name.is_empty() { noun(body) } else { &body.name };
        let name = fresh(wanted, |name| new.contains(name) || context.names.body(name).is_some());
        new.insert(name.clone());
        renamed.insert(&body.name, name.clone());
        scene.bodies.push(Body { name, ..body.clone() });
    }
    let mut new: HashSet<String> = HashSet::new();
    for joint in joints {
        let mut joint = joint.clone();
        for end in [&mut joint.a, &mut joint.b] {
            if let Some(new) = renamed.get(end.as_str()) {
                end.clone_from(new);
            }
        }
        check_ends(&joint)?;
        let twin = scene.joints.iter().find(|j| same_ends(j, &joint) && same_kind(j, &joint, scene));
        if let Some(twin) = twin {
            let (a, b, kind) = (&joint.a, &joint.b, joint.kind.info().name);
            let name = twin.label();
            return Err(SessionError::Refused(format!("{a} and {b} already share a {kind} there: {name}")));
        }
        let taken = |name: &str| new.contains(name) || context.joint(name).is_ok();
        if taken(&joint.label()) {
            joint.name = fresh(&joint.label(), taken);
        }
        new.insert(joint.label());
        scene.joints.push(joint);
    }
    Ok(match (bodies, joints) {
        ([one], []) => format!("Add {}", renamed.get(one.name.as_str()).map_or("", String::as_str)),
        ([], [one]) => format!("Join {} to {}", one.b, one.a),
        ([], many) => format!("Add {} joints", many.len()),
        (many, []) => format!("Add {} bodies", many.len()),
        (bodies, joints) => {
            format!("Add {}, {}", counted(bodies.len(), "body", "bodies"), counted(joints.len(), "joint", "joints"))
        }
    })
}

fn same_ends(a: &Joint, b: &Joint) -> bool {
    (a.a == b.a && a.b == b.b) || (a.a == b.b && a.b == b.a)
}

/// Whether two joints between the same bodies have the same kind and anchors, however these are written.
fn same_kind(a: &Joint, b: &Joint, scene: &Scene) -> bool {
    /// Anchors closer than this count as equal, m.
    const APART: f32 = 1e-4;
    let place = |j: &Joint| (j.anchor, j.anchor_a, j.anchor_b);
    let near = || {
        let ((a1, a2), (b1, b2)) = (on_entries(a, scene)?, on_entries(b, scene)?);
        let (b1, b2) = if a.a == b.a { (b1, b2) } else { (b2, b1) };
        Some(a1.distance(b1) < APART && a2.distance(b2) < APART)
    };
    a.kind.info().name == b.kind.info().name && (place(a) == place(b) || near() == Some(true))
}

/// A joint's anchors in its bodies' shape frames, if given explicitly and the bodies have entries.
fn on_entries(joint: &Joint, scene: &Scene) -> Option<(Vec3, Vec3)> {
    let Some(point) = joint.anchor else { return joint.anchor_a.zip(joint.anchor_b) };
    let local = |name: &str| {
        if name == WORLD {
            return Some(point);
        }
        let body = scene.bodies.iter().find(|b| b.name == name)?;
        Some(body.rotation.quat().ok()?.conjugate() * (point - body.at))
    };
    local(&joint.a).zip(local(&joint.b))
}
