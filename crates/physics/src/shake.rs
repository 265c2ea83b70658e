//! SHAKE: the impulses of a step close the joints at the step's end, not at its beginning.
//!
//! ```text
//! v = v⁻ + h g + M⁻¹ J(x₀)ᵀ λ,   C(x₀ ⊕ h v) = 0
//! C(x₀ ⊕ h v) = C(x₀) + h J(x₀) v + e(v)           e: the error of the step's straight line, about ½ (ω h)² r
//! solve J(x₀) v + e(v)/h = 0                        e at the present velocities, evaluated again between the sweeps
//! ```
//! A step along a straight line leaves a rotor's circle by e. Split impulses and position sweeps put the anchor back
//! without changing velocities: they move the bodies but not their momenta. A free dumbbell then loses its rotation, as
//! ω = ω₀/√(1 + …), until nothing is left. Here the same impulses, equal and opposite along one line, bend the
//! velocities and close the joint. Linear and angular momentum are kept exactly for every h, and the motion is that of
//! a time-reversible, symplectic scheme of second order.
//!
//! The bias e/h of a row is called its curvature bias below. e is of second order in h v, so approximate velocities are
//! enough to find it: those that the last step has left. (Velocities with the old impulses would be nearer, except in a
//! loop that is closed twice over: there the old impulses turn light links wildly, and the e of that motion makes them
//! grow.) C is evaluated once before the sweeps and `stabilization.rounds` − 1 times between them, or more often while
//! e still changes; no sweep is added. Only a whip that turns by half a radian a step needs more. There each sweep
//! reduces the error of e by that factor, and where the sweeps solve their rows exactly (trees and mechanisms do) up to
//! `WHIP` more follow, under Gauss–Seidel only over what whips (`solvers/whip.rs`). The direct solver solves again.
//!
//! A body that turns by half a turn or more might as well have turned the other way: e is then taken as zero, and the
//! step is that of split impulses. The same holds for a stop that carried no load in the step before, or if a body turns
//! by more than `MAX_STOP_TURN`: a rope that snaps taut jerks a light body round, and to follow the arc of its end would
//! tear it off. It also holds for a joint whose error is larger than `MAX_ERROR`.
//!
//! Errors that the sweeps leave are not part of e; the next step finds them as position errors. In a mechanism that one
//! sweep solves, a single tree, up to `INHERITED` of that error is closed together with e, and the split correction
//! removes a share β of the rest in each step. Where several blocks share bodies (contacts, stops, drives, loops) the
//! split correction handles all of it. Closing it by the step's impulses would be Baumgarte's feedback, which warm
//! starting would carry on: a table on welded legs and a chain that rests on its stops would tremble for ever. Of
//! anchors along axes that A carries and of lengths, e is known exactly (`arcs.rs`); that of other rows is ignored
//! where it is within rounding. The errors of stops are left to the split correction. The energy that all this adds is
//! bounded by `energy_budget/`. Drives, springs and rows that hold no position are solved as under other methods,
//! contacts by a method of their own (`stabilization.contacts`). Source: Ryckaert, Ciccotti and Berendsen 1977; Barth,
//! Kuczera, Leimkuhler and Skeel 1995.

mod closing;
mod joint_arcs;
mod sweeps;

use std::f32::consts::PI;

use glam::{Mat3, Quat, Vec3};

use self::closing::error;
pub use self::closing::{closing, closing_of_rotor, left};
use self::joint_arcs::{follow_arcs, is_still};
pub(crate) use self::sweeps::{
    WHIP, has_changed, is_block_solved, is_curvature_unsettled, is_due, may_whip, needs_sweep, sweeps_until_check,
};

use super::body::Velocity;
use super::fault::FaultWatch;
use super::gyroscopic::GyroscopicTerm;
use super::kernel::joint::beyond;
use super::kernel::row::speed;
use super::row::{ErrorForm, Row, RowId, RowList};
use super::settings::Settings;
use super::solvers::properties;
use super::stabilize::is_position_level;
use super::system::System;
use super::world::state::State;
use super::{gyroscopic, integrate, stabilize};

/// An e below this is rounding, m or rad.
const ROUNDING: f32 = 2e-7;
/// The same for an angle. It is made of two quaternions, and loops may hold one angle twice with slightly different
/// values, rad.
const ROUNDING_ANGLE: f32 = 1e-6;
/// The rounding of an anchor's position in a mechanism, as a share of its largest coordinate. An error within it is not
/// closed: in one step that would take a force of m/h² times the error, which is large if the mechanism is heavy.
const ROUNDING_SHARE: f32 = 3e-7;
/// The same is done for joints that reach farther than this, m: the tension of a rope of 100 m would be rounding only.
const FAR: f32 = 10.0;
/// The curvature bias of a stop is ignored if a body turns by more than this in the step, rad.
const MAX_STOP_TURN: f32 = 0.3;
/// The curvature bias of an angular row is ignored if a body turns by more than this in the step, rad. Let the body turn by
/// θ. A change Δ of its angular velocity perpendicular to the axis of that turn tilts the axis by h Δ sin(θ/2)/(θ/2), in a
/// direction that differs from Δ by θ/2. So each evaluation of e multiplies its error by √(1 − 2 s cos(θ/2) + s²),
/// s = sin(θ/2)/(θ/2): by 0.70 at this bound, by 1 at 2.3 rad, and by 1.19 at half a turn.
const MAX_TURN_OF_AXES: f32 = 1.5;
/// A rope has just snapped taut if in the step before it carried no more than this share of its present impulse; another
/// stop has just been struck if it carried nothing. Their curvature bias is ignored.
const STRUCK_SHARE: f32 = 0.2;
/// The curvature bias of a row is ignored if its error is larger than this, m or rad. The sweeps that left the joint so far
/// open do not find the end of its arc, either.
const MAX_ERROR: f32 = 0.1;
/// The direct solver does not solve a step again whose error is below this, m or rad.
const CLOSED: f32 = 5e-7;
/// e is evaluated again before the next sweep if it has changed by more than this, m or rad.
pub(super) const SETTLED: f32 = 1e-5;
/// Changes of e up to this size, m or rad, may grow from evaluation to evaluation.
const MAX_FREE_GROWTH: f32 = 10.0 * SETTLED;
/// The largest number of solves of a step by the direct solver. Two or three are enough for slow motion; a whip takes more.
const MAX_SOLVES: u32 = 1 + WHIP;
/// The same if the solver has not converged.
const MAX_UNSETTLED_SOLVES: u32 = 4;

/// Buffers for the evaluation of e, kept from step to step.
#[derive(Debug, Clone, Default)]
pub struct Scratch {
    poses: Vec<(Vec3, Quat, Mat3)>,
    velocities: Vec<Velocity>,
    list: RowList,
    /// By how much e changed when it was last evaluated, m or rad: the largest change, and by joint.
    changed: f32,
    changed_by_joint: Vec<f32>,
    /// By body: whether its gyroscopic term changed when it was last evaluated.
    turned: Vec<bool>,
    /// Whether the motion is that after an impact. A rope then bears the impact besides its load, and does not snap taut.
    pub(crate) after_impact: bool,
}

impl Scratch {
    /// Whether e of a joint changed by more than [`SETTLED`] when it was last evaluated.
    pub(crate) fn is_unsettled(&self, joint: usize) -> bool {
        self.changed_by_joint.get(joint).is_some_and(|changed| *changed > SETTLED)
    }
}

/// The joints whose e is evaluated, and their bodies, each by index.
#[derive(Debug, Clone, Default)]
pub struct Chosen {
    pub joints: Vec<bool>,
    pub bodies: Vec<bool>,
}

/// Whether the step closes any row.
pub(super) fn any(system: &System) -> bool {
    system.closing.iter().any(Option::is_some)
}

/// The rounds of an exact solver. Each round uses the biases for the velocities of the round before.
pub struct Rounds {
    made: u32,
    left: f32,
}

impl Default for Rounds {
    fn default() -> Self {
        Self { made: 1, left: f32::INFINITY }
    }
}

impl Rounds {
    /// Whether the rows have to be solved once more to close the joints; sets their biases. If the solver has not converged,
    /// its own error is larger than what more rounds would remove, so there are few rounds then.
    pub(crate) fn needs_solve(
        &mut self,
        settings: &Settings,
        state: &mut State,
        system: &mut System,
        terms: &[GyroscopicTerm],
        scratch: &mut Scratch,
        h: f32,
        settled: bool,
    ) -> bool {
        if self.made >= if settled { MAX_SOLVES } else { MAX_UNSETTLED_SOLVES } || !any(system) {
            return false;
        }
        let left = update_curvature_bias(settings, state, system, terms, scratch, h);
        // Far from the origin only rounding is left.
        let closed = left < CLOSED || (left < SETTLED && left > 0.5 * self.left);
        (self.made, self.left) = (self.made + 1, left);
        !closed
    }
}

/// Updates the gyroscopic terms and then the biases, as [`update_curvature_bias`] does, between two sweeps. The
/// velocities contain all impulses. With `only`, those of the chosen joints and their bodies.
pub(crate) fn refresh_curvature_bias(
    settings: &Settings,
    state: &mut State,
    system: &mut System,
    terms: &mut [GyroscopicTerm],
    scratch: &mut Scratch,
    h: f32,
    only: Option<&Chosen>,
) {
    let mut turned = std::mem::take(&mut scratch.turned);
    turned.clear();
    turned.resize(state.bodies.len(), false);
    let bodies = only.map(|only| &only.bodies[..]);
    let any_turned = gyroscopic::reevaluate(settings, state, terms, h, bodies, &mut turned);
    update_biases(settings, state, system, terms, scratch, h, only);
    if any_turned {
        const MORE: f32 = 2.0 * SETTLED;
        scratch.changed = scratch.changed.max(MORE);
        for (joint, changed) in state.joints.iter().zip(&mut scratch.changed_by_joint) {
            if turned[joint.def.a as usize] || turned[joint.def.b as usize] {
                *changed = changed.max(MORE);
            }
        }
    }
    scratch.turned = turned;
}

/// Gives each row the bias that closes it at the end of a step with the present velocities; returns the largest error
/// that these velocities would leave in the rows, m or rad.
pub(crate) fn update_curvature_bias(
    settings: &Settings,
    state: &mut State,
    system: &mut System,
    terms: &[GyroscopicTerm],
    scratch: &mut Scratch,
    h: f32,
) -> f32 {
    update_biases(settings, state, system, terms, scratch, h, None)
}

/// The same, with `only` for the rows of the chosen joints.
fn update_biases(
    settings: &Settings,
    state: &mut State,
    system: &mut System,
    terms: &[GyroscopicTerm],
    scratch: &mut Scratch,
    h: f32,
    only: Option<&Chosen>,
) -> f32 {
    if !any(system) {
        return 0.0;
    }
    try_poses(settings, state, terms, scratch, h, only);
    scratch.changed_by_joint.clear();
    scratch.changed_by_joint.resize(state.joints.len(), 0.0);
    let (joints, bodies, velocities, energy_budget) =
        (&mut state.joints, &mut state.bodies, &mut state.velocities, &mut state.energy_budget);
    let (mut worst, mut changed, mut takes_turns) = (0.0f32, 0.0f32, false);
    let exact = properties::of(settings.solver.method).exact;
    energy_budget.reset_bias_changes();
    let chosen = |index: usize| only.is_none_or(|only| only.joints[index]);
    for (joint_index, joint) in
        joints.iter().enumerate().filter(|(index, joint)| joint.broken.is_none() && chosen(*index))
    {
        let joint_settings = stabilize::settings_of(joint, settings);
        if !is_position_level(&joint_settings) {
            continue;
        }
        let ends = joint.frames_in_form(bodies, &joint_settings);
        let (a, b) = (&velocities[joint.def.a as usize], &velocities[joint.def.b as usize]);
        let still = [a, b].into_iter().all(|velocity| is_still(velocity, h));
        let arcs = if still { None } else { follow_arcs(joint, velocities, scratch, settings, h) };
        let other = |row: usize| system.closing[row].is_some_and(|row| row.measures == ErrorForm::Other);
        if !still && (arcs.is_none() || system.rows_of(joint_index).any(other)) {
            joint.rows(&ends, &mut scratch.list);
        }
        let reach = ends.pa().abs().max(ends.pb().abs()).max(ends.xa.abs()).max(ends.xb.abs()).max_element();
        let reach = reach.max(joint.def.kind.reach());
        let account = energy_budget.of(system, (joint.def.a, joint.def.b), bodies);
        let share = energy_budget.share(account);
        let (at_once, loops) = (exact || energy_budget.is_at_once(account), exact || !energy_budget.is_tree(account));
        // A mechanism that one sweep solves; the direct solver closes rounding, too.
        let one_mechanism = at_once && loops && !exact;
        let mut most_changed = 0.0f32;
        for index in system.rows_of(joint_index) {
            let (RowId::Joint { slot, .. }, Some(closing)) = (system.ids[index], system.closing[index]) else {
                continue;
            };
            let row = &mut system.rows[index];
            let speed = speed(row, a, b);
            let rounding = match row.is_angular() {
                true if loops => ROUNDING_ANGLE,
                false if one_mechanism || reach > FAR => ROUNDING.max(ROUNDING_SHARE * reach),
                _ => ROUNDING,
            };
            let e = match (arcs, closing.measures) {
                _ if still => 0.0,
                (Some(arcs), ErrorForm::Along) => row.lin.dot(arcs.along),
                (Some(arcs), ErrorForm::Length) => arcs.length,
                _ => {
                    // A stop that is out of reach at the step's end has no row there.
                    let spec = scratch.list.rows.iter().find(|spec| spec.slot == slot);
                    let e = spec.and_then(|spec| error(spec.kind)).map_or(0.0, |c| c - closing.c - h * speed);
                    if e.abs() > rounding { e } else { 0.0 }
                }
            } / h;
            let one_sided = row.lo == 0.0 || row.hi == 0.0;
            let rope = closing.measures == ErrorForm::Length;
            let before = joint.impulses[slot as usize].abs();
            let snaps = rope && !(scratch.after_impact && before > 0.0);
            let struck = one_sided && before <= if snaps { STRUCK_SHARE * row.impulse.abs() } else { 0.0 };
            let max_turn = match (one_sided, row.is_angular()) {
                (true, _) => MAX_STOP_TURN,
                (_, true) => MAX_TURN_OF_AXES,
                _ => PI,
            };
            let followed = h * a.angular.length().max(b.angular.length()) < max_turn;
            let gapes = closing.gap == 0.0 && closing.c.abs() > MAX_ERROR;
            let e = if followed && !struck && !gapes { e } else { 0.0 };
            let inherited = match (at_once, one_mechanism) {
                (false, _) => 0.0,
                (true, false) if reach <= FAR => closing.inherited,
                (true, _) => beyond(closing.inherited, rounding / h),
            };
            let gap = if reach > FAR { beyond(closing.gap, rounding / h) } else { closing.gap };
            if !at_once && !one_sided {
                row.pseudo_bias = joint_settings.stabilization.beta / h * closing.c;
                takes_turns = true;
            }
            let bias = gap + share * (inherited + e);
            most_changed = most_changed.max(h * (bias - row.bias).abs());
            row.bias = bias;
            worst = worst.max(left(row, speed, h));
        }
        energy_budget.note_bias_change(account, most_changed);
        scratch.changed_by_joint[joint_index] = most_changed;
        changed = changed.max(most_changed);
    }
    if takes_turns {
        for block in system.blocks.iter_mut().filter(|block| !block.pseudo) {
            block.pseudo = system.rows[block.range()].iter().any(Row::is_split);
        }
    }
    let moved = |index: &usize| only.is_none_or(|only| only.bodies[*index]);
    for index in (0..bodies.len()).filter(moved) {
        let (body, (position, rotation, inv_inertia)) = (&mut bodies[index], &scratch.poses[index]);
        (body.position, body.rotation, body.inv_inertia) = (*position, *rotation, *inv_inertia);
    }
    scratch.changed = changed;
    if state.energy_budget.disable_diverging_bias(MAX_FREE_GROWTH) {
        // Once more without it; what is left out does not grow again.
        return update_biases(settings, state, system, terms, scratch, h, only);
    }
    worst
}

/// Moves the bodies, with `only` the chosen ones, along their velocities for `h` seconds, and saves their old poses in
/// `scratch`.
fn try_poses(
    settings: &Settings,
    state: &mut State,
    terms: &[GyroscopicTerm],
    scratch: &mut Scratch,
    h: f32,
    only: Option<&Chosen>,
) {
    let only = only.map(|only| &only.bodies[..]);
    scratch.poses.clear();
    scratch.poses.extend(state.bodies.iter().map(|body| (body.position, body.rotation, body.inv_inertia)));
    scratch.velocities.clone_from(&state.velocities);
    let rotation = settings.formulation.rotation;
    let motions = integrate::Motions { pseudo_velocities: &[], toi_fractions: &[], gyroscopic: terms, rotation, only };
    integrate::poses(&mut state.bodies, &mut scratch.velocities, &motions, h, &mut FaultWatch::default());
}
