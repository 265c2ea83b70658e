//! The state of the running world as plain data for pictures, panels and files. Buffers are reused: refreshing a
//! snapshot of the same scene allocates nothing after the first steps.

pub mod needs;
pub mod samples;
pub(super) mod view;

use std::sync::Arc;

use glam::{Mat3, Quat, Vec3};

use super::run::trouble::Trouble;
pub use delassus_physics::body::Motion;
pub use delassus_physics::breaking::{Breaks, Broken};
use delassus_physics::joints::JointKind;
pub use delassus_physics::metrics::{Metrics, Phases};
pub use delassus_physics::readout::Readout;
use delassus_physics::shape::Solid;
use delassus_physics::touch::{ContactPoint, Traction};

/// A position and a rotation, world frame.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Pose {
    /// m.
    pub position: Vec3,
    pub rotation: Quat,
}

impl Pose {
    /// The pose between `self` (at 0) and `other` (at 1).
    pub fn toward(&self, other: &Self, alpha: f32) -> Self {
        Self {
            position: self.position.lerp(other.position, alpha),
            rotation: self.rotation.slerp(other.rotation, alpha),
        }
    }
}

/// One body. World frame, SI units.
#[derive(Clone)]
pub struct BodyView {
    /// The body's number in the world; `Snapshot::bodies[id - 1]` is this body.
    pub id: u32,
    pub name: Arc<str>,
    pub solid: Arc<Solid>,
    pub motion: Motion,
    /// kg; zero for a body that is not dynamic.
    pub mass: f32,
    /// Inertia about the centre of mass, body axes, kg m²; zero for a body that impulses do not turn.
    pub inertia: Mat3,
    /// Friction coefficient.
    pub friction: f32,
    /// Coefficient of restitution, 0 to 1.
    pub restitution: f32,
    /// Number of the mechanism: bodies connected by joints share it. It determines their colour.
    pub mechanism: u32,
    /// Pose of the shape's own origin one step ago.
    pub previous: Pose,
    /// Pose of the shape's own origin now.
    pub pose: Pose,
    /// Centre of mass, m.
    pub centre: Vec3,
    /// Velocity of the centre of mass, m/s.
    pub velocity: Vec3,
    /// rad/s.
    pub angular_velocity: Vec3,
    /// Whether the body sleeps: it is not stepped until something wakes it.
    pub asleep: bool,
}

/// One joint. World frame, SI units.
#[derive(Clone)]
pub struct JointView {
    pub name: Arc<str>,
    pub kind: JointKind,
    /// Body numbers; 0 is the world itself.
    pub a: u32,
    pub b: u32,
    /// Its anchors and axes, fixed in its bodies: see [`Snapshot::place`].
    pub ends: BodyEnds,
    /// Errors, value and forces.
    pub readout: Readout,
    /// Distance of the anchors when the joint was made, m.
    pub rest_length: f32,
    /// The load at which it breaks.
    pub breaks: Option<Breaks>,
    /// When and under which load it broke.
    pub broken: Option<Broken>,
}

/// A force and a torque that the scene applies to a body. World frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ForceView {
    pub body: u32,
    /// Where it acts, m.
    pub at: Vec3,
    /// N.
    pub force: Vec3,
    /// Without the moment of the force, N·m.
    pub torque: Vec3,
}

/// A joint's anchors, from the centres of mass, m, and unit axes, in the frames of its bodies. They do not change while
/// the world runs, so that nothing has to be read from the joints of a large scene to draw them.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct BodyEnds {
    pub anchor_a: Vec3,
    pub anchor_b: Vec3,
    pub axis_a: Vec3,
    pub axis_b: Vec3,
}

/// Where a joint is: anchors on A and on B, m, and its axis as carried by A and by B, unit; world frame.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct JointPose {
    pub anchor_a: Vec3,
    pub anchor_b: Vec3,
    pub axis_a: Vec3,
    pub axis_b: Vec3,
}

impl JointPose {
    /// Between the two anchors, m.
    pub fn midpoint(&self) -> Vec3 {
        (self.anchor_a + self.anchor_b) * 0.5
    }
}

/// The world after a step. While playing, parts that nobody [needs](needs::SnapshotNeeds) keep older values: the
/// joints' errors and forces, the hash, and all metrics except contacts, rows, residual and faults.
#[derive(Clone, Default)]
pub struct Snapshot {
    pub bodies: Vec<BodyView>,
    pub joints: Vec<JointView>,
    pub contacts: Vec<ContactPoint>,
    /// Friction tractions where they act.
    pub tractions: Vec<Traction>,
    /// Forces that the scene applies to bodies.
    pub forces: Vec<ForceView>,
    pub metrics: Metrics,
    /// Wall times of the phases of a step, smoothed.
    pub phases: Phases,
    /// Wall time of a step, ms, smoothed over some steps.
    pub step_ms: f32,
    /// Hash of the state's bits: equal states have equal hashes.
    pub hash: u64,
    /// Simulated time, s.
    pub time: f64,
    pub step: u64,
    /// Length of a sub-step, s.
    pub sub_step: f32,
    /// The mouse joint: body, pulled point and target, world, m.
    pub mouse_joint: Option<MouseJointView>,
    /// What makes the run unreliable from here on, or stops it.
    pub trouble: Option<Trouble>,
    /// Whether all of it belongs to this step.
    complete: bool,
}

impl Snapshot {
    /// Whether all of it belongs to its step.
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// Where a joint is at the bodies' poses.
    pub fn place(&self, joint: &JointView) -> JointPose {
        let ((xa, qa), (xb, qb)) = (self.frame(joint.a), self.frame(joint.b));
        let BodyEnds { anchor_a, anchor_b, axis_a, axis_b } = joint.ends;
        JointPose {
            anchor_a: xa + qa * anchor_a,
            anchor_b: xb + qb * anchor_b,
            axis_a: qa * axis_a,
            axis_b: qb * axis_b,
        }
    }

    /// The ends that a joint between these bodies has at `place`.
    pub fn ends_at(&self, (a, b): (u32, u32), place: &JointPose) -> BodyEnds {
        let ((xa, qa), (xb, qb)) = (self.frame(a), self.frame(b));
        let (back_a, back_b) = (qa.conjugate(), qb.conjugate());
        BodyEnds {
            anchor_a: back_a * (place.anchor_a - xa),
            anchor_b: back_b * (place.anchor_b - xb),
            axis_a: back_a * place.axis_a,
            axis_b: back_b * place.axis_b,
        }
    }

    /// Distance of a joint's anchors from where they should be, m. Where the anchors coincide it is always that of the
    /// bodies' poses.
    pub fn error(&self, joint: &JointView) -> f32 {
        if !joint.kind.info().coincident || joint.broken.is_some() {
            return joint.readout.error;
        }
        let place = self.place(joint);
        place.anchor_a.distance(place.anchor_b)
    }

    /// Centre of mass, m, and rotation of a body; the world's own frame for the world.
    fn frame(&self, body: u32) -> (Vec3, Quat) {
        self.body(body).map_or((Vec3::ZERO, Quat::IDENTITY), |body| (body.centre, body.pose.rotation))
    }

    /// The body of this number; `None` for the world itself.
    pub fn body(&self, id: u32) -> Option<&BodyView> {
        self.bodies.get((id as usize).checked_sub(1)?)
    }
}

/// The mouse's spring, world frame, m.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MouseJointView {
    pub body: u32,
    pub point: Vec3,
    pub target: Vec3,
}
