//! The score of a run: its accuracy and its cost, computed alike for the window and the command line.

use crate::Sample;

/// Sums and extremes over a run's samples.
#[derive(Debug, Clone, Copy, Default)]
pub struct Score {
    /// Number of samples, without the initial state.
    pub samples: u64,
    joint_error: f64,
    joint_error_mean: f64,
    angular_error: f64,
    penetration: f64,
    residual: f64,
    /// At the beginning and at the end, J.
    energy: (f64, f64),
    sweeps: f64,
    step_ms: f64,
}

/// A figure in the table of scores.
pub struct ScoreFigure {
    pub name: &'static str,
    pub unit: &'static str,
    /// Its meaning, a sentence without a final stop.
    pub what: &'static str,
    /// Its value, in `unit`.
    pub of: fn(&Score) -> f64,
    /// Whether less is better.
    pub less: bool,
}

const fn figure(
    name: &'static str,
    unit: &'static str,
    what: &'static str,
    less: bool,
    of: fn(&Score) -> f64,
) -> ScoreFigure {
    ScoreFigure { name, unit, what, of, less }
}

/// The figures shown for each run.
pub const FIGURES: [ScoreFigure; 8] = [
    figure("largest joint error", "m", "The largest anchor error of a joint in any step", true, |s| s.joint_error),
    figure("mean joint error at end", "m", "The mean anchor error of the joints after the last step", true, |s| {
        s.joint_error_mean
    }),
    figure("largest angular error", "rad", "The largest angle by which a joint was off in any step", true, |s| {
        s.angular_error
    }),
    figure("largest penetration", "m", "The deepest overlap of two bodies in any step", true, |s| s.penetration),
    figure(
        "largest residual",
        "m/s",
        "The largest velocity by which a row still missed its goal after the last sweep",
        true,
        |s| s.residual,
    ),
    figure("energy change at end", "J", "The total energy after the last step minus that at the start", false, |s| {
        s.energy.1 - s.energy.0
    }),
    figure("sweeps per sub-step", "", "The mean over all steps", false, |s| s.sweeps / s.samples.max(1) as f64),
    figure("time per step", "ms", "The mean wall time of a step, measured on this machine during the run", true, |s| {
        s.step_ms / s.samples.max(1) as f64
    }),
];

impl Score {
    /// A score of a run with this initial energy, J.
    pub fn new(energy: f64) -> Self {
        Self { energy: (energy, energy), ..Self::default() }
    }

    /// Adds the sample of another step.
    pub fn add(&mut self, sample: &Sample) {
        let metrics = &sample.metrics;
        // NaN counts as infinitely bad.
        let worst = |old: f64, new: f64| if new.is_nan() { f64::INFINITY } else { old.max(new) };
        self.samples += 1;
        self.joint_error = worst(self.joint_error, metrics.joint_error_max);
        self.joint_error_mean = metrics.joint_error_mean;
        self.angular_error = worst(self.angular_error, metrics.angular_error_max);
        self.penetration = worst(self.penetration, metrics.penetration_max);
        self.residual = worst(self.residual, metrics.residual);
        self.energy.1 = metrics.energy();
        self.sweeps += metrics.sweeps;
        self.step_ms += f64::from(sample.step_ms);
    }

    /// The score of these samples; the first is the run's initial state.
    pub fn of<'a>(samples: impl IntoIterator<Item = &'a Sample>) -> Self {
        let mut samples = samples.into_iter();
        let mut score = samples.next().map_or_else(Self::default, |first| {
            let mut score = Self::new(first.metrics.energy());
            score.add(first);
            (score.samples, score.sweeps, score.step_ms) = (0, 0.0, 0.0);
            score
        });
        samples.for_each(|sample| score.add(sample));
        score
    }
}
