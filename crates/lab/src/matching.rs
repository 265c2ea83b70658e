//! The rule by which a contact point inherited its impulse from the last step.
//!
//! ```text
//! feature     the same vertices, edges or faces made an old point      distance   the nearest remaining old point
//! shared      remaining impulses are shared among the new points       new        none remains, or no warm start
//! ```
//! The rules are those of `physics/collide/manifold.rs`, repeated here on the points before and after the step, since
//! the step itself does not record them. Source: 000 Warm starting.

use super::TracedStep;
use delassus_physics::collide::manifold::{Manifold, Point};
use delassus_physics::world::World;

/// A rule, and the impulse that the point inherited by it, N·s.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Match {
    Feature(f32),
    /// The distance of the old point, m, and the impulse.
    Distance(f32, f32),
    Shared(f32),
    New,
}

impl Match {
    /// The rule as text.
    pub fn words(self) -> &'static str {
        match self {
            Self::Feature(_) => "by feature id",
            Self::Distance(..) => "by distance",
            Self::Shared(_) => "shared among new points",
            Self::New => "a new point",
        }
    }

    /// The inherited impulse, N·s.
    pub fn impulse(self) -> f32 {
        match self {
            Self::Feature(impulse) | Self::Distance(_, impulse) | Self::Shared(impulse) => impulse,
            Self::New => 0.0,
        }
    }
}

/// The rules by which the points of a pair of bodies, and of these `pieces` of them, were matched in the traced step;
/// `before` is the world before it.
pub fn matches(before: &World, traced: &TracedStep, pair: (u32, u32), pieces: [u8; 2]) -> Vec<Match> {
    let manifold_in = |world: &World| -> Option<Manifold> {
        let mut pairs = world.state.contacts.pairs.iter().filter(|other| other.touches());
        let found = pairs.find(|other| (other.a, other.b) == pair && other.pieces == pieces);
        found.map(|found| found.near.manifold.clone())
    };
    let Some(new) = manifold_in(&traced.after) else { return Vec::new() };
    let warm = &before.settings.warm_start;
    let mut found = vec![Match::New; new.points.len()];
    let Some(old) = manifold_in(before).filter(|old| warm.enabled && new.normal.dot(old.normal) >= 0.5) else {
        return found;
    };
    let mut left = old.points;
    for (point, found) in new.points.iter().zip(&mut found).filter(|_| warm.feature_ids) {
        let same = |o: &Point| o.feature == point.feature && o.feature != (0, 0);
        if let Some(index) = left.iter().position(same) {
            *found = Match::Feature(left.swap_remove(index).impulse);
        }
    }
    for (point, found) in new.points.iter().zip(&mut found).filter(|(_, f)| warm.distance && **f == Match::New) {
        let far = |o: &Point| o.local.distance(point.local);
        let nearest = (0..left.len()).min_by(|a, b| far(&left[*a]).total_cmp(&far(&left[*b])));
        if let Some(index) = nearest.filter(|index| far(&left[*index]) < warm.tolerance) {
            let far = far(&left[index]);
            *found = Match::Distance(far, left.swap_remove(index).impulse);
        }
    }
    let new_ones = found.iter().filter(|found| **found == Match::New).count();
    if warm.spread && new_ones > 0 && !left.is_empty() {
        let share = left.iter().map(|point| point.impulse).sum::<f32>() / new_ones as f32;
        found.iter_mut().filter(|found| **found == Match::New).for_each(|found| *found = Match::Shared(share));
    }
    found
}
