//! The joints of MJCF that leave a body what a joint of the scene leaves it.
//!
//! ```text
//! Hinge, RotaryMotor   hinge                        Prismatic        slide
//! BallSocket           ball                         Fixed            none
//! Cylindrical, Screw   slide, hinge                 Universal        hinge about A's arm, hinge about B's
//! Plane                two slides (three), ball     PointOnRing      hinge about the ring's axis, ball
//! Plane and AxisLock   two slides, hinge            OrientationLock  three slides
//! two Planes, a point  slide, ball
//! AxisLock             three slides, hinge          SixDof           its free slides, hinge or ball
//! ```
//! MuJoCo moves a body by its joints in their order, each in the frame that those before it have left. Where the body is
//! the joint's A, the order is reversed and every axis points the other way, so that the joint keeps its values.

use delassus_physics::joints::{Hinge, JointKind, Plane, Servo, SixDof};
use delassus_physics::row::{Group, Softness};
use delassus_scene::FlatJoint;
use glam::{DQuat, DVec3};

use super::drives::Masses;
use super::links::Link;
use super::tree::{Hold, ends};
use crate::model::{Drive, Freedom, Joint};
use crate::report::{Place, Report};

/// A joint of MJCF, and a constant torque or force along it, N·m or N.
#[derive(Debug, Clone)]
pub struct Motion {
    pub joint: Joint,
    pub constant: f64,
}

/// Anchors that are farther apart than this, m, and axes that are farther apart, rad, are told.
const APART: f64 = 1e-5;

/// The axes of A and of B in the world, in the pose of the scene.
pub fn axes(links: &[Link<'_>], joint: &FlatJoint) -> (DVec3, DVec3) {
    let (a, b) = ends(joint);
    let axis = |link: usize, axis: glam::Vec3| (links[link].pose.turn * axis.as_dvec3()).normalize_or(DVec3::Z);
    (axis(a, joint.def.axis_a), axis(b, joint.def.axis_b))
}

/// The anchors of A and of B in the world, m, in the pose of the scene.
pub fn anchors(links: &[Link<'_>], joint: &FlatJoint) -> (DVec3, DVec3) {
    let (a, b) = ends(joint);
    (links[a].body_point(joint.def.anchor_a.as_dvec3()), links[b].body_point(joint.def.anchor_b.as_dvec3()))
}

/// What makes motions of joints.
pub struct Maker<'a> {
    pub links: &'a [Link<'a>],
    pub joints: &'a [FlatJoint],
    pub masses: &'a Masses,
    pub report: &'a Report,
}

/// What drives, springs, resists and stops a single motion.
struct Along {
    /// Its value in the pose of the scene, rad or m.
    value: f64,
    limit: Option<(f32, f32)>,
    motor: Option<(f32, f32)>,
    servo: Option<Servo>,
    spring: Option<(Softness, f32)>,
    friction: f32,
    breakaway: f32,
    damping: f32,
    armature: f32,
}

impl Along {
    const NOTHING: Self = Self {
        value: 0.0,
        limit: None,
        motor: None,
        servo: None,
        spring: None,
        friction: 0.0,
        breakaway: 0.0,
        damping: 0.0,
        armature: 0.0,
    };
}

/// What a joint of the kinds that slide along an axis has, as each of them names it.
macro_rules! along {
    ($joint:expr, $gap:expr) => {
        Along {
            value: $gap - f64::from($joint.zero),
            limit: $joint.limit,
            motor: $joint.motor.map(|motor| (motor.speed, motor.max_force)),
            servo: $joint.servo.map(Servo::from),
            spring: $joint.spring.map(|spring| (spring.softness, spring.slide)),
            friction: $joint.friction,
            breakaway: $joint.breakaway,
            damping: $joint.damping,
            armature: $joint.armature,
        }
    };
}

impl Maker<'_> {
    /// The joints of MJCF by which a link moves in its parent.
    pub fn of(&self, link: usize, hold: &Hold) -> Vec<Motion> {
        let Some(number) = hold.joint else { return self.alone(link) };
        let joint = &self.joints[number];
        let mut motions = self.forward(number, joint, hold.with.map(|with| &self.joints[with]));
        if hold.reversed {
            motions.reverse();
            // A zero has no sign.
            motions.iter_mut().for_each(|motion| motion.joint.axis = DVec3::ZERO - motion.joint.axis);
        }
        let (parent, child) = (hold.parent, link);
        motions.iter_mut().for_each(|motion| (motion.joint.parent, motion.joint.child) = (parent, child));
        motions
    }

    /// The motions of a body that hangs on nothing.
    fn alone(&self, link: usize) -> Vec<Motion> {
        let own = &self.links[link];
        if own.fixed {
            return Vec::new();
        }
        let at = own.centre();
        let slide = |axis: DVec3, name: &str| self.plain(format!("{} {name}", own.name), Freedom::Slide, axis, at);
        match (own.plane(), own.is_particle()) {
            (None, false) => vec![self.plain(format!("{} free", own.name), Freedom::All, DVec3::X, own.pose.origin)],
            (None, true) => {
                DVec3::AXES.into_iter().zip(["x", "y", "z"]).map(|(axis, name)| slide(axis, name)).collect()
            }
            (Some(normal), particle) => {
                let (u, v) = normal.any_orthonormal_pair();
                let mut motions = vec![slide(u, "along"), slide(v, "across")];
                if !particle {
                    motions.push(self.plain(format!("{} turn", own.name), Freedom::Turn, normal, at));
                }
                motions
            }
        }
    }

    fn plain(&self, name: String, freedom: Freedom, axis: DVec3, anchor: DVec3) -> Motion {
        let joint = Joint { axis, anchor, ..Joint::new(name, Place::default(), (0, 0), freedom) };
        Motion { joint, constant: 0.0 }
    }

    /// The motions of B against A.
    fn forward(&self, number: usize, joint: &FlatJoint, with: Option<&FlatJoint>) -> Vec<Motion> {
        let (axis_a, axis_b) = axes(self.links, joint);
        let (from, at) = anchors(self.links, joint);
        let gap = at - from;
        let info = joint.def.kind.info();
        if info.coincident && gap.length() > APART {
            self.note(joint, format!("its anchors are {:.2e} m apart; MuJoCo keeps that gap", gap.length()));
        }
        let shares_axis = matches!(joint.def.kind, JointKind::Hinge(_) | JointKind::RotaryMotor(_));
        if shares_axis && axis_a.cross(axis_b).length() > APART {
            self.note(joint, format!("its axes are {:.2e} rad apart; A's is taken", axis_a.angle_between(axis_b)));
        }
        let name = |what: &str| if what.is_empty() { joint.name.to_string() } else { format!("{} {what}", joint.name) };
        let turn = |what: &str, axis: DVec3| self.plain(name(what), Freedom::Turn, axis, at);
        let slide = |what: &str, axis: DVec3| self.plain(name(what), Freedom::Slide, axis, at);
        let ball = |what: &str| self.plain(name(what), Freedom::Ball, DVec3::X, at);
        let slid = |along: Along| self.moved(number, joint, slide("", axis_a), along);
        match joint.def.kind {
            JointKind::Hinge(own) => vec![self.hinge(number, joint, turn("", axis_a), own)],
            JointKind::RotaryMotor(own) => {
                let motor = Some((own.motor.speed, own.motor.max_torque));
                vec![self.moved(number, joint, turn("", axis_a), Along { motor, ..Along::NOTHING })]
            }
            JointKind::Fixed(_) => Vec::new(),
            JointKind::BallSocket(_) => vec![ball("")],
            JointKind::ConeTwist(_) => {
                self.note(joint, "the limits of its swing and twist have no counterpart: it is a ball without limits");
                vec![ball("")]
            }
            JointKind::ConstantVelocity(_) => {
                self.note(joint, "equal speeds of two shafts have no counterpart: it is a ball that also twists");
                vec![ball("")]
            }
            JointKind::Prismatic(own) => vec![slid(along!(own, axis_a.dot(gap)))],
            JointKind::Cylindrical(own) => vec![slid(along!(own, axis_a.dot(gap))), turn("turn", axis_a)],
            JointKind::Screw(own) => vec![slid(along!(own, axis_a.dot(gap))), turn("turn", axis_a)],
            JointKind::Universal(_) => vec![turn("", axis_a), turn("other arm", axis_b)],
            JointKind::OrientationLock(_) => {
                DVec3::AXES.into_iter().zip(["x", "y", "z"]).map(|(axis, what)| slide(what, axis)).collect()
            }
            JointKind::AxisLock(_) => {
                let slides = DVec3::AXES.into_iter().zip(["x", "y", "z"]).map(|(axis, what)| slide(what, axis));
                slides.chain([turn("turn", axis_a)]).collect()
            }
            JointKind::Plane(own) => {
                let Plane { limit, motor } = own;
                let second = with.filter(|with| matches!(with.def.kind, JointKind::Plane(_)));
                if let Some(second) = second {
                    let along = axis_a.cross(axes(self.links, second).0).normalize_or(DVec3::X);
                    return vec![slide("along", along), ball("ball")];
                }
                let (u, v) = axis_a.any_orthonormal_pair();
                let mut motions = vec![slide("along", u), slide("across", v)];
                if limit.is_some() || motor.is_some() {
                    let motor = motor.map(|motor| (motor.speed, motor.max_force));
                    let along = Along { value: axis_a.dot(gap), limit, motor, ..Along::NOTHING };
                    motions.push(slid(along));
                } else if axis_a.dot(gap).abs() > APART {
                    let off = axis_a.dot(gap);
                    self.note(joint, format!("its point is {off:.2e} m off its plane; MuJoCo keeps that gap"));
                }
                motions.push(if with.is_some() { turn("turn", axis_a) } else { ball("ball") });
                motions
            }
            JointKind::PointOnRing(own) => {
                let (along, radius) = (axis_a.dot(gap), gap.reject_from_normalized(axis_a).length());
                let wanted = own.radius.map_or(radius, f64::from);
                if along.abs() > APART || (radius - wanted).abs() > APART {
                    self.note(joint, "its point is not on its ring; MuJoCo keeps it where it is");
                }
                let mut round = turn("", axis_a);
                round.joint.anchor = from;
                vec![round, ball("ball")]
            }
            JointKind::SixDof(own) => self.six(number, joint, &own, (from, at)),
            // Not in the tree.
            _ => Vec::new(),
        }
    }

    fn hinge(&self, number: usize, joint: &FlatJoint, motion: Motion, own: Hinge) -> Motion {
        let Hinge { zero, limit, motor, servo, spring, friction, breakaway, damping, armature, formulation: _ } = own;
        let along = Along {
            value: 0.0 - f64::from(zero.radians),
            limit: limit.map(|(least, most)| (least.radians, most.radians)),
            motor: motor.map(|motor| (motor.speed, motor.max_torque)),
            servo: servo.map(Servo::from),
            spring: spring.map(|spring| (spring.softness, spring.angle.radians)),
            friction,
            breakaway,
            damping,
            armature,
        };
        self.moved(number, joint, motion, along)
    }

    /// The motions of a mount with six axes.
    fn six(&self, number: usize, joint: &FlatJoint, own: &SixDof, (from, at): (DVec3, DVec3)) -> Vec<Motion> {
        let frame = self.links[ends(joint).0].pose.turn * own.axes.quat().as_dquat();
        let reference = own.zero.quat().as_dquat().inverse();
        let gap = frame.inverse() * (at - from);
        let mut motions = Vec::new();
        let free = own.free();
        for (k, axis) in DVec3::AXES.into_iter().enumerate() {
            let Some(has) = free[k] else { continue };
            let name = format!("{} {}", joint.name, SixDof::AXES[k]);
            let along = Along { value: gap[k], limit: has.limit, servo: has.servo, ..Along::NOTHING };
            motions.push(self.moved(number, joint, self.plain(name, Freedom::Slide, frame * axis, at), along));
        }
        let turns: Vec<usize> = (3..6).filter(|k| free[*k].is_some()).collect();
        let name = |k: usize| format!("{} {}", joint.name, SixDof::AXES[k]);
        match turns[..] {
            [] => {}
            [k] => {
                let axis = DVec3::AXES[k - 3];
                let value = twist(reference, axis);
                let has = free[k].map_or(Along::NOTHING, |has| Along {
                    value,
                    limit: has.limit,
                    servo: has.servo,
                    ..Along::NOTHING
                });
                motions.push(self.moved(number, joint, self.plain(name(k), Freedom::Turn, frame * axis, at), has));
            }
            _ => {
                let bounded =
                    turns.iter().filter_map(|k| free[*k]).any(|has| has.limit.is_some() || has.servo.is_some());
                if turns.len() == 2 {
                    self.note(joint, "one locked angle of three has no counterpart: it is a ball");
                }
                if bounded {
                    self.note(joint, "limits and servos of the three angles of a ball have no counterpart");
                }
                motions.push(self.plain(format!("{} ball", joint.name), Freedom::Ball, DVec3::X, at));
            }
        }
        motions
    }

    /// A single motion with all that acts on it.
    fn moved(&self, number: usize, joint: &FlatJoint, mut motion: Motion, along: Along) -> Motion {
        let Along { value, limit, motor, servo, spring, friction, breakaway, damping, armature } = along;
        let factor = f64::from(joint.def.options.by_time.at(0.0));
        let to = &mut motion.joint;
        to.value = value;
        to.limit = limit.map(|(least, most)| (f64::from(least), f64::from(most)));
        (to.friction, to.damping, to.armature) = (f64::from(friction), f64::from(damping), f64::from(armature));
        if breakaway > friction {
            self.note(joint, format!("friction at rest, {breakaway}, has no counterpart: there is that of sliding"));
        }
        if let Some((softness, rest)) = spring {
            let (stiffness, damps) = self.masses.spring(number, Group::Spring, softness);
            to.spring = (stiffness > 0.0).then_some((stiffness, f64::from(rest)));
            to.damping += damps;
        }
        let drive: Option<Drive>;
        (drive, motion.constant) = match (motor, servo) {
            (Some(motor), _) => (Some(self.masses.motor(number, motor, factor)), 0.0),
            (None, Some(servo)) => self.masses.servo(number, servo, factor),
            (None, None) => (None, 0.0),
        };
        motion.joint.drive = drive;
        motion
    }

    fn note(&self, joint: &FlatJoint, what: impl Into<String>) {
        self.report.note(Place::default(), format!("joint `{}`", joint.name), what);
    }
}

/// The angle of a rotation about an axis, rad.
fn twist(turn: DQuat, axis: DVec3) -> f64 {
    let turn = if turn.w < 0.0 { -turn } else { turn };
    2.0 * DVec3::new(turn.x, turn.y, turn.z).dot(axis).atan2(turn.w)
}
