//! A joint in a world: its frames on the two bodies, the impulses of its rows, and what can be read off it.

use glam::{Quat, Vec3};

use super::body::Body;
use super::breaking::Broken;
use super::copy::copied_by_fields;
use super::drive_course::DriveCourse;
pub use super::joint_options::{JointOptions, OwnOptions};
use super::joints::JointKind;
use super::readout::Readout;
use super::row::{Ends, Group, RowKind, RowList, RowSpec, SLOTS};
use super::settings::{FormulationSettings, Settings};

/// A joint to be added to a world. Frames are the bodies' own, from their centres of mass.
#[derive(Debug, PartialEq)]
pub struct JointDef {
    pub a: u32,
    pub b: u32,
    /// m.
    pub anchor_a: Vec3,
    pub anchor_b: Vec3,
    /// Unit vectors.
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
    /// qA⁻¹ qB when it was made.
    pub reference: Quat,
    /// Anchor distance when it was made, m.
    pub rest_length: f32,
    /// λ of the last step by slot; zero where a row was not active.
    pub impulses: [f32; SLOTS],
    pub readout: Readout,
    /// Where its motor has come to.
    pub course: Option<DriveCourse>,
    /// Set once it has broken: from then on it makes no rows.
    pub broken: Option<Broken>,
}

copied_by_fields!(Joint { def, reference, rest_length, impulses, readout, course, broken });

impl Joint {
    /// Makes a joint of its definition at the bodies' present poses.
    pub fn new(def: JointDef, bodies: &[Box<Body>]) -> Self {
        let (a, b) = (&bodies[def.a as usize], &bodies[def.b as usize]);
        let mut joint = Self {
            def,
            reference: a.rotation.inverse() * b.rotation,
            rest_length: 0.0,
            impulses: [0.0; SLOTS],
            readout: Readout::default(),
            course: None,
            broken: None,
        };
        joint.rest_length = joint.ends(bodies).p().length();
        joint
    }

    /// The two ends as they stand, to measure.
    pub fn ends(&self, bodies: &[Box<Body>]) -> Ends {
        self.ends_in(bodies, None)
    }

    /// The two ends as they stand, to be linearized in the forms that the settings ask for.
    pub fn formed(&self, bodies: &[Box<Body>], settings: &Settings) -> Ends {
        self.ends_in(bodies, Some(settings.formulation))
    }

    /// Its rows at the given ends, in place of what is in the list.
    pub fn rows(&self, ends: &Ends, list: &mut RowList) {
        list.rows.clear();
        self.def.kind.linearize(ends, list);
        if let Some(soft) = &self.def.options.soft {
            soft.soften(list);
        }
    }

    #[inline(always)]
    fn ends_in(&self, bodies: &[Box<Body>], forms: Option<FormulationSettings>) -> Ends {
        let pose = |body: u32| (bodies[body as usize].position, bodies[body as usize].rotation);
        Ends { forms, ..self.ends_at(pose(self.def.a), pose(self.def.b)) }
    }

    /// The two ends with A and B in these poses, to measure.
    #[inline(always)]
    pub fn ends_at(&self, (xa, qa): (Vec3, Quat), (xb, qb): (Vec3, Quat)) -> Ends {
        Ends {
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
            previous: self.readout.value,
            forms: None,
        }
    }
}

/// Whether three rows can be solved as one block: an anchor's, rigid or soft, unbounded, along three directions.
pub fn is_anchor(specs: &[RowSpec]) -> bool {
    specs.len() == 3
        && specs
            .iter()
            .all(|s| s.group == Group::Anchor && matches!(s.kind, RowKind::Equal { .. } | RowKind::Soft { .. }))
}
