//! Measures the angles by which the links of mechanisms turn in a sub-step.
//! θ, φ, b, μ and L are those of `divide/mod.rs`.

use glam::{Vec3, Vec3A};

use super::angles::{MAX_PARTS_LOADED, TurnAngles};
use super::before::Before;
use super::links::{
    axis_curvature_speed, curvature_speed, guides_along_circles, is_loaded_stop, lengths, pull, rope_length,
};
use super::spins::{self, AxisHold};
use crate::graph::DisjointSets;
use crate::joint::Joint;
use crate::plan::paths::{self, Path};
use crate::row::Owner;
use crate::settings::Settings;
use crate::solvers::properties;
use crate::system::System;
use crate::world::state::State;

/// The largest number of parts of a step.
const MAX_PARTS: u32 = 256;
/// Up to this many moving bodies, a step may have `MAX_PARTS` parts. With more bodies it may have fewer parts, for the
/// same work.
const MAX_BODIES_FOR_ALL_PARTS: f32 = 128.0;
/// The largest number of sweeps that the parts for a mechanism on contacts or stops may cost in a step.
const MAX_SWEEPS_LOADED: f32 = 4096.0;
/// The largest angle φ of a link in a sub-step, rad.
const MAX_LINK_ANGLE: f32 = 0.25;
/// The same for a body on a rope, whose swing needs less accuracy, rad. The swing is stable up to √2.
const MAX_ROPE_ANGLE: f32 = 1.0;
/// A mechanism is strained if Σ λ L over its joints, pull times length, exceeds this multiple of its kinetic energy.
const STRAIN: f32 = 200.0;
/// Two bodies that do not move stretch a mechanism between them if their anchors are farther apart than this many
/// lengths of a link.
const APART: f32 = 3.0;
/// A share of a mechanism's kinetic energy below which the part that its fall does not explain is rounding.
const ROUNDING: f32 = 1e-6;
/// A mechanism counts as at rest if its mean speed is below this share of the speed that gravity adds in a step. The
/// pulls of its joints then swing no link.
const STILL: f32 = 1e-3;

/// Buffers, kept from step to step.
#[derive(Default)]
pub struct Scratch {
    /// The mechanisms as sets of bodies.
    mechanisms: DisjointSets,
    /// By a mechanism's first body: its sums.
    sums: Vec<MechanismSums>,
    /// By a mechanism's first body: its largest angles in this step so far.
    pub(super) turns: Vec<TurnAngles>,
    /// By joint: the force with which it held its anchors together in the last sub-step, N.
    pulls: Vec<f32>,
    /// The same at the start of the step.
    start: Vec<f32>,
    /// Whether the bodies are so few that they are always stepped together, see `plan/route.rs`.
    few: bool,
    /// Whether steps are divided for bodies that spin on something.
    follows_spins: bool,
    /// By body: what holds its axis.
    holds: Vec<AxisHold>,
    /// Whether sub-steps of the present step record their angles.
    pub(super) watched: bool,
    /// The state to which a trial step returns.
    pub(super) before: Option<Box<Before>>,
}

/// Sums and maxima over a mechanism, in one measurement.
#[derive(Debug, Clone, Copy, Default)]
struct MechanismSums {
    /// Σ ½ μ b², J.
    curvature_energy: f32,
    /// The largest φ² of a link, rad²: with the present pulls, and with the pulls that last for two sub-steps.
    max_phi_squared: f32,
    max_lasting_phi_squared: f32,
    /// Kinetic energy, J; momentum, N·s; mass, kg.
    kinetic_energy: f32,
    momentum: Vec3A,
    mass: f32,
    /// The number of its bodies.
    bodies: u32,
    /// The largest nutation of a body in a sub-step, as a multiple of its bound.
    nutation: f32,
    /// The widest gap of its joints, as a share of a link's length.
    gap: f32,
    /// The largest excess length of a rope, as a share of its allowed length.
    stretch: f32,
    /// Σ λ L over its joints, with λ the lasting pull as a force, J.
    pull_work: f32,
    /// The first anchor on a body that does not move, world frame, m.
    anchor: Option<Vec3>,
    /// Whether another such anchor is far from the first: see `APART`.
    stretched: bool,
    /// Whether a joint connects it to a body that does not move.
    held: bool,
    /// Whether it bears on something: by a stop, and by a contact.
    loaded: bool,
    touches: bool,
    /// Whether one of its joints is marked as taut.
    taut: bool,
}

impl Scratch {
    /// The angles of a joint's mechanism; `None` if it moves no body.
    pub(super) fn turn_of(&mut self, joint: &Joint) -> Option<TurnAngles> {
        let first_bodies = [joint.def.a, joint.def.b].map(|body| self.mechanisms.first(body) as usize);
        first_bodies.into_iter().find(|first| self.sums[*first].bodies > 0).map(|first| self.turns[first])
    }

    /// Whether any mechanism may ask for more than one part.
    pub(super) fn can_divide(&self) -> bool {
        self.turns.iter().any(|turn| turn.max_parts >= 2.0)
    }

    /// The number of parts that the angles ask for. They were measured in a step of `parts` parts.
    pub(super) fn wanted_parts(&self, parts: u32) -> u32 {
        self.turns.iter().map(|turn| turn.wanted_parts(parts)).max().unwrap_or(1)
    }

    /// The number of parts that close the joints, if a step in `parts` parts has opened any; otherwise 1.
    pub(super) fn parts_to_close(&self, parts: u32) -> u32 {
        self.turns.iter().map(|turn| turn.parts_to_close(parts)).max().unwrap_or(1)
    }

    /// Records the angles of the mechanisms at the start of a step. `few`: whether the bodies are so few that they are
    /// always stepped together.
    pub(super) fn watch_step(&mut self, settings: &Settings, state: &State, few: bool) {
        self.turns.clear();
        self.turns.resize(state.bodies.len(), TurnAngles { strained: true, ..TurnAngles::default() });
        self.watched = true;
        join(state, &mut self.mechanisms);
        (self.few, self.follows_spins) = (few, spins::follows(settings, few));
        spins::list_holds(state, &mut self.holds);
        self.pulls.clear();
        self.pulls.resize(state.joints.len(), f32::INFINITY);
        self.measure(settings, state, None, settings.h());
        self.turns.iter_mut().for_each(|turn| (turn.gap_before, turn.stretch_before) = (turn.gap, turn.stretch));
        self.start.clone_from(&self.pulls);
    }

    /// Clears the angles of the last trial step, and restores the pulls at the start of the step.
    pub(super) fn reset_trial(&mut self) {
        self.turns.iter_mut().for_each(|turn| (turn.unloaded_angle, turn.loaded_angle, turn.spin) = (0.0, 0.0, 0.0));
        self.pulls.clear();
        self.pulls.extend_from_slice(&self.start);
    }

    /// Records the largest angles of each mechanism in a sub-step of `h` seconds, at the present velocities and
    /// impulses. `system` has the rows of the last sub-step; without it stops are not looked for.
    pub(super) fn measure(&mut self, settings: &Settings, state: &State, system: Option<&System>, h: f32) {
        self.sums.clear();
        self.sums.resize(state.bodies.len(), MechanismSums::default());
        self.add_joints(settings, state, h);
        self.add_ropes(settings, state, h);
        self.find_supported(state, system);
        self.add_bodies(state, h);
        self.update_angles(settings);
    }

    /// Adds the joints that guide their anchors along circles: Σ ½ μ b², φ, gaps and pulls.
    fn add_joints(&mut self, settings: &Settings, state: &State, h: f32) {
        let Self { mechanisms, sums, pulls, .. } = self;
        let moves = |body: u32| state.bodies[body as usize].is_dynamic();
        for (index, joint) in state.joints.iter().enumerate().filter(|(_, joint)| guides_along_circles(settings, joint))
        {
            let (a, b) = (joint.def.a, joint.def.b);
            let Some(moving_body) = [a, b].into_iter().find(|body| moves(*body)) else { continue };
            let sum = &mut sums[mechanisms.first(moving_body) as usize];
            sum.held |= !moves(a) || !moves(b);
            sum.taut |= joint.taut > 0;
            let inv_mass = state.bodies[a as usize].inv_mass + state.bodies[b as usize].inv_mass;
            let missed_speed = curvature_speed(joint, &state.bodies, &state.velocities, h);
            sum.curvature_energy += 0.5 * missed_speed.powi(2) / inv_mass;
            let (pull, (reach, swing)) = (pull(joint) / h, lengths(joint, &state.bodies));
            let lasting_pull = pull.min(pulls[index]);
            sum.pull_work += lasting_pull * reach;
            if joint.def.kind.info().coincident {
                sum.gap = sum.gap.max(joint.frames(&state.bodies).p().length() / reach);
            }
            if !moves(a) || !moves(b) {
                let frames = joint.frames(&state.bodies);
                let at = frames.xa + frames.ra;
                let first = *sum.anchor.get_or_insert(at);
                sum.stretched |= first.distance(at) > APART * reach;
            }
            let turn = axis_curvature_speed(joint, &state.velocities, h);
            if let Some(direction) = turn.try_normalize() {
                let inv_i = [a, b].map(|body| {
                    direction.dot(Vec3A::from(state.bodies[body as usize].inv_inertia * Vec3::from(direction)))
                });
                sum.curvature_energy += 0.5 * turn.length_squared() / (inv_i[0] + inv_i[1]).max(f32::MIN_POSITIVE);
            }
            let turn_rate = (missed_speed / reach).max(turn.length());
            let phi_squared = |pull: f32| h * (2.0 * turn_rate).max(h * inv_mass * pull / swing);
            sum.max_phi_squared = sum.max_phi_squared.max(phi_squared(pull));
            sum.max_lasting_phi_squared = sum.max_lasting_phi_squared.max(phi_squared(lasting_pull));
            pulls[index] = pull;
        }
    }

    /// Adds the ropes: φ by their pulls, and how far they are stretched.
    fn add_ropes(&mut self, settings: &Settings, state: &State, h: f32) {
        let Self { mechanisms, sums, pulls, .. } = self;
        let moves = |body: u32| state.bodies[body as usize].is_dynamic();
        for (index, joint) in state.joints.iter().enumerate() {
            let Some(length) = rope_length(settings, joint) else { continue };
            let Some(moving_body) = [joint.def.a, joint.def.b].into_iter().find(|body| moves(*body)) else { continue };
            let sum = &mut sums[mechanisms.first(moving_body) as usize];
            let frames = joint.frames(&state.bodies);
            let length = length.unwrap_or(frames.rest_length).max(f32::MIN_POSITIVE);
            sum.stretch = sum.stretch.max((frames.p().length() - length) / length);
            let inv_mass = state.bodies[joint.def.a as usize].inv_mass + state.bodies[joint.def.b as usize].inv_mass;
            let pull = pull(joint) / h;
            let phi_squared = |pull: f32| (MAX_LINK_ANGLE / MAX_ROPE_ANGLE).powi(2) * h * h * inv_mass * pull / length;
            sum.max_phi_squared = sum.max_phi_squared.max(phi_squared(pull));
            sum.max_lasting_phi_squared = sum.max_lasting_phi_squared.max(phi_squared(pull.min(pulls[index])));
            pulls[index] = pull;
        }
    }

    /// Finds the mechanisms that a stop or a contact supports.
    fn find_supported(&mut self, state: &State, system: Option<&System>) {
        let Self { mechanisms, sums, .. } = self;
        if let Some(System { blocks, rows, .. }) = system {
            for block in blocks.iter().filter(|block| matches!(block.owner, Owner::Joint(_))) {
                if rows[block.range()].iter().any(is_loaded_stop) {
                    [block.a, block.b].into_iter().for_each(|body| sums[mechanisms.first(body) as usize].loaded = true);
                }
            }
        }
        for (a, b, manifold) in state.contacts.manifolds() {
            if manifold.points.iter().any(|point| point.impulse > 0.0) {
                [a, b].into_iter().for_each(|body| sums[mechanisms.first(body) as usize].touches = true);
            }
        }
    }

    /// Adds the bodies: kinetic energy, momentum, mass and nutation.
    fn add_bodies(&mut self, state: &State, h: f32) {
        let Self { mechanisms, sums, follows_spins, holds, .. } = self;
        for (index, (body, velocity)) in state.bodies.iter().zip(&*state.velocities).enumerate() {
            if !body.is_dynamic() {
                continue;
            }
            let sum = &mut sums[mechanisms.first(index as u32) as usize];
            let spin = body.rotation.inverse() * Vec3::from(velocity.angular);
            let rotational = spin.dot(body.inertia_local * spin);
            sum.kinetic_energy += 0.5 * (body.mass * velocity.linear.length_squared() + rotational);
            sum.momentum += body.mass * velocity.linear;
            sum.mass += body.mass;
            sum.bodies += 1;
            if *follows_spins {
                let nutation = match holds[index] {
                    AxisHold::Tilts => spins::nutation_on_joints(body, spin, h) / spins::MAX_ON_JOINTS,
                    AxisHold::Free if sum.touches => spins::nutation(body, spin, h) / MAX_LINK_ANGLE,
                    AxisHold::Free | AxisHold::Held => 0.0,
                };
                sum.nutation = sum.nutation.max(nutation);
            }
        }
    }

    /// Updates the angles of each mechanism by its sums, and finds how many parts it may ask for.
    fn update_angles(&mut self, settings: &Settings) {
        let Self { sums, turns, few, .. } = self;
        // The cost of the direct solver with contacts is not known in advance. With it, a mechanism that bears on
        // something is not divided.
        let exact = properties::of(settings.solver.method).exact;
        let swept = if exact { MAX_SWEEPS_LOADED } else { (settings.step.substeps * settings.sweeps().max(1)) as f32 };
        let moving: u32 = sums.iter().map(|sum| sum.bodies).sum();
        let max_total_parts = MAX_PARTS as f32 * (MAX_BODIES_FOR_ALL_PARTS / moving as f32).min(1.0);
        let still = 0.5 * (STILL * settings.step.gravity.length() / settings.step.rate).powi(2);
        for (sum, turn) in sums.iter_mut().zip(turns) {
            if sum.kinetic_energy <= still * sum.mass && !sum.taut {
                (sum.max_phi_squared, sum.max_lasting_phi_squared) = (0.0, 0.0);
            }
            // Worlds of many mechanisms may also be stepped in batches or in SIMD lanes, where steps are not divided.
            let divides = *few || sum.bodies == moving;
            turn.max_parts = if divides { max_total_parts * sum.bodies as f32 / moving as f32 } else { 1.0 };
            turn.max_parts_opened = turn.max_parts.min(MAX_SWEEPS_LOADED / swept);
            turn.max_parts_loaded = turn.max_parts_opened.min(MAX_PARTS_LOADED);
            turn.loaded |= sum.loaded || sum.touches;
            turn.touches |= sum.touches;
            turn.stretched |= sum.stretched;
            turn.strained &= sum.pull_work > STRAIN * sum.kinetic_energy;
            turn.taut |= sum.taut;
            (turn.gap, turn.stretch) = (sum.gap, sum.stretch);
            if sum.curvature_energy > 0.0 {
                let common = if sum.held { 0.0 } else { 0.5 * sum.momentum.length_squared() / sum.mass };
                let own_energy =
                    (sum.kinetic_energy - common).max(ROUNDING * sum.kinetic_energy).max(f32::MIN_POSITIVE);
                let theta = 2.0 * (sum.curvature_energy / own_energy).sqrt();
                let phi = sum.max_phi_squared.sqrt();
                turn.unloaded_angle = turn.unloaded_angle.max(theta / settings.step.max_turn).max(phi / MAX_LINK_ANGLE);
            }
            turn.loaded_angle = turn.loaded_angle.max(sum.max_lasting_phi_squared.sqrt() / MAX_LINK_ANGLE);
            turn.spin = turn.spin.max(sum.nutation);
        }
    }
}

/// Records the angles of the mechanisms at the end of a sub-step, if the step may be divided.
pub(crate) fn record_angles(settings: &Settings, state: &State, system: &System, scratch: &mut Scratch) {
    if scratch.watched {
        scratch.measure(settings, state, Some(system), settings.h());
    }
}

/// Finds the mechanisms: moving bodies connected by joints.
fn join(state: &State, mechanisms: &mut DisjointSets) {
    mechanisms.clear(state.bodies.len());
    let moves = |body: u32| state.bodies[body as usize].is_dynamic();
    for joint in state.joints.iter().filter(|joint| joint.broken.is_none()) {
        if moves(joint.def.a) && moves(joint.def.b) {
            mechanisms.join(joint.def.a, joint.def.b);
        }
    }
}

/// Whether any step of this world may be divided. `few`: whether the bodies are so few that they are always stepped
/// together.
pub(super) fn may_divide(settings: &Settings, state: &State, few: bool) -> bool {
    let is_watched = |joint: &Joint| guides_along_circles(settings, joint) || rope_length(settings, joint).is_some();
    paths::takes(Path::Division, settings)
        && (state.joints.iter().any(|joint| is_watched(joint))
            || spins::follows(settings, few) && spins::any(settings, state, MAX_LINK_ANGLE))
}
