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
use super::rebound::Hits;
use super::wide::Wide;
use crate::plan::route;
use crate::{refresh, trace};

/// One step.
pub(crate) fn step(parts: Parts<'_>, wide: &mut Wide, hits: &mut Hits) {
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
            hits.note_approaches(system);
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
        hits.note_touches(system);
        let watch = common::advance(settings, state, system, report, buffers, probe, substep);
        refresh::joints(settings, state, system, (substep.end, substep.h));
        common::relax(settings, state, system, report, buffers, substep);
        hits.note_touches(system);
        if substep.last {
            hits.apply_restitution(settings, state, system, true);
        }
        common::conclude(settings, model, state, system, report, buffers, probe, (substep, watch));
    }
}
