//! The bound of the book's bodies on angular speed: what an impulse leaves above 30 rad/s is cut off at once
//! (`ApplyImpulseAngular`, from the first book of the series; erratum 34).
//!
//! ```text
//! ω ← ω + I⁻¹ (r × P),   then  ω ← ω · 30/‖ω‖ where ‖ω‖ > 30 rad/s
//! ```
//! A row that has given too much then cannot take it back. P at the arm r, perpendicular to it, gives P/m of speed
//! along the row and r P/I of angular velocity, of which nearly nothing is left. The next sweep sees P/m alone, and
//! corrects it by
//! ```text
//! P' = (P/m)/K,  K = 1/m + r²/I,   so that a share of  (m r²/I)/(1 + m r²/I)  of the speed is left,
//! ```
//! 6/7 for a box that hangs by a corner of one of its middle planes; after five sweeps it is 46 %. So an old impulse
//! that no longer fits leaves motion behind, and the next step's rows correct that by impulses as wrong: figure 9 of
//! 004 ch. 10. Without the bound the sweeps take it back to the last bit.
//!
//! A body of infinite mass is not moved by impulses and keeps its speed, in the book and here.

use super::body::{Body, Velocity};
use super::settings::{AngularSpeedForm, Settings};

/// The largest angular speed that an impulse leaves, rad/s.
pub const MAX_ANGULAR_SPEED: f32 = 30.0;

/// Whether the settings ask for the bound.
pub fn is_on(settings: &Settings) -> bool {
    settings.formulation.angular_speed == AngularSpeedForm::AsPrinted
}

/// Writes to `capped` whether the bound holds for each body, for stages that have no bodies at hand; leaves it empty
/// where the settings do not ask for the bound.
pub fn mark_capped(capped: &mut Vec<bool>, bodies: &[Box<Body>], settings: &Settings) {
    capped.clear();
    if is_on(settings) {
        capped.extend(bodies.iter().map(|body| body.is_dynamic()));
    }
}

/// Limits the angular velocities of the two bodies `ends`, where the bound holds for them.
pub fn cut(velocities: &mut [Velocity], ends: [u32; 2], holds: impl Fn(usize) -> bool) {
    for end in ends.map(|end| end as usize) {
        let angular = &mut velocities[end].angular;
        let speed = angular.length();
        if speed > MAX_ANGULAR_SPEED && holds(end) {
            *angular *= MAX_ANGULAR_SPEED / speed;
        }
    }
}
