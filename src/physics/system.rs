//! The rows of a step as lists: what is solved, whose each row is, and what the solvers keep beside them.

use std::ops::Range;

use glam::Mat3A;

use super::bounds::FrictionBound;
use super::copy::copied_by_fields;
use super::drive_course::Drive;
use super::graph::Graph;
use super::primitives::contact;
use super::relax::Softened;
use super::restitution::Bounce;
use super::row::{Block, BoundRange, Friction, Owner, Row, RowId, RowList};
use super::shake;
use super::solvers::held::DriveBlock;
use super::solvers::tree::Trees;
use super::solvers::wide::contacts;

/// The rows of a world and how they hang together. They stay after the step for whoever wants to read them.
#[derive(Default)]
pub struct System {
    pub rows: Vec<Row>,
    pub ids: Vec<RowId>,
    pub blocks: Vec<Block>,
    pub couplings: Couplings,
    /// The law of friction of each contact block, in the blocks' order.
    pub frictions: Vec<Friction>,
    /// First row of each joint, and one past the last joint's.
    pub joint_rows: Vec<u32>,
    /// What of the joints' rows the step itself is to close: see `shake.rs`.
    pub(super) closing: Vec<Option<shake::RowClosing>>,
    /// Whether a joint wants position sweeps after the step.
    pub positions: bool,
    /// Which bodies impulses leave turning no faster than the book's bound; empty without it.
    pub(super) capped: Vec<bool>,
    /// The rows that soft stabilisation lets give way.
    pub softened: Vec<Softened>,
    /// What binds the friction of the contacts that waits for the relaxing sweeps, in the blocks' order.
    pub(super) deferred: Vec<BoundRange>,
    /// Scratch: rows whose gap the relaxing sweeps follow, with their biases.
    pub(super) opened: Vec<(u32, f32)>,
    /// The drives that keep to a course, and the rows that are corrected together with each.
    pub drives: Vec<Drive>,
    pub held: Vec<DriveBlock>,
    /// Joints with the free-standing motors that they are corrected with.
    pub(super) beside: Vec<(u32, u32)>,
    /// The normal rows of pairs that bounce, in the rows' order.
    pub bounces: Vec<Bounce>,
    /// The rows of one pair while its blow is found.
    pub(super) blown: Vec<Row>,
    /// The joints and trees of joints that are solved at once.
    pub trees: Trees,
    /// The contacts that have no rows here, for they are solved side by side.
    pub contacts: contacts::WideContacts,
    /// The contacts' rows, while those of the joints are made anew before them.
    pub(super) carried: contact::CachedRows,
    /// The blocks, then these contacts, as edges between the moving bodies.
    pub graph: Graph,
    /// Scratch.
    pub(super) list: RowList,
}

copied_by_fields!(System {
    rows,
    ids,
    blocks,
    couplings,
    frictions,
    joint_rows,
    closing,
    positions,
    capped,
    softened,
    deferred,
    opened,
    drives,
    held,
    beside,
    bounces,
    blown,
    trees,
    contacts,
    carried,
    graph,
    list
});

/// What blocks are solved by beside their rows.
#[derive(Debug, Clone, Default)]
pub struct Couplings {
    /// Inverses of the 3×3 blocks.
    pub inverses: Vec<Mat3A>,
    /// By how much lighter the two bodies of a block are to count that is solved by inner sweeps: by 1 but where Jacobi
    /// splits masses.
    pub shares: Vec<[f32; 2]>,
    /// What binds the contacts' rows beside their own bounds.
    pub bounds: Vec<FrictionBound>,
}

impl System {
    /// The rows of a joint.
    pub fn rows_of(&self, joint: usize) -> Range<usize> {
        self.joint_rows[joint] as usize..self.joint_rows[joint + 1] as usize
    }

    /// How many blocks come before the contacts that have no rows: those of the joints.
    pub(super) fn before_contacts(&self) -> usize {
        let joint = |block: &Block| matches!(block.owner, Owner::Joint(_));
        if self.contacts.is_empty() { self.blocks.len() } else { self.blocks.partition_point(joint) }
    }

    /// Whether nothing is to be solved.
    pub(super) fn is_empty(&self) -> bool {
        self.blocks.is_empty() && self.contacts.is_empty()
    }

    pub(super) fn clear(&mut self) {
        self.rows.clear();
        self.ids.clear();
        self.blocks.clear();
        self.couplings.inverses.clear();
        self.couplings.shares.clear();
        self.couplings.bounds.clear();
        self.frictions.clear();
        self.joint_rows.clear();
        self.closing.clear();
        self.positions = false;
        self.softened.clear();
        self.deferred.clear();
        self.drives.clear();
        self.held.clear();
        self.beside.clear();
        self.bounces.clear();
        self.trees.clear();
    }
}
