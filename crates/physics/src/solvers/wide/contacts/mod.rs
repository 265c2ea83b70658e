//! Contacts made directly in lanes, without rows: the contact and friction rows of `primitives/contact.rs` and
//! `primitives/friction.rs`, for eight manifolds at once, with the same bits.
//!
//! ```text
//! block    normals 1 to 4, two tangents at the patch's centre, a twist if the patch has a lever arm, two rolling rows
//! shared   n, 1/mA, 1/mB, μ: stored once per block; the bounds [0, ∞) of normals are not stored
//! level    as in `schedule.rs`, over the contacts alone: joints are solved before all of them
//! ```
//! A row of the list takes 144 bytes and must be copied into lanes; a row here takes at most 68 bytes and is made in
//! place. The list is still made if its rows are read, or if a setting needs them: see [`list::fill`].

mod bias;
mod coupled;
pub mod list;
mod make;
mod memory;
mod roll;
mod rows;
mod solve;
mod stages;

use super::lanes::{LANES, Lanes, Vectors};
use crate::collide::manifold::POINTS;
use crate::copy::copied_by_fields;
use crate::graph;
use crate::kernel::limit_surface::Surface;
use crate::row::Friction;
use memory::{GroupRun, Mass, Sums, Terms};
use rows::{AngularRow, Found, MeanArms, NormalRow, TangentRow};

/// The properties that contacts of one group share.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct ContactShape {
    normals: u8,
    twist: bool,
    rolling: bool,
}

impl ContactShape {
    const COUNT: u32 = 4 * POINTS as u32;

    fn number(self) -> u32 {
        4 * (u32::from(self.normals) - 1) + 2 * u32::from(self.twist) + u32::from(self.rolling)
    }

    fn rows(self) -> usize {
        self.normals as usize + 2 + usize::from(self.twist) + 2 * usize::from(self.rolling)
    }
}

/// What the list of contacts needs of a body.
#[derive(Debug, Clone, Copy)]
struct BodyKind {
    /// The number of its material, counted from one: consecutive bodies of equal material share it.
    material: u32,
    /// Whether it is dynamic, and whether its inertia changes as it turns.
    moves: bool,
    turns: bool,
}

/// A contact; entries are in the order in which they are solved.
#[derive(Debug, Clone, Copy)]
struct Entry {
    /// Index among the pairs of `world.contacts`.
    pair: u32,
    a: u32,
    b: u32,
    moves: [bool; 2],
    /// Whether the inertia of one of the bodies changes as it turns.
    turns: bool,
    level: u32,
    shape: ContactShape,
    mu: f32,
    /// The rolling length, m.
    rolling: f32,
}

/// Up to eight contacts of one shape that share no dynamic body.
#[derive(Debug, Clone, Default)]
struct ContactGroup {
    shape: ContactShape,
    lanes: usize,
    /// Index within its run of groups of one shape and level.
    place: u8,
    /// Indices of the entries.
    entries: [u32; LANES],
    a: [u32; LANES],
    b: [u32; LANES],
    /// Which of these bodies are dynamic.
    moves_a: [bool; LANES],
    moves_b: [bool; LANES],
    /// Whether the inertia of one of them changes as it turns.
    turns: bool,
    /// Masks of the contacts that ask for a split correction, and of the lanes in use.
    pseudo: Lanes,
    used: Lanes,
    /// Mask of the contacts that friction moves strongly along their normal: see `solvers/coupled.rs`.
    coupled: Lanes,
    normal: Vectors,
    /// The pairs' slop, m.
    slop: Lanes,
    inv_ma: Lanes,
    inv_mb: Lanes,
    mu: Lanes,
    /// Lever arm r_p, m; one if there is no twist row.
    arm: Lanes,
    rolling_length: Lanes,
    /// Σλn after the last sweep, N·s.
    load: Lanes,
    normals: [NormalRow; POINTS],
    mean: MeanArms,
    slides: [TangentRow; 2],
    twist: AngularRow,
    rolling: [AngularRow; 2],
    found: [Found; POINTS],
}

/// The contacts of a world, kept from step to step for their buffers.
#[derive(Debug, Default)]
pub struct WideContacts {
    surface: Option<Surface>,
    entries: Vec<Entry>,
    groups: Vec<ContactGroup>,
    rows: usize,
    /// Whether soft stabilisation makes a normal soft, and whether friction is only solved in the relaxing sweeps.
    soft: bool,
    deferred: bool,
    /// Whether a contact asks for a split correction.
    corrects: bool,
    /// Whether the row in the mean of the points is solved before them.
    mean_first: bool,
    /// Set if the biases must be computed again before the contacts are solved.
    carry: Option<Terms>,
    /// By body: the level after the last contact at it.
    done: Vec<u32>,
    /// Where the contacts of each level and shape begin in `sorted`.
    starts: Vec<u32>,
    sorted: Vec<u32>,
    kinds: Vec<BodyKind>,
    /// By body: position, inverse mass and inertia.
    masses: Vec<Mass>,
    /// By entry: sums over its rows.
    sums: Vec<Sums>,
    run: GroupRun,
}

copied_by_fields!(WideContacts {
    surface,
    entries,
    groups,
    rows,
    soft,
    deferred,
    corrects,
    mean_first,
    carry,
    done,
    starts,
    sorted,
    kinds,
    masses,
    sums,
    run
});

impl WideContacts {
    pub fn clear(&mut self) {
        self.groups.clear();
        self.clear_entries();
    }

    /// Forgets the contacts but keeps the groups' memory, which `schedule` reuses.
    fn clear_entries(&mut self) {
        self.entries.clear();
        self.rows = 0;
        (self.soft, self.deferred, self.corrects, self.carry) = (false, false, false, None);
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The number of contacts.
    pub fn count(&self) -> usize {
        self.entries.len()
    }

    /// The number of contacts in each group.
    #[cfg(test)]
    pub(super) fn groups(&self) -> impl Iterator<Item = usize> {
        self.groups.iter().map(|group| group.lanes)
    }

    /// Number of rows that the contacts stand for.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The bodies of each contact in the order in which they are solved; [`graph::NONE`] for static and kinematic bodies.
    pub fn edges(&self) -> impl Iterator<Item = [u32; 2]> + Clone {
        let end = |body: u32, moves: bool| if moves { body } else { graph::NONE };
        self.entries.iter().map(move |entry| [end(entry.a, entry.moves[0]), end(entry.b, entry.moves[1])])
    }

    /// Whether soft stabilisation makes a normal soft.
    pub fn soft(&self) -> bool {
        self.soft
    }

    /// Whether relaxing sweeps must follow the update of the poses.
    pub fn relaxes(&self) -> bool {
        self.soft || self.deferred
    }

    /// Whether a contact asks for a split correction.
    pub fn corrects(&self) -> bool {
        self.corrects
    }

    /// The friction bound of a contact.
    fn friction_model(&self, entry: &Entry, arm: f32) -> Friction {
        let surface = self.surface.unwrap_or(Surface::Disc);
        Friction::Patch { mu: entry.mu, arm, surface, rolling: entry.rolling }
    }
}
