//! A joint's ends, and the curves along which its values are shown: arcs for angles, lines for slides and lengths. The
//! picture draws them; the editor's grips move along them.

use std::f32::consts::{PI, TAU};

use glam::{Quat, Vec3};

use crate::view3d::placing::{drawn, size_of};
use crate::view3d::rays;
use delassus_physics::joints::{JointDisplay, JointKind};
use delassus_session::{BodyView, JointView, Pose, Snapshot};

/// A joint's ends as they are drawn, between two steps. World frame, m.
#[derive(Clone, Copy, Debug)]
pub struct JointEnds {
    pub a: Vec3,
    pub b: Vec3,
    /// The joint's axis on A and on B.
    pub axis_a: Vec3,
    pub axis_b: Vec3,
    /// A's rotation.
    pub rotation: Quat,
    /// From A's anchor to B's centre.
    pub to_b: Vec3,
    /// Length of axes; arcs and cones have their radius from it, m.
    pub reach: f32,
}

/// Radius of an arc or a cone, in units of [`JointEnds::reach`]; of the small dial of a twist.
const RADIUS: f32 = 1.3;
const DIAL: f32 = 0.5;
/// The same of the arcs about three axes at once.
const SMALL_RIM: f32 = 0.8;
/// The smallest reach of a selected joint on the screen, points, so that its grips can be told apart.
const MIN_REACH: f32 = 42.0;

impl JointEnds {
    /// The ends of a joint; `alpha` is how far the picture is between the last two steps.
    pub fn of(joint: &JointView, snapshot: &Snapshot, alpha: f32) -> Self {
        let (body_a, body_b) = (snapshot.body(joint.a), snapshot.body(joint.b));
        let frame = |body: Option<&BodyView>| {
            body.map_or((Vec3::ZERO, Quat::IDENTITY), |body| {
                let Pose { position, rotation } = drawn(body, alpha);
                (position + rotation * body.solid.centre, rotation)
            })
        };
        let ((xa, qa), (xb, qb)) = (frame(body_a), frame(body_b));
        let (a, b) = (xa + qa * joint.ends.anchor_a, xb + qb * joint.ends.anchor_b);
        let size = body_b.or(body_a).map_or(1.0, |body| size_of(&body.solid));
        Self {
            a,
            b,
            axis_a: qa * joint.ends.axis_a,
            axis_b: qb * joint.ends.axis_b,
            rotation: qa,
            to_b: if body_b.is_some() { xb } else { b } - a,
            reach: 0.8 * size.clamp(0.05, 2.0),
        }
    }

    /// With a reach that is large enough to grab; `point` is the size of a screen point at the joint, m.
    pub fn enlarged(self, point: f32) -> Self {
        Self { reach: self.reach.max(MIN_REACH * point), ..self }
    }

    /// The two directions across A's axis about which swings are counted.
    pub fn across(&self) -> (Vec3, Vec3) {
        let (u, v) = (self.rotation.inverse() * self.axis_a).any_orthonormal_pair();
        (self.rotation * u, self.rotation * v)
    }

    /// How far from the anchor a cone's rim is drawn, m.
    pub fn rim(&self) -> f32 {
        RADIUS * self.reach
    }

    /// The arc of a swing about `about`, a direction across A's axis.
    pub fn swing(&self, about: Vec3) -> Track {
        Track::Arc { centre: self.a, axis: about, zero: self.axis_a, radius: self.rim() }
    }

    /// Where B's anchor would be without an error: at A's anchor, or at the right distance from it. `None` if the error
    /// is not a distance between two points.
    pub fn wanted(&self, joint: &JointView) -> Option<Vec3> {
        let info = joint.kind.info();
        let at = |out: Vec3, length: f32| self.a + length * out.normalize_or(self.across().0);
        let length = || joint.kind.length().map(|length| length.unwrap_or(joint.rest_length));
        let away = self.b - self.a;
        match info.shown {
            _ if info.coincident => Some(self.a),
            JointDisplay::Ring => Some(at(away.reject_from(self.axis_a), length()?)),
            JointDisplay::Rod => Some(at(away, length()?)),
            JointDisplay::Thread => Some(at(away, length()?.min(away.length()))),
            _ => None,
        }
    }

    /// The rotation of the axes of a joint that has axes of its own.
    pub fn own_axes(&self, joint: &JointView) -> Option<Quat> {
        joint.kind.axes().map(|axes| self.rotation * axes)
    }

    /// The curve that shows the value of one of several axes; `None` if the joint has not several, or this one is locked.
    /// `axis` counts the slides and then the angles.
    pub fn axis_track(&self, joint: &JointView, axis: usize) -> Option<Track> {
        let JointKind::SixDof(kind) = &joint.kind else { return None };
        kind.free()[axis]?;
        let [along, next] = [axis, axis + 1].map(|k| self.own_axes(joint).unwrap_or_default() * Vec3::AXES[k % 3]);
        Some(match axis {
            0..3 => Track::Line { start: self.a, direction: along },
            _ => Track::Arc { centre: self.a, axis: along, zero: next, radius: SMALL_RIM * self.reach },
        })
    }

    /// The curve that shows the joint's value, twist or length; `None` if a cone shows everything.
    pub fn track(&self, joint: &JointView) -> Option<Track> {
        let arc = |zero, radius| Track::Arc { centre: self.a, axis: self.axis_a, zero, radius };
        match joint.kind.info().shown {
            JointDisplay::Bend | JointDisplay::Cross | JointDisplay::Axes => None,
            JointDisplay::Teeth | JointDisplay::Belt | JointDisplay::Rack | JointDisplay::Cam => None,
            // Their rope is no line between the anchors.
            JointDisplay::Sheaves | JointDisplay::Drum | JointDisplay::Points => None,
            JointDisplay::Ring => {
                let out = (self.b - self.a).reject_from(self.axis_a);
                Some(Track::Line { start: self.a, direction: out.normalize_or(self.across().0) })
            }
            // A twist may start at any direction across the axis.
            JointDisplay::Dial => Some(arc(self.across().0, DIAL * self.reach)),
            JointDisplay::Hand => {
                let out = self.to_b.reject_from(self.axis_a);
                let hand = if out.length() > 0.02 * self.reach {
                    out.normalize()
                } else {
                    self.axis_b.any_orthonormal_pair().0
                };
                let zero = Quat::from_axis_angle(self.axis_a, -joint.readout.value) * hand;
                Some(arc(zero, self.rim()))
            }
            JointDisplay::Rail | JointDisplay::Plane => {
                Some(Track::Line { start: self.a + self.axis_a * joint.kind.zero(), direction: self.axis_a })
            }
            JointDisplay::Rod | JointDisplay::Thread | JointDisplay::Coil => {
                let direction = (self.b - self.a).normalize_or(-Vec3::Z);
                Some(Track::Line { start: self.a, direction })
            }
        }
    }
}

/// A curve with a value at every point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Track {
    /// Angles about `axis` from the direction `zero`, rad.
    Arc { centre: Vec3, axis: Vec3, zero: Vec3, radius: f32 },
    /// Distances from `start`, m.
    Line { start: Vec3, direction: Vec3 },
}

impl Track {
    /// Where a value lies, world, m.
    pub fn at(&self, value: f32) -> Vec3 {
        match *self {
            Self::Arc { centre, axis, zero, radius } => centre + radius * (Quat::from_axis_angle(axis, value) * zero),
            Self::Line { start, direction } => start + direction * value,
        }
    }

    /// The value at the point nearest to a ray. Of the angles that differ by full turns it gives the one nearest to
    /// `previous`. `None` if the curve is seen end-on.
    pub fn nearest(&self, ray: (Vec3, Vec3), previous: f32) -> Option<f32> {
        match *self {
            Self::Line { start, direction } => rays::along(ray, start, direction),
            Self::Arc { centre, axis, zero, radius } => {
                let side = axis.cross(zero);
                let slope = ray.1.dot(axis).abs();
                let angle = if slope > 0.2 {
                    let at = rays::on_plane(ray, centre, axis)? - centre;
                    side.dot(at).atan2(zero.dot(at))
                } else {
                    // Seen edge-on: the point of the arc nearest to the ray, on the side where it was before.
                    let miss = |angle: f32| {
                        let to = self.at(angle) - ray.0;
                        to.reject_from_normalized(ray.1).length() / radius
                    };
                    let steps = (-45..=45).map(|i| previous + i as f32 * (PI / 180.0));
                    steps.min_by(|a, b| miss(*a).total_cmp(&miss(*b)))?
                };
                Some(previous + (angle - previous + PI).rem_euclid(TAU) - PI)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use delassus_session::{Command, Session};

    /// Chapter 6's beads leave their ring and their ball.
    #[test]
    fn the_thread_of_an_error_is_as_long_as_the_error() {
        let scenes = delassus_scene::library::source_scenes();
        let mut session = Session::open(&scenes.join("book/06-bead-on-wire.ron")).expect("it can be read");
        let free =
            session.scene().expect("it is open").experiments.iter().position(|one| one.name == "No stabilisation");
        session.dispatch(Command::ApplyExperiment(free.expect("it is there"))).expect("it applies");
        (0..300).for_each(|_| drop(session.dispatch(Command::Step)));
        let snapshot = session.snapshot();
        let mut far = 0;
        for joint in &snapshot.joints {
            let drawn = JointEnds::of(joint, snapshot, 1.0);
            let thread = drawn.wanted(joint).expect("both are distances").distance(drawn.b);
            assert!((thread - joint.readout.error).abs() < 1e-4, "{thread} for {}", joint.readout.error);
            far += usize::from(thread > 0.1);
        }
        assert_eq!(far, 2, "both are off by decimetres");
    }

    #[test]
    fn a_ray_through_a_point_of_a_track_gives_its_value() {
        let arc = Track::Arc { centre: Vec3::new(1.0, 0.0, 2.0), axis: Vec3::Z, zero: Vec3::X, radius: 0.7 };
        let line = Track::Line { start: Vec3::new(1.0, 0.0, 2.0), direction: Vec3::Y };
        for eye in [Vec3::new(3.0, -6.0, 5.0), Vec3::new(0.5, -8.0, 2.3)] {
            for value in [-1.2, -0.4, 0.3, 0.9] {
                for track in [arc, line] {
                    let ray = (eye, (track.at(value) - eye).normalize());
                    let found = track.nearest(ray, value + 0.2).expect("it is in sight");
                    assert!((found - value).abs() < 0.02, "{found} for {value} on {track:?}");
                }
            }
        }
        // Beyond a turn it goes on from where it was.
        let ray = (Vec3::new(1.0, 0.0, 9.0), (arc.at(0.5) - Vec3::new(1.0, 0.0, 9.0)).normalize());
        assert!((arc.nearest(ray, 0.4 + TAU).expect("it is in sight") - 0.5 - TAU).abs() < 1e-3);
    }
}
