//! The rule by which a contact point took over its impulse from the step before.
//!
//! ```text
//! feature     the same vertices, edges or faces made an old point      distance   the nearest old point that was left
//! shared      what the old points left is shared among the new ones    new        nothing is left, or nothing may be
//! ```
//! The rules are those of `physics/collide/manifold.rs`, followed here from the points before and after; the step
//! itself keeps no word of them. Source: 000 Warm starting.

use super::TracedStep;
use crate::physics::collide::manifold::{Manifold, Point};
use crate::physics::world::World;

/// A rule, and the impulse that the point was handed by it, N·s.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Match {
    Feature(f32),
    /// How far the old point was, m.
    Distance(f32, f32),
    Shared(f32),
    New,
}

impl Match {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Feature(_) => "by feature id",
            Self::Distance(..) => "by distance",
            Self::Shared(_) => "shared among new points",
            Self::New => "a new point",
        }
    }

    /// The impulse that was handed on, N·s.
    pub fn impulse(self) -> f32 {
        match self {
            Self::Feature(impulse) | Self::Distance(_, impulse) | Self::Shared(impulse) => impulse,
            Self::New => 0.0,
        }
    }
}

/// The rules by which the points of a pair were matched in the step that `look` looked into; `before` is the world
/// ahead of it.
pub fn matches(before: &World, look: &TracedStep, pair: (u32, u32)) -> Vec<Match> {
    let of = |world: &World| -> Option<Manifold> {
        world.contacts.manifolds().find(|(a, b, _)| (*a, *b) == pair).map(|(.., manifold)| manifold.clone())
    };
    let Some(new) = of(&look.after) else { return Vec::new() };
    let warm = &before.settings.warm_start;
    let mut found = vec![Match::New; new.points.len()];
    let Some(old) = of(before).filter(|old| warm.enabled && new.normal.dot(old.normal) >= 0.5) else { return found };
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
