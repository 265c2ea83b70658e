//! How many contacts a world may have. A crowd of n bodies has n²/2 pairs if all are near each other, for instance by
//! a large prediction, high speeds or a pattern laid out in one place: memory would run out before the step ends.
//!
//! A step that would exceed the budget is not made: the world stays as it is and `Contacts::excess` is set.
//!
//! ```text
//! 199,000 pairs with a point each, 600,000 rows                       0.48 GB, the whole process, as measured
//! 99,000 pairs with 397,000 points, 1,190,000 rows                    0.38 GB
//! ```

use parry3d::bounding_volume::Aabb;
use parry3d::partitioning::Bvh;

/// The most pairs of bodies whose boxes overlap.
pub const MAX_PAIRS: usize = 200_000;
/// The most contact points.
pub const MAX_POINTS: usize = 400_000;

/// From this many bodies on, the number of pairs is estimated before they are listed: 10⁴ bodies have at most 5·10⁷
/// pairs, which are listed in a fraction of a second.
const MIN_ESTIMATED_BODIES: usize = 10_000;
/// Number of boxes sampled for the estimate.
const SAMPLES: usize = 256;

/// Which limit of the budget was exceeded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Excess {
    Pairs,
    Points,
}

/// Whether listing all pairs would take too long. Estimated from an evenly spread sample of `leaves` boxes. A group
/// of bodies small enough to be missed by the sample has few pairs.
pub(super) fn is_crowd(bvh: &Bvh, leaves: usize, boxes: impl Fn(u32) -> Option<Aabb>) -> bool {
    if leaves < MIN_ESTIMATED_BODIES {
        return false;
    }
    // Up to four times the budget is listed quickly and then refused by its exact count. One box may count for at
    // most a sixteenth of the bound, so that a floor, which overlaps everything, does not decide alone.
    let bound = 2 * 4 * MAX_PAIRS * SAMPLES / leaves;
    let limit = bound / 16;
    let mut met = 0;
    for sample in 0..SAMPLES {
        let index = (sample * leaves / SAMPLES) as u32;
        if let Some(aabb) = boxes(index) {
            // Subtracts the box itself.
            met += bvh.intersect_aabb(&aabb).take(limit + 1).count().saturating_sub(1);
        }
        if met > bound {
            return true;
        }
    }
    false
}
