//! A trace of the next step, for panels outside the laboratory. It is made on a copy of the world, and at a readable
//! rate while playing.

use std::time::{Duration, Instant};

use crate::view::View;
use delassus_lab::TracedStep;
use delassus_physics::trace::Depth;

/// Worlds with more bodies are not traced.
const MOST_BODIES: usize = 400;
/// Interval between traces while playing.
const PAUSE: Duration = Duration::from_millis(100);

/// The last trace. `key` is the state of the world that it was made of: document, revision, step, and while paused
/// the hash.
#[derive(Default)]
pub struct NextStep {
    pub look: Option<TracedStep>,
    key: (u64, u64, u64, u64),
    due: Option<Instant>,
}

impl NextStep {
    /// Traces the next step if the world has changed since the last trace.
    pub fn follow(&mut self, view: &View<'_>) {
        let Some(world) = view.session.world().filter(|world| world.state.bodies.len() <= MOST_BODIES) else {
            self.look = None;
            return;
        };
        let playing = view.session.playing();
        let state = if playing { 0 } else { world.hash() };
        let key = (view.session.opened(), view.session.revision(), world.state.step_count, state);
        let waits = playing && key.0 == self.key.0 && self.due.is_some_and(|due| Instant::now() < due);
        if key != self.key && !waits {
            (self.look, self.key, self.due) = (TracedStep::of(world, Depth::Sweeps), key, Some(Instant::now() + PAUSE));
        }
    }
}
