//! Contacts made for the lanes at once, without rows: what `primitives/contact.rs` and `primitives/friction.rs` make of
//! a manifold, four manifolds side by side, with the same bits.
//!
//! ```text
//! block    normals 1 to 4, two tangents at the patch's centre, a twist where the patch has a lever, two rolling rows
//! shared   n, 1/mA, 1/mB, μ: said once a block; the bounds [0, ∞) of normals are not said at all
//! level    as in `schedule.rs`, over the contacts alone: joints come before all of them
//! ```
//! A row of the list takes 144 bytes and has to be copied into lanes; a row here takes 68 at most and is made where it
//! is solved. The list is still made where somebody reads it, or where a setting needs it: see [`fill`].

mod bias;
mod list;
mod make;
mod solve;
mod stages;

use super::lanes::{LANES, Lanes, Vectors};
use crate::physics::collide::manifold::POINTS;
use crate::physics::copy::copied_by_fields;
use crate::physics::graph;
use crate::physics::limit_surface::Surface;
use crate::physics::row::Friction;
pub use list::fill;
pub use stages::Sums;

/// So many groups of one shape and level are solved stage by stage.
const RUN: usize = 8;

/// A normal in each lane; see [`Row`](crate::physics::row::Row) for the fields.
#[derive(Debug, Clone, Copy, Default)]
struct NormalRow {
    ang_a: Vectors,
    ang_b: Vectors,
    inv_ia: Vectors,
    inv_ib: Vectors,
    inv_k: Lanes,
    bias: Lanes,
    gamma: Lanes,
    impulse: Lanes,
    pseudo_bias: Lanes,
    pseudo_impulse: Lanes,
}

/// What later sub-steps make a normal's bias and softness of.
#[derive(Debug, Clone, Copy, Default)]
struct Found {
    /// C₀, m.
    gap: Lanes,
    /// 1/K.
    rigid: Lanes,
}

/// A tangent in each lane.
#[derive(Debug, Clone, Copy, Default)]
struct TangentRow {
    lin: Vectors,
    ang_a: Vectors,
    ang_b: Vectors,
    inv_ia: Vectors,
    inv_ib: Vectors,
    inv_k: Lanes,
    impulse: Lanes,
}

/// A row about an axis in each lane: −axis for A, axis for B.
#[derive(Debug, Clone, Copy, Default)]
struct AngularRow {
    axis: Vectors,
    inv_ia: Vectors,
    inv_ib: Vectors,
    inv_k: Lanes,
    impulse: Lanes,
}

/// What contacts have in common that can go side by side.
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

/// A contact, in the order of the pairs.
#[derive(Debug, Clone, Copy)]
struct Entry {
    /// Among the contacts' pairs.
    pair: u32,
    a: u32,
    b: u32,
    moves: [bool; 2],
    level: u32,
    shape: ContactShape,
    mu: f32,
    /// The rolling length, m.
    rolling: f32,
}

/// Up to four contacts of one shape that share no moving body.
#[derive(Debug, Clone, Default)]
struct ContactGroup {
    shape: ContactShape,
    lanes: usize,
    /// Which it is of a run of groups of one shape and level.
    place: u8,
    /// Indices of the entries.
    entries: [u32; LANES],
    a: [u32; LANES],
    b: [u32; LANES],
    /// Which of these bodies impulses move.
    moves_a: [bool; LANES],
    moves_b: [bool; LANES],
    /// Which contacts ask for a split correction, and which lanes are in use, as masks.
    pseudo: Lanes,
    used: Lanes,
    normal: Vectors,
    inv_ma: Lanes,
    inv_mb: Lanes,
    mu: Lanes,
    /// r_p, m; one where there is no twist.
    arm: Lanes,
    rolling_length: Lanes,
    /// Σλn as the last sweep has left it, N·s.
    load: Lanes,
    normals: [NormalRow; POINTS],
    slides: [TangentRow; 2],
    twist: AngularRow,
    rolling: [AngularRow; 2],
    found: [Found; POINTS],
}

/// The contacts of a world, kept from step to step for its buffers.
#[derive(Debug, Default)]
pub struct WideContacts {
    surface: Option<Surface>,
    entries: Vec<Entry>,
    groups: Vec<ContactGroup>,
    rows: usize,
    /// Whether soft stabilisation lets a normal give way, and whether friction waits for the relaxing sweeps.
    gives: bool,
    deferred: bool,
    /// Whether a contact asks for a split correction.
    corrects: bool,
    /// What the biases are to be made anew by, before anything is solved.
    carry: Option<bias::Terms>,
    /// The level up to which each body is done.
    done: Vec<u32>,
    /// Where the contacts of each level and shape begin, and the contacts.
    starts: Vec<u32>,
    sorted: Vec<u32>,
    /// Of each body which of the materials it has, those of bodies that follow each other counted once, from one on;
    /// and whether impulses move it.
    kinds: Vec<(u32, bool)>,
    /// The bodies as rows see them.
    masses: Vec<make::Mass>,
    /// What stages add up, by entry.
    sums: Vec<Sums>,
    run: solve::GroupRun,
}

copied_by_fields!(WideContacts {
    surface,
    entries,
    groups,
    rows,
    gives,
    deferred,
    corrects,
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
        self.begin();
    }

    /// Forgets the contacts but for the groups' room, which `schedule` fills again.
    fn begin(&mut self) {
        self.entries.clear();
        self.rows = 0;
        (self.gives, self.deferred, self.corrects, self.carry) = (false, false, false, None);
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// How many contacts go side by side in each group.
    #[cfg(test)]
    pub(super) fn groups(&self) -> impl Iterator<Item = usize> {
        self.groups.iter().map(|group| group.lanes)
    }

    /// How many rows they stand for.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The bodies of each contact, in the order of the pairs, [`graph::NONE`] for those that do not move.
    pub fn edges(&self) -> impl Iterator<Item = [u32; 2]> {
        let end = |body: u32, moves: bool| if moves { body } else { graph::NONE };
        self.entries.iter().map(move |entry| [end(entry.a, entry.moves[0]), end(entry.b, entry.moves[1])])
    }

    /// Whether soft stabilisation lets a normal give way.
    pub fn gives(&self) -> bool {
        self.gives
    }

    /// Whether relaxing sweeps are to follow the poses.
    pub fn relaxes(&self) -> bool {
        self.gives || self.deferred
    }

    /// Whether a contact asks for a split correction.
    pub fn corrects(&self) -> bool {
        self.corrects
    }

    /// How the friction of a contact is bound.
    fn friction_model(&self, entry: &Entry, arm: f32) -> Friction {
        let surface = self.surface.unwrap_or(Surface::Disc);
        Friction::Patch { mu: entry.mu, arm, surface, rolling: entry.rolling }
    }
}
