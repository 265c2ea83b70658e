//! What is solved exactly as one block: trees of joints here, mechanisms with loops, drives, springs and stops in
//! `solvers/mechanism`. All equality rows of a tree form one block, eliminated from its leaves.
//!
//! ```text
//! M Δu = Jᵀ μ,  J Δu + γ μ = −(J u + b + γ λ)        λ ← λ + μ,  u ← u + Δu        O(n) for n bodies
//! ```
//! In Gauss–Seidel and Jacobi a tree is a block like any other: limits, motors, contacts and the joints that close
//! loops iterate with it. A mechanism that is just a tree is solved by the first sweep, whatever its mass ratios;
//! further sweeps remove rounding errors of 32 bits. `elimination_plan.rs` finds the trees, `articulated.rs` has the
//! arithmetic for one body.

mod articulated;
mod elimination_plan;
#[cfg(test)]
mod elimination_plan_tests;
mod unit_response;

pub use articulated::{NEVER_TURNS, REDUNDANT, ROWS};
use articulated::{PackedMatrix, Six};
use elimination_plan::NONE;
pub use elimination_plan::{Edge, EliminationPlan, Finder, MAX_HUNG_RATIO, MAX_MOBILITY};

use glam::Vec3A;

use super::mechanism::Mechanisms;
use crate::body::{Body, Velocity};
use crate::row::Row;

/// The trees of a system with their factors.
#[derive(Debug, Clone, Default)]
pub struct Trees {
    pub plan: EliminationPlan,
    /// The mechanisms, numbered after the trees.
    pub mechanisms: Mechanisms,
    /// The joints that may be part of a tree, and the index of each one's first equality row.
    pub edges: Vec<Edge>,
    pub first_row: Vec<u32>,
    finder: Finder,
    factors: Vec<f32>,
    /// Changes whenever the trees are factored.
    number: u32,
    /// M̂ of each node, while it is accumulated.
    hat: Vec<PackedMatrix>,
}

/// Working memory for solving a tree, kept from step to step.
#[derive(Debug, Clone, Default)]
pub struct Work {
    /// By node: `force` is f̂, then y, then Δu; `right` is r, then z, then μ.
    force: Vec<Six>,
    right: Vec<[f32; ROWS]>,
}

impl Work {
    /// The largest component of Δu, m/s or rad/s.
    fn largest_change(&self) -> f32 {
        self.force.iter().flatten().fold(0.0, |largest, change| largest.max(change.abs()))
    }
}

impl Trees {
    /// Clears the list of joints; the plan stays and is compared with the new list.
    pub fn clear(&mut self) {
        self.edges.clear();
        self.first_row.clear();
    }

    /// Adds a joint; `first_row` is the index of its first equality row.
    pub fn add(&mut self, edge: Edge, first_row: u32) {
        self.edges.push(edge);
        self.first_row.push(first_row);
    }

    /// Updates the plan for a world of `bodies` bodies: whole trees, or with `whole` false each joint as its own
    /// tree.
    pub fn plan(&mut self, bodies: usize, whole: bool) {
        self.plan.update(&mut self.finder, &self.edges, bodies, whole);
    }

    /// Multiplications of solving all trees and mechanisms once.
    pub fn solving(&self) -> u64 {
        2 * self.factors.len() as u64 + self.mechanisms.solving()
    }

    /// The same for one of them.
    pub fn solving_one(&self, index: usize) -> u64 {
        let size = |node: &elimination_plan::Node| articulated::size(self.rows(node.edge).len());
        let of_tree = || 2 * self.nodes(index).iter().map(size).sum::<usize>() as u64;
        self.mechanism(index).map_or_else(of_tree, |index| self.mechanisms.solving_one(index))
    }

    /// Number of trees and mechanisms.
    pub fn count(&self) -> usize {
        self.plan.trees.len() + self.mechanisms.count()
    }

    /// The numbers of the mechanisms.
    pub fn only_mechanisms(&self) -> std::ops::Range<usize> {
        self.plan.trees.len()..self.count()
    }

    /// Whether this is a tree, not a mechanism.
    pub fn is_tree(&self, index: usize) -> bool {
        index < self.plan.trees.len()
    }

    /// The number of a mechanism among the mechanisms; `None` for a tree.
    fn mechanism(&self, index: usize) -> Option<usize> {
        index.checked_sub(self.plan.trees.len())
    }

    /// The factors of all nodes; `Node::at` is where a node's begin.
    pub fn factors(&self) -> &[f32] {
        &self.factors
    }

    /// Row indices of the equality rows of the joint `edge`.
    pub fn rows(&self, edge: u32) -> std::ops::Range<usize> {
        if edge == NONE {
            return 0..0;
        }
        let first = self.first_row[edge as usize] as usize;
        first..first + self.edges[edge as usize].count as usize
    }

    /// The nodes of a tree, children before parents; none for a mechanism.
    fn nodes(&self, index: usize) -> &[elimination_plan::Node] {
        self.plan.trees.get(index).map_or(&[], |tree| &self.plan.nodes[tree.range()])
    }

    /// The bodies of a tree, children before parents, or of a mechanism.
    pub fn bodies(&self, index: usize) -> impl Iterator<Item = u32> {
        let mechanism = self.mechanism(index).into_iter().flat_map(|index| self.mechanisms.bodies(index));
        self.nodes(index).iter().map(|node| node.body).chain(mechanism)
    }

    /// Row indices of a tree's equality rows, those of a child before its parent's, or of all rows of a mechanism.
    pub fn rows_of(&self, index: usize) -> impl Iterator<Item = usize> {
        let mechanism = self.mechanism(index).into_iter().flat_map(|index| self.mechanisms.rows_of(index));
        self.nodes(index).iter().flat_map(|node| self.rows(node.edge)).chain(mechanism)
    }

    /// Factors all trees and mechanisms. `shares` is the number of parts into which each body's mass is split; empty
    /// without mass splitting.
    pub fn factor(&mut self, rows: &[Row], bodies: &[Box<Body>], shares: &[u32]) {
        let Self { plan, edges, first_row, factors, hat, mechanisms, number, .. } = self;
        mechanisms.factor(rows, bodies, shares);
        *number = number.wrapping_add(1);
        factors.clear();
        factors.resize(plan.size as usize, 0.0);
        hat.clear();
        hat.resize(plan.nodes.len(), [0.0; 21]);
        for index in plan.turns.iter().map(|index| *index as usize) {
            let node = plan.nodes[index];
            let (this, above) = hat.split_at_mut(index + 1);
            let share = shares.get(node.body as usize).map_or(1.0, |n| (*n).max(1) as f32);
            articulated::add_mass(&mut this[index], &bodies[node.body as usize], share);
            let rows = if node.edge == NONE {
                &[]
            } else {
                let first = first_row[node.edge as usize] as usize;
                &rows[first..first + edges[node.edge as usize].count as usize]
            };
            let parent = above.get_mut((node.parent as usize).wrapping_sub(index + 1));
            let list = &mut factors[node.at as usize..node.at as usize + articulated::size(rows.len())];
            articulated::factor(&this[index], rows, node.second, list, parent);
        }
    }

    /// Solves one tree's rows at the given velocities (of the split position correction if `PSEUDO`) and adds the
    /// impulses, multiplied by `relaxation`, to the rows. The changes of velocity are left in `work`, for
    /// [`Self::apply`].
    pub fn solve<const PSEUDO: bool>(
        &mut self,
        tree: usize,
        rows: &mut [Row],
        work: &mut Work,
        velocities: &[Velocity],
        relaxation: f32,
    ) {
        if let Some(index) = self.mechanism(tree) {
            return self.mechanisms.solve(index, rows, velocities, PSEUDO, relaxation);
        }
        self.eliminate(tree, rows, [work], [(velocities, PSEUDO)], relaxation);
    }

    /// The same for several sets of velocities, each with its own working memory and a flag for the split position
    /// correction. The factors are read once for all.
    fn eliminate<const SIDES: usize>(
        &self,
        tree: usize,
        rows: &mut [Row],
        work: [&mut Work; SIDES],
        sides: [(&[Velocity], bool); SIDES],
        relaxation: f32,
    ) {
        let range = self.plan.trees[tree].range();
        let nodes = &self.plan.nodes[range.clone()];
        let mut work = work.map(|Work { force, right }| {
            force.clear();
            force.resize(nodes.len(), [0.0; 6]);
            right.clear();
            right.resize(nodes.len(), [0.0; ROWS]);
            (&mut force[..], &mut right[..])
        });
        for (k, node) in nodes.iter().enumerate().filter(|(_, node)| node.edge != NONE) {
            let edge = &self.edges[node.edge as usize];
            for ((_, right), (velocities, pseudo)) in work.iter_mut().zip(sides) {
                let (a, b) = (&velocities[edge.a as usize], &velocities[edge.b as usize]);
                for (right, row) in right[k].iter_mut().zip(&rows[self.rows(node.edge)]) {
                    *right = -relaxation
                        * if pseudo { row_residual::<true>(row, a, b) } else { row_residual::<false>(row, a, b) };
                }
            }
        }
        self.substitute(tree, &mut work);
        for (k, node) in nodes.iter().enumerate() {
            let rows = &mut rows[self.rows(node.edge)];
            for ((_, right), (_, pseudo)) in work.iter().zip(sides) {
                for (row, mu) in rows.iter_mut().zip(right[k]) {
                    *(if pseudo { &mut row.pseudo_impulse } else { &mut row.impulse }) += mu;
                }
            }
        }
    }

    /// Replaces f̂ and r of each node by Δu and μ, for several sides.
    fn substitute<const SIDES: usize>(&self, tree: usize, work: &mut [(&mut [Six], &mut [[f32; ROWS]]); SIDES]) {
        let range = self.plan.trees[tree].range();
        let nodes = &self.plan.nodes[range.clone()];
        for (k, node) in nodes.iter().enumerate() {
            let sides = work.each_mut().map(|(force, right)| (&mut force[k], &mut right[k]));
            let felt = articulated::down(self.factors_of(node), self.rows(node.edge).len(), sides);
            if node.parent != NONE {
                for ((force, _), felt) in work.iter_mut().zip(felt) {
                    let parent = &mut force[node.parent as usize - range.start];
                    parent.iter_mut().zip(felt).for_each(|(f, felt)| *f += felt);
                }
            }
        }
        for (k, node) in nodes.iter().enumerate().rev() {
            let parent = work.each_ref().map(|(force, _)| {
                if node.parent == NONE { [0.0; 6] } else { force[node.parent as usize - range.start] }
            });
            let sides = work.each_mut().map(|(force, right)| (&mut force[k], &mut right[k]));
            articulated::up(self.factors_of(node), self.rows(node.edge).len(), &parent, sides);
        }
    }

    /// A number that changes whenever the tree or mechanism is factored.
    pub fn factors_number(&self, index: usize) -> u32 {
        self.mechanism(index).map_or(self.number, |index| self.mechanisms.factors_number(index))
    }

    /// Solves one tree and updates the velocities; returns the largest change of a velocity, m/s or rad/s.
    pub fn sweep<const PSEUDO: bool>(
        &mut self,
        tree: usize,
        rows: &mut [Row],
        work: &mut Work,
        velocities: &mut [Velocity],
        first: bool,
    ) -> f32 {
        self.solve::<PSEUDO>(tree, rows, work, velocities, 1.0);
        self.apply(tree, rows, work, velocities, first);
        if self.mechanism(tree).is_some() { self.mechanisms.largest_change() } else { work.largest_change() }
    }

    /// One sweep for the velocities and one for the split position correction.
    pub fn sweep_both(
        &mut self,
        tree: usize,
        rows: &mut [Row],
        (work, pseudo_work): (&mut Work, &mut Work),
        velocities: &mut [Velocity],
        pseudo_velocities: &mut [Velocity],
        first: bool,
    ) -> f32 {
        if self.mechanism(tree).is_some() {
            let moved = self.sweep::<false>(tree, rows, work, velocities, first);
            return moved.max(self.sweep::<true>(tree, rows, pseudo_work, pseudo_velocities, first));
        }
        self.eliminate(tree, rows, [work, pseudo_work], [(velocities, false), (pseudo_velocities, true)], 1.0);
        self.apply(tree, rows, work, velocities, first);
        self.apply(tree, rows, pseudo_work, pseudo_velocities, first);
        work.largest_change().max(pseudo_work.largest_change())
    }

    /// Changes the velocities by the result of the last [`Self::solve`].
    ///
    /// The `first` sweep adds Δu, which is more precise in 32 bits: M⁻¹ Jᵀ μ of a light body between heavy ones is
    /// the difference of two large impulses. Later sweeps are small corrections and add M⁻¹ Jᵀ μ, so that velocities
    /// and impulses stay consistent however many sweeps there are.
    pub fn apply(&self, tree: usize, rows: &[Row], work: &Work, velocities: &mut [Velocity], first: bool) {
        if let Some(index) = self.mechanism(tree) {
            return self.mechanisms.apply(index, velocities);
        }
        let nodes = &self.plan.nodes[self.plan.trees[tree].range()];
        if first {
            for (node, [x, y, z, u, v, w]) in nodes.iter().zip(&work.force) {
                let velocity = &mut velocities[node.body as usize];
                velocity.linear += Vec3A::new(*x, *y, *z);
                velocity.angular += Vec3A::new(*u, *v, *w);
            }
            return;
        }
        for (node, right) in nodes.iter().zip(&work.right).filter(|(node, _)| node.edge != NONE) {
            let edge = &self.edges[node.edge as usize];
            let (mut a, mut b) = (velocities[edge.a as usize], velocities[edge.b as usize]);
            for (row, mu) in rows[self.rows(node.edge)].iter().zip(right) {
                row.add_to_a(&mut a, *mu);
                row.add_to_b(&mut b, *mu);
            }
            (velocities[edge.a as usize], velocities[edge.b as usize]) = (a, b);
        }
    }

    /// The factors from this node's first one on.
    fn factors_of(&self, node: &elimination_plan::Node) -> &[f32] {
        &self.factors[node.at as usize..]
    }
}

/// J u + b + γ λ, or the same with the quantities of the split position correction.
fn row_residual<const PSEUDO: bool>(row: &Row, a: &Velocity, b: &Velocity) -> f32 {
    let speed = (row.lin * (b.linear - a.linear) + row.net * a.linear + row.ang_a * a.angular + row.ang_b * b.angular)
        .element_sum();
    let (offset, impulse) = if PSEUDO { (row.pseudo_bias, row.pseudo_impulse) } else { (row.bias, row.impulse) };
    speed + offset + row.gamma * impulse
}
