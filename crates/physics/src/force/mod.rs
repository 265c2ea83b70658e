//! Applied forces: a force and a torque on a body, constant or varying with time, and the drag of a medium.
//!
//! ```text
//! F = s(t) f,   τ = s(t) (t₀ + r × f)          r from the centre of mass; f and t₀ in the world's axes or the body's
//! F = −(c₁ + c₂ |v|) v,   τ = −c₃ ω            drag: c₁ linear, c₂ quadratic, c₃ angular
//! ```
//! `apply.rs` says when they act in a step. `drag.rs` solves drag in free flight, `resist.rs` solves it together with rows.

mod applied;
pub(crate) mod apply;
pub(crate) mod change;
mod drag;
pub mod formula;
pub(crate) mod resist;

use std::sync::Arc;

use glam::Vec3;
use serde::{Deserialize, Serialize};

use self::formula::Formula;
use super::angle::Angle;
use super::setting::is_default;

/// A force and a torque on a body.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Force {
    /// N.
    #[serde(default, skip_serializing_if = "is_default")]
    pub force: Vec3,
    /// N·m; added to the moment of the force about the centre of mass.
    #[serde(default, skip_serializing_if = "is_default")]
    pub torque: Vec3,
    /// Where the force acts, in the body's axes, m: in a scene from the shape's origin, in a world from the centre of
    /// mass. The centre of mass if left out.
    #[serde(default, skip_serializing_if = "is_default")]
    pub at: Option<Vec3>,
    /// The axes of force and torque.
    #[serde(default, skip_serializing_if = "is_default")]
    pub frame: ForceFrame,
    /// The factor of force and torque as a function of time.
    #[serde(default, skip_serializing_if = "is_default")]
    pub by_time: ByTime,
}

/// The axes in which a force is given.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ForceFrame {
    /// The world's: the force keeps its direction.
    #[default]
    World,
    /// The body's: the force rotates with it.
    Body,
}

/// A factor as a function of time.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum ByTime {
    /// Always 1.
    #[default]
    Constant,
    /// cos(ω t + φ).
    Sinusoid {
        /// Angular frequency ω, rad/s.
        rate: f32,
        /// Phase φ at time zero.
        #[serde(default, skip_serializing_if = "is_default")]
        phase: Angle,
    },
    /// Linear between points. Before the first and after the last point it has that point's factor.
    Table {
        /// (time, s; factor), in the order of time.
        points: Vec<(f32, f32)>,
    },
    /// An expression of the time.
    Formula {
        /// Of t, s.
        factor: Formula,
        /// t at the start, s.
        #[serde(default, skip_serializing_if = "is_default")]
        start: f32,
    },
}

impl Clone for ByTime {
    fn clone(&self) -> Self {
        match self {
            Self::Constant => Self::Constant,
            Self::Sinusoid { rate, phase } => Self::Sinusoid { rate: *rate, phase: *phase },
            Self::Table { points } => Self::Table { points: points.clone() },
            Self::Formula { factor, start } => Self::Formula { factor: factor.clone(), start: *start },
        }
    }

    /// Reuses the existing table.
    fn clone_from(&mut self, source: &Self) {
        match (self, source) {
            (Self::Table { points }, Self::Table { points: others }) => points.clone_from(others),
            (this, source) => *this = source.clone(),
        }
    }
}

/// The drag of a body in a medium at rest.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Drag {
    /// Force per speed of the centre of mass, N·s/m.
    #[serde(default, skip_serializing_if = "is_default")]
    pub linear: f32,
    /// Force per speed squared, N·s²/m²: ½ ρ c_d A.
    #[serde(default, skip_serializing_if = "is_default")]
    pub quadratic: f32,
    /// Torque per angular speed, N·m·s/rad.
    #[serde(default, skip_serializing_if = "is_default")]
    pub angular: f32,
}

/// What acts on a body of a world.
#[derive(Debug, Clone, PartialEq)]
pub struct BodyForces {
    pub body: u32,
    pub forces: Arc<[Force]>,
    pub drag: Drag,
}

impl ByTime {
    /// The factor at `time`, s.
    pub fn at(&self, time: f64) -> f32 {
        match self {
            Self::Constant => 1.0,
            Self::Sinusoid { rate, phase } => (f64::from(*rate) * time + f64::from(phase.radians)).cos() as f32,
            Self::Table { points } => {
                let next = points.partition_point(|(at, _)| f64::from(*at) <= time);
                let point = |index: usize| points.get(index).map(|(at, factor)| (f64::from(*at), f64::from(*factor)));
                match (next.checked_sub(1).and_then(point), point(next)) {
                    (Some((t0, s0)), Some((t1, s1))) => (s0 + (s1 - s0) * (time - t0) / (t1 - t0)) as f32,
                    (Some((_, factor)), None) | (None, Some((_, factor))) => factor as f32,
                    (None, None) => 0.0,
                }
            }
            Self::Formula { factor, start } => factor.at(f64::from(*start) + time) as f32,
        }
    }

    /// The function of time for a run that begins anew after `time` seconds of this one.
    #[must_use]
    pub fn after(&self, time: f64) -> Self {
        match self {
            Self::Constant => Self::Constant,
            Self::Sinusoid { rate, phase } => {
                let phase = (f64::from(*rate) * time + f64::from(phase.radians)).rem_euclid(std::f64::consts::TAU);
                Self::Sinusoid { rate: *rate, phase: Angle::radians(phase as f32) }
            }
            Self::Table { points } => Self::Table {
                points: points.iter().map(|(at, factor)| ((f64::from(*at) - time) as f32, *factor)).collect(),
            },
            Self::Formula { factor, start } => {
                Self::Formula { factor: factor.clone(), start: (f64::from(*start) + time) as f32 }
            }
        }
    }
}

impl Force {
    /// The force at a point given from another origin, and in other axes of the world: `direction` transforms vectors
    /// of the world, `shift`, m, is added to the point in the body's axes.
    #[must_use]
    pub fn carried(&self, direction: impl Fn(Vec3) -> Vec3, shift: Vec3) -> Self {
        let Self { force, torque, at, frame, by_time } = self.clone();
        let turned = |v: Vec3| if frame == ForceFrame::World { direction(v) } else { v };
        Self { force: turned(force), torque: turned(torque), at: at.map(|at| at + shift), frame, by_time }
    }

    /// The force for a run that begins anew after `time` seconds of this one.
    #[must_use]
    pub fn after(&self, time: f64) -> Self {
        Self { by_time: self.by_time.after(time), ..self.clone() }
    }
}
