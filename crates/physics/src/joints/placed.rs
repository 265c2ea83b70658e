//! Where the ends of a coupling may be, and the second axis of kinds whose two axes differ.

use glam::Vec3;

use super::JointKind;
use crate::primitives::tangent::Leaving;

/// The ends of a joint in one frame.
#[derive(Debug, Clone, Copy)]
pub struct PlacedEnds {
    /// Unit vectors.
    pub axis_a: Vec3,
    pub axis_b: Vec3,
    /// From A's anchor to B's, m.
    pub gap: Vec3,
    /// A's anchor, m.
    pub at: Vec3,
}

/// Two directions with a smaller sine of their angle count as parallel, those with a smaller cosine as perpendicular.
const NEARLY: f32 = 0.05;
/// A distance below this share of a radius counts as zero.
const NO_DISTANCE: f32 = 1e-3;
/// A strand that is shorter than this has no direction, m.
const LEAST_STRAND: f32 = 1e-4;

impl JointKind {
    /// B's axis for an axis of A, where a file gives only one; `None` if it is the same direction. The axis of a rack is the
    /// tangent of its pinion. The two arms of a universal joint's cross are perpendicular to each other and to B's shaft,
    /// which leads from the joint to B's centre. `gap` leads from A's anchor to B's, `to_b` from there to B's centre, m.
    pub fn second_axis(&self, axis_a: Vec3, gap: Vec3, to_b: Vec3) -> Option<Vec3> {
        let across = |of: Vec3| {
            let tangent = axis_a.cross(of);
            if tangent.length() > NEARLY * of.length() && of.length() > f32::MIN_POSITIVE {
                tangent.normalize()
            } else {
                axis_a.any_orthonormal_vector()
            }
        };
        match self {
            Self::Rack(_) => Some(across(gap)),
            Self::Universal(_) => Some(across(to_b)),
            _ => None,
        }
    }

    /// What is wrong with the places of its ends, if anything.
    pub fn misplaced(&self, ends: &PlacedEnds) -> Option<&'static str> {
        let PlacedEnds { axis_a, axis_b, gap, at } = *ends;
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
                Some("a rack needs an anchor off the pinion's axis: `anchor_b`")
            }
            Self::Pulley(pulley) if at.distance(pulley.over_a) < LEAST_STRAND => {
                Some("a pulley needs its rope to hang: `anchor_a` and `over_a` are one point")
            }
            Self::Pulley(pulley) if (at + gap).distance(pulley.over_b) < LEAST_STRAND => {
                Some("a pulley needs its rope to hang: `anchor_b` and `over_b` are one point")
            }
            Self::Drum(drum) if Leaving::of(gap, axis_a, drum.radius).is_lost(drum.radius) => {
                Some("the rope of a drum needs its end outside the drum: `anchor_b` at least 1.01 radii from the axis")
            }
            Self::Cam(cam) if !beside(cam.radii.radii()[0]) => {
                Some("the follower of a cam needs its point off the cam's axis: `anchor_b`")
            }
            Self::Universal(_) if axis_a.dot(axis_b).abs() > 1.0 - NEARLY => {
                Some("the two arms of a cross, `axis_a` and `axis_b`, must be at a right angle")
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Belt, Drum, Gear, Pulley, Rack, Universal};
    use super::*;

    #[test]
    fn ends_that_do_not_fit_are_refused() {
        let (z, x) = (Vec3::Z, Vec3::X);
        let wrong =
            |kind: JointKind, axis_a, axis_b, gap| kind.misplaced(&PlacedEnds { axis_a, axis_b, gap, at: Vec3::ZERO });
        let (gear, belt) = (JointKind::Gear(Gear::default()), JointKind::Belt(Belt::default()));
        let (rack, cross) = (JointKind::Rack(Rack::default()), JointKind::Universal(Universal {}));
        // One above the other on one axis; bevel gears may have their centres anywhere.
        assert!(wrong(gear, z, z, z).is_some_and(|what| what.contains("centres apart")));
        assert_eq!(wrong(gear, z, -z, x), None);
        assert_eq!(wrong(gear, z, x, Vec3::ZERO), None);
        assert!(wrong(belt, z, z, z).is_some_and(|what| what.contains("centres apart")));
        assert!(wrong(belt, z, x, x).is_some_and(|what| what.contains("parallel")));
        assert!(wrong(rack, z, z, x).is_some_and(|what| what.contains("right angle")));
        assert!(wrong(rack, z, x, x).is_some_and(|what| what.contains("off the pinion")));
        assert_eq!(wrong(rack, z, Vec3::Y, x), None);
        assert!(wrong(cross, z, z, Vec3::ZERO).is_some_and(|what| what.contains("right angle")));
        assert_eq!(wrong(cross, z, x, Vec3::ZERO), None);
        let drum = JointKind::Drum(Drum { radius: -0.3, length: None });
        assert!(wrong(drum, z, z, 0.2 * x + z).is_some_and(|what| what.contains("outside the drum")));
        // 1.01 · 0.3 m.
        assert!(wrong(drum, z, z, 0.302 * x).is_some_and(|what| what.contains("1.01 radii")));
        assert_eq!(wrong(drum, z, z, 0.304 * x), None);
        let pulley = Pulley { over_a: x, over_b: z, ..Pulley::default() };
        assert!(wrong(JointKind::Pulley(pulley), z, z, z).is_some_and(|what| what.contains("`over_b`")));
        assert_eq!(wrong(JointKind::Pulley(pulley), z, z, x), None);
        let pulley = Pulley { over_a: Vec3::ZERO, ..pulley };
        assert!(wrong(JointKind::Pulley(pulley), z, z, x).is_some_and(|what| what.contains("`over_a`")));
    }

    /// Whatever the ends, the axis that is chosen fits.
    #[test]
    fn the_second_axis_fits() {
        for kind in [JointKind::Rack(Rack::default()), JointKind::Universal(Universal {})] {
            for along in [Vec3::X, Vec3::new(0.3, -0.4, 1.0), Vec3::Z, Vec3::ZERO] {
                let second = kind.second_axis(Vec3::Z, along, along).expect("an axis of its own");
                assert!(second.is_normalized() && second.z.abs() < 1e-6, "{along}: {second}");
                assert!(second.dot(along).abs() < 1e-6 || along.reject_from(Vec3::Z).length() < 1e-6);
            }
        }
        assert_eq!(JointKind::Gear(Gear::default()).second_axis(Vec3::Y, Vec3::X, Vec3::X), None);
    }
}
