//! A body of the document.

use delassus_physics::rotation::Rotation;
use delassus_physics::setting::is_default;
use delassus_physics::shape::Shape;
use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::{Drag, Force, Groups, Inertia, Motion, Mover, Softness};

/// Default density, kg/m³: water.
pub const DENSITY: f32 = 1000.0;

/// A rigid body. In a pattern it is the template, and the name may be left out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Body {
    /// Unique in the scene; joints and tables refer to the body by it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub name: String,
    pub shape: Shape,
    /// Position of the shape's origin, m. (The centre of mass may be elsewhere.)
    #[serde(default, skip_serializing_if = "is_default")]
    pub at: Vec3,
    #[serde(default, skip_serializing_if = "is_default")]
    pub rotation: Rotation,
    #[serde(default, skip_serializing_if = "is_default")]
    pub motion: Motion,
    /// kg; excludes `density`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub mass: Option<f32>,
    /// kg/m³; [`DENSITY`] if neither is given.
    #[serde(default, skip_serializing_if = "is_default")]
    pub density: Option<f32>,
    /// Centre of mass in the shape's frame, m; where even density puts it if left out.
    #[serde(default, skip_serializing_if = "is_default")]
    pub mass_centre: Option<Vec3>,
    /// Inertia about the centre of mass, in the axes of the shape; that of even density if left out.
    #[serde(default, skip_serializing_if = "is_default")]
    pub inertia: Option<Inertia>,
    /// Velocity of the centre of mass, world frame, m/s.
    #[serde(default, skip_serializing_if = "is_default")]
    pub velocity: Vec3,
    /// World frame, rad/s; called `spin` in older files.
    #[serde(default, skip_serializing_if = "is_default", alias = "spin")]
    pub angular_velocity: Vec3,
    /// Name of one of the scene's materials; values given here take precedence.
    #[serde(default, skip_serializing_if = "is_default")]
    pub material: Option<String>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub friction: Option<f32>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub restitution: Option<f32>,
    /// Lever arm of rolling friction, m.
    #[serde(default, skip_serializing_if = "is_default")]
    pub rolling: Option<f32>,
    /// Makes the surface a spring instead of rigid.
    #[serde(default, skip_serializing_if = "is_default")]
    pub soft: Option<Softness>,
    /// Whether it collides with anything.
    #[serde(default = "yes", skip_serializing_if = "is_true")]
    pub collide: bool,
    /// The collision groups that it belongs to.
    #[serde(default = "first", skip_serializing_if = "is_first")]
    pub groups: Groups,
    /// The collision groups that it touches. Two bodies touch if each one's mask has a group of the other.
    #[serde(default = "all", skip_serializing_if = "is_all")]
    pub mask: Groups,
    /// A point mass: it does not rotate, whatever its shape.
    #[serde(default, skip_serializing_if = "is_default")]
    pub particle: bool,
    /// Normal of the plane to which its motion is restricted, world frame; need not be of unit length.
    #[serde(default, skip_serializing_if = "is_default")]
    pub plane: Option<Vec3>,
    /// Velocity law of a kinematic body, world frame; excludes `velocity` and `angular_velocity`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub mover: Option<Mover>,
    /// Forces that act on it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub forces: Vec<Force>,
    /// Resistance of a medium.
    #[serde(default, skip_serializing_if = "is_default")]
    pub drag: Option<Drag>,
}

impl Body {
    /// A dynamic body with default values.
    pub fn new(name: impl Into<String>, shape: Shape, at: Vec3) -> Self {
        Self {
            name: name.into(),
            shape,
            at,
            rotation: Rotation::default(),
            motion: Motion::Dynamic,
            mass: None,
            density: None,
            mass_centre: None,
            inertia: None,
            velocity: Vec3::ZERO,
            angular_velocity: Vec3::ZERO,
            material: None,
            friction: None,
            restitution: None,
            rolling: None,
            soft: None,
            collide: true,
            groups: Groups::FIRST,
            mask: Groups::ALL,
            particle: false,
            plane: None,
            mover: None,
            forces: Vec::new(),
            drag: None,
        }
    }
}

fn first() -> Groups {
    Groups::FIRST
}
fn is_first(v: &Groups) -> bool {
    *v == Groups::FIRST
}
fn all() -> Groups {
    Groups::ALL
}
fn is_all(v: &Groups) -> bool {
    *v == Groups::ALL
}
fn yes() -> bool {
    true
}
fn is_true(v: &bool) -> bool {
    *v
}
