//! Proximal ADMM: the rows with their bounds and true friction, by splitting. A judge of the other solvers that takes
//! another way than the direct one. The two share the stages before the solve and the factorization, not the search for
//! impulses.
//!
//! ```text
//! for each sub-step: rows, forces, free motion u*
//!     repeat   impulses that solve the equations, near those within the bounds        (`splitting.rs`)
//!              the nearest impulses within the bounds                                 (`sets.rs`)
//!     until both agree to 1e-9 m/s
//! ```
//! Each contact ends with λn ≥ 0, w_n ≥ 0, λn w_n = 0, friction within its bound, and against the slip where it slips. Friction
//! by the exact cone is one convex set of three rows, with De Saxcé's correction µ ‖w_t‖ of the normal velocity; the other
//! laws take the radius from the normal impulses of the iteration.
//!
//! Cost: a factorization over the bodies at the start and where ρ changes, and a substitution an iteration. A step takes ten
//! to some hundred iterations, more where friction jams. `solver.iterations` has no effect. What is left after 2000 iterations is the residual. Source:
//! Carpentier, Le Lidec and Montaut 2024 (arXiv 2405.17020); Boyd et al. 2011 (residuals, ρ); De Saxcé and Feng 1998.

mod sets;
mod splitting;

use super::common;
use super::direct::step::{close_gaps, start};
use super::parts::Parts;
use super::scaled::{Root, ScaledRow, lines};
use super::substep::Substep;
use crate::body::Velocity;
use crate::settings::Settings;
use crate::system::System;
use crate::trace::Probe;
use crate::work::ROW;
use crate::world::buffers::Buffers;
use crate::world::model::Model;
use crate::world::report::Report;
use crate::world::state::State;
use crate::{energy_budget, impact_energy, restitution, shake, trace};
use splitting::{Scene, Splitting};

/// A solution that leaves more than this is not settled, m/s: SHAKE then makes few rounds.
const UNSETTLED: f64 = 1e-5;
/// The iterates of a traced step that are recorded.
const MAX_TRACED: u32 = 200;

/// Working memory, kept from step to step.
#[derive(Clone, Default)]
pub struct Scratch {
    splitting: Splitting,
    roots: Vec<Root>,
    lines: Vec<ScaledRow>,
    /// The velocities before the rows act; those of the split position correction likewise.
    free: Vec<Velocity>,
    pseudo_free: Vec<Velocity>,
    /// The velocities at the start of the sub-step, restored if it is not made.
    before: Vec<Velocity>,
}

/// One step.
pub(crate) fn step(parts: Parts<'_>, scratch: &mut Scratch) {
    let Parts { settings, model, state, system, report, buffers, probe, reads, listed, .. } = parts;
    for substep in common::substeps(settings, state, reads, listed) {
        if !common::collide(settings, model, state, report, substep) {
            return;
        }
        scratch.before.clone_from(&state.velocities);
        if !advance(settings, model, state, system, report, (buffers, scratch), probe, substep) {
            state.velocities.copy_from_slice(&scratch.before);
            state.time = substep.start;
            return;
        }
    }
}

/// Makes one sub-step. False, without having moved the bodies, if it exceeds the limit of work.
fn advance(
    settings: &Settings,
    model: &Model,
    state: &mut State,
    system: &mut System,
    report: &mut Report,
    (buffers, scratch): (&mut Buffers, &mut Scratch),
    probe: &mut Probe,
    substep: Substep,
) -> bool {
    let h = substep.h;
    common::linearize(settings, model, state, system, report, buffers, probe, substep);
    close_gaps(system, h);
    start(settings, model, state, system, report, buffers, probe, substep);
    restitution::propagate(settings, state, system, report, (&mut buffers.pre_impact, &mut buffers.tree), probe);
    let pseudo = common::begin_pseudo_velocities(state, system, report);
    lines(system, &mut scratch.roots, &mut scratch.lines, &state.bodies);
    if !report.work.charge(ROW * system.rows.len() as u64) {
        return false;
    }
    if pseudo {
        scratch.solve_pseudo(state, system, report);
    }
    scratch.free.clone_from(&state.velocities);
    scratch.solve(state, system, report, probe);
    let mut rounds = shake::Rounds::default();
    while rounds.needs_solve(settings, state, system, &buffers.gyroscopic, &mut buffers.shake, h, scratch.is_settled())
    {
        scratch.solve(state, system, report, probe);
    }
    let past = energy_budget::exceeds_bound(state, system);
    if past {
        shake::update_curvature_bias(settings, state, system, &buffers.gyroscopic, &mut buffers.shake, h);
        scratch.solve(state, system, report, probe);
    }
    energy_budget::close(state, system, past);
    for _ in 0..restitution::ROUNDS {
        if !restitution::mark_and_save(settings, state, system, &mut buffers.pre_impact) {
            break;
        }
        scratch.solve(state, system, report, probe);
        trace::impacts(state, system, probe);
    }
    impact_energy::check(state, system, &mut buffers.pre_impact, probe);
    if report.work.is_over() {
        return false;
    }
    let left = scratch.splitting.left.min(f64::from(f32::MAX)) as f32;
    common::integrate(settings, model, state, system, report, buffers, probe, substep);
    report.residual = report.residual.max(left);
    true
}

impl Scratch {
    /// Solves the rows from free motion.
    fn solve(&mut self, state: &mut State, system: &mut System, report: &mut Report, probe: &mut Probe) {
        let Self { splitting, roots, lines, free, .. } = self;
        let mut goes_on =
            splitting.begin::<false>(system, Scene { bodies: &state.bodies, roots, lines }, free, &mut report.work);
        while goes_on {
            goes_on = splitting.advance(lines, &mut report.work);
            if goes_on && probe.is_some() && splitting.iterations <= MAX_TRACED {
                splitting.store::<false>(system, (roots, lines), free, &mut state.velocities);
                trace::sweep(state, system, probe);
            }
        }
        report.sweeps += splitting.iterations;
        splitting.store::<false>(system, (roots, lines), free, &mut state.velocities);
        trace::sweep(state, system, probe);
    }

    /// The same for the split position correction.
    fn solve_pseudo(&mut self, state: &State, system: &mut System, report: &mut Report) {
        let Self { splitting, roots, lines, pseudo_free, .. } = self;
        let scene = Scene { bodies: &state.bodies, roots, lines };
        pseudo_free.clone_from(&report.pseudo_velocities);
        let mut goes_on = splitting.begin::<true>(system, scene, pseudo_free, &mut report.work);
        while goes_on {
            goes_on = splitting.advance(lines, &mut report.work);
        }
        splitting.store::<true>(system, (roots, lines), pseudo_free, &mut report.pseudo_velocities);
    }

    fn is_settled(&self) -> bool {
        self.splitting.left <= UNSETTLED
    }
}
