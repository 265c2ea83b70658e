//! Restitution of the methods that solve without it: one sweep at the end of a step over the points that were hit.
//!
//! ```text
//! J u = −e J u₀     u₀ from the start of the step, for points that approached faster than the threshold and have
//!                   carried an impulse since
//! ```
//! Source: E. Catto, Box3D at 30c67b5 (`contact_solver.c`).

use crate::kernel::bodies::Pair;
use crate::kernel::row::{SolverRow, invert, speed};
use crate::row::RowId;
use crate::settings::Settings;
use crate::system::System;
use crate::world::state::State;

/// By bounce of the system: what is known of it since the step began.
#[derive(Debug, Clone, Default)]
pub struct Hits(Vec<Hit>);

#[derive(Debug, Clone, Copy)]
struct Hit {
    /// J u at the start of the step, m/s.
    approach: f32,
    /// Whether the point has carried an impulse since.
    touched: bool,
}

impl Hits {
    /// Notes how fast the points approach, at the start of a step.
    pub(super) fn note_approaches(&mut self, system: &System) {
        self.0.clear();
        self.0.extend(system.bounces.iter().map(|bounce| Hit { approach: bounce.approach, touched: false }));
    }

    /// Notes which points carry an impulse.
    pub(super) fn note_touches(&mut self, system: &System) {
        for (hit, bounce) in self.0.iter_mut().zip(&system.bounces) {
            hit.touched |= system.rows[bounce.row as usize].impulse > 0.0;
        }
    }

    /// One sweep over the points that were hit: they separate at e times the speed at which they approached. Points that
    /// separate faster give back what they have pushed too much, if `gives_back`.
    pub(super) fn apply_restitution(
        &self,
        settings: &Settings,
        state: &mut State,
        system: &mut System,
        gives_back: bool,
    ) {
        let threshold = settings.contact.restitution_threshold;
        for (hit, bounce) in self.0.iter().zip(&system.bounces) {
            let RowId::Contact { a, b, .. } = system.ids[bounce.row as usize] else { continue };
            if !hit.touched || hit.approach > -threshold {
                continue;
            }
            let row = &mut system.rows[bounce.row as usize];
            let ends = [a as usize, b as usize];
            let mut pair = Pair { a: state.velocities[ends[0]], b: state.velocities[ends[1]] };
            // 1/K of the rigid row.
            let inv_k = invert(1.0 / row.inv_k - row.gamma);
            let wanted = speed(row, &pair.a, &pair.b) + bounce.e * hit.approach;
            let least = if gives_back { 0.0 } else { row.impulse };
            let impulse = (row.impulse - inv_k * wanted).max(least);
            row.apply((), &mut pair, impulse - row.impulse);
            row.impulse = impulse;
            (state.velocities[ends[0]], state.velocities[ends[1]]) = (pair.a, pair.b);
        }
    }
}
