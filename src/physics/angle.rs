//! Angles are radians everywhere; files may also write `Degrees(45)`, and what was written so stays so.
//!
//! How an angle is read and written is in `scene/angle.rs`.

/// An angle as it was given.
#[derive(Debug, Clone, Copy)]
pub enum Angle {
    Radians(f32),
    Degrees(f32),
}

impl Angle {
    /// In radians.
    pub fn radians(self) -> f32 {
        match self {
            Self::Radians(v) => v,
            Self::Degrees(v) => v.to_radians(),
        }
    }

    /// In degrees.
    pub fn degrees(self) -> f32 {
        match self {
            Self::Radians(v) => v.to_degrees(),
            Self::Degrees(v) => v,
        }
    }
}

/// As a file writes it: `1.2`, `Degrees(45)`.
impl std::fmt::Display for Angle {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Radians(v) => write!(f, "{v}"),
            Self::Degrees(v) => write!(f, "Degrees({v})"),
        }
    }
}

impl Default for Angle {
    fn default() -> Self {
        Self::Radians(0.0)
    }
}

/// Equal as angles, however they are written.
impl PartialEq for Angle {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Degrees(a), Self::Degrees(b)) => a == b,
            _ => self.radians() == other.radians(),
        }
    }
}
