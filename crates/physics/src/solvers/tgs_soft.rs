//! TGS soft, the solver of Box2D 3 and Box3D: sub-steps of one soft sweep and one rigid sweep.
//!
//! ```text
//! contacts are found once; then n times with h = dt/n
//!     u ← u + h M⁻¹ f                      forces
//!     u ← u + M⁻¹ Jᵀ λ                     warm starting
//!     one sweep   J u + b + γ λ = 0        joints and normals, soft; no friction
//!     x ← x + h u
//!     one sweep   J u = 0                  joints at their new places, normals, friction; rigid, without a push
//! once        J u = −e J u₀                points that were hit, u₀ from the start of the step
//! ```
//! b = ω/(2ζ + hω) C and γ = K/(hω (2ζ + hω)), ω = 2πf. A contact has at most f = 1/(8h) and a joint 1/(4h): what is
//! stiffer jitters. A contact with a body that does not move has 2f and ζ/2, so that nothing is pushed through the
//! ground. The push of a contact is limited to the speed that the row reaches, b/(1 + γ/K). These rules, and the settings
//! that are fixed, are in `tgs_recipe.rs`.
//!
//! It costs two sweeps a sub-step. Errors are left to the next step, so joints sag under heavy loads, and a light body
//! under a heavy one is slow to settle. Differences from the source: the centre of friction is the mean of the points
//! that touch, there weighted by depth; friction is bounded by the limit surface unless `formulation.patch` says
//! otherwise. Source: E. Catto, Box3D at 30c67b5 (`solver.c`, `contact_solver.c`, `joint.c`), and his "Solver2D".

use super::common;
use super::gauss_seidel::SweepTarget;
use super::order::Visit;
use super::parts::Parts;
use super::wide::Wide;
use crate::kernel::bodies::Pair;
use crate::kernel::row::{SolverRow, invert, speed};
use crate::plan::route;
use crate::row::RowId;
use crate::settings::Settings;
use crate::system::System;
use crate::world::state::State;
use crate::{refresh, trace};

/// By bounce of the system: what is known of it since the step began.
#[derive(Debug, Clone, Default)]
pub struct Scratch {
    hits: Vec<Hit>,
}

#[derive(Debug, Clone, Copy)]
struct Hit {
    /// J u at the start of the step, m/s.
    approach: f32,
    /// Whether the point has carried an impulse since.
    touched: bool,
}

/// One step.
pub(crate) fn step(parts: Parts<'_>, wide: &mut Wide, scratch: &mut Scratch) {
    let Parts { settings, model, state, system, report, buffers, probe, reads, listed, .. } = parts;
    for substep in common::substeps(settings, state, reads, listed) {
        if !common::collide(settings, model, state, report, substep) {
            return;
        }
        common::linearize(settings, model, state, system, report, buffers, probe, substep);
        if !common::affords_sweeps(settings, state, system, report, substep) {
            return;
        }
        if substep.first {
            scratch.note_approaches(system);
        }
        common::warm_start(settings, model, state, system, report, buffers, probe, substep);
        let packs_blocks = probe.is_none() && route::blocks_in_lanes(settings, system.blocks.len());
        let mut lanes = (packs_blocks || !system.contacts.is_empty()).then_some(&mut *wide);
        if let Some(wide) = &mut lanes {
            wide.pack(system, settings.solver.order);
        }
        report.sweeps += 1;
        let visit = Visit { order: settings.solver.order, step: state.step_count, iteration: 0 };
        SweepTarget::new(state, system, &mut report.pseudo_velocities, buffers).sweep::<false, false>(
            lanes.as_deref_mut(),
            visit,
            probe,
        );
        if let Some(wide) = lanes {
            wide.finish(system);
        }
        trace::sweep(state, system, probe);
        scratch.note_touches(system);
        let watch = common::advance(settings, state, system, report, buffers, probe, substep);
        refresh::joints(settings, state, system, (substep.end, substep.h));
        common::relax(settings, state, system, report, buffers, substep);
        scratch.note_touches(system);
        if substep.last {
            scratch.apply_restitution(settings, state, system);
        }
        common::conclude(settings, model, state, system, report, buffers, probe, (substep, watch));
    }
}

impl Scratch {
    fn note_approaches(&mut self, system: &System) {
        self.hits.clear();
        self.hits.extend(system.bounces.iter().map(|bounce| Hit { approach: bounce.approach, touched: false }));
    }

    fn note_touches(&mut self, system: &System) {
        for (hit, bounce) in self.hits.iter_mut().zip(&system.bounces) {
            hit.touched |= system.rows[bounce.row as usize].impulse > 0.0;
        }
    }

    /// One sweep over the points that were hit: they separate at e times the speed at which they approached.
    fn apply_restitution(&self, settings: &Settings, state: &mut State, system: &mut System) {
        let threshold = settings.contact.restitution_threshold;
        for (hit, bounce) in self.hits.iter().zip(&system.bounces) {
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
            let impulse = (row.impulse - inv_k * wanted).max(0.0);
            row.apply((), &mut pair, impulse - row.impulse);
            row.impulse = impulse;
            (state.velocities[ends[0]], state.velocities[ends[1]]) = (pair.a, pair.b);
        }
    }
}
