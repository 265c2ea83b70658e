//! Six degrees of freedom: each of three slides and three angles is locked, or free, limited and led by a servo.
//!
//! ```text
//! q      = the joint's axes carried by A:  qA exp(axes)
//! slide  s_k = e_k · q⁻¹ p,  p = pB − pA                            J = the plane row along q e_k
//! angle  φ   = log of B's rotation against A since the zero, in q   J = `primitives/rotation_vector.rs`
//! ```
//! Rows in order: locked slides (slots 0–2), locked angles (3–5), servos (6–11), limits (in the slot that the lock of the
//! axis would have). Three locked angles have the rows of a weld (`primitives/orientation.rs`), and two those of a hinge
//! about the third (`primitives/hinge_axis.rs`), so that B may turn about that axis without end. One locked angle has the
//! row φ_k = 0, which leaves B the rotations of a constant-velocity joint.
//!
//! The three angles are the components of the rotation vector: a rotation about one of the axes has its angle there and
//! zero in the others, no order of rotations is chosen, there is no singular pose within half a turn, and springs on
//! them have a potential. Beyond half a turn they go on from the other side: φ is within ±π. Source: docs/math.md, "Six
//! degrees of freedom".

use glam::{Quat, Vec3};
use serde::{Deserialize, Serialize};

use super::servo::{FreeAxis, RotationVector, SlideAxis, TurnAxis};
use super::{
    Anchor, Freedom, JointDisplay, JointInfo, JointMeasure, Parameter, Role,
    measure::{self, Relative},
    servo,
};
use crate::angle::Angle;
use crate::primitives::{hinge_axis, limit, orientation, plane, rotation_vector};
use crate::row::{Group, Jacobian, JointFrames, RowList};
use crate::setting::is_default;

/// A mount with six axes. Without any free axis it is a weld.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SixDof {
    /// The slides of B's anchor from A's, m.
    #[serde(skip_serializing_if = "is_default")]
    pub x: SlideAxis,
    #[serde(skip_serializing_if = "is_default")]
    pub y: SlideAxis,
    #[serde(skip_serializing_if = "is_default")]
    pub z: SlideAxis,
    /// The components of B's rotation vector, rad.
    #[serde(skip_serializing_if = "is_default")]
    pub about_x: TurnAxis,
    #[serde(skip_serializing_if = "is_default")]
    pub about_y: TurnAxis,
    #[serde(skip_serializing_if = "is_default")]
    pub about_z: TurnAxis,
    /// The rotation from A's frame to these axes.
    #[serde(skip_serializing_if = "is_default")]
    pub axes: RotationVector,
    /// The rotation that counts as zero, from the pose of the scene, in these axes.
    #[serde(skip_serializing_if = "is_default")]
    pub zero: RotationVector,
}

impl SixDof {
    /// The fields of the six axes, in the order of [`Self::free`].
    pub const AXES: [&'static str; 6] = ["x", "y", "z", "about_x", "about_y", "about_z"];

    pub const INFO: JointInfo = JointInfo {
        name: "SixDof",
        what: "each slide along and angle about three axes of A is locked, free, limited or sprung",
        source: "docs/math.md, Six degrees of freedom",
        axis: false,
        coincident: false,
        measures: JointMeasure::Angle,
        winds: false,
        anchor: Anchor::AtB,
        shown: JointDisplay::Axes,
        free: Freedom::Nothing,
    };

    /// Its properties, which depend on its free axes: the value is that of the first free one.
    pub fn info(&self) -> JointInfo {
        let free = self.free().map(|axis| axis.is_some());
        let slides = free[..3].contains(&true);
        let freedom = match free.iter().filter(|free| **free).count() {
            0 => Freedom::Nothing,
            1 if slides => Freedom::Slide,
            1 => Freedom::Turn,
            _ => Freedom::More,
        };
        let measures = if slides { JointMeasure::Slide } else { JointMeasure::Angle };
        JointInfo { measures, free: freedom, coincident: !slides, ..Self::INFO }
    }

    /// What each axis has, none where it is locked: the slides, then the angles.
    pub fn free(&self) -> [Option<FreeAxis>; 6] {
        let Self { x, y, z, about_x, about_y, about_z, .. } = self;
        [x.free(), y.free(), z.free(), about_x.free(), about_y.free(), about_z.free()]
    }

    /// The number of the first free axis, whose value the joint measures.
    pub fn measured(&self) -> Option<usize> {
        self.free().iter().position(Option::is_some)
    }

    /// What the axis has whose value the joint measures.
    pub fn value_axis(&self) -> Option<FreeAxis> {
        self.free().into_iter().flatten().next()
    }

    /// Gives a free axis this limit, m or rad.
    pub fn set_limit(&mut self, axis: usize, (least, greatest): (f32, f32)) {
        let angles = || Some((Angle::radians(least), Angle::radians(greatest)));
        let Self { x, y, z, about_x, about_y, about_z, .. } = self;
        match axis {
            0..3 => {
                if let SlideAxis::Free { limit, .. } = [x, y, z][axis] {
                    *limit = Some((least, greatest));
                }
            }
            _ => {
                if let Some(TurnAxis::Free { limit, .. }) = [about_x, about_y, about_z].into_iter().nth(axis - 3) {
                    *limit = angles();
                }
            }
        }
    }

    /// Removes the servos of all axes.
    pub(super) fn lose_servos(&mut self) {
        for axis in [&mut self.x, &mut self.y, &mut self.z] {
            if let SlideAxis::Free { servo, .. } = axis {
                *servo = None;
            }
        }
        for axis in [&mut self.about_x, &mut self.about_y, &mut self.about_z] {
            if let TurnAxis::Free { servo, .. } = axis {
                *servo = None;
            }
        }
    }

    pub(super) fn parameters(&mut self) -> Vec<Parameter<'_>> {
        let Self { x, y, z, about_x, about_y, about_z, axes, zero } = self;
        let slide = |name, what, axis| Parameter { name, what, role: Role::SlideAxis(axis) };
        let turn = |name, what, axis| Parameter { name, what, role: Role::TurnAxis(axis) };
        vec![
            slide("x", "the slide along x", x),
            slide("y", "the slide along y", y),
            slide("z", "the slide along z", z),
            turn("about_x", "the angle about x", about_x),
            turn("about_y", "the angle about y", about_y),
            turn("about_z", "the angle about z", about_z),
            Parameter { name: "axes", what: "from A's frame to these axes, a rotation vector", role: Role::Axes(axes) },
            Parameter {
                name: "zero",
                what: "the rotation that counts as zero, a rotation vector from the pose of the scene",
                role: Role::RotationZero(zero),
            },
        ]
    }

    /// The frames of the joint's axes in the place of A's, and of its zero in the place of the pose of the scene.
    fn own_frames(&self, frames: &JointFrames) -> JointFrames {
        let own = |vector: &RotationVector| if is_default(vector) { Quat::IDENTITY } else { vector.quat() };
        let (axes, zero) = (own(&self.axes), own(&self.zero));
        JointFrames { qa: frames.qa * axes, reference: zero * (axes.inverse() * frames.reference), ..*frames }
    }

    /// The values along and about its axes, m and rad.
    pub fn values(&self, frames: &JointFrames) -> [f32; 6] {
        let own = self.own_frames(frames);
        let (slides, angles) = (own.qa.inverse() * own.p(), rotation_vector::relative(&own));
        [slides.x, slides.y, slides.z, angles.x, angles.y, angles.z]
    }

    pub(super) fn linearize(&self, frames: &JointFrames, rows: &mut RowList) {
        let own = self.own_frames(frames);
        let (free, slides) = (self.free(), own.qa.inverse() * own.p());
        for (k, axis) in Vec3::AXES.into_iter().enumerate().filter(|(k, _)| free[*k].is_none()) {
            plane::lock(&own, own.qa * axis, k as u8, rows);
        }
        lock_angles(&own, [0, 1, 2].map(|k| free[3 + k].is_none()), rows);
        let phi = rotation_vector::relative(&own);
        let row = |k: usize| -> (f32, Jacobian) {
            let axis = Vec3::AXES[k % 3];
            match k < 3 {
                true => (slides[k], plane::jacobian(&own, own.qa * axis)),
                false => (phi[k - 3], rotation_vector::row(own.qa, phi, axis)),
            }
        };
        let all = free.into_iter().enumerate();
        for (k, servo) in all.clone().filter_map(|(k, axis)| Some((k, axis?.servo?))) {
            let (value, jacobian) = row(k);
            servo::row(servo, value, jacobian, (frames, SERVOS + k as u8), rows);
        }
        for (k, range) in all.filter_map(|(k, axis)| Some((k, axis?.limit?))) {
            let (value, jacobian) = row(k);
            limit::stop_in(value, range, jacobian, [k as u8; 2], rows);
        }
    }

    pub(super) fn measure(&self, frames: &JointFrames, relative: &Relative) -> (f32, f32) {
        let Some(k) = self.measured() else { return measure::rotation_angle(frames, relative) };
        let own = self.own_frames(frames);
        let (value, axis) = (self.values(frames)[k], Vec3::AXES[k % 3]);
        let rate = match k < 3 {
            true => (own.qa * axis).dot(relative.anchors),
            false => {
                let phi = rotation_vector::relative(&own);
                rotation_vector::row(own.qa, phi, axis).ang_b.dot(relative.angular)
            }
        };
        (value, rate)
    }

    /// The row of its only free motion, if it has just one.
    pub fn only_motion(&self, frames: &JointFrames) -> Option<Jacobian> {
        let (own, k) = (self.own_frames(frames), self.measured()?);
        let alone = self.free().iter().flatten().count() == 1;
        let axis = own.qa * Vec3::AXES[k % 3];
        alone.then(|| if k < 3 { plane::jacobian(&own, axis) } else { Jacobian::about(axis) })
    }

    /// Whether a row in this slot belongs to the axis that the joint measures.
    pub fn is_of_value(&self, slot: u8) -> bool {
        self.measured().is_some_and(|k| slot == k as u8 || slot == SERVOS + k as u8)
    }
}

/// The slot of the first axis' servo.
const SERVOS: u8 = 6;

/// The rows of the angles that are locked, each in the slot of its axis.
fn lock_angles(own: &JointFrames, locked: [bool; 3], rows: &mut RowList) {
    let axes = || (0..3).zip(Vec3::AXES).filter(|(k, _)| locked[*k]);
    match axes().count() {
        3 => orientation::lock(own, own.form(None, |f| f.orientation), 3, rows),
        2 => {
            let about = (0..3).zip(Vec3::AXES).find(|(k, _)| !locked[*k]).map_or(Vec3::Z, |(_, axis)| axis);
            let ends = JointFrames {
                axis_a: own.qa * about,
                axis_b: own.qb * (own.reference.inverse() * about),
                axis_local: about,
                ..*own
            };
            let mut across = axes().map(|(k, axis)| (3 + k as u8, axis));
            if let (Some(u), Some(v)) = (across.next(), across.next()) {
                hinge_axis::align_across(&ends, [u, v], rows);
            }
        }
        _ => {
            let phi = rotation_vector::relative(own);
            for (k, axis) in axes() {
                let jacobian = rotation_vector::row(own.qa, phi, axis);
                rows.push(Group::Axis, 3 + k as u8, jacobian, crate::row::RowKind::Equal { c: phi[k] });
            }
        }
    }
}
