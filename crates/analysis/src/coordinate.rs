//! The free coordinates of a joint: how B may move relative to A, as numbers that can be read and set.
//!
//! ```text
//! R = q_A⁻¹ q_B q_ref⁻¹       B's rotation since the scene's pose, in A's frame
//! g = q_A⁻¹ p                 from A's anchor to B's, in A's frame
//!
//! turn    angle of R about A's axis a, less the joint's zero           R' = rot(a, Δ) R
//! slide   a · g, less the joint's zero;  across: u · g, v · g, u, v ⊥ a  g' = g + a Δ;  a screw turns by 2π Δ/lead
//! swing   R arc(a → a₀) = S T, S = exp(s u + t v), T about a           a₀ B's axis in the scene's pose
//! twist   the angle of T
//! arms    R = rot(a, α) rot(a₀, β), of a universal joint
//! own     slides and rotation vector of a joint of six degrees of freedom, in its own axes
//! length  ‖p‖
//! ```
//! Source: docs/math.md; for swing and twist: 004 ch. 21.

use std::f64::consts::{PI, TAU};

use glam::{DQuat, DVec3};

use delassus_physics::joint::Joint;
use delassus_physics::joints::JointKind;
use delassus_physics::primitives::swing_twist::SwingLimit;

use crate::frames::{Frames, upright};
use crate::rows::{Measure, Pose, Row};

/// A free coordinate of a joint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Coordinate {
    /// B's angle about A's axis, rad.
    Turn,
    /// B's slide along A's axis, m.
    Slide,
    /// The distance of the anchors, m.
    Length,
    /// B's slide along one of two directions across A's axis, m.
    Across(u8),
    /// How far B's axis leans from A's: one of two components of a rotation vector across A's axis, rad.
    Swing(u8),
    /// B's rotation about its own axis, without the swing, rad.
    Twist,
    /// The angle about A's arm of a universal joint's cross, and about B's, rad.
    Arm(u8),
    /// A slide, m, or a component of the rotation vector, rad, of a joint of six degrees of freedom: 0 to 5.
    Own(u8),
}

const SPHERE: [Coordinate; 3] = [Coordinate::Swing(0), Coordinate::Swing(1), Coordinate::Twist];
const ACROSS: [Coordinate; 2] = [Coordinate::Across(0), Coordinate::Across(1)];

impl Coordinate {
    /// The free coordinates of a kind of joint; the first is the one that the joint measures. A joint has none if it
    /// couples other joints, if it holds everything, or if its bodies are always posed by other joints.
    pub fn of(kind: &JointKind) -> Vec<Self> {
        match kind {
            JointKind::Hinge(_) | JointKind::RotaryMotor(_) => vec![Self::Turn],
            JointKind::Prismatic(_) => vec![Self::Slide],
            JointKind::Cylindrical(_) => vec![Self::Slide, Self::Turn],
            JointKind::Screw(screw) if screw.lead == 0.0 => vec![Self::Turn],
            JointKind::Screw(_) => vec![Self::Slide],
            JointKind::Universal(_) => vec![Self::Arm(0), Self::Arm(1)],
            JointKind::BallSocket(_) | JointKind::ConeTwist(_) => SPHERE.to_vec(),
            JointKind::ConstantVelocity(_) => SPHERE[..2].to_vec(),
            JointKind::Plane(plane) => {
                let along = (plane.limit.is_some() || plane.motor.is_some()).then_some(Self::Slide);
                along.into_iter().chain(ACROSS).chain(SPHERE).collect()
            }
            JointKind::AxisLock(_) => [Self::Turn, Self::Slide].into_iter().chain(ACROSS).collect(),
            JointKind::OrientationLock(_) => std::iter::once(Self::Slide).chain(ACROSS).collect(),
            JointKind::Spring(_) | JointKind::Rope(_) => vec![Self::Length],
            JointKind::SixDof(six) => {
                (0..6u8).filter(|k| six.free()[usize::from(*k)].is_some()).map(Self::Own).collect()
            }
            JointKind::Fixed(_) | JointKind::Distance(_) | JointKind::PointOnRing(_) => Vec::new(),
            JointKind::AngularMotor(_) | JointKind::Gear(_) | JointKind::Rack(_) | JointKind::Belt(_) => Vec::new(),
            JointKind::Pulley(_) | JointKind::Drum(_) | JointKind::Cam(_) | JointKind::Formula(_) => Vec::new(),
        }
    }

    /// What it measures.
    pub fn measure(self) -> Measure {
        match self {
            Self::Turn | Self::Swing(_) | Self::Twist | Self::Arm(_) => Measure::Angle,
            Self::Own(axis) if axis >= 3 => Measure::Angle,
            Self::Slide | Self::Across(_) | Self::Own(_) => Measure::Slide,
            Self::Length => Measure::Length,
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Turn => "Angle",
            Self::Slide => "Slide",
            Self::Length => "Length",
            Self::Across(0) => "Across 1",
            Self::Across(_) => "Across 2",
            Self::Swing(0) => "Swing 1",
            Self::Swing(_) => "Swing 2",
            Self::Twist => "Twist",
            Self::Arm(0) => "About A's arm",
            Self::Arm(_) => "About B's arm",
            Self::Own(axis) => {
                ["Slide x", "Slide y", "Slide z", "About x", "About y", "About z"][usize::from(axis.min(5))]
            }
        }
    }

    /// What it is, in words.
    pub fn what(self) -> &'static str {
        match self {
            Self::Turn => "angle of B about A's axis",
            Self::Slide => "position of B's anchor along A's axis",
            Self::Length => "distance of the anchors",
            Self::Across(_) => "position of B's anchor along one of two directions perpendicular to A's axis",
            Self::Swing(_) => {
                "how far B's axis leans from A's: a component of a rotation vector perpendicular to A's axis"
            }
            Self::Twist => "rotation of B about its own axis, after the swing",
            Self::Arm(0) => "angle of the cross about the arm that is pinned to A",
            Self::Arm(_) => "angle of B about the arm that is pinned to B",
            Self::Own(axis) if axis >= 3 => "a component of B's rotation vector in the joint's axes",
            Self::Own(_) => "position of B's anchor along one of the joint's axes",
        }
    }

    /// Whether a scene says where its zero is, so that it keeps its value when the scene is saved in a new pose.
    /// Otherwise it counts from the scene's pose, and is zero there again.
    pub fn is_kept(self, kind: &JointKind) -> bool {
        match self {
            Self::Turn => matches!(kind, JointKind::Hinge(_)),
            Self::Swing(_) => kind.info().axis,
            Self::Twist | Self::Arm(_) => false,
            Self::Slide | Self::Length | Self::Across(_) | Self::Own(_) => true,
        }
    }

    /// Least and greatest value, rad or m, where the joint limits it by itself.
    pub fn range(self, joint: &Joint) -> Option<(f64, f64)> {
        let kind = &joint.def.kind;
        let wide = |(least, greatest): (f32, f32)| (f64::from(least), f64::from(greatest));
        let own = || kind.range(joint.rest_length).map(wide).filter(|(least, greatest)| least <= greatest);
        match (self, kind) {
            (Self::Turn, JointKind::Hinge(_)) | (Self::Twist, JointKind::ConeTwist(_)) => own(),
            (Self::Slide, JointKind::Cylindrical(_) | JointKind::Prismatic(_) | JointKind::Screw(_)) => own(),
            (Self::Slide, JointKind::Plane(_)) | (Self::Length, JointKind::Rope(_)) => own(),
            (Self::Length, _) => Some((1e-3, f64::INFINITY)),
            (Self::Own(axis), JointKind::SixDof(six)) => six.free()[usize::from(axis.min(5))]?.limit.map(wide),
            (Self::Swing(_), _) => {
                let half = match kind.swing_limit()? {
                    SwingLimit::Cone(half) => half.radians,
                    SwingLimit::Ellipse(a, b) | SwingLimit::Pyramid(a, b) => a.radians.max(b.radians),
                };
                Some((-f64::from(half), half.into()))
            }
            _ => None,
        }
    }

    /// `value`, for an angle plus the whole turns that bring it nearest to `near`, rad or m.
    pub(crate) fn unwrapped(self, value: f64, near: f64) -> f64 {
        match self {
            Self::Turn | Self::Twist | Self::Arm(_) => value + TAU * ((near - value) / TAU).round(),
            _ => value,
        }
    }

    /// Its value, rad or m. An angle is within half a turn of its zero.
    pub(crate) fn value(self, joint: &Joint, frames: &Frames) -> f64 {
        let zero = f64::from(joint.def.kind.zero());
        let g = || frames.qa.inverse() * frames.p;
        match self {
            Self::Turn => frames.angle() - if matches!(joint.def.kind, JointKind::Hinge(_)) { zero } else { 0.0 },
            Self::Slide => frames.axis_local.dot(g()) - zero,
            Self::Length => frames.p.length(),
            Self::Across(k) => across(frames)[usize::from(k.min(1))].dot(g()),
            Self::Swing(k) => Sphere::of(frames).swing[usize::from(k.min(1))],
            Self::Twist => Sphere::of(frames).twist,
            Self::Arm(k) => Cross::of(frames).angles[usize::from(k.min(1))],
            Self::Own(k) => {
                let own = Own::of(joint, frames);
                let all = [own.slides.to_array(), own.angles.to_array()].concat();
                all[usize::from(k.min(5))]
            }
        }
    }

    /// Where B is after this coordinate has been set, with A and the joint's other coordinates as they are.
    pub(crate) fn set(self, joint: &Joint, a: &Pose, b: &Pose, to: f64) -> Pose {
        let frames = Frames::of(joint, a, b);
        let by = to - self.unwrapped(self.value(joint, &frames), to);
        let (mut g, mut turned) = (frames.qa.inverse() * frames.p, frames.turned());
        match self {
            Self::Turn => turned = DQuat::from_axis_angle(frames.axis_local, by) * turned,
            Self::Slide => {
                g += by * frames.axis_local;
                if let JointKind::Screw(screw) = &joint.def.kind
                    && screw.lead != 0.0
                {
                    let angle = TAU * by / f64::from(screw.lead);
                    turned = DQuat::from_axis_angle(frames.axis_local, angle) * turned;
                }
            }
            Self::Length => g += by * g.try_normalize().unwrap_or(DVec3::X),
            Self::Across(k) => g += by * across(&frames)[usize::from(k.min(1))],
            Self::Swing(_) | Self::Twist => {
                let mut sphere = Sphere::of(&frames);
                match self {
                    Self::Swing(k) => sphere.swing[usize::from(k.min(1))] += by,
                    _ => sphere.twist += by,
                }
                turned = sphere.turned(&frames);
            }
            Self::Arm(k) => {
                let mut cross = Cross::of(&frames);
                cross.angles[usize::from(k.min(1))] += by;
                turned = cross.turned(&frames);
            }
            Self::Own(k) => {
                let mut own = Own::of(joint, &frames);
                let (k, axis) = (usize::from(k.min(5)), DVec3::AXES[usize::from(k.min(5)) % 3]);
                if k < 3 {
                    g += own.axes * (by * axis);
                } else {
                    own.angles += by * axis;
                    let rotation = frames.qa * own.axes * DQuat::from_scaled_axis(own.angles) * own.reference;
                    return at(joint, &frames, a, g, rotation);
                }
            }
        }
        at(joint, &frames, a, g, frames.qa * turned * frames.reference)
    }

    /// Its row: C = value, unwrapped to the one nearest to `near`, and the rates of the value with A's and B's velocities,
    /// by central differences.
    pub(crate) fn row(self, index: usize, joint: &Joint, [a, b]: [&Pose; 2], near: f64) -> Row {
        /// The difference, m and rad: its error, of second order, and rounding are then below 1e-10.
        const BY: f64 = 1e-5;
        let value = |pose: &Pose| self.value(joint, &Frames::of(joint, a, pose));
        let here = value(b);
        let slope = |linear: DVec3, angular: DVec3| {
            let at = |by: f64| {
                let rotation = (DQuat::from_scaled_axis(by * angular) * b.rotation).normalize();
                self.unwrapped(value(&Pose { position: b.position + by * linear, rotation }), here)
            };
            (at(BY) - at(-BY)) / (2.0 * BY)
        };
        let linear = DVec3::from_array(DVec3::AXES.map(|axis| slope(axis, DVec3::ZERO)));
        let angular = DVec3::from_array(DVec3::AXES.map(|axis| slope(DVec3::ZERO, axis)));
        // A motion of both as one body changes nothing.
        let arm = b.position - a.position;
        Row {
            joint: Some(index),
            bodies: [joint.def.a, joint.def.b],
            linear: [-linear, linear],
            angular: [-angular - arm.cross(linear), angular],
            error: self.unwrapped(here, near),
        }
    }
}

/// The pose of B with this rotation whose anchor is at `g` from A's anchor, in A's frame, m.
fn at(joint: &Joint, frames: &Frames, a: &Pose, g: DVec3, rotation: DQuat) -> Pose {
    let rotation = rotation.normalize();
    let anchor = a.position + frames.qa * joint.def.anchor_a.as_dvec3();
    Pose { position: anchor + frames.qa * g - rotation * joint.def.anchor_b.as_dvec3(), rotation }
}

/// Two directions perpendicular to A's axis, in A's frame. The first is made of x, y or z, whichever is nearest to
/// perpendicular. The choice does not change by rounding of the axis.
fn across(frames: &Frames) -> [DVec3; 2] {
    let axis = frames.axis_local;
    let along = |k: usize| axis[k].abs() + 1e-5 * k as f64;
    let most = (0..3).min_by(|a, b| along(*a).total_cmp(&along(*b))).unwrap_or(0);
    let u = DVec3::AXES[most].reject_from(axis).normalize_or(DVec3::X);
    [u, axis.cross(u)]
}

/// B's axis in A's frame, in the scene's pose.
fn initial_axis(frames: &Frames) -> DVec3 {
    (frames.reference * (frames.qb.inverse() * frames.axis_b)).normalize_or(frames.axis_local)
}

/// Swing and twist.
struct Sphere {
    swing: [f64; 2],
    twist: f64,
}

impl Sphere {
    fn of(frames: &Frames) -> Self {
        let axis = frames.axis_local;
        let q = upright(frames.turned() * DQuat::from_rotation_arc(axis, initial_axis(frames)));
        let twist = 2.0 * axis.dot(q.xyz()).atan2(q.w);
        let leaning = q * axis;
        let normal = axis.cross(leaning);
        let angle = normal.length().atan2(axis.dot(leaning));
        let [u, v] = across(frames);
        let swing = angle * normal.try_normalize().unwrap_or(if angle > 1.0 { u } else { DVec3::ZERO });
        Self { swing: [swing.dot(u), swing.dot(v)], twist: within_half_turn(twist) }
    }

    fn turned(&self, frames: &Frames) -> DQuat {
        let [u, v] = across(frames);
        let swing = DQuat::from_scaled_axis(self.swing[0] * u + self.swing[1] * v);
        let twist = DQuat::from_axis_angle(frames.axis_local, self.twist);
        swing * twist * DQuat::from_rotation_arc(frames.axis_local, initial_axis(frames)).inverse()
    }
}

/// The two angles of a universal joint.
struct Cross {
    angles: [f64; 2],
}

impl Cross {
    fn of(frames: &Frames) -> Self {
        let (a, made) = (frames.axis_local, initial_axis(frames));
        let now = frames.turned() * made;
        let first = a.dot(made.cross(now)).atan2(now.dot(made) - a.dot(now) * a.dot(made));
        let rest = upright(DQuat::from_axis_angle(a, -first) * frames.turned());
        Self { angles: [first, 2.0 * made.dot(rest.xyz()).atan2(rest.w)] }
    }

    fn turned(&self, frames: &Frames) -> DQuat {
        let [first, second] = self.angles;
        DQuat::from_axis_angle(frames.axis_local, first) * DQuat::from_axis_angle(initial_axis(frames), second)
    }
}

/// The slides and angles of a joint of six degrees of freedom, its axes in A's frame, and its zero in these axes.
struct Own {
    axes: DQuat,
    reference: DQuat,
    slides: DVec3,
    angles: DVec3,
}

impl Own {
    fn of(joint: &Joint, frames: &Frames) -> Self {
        let (axes, zero) = match &joint.def.kind {
            JointKind::SixDof(six) => (six.axes.vector().as_dvec3(), six.zero.vector().as_dvec3()),
            _ => (DVec3::ZERO, DVec3::ZERO),
        };
        let (axes, zero) = (DQuat::from_scaled_axis(axes), DQuat::from_scaled_axis(zero));
        let reference = zero * axes.inverse() * frames.reference;
        let turned = upright((frames.qa * axes).inverse() * frames.qb * reference.inverse());
        let slides = (frames.qa * axes).inverse() * frames.p;
        Self { axes, reference, slides, angles: turned.normalize().to_scaled_axis() }
    }
}

fn within_half_turn(angle: f64) -> f64 {
    if angle > PI {
        angle - TAU
    } else if angle < -PI {
        angle + TAU
    } else {
        angle
    }
}
