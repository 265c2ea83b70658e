//! What a figure has of letters, arrows and points over its picture, as the book's own have: which they are is data.

use glam::{Quat, Vec3};
use serde::Deserialize;

use crate::app::PictureCamera;
use crate::figure::Sign;
use crate::session::{BodyView, JointView, Session};

/// Something that stands over the picture.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) enum FigureLabel {
    /// Of a joint.
    Joint { of: String, is: JointPart, says: String },
    /// The points where two bodies touch, numbered, as `a+b`.
    Contacts { of: String },
    /// Words beside a body.
    Body { of: String, says: String },
}

/// What of a joint.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
pub(super) enum JointPart {
    /// Points: the centres of mass, and where the joint takes hold.
    CentreA,
    CentreB,
    AnchorA,
    AnchorB,
    /// From a body's centre to its anchor.
    LeverA,
    LeverB,
    /// From A's anchor to B's.
    Gap,
    /// What a body's spin gives its anchor, ω × r, and the spin.
    TurnA,
    TurnB,
    SpinA,
    SpinB,
    /// The axis as each body carries it, and two across it: these turn with the body.
    AxisA,
    AxisB,
    AcrossA,
    AcrossB,
    BesideA,
    BesideB,
}

/// A velocity is drawn as the way of so much time, a spin as the turn of so much, s.
const WAY: f32 = 0.7;
const TURN: f32 = 0.2;
/// How long a unit vector is drawn, m.
const LENGTH: f32 = 0.7;

impl FigureLabel {
    /// The names that it has of joints and bodies.
    #[cfg(test)]
    pub fn of(&self) -> Vec<&str> {
        match self {
            Self::Joint { of, .. } | Self::Body { of, .. } => vec![of],
            Self::Contacts { of } => of.split('+').collect(),
        }
    }

    /// The signs for it in a picture of this many pixels.
    ///
    /// # Errors
    /// A joint or a body that is not there.
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
                let (from, way) = is.drawn(joint, [snapshot.body(joint.a), snapshot.body(joint.b)]);
                let sign = Sign::new(place(from), way.map(|way| place(from + way)), says, is.tint());
                let beside = matches!(is, JointPart::LeverA | JointPart::LeverB | JointPart::Gap);
                Ok(sign.map(|sign| if beside { sign.beside() } else { sign }).into_iter().collect())
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
    /// Where it is, and how far it reaches from there if it is an arrow; world frame.
    fn drawn(self, joint: &JointView, [a, b]: [Option<&BodyView>; 2]) -> (Vec3, Option<Vec3>) {
        // The world is where its anchor is.
        let (pa, pb) = (joint.anchor_a, joint.anchor_b);
        let (xa, xb) = (a.map_or(pa, |body| body.centre), b.map_or(pb, |body| body.centre));
        let spin = |body: Option<&BodyView>| body.map_or(Vec3::ZERO, |body| body.angular_velocity);
        let across = joint.axis_a.any_orthonormal_vector();
        // B's pair lay over A's when the angle was 0.
        let turned = Quat::from_rotation_arc(joint.axis_a, joint.axis_b)
            * Quat::from_axis_angle(joint.axis_a, joint.readout.value);
        let beside = joint.axis_a.cross(across);
        match self {
            Self::CentreA => (xa, None),
            Self::CentreB => (xb, None),
            Self::AnchorA => (pa, None),
            Self::AnchorB => (pb, None),
            Self::LeverA => (xa, Some(pa - xa)),
            Self::LeverB => (xb, Some(pb - xb)),
            Self::Gap => (pa, Some(pb - pa)),
            Self::TurnA => (pa, Some(spin(a).cross(pa - xa) * WAY)),
            Self::TurnB => (pb, Some(spin(b).cross(pb - xb) * WAY)),
            Self::SpinA => (xa, Some(spin(a) * TURN)),
            Self::SpinB => (xb, Some(spin(b) * TURN)),
            Self::AxisA => (xa, Some(joint.axis_a * LENGTH)),
            Self::AxisB => (xb, Some(joint.axis_b * LENGTH)),
            Self::AcrossA => (xa, Some(across * LENGTH)),
            Self::AcrossB => (xb, Some(turned * across * LENGTH)),
            Self::BesideA => (xa, Some(beside * LENGTH)),
            Self::BesideB => (xb, Some(turned * beside * LENGTH)),
        }
    }

    /// The colour, of those of curves: A's and B's differ.
    fn tint(self) -> usize {
        match self {
            Self::CentreA | Self::AnchorA | Self::LeverA | Self::TurnA | Self::SpinA => 0,
            Self::AxisA | Self::AcrossA | Self::BesideA => 0,
            Self::Gap => 2,
            _ => 1,
        }
    }
}
