//! Rows: what a joint or a contact requires of two bodies' velocities, one scalar equation each.
//!
//! ```text
//! u = [vA, wA, vB, wB]      J = [-lin, ang_a, lin, ang_b]      J u + b + γ λ = 0,  lo ≤ λ ≤ hi
//! K = J M⁻¹ Jᵀ              Δλ = -(J u + b + γ λ) / (K + γ), clamped on the accumulated λ
//! ```
//!
//! Every row acts on B opposite to A, so one linear direction serves both bodies: linear momentum is conserved by
//! construction, and angular momentum if `ang_a = lin × sA`, `ang_b = rB × lin`.
//! Source: 000 Common notation; docs/math.md.

mod factor;
mod friction;
mod ready;
mod softness;
mod spec;

pub use factor::{Factor, MAX_BLOCK_ROWS};
pub use friction::Friction;
pub use ready::{Block, BoundRange, Coupling, Printed, Row};
pub(crate) use softness::SpringFields;
pub use softness::{Damping, SoftTerms, Softness, SpringRate, SprungMass};
pub use spec::{ErrorForm, Jacobian, JointFrames, Resistance, RowKind, RowList, RowSpec, SLOTS, ServoRow, SpringMass};

/// The part of a joint or contact that a row belongs to; consecutive rows of one group form a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Group {
    Anchor,
    Axis,
    /// Teeth, a thread, a belt or a cam: one motion of B goes with one of A.
    Coupling,
    Spring,
    Limit,
    /// A swing limit, separate from the twist's.
    Swing,
    Motor,
    /// Coulomb friction of a joint.
    JointFriction,
    /// Viscous damping of a joint.
    Damper,
    /// The rotor that a joint drives.
    Armature,
    Normal,
    Friction,
}

/// The joint, contact or other constraint that a block's rows belong to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Owner {
    Joint(u32),
    /// The manifold of a pair, by its index among the step's pairs.
    Contact(u32),
    /// The mouse joint, which drags a body.
    MouseJoint,
    /// The plane to which a body is confined.
    Plane(u32),
}

/// Identity of a row, stable from step to step; the key for warm starting, selection and plots.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RowId {
    Joint {
        joint: u32,
        slot: u8,
        /// The part of the joint; follows from the joint's kind and the slot.
        group: Group,
    },
    /// A row of the mouse joint.
    MouseJoint { slot: u8 },
    /// The plane to which a body is confined.
    Plane { body: u32 },
    /// A contact row of two bodies; `pieces` are the parts that touch where a body is a compound, else zero.
    Contact { a: u32, b: u32, pieces: [u8; 2], part: ContactPart },
}

/// The function of a contact row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ContactPart {
    /// Non-penetration at a point of the manifold.
    Normal(u8),
    /// Friction along the first or second tangent, at a point or at the patch's centre.
    Tangent { at: Option<u8>, second: bool },
    /// Friction against rotation about the normal.
    Twist,
    /// Friction against rolling about the first or second tangent.
    Rolling { second: bool },
}
