//! The inertia that a joint moves where the file puts the bodies (MuJoCo's qpos0), to which damping ratios refer.

use glam::DVec3;

use super::bodies::Tree;
use crate::frame::Frame;
use crate::model::{Freedom, Mass};

/// What the joint of this number moves: Σ m |a × r|² + aᵀ I a about a hinge in kg·m², Σ m along a slide in kg, with its
/// armature. MuJoCo calls it `dof_M0`.
pub fn inertia(tree: &Tree, number: usize) -> f64 {
    let joint = &tree.joints[number];
    let mut moves = vec![false; tree.links.len()];
    moves[joint.child] = true;
    // A joint comes after that of its parent.
    for other in tree.joints.iter().filter(|other| !other.closes && other.freedom != Freedom::All) {
        moves[other.child] |= moves[other.parent];
    }
    let (anchor, axis) = tree.rest_axes[number];
    let moved = (0..tree.links.len()).filter(|link| moves[*link]);
    let parts =
        moved.filter_map(|link| Some(about(&tree.rest[link], &tree.links[link].mass?, (anchor, axis), joint.freedom)));
    parts.sum::<f64>() + joint.armature
}

fn about(pose: &Frame, mass: &Mass, (anchor, axis): (DVec3, DVec3), freedom: Freedom) -> f64 {
    if freedom == Freedom::Slide {
        return mass.mass;
    }
    let (arm, own) = (pose.point(mass.centre) - anchor, pose.turn.inverse() * axis);
    mass.mass * axis.cross(arm).length_squared() + own.dot(mass.inertia * own)
}
