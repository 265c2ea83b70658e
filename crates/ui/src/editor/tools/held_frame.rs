//! A joint's frame, its anchors and axes, being moved or rotated: on the first body, the second, or both. Of a pulley also one
//! of its two sheaves.
//!
//! A common point and direction in the world frame stays common if both ends move at step 0; otherwise the ends are
//! written in their bodies' frames.

use glam::{Quat, Vec3};

use crate::view::View;
use delassus_physics::joints::JointKind;
use delassus_scene::{EndPlaces, Joint, JointPlaces};
use delassus_session::{JointPose, JointView, Snapshot};

/// Which of a joint's two ends is moved, or which sheave of a pulley.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FrameEnd {
    #[default]
    Both,
    A,
    B,
    SheaveA,
    SheaveB,
}

impl FrameEnd {
    const ALL: [(Self, &str); 5] = [
        (Self::Both, "both ends"),
        (Self::A, "end on A"),
        (Self::B, "end on B"),
        (Self::SheaveA, "sheave of A"),
        (Self::SheaveB, "sheave of B"),
    ];

    /// Those of a joint of this kind, with their names; of any kind without one.
    pub fn of(kind: Option<&JointKind>) -> &'static [(Self, &'static str)] {
        if matches!(kind, Some(JointKind::Pulley(_))) { &Self::ALL } else { &Self::ALL[..3] }
    }

    /// The next one of a joint of this kind, cyclically.
    pub fn next(self, kind: Option<&JointKind>) -> Self {
        let all = Self::of(kind);
        let at = all.iter().position(|(end, _)| *end == self);
        all[at.map_or(0, |at| (at + 1) % all.len())].0
    }

    /// This one, or both ends where a joint of this kind has no such end.
    fn within(self, kind: &JointKind) -> Self {
        if Self::of(Some(kind)).iter().any(|(end, _)| *end == self) { self } else { Self::Both }
    }

    /// As text: “both ends”.
    pub fn words(self) -> &'static str {
        Self::ALL.iter().find(|(end, _)| *end == self).map_or("", |(_, words)| words)
    }
}

/// A joint that is being moved or rotated.
#[derive(Clone)]
pub struct HeldFrame {
    /// Its index in the snapshot.
    pub index: usize,
    /// The joint's current state, and where it is.
    pub joint: JointView,
    pub place: JointPose,
    pub end: FrameEnd,
}

impl std::fmt::Debug for HeldFrame {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} of {}", self.end.words(), self.joint.name)
    }
}

impl HeldFrame {
    pub fn new(index: usize, joint: &JointView, end: FrameEnd, snapshot: &Snapshot) -> Self {
        Self { index, joint: joint.clone(), place: snapshot.place(joint), end: end.within(&joint.kind) }
    }

    /// Takes over the joint's present state.
    pub fn refresh(&mut self, joint: &JointView, snapshot: &Snapshot) {
        self.joint.clone_from(joint);
        self.place = snapshot.place(joint);
    }

    /// The pivot of a rotation, world frame, m.
    pub fn pivot(&self) -> Vec3 {
        match (self.end, &self.joint.kind) {
            (FrameEnd::SheaveA, JointKind::Pulley(pulley)) => pulley.over_a,
            (FrameEnd::SheaveB, JointKind::Pulley(pulley)) => pulley.over_b,
            (FrameEnd::A, _) => self.place.anchor_a,
            (FrameEnd::B, _) => self.place.anchor_b,
            _ => self.place.midpoint(),
        }
    }

    /// Whether a sheave is moved, which is fixed in the world.
    fn is_sheave(&self) -> bool {
        matches!(self.end, FrameEnd::SheaveA | FrameEnd::SheaveB)
    }

    /// The kind after a displacement: that of the sheave that is moved.
    pub fn moved_kind(&self, shift: Vec3) -> JointKind {
        let mut kind = self.joint.kind;
        match (self.end, &mut kind) {
            (FrameEnd::SheaveA, JointKind::Pulley(pulley)) => pulley.over_a += shift,
            (FrameEnd::SheaveB, JointKind::Pulley(pulley)) => pulley.over_b += shift,
            _ => {}
        }
        kind
    }

    /// The frame's rotation, frame to world: z along the joint's axis, or the body's rotation if there is no axis.
    pub fn rotation(&self, snapshot: &Snapshot) -> Quat {
        if self.is_sheave() {
            return Quat::IDENTITY;
        }
        let (body, axis) = match self.end {
            FrameEnd::B => (self.joint.b, self.place.axis_b),
            _ => (self.joint.a, self.place.axis_a),
        };
        let rotation = snapshot.body(body).map_or(Quat::IDENTITY, |body| body.pose.rotation);
        if self.joint.kind.info().axis {
            // The smallest rotation of the body's frame that brings z to the axis.
            (Quat::from_rotation_arc(rotation * Vec3::Z, axis) * rotation).normalize()
        } else {
            rotation
        }
    }

    /// Where the joint is after a rotation about `pivot` and a displacement.
    pub fn moved(&self, pivot: Vec3, turn: Quat, shift: Vec3) -> JointPose {
        let mut place = self.place;
        if self.is_sheave() {
            return place;
        }
        let point = |p: &mut Vec3| *p = pivot + turn * (*p - pivot) + shift;
        if self.end != FrameEnd::B {
            point(&mut place.anchor_a);
            place.axis_a = (turn * place.axis_a).normalize();
        }
        if self.end != FrameEnd::A {
            point(&mut place.anchor_b);
            place.axis_b = (turn * place.axis_b).normalize();
        }
        place
    }

    /// The joint with its ends at `place` and this kind.
    pub fn at(&self, place: &JointPose, kind: JointKind, snapshot: &Snapshot) -> JointView {
        JointView { kind, ends: snapshot.ends_at((self.joint.a, self.joint.b), place), ..self.joint.clone() }
    }

    /// Whether a rotation would change anything. A common point without an axis has no direction.
    pub fn turns(&self) -> bool {
        let info = self.joint.kind.info();
        !self.is_sheave()
            && (info.axis
                || (!info.coincident && self.end == FrameEnd::Both && self.place.anchor_a != self.place.anchor_b))
    }

    /// The joint's entry with its ends at `moved`, or with the sheave of this kind.
    pub fn entry(&self, moved: &JointPose, kind: JointKind, view: &View<'_>) -> Option<Joint> {
        let mut entry = view.session.joint_entry(&self.joint.name)?;
        if let (true, JointKind::Pulley(to), JointKind::Pulley(pulley)) = (self.is_sheave(), kind, &mut entry.kind) {
            (pulley.over_a, pulley.over_b) = (to.over_a, to.over_b);
            return Some(entry);
        }
        let has_axis = self.joint.kind.info().axis;
        if self.end == FrameEnd::Both && view.snapshot.step == 0 && entry.anchor.is_some() {
            entry.anchor = Some(moved.anchor_a);
            if has_axis && entry.axis_a.is_none() && entry.axis_b.is_none() {
                // The default axis is z; it is written only if the axis was rotated.
                let turned = moved.axis_a != self.place.axis_a;
                entry.axis = if turned { Some(moved.axis_a) } else { entry.axis };
                return Some(entry);
            }
            if !has_axis {
                return Some(entry);
            }
            entry.anchor = None;
        }
        let on = |body: u32, point: Vec3, axis: Vec3| {
            view.snapshot.body(body).map_or((point, axis), |body| {
                let back = body.pose.rotation.conjugate();
                (back * (point - body.pose.position), back * axis)
            })
        };
        let (a, b) = (on(self.joint.a, moved.anchor_a, moved.axis_a), on(self.joint.b, moved.anchor_b, moved.axis_b));
        let JointPlaces { common, a: on_a, b: on_b } = entry.places_mut();
        *common.anchor = None;
        if has_axis {
            *common.axis = None;
        }
        // An end that is not moved keeps its entry.
        for (EndPlaces { anchor, axis }, (point, direction), stays) in
            [(on_a, a, self.end == FrameEnd::B), (on_b, b, self.end == FrameEnd::A)]
        {
            *anchor = anchor.filter(|_| stays).or(Some(point));
            if has_axis {
                *axis = axis.filter(|_| stays).or(Some(direction));
            }
        }
        Some(entry)
    }
}
