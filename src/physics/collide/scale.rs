//! Slop and prediction of a pair. Both are lengths, so small bodies need smaller ones: cubes of 1 cm with a slop of
//! 5 mm would stand half inside each other.
//!
//! ```text
//! t           the least half thickness of the two bodies, m: a ball's radius, a box's least half side
//! slop        min(contact.slop, t/10)
//! prediction  min(contact.prediction, 2/5 t)
//! ```
//! So the default settings hold for bodies from 10 cm thickness on.

use crate::physics::settings::Settings;

/// The most slop and prediction as shares of the half thickness.
const SLOP: f32 = 0.1;
const PREDICTION: f32 = 0.4;

/// Slop of a pair whose least half thickness is `thickness`, m.
pub fn slop(settings: &Settings, thickness: f32) -> f32 {
    settings.contact.slop.min(SLOP * thickness)
}

/// Contact prediction of such a pair, m.
pub fn prediction(settings: &Settings, thickness: f32) -> f32 {
    settings.contact.prediction.min(PREDICTION * thickness)
}
