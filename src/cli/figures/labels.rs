//! Labels, arrows and points over a figure, as in the book. The figures' files define them.

use glam::{Quat, Vec3};
use serde::Deserialize;

use delassus_app::PictureCamera;
use delassus_figure::Sign;
use delassus_session::{BodyView, JointPose, JointView, Session, Snapshot};

/// A label over a picture: `of` names the joint or the bodies, `is` the part, `says` the text.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) enum FigureLabel {
    /// For a part of a joint.
    Joint { of: String, is: JointPart, says: String },
    /// The numbered contact points of two bodies, `a+b`.
    Contacts { of: String },
    /// Text next to a body.
    Body { of: String, says: String },
}

/// A part of a joint.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
pub(super) enum JointPart {
    /// Points: the centres of mass and the anchors.
    CentreA,
    CentreB,
    AnchorA,
    AnchorB,
    /// Lever arm from a body's centre to its anchor.
    LeverA,
    LeverB,
    /// From A's anchor to B's.
    Gap,
    /// The velocity ω × r of an anchor by its body's rotation, and the angular velocity.
    TurnA,
    TurnB,
    SpinA,
    SpinB,
    /// The axis fixed in each body, and two perpendicular directions that rotate with the body.
    AxisA,
    AxisB,
    AcrossA,
    AcrossB,
    BesideA,
    BesideB,
}

/// The length of an arrow is a velocity, or an angular velocity, times this time, s.
const VELOCITY_TIME: f32 = 0.7;
const SPIN_TIME: f32 = 0.2;
/// The drawn length of a unit vector, m.
const LENGTH: f32 = 0.7;

impl FigureLabel {
    /// The names of the joints and bodies that it refers to.
    #[cfg(test)]
    pub fn of(&self) -> Vec<&str> {
        match self {
            Self::Joint { of, .. } | Self::Body { of, .. } => vec![of],
            Self::Contacts { of } => of.split('+').collect(),
        }
    }

    /// The signs to draw for it in a picture of `size` pixels, as `look` sees the scene.
    ///
    /// # Errors
    /// If a joint or body does not exist.
    pub fn signs(&self, session: &Session, look: &PictureCamera, size: [u32; 2]) -> Result<Vec<Sign>, String> {
        let snapshot = session.snapshot();
        let place = |point: Vec3| look.project(point, size);
        let body = |name: &str| {
            let found = snapshot.bodies.iter().find(|body| *body.name == *name);
            found.ok_or_else(|| format!("there is no body called {name}"))
        };
        match self {
            Self::Joint { of, is, says } => {
                let joint = snapshot.joints.iter().find(|joint| *joint.name == **of);
                let joint = joint.ok_or_else(|| format!("there is no joint called {of}"))?;
                let (from, arrow) = is.drawn(joint, snapshot);
                let sign = Sign::new(place(from), arrow.map(|arrow| place(from + arrow)), says, is.tint());
                let beside = matches!(is, JointPart::LeverA | JointPart::LeverB | JointPart::Gap);
                Ok(sign.map(|sign| if beside { sign.with_label_beside() } else { sign }).into_iter().collect())
            }
            Self::Contacts { of } => {
                let (a, b) = of.split_once('+').ok_or("expected two bodies, `a+b`")?;
                let (a, b) = (body(a)?.id, body(b)?.id);
                let of_pair = snapshot.contacts.iter().filter(|c| (c.a, c.b) == (a, b) || (c.a, c.b) == (b, a));
                let sign = |(i, point): (usize, Vec3)| Sign::new(place(point), None, &format!("{}", i + 1), 1);
                Ok(of_pair.map(|contact| contact.position).enumerate().filter_map(sign).collect())
            }
            Self::Body { of, says } => Ok(Sign::words(place(body(of)?.centre), says).into_iter().collect()),
        }
    }
}

impl JointPart {
    /// The position, and the vector if it is an arrow; world frame, m.
    fn drawn(self, joint: &JointView, snapshot: &Snapshot) -> (Vec3, Option<Vec3>) {
        // For the world, its anchor is used as its centre.
        let (a, b) = (snapshot.body(joint.a), snapshot.body(joint.b));
        let JointPose { anchor_a: pa, anchor_b: pb, axis_a, axis_b } = snapshot.place(joint);
        let (xa, xb) = (a.map_or(pa, |body| body.centre), b.map_or(pb, |body| body.centre));
        let spin = |body: Option<&BodyView>| body.map_or(Vec3::ZERO, |body| body.angular_velocity);
        let across = axis_a.any_orthonormal_vector();
        // B's directions coincided with A's when the angle was 0.
        let turned = Quat::from_rotation_arc(axis_a, axis_b) * Quat::from_axis_angle(axis_a, joint.readout.value);
        let beside = axis_a.cross(across);
        match self {
            Self::CentreA => (xa, None),
            Self::CentreB => (xb, None),
            Self::AnchorA => (pa, None),
            Self::AnchorB => (pb, None),
            Self::LeverA => (xa, Some(pa - xa)),
            Self::LeverB => (xb, Some(pb - xb)),
            Self::Gap => (pa, Some(pb - pa)),
            Self::TurnA => (pa, Some(spin(a).cross(pa - xa) * VELOCITY_TIME)),
            Self::TurnB => (pb, Some(spin(b).cross(pb - xb) * VELOCITY_TIME)),
            Self::SpinA => (xa, Some(spin(a) * SPIN_TIME)),
            Self::SpinB => (xb, Some(spin(b) * SPIN_TIME)),
            Self::AxisA => (xa, Some(axis_a * LENGTH)),
            Self::AxisB => (xb, Some(axis_b * LENGTH)),
            Self::AcrossA => (xa, Some(across * LENGTH)),
            Self::AcrossB => (xb, Some(turned * across * LENGTH)),
            Self::BesideA => (xa, Some(beside * LENGTH)),
            Self::BesideB => (xb, Some(turned * beside * LENGTH)),
        }
    }

    /// The index of its colour among the curves' colours: A's and B's differ.
    fn tint(self) -> usize {
        match self {
            Self::CentreA | Self::AnchorA | Self::LeverA | Self::TurnA | Self::SpinA => 0,
            Self::AxisA | Self::AcrossA | Self::BesideA => 0,
            Self::Gap => 2,
            _ => 1,
        }
    }
}
