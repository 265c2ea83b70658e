//! Draws the positive sense of a joint's axis: a head at the axis's tip, and for a turning joint an arc about it, as the
//! fingers of the right hand bend. With a motor the arc is in the sense in which that drives.

use glam::Vec3;

use crate::view3d::joint_shape::JointEnds;
use crate::view3d::picture_builder::{PictureBuilder, Show};
use delassus_render::palette::with_alpha;
use delassus_session::JointView;

/// Length of a head's strokes, and how far they are aside, in units of [`JointEnds::reach`].
const HEAD: f32 = 0.2;
const ASIDE: f32 = 0.08;
/// Radius of the arc, how far along the axis it is, in the same units, and its angle, rad.
const RADIUS: f32 = 0.2;
const ALONG: f32 = 0.6;
const ARC: f32 = 4.4;

impl PictureBuilder {
    /// Draws the sense of a joint's axis.
    pub(crate) fn sense(&mut self, joint: &JointView, drawn: &JointEnds, color: [f32; 3], show: &Show<'_>) {
        let (axis, reach, width) = (drawn.axis_a, drawn.reach, 1.8 * show.pixels);
        let color = with_alpha(color, 0.9);
        let tip = drawn.a + axis * reach;
        // Across the line of sight, so that both strokes are seen.
        let side = axis.cross(drawn.a - show.camera.view.eye()).normalize_or(drawn.across().0) * (ASIDE * reach);
        for stroke in [side, -side] {
            self.line(tip, tip - axis * (HEAD * reach) + stroke, color, width, true);
        }
        if !joint.kind.is_angle() {
            return;
        }
        let back = joint.kind.motor().is_some_and(|(speed, _)| speed < 0.0);
        let on = arc(drawn, back);
        self.curve(|t| on(t, 1.0), (0.0, ARC), color, width);
        for out in [0.6, 1.4] {
            self.line(on(ARC, 1.0), on(ARC - 0.5, out), color, width, true);
        }
    }
}

/// The point of the arc at an angle from its beginning, at a share of its radius.
fn arc(drawn: &JointEnds, back: bool) -> impl Fn(f32, f32) -> Vec3 {
    let (u, middle) = (drawn.across().0, drawn.a + drawn.axis_a * (ALONG * drawn.reach));
    let v = if back { u.cross(drawn.axis_a) } else { drawn.axis_a.cross(u) };
    let radius = RADIUS * drawn.reach;
    move |t: f32, share: f32| middle + (u * t.cos() + v * t.sin()) * (share * radius)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Quat;

    #[test]
    fn the_arc_turns_as_the_right_hand_and_a_motor_may_turn_back() {
        let drawn = JointEnds {
            a: Vec3::ONE,
            b: Vec3::ONE,
            axis_a: Vec3::Y,
            axis_b: Vec3::Y,
            rotation: Quat::from_rotation_x(0.4),
            to_b: Vec3::X,
            reach: 2.0,
        };
        for (back, sign) in [(false, 1.0), (true, -1.0)] {
            let on = arc(&drawn, back);
            let middle = drawn.a + Vec3::Y * (ALONG * 2.0);
            let turn = (on(0.3, 1.0) - middle).cross(on(0.4, 1.0) - middle);
            assert!(sign * turn.dot(Vec3::Y) > 0.0, "{turn}");
            assert!(((on(1.0, 1.0) - middle).length() - RADIUS * 2.0).abs() < 1e-5);
        }
    }
}
