//! Angles in radians. That files may also write them in degrees is known to `scene/angle.rs` alone.

/// An angle, by which a file's field is told from a plain number.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Angle {
    pub radians: f32,
}

impl Angle {
    pub const fn radians(radians: f32) -> Self {
        Self { radians }
    }
}
