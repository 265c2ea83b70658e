//! The buffers of the stages.

use crate::ballistic::Ballistic;
use crate::body::Velocity;
use crate::divide::measure::Scratch as DivideScratch;
use crate::gyroscopic::GyroscopicTerm;
use crate::restitution::PreImpact;
use crate::row::RowList;
use crate::solvers::tree;
use crate::solvers::whip::Whip;
use crate::warm_start::supports;
use crate::{flight, positions, rattle, shake, warm_start_limiter};

/// The buffers of the stages, kept from step to step for their memory only: a copy of a world starts with empty ones.
#[derive(Default)]
pub(crate) struct Buffers {
    /// By body: the velocity changes of the old impulses, where these are applied only after the first sweep: see
    /// [`crate::warm_start::deferred`].
    pub deferred: Vec<Velocity>,
    pub supports: supports::Scratch,
    /// Bodies whose angular velocity changes in their own axes (gyroscopic term): see `gyroscopic.rs`.
    pub gyroscopic: Vec<GyroscopicTerm>,
    pub tree: tree::Work,
    pub pseudo_tree: tree::Work,
    pub warm_start_limiter: warm_start_limiter::Scratch,
    pub pre_impact: PreImpact,
    pub ballistic: Ballistic,
    pub flight: flight::Scratch,
    pub positions: positions::Scratch,
    pub divide: DivideScratch,
    pub shake: shake::Scratch,
    /// The mechanisms that whip: see [`crate::solvers::whip`].
    pub whip: Whip,
    pub rattle: rattle::Scratch,
    pub list: RowList,
}

impl Clone for Buffers {
    fn clone(&self) -> Self {
        Self::default()
    }

    fn clone_from(&mut self, _: &Self) {}
}
