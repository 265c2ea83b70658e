//! A joint's rows as it describes them: jacobians at the present poses, and the goal of each row. `prepare.rs`
//! computes bias, bounds and effective mass from them.

use glam::{Quat, Vec3};

use super::Group;
use super::Softness;
use crate::kernel::joint::AnchorPlaces;
use crate::kernel::patch::LeverArms;
use crate::settings::FormulationSettings;
use crate::velocity::Velocity;

/// A joint's frames: the present poses, anchors and axes of its two bodies, world frame.
#[derive(Debug, Clone, Copy)]
pub struct JointFrames {
    /// Centres of mass, m.
    pub xa: Vec3,
    pub xb: Vec3,
    /// Orientations.
    pub qa: Quat,
    pub qb: Quat,
    /// Anchors from the centres of mass, m.
    pub ra: Vec3,
    pub rb: Vec3,
    /// The joint's axis as carried by A and by B, unit.
    pub axis_a: Vec3,
    pub axis_b: Vec3,
    /// The joint's axis in A's body frame, unit.
    pub axis_local: Vec3,
    /// qA⁻¹ qB when the joint was made.
    pub reference: Quat,
    /// Anchor distance when the joint was made, m; of a rope over sheaves or on a drum its length.
    pub rest_length: f32,
    /// From A's anchor to B's when the joint was made, in A's frame, m.
    pub made_gap: Vec3,
    /// The angle (rad) or slide (m) of the previous step, from which the next angle is unwrapped.
    pub previous: f32,
    /// The forms in which to write the rows; none to measure errors only, by the corrected forms.
    pub forms: Option<FormulationSettings>,
    /// The factor of the speed of its motor and of the target of its servo at the start and at the end of the sub-step.
    pub by_time: [f32; 2],
}

impl JointFrames {
    /// The form to use: `joint_form` if the joint has one, else the setting's. The default (corrected) form if only
    /// errors are measured.
    pub fn form<T>(&self, joint_form: Option<T>, setting: impl Fn(&FormulationSettings) -> T) -> T {
        match &self.forms {
            Some(forms) => joint_form.unwrap_or_else(|| setting(forms)),
            None => setting(&FormulationSettings::default()),
        }
    }
    /// The mean factor of its motor's speed within the sub-step.
    pub fn factor(&self) -> f32 {
        0.5 * (self.by_time[0] + self.by_time[1])
    }
    fn places(&self) -> AnchorPlaces<Vec3> {
        let Self { xa, ra, xb, rb, .. } = *self;
        AnchorPlaces { xa, ra, xb, rb }
    }
    /// A's anchor, world frame, m.
    pub fn pa(&self) -> Vec3 {
        self.places().on_a()
    }
    /// B's anchor, world frame, m.
    pub fn pb(&self) -> Vec3 {
        self.places().on_b()
    }
    /// From A's anchor to B's, world frame, m.
    pub fn p(&self) -> Vec3 {
        self.places().gap()
    }
    /// From A's centre to B's anchor, m: A's lever arm, so that both impulses act at one point and angular momentum
    /// is kept.
    pub fn sa(&self) -> Vec3 {
        self.places().lever_a()
    }
}

/// The jacobian of a row: J u = lin · (vB − vA) + net · vA + ang_a · wA + ang_b · wB.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Jacobian {
    /// Coefficient of vB, and minus that of vA where `net` is zero.
    pub lin: Vec3,
    /// Coefficient of wA.
    pub ang_a: Vec3,
    /// Coefficient of wB.
    pub ang_b: Vec3,
    /// The sum of the coefficients of vA and vB: what the world bears of the row, such as the force on a sheave that is
    /// fixed in it. Zero for all rows whose force passes from one body to the other.
    pub net: Vec3,
}

impl Jacobian {
    /// A row along direction `t` acting at B's anchor.
    pub fn along(t: Vec3, sa: Vec3, rb: Vec3) -> Self {
        let (ang_a, ang_b) = LeverArms { a: sa, b: rb }.angular(t);
        Self { lin: t, ang_a, ang_b, net: Vec3::ZERO }
    }
    /// A row about axis `a`.
    pub fn about(a: Vec3) -> Self {
        Self { ang_a: -a, ang_b: a, ..Self::default() }
    }
    /// The sum of rows, each times a factor.
    pub fn sum(terms: &[(f32, Self)]) -> Self {
        terms.iter().fold(Self::default(), |sum, (factor, row)| Self {
            lin: sum.lin + *factor * row.lin,
            ang_a: sum.ang_a + *factor * row.ang_a,
            ang_b: sum.ang_b + *factor * row.ang_b,
            net: sum.net + *factor * row.net,
        })
    }
    /// Whether it has no force: only moments on the two bodies.
    pub fn is_angular(&self) -> bool {
        self.lin == Vec3::ZERO && self.net == Vec3::ZERO
    }
    /// Coefficient of vA.
    pub fn lin_a(&self) -> Vec3 {
        self.net - self.lin
    }
    /// J u.
    pub fn speed(&self, va: Vec3, wa: Vec3, vb: Vec3, wb: Vec3) -> f32 {
        self.lin.dot(vb - va) + self.net.dot(va) + self.ang_a.dot(wa) + self.ang_b.dot(wb)
    }
}

/// The goal of a row, from which the solver makes bias and bounds. C is the position error, m or rad.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RowKind {
    /// C = 0.
    Equal { c: f32 },
    /// C ≤ 0 with λ ≤ 0: an upper limit, a taut rope. The row is always active: while C < 0 it lets C rise to zero
    /// within the step, and no further.
    AtMost { c: f32 },
    /// C ≥ 0 with λ ≥ 0: a lower limit.
    AtLeast { c: f32 },
    /// J u = speed, with at most `cap` N or N·m. `value` is the driven quantity, rad within a turn or m; none if J u
    /// is not its rate.
    Drive { speed: f32, cap: f32, value: Option<f32> },
    /// J u = speed while C is corrected to zero: how the book's printed motor locks the other rotations.
    Track { c: f32, speed: f32 },
    /// C is pulled to zero by a damped spring, whose stiffness belongs to this mass.
    Soft { c: f32, softness: Softness, mass: SpringMass },
    /// The motion is resisted: see `resistance.rs`.
    Resist(Resistance),
    /// A value is led to a target: see `servo.rs`.
    Servo(ServoRow),
    /// A one-sided soft stop, pushed back by a spring: from above (`upper`, C > 0) or from below.
    SoftStop { c: f32, softness: Softness, upper: bool },
}

/// How a servo leads a value to its target.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ServoRow {
    /// The value less the target at the start of the sub-step, rad or m.
    pub c: f32,
    /// By how much the target moves within the sub-step, rad or m.
    pub advance: f32,
    /// Speed at which the damper aims besides, rad/s or m/s.
    pub speed: f32,
    pub softness: Softness,
    /// The constant torque, N·m, or force, N.
    pub force: f32,
    /// The most that it may apply, N·m or N.
    pub cap: f32,
}

/// What resists a motion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Resistance {
    /// Largest force or torque while it slides and while it sticks, N or N·m.
    Friction { slides: f32, sticks: f32 },
    /// Force or torque per speed, N·s/m or N·m·s/rad.
    Damper { coefficient: f32 },
    /// Friction of at most `share` of what the joint's row `load` bears, by its slot: a rope over a sheave.
    Capstan { share: f32, load: u8 },
    /// kg or kg m².
    Armature { inertia: f32 },
}

/// The mass for which a spring's frequency holds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SpringMass {
    /// The effective mass of the row at the present poses while the joint's rigid rows hold, see `softness.rs`.
    Present,
    /// The inertia about this axis, a unit vector in A's frame, in the pose in which the joint was made. The stiffness
    /// is then constant.
    Made(Vec3),
}

/// A row as its joint describes it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RowSpec {
    pub jacobian: Jacobian,
    pub kind: RowKind,
    pub group: Group,
    /// Number of the row within its joint, the same in every step; below [`SLOTS`].
    pub slot: u8,
    /// The form of its error C.
    pub measures: ErrorForm,
}

/// How a row's error C depends on the poses. For the first two `arcs.rs` computes how a step changes C. p is the vector
/// from A's anchor to B's, m.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorForm {
    /// C = t · p, with a unit vector t that A carries: see `primitives/plane.rs`.
    Along,
    /// C = ‖p‖ − a length: see `primitives/distance.rs`.
    Length,
    /// Any other function.
    Other,
}

impl RowSpec {
    /// J u for these velocities of A and B, m/s or rad/s.
    pub fn speed(&self, a: &Velocity, b: &Velocity) -> f32 {
        self.jacobian.speed(a.linear.into(), a.angular.into(), b.linear.into(), b.angular.into())
    }
    /// Whether its error is an angle, rad. That of a coupling is a length, also where its forces cancel.
    pub fn is_angular(&self) -> bool {
        self.jacobian.is_angular() && self.group != Group::Coupling
    }
}

/// The largest number of rows of one joint.
pub const SLOTS: usize = 12;

/// The rows of one joint, in the order in which they are solved.
#[derive(Debug, Clone, Default)]
pub struct RowList {
    pub rows: Vec<RowSpec>,
}

impl RowList {
    /// Adds a row.
    pub fn push(&mut self, group: Group, slot: u8, jacobian: Jacobian, kind: RowKind) {
        self.rows.push(RowSpec { jacobian, kind, group, slot, measures: ErrorForm::Other });
    }

    /// Adds a row whose error has this form.
    pub fn push_of(&mut self, measures: ErrorForm, group: Group, slot: u8, jacobian: Jacobian, kind: RowKind) {
        self.rows.push(RowSpec { jacobian, kind, group, slot, measures });
    }
}
