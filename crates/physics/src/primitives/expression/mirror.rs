//! The mirror image of a constraint's formula.
//!
//! Points and axes become their images, so a formula of these alone stays as it is. The axis across the mirror, of a
//! body's mirrored frame and of the world, is the image with the other sign; so is a cross product, and an angle about an
//! axis that is mirrored as a direction.

use glam::Vec3;

use super::{Expression, MAX_PARAMETERS, Op};
use crate::joints::bounds::EXAMPLE;
use crate::row::JointFrames;

/// Ends at which no place and no direction vanishes.
const SKEW: JointFrames = JointFrames {
    xa: Vec3::new(0.3, -0.7, 0.2),
    xb: Vec3::new(1.1, 0.4, 0.9),
    ra: Vec3::new(0.1, 0.2, -0.1),
    rb: Vec3::new(-0.2, 0.1, 0.3),
    ..EXAMPLE
};

impl Expression {
    /// The text of the image; none if it names a component, or a place of the world.
    pub fn mirrored(&self, normal: usize) -> Option<String> {
        if self.ops.iter().any(|op| matches!(op, Op::Component(..) | Op::Vector(..))) {
            return None;
        }
        // What names a place has a force that the other body does not bear.
        let (_, jacobian) = self.row(&SKEW, &[0.5; MAX_PARAMETERS])?;
        if jacobian.net != Vec3::ZERO {
            return None;
        }
        let own = ["x", "y", "z"][normal];
        let (mut image, mut rest) = (String::new(), self.text());
        while let Some(c) = rest.chars().next() {
            let length = if c.is_alphabetic() {
                rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len())
            } else {
                c.len_utf8()
            };
            let (word, after) = rest.split_at(length);
            let is_own = word.strip_prefix(own).is_some_and(|end| matches!(end, "" | "A" | "B"));
            match word {
                "cross" => image += "-cross",
                "angle" => image += "(-angle)",
                _ if is_own => image += &format!("(-{word})"),
                _ => image += word,
            }
            rest = after;
        }
        Some(image)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Expression;

    #[test]
    fn what_changes_its_sign() {
        for (text, image) in [
            ("distance - 0.2", Some("distance - 0.2")),
            ("dot(pB - pA, xA)", Some("dot(pB - pA, (-xA))")),
            ("dot(pB - pA, yA)", Some("dot(pB - pA, yA)")),
            ("dot(cross(aA, yA), xB) + max1*angle", Some("dot(-cross(aA, yA), (-xB)) + max1*(-angle)")),
            ("(pB - pA).x", None),
            ("dot(pB, z)", None),
        ] {
            let found = Expression::read(text).expect(text).mirrored(0);
            assert_eq!(found.as_deref(), image);
        }
    }
}
