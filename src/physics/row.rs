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

use glam::{Quat, Vec3, Vec3A};

use super::limit_surface::Surface;
use super::settings::FormulationSettings;
pub use super::softness::Softness;

/// The two bodies of a joint as they stand, world frame.
#[derive(Debug, Clone, Copy)]
pub struct Ends {
    /// Centres of mass, m.
    pub xa: Vec3,
    pub xb: Vec3,
    pub qa: Quat,
    pub qb: Quat,
    /// Anchors from the centres of mass, m.
    pub ra: Vec3,
    pub rb: Vec3,
    /// The joint's axis as carried by A and by B, unit.
    pub axis_a: Vec3,
    pub axis_b: Vec3,
    /// The joint's axis in A's own frame.
    pub axis_local: Vec3,
    /// qA⁻¹ qB when the joint was made.
    pub reference: Quat,
    /// Anchor distance when the joint was made, m.
    pub rest_length: f32,
    /// The angle (or slide) measured a step before, to unwrap the next, rad (or m).
    pub previous: f32,
    /// In which forms to write the rows; none where the errors are only to be measured, by the corrected forms.
    pub forms: Option<FormulationSettings>,
}

impl Ends {
    /// A choice of form: the joint's `own` before the setting's, and the corrected one where it is only to be measured.
    pub fn form<T>(&self, own: Option<T>, setting: impl Fn(&FormulationSettings) -> T) -> T {
        match &self.forms {
            Some(forms) => own.unwrap_or_else(|| setting(forms)),
            None => setting(&FormulationSettings::default()),
        }
    }
    /// A's anchor.
    pub fn pa(&self) -> Vec3 {
        self.xa + self.ra
    }
    /// B's anchor.
    pub fn pb(&self) -> Vec3 {
        self.xb + self.rb
    }
    /// From A's anchor to B's.
    pub fn p(&self) -> Vec3 {
        self.pb() - self.pa()
    }
    /// From A's centre to B's anchor: A's lever arm, so that both impulses act at one world point and cancel exactly.
    pub fn sa(&self) -> Vec3 {
        self.pb() - self.xa
    }
}

/// The coefficients of a row.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Jacobian {
    /// Coefficient of vB, and minus that of vA.
    pub lin: Vec3,
    /// Coefficient of wA.
    pub ang_a: Vec3,
    /// Coefficient of wB.
    pub ang_b: Vec3,
}

impl Jacobian {
    /// A row along direction `t` acting at B's anchor.
    pub fn along(t: Vec3, sa: Vec3, rb: Vec3) -> Self {
        Self { lin: t, ang_a: t.cross(sa), ang_b: rb.cross(t) }
    }
    /// A row about axis `a`.
    pub fn about(a: Vec3) -> Self {
        Self { lin: Vec3::ZERO, ang_a: -a, ang_b: a }
    }
    /// J u.
    pub fn speed(&self, va: Vec3, wa: Vec3, vb: Vec3, wb: Vec3) -> f32 {
        self.lin.dot(vb - va) + self.ang_a.dot(wa) + self.ang_b.dot(wb)
    }
}

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

/// What a row wants, from which the solver makes bias and bounds. C is the position error, m or rad.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RowKind {
    /// C = 0.
    Equal { c: f32 },
    /// C ≤ 0, by λ ≤ 0: a limit from above, a taut rope. Always on: while C < 0 it lets just that gap close.
    AtMost { c: f32 },
    /// C ≥ 0, by λ ≥ 0: a limit from below.
    AtLeast { c: f32 },
    /// J u = speed, by at most `cap` N or N·m. `value`, rad within a turn or m, is what it drives; none where J u is
    /// not its rate.
    Drive { speed: f32, cap: f32, value: Option<f32> },
    /// J u = speed while C is drawn to zero: a lock of the book's motor as it is printed.
    Track { c: f32, speed: f32 },
    /// C is drawn to zero as by a spring with a damper.
    Soft { c: f32, softness: Softness },
    /// The same where a stop is passed, one-sided: from above (`upper`, C > 0) or from below.
    SoftStop { c: f32, softness: Softness, upper: bool },
}

/// A row as its joint describes it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RowSpec {
    pub jacobian: Jacobian,
    pub kind: RowKind,
    pub group: Group,
    /// Which of its joint's rows it is, the same from step to step; below [`SLOTS`].
    pub slot: u8,
}

impl RowSpec {
    /// Whether its error is in radians.
    pub fn is_angular(&self) -> bool {
        self.jacobian.lin == Vec3::ZERO
    }
}

/// The most rows of one joint.
pub const SLOTS: usize = 12;

/// The rows of one joint, in the order in which they are solved.
#[derive(Debug, Clone, Default)]
pub struct RowList {
    pub rows: Vec<RowSpec>,
}

impl RowList {
    /// Adds a row.
    pub fn push(&mut self, group: Group, slot: u8, jacobian: Jacobian, kind: RowKind) {
        self.rows.push(RowSpec { jacobian, kind, group, slot });
    }
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

/// A row made ready for the solver. Sixteen-byte lanes, all that the loop needs and nothing else.
#[derive(Debug, Clone, Copy, Default)]
pub struct Row {
    pub lin: Vec3A,
    pub ang_a: Vec3A,
    pub ang_b: Vec3A,
    /// I_A⁻¹ ang_a and I_B⁻¹ ang_b.
    pub inv_ia: Vec3A,
    pub inv_ib: Vec3A,
    /// 1/mA and 1/mB.
    pub inv_ma: f32,
    pub inv_mb: f32,
    /// 1/(K + γ); zero switches the row off.
    pub inv_k: f32,
    /// Velocity offset b, m/s or rad/s.
    pub bias: f32,
    /// Softness γ.
    pub gamma: f32,
    /// Bounds of the accumulated impulse.
    pub lo: f32,
    pub hi: f32,
    /// The accumulated impulse λ, N·s or N·m·s.
    pub impulse: f32,
    /// Velocity offset of the split position correction, m/s or rad/s, and the impulse that it has accumulated.
    pub pseudo_bias: f32,
    pub pseudo_impulse: f32,
    /// A drive that takes part in the split position correction: see `course.rs`.
    pub held: bool,
}

/// How the rows of a block hang together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Coupling {
    /// Each row by itself, bounds fixed.
    Rows,
    /// Each row by itself, its bounds on each sweep's impulse and not on their sum: see `formulation::LimitForm`.
    Increments,
    /// Three unbounded rows solved as one 3×3 system, whose inverse is at this index.
    Anchor { inverse: u32 },
    /// The same with soft rows, K + γ in the system's place.
    SoftAnchor { inverse: u32 },
    /// Solved with its joint or tree: see `solvers/tree`.
    Tree,
    /// A contact: `normals` rows within their own bounds, then the rows of its [`Bound`](super::bounds::Bound)s, in the
    /// order of that list.
    Contact { normals: u8, bounds: Bounds },
    /// The same as a document prints it: see `solvers/printed.rs`.
    Printed { normals: u8, bounds: Bounds, form: Printed },
}

/// A range of a list of bounds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Bounds {
    pub first: u32,
    pub count: u8,
}

impl Bounds {
    /// The indices.
    pub fn range(&self) -> std::ops::Range<usize> {
        self.first as usize..self.first as usize + self.count as usize
    }
}

impl Coupling {
    /// Of a contact the number of its normals, and what binds its other rows.
    pub fn contact(&self) -> Option<(u8, Bounds)> {
        match *self {
            Self::Contact { normals, bounds } | Self::Printed { normals, bounds, .. } => Some((normals, bounds)),
            _ => None,
        }
    }
}

/// How a printed form solves a contact's rows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Printed {
    /// Each sweep's normal impulse is clamped, not their sum.
    pub increments: bool,
    /// Rows behind the normals that are solved before them.
    pub before: u8,
}

/// The law of a manifold's friction.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum Friction {
    #[default]
    Off,
    /// Two tangents at the patch's centre and a twist if `arm` > 0. With Λ = Σλn: ‖λt‖ ≤ mu Λ and |λ twist| ≤ mu arm Λ,
    /// together as the surface says, ‖λ rolling‖ ≤ rolling Λ. `arm` and `rolling` are lengths, m.
    Patch { mu: f32, arm: f32, surface: Surface, rolling: f32 },
    /// Two tangents a point, ‖λt‖ ≤ mu λn.
    Cone { mu: f32, rolling: f32 },
    /// Two tangents a point, each |λ| ≤ mu λn.
    Pyramid { mu: f32, rolling: f32 },
}

impl Friction {
    /// How two tangents and a twist are bound, together or not.
    pub fn surface(&self) -> Surface {
        match self {
            Self::Patch { surface, .. } => *surface,
            _ => Surface::Separate,
        }
    }

    /// The rolling rows' bound over Σλn, m.
    pub fn rolling(&self) -> f32 {
        match self {
            Self::Off => 0.0,
            Self::Patch { rolling, .. } | Self::Cone { rolling, .. } | Self::Pyramid { rolling, .. } => *rolling,
        }
    }
}

/// The contiguous rows that a solver treats together: all between the same two bodies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Block {
    pub owner: Owner,
    pub a: u32,
    pub b: u32,
    /// Index of its first row.
    pub first: u32,
    pub count: u32,
    pub coupling: Coupling,
    /// Whether a row of it asks for a split position correction.
    pub pseudo: bool,
    /// Whether a [`Held`](super::solvers::held::Held) corrects it.
    pub held: bool,
}

impl Block {
    /// The range of its rows.
    pub fn range(&self) -> std::ops::Range<usize> {
        self.first as usize..(self.first + self.count) as usize
    }
}
