//! A joint of the document.

use delassus_physics::joint::{JointOptions, OwnOptions};
use delassus_physics::joints::JointKind;
use delassus_physics::setting::is_default;
use delassus_physics::settings::StabilizationPatch;
use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::{Breaks, ByTime, SoftRows};

/// The name of the immovable world in joints.
pub const WORLD: &str = "world";

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

fn world() -> String {
    WORLD.into()
}
fn is_world(v: &str) -> bool {
    v == WORLD
}
