//! Blocks of at most 8 × 8 numbers, and LDLᵀ of a sparse matrix of such blocks.
//!
//! ```text
//! for each supernode k, in order of elimination
//!     A_kk = L_kk D_k L_kkᵀ;   L_ik = A_ik L_kk⁻ᵀ D_k⁻¹ for the blocks i below;   A_ij −= L_ik D_k L_jkᵀ
//! ```
//! A block is stored column by column, so that loops run along columns, of 4 or 8 rows, as many as the widest supernode of
//! a mechanism needs. Rows beyond a node's number, and rows that are not free, have a one on the diagonal and zeros
//! elsewhere: they neither change nor are changed. Of a diagonal block the lower triangle is given; its factor is stored as
//! L − 1, with zeros on and above the diagonal, so that whole columns are multiplied at once.

#![allow(clippy::needless_range_loop, reason = "matrices are indexed as in the formulas")]

use std::ops::Range;

use super::lanes::Lanes;
use super::plan::{Plan, Target, WIDTH};

/// A block, column by column.
pub type Block = [[f64; WIDTH]; WIDTH];
/// A part of a vector that belongs to one supernode, or to one node.
pub type Part = [f64; WIDTH];

pub const ZERO: Block = [[0.0; WIDTH]; WIDTH];

/// These numbers and zeros.
pub fn part(numbers: &[f64]) -> Part {
    let mut part = [0.0; WIDTH];
    part[..numbers.len()].copy_from_slice(numbers);
    part
}

/// Adds the first columns and rows of a block to those of another that begin at `column` and `row`.
pub fn add_block(to: &mut Block, (column, row): (usize, usize), block: &Block, (columns, rows): (usize, usize)) {
    for (to, from) in to[column..].iter_mut().zip(&block[..columns]) {
        to[row..].iter_mut().zip(&from[..rows]).for_each(|(to, from)| *to += from);
    }
}

/// The factors of a matrix.
#[derive(Debug, Clone, Default)]
pub struct Factors {
    /// By supernode: L_kk − 1, and 1/D_k.
    diagonal: Vec<Block>,
    inverse: Vec<Part>,
    /// By block below the diagonal: L_ik, and while the matrix is factored L_ik D_k.
    below: Vec<Block>,
    scaled: Vec<Block>,
}

impl Factors {
    /// Makes room for a plan.
    pub fn resize(&mut self, plan: &Plan) {
        self.diagonal.resize(plan.supernode_count(), ZERO);
        self.inverse.resize(plan.supernode_count(), [0.0; WIDTH]);
        self.below.resize(plan.row.len(), ZERO);
        self.scaled.resize(plan.row.len(), ZERO);
    }

    /// The blocks of a supernode's column, to be filled in before [`Self::factor`].
    pub fn column(&mut self, plan: &Plan, node: usize) -> (&mut Block, &mut [Block]) {
        (&mut self.diagonal[node], &mut self.below[plan.below(node)])
    }

    /// Replaces the matrix of the supernodes `nodes` by its factors. By supernode, `width` is the number of rows and `whole`
    /// the diagonal before the factorisation. Returns the smallest pivot, each as a share of its entry in `whole`.
    pub fn factor(&mut self, plan: &Plan, nodes: Range<usize>, width: &[u8], whole: &[Part]) -> f64 {
        match widest(&nodes, width) {
            0..=4 => self.factor_in::<1>(plan, nodes, width, whole),
            _ => self.factor_in::<2>(plan, nodes, width, whole),
        }
    }

    fn factor_in<const H: usize>(&mut self, plan: &Plan, nodes: Range<usize>, width: &[u8], whole: &[Part]) -> f64 {
        let mut smallest = f64::INFINITY;
        for node in nodes {
            let width = width[node] as usize;
            let pivots = factor_block::<H>(&mut self.diagonal[node], width);
            for i in 0..width {
                smallest = smallest.min(pivots[i] / whole[node][i]);
                self.inverse[node][i] = if pivots[i] > 0.0 { 1.0 / pivots[i] } else { 0.0 };
            }
            let blocks = plan.below(node);
            for block in blocks.clone() {
                let (entries, scaled) = (&mut self.below[block], &mut self.scaled[block]);
                reduce::<H>(entries, &self.diagonal[node], width);
                for c in 0..width {
                    for r in 0..4 * H {
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
                            subtract::<H>(&mut self.diagonal[later as usize], &self.below[i], &self.scaled[j], width);
                        }
                        // The target lies in a later column.
                        Target::Below(block) => {
                            let (before, after) = self.below.split_at_mut(block as usize);
                            subtract::<H>(&mut after[0], &before[i], &self.scaled[j], width);
                        }
                    }
                }
            }
        }
        smallest
    }

    /// Solves A x = b in place for the supernodes `nodes`.
    pub fn solve(&self, plan: &Plan, nodes: Range<usize>, width: &[u8], x: &mut [Part]) {
        match widest(&nodes, width) {
            0..=4 => self.solve_in::<1>(plan, nodes, width, x),
            _ => self.solve_in::<2>(plan, nodes, width, x),
        }
    }

    fn solve_in<const H: usize>(&self, plan: &Plan, nodes: Range<usize>, width: &[u8], x: &mut [Part]) {
        let first = nodes.start;
        for node in nodes.clone() {
            let (l, width, values) = (&self.diagonal[node], width[node] as usize, &mut x[node - first]);
            let mut lanes = Lanes::<H>::load(values);
            for c in 0..width {
                lanes.subtract_scaled(&Lanes::load(&l[c]), values[c]);
                lanes.store(values);
            }
            let values = x[node - first];
            for block in plan.below(node) {
                let (l, later) = (&self.below[block], &mut x[plan.row[block] as usize - first]);
                let mut lanes = Lanes::<H>::load(later);
                for c in 0..width {
                    lanes.subtract_scaled(&Lanes::load(&l[c]), values[c]);
                }
                lanes.store(later);
            }
        }
        for node in nodes.rev() {
            let (l, width) = (&self.diagonal[node], width[node] as usize);
            let mut values = x[node - first];
            for c in 0..width {
                values[c] *= self.inverse[node][c];
            }
            for block in plan.below(node) {
                let (l, later) = (&self.below[block], Lanes::<H>::load(&x[plan.row[block] as usize - first]));
                for c in 0..width {
                    values[c] -= Lanes::load(&l[c]).dot(&later);
                }
            }
            for c in (0..width).rev() {
                values[c] -= Lanes::<H>::load(&l[c]).dot(&Lanes::load(&values));
            }
            x[node - first] = values;
        }
    }
}

/// The number of rows of the widest supernode.
pub fn widest(nodes: &Range<usize>, width: &[u8]) -> u8 {
    width[nodes.clone()].iter().copied().max().unwrap_or(0)
}

/// Replaces a block, of which the lower triangle is read, by L − 1, with zeros on and above the diagonal; returns D.
#[inline(always)]
fn factor_block<const H: usize>(block: &mut Block, width: usize) -> Part {
    let mut pivots = [1.0; WIDTH];
    for c in 0..width {
        let pivot = block[c][c];
        pivots[c] = pivot;
        let inverse = if pivot > 0.0 { 1.0 / pivot } else { 0.0 };
        let (column, lanes) = (block[c], Lanes::<H>::load(&block[c]));
        for r in c + 1..width {
            let l = column[r] * inverse;
            let mut row = Lanes::load(&block[r]);
            row.subtract_scaled(&lanes, l);
            row.store(&mut block[r]);
            block[c][r] = l;
        }
        block[c][..=c].fill(0.0);
    }
    pivots
}

/// X ← X L⁻ᵀ for a block below the diagonal.
#[inline(always)]
fn reduce<const H: usize>(x: &mut Block, l: &Block, width: usize) {
    for c in 0..width {
        let mut column = Lanes::<H>::load(&x[c]);
        for (m, done) in x[..c].iter().enumerate() {
            column.subtract_scaled(&Lanes::load(done), l[m][c]);
        }
        column.store(&mut x[c]);
    }
}

/// A −= L Xᵀ, over the first `width` columns of L and X.
#[inline(always)]
fn subtract<const H: usize>(a: &mut Block, l: &Block, x: &Block, width: usize) {
    for (c, column) in a.iter_mut().enumerate().take(4 * H) {
        let mut lanes = Lanes::<H>::load(column);
        for (l, x) in l.iter().zip(x).take(width) {
            lanes.subtract_scaled(&Lanes::load(l), x[c]);
        }
        lanes.store(column);
    }
}
