//! The stability bounds that a world violates: what goes wrong, the numbers, and what to change.

use std::fmt;

use delassus_physics::stability::{FOLLOWED, Warning};

use super::Words;

/// The texts about a violated bound.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Advice {
    /// What goes wrong, in one sentence.
    pub broken: &'static str,
    /// The bound and the numbers that violate it.
    pub numbers: String,
    /// What to change.
    pub cure: String,
}

impl Words for Warning {
    type Texts = Advice;

    fn words(&self) -> Advice {
        let (broken, numbers, cure) = match *self {
            Self::EnergyInjected { joules } => (
                "The rows add energy: error correction, or impulses carried from step to step, do more work than the \
                    sweeps remove. The energy grows until everything flies apart.",
                format!("{joules:.3} J within the last seconds."),
                "Use split impulses, more iterations or sub-steps, whole trees at once, or the direct solver.".into(),
            ),
            Self::Whipping { turn, substeps } => (
                "A light link under a heavy pull swings faster than a step can follow, even with an exact solver.",
                format!("h √(T L/I) = {turn:.2} must stay below {FOLLOWED}."),
                format!("Use {substeps} sub-steps, or a heavier link."),
            ),
            Self::Overrelaxed { relaxation, bound, radius, safe } => (
                "The Jacobi sweep diverges: where several blocks act on one body, their corrections add up to more \
                 than the solution.",
                format!(
                    "ω = {relaxation} is above 2/λmax(A/D) = {bound:.3}; each sweep multiplies an error by {radius:.3}."
                ),
                safe.map_or("Use Gauss–Seidel.".into(), |safe| {
                    format!(
                        "Use ω below {bound:.3} (1/n = {safe:.3} never overshoots), mass splitting, or Gauss–Seidel."
                    )
                }),
            ),
            Self::Feeding { factor, beta, radius, sweeps, left, sweeps_needed } => (
                "Warm starting reuses Baumgarte's push in every step, and the sweeps cannot cancel it fast enough: \
                    errors oscillate and grow.",
                format!(
                    "factor × (1 + β) × ρ^N = {factor} × {} × {radius:.4}^{sweeps} = {:.3} must stay below 1.",
                    1.0 + beta,
                    factor * (1.0 + beta) * left
                ),
                feeding(factor, beta, left, sweeps_needed),
            ),
            Self::Swinging { overshoot, sweeps, left, bound, largest } => (
                "Jacobi overshoots, and an odd number of sweeps passes the error on with the opposite sign: warm \
                    starting makes it grow.",
                format!("(1 − ω λmax)^N = ({overshoot:.3})^{sweeps} = {left:.3} must stay above {bound:.3}."),
                format!("Use an even number of iterations, more of them, or ω below 1/λmax = {:.3}.", 1.0 / largest),
            ),
        };
        Advice { broken, numbers, cure }
    }
}

/// What to change so that f (1 + β) ρ^N stays below 1.
fn feeding(factor: f32, beta: f32, left: f32, sweeps_needed: u32) -> String {
    let mut cure = format!("Use at least {sweeps_needed} iterations, or split impulses");
    cure += &format!(", or a warm-start factor below {:.2}", 1.0 / ((1.0 + beta) * left));
    let least = 1.0 / (factor * left) - 1.0;
    if least > 0.0 {
        cure += &format!(", or β below {least:.3}");
    }
    cure + "."
}

impl fmt::Display for Advice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { broken, numbers, cure } = self;
        write!(f, "{broken} {numbers} {cure}")
    }
}
