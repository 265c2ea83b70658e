//! H = 1 + (J R)ᵀ D (J R) over the graph of bodies, six rows for each, factored by LDLᵀ. It has as many rows as the bodies
//! have velocities, however many contacts there are.

use super::cuthill_mckee::CuthillMcKee;
use super::envelope::{self, Envelope};
use crate::body::Body;
use crate::row::Block;
use crate::solvers::scaled::{ScaledRow, Six};
use crate::work::Work;

/// The matrix, with its order and buffers.
#[derive(Debug, Clone, Default)]
pub(in crate::solvers) struct BodyMatrix {
    order: CuthillMcKee,
    /// Index of each body in H; `u32::MAX` if it is not in it.
    place: Vec<u32>,
    /// By index in H: that of the first body with which it shares a block.
    first: Vec<usize>,
    entries: Envelope,
    /// What factoring costs, multiplications.
    factoring: u64,
    /// The right-hand side, then the solution.
    right: Vec<f64>,
    pair: Pair,
}

impl BodyMatrix {
    /// Orders the bodies of the `chosen` blocks and sets the shape of the envelope. False if a factorization exceeds the limit
    /// of work.
    pub fn shape(&mut self, blocks: &[Block], chosen: &[u32], bodies: &[Box<Body>], work: &mut Work) -> bool {
        let Self { order, place, first, entries, .. } = self;
        order.find(blocks, chosen, bodies);
        place.clear();
        place.resize(bodies.len(), u32::MAX);
        first.clear();
        let ends = |index: &u32| {
            let block = &blocks[*index as usize];
            [block.a, block.b].map(|body| bodies[body as usize].is_dynamic().then_some(body as usize))
        };
        for body in order.blocks.iter().flat_map(ends).flatten() {
            if place[body] == u32::MAX {
                place[body] = first.len() as u32;
                first.push(first.len());
            }
        }
        for index in &order.blocks {
            if let [Some(a), Some(b)] = ends(index).map(|end| end.map(|body| place[body] as usize)) {
                let (early, late) = (a.min(b), a.max(b));
                first[late] = first[late].min(early);
            }
        }
        let shape = first.iter().flat_map(|early| [6 * early; 6]);
        self.factoring = envelope::cost(shape.clone());
        // Checked before memory is taken.
        if !work.affords(self.factoring) {
            return work.charge(self.factoring);
        }
        entries.shape(shape);
        true
    }

    /// What factoring costs, multiplications.
    pub fn factoring(&self) -> u64 {
        self.factoring
    }

    /// What one solution costs, multiplications.
    pub fn solving(&self) -> u64 {
        self.entries.solving()
    }

    /// Starts with the identity. Rows are added, and then [`Self::factor`] is called.
    pub fn start(&mut self) {
        self.entries.clear();
        (0..6 * self.first.len()).for_each(|i| *self.entries.at(i, i) = 1.0);
        self.pair = Pair::default();
    }

    /// Adds what one row adds to (J R)ᵀ D (J R); `d_a` and `d_b` are its row of D (J R) on its two bodies.
    pub fn add(&mut self, line: &ScaledRow, d_a: &Six, d_b: &Six) {
        if (line.a, line.b) != (self.pair.a, self.pair.b) {
            self.flush();
            (self.pair.a, self.pair.b) = (line.a, line.b);
        }
        self.pair.add((&line.on_a, &line.on_b), (d_a, d_b));
    }

    /// Factors the matrix.
    pub fn factor(&mut self) {
        self.flush();
        self.entries.factor(0.0);
    }

    fn flush(&mut self) {
        self.pair.flush(&self.place, &mut self.entries);
    }

    /// Replaces b by the solution of H y = b. Bodies that are not in H keep their part.
    pub fn solve(&mut self, y: &mut [Six]) {
        let Self { place, right, entries, first, .. } = self;
        right.clear();
        right.resize(6 * first.len(), 0.0);
        for (y, place) in y.iter().zip(place.iter()).filter(|(_, place)| **place != u32::MAX) {
            right[6 * *place as usize..][..6].copy_from_slice(y);
        }
        entries.solve(right);
        for (y, place) in y.iter_mut().zip(place.iter()).filter(|(_, place)| **place != u32::MAX) {
            y.copy_from_slice(&right[6 * *place as usize..][..6]);
        }
    }
}

/// What the rows between two bodies add to H, collected over rows that follow each other.
#[derive(Debug, Clone, Default)]
struct Pair {
    a: u32,
    b: u32,
    /// Whether anything was added.
    used: bool,
    aa: SixBySix,
    bb: SixBySix,
    /// Rows of A, columns of B.
    ab: SixBySix,
}

type SixBySix = [Six; 6];

impl Pair {
    /// Adds Jᵀ (D J) of one row: its Jacobian, and its row of D J.
    fn add(&mut self, (a, b): (&Six, &Six), (da, db): (&Six, &Six)) {
        self.used = true;
        for (block, x, y) in [(&mut self.aa, a, da), (&mut self.bb, b, db), (&mut self.ab, a, db)] {
            for (line, x) in block.iter_mut().zip(x) {
                (0..6).for_each(|k| line[k] += x * y[k]);
            }
        }
    }

    /// Adds what was collected to H.
    fn flush(&mut self, place: &[u32], matrix: &mut Envelope) {
        if !self.used {
            return;
        }
        let (a, b) = (place[self.a as usize], place[self.b as usize]);
        for (place, block) in [(a, &self.aa), (b, &self.bb)].into_iter().filter(|(place, _)| *place != u32::MAX) {
            matrix.add(6 * place as usize, 6 * place as usize, block);
        }
        if a != u32::MAX && b != u32::MAX {
            let (a, b) = (6 * a as usize, 6 * b as usize);
            if a > b {
                matrix.add(a, b, &self.ab);
            } else {
                matrix.add(b, a, &std::array::from_fn(|i| std::array::from_fn(|j| self.ab[j][i])));
            }
        }
        *self = Self { a: self.a, b: self.b, ..Self::default() };
    }
}
