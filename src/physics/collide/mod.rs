//! From bodies to contact manifolds: pairs by parry3d's bounding-volume tree, points by parry3d's manifolds, identity
//! from step to step by feature ids; or one point a pair by GJK, kept over the steps or not.

mod ball;
mod broad;
pub mod budget;
pub mod continuous;
mod extent;
mod features;
mod growing;
pub mod manifold;
mod narrow;
mod patch;
mod separation;
mod single;

use std::collections::HashSet;

use parry3d::partitioning::{Bvh, BvhWorkspace};
use parry3d::query::ContactManifold;

use super::body::{Body, Velocity};
use super::settings::Settings;
use budget::{Excess, MAX_POINTS};
use manifold::Manifold;

/// Two bodies whose bounding boxes meet, `a < b`.
#[derive(Clone, Default)]
pub struct Pair {
    pub a: u32,
    pub b: u32,
    /// parry3d's own state, kept because its search starts from the last result.
    found: ContactManifold<(), ()>,
    /// What the solver sees, with the impulses of the last step; at most one in use, the points share a normal.
    pub manifold: Manifold,
}

/// All contacts of a world.
#[derive(Clone, Default)]
pub struct Contacts {
    /// Sorted by bodies, so that the order of solving never depends on the tree.
    pub pairs: Vec<Pair>,
    bvh: Bvh,
    workspace: BvhWorkspace,
    candidates: Vec<(u32, u32)>,
    /// Pairs of the step before, and pairs to be used again: their buffers are already grown.
    previous: Vec<Pair>,
    spare: Vec<Pair>,
    /// What did not fit into the `budget` when the contacts were last looked for.
    pub excess: Option<Excess>,
    query: single::Query,
    sweeps: continuous::Sweeps,
    /// Pairs that a joint keeps from colliding.
    pub excluded: HashSet<(u32, u32)>,
    in_tree: usize,
}

impl Contacts {
    /// Finds the pairs whose bounding boxes meet; `h` is the length of the step. Where they are more than the budget
    /// those of before stay.
    pub fn find_pairs(&mut self, bodies: &[Body], velocities: &[Velocity], settings: &Settings, h: f32) {
        broad::update_tree(self, bodies, velocities, settings, h);
        self.excess = broad::collect_pairs(self, bodies).err();
        if self.excess.is_some() {
            // Leaves never shrink: with less prediction or speed the tree must begin anew, to find fewer.
            self.bvh = Bvh::new();
            self.in_tree = 0;
        }
    }

    /// Fills the manifolds of all pairs and matches their points with those of the step before, as far as the budget
    /// goes.
    pub fn find_points(&mut self, bodies: &[Body], velocities: &[Velocity], settings: &Settings, h: f32) {
        let mut points = 0;
        for pair in &mut self.pairs {
            narrow::update(pair, &mut self.query, bodies, velocities, settings, h);
            points += pair.manifold.points.len();
            if points > MAX_POINTS {
                self.excess = Some(Excess::Points);
                return;
            }
        }
    }

    /// Forgets all contacts, as after a teleport.
    pub fn clear(&mut self) {
        self.spare.append(&mut self.pairs);
        self.bvh = Bvh::new();
        self.in_tree = 0;
        self.excess = None;
    }

    /// Forgets the impulses that one body's contacts carried.
    pub fn forget(&mut self, body: u32) {
        for pair in self.pairs.iter_mut().filter(|p| p.a == body || p.b == body) {
            pair.manifold.forget();
        }
    }

    /// The manifolds that have points.
    pub fn manifolds(&self) -> impl Iterator<Item = (u32, u32, &Manifold)> {
        self.pairs.iter().filter(|p| !p.manifold.points.is_empty()).map(|p| (p.a, p.b, &p.manifold))
    }
}
