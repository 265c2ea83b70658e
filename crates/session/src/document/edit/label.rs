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

/// Label of a body whose place alone was typed: `Move box to z = 1.5 m`.
pub(super) fn moved(name: &str, old: &Body, new: &Body) -> Option<String> {
    if unlike_fields(old, new).as_slice() != ["at"] {
        return None;
    }
    let changed = old.at.to_array().into_iter().zip(new.at.to_array()).zip(["x", "y", "z"]);
    let changed: Vec<_> = changed.filter(|((old, new), _)| old != new).map(|((_, new), axis)| (axis, new)).collect();
    Some(match changed.as_slice() {
        [(axis, value)] => format!("Move {name} to {axis} = {value} m"),
        _ => format!("Move {name} to ({}, {}, {}) m", new.at.x, new.at.y, new.at.z),
    })
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

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn a_typed_place_is_named_with_its_number() {
        let old = Body::new("box", Shape::Sphere { radius: 1.0 }, Vec3::ZERO);
        let at = |at: Vec3| Body { at, ..old.clone() };
        assert_eq!(moved("box", &old, &at(Vec3::Z * 1.5)).as_deref(), Some("Move box to z = 1.5 m"));
        assert_eq!(moved("box", &old, &at(Vec3::ONE)).as_deref(), Some("Move box to (1, 1, 1) m"));
        let heavier = Body { mass: Some(2.0), ..at(Vec3::ONE) };
        assert_eq!(moved("box", &old, &heavier), None, "not its place alone");
    }
}
