//! The elimination order of the blocks of A, and its fill-in.
//!
//! ```text
//! A = L D Lᵀ by blocks      eliminating block k couples all later blocks that were coupled to k
//! ```
//! Two blocks are coupled if they share a dynamic body. Eliminating a tree from its leaves to its root creates no
//! fill-in: the blocks that remain coupled to an eliminated block meet at the body towards the root, and were coupled
//! before. Each loop adds fill-in along its length. Source: 004 ch. 5; sparse Cholesky (Davis 2006, ch. 4).

use std::collections::VecDeque;

use super::TracedStep;
use super::matrix::MatrixPart;

/// The state of a cell of blocks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum BlockCell {
    #[default]
    Empty,
    /// Coupled in A itself.
    Coupled,
    /// Filled in by the elimination.
    Filled,
}

/// An elimination order and its pattern.
#[derive(Debug, Clone, PartialEq)]
pub struct EliminationOrder {
    /// Indices of the parts in elimination order.
    pub order: Vec<usize>,
    cells: Vec<BlockCell>,
    /// Number of pairs of blocks that are filled in.
    pub filled: usize,
    /// The same number for the order of the sweeps.
    pub filled_in_order: usize,
    /// Number of parts that close a loop.
    pub closing: usize,
}

impl EliminationOrder {
    /// From the leaves to the roots; parts that close a loop come last.
    pub fn of(traced: &TracedStep, parts: &[MatrixPart]) -> Self {
        let moves = |id: u32| traced.after.state.bodies[id as usize].is_dynamic();
        let shares = |p: &MatrixPart, q: &MatrixPart| {
            [p.a, p.b].into_iter().filter(|id| moves(*id)).any(|id| id == q.a || id == q.b)
        };
        let coupled = |i: usize, j: usize| shares(&parts[i], &parts[j]);
        let (order, closing) = from_the_leaves(parts, &moves);
        let n = parts.len();
        let (cells, filled) = fill(&order, coupled);
        let (_, filled_in_order) = fill(&(0..n).collect::<Vec<_>>(), coupled);
        Self { order, cells, filled, filled_in_order, closing }
    }

    /// The cell of the blocks that are eliminated as number `row` and number `column`.
    ///
    /// # Panics
    /// If there is no such block.
    pub fn cell(&self, row: usize, column: usize) -> BlockCell {
        self.cells[row * self.order.len() + column]
    }
}

/// The order from the leaves to the roots, and how many parts at its end close loops.
fn from_the_leaves(parts: &[MatrixPart], moves: &dyn Fn(u32) -> bool) -> (Vec<usize>, usize) {
    let mut found: Vec<usize> = Vec::new();
    let mut taken = vec![false; parts.len()];
    let mut reached: Vec<u32> = Vec::new();
    let (mut queue, mut closing) = (VecDeque::new(), Vec::new());
    // Beginning at static bodies; a mechanism without any begins at its first part.
    let fixed = |part: &MatrixPart| !moves(part.a) || !moves(part.b);
    let mut roots: Vec<usize> = (0..parts.len()).filter(|i| fixed(&parts[*i])).collect();
    roots.extend((0..parts.len()).filter(|i| !fixed(&parts[*i])));
    for root in roots {
        queue.push_back(root);
        while let Some(index) = queue.pop_front() {
            if std::mem::replace(&mut taken[index], true) {
                continue;
            }
            let ends: Vec<u32> = [parts[index].a, parts[index].b].into_iter().filter(|id| moves(*id)).collect();
            let (old, new): (Vec<u32>, Vec<u32>) = ends.iter().partition(|id| reached.contains(id));
            let closes = new.is_empty() || (ends.len() == 1 && !old.is_empty());
            if closes {
                closing.push(index);
                continue;
            }
            found.push(index);
            reached.extend(&new);
            // One mechanism after the other, breadth first.
            let next = (0..parts.len())
                .filter(|i| !taken[*i] && new.iter().any(|id| parts[*i].a == *id || parts[*i].b == *id));
            queue.extend(next);
        }
    }
    found.reverse();
    let count = closing.len();
    found.extend(closing);
    (found, count)
}

/// The pattern of L and Lᵀ for an order, and the number of pairs that are filled in.
fn fill(order: &[usize], coupled: impl Fn(usize, usize) -> bool) -> (Vec<BlockCell>, usize) {
    let n = order.len();
    let mut cells = vec![BlockCell::Empty; n * n];
    for i in 0..n {
        for j in 0..n {
            if i == j || coupled(order[i], order[j]) {
                cells[i * n + j] = BlockCell::Coupled;
            }
        }
    }
    let mut filled = 0;
    for k in 0..n {
        let later: Vec<usize> = (k + 1..n).filter(|i| cells[i * n + k] != BlockCell::Empty).collect();
        for (at, i) in later.iter().enumerate() {
            for j in &later[at + 1..] {
                if cells[i * n + j] == BlockCell::Empty {
                    (cells[i * n + j], cells[j * n + i]) = (BlockCell::Filled, BlockCell::Filled);
                    filled += 1;
                }
            }
        }
    }
    (cells, filled)
}
