//! Faults that make a run unreliable. Each is reported once, with the step and the body where it began, and playing
//! pauses there.

use std::sync::Arc;

use crate::physics::collide::budget::{Excess, MAX_PAIRS, MAX_POINTS};
use crate::physics::fault::{Fault, FaultKind};
use crate::physics::world::World;

/// Why a run is paused, and from which step on it is not to be trusted.
#[derive(Debug, Clone, PartialEq)]
pub struct Trouble {
    /// A sentence without a stop: what, at which step and time.
    pub what: Arc<str>,
    /// The step in which it happened, or that could not be made.
    pub step: u64,
    /// The body of which it speaks, by its number.
    pub body: Option<u32>,
    cause: TroubleCause,
}

/// What the world says of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::session) enum TroubleCause {
    /// The next step would need more contacts than the budget.
    Crowd(Excess),
    /// A body's state is not finite or ran away.
    Fault(Fault),
}

/// What a body's state was, to be put behind its name: “ran away”.
fn offence(kind: FaultKind) -> &'static str {
    match kind {
        FaultKind::NotFinite => "is not finite",
        FaultKind::RanAway => "ran away",
    }
}

/// Why a step is not made that would need more contacts than the budget, a sentence without a stop.
pub fn crowd(excess: Excess) -> String {
    let what = match excess {
        Excess::Pairs => format!("more than {MAX_PAIRS} pairs of bodies are near each other"),
        Excess::Points => format!("there are more than {MAX_POINTS} contact points"),
    };
    format!("{what}, more than the budget: lower contact.prediction, or make fewer bodies")
}

/// What is wrong with the world, if anything.
pub(in crate::session) fn cause(world: &World) -> Option<TroubleCause> {
    // A fault stays known while the world goes on; what keeps it from going on comes first.
    world.contacts.excess.map(TroubleCause::Crowd).or(world.fault.map(TroubleCause::Fault))
}

impl Trouble {
    /// In words; `name` has the name of each body but the world itself, by its number.
    pub(in crate::session) fn new<'a>(
        cause: TroubleCause,
        world: &World,
        name: impl Fn(u32) -> Option<&'a str>,
    ) -> Self {
        match cause {
            TroubleCause::Crowd(excess) => {
                let (step, time) = (world.step_count + 1, world.time);
                Self {
                    what: format!("Step {step} at {time:.3} s was not made: {}", crowd(excess)).into(),
                    step,
                    body: None,
                    cause,
                }
            }
            TroubleCause::Fault(Fault { body, step, kind }) => {
                let name = name(body).unwrap_or("the world");
                let time = step as f64 / f64::from(world.settings.step.rate);
                // The rate may have been another one meanwhile: then only the world's own time is known.
                let time = if step == world.step_count { world.time } else { time };
                let what = format!(
                    "{name} {} at step {step}, {time:.3} s; the run is not to be trusted from there on",
                    offence(kind)
                );
                Self { what: what.into(), step, body: Some(body).filter(|body| *body > 0), cause }
            }
        }
    }

    /// Whether it is about this.
    pub(in crate::session) fn is(&self, cause: TroubleCause) -> bool {
        self.cause == cause
    }
}
