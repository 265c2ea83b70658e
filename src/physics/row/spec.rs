//! A joint's rows as it describes them: jacobians at the present poses, and what each row wants. Bias, bounds and
//! effective mass are made of it by `prepare.rs`.

use glam::{Quat, Vec3};

use super::Group;
use crate::physics::settings::FormulationSettings;
use crate::physics::softness::Softness;

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
