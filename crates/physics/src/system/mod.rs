//! The rows of a sub-step as lists: the rows, the identity of each row, and the solvers' data about them.

pub mod bounce;
pub(crate) mod carried;
pub(crate) mod closing;
pub(crate) mod contact_order;
pub mod couplings;
pub mod softened;
pub(crate) mod stack;

use std::ops::Range;

use self::bounce::Bounce;
use self::carried::CachedRows;
use self::closing::RowClosing;
use self::contact_order::ContactOrder;
pub use self::couplings::Couplings;
use self::softened::Softened;
use self::stack::Stack;
use super::copy::copied_by_fields;
use super::graph::Graph;
use super::motor_target::Drive;
use super::row::{Block, BoundRange, Friction, Owner, Row, RowId, RowList};
use super::solvers::drive_block::DriveBlock;
use super::solvers::jointed_contacts::JointedContacts;
use super::solvers::tree::Trees;
use super::solvers::wide::contacts;

/// The rows of a world, their blocks and bounds. They are kept after the step for readers.
#[derive(Default)]
pub struct System {
    pub rows: Vec<Row>,
    /// Owner and part of each row.
    pub ids: Vec<RowId>,
    /// Runs of rows that are solved together.
    pub blocks: Vec<Block>,
    pub couplings: Couplings,
    /// The friction model of each contact block, in the order of the blocks.
    pub frictions: Vec<Friction>,
    /// Index of the first row of each joint, and one past the last row of the last joint.
    pub joint_rows: Vec<u32>,
    /// By row of the joints: the part of the error that SHAKE or RATTLE closes within the step, see `shake.rs`.
    pub(crate) closing: Vec<Option<RowClosing>>,
    /// Whether any joint is stabilised by nonlinear Gauss–Seidel, which needs position sweeps after the step.
    pub positions: bool,
    /// By body: whether the book's bound on angular speed holds for it, see `angular_cap.rs`; empty where the setting
    /// is off.
    pub(crate) capped: Vec<bool>,
    /// The rows of soft stabilisation.
    pub softened: Vec<Softened>,
    /// The friction bounds of contacts whose friction is deferred to the relaxing sweeps, in the order of the blocks.
    pub(crate) deferred: Vec<BoundRange>,
    /// Scratch: normal rows whose gap the relaxing sweeps update, with the biases to be restored.
    pub(crate) opened: Vec<(u32, f32)>,
    /// Drives that the position correction keeps at their targets, and each of them as a block with the rows solved
    /// together with it.
    pub drives: Vec<Drive>,
    pub drive_blocks: Vec<DriveBlock>,
    /// Pairs (joint, free-standing motor that is corrected together with it), by their indices.
    pub(crate) paired_motors: Vec<(u32, u32)>,
    /// Normal rows of pairs with restitution, in the order of the rows.
    pub bounces: Vec<Bounce>,
    /// Scratch: a copy of the rows of one pair while its impact is solved.
    pub(crate) impact_rows: Vec<Row>,
    /// Scratch: the contact blocks that were struck.
    pub(crate) struck: Vec<usize>,
    /// Joints, trees of joints, and mechanisms, whose rows are solved together.
    pub trees: Trees,
    /// The contacts that act through joints.
    pub(crate) jointed_contacts: JointedContacts,
    pub(crate) contact_order: ContactOrder,
    /// Contacts that are solved in SIMD lanes and have no rows in `rows`.
    pub contacts: contacts::WideContacts,
    /// Rows of the contacts, kept while the rows of the joints are rebuilt in front of them.
    pub(crate) carried: CachedRows,
    /// The blocks, then the contacts in lanes, as edges between the moving bodies.
    pub graph: Graph,
    /// How high bodies are stacked, where extra sweeps can be afforded for it.
    pub(crate) stack: Stack,
    /// Scratch.
    pub(crate) list: RowList,
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
    drive_blocks,
    paired_motors,
    bounces,
    impact_rows,
    struck,
    trees,
    jointed_contacts,
    contact_order,
    contacts,
    carried,
    graph,
    stack,
    list
});

impl System {
    /// The range of a joint's rows.
    pub fn rows_of(&self, joint: usize) -> Range<usize> {
        self.joint_rows[joint] as usize..self.joint_rows[joint + 1] as usize
    }

    /// The number of blocks that are solved before the contacts in lanes: those of the joints. All blocks where there
    /// are no such contacts.
    pub(crate) fn before_contacts(&self) -> usize {
        let joint = |block: &Block| matches!(block.owner, Owner::Joint(_));
        if self.contacts.is_empty() { self.blocks.len() } else { self.blocks.partition_point(joint) }
    }

    /// Whether there is nothing to solve.
    pub(crate) fn is_empty(&self) -> bool {
        self.blocks.is_empty() && self.contacts.is_empty()
    }

    /// Whether any row of a block was hit. The next step does not start from such a block's impulses.
    pub(crate) fn is_struck(&self, block: &Block) -> bool {
        let range = block.range();
        let from = self.bounces.partition_point(|bounce| (bounce.row as usize) < range.start);
        self.bounces[from..].iter().take_while(|bounce| (bounce.row as usize) < range.end).any(|bounce| bounce.struck)
    }

    pub(crate) fn clear(&mut self) {
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
        self.drive_blocks.clear();
        self.paired_motors.clear();
        self.bounces.clear();
        self.trees.clear();
        self.jointed_contacts.clear();
    }
}
