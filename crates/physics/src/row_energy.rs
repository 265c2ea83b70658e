//! The net energy that a world's rows have added to its bodies, with a memory of some seconds.

/// The resolution of positions and angles in 32 bits, as a share of the largest coordinate, which counts as 1 m at least.
/// Rounding moves a body by up to this, and a load that it bears then does work on it.
pub const RESOLUTION: f32 = 1.2e-7;

/// Net energy added by rows, J. It decays with the accounts of `warm_start_limiter.rs`.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct RowEnergy {
    /// What warm starts and corrections have added beyond what the solves took out: in steps that leave joints open,
    /// and in steps that close them (SHAKE and RATTLE).
    open: f64,
    closed: f64,
    /// The work of the joints' impulses in steps that close them, and the same one sub-step before. A symplectic
    /// scheme's energy swings: a whip that cracks takes half of all energy and gives it back in the next sub-step.
    work: f64,
    work_before: f64,
    /// The work of the joints of mechanisms in which only ideal joints act, since the run began. The exact
    /// motion has none. And the largest kinetic energy of one of them.
    ideal: f64,
    ideal_kinetic_energy: f64,
    /// How much of it may be rounding, J.
    rounding: f64,
}

impl RowEnergy {
    /// The energy, J; never negative. For closed steps the smallest of three measures counts: the energy that was added, the
    /// work of the impulses, and that work one sub-step before.
    pub fn joules(&self) -> f64 {
        self.open.max(0.0) + self.closed.min(self.work).min(self.work_before).max(0.0)
    }

    /// The work of ideal joints since the run began, J. It is negative if the motion loses energy that no force removes.
    pub fn ideal(&self) -> f64 {
        self.ideal
    }

    /// The part of it that cannot be rounding, J.
    pub fn ideal_beyond_rounding(&self) -> f64 {
        (self.ideal.abs() - self.rounding).max(0.0).copysign(self.ideal)
    }

    /// The largest kinetic energy of a mechanism in which only ideal joints acted, J.
    pub fn ideal_kinetic_energy(&self) -> f64 {
        self.ideal_kinetic_energy
    }

    /// Adds the work of a mechanism's ideal joints in a step, J, of which `rounding` may be rounding, J. `kinetic_energy`, J,
    /// is that at the beginning of the step.
    pub fn add_ideal(&mut self, work: f64, rounding: f64, kinetic_energy: f64) {
        if work.is_finite() && rounding.is_finite() {
            (self.ideal, self.rounding) = (self.ideal + work, self.rounding + rounding);
        }
        self.ideal_kinetic_energy = self.ideal_kinetic_energy.max(kinetic_energy);
    }

    /// Begins a sub-step: multiplies the sums by this share, the decay of a sub-step.
    pub fn decay(&mut self, share: f64) {
        self.open *= share;
        self.closed *= share;
        self.work *= share;
        self.work_before = self.work;
    }

    /// Adds the energy that a mechanism's step has added, J; it is negative if the step paid back a debt. `work`, J, is
    /// that of its joints if the step closed them.
    pub fn add_step(&mut self, added: f64, work: Option<f64>) {
        let finite = |value: f64| if value.is_finite() { value } else { 0.0 };
        match work {
            Some(work) => (self.closed, self.work) = (self.closed + finite(added), self.work + finite(work)),
            None => self.open += finite(added),
        }
    }

    /// Adds the sums of a part of the world.
    pub fn add(&mut self, part: &Self) {
        (self.open, self.closed, self.work) = (self.open + part.open, self.closed + part.closed, self.work + part.work);
        (self.ideal, self.rounding) = (self.ideal + part.ideal, self.rounding + part.rounding);
        self.ideal_kinetic_energy = self.ideal_kinetic_energy.max(part.ideal_kinetic_energy);
    }
}

#[cfg(test)]
mod tests {
    use super::RowEnergy;

    #[test]
    fn a_crack_that_comes_back_is_no_growth_and_a_debt_counts_once() {
        let mut energy = RowEnergy::default();
        energy.decay(1.0);
        energy.add_step(20.0, Some(20.0));
        assert_eq!(energy.joules(), 0.0, "it may come back");
        energy.decay(1.0);
        energy.add_step(-15.0, Some(-19.0));
        assert_eq!(energy.joules(), 1.0);
        energy.add_step(3.0, None);
        assert_eq!(energy.joules(), 4.0);
        energy.add_step(-4.0, None);
        assert_eq!(energy.joules(), 1.0);
    }
}
