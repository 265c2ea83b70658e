//! The quantities of a scene's numbers: unit and allowed range of each. Checks, the reference of the format and the
//! editor all read them here. Settings have theirs in `settings.rs`.

use std::f32::consts::PI;

/// A unit and a range.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UnitRange {
    /// SI; empty for pure numbers.
    pub unit: &'static str,
    /// `f32::MIN_POSITIVE` where zero is not allowed and whatever is above it is.
    pub least: f32,
    /// `f32::MAX` where every finite number will do.
    pub most: f32,
}

impl UnitRange {
    /// Whether a number lies in the range, and is one.
    pub fn accepts(&self, value: f32) -> bool {
        (self.least..=self.most).contains(&value)
    }
}

/// The least number above zero, which stands for all that are.
const ABOVE: f32 = f32::MIN_POSITIVE;
/// What every finite number is at most.
const ANY: f32 = f32::MAX;

macro_rules! quantities {
    ($($(#[$doc:meta])* $NAME:ident = $unit:literal, $least:expr, $most:expr;)*) => {
        $($(#[$doc])* pub const $NAME: UnitRange = UnitRange { unit: $unit, least: $least, most: $most };)*
        /// All by their names.
        pub const LIST: &[(&str, UnitRange)] = &[$((stringify!($NAME), $NAME)),*];
    };
}
quantities! {
    /// A coordinate: beyond, single precision has steps of centimetres.
    PLACE = "m", -1e5, 1e5;
    VELOCITY = "m/s", -1e5, 1e5;
    SPIN = "rad/s", -1e5, 1e5;
    /// Of a shape: like a place, and beyond it GJK loses its simplex.
    SIZE = "m", ABOVE, 1e5;
    MASS = "kg", ABOVE, ANY;
    DENSITY = "kg/m³", ABOVE, ANY;
    FRICTION = "", 0.0, 1e3;
    RESTITUTION = "", 0.0, 1.0;
    /// Rolling friction's lever arm.
    LEVER = "m", 0.0, 1e3;
    /// Of a mover along its way, to and fro, and where in that it begins.
    PACE = "m/s", ABOVE, 1e5;
    RATE = "rad/s", -1e5, 1e5;
    PHASE = "rad", -1e3, 1e3;
    /// Where a chain's anchor lies, in links.
    ALONG = "", -100.0, 100.0;
    /// What a joint bears.
    FORCE = "N", ABOVE, ANY;
    TORQUE = "N·m", ABOVE, ANY;
    /// Of a joint: its stops and where its spring is at rest.
    ANGLE = "rad", -ANY, ANY;
    SLIDE = "m", -ANY, ANY;
    /// Below half a degree the axes of a swing can hardly be told apart.
    HALF_ANGLE = "rad", 0.01, PI;
    LENGTH = "m", ABOVE, ANY;
    /// A motor's speed and the most that it may apply.
    MOTOR_SPIN = "rad/s", -ANY, ANY;
    MOTOR_TORQUE = "N·m", 0.0, ANY;
    MOTOR_SPEED = "m/s", -ANY, ANY;
    MOTOR_FORCE = "N", 0.0, ANY;
    /// Of a spring and its damper: beyond, single precision overflows.
    HERTZ = "Hz", 0.0, 1e5;
    DAMPING_RATIO = "", 0.0, 1e4;
}
