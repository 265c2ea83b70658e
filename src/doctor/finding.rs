//! What the doctor says: findings, how bad they are, and what can be done about them.

use glam::Vec3;
use serde::Serialize;

use crate::physics::breaking::Breaks;
use crate::scene::Rule;

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// As the scene wants it, see [`crate::scene::Scene::expects`].
    Meant,
    /// Worth knowing; nothing need go wrong.
    Note,
    /// Will be seen.
    Warning,
    /// Cannot be right.
    Error,
}

impl Severity {
    pub fn name(self) -> &'static str {
        match self {
            Self::Meant => "meant",
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// What can be done about a finding without asking further.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Fix {
    /// B's anchor is put where A's is.
    MeetAnchors { joint: usize },
    /// The joint takes this length, m.
    Length { joint: usize, length: f32 },
    /// B's axis is put where A's is.
    AlignAxes { joint: usize },
    /// The limits are widened to this.
    Limit { joint: usize, range: (f32, f32) },
    /// The body is moved, m.
    Move { body: u32, by: Vec3 },
    /// The joint is taken away.
    Remove { joint: usize },
    /// Both ends of the joint take this axis, world frame.
    Axis { joint: usize, axis: Vec3 },
    /// The joint bears this.
    Breaks { joint: usize, breaks: Breaks },
    /// The joint's angles that look meant in degrees are taken so.
    Degrees { joint: usize },
    /// The same of a body's rotation.
    TurnInDegrees { body: u32 },
    /// The scene takes the direct solver.
    Direct,
    /// The joint's motor is taken out.
    NoMotor { joint: usize },
}

impl Fix {
    /// What a button says; joints and bodies are called by the names that are given for their numbers.
    pub fn label<'n>(&self, joint: impl Fn(usize) -> &'n str, body: impl Fn(u32) -> &'n str) -> String {
        match *self {
            Self::MeetAnchors { .. } => "Bring the anchors together".into(),
            Self::Length { .. } => "Take the length as it stands".into(),
            Self::AlignAxes { .. } => "Align the axes".into(),
            Self::Limit { .. } => "Widen the limits".into(),
            Self::Move { body: of, .. } => format!("Move {} out", body(of)),
            Self::Remove { joint: of } => format!("Delete {}", joint(of)),
            Self::Axis { joint: of, .. } => format!("Align {} with the others", joint(of)),
            Self::Breaks { joint: of, .. } => format!("Let {} bear twice the load", joint(of)),
            Self::Degrees { joint: of } => format!("Take the angles of {} for degrees", joint(of)),
            Self::TurnInDegrees { body: of } => format!("Take the rotation of {} for degrees", body(of)),
            Self::Direct => "Take the direct solver".into(),
            Self::NoMotor { joint: of } => format!("Take the motor out of {}", joint(of)),
        }
    }
}

/// One thing that the doctor found.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    pub rule: Rule,
    pub severity: Severity,
    /// The bodies and joints concerned, by number; the first is the one to look at.
    pub bodies: Vec<u32>,
    pub joints: Vec<usize>,
    /// What is so, with the numbers.
    pub what: String,
    /// What helps.
    pub cure: String,
    pub fix: Option<Fix>,
}
