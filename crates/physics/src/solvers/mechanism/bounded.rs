//! The active set: which rows of a mechanism are free, and the solution for them.
//!
//! ```text
//! solve for the free rows, the others at their bounds
//! a free row beyond a bound stops at it; a row at a bound whose residual pulls it inwards becomes free
//! change all of them at once; if their number has not fallen for a few rounds, only the last (Murty); in the end rows only
//! stop, so that no impulse is beyond its bounds
//! ```
//! Source: Júdice and Pires 1994 (block principal pivoting); Murty 1974.

use super::blocks::{Part, part};
use super::node_work::{NodeWork, ROUNDING};
use super::plan::{Mechanism, WIDTH};
use super::side::{EPSILON, RowState, Side};
use super::{Lines, Mechanisms, Work};
use crate::row::Row;
use crate::velocity::Velocity;

/// The most rounds of the active set in which rows may leave their bounds.
const ROUNDS: u32 = 60;
/// Rounds in which the number of wrong rows need not fall before they change one by one.
const MAX_ROUNDS_WITHOUT_PROGRESS: u32 = 3;
/// Solves with one set of factors: the first and its refinements. Rows that are nearly redundant, by about ε, converge
/// slowly: more follow, up to a limit, while each leaves no more than this share q of the residual. What these steps
/// tend to is a geometric series, so every other one is made 1/(1 − q) times as long.
const REFINEMENTS: usize = 4;
const SLOWEST: f64 = 0.98;
/// How many there may be in all rounds together, times the number of nodes: a net of a hundred joints does not afford what a
/// linkage of ten does.
const NODES_REFINED: usize = 200;
/// A residual of this size is rounding in 64 bits.
const EXACT: f64 = 1e-12;
/// Residuals below this many times their rounding contradict nothing.
const TOLERANCE: f64 = 100.0;

impl Mechanisms {
    /// Solves the rows of a mechanism at the given velocities, those of the split position correction if `pseudo`, and
    /// adds the impulses, multiplied by `relaxation`, to the rows. The changes of velocity are left for
    /// [`Mechanisms::apply`].
    pub fn solve(&mut self, index: usize, rows: &mut [Row], velocities: &[Velocity], pseudo: bool, relaxation: f32) {
        let Self { plan, ends, first, width, extent, lines, matrix, sides, work, held, .. } = self;
        let Mechanism { supernodes, nodes, bodies } = plan.mechanisms[index].clone();
        let side = &mut sides[usize::from(pseudo)];
        work.clear(&plan.mechanisms[index]);
        for (node_work, node) in work.nodes.iter_mut().zip(nodes.clone()) {
            let [a, b] = ends[node].map(|body| &velocities[body as usize]);
            let begin = first[node] as usize;
            node_work.start(&rows[begin..begin + width[node] as usize], &lines[node], (a, b), pseudo);
        }
        let first_body = bodies.start as u32;
        let (changes, spare) = (Changes::All, NODES_REFINED / nodes.len());
        let widths = Widths { nodes: width, supernodes: extent };
        let measured = true;
        let mut set =
            Set { plan, supernodes, nodes, first_body, lines, widths, side, work, pseudo, measured, changes, spare };
        if set.is_solved() {
            return;
        }
        set.move_to_bounds();
        let (mut fewest, mut patience) = (usize::MAX, MAX_ROUNDS_WITHOUT_PROGRESS);
        for round in 0.. {
            if !set.side.factored[index] {
                set.side.factor(plan, index, matrix, extent, held[index]);
            }
            let held_back = set.side.held_back[index];
            if held_back {
                set.spare = 0;
            }
            let agrees = set.refine(REFINEMENTS, TOLERANCE);
            if set.side.loose[index] && agrees && !held_back {
                set.spread(&matrix.weight);
                set.refine(0, 1.0);
            }
            let wrong = set.wrong();
            if wrong == 0 {
                if !agrees && !held_back {
                    set.spread(&matrix.weight);
                }
                break;
            }
            if wrong < fewest {
                (fewest, patience) = (wrong, MAX_ROUNDS_WITHOUT_PROGRESS);
            } else {
                patience = patience.saturating_sub(1);
            }
            set.changes = match patience {
                _ if round >= ROUNDS => Changes::Stopping,
                0 => Changes::One,
                _ => Changes::All,
            };
            set.change();
            set.side.factored[index] = false;
        }
        let relaxation = f64::from(relaxation);
        set.work.y.iter_mut().flatten().for_each(|y| *y *= relaxation);
        for (node_work, node) in work.nodes.iter().zip(plan.mechanisms[index].nodes.clone()) {
            let begin = first[node] as usize;
            node_work.finish(&mut rows[begin..begin + width[node] as usize], pseudo, relaxation);
        }
    }
}

impl Work {
    pub(super) fn clear(&mut self, mechanism: &Mechanism) {
        self.nodes.resize_with(mechanism.nodes.len(), NodeWork::default);
        self.x.clear();
        self.x.resize(mechanism.supernodes.len(), [0.0; WIDTH]);
        self.y.clear();
        self.y.resize(mechanism.bodies.len(), [0.0; 6]);
    }
}

/// One mechanism while it is solved.
struct Set<'a> {
    plan: &'a super::Plan,
    supernodes: std::ops::Range<usize>,
    nodes: std::ops::Range<usize>,
    first_body: u32,
    lines: &'a [Lines],
    widths: Widths<'a>,
    side: &'a mut Side,
    work: &'a mut Work,
    pseudo: bool,
    /// Whether the residuals are those of the present impulses.
    measured: bool,
    changes: Changes,
    /// The number of refinements beyond the least that may still be made.
    spare: usize,
}

/// The numbers of rows of all nodes and supernodes.
#[derive(Debug, Clone, Copy)]
struct Widths<'a> {
    nodes: &'a [u8],
    supernodes: &'a [u8],
}

/// Which of the rows whose state is wrong change it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Changes {
    All,
    /// The last one.
    One,
    /// Only those that stop at a bound, so that it comes to an end.
    Stopping,
}

impl Changes {
    /// A row at a bound is free to leave it if its residual is larger than this many times its rounding. Where the set goes
    /// round in circles the rounding of redundant rows decides, which is larger than that of each alone.
    fn frees_above(self) -> f64 {
        match self {
            Self::All => 1.0,
            Self::One => TOLERANCE,
            Self::Stopping => f64::INFINITY,
        }
    }
}

impl Set<'_> {
    fn work(&self, node: usize) -> &NodeWork {
        &self.work.nodes[node - self.nodes.start]
    }

    /// The states of a node's rows.
    fn states(&self, node: usize) -> impl Iterator<Item = (usize, RowState)> + use<> {
        self.side.states[node].into_iter().enumerate().take(self.widths.nodes[node] as usize)
    }

    /// Updates J u + b + γ λ of all rows to the changes made so far.
    fn measure(&mut self) {
        if std::mem::replace(&mut self.measured, true) {
            return;
        }
        for node in self.nodes.clone() {
            self.work.nodes[node - self.nodes.start].residual = self.residual(node);
        }
    }

    fn residual(&self, node: usize) -> Part {
        let (node_work, lines) = (self.work(node), &self.lines[node]);
        let mut sum = node_work.base;
        lines.add_speed(&self.plan.nodes[node], self.first_body, &self.work.y, &mut sum);
        if !self.pseudo {
            for (sum, (gamma, change)) in sum.iter_mut().zip(lines.gamma.iter().zip(node_work.change)) {
                *sum += gamma * change;
            }
        }
        sum
    }

    /// Changes the impulses of a node's rows.
    fn push(&mut self, node: usize, by: &Part) {
        self.measured = false;
        let change = &mut self.work.nodes[node - self.nodes.start].change;
        change.iter_mut().zip(by).for_each(|(change, by)| *change += by);
        let width = self.widths.nodes[node] as usize;
        self.lines[node].push(&self.plan.nodes[node], self.first_body, by, width, &mut self.work.y);
    }

    /// Whether nothing is to be done.
    fn is_solved(&self) -> bool {
        self.nodes.clone().all(|node| {
            let node_work = self.work(node);
            self.states(node).all(|(i, state)| {
                let (base, noise) = (node_work.base[i], node_work.noise[i]);
                match state {
                    RowState::Off => true,
                    RowState::Free => {
                        base.abs() <= noise
                            && node_work.lo[i] <= node_work.impulse[i]
                            && node_work.impulse[i] <= node_work.hi[i]
                    }
                    RowState::Low => base >= -noise && node_work.impulse[i] == node_work.lo[i],
                    RowState::High => base <= noise && node_work.impulse[i] == node_work.hi[i],
                }
            })
        })
    }

    /// Puts the impulses of the rows at bounds there.
    fn move_to_bounds(&mut self) {
        for node in self.nodes.clone() {
            if !self.work(node).bounded {
                continue;
            }
            let (node_work, mut by, mut moves) = (self.work(node), [0.0; WIDTH], false);
            for (i, state) in self.states(node).filter(|(_, state)| matches!(state, RowState::Low | RowState::High)) {
                by[i] = node_work.bound(i, state) - node_work.impulse[i] - node_work.change[i];
                moves |= by[i] != 0.0;
            }
            if moves {
                self.push(node, &by);
            }
        }
    }

    /// Solves for the free rows, `least` times or more: until what is left is at most `tolerance` times its rounding, while that
    /// helps. False if the rows contradict each other, as a drive and the stop that it runs into do; their impulses then grow
    /// until one of them is at its bound.
    fn refine(&mut self, least: usize, tolerance: f64) -> bool {
        let (mut before, mut extended) = (f64::INFINITY, false);
        for round in 0.. {
            let (mut worst, mut agrees, mut solved) = (0.0f64, true, true);
            self.measure();
            for node in self.nodes.clone() {
                let (node_work, mut right) = (self.work(node), [0.0; WIDTH]);
                for (i, _) in self.states(node).filter(|(_, state)| *state == RowState::Free) {
                    let (residual, noise) = (node_work.residual[i], node_work.noise[i]);
                    right[i] = -residual;
                    worst = worst.max(residual.abs() - 0.1 * noise);
                    agrees &= residual.abs() <= TOLERANCE * noise + 1e3 * EXACT;
                    solved &= residual.abs() <= tolerance * noise + EXACT;
                }
                self.set_right(node, &right);
            }
            let left = worst / before;
            let helps = self.spare > 0 && !solved && (extended || left < SLOWEST);
            if (round > 0 && worst <= EXACT) || !(round < least || helps) {
                return agrees;
            }
            self.spare -= usize::from(round >= least);
            extended = round >= REFINEMENTS && !extended;
            before = worst;
            self.solve();
            self.add_solution(if extended { 1.0 / (1.0 - left) } else { 1.0 });
        }
        true
    }

    /// The entries of a node in the right-hand side or the solution.
    fn entries(&mut self, node: usize) -> &mut [f64] {
        self.work.entries(&self.plan.nodes[node], self.widths.nodes[node], self.supernodes.start)
    }

    fn set_right(&mut self, node: usize, right: &Part) {
        let entries = self.entries(node);
        entries.copy_from_slice(&right[..entries.len()]);
    }

    /// Replaces the right-hand side by the solution.
    fn solve(&mut self) {
        self.side.factors.solve(self.plan, self.supernodes.clone(), self.widths.supernodes, &mut self.work.x);
    }

    /// Adds the solution, times a factor, to the impulses. It is zero in rows that are not free.
    fn add_solution(&mut self, factor: f64) {
        for node in self.nodes.clone() {
            let by = part(self.entries(node)).map(|x| factor * x);
            self.push(node, &by);
        }
    }

    /// Removes from the free rows the part of the impulses that has no effect. With W the weights, ε (A + ε W)⁻¹ W
    /// keeps the part of λ on which A does not act and reduces the rest to less than ε/a of it, a being the eigenvalue
    /// of A.
    fn spread(&mut self, weight: &[Part]) {
        for node in self.nodes.clone() {
            let mut x = [0.0; WIDTH];
            for (i, _) in self.states(node).filter(|(_, state)| *state == RowState::Free) {
                x[i] = self.work(node).now(i);
            }
            self.set_right(node, &x);
        }
        for _ in 0..3 {
            for (x, weight) in self.work.x.iter_mut().zip(&weight[self.supernodes.clone()]) {
                x.iter_mut().zip(weight).for_each(|(x, weight)| *x *= EPSILON * weight);
            }
            self.solve();
        }
        self.add_solution(-1.0);
        self.measure();
    }

    /// The states that a node's rows should have, where they have others.
    fn better(&self, node: usize) -> [Option<RowState>; WIDTH] {
        let (node_work, mut better) = (self.work(node), [None; WIDTH]);
        if !node_work.bounded {
            return better;
        }
        for (i, state) in self.states(node) {
            better[i] = match state {
                RowState::Free if node_work.is_bounded(i) => {
                    let impulse = node_work.now(i);
                    let rounding = ROUNDING * impulse.abs();
                    let below = impulse < node_work.lo[i] - rounding;
                    (below || impulse > node_work.hi[i] + rounding).then_some(if below {
                        RowState::Low
                    } else {
                        RowState::High
                    })
                }
                RowState::Low | RowState::High if node_work.lo[i] < node_work.hi[i] => {
                    let inwards = if state == RowState::Low { -node_work.residual[i] } else { node_work.residual[i] };
                    (inwards > self.changes.frees_above() * node_work.noise[i] + EXACT).then_some(RowState::Free)
                }
                _ => None,
            };
        }
        better
    }

    /// The number of rows whose state is wrong.
    fn wrong(&self) -> usize {
        self.nodes.clone().map(|node| self.better(node).iter().flatten().count()).sum()
    }

    /// Changes the states of rows that are wrong.
    fn change(&mut self) {
        let one = self.changes == Changes::One;
        let mut last = None;
        for node in self.nodes.clone() {
            for (i, better) in self.better(node).into_iter().enumerate() {
                let Some(state) = better else { continue };
                last = Some((node, i, state));
                if !one {
                    self.side.states[node][i] = state;
                }
            }
        }
        if let (true, Some((node, i, state))) = (one, last) {
            self.side.states[node][i] = state;
        }
        self.move_to_bounds();
    }
}
