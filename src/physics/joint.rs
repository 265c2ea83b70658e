//! A joint in a world: its frames on the two bodies, the impulses of its rows, and what can be read off it.

use glam::{Quat, Vec3};

use super::body::{Body, Velocity};
use super::breaking::Breaks;
use super::joints::{JointKind, Relative};
use super::row::{Ends, Group, Law, Row, RowSpec, SLOTS};
use super::settings::{Settings, StabilizationPatch};

/// A joint to be added to a world. Frames are the bodies' own, from their centres of mass.
#[derive(Debug, Clone, Copy, PartialEq)]
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

/// What a joint of any kind may be given beside its kind's own parameters; by default nothing.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct JointOptions {
    /// More than this breaks it.
    pub breaks: Option<Breaks>,
    /// Settings of the stabilisation that this joint has for itself; the world's for the rest.
    pub stabilization: Option<StabilizationPatch>,
}

/// A joint in a world.
#[derive(Debug, Clone)]
pub struct Joint {
    pub def: JointDef,
    /// qA⁻¹ qB when it was made.
    pub reference: Quat,
    /// Anchor distance when it was made, m.
    pub rest_length: f32,
    /// λ of the last step by slot; zero where a row was not active.
    pub impulses: [f32; SLOTS],
    pub readout: Readout,
}

/// What can be read off a joint after a step.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Readout {
    /// How far the anchors are from where they should be, m.
    pub error: f32,
    /// How far the orientations are from where they should be, rad.
    pub angular_error: f32,
    /// What the kind measures, rad or m: see [`super::joints::JointInfo::measures`].
    pub value: f32,
    /// Rate of `value`.
    pub speed: f32,
    /// Impulse that the anchor's, limit's and motor's linear rows passed on in the last sub-step, N·s.
    pub impulse: Vec3,
    /// Angular impulse of its angular rows, N·m·s.
    pub angular_impulse: Vec3,
    /// `impulse` and `angular_impulse` over the sub-step: N and N·m.
    pub force: Vec3,
    pub torque: Vec3,
}

impl Joint {
    /// Makes a joint of its definition at the bodies' present poses.
    pub fn new(def: JointDef, bodies: &[Body]) -> Self {
        let (a, b) = (&bodies[def.a as usize], &bodies[def.b as usize]);
        let mut joint = Self {
            def,
            reference: a.rotation.inverse() * b.rotation,
            rest_length: 0.0,
            impulses: [0.0; SLOTS],
            readout: Readout::default(),
        };
        joint.rest_length = joint.ends(bodies).p().length();
        joint
    }

    /// The two ends as they stand, to measure.
    pub fn ends(&self, bodies: &[Body]) -> Ends {
        let (a, b) = (&bodies[self.def.a as usize], &bodies[self.def.b as usize]);
        Ends {
            xa: a.position,
            xb: b.position,
            qa: a.rotation,
            qb: b.rotation,
            ra: a.rotation * self.def.anchor_a,
            rb: b.rotation * self.def.anchor_b,
            axis_a: a.rotation * self.def.axis_a,
            axis_b: b.rotation * self.def.axis_b,
            axis_local: self.def.axis_a,
            reference: self.reference,
            rest_length: self.rest_length,
            previous: self.readout.value,
            forms: None,
        }
    }

    /// The two ends as they stand, to be linearized in the forms that the settings ask for.
    pub fn formed(&self, bodies: &[Body], settings: &Settings) -> Ends {
        Ends { forms: Some(settings.formulation), ..self.ends(bodies) }
    }

    /// Reads the joint off the bodies' present state; `specs` are its rows there, `rows` those of the last solve.
    pub fn read(&mut self, bodies: &[Body], velocities: &[Velocity], specs: &[RowSpec], rows: &[Row], h: f32) {
        let ends = self.ends(bodies);
        let (mut linear, mut angular) = (0.0, 0.0);
        for spec in specs {
            let off = match spec.law {
                Law::Equal { c } | Law::Track { c, .. } => c,
                Law::AtMost { c } => c.max(0.0),
                Law::AtLeast { c } => c.min(0.0),
                Law::Drive { .. } | Law::Soft { .. } => 0.0,
            };
            if spec.jacobian.lin == Vec3::ZERO { angular += off * off } else { linear += off * off }
        }
        let (mut impulse, mut angular_impulse) = (Vec3::ZERO, Vec3::ZERO);
        for row in rows {
            impulse += Vec3::from(row.lin) * row.impulse;
            if row.lin == glam::Vec3A::ZERO {
                angular_impulse += Vec3::from(row.ang_b) * row.impulse;
            }
        }
        let (a, b) = (&velocities[self.def.a as usize], &velocities[self.def.b as usize]);
        let (wa, wb) = (Vec3::from(a.angular), Vec3::from(b.angular));
        let apart = Vec3::from(b.linear) + wb.cross(ends.rb) - Vec3::from(a.linear) - wa.cross(ends.sa());
        let (value, speed) = self.def.kind.measure(&ends, &Relative { angular: wb - wa, anchors: apart });
        self.readout = Readout {
            error: linear.sqrt(),
            angular_error: angular.sqrt(),
            value,
            speed,
            impulse,
            angular_impulse,
            force: impulse / h,
            torque: angular_impulse / h,
        };
    }
}

/// Whether three rows can be solved as one block: an anchor's, unbounded, along three directions.
pub fn is_solid(specs: &[RowSpec]) -> bool {
    specs.len() == 3 && specs.iter().all(|s| s.group == Group::Anchor && matches!(s.law, Law::Equal { .. }))
}
