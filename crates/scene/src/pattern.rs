//! Document entries that stand for several bodies: patterns and parts.

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::types::{Body, Motion, SoftRows};
use delassus_physics::breaking::Breaks;
use delassus_physics::force::ByTime;
use delassus_physics::joint::{JointOptions, OwnOptions};
use delassus_physics::joints::JointKind;
use delassus_physics::rotation::Rotation;
use delassus_physics::setting::is_default;
use delassus_physics::settings::StabilizationPatch;

/// A compact description of several bodies. A member's name is the pattern's name, a dot and its number from zero.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[allow(clippy::large_enum_variant, reason = "a scene has few patterns")]
pub enum Pattern {
    Chain(Chain),
    Stack(Stack),
    Pyramid(Pyramid),
    Grid(Grid),
}

impl Pattern {
    /// Its kind in words, such as `chain`.
    pub fn noun(&self) -> &'static str {
        match self {
            Self::Chain(_) => "chain",
            Self::Stack(_) => "stack",
            Self::Pyramid(_) => "pyramid",
            Self::Grid(_) => "grid",
        }
    }

    /// The name, mutable.
    pub fn name_mut(&mut self) -> &mut String {
        match self {
            Self::Chain(p) => &mut p.name,
            Self::Stack(p) => &mut p.name,
            Self::Pyramid(p) => &mut p.name,
            Self::Grid(p) => &mut p.name,
        }
    }

    /// The body that it repeats; `None` if it repeats a part.
    pub fn body(&self) -> Option<&Body> {
        match self {
            Self::Chain(p) => Some(&p.body),
            Self::Stack(p) => Some(&p.body),
            Self::Pyramid(p) => Some(&p.body),
            Self::Grid(grid) => match &grid.of {
                Content::Body(body) => Some(body),
                Content::Chain(p) => Some(&p.body),
                Content::Stack(p) => Some(&p.body),
                Content::Pyramid(p) => Some(&p.body),
                Content::Part(_) => None,
            },
        }
    }

    /// The body that it repeats, mutable.
    pub fn body_mut(&mut self) -> Option<&mut Body> {
        match self {
            Self::Chain(p) => Some(&mut p.body),
            Self::Stack(p) => Some(&mut p.body),
            Self::Pyramid(p) => Some(&mut p.body),
            Self::Grid(grid) => match &mut grid.of {
                Content::Body(body) => Some(body),
                Content::Chain(p) => Some(&mut p.body),
                Content::Stack(p) => Some(&mut p.body),
                Content::Pyramid(p) => Some(&mut p.body),
                Content::Part(_) => None,
            },
        }
    }

    /// The part that it repeats, if it repeats one.
    pub fn part(&self) -> Option<&Part> {
        match self {
            Self::Grid(grid) => match &grid.of {
                Content::Part(part) => Some(part),
                Content::Body(_) | Content::Chain(_) | Content::Stack(_) | Content::Pyramid(_) => None,
            },
            Self::Chain(_) | Self::Stack(_) | Self::Pyramid(_) => None,
        }
    }

    /// The part that it repeats, mutable.
    pub fn part_mut(&mut self) -> Option<&mut Part> {
        match self {
            Self::Grid(grid) => match &mut grid.of {
                Content::Part(part) => Some(part),
                Content::Body(_) | Content::Chain(_) | Content::Stack(_) | Content::Pyramid(_) => None,
            },
            Self::Chain(_) | Self::Stack(_) | Self::Pyramid(_) => None,
        }
    }

    /// The prefix of its members' names.
    pub fn name(&self) -> &str {
        match self {
            Self::Chain(p) => &p.name,
            Self::Stack(p) => &p.name,
            Self::Pyramid(p) => &p.name,
            Self::Grid(p) => &p.name,
        }
    }
}

/// Bodies in a row, each joined to the previous one: `name.0`, `name.1`, …
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Chain {
    #[serde(default, skip_serializing_if = "is_default")]
    pub name: String,
    /// The first body.
    pub body: Body,
    pub count: u32,
    /// From one body to the next, m.
    pub spacing: Vec3,
    pub joint: ChainJoint,
    /// Motion of the first body, if different from the template's.
    #[serde(default, skip_serializing_if = "is_default")]
    pub first: Option<Motion>,
    /// Motion of the last body, if different from the template's.
    #[serde(default, skip_serializing_if = "is_default")]
    pub last: Option<Motion>,
}

/// The joint between neighbouring bodies of a chain.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename = "Link")]
pub struct ChainJoint {
    pub kind: JointKind,
    /// Position of the anchor between the previous body's origin (0) and the next one's (1). Rods and ropes run from
    /// origin to origin.
    #[serde(default = "half", skip_serializing_if = "is_half")]
    pub along: f32,
    /// World frame.
    #[serde(default, skip_serializing_if = "is_default")]
    pub axis: Option<Vec3>,
    /// Whether neighbours collide with each other.
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

impl ChainJoint {
    /// The options that the physics takes, besides kind and ends.
    pub fn options(&self) -> JointOptions {
        let Self { breaks, stabilization, soft, .. } = *self;
        OwnOptions { breaks, stabilization, soft, by_time: self.by_time.clone() }.into()
    }
}

/// Bodies at equal distances, stacked or side by side: `name.0`, `name.1`, …
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stack {
    #[serde(default, skip_serializing_if = "is_default")]
    pub name: String,
    /// The first body.
    pub body: Body,
    pub count: u32,
    /// From one body to the next, m.
    pub spacing: Vec3,
    /// Offset of every second body, m.
    #[serde(default, skip_serializing_if = "is_default")]
    pub stagger: Vec3,
}

/// Layers of `base`, `base` − 1, …, 1 bodies, each centred on the one below.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pyramid {
    #[serde(default, skip_serializing_if = "is_default")]
    pub name: String,
    /// The first body of the lowest layer.
    pub body: Body,
    pub base: u32,
    /// From one body to its neighbour in the layer, m.
    pub across: Vec3,
    /// From one layer to the next, m.
    pub up: Vec3,
}

/// Copies of a body, a part or another pattern in rows, columns and layers: `name.0`, `name.1`, …, x varies fastest.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Grid {
    #[serde(default, skip_serializing_if = "is_default")]
    pub name: String,
    /// Numbers of copies along x, y and z.
    pub count: (u32, u32, u32),
    /// Distances along x, y and z, m.
    pub spacing: Vec3,
    pub of: Content,
}

/// What a grid repeats. Its name, if any, follows the copy's number: `crowd.7.torso`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Content {
    Body(Box<Body>),
    Part(Part),
    Chain(Box<Chain>),
    Stack(Box<Stack>),
    Pyramid(Box<Pyramid>),
}

/// The bodies, patterns, parts and joints of another scene, placed here. Its settings, camera and experiments are
/// ignored.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// Prefix of its bodies' names here, as in `name.body`; no prefix if left out.
    #[serde(default, skip_serializing_if = "is_default")]
    pub name: String,
    /// Path relative to this file.
    pub file: String,
    /// Position of its origin, m.
    #[serde(default, skip_serializing_if = "is_default")]
    pub at: Vec3,
    #[serde(default, skip_serializing_if = "is_default")]
    pub rotation: Rotation,
}

fn half() -> f32 {
    0.5
}
fn is_half(v: &f32) -> bool {
    *v == 0.5
}
