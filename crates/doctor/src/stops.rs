//! Motions that stops prevent in both directions.
//!
//! ```text
//! B x ≥ 0 over the free motions x. A stop i acts in both directions if the others oppose it,
//! −b_i = Σ λ_j b_j, λ ≥ 0 (Farkas' lemma): then b_i x = 0. As many motions are lost as such b are independent.
//! ```
//! Whether such λ exist is found by least squares with λ ≥ 0, by coordinate descent.

use super::gram_schmidt::{GramSchmidt, dot};
use super::linkage::{ActiveRows, Linkage};
use super::rows::{JointRow, RowRole};
use super::words::{degrees, names};
use super::{Finding, Rule, Severity};

/// The largest remainder of a row of unit length that the others cancel.
const CANCELS: f64 = 1e-3;
/// More stops than this are not examined together.
const MAX_STOPS: usize = 60;

/// The number of motions lost to stops; adds a finding if no motion is left.
pub fn examine(linkage: &Linkage<'_>, rows: &[JointRow], active: &ActiveRows, found: &mut Vec<Finding>) -> usize {
    let mut pushes: Vec<(usize, Vec<f64>)> = Vec::new();
    for row in rows.iter().filter(|row| row.role == RowRole::Stopped) {
        let vector = linkage.vector(row).0;
        let mut push: Vec<f64> = active.free.iter().map(|v| dot(v, &vector)).collect();
        let length = dot(&push, &push).sqrt();
        if length > CANCELS {
            push.iter_mut().for_each(|x| *x /= length);
            pushes.push((row.joint, push));
        }
    }
    if pushes.is_empty() || pushes.len() > MAX_STOPS {
        return 0;
    }
    let both: Vec<&(usize, Vec<f64>)> = (0..pushes.len())
        .filter(|i| {
            let others: Vec<&[f64]> =
                pushes.iter().enumerate().filter(|(j, _)| j != i).map(|(_, (_, p))| p.as_slice()).collect();
            let against: Vec<f64> = pushes[*i].1.iter().map(|x| -x).collect();
            left(&others, &against) < CANCELS
        })
        .map(|i| &pushes[i])
        .collect();
    let lost = GramSchmidt::new(active.free.len()).add(&both.iter().map(|(_, p)| p.clone()).collect::<Vec<_>>());
    let mut joints: Vec<usize> = both.iter().map(|(joint, _)| *joint).collect();
    joints.dedup();
    // The stops of a single joint may be meant to lock it; those of several joints hardly are.
    if lost > 0 && lost == active.free.len() && joints.len() > 1 {
        let case = linkage.case;
        let names = names(case, &joints);
        found.push(Finding {
            rule: Rule::Stops,
            severity: Severity::Warning,
            bodies: linkage.bodies.to_vec(),
            joints,
            what: format!(
                "{names} are at stops that together lock the loop: each forbids what the others allow. Without \
                 the stops it would have {}.",
                degrees(lost)
            ),
            cure: format!("Widen the limits of one of {names}, or start away from them."),
            fix: None,
        });
    }
    lost
}

/// The least ‖Σ λ_j a_j − b‖ over λ ≥ 0.
fn left(a: &[&[f64]], b: &[f64]) -> f64 {
    // Exact minimisation along each coordinate in turn: the problem is convex, so the norm only falls.
    let mut lambda = vec![0.0; a.len()];
    let mut r = b.to_vec();
    for _ in 0..500 {
        let mut largest_step = 0.0f64;
        for (a, lambda) in a.iter().zip(&mut lambda) {
            let step = (dot(a, &r) / dot(a, a)).max(-*lambda);
            *lambda += step;
            r.iter_mut().zip(*a).for_each(|(r, a)| *r -= step * a);
            largest_step = largest_step.max(step.abs());
        }
        if largest_step < 1e-9 {
            break;
        }
    }
    dot(&r, &r).sqrt()
}

#[cfg(test)]
mod tests {
    use super::left;

    /// Three vectors in a plane at 120° can cancel the opposite of each; two at 90° cannot.
    #[test]
    fn pushes_that_surround_cancel() {
        let (one, two, three) = ([1.0, 0.0], [-0.5, 0.75f64.sqrt()], [-0.5, -(0.75f64.sqrt())]);
        assert!(left(&[&two, &three], &[-1.0, 0.0]) < 1e-6);
        // y has no component along −x.
        assert!((left(&[&[0.0, 1.0]], &[-1.0, 0.0]) - 1.0).abs() < 1e-9);
        assert!((left(&[&one], &[-1.0, 0.0]) - 1.0).abs() < 1e-9);
    }
}
