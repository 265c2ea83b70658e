//! Units and allowed ranges of the numbers in a scene. The checks, the format reference and the editor all read them
//! here. Settings have theirs in `settings.rs`.

use std::f32::consts::PI;

/// A unit and a range.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UnitRange {
    /// SI unit; empty for pure numbers.
    pub unit: &'static str,
    /// Least allowed value; `f32::MIN_POSITIVE` stands for "above zero".
    pub min: f32,
    /// Greatest allowed value; `f32::MAX` allows any finite number.
    pub max: f32,
}

impl UnitRange {
    /// Whether a value lies in the range. NaN does not.
    pub fn accepts(&self, value: f32) -> bool {
        (self.min..=self.max).contains(&value)
    }
}

/// The least positive number, for ranges that exclude zero.
const ABOVE: f32 = f32::MIN_POSITIVE;
/// For ranges that allow any finite number.
const ANY: f32 = f32::MAX;

macro_rules! quantities {
    ($($(#[$doc:meta])* $NAME:ident = $unit:literal, $least:expr, $most:expr;)*) => {
        $($(#[$doc])* pub const $NAME: UnitRange = UnitRange { unit: $unit, min: $least, max: $most };)*
        /// All quantities with their names.
        pub const LIST: &[(&str, UnitRange)] = &[$((stringify!($NAME), $NAME)),*];
    };
}
quantities! {
    /// A coordinate. Above this, single precision resolves no better than a centimetre.
    PLACE = "m", -1e5, 1e5;
    VELOCITY = "m/s", -1e5, 1e5;
    SPIN = "rad/s", -1e5, 1e5;
    /// Of a shape. Limited as coordinates are; beyond, parry3d's GJK fails.
    SIZE = "m", ABOVE, 1e5;
    MASS = "kg", ABOVE, ANY;
    DENSITY = "kg/m³", ABOVE, ANY;
    /// An element of an inertia tensor: on its diagonal, and off it.
    MOMENT = "kg·m²", ABOVE, 1e20;
    PRODUCT = "kg·m²", -1e20, 1e20;
    FRICTION = "", 0.0, 1e3;
    /// Radius of the roller that runs on a cam.
    ROLLER = "m", 0.0, 1e5;
    /// A named value of a formula, in the unit of its place there.
    PARAMETER = "", -1e9, 1e9;
    /// Of a pulley: the strands at B for each one at A, and the angle over which its rope touches the sheaves.
    RATIO = "", 1e-3, 1e3;
    WRAP = "rad", 0.0, 1e3;
    RESTITUTION = "", 0.0, 1.0;
    /// Lever arm of rolling friction.
    LEVER = "m", 0.0, 1e3;
    /// Speed of a mover along its waypoints.
    PACE = "m/s", ABOVE, 1e5;
    /// Angular frequency of a sinusoidal mover or force.
    RATE = "rad/s", -1e5, 1e5;
    /// Phase of a sinusoidal mover or force at time zero.
    PHASE = "rad", -1e3, 1e3;
    /// Of an applied force: a component, and the factor that varies with time.
    APPLIED_FORCE = "N", -1e12, 1e12;
    APPLIED_TORQUE = "N·m", -1e12, 1e12;
    FACTOR = "", -1e3, 1e3;
    /// A time in a table.
    TIME = "s", -1e6, 1e6;
    /// Drag by the square of the speed.
    QUADRATIC_DRAG = "N·s²/m²", 0.0, 1e12;
    /// Position of a chain's anchor along it, in links.
    ALONG = "", -100.0, 100.0;
    /// Load that breaks a joint.
    FORCE = "N", ABOVE, ANY;
    TORQUE = "N·m", ABOVE, ANY;
    /// Of a joint: its stops, and the rest value of its spring.
    ANGLE = "rad", -ANY, ANY;
    SLIDE = "m", -ANY, ANY;
    /// Of a cone or ellipse of swing. Below half a degree its axes can hardly be told apart.
    HALF_ANGLE = "rad", 0.01, PI;
    LENGTH = "m", ABOVE, ANY;
    /// Pitch radius of a gear, and slide of a screw for each turn. Neither may be zero.
    RADIUS = "m", -1e5, 1e5;
    LEAD = "m", -1e5, 1e5;
    /// Target speed of a motor, and the largest torque or force that it may apply.
    MOTOR_SPIN = "rad/s", -ANY, ANY;
    MOTOR_TORQUE = "N·m", 0.0, ANY;
    MOTOR_SPEED = "m/s", -ANY, ANY;
    MOTOR_FORCE = "N", 0.0, ANY;
    /// Of a joint: its friction, and the inertia of the rotor that it drives.
    JOINT_TORQUE = "N·m", 0.0, 1e12;
    JOINT_FORCE = "N", 0.0, 1e12;
    ARMATURE_INERTIA = "kg·m²", 0.0, 1e12;
    ARMATURE_MASS = "kg", 0.0, 1e12;
    /// Of a spring with a damper. Above this, single precision overflows.
    HERTZ = "Hz", 0.0, 1e5;
    DAMPING_RATIO = "", 0.0, 1e4;
    STIFFNESS = "N/m", 0.0, 1e12;
    DAMPING = "N·s/m", 0.0, 1e12;
    ANGULAR_STIFFNESS = "N·m/rad", 0.0, 1e12;
    ANGULAR_DAMPING = "N·m·s/rad", 0.0, 1e12;
}
