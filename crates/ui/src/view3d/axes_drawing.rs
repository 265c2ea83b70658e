//! Draws a joint with several axes: each free axis with its range and its value, and what is locked as a short bar.

use glam::Vec3;

use crate::view3d::joint_shape::{JointEnds, Track};
use crate::view3d::picture_builder::{PictureBuilder, Show};
use delassus_physics::joints::JointKind;
use delassus_render::palette::{AXIS_X, AXIS_Y, AXIS_Z, with_alpha};
use delassus_session::JointView;

/// Length of a free axis without a limit, and of a locked one, in units of [`JointEnds::reach`].
const FREE: f32 = 1.0;
const LOCKED: f32 = 0.25;
/// An arc without a limit, rad to either side.
const OPEN: f32 = 1.2;
/// Within this of a limit a value counts as at it, m or rad.
const AT_STOP: f32 = 1e-4;

impl PictureBuilder {
    /// Draws the axes of a joint that has several.
    pub(crate) fn axes_of(&mut self, joint: &JointView, drawn: &JointEnds, color: [f32; 3], show: &Show<'_>) {
        let (JointKind::SixDof(kind), Some(axes)) = (&joint.kind, drawn.own_axes(joint)) else { return };
        let read = &joint.readout;
        let colors = [AXIS_X, AXIS_Y, AXIS_Z].map(|own| std::array::from_fn(|k| 0.5 * (own[k] + color[k])));
        for (axis, free) in kind.free().into_iter().enumerate() {
            let (own, value) = (colors[axis % 3], [read.slides, read.angles][axis / 3][axis % 3]);
            let direction = axes * Vec3::AXES[axis % 3];
            let track = drawn.axis_track(joint, axis);
            match (track, free.and_then(|free| free.limit)) {
                (Some(track), Some(range)) => {
                    let at_stop = value < range.0 + AT_STOP || value > range.1 - AT_STOP;
                    match track {
                        Track::Arc { .. } => self.arc(&track, value, range, at_stop, own, show),
                        Track::Line { .. } => {
                            self.rail(&track, direction, 0.15 * drawn.reach, value, range, at_stop, own, show);
                        }
                    }
                }
                // Without a limit: a line, or an open arc that follows the value.
                (Some(track @ Track::Arc { .. }), None) => {
                    let (color, width) = (with_alpha(own, 0.75), 1.8 * show.pixels);
                    self.curve(|angle| track.at(angle), (value - OPEN, value + OPEN), color, width);
                }
                (Some(Track::Line { .. }), None) => self.bar(drawn.a, direction * (FREE * drawn.reach), own, show),
                (None, _) if axis < 3 => self.bar(drawn.a, direction * (LOCKED * drawn.reach), own, show),
                (None, _) => {}
            }
        }
    }

    fn bar(&mut self, at: Vec3, half: Vec3, color: [f32; 3], show: &Show<'_>) {
        self.line(at - half, at + half, with_alpha(color, 0.9), 1.8 * show.pixels, true);
    }
}
