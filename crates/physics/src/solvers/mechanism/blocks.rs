//! Blocks of at most 8 × 8 numbers, and LDLᵀ of a sparse matrix of such blocks.
//!
//! ```text
//! for each node k, in order of elimination
//!     A_kk = L_kk D_k L_kkᵀ;   L_ik = A_ik L_kk⁻ᵀ D_k⁻¹ for the blocks i below;   A_ij −= L_ik D_k L_jkᵀ
//! ```
//! A block is stored column by column, so that loops run along columns, of 4, 6 or 8 rows, as many as the widest node of a
//! mechanism needs. Rows beyond a node's number, and rows that are not free, have a one on the diagonal and zeros
//! elsewhere: they neither change nor are changed. Of a diagonal block the lower triangle is given; its factor is stored as
//! L − 1, with zeros on and above the diagonal, so that whole columns are multiplied at once.

#![allow(clippy::needless_range_loop, reason = "matrices are indexed as in the formulas")]

use std::ops::Range;

use super::plan::{Plan, Target, WIDTH};

/// A block, column by column.
pub type Block = [[f64; WIDTH]; WIDTH];
/// A part of a vector that belongs to one node.
pub type Part = [f64; WIDTH];

pub const ZERO: Block = [[0.0; WIDTH]; WIDTH];

/// The factors of a matrix.
#[derive(Debug, Clone, Default)]
pub struct Factors {
    /// By node: L_kk − 1, and 1/D_k.
    diagonal: Vec<Block>,
    inverse: Vec<Part>,
    /// By block below the diagonal: L_ik, and while the matrix is factored L_ik D_k.
    below: Vec<Block>,
    scaled: Vec<Block>,
}

impl Factors {
    /// Makes room for a plan.
    pub fn resize(&mut self, plan: &Plan) {
        self.diagonal.resize(plan.nodes.len(), ZERO);
        self.inverse.resize(plan.nodes.len(), [0.0; WIDTH]);
        self.below.resize(plan.row.len(), ZERO);
        self.scaled.resize(plan.row.len(), ZERO);
    }

    /// The blocks of a node's column, to be filled in before [`Self::factor`].
    pub fn column(&mut self, plan: &Plan, node: usize) -> (&mut Block, &mut [Block]) {
        (&mut self.diagonal[node], &mut self.below[plan.column[node] as usize..plan.column[node + 1] as usize])
    }

    /// Replaces the matrix of the nodes `nodes` by its factors. By node, `width` is the number of rows and `whole` the
    /// diagonal before the factorisation. Returns the smallest pivot, each as a share of its entry in `whole`.
    pub fn factor(&mut self, plan: &Plan, nodes: Range<usize>, width: &[u8], whole: &[Part]) -> f64 {
        match widest(&nodes, width) {
            0..=4 => self.factor_rows::<4>(plan, nodes, width, whole),
            5 | 6 => self.factor_rows::<6>(plan, nodes, width, whole),
            _ => self.factor_rows::<WIDTH>(plan, nodes, width, whole),
        }
    }

    fn factor_rows<const R: usize>(&mut self, plan: &Plan, nodes: Range<usize>, width: &[u8], whole: &[Part]) -> f64 {
        let mut smallest = f64::INFINITY;
        for node in nodes {
            let width = width[node] as usize;
            let pivots = factor_block::<R>(&mut self.diagonal[node], width);
            for i in 0..width {
                smallest = smallest.min(pivots[i] / whole[node][i]);
                self.inverse[node][i] = if pivots[i] > 0.0 { 1.0 / pivots[i] } else { 0.0 };
            }
            let blocks = plan.column[node] as usize..plan.column[node + 1] as usize;
            for block in blocks.clone() {
                let (entries, scaled) = (&mut self.below[block], &mut self.scaled[block]);
                reduce::<R>(entries, &self.diagonal[node], width);
                for c in 0..width {
                    for r in 0..R {
                        scaled[c][r] = entries[c][r];
                        entries[c][r] *= self.inverse[node][c];
                    }
                }
            }
            let mut targets = plan.targets[plan.target[node] as usize..].iter();
            for i in blocks.clone() {
                for j in blocks.start..=i {
                    let Some(target) = targets.next() else { break };
                    match *target {
                        Target::Diagonal(later) => {
                            subtract::<R>(&mut self.diagonal[later as usize], &self.below[i], &self.scaled[j], width);
                        }
                        // The target lies in a later column.
                        Target::Below(block) => {
                            let (before, after) = self.below.split_at_mut(block as usize);
                            subtract::<R>(&mut after[0], &before[i], &self.scaled[j], width);
                        }
                    }
                }
            }
        }
        smallest
    }

    /// Solves A x = b in place for the nodes `nodes`.
    pub fn solve(&self, plan: &Plan, nodes: Range<usize>, width: &[u8], x: &mut [Part]) {
        match widest(&nodes, width) {
            0..=4 => self.solve_rows::<4>(plan, nodes, width, x),
            5 | 6 => self.solve_rows::<6>(plan, nodes, width, x),
            _ => self.solve_rows::<WIDTH>(plan, nodes, width, x),
        }
    }

    fn solve_rows<const R: usize>(&self, plan: &Plan, nodes: Range<usize>, width: &[u8], x: &mut [Part]) {
        let first = nodes.start;
        for node in nodes.clone() {
            let (l, width) = (&self.diagonal[node], width[node] as usize);
            let mut values = x[node - first];
            for c in 0..width {
                let value = values[c];
                for r in 0..R {
                    values[r] -= l[c][r] * value;
                }
            }
            x[node - first] = values;
            for block in plan.column[node] as usize..plan.column[node + 1] as usize {
                let (l, later) = (&self.below[block], &mut x[plan.row[block] as usize - first]);
                for c in 0..width {
                    for r in 0..R {
                        later[r] -= l[c][r] * values[c];
                    }
                }
            }
        }
        for node in nodes.rev() {
            let (l, width) = (&self.diagonal[node], width[node] as usize);
            let mut values = x[node - first];
            for c in 0..width {
                values[c] *= self.inverse[node][c];
            }
            for block in plan.column[node] as usize..plan.column[node + 1] as usize {
                let (l, later) = (&self.below[block], &x[plan.row[block] as usize - first]);
                for c in 0..width {
                    values[c] -= dot::<R>(&l[c], later);
                }
            }
            for c in (0..width).rev() {
                values[c] -= dot::<R>(&l[c], &values);
            }
            x[node - first] = values;
        }
    }
}

/// The number of rows of the widest node.
fn widest(nodes: &Range<usize>, width: &[u8]) -> u8 {
    width[nodes.clone()].iter().copied().max().unwrap_or(0)
}

/// The dot product of the first `R` numbers, summed as a tree: ((0 + 1) + (2 + 3)) + ((4 + 5) + (6 + 7)).
#[inline(always)]
fn dot<const R: usize>(a: &Part, b: &Part) -> f64 {
    let mut sum = (a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3]);
    if R > 4 {
        let mut rest = a[4] * b[4] + a[5] * b[5];
        if R > 6 {
            rest += a[6] * b[6] + a[7] * b[7];
        }
        sum += rest;
    }
    sum
}

/// Replaces a block, of which the lower triangle is read, by L − 1, with zeros on and above the diagonal; returns D.
#[inline(always)]
fn factor_block<const R: usize>(block: &mut Block, width: usize) -> Part {
    let mut pivots = [1.0; WIDTH];
    for c in 0..width {
        let pivot = block[c][c];
        pivots[c] = pivot;
        let inverse = if pivot > 0.0 { 1.0 / pivot } else { 0.0 };
        let column = block[c];
        for r in c + 1..width {
            let l = column[r] * inverse;
            for k in 0..R {
                block[r][k] -= l * column[k];
            }
            block[c][r] = l;
        }
        block[c][..=c].fill(0.0);
    }
    pivots
}

/// X ← X L⁻ᵀ for a block below the diagonal.
#[inline(always)]
fn reduce<const R: usize>(x: &mut Block, l: &Block, width: usize) {
    for c in 0..width {
        let mut column = x[c];
        for (m, done) in x[..c].iter().enumerate() {
            for r in 0..R {
                column[r] -= done[r] * l[m][c];
            }
        }
        x[c] = column;
    }
}

/// A −= L Xᵀ, over the first `width` columns of L and X.
#[inline(always)]
fn subtract<const R: usize>(a: &mut Block, l: &Block, x: &Block, width: usize) {
    for (l, x) in l.iter().zip(x).take(width) {
        for c in 0..R {
            for r in 0..R {
                a[c][r] -= l[r] * x[c];
            }
        }
    }
}
