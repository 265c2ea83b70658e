//! What a step does moment by moment, kept for whoever looks into it.
//!
//! ```text
//! forces → start (old impulses are in) → sweep 1 … sweep N → blows → solved       of the step's last sub-step
//! r = J u + b + γ λ         what a row still lacks, m/s or rad/s; nothing where it rests on a bound and pushes against it
//! ```
//! A world that is stepped as ever has no trace, and asks once a sweep whether it has. Looking is done on a copy
//! ([`World::traced`]), which makes the same step to the bit: blocks go one at a time there, which gives the same
//! numbers as side by side. Only what is stepped in the [forest](super::forest), without rows, is the same to within rounding. Two slides that are bound together lack the part of their common r that the bound would let them take;
//! a twist is judged beside them by its own largest impulse.

use super::body::Velocity;
use super::bounds::Kind;
use super::prepare::Couplings;
use super::row::{Block, Row, RowId};
use super::solvers::common::speed;
use super::world::World;

/// Sweeps beyond this are made but not kept.
pub const MOMENTS: usize = 1024;

/// A moment within a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Forces and old impulses are in, no row is solved.
    Start,
    /// So many sweeps or exact solves are made.
    Sweep(u32),
    /// What bounces has bounced; the bodies are moved with these velocities.
    Solved,
}

/// What there was at a moment.
#[derive(Debug, Clone)]
pub struct Moment {
    pub stage: Stage,
    /// By body.
    pub velocities: Vec<Velocity>,
    /// λ by row, N·s or N·m·s.
    pub impulses: Vec<f32>,
    /// r by row, m/s or rad/s.
    pub residuals: Vec<f32>,
}

/// The last sub-step of a step.
#[derive(Clone, Default)]
pub struct Trace {
    /// Length of the sub-step, s.
    pub h: f32,
    pub moments: Vec<Moment>,
    /// The rows as they were solved.
    pub rows: Vec<Row>,
    pub ids: Vec<RowId>,
    pub blocks: Vec<Block>,
    pub couplings: Couplings,
}

impl World {
    /// A copy of this world one step on, with the trace of that step; `None` where the step cannot be made.
    pub fn traced(&self) -> Option<(World, Trace)> {
        let mut copy = self.clone();
        copy.settle();
        (copy.whole, copy.resident) = (true, false);
        copy.trace = Some(Box::default());
        copy.step();
        let trace = *copy.trace.take()?;
        (copy.step_count > self.step_count).then_some((copy, trace))
    }
}

/// Begins the trace of a sub-step of `h` seconds.
pub fn begin(world: &mut World, h: f32) {
    if let Some(trace) = &mut world.trace {
        (trace.h, trace.moments) = (h, Vec::new());
    }
}

/// Notes a moment, if anybody looks.
#[inline]
pub fn note(world: &mut World, stage: Stage) {
    if world.trace.is_some() {
        keep(world, stage);
    }
}

/// Notes that a sweep more is made.
#[inline]
pub fn sweep(world: &mut World) {
    if let Some(trace) = &world.trace {
        let made = trace.moments.iter().filter(|moment| matches!(moment.stage, Stage::Sweep(_))).count();
        keep(world, Stage::Sweep(made as u32 + 1));
    }
}

#[cold]
fn keep(world: &mut World, stage: Stage) {
    let Some(mut trace) = world.trace.take() else { return };
    let (system, velocities) = (&world.system, &world.velocities);
    if stage == Stage::Solved {
        (trace.rows, trace.ids) = (system.rows.clone(), system.ids.clone());
        (trace.blocks, trace.couplings) = (system.blocks.clone(), system.couplings.clone());
    }
    if trace.moments.len() < MOMENTS || stage == Stage::Solved {
        trace.moments.push(Moment {
            stage,
            velocities: velocities.to_vec(),
            impulses: system.rows.iter().map(|row| row.impulse).collect(),
            residuals: residuals(&system.rows, &system.blocks, &system.couplings, velocities),
        });
    }
    world.trace = Some(trace);
}

/// r of all rows at these velocities, by row.
pub fn residuals(rows: &[Row], blocks: &[Block], couplings: &Couplings, velocities: &[Velocity]) -> Vec<f32> {
    let mut lacks = vec![0.0; rows.len()];
    for block in blocks {
        let (a, b) = (&velocities[block.a as usize], &velocities[block.b as usize]);
        let own = &rows[block.range()];
        let lacks = &mut lacks[block.range()];
        for (lack, row) in lacks.iter_mut().zip(own) {
            *lack = left(row, speed(row, a, b) + row.bias + row.gamma * row.impulse, row.lo, row.hi);
        }
        let Some((_, bounds)) = block.coupling.contact() else { continue };
        for bound in &couplings.bounds[bounds.range()] {
            let radius = bound.radius(own);
            let wanted = |row: &Row| speed(row, a, b) + row.bias + row.gamma * row.impulse;
            match (bound.kind, &own[bound.rows()]) {
                (Kind::Disc, [x, y]) | (Kind::Surface { .. }, [x, y, _]) => {
                    let lack = in_disc([x, y], [wanted(x), wanted(y)], radius);
                    lacks[bound.rows()][..2].copy_from_slice(&lack);
                }
                (Kind::Span, [row]) => lacks[bound.rows()][0] = left(row, wanted(row), -radius, radius),
                // By what a document prints, which is in the row's own bounds.
                _ => {}
            }
            if let (Kind::Surface { arm, .. }, [.., twist]) = (bound.kind, &own[bound.rows()]) {
                lacks[bound.rows()][2] = left(twist, wanted(twist), -radius * arm, radius * arm);
            }
        }
    }
    lacks
}

/// What a row lacks: r, or as much of it as its bounds let it take.
fn left(row: &Row, r: f32, lo: f32, hi: f32) -> f32 {
    if row.inv_k == 0.0 {
        return 0.0;
    }
    let next = (row.impulse - r * row.inv_k).clamp(lo.min(hi), hi.max(lo));
    (row.impulse - next) / row.inv_k
}

/// The same for two rows whose impulses stay within a disc.
fn in_disc([x, y]: [&Row; 2], r: [f32; 2], radius: f32) -> [f32; 2] {
    let step = x.inv_k.max(y.inv_k);
    if step == 0.0 {
        return [0.0; 2];
    }
    let next = [x.impulse - r[0] * step, y.impulse - r[1] * step];
    let size = next[0].hypot(next[1]);
    let share = if size > radius { radius.max(0.0) / size } else { 1.0 };
    [(x.impulse - share * next[0]) / step, (y.impulse - share * next[1]) / step]
}
