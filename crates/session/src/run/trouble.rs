//! Faults that make a run unreliable. Each is reported once, with the step and the body where it began, and playing
//! pauses.

use std::sync::Arc;

use delassus_physics::collide::budget::{Excess, MAX_PAIRS, MAX_POINTS};
use delassus_physics::fault::{Fault, FaultKind};
use delassus_physics::solvers;
use delassus_physics::world::World;

/// Why a run paused, and from which step on its results are unreliable.
#[derive(Debug, Clone, PartialEq)]
pub struct Trouble {
    /// What happened, at which step and time: a sentence without a full stop at its end.
    pub what: Arc<str>,
    /// The step in which it happened, or that was not made.
    pub step: u64,
    /// Id of the body concerned, if any.
    pub body: Option<u32>,
    cause: TroubleCause,
}

/// The cause as the world reports it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum TroubleCause {
    /// The next step would need more contacts than the budget.
    Crowd(Excess),
    /// The next step would exceed the limit of work.
    Work,
    /// A body's state is not finite, or its velocity exceeded the limit.
    Fault(Fault),
}

/// The fault in words, to follow the body's name: “ran away”.
fn predicate(kind: FaultKind) -> &'static str {
    match kind {
        FaultKind::NotFinite => "is not finite",
        FaultKind::RanAway => "ran away",
    }
}

/// Why a step that needs more contacts than the budget is not made; a sentence without a final stop.
pub fn crowd(excess: Excess) -> String {
    let what = match excess {
        Excess::Pairs => format!("more than {MAX_PAIRS} pairs of bodies are near each other"),
        Excess::Points => format!("there are more than {MAX_POINTS} contact points"),
    };
    format!("{what}, more than the budget: lower contact.prediction, or use fewer bodies")
}

/// Why a step that exceeds the limit of work is not made; a sentence without a final stop.
fn too_much_work(world: &World) -> &'static str {
    if solvers::of(world.settings.solver.method).exact {
        "this solver needs more work than a step may take: use fewer bodies that touch or are joined, or \
         solver.method=GaussSeidel"
    } else {
        "its sweeps need more work than a step may take: lower solver.iterations or step.substeps, or use fewer bodies"
    }
}

/// The world's present trouble, if any.
pub(crate) fn cause(world: &World) -> Option<TroubleCause> {
    // A fault stays set while the world is stepped further. An exceeded budget stops the world, so it comes first.
    let work = world.report.work.is_over().then_some(TroubleCause::Work);
    world.state.contacts.excess.map(TroubleCause::Crowd).or(work).or(world.report.fault.map(TroubleCause::Fault))
}

impl Trouble {
    /// Builds the message. `name` gives the name of a body by its id, except for the world itself (0).
    pub(crate) fn new<'a>(cause: TroubleCause, world: &World, name: impl Fn(u32) -> Option<&'a str>) -> Self {
        match cause {
            TroubleCause::Crowd(excess) => {
                let (step, time) = (world.state.step_count + 1, world.state.time);
                Self {
                    what: format!("Step {step} at {time:.3} s failed: {}", crowd(excess)).into(),
                    step,
                    body: None,
                    cause,
                }
            }
            TroubleCause::Work => {
                let (step, time) = (world.state.step_count + 1, world.state.time);
                let what = format!("Step {step} at {time:.3} s failed: {}", too_much_work(world));
                Self { what: what.into(), step, body: None, cause }
            }
            TroubleCause::Fault(Fault { body, step, kind }) => {
                let name = name(body).unwrap_or("the world");
                let time = step as f64 / f64::from(world.settings.step.rate);
                // The rate may have changed since; then only the world's own time is reliable, and only at its
                // current step.
                let time = if step == world.state.step_count { world.state.time } else { time };
                let what = format!(
                    "{name} {} at step {step}, {time:.3} s; the run cannot be trusted from there on",
                    predicate(kind)
                );
                Self { what: what.into(), step, body: Some(body).filter(|body| *body > 0), cause }
            }
        }
    }

    /// Whether it has this cause.
    pub(crate) fn is(&self, cause: TroubleCause) -> bool {
        self.cause == cause
    }
}
