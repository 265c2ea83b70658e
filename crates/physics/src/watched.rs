//! Steps that are made on a copy of a world and watched: with a trace, or with the account of energy and momentum.

use super::balance::Balance;
use super::trace::{Depth, Trace};
use super::world::World;

impl World {
    /// A copy of this world one step later, with the trace of that step; `None` where the step cannot be made.
    pub fn traced(&self, depth: Depth) -> Option<(World, Trace)> {
        let mut copy = self.clone();
        copy.sync();
        (copy.pipeline.executor.keep_rows, copy.pipeline.executor.resident) = (true, false);
        copy.pipeline.probe = Some(Box::new(Trace::of_depth(depth)));
        copy.step();
        let trace = *copy.pipeline.probe.take()?;
        (copy.state.step_count > self.state.step_count).then_some((copy, trace))
    }

    /// A copy of this world after its next step, with the balance of that step; `None` if the step cannot be made.
    pub fn balanced(&self) -> Option<(World, Balance)> {
        let mut copy = self.clone();
        copy.sync();
        (copy.pipeline.executor.keep_rows, copy.pipeline.executor.resident) = (true, false);
        copy.pipeline.probe = Some(Box::new(Trace::of_account()));
        copy.step();
        let balance = copy.pipeline.probe.take()?.balance?;
        (copy.state.step_count > self.state.step_count).then_some((copy, *balance))
    }
}
