//! Contacts that are found once per step and used in all of its sub-steps (`contact.collide`).
//!
//! ```text
//! Δq   how far each body has moved since the points were found: a displacement and a rotation, world frame
//! C    = C₀ + J Δq           the gap of a point in a later sub-step, J as it was when the points were found
//! ```
//! Normals, lever arms and effective masses are kept, so a later sub-step computes only new biases. A rotation by θ
//! leaves an error of ½ θ² r in the gap, with r the lever arm: half a millimetre for a box of 1 m that rotates by
//! 2.5° per step; the next step finds the points again. If two bodies exchange an impulse λ while they slide past
//! each other by s within the step, their levers no longer end at one point, which leaves an error of λ s in angular
//! momentum. The points of a round body that rolls follow it: see `rolling.rs`.
//! Where a body is stopped at its time of impact (`continuous.rs`), the next sub-step finds all points again.
//! Source: soft-step solvers (Box2D 3 collides once and sub-steps; Macklin and others 2019, small steps).

use glam::{Quat, Vec3, Vec3A};

use super::rolling::RollingContact;
use crate::body::{Body, Motion, Velocity};

/// The bodies' poses when the points were found, and how far they have moved since.
#[derive(Debug, Clone, Default)]
pub struct BodyDrift {
    pub(super) places: Vec<(Vec3, Quat)>,
    /// By body: displacement, m, and rotation, rad; empty in the sub-step that found the points.
    shifts: Vec<Velocity>,
    /// The contacts whose points move with a round body.
    pub(super) rolling: Vec<RollingContact>,
    /// Whether a body was stopped at an impact, for which there are no points yet.
    stale: bool,
}

impl BodyDrift {
    /// Stores the bodies' poses if later sub-steps will reuse the points.
    pub(super) fn store_poses(&mut self, bodies: &[Box<Body>], wanted: bool) {
        self.places.clear();
        self.shifts.clear();
        self.rolling.clear();
        self.stale = false;
        if wanted {
            self.places.extend(bodies.iter().map(|body| (body.position, body.rotation)));
        }
    }

    /// Computes the bodies' displacements. Returns false if the points must be found again.
    pub(super) fn advance(&mut self, bodies: &[Box<Body>]) -> bool {
        self.shifts.clear();
        if self.stale || self.places.len() != bodies.len() {
            return false;
        }
        self.shifts.extend(bodies.iter().zip(&self.places).map(|(body, (position, rotation))| {
            if body.motion == Motion::Static {
                return Velocity::default();
            }
            let turn = body.rotation * rotation.conjugate();
            // 2 sin(θ/2), smaller than the angle by θ³/24.
            let half = Vec3A::new(turn.x, turn.y, turn.z) * turn.w.signum();
            Velocity { linear: (body.position - *position).into(), angular: 2.0 * half }
        }));
        true
    }

    /// Makes the next sub-step find the points again.
    pub(super) fn expire(&mut self) {
        self.stale = true;
    }

    /// Whether the next sub-step finds the points again.
    pub fn is_stale(&self) -> bool {
        self.stale
    }

    /// Displacement and rotation of each body since the points were found; none in the sub-step that found them.
    pub fn shifts(&self) -> Option<&[Velocity]> {
        (!self.shifts.is_empty()).then_some(&*self.shifts)
    }

    /// A body's pose when the points were found; none in the sub-step that found them.
    pub fn place(&self, body: u32) -> Option<(Vec3, Quat)> {
        if self.shifts.is_empty() { None } else { self.places.get(body as usize).copied() }
    }
}
