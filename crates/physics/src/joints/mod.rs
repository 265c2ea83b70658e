//! The joint kinds, one file each. A joint only describes rows: [`JointKind::linearize`] is a pure function of the
//! present frames. A new joint is one file here and its name in the two lists below; the file format, menus, fields, grips,
//! drawing, mirroring and tests follow from its [`JointInfo`] and [`Parameter`]s.

use serde::{Deserialize, Serialize};

use super::angle::Angle;
use super::row::{JointFrames, RowList, Softness};

mod along;
pub mod angular_motor;
pub mod axis_lock;
pub mod ball_socket;
pub mod belt;
pub(crate) mod bounds;
pub mod cam;
pub mod cone_twist;
pub mod constant_velocity;
pub mod cylindrical;
pub mod distance;
pub mod drum;
mod fields;
pub mod fixed;
pub mod formula;
pub mod gear;
pub mod hinge;
pub mod measure;
pub mod orientation_lock;
mod parameters;
mod placed;
pub mod plane;
pub mod point_on_ring;
pub mod prismatic;
pub mod pulley;
pub mod rack;
mod resistance;
pub mod rope;
pub mod rotary_motor;
pub mod screw;
mod servo;
pub mod six_dof;
pub mod spring;
pub mod universal;
pub use measure::{JointMeasure, Relative, unwrapped_value};
pub use parameters::{Coefficient, Given, Number, Parameter, Role};
pub use placed::PlacedEnds;
pub use servo::{AngularServo, FreeAxis, LinearServo, RotationVector, Servo, SlideAxis, TurnAxis};

/// Properties of a joint kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JointInfo {
    /// The name in files.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub what: &'static str,
    /// The document and section that it comes from.
    pub source: &'static str,
    /// Whether it has an axis.
    pub axis: bool,
    /// Whether its two anchors should coincide.
    pub coincident: bool,
    /// The quantity that its value measures.
    pub measures: JointMeasure,
    /// Whether its value counts whole turns, and so must be unwrapped from the previous step's.
    pub winds: bool,
    /// Default for anchors that the file leaves out.
    pub anchor: Anchor,
    /// How it is drawn.
    pub shown: JointDisplay,
    /// Which relative motion it leaves free.
    pub free: Freedom,
}

/// Default place of the anchors if both are left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    /// They must be given.
    Needed,
    /// At the origin of B's shape.
    AtB,
    /// Each at the origin of its body's shape, for joints whose anchors are apart.
    Origins,
}

/// How a joint and its value are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JointDisplay {
    /// A hand that turns with B on a dial about the axis.
    Hand,
    /// A twist angle on a small dial of its own, as no side of B can serve as a hand.
    Dial,
    /// A cone; the value is the angle between the two axes.
    Bend,
    /// A slide along the axis.
    Rail,
    /// A slide along a plane's normal; B is free within the plane.
    Plane,
    /// A line between the anchors: rigid rod, rope, coil spring.
    Rod,
    Thread,
    Coil,
    /// A circle about A's axis.
    Ring,
    /// The pitch circles of two gears.
    Teeth,
    /// Two pulleys and the spans of the belt between them.
    Belt,
    /// The pitch circle of a pinion and the pitch line of its rack.
    Rack,
    /// A rope over two sheaves that are fixed in the world.
    Sheaves,
    /// A drum and the rope that leaves it.
    Drum,
    /// The profile of a cam, and the roller of its follower.
    Cam,
    /// The two arms of a cross.
    Cross,
    /// A line between the anchors, whatever the rows require of them.
    Points,
    /// Three axes, with the ranges and the values along and about them.
    Axes,
}

/// The relative motion that a joint leaves free.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Freedom {
    Nothing,
    /// Only one: the angle about its axis, or the slide along it.
    Turn,
    Slide,
    /// Several motions.
    More,
}

macro_rules! joint_kinds {
    ($($module:ident :: $Kind:ident)*) => {
        $(pub use $module::$Kind;)*
        /// A joint's kind with its parameters.
        #[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
        pub enum JointKind { $(#[doc = concat!("See [`", stringify!($module), "`].")] $Kind($Kind)),* }
        impl JointKind {
            /// All kinds, with default parameters, in menu order.
            pub fn all() -> Vec<Self> { vec![$(Self::$Kind($Kind::default())),*] }
            /// The properties of this kind.
            pub fn info(&self) -> JointInfo {
                // Its parameters say which motions it leaves free.
                if let Self::SixDof(joint) = self {
                    return joint.info();
                }
                // Its rows say whether it has an axis.
                if let Self::Formula(joint) = self {
                    return joint.info();
                }
                match self { $(Self::$Kind(_) => $Kind::INFO),* }
            }
            /// The parameters of this kind, in the order of a file.
            pub fn parameters(&mut self) -> Vec<Parameter<'_>> {
                match self { $(Self::$Kind(joint) => joint.parameters()),* }
            }
            /// Adds this joint's rows at the given frames.
            pub fn linearize(&self, frames: &JointFrames, rows: &mut RowList) {
                match self { $(Self::$Kind(joint) => joint.linearize(frames, rows)),* }
            }
            /// The value that this kind measures, and its rate: see [`JointInfo::measures`].
            pub fn measure(&self, frames: &JointFrames, relative: &Relative) -> (f32, f32) {
                match self { $(Self::$Kind(joint) => joint.measure(frames, relative)),* }
            }
        }
    };
}

joint_kinds! {
    ball_socket::BallSocket
    distance::Distance
    rope::Rope
    spring::Spring
    hinge::Hinge
    fixed::Fixed
    prismatic::Prismatic
    cylindrical::Cylindrical
    angular_motor::AngularMotor
    orientation_lock::OrientationLock
    axis_lock::AxisLock
    plane::Plane
    cone_twist::ConeTwist
    constant_velocity::ConstantVelocity
    point_on_ring::PointOnRing
    rotary_motor::RotaryMotor
    universal::Universal
    screw::Screw
    gear::Gear
    rack::Rack
    belt::Belt
    pulley::Pulley
    drum::Drum
    cam::Cam
    six_dof::SixDof
    formula::Formula
}

/// A velocity drive about or along a joint's axis, with a cap.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AngularDrive {
    /// Speed of B about the axis relative to A, rad/s.
    pub speed: f32,
    /// The largest torque that it may apply, N·m.
    #[serde(default = "unbounded", skip_serializing_if = "is_unbounded")]
    pub max_torque: f32,
}

/// A velocity drive along a joint's axis, with a cap.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LinearDrive {
    /// Speed of B along the axis relative to A, m/s.
    pub speed: f32,
    /// The largest force that it may apply, N.
    #[serde(default = "unbounded", skip_serializing_if = "is_unbounded")]
    pub max_force: f32,
}

/// A spring with a damper about a joint's axis. Its frequency and damping ratio are those of the motion that the joint
/// leaves to its two bodies; its stiffness is in N·m/rad, its damping coefficient in N·m·s/rad.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "fields::AngularSpring", into = "fields::AngularSpring")]
pub struct AngularSpring {
    pub softness: Softness,
    /// Rest angle, rad.
    pub angle: Angle,
}

/// A spring with a damper along a joint's axis. Its frequency and damping ratio are those of the motion that the joint
/// leaves to its two bodies; its stiffness is in N/m, its damping coefficient in N·s/m.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "fields::LinearSpring", into = "fields::LinearSpring")]
pub struct LinearSpring {
    pub softness: Softness,
    /// Rest slide, m.
    pub slide: f32,
}

/// Stands for an unlimited force or torque (N, N·m); finite so that files can hold it.
pub const UNBOUNDED: f32 = 1e9;

fn unbounded() -> f32 {
    UNBOUNDED
}
fn is_unbounded(cap: &f32) -> bool {
    *cap == UNBOUNDED
}

/// Angle limits in radians.
fn radians(limit: Option<(Angle, Angle)>) -> Option<(f32, f32)> {
    limit.map(|(min, max)| (min.radians, max.radians))
}
