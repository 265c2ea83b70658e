//! A spring with a damper; the formulas are in `softness.rs`, one level up.

use std::f32::consts::TAU;

use serde::{Deserialize, Serialize};

/// How stiff a spring is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SpringRate {
    /// Undamped natural frequency, Hz, of the mass that the spring moves: k = m (2π f)². At zero there is no spring.
    Frequency(f32),
    /// Stiffness k, N/m or N·m/rad, whatever it moves.
    Stiffness(f32),
}

/// How much a spring is damped.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Damping {
    /// Damping ratio ζ: 0 oscillates for ever, 1 is critical damping; c = 2 ζ √(k m).
    Ratio(f32),
    /// Damping coefficient c, N·s/m or N·m·s/rad, whatever it moves.
    Coefficient(f32),
}

/// A spring with a damper. Given by frequency and damping ratio it moves every mass in the same way; given by stiffness
/// and damping coefficient it exerts the same force on every mass.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "SpringFields", into = "SpringFields")]
pub struct Softness {
    pub rate: SpringRate,
    pub damping: Damping,
}

/// A spring as it is written in files: `hertz` or `stiffness`, and `damping_ratio` or `damping`.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename = "Softness")]
pub(crate) struct SpringFields {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hertz: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stiffness: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub damping_ratio: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub damping: Option<f32>,
}

impl TryFrom<SpringFields> for Softness {
    type Error = String;

    fn try_from(SpringFields { hertz, stiffness, damping_ratio, damping }: SpringFields) -> Result<Self, String> {
        let rate = match (hertz, stiffness) {
            (Some(hertz), None) => SpringRate::Frequency(hertz),
            (None, Some(stiffness)) => SpringRate::Stiffness(stiffness),
            (Some(_), Some(_)) => return Err("a spring takes `hertz` or `stiffness`, not both".into()),
            (None, None) => return Err("a spring needs `hertz`, or a `stiffness` in N/m or N·m/rad".into()),
        };
        let damping = match (damping_ratio, damping) {
            (Some(ratio), None) => Damping::Ratio(ratio),
            (None, Some(coefficient)) => Damping::Coefficient(coefficient),
            (Some(_), Some(_)) => return Err("a spring takes `damping_ratio` or `damping`, not both".into()),
            (None, None) => {
                return Err("a spring needs a `damping_ratio`, or a `damping` in N·s/m or N·m·s/rad".into());
            }
        };
        Ok(Self { rate, damping })
    }
}

impl From<Softness> for SpringFields {
    fn from(softness: Softness) -> Self {
        let mut fields = Self::default();
        match softness.rate {
            SpringRate::Frequency(hertz) => fields.hertz = Some(hertz),
            SpringRate::Stiffness(stiffness) => fields.stiffness = Some(stiffness),
        }
        match softness.damping {
            Damping::Ratio(ratio) => fields.damping_ratio = Some(ratio),
            Damping::Coefficient(coefficient) => fields.damping = Some(coefficient),
        }
        fields
    }
}

impl Softness {
    /// A spring of this frequency, Hz, and damping ratio.
    pub const fn of(hertz: f32, damping_ratio: f32) -> Self {
        Self { rate: SpringRate::Frequency(hertz), damping: Damping::Ratio(damping_ratio) }
    }

    /// A spring of this stiffness, N/m or N·m/rad, and damping coefficient, N·s/m or N·m·s/rad.
    pub const fn of_stiffness(stiffness: f32, damping: f32) -> Self {
        Self { rate: SpringRate::Stiffness(stiffness), damping: Damping::Coefficient(damping) }
    }

    /// Stiffness, N/m or N·m/rad, for the effective mass `m`, kg or kg m².
    pub fn stiffness(&self, m: f32) -> f32 {
        match self.rate {
            SpringRate::Frequency(hertz) => {
                let omega = TAU * hertz;
                m * omega * omega
            }
            SpringRate::Stiffness(stiffness) => stiffness,
        }
    }

    /// Undamped natural frequency, Hz, of the effective mass `m`, kg or kg m².
    pub fn hertz(&self, m: f32) -> f32 {
        (self.stiffness(m) / m).sqrt() / TAU
    }

    /// Damping ratio ζ for the effective mass `m`, kg or kg m²; not finite for a damper without a spring.
    pub fn damping_ratio(&self, m: f32) -> f32 {
        match self.damping {
            Damping::Ratio(ratio) => ratio,
            Damping::Coefficient(coefficient) => 0.5 * coefficient / (self.stiffness(m) * m).sqrt(),
        }
    }

    /// Damping coefficient, N·s/m or N·m·s/rad, for the effective mass `m`, kg or kg m².
    pub fn damping(&self, m: f32) -> f32 {
        match (self.damping, self.rate) {
            (Damping::Coefficient(coefficient), _) => coefficient,
            (Damping::Ratio(ratio), SpringRate::Frequency(hertz)) => {
                let omega = TAU * hertz;
                2.0 * ratio * m * omega
            }
            (Damping::Ratio(ratio), SpringRate::Stiffness(stiffness)) => 2.0 * ratio * (stiffness * m).sqrt(),
        }
    }

    /// The spring of each of `count` parts that share its load.
    pub fn shared(self, count: usize) -> Self {
        let share = 1.0 / count as f32;
        Self {
            rate: match self.rate {
                SpringRate::Stiffness(stiffness) => SpringRate::Stiffness(share * stiffness),
                // A part has its share of the mass.
                SpringRate::Frequency(_) => self.rate,
            },
            damping: match self.damping {
                Damping::Coefficient(coefficient) => Damping::Coefficient(share * coefficient),
                Damping::Ratio(_) => self.damping,
            },
        }
    }

    /// The row of this spring and a mass in a step of `h` seconds, without the term of the speed before the step. `None` if
    /// there is neither spring nor damper, or if nothing can move.
    pub fn row(&self, mass: SprungMass, h: f32) -> Option<SoftTerms> {
        let (turn, decay) = self.turns(mass, h);
        terms(mass, (turn, decay), (removed_share(turn, decay), 0.0), h)
    }

    /// The same for a row whose speed before the step is known. A spring with almost no damping then keeps its amplitude at
    /// any frequency: see the crate's `softness.rs`.
    pub fn row_from_speed(&self, mass: SprungMass, h: f32) -> Option<SoftTerms> {
        let (turn, decay) = self.turns(mass, h);
        terms(mass, (turn, decay), neutral_share(turn, decay), h)
    }

    /// ω h and 2 ζ ω h of the mass that moves.
    fn turns(&self, SprungMass { of_spring, moved }: SprungMass, h: f32) -> (f32, f32) {
        match (self.rate, self.damping) {
            (SpringRate::Frequency(hertz), Damping::Ratio(ratio)) => {
                let share = of_spring / moved;
                (TAU * hertz * h * share.sqrt(), 2.0 * ratio * TAU * hertz * h * share)
            }
            _ => (h * (self.stiffness(of_spring) / moved).sqrt(), h * self.damping(of_spring) / moved),
        }
    }
}

/// A soft row: λ = −(J u + `rate` C − `kept` v₀)/γ, v₀ = J u before the step.
#[derive(Debug, Clone, Copy)]
pub struct SoftTerms {
    /// Bias over C, 1/s.
    pub rate: f32,
    pub gamma: f32,
    pub kept: f32,
}

/// The terms of a row whose spring and damper remove the share 1/(m γ) = `removed` of its speed after the step. `inertia`
/// is the part β ω² h² of that share, which resists a change of the speed.
fn terms(mass: SprungMass, (turn, decay): (f32, f32), (removed, inertia): (f32, f32), h: f32) -> Option<SoftTerms> {
    let moved = mass.moved;
    let terms =
        || SoftTerms { rate: turn * turn / (h * removed), gamma: 1.0 / (moved * removed), kept: inertia / removed };
    (turn + decay > 0.0 && moved > 0.0).then(terms)
}

/// How much of the implicit Euler step is used for ω h or p h = `turn`: 0 up to ½, 1 from 1 on.
fn implicit_part(turn: f32) -> f32 {
    (2.0 * turn - 1.0).clamp(0.0, 1.0)
}

/// The Taylor series of exp(x) − 1 up to x³, with the same bits on every machine. For x > 1 its error does not matter,
/// because no step then shows an oscillation.
fn exp_minus_one(x: f32) -> f32 {
    x * (1.0 + x * (0.5 + x / 6.0))
}

/// N and β ω² h² of `softness.rs`, for ω h = `turn` and 2 ζ ω h = `decay`.
fn neutral_share(turn: f32, decay: f32) -> (f32, f32) {
    let squared = turn * turn;
    let implicit = implicit_part(turn);
    if implicit == 0.0 || decay * decay >= 4.0 * squared {
        return (removed_share(turn, decay), 0.0);
    }
    let growth = exp_minus_one(decay);
    let undamped = (1.0 - decay / (2.0 * turn * MAX_NEUTRAL_RATIO)).max(0.0);
    let alpha = 1.0 - undamped * (1.0 - ((growth - decay) / squared).min(1.0));
    let inertia = 0.5 * (0.5 - alpha).max(0.0) * implicit * squared;
    let damping = decay + (1.0 - implicit) * (growth - decay) + inertia * growth;
    ((damping + implicit * alpha * squared + inertia).max(LEAST_DAMPING), inertia)
}

/// 1/(m γ): the share of its speed after a step that a spring and its damper remove in it, for ω h = `turn` and 2 ζ ω h
/// = `decay`.
fn removed_share(turn: f32, decay: f32) -> f32 {
    let squared = turn * turn;
    let real = decay * decay - 4.0 * squared;
    if real < 0.0 {
        let implicit = implicit_part(turn);
        let damping = decay + (1.0 - implicit) * (exp_minus_one(decay) - decay);
        // Without any damping γ would be infinite.
        return (damping + implicit * squared).max(LEAST_DAMPING);
    }
    // p h of the slower pole, and 1 − exp(−p h).
    let slow = 2.0 * squared / (decay + real.sqrt());
    let implicit = implicit_part(slow);
    let y = slow * (1.0 - slow * (0.5 - slow * (1.0 / 6.0 - slow / 24.0)));
    let creeps = if y > 0.0 { y / (1.0 - y) + squared / y } else { decay };
    ((1.0 - implicit) * creeps + implicit * (decay + squared)).max(LEAST_DAMPING)
}

/// The masses of a spring, kg or kg m².
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SprungMass {
    /// The mass to which frequency and damping ratio refer: k = m ω², c = 2 ζ m ω.
    pub of_spring: f32,
    /// The mass that the spring moves. It is smaller than the other if the spring pulls beside a centre of mass, because the
    /// body then also rotates.
    pub moved: f32,
}

impl SprungMass {
    /// A spring that moves just the mass to which its frequency refers.
    pub fn of(mass: f32) -> Self {
        Self { of_spring: mass, moved: mass }
    }
}

/// From this damping ratio on a fast spring takes the implicit Euler step.
const MAX_NEUTRAL_RATIO: f32 = 0.1;

/// The least share of a row's speed that the damper removes in a step, so that γ stays finite. A spring of ζ = 0 loses
/// half as much of its energy in a step, which is less than rounding at any rate.
const LEAST_DAMPING: f32 = 1e-10;
