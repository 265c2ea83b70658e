//! A row as it was solved: its equation, its bounds and what became of it.

use crate::physics::bounds::FrictionLaw;
use crate::physics::row::{ContactPart, Group, Jacobian, Owner, Row, RowId};
use crate::physics::trace::Trace;

/// How a row ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BoundState {
    /// Switched off: it can move nothing, or is not on in this step.
    Off,
    /// Between its bounds: it holds.
    Holds,
    /// At its lower or upper bound.
    Lower,
    Upper,
    /// On the rim of a bound that it shares: a patch or a point that slips.
    Slips,
}

impl BoundState {
    /// In a word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Holds => "holds",
            Self::Lower => "at lower",
            Self::Upper => "at upper",
            Self::Slips => "slips",
        }
    }
}

/// A row and what became of it in a step.
#[derive(Debug, Clone, PartialEq)]
pub struct RowDetails {
    /// Its place among all rows.
    pub index: usize,
    pub id: RowId,
    pub owner: Owner,
    /// The number of its block.
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
    /// What bounds λ: its own bounds, or those that its normals set, N·s or N·m·s.
    pub lo: f32,
    pub hi: f32,
    /// λ at the start of the sweeps and at their end, N·s or N·m·s.
    pub warm: f32,
    pub impulse: f32,
    /// λ/h, N or N·m.
    pub force: f32,
    /// What it still lacks, m/s or rad/s.
    pub residual: f32,
    pub bounded: BoundState,
}

impl RowDetails {
    /// Whether it turns: its J has no part along a line.
    pub fn is_angular(&self) -> bool {
        self.jacobian.lin == glam::Vec3::ZERO
    }

    /// The effective mass 1/(K + γ), kg or kg·m².
    pub fn mass(&self) -> f32 {
        let k = self.k + self.gamma;
        if k > 0.0 { 1.0 / k } else { 0.0 }
    }

    /// |λ| over the bound that it leans towards; `None` where nothing bounds it there.
    pub fn share(&self) -> Option<f32> {
        let bound = if self.impulse < 0.0 { self.lo } else { self.hi };
        (bound.is_finite() && bound != 0.0).then(|| (self.impulse / bound).clamp(0.0, 1.0))
    }

    /// What the row is for, such as `anchor 2` or `tangent 1 at point 3`.
    pub fn part(&self) -> String {
        match self.id {
            RowId::Joint { slot, group, .. } => format!("{} {}", group_word(group), slot + 1),
            RowId::MouseJoint { slot } => format!("pull {}", slot + 1),
            RowId::Plane { .. } => "plane".into(),
            RowId::Contact { part, .. } => match part {
                ContactPart::Normal(point) => format!("normal {}", point + 1),
                ContactPart::Tangent { at: Some(point), second } => {
                    format!("tangent {} at {}", 1 + u8::from(second), point + 1)
                }
                ContactPart::Tangent { at: None, second } => format!("tangent {}", 1 + u8::from(second)),
                ContactPart::Twist => "twist".into(),
                ContactPart::Rolling { second } => format!("rolling {}", 1 + u8::from(second)),
            },
        }
    }

    /// The kind of row, by which it is filtered and summed.
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
        Group::Spring => "spring",
        Group::Limit => "limit",
        Group::Swing => "swing",
        Group::Motor => "motor",
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
                jacobian: Jacobian { lin: row.lin.into(), ang_a: row.ang_a.into(), ang_b: row.ang_b.into() },
                k: inverse_mass(row),
                gamma: row.gamma,
                bias: row.bias,
                lo: row.lo,
                hi: row.hi,
                warm: start.impulses.get(index).copied().unwrap_or_default(),
                impulse: row.impulse,
                force: row.impulse / trace.h,
                residual: end.residuals.get(index).copied().unwrap_or_default(),
                bounded: bounded(row),
            });
        }
        let Some((_, bounds)) = block.coupling.contact() else { continue };
        for bound in &trace.couplings.bounds[bounds.range()] {
            let radius = bound.radius(rows);
            let slips = !bound.is_inside(rows);
            for (k, row) in bound.rows().enumerate() {
                let look = &mut looks[block.first as usize + row];
                if !matches!(bound.kind, FrictionLaw::Weight) {
                    let size = match bound.kind {
                        FrictionLaw::Surface { arm, .. } if k == 2 => radius * arm,
                        _ => radius,
                    };
                    (look.lo, look.hi) = (-size, size);
                }
                if look.bounded != BoundState::Off {
                    look.bounded = if slips { BoundState::Slips } else { BoundState::Holds };
                }
            }
        }
    }
    looks
}

/// K of a row.
fn inverse_mass(row: &Row) -> f32 {
    row.lin.length_squared() * (row.inv_ma + row.inv_mb) + row.ang_a.dot(row.inv_ia) + row.ang_b.dot(row.inv_ib)
}

fn bounded(row: &Row) -> BoundState {
    if row.inv_k == 0.0 {
        BoundState::Off
    } else if row.impulse <= row.lo {
        BoundState::Lower
    } else if row.impulse >= row.hi {
        BoundState::Upper
    } else {
        BoundState::Holds
    }
}
