//! A joint's frame, its anchors and axes, being moved or rotated: on the first body, the second, or both.
//!
//! A common point and direction in the world frame stays common if both ends move at step 0; otherwise the ends are
//! written in their bodies' frames.

use glam::{Quat, Vec3};

use crate::view::View;
use delassus_scene::{EndPlaces, Joint, JointPlaces};
use delassus_session::{JointPose, JointView, Snapshot};

/// Which of a joint's two ends is moved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FrameEnd {
    #[default]
    Both,
    A,
    B,
}

impl FrameEnd {
    pub const ALL: [(Self, &str); 3] = [(Self::Both, "both ends"), (Self::A, "end on A"), (Self::B, "end on B")];

    /// The next one, cyclically.
    pub fn next(self) -> Self {
        match self {
            Self::Both => Self::A,
            Self::A => Self::B,
            Self::B => Self::Both,
        }
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
        Self { index, joint: joint.clone(), place: snapshot.place(joint), end }
    }

    /// Takes over the joint's present state.
    pub fn refresh(&mut self, joint: &JointView, snapshot: &Snapshot) {
        self.joint.clone_from(joint);
        self.place = snapshot.place(joint);
    }

    /// The pivot of a rotation, world frame, m.
    pub fn pivot(&self) -> Vec3 {
        match self.end {
            FrameEnd::Both => self.place.midpoint(),
            FrameEnd::A => self.place.anchor_a,
            FrameEnd::B => self.place.anchor_b,
        }
    }

    /// The frame's rotation, frame to world: z along the joint's axis, or the body's rotation if there is no axis.
    pub fn rotation(&self, snapshot: &Snapshot) -> Quat {
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

    /// The joint with its ends at `place`.
    pub fn at(&self, place: &JointPose, snapshot: &Snapshot) -> JointView {
        JointView { ends: snapshot.ends_at((self.joint.a, self.joint.b), place), ..self.joint.clone() }
    }

    /// Whether a rotation would change anything. A common point without an axis has no direction.
    pub fn turns(&self) -> bool {
        let info = self.joint.kind.info();
        info.axis || (!info.coincident && self.end == FrameEnd::Both && self.place.anchor_a != self.place.anchor_b)
    }

    /// The joint's entry with its ends at `moved`.
    pub fn entry(&self, moved: &JointPose, view: &View<'_>) -> Option<Joint> {
        let mut entry = view.session.joint_entry(&self.joint.name)?;
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
