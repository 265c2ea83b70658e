//! One exact solve of a group: a pass from the leaves to the root, and one back.
//!
//! ```text
//! rel      v_c + ω_c × l_c − v_p − ω_p × l_p            of the anchors, at B's; and ω_c − ω_p
//! wanted   c = −(rel + β/h gap)                         β: Baumgarte's share, otherwise 0
//! push     c' = −β/h gap                                split correction, from rest, with the same factors
//! ```
//! The equations hold whether the child is the joint's A or its B: rel and gap then both change sign.

#![allow(clippy::needless_range_loop, reason = "right sides are indexed as nodes are")]

use glam::Vec3;

use super::articulated::{ArticulatedInertia, Ball, FreeAxis, SpatialVector, for_parent};
use super::fixed::{AngularConstraint, Link};
use super::group::{MechanismGroup, NodeState};
use super::step::{Scratch, StepParameters};
use crate::kernel::joint::{AnchorPlaces, OPPOSED, axis_error, orientation_error};
use crate::kernel::lanes::{Lanes, Matrices, Quaternions, Symmetric, Vectors, below, splat};

/// What is done with the impulses that a solve finds: stored as the joints' impulses, added to them, or dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImpulseMode {
    Set,
    Add,
    None,
}

/// What the pass down (leaves to root) stores of a joint for the pass up.
#[derive(Debug, Clone, Copy, Default)]
pub struct JointPass {
    /// Offsets of the joint's B anchor from the centres of the body and of its parent, world axes, m.
    pub lever: Vectors,
    pub arm: Vectors,
    /// The relative velocity of the anchors at which their rows are solved, m/s.
    target: Vectors,
    sides: [RightSide; 2],
}

/// Per right-hand side: c, p', and the parts of p along the free directions, which the pass up needs.
#[derive(Debug, Clone, Copy, Default)]
pub struct RightSide {
    wanted: SpatialVector,
    force: SpatialVector,
    eliminated: Vectors,
}

impl MechanismGroup {
    /// The states of the parents of a node's bodies, by lane.
    #[inline(always)]
    pub fn parent(&self, node: usize, states: &[NodeState]) -> NodeState {
        if node == 0 { self.base } else { states[self.fixed.shape.parents[node] as usize] }
    }

    /// Pass from the leaves to the root: factors and eliminates. Returns a bit mask of the lanes whose hinge axes are
    /// not opposed. `SIDES` = 2 also solves the split correction; with `GIVEN` the biases are those of `closing.rs`.
    pub fn down<const SIDES: usize, const GIVEN: bool>(&self, params: &StepParameters, scratch: &mut Scratch) -> u8 {
        let nodes = self.states.len();
        let Scratch { states, subtree_inertias, forces, joints, balls, points, turns, reduced, closings, open, .. } =
            scratch;
        let (plain, round) = (self.fixed.angular.is_empty(), self.round());
        subtree_inertias.clear();
        subtree_inertias.resize(nodes, ArticulatedInertia::ZERO);
        for forces in &mut forces[..SIDES] {
            forces.clear();
            forces.resize(nodes, SpatialVector::ZERO);
        }
        joints.resize(nodes, JointPass::default());
        balls.resize(nodes, Ball::default());
        points.resize(nodes, Symmetric::ZERO);
        turns.resize(if plain { 0 } else { nodes }, Default::default());
        reduced.resize(if plain { 0 } else { nodes }, ArticulatedInertia::ZERO);
        let mut fine = Lanes::ZERO;
        for node in (0..nodes).rev() {
            let (link, body) = (&self.fixed.links[node], &states[node]);
            let parent = self.parent(node, states);
            let inertia = if round {
                Symmetric::scalar(link.moment)
            } else {
                self.fixed.tensors[node].inertia.turned(&Matrices::of(body.q))
            };
            let mut hat = subtree_inertias[node];
            hat.add_body(link.mass, &inertia);
            let (lever, arm, gap) = levers(link, body, &parent);
            let pass = &mut joints[node];
            (pass.lever, pass.arm) = (lever, arm);
            let relative = body.v + body.w.cross(lever) - parent.v - parent.w.cross(arm);
            pass.target = if GIVEN { -closings[node].bias.v } else { gap * splat(-params.baumgarte_rate) };
            pass.sides[0].wanted = SpatialVector { v: pass.target - relative, w: Vectors::ZERO };
            if SIDES == 2 {
                let pseudo_bias = if GIVEN { closings[node].pseudo_bias.v } else { gap * splat(params.split_rate) };
                pass.sides[1].wanted = SpatialVector { v: -pseudo_bias, w: Vectors::ZERO };
            }
            let mut axis = Vectors::ZERO;
            if !link.plain {
                let (error, s, opposed) = self.angular_error(node, body, &parent);
                fine |= opposed;
                axis = s;
                let ball = self.fixed.angular[node].ball;
                let bias = if GIVEN { closings[node].bias.w } else { error * splat(params.baumgarte_rate_angles) };
                let relative = body.w - parent.w + bias;
                pass.sides[0].wanted.w = Vectors::select(ball, Vectors::ZERO, -relative);
                if SIDES == 2 {
                    pass.sides[1].wanted.w =
                        -(if GIVEN { closings[node].pseudo_bias.w } else { error * splat(params.split_rate_angles) });
                }
            }
            if GIVEN {
                // A settled lane keeps its velocities.
                pass.sides[0].wanted = pass.sides[0].wanted.masked(*open);
            }
            if node == 0 && self.fixed.floats {
                pass.sides.iter_mut().for_each(|side| side.wanted = side.wanted.masked(self.fixed.rooted));
            }
            let hat = hat.at_offset(lever);
            let above = self.fixed.shape.parents[node] as usize;
            let at = |p: &SpatialVector| p.force_from(-lever);
            let mut given: [SpatialVector; SIDES] = [SpatialVector::ZERO; SIDES];
            let passed = if link.plain {
                let (ball, e) = Ball::eliminate(&hat);
                for side in 0..SIDES {
                    let entry = &mut pass.sides[side];
                    let (v, left) = ball.down(at(&forces[side][node]));
                    entry.force = SpatialVector { v, w: Vectors::ZERO };
                    entry.eliminated = left;
                    given[side] = SpatialVector { v: e.times(entry.wanted.v) + v, w: Vectors::ZERO };
                }
                balls[node] = ball;
                points[node] = e;
                for_parent(&e, arm)
            } else {
                let mut hat = hat;
                let constraint = &self.fixed.angular[node];
                let first = Vectors::select(constraint.hinge, axis, Vectors::splat(Vec3::X));
                let free = [constraint.ball | constraint.hinge, constraint.ball, constraint.ball];
                let along = [first, Vectors::splat(Vec3::Y), Vectors::splat(Vec3::Z)];
                let eliminated: [FreeAxis; 3] =
                    std::array::from_fn(|k| FreeAxis::eliminate(&mut hat, along[k], free[k]));
                for side in 0..SIDES {
                    let entry = &mut pass.sides[side];
                    let mut p = at(&forces[side][node]);
                    let [x, y, z] = eliminated.each_ref().map(|axis| axis.down(&mut p));
                    (entry.force, entry.eliminated) = (p, Vectors { x, y, z });
                    let passed = hat.times(entry.wanted);
                    given[side] = SpatialVector { v: passed.v + p.v, w: passed.w + p.w };
                }
                turns[node] = eliminated;
                reduced[node] = hat;
                hat.at_offset(-arm)
            };
            if above < nodes {
                let empty = (!link.full).then_some(link.present);
                subtree_inertias[above].add(&empty.map_or(passed, |present| passed.masked(present)));
                for side in 0..SIDES {
                    let given = given[side].force_from(arm);
                    let given = empty.map_or(given, |present| given.masked(present));
                    forces[side][above].v += given.v;
                    forces[side][above].w += given.w;
                }
            }
        }
        !(fine.to_bitmask() as u8)
    }

    /// Pass from the leaves to the root with the existing factors, for changed biases.
    pub fn down_again(&self, scratch: &mut Scratch) {
        let Scratch { states, forces: [forces, _], joints, balls, points, turns, reduced, closings, open, .. } =
            scratch;
        let nodes = self.states.len();
        forces.clear();
        forces.resize(nodes, SpatialVector::ZERO);
        for node in (0..nodes).rev() {
            let (link, body) = (&self.fixed.links[node], &states[node]);
            let parent = self.parent(node, states);
            let pass = &mut joints[node];
            let (lever, arm) = (pass.lever, pass.arm);
            let relative = body.v + body.w.cross(lever) - parent.v - parent.w.cross(arm);
            let bias = closings[node].bias;
            pass.target = -bias.v;
            let mut wanted = SpatialVector { v: pass.target - relative, w: Vectors::ZERO };
            let p = forces[node].force_from(-lever);
            let side = &mut pass.sides[0];
            let passed = if link.plain {
                let wanted = if node == 0 { wanted.masked(*open & self.fixed.rooted) } else { wanted.masked(*open) };
                let (v, left) = balls[node].down(p);
                *side = RightSide { wanted, force: SpatialVector { v, w: Vectors::ZERO }, eliminated: left };
                SpatialVector { v: points[node].times(wanted.v) + v, w: Vectors::ZERO }
            } else {
                let ball = self.fixed.angular[node].ball;
                wanted.w = Vectors::select(ball, Vectors::ZERO, -(body.w - parent.w + bias.w));
                let wanted = if node == 0 { wanted.masked(*open & self.fixed.rooted) } else { wanted.masked(*open) };
                let mut p = p;
                let [x, y, z] = turns[node].each_ref().map(|axis| axis.down(&mut p));
                *side = RightSide { wanted, force: p, eliminated: Vectors { x, y, z } };
                let passed = reduced[node].times(wanted);
                SpatialVector { v: passed.v + p.v, w: passed.w + p.w }
            };
            if let Some(above) = forces.get_mut(self.fixed.shape.parents[node] as usize) {
                let given = passed.force_from(arm);
                let given = if link.full { given } else { given.masked(link.present) };
                *above = SpatialVector { v: above.v + given.v, w: above.w + given.w };
            }
        }
    }

    /// Of a node whose joints are not all balls: the orientation errors, rad, and the hinge axes, world axes, and the
    /// lanes in which the two axes of a hinge are opposed.
    #[inline(always)]
    pub fn angular_error(&self, node: usize, body: &NodeState, parent: &NodeState) -> (Vectors, Vectors, Lanes) {
        let constraint = &self.fixed.angular[node];
        let (child, above) = (body.q.rotate(constraint.axis), parent.q.rotate(constraint.above));
        let off = body.q.times(constraint.reference).times(parent.q.conjugate());
        let tilt = orientation_error(off.v, off.w).masked(constraint.fixed);
        let error = Vectors::select(constraint.hinge, axis_error(above, child), tilt);
        let axis = Vectors::select(self.fixed.links[node].second, above, child);
        (error, axis, below(above.dot(child), OPPOSED) & constraint.hinge)
    }

    /// Pass from the root to the leaves: velocities, and the impulses of the joints.
    pub fn up<const SIDES: usize>(&mut self, params: &StepParameters, scratch: &mut Scratch, given: ImpulseMode) {
        let Scratch { states, anchors, axes, forces, joints, balls, points, turns, reduced, .. } = scratch;
        for node in 0..self.states.len() {
            let (link, pass) = (&self.fixed.links[node], &joints[node]);
            let above = self.fixed.shape.parents[node] as usize;
            let point = if link.plain { &points[node] } else { reduced[node].of_point() };
            let mut impulse = SpatialVector::ZERO;
            for side in 0..SIDES {
                let entry = &pass.sides[side];
                let mut motion = entry.wanted;
                if node > 0 {
                    let parent = forces[side][above].motion_at(pass.arm);
                    motion = SpatialVector { v: motion.v + parent.v, w: motion.w + parent.w };
                } else if self.fixed.floats {
                    let free = ArticulatedInertia::free_point_velocity(point, entry.force.v);
                    motion.v = Vectors::select(self.fixed.rooted, motion.v, free);
                }
                if link.plain {
                    if side == 0 {
                        impulse = SpatialVector { v: point.times(motion.v) + entry.force.v, w: Vectors::ZERO };
                    }
                    motion.w = balls[node].up(motion.v, entry.eliminated);
                } else {
                    if side == 0 {
                        let passed = reduced[node].times(motion);
                        impulse = SpatialVector { v: passed.v + entry.force.v, w: passed.w + entry.force.w };
                    }
                    let Vectors { x, y, z } = entry.eliminated;
                    turns[node][2].up(&mut motion, z);
                    turns[node][1].up(&mut motion, y);
                    turns[node][0].up(&mut motion, x);
                }
                forces[side][node] = SpatialVector { v: motion.v + pass.lever.cross(motion.w), w: motion.w };
            }
            let change = forces[0][node];
            let change = if link.full { change } else { change.masked(link.present) };
            let load = if link.seconds {
                impulse
            } else {
                SpatialVector {
                    v: Vectors::select(link.second, impulse.v, -impulse.v),
                    w: Vectors::select(link.second, impulse.w, -impulse.w),
                }
            };
            // The root of a floating mechanism has no joint: its load is exactly zero, without rounding.
            let load = if node == 0 && self.fixed.floats { load.masked(self.fixed.rooted) } else { load };
            let parent = if node == 0 { &self.base } else { &states[above] };
            let q = Quaternions::select(link.second, parent.q, states[node].q);
            let add = |sum: &mut Vectors, by: Vectors| match given {
                ImpulseMode::Set => *sum = by,
                ImpulseMode::Add => *sum += by,
                ImpulseMode::None => {}
            };
            add(&mut anchors[node], q.rotate_back(load.v));
            if let Some(constraint) = self.fixed.angular.get(node) {
                let about = q.rotate_back(load.w);
                let [u, v] = constraint.across;
                let hinge = Vectors { x: u.dot(about), y: v.dot(about), z: Lanes::ZERO };
                add(&mut axes[node], Vectors::select(constraint.hinge, hinge, load.w.masked(constraint.fixed)));
            }
            let (lever, arm) = (pass.lever, pass.arm);
            let (v, w) = (parent.v, parent.w);
            let state = &mut states[node];
            state.v += change.v;
            state.w += change.w;
            if params.reads && given != ImpulseMode::None {
                // Residual of the anchor's rows.
                let wrong = state.v + state.w.cross(lever) - v - w.cross(arm) - pass.target;
                let (sum, worst) = &mut self.loads[node];
                add(&mut sum.v, load.v);
                add(&mut sum.w, load.w);
                *worst = wrong.size();
            }
        }
    }
}

/// Offsets from the centres of a body and of its parent to the B anchor, and from the parent's anchor to the body's;
/// world axes, m.
#[inline(always)]
pub fn levers(link: &Link, body: &NodeState, parent: &NodeState) -> (Vectors, Vectors, Vectors) {
    let (here, there) = (body.q.rotate(link.anchor), parent.q.rotate(link.above));
    // The body as its joint's B, and as its A.
    let as_b = AnchorPlaces { xa: parent.x, ra: there, xb: body.x, rb: here };
    let as_a = AnchorPlaces { xa: body.x, ra: here, xb: parent.x, rb: there };
    if link.seconds {
        (here, as_b.lever_a(), as_b.gap())
    } else {
        let lever = Vectors::select(link.second, here, as_a.lever_a());
        (lever, Vectors::select(link.second, as_b.lever_a(), there), as_b.gap())
    }
}

/// The lanes whose joint constrains rotation (hinge or weld).
pub fn constrains_rotation(constraint: &AngularConstraint) -> Lanes {
    constraint.hinge | constraint.fixed
}
