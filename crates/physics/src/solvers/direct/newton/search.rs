//! The line search along Newton's direction: finds the zero of φ's slope, which increases along it.

use super::{Newton, SOFT};
use crate::solvers::direct::bounded::BoundRows;
use crate::solvers::direct::{EPSILON, Scratch};
use crate::solvers::scaled::dot;
use crate::work::{ROW, Work};

/// The most times that ε is raised in a solve, each for other friction radii or λ₀: for the same ones it would lead to
/// the same place.
const RAISES: u32 = 4;
/// The most evaluations of a line search, and the fraction of the initial slope at which it ends.
const SEARCH: u32 = 40;
const FLAT: f64 = 0.1;

impl Newton {
    /// Makes a step along Newton's direction. Returns false if φ does not decrease along it.
    pub(super) fn go(&mut self, scratch: &mut Scratch, work: &mut Work) -> bool {
        self.direct(scratch, work);
        for index in self.bounds.iter().flat_map(BoundRows::rows) {
            self.changes[index] = scratch.lines[index].speed(&self.direction);
        }
        let start = self.slope(scratch, 0.0);
        if start >= 0.0 {
            return false;
        }
        // The slope increases along the direction: regula falsi (Illinois) between `near`, where it is negative, and
        // `far`, where it is not.
        let mut alpha = 1.0;
        let mut slope = self.slope(scratch, alpha);
        let (mut near, mut far) = ((0.0, start), (alpha, slope));
        let mut kept = 0;
        for _ in 0..SEARCH {
            let affords = work.charge(ROW * self.trial.len() as u64);
            if !affords || slope.abs() <= -FLAT * start || slope < 0.0 && alpha == 1.0 {
                break;
            }
            alpha = (near.0 * far.1 - far.0 * near.1) / (far.1 - near.1);
            slope = self.slope(scratch, alpha);
            if slope > 0.0 {
                far = (alpha, slope);
                near.1 *= if kept > 0 { 0.5 } else { 1.0 };
                kept = 1;
            } else {
                near = (alpha, slope);
                far.1 *= if kept < 0 { 0.5 } else { 1.0 };
                kept = -1;
            }
        }
        for (y, d) in scratch.y.iter_mut().zip(&self.direction) {
            (0..6).for_each(|k| y[k] += alpha * d[k]);
        }
        if alpha < 0.1 && self.raised < RAISES && !self.was_raised && self.epsilon == EPSILON {
            self.raised += 1;
            self.was_raised = true;
            self.soften(SOFT);
        }
        true
    }

    /// The slope of φ along the direction, at the fraction `alpha` of it.
    fn slope(&mut self, scratch: &Scratch, alpha: f64) -> f64 {
        let Self { bounds, states, speeds, changes, trial, direction, .. } = self;
        let quadratic: f64 = scratch.y.iter().zip(direction.iter()).map(|(y, d)| dot(y, d) + alpha * dot(d, d)).sum();
        let mut work = 0.0;
        for bound in bounds.iter() {
            let rows = bound.rows();
            for i in rows.clone() {
                trial[i] = speeds[i] + alpha * changes[i];
            }
            bound.respond::<false>(&trial[rows.clone()], &mut states[rows.clone()]);
            work += rows.map(|i| states[i].impulse * changes[i]).sum::<f64>();
        }
        quadratic - work
    }
}
