//! Joints of bodies that a gesture drags: drawn at the dragged poses, with the value that they would have there.

use glam::{Quat, Vec3};

use crate::view3d::{joint_shape::JointEnds, placing::drawn};
use delassus_physics::joints::{JointDisplay, JointKind, JointMeasure};
use delassus_physics::primitives::rotation_vector;
use delassus_session::{JointView, Pose, Snapshot};

/// The rigid motion from a body's pose in the snapshot to the pose to which a gesture drags it.
#[derive(Clone, Copy)]
struct DragMotion {
    from: Pose,
    to: Pose,
}

impl DragMotion {
    const NONE: Self = {
        let pose = Pose { position: Vec3::ZERO, rotation: Quat::IDENTITY };
        Self { from: pose, to: pose }
    };

    fn turn(&self) -> Quat {
        (self.to.rotation * self.from.rotation.conjugate()).normalize()
    }

    fn point(&self, p: Vec3) -> Vec3 {
        self.to.position + self.turn() * (p - self.from.position)
    }
}

/// Which bodies a gesture holds.
#[derive(Default)]
pub(crate) struct HeldBodies {
    /// For body 1, 2, …: its index in the gesture's list plus one, zero if it is not held. Empty if none is.
    places: Vec<u32>,
    /// The motion of the world ends of their joints.
    world: Option<DragMotion>,
}

impl HeldBodies {
    /// Sets a gesture's bodies, by id with their dragged poses, and the rotation and translation of the world ends of
    /// their joints, if these move along.
    pub fn set(&mut self, placed: &[(u32, Pose, Vec3)], world: Option<(Quat, Vec3)>, snapshot: &Snapshot) {
        self.world =
            world.map(|(rotation, position)| DragMotion { to: Pose { position, rotation }, ..DragMotion::NONE });
        self.places.clear();
        if placed.is_empty() {
            return;
        }
        self.places.resize(snapshot.bodies.len(), 0);
        for (place, (id, ..)) in placed.iter().enumerate() {
            if let Some(slot) = (*id as usize).checked_sub(1).and_then(|i| self.places.get_mut(i)) {
                *slot = place as u32 + 1;
            }
        }
    }

    /// Whether a body is held. Its contacts are not drawn, since they belong to its pose in the snapshot.
    pub fn holds(&self, id: u32) -> bool {
        (id as usize).checked_sub(1).and_then(|i| self.places.get(i)).is_some_and(|place| *place > 0)
    }

    fn motion(&self, id: u32, placed: &[(u32, Pose, Vec3)], snapshot: &Snapshot, alpha: f32) -> Option<DragMotion> {
        let place = *self.places.get((id as usize).checked_sub(1)?)?;
        let (_, to, _) = placed.get((place as usize).checked_sub(1)?)?;
        Some(DragMotion { from: drawn(snapshot.body(id)?, alpha), to: *to })
    }

    /// A joint and its ends as the gesture drags them, or `None` if neither body is held. `shape`: the ends without the
    /// gesture.
    pub fn joint(
        &self,
        joint: &JointView,
        shape: JointEnds,
        placed: &[(u32, Pose, Vec3)],
        snapshot: &Snapshot,
        alpha: f32,
    ) -> Option<(JointView, JointEnds)> {
        let [mut a, mut b] = [joint.a, joint.b].map(|id| self.motion(id, placed, snapshot, alpha));
        if a.is_none() && b.is_none() {
            return None;
        }
        if joint.a == 0 {
            a = self.world;
        }
        if joint.b == 0 {
            b = self.world;
        }
        let (a, b) = (a.unwrap_or(DragMotion::NONE), b.unwrap_or(DragMotion::NONE));
        let (turn_a, turn_b) = (a.turn(), b.turn());
        let held = JointEnds {
            a: a.point(shape.a),
            b: b.point(shape.b),
            axis_a: turn_a * shape.axis_a,
            axis_b: turn_b * shape.axis_b,
            rotation: turn_a * shape.rotation,
            to_b: b.point(shape.a + shape.to_b) - a.point(shape.a),
            ..shape
        };
        // The changes are computed in A's frame, for the pose that A has without the gesture.
        let back = turn_a.conjugate();
        let gap = back * (held.b - held.a) - (shape.b - shape.a);
        let axis = shape.axis_a;
        let twist = || {
            let q = back * turn_b;
            let q = if q.w < 0.0 { -q } else { q };
            2.0 * Vec3::new(q.x, q.y, q.z).dot(axis).atan2(q.w)
        };
        let mut joint = joint.clone();
        let info = joint.kind.info();
        joint.readout.value += match (info.shown, info.measures) {
            (JointDisplay::Dial, _) => twist(),
            (_, JointMeasure::Angle) => {
                // The directions to B, perpendicular to the axis. Near the axis they say nothing.
                let arms = [shape.to_b, back * held.to_b].map(|to| to.reject_from(axis));
                let far = arms.iter().all(|arm| arm.length() > 0.02 * shape.reach);
                if far { arms[0].cross(arms[1]).dot(axis).atan2(arms[0].dot(arms[1])) } else { twist() }
            }
            (_, JointMeasure::Slide) => gap.dot(axis),
            (_, JointMeasure::Length) => held.a.distance(held.b) - shape.a.distance(shape.b),
        };
        if let (JointKind::SixDof(kind), Some(own)) = (&joint.kind, shape.own_axes(&joint)) {
            let read = &mut joint.readout;
            read.slides += own.conjugate() * gap;
            let turned = own.conjugate() * back * turn_b * own * Quat::from_scaled_axis(read.angles);
            read.angles = rotation_vector::of(turned);
            let all = [read.slides.to_array(), read.angles.to_array()].concat();
            read.value = kind.measured().map_or(read.value, |axis| all[axis]);
        }
        if info.coincident {
            joint.readout.error = joint.readout.error.max(gap.length());
        }
        if let Some((min, max)) = joint.kind.range(joint.rest_length) {
            let value = joint.readout.value;
            (joint.readout.stops.least, joint.readout.stops.greatest) = (value <= min, value >= max);
        }
        Some((joint, held))
    }
}
