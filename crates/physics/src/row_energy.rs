//! The net energy that a world's rows have added to its bodies, with a memory of some seconds.

/// Net energy added by rows, J. It decays with the accounts of `safeguard.rs`.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct RowEnergy {
    /// In steps that leave joints open: what warm starts and corrections add beyond what the solves take out.
    open: f64,
    /// In steps that close their joints (SHAKE and RATTLE): the work of the joints' impulses, and the same one sub-step
    /// before. A symplectic scheme's energy swings: a whip that cracks takes half of all energy and gives it back in the
    /// next sub-step.
    closed: f64,
    earlier: f64,
}

impl RowEnergy {
    /// The energy, J; never negative. Of the last two sums of closed steps the smaller counts.
    pub fn joules(&self) -> f64 {
        self.open.max(0.0) + self.closed.min(self.earlier).max(0.0)
    }

    /// Begins a sub-step in which this share is kept.
    pub fn decay(&mut self, share: f64) {
        self.open *= share;
        self.closed *= share;
        self.earlier = self.closed;
    }

    /// Adds what an open step has added, negative where an earlier debt was paid, J.
    pub fn add_open(&mut self, energy: f64) {
        self.open += if energy.is_finite() { energy } else { 0.0 };
    }

    /// Adds the work of a closed step's joints, J.
    pub fn add_closed(&mut self, work: f64) {
        self.closed += if work.is_finite() { work } else { 0.0 };
    }

    /// Adds the sums of a part of the world.
    pub fn add(&mut self, part: &Self) {
        self.open += part.open;
        self.closed += part.closed;
    }
}

#[cfg(test)]
mod tests {
    use super::RowEnergy;

    #[test]
    fn a_crack_that_comes_back_is_no_growth_and_a_debt_counts_once() {
        let mut energy = RowEnergy::default();
        energy.decay(1.0);
        energy.add_closed(20.0);
        assert_eq!(energy.joules(), 0.0, "it may come back");
        energy.decay(1.0);
        energy.add_closed(-19.0);
        assert_eq!(energy.joules(), 1.0);
        energy.add_open(3.0);
        assert_eq!(energy.joules(), 4.0);
        energy.add_open(-4.0);
        assert_eq!(energy.joules(), 1.0);
    }
}
