//! Among the sweeps of a sub-step: when e is evaluated again, and whether more sweeps follow.

use super::{CLOSED, SETTLED, Scratch, any, left};
use crate::kernel::row::speed;
use crate::row::{Block, Owner};
use crate::settings::Settings;
use crate::system::System;
use crate::world::state::State;

/// Whether e is to be evaluated again before a sweep: at regular intervals among a step's sweeps, and in addition as
/// long as it still changes.
pub(crate) fn is_due(settings: &Settings, system: &System, scratch: &mut Scratch, sweep: u32) -> bool {
    if sweep == 0 {
        scratch.changed = 0.0;
        return false;
    }
    let every = settings.sweeps().div_ceil(settings.stabilization.rounds.max(1));
    (sweep.is_multiple_of(every) || scratch.changed > SETTLED) && any(system)
}

/// The most sweeps that a whip may take beyond those that the settings ask for.
pub(crate) const WHIP: u32 = 40;

/// Whether e changed when it was last evaluated, by more than rounding.
pub(crate) fn is_curvature_unsettled(system: &System, scratch: &Scratch) -> bool {
    scratch.changed > CLOSED && any(system)
}

/// Whether any bias changed when e was last evaluated.
pub(crate) fn has_changed(scratch: &Scratch) -> bool {
    scratch.changed > 0.0
}

/// How many sweeps can be made from this one on before [`goes_on`] and [`is_due`] have to be asked again. Call it
/// after them.
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
pub(crate) fn goes_on(
    settings: &Settings,
    state: &State,
    system: &System,
    scratch: &Scratch,
    sweep: u32,
    h: f32,
) -> bool {
    sweep < settings.sweeps() || may_whip(settings, system, scratch, sweep) && is_solved(state, system, h)
}

/// Whether any e still changes so much that more sweeps than the settings ask for may be made.
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
