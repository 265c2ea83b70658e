//! A place to look from.
//!
//! World Z up, right-handed. The eye circles a focus: at `yaw` 0 it stands on the +x side, at 90° on the +y side;
//! `pitch` is its elevation.

use std::f32::consts::{FRAC_PI_2, PI, TAU};

use glam::Vec3;

/// How far the eye may be from its focus, metres.
pub(super) const DISTANCE_RANGE: (f32, f32) = (0.02, 5000.0);

/// A place to look from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OrbitView {
    /// What the eye looks at and circles, metres.
    pub focus: Vec3,
    /// From the eye to the focus, metres.
    pub distance: f32,
    /// About Z, radians.
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

/// Width / height of the narrowest picture that the views in scene files are made for.
const MADE_FOR: f32 = 1.3;

impl OrbitView {
    /// The view of an eye at `eye` that looks at `focus`.
    pub fn between(eye: Vec3, focus: Vec3) -> Self {
        let back = eye - focus;
        let distance = back.length().max(DISTANCE_RANGE.0);
        let pitch = (back.z / distance).clamp(-1.0, 1.0).asin();
        // Straight above there is no direction to read a yaw from: x to the right, as in the top view.
        let yaw = if back.truncate().length() > 1e-6 { back.y.atan2(back.x) } else { -FRAC_PI_2 };
        Self { focus, distance, yaw, pitch }
    }

    /// From farther off in a picture that is narrower than the scenes' views are made for, so that it holds as much from
    /// side to side. `aspect` is width / height.
    pub fn in_a_picture(self, aspect: f32) -> Self {
        // A sliver of a picture says nothing of how far is far enough.
        let narrower = (MADE_FOR / aspect.max(0.4)).max(1.0);
        Self { distance: (self.distance * narrower).min(DISTANCE_RANGE.1), ..self }
    }

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

    /// Turned about its focus, radians.
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
