//! A viewpoint on an orbit about a focus.
//!
//! World Z up, right-handed. The eye is on a sphere around a focus: at `yaw` 0 on the +x side, at 90° on the +y side;
//! `pitch` is its elevation.

use std::f32::consts::{FRAC_PI_2, PI, TAU};

use glam::Vec3;

/// The allowed distance of the eye from its focus, metres.
pub(super) const DISTANCE_RANGE: (f32, f32) = (0.02, 5000.0);

/// A viewpoint on an orbit about a focus.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OrbitView {
    /// The point that the eye looks at and orbits, metres, world frame.
    pub focus: Vec3,
    /// From the eye to the focus, metres.
    pub distance: f32,
    /// Angle about Z, radians.
    pub yaw: f32,
    /// Elevation of the eye above the focus, radians, −π/2 to π/2.
    pub pitch: f32,
}

/// The views along the axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AxisView {
    /// From −y: x to the right, z up.
    Front,
    /// From +x: y to the right, z up.
    Side,
    /// From +z: x to the right, y up.
    Top,
    /// From +y.
    Back,
    /// From −x.
    OtherSide,
    /// From −z.
    Below,
}

impl AxisView {
    /// Yaw and pitch, radians.
    pub(super) fn angles(self) -> (f32, f32) {
        match self {
            Self::Front => (-FRAC_PI_2, 0.0),
            Self::Side => (0.0, 0.0),
            Self::Top => (-FRAC_PI_2, FRAC_PI_2),
            Self::Back => (FRAC_PI_2, 0.0),
            Self::OtherSide => (PI, 0.0),
            Self::Below => (-FRAC_PI_2, -FRAC_PI_2),
        }
    }
}

/// Width / height of the narrowest picture for which the views in scene files are designed.
const NARROWEST_ASPECT: f32 = 1.3;

impl OrbitView {
    /// The view of an eye at `eye` that looks at `focus`.
    pub fn between(eye: Vec3, focus: Vec3) -> Self {
        let back = eye - focus;
        let distance = back.length().max(DISTANCE_RANGE.0);
        let pitch = (back.z / distance).clamp(-1.0, 1.0).asin();
        // From straight above the yaw is undefined: x to the right, as in the top view.
        let yaw = if back.truncate().length() > 1e-6 { back.y.atan2(back.x) } else { -FRAC_PI_2 };
        Self { focus, distance, yaw, pitch }
    }

    /// The same view from farther off if the picture is narrower than the scenes' views are designed for, so that the
    /// same width is visible. `aspect` is width / height.
    pub fn in_a_picture(self, aspect: f32) -> Self {
        self.refitted(NARROWEST_ASPECT, aspect)
    }

    /// The same view when the picture's width / height changes `from` one value `to` another: in a narrow picture it is
    /// seen from farther off.
    pub fn refitted(self, from: f32, to: f32) -> Self {
        // Below 0.4 the distance does not grow any more.
        let farther = |aspect: f32| (NARROWEST_ASPECT / aspect.max(0.4)).max(1.0);
        Self { distance: (self.distance * farther(to) / farther(from)).min(DISTANCE_RANGE.1), ..self }
    }

    /// The position of the eye, metres, world frame.
    pub fn eye(&self) -> Vec3 {
        self.focus - self.forward() * self.distance
    }

    /// Unit vector of the line of sight.
    pub fn forward(&self) -> Vec3 {
        let (sin_yaw, cos_yaw) = self.yaw.sin_cos();
        let (sin_pitch, cos_pitch) = self.pitch.sin_cos();
        -Vec3::new(cos_pitch * cos_yaw, cos_pitch * sin_yaw, sin_pitch)
    }

    /// Unit vector to the right of the picture; always level.
    pub fn right(&self) -> Vec3 {
        let (sin_yaw, cos_yaw) = self.yaw.sin_cos();
        Vec3::new(-sin_yaw, cos_yaw, 0.0)
    }

    /// Unit vector to the top of the picture.
    pub fn up(&self) -> Vec3 {
        self.right().cross(self.forward())
    }

    /// The view rotated about its focus by these angles, radians.
    pub(super) fn turned(mut self, yaw: f32, pitch: f32) -> Self {
        self.yaw = wrap(self.yaw + yaw);
        self.pitch = (self.pitch + pitch).clamp(-FRAC_PI_2, FRAC_PI_2);
        self
    }
}

/// The same angle between −π and π.
pub(super) fn wrap(angle: f32) -> f32 {
    let turned = (angle + PI).rem_euclid(TAU) - PI;
    if turned.is_finite() { turned } else { 0.0 }
}
