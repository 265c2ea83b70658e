//! The rows of mechanisms that are free of their bounds, and the factors of the matrix over these rows: once for the
//! velocities, once for the split position correction.

use super::blocks::{Block, Factors, Part, ZERO};
use super::plan::{Mechanism, Plan, WIDTH};
use crate::row::Row;

/// Share of a row's weight that is added to its diagonal entry where rows are redundant. Rows whose pivots are below it
/// are the same row but for the rounding of 32 bits.
pub const EPSILON: f64 = 3e-7;
/// The same while nothing is known of redundant rows: so little that one solve is exact without them.
const LITTLE: f64 = 1e-11;
/// A pivot below this share of its diagonal entry says that rows are redundant.
const LOOSE: f64 = 30.0 * EPSILON;

/// Where a row's impulse stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum RowState {
    /// It takes no part.
    #[default]
    Off,
    /// Between its bounds: its equation holds.
    Free,
    /// At its lower or upper bound: its impulse is given.
    Low,
    High,
}

/// The impulse, bias and bounds of a row on one side.
#[derive(Debug, Clone, Copy)]
pub struct Terms {
    pub impulse: f64,
    pub bias: f64,
    pub lo: f64,
    pub hi: f64,
}

impl Terms {
    /// Those of the velocities, or of the split position correction.
    pub fn of(row: &Row, pseudo: bool) -> Self {
        let (lo, hi) = if pseudo && row.in_drive_block {
            (f64::NEG_INFINITY, f64::INFINITY)
        } else {
            (row.lo.into(), row.hi.into())
        };
        let (impulse, bias) = if pseudo { (row.pseudo_impulse, row.pseudo_bias) } else { (row.impulse, row.bias) };
        Self { impulse: impulse.into(), bias: bias.into(), lo, hi }
    }

    /// Whether it has a bound.
    pub fn is_bounded(&self) -> bool {
        self.lo > f64::NEG_INFINITY || self.hi < f64::INFINITY
    }
}

/// The rows of one side.
#[derive(Debug, Clone, Default)]
pub struct Side {
    /// By node.
    pub states: Vec<[RowState; WIDTH]>,
    /// By supernode: whether each of its rows is free.
    free: Vec<[bool; WIDTH]>,
    pub factors: Factors,
    /// By mechanism: whether the factors are those of the present states, whether some rows are redundant, and whether
    /// such rows are held back.
    pub factored: Vec<bool>,
    pub loose: Vec<bool>,
    pub held_back: Vec<bool>,
    /// By mechanism: a number that changes whenever it is factored, and the last one given.
    pub numbers: Vec<u32>,
    number: u32,
}

impl Side {
    /// Makes room for a plan, with nothing factored.
    pub fn resize(&mut self, plan: &Plan) {
        self.states.clear();
        self.states.resize(plan.nodes.len(), [RowState::Off; WIDTH]);
        self.free.clear();
        self.free.resize(plan.supernode_count(), [false; WIDTH]);
        self.factors.resize(plan);
        self.factored.clear();
        self.factored.resize(plan.mechanisms.len(), false);
        self.loose.clear();
        self.loose.resize(plan.mechanisms.len(), false);
        self.held_back.clear();
        self.held_back.resize(plan.mechanisms.len(), false);
        self.numbers.resize(plan.mechanisms.len(), 0);
    }

    /// The state from which a row starts: free where its old impulse was between its bounds. In the split position
    /// correction springs take no part, and of drives those that keep to a target.
    pub fn first_state(row: &Row, pseudo: bool) -> RowState {
        let terms = Terms::of(row, pseudo);
        let passed = pseudo && !row.in_drive_block && (row.gamma > 0.0 || (row.lo.is_finite() && row.hi.is_finite()));
        if row.inv_k == 0.0 || passed {
            RowState::Off
        } else if pseudo && terms.is_bounded() && row.is_split() {
            RowState::Free
        } else if terms.impulse <= terms.lo {
            RowState::Low
        } else if terms.impulse >= terms.hi {
            RowState::High
        } else {
            RowState::Free
        }
    }

    /// Factors the matrix of one mechanism over its free rows. `share` is that of `forks.rs`.
    pub fn factor(&mut self, plan: &Plan, index: usize, matrix: &Matrix, width: &[u8], share: f64) {
        // Not remembered from step to step: a step has to follow from the state alone.
        let loose = self.factor_with(plan, index, matrix, width, LITTLE) < LOOSE.max(share);
        if loose {
            self.factor_with(plan, index, matrix, width, EPSILON.max(share));
        }
        (self.factored[index], self.loose[index], self.held_back[index]) = (true, loose, loose && share > EPSILON);
        self.number = self.number.wrapping_add(1);
        self.numbers[index] = self.number;
    }

    /// The same with a share `epsilon` of the weights on the diagonal; returns the least pivot as a share of its
    /// diagonal entry.
    fn factor_with(&mut self, plan: &Plan, index: usize, matrix: &Matrix, width: &[u8], epsilon: f64) -> f64 {
        let Mechanism { supernodes, nodes, .. } = &plan.mechanisms[index];
        for node in nodes.clone() {
            let at = &plan.nodes[node];
            let free = &mut self.free[at.supernode()][at.first_row()..][..at.room as usize];
            free.iter_mut().zip(&self.states[node]).for_each(|(free, state)| *free = *state == RowState::Free);
        }
        for supernode in supernodes.clone() {
            let free = self.free[supernode];
            let (diagonal, below) = self.factors.column(plan, supernode);
            *diagonal = matrix.diagonal[supernode];
            for c in 0..WIDTH {
                for r in c..WIDTH {
                    if !(free[c] && free[r]) {
                        diagonal[c][r] = 0.0;
                    }
                }
                diagonal[c][c] = if free[c] { diagonal[c][c] + epsilon * matrix.weight[supernode][c] } else { 1.0 };
            }
            let first = plan.below(supernode).start;
            for (block, entries) in below.iter_mut().enumerate() {
                *entries = matrix.below[first + block];
                let rows = self.free[plan.row[first + block] as usize];
                if free == [true; WIDTH] && rows == [true; WIDTH] {
                    continue;
                }
                for c in 0..WIDTH {
                    for r in 0..WIDTH {
                        if !(free[c] && rows[r]) {
                            entries[c][r] = 0.0;
                        }
                    }
                }
            }
        }
        self.factors.factor(plan, supernodes.clone(), width, &matrix.whole)
    }
}

/// A over all rows, free or not, by supernode and block.
#[derive(Debug, Clone, Default)]
pub struct Matrix {
    pub diagonal: Vec<Block>,
    pub below: Vec<Block>,
    /// The diagonal entries, and the weights of the rows' impulses in the least norm.
    pub whole: Vec<Part>,
    pub weight: Vec<Part>,
}

impl Matrix {
    /// Makes room for a plan, with zeros; rows that are not there have ones on the diagonal.
    pub fn clear(&mut self, plan: &Plan) {
        let Self { diagonal, below, whole, weight } = self;
        for (blocks, count) in [(diagonal, plan.supernode_count()), (below, plan.row.len())] {
            blocks.clear();
            blocks.resize(count, ZERO);
        }
        for parts in [whole, weight] {
            parts.clear();
            parts.resize(plan.supernode_count(), [1.0; WIDTH]);
        }
    }
}
