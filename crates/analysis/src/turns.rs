//! Where the value of a joint turns back while the driven joint goes on: dead centres of the mechanism's output.
//!
//! ```text
//! q' = dq/ds = 0, q the joint's value, s the driven one;  bracketed by two samples, refined by bisection on s
//! ```

use crate::path::Walker;
use crate::rates;

/// Bisections: from a sample's distance to 1e-12 of it.
const BISECTIONS: usize = 40;
/// A rate below this share of the largest counts as zero.
const STILL: f64 = 1e-9;
const STILL_SINGLE: f64 = 1e-5;

/// A turning point between or at samples: the driven value and the joint's own, rad or m.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TurnAt {
    pub driven: f64,
    pub value: f64,
}

/// The rates dq/ds of all joints of the linkage at the walker's state; NaN of joints without a value.
pub fn ratios(walker: &Walker<'_, '_>) -> Vec<f64> {
    let system = walker.system();
    let mut wanted = vec![0.0; system.rows.len()];
    if let Some(last) = wanted.last_mut() {
        *last = 1.0;
    }
    let twists = walker.linkage.twists(&system.solve(&wanted));
    let ratio = |at: usize| walker.linkage.value(at, &walker.state).map_or(f64::NAN, |row| rates::speed(&row, &twists));
    (0..walker.linkage.joints.len()).map(ratio).collect()
}

/// The turning points of a joint of the linkage with these ratios at samples of the driven value. `to` puts a walker at
/// the sample of an index.
pub fn find(
    walker: &mut Walker<'_, '_>,
    at: usize,
    samples: &[(f64, f64)],
    mut to: impl FnMut(&mut Walker<'_, '_>, usize),
) -> Vec<TurnAt> {
    let largest = samples.iter().map(|(_, ratio)| ratio.abs()).fold(0.0, f64::max);
    let still = largest * if walker.linkage.is_single_precision { STILL_SINGLE } else { STILL };
    let is_still = |k: usize| samples[k].1.abs() <= still;
    let mut found = Vec::new();
    if !(largest > 1e-9 && largest.is_finite()) {
        return found;
    }
    for k in 0..samples.len() {
        let beside = |by: isize| k.checked_add_signed(by).and_then(|k| samples.get(k)).map(|(_, ratio)| *ratio);
        if is_still(k) {
            // At an end of the travel a value that stands still counts as one that turns.
            let turns = match (k.checked_sub(1).and(beside(-1)), beside(1)) {
                (Some(before), Some(after)) => before * after < 0.0,
                _ => true,
            };
            if turns {
                to(walker, k);
                found.push(TurnAt { driven: samples[k].0, value: walker.state.values[at] });
            }
        } else if let Some(after) = beside(1).filter(|_| k + 1 < samples.len() && !is_still(k + 1)) {
            if samples[k].1 * after >= 0.0 {
                continue;
            }
            to(walker, k);
            let (mut low, mut high) = (samples[k].0, samples[k + 1].0);
            for _ in 0..BISECTIONS {
                let middle = 0.5 * (low + high);
                if walker.walk(middle).is_err() {
                    break;
                }
                let ratio = ratios(walker)[at];
                if ratio * samples[k].1 > 0.0 { low = middle } else { high = middle }
            }
            found.push(TurnAt { driven: 0.5 * (low + high), value: walker.state.values[at] });
        }
    }
    found
}
