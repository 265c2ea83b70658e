//! Between the sweeps of a sub-step: when the curvature e (`shake.rs`) is evaluated again, and whether more sweeps follow.

use super::{CLOSED, SETTLED, Scratch, any, left};
use crate::kernel::row::speed;
use crate::row::{Block, Owner};
use crate::settings::Settings;
use crate::system::System;
use crate::world::state::State;

/// Whether e must be evaluated again before a sweep: at regular intervals, before every sweep while e still changes, and when
/// the last sweep was `still`, which means that it changed no velocity by more than the tolerance. If one sweep solves the rows,
/// once after the first.
pub(crate) fn is_due(
    settings: &Settings,
    system: &System,
    scratch: &mut Scratch,
    sweep: u32,
    one_sweep_solves: bool,
    still: bool,
) -> bool {
    if sweep == 0 {
        scratch.changed = 0.0;
        return false;
    }
    let every = settings.sweeps().div_ceil(settings.stabilization.rounds.max(1));
    let regular = if one_sweep_solves { sweep == 1 } else { sweep.is_multiple_of(every) };
    (regular || still || scratch.changed > SETTLED) && any(system)
}

/// The largest number of sweeps beyond the settings' that a whip may take, a mechanism that turns fast within the step.
pub(crate) const WHIP: u32 = 40;

/// Whether e changed when it was last evaluated, by more than rounding.
pub(crate) fn is_curvature_unsettled(system: &System, scratch: &Scratch) -> bool {
    scratch.changed > CLOSED && any(system)
}

/// Whether any bias changed when e was last evaluated.
pub(crate) fn has_changed(scratch: &Scratch) -> bool {
    scratch.changed > 0.0
}

/// The number of sweeps that can be made before the next call of [`needs_sweep`] and [`is_due`]. Call it after these two.
pub(crate) fn sweeps_until_check(settings: &Settings, system: &System, scratch: &Scratch, sweep: u32) -> u32 {
    let sweeps = settings.sweeps();
    if !any(system) {
        return sweeps.saturating_sub(sweep);
    }
    if scratch.changed > SETTLED || sweep >= sweeps {
        return 1;
    }
    let every = sweeps.div_ceil(settings.stabilization.rounds.max(1));
    sweeps.min((sweep / every + 1) * every) - sweep
}

/// Whether another sweep is to be made.
pub(crate) fn needs_sweep(
    settings: &Settings,
    state: &State,
    system: &System,
    scratch: &Scratch,
    sweep: u32,
    h: f32,
) -> bool {
    sweep < settings.sweeps() || may_whip(settings, system, scratch, sweep) && is_solved(state, system, h)
}

/// Whether some e still changes so much that sweeps beyond the settings' are allowed.
pub(crate) fn may_whip(settings: &Settings, system: &System, scratch: &Scratch, sweep: u32) -> bool {
    let sweeps = settings.sweeps();
    scratch.changed > SETTLED && sweeps > 0 && sweep < sweeps + WHIP && any(system)
}

/// Whether all rows that the step closes are solved for their present biases, so that only the curvature bias is still
/// to be found.
fn is_solved(state: &State, system: &System, h: f32) -> bool {
    system
        .blocks
        .iter()
        .filter(|block| matches!(block.owner, Owner::Joint(_)))
        .all(|block| is_block_solved(state, system, block, h))
}

/// The same for one block.
pub(crate) fn is_block_solved(state: &State, system: &System, block: &Block, h: f32) -> bool {
    let (a, b) = (&state.velocities[block.a as usize], &state.velocities[block.b as usize]);
    let closed = block.range().filter(|index| system.closing[*index].is_some());
    closed.map(|index| &system.rows[index]).all(|row| left(row, speed(row, a, b), h) <= SETTLED)
}
