//! The time that the phases of a step take.

use std::time::Duration;

/// Wall time of the last step by phase.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Phases {
    /// Bounding boxes and pairs.
    pub broad: Duration,
    /// Manifolds.
    pub narrow: Duration,
    /// Rows.
    pub prepare: Duration,
    /// Forces, warm start and sweeps.
    pub solve: Duration,
    /// Poses and read-outs.
    pub integrate: Duration,
}

impl Phases {
    pub fn total(&self) -> Duration {
        self.broad + self.narrow + self.prepare + self.solve + self.integrate
    }
}
