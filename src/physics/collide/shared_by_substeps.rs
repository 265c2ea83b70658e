//! Contacts that are found once a step and serve all of its sub-steps (`contact.collide`).
//!
//! ```text
//! Δq   how far each body has moved since the points were found: a displacement and a rotation, world frame
//! C    = C₀ + J Δq           the gap of a point in a later sub-step, J as it was when the points were found
//! ```
//! Normals, levers and effective masses stay what they were, so a later sub-step has only its biases to make anew. A
//! turn by θ leaves an error of ½ θ² r in the gap, with r the lever: half a millimetre for a box of a metre that turns
//! by 2.5° in a step; the next step finds the points where they are. Of two bodies that pass on an impulse λ while they
//! slide past each other by s within the step, the levers no longer end at one place: angular momentum is kept but for
//! λ s. Source: soft-step solvers (Box2D 3 collides once
//! and sub-steps; Macklin and others 2019, small steps).

use glam::{Quat, Vec3, Vec3A};

use crate::physics::body::{Body, Motion, Velocity};

/// Where the bodies were when the points were found, and how far they have gone since.
#[derive(Debug, Clone, Default)]
pub struct BodyDrift {
    places: Vec<(Vec3, Quat)>,
    /// By body, m and rad; empty in the sub-step that has found the points.
    shifts: Vec<Velocity>,
}

impl BodyDrift {
    /// Notes where the bodies are, if the sub-steps to come are to know.
    pub(super) fn begin(&mut self, bodies: &[Box<Body>], wanted: bool) {
        self.places.clear();
        self.shifts.clear();
        if wanted {
            self.places.extend(bodies.iter().map(|body| (body.position, body.rotation)));
        }
    }

    /// Measures how far the bodies have gone. False where the points are to be found anew.
    pub(super) fn go_on(&mut self, bodies: &[Box<Body>]) -> bool {
        self.shifts.clear();
        if self.places.len() != bodies.len() {
            return false;
        }
        self.shifts.extend(bodies.iter().zip(&self.places).map(|(body, (position, rotation))| {
            if body.motion == Motion::Static {
                return Velocity::default();
            }
            let turn = body.rotation * rotation.conjugate();
            // 2 sin(θ/2): short of the angle by θ³/24.
            let half = Vec3A::new(turn.x, turn.y, turn.z) * turn.w.signum();
            Velocity { linear: (body.position - *position).into(), angular: 2.0 * half }
        }));
        true
    }

    /// How far each body has gone; nothing where the points were found in this sub-step.
    pub fn shifts(&self) -> Option<&[Velocity]> {
        (!self.shifts.is_empty()).then_some(&*self.shifts)
    }

    /// Where a body was when the points were found; nothing where that is where it is.
    pub fn place(&self, body: u32) -> Option<(Vec3, Quat)> {
        if self.shifts.is_empty() { None } else { self.places.get(body as usize).copied() }
    }
}
