//! SHAKE and RATTLE (`shake.rs`, `rattle/`) by exact solves: impulses along J(x₀) close the joints at the end of
//! the step.
//!
//! ```text
//! c(x)     the rows' errors at x; of anchors and hinges along A's axes
//! bias     b = [clamp c(x₀) + c(x₀ ⊕ h v) − c(x₀)]/h − J(x₀) v       of anchors by `arcs.rs`; v: first the expected velocities, then the solved
//! solve    J(x₀) u + b = 0                                          repeated until b changes by less than SETTLED
//!          the gyroscopic term between two solves, with the impulses of the one before
//! end      RATTLE: half a kick, and J(x₁) u = 0 for the velocities that are read
//! ```
//! A lane that has settled is not solved again. A lane that will not settle within `MAX_SOLVES` solves, judged by the rate
//! at which its changes shrink (as when a chain cracks like a whip), takes b = 0: the method of split impulses, which
//! takes energy out. A closed step belongs to a symplectic scheme, so the energy that its impulses add returns later.
//! If it does not (a light link under a load that rotates by a radian per step) it accumulates. So each mechanism has
//! an energy account as in `energy_budget/`: once its joints have added more than half of the bound, it takes b = 0 until
//! the energy that this removes has balanced the account.

use super::articulated::SpatialVector;
use super::group::{MechanismGroup, NodeState};
use super::solve::{ImpulseMode, JointPass, levers};
use super::step::{Scratch, StepParameters};
use crate::arcs::{Curve, Displacements, End};
use crate::energy_budget::{CLOSED, HEIGHT, MEMORY};
use crate::gyroscopic;
use crate::kernel::joint::{inherited_error, left_to_correction};
use crate::kernel::lanes::{Lanes, Quaternions, Vectors, below, select, splat};
use crate::shake::SETTLED;
use crate::stabilize;

/// The most solves per sub-step; slow motion needs two or three.
const MAX_SOLVES: u32 = 10;
/// The most solves after these for gyroscopic terms that have not settled: a wheel that turns by a radian a sub-step
/// takes some twenty.
const MAX_TURNS: u32 = 40;

/// The lanes in which the change would still exceed `SETTLED` after `left` more solves, extrapolated at the ratio
/// `changed`/`last`. All solves use the same factors, so changes shrink or grow geometrically.
fn stays_open(last: Lanes, changed: Lanes, left: u32) -> Lanes {
    let rate = changed / last;
    let end = (0..left).fold(changed, |end, _| end * rate);
    // NaN counts as open.
    !below(end, SETTLED)
}

/// The constraint errors of a node's joint in a sub-step, and the biases that close them.
#[derive(Debug, Clone, Copy, Default)]
pub struct JointClosing {
    /// c(x₀), m and rad, along A's axes at x₀.
    c: SpatialVector,
    /// J u before forces, m/s and rad/s.
    before: SpatialVector,
    /// b and the bias of the split correction, world axes, m/s and rad/s.
    pub bias: SpatialVector,
    pub pseudo_bias: SpatialVector,
}

/// Energy accounts, by lane, J.
#[derive(Debug, Clone, Copy, Default)]
pub struct LaneAccounts {
    /// Energy that the joints' impulses have added.
    pub added: Lanes,
    /// The largest recent kinetic energy; it decays with the time constant `MEMORY` of `energy_budget/`.
    pub max_kinetic_energy: Lanes,
}

impl MechanismGroup {
    /// The orientations of the joints' A bodies at a node.
    fn axes_of(&self, node: usize, states: &[NodeState]) -> Quaternions {
        Quaternions::select(self.fixed.links[node].second, self.parent(node, states).q, states[node].q)
    }

    /// c at a node: anchor gap, m, and angle error, rad, along A's axes (of a weld the angle error is in world axes).
    fn error(&self, node: usize, states: &[NodeState]) -> SpatialVector {
        let (own, parent) = (&states[node], self.parent(node, states));
        let (_, _, gap) = levers(&self.fixed.links[node], own, &parent);
        let q = self.axes_of(node, states);
        SpatialVector { v: q.rotate_back(gap), w: self.angle_error(node, states) }
    }

    /// The angle errors at a node, as in [`Self::error`].
    fn angle_error(&self, node: usize, states: &[NodeState]) -> Vectors {
        let (own, parent) = (&states[node], self.parent(node, states));
        if self.fixed.links[node].plain {
            return Vectors::ZERO;
        }
        let (error, _, _) = self.angular_error(node, own, &parent);
        let q = self.axes_of(node, states);
        Vectors::select(self.fixed.angular[node].hinge, q.rotate_back(error), error)
    }

    /// By how much a straight step of `h` seconds misses the anchor of a node's joint, world axes, m: see `arcs.rs`.
    fn missed(&self, node: usize, states: &[NodeState], h: Lanes, speeds: impl Fn(usize) -> SpatialVector) -> Vectors {
        let (own, parent) = (&states[node], self.parent(node, states));
        let link = &self.fixed.links[node];
        let (here, there) = (own.q.rotate(link.anchor), parent.q.rotate(link.above));
        let above = if node == 0 { SpatialVector::ZERO } else { speeds(self.fixed.shape.parents[node] as usize) };
        let end = |SpatialVector { v, w }: SpatialVector, arm: Vectors| {
            let turn = w * h;
            End { shift: v * h, turn, curve: Curve::of(turn), arm }
        };
        let (to, from) = (end(speeds(node), here), end(above, there));
        let carried =
            (Vectors::select(link.second, from.turn, to.turn), Curve::select(link.second, from.curve, to.curve));
        Displacements::of(&from, &to).missed((own.x + here) - (parent.x + there), carried)
    }

    /// Rotates errors along A's axes at a node to world axes.
    fn to_world_axes(&self, node: usize, q: Quaternions, c: SpatialVector) -> SpatialVector {
        let v = q.rotate(c.v);
        let w = match self.fixed.angular.get(node) {
            Some(constraint) => Vectors::select(constraint.hinge, q.rotate(c.w), c.w),
            None => Vectors::ZERO,
        };
        SpatialVector { v, w }
    }

    /// J u at a node: relative velocity of the anchors and relative angular velocity.
    fn relative(&self, node: usize, pass: &JointPass, speeds: impl Fn(usize) -> SpatialVector) -> SpatialVector {
        let own = speeds(node);
        let above = if node == 0 { SpatialVector::ZERO } else { speeds(self.fixed.shape.parents[node] as usize) };
        SpatialVector { v: own.v + own.w.cross(pass.lever) - above.v - above.w.cross(pass.arm), w: own.w - above.w }
    }

    /// Computes the errors at the sub-step's start and the split-correction biases. Returns whether any split
    /// correction is needed, the kinetic energy, J, and the mass, kg, by lane.
    fn open(&self, params: &StepParameters, scratch: &mut Scratch) -> (bool, Lanes, Lanes) {
        let Scratch { states, closings, joints, .. } = scratch;
        let mut pseudo = false;
        let nodes = self.states.len();
        closings.clear();
        closings.resize(nodes, JointClosing::default());
        joints.resize(nodes, JointPass::default());
        let (mut motion, mut mass) = (Lanes::ZERO, Lanes::ZERO);
        for node in 0..nodes {
            let link = &self.fixed.links[node];
            let (own, c) = (&states[node], self.error(node, states));
            let q = self.axes_of(node, states);
            let left = SpatialVector { v: c.v.map(left_to_correction), w: c.w.map(left_to_correction) };
            let shown = if node == 0 { link.present & self.fixed.rooted } else { link.present };
            pseudo |= ((left.v.size() + left.w.size()) & shown).to_array().into_iter().any(|left| left != 0.0);
            let left = self.to_world_axes(node, q, left);
            let left = SpatialVector {
                v: left.v * splat(params.unclosed_rate),
                w: left.w * splat(params.unclosed_rate_angles),
            };
            let pass = &mut joints[node];
            (pass.lever, pass.arm, _) = levers(link, own, &self.parent(node, states));
            let before = self.relative(node, pass, |node| SpatialVector { v: states[node].v, w: states[node].w });
            closings[node] = JointClosing { c, before, bias: SpatialVector::ZERO, pseudo_bias: left };
            let constraint = if self.round() {
                own.w.dot(own.w) * link.moment
            } else {
                let w = own.q.rotate_back(own.w);
                w.dot(self.fixed.tensors[node].inertia.times(w))
            };
            motion += (splat(0.5) * (own.v.dot(own.v) * link.mass + constraint)) & link.present;
            mass += link.mass & link.present;
        }
        (pseudo, motion, mass)
    }

    /// Solves the velocities and impulses of a sub-step. Returns a bit mask of the lanes whose hinge axes are not
    /// opposed, and whether there is a split correction.
    pub fn close(&mut self, params: &StepParameters, scratch: &mut Scratch) -> (u8, bool) {
        let (pseudo, motion, mass) = self.open(params, scratch);
        let Scratch { states, kept, .. } = scratch;
        if kept.is_empty() {
            kept.extend(states.iter().map(|state| SpatialVector { v: state.v, w: state.w }));
        }
        self.kick(params, scratch);
        let all = below(Lanes::ZERO, 1.0);
        let LaneAccounts { added, max_kinetic_energy: most } = self.accounts;
        let most = (most * splat((1.0 - params.h / MEMORY as f32).max(0.0))).fast_max(motion);
        let half = (most * splat(CLOSED as f32) + mass * splat(params.weight * HEIGHT as f32)) * splat(0.5);
        let mut straight = half.simd_lt(added);
        self.update_curvature_bias(params, scratch, true, straight);
        scratch.open = all;
        let fine = if pseudo { self.down::<2, true>(params, scratch) } else { self.down::<1, true>(params, scratch) };
        if pseudo {
            self.up::<2>(params, scratch, ImpulseMode::Set);
            let Scratch { forces: [_, pushed], kept, .. } = scratch;
            std::mem::swap(pushed, kept);
        } else {
            self.up::<1>(params, scratch, ImpulseMode::Set);
        }
        scratch.open = all & !straight;
        // Lanes whose b still changes; others may wait for their gyroscopic terms.
        let mut unsettled = scratch.open;
        let (mut last, mut lost) = (Lanes::ZERO, Lanes::ZERO);
        for solve in 1..MAX_SOLVES + MAX_TURNS {
            if !scratch.open.any() {
                break;
            }
            let turned = self.reevaluate_gyroscopic(params, scratch);
            let changed = self.update_curvature_bias(params, scratch, false, straight);
            if solve > 1 {
                lost |= unsettled
                    & below(turned, gyroscopic::SETTLED)
                    & stays_open(last, changed, (MAX_SOLVES - 1).saturating_sub(solve));
                scratch.open &= !lost;
                if !scratch.open.any() {
                    break;
                }
            }
            self.again(params, scratch);
            unsettled &= !below(changed, SETTLED);
            scratch.open &= unsettled | !below(turned, gyroscopic::SETTLED);
            last = changed;
        }
        // Lanes that do not settle, or whose account would exceed its bound, take b = 0. A whip crack adds energy in
        // one step and returns it in the next, so the lesser of the last two sums counts.
        let work = self.work(scratch);
        let over = half.simd_lt((added + work).fast_min(added)) | lost | (scratch.open & unsettled);
        straight |= over;
        if over.any() {
            scratch.open = over;
            scratch.closings.iter_mut().for_each(|closing| closing.bias = closing.bias.masked(all & !over));
            self.again(params, scratch);
        }
        let work = if over.any() { self.work(scratch) } else { work };
        self.accounts = LaneAccounts { added: (added + work).fast_max(-half - half), max_kinetic_energy: most };
        if pseudo {
            std::mem::swap(&mut scratch.forces[1], &mut scratch.kept);
        }
        scratch.kept.clear();
        (fine, pseudo)
    }

    /// Solves once more with the same factors.
    fn again(&mut self, params: &StepParameters, scratch: &mut Scratch) {
        self.down_again(scratch);
        self.up::<1>(params, scratch, ImpulseMode::Add);
    }

    /// Updates b. Returns how much the displacement that it asks for has changed, m or rad.
    fn update_curvature_bias(
        &self,
        params: &StepParameters,
        scratch: &mut Scratch,
        first: bool,
        straight: Lanes,
    ) -> Lanes {
        let Scratch { states, trial_states, closings, joints, kept, .. } = scratch;
        let (h, half, rate) = (splat(params.h), splat(0.5 * params.h), splat(1.0 / params.h));
        let noise = stabilize::share_of_noise(params.h);
        trial_states.clone_from(states);
        let speeds = |node: usize| {
            let state = &states[node];
            if first { kept[node] } else { SpatialVector { v: state.v, w: state.w } }
        };
        if !self.fixed.angular.is_empty() {
            for (node, trial) in trial_states.iter_mut().enumerate() {
                trial.q = trial.q.turned(speeds(node).w * half);
            }
        }
        let mut changed = Lanes::ZERO;
        for (node, closing) in closings.iter_mut().enumerate() {
            let link = &self.fixed.links[node];
            let old = closing.c;
            let inherited = |c: Vectors| c.map(|c| inherited_error(c, noise));
            let v = inherited(old.v);
            let w = if self.fixed.angular.is_empty() {
                Vectors::ZERO
            } else {
                inherited(old.w) + self.angle_error(node, trial_states) - old.w
            };
            let b = self.to_world_axes(node, self.axes_of(node, states), SpatialVector { v: v * rate, w: w * rate });
            let mut bias = SpatialVector { v: b.v + self.missed(node, states, h, speeds) * rate, w: Vectors::ZERO };
            if let Some(constraint) = self.fixed.angular.get(node) {
                bias.w = b.w - self.relative(node, &joints[node], speeds).w;
                // A hinge has no row along its axis.
                let (_, axis, _) = self.angular_error(node, &states[node], &self.parent(node, states));
                let across = bias.w - axis * axis.dot(bias.w);
                bias.w = Vectors::select(constraint.hinge, across, bias.w.masked(constraint.fixed));
                bias.w = if params.closes_angles { bias.w } else { Vectors::ZERO };
            }
            let curved = below(Lanes::ZERO, 1.0) & !straight;
            bias = bias.masked(curved);
            let by = (bias.v - closing.bias.v).size() + (bias.w - closing.bias.w).size();
            let shown = if node == 0 { link.present & self.fixed.rooted } else { link.present };
            changed = changed.fast_max((by * h) & shown);
            closing.bias = bias;
        }
        changed
    }

    /// The energy that the impulses have added, J: λᵀ J ½ (v⁻ + v).
    fn work(&self, scratch: &Scratch) -> Lanes {
        let Scratch { states, anchors, axes, closings, joints, .. } = scratch;
        let mut work = Lanes::ZERO;
        for (node, closing) in closings.iter().enumerate() {
            let link = &self.fixed.links[node];
            let now = self.relative(node, &joints[node], |node| SpatialVector { v: states[node].v, w: states[node].w });
            let q = self.axes_of(node, states);
            let mut sum = q.rotate(anchors[node]).dot(closing.before.v + now.v);
            if let Some(constraint) = self.fixed.angular.get(node) {
                let [u, v] = constraint.across;
                let hinge = q.rotate(u * axes[node].x + v * axes[node].y);
                let about = Vectors::select(constraint.hinge, hinge, axes[node].masked(constraint.fixed));
                sum += about.dot(closing.before.w + now.w);
            }
            let half = select(link.second, splat(0.5), splat(-0.5));
            work += (sum * half) & link.present;
        }
        work
    }

    /// RATTLE's velocities at the end of the step. Returns a bit mask of the lanes whose hinge axes are not opposed.
    pub fn finish(&mut self, params: &StepParameters, scratch: &mut Scratch) -> u8 {
        scratch.midpoints.clear();
        scratch.midpoints.extend(scratch.states.iter().map(|state| SpatialVector { v: state.v, w: state.w }));
        let by = Vectors::splat(params.gravity * (0.5 * params.h));
        for (state, link) in scratch.states.iter_mut().zip(&self.fixed.links) {
            state.v += if link.full { by } else { by.masked(link.present) };
        }
        for (&(node, lane), own) in self.fixed.gyroscopic_bodies.iter().zip(&scratch.changes) {
            let (node, lane) = (node as usize, lane as usize);
            let spin = scratch.states[node].w.lane(lane);
            scratch.states[node].w.set(lane, spin + 0.5 * own.change);
        }
        scratch.closings.iter_mut().for_each(|closing| closing.bias = SpatialVector::ZERO);
        scratch.open = below(Lanes::ZERO, 1.0);
        let fine = self.down::<1, true>(params, scratch);
        self.up::<1>(params, scratch, ImpulseMode::None);
        fine
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A change c that shrinks at rate r is c rⁿ after n more solves.
    #[test]
    fn a_change_is_open_that_its_rate_leaves_above_the_bound() {
        let (last, rates) = (1e-3f32, [0.9, 0.6, 0.5, 0.3, 0.0, 1.0, 3.0, f32::NAN]);
        let changed = Lanes::from(rates.map(|rate| last * rate));
        for left in 0..MAX_SOLVES {
            let open = stays_open(splat(last), changed, left).to_bitmask();
            for (lane, rate) in rates.into_iter().enumerate() {
                let settles = last * rate * rate.powi(left as i32) < SETTLED;
                assert_eq!(open >> lane & 1 == 0, settles, "rate {rate}, {left} more");
            }
        }
    }
}
