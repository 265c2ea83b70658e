//! e of a joint's rows in closed form: by how much a straight step misses the arcs of the joint's anchors.

use glam::{Vec3, Vec3A};

use super::Scratch;
use crate::arcs::{self, Curve, Displacements, End};
use crate::body::Velocity;
use crate::joint::Joint;
use crate::settings::{RotationForm, Settings};

/// Bodies that move by less than this in a step, m or rad, leave an e of half its square, divided by a length: below any
/// rounding.
const STILL: f32 = 1e-5;

/// Whether a body moves and turns so little in the step that its way is straight: e grows with the square of it.
pub(super) fn is_still(velocity: &Velocity, h: f32) -> bool {
    h * h * (velocity.linear.length_squared() + velocity.angular.length_squared()) < STILL * STILL
}

/// e of a joint's rows, m.
#[derive(Debug, Clone, Copy)]
pub(super) struct JointArcs {
    /// Of rows along axes that A carries, world axes.
    pub along: Vec3A,
    /// Of its length.
    pub length: f32,
}

/// e of a joint's rows from the poses before the step. `None` if a body's way is another than along its velocities.
pub(super) fn follow_arcs(
    joint: &Joint,
    velocities: &[Velocity],
    scratch: &Scratch,
    settings: &Settings,
    h: f32,
) -> Option<JointArcs> {
    let bodies = [joint.def.a as usize, joint.def.b as usize];
    let turns_alone = |body: usize| scratch.velocities[body].angular != velocities[body].angular;
    if settings.formulation.rotation != RotationForm::ExponentialMap || bodies.into_iter().any(turns_alone) {
        return None;
    }
    let [a, b] = bodies.map(|body| (scratch.poses[body].0, scratch.poses[body].1));
    let ends = joint.frames_at(a, b);
    let end = |body: usize, arm: Vec3| {
        let turn = Vec3::from(velocities[body].angular) * h;
        let shift = Vec3::from(velocities[body].linear) * h;
        End { shift: arcs::one(shift), turn: arcs::one(turn), curve: Curve::of(arcs::one(turn)), arm: arcs::one(arm) }
    };
    let (a, b) = (end(bodies[0], ends.ra), end(bodies[1], ends.rb));
    let (gap, ways) = (arcs::one(ends.p()), Displacements::of(&a, &b));
    let along = ways.missed(gap, (a.turn, a.curve));
    Some(JointArcs { along: Vec3A::new(along.x, along.y, along.z), length: ways.stretched(gap) })
}
