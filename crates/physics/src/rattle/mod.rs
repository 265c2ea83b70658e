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

mod rotors;
pub(crate) mod state;

use glam::Vec3A;

use self::state::EndState;
pub use self::state::{RattleState, acted, forget, resumed};
use super::body::{Body, Velocity};
use super::effective_mass;
use super::fault::RUNAWAY;
use super::gyroscopic::GyroscopicTerm;
use super::joint::Joint;
use super::kernel::row::speed;
use super::prepare;
use super::row::{Block, Coupling, Group, Owner, Row, RowId};
use super::settings::{Settings, Stabilization};
use super::solvers::tree::EliminationPlan;
use super::solvers::{direct, mechanism, pass, properties, tree};
use super::system::System;
use super::world::model::Model;
use super::world::report::Report;
use super::world::state::State;
use super::{force, stabilize, warm_start};

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
    if rattle.half.len() == velocities.len() {
        // Without the kicks, which batches do not keep, nothing is known of other lengths of the step.
        let kicked = if rattle.kicked.len() == velocities.len() { &rattle.kicked } else { &rattle.half };
        let kept = rattle.half.iter().zip(kicked).zip(&rattle.left);
        for ((body, velocity), ((half, kicked), left)) in bodies.iter().zip(velocities).zip(kept) {
            if velocity == left || body.is_dynamic() {
                let half = part_of_kick(half, kicked, 1.0 - share);
                *velocity = resumed(velocity, &half, left);
            }
        }
    }
    forget(rattle);
}

/// `half` and a `share` of the half kick that leads from it to `kicked`.
fn part_of_kick(half: &Velocity, kicked: &Velocity, share: f32) -> Velocity {
    if share == 0.0 {
        return *half;
    }
    let (linear, angular) = (kicked.linear - half.linear, kicked.angular - half.angular);
    Velocity { linear: half.linear + linear * share, angular: half.angular + angular * share }
}

/// Halves the kicks of the first step. To be called once forces and free rotation are applied.
pub(crate) fn start(
    settings: &Settings,
    model: &Model,
    state: &mut State,
    system: &mut System,
    terms: &[GyroscopicTerm],
    h: f32,
) {
    state.rattle.halved.clear();
    let keeps = |joint: &Joint| {
        joint.broken.is_none() && stabilize::is_position_level(&stabilize::settings_of(joint, settings))
    };
    let runs = state.joints.iter().any(|joint| keeps(joint));
    if std::mem::replace(&mut state.rattle.runs, runs) || !runs {
        return;
    }
    let mut part = std::mem::take(&mut state.rattle.halved);
    hold(state, &mut part, keeps);
    let (bodies, velocities, rattle) = (&mut state.bodies, &mut state.velocities, &mut state.rattle);
    let gravity = Vec3A::from(settings.step.gravity) * (0.5 * h);
    let held = |body: u32| part[body as usize] == EndState::Required && bodies[body as usize].is_dynamic();
    for (index, velocity) in velocities.iter_mut().enumerate().filter(|(index, _)| held(*index as u32)) {
        let body = &bodies[index];
        velocity.linear -=
            body.solver_mass().map_or(gravity, |solver_mass| gravity * (body.mass * solver_mass.inv_mass));
    }
    force::change::add(model, bodies, velocities, held, (state.time, -0.5 * h));
    for term in terms.iter().filter(|term| held(term.body)) {
        velocities[term.body as usize].angular -= 0.5 * term.change;
    }
    let whole = |body: u32| bodies[body as usize].is_dynamic() && part[body as usize] == EndState::None;
    for block in &system.blocks {
        if !matches!(block.owner, Owner::Joint(_)) || whole(block.a) || whole(block.b) {
            continue;
        }
        let (rows, closings) = (&mut system.rows[block.range()], &mut system.closing[block.range()]);
        for ((row, closing), id) in rows.iter_mut().zip(closings).zip(&system.ids[block.range()]) {
            // The rotor's inertia is the same in half a kick. Its speed before the step is that of the step's beginning.
            if matches!(id, RowId::Joint { group: Group::Armature, .. }) {
                if let Some(closing) = closing {
                    let ahead = row.bias - closing.gap;
                    (closing.gap, row.bias) = (closing.gap - ahead, row.bias - ahead);
                }
                continue;
            }
            if row.lo.is_finite() && row.hi.is_finite() {
                (row.lo, row.hi, row.impulse) = (0.5 * row.lo, 0.5 * row.hi, 0.5 * row.impulse);
            }
            if row.gamma > 0.0 && row.inv_k > 0.0 {
                row.inv_k = 1.0 / (1.0 / row.inv_k + row.gamma);
                row.gamma *= 2.0;
            }
        }
        if let Coupling::SoftAnchor { inverse } = block.coupling {
            let k = effective_mass::block_mass(rows, 1.0, 1.0);
            let inverse = &mut system.couplings.inverses[inverse as usize];
            *inverse = effective_mass::block_inverse(&k).unwrap_or(*inverse);
        }
    }
    // Their softness and bounds are others now.
    system.trees.mechanisms.factor(&system.rows, bodies, &[]);
    rattle.halved = part;
}

/// Whether a joint asks for the velocities at the step's end.
fn asks(settings: &Settings, state: &State, joint: &Joint) -> bool {
    joint.broken.is_none()
        && stabilize::settings_of(joint, settings).stabilization.method == Stabilization::Rattle
        && !state.sleep.is_idle((joint.def.a, joint.def.b), &state.bodies, &state.velocities)
}

/// Finds the bodies of the joints that `joints` selects.
fn hold(state: &State, part: &mut Vec<EndState>, joints: impl Fn(&Joint) -> bool) {
    part.clear();
    part.resize(state.bodies.len(), EndState::None);
    for joint in state.joints.iter().filter(|joint| joints(joint)) {
        part[joint.def.a as usize] = EndState::Required;
        part[joint.def.b as usize] = EndState::Required;
    }
}

/// Makes room for the velocities of all bodies if they are `wanted` or already kept; returns whether they were kept.
pub fn make_room(state: &mut State, wanted: bool) -> bool {
    let (count, rattle) = (state.velocities.len(), &mut state.rattle);
    let kept = rattle.half.len() == count;
    if wanted || kept {
        rattle.half.resize(count, Velocity::default());
        rattle.left.resize(count, Velocity::default());
    } else {
        forget(rattle);
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
    if !state.joints.iter().any(|joint| asks(settings, state, joint)) {
        return;
    }
    let mut rattle_state = std::mem::take(&mut state.rattle);
    rattle_state.half.clone_from(&state.velocities);
    hold(state, &mut scratch.part, |joint| asks(settings, state, joint));
    bear(state, system, &mut scratch.part, &mut scratch.borne);
    touch(state, system, &mut rattle_state.touched);
    let halved = !rattle_state.halved.is_empty();
    let share = if halved { 1.0 } else { 0.5 };
    kick(settings, (model, time), state, system, terms, &scratch.part, h, share);
    let free = |joint: usize| {
        let joint = &state.joints[joint];
        let borne = [joint.def.a, joint.def.b].iter().any(|body| scratch.part[*body as usize] == EndState::Supported);
        asks(settings, state, joint).then_some(if borne { 0.0 } else { 0.5 })
    };
    // In a first step a motor at its cap has given half of its impulse.
    let keeps = |joint: usize, slot: u8| kept(state, system, &rattle_state.half, joint, slot);
    let (drives, half) = (if halved { 0.5 * h } else { h }, &rattle_state.half[..]);
    prepare::closing(settings, state, &mut scratch.rows, (free, keeps), (time, drives, (half, 0.5 * h)));
    rattle_state.kicked.clone_from(&state.velocities);
    close(settings, state, system, report, tree, scratch);
    doubt(state, system, &rattle_state.half, &mut scratch.borne);
    rattle_state.left.clone_from(&state.velocities);
    rotors::project(state, system, &mut rattle_state, &mut scratch.borne);
    if parts > 1 {
        for (half, kicked) in rattle_state.half.iter_mut().zip(&rattle_state.kicked) {
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
fn kept(state: &State, system: &System, half: &[Velocity], joint: usize, slot: u8) -> bool {
    let def = &state.joints[joint].def;
    let is_drive = |row: &usize| matches!(system.ids[*row], RowId::Joint { slot: row_slot, .. } if row_slot == slot);
    let row = system.rows_of(joint).find(is_drive).map(|row| &system.rows[row]);
    row.is_none_or(|row| {
        let off = speed(row, &half[def.a as usize], &half[def.b as usize]) + row.bias;
        off.abs() <= KEPT * row.bias.abs() + KEPT_SLOW
    })
}

/// Finds the mechanisms that a contact, a stop or the mouse supports. Support of one body counts for all bodies of its
/// mechanism.
fn bear(state: &State, system: &System, part: &mut [EndState], borne: &mut Vec<bool>) {
    borne.clear();
    borne.resize(part.len(), false);
    let graph = &system.graph;
    let one_sided = |row: &Row| row.lo == 0.0 || row.hi == 0.0;
    let bears = |block: &&Block| {
        let joint = matches!(block.owner, Owner::Joint(_) | Owner::Plane(_));
        // A taut rope goes on pulling in the next half step.
        let is_rope = |id: &RowId| matches!(id, RowId::Joint { group: Group::Anchor, .. });
        if matches!(block.owner, Owner::Joint(joint) if state.joints[joint as usize].def.kind.is_taut_at_end())
            && system.ids[block.range()].iter().all(is_rope)
        {
            return false;
        }
        system.rows[block.range()].iter().any(|row| row.impulse != 0.0 && (!joint || one_sided(row)))
    };
    let blocks = system.blocks.iter().filter(bears).map(|block| [block.a, block.b]);
    for body in blocks.chain(system.contacts.loaded_pairs()).flatten() {
        if state.bodies[body as usize].is_dynamic() {
            borne[graph.island(body) as usize] = true;
        }
    }
    for (body, part) in part.iter_mut().enumerate().filter(|(_, part)| **part == EndState::Required) {
        if state.bodies[body].is_dynamic() && borne[graph.island(body as u32) as usize] {
            *part = EndState::Supported;
        }
    }
}

/// Finds the bodies of the mechanisms that a contact supports.
fn touch(state: &State, system: &System, touched: &mut Vec<bool>) {
    touched.clear();
    touched.resize(state.bodies.len(), false);
    let System { blocks, rows, contacts, graph, .. } = system;
    let bears = |block: &&Block| {
        matches!(block.owner, Owner::Contact(_)) && rows[block.range()].iter().any(|row| row.impulse != 0.0)
    };
    let pairs = blocks.iter().filter(bears).map(|block| [block.a, block.b]);
    for body in pairs.chain(contacts.loaded_pairs()).flatten().filter(|body| state.bodies[*body as usize].is_dynamic())
    {
        touched[graph.island(body) as usize] = true;
    }
    for body in (0..touched.len()).rev().filter(|body| state.bodies[*body].is_dynamic()) {
        touched[body] = touched[graph.island(body as u32) as usize];
    }
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
                let a = &mut velocities[block.a as usize];
                a.linear += row.lin_a() * (row.inv_ma * half);
                a.angular += row.inv_ia * half;
            }
            if free(block.b) {
                let b = &mut velocities[block.b as usize];
                b.linear += row.lin * (row.inv_mb * half);
                b.angular += row.inv_ib * half;
            }
        }
    }
}

/// The sweeps end when no velocity changes by more than this, m/s or rad/s.
const SETTLED: f32 = 1e-6;

/// Removes from the velocities what the joints do not allow.
fn close(
    settings: &Settings,
    state: &mut State,
    system: &System,
    report: &mut Report,
    tree: &mut tree::Work,
    scratch: &mut Scratch,
) {
    let (velocities, bodies, work) = (&mut state.velocities, &mut state.bodies, &mut report.work);
    let closing = &mut scratch.rows;
    if properties::of(settings.solver.method).exact {
        closing.rows.iter_mut().for_each(|row| row.impulse = 0.0);
        // The step is made already, so this solve gets the work limit of a whole step. Beyond it, sweeps take over.
        let mut full_limit = work.clone();
        full_limit.reset();
        if direct::solve_rows(closing, &mut scratch.direct, velocities, bodies, &mut full_limit) {
            return;
        }
    }
    cover(closing, (system, bodies), velocities, (&mut scratch.moved, &mut scratch.starts));
    warm_start::apply(&closing.rows, &closing.blocks, velocities);
    for sweep in 0..settings.sweeps() {
        let moved = pass::pass(closing, tree, velocities, sweep == 0);
        if moved <= SETTLED {
            break;
        }
    }
}

/// Scales the impulses from which the closing starts, mechanism by mechanism, where they would add energy:
/// T(u + M⁻¹ Jᵀ α λ) − T(u) = α λᵀ J u + ½ α² λᵀ A λ is least for α = −λᵀ J u/λᵀ A λ.
fn cover(
    closing: &mut System,
    (system, bodies): (&System, &[Box<Body>]),
    velocities: &[Velocity],
    (moved, starts): (&mut Vec<Velocity>, &mut Vec<[f64; 2]>),
) {
    moved.clear();
    moved.resize(velocities.len(), Velocity::default());
    warm_start::apply(&closing.rows, &closing.blocks, moved);
    starts.clear();
    starts.resize(velocities.len(), [0.0; 2]);
    let island = |block: &Block| {
        let moving_body = if bodies[block.a as usize].is_dynamic() { block.a } else { block.b };
        system.graph.island(moving_body) as usize
    };
    let System { blocks, rows, .. } = closing;
    for block in &*blocks {
        let (a, b) = (block.a as usize, block.b as usize);
        let [slope, curve] = &mut starts[island(block)];
        for row in &rows[block.range()] {
            let impulse = f64::from(row.impulse);
            *slope += impulse * f64::from(speed(row, &velocities[a], &velocities[b]));
            *curve += impulse * f64::from(speed(row, &moved[a], &moved[b]));
        }
    }
    for block in &*blocks {
        let [slope, curve] = starts[island(block)];
        if slope + 0.5 * curve > 0.0 {
            let share = if curve > 0.0 { (-slope / curve).clamp(0.0, 1.0) as f32 } else { 0.0 };
            rows[block.range()].iter_mut().for_each(|row| row.impulse *= share);
        }
    }
}

/// Gives mechanisms whose closing is lost in rounding (a gram between tonnes, at the end of a long lever) the
/// velocities of the middle of the step, which are valid.
fn doubt(state: &mut State, system: &mut System, half: &[Velocity], lost: &mut [bool]) {
    let (velocities, bodies) = (&mut state.velocities, &mut state.bodies);
    let sound = |velocity: &Velocity| {
        velocity.is_finite() && velocity.linear.abs().max(velocity.angular.abs()).max_element() < RUNAWAY
    };
    if velocities.iter().all(sound) {
        return;
    }
    let island = |body: usize| system.graph.island(body as u32) as usize;
    lost.fill(false);
    let moving = |index: &usize| bodies[*index].is_dynamic();
    for index in (0..bodies.len()).filter(moving).filter(|index| !sound(&velocities[*index])) {
        lost[island(index)] = true;
    }
    // Bodies that do not move are included: an overflowed impulse times an inverse mass of zero is NaN.
    for index in (0..bodies.len()).filter(|index| !moving(index) || lost[island(*index)]) {
        velocities[index] = half[index];
    }
}

/// Sets the kept velocities of a body that was replaced to its present velocity.
pub fn reset_midpoint(state: &mut State, body: u32) {
    let now = state.velocities[body as usize];
    let RattleState { half, left, kicked, .. } = &mut state.rattle;
    for list in [half, left, kicked] {
        if let Some(velocity) = list.get_mut(body as usize) {
            *velocity = now;
        }
    }
}
