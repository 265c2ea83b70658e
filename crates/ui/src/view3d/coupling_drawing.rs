//! Draws couplings: the pitch circles of gears, a belt with its spans, a rack's pitch line, the arms of a cross, ropes over
//! sheaves and on drums, the profiles of cams.

use std::f32::consts::TAU;

use glam::{Quat, Vec3};

use crate::view3d::joint_shape::JointEnds;
use crate::view3d::picture_builder::{PictureBuilder, Show};
use delassus_physics::joints::{JointDisplay, JointKind};
use delassus_physics::primitives::tangent::Leaving;
use delassus_render::palette::with_alpha;
use delassus_session::JointView;

/// Length of the arms of a cross, in units of [`JointEnds::reach`].
const ARM: f32 = 0.6;

impl PictureBuilder {
    /// Draws what couples the two bodies of a joint, if anything does.
    pub(crate) fn coupling(&mut self, joint: &JointView, drawn: &JointEnds, color: [f32; 3], show: &Show<'_>) {
        let (color, width) = (with_alpha(color, 0.9), 1.8 * show.pixels);
        let &JointEnds { a, b, axis_a, axis_b, .. } = drawn;
        let radii = joint.kind.radii();
        let mut circle = |centre: Vec3, axis: Vec3, radius: f32| {
            let (u, v) = axis.any_orthonormal_pair();
            self.curve(|t| centre + radius * (u * t.cos() + v * t.sin()), (0.0, TAU), color, width);
        };
        match (joint.kind.info().shown, radii) {
            (JointDisplay::Teeth, Some((radius_a, radius_b))) => {
                circle(a, axis_a, radius_a);
                circle(b, axis_b, radius_b);
            }
            (JointDisplay::Belt, Some((radius_a, radius_b))) => {
                circle(a, axis_a, radius_a);
                circle(b, axis_b, radius_b);
                for (from, to) in spans(drawn, (radius_a, radius_b)).into_iter().flatten() {
                    self.line(from, to, color, width, true);
                }
            }
            (JointDisplay::Rack, Some((radius, _))) => {
                circle(a, axis_a, radius);
                let half = axis_b * (drawn.reach + radius.abs());
                self.line(b - half, b + half, color, width, true);
            }
            (JointDisplay::Cross, _) => {
                for arm in [axis_a, axis_b] {
                    let half = arm * (ARM * drawn.reach);
                    self.line(a - half, a + half, color, 1.6 * width, true);
                }
            }
            (JointDisplay::Drum, _) => {
                if let JointKind::Drum(drum) = &joint.kind {
                    circle(a, axis_a, drum.radius);
                    let leaving = Leaving::of(b - a, axis_a, drum.radius);
                    let from = a + drum.radius.abs() * leaving.at;
                    self.line(from, b, color, width, true);
                }
            }
            (JointDisplay::Cam, _) => {
                if let JointKind::Cam(cam) = &joint.kind {
                    if cam.roller > 0.0 {
                        circle(b, axis_a, cam.roller);
                    }
                    if let Some((u, v)) = shown_directions(joint, drawn) {
                        let rim = |t: f32| cam.radii.at(t.into()).r as f32 * (u * t.cos() + v * t.sin());
                        self.curve(|t| a + rim(t), (0.0, TAU), color, width);
                        self.line(a, a + rim(0.0), color, width, true);
                    }
                }
            }
            (JointDisplay::Sheaves, _) => {
                if let JointKind::Pulley(pulley) = &joint.kind {
                    let rope = [a, pulley.over_a, pulley.over_b, b];
                    rope.windows(2).for_each(|ends| self.line(ends[0], ends[1], color, width, true));
                    for over in [pulley.over_a, pulley.over_b] {
                        self.point(over, color, 2.5 * width, true);
                    }
                }
            }
            _ => {}
        }
    }
}

/// The directions of the angles zero and a quarter turn of a cam. The joint's value is the angle of the follower from
/// there.
fn shown_directions(joint: &JointView, drawn: &JointEnds) -> Option<(Vec3, Vec3)> {
    let &JointEnds { a, b, axis_a, .. } = drawn;
    let at = (b - a).reject_from(axis_a).try_normalize()?;
    let u = Quat::from_axis_angle(axis_a, -joint.readout.value) * at;
    Some((u, axis_a.cross(u)))
}

/// The two spans of a belt, from A's pulley to B's, which touch both; none where the pulleys overlap.
///
/// ```text
/// n = (r_a ∓ r_b)/D e ± √(1 − ((r_a ∓ r_b)/D)²) f      e along the line of centres, f across it; − for an open belt
/// from a + r_a n to b ± r_b n
/// ```
pub(crate) fn spans(drawn: &JointEnds, (radius_a, radius_b): (f32, f32)) -> Option<[(Vec3, Vec3); 2]> {
    let &JointEnds { a, b, axis_a, .. } = drawn;
    let line = (b - a).reject_from(axis_a);
    let distance = line.length();
    let along = line.try_normalize()?;
    let across = axis_a.cross(along);
    // A negative radius of B is that of a crossed belt, and then its sign is that of the sum.
    let cosine = (radius_a.abs() - radius_b) / distance;
    let sine = (1.0 - cosine * cosine).max(0.0).sqrt();
    (cosine.abs() < 1.0).then(|| {
        [sine, -sine].map(|sine| {
            let normal = along * cosine + across * sine;
            (a + radius_a.abs() * normal, b + radius_b * normal)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A span is at a right angle to both radii that it touches.
    #[test]
    fn the_spans_of_a_belt_touch_both_pulleys() {
        let (a, b) = (Vec3::new(0.2, 0.1, 0.5), Vec3::new(2.2, 0.4, 0.5));
        let (axis_a, axis_b, rotation, to_b) = (Vec3::Z, Vec3::Z, Quat::IDENTITY, Vec3::ZERO);
        let drawn = JointEnds { a, b, axis_a, axis_b, rotation, to_b, reach: 1.0 };
        for radius_b in [0.3, -0.3, 0.9, -0.9] {
            for (from, to) in spans(&drawn, (0.5, radius_b)).expect("they are apart") {
                let span = (to - from).normalize();
                assert!(span.dot(from - a).abs() < 1e-5 && span.dot(to - b).abs() < 1e-5, "{radius_b}");
                assert!((from.distance(a) - 0.5).abs() < 1e-5 && (to.distance(b) - radius_b.abs()).abs() < 1e-5);
            }
        }
        assert!(spans(&drawn, (0.1, 2.5)).is_none(), "one lies in the other");
    }
}
