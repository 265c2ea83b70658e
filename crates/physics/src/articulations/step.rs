//! One step of a group: all its sub-steps, while its data stay in the core's own cache.
//!
//! ```text
//! forces     v += h g,  ω += the gyroscopic term (gyroscopic.rs)
//! solve      M Δu = Jᵀ λ,  J (u + Δu) + b = 0      one pass from the leaves, one from the root (articulated.rs)
//! push       M Δu' = Jᵀ λ',  J Δu' + b' = 0        the split correction: the same factors, another right-hand side
//! move       x += h (v + v'),  q ← exp(h (ω + ω')) q
//! ```
//! An exact solve needs no old impulses, so nothing is warm-started. Only the gyroscopic term uses them: it is
//! evaluated at the velocity after half of the step's impulses, estimated by those of the previous step.
//!
//! Some cases are not solved here: a bound that may be reached, a velocity that runs away, opposed hinge axes. Such a
//! lane keeps its state, and its step is made by rows.

use glam::{Vec3, Vec3A};

use super::articulated::{ArticulatedInertia, Ball, FreeAxis, SpatialVector};
use super::bounds;
use super::closing::JointClosing;
use super::fixed::Tensor;
use super::group::{MechanismGroup, NodeState};
use super::solve::{ImpulseMode, JointPass, levers};
use crate::body::Velocity;
use crate::fault::{EDGE, RUNAWAY};
use crate::joint::Joint;
use crate::joints::{Relative, unwrapped_value};
use crate::kernel::lanes::{LANES, Lanes, Quaternions, Symmetric, Vectors, below, mask, splat};
use crate::row::RowList;
use crate::settings::{Gyroscopic, Settings, Stabilization};
use crate::{gyroscopic, stabilize};

/// Parameters of a step, from the settings.
#[derive(Debug, Clone, Copy)]
pub struct StepParameters {
    /// Length of a sub-step, s, and number of sub-steps.
    pub h: f32,
    pub substeps: u32,
    pub gravity: Vec3,
    /// ‖gravity‖, m/s².
    pub weight: f32,
    /// The rates at which position errors are corrected, 1/s: `baumgarte_rate` through the velocities (Baumgarte), `split_rate`
    /// by the split correction; `_angles` for angle errors.
    pub baumgarte_rate: f32,
    pub baumgarte_rate_angles: f32,
    pub split_rate: f32,
    pub split_rate_angles: f32,
    gyroscopic: Gyroscopic,
    /// The share of the old impulses that the gyroscopic term assumes.
    pub old_impulse_share: f32,
    /// Whether the joints' read-outs are wanted.
    pub reads: bool,
    /// Whether the step's impulses close the joints at its end (SHAKE, RATTLE); whether they close angles too; and
    /// whether the velocities read belong to the end of the step (RATTLE).
    pub closes: bool,
    pub closes_angles: bool,
    pub rattles: bool,
    /// Whether this is SHAKE's first sub-step, whose velocities belong to its beginning: its kicks are halved.
    pub is_first_substep: bool,
    /// The rates, 1/s, at which the split correction removes the errors that SHAKE and RATTLE do not close: of lengths, and of
    /// angles.
    pub unclosed_rate: f32,
    pub unclosed_rate_angles: f32,
}

impl StepParameters {
    pub fn new(settings: Settings, reads: bool, runs: bool) -> Self {
        let (h, stabilization) = (settings.h(), &settings.stabilization);
        let rate = stabilization.beta / h;
        let rate_of = |method| if stabilization.method == method { rate } else { 0.0 };
        let (baumgarte_rate, split_rate) = (rate_of(Stabilization::Baumgarte), rate_of(Stabilization::Split));
        let angles = |rate: f32| if settings.formulation.angular_stabilization { rate } else { 0.0 };
        Self {
            h,
            substeps: settings.step.substeps,
            gravity: settings.step.gravity,
            weight: settings.step.gravity.length(),
            baumgarte_rate,
            baumgarte_rate_angles: angles(baumgarte_rate),
            split_rate,
            split_rate_angles: angles(split_rate),
            gyroscopic: settings.step.gyroscopic,
            old_impulse_share: settings.warm_joints(),
            reads,
            closes: stabilize::is_position_level(&settings),
            closes_angles: settings.formulation.angular_stabilization,
            rattles: stabilization.method == Stabilization::Rattle,
            is_first_substep: stabilize::is_position_level(&settings) && !runs,
            unclosed_rate: rate,
            unclosed_rate_angles: angles(rate),
        }
    }
}

/// Working memory of a thread, kept from step to step.
#[derive(Debug, Clone, Default)]
pub struct Scratch {
    pub states: Vec<NodeState>,
    pub anchors: Vec<Vectors>,
    pub axes: Vec<Vectors>,
    pub values: Vec<f32>,
    /// By node: M̂.
    pub subtree_inertias: Vec<ArticulatedInertia>,
    /// By right-hand side and node: p, then Δu.
    pub forces: [Vec<SpatialVector>; 2],
    pub joints: Vec<JointPass>,
    /// By node, for ball joints: the eliminated rotation, and E.
    pub balls: Vec<Ball>,
    pub points: Vec<Symmetric>,
    /// By node, for nodes with other joints: the eliminated axes, and M̂' after their elimination.
    pub turns: Vec<[FreeAxis; 3]>,
    pub reduced: Vec<ArticulatedInertia>,
    pub list: RowList,
    /// For SHAKE and RATTLE: the errors to close, the trial poses, the lanes that have not settled, the expected
    /// velocities (later the split-correction velocities set aside), the mid-step velocities, and the gyroscopic
    /// changes of the angular velocities.
    pub closings: Vec<JointClosing>,
    pub trial_states: Vec<NodeState>,
    pub open: Lanes,
    pub kept: Vec<SpatialVector>,
    pub midpoints: Vec<SpatialVector>,
    pub changes: Vec<GyroscopicChange>,
}

/// The gyroscopic term of a body in a sub-step.
#[derive(Debug, Clone, Copy)]
pub struct GyroscopicChange {
    /// The angular velocity before it and before all impulses, rad/s, world axes.
    before: Vec3,
    /// The change by impulses at which it was evaluated, rad/s.
    impulses: Vec3,
    /// By how much it changes the angular velocity, rad/s.
    pub change: Vec3,
}

impl MechanismGroup {
    /// Makes one step. Lanes that must be stepped by rows keep their state and are set in `by_rows`.
    pub fn step(&mut self, params: &StepParameters, joints: &[Box<Joint>], scratch: &mut Scratch) {
        self.loads.clear();
        if params.reads {
            self.loads.resize(self.states.len(), (SpatialVector::ZERO, Lanes::ZERO));
        }
        scratch.states.clone_from(&self.states);
        scratch.kept.clear();
        for (state, half) in scratch.states.iter_mut().zip(&self.midpoints) {
            // The velocity read is half a kick past the middle of the last step; the middle of this step is another
            // half kick further.
            scratch.kept.push(SpatialVector { v: state.v + state.v - half.v, w: state.w + state.w - half.w });
            (state.v, state.w) = (half.v, half.w);
        }
        scratch.midpoints.clear();
        scratch.anchors.clone_from(&self.anchors);
        scratch.axes.clone_from(&self.axes);
        scratch.values.clone_from(&self.values);
        let mut fine = !self.by_rows_next;
        let mut params = *params;
        let params = &mut params;
        for _ in 0..params.substeps {
            fine &= if params.closes {
                self.closing_substep(params, joints, scratch)
            } else if params.split_rate > 0.0 {
                self.substep::<2>(params, joints, scratch)
            } else {
                self.substep::<1>(params, joints, scratch)
            };
            self.unwrap_angles(joints, scratch, params.h);
        }
        if params.rattles {
            fine &= self.finish(params, scratch);
        }
        self.by_rows_before = std::mem::replace(&mut self.by_rows, !fine & self.fixed.lanes);
        let fine_lanes = mask(std::array::from_fn(|lane| !self.by_rows >> lane & 1 == 1));
        let worst = self.loads.iter().fold(Lanes::ZERO, |worst, (_, wrong)| worst.fast_max(*wrong & fine_lanes));
        self.residual = worst.to_array().into_iter().fold(0.0, f32::max);
        if self.by_rows == 0 {
            std::mem::swap(&mut self.states, &mut scratch.states);
            std::mem::swap(&mut self.anchors, &mut scratch.anchors);
            std::mem::swap(&mut self.axes, &mut scratch.axes);
            std::mem::swap(&mut self.values, &mut scratch.values);
            std::mem::swap(&mut self.midpoints, &mut scratch.midpoints);
        } else {
            self.keep_lanes(fine, scratch);
        }
    }

    /// Takes over the new state of the lanes in `fine`.
    fn keep_lanes(&mut self, fine: u8, scratch: &Scratch) {
        let taken = mask(std::array::from_fn(|lane| fine >> lane & 1 == 1));
        for (old, new) in self.states.iter_mut().zip(&scratch.states) {
            old.x = Vectors::select(taken, new.x, old.x);
            old.q = Quaternions::select(taken, new.q, old.q);
            old.v = Vectors::select(taken, new.v, old.v);
            old.w = Vectors::select(taken, new.w, old.w);
        }
        let lists = [(&mut self.anchors, &scratch.anchors), (&mut self.axes, &scratch.axes)];
        for (old, new) in lists.into_iter().flat_map(|(old, new)| old.iter_mut().zip(new)) {
            *old = Vectors::select(taken, *new, *old);
        }
        self.midpoints.resize(scratch.midpoints.len(), SpatialVector::ZERO);
        for (old, new) in self.midpoints.iter_mut().zip(&scratch.midpoints) {
            old.v = Vectors::select(taken, new.v, old.v);
            old.w = Vectors::select(taken, new.w, old.w);
        }
        for ((_, lane), (old, new)) in self.fixed.unwrapped.iter().zip(self.values.iter_mut().zip(&scratch.values)) {
            if fine >> lane & 1 == 1 {
                *old = *new;
            }
        }
    }

    /// Makes one sub-step. Returns a bit mask of the lanes in which it succeeded.
    fn substep<const SIDES: usize>(
        &mut self,
        params: &StepParameters,
        joints: &[Box<Joint>],
        scratch: &mut Scratch,
    ) -> u8 {
        self.kick(params, scratch);
        let mut fine = self.down::<SIDES, false>(params, scratch);
        self.up::<SIDES>(params, scratch, ImpulseMode::Set);
        fine &= bounds::within_bounds(self, params, joints, scratch);
        fine & self.advance::<SIDES>(params, scratch)
    }

    /// The same for SHAKE and RATTLE, whose impulses close the joints.
    fn closing_substep(&mut self, params: &mut StepParameters, joints: &[Box<Joint>], scratch: &mut Scratch) -> u8 {
        let (mut fine, pseudo) = self.close(params, scratch);
        params.is_first_substep = false;
        fine &= bounds::within_bounds(self, params, joints, scratch);
        fine & if pseudo { self.advance::<2>(params, scratch) } else { self.advance::<1>(params, scratch) }
    }

    /// Adds gravity and the gyroscopic term to the velocities; half of them in SHAKE's first sub-step.
    pub fn kick(&self, params: &StepParameters, scratch: &mut Scratch) {
        scratch.changes.clear();
        if params.gyroscopic != Gyroscopic::Off && !self.fixed.gyroscopic_bodies.is_empty() {
            self.apply_gyroscopic(params, scratch);
        }
        let share = if params.is_first_substep { 0.5 } else { 1.0 };
        let by = Vectors::splat(params.gravity * (share * params.h));
        for (state, link) in scratch.states.iter_mut().zip(&self.fixed.links) {
            state.v += if link.full { by } else { by.masked(link.present) };
        }
    }

    /// The old impulses as impulse and torque on each body's centre, along the present rows.
    pub fn cached_loads(&self, scratch: &mut Scratch) {
        let Scratch { states, anchors, axes, forces: [loads, _], .. } = scratch;
        loads.clear();
        loads.resize(states.len(), SpatialVector::ZERO);
        for (node, link) in self.fixed.links.iter().enumerate() {
            let parent = self.parent(node, states);
            let (lever, arm, _) = levers(link, &states[node], &parent);
            let q = Quaternions::select(link.second, parent.q, states[node].q);
            let mut about = Vectors::ZERO;
            if let Some(constraint) = self.fixed.angular.get(node) {
                let [u, v] = constraint.across;
                let hinge = q.rotate(u * axes[node].x + v * axes[node].y);
                about = Vectors::select(constraint.hinge, hinge, axes[node].masked(constraint.fixed));
            }
            let impulse = SpatialVector { v: q.rotate(anchors[node]), w: about }.masked(link.present);
            let impulse = SpatialVector {
                v: Vectors::select(link.second, impulse.v, -impulse.v),
                w: Vectors::select(link.second, impulse.w, -impulse.w),
            };
            let here = impulse.force_from(lever);
            let load = &mut loads[node];
            *load = SpatialVector { v: load.v + here.v, w: load.w + here.w };
            if let Some(parent) = loads.get_mut(self.fixed.shape.parents[node] as usize) {
                let there = impulse.force_from(arm);
                *parent = SpatialVector { v: parent.v - there.v, w: parent.w - there.w };
            }
        }
    }

    /// Adds the gyroscopic term to the angular velocities, body by body: see `gyroscopic.rs`.
    fn apply_gyroscopic(&self, params: &StepParameters, scratch: &mut Scratch) {
        self.cached_loads(scratch);
        let Scratch { states, changes, forces: [torques, _], .. } = scratch;
        for &(node, lane) in &self.fixed.gyroscopic_bodies {
            let (node, lane) = (node as usize, lane as usize);
            let (state, Tensor { inertia, inverse }) = (&mut states[node], &self.fixed.tensors[node]);
            let rotation = state.q.lane(lane);
            let torque = rotation.inverse() * torques[node].w.lane(lane);
            let impulses = rotation * (inverse.lane(lane) * torque) * params.old_impulse_share;
            let before = state.w.lane(lane);
            let tensors = (&inertia.lane(lane), &inverse.lane(lane));
            let change = gyroscopic::change(tensors, rotation, before, impulses, params.gyroscopic, params.h);
            changes.push(GyroscopicChange { before, impulses, change });
            state.w.set(lane, before + if params.is_first_substep { 0.5 * change } else { change });
        }
    }

    /// Evaluates the gyroscopic term again in the open lanes, with the present impulses. Returns the largest angle by which
    /// the change rotates a body in the sub-step, by lane, rad.
    pub fn reevaluate_gyroscopic(&self, params: &StepParameters, scratch: &mut Scratch) -> Lanes {
        let mut largest = [0.0f32; LANES];
        if params.gyroscopic == Gyroscopic::Midpoint && !params.is_first_substep {
            let Scratch { states, changes, open, .. } = scratch;
            let open = open.to_bitmask();
            for (&(node, lane), term) in self.fixed.gyroscopic_bodies.iter().zip(changes) {
                let (node, lane) = (node as usize, lane as usize);
                let (state, Tensor { inertia, inverse }) = (&mut states[node], &self.fixed.tensors[node]);
                let omega = state.w.lane(lane);
                let impulses = omega - term.before - term.change;
                let by = Vec3A::from(impulses - term.impulses);
                if open >> lane & 1 == 0 || !gyroscopic::differs(term.before.length(), by, params.h) {
                    continue;
                }
                let tensors = (&inertia.lane(lane), &inverse.lane(lane));
                let rotation = state.q.lane(lane);
                let change = gyroscopic::change(tensors, rotation, term.before, impulses, params.gyroscopic, params.h);
                state.w.set(lane, omega + (change - term.change));
                largest[lane] = largest[lane].max(params.h * (change - term.change).length());
                (term.impulses, term.change) = (impulses, change);
            }
        }
        Lanes::from(largest)
    }

    /// Moves the bodies. Returns a bit mask of the lanes in which no body runs away.
    fn advance<const SIDES: usize>(&self, params: &StepParameters, scratch: &mut Scratch) -> u8 {
        let Scratch { states, forces, .. } = scratch;
        let (h, half) = (splat(params.h), splat(0.5 * params.h));
        let mut fine = below(Lanes::ZERO, 1.0);
        for (node, state) in states.iter_mut().enumerate() {
            let (mut v, mut w) = (state.v, state.w);
            if SIDES == 2 {
                let link = &self.fixed.links[node];
                let pseudo_bias = forces[1][node].masked(link.present);
                (v, w) = (v + pseudo_bias.v, w + pseudo_bias.w);
                fine &= below(pseudo_bias.v.size() + pseudo_bias.w.size(), RUNAWAY);
            }
            fine &= below(state.v.size() + state.w.size(), RUNAWAY);
            state.x += v * h;
            fine &= below(state.x.size(), EDGE);
            state.q = state.q.turned(w * half);
        }
        fine.to_bitmask() as u8
    }

    /// Updates the joint angles that count turns, after a sub-step of `h` seconds.
    fn unwrap_angles(&self, joints: &[Box<Joint>], scratch: &mut Scratch, h: f32) {
        let Scratch { states, values, .. } = scratch;
        for (&(node, lane), value) in self.fixed.unwrapped.iter().zip(values) {
            let (node, lane) = (node as usize, lane as usize);
            let member = &self.fixed.shape.members[node][lane];
            let joint = &joints[member.joint as usize];
            let frames = bounds::frames(self, states, (node, lane), joint, *value);
            let body = &states[node];
            let parent = if node == 0 { &self.base } else { &states[self.fixed.shape.parents[node] as usize] };
            let (a, b) = if member.second { (parent, body) } else { (body, parent) };
            let velocity =
                |state: &NodeState| Velocity { linear: state.v.lane(lane).into(), angular: state.w.lane(lane).into() };
            *value =
                unwrapped_value(&joint.def.kind, &frames, &Relative::between(&frames, &velocity(a), &velocity(b)), h);
        }
    }
}
