//! Newton's direction −P H⁻¹ g, with H = 1 + (J R)ᵀ D (J R) of `body_matrix.rs`.

use super::Newton;
use crate::solvers::direct::{STIFF, Scratch};
use crate::work::Work;

/// H is not factored again if its slopes D change by at most this fraction.
const TOLERANCE: f64 = 1e-2;

impl Newton {
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
        if !work.charge(self.matrix.solving() + if changed { self.matrix.factoring() } else { 0 }) {
            return;
        }
        if changed {
            self.factor(scratch);
        }
        self.matrix.solve(&mut self.direction);
        scratch.project(&mut self.direction);
    }

    /// Assembles and factors H.
    fn factor(&mut self, scratch: &Scratch) {
        let Self { bounds, states, factored, matrix, .. } = self;
        matrix.start();
        for bound in bounds.iter() {
            let rows = bound.rows();
            let (states, lines) = (&states[rows.clone()], &scratch.lines[rows.clone()]);
            for (factored, state) in factored[rows].iter_mut().zip(states) {
                *factored = state.slope;
            }
            if states.iter().all(|state| state.slope == [0.0; 3]) {
                continue;
            }
            for (k, line) in lines.iter().enumerate() {
                // Row k of D J, D being stored as its lower triangle.
                let (mut on_a, mut on_b) = ([0.0; 6], [0.0; 6]);
                for (l, other) in lines.iter().enumerate() {
                    let d = states[k.max(l)].slope[k.min(l)];
                    (0..6).for_each(|i| on_a[i] += d * other.on_a[i]);
                    (0..6).for_each(|i| on_b[i] += d * other.on_b[i]);
                }
                matrix.add(line, &on_a, &on_b);
            }
        }
        for line in scratch.independent().map(|index| &scratch.lines[index]) {
            let d = 1.0 / (STIFF * line.k);
            matrix.add(line, &line.on_a.map(|x| d * x), &line.on_b.map(|x| d * x));
        }
        matrix.factor();
    }
}
