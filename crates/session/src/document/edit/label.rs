//! Names for unnamed bodies and joints, and the labels of edits in the history.

use delassus_physics::shape::Shape;
use delassus_scene::words::counted;
use delassus_scene::{Body, Joint, WORLD, unlike_fields};

/// Default name of a body.
pub(super) fn noun(body: &Body) -> &'static str {
    match body.shape {
        Shape::Box { .. } => "box",
        Shape::Sphere { .. } => "sphere",
        Shape::Capsule { .. } => "capsule",
        Shape::Cylinder { .. } => "cylinder",
        Shape::Hull { .. } => "hull",
        Shape::Compound { .. } => "compound",
    }
}

/// `name`, or `name-2`, `name-3` … if it is already used.
pub(crate) fn fresh(name: &str, taken: impl Fn(&str) -> bool) -> String {
    if !taken(name) && name != WORLD {
        return name.into();
    }
    let stem = match name.rsplit_once('-') {
        Some((stem, number)) if number.parse::<u32>().is_ok() => stem,
        _ => name,
    };
    (2u64..).map(|n| format!("{stem}-{n}")).find(|n| !taken(n)).unwrap_or_default()
}

/// Label of a change of several elements.
pub(super) fn changed(bodies: &[Body], joints: &[(String, Joint)]) -> String {
    match (bodies, joints) {
        ([one], []) => format!("Change {}", one.name),
        ([], [(name, _)]) => format!("Change {name}"),
        (many, []) => format!("Change {} bodies", many.len()),
        ([], many) => format!("Change {} joints", many.len()),
        (bodies, joints) => {
            format!("Change {}, {}", counted(bodies.len(), "body", "bodies"), counted(joints.len(), "joint", "joints"))
        }
    }
}

/// Label of a change of an element; names the field if only one differs: `Change mass of box`.
pub(super) fn changed_in<T: serde::Serialize>(name: &str, old: &T, new: &T) -> String {
    match unlike_fields(old, new).as_slice() {
        [field] => changed_field(name, field),
        _ => format!("Change {name}"),
    }
}

/// Label of a change of one field.
pub(super) fn changed_field(name: &str, field: &str) -> String {
    match field {
        "at" => format!("Move {name}"),
        "rotation" => format!("Turn {name}"),
        field => format!("Change {} of {name}", field.replace('_', " ")),
    }
}

/// Label of a deletion of bodies and `joints` joints: those `asked` for and those attached to the bodies.
pub(super) fn removed(bodies: &[String], joints: usize, asked: &[String]) -> String {
    let joints = (joints > 0).then(|| counted(joints, "joint", "joints"));
    let bodies = match bodies {
        [] => None,
        [one] => Some(one.clone()),
        many => Some(format!("{} bodies", many.len())),
    };
    match (bodies, joints, asked) {
        (Some(bodies), Some(joints), _) => format!("Delete {bodies} with {joints}"),
        (None, _, [one]) => format!("Delete {one}"),
        (bodies, joints, _) => format!("Delete {}", bodies.or(joints).unwrap_or_default()),
    }
}
