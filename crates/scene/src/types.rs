//! The scene document, as in the file. Metres, kilograms, seconds, radians; world frame, z up.
//!
//! A field left out of the file has the default stated here; a field with its default value is left out on saving.

mod body;
mod joint;

use glam::Vec3;
use serde::{Deserialize, Serialize};

pub use self::body::{Body, DENSITY};
pub use self::joint::{Joint, WORLD};
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
pub use delassus_physics::mover::Mover;
pub use delassus_physics::row::Softness;
use delassus_physics::setting::is_default;
use delassus_physics::settings::SettingsPatch;
pub use delassus_physics::softness::SoftRows;

/// Version of the file format that this program reads and writes.
pub const VERSION: u32 = 1;

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
