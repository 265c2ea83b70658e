//! What the stages of the contacts in lanes keep between each other.

use crate::kernel::bound::Patch;
use crate::kernel::contact::NormalTerms;
use crate::solvers::wide::lanes::{LANES, LanePair, Lanes};
use crate::solvers::wide::limit::OverLimit;

/// The most groups of one shape and level that are solved stage by stage.
pub const RUN: usize = 8;

/// Two energy sums over a contact's rows, J.
pub type Sums = [f64; 2];

/// A body's position and 1/m, then its inverse inertia by columns, world frame.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Mass(pub(super) [[f32; 4]; 4]);

/// Scratch for a run of groups.
#[derive(Debug, Clone, Default)]
pub(super) struct GroupRun {
    pub ends: [LanePair; RUN],
    /// By group, N·s.
    pub unprojected: [Patch<Lanes>; RUN],
    pub list: [[OverLimit; LANES]; RUN],
}

/// Terms of the settings that normals and tangents need.
#[derive(Debug, Clone, Copy)]
pub(super) struct Terms {
    pub normal: NormalTerms<Lanes>,
    /// Whether friction is only solved in the relaxing sweeps.
    pub deferred: bool,
    pub mean_first: bool,
    pub factor: Lanes,
    /// The warm-start factor for friction; `factor` is that for normals.
    pub warm: f32,
    /// Whether a rolling impulse is scaled by how well its axis agrees with the present one: see `old_rolling_impulse`.
    pub by_axis: bool,
}
