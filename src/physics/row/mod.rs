//! Rows are data: what a joint or a contact asks of two bodies' velocities, one scalar equation each.
//!
//! ```text
//! u = [vA, wA, vB, wB]      J = [-lin, ang_a, lin, ang_b]      J u + b + γ λ = 0,  lo ≤ λ ≤ hi
//! K = J M⁻¹ Jᵀ              Δλ = -(J u + b + γ λ) / (K + γ), clamped on the accumulated λ
//! ```
//!
//! Every row of the catalogue pushes B as it pushes A, so one linear direction serves both bodies: linear momentum is
//! conserved by construction, and angular momentum where `ang_a = lin × sA`, `ang_b = rB × lin`.
//! Source: 000 Common notation; docs/math.md.

mod friction;
mod ready;
mod spec;

pub use super::softness::Softness;
pub use friction::Friction;
pub use ready::{Block, BoundRange, Coupling, Printed, Row};
pub use spec::{Ends, Jacobian, RowKind, RowList, RowSpec, SLOTS};

/// The part of a joint or contact that a row belongs to; consecutive rows of one group form a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Group {
    Anchor,
    Axis,
    Spring,
    Limit,
    /// A limit of a swing, apart from that of the twist.
    Swing,
    Motor,
    Normal,
    Friction,
}

/// Whose rows a block holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Owner {
    Joint(u32),
    /// The manifold of a pair, by its index among the step's pairs.
    Contact(u32),
    /// The mouse's hand.
    MouseJoint,
    /// The plane to which a body is confined.
    Plane(u32),
}

/// Whose row it is, stable from step to step: it keys warm starting, selection and plots alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RowId {
    Joint {
        joint: u32,
        slot: u8,
        /// What the row is for; follows from the joint's kind and the slot.
        group: Group,
    },
    /// The mouse's hand.
    MouseJoint { slot: u8 },
    /// The plane to which a body is confined.
    Plane { body: u32 },
    /// A contact row of two bodies.
    Contact { a: u32, b: u32, part: ContactPart },
}

/// What a contact row does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ContactPart {
    /// Holds apart at a point of the manifold.
    Normal(u8),
    /// Along a tangent, the first or the second, at a point or at the patch's centre.
    Tangent { at: Option<u8>, second: bool },
    /// Against turning about the normal.
    Twist,
    /// Against rolling about the first or the second tangent.
    Rolling { second: bool },
}
