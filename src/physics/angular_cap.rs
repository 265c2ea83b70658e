//! The bound that the book's bodies have on how fast they turn: what an impulse leaves above 30 rad/s is cut off at
//! once (`ApplyImpulseAngular`, from the first book of the series; erratum 34).
//!
//! ```text
//! ω ← ω + I⁻¹ (r × P),   then  ω ← ω · 30/‖ω‖ where ‖ω‖ > 30 rad/s
//! ```
//! A row that has given too much can then not take it back. P at the arm r, square to it, gives P/m of speed along the
//! row and r P/I of turning, of which nearly nothing is left. The next sweep sees P/m alone, and answers it by
//! ```text
//! P' = (P/m)/K,  K = 1/m + r²/I,   so that a share of  (m r²/I)/(1 + m r²/I)  of the speed is left,
//! ```
//! 6/7 for a box that is hung by a corner of one of its middle planes, after five sweeps 46 %. So an old impulse that
//! does not fit any more leaves motion behind, which the next step's rows answer by impulses as wrong: figure 9 of
//! 004 ch. 10. Without the bound the sweeps take it back to the last bit.
//!
//! A body of infinite mass is moved by no impulse and keeps its speed, in the book and here.

use super::body::{Body, Velocity};
use super::settings::{AngularSpeedForm, Settings};

/// The most that an impulse leaves of an angular velocity, rad/s.
pub const MOST: f32 = 30.0;

/// Whether the settings ask for it.
pub fn is_on(settings: &Settings) -> bool {
    settings.formulation.angular_speed == AngularSpeedForm::AsPrinted
}

/// Whether the bound holds for each body, for the steps that have no bodies at hand; empty where the settings do not ask
/// for it.
pub fn note(capped: &mut Vec<bool>, bodies: &[Box<Body>], settings: &Settings) {
    capped.clear();
    if is_on(settings) {
        capped.extend(bodies.iter().map(|body| body.is_dynamic()));
    }
}

/// Cuts off what two bodies turn too fast, of those for which the bound holds.
pub fn cut(velocities: &mut [Velocity], ends: [u32; 2], holds: impl Fn(usize) -> bool) {
    for end in ends.map(|end| end as usize) {
        let angular = &mut velocities[end].angular;
        let speed = angular.length();
        if speed > MOST && holds(end) {
            *angular *= MOST / speed;
        }
    }
}
