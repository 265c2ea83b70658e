//! What the couplings require of the places of their ends, and the second axis of kinds whose axes are not one.

use glam::Vec3;

use super::JointKind;

/// The ends of a joint in one frame.
#[derive(Debug, Clone, Copy)]
pub struct PlacedEnds {
    /// Unit vectors.
    pub axis_a: Vec3,
    pub axis_b: Vec3,
    /// From A's anchor to B's, m.
    pub gap: Vec3,
}

/// The sine of an angle below which two directions count as parallel, and its cosine as a right angle.
const NEARLY: f32 = 0.05;
/// Below this share of a radius a distance counts as none.
const NO_DISTANCE: f32 = 1e-3;

impl JointKind {
    /// B's axis for an axis of A, where a file gives only one: the same direction, except that a rack's is the tangent
    /// of its pinion, and that the two arms of a cross are at right angles to each other and to B's shaft, which
    /// leads from the joint to B's centre. `gap` leads from A's anchor to B's, `to_b` from there to B's centre, m.
    pub fn second_axis(&self, axis_a: Vec3, gap: Vec3, to_b: Vec3) -> Vec3 {
        let across = |of: Vec3| {
            let tangent = axis_a.cross(of);
            if tangent.length() > NEARLY * of.length() && of.length() > f32::MIN_POSITIVE {
                tangent.normalize()
            } else {
                axis_a.any_orthonormal_vector()
            }
        };
        match self {
            Self::Rack(_) => across(gap),
            Self::Universal(_) => across(to_b),
            _ => axis_a,
        }
    }

    /// What is wrong with the places of its ends, if anything.
    pub fn misplaced(&self, ends: &PlacedEnds) -> Option<&'static str> {
        let PlacedEnds { axis_a, axis_b, gap } = *ends;
        let crossing = axis_a.cross(axis_b).length() > NEARLY;
        let beside = |radius: f32| gap.reject_from(axis_a).length() > NO_DISTANCE * radius.abs();
        match self {
            Self::Gear(gear) if !crossing && !beside(gear.radius_a) => {
                Some("gears with parallel axes need their centres apart: `anchor_a` and `anchor_b`")
            }
            Self::Belt(_) if crossing => Some("the axes of a belt's pulleys must be parallel"),
            Self::Belt(belt) if !beside(belt.radius_a) => {
                Some("the pulleys of a belt need their centres apart: `anchor_a` and `anchor_b`")
            }
            Self::Rack(_) if axis_a.dot(axis_b).abs() > NEARLY => {
                Some("a rack, `axis_b`, must be at a right angle to the pinion's axis, `axis_a`")
            }
            Self::Rack(rack) if gap.dot(axis_b.cross(axis_a)).abs() <= NO_DISTANCE * rack.radius.abs() => {
                Some("a rack needs an anchor beside the pinion's axis: `anchor_b`")
            }
            Self::Universal(_) if axis_a.dot(axis_b).abs() > 1.0 - NEARLY => {
                Some("the two arms of a cross, `axis_a` and `axis_b`, must be at a right angle")
            }
            _ => None,
        }
    }
}
