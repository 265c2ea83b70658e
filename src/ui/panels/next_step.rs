//! A look into the step that comes next, for what is shown beside the laboratory: made on a copy of the world, and while
//! time runs not more often than one can read.

use std::time::{Duration, Instant};

use crate::lab::TracedStep;
use crate::physics::trace::Depth;
use crate::ui::view::View;

/// Larger worlds are not looked into for it.
const MOST_BODIES: usize = 400;
/// While time runs the rows are looked at so often.
const PAUSE: Duration = Duration::from_millis(100);

/// The last look, and into which world it was taken: document, its revision, step, state.
#[derive(Default)]
pub struct NextStep {
    pub look: Option<TracedStep>,
    key: (u64, u64, u64, u64),
    due: Option<Instant>,
}

impl NextStep {
    /// Looks into the next step where that is another one than before.
    pub fn follow(&mut self, view: &View<'_>) {
        let Some(world) = view.session.world().filter(|world| world.bodies.len() <= MOST_BODIES) else {
            self.look = None;
            return;
        };
        let playing = view.session.playing();
        let state = if playing { 0 } else { world.hash() };
        let key = (view.session.opened(), view.session.revision(), world.step_count, state);
        let waits = playing && key.0 == self.key.0 && self.due.is_some_and(|due| Instant::now() < due);
        if key != self.key && !waits {
            (self.look, self.key, self.due) = (TracedStep::of(world, Depth::Sweeps), key, Some(Instant::now() + PAUSE));
        }
    }
}
