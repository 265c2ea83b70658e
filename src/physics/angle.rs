//! Angles in radians. Files may also use degrees; only `scene/angle.rs` knows of that.

/// An angle in radians. A type of its own, so that reading and writing a file can tell it from a plain number.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Angle {
    pub radians: f32,
}

impl Angle {
    pub const fn radians(radians: f32) -> Self {
        Self { radians }
    }
}
