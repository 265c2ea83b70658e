//! The scene document, as the file has it. Metres, kilograms, seconds, radians; world frame, z up.
//!
//! What is left out of a file has the default stated here; what has its default is left out when a scene is saved.

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::list::List;
pub use super::opening::{Idle, Label, Opening};
pub use super::pattern::*;
use super::rotation::Rotation;
use super::rule::Rule;
pub use crate::physics::body::Motion;
pub use crate::physics::breaking::Breaks;
use crate::physics::joint::{JointOptions, OwnOptions};
use crate::physics::joints::JointKind;
pub use crate::physics::mover::Mover;
use crate::physics::setting::is_default;
use crate::physics::settings::{SettingsPatch, StabilizationPatch};
use crate::physics::shape::Shape;
pub use crate::physics::softness::{SoftRows, Softness};

/// The version of the file format that this program reads and writes.
pub const VERSION: u32 = 1;
/// The name by which joints call the immovable world.
pub const WORLD: &str = "world";
/// Default density, kg/m³: water.
pub const DENSITY: f32 = 1000.0;

/// A scene: what stands in the file, patterns and parts not yet expanded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scene {
    /// [`VERSION`].
    pub version: u32,
    pub title: String,
    /// The document and chapter that it reproduces, as in `004 ch. 9`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub source: String,
    /// What it shows, in a few sentences.
    #[serde(default, skip_serializing_if = "is_default")]
    pub about: String,
    /// What to look for.
    #[serde(default, skip_serializing_if = "is_default")]
    pub look_for: String,
    /// What holds in a run of the scene as it opens, each a condition: see `docs/claims.md`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub claims: Vec<String>,
    /// What the doctor would warn of and the scene is made to show, by the doctor's rules: it is told as meant.
    #[serde(default, skip_serializing_if = "is_default")]
    pub expects: Vec<Rule>,
    /// What differs from the default settings.
    #[serde(default, skip_serializing_if = "is_default")]
    pub settings: SettingsPatch,
    #[serde(default, skip_serializing_if = "is_default")]
    pub camera: CameraDoc,
    /// How the window opens it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub opens: Opening,
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
    /// What is plotted; what the window chooses if there are none.
    #[serde(default, skip_serializing_if = "is_default")]
    pub plots: List<Plot>,
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
            opens: Opening::default(),
            materials: List::new(),
            bodies: List::new(),
            patterns: List::new(),
            parts: List::new(),
            joints: List::new(),
            experiments: List::new(),
            plots: List::new(),
        }
    }
}

/// Where the camera starts, world frame, m.
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

/// A surface, to be named by bodies. How two of them make one value is the setting `contact.mix`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Material {
    pub name: String,
    /// Friction coefficient.
    #[serde(default = "friction", skip_serializing_if = "is_friction")]
    pub friction: f32,
    /// 0 does not bounce, 1 bounces back.
    #[serde(default, skip_serializing_if = "is_default")]
    pub restitution: f32,
    /// Rolling friction's lever arm, m.
    #[serde(default, skip_serializing_if = "is_default")]
    pub rolling: f32,
    /// A spring in place of a rigid surface; of two that touch, the slower one.
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

/// A rigid body. In a pattern it is the template, and its name may be left out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Body {
    /// Unique in the scene; joints and tables call it by this.
    #[serde(default, skip_serializing_if = "is_default")]
    pub name: String,
    pub shape: Shape,
    /// Where the shape's own origin stands, m. (A hull's centre of mass may be elsewhere.)
    #[serde(default, skip_serializing_if = "is_default")]
    pub at: Vec3,
    #[serde(default, skip_serializing_if = "is_default")]
    pub rotation: Rotation,
    #[serde(default, skip_serializing_if = "is_default")]
    pub motion: Motion,
    /// kg; instead of `density`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub mass: Option<f32>,
    /// kg/m³; [`DENSITY`] if neither is given.
    #[serde(default, skip_serializing_if = "is_default")]
    pub density: Option<f32>,
    /// Of the centre of mass, world frame, m/s.
    #[serde(default, skip_serializing_if = "is_default")]
    pub velocity: Vec3,
    /// World frame, rad/s; `spin` in older files.
    #[serde(default, skip_serializing_if = "is_default", alias = "spin")]
    pub angular_velocity: Vec3,
    /// The name of one of the scene's materials; what is given here goes before it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub material: Option<String>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub friction: Option<f32>,
    #[serde(default, skip_serializing_if = "is_default")]
    pub restitution: Option<f32>,
    /// m.
    #[serde(default, skip_serializing_if = "is_default")]
    pub rolling: Option<f32>,
    /// A spring in place of a rigid surface.
    #[serde(default, skip_serializing_if = "is_default")]
    pub soft: Option<Softness>,
    /// Whether it touches anything.
    #[serde(default = "yes", skip_serializing_if = "is_true")]
    pub collide: bool,
    /// A point mass: it does not turn, whatever its shape.
    #[serde(default, skip_serializing_if = "is_default")]
    pub particle: bool,
    /// The normal of the plane in which it stays and turns, world frame; need not be of unit length.
    #[serde(default, skip_serializing_if = "is_default")]
    pub plane: Option<Vec3>,
    /// The law of a kinematic body's velocity, world frame; instead of `velocity` and `angular_velocity`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub mover: Option<Mover>,
}

impl Body {
    /// A dynamic body with all the defaults.
    pub fn new(name: impl Into<String>, shape: Shape, at: Vec3) -> Self {
        Self {
            name: name.into(),
            shape,
            at,
            rotation: Rotation::default(),
            motion: Motion::Dynamic,
            mass: None,
            density: None,
            velocity: Vec3::ZERO,
            angular_velocity: Vec3::ZERO,
            material: None,
            friction: None,
            restitution: None,
            rolling: None,
            soft: None,
            collide: true,
            particle: false,
            plane: None,
            mover: None,
        }
    }
}

/// A joint between two bodies.
///
/// Ends are given either as one point (`anchor`) and direction (`axis`) of the world in the scene's pose, or each by
/// itself in its body's shape frame; an end that is left out is where the other one is in the scene's pose. Without any
/// anchor a rod or rope runs from origin to origin, and a weld, slider or drive has its anchor at B's origin.
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
    /// In B's shape frame; A's axis as it stands in the scene's pose if left out.
    #[serde(default, skip_serializing_if = "is_default")]
    pub axis_b: Option<Vec3>,
    pub kind: JointKind,
    /// Whether the two bodies touch each other.
    #[serde(default, skip_serializing_if = "is_default")]
    pub collide: bool,
    /// What it bears; unbreakable if left out.
    #[serde(default, skip_serializing_if = "is_default")]
    pub breaks: Option<Breaks>,
    /// A stabilisation of its own; the scene's for what is left out.
    #[serde(default, skip_serializing_if = "is_default")]
    pub stabilization: Option<StabilizationPatch>,
    /// Rows that are springs; rigid ones if left out.
    #[serde(default, skip_serializing_if = "is_default")]
    pub soft: Option<SoftRows>,
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
        }
    }

    /// What the physics takes beside kind and ends.
    pub fn options(&self) -> JointOptions {
        OwnOptions { breaks: self.breaks, stabilization: self.stabilization, soft: self.soft }.into()
    }

    /// The name, or the one that stands in for it.
    pub fn label(&self) -> String {
        if self.name.is_empty() { format!("{}-{}", self.a, self.b) } else { self.name.clone() }
    }
}

/// A named change of settings, so that a click shows what they do.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Experiment {
    pub name: String,
    #[serde(default, skip_serializing_if = "is_default")]
    pub about: String,
    /// Applied on top of the scene's own settings.
    #[serde(default, skip_serializing_if = "is_default")]
    pub set: SettingsPatch,
    /// What holds in a run with these settings.
    #[serde(default, skip_serializing_if = "is_default")]
    pub claims: Vec<String>,
}

/// A plot of quantities against time or against each other, each by its name as in tables and conditions.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plot {
    /// Made of its curves where it is left out.
    #[serde(default, skip_serializing_if = "is_default")]
    pub title: String,
    /// `energy`, `bodies.box.z`, `joints.motor.torque`, `rows.motor.2.force`
    pub curves: Vec<String>,
    /// The quantity along the other axis; time if left out.
    #[serde(default, skip_serializing_if = "is_default")]
    pub against: String,
    #[serde(default, skip_serializing_if = "is_default")]
    pub scale: PlotScale,
}

/// What of its values an axis shows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum PlotScale {
    /// All of them, and zero.
    #[default]
    Full,
    /// All but the outliers: from the second to the ninety-eighth hundredth, with some air.
    Robust,
    /// By decades; what is not above zero is left out.
    Logarithmic,
}

fn friction() -> f32 {
    FRICTION
}
fn is_friction(v: &f32) -> bool {
    *v == FRICTION
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
