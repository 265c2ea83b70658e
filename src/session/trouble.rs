//! What ends the trust in a run: told once, with the step and the body where it began. Playing pauses there.

use std::sync::Arc;

use crate::physics::collide::budget::Excess;
use crate::physics::world::World;

/// Why a run is paused, and from which step on it is not to be trusted.
#[derive(Debug, Clone, PartialEq)]
pub struct Trouble {
    /// A sentence without a stop: what, at which step and time.
    pub what: Arc<str>,
    /// The step in which it happened, or that could not be made.
    pub step: u64,
    cause: Cause,
}

/// What the world says of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Cause {
    /// The next step would need more contacts than the budget.
    Crowd(Excess),
}

/// What is wrong with the world, if anything.
pub(super) fn cause(world: &World) -> Option<Cause> {
    world.contacts.excess.map(Cause::Crowd)
}

impl Trouble {
    /// In words.
    pub(super) fn new(cause: Cause, world: &World) -> Self {
        let (step, time) = (world.step_count + 1, world.time);
        match cause {
            Cause::Crowd(excess) => {
                Self { what: format!("Step {step} at {time:.3} s was not made: {excess}").into(), step, cause }
            }
        }
    }

    /// Whether it is about this.
    pub(super) fn is(&self, cause: Cause) -> bool {
        self.cause == cause
    }
}
