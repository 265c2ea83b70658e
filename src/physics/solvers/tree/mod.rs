//! Trees of joints solved exactly: all equality rows of a tree are one block, eliminated from its leaves.
//!
//! ```text
//! M Δu = Jᵀ μ,  J Δu + γ μ = −(J u + b + γ λ)        λ ← λ + μ,  u ← u + Δu        O(n) for n bodies
//! ```
//! In Gauss–Seidel and Jacobi such a tree is a block as any other: limits, motors, contacts and the joints that close
//! loops iterate around it. A mechanism that is nothing but a tree is solved by the first sweep, whatever its mass
//! ratios; further sweeps refine what 32 bits left. `elimination_plan.rs` finds the trees, `articulated.rs` has the arithmetic of
//! one body.

mod articulated;
mod elimination_plan;
#[cfg(test)]
mod elimination_plan_tests;

pub use articulated::ROWS;
use articulated::{PackedMatrix, Six};
use elimination_plan::NONE;
pub use elimination_plan::{Edge, EliminationPlan, Finder, LONGEST, MOST_HUNG};

use glam::Vec3A;

use crate::physics::body::{Body, Velocity};
use crate::physics::row::Row;

/// The trees of a system with their factors.
#[derive(Debug, Clone, Default)]
pub struct Trees {
    pub plan: EliminationPlan,
    /// The joints that may be part of a tree, and the first equality row of each.
    pub edges: Vec<Edge>,
    pub first_row: Vec<u32>,
    finder: Finder,
    factors: Vec<f32>,
    /// M̂ of each node, while it is being added up.
    hat: Vec<PackedMatrix>,
}

/// What solving a tree needs beside its factors, kept from step to step.
#[derive(Debug, Clone, Default)]
pub struct Work {
    /// By node: f̂, then y, then Δu; r, then z, then μ.
    force: Vec<Six>,
    right: Vec<[f32; ROWS]>,
}

impl Work {
    /// The most that a velocity has changed.
    fn most(&self) -> f32 {
        self.force.iter().flatten().fold(0.0, |most, change| most.max(change.abs()))
    }
}

impl Trees {
    /// Forgets the joints of the last step; the plan stays.
    pub fn clear(&mut self) {
        self.edges.clear();
        self.first_row.clear();
    }

    /// Notes a joint's equality rows.
    pub fn add(&mut self, edge: Edge, first_row: u32) {
        self.edges.push(edge);
        self.first_row.push(first_row);
    }

    /// Brings the plan up to date for so many bodies: whole trees, or each joint by itself.
    pub fn plan(&mut self, bodies: usize, whole: bool) {
        self.plan.update(&mut self.finder, &self.edges, bodies, whole);
    }

    /// How many trees there are.
    pub fn count(&self) -> usize {
        self.plan.trees.len()
    }

    /// The factors of all nodes, each where its plan says.
    pub fn factors(&self) -> &[f32] {
        &self.factors
    }

    /// The equality rows of a joint.
    pub fn rows(&self, edge: u32) -> std::ops::Range<usize> {
        if edge == NONE {
            return 0..0;
        }
        let first = self.first_row[edge as usize] as usize;
        first..first + self.edges[edge as usize].count as usize
    }

    /// The bodies of a tree.
    pub fn bodies(&self, tree: usize) -> impl Iterator<Item = u32> {
        self.plan.nodes[self.plan.trees[tree].range()].iter().map(|node| node.body)
    }

    /// The equality rows of a tree, those of a child before its parent's.
    pub fn rows_of(&self, tree: usize) -> impl Iterator<Item = usize> {
        self.plan.nodes[self.plan.trees[tree].range()].iter().flat_map(|node| self.rows(node.edge))
    }

    /// Factors all trees. `shares` says into how many parts each body's mass is split; empty where it is not.
    pub fn factor(&mut self, rows: &[Row], bodies: &[Box<Body>], shares: &[u32]) {
        let Self { plan, edges, first_row, factors, hat, .. } = self;
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

    /// Finds what one tree's rows lack at the given velocities, for the split position correction if `PSEUDO`, and adds
    /// the given share of it to their impulses. What that does to the bodies is left in `work`, for [`Self::apply`].
    pub fn solve<const PSEUDO: bool>(
        &self,
        tree: usize,
        rows: &mut [Row],
        work: &mut Work,
        velocities: &[Velocity],
        relaxation: f32,
    ) {
        self.eliminate(tree, rows, [work], [(velocities, PSEUDO)], relaxation);
    }

    /// The same for several sets of velocities at once, each with a work of its own and whether it is that of the split
    /// position correction: the factors come by once for all.
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
        for (k, node) in nodes.iter().enumerate() {
            let rows = &rows[self.rows(node.edge)];
            if node.edge != NONE {
                let edge = &self.edges[node.edge as usize];
                for ((_, right), (velocities, pseudo)) in work.iter_mut().zip(sides) {
                    let (a, b) = (&velocities[edge.a as usize], &velocities[edge.b as usize]);
                    for (right, row) in right[k].iter_mut().zip(rows) {
                        *right =
                            -relaxation * if pseudo { lacks::<true>(row, a, b) } else { lacks::<false>(row, a, b) };
                    }
                }
            }
            let own = work.each_mut().map(|(force, right)| (&mut force[k], &mut right[k]));
            let felt = articulated::down(self.factors_of(node), rows.len(), own);
            if node.parent != NONE {
                for ((force, _), felt) in work.iter_mut().zip(felt) {
                    let parent = &mut force[node.parent as usize - range.start];
                    parent.iter_mut().zip(felt).for_each(|(f, felt)| *f += felt);
                }
            }
        }
        for (k, node) in nodes.iter().enumerate().rev() {
            let rows = &mut rows[self.rows(node.edge)];
            let parent = work.each_ref().map(|(force, _)| {
                if node.parent == NONE { [0.0; 6] } else { force[node.parent as usize - range.start] }
            });
            let own = work.each_mut().map(|(force, right)| (&mut force[k], &mut right[k]));
            articulated::up(self.factors_of(node), rows.len(), &parent, own);
            for ((_, right), (_, pseudo)) in work.iter().zip(sides) {
                for (row, mu) in rows.iter_mut().zip(right[k]) {
                    *(if pseudo { &mut row.pseudo_impulse } else { &mut row.impulse }) += mu;
                }
            }
        }
    }

    /// Solves one tree and moves its bodies at once; returns the most that a velocity has changed.
    pub fn sweep<const PSEUDO: bool>(
        &self,
        tree: usize,
        rows: &mut [Row],
        work: &mut Work,
        velocities: &mut [Velocity],
        first: bool,
    ) -> f32 {
        self.solve::<PSEUDO>(tree, rows, work, velocities, 1.0);
        self.apply(tree, rows, work, velocities, first);
        work.most()
    }

    /// A sweep of the velocities and one of the split position correction.
    pub fn sweep_both(
        &self,
        tree: usize,
        rows: &mut [Row],
        (work, pseudo_work): (&mut Work, &mut Work),
        velocities: &mut [Velocity],
        pseudo_velocities: &mut [Velocity],
        first: bool,
    ) -> f32 {
        self.eliminate(tree, rows, [work, pseudo_work], [(velocities, false), (pseudo_velocities, true)], 1.0);
        self.apply(tree, rows, work, velocities, first);
        self.apply(tree, rows, pseudo_work, pseudo_velocities, first);
        work.most().max(pseudo_work.most())
    }

    /// Moves the bodies by what the last [`Self::solve`] found.
    ///
    /// The `first` sweep takes its Δu, which 32 bits hold best: light bodies between heavy ones would get the
    /// difference of two large impulses. Later sweeps only correct it and take M⁻¹ Jᵀ μ, so that velocities and
    /// impulses do not drift apart by rounding, however many there are.
    pub fn apply(&self, tree: usize, rows: &[Row], work: &Work, velocities: &mut [Velocity], first: bool) {
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
                a.linear -= row.lin * (row.inv_ma * mu);
                a.angular += row.inv_ia * *mu;
                b.linear += row.lin * (row.inv_mb * mu);
                b.angular += row.inv_ib * *mu;
            }
            (velocities[edge.a as usize], velocities[edge.b as usize]) = (a, b);
        }
    }

    /// The factors of a body and of those behind it.
    fn factors_of(&self, node: &elimination_plan::Node) -> &[f32] {
        &self.factors[node.at as usize..]
    }
}

/// J u + b + γ λ.
fn lacks<const PSEUDO: bool>(row: &Row, a: &Velocity, b: &Velocity) -> f32 {
    let speed = (row.lin * (b.linear - a.linear) + row.ang_a * a.angular + row.ang_b * b.angular).element_sum();
    let (offset, impulse) = if PSEUDO { (row.pseudo_bias, row.pseudo_impulse) } else { (row.bias, row.impulse) };
    speed + offset + row.gamma * impulse
}
