//! Newton's direction −P H⁻¹ g; H = 1 + (J R)ᵀ D (J R) is factored by LDLᵀ over the graph of bodies.

use super::Newton;
use crate::body::Body;
use crate::solvers::direct::envelope::{self, Envelope};
use crate::solvers::direct::{STIFF, Scratch};
use crate::solvers::scaled::Six;
use crate::system::System;
use crate::work::Work;

/// H is not factored again if its slopes D change by at most this fraction.
const TOLERANCE: f64 = 1e-2;

impl Newton {
    /// Orders the bodies and sets the shape of H's envelope. False if a factorization exceeds the limit of work.
    pub(super) fn shape(&mut self, system: &System, bodies: &[Box<Body>], work: &mut Work) -> bool {
        let Self { order, chosen, place, first, matrix, .. } = self;
        order.find(&system.blocks, chosen, bodies);
        place.clear();
        place.resize(bodies.len(), u32::MAX);
        first.clear();
        let ends = |index: &u32| {
            let block = &system.blocks[*index as usize];
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
        matrix.shape(shape);
        true
    }

    /// Replaces −g in `direction` by Newton's direction, unless that exceeds the limit of work.
    pub(super) fn direct(&mut self, scratch: &mut Scratch, work: &mut Work) {
        let differ = |new: &[f64; 3], old: &[f64; 3], largest: f64| {
            new.iter().zip(old).any(|(new, old)| (new - old).abs() > TOLERANCE * largest)
        };
        let changed = self.bounds.iter().any(|bound| {
            let states = &self.states[bound.rows()];
            let largest = states.iter().enumerate().map(|(k, state)| state.slope[k]).fold(0.0, f64::max);
            states.iter().zip(&self.factored[bound.rows()]).any(|(state, old)| differ(&state.slope, old, largest))
        });
        if !work.charge(self.matrix.solving() + if changed { self.factoring } else { 0 }) {
            return;
        }
        if changed {
            self.factor(scratch);
        }
        let Self { place, step, matrix, direction, first, .. } = self;
        step.clear();
        step.resize(6 * first.len(), 0.0);
        for (d, place) in direction.iter().zip(place.iter()).filter(|(_, place)| **place != u32::MAX) {
            step[6 * *place as usize..][..6].copy_from_slice(d);
        }
        matrix.solve(step);
        for (d, place) in direction.iter_mut().zip(place.iter()).filter(|(_, place)| **place != u32::MAX) {
            d.copy_from_slice(&step[6 * *place as usize..][..6]);
        }
        scratch.project(direction);
    }

    /// Assembles and factors H.
    fn factor(&mut self, scratch: &Scratch) {
        let Self { bounds, states, factored, place, matrix, first, .. } = self;
        matrix.clear();
        (0..6 * first.len()).for_each(|i| *matrix.at(i, i) = 1.0);
        let mut pair = Pair::default();
        for bound in bounds.iter() {
            let rows = bound.rows();
            let (states, lines) = (&states[rows.clone()], &scratch.lines[rows.clone()]);
            for (factored, state) in factored[rows].iter_mut().zip(states) {
                *factored = state.slope;
            }
            if states.iter().all(|state| state.slope == [0.0; 3]) {
                continue;
            }
            pair.begin(lines[0].a, lines[0].b, place, matrix);
            for (k, line) in lines.iter().enumerate() {
                // Row k of D J, D being stored as its lower triangle.
                let (mut on_a, mut on_b) = ([0.0; 6], [0.0; 6]);
                for (l, other) in lines.iter().enumerate() {
                    let d = states[k.max(l)].slope[k.min(l)];
                    (0..6).for_each(|i| on_a[i] += d * other.on_a[i]);
                    (0..6).for_each(|i| on_b[i] += d * other.on_b[i]);
                }
                pair.add((&line.on_a, &line.on_b), (&on_a, &on_b));
            }
        }
        for line in scratch.independent().map(|index| &scratch.lines[index]) {
            pair.begin(line.a, line.b, place, matrix);
            let d = 1.0 / (STIFF * line.k);
            pair.add((&line.on_a, &line.on_b), (&line.on_a.map(|x| d * x), &line.on_b.map(|x| d * x)));
        }
        pair.flush(place, matrix);
        matrix.factor(0.0);
    }
}

/// What the rows between two bodies add to H, collected over rows that follow each other.
#[derive(Default)]
struct Pair {
    a: u32,
    b: u32,
    /// Whether anything was added.
    used: bool,
    aa: Block,
    bb: Block,
    /// Rows of A, columns of B.
    ab: Block,
}

type Block = [Six; 6];

impl Pair {
    /// Begins with the rows between two bodies, unless they are those of the rows before.
    fn begin(&mut self, a: u32, b: u32, place: &[u32], matrix: &mut Envelope) {
        if (a, b) != (self.a, self.b) {
            self.flush(place, matrix);
            (self.a, self.b) = (a, b);
        }
    }

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
