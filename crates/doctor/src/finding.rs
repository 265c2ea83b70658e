//! The doctor's findings, their severity, and their fixes.

use glam::Vec3;
use serde::Serialize;

use delassus_physics::breaking::Breaks;
use delassus_physics::setting::Value;
use delassus_scene::Rule;

/// The severity of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Expected by the scene, see [`delassus_scene::Scene::expects`].
    Meant,
    /// For information; nothing need go wrong.
    Note,
    /// Will be visible.
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

/// A change that resolves a finding without further questions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Fix {
    /// Moves B's anchor to A's.
    MeetAnchors { joint: usize },
    /// Sets the joint's length, m.
    Length { joint: usize, length: f32 },
    /// Aligns B's axis with A's.
    AlignAxes { joint: usize },
    /// Widens the limits to this range.
    Limit { joint: usize, range: (f32, f32) },
    /// Moves the body, m, world frame.
    Move { body: u32, by: Vec3 },
    /// Deletes the joint.
    Remove { joint: usize },
    /// Sets the axis of both ends of the joint, world frame.
    Axis { joint: usize, axis: Vec3 },
    /// Sets the joint's break limits.
    Breaks { joint: usize, breaks: Breaks },
    /// Takes the joint's angles that look like degrees as degrees.
    Degrees { joint: usize },
    /// The same for a body's rotation.
    TurnInDegrees { body: u32 },
    /// Changes a setting.
    Set { name: &'static str, value: Value },
    /// Removes the joint's motor.
    NoMotor { joint: usize },
}

impl Fix {
    /// The label of its button; `joint` and `body` give the names by index and id.
    pub fn label<'n>(&self, joint: impl Fn(usize) -> &'n str, body: impl Fn(u32) -> &'n str) -> String {
        match *self {
            Self::MeetAnchors { .. } => "Bring the anchors together".into(),
            Self::Length { .. } => "Use the present length".into(),
            Self::AlignAxes { .. } => "Align the axes".into(),
            Self::Limit { .. } => "Widen the limits".into(),
            Self::Move { body: of, .. } => format!("Move {} out", body(of)),
            Self::Remove { joint: of } => format!("Delete {}", joint(of)),
            Self::Axis { joint: of, .. } => format!("Align {} with the others", joint(of)),
            Self::Breaks { joint: of, .. } => format!("Let {} bear twice the load", joint(of)),
            Self::Degrees { joint: of } => format!("Read the angles of {} as degrees", joint(of)),
            Self::TurnInDegrees { body: of } => format!("Read the rotation of {} as degrees", body(of)),
            Self::Set { name, value } => super::words::change(name, value),
            Self::NoMotor { joint: of } => format!("Remove the motor from {}", joint(of)),
        }
    }
}

/// A finding of the doctor.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    pub rule: Rule,
    pub severity: Severity,
    /// The bodies and joints concerned, by id and index; the first is the most relevant one.
    pub bodies: Vec<u32>,
    pub joints: Vec<usize>,
    /// The finding as text, with numbers.
    pub what: String,
    /// The remedy as text.
    pub cure: String,
    pub fix: Option<Fix>,
}
