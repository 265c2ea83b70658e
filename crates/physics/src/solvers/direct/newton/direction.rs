//! Newton's direction −P H⁻¹ g; H = 1 + (J R)ᵀ D (J R) is factored by LDLᵀ over the graph of bodies.

use super::Newton;
use crate::body::Body;
use crate::solvers::direct::scaled::Six;
use crate::solvers::direct::{STIFF, Scratch, envelope};
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
        let mut add = |i: usize, j: usize, d: f64| {
            let (r, s) = (&scratch.lines[i], &scratch.lines[j]);
            let (a, b) = (place[r.a as usize], place[r.b as usize]);
            let mut outer = |p: u32, q: u32, x: &Six, y: &Six| {
                if p == u32::MAX || q == u32::MAX || p < q {
                    return;
                }
                let (p, q) = (6 * p as usize, 6 * q as usize);
                for (k, x) in x.iter().enumerate() {
                    let last = if p == q { k + 1 } else { 6 };
                    for (l, y) in y.iter().enumerate().take(last) {
                        *matrix.at(p + k, q + l) += d * x * y;
                    }
                }
            };
            outer(a, a, &r.on_a, &s.on_a);
            outer(b, b, &r.on_b, &s.on_b);
            outer(a, b, &r.on_a, &s.on_b);
            outer(b, a, &r.on_b, &s.on_a);
        };
        for bound in bounds.iter() {
            for (k, i) in bound.rows().enumerate() {
                factored[i] = states[i].slope;
                for (l, j) in bound.rows().enumerate().take(k + 1) {
                    let d = states[i].slope[l];
                    if d != 0.0 {
                        add(i, j, d);
                        if i != j {
                            add(j, i, d);
                        }
                    }
                }
            }
        }
        for index in scratch.independent() {
            add(index, index, 1.0 / (STIFF * scratch.lines[index].k));
        }
        matrix.factor(0.0);
    }
}
