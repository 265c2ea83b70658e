//! Movers: kinematic bodies whose velocity is a given function of time.
//!
//! ```text
//! constant     v = v0, w = w0
//! sinusoid     v = v0 cos(ω t + φ), w = w0 cos(ω t + φ)
//! waypoints    v = (p(t) − x)/h, p(t) the point of the path after speed · t metres
//! ```
//! A (sub-)step from t − h to t has the velocity of t, the simulated time at its end, as in the book: after n steps a
//! sinusoid of amplitude a has gone Σ a h cos(ω k h) = (a/ω) sin ω t + (a h/2)(cos ω t − 1) + O(h²). Contacts and
//! joints treat the velocity like any other. A path is followed without drift, because the velocity leads to a point
//! of the path itself; a corner is cut within one step. Source: 004 ch. 23.

use glam::Vec3;
use serde::{Deserialize, Serialize};

use super::angle::Angle;
use super::setting::is_default;
use super::velocity::Velocity;

/// Velocity as a function of time. World frame.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Mover {
    /// The same velocity for ever.
    Constant {
        /// m/s.
        #[serde(default, skip_serializing_if = "is_default")]
        velocity: Vec3,
        /// rad/s.
        #[serde(default, skip_serializing_if = "is_default", alias = "spin")]
        angular_velocity: Vec3,
    },
    /// An oscillation, fastest at the start unless there is a phase.
    Sinusoid {
        /// Amplitude, m/s.
        #[serde(default, skip_serializing_if = "is_default")]
        velocity: Vec3,
        /// Amplitude, rad/s.
        #[serde(default, skip_serializing_if = "is_default", alias = "spin")]
        angular_velocity: Vec3,
        /// Angular frequency ω, rad/s.
        rate: f32,
        /// Phase φ at time zero.
        #[serde(default, skip_serializing_if = "is_default")]
        phase: Angle,
    },
    /// From the starting position to one point after the other at constant speed, without rotation.
    Waypoints {
        /// In a scene, positions of the body's origin; in a world, of its centre of mass. m.
        points: Vec<Vec3>,
        /// m/s.
        speed: f32,
        /// Whether it continues from the last point to the start and round again; otherwise it stays at the last
        /// point.
        #[serde(default, skip_serializing_if = "is_default")]
        repeat: bool,
    },
}

/// A body that follows a mover.
#[derive(Debug, Clone, PartialEq)]
pub struct Driven {
    pub body: u32,
    pub mover: Mover,
    /// Its centre of mass at time zero, m.
    pub start: Vec3,
}

impl Mover {
    /// The velocity in the step of `h` seconds that ends at `time`, s, for a body that began at `start` and is at
    /// `position` (its centre of mass, m).
    pub fn velocity(&self, start: Vec3, position: Vec3, time: f64, h: f32) -> Velocity {
        let (linear, angular) = match self {
            Self::Constant { velocity, angular_velocity } => (*velocity, *angular_velocity),
            Self::Sinusoid { velocity, angular_velocity, rate, phase } => {
                let share = (f64::from(*rate) * time + f64::from(phase.radians)).cos() as f32;
                (*velocity * share, *angular_velocity * share)
            }
            Self::Waypoints { points, speed, repeat } => {
                let (target, _) = along(start, points, *repeat, f64::from(*speed) * time);
                ((target - position) / h, Vec3::ZERO)
            }
        };
        Velocity { linear: linear.into(), angular: angular.into() }
    }

    /// The function of time for a body that begins anew at the place that this one, begun at `start`, has reached
    /// after `time` seconds: the motion continues unchanged.
    #[must_use]
    pub fn after(&self, start: Vec3, time: f64) -> Self {
        match self {
            Self::Constant { .. } => self.clone(),
            Self::Sinusoid { velocity, angular_velocity, rate, phase } => {
                let phase = (f64::from(*rate) * time + f64::from(phase.radians)).rem_euclid(std::f64::consts::TAU);
                Self::Sinusoid {
                    velocity: *velocity,
                    angular_velocity: *angular_velocity,
                    rate: *rate,
                    phase: Angle::radians(phase as f32),
                }
            }
            Self::Waypoints { points, speed, repeat } => {
                let (_, next) = along(start, points, *repeat, f64::from(*speed) * time);
                let mut ahead = points[next.min(points.len())..].to_vec();
                if *repeat {
                    ahead.push(start);
                    ahead.extend(&points[..next.min(points.len())]);
                } else if ahead.is_empty() {
                    ahead.extend(points.last());
                }
                Self::Waypoints { points: ahead, speed: *speed, repeat: *repeat }
            }
        }
    }

    /// The same motion in another frame: `direction` and `place` transform vectors and points.
    #[must_use]
    pub fn carried(&self, direction: impl Fn(Vec3) -> Vec3, place: impl Fn(Vec3) -> Vec3) -> Self {
        let mut mover = self.clone();
        match &mut mover {
            Self::Constant { velocity, angular_velocity }
            | Self::Sinusoid { velocity, angular_velocity, rate: _, phase: _ } => {
                (*velocity, *angular_velocity) = (direction(*velocity), direction(*angular_velocity));
            }
            Self::Waypoints { points, speed: _, repeat: _ } => points.iter_mut().for_each(|p| *p = place(*p)),
        }
        mover
    }
}

/// The point of a path after `way` metres, and the index of the next waypoint; that is the number of points on the way
/// back to the start.
fn along(start: Vec3, points: &[Vec3], repeat: bool, way: f64) -> (Vec3, usize) {
    let closing = repeat.then_some(start);
    let stops = || points.iter().copied().chain(closing);
    let legs = || stops().scan(start, |from, to| Some((std::mem::replace(from, to), to)));
    let length = |(from, to): (Vec3, Vec3)| f64::from(from.distance(to));
    let whole: f64 = legs().map(length).sum();
    let mut left = if repeat && whole > 0.0 { way % whole } else { way };
    for (index, leg) in legs().enumerate() {
        let length = length(leg);
        if left < length {
            return (leg.0.lerp(leg.1, (left / length) as f32), index);
        }
        left -= length;
    }
    (stops().last().unwrap_or(start), points.len())
}
