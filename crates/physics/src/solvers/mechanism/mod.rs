//! Mechanisms: all rows of joints that hang together, solved exactly as one block, loops, drives, springs and stops
//! included.
//!
//! ```text
//! (A + Γ) λ = −(J u + b)   over the free rows, A = J M⁻¹ Jᵀ, Γ = γ of springs and soft rows
//! λ = lo or hi             over the rows at their bounds: stops out of touch, drives at their cap
//! ```
//! The matrix is factored in 64 bits over the graph of joints (`plan.rs`, `blocks.rs`). Which rows are free follows
//! from the step before and is corrected by an active set (`bounded.rs`): one solve in most sub-steps. Rows that say
//! the same, as in a loop of hinges, are regularised by ε, and proximal steps take its effect back; of all impulses
//! that fulfil the rows the smallest remain, so that symmetric loads get symmetric forces. Where a loop may pass a fork
//! within the step, ε is larger, and little of its effect is taken back: see `forks.rs`.
//!
//! In Gauss–Seidel and Jacobi a mechanism is a block like any other; contacts, and joints that are left to the sweeps,
//! iterate with it. Trees of equalities are no mechanisms: `solvers/tree` solves them in 32 bits and for any ratio of
//! masses. Source: 004 ch. 5; Carpentier, Budhiraja and Mansard 2021 (proximal steps); Júdice and Pires 1994 (the
//! active set).

mod blocks;
mod bounded;
mod forks;
mod lanes;
mod line;
mod node_work;
mod ordering;
mod plan;
mod planner;
mod side;

pub use plan::{Link, LinkRows, Plan, WIDTH};
use plan::{Mechanism, Node};
use planner::Planner;

use blocks::{Block, Part, add_block, part};
use glam::Vec3A;
use line::{Inverse, Lines, Six, own_block, shared_block};
use node_work::NodeWork;
use side::{Matrix, RowState, Side};

use crate::body::{Body, Velocity};
use crate::copy::copied_by_fields;
use crate::graph::NONE;
use crate::row::Row;

/// The mechanisms of a system with their factors.
#[derive(Debug, Default)]
pub struct Mechanisms {
    pub plan: Plan,
    planner: Planner,
    /// By joint; compared with those that the plan was made for.
    pub links: Vec<Link>,
    /// By node: the indices of its bodies, of its first row, and the number of its rows.
    ends: Vec<[u32; 2]>,
    first: Vec<u32>,
    width: Vec<u8>,
    /// By supernode: the rows up to the last one.
    extent: Vec<u8>,
    lines: Vec<Lines>,
    matrix: Matrix,
    /// By body of the plan: the parts into which its mass is split.
    shares: Vec<f64>,
    /// Of the velocities and of the split position correction.
    sides: [Side; 2],
    work: Work,
    /// By body of the world: the angle by which it turns in the sub-step, rad.
    turns: Vec<f64>,
    /// By mechanism: ε of `forks.rs`.
    held: Vec<f64>,
}

copied_by_fields!(Mechanisms {
    plan,
    planner,
    links,
    ends,
    first,
    width,
    extent,
    lines,
    matrix,
    shares,
    sides,
    work,
    turns,
    held
});

/// Working memory for one mechanism.
#[derive(Debug, Clone, Default)]
struct Work {
    nodes: Vec<NodeWork>,
    /// By supernode: a right-hand side, or a solution.
    x: Vec<Part>,
    /// By body: the change of its velocity.
    y: Vec<Six>,
}

impl Work {
    /// The entries of a node with so many rows in a right-hand side or a solution. `first` is the first supernode of its
    /// mechanism.
    fn entries(&mut self, node: &Node, width: u8, first: usize) -> &mut [f64] {
        let begin = node.at as usize - first * WIDTH;
        &mut self.x.as_flattened_mut()[begin..begin + width as usize]
    }
}

impl Mechanisms {
    /// Updates the plan to the joints in `links`, of a world of `bodies` bodies.
    pub fn update_plan(&mut self, bodies: usize) {
        self.plan.update(&mut self.planner, &self.links, bodies);
    }

    /// Number of mechanisms.
    pub fn count(&self) -> usize {
        self.plan.mechanisms.len()
    }

    /// Multiplications of solving all mechanisms once: two passes through the factors, the residual, and its
    /// refinement.
    pub fn solving(&self) -> u64 {
        (0..self.count()).map(|index| self.solving_one(index)).sum()
    }

    /// The same for one mechanism.
    pub fn solving_one(&self, index: usize) -> u64 {
        let supernodes = &self.plan.mechanisms[index].supernodes;
        let blocks = self.plan.column[supernodes.end] - self.plan.column[supernodes.start];
        let side = if blocks::widest(supernodes, &self.extent) <= 4 { 4 } else { WIDTH };
        (4 * side * side * (supernodes.len() + 2 * blocks as usize)) as u64
    }

    /// Whether a joint belongs to a mechanism.
    pub fn takes(&self, joint: u32) -> bool {
        self.plan.takes.get(joint as usize) == Some(&true)
    }

    /// The bodies of a mechanism.
    pub fn bodies(&self, index: usize) -> impl Iterator<Item = u32> {
        self.plan.bodies[self.plan.mechanisms[index].bodies.clone()].iter().copied()
    }

    /// Row indices of a mechanism.
    pub fn rows_of(&self, index: usize) -> impl Iterator<Item = usize> {
        self.plan.mechanisms[index].nodes.clone().flat_map(|node| {
            let first = self.first[node] as usize;
            first..first + self.width[node] as usize
        })
    }

    /// Notes where the rows of each node are. `rows` and `ends` give a joint's range of rows and its two bodies.
    pub fn place(&mut self, rows: impl Fn(usize) -> std::ops::Range<usize>, ends: impl Fn(usize) -> [u32; 2]) {
        let Self { plan, first, width, extent, ends: ends_of_node, .. } = self;
        first.clear();
        width.clear();
        ends_of_node.clear();
        extent.clear();
        extent.resize(plan.supernode_count(), 0);
        for node in &plan.nodes {
            let range = rows(node.joint as usize);
            let begin = range.start + node.part as usize * WIDTH;
            let count = range.end.saturating_sub(begin).min(WIDTH);
            first.push(begin as u32);
            width.push(count as u8);
            ends_of_node.push(ends(node.joint as usize));
            let extent = &mut extent[node.supernode()];
            *extent = (*extent).max((node.first_row() + count) as u8);
        }
    }

    /// Notes by how much each body turns in a sub-step of `h` seconds with these velocities.
    pub fn measure_turns(&mut self, velocities: &[Velocity], h: f32) {
        self.turns.clear();
        if self.count() > 0 {
            self.turns.extend(velocities.iter().map(|velocity| f64::from(h * velocity.angular.length())));
        }
    }

    /// Factors all mechanisms. `shares` is the number of parts into which each body's mass is split; empty without mass
    /// splitting.
    pub fn factor(&mut self, rows: &[Row], bodies: &[Box<Body>], shares: &[u32]) {
        let Self {
            plan, ends, first, width, extent, lines, matrix, shares: shares_of_body, sides, turns, held, ..
        } = self;
        let share = |body: u32| shares.get(body as usize).map_or(1.0, |n| f64::from((*n).max(1)));
        shares_of_body.clear();
        shares_of_body.extend(plan.bodies.iter().map(|body| share(*body)));
        lines.resize(plan.nodes.len(), Lines::default());
        matrix.clear(plan);
        sides.iter_mut().for_each(|side| side.resize(plan));
        for (node, lines) in lines.iter_mut().enumerate() {
            let [a, b] = ends[node].map(|body| Inverse::of(&bodies[body as usize], share(body)));
            let (begin, count) = (first[node] as usize, width[node] as usize);
            let rows = &rows[begin..begin + count];
            *lines = Lines::of(rows, &a, &b);
            for (i, row) in rows.iter().enumerate() {
                for (side, pseudo) in sides.iter_mut().zip([false, true]) {
                    side.states[node][i] = Side::first_state(row, pseudo);
                }
            }
            let (node, block) = (&plan.nodes[node], own_block(&plan.nodes[node], lines, count));
            let (supernode, first) = (node.supernode(), node.first_row());
            add_block(&mut matrix.diagonal[supernode], (first, first), &block, (count, count));
            let diagonal: Part = std::array::from_fn(|i| block[i][i]);
            matrix.whole[supernode][first..first + count].copy_from_slice(&diagonal[..count]);
            matrix.weight[supernode][first..first + count].copy_from_slice(&lines.weight[..count]);
        }
        for supernode in 0..plan.supernode_count() {
            let nodes = plan.nodes_of(supernode);
            for earlier in nodes.clone() {
                for later in earlier + 1..nodes.end {
                    add_shared(&mut matrix.diagonal[supernode], plan, (lines, width), (earlier, later));
                }
                for block in plan.below(supernode) {
                    for later in plan.nodes_of(plan.row[block] as usize) {
                        add_shared(&mut matrix.below[block], plan, (lines, width), (earlier, later));
                    }
                }
            }
        }
        held.clear();
        for index in 0..plan.mechanisms.len() {
            let of_node = |node: usize| &rows[first[node] as usize..][..width[node] as usize];
            let rows = plan.mechanisms[index].nodes.clone().flat_map(of_node);
            held.push(forks::share(plan, index, rows, turns));
            sides[0].factor(plan, index, matrix, extent, held[index]);
        }
    }

    /// Frees all rows that are not switched off, for rows that have lost their bounds.
    pub fn release(&mut self, rows: &[Row]) {
        let Self { plan, first, width, extent, matrix, sides: [side, _], held, .. } = self;
        for node in 0..plan.nodes.len() {
            let begin = first[node] as usize;
            for (state, row) in side.states[node].iter_mut().zip(&rows[begin..begin + width[node] as usize]) {
                *state = Side::first_state(row, false);
            }
        }
        for (index, share) in held.iter().enumerate() {
            side.factor(plan, index, matrix, extent, *share);
        }
    }

    /// Changes the velocities by the result of the last solve of this mechanism.
    pub fn apply(&self, index: usize, velocities: &mut [Velocity]) {
        let bodies = self.plan.mechanisms[index].bodies.clone();
        let shares = &self.shares[bodies.clone()];
        for ((body, share), y) in self.plan.bodies[bodies].iter().zip(shares).zip(&self.work.y) {
            let [x, y, z, u, v, w] = y.map(|y| y / share);
            let velocity = &mut velocities[*body as usize];
            let add = |now: Vec3A, by: [f64; 3]| {
                let sum = |now: f32, by: f64| (f64::from(now) + by) as f32;
                Vec3A::new(sum(now.x, by[0]), sum(now.y, by[1]), sum(now.z, by[2]))
            };
            velocity.linear = add(velocity.linear, [x, y, z]);
            velocity.angular = add(velocity.angular, [u, v, w]);
        }
    }

    /// How a mechanism responds to a unit impulse along a row of a contact, whose bodies are `ends` and of which `pushed`
    /// belong to it: the change of velocity of each of its bodies, and the impulse of each of its rows. Rows at a bound
    /// do not respond.
    pub fn unit_response(
        &mut self,
        index: usize,
        (row, ends, pushed): (&Row, [u32; 2], [bool; 2]),
        (moved, impulses): (&mut [Velocity], &mut [f32]),
    ) {
        let Self { plan, width, extent, lines, sides: [side, _], work, .. } = self;
        let Mechanism { supernodes, nodes, bodies } = plan.mechanisms[index].clone();
        work.clear(&plan.mechanisms[index]);
        let mechanism_bodies = &plan.bodies[bodies.clone()];
        let by = Lines::unit(row);
        for end in (0..2).filter(|end| pushed[*end]) {
            if let Some(body) = mechanism_bodies.iter().position(|body| *body == ends[end]) {
                work.y[body] = by[end];
            }
        }
        let first_body = bodies.start as u32;
        for node in nodes.clone() {
            let mut speed = [0.0; WIDTH];
            lines[node].add_speed(&plan.nodes[node], first_body, &work.y, &mut speed);
            let right = work.entries(&plan.nodes[node], width[node], supernodes.start);
            for ((right, state), speed) in right.iter_mut().zip(&side.states[node]).zip(speed) {
                *right = if *state == RowState::Free { -speed } else { 0.0 };
            }
        }
        side.factors.solve(plan, supernodes.clone(), extent, &mut work.x);
        let mut impulses = impulses.iter_mut();
        for node in nodes {
            let found = work.entries(&plan.nodes[node], width[node], supernodes.start);
            impulses.by_ref().zip(&*found).for_each(|(to, x)| *to = *x as f32);
            let by = part(found);
            lines[node].push(&plan.nodes[node], first_body, &by, width[node] as usize, &mut work.y);
        }
        for (moved, y) in moved.iter_mut().zip(&work.y) {
            let [x, y, z, u, v, w] = y.map(|y| y as f32);
            *moved = Velocity { linear: Vec3A::new(x, y, z), angular: Vec3A::new(u, v, w) };
        }
    }

    /// A number that changes whenever the mechanism is factored.
    pub fn factors_number(&self, index: usize) -> u32 {
        self.sides[0].numbers[index]
    }

    /// The largest change of a velocity by the last solve, m/s or rad/s.
    pub fn largest_change(&self) -> f32 {
        self.work.y.iter().flatten().fold(0.0, |largest, y| y.abs().max(largest)) as f32
    }
}

/// Adds J M⁻¹ Jᵀ of two nodes, rows of the `later` and columns of the `earlier`, to the block that has them.
fn add_shared(to: &mut Block, plan: &Plan, (lines, width): (&[Lines], &[u8]), (earlier, later): (usize, usize)) {
    let [column, row] = [earlier, later].map(|node| &plan.nodes[node]);
    if ![row.a, row.b].into_iter().any(|body| body != NONE && (body == column.a || body == column.b)) {
        return;
    }
    let counts = (width[earlier] as usize, width[later] as usize);
    let block = shared_block((row, &lines[later]), (column, &lines[earlier]), counts.0);
    add_block(to, (column.first_row(), row.first_row()), &block, counts);
}
