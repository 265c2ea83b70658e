//! The stops of joints of any kind as numbers, and the grips by which they are dragged.

use crate::editor::form::{DEGREES, MOST_LENGTH};
use crate::view3d::joint_shape::{JointEnds, Track};
use crate::widgets::angles::Angles;
use delassus_physics::angle::Angle;
use delassus_physics::joints::{JointDisplay, JointKind, Parameter, Role, SlideAxis, TurnAxis};
use delassus_physics::primitives::swing_twist::SwingLimit;
use delassus_physics::quantity;
use delassus_session::JointView;

/// A number that limits a joint's motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The ends of the range of a hinge, slider or plane, or of a twist, rad or m.
    Least,
    Greatest,
    /// The half angle of a cone, or the first and second half angle of an ellipse or pyramid, rad.
    First,
    Second,
    /// The ends of the range of one of several axes, m or rad; `axis` counts the slides and then the angles.
    Axis {
        axis: u8,
        greatest: bool,
    },
    /// The length of a rod, rope or spring, or the radius of a ring, m.
    Length,
}

/// The names of the ends of the ranges of six axes: the lower ones and the upper ones.
const AXIS_STOPS: [[&str; 6]; 2] = [
    ["least x", "least y", "least z", "least angle about x", "least angle about y", "least angle about z"],
    [
        "greatest x",
        "greatest y",
        "greatest z",
        "greatest angle about x",
        "greatest angle about y",
        "greatest angle about z",
    ],
];

/// A grip on a stop. A cone has four of them.
#[derive(Clone, Copy, Debug)]
pub struct Grip {
    pub stop: Stop,
    pub track: Track,
    pub value: f32,
}

impl Stop {
    /// Its value, rad or m, if the kind has such a stop; `rest_length` is used for a length that is not given, m.
    pub fn value(self, kind: &JointKind, rest_length: f32) -> Option<f32> {
        match self {
            Self::Least | Self::Greatest => {
                let mut kind = *kind;
                let (least, greatest) = kind.parameters().into_iter().find_map(|parameter| match parameter.role {
                    Role::AngleLimit(limit) => limit.map(|(min, max)| (min.radians, max.radians)),
                    Role::SlideLimit(limit) => *limit,
                    _ => None,
                })?;
                Some(if self == Self::Least { least } else { greatest })
            }
            Self::First | Self::Second => {
                let (SwingLimit::Cone(first) | SwingLimit::Ellipse(first, _) | SwingLimit::Pyramid(first, _)) =
                    kind.swing_limit()?;
                match (self, kind.swing_limit()?) {
                    (Self::First, _) => Some(first.radians),
                    (_, SwingLimit::Ellipse(_, second) | SwingLimit::Pyramid(_, second)) => Some(second.radians),
                    _ => None,
                }
            }
            Self::Axis { axis, greatest } => {
                let JointKind::SixDof(kind) = kind else { return None };
                let (least, most) = kind.free()[usize::from(axis)]?.limit?;
                Some(if greatest { most } else { least })
            }
            Self::Length => Some(kind.length()?.unwrap_or(rest_length)),
        }
    }

    /// The kind with this stop at `value`, rad or m, limited by the other stop and the allowed range; an angle is
    /// written in the unit `angles`.
    pub fn set(self, kind: JointKind, value: f32, angles: Angles) -> JointKind {
        let mut kind = kind;
        // A twist is determined within half a turn only.
        let max_angle =
            if kind.info().shown == JointDisplay::Dial { std::f32::consts::PI } else { DEGREES.max.to_radians() };
        let mut of_axis = 0;
        for Parameter { role, .. } in kind.parameters() {
            match role {
                Role::SlideAxis(axis) => {
                    if let (Some(stop), SlideAxis::Free { limit, .. }) = (self.of_axis(of_axis), axis) {
                        stop.slide(limit, value);
                    }
                    of_axis += 1;
                }
                Role::TurnAxis(axis) => {
                    if let (Some(stop), TurnAxis::Free { limit, .. }) = (self.of_axis(of_axis), axis) {
                        stop.turn(limit, value, std::f32::consts::PI, angles);
                    }
                    of_axis += 1;
                }
                Role::AngleLimit(limit) => self.turn(limit, value, max_angle, angles),
                Role::SlideLimit(limit) => self.slide(limit, value),
                Role::Swing(mut limit) => limit.get_mut().into_iter().for_each(|l| self.swing(l, value, angles)),
                Role::Length(length) if self == Self::Length => *length = Some(value.clamp(1e-3, MOST_LENGTH)),
                // No stops.
                Role::Length(_) | Role::AngularMotor(_) | Role::LinearMotor(_) => {}
                Role::AngularSpring(_) | Role::LinearSpring(_) | Role::SpringRate(_) | Role::Damping(_) => {}
                Role::AngularServo(_) | Role::LinearServo(_) | Role::AngleZero(_) | Role::SlideZero(_) => {}
                Role::Coefficient(_) | Role::HingeForm(_) | Role::OrientationForm(_) => {}
                Role::Radius(_) | Role::Lead(_) | Role::Place(_) | Role::Wrap(_) => {}
                Role::Profile(_) | Role::Switch(_) | Role::Rows(_) | Role::Bounds(_) | Role::Values(_) => {}
                Role::Axes(_) | Role::RotationZero(_) => {}
            }
        }
        kind
    }

    /// The end of the range of this axis, if it is one.
    fn of_axis(self, number: u8) -> Option<Self> {
        match self {
            Self::Axis { axis, greatest } if axis == number => {
                Some(if greatest { Self::Greatest } else { Self::Least })
            }
            _ => None,
        }
    }

    fn turn(self, limit: &mut Option<(Angle, Angle)>, value: f32, max_angle: f32, angles: Angles) {
        let Some((min, max)) = limit else { return };
        let value = value.clamp(-max_angle, max_angle);
        match self {
            Self::Least => *min = angles.tidy(value.min(max.radians)),
            Self::Greatest => *max = angles.tidy(value.max(min.radians)),
            _ => {}
        }
    }

    fn slide(self, limit: &mut Option<(f32, f32)>, value: f32) {
        let Some((min, max)) = limit else { return };
        let value = value.clamp(-MOST_LENGTH, MOST_LENGTH);
        match self {
            Self::Least => *min = value.min(*max),
            Self::Greatest => *max = value.max(*min),
            _ => {}
        }
    }

    fn swing(self, limit: &mut SwingLimit, value: f32, angles: Angles) {
        let angle = angles.tidy(value.clamp(1f32.to_radians(), quantity::HALF_ANGLE.max));
        match (self, limit) {
            (Self::First, SwingLimit::Cone(s) | SwingLimit::Ellipse(s, _) | SwingLimit::Pyramid(s, _))
            | (Self::Second, SwingLimit::Ellipse(_, s) | SwingLimit::Pyramid(_, s)) => *s = angle,
            _ => {}
        }
    }

    /// Whether it is an angle.
    pub fn is_angle(self, kind: &JointKind) -> bool {
        match self {
            Self::First | Self::Second => true,
            Self::Least | Self::Greatest => kind.is_angle(),
            Self::Axis { axis, .. } => axis >= 3,
            Self::Length => false,
        }
    }

    /// Its name next to its value.
    pub fn name(self, kind: &JointKind) -> &'static str {
        match (self, kind.info().shown) {
            (Self::Axis { axis, greatest }, _) => AXIS_STOPS[usize::from(greatest)][usize::from(axis)],
            (Self::Least, JointDisplay::Dial) => "least twist",
            (Self::Greatest, JointDisplay::Dial) => "greatest twist",
            (Self::Least, _) if kind.is_angle() => "least angle",
            (Self::Greatest, _) if kind.is_angle() => "greatest angle",
            (Self::Least, _) => "least slide",
            (Self::Greatest, _) => "greatest slide",
            (Self::First | Self::Second, _) => match (self, kind.swing_limit()) {
                (_, None | Some(SwingLimit::Cone(_))) => "swing",
                (Self::First, _) => "first swing",
                _ => "second swing",
            },
            (Self::Length, JointDisplay::Ring) => "radius",
            (Self::Length, _) => "length",
        }
    }

    /// Name and value: `greatest angle 60.00°`.
    pub fn words(self, kind: &JointKind, value: f32, angles: Angles) -> String {
        let number = if self.is_angle(kind) { angles.words(value) } else { format!("{:.3} m", value + 0.0) };
        format!("{} {}", self.name(kind), number.replace('-', "−"))
    }
}

/// The grips of the joint's stops, on the joint as drawn.
pub fn grips(joint: &JointView, drawn: &JointEnds) -> Vec<Grip> {
    let mut grips = Vec::new();
    if joint.broken.is_some() {
        return grips;
    }
    let mut grip = |stop: Stop, track: Track| {
        if let Some(value) = stop.value(&joint.kind, joint.rest_length) {
            grips.push(Grip { stop, track, value });
        }
    };
    if let Some(limit) = joint.kind.swing_limit() {
        let (u, v) = drawn.across();
        let second = if matches!(limit, SwingLimit::Cone(_)) { Stop::First } else { Stop::Second };
        for (stop, about) in [(Stop::First, u), (second, v), (Stop::First, -u), (second, -v)] {
            grip(stop, drawn.swing(about));
        }
    }
    for axis in 0..6 {
        if let Some(track) = drawn.axis_track(joint, axis) {
            let axis = axis as u8;
            [false, true].into_iter().for_each(|greatest| grip(Stop::Axis { axis, greatest }, track));
        }
    }
    if let Some(track) = drawn.track(joint) {
        for stop in [Stop::Least, Stop::Greatest, Stop::Length] {
            grip(stop, track);
        }
    }
    grips
}

/// Whether it has none of the limits that its kind can have.
pub fn is_without(kind: &JointKind) -> bool {
    let mut kind = *kind;
    let given = kind.parameters().into_iter().filter_map(|parameter| match parameter.role {
        Role::AngleLimit(limit) => Some(limit.is_some()),
        Role::SlideLimit(limit) => Some(limit.is_some()),
        Role::Swing(limit) => Some(limit.get().is_some()),
        Role::SlideAxis(SlideAxis::Free { limit, .. }) => Some(limit.is_some()),
        Role::TurnAxis(TurnAxis::Free { limit, .. }) => Some(limit.is_some()),
        _ => None,
    });
    let given: Vec<bool> = given.collect();
    !given.is_empty() && !given.contains(&true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use delassus_physics::joints::{ConeTwist, Hinge, Prismatic, Rope};

    #[test]
    fn a_stop_does_not_pass_the_other_and_angles_are_written_as_they_were_typed() {
        let range = Some((Angle::degrees(-30.0), Angle::degrees(60.0)));
        let hinge = JointKind::Hinge(Hinge { limit: range, ..Hinge::default() });
        let moved = Stop::Least.set(hinge, 2.0, Angles::Degrees);
        let JointKind::Hinge(Hinge { limit: Some((min, max)), .. }) = moved else { panic!("a hinge") };
        assert_eq!((min.to_degrees(), max.to_degrees()), (60.0, 60.0));
        let moved = Stop::Greatest.set(hinge, 30f32.to_radians(), Angles::Degrees);
        assert_eq!(Stop::Greatest.value(&moved, 0.0), Some(30f32.to_radians()));
        assert_eq!(Stop::Greatest.words(&moved, -0.5, Angles::Degrees), "greatest angle −28.65°");
        assert_eq!(Stop::Greatest.words(&moved, -0.5, Angles::Radians), "greatest angle −0.5000 rad");
        // A typed 22.55° was once rounded to a tenth of a degree.
        for (angles, typed) in [(Angles::Degrees, 22.55), (Angles::Radians, 0.3935)] {
            let moved = Stop::Greatest.set(hinge, angles.radians(typed), angles);
            let JointKind::Hinge(Hinge { limit: Some((_, max)), .. }) = moved else { panic!("a hinge") };
            assert_eq!(format!("{max:?}"), format!("{:?}", angles.write(typed)));
        }
    }

    #[test]
    fn a_stop_that_the_kind_does_not_have_changes_nothing() {
        let slider = JointKind::Prismatic(Prismatic { limit: Some((-1.0, 1.0)), ..Prismatic::default() });
        assert_eq!(Stop::First.set(slider, 0.3, Angles::Degrees), slider);
        assert_eq!(Stop::Second.value(&slider, 1.0), None);
        let rope = JointKind::Rope(Rope::default());
        assert_eq!(Stop::Length.value(&rope, 2.5), Some(2.5));
        assert_eq!(Stop::Length.set(rope, 1.5, Angles::Degrees), JointKind::Rope(Rope { length: Some(1.5) }));
        assert_eq!(Stop::Least.set(rope, 1.5, Angles::Degrees), rope);
    }

    #[test]
    fn an_ellipse_has_two_half_angles_and_a_cone_one() {
        let joint = |swing| JointKind::ConeTwist(ConeTwist { swing, twist: None });
        let ellipse = joint(SwingLimit::Ellipse(Angle::degrees(20.0), Angle::degrees(50.0)));
        let JointKind::ConeTwist(ConeTwist { swing, .. }) =
            Stop::Second.set(ellipse, 40f32.to_radians(), Angles::Degrees)
        else {
            panic!("a cone–twist")
        };
        assert_eq!(swing, SwingLimit::Ellipse(Angle::degrees(20.0), Angle::degrees(40.0)));
        assert_eq!(Stop::Second.value(&joint(SwingLimit::Cone(Angle::degrees(20.0))), 0.0), None);
    }
}
