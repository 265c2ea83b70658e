//! Who makes a step: a device, threads that step islands apart, or one that steps all bodies together. And what is
//! solved in SIMD lanes, and whether a step may be divided.

use super::outcome::WholeReason;
use super::paths::{self, Path};
use crate::settings::{Settings, Stabilization};

/// What decides it, besides the settings.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Islands {
    /// Whether the rows are read after the step, or recorded.
    pub keep_rows: bool,
    pub bodies: usize,
    /// Number of moving bodies in a batch.
    pub batch_size: usize,
    pub movers: bool,
    /// Whether forces or drag act on bodies.
    pub forces: bool,
}

/// The islands, once they are packed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Packed {
    /// The number of batches, and of mechanisms in SIMD lanes.
    pub batches: usize,
    pub mechanisms: usize,
    /// Whether no joint of the batches has a stabilisation of its own, and whether some body collides.
    pub alike: bool,
    pub collide: bool,
    /// Whether no mechanism is stepped in lanes.
    pub rows: bool,
}

/// Why the settings, or the number of bodies, do not let islands be stepped apart, whatever the islands are.
pub(crate) fn why_whole(settings: &Settings, world: Islands) -> Option<WholeReason> {
    if world.keep_rows {
        return Some(WholeReason::RowsAreRead);
    }
    if let Some(name) = paths::refused_by(Path::Islands, settings) {
        return Some(WholeReason::Setting(name));
    }
    let reasons = [
        (world.bodies <= 2 * world.batch_size, WholeReason::FewBodies),
        (world.movers, WholeReason::Movers),
        (world.forces, WholeReason::Forces),
    ];
    reasons.into_iter().find_map(|(holds, why)| holds.then_some(why))
}

/// The same for these islands.
pub(crate) fn why_whole_as_packed(settings: &Settings, packed: Packed) -> Option<WholeReason> {
    // A single mechanism in lanes: a step of rows may be divided where it whips.
    let divides = settings.step.max_turn > 0.0 && settings.stabilization.method == Stabilization::Rattle;
    let reasons = [
        (!packed.alike, WholeReason::OwnStabilization),
        (packed.collide && settings.contact.enabled, WholeReason::Contacts),
        (packed.mechanisms + packed.batches <= 1 && (packed.rows || divides), WholeReason::OneIsland),
    ];
    reasons.into_iter().find_map(|(holds, why)| holds.then_some(why))
}

/// With fewer blocks than this the SIMD sweep is not worth its preparation.
const MANY_BLOCKS: usize = 12;

/// Whether the blocks of a system, of which there are so many, are solved in SIMD lanes.
pub(crate) fn blocks_in_lanes(settings: &Settings, blocks: usize) -> bool {
    blocks >= MANY_BLOCKS && paths::takes(Path::Blocks, settings)
}

/// With fewer contacts than this the lanes are not worth their preparation.
pub(crate) const MANY_CONTACTS: usize = 12;

/// Whether the settings, the contacts' own, let so many pairs be made and solved in SIMD lanes, without rows.
pub(crate) fn contacts_in_lanes(settings: &Settings, pairs: usize) -> bool {
    pairs >= MANY_CONTACTS && paths::takes(Path::Contacts, settings)
}
