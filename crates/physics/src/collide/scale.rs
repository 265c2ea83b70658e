//! Slop and prediction of a pair. Both are lengths, so small bodies need smaller ones: cubes of 1 cm with a slop of
//! 5 mm would stand half inside each other.
//!
//! ```text
//! t      the least half thickness of the two bodies, m: a ball's radius, a box's least half side
//! scale  min(1, t/5 cm), for contact.slop and contact.prediction
//! ```
//! So the settings hold for bodies from 10 cm thickness on. With the default slop of 5 mm, thinner bodies overlap by a
//! twentieth of their thickness.

use crate::settings::Settings;

/// Half thickness from which on the settings hold, m.
const WHOLE: f32 = 0.05;

fn scale(thickness: f32) -> f32 {
    (thickness / WHOLE).min(1.0)
}

/// Slop of a pair whose least half thickness is `thickness`, m.
pub fn slop(settings: &Settings, thickness: f32) -> f32 {
    settings.contact.slop * scale(thickness)
}

/// Contact prediction of such a pair, m.
pub fn prediction(settings: &Settings, thickness: f32) -> f32 {
    settings.contact.prediction * scale(thickness)
}
