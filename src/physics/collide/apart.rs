//! Boxes that were found apart are looked at again once they may have come together.
//!
//! ```text
//! s       the greatest gap between the boxes' shadows on an axis (of 15): their distance is no less
//! moved   no point of B moves farther, seen from A, than |Δt| + ‖ΔR‖ r,   ‖ΔR‖ = 2 sin(θ/2) ≤ 2 |Δq|
//! apart   while s − moved exceeds the prediction
//! ```
//! Fat bounding boxes pair many that never touch: of a pyramid of cubes those that stand side by side, each step the 15
//! axes of both.

use glam::Vec3;
use parry3d::math::Pose;
use parry3d::query::sat::{
    cuboid_cuboid_find_local_separating_edge_twoway as edges,
    cuboid_cuboid_find_local_separating_normal_oneway as faces,
};
use parry3d::shape::Cuboid;

/// What rounding may take of a gap, as a share of how far the boxes are from each other.
const ROUNDING: f32 = 1e-5;

/// By how much two boxes were apart when they were last looked at.
#[derive(Debug, Clone, Copy, Default)]
pub struct Apart {
    /// s, m; nothing known at zero.
    gap: f32,
    /// Where B was in A's frame.
    pose: Pose,
    /// Half sides of both.
    halves: [Vec3; 2],
}

impl Apart {
    /// Whether boxes whose pose is `relative` now are certainly farther apart than `prediction`, m.
    pub fn holds(&self, relative: &Pose, (a, b): (&Cuboid, &Cuboid), prediction: f32) -> bool {
        let turned = (relative.rotation - self.pose.rotation).length();
        let moved = (relative.translation - self.pose.translation).length() + 2.0 * turned * b.half_extents.length();
        let rounding = ROUNDING * (1.0 + relative.translation.length());
        self.gap > 0.0
            && self.gap - moved - rounding > prediction.max(0.0)
            && self.halves == [a.half_extents, b.half_extents]
    }

    /// Looks at all axes; whether the boxes are farther apart than `prediction`, m.
    pub fn look(&mut self, relative: &Pose, (a, b): (&Cuboid, &Cuboid), prediction: f32) -> bool {
        let mut gap = faces(a, b, relative).0.max(faces(b, a, &relative.inverse()).0);
        if gap <= prediction {
            gap = gap.max(edges(a, b, relative).0);
        }
        *self = Self { gap, pose: *relative, halves: [a.half_extents, b.half_extents] };
        gap > prediction
    }
}

#[cfg(test)]
mod tests {
    use glam::Quat;
    use parry3d::query;

    use super::*;

    /// While it holds, GJK's distance is above the prediction, however B goes on; and it is of use: it holds more often
    /// than not where B moves by a hundredth of its size a step.
    #[test]
    fn boxes_that_are_held_apart_are_apart() {
        let mut state = 5u32;
        let mut number = move || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 23) as f32 - 1.0
        };
        let (a, b) = (Cuboid::new(Vec3::new(0.5, 0.3, 0.2)), Cuboid::new(Vec3::new(0.2, 0.4, 0.6)));
        let (mut held, mut looked) = (0, 0);
        for _ in 0..400 {
            let mut vector = |size: f32| size * Vec3::new(number(), number(), number());
            let mut pose = Pose::from_parts(vector(1.5), Quat::from_scaled_axis(vector(2.0)));
            let (by, turn) = (vector(0.01), Quat::from_scaled_axis(vector(0.02)));
            let mut apart = Apart::default();
            for _ in 0..40 {
                let holds = apart.holds(&pose, (&a, &b), 0.02);
                if holds {
                    held += 1;
                } else {
                    looked += 1;
                }
                if holds || apart.look(&pose, (&a, &b), 0.02) {
                    let distance = query::distance(&Pose::IDENTITY, &a, &pose, &b).expect("two boxes").distance;
                    assert!(distance > 0.02 - 1e-5, "{distance} m");
                }
                pose = Pose::from_parts(pose.translation + by, (turn * pose.rotation).normalize());
            }
        }
        assert!(held > looked && looked > 400, "{held} held, {looked} looked at");
    }

    /// A box that has become another one is looked at again.
    #[test]
    fn another_box_is_not_held_apart() {
        let (small, large) = (Cuboid::new(Vec3::splat(0.1)), Cuboid::new(Vec3::splat(0.9)));
        let (mut apart, pose) = (Apart::default(), Pose::from_translation(Vec3::X));
        assert!(apart.look(&pose, (&small, &small), 0.02) && apart.holds(&pose, (&small, &small), 0.02));
        assert!(!apart.holds(&pose, (&small, &large), 0.02));
    }
}
