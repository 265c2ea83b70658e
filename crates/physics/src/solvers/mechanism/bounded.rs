//! The active set: which rows of a mechanism are free, and the solution for them.
//!
//! ```text
//! solve for the free rows, the others at their bounds
//! a free row beyond a bound stops at it; a row at a bound whose residual pulls it inwards becomes free
//! change all of them at once; if their number has not fallen for a few rounds, only the last (Murty)
//! ```
//! Source: Júdice and Pires 1994 (block principal pivoting); Murty 1974.

use super::blocks::Part;
use super::plan::{Mechanism, WIDTH};
use super::side::{EPSILON, RowState, Side, Terms};
use super::{Line, Mechanisms, Work};
use crate::row::Row;
use crate::velocity::Velocity;

/// The most rounds of the active set. Beyond it impulses are cut at their bounds.
const ROUNDS: u32 = 60;
/// Rounds in which the number of wrong rows need not fall before they change one by one.
const PATIENCE: u32 = 3;
/// Solves with one set of factors: the first and its refinements.
const REFINEMENTS: u32 = 4;
/// Residuals and impulses are known to this share of what they are made of.
const ROUNDING: f64 = 1.2e-7;
const EXACT: f64 = 1e-12;

impl Mechanisms {
    /// Solves the rows of a mechanism at the given velocities, those of the split position correction if `pseudo`, and
    /// adds the impulses, multiplied by `relaxation`, to the rows. The changes of velocity are left for
    /// [`Mechanisms::apply`].
    pub fn solve(&mut self, index: usize, rows: &mut [Row], velocities: &[Velocity], pseudo: bool, relaxation: f32) {
        let Self { plan, ends, first, width, lines, matrix, sides, work, .. } = self;
        let Mechanism { nodes, bodies } = plan.mechanisms[index].clone();
        let side = &mut sides[usize::from(pseudo)];
        work.clear(nodes.len(), bodies.len());
        let first_body = bodies.start as u32;
        let row_at = |node: usize, i: usize| first[node] as usize + i;
        for node in nodes.clone() {
            let [a, b] = ends[node].map(|body| &velocities[body as usize]);
            for i in 0..width[node] as usize {
                let row = &rows[row_at(node, i)];
                let terms = Terms::of(row, pseudo);
                let gamma = if pseudo { 0.0 } else { lines[node][i].gamma };
                let (speed, size) = speed(row, a, b);
                let base = speed + terms.bias + gamma * terms.impulse;
                let noise = ROUNDING * (size + terms.bias.abs() + (gamma * terms.impulse).abs());
                (work.base[node - nodes.start][i], work.noise[node - nodes.start][i]) = (base, noise);
            }
        }
        let mut set = Set { plan, nodes: nodes.clone(), first_body, lines, width, side, work, rows, first, pseudo };
        if set.is_solved() {
            return;
        }
        set.move_to_bounds();
        let (mut fewest, mut patience) = (usize::MAX, PATIENCE);
        for round in 0..ROUNDS {
            if !set.side.factored[index] {
                set.side.factor(plan, index, matrix, width);
            }
            let agrees = set.refine();
            if set.side.loose[index] && agrees {
                set.spread(&matrix.weight);
            }
            let wrong = set.wrong();
            if wrong == 0 {
                if !agrees {
                    set.spread(&matrix.weight);
                }
                break;
            }
            if round + 1 == ROUNDS {
                set.cut();
                break;
            }
            let one = if wrong < fewest {
                (fewest, patience) = (wrong, PATIENCE);
                false
            } else {
                patience = patience.saturating_sub(1);
                patience == 0
            };
            set.change(one);
            set.side.factored[index] = false;
        }
        let relaxation = f64::from(relaxation);
        set.work.y.iter_mut().flatten().for_each(|y| *y *= relaxation);
        set.apply_changes(relaxation);
    }
}

/// J u, and the sum of the sizes of its terms.
fn speed(row: &Row, a: &Velocity, b: &Velocity) -> (f64, f64) {
    let (lin, va, vb) = (row.lin.as_dvec3(), a.linear.as_dvec3(), b.linear.as_dvec3());
    let (on_a, wa) = (row.ang_a.as_dvec3(), a.angular.as_dvec3());
    let (on_b, wb) = (row.ang_b.as_dvec3(), b.angular.as_dvec3());
    let size = lin.abs().dot(va.abs() + vb.abs()) + on_a.abs().dot(wa.abs()) + on_b.abs().dot(wb.abs());
    (lin.dot(vb - va) + on_a.dot(wa) + on_b.dot(wb), size)
}

impl Work {
    fn clear(&mut self, nodes: usize, bodies: usize) {
        for list in [&mut self.base, &mut self.noise, &mut self.change, &mut self.x] {
            list.clear();
            list.resize(nodes, [0.0; WIDTH]);
        }
        self.y.clear();
        self.y.resize(bodies, [0.0; 6]);
    }
}

/// One mechanism while it is solved.
struct Set<'a> {
    plan: &'a super::Plan,
    nodes: std::ops::Range<usize>,
    first_body: u32,
    lines: &'a [[Line; WIDTH]],
    width: &'a [u8],
    side: &'a mut Side,
    work: &'a mut Work,
    rows: &'a mut [Row],
    first: &'a [u32],
    pseudo: bool,
}

impl Set<'_> {
    /// All its rows, by node and number within the node.
    fn all(&self) -> impl Iterator<Item = (usize, usize)> + use<'_> {
        self.nodes.clone().flat_map(|node| (0..self.width[node] as usize).map(move |i| (node, i)))
    }

    fn terms(&self, (node, i): (usize, usize)) -> Terms {
        Terms::of(&self.rows[self.first[node] as usize + i], self.pseudo)
    }

    fn state(&self, (node, i): (usize, usize)) -> RowState {
        self.side.states[node][i]
    }

    /// J u + b + γ λ of a row with the changes made so far.
    fn residual(&self, (node, i): (usize, usize)) -> f64 {
        let line = &self.lines[node][i];
        let at = node - self.nodes.start;
        let gives = if self.pseudo { 0.0 } else { line.gamma * self.work.change[at][i] };
        self.work.base[at][i] + line.speed(&self.plan.nodes[node], self.first_body, &self.work.y) + gives
    }

    fn noise(&self, (node, i): (usize, usize)) -> f64 {
        self.work.noise[node - self.nodes.start][i]
    }

    /// Changes the impulse of a row.
    fn push(&mut self, (node, i): (usize, usize), by: f64) {
        self.work.change[node - self.nodes.start][i] += by;
        self.lines[node][i].push(&self.plan.nodes[node], self.first_body, by, &mut self.work.y);
    }

    /// Whether nothing is to be done.
    fn is_solved(&self) -> bool {
        self.all().all(|row| {
            let (base, noise) = (self.work.base[row.0 - self.nodes.start][row.1], self.noise(row));
            let stands = |state| self.terms(row).impulse == self.terms(row).bound(state);
            match self.state(row) {
                RowState::Off => true,
                RowState::Free => base.abs() <= noise,
                RowState::Low => base >= -noise && stands(RowState::Low),
                RowState::High => base <= noise && stands(RowState::High),
            }
        })
    }

    /// Puts the impulses of the rows at bounds there.
    fn move_to_bounds(&mut self) {
        for node in self.nodes.clone() {
            for i in 0..self.width[node] as usize {
                let (row, state) = ((node, i), self.side.states[node][i]);
                if matches!(state, RowState::Low | RowState::High) {
                    let terms = self.terms(row);
                    let by = terms.bound(state) - terms.impulse - self.work.change[node - self.nodes.start][i];
                    if by != 0.0 {
                        self.push(row, by);
                    }
                }
            }
        }
    }

    /// Solves for the free rows, and refines the result. False if they contradict each other, as a drive and the stop
    /// that it runs into do; their impulses then grow until one of them is at its bound.
    fn refine(&mut self) -> bool {
        let mut agrees = true;
        for round in 0..REFINEMENTS {
            let mut worst = 0.0f64;
            agrees = true;
            for node in self.nodes.clone() {
                let mut right = [0.0; WIDTH];
                for (i, right) in right.iter_mut().enumerate().take(self.width[node] as usize) {
                    if self.side.states[node][i] == RowState::Free {
                        *right = -self.residual((node, i));
                        worst = worst.max(right.abs() - 0.1 * self.noise((node, i)));
                        agrees &= right.abs() <= 100.0 * self.noise((node, i)) + 1e3 * EXACT;
                    }
                }
                self.work.x[node - self.nodes.start] = right;
            }
            if round > 0 && worst <= EXACT {
                break;
            }
            self.side.factors.solve(self.plan, self.nodes.clone(), self.width, &mut self.work.x);
            self.add_solution(1.0);
        }
        agrees
    }

    /// Adds the solution, times a factor, to the impulses.
    fn add_solution(&mut self, factor: f64) {
        for node in self.nodes.clone() {
            let x = self.work.x[node - self.nodes.start];
            for (i, x) in x.iter().enumerate().take(self.width[node] as usize) {
                if self.side.states[node][i] == RowState::Free {
                    self.push((node, i), factor * x);
                }
            }
        }
    }

    /// Removes from the free rows the part of the impulses that has no effect. With W the weights, ε (A + ε W)⁻¹ W keeps
    /// the part of λ on which A does not act and reduces the rest to less than ε/a of it, a being the eigenvalue of A.
    fn spread(&mut self, weight: &[Part]) {
        for node in self.nodes.clone() {
            let mut own = [0.0; WIDTH];
            for (i, own) in own.iter_mut().enumerate().take(self.width[node] as usize) {
                if self.side.states[node][i] == RowState::Free {
                    *own = self.terms((node, i)).impulse + self.work.change[node - self.nodes.start][i];
                }
            }
            self.work.x[node - self.nodes.start] = own;
        }
        for _ in 0..3 {
            for node in self.nodes.clone() {
                let x = &mut self.work.x[node - self.nodes.start];
                x.iter_mut().zip(&weight[node]).for_each(|(x, weight)| *x *= EPSILON * weight);
            }
            self.side.factors.solve(self.plan, self.nodes.clone(), self.width, &mut self.work.x);
        }
        self.add_solution(-1.0);
    }

    /// The state that a row should have, if it has another.
    fn better(&self, row: (usize, usize)) -> Option<RowState> {
        let terms = self.terms(row);
        match self.state(row) {
            RowState::Free if terms.is_bounded() => {
                let impulse = terms.impulse + self.work.change[row.0 - self.nodes.start][row.1];
                let rounding = ROUNDING * impulse.abs();
                let below = impulse < terms.lo - rounding;
                (below || impulse > terms.hi + rounding).then_some(if below { RowState::Low } else { RowState::High })
            }
            RowState::Low if terms.lo < terms.hi => {
                (self.residual(row) < -self.noise(row) - EXACT).then_some(RowState::Free)
            }
            RowState::High if terms.lo < terms.hi => {
                (self.residual(row) > self.noise(row) + EXACT).then_some(RowState::Free)
            }
            _ => None,
        }
    }

    /// The number of rows whose state is wrong.
    fn wrong(&self) -> usize {
        self.all().filter(|row| self.better(*row).is_some()).count()
    }

    /// Changes the states of all rows that are wrong, or of the last `one`.
    fn change(&mut self, one: bool) {
        // Which rows are wrong is found before any of them changes.
        let mut last = None;
        for node in self.nodes.clone() {
            let better: [Option<RowState>; WIDTH] =
                std::array::from_fn(|i| (i < self.width[node] as usize).then(|| self.better((node, i))).flatten());
            for (i, better) in better.into_iter().enumerate() {
                let Some(state) = better else { continue };
                last = Some(((node, i), state));
                if !one {
                    self.side.states[node][i] = state;
                }
            }
        }
        if let (true, Some(((node, i), state))) = (one, last) {
            self.side.states[node][i] = state;
        }
        self.move_to_bounds();
    }

    /// Cuts the impulses of the free rows at their bounds, where the active set is not found.
    fn cut(&mut self) {
        for node in self.nodes.clone() {
            for i in 0..self.width[node] as usize {
                if self.side.states[node][i] == RowState::Free {
                    let terms = self.terms((node, i));
                    let impulse = terms.impulse + self.work.change[node - self.nodes.start][i];
                    let by = impulse.max(terms.lo).min(terms.hi) - impulse;
                    if by != 0.0 {
                        self.push((node, i), by);
                    }
                }
            }
        }
    }

    /// Adds the changes to the rows' impulses.
    fn apply_changes(&mut self, relaxation: f64) {
        for node in self.nodes.clone() {
            for i in 0..self.width[node] as usize {
                let terms = self.terms((node, i));
                let impulse = terms.impulse + relaxation * self.work.change[node - self.nodes.start][i];
                let row = &mut self.rows[self.first[node] as usize + i];
                let own = if self.pseudo { &mut row.pseudo_impulse } else { &mut row.impulse };
                *own = impulse.max(terms.lo).min(terms.hi) as f32;
            }
        }
    }
}
