//! RATTLE: SHAKE (`shake.rs`) with velocities that belong to the time at which the poses are read.
//!
//! ```text
//! v(n+½) = v(n−½) + h g + M⁻¹ J(xₙ)ᵀ λ,   C(xₙ + h v(n+½)) = 0          SHAKE's step
//! v(n+1) = v(n+½) + ½ h g + M⁻¹ J(xₙ₊₁)ᵀ μ,   J(xₙ₊₁) v(n+1) = 0        the velocities that are read
//! ```
//! SHAKE's velocities belong to the middle of the step. An energy made of them and of the poses at the step's end is
//! wrong by a share of order h. RATTLE adds half of the next step's kick and then removes the part that the joints do
//! not allow. The next step's impulses along the same J(xₙ₊₁) would remove that part anyway. So RATTLE has the same
//! motion as SHAKE: the next step starts from v(n+½), and v(n+1) is what is read. A change of v(n+1) between two steps
//! (an edit, an impulse by hand) is added to v(n+½) as well.
//!
//! The first step, under SHAKE too, goes from v(0) to v(½), so its kicks are halved. Otherwise a motor at its cap
//! would stay ahead by half a kick for ever.
//!
//! A rope over sheaves or on a drum that pulled in the step may not lengthen in the velocities that are read, and may go slack.
//!
//! The kick is that of gravity, applied forces, springs, drives and the gyroscopic term. A body that a contact, a stop
//! or the mouse supports gets no half kick, because that force balances gravity within the step. A drive that has kept
//! its speed in the step (up to `KEPT`) also keeps it in the velocities that are read; of one that the sweeps left short
//! of it the speed that it has is read. The rows at xₙ₊₁ are swept by Gauss–Seidel as often as those of the step, or solved
//! exactly by the direct solver. Bodies without such joints keep the velocities of the step.
//!
//! Where sweeps leave much undone, v(n+1) is not closed. Its energy is still at most that of v(n+½) and the half kick:
//! the sweeps start from the share of ½ λ with which they cannot add any, as those of the step do
//! (`warm_start_limiter.rs`). And where a step is divided, only the kick is scaled to its length, not what the sweeps
//! have made of it. Source: Andersen 1983; Leimkuhler and Skeel 1994 (symplectic, and the same motion as SHAKE's).

mod closing;
mod part;
mod rotors;
mod start;
pub(crate) mod state;

use glam::Vec3A;

use self::closing::{close, discard_lost};
use self::part::{find_bodies, find_supported, find_touched, needs_end_velocity};
pub(crate) use self::start::start;
use self::state::EndState;
pub use self::state::{RattleState, acted, forget_midpoint, resumed};
use super::body::Velocity;
use super::force;
use super::gyroscopic::GyroscopicTerm;
use super::kernel::row::speed;
use super::prepare;
use super::row::{Group, Owner, RowId};
use super::settings::Settings;
use super::solvers::tree::EliminationPlan;
use super::solvers::{direct, mechanism, tree};
use super::system::System;
use super::world::model::Model;
use super::world::report::Report;
use super::world::state::State;

/// Buffers of the closing, kept from step to step.
#[derive(Default)]
pub struct Scratch {
    /// By body: what the impulses from which the closing starts change.
    moved: Vec<Velocity>,
    /// By an island's first body: λᵀ J u and λᵀ A λ of the impulses from which the closing starts, J.
    starts: Vec<[f64; 2]>,
    /// The joints' rows at the step's end.
    rows: System,
    direct: direct::Scratch,
    /// By body: its part in the half kick. By an island's first body: whether something supports the mechanism.
    part: Vec<EndState>,
    borne: Vec<bool>,
}

impl Scratch {
    /// The plans of the trees and mechanisms among the rows at the step's end.
    pub fn plans(&mut self) -> (&mut EliminationPlan, &mut mechanism::Plan) {
        (&mut self.rows.trees.plan, &mut self.rows.trees.mechanisms.plan)
    }
}

/// Goes back to the velocities of the middle of the step before, or a part of the way there if the step is made in
/// `parts`: see `divide/`.
pub fn restore_midpoint(state: &mut State, parts: u32) {
    let (bodies, velocities, rattle) = (&mut state.bodies, &mut state.velocities, &mut state.rattle);
    let share = 1.0 / parts as f32;
    if rattle.midpoint.len() == velocities.len() {
        // Without the kicks, which batches do not keep, nothing is known of other lengths of the step.
        let kicked = if rattle.kicked.len() == velocities.len() { &rattle.kicked } else { &rattle.midpoint };
        let kept = rattle.midpoint.iter().zip(kicked).zip(&rattle.end);
        for ((body, velocity), ((half, kicked), left)) in bodies.iter().zip(velocities).zip(kept) {
            if velocity == left || body.is_dynamic() {
                let half = part_of_kick(half, kicked, 1.0 - share);
                *velocity = resumed(velocity, &half, left);
            }
        }
    }
    forget_midpoint(rattle);
}

/// `half` and a `share` of the half kick that leads from it to `kicked`.
fn part_of_kick(half: &Velocity, kicked: &Velocity, share: f32) -> Velocity {
    if share == 0.0 {
        return *half;
    }
    let (linear, angular) = (kicked.linear - half.linear, kicked.angular - half.angular);
    Velocity { linear: half.linear + linear * share, angular: half.angular + angular * share }
}

/// Makes room for the velocities of all bodies if they are `wanted` or already kept; returns whether they were kept.
pub fn make_room(state: &mut State, wanted: bool) -> bool {
    let (count, rattle) = (state.velocities.len(), &mut state.rattle);
    let kept = rattle.midpoint.len() == count;
    if wanted || kept {
        rattle.midpoint.resize(count, Velocity::default());
        rattle.end.resize(count, Velocity::default());
    } else {
        forget_midpoint(rattle);
    }
    kept
}

/// Makes the velocities those of the step's end, after the last sub-step of `h` seconds of a step in `parts`. The
/// velocities kept for the middle of the step are those of an undivided step. The forces of the model are those at
/// `time`, the end of the step, s.
pub(crate) fn finish(
    settings: &Settings,
    (model, time): (&Model, f64),
    state: &mut State,
    system: &mut System,
    report: &mut Report,
    (scratch, tree): (&mut Scratch, &mut tree::Work),
    terms: &[GyroscopicTerm],
    (h, parts): (f32, u32),
) {
    if !state.joints.iter().any(|joint| needs_end_velocity(settings, state, joint)) {
        return;
    }
    let mut rattle_state = std::mem::take(&mut state.rattle);
    rattle_state.midpoint.clone_from(&state.velocities);
    find_bodies(state, &mut scratch.part, |joint| needs_end_velocity(settings, state, joint));
    find_supported(state, system, &mut scratch.part, &mut scratch.borne);
    find_touched(state, system, &mut rattle_state.touched);
    let halved = !rattle_state.halved.is_empty();
    let share = if halved { 1.0 } else { 0.5 };
    kick(settings, (model, time), state, system, terms, &scratch.part, h, share);
    let free = |joint: usize| {
        let joint = &state.joints[joint];
        let borne = [joint.def.a, joint.def.b].iter().any(|body| scratch.part[*body as usize] == EndState::Supported);
        needs_end_velocity(settings, state, joint).then_some(if borne { 0.0 } else { 0.5 })
    };
    // In a first step a motor at its cap has given half of its impulse.
    let keeps = |joint: usize, slot: u8| kept_its_speed(state, system, &rattle_state.midpoint, joint, slot);
    let (drives, half) = (if halved { 0.5 * h } else { h }, &rattle_state.midpoint[..]);
    prepare::closing(settings, state, &mut scratch.rows, (free, keeps), (time, drives, (half, 0.5 * h)));
    rattle_state.kicked.clone_from(&state.velocities);
    close(settings, state, system, report, tree, scratch);
    discard_lost(state, system, &rattle_state.midpoint, &mut scratch.borne);
    rattle_state.end.clone_from(&state.velocities);
    rotors::project(state, system, &mut rattle_state, &mut scratch.borne);
    if parts > 1 {
        for (half, kicked) in rattle_state.midpoint.iter_mut().zip(&rattle_state.kicked) {
            *half = part_of_kick(half, kicked, 1.0 - parts as f32);
        }
    }
    state.rattle = rattle_state;
}

/// The share of its speed by which a drive may miss it in the step and still count as having kept it, and the same for
/// slow drives, m/s or rad/s.
const KEPT: f32 = 1e-3;
const KEPT_SLOW: f32 = 1e-3;

/// Whether a drive had its speed at the velocities `half` of the middle of the step.
fn kept_its_speed(state: &State, system: &System, half: &[Velocity], joint: usize, slot: u8) -> bool {
    let def = &state.joints[joint].def;
    let is_drive = |row: &usize| matches!(system.ids[*row], RowId::Joint { slot: row_slot, .. } if row_slot == slot);
    let row = system.rows_of(joint).find(is_drive).map(|row| &system.rows[row]);
    row.is_none_or(|row| {
        let off = speed(row, &half[def.a as usize], &half[def.b as usize]) + row.bias;
        off.abs() <= KEPT * row.bias.abs() + KEPT_SLOW
    })
}

/// Adds half a kick to the velocities of bodies without support. For springs and drives it is `share` of their
/// impulses in the step.
fn kick(
    settings: &Settings,
    (model, time): (&Model, f64),
    state: &mut State,
    system: &mut System,
    terms: &[GyroscopicTerm],
    part: &[EndState],
    h: f32,
    share: f32,
) {
    let (bodies, velocities, sleep) = (&mut state.bodies, &mut state.velocities, &mut state.sleep);
    let gravity = Vec3A::from(settings.step.gravity) * (0.5 * h);
    let moves = |body: u32| bodies[body as usize].is_dynamic() && !sleep.has(body);
    let free = |body: u32| part[body as usize] == EndState::Required && moves(body);
    for (index, velocity) in velocities.iter_mut().enumerate().filter(|(index, _)| free(*index as u32)) {
        let body = &bodies[index];
        velocity.linear +=
            body.solver_mass().map_or(gravity, |solver_mass| gravity * (body.mass * solver_mass.inv_mass));
    }
    force::change::add(model, bodies, velocities, free, (time, 0.5 * h));
    for term in terms.iter().filter(|term| free(term.body)) {
        velocities[term.body as usize].angular += 0.5 * term.change;
    }
    // Springs and drives.
    for block in system.blocks.iter().filter(|block| matches!(block.owner, Owner::Joint(_))) {
        for (row, id) in system.rows[block.range()].iter().zip(&system.ids[block.range()]) {
            let half = share * row.impulse;
            let held = row.gamma == 0.0 && !(row.lo.is_finite() && row.hi.is_finite());
            // A damper has a row for this half of a step.
            if held || half == 0.0 || matches!(id, RowId::Joint { group: Group::Damper, .. }) {
                continue;
            }
            if free(block.a) {
                row.add_to_a(&mut velocities[block.a as usize], half);
            }
            if free(block.b) {
                row.add_to_b(&mut velocities[block.b as usize], half);
            }
        }
    }
}

/// Sets the kept velocities of a body that was replaced to its present velocity.
pub fn reset_midpoint(state: &mut State, body: u32) {
    let now = state.velocities[body as usize];
    let RattleState { midpoint, end, kicked, .. } = &mut state.rattle;
    for list in [midpoint, end, kicked] {
        if let Some(velocity) = list.get_mut(body as usize) {
            *velocity = now;
        }
    }
}
