//! Angles are radians everywhere; files may also write `Degrees(45)`.

use serde::{Deserialize, Serialize};

/// An angle in radians.
#[derive(Debug, Clone, Copy, Default, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Angle(pub f32);
