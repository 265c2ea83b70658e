//! SHAKE and RATTLE (`shake.rs`, `rattle.rs`) by exact solves: impulses along J(x₀) close the joints at the step's end.
//!
//! ```text
//! c(x)     the rows' errors, of an anchor and a hinge along A's axes as they stand at x
//! bend     b = [clamp c(x₀) + c(x₀ ⊕ h v) − c(x₀)]/h − J(x₀) v       v those that are expected, then those found
//! solve    J(x₀) u + b = 0                                          again while b still changes by more than SETTLED
//! end      RATTLE: half a kick, and J(x₁) u = 0 for what is read
//! ```
//! A lane that has settled is left alone. One that will not within `MOST` solves, by the rate at which its changes
//! shrink, as where a chain cracks like a whip, makes the step straight, b = 0, which is the method of split impulses
//! with its drain. A closed step is one of a
//! symplectic scheme, and what its impulses add to the energy comes back; where they do not (a light link under a
//! load that turns by a radian a step) they add up. So each mechanism has an account of that, as in `ledger.rs`: one
//! whose joints have added more than half of the bound there goes straight until what that takes out has paid for it.

use super::articulated::SpatialVector;
use super::group::{MechanismGroup, NodeState};
use super::lanes::{Lanes, Vectors, below, select, splat};
use super::matrices::Quaternions;
use super::solve::{ImpulseMode, JointPass, levers};
use super::step::{Scratch, StepParameters, turned};
use crate::physics::ledger::{CLOSED, HEIGHT, MEMORY};
use crate::physics::shake::{INHERITED, SETTLED};

/// The most solves of a sub-step: slow motion takes two or three.
const MOST: u32 = 10;

/// The lanes in which a change that went from `last` to `changed`, and goes on at that rate, is above SETTLED after as
/// many more as `left`. The solves use the same factors, so that their changes shrink, or grow, by a rate.
fn stays_open(last: Lanes, changed: Lanes, left: u32) -> Lanes {
    let rate = changed / last;
    let end = (0..left).fold(changed, |end, _| end * rate);
    // What is no number stays open, too.
    !below(end, SETTLED)
}

/// What a sub-step is to close of a joint.
#[derive(Debug, Clone, Copy, Default)]
pub struct JointClosing {
    /// c(x₀).
    c: SpatialVector,
    /// J u before forces.
    before: SpatialVector,
    /// b, and what the split correction takes out, in space.
    pub bias: SpatialVector,
    pub pseudo_bias: SpatialVector,
}

/// What the joints have added to a mechanism's energy, J, lane by lane.
#[derive(Debug, Clone, Copy, Default)]
pub struct LaneAccounts {
    pub added: Lanes,
    /// The most energy of motion that there has lately been.
    pub motion: Lanes,
}

/// The parts of a vector within ±`most`.
fn within(v: Vectors, most: f32) -> Vectors {
    let one = |v: Lanes| v.fast_max(splat(-most)).fast_min(splat(most));
    Vectors { x: one(v.x), y: one(v.y), z: one(v.z) }
}

impl MechanismGroup {
    /// The axes of A at a node.
    fn axes_of(&self, node: usize, states: &[NodeState]) -> Quaternions {
        Quaternions::select(self.fixed.links[node].second, self.parent(node, states).q, states[node].q)
    }

    /// c at a node.
    fn error(&self, node: usize, states: &[NodeState]) -> SpatialVector {
        let (own, parent) = (&states[node], self.parent(node, states));
        let link = &self.fixed.links[node];
        let q = Quaternions::select(link.second, parent.q, own.q);
        let (_, _, gap) = levers(link, own, &parent);
        let mut c = SpatialVector { v: q.rotate_back(gap), w: Vectors::ZERO };
        if !link.plain {
            let (error, _, _) = self.lean(node, own, &parent);
            c.w = Vectors::select(self.fixed.turnings[node].hinge, q.rotate_back(error), error);
        }
        c
    }

    /// What is along A's axes at a node, in space.
    fn in_space(&self, node: usize, q: Quaternions, c: SpatialVector) -> SpatialVector {
        let v = q.rotate(c.v);
        let w = match self.fixed.turnings.get(node) {
            Some(turning) => Vectors::select(turning.hinge, q.rotate(c.w), c.w),
            None => Vectors::ZERO,
        };
        SpatialVector { v, w }
    }

    /// J u at a node: of its anchors, and of its turning.
    fn relative(&self, node: usize, way: &JointPass, speeds: impl Fn(usize) -> SpatialVector) -> SpatialVector {
        let own = speeds(node);
        let above = if node == 0 { SpatialVector::ZERO } else { speeds(self.fixed.shape.parents[node] as usize) };
        SpatialVector { v: own.v + own.w.cross(way.lever) - above.v - above.w.cross(way.arm), w: own.w - above.w }
    }

    /// What is to be closed; whether the split correction has something to do. Returns the energy of motion, too, and
    /// the mass.
    fn open(&self, told: &StepParameters, scratch: &mut Scratch) -> (bool, Lanes, Lanes) {
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
            let late = SpatialVector { v: c.v - within(c.v, INHERITED), w: c.w - within(c.w, INHERITED) };
            let shown = if node == 0 { link.present & self.fixed.rooted } else { link.present };
            pseudo |= ((late.v.size() + late.w.size()) & shown).to_array().into_iter().any(|late| late != 0.0);
            let late = self.in_space(node, q, late);
            let late = SpatialVector { v: late.v * splat(told.late), w: late.w * splat(told.late_angles) };
            let way = &mut joints[node];
            (way.lever, way.arm, _) = levers(link, own, &self.parent(node, states));
            let before = self.relative(node, way, |node| SpatialVector { v: states[node].v, w: states[node].w });
            closings[node] = JointClosing { c, before, bias: SpatialVector::ZERO, pseudo_bias: late };
            let turning = if self.round() {
                own.w.dot(own.w) * link.moment
            } else {
                let w = own.q.rotate_back(own.w);
                w.dot(self.fixed.tensors[node].inertia.times(w))
            };
            motion += (splat(0.5) * (own.v.dot(own.v) * link.mass + turning)) & link.present;
            mass += link.mass & link.present;
        }
        (pseudo, motion, mass)
    }

    /// The sub-step's velocities and impulses; the lanes in which no axes are opposed, a bit each, and whether there
    /// is a split correction.
    pub fn close(&mut self, told: &StepParameters, scratch: &mut Scratch) -> (u8, bool) {
        let (pseudo, motion, mass) = self.open(told, scratch);
        let Scratch { states, kept, .. } = scratch;
        if kept.is_empty() {
            kept.extend(states.iter().map(|state| SpatialVector { v: state.v, w: state.w }));
        }
        self.kick(told, scratch);
        let all = below(Lanes::ZERO, 1.0);
        let LaneAccounts { added, motion: most } = self.accounts;
        let most = (most * splat((1.0 - told.h / MEMORY as f32).max(0.0))).fast_max(motion);
        let half = (most * splat(CLOSED as f32) + mass * splat(told.weight * HEIGHT as f32)) * splat(0.5);
        let mut straight = half.simd_lt(added);
        self.bend(told, scratch, true, straight);
        scratch.open = all;
        let fine = if pseudo { self.down::<2, true>(told, scratch) } else { self.down::<1, true>(told, scratch) };
        if pseudo {
            self.up::<2>(told, scratch, ImpulseMode::Set);
            let Scratch { forces: [_, pushed], kept, .. } = scratch;
            std::mem::swap(pushed, kept);
        } else {
            self.up::<1>(told, scratch, ImpulseMode::Set);
        }
        scratch.open = all & !straight;
        let (mut last, mut lost) = (Lanes::ZERO, Lanes::ZERO);
        for solve in 1..MOST {
            if !scratch.open.any() {
                break;
            }
            let changed = self.bend(told, scratch, false, straight);
            if solve > 1 {
                lost |= scratch.open & stays_open(last, changed, MOST - 1 - solve);
                scratch.open &= !lost;
                if !scratch.open.any() {
                    break;
                }
            }
            self.again(told, scratch);
            scratch.open &= !below(changed, SETTLED);
            last = changed;
        }
        // What does not settle, and what would overdraw its account, goes straight. A crack adds in one step and
        // takes back in the next, so the lesser of the last two sums counts.
        let work = self.work(scratch);
        let over = half.simd_lt((added + work).fast_min(added)) | lost | scratch.open;
        straight |= over;
        if over.any() {
            scratch.open = over;
            scratch.closings.iter_mut().for_each(|closing| closing.bias = closing.bias.masked(all & !over));
            self.again(told, scratch);
        }
        let work = if over.any() { self.work(scratch) } else { work };
        self.accounts = LaneAccounts { added: (added + work).fast_max(-half - half), motion: most };
        if pseudo {
            std::mem::swap(&mut scratch.forces[1], &mut scratch.kept);
        }
        scratch.kept.clear();
        (fine, pseudo)
    }

    /// One more solve with the same factors.
    fn again(&mut self, told: &StepParameters, scratch: &mut Scratch) {
        self.down_again(scratch);
        self.up::<1>(told, scratch, ImpulseMode::Add);
    }

    /// Finds b anew; by how much the end that it asks for has changed, m or rad.
    fn bend(&self, told: &StepParameters, scratch: &mut Scratch, first: bool, straight: Lanes) -> Lanes {
        let Scratch { states, tried, closings, joints, kept, .. } = scratch;
        let (h, half, rate) = (splat(told.h), splat(0.5 * told.h), splat(1.0 / told.h));
        tried.clone_from(states);
        let speeds = |node: usize| {
            let state = &states[node];
            if first { kept[node] } else { SpatialVector { v: state.v, w: state.w } }
        };
        for (node, tried) in tried.iter_mut().enumerate() {
            let SpatialVector { v, w } = speeds(node);
            tried.x += v * h;
            tried.q = turned(w * half, tried.q);
        }
        let mut changed = Lanes::ZERO;
        for (node, closing) in closings.iter_mut().enumerate() {
            let link = &self.fixed.links[node];
            let c = self.error(node, tried);
            let old = closing.c;
            let by =
                SpatialVector { v: within(old.v, INHERITED) + c.v - old.v, w: within(old.w, INHERITED) + c.w - old.w };
            let b = self.in_space(node, self.axes_of(node, states), SpatialVector { v: by.v * rate, w: by.w * rate });
            let relative = self.relative(node, &joints[node], speeds);
            let mut bias = SpatialVector { v: b.v - relative.v, w: b.w - relative.w };
            if let Some(turning) = self.fixed.turnings.get(node) {
                // Along a hinge's axis nothing is asked.
                let (_, axis, _) = self.lean(node, &states[node], &self.parent(node, states));
                let across = bias.w - axis * axis.dot(bias.w);
                bias.w = Vectors::select(turning.hinge, across, bias.w.masked(turning.fixed));
                bias.w = if told.closes_angles { bias.w } else { Vectors::ZERO };
            } else {
                bias.w = Vectors::ZERO;
            }
            let bent = below(Lanes::ZERO, 1.0) & !straight;
            bias = bias.masked(bent);
            let by = (bias.v - closing.bias.v).size() + (bias.w - closing.bias.w).size();
            let shown = if node == 0 { link.present & self.fixed.rooted } else { link.present };
            changed = changed.fast_max((by * h) & shown);
            closing.bias = bias;
        }
        changed
    }

    /// What the impulses have added to the energy, J: λᵀ J ½ (v⁻ + v).
    fn work(&self, scratch: &Scratch) -> Lanes {
        let Scratch { states, anchors, axes, closings, joints, .. } = scratch;
        let mut work = Lanes::ZERO;
        for (node, closing) in closings.iter().enumerate() {
            let link = &self.fixed.links[node];
            let now = self.relative(node, &joints[node], |node| SpatialVector { v: states[node].v, w: states[node].w });
            let q = self.axes_of(node, states);
            let mut sum = q.rotate(anchors[node]).dot(closing.before.v + now.v);
            if let Some(turning) = self.fixed.turnings.get(node) {
                let [u, v] = turning.across;
                let hinge = q.rotate(u * axes[node].x + v * axes[node].y);
                let about = Vectors::select(turning.hinge, hinge, axes[node].masked(turning.fixed));
                sum += about.dot(closing.before.w + now.w);
            }
            let half = select(link.second, splat(0.5), splat(-0.5));
            work += (sum * half) & link.present;
        }
        work
    }

    /// RATTLE's velocities for reading, which belong to the step's end.
    pub fn finish(&mut self, told: &StepParameters, scratch: &mut Scratch) -> u8 {
        scratch.halves.clear();
        scratch.halves.extend(scratch.states.iter().map(|state| SpatialVector { v: state.v, w: state.w }));
        let by = Vectors::splat(told.gravity * (0.5 * told.h));
        for (state, link) in scratch.states.iter_mut().zip(&self.fixed.links) {
            state.v += if link.full { by } else { by.masked(link.present) };
        }
        for (&(node, lane), change) in self.fixed.gyrating.iter().zip(&scratch.changes) {
            let (node, lane) = (node as usize, lane as usize);
            let spin = scratch.states[node].w.lane(lane);
            scratch.states[node].w.set(lane, spin + 0.5 * *change);
        }
        scratch.closings.iter_mut().for_each(|closing| closing.bias = SpatialVector::ZERO);
        scratch.open = below(Lanes::ZERO, 1.0);
        let fine = self.down::<1, true>(told, scratch);
        self.up::<1>(told, scratch, ImpulseMode::None);
        fine
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A change c that shrinks by the rate r is c rⁿ after n more.
    #[test]
    fn a_change_is_open_that_its_rate_leaves_above_the_bound() {
        let (last, rates) = (1e-3f32, [0.9, 0.6, 0.5, 0.3, 0.0, 1.0, 3.0, f32::NAN]);
        let changed = Lanes::from(rates.map(|rate| last * rate));
        for left in 0..MOST {
            let open = stays_open(splat(last), changed, left).to_bitmask();
            for (lane, rate) in rates.into_iter().enumerate() {
                let settles = last * rate * rate.powi(left as i32) < SETTLED;
                assert_eq!(open >> lane & 1 == 0, settles, "rate {rate}, {left} more");
            }
        }
    }
}
