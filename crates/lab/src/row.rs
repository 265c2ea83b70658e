//! A solved row: its equation, its bounds and its result.

use delassus_doctor::verdict;
use delassus_physics::bounds::FrictionLaw;
use delassus_physics::residual::speed_left;
use delassus_physics::row::{ContactPart, Group, Jacobian, Owner, Row, RowId};
use delassus_physics::trace::Trace;

/// The state of a row after the solve.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BoundState {
    /// Disabled: it cannot change a velocity, or is not active in this step.
    Off,
    /// Between its bounds, and its equation holds.
    Holds,
    /// Between its bounds, but the sweeps leave it off by more than `MISSED`.
    Misses,
    /// One-sided and without an impulse: a stop that is not reached, an open contact.
    Idle,
    /// At its lower bound.
    Lower,
    Upper,
    /// On the limit of a bound that it shares with other rows: a patch or a point that slips.
    Slips,
}

impl BoundState {
    /// The state as a word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Holds => "holds",
            Self::Misses => "misses",
            Self::Idle => "idle",
            Self::Lower => "at lower",
            Self::Upper => "at upper",
            Self::Slips => "slips",
        }
    }
}

/// The speed that a row between its bounds may be off and still holds, m/s or rad/s: the slip that the verdict on a run
/// allows a motor (`doctor/verdict`).
pub const MISSED: f32 = verdict::SLIP;

/// A row and its result in a step.
#[derive(Debug, Clone, PartialEq)]
pub struct RowDetails {
    /// Its index among all rows.
    pub index: usize,
    pub id: RowId,
    pub owner: Owner,
    /// The index of its block.
    pub block: usize,
    /// Its two bodies.
    pub a: u32,
    pub b: u32,
    pub jacobian: Jacobian,
    /// K = J M⁻¹ Jᵀ, 1/kg or 1/(kg·m²).
    pub k: f32,
    /// γ, in K's unit.
    pub gamma: f32,
    /// b, m/s or rad/s.
    pub bias: f32,
    /// The bounds of λ, its own or those given by normal impulses, N·s or N·m·s.
    pub lo: f32,
    pub hi: f32,
    /// λ at the start of the sweeps and at their end, N·s or N·m·s.
    pub warm: f32,
    pub impulse: f32,
    /// λ/h, N or N·m.
    pub force: f32,
    /// The remaining residual, m/s or rad/s.
    pub residual: f32,
    pub bounded: BoundState,
}

impl RowDetails {
    /// Whether it is angular: J has no linear part.
    pub fn is_angular(&self) -> bool {
        self.jacobian.is_angular()
    }

    /// The effective mass 1/(K + γ), kg or kg·m².
    pub fn mass(&self) -> f32 {
        let k = self.k + self.gamma;
        if k > 0.0 { 1.0 / k } else { 0.0 }
    }

    /// λ| over the bound in its direction, 0 to 1; `None` if there is no bound in that direction.
    pub fn share(&self) -> Option<f32> {
        let bound = if self.impulse < 0.0 { self.lo } else { self.hi };
        (bound.is_finite() && bound != 0.0).then(|| (self.impulse / bound).clamp(0.0, 1.0))
    }

    /// The purpose of the row, such as `anchor 2` or `tangent 1 at 3`.
    pub fn part(&self) -> String {
        match self.id {
            RowId::Joint { slot, group, .. } => format!("{} {}", group_word(group), slot + 1),
            RowId::MouseJoint { slot } => format!("pull {}", slot + 1),
            RowId::Plane { .. } => "plane".into(),
            RowId::Contact { part, pieces, .. } => {
                let row = match part {
                    ContactPart::Normal(point) => format!("normal {}", point + 1),
                    ContactPart::Tangent { at: Some(point), second } => {
                        format!("tangent {} at {}", 1 + u8::from(second), point + 1)
                    }
                    ContactPart::Tangent { at: None, second } => format!("tangent {}", 1 + u8::from(second)),
                    ContactPart::Twist => "twist".into(),
                    ContactPart::Rolling { second } => format!("rolling {}", 1 + u8::from(second)),
                };
                // Of compounds, which parts touch.
                match pieces {
                    [0, 0] => row,
                    [a, b] => format!("{row}, parts {} and {}", a + 1, b + 1),
                }
            }
        }
    }

    /// The kind of row, used for filtering and summing.
    pub fn kind(&self) -> &'static str {
        match self.id {
            RowId::Joint { group, .. } => group_word(group),
            RowId::MouseJoint { .. } => "pull",
            RowId::Plane { .. } => "plane",
            RowId::Contact { part: ContactPart::Normal(_), .. } => "normal",
            RowId::Contact { .. } => "friction",
        }
    }
}

fn group_word(group: Group) -> &'static str {
    match group {
        Group::Anchor => "anchor",
        Group::Axis => "axis",
        Group::Coupling => "coupling",
        Group::Spring => "spring",
        Group::Limit => "limit",
        Group::Swing => "swing",
        Group::Motor => "motor",
        Group::JointFriction => "joint friction",
        Group::Damper => "damper",
        Group::Armature => "armature",
        Group::Normal => "normal",
        Group::Friction => "friction",
    }
}

/// All rows of a traced step.
pub fn all(trace: &Trace) -> Vec<RowDetails> {
    let (Some(start), Some(end)) = (trace.moments.get(trace.start()), trace.moments.last()) else { return Vec::new() };
    let mut looks = Vec::with_capacity(trace.rows.len());
    for (number, block) in trace.blocks.iter().enumerate() {
        let rows = &trace.rows[block.range()];
        for (row, index) in rows.iter().zip(block.range()) {
            looks.push(RowDetails {
                index,
                id: trace.ids[index],
                owner: block.owner,
                block: number,
                a: block.a,
                b: block.b,
                jacobian: Jacobian {
                    lin: row.lin.into(),
                    ang_a: row.ang_a.into(),
                    ang_b: row.ang_b.into(),
                    net: row.net.into(),
                },
                k: inverse_mass(row),
                gamma: row.gamma,
                bias: row.bias,
                lo: row.lo,
                hi: row.hi,
                warm: start.impulses.get(index).copied().unwrap_or_default(),
                impulse: row.impulse,
                force: row.impulse / trace.h,
                residual: end.residuals.get(index).copied().unwrap_or_default(),
                bounded: bounded(row, end.residuals.get(index).copied().unwrap_or_default()),
            });
        }
        let Some((_, bounds)) = block.coupling.contact() else { continue };
        for bound in &trace.couplings.bounds[bounds.range()] {
            let radius = bound.radius(rows);
            let slips = !bound.is_inside(rows);
            for (k, row) in bound.rows().enumerate() {
                let traced = &mut looks[block.first as usize + row];
                if !matches!(bound.kind, FrictionLaw::Weight) {
                    let size = match bound.kind {
                        FrictionLaw::Surface { arm, .. } if k == 2 => radius * arm,
                        _ => radius,
                    };
                    (traced.lo, traced.hi) = (-size, size);
                }
                if traced.bounded != BoundState::Off {
                    traced.bounded = if slips { BoundState::Slips } else { BoundState::Holds };
                }
            }
        }
    }
    looks
}

/// K of a row, 1/kg or 1/(kg·m²).
fn inverse_mass(row: &Row) -> f32 {
    let linear = row.lin_a().length_squared() * row.inv_ma + row.lin.length_squared() * row.inv_mb;
    linear + row.ang_a.dot(row.inv_ia) + row.ang_b.dot(row.inv_ib)
}

fn bounded(row: &Row, residual: f32) -> BoundState {
    if row.inv_k == 0.0 {
        BoundState::Off
    } else if row.impulse == 0.0 && (row.lo == 0.0 || row.hi == 0.0) {
        BoundState::Idle
    } else if row.impulse <= row.lo {
        BoundState::Lower
    } else if row.impulse >= row.hi {
        BoundState::Upper
    } else if speed_left(row, residual).abs() > MISSED {
        BoundState::Misses
    } else {
        BoundState::Holds
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A limit that carried nothing was shown in orange as "at upper": its impulse, 0, is its upper bound.
    #[test]
    fn an_idle_limit_is_not_at_its_bound() {
        let row = |impulse, lo, hi| Row { impulse, lo, hi, inv_k: 1.0, ..Row::default() };
        for (lo, hi) in [(f32::NEG_INFINITY, 0.0), (0.0, f32::INFINITY), (0.0, 0.0)] {
            for nothing in [0.0, -0.0] {
                assert_eq!(bounded(&row(nothing, lo, hi), 0.0), BoundState::Idle, "{lo} to {hi}");
            }
        }
        assert_eq!(bounded(&row(-2.0, f32::NEG_INFINITY, 0.0), 0.0), BoundState::Holds);
        assert_eq!(bounded(&row(5.0, -5.0, 5.0), 0.0), BoundState::Upper, "a motor at its most");
        assert_eq!(bounded(&row(-5.0, -5.0, 5.0), 0.0), BoundState::Lower);
    }
}
