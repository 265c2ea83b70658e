//! The scene document, as in the file. Metres, kilograms, seconds, radians; world frame, z up.
//!
//! A field left out of the file has the default stated here; a field with its default value is left out on saving.

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::list::List;
pub use super::pattern::*;
use super::rule::Rule;
pub use super::sensor::Sensor;
pub use super::start_options::{Idle, Label, StartOptions};
pub use delassus_physics::body::Motion;
pub use delassus_physics::breaking::Breaks;
pub use delassus_physics::collision_filter::{CollisionFilter, GROUPS, Groups};
pub use delassus_physics::force::{ByTime, Drag, Force, ForceFrame};
pub use delassus_physics::inertia::Inertia;
use delassus_physics::joint::{JointOptions, OwnOptions};
use delassus_physics::joints::JointKind;
pub use delassus_physics::mover::Mover;
use delassus_physics::rotation::Rotation;
pub use delassus_physics::row::Softness;
use delassus_physics::setting::is_default;
use delassus_physics::settings::{SettingsPatch, StabilizationPatch};
use delassus_physics::shape::Shape;
pub use delassus_physics::softness::SoftRows;

/// Version of the file format that this program reads and writes.
pub const VERSION: u32 = 1;
/// The name of the immovable world in joints.
pub const WORLD: &str = "world";
/// Default density, kg/m³: water.
pub const DENSITY: f32 = 1000.0;

/// A scene: the content of the file, with patterns and parts not yet expanded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// [`VERSION`].
    pub version: u32,
    pub title: String,
    /// The document and chapter that it reproduces, such as `004 ch. 9`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub source: String,
    /// What it shows, in a few sentences.
    #[serde(default, skip_serializing_if = "is_default")]
    pub about: String,
    /// What to look for.
    #[serde(default, skip_serializing_if = "is_default")]
    pub look_for: String,
    /// Statements that hold in a run of the scene as opened, each a condition: see `docs/claims.md`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub claims: Vec<String>,
    /// Rules of the doctor that the scene breaks on purpose; their warnings are shown as intended.
    #[serde(default, skip_serializing_if = "is_default")]
    pub expects: Vec<Rule>,
    /// Settings that differ from the defaults.
    #[serde(default, skip_serializing_if = "is_default")]
    pub settings: SettingsPatch,
    #[serde(default, skip_serializing_if = "is_default")]
    pub camera: CameraDoc,
    /// How the window opens the scene.
    #[serde(default, skip_serializing_if = "is_default")]
    pub opens: StartOptions,
    #[serde(default, skip_serializing_if = "is_default")]
    pub materials: List<Material>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub bodies: List<Body>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub patterns: List<Pattern>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub parts: List<Part>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub joints: List<Joint>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub experiments: List<Experiment>,
    /// The plots; if there are none, the window chooses.
    #[serde(default, skip_serializing_if = "is_default")]
    pub plots: List<Plot>,
    /// Quantities that a run logs by name, and whose limits raise an alarm.
    #[serde(default, skip_serializing_if = "is_default")]
    pub sensors: List<Sensor>,
}

impl Default for Scene {
    fn default() -> Self {
        Self {
            version: VERSION,
            title: String::new(),
            source: String::new(),
            about: String::new(),
            look_for: String::new(),
            claims: Vec::new(),
            expects: Vec::new(),
            settings: SettingsPatch::default(),
            camera: CameraDoc::default(),
            opens: StartOptions::default(),
            materials: List::new(),
            bodies: List::new(),
            patterns: List::new(),
            parts: List::new(),
            joints: List::new(),
            experiments: List::new(),
            plots: List::new(),
            sensors: List::new(),
        }
    }
}

/// Initial camera, world frame, m.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CameraDoc {
    pub eye: Vec3,
    /// The point that it looks at.
    pub target: Vec3,
}

impl Default for CameraDoc {
    fn default() -> Self {
        Self { eye: Vec3::new(6.0, -10.0, 5.0), target: Vec3::new(0.0, 0.0, 1.0) }
    }
}

/// A surface material, which bodies refer to by name. The setting `contact.mix` determines how two materials are
/// combined.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Material {
    pub name: String,
    /// Friction coefficient.
    #[serde(default = "friction", skip_serializing_if = "is_friction")]
    pub friction: f32,
    /// Coefficient of restitution: 0 does not bounce, 1 bounces back fully.
    #[serde(default, skip_serializing_if = "is_default")]
    pub restitution: f32,
    /// Lever arm of rolling friction, m.
    #[serde(default, skip_serializing_if = "is_default")]
    pub rolling: f32,
    /// Makes the surface a spring instead of rigid; in contact, the spring with the lower frequency applies.
    #[serde(default, skip_serializing_if = "is_default")]
    pub soft: Option<Softness>,
}

/// The default friction coefficient.
pub const FRICTION: f32 = 0.5;

impl Default for Material {
    fn default() -> Self {
        Self { name: String::new(), friction: FRICTION, restitution: 0.0, rolling: 0.0, soft: None }
    }
}

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

/// A joint between two bodies.
///
/// The ends are given either as one point (`anchor`) and direction (`axis`) in the world, in the scene's pose, or
/// separately in each body's shape frame. An end that is left out coincides with the other one in the scene's pose.
/// Without any anchor, a rod or rope runs from origin to origin, and a weld, slider or drive has its anchor at B's
/// origin.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Joint {
    /// `a-b` if left out.
    #[serde(default, skip_serializing_if = "is_default")]
    pub name: String,
    /// A body's name, or [`WORLD`].
    #[serde(default = "world", skip_serializing_if = "is_world")]
    pub a: String,
    pub b: String,
    /// One point for both ends, world frame, m.
    #[serde(default, skip_serializing_if = "is_default")]
    pub anchor: Option<Vec3>,
    /// In A's shape frame, m.
    #[serde(default, skip_serializing_if = "is_default")]
    pub anchor_a: Option<Vec3>,
    /// In B's shape frame, m.
    #[serde(default, skip_serializing_if = "is_default")]
    pub anchor_b: Option<Vec3>,
    /// One direction for both ends, world frame; need not be of unit length.
    #[serde(default, skip_serializing_if = "is_default")]
    pub axis: Option<Vec3>,
    /// In A's shape frame.
    #[serde(default, skip_serializing_if = "is_default")]
    pub axis_a: Option<Vec3>,
    /// In B's shape frame; if left out, A's axis in the scene's pose.
    #[serde(default, skip_serializing_if = "is_default")]
    pub axis_b: Option<Vec3>,
    pub kind: JointKind,
    /// Whether the two bodies collide with each other.
    #[serde(default, skip_serializing_if = "is_default")]
    pub collide: bool,
    /// The load at which it breaks; unbreakable if left out.
    #[serde(default, skip_serializing_if = "is_default")]
    pub breaks: Option<Breaks>,
    /// Its own stabilisation; values left out are the scene's.
    #[serde(default, skip_serializing_if = "is_default")]
    pub stabilization: Option<StabilizationPatch>,
    /// Rows that act as springs; rigid if left out.
    #[serde(default, skip_serializing_if = "is_default")]
    pub soft: Option<SoftRows>,
    /// Factor of its motor's speed and its servo's target as a function of time.
    #[serde(default, skip_serializing_if = "is_default")]
    pub by_time: ByTime,
}

impl Joint {
    /// A joint at one point of the world.
    pub fn new(a: impl Into<String>, b: impl Into<String>, anchor: Vec3, kind: JointKind) -> Self {
        Self {
            name: String::new(),
            a: a.into(),
            b: b.into(),
            anchor: Some(anchor),
            anchor_a: None,
            anchor_b: None,
            axis: None,
            axis_a: None,
            axis_b: None,
            kind,
            collide: false,
            breaks: None,
            stabilization: None,
            soft: None,
            by_time: ByTime::Constant,
        }
    }

    /// The options that the physics takes, besides kind and ends.
    pub fn options(&self) -> JointOptions {
        let Self { breaks, stabilization, soft, .. } = *self;
        OwnOptions { breaks, stabilization, soft, by_time: self.by_time.clone() }.into()
    }

    /// The name; if there is none, `a-b`.
    pub fn label(&self) -> String {
        if self.name.is_empty() { format!("{}-{}", self.a, self.b) } else { self.name.clone() }
    }
}

/// A named set of settings, applied with one click to show their effect.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Experiment {
    pub name: String,
    #[serde(default, skip_serializing_if = "is_default")]
    pub about: String,
    /// Applied on top of the scene's own settings.
    #[serde(default, skip_serializing_if = "is_default")]
    pub set: SettingsPatch,
    /// Statements that hold in a run with these settings, each a condition.
    #[serde(default, skip_serializing_if = "is_default")]
    pub claims: Vec<String>,
}

/// A plot of quantities against time or against another quantity; named as in tables and conditions.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plot {
    /// Made from the curves' names if left out.
    #[serde(default, skip_serializing_if = "is_default")]
    pub title: String,
    /// `energy`, `bodies.box.z`, `joints.motor.torque`, `rows.motor.2.force`
    pub curves: Vec<String>,
    /// The quantity on the horizontal axis; time if left out.
    #[serde(default, skip_serializing_if = "is_default")]
    pub against: String,
    #[serde(default, skip_serializing_if = "is_default")]
    pub scale: PlotScale,
}

/// Which range of values an axis shows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum PlotScale {
    /// All values, and zero.
    #[default]
    Full,
    /// All but outliers: the 2nd to the 98th percentile, with a margin.
    Robust,
    /// Logarithmic; values that are not positive are left out.
    Logarithmic,
}

fn friction() -> f32 {
    FRICTION
}
fn is_friction(v: &f32) -> bool {
    *v == FRICTION
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
fn world() -> String {
    WORLD.into()
}
fn is_world(v: &str) -> bool {
    v == WORLD
}
