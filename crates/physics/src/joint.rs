//! Joints in a world: their frames on the two bodies, the impulses of their rows, and their readouts.

use glam::{Quat, Vec3};

use super::body::Body;
use super::breaking::limits::Broken;
use super::copy::copied_by_fields;
pub use super::joint_options::{JointOptions, OwnOptions};
use super::joints::JointKind;
use super::motor_target::MotorTarget;
use super::readout::Readout;
use super::row::{Group, JointFrames, RowKind, RowList, RowSpec, SLOTS};
use super::settings::{FormulationSettings, Settings};

/// The definition of a joint to be added to a world. Anchors and axes are in the frames of the two bodies, whose
/// origins are the centres of mass.
#[derive(Debug, PartialEq)]
pub struct JointDef {
    pub a: u32,
    pub b: u32,
    /// m, body frames.
    pub anchor_a: Vec3,
    pub anchor_b: Vec3,
    /// Unit vectors, body frames.
    pub axis_a: Vec3,
    pub axis_b: Vec3,
    pub kind: JointKind,
    /// Whether the two bodies collide with each other.
    pub collide: bool,
    pub options: JointOptions,
}

copied_by_fields!(JointDef { a, b, anchor_a, anchor_b, axis_a, axis_b, kind, collide, options });

/// A joint in a world.
#[derive(Debug)]
pub struct Joint {
    pub def: JointDef,
    /// Relative orientation qA⁻¹ qB at which the joint was made.
    pub reference: Quat,
    /// Distance of the anchors at which the joint was made, m; of a rope over sheaves or on a drum its length.
    pub rest_length: f32,
    /// From A's anchor to B's at which the joint was made, in A's frame, m.
    pub made_gap: Vec3,
    /// Impulses of the last sub-step by slot, N·s or N·m·s; zero where there was no row.
    pub impulses: [f32; SLOTS],
    pub readout: Readout,
    /// The value that its drive should have by now, where it has a drive that keeps to a target: see `motor_target/`.
    pub motor_target: Option<MotorTarget>,
    /// Steps for which its mechanism still counts as taut: see `divide/taut.rs`.
    pub taut: u16,
    /// Force of the anchor's rows on B in the last step in which it counted as taut, N; zero otherwise.
    pub tension: Vec3,
    /// Set once it has broken. From then on it has no rows.
    pub broken: Option<Broken>,
}

copied_by_fields!(Joint {
    def,
    reference,
    rest_length,
    made_gap,
    impulses,
    readout,
    motor_target,
    taut,
    tension,
    broken
});

impl Joint {
    /// Makes a joint from its definition, at the present poses of the bodies.
    pub fn new(def: JointDef, bodies: &[Box<Body>]) -> Self {
        let (a, b) = (&bodies[def.a as usize], &bodies[def.b as usize]);
        let zero = if def.kind.info().winds { def.kind.zero() } else { 0.0 };
        let mut joint = Self {
            def,
            reference: a.rotation.inverse() * b.rotation,
            rest_length: 0.0,
            made_gap: Vec3::ZERO,
            impulses: [0.0; SLOTS],
            // The zero lies at another pose than this one. (0 − 0 is no negative zero.)
            readout: Readout { value: 0.0 - zero, ..Readout::default() },
            motor_target: None,
            taut: 0,
            tension: Vec3::ZERO,
            broken: None,
        };
        let frames = joint.frames(bodies);
        (joint.rest_length, joint.made_gap) = (joint.def.kind.made_length(&frames), frames.qa.inverse() * frames.p());
        joint
    }

    /// The joint's frames at the present poses, in the corrected forms by which errors are measured.
    pub fn frames(&self, bodies: &[Box<Body>]) -> JointFrames {
        self.frames_in(bodies, None)
    }

    /// The joint's frames at the present poses, to be linearized in the forms that the settings ask for.
    pub fn frames_in_form(&self, bodies: &[Box<Body>], settings: &Settings) -> JointFrames {
        self.frames_in(bodies, Some(settings.formulation))
    }

    /// Replaces the rows in `list` by the joint's rows at the given frames.
    pub fn rows(&self, frames: &JointFrames, list: &mut RowList) {
        list.rows.clear();
        self.def.kind.linearize(frames, list);
        if let Some(soft) = &self.def.options.soft {
            soft.soften(frames, list);
        }
    }

    #[inline(always)]
    fn frames_in(&self, bodies: &[Box<Body>], forms: Option<FormulationSettings>) -> JointFrames {
        let pose = |body: u32| (bodies[body as usize].position, bodies[body as usize].rotation);
        JointFrames { forms, ..self.frames_at(pose(self.def.a), pose(self.def.b)) }
    }

    /// The joint's frames for these poses of A and B, in the corrected forms by which errors are measured.
    #[inline(always)]
    pub fn frames_at(&self, (xa, qa): (Vec3, Quat), (xb, qb): (Vec3, Quat)) -> JointFrames {
        JointFrames {
            xa,
            xb,
            qa,
            qb,
            ra: qa * self.def.anchor_a,
            rb: qb * self.def.anchor_b,
            axis_a: qa * self.def.axis_a,
            axis_b: qb * self.def.axis_b,
            axis_local: self.def.axis_a,
            reference: self.reference,
            rest_length: self.rest_length,
            made_gap: self.made_gap,
            previous: self.readout.value,
            forms: None,
            by_time: [1.0; 2],
        }
    }

    /// The factor of its motor's speed and its servo's target at `time`, s.
    pub fn factor(&self, time: f64) -> f32 {
        self.def.options.by_time.at(time)
    }
}

/// Whether these are the three rows of an anchor, rigid or soft and without bounds. Such rows can be solved as one
/// block.
pub fn is_anchor(specs: &[RowSpec]) -> bool {
    specs.len() == 3
        && specs
            .iter()
            .all(|s| s.group == Group::Anchor && matches!(s.kind, RowKind::Equal { .. } | RowKind::Soft { .. }))
}
