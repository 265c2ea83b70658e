//! Breaking of joints under too large a load.
//!
//! ```text
//! F = ‖Σ λ lin‖ / h,  T = ‖Σ λ angB‖ / h over the joint's rows, limits and motors included;  broken once F or T is above
//! ```
//! A broken joint has no rows, and its bodies collide again unless another joint excludes that. The impulses are those
//! of the last sub-step's solve, before the poses are corrected. Under Baumgarte they include the correction of the
//! position error, as the solver has applied it. Source: 004 ch. 10.1.

pub(crate) mod limits;

use self::limits::general;
pub use self::limits::{Breaks, Broken};
use super::body::Body;
use super::joint::Joint;
use super::rattle::state::acted;
use super::readout::load;
use super::row::SLOTS;
use super::settings::{BreakingSettings, Settings};
use super::system::System;
use super::world::model::Model;
use super::world::state::State;

/// Breaks the joints whose load exceeds their limits, after a (sub-)step of `h` seconds that ends at `time`, s.
pub(super) fn check(settings: &Settings, state: &mut State, system: &System, h: f32, time: f64) {
    for index in 0..state.joints.len() {
        let joint = &mut state.joints[index];
        let Some(breaks) = break_limits(joint, &settings.breaking).filter(|_| joint.broken.is_none()) else { continue };
        let h = acted(&state.rattle, joint, &state.bodies, h);
        let (force, torque) = load(&system.rows[system.rows_of(index)], h);
        let (force, torque) = (force.length(), torque.length());
        if breaks.exceeded(force, torque) {
            joint.broken = Some(Broken { time, force, torque });
            joint.impulses = [0.0; SLOTS];
            state.topology += 1;
            let pair = pair(joint);
            if !state.joints.iter().any(|j| excludes(j, &state.bodies) && self::pair(j) == pair) {
                state.contacts.include(pair);
            }
        }
    }
}

/// The loads that break a joint: its own, else those of the settings; `None` where it cannot break.
pub fn break_limits(joint: &Joint, settings: &BreakingSettings) -> Option<Breaks> {
    joint.def.options.breaks.or_else(|| general(settings)).filter(|_| settings.enabled)
}

/// Whether any joint can break.
pub(super) fn can(settings: &Settings, model: &Model) -> bool {
    let settings = &settings.breaking;
    settings.enabled && (model.breakable || general(settings).is_some())
}

/// Updates the list of pairs that joints keep from colliding.
pub(super) fn exclude(state: &mut State) {
    let State { contacts, joints, bodies, .. } = state;
    contacts.exclude_only(joints.iter().filter(|j| excludes(j, bodies)).map(|j| pair(j)));
}

/// Whether a joint keeps its two bodies from colliding; false if they would not collide anyway.
pub(super) fn excludes(joint: &Joint, bodies: &[Box<Body>]) -> bool {
    let collides = |body: u32| bodies[body as usize].collide;
    joint.broken.is_none() && !joint.def.collide && collides(joint.def.a) && collides(joint.def.b)
}

/// A joint's bodies, the smaller index first.
pub(super) fn pair(joint: &Joint) -> (u32, u32) {
    (joint.def.a.min(joint.def.b), joint.def.a.max(joint.def.b))
}
