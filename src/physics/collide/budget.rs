//! How many contacts a world takes. A crowd of n bodies has n²/2 pairs where each is near every other, as a large
//! prediction, high speeds or a pattern laid out in one place can make it: memory would end before the step does.
//!
//! A step that would need more than the budget is not made: the world stays as it is and `Contacts::excess` says so.
//!
//! ```text
//! 199,000 pairs with a point each, 600,000 rows                       0.48 GB, the whole process, as measured
//! 99,000 pairs with 397,000 points, 1,190,000 rows                    0.38 GB
//! ```

use parry3d::bounding_volume::Aabb;
use parry3d::partitioning::Bvh;

/// The most pairs of bodies whose boxes meet.
pub const MAX_PAIRS: usize = 200_000;
/// The most contact points.
pub const MAX_POINTS: usize = 400_000;

/// From so many bodies on, the pairs are estimated before they are listed: 10⁴ bodies make 5·10⁷ at most, which takes
/// a fraction of a second.
const MANY: usize = 10_000;
/// Boxes that an estimate looks at.
const SAMPLES: usize = 256;

/// What did not fit into the budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Excess {
    Pairs,
    Points,
}

/// Whether so many leaves of the tree meet each other that listing their pairs would take too long: by a sample of
/// them, spread evenly, as an estimate that is never wrong by much where it matters. A part of all bodies that is
/// missed is so small that its pairs are few.
pub(super) fn is_crowd(bvh: &Bvh, leaves: usize, boxes: impl Fn(u32) -> Option<Aabb>) -> bool {
    if leaves < MANY {
        return false;
    }
    // Four times the budget is listed quickly, and refused then by count. A floor, which meets all, decides nothing
    // alone.
    let bound = 2 * 4 * MAX_PAIRS * SAMPLES / leaves;
    let most = bound / 16;
    let mut met = 0;
    for sample in 0..SAMPLES {
        let index = (sample * leaves / SAMPLES) as u32;
        if let Some(aabb) = boxes(index) {
            // Its own box is among them.
            met += bvh.intersect_aabb(&aabb).take(most + 1).count().saturating_sub(1);
        }
        if met > bound {
            return true;
        }
    }
    false
}
