//! Compounds: several convex shapes that are one rigid body, such as a table or a hammer. So a body can be concave.
//!
//! ```text
//! vₖ, cₖ, Jₖ    volume of a part, its centre of mass in the compound's frame, and its inertia about it per unit mass,
//!               turned by its rotation R:  Jₖ = R J Rᵀ
//! V   = Σ vₖ                       centre  c = Σ vₖ cₖ / V
//! J V = Σ vₖ (Jₖ + |dₖ|² 1 − dₖ dₖᵀ),   dₖ = cₖ − c         parallel axes
//! ```
//! The density is even over the sum of the parts: where parts overlap, the mass counts as often as there are parts. The
//! sums are made in 64 bits, so a compound of one part that is neither moved nor turned has the mass properties of that
//! part, bit for bit.
//!
//! In collisions each part is a convex shape of its own (`collide/collider.rs`). Parts of one body never touch each other.
//! Source: Goldstein, Poole and Safko 2002, 5.3 (parallel axes).

use glam::{DMat3, DVec3};
use parry3d::math::Pose;
use parry3d::shape::SharedShape;

use super::shape::{MAX_PARTS, Shape, ShapePart, Solid};

/// The solid of a compound; `None` if it has no part or too many, or a part is degenerate or itself a compound.
pub(super) fn solid(shape: &Shape, parts: &[ShapePart]) -> Option<Solid> {
    if parts.is_empty() || parts.len() > MAX_PARTS {
        return None;
    }
    let place = |part: &ShapePart| {
        let solid = if matches!(part.shape, Shape::Compound { .. }) { None } else { part.shape.solid() }?;
        let turn = part.rotation.quat().ok()?;
        // The pose of the part's centre of mass.
        let pose = Pose::from_parts(part.at + turn * solid.centre, turn);
        pose.translation.is_finite().then_some((solid, pose))
    };
    let placed: Vec<(Solid, Pose)> = parts.iter().map(place).collect::<Option<_>>()?;
    let volume: f64 = placed.iter().map(|(solid, _)| f64::from(solid.volume)).sum();
    let first = |(solid, pose): &(Solid, Pose)| pose.translation.as_dvec3() * f64::from(solid.volume);
    let centre = placed.iter().map(first).sum::<DVec3>() / volume;
    let second = |(solid, pose): &(Solid, Pose)| {
        let turn = DMat3::from_quat(pose.rotation.as_dquat());
        let own = turn * solid.unit_inertia.as_dmat3() * turn.transpose();
        let d = pose.translation.as_dvec3() - centre;
        let outer = DMat3::from_cols(d * d.x, d * d.y, d * d.z);
        (own + DMat3::from_diagonal(DVec3::splat(d.length_squared())) - outer) * f64::from(solid.volume)
    };
    let inertia = placed.iter().map(second).fold(DMat3::ZERO, |sum, part| sum + part) * volume.recip();
    let (volume, centre) = (volume as f32, centre.as_vec3());
    if !(volume > 0.0 && volume.is_finite()) {
        return None;
    }
    let pieces: Box<[Solid]> = placed
        .iter()
        .map(|(solid, pose)| solid.shifted(&Pose::from_parts(pose.translation - centre, pose.rotation)))
        .collect();
    let all = pieces.iter().map(|piece| (piece.offset, piece.geometry.clone()));
    let geometry = SharedShape::compound(all.collect());
    // The pieces stand about the centre of mass already; `with` moves the geometry by −centre.
    let moved = Pose::from_translation(centre);
    shape.with(geometry, moved, (volume, centre, inertia.as_mat3()), (None, pieces))
}

#[cfg(test)]
mod tests {
    use glam::{Mat3, Quat, Vec3};

    use super::*;
    use crate::rotation::Rotation;

    fn compound(parts: impl IntoIterator<Item = ShapePart>) -> Option<Solid> {
        (Shape::Compound { parts: parts.into_iter().collect() }).solid()
    }

    fn assert_near(found: Mat3, expected: Mat3) {
        let apart = (found - expected).to_cols_array().map(f32::abs).into_iter().fold(0.0, f32::max);
        let size = expected.to_cols_array().map(f32::abs).into_iter().fold(0.0, f32::max);
        assert!(apart < 1e-6 * size, "{found}, expected {expected}");
    }

    /// Two balls of radius r at ±a on x: about x 2/5 r², about the others 2/5 r² + a².
    #[test]
    fn a_dumbbell_has_the_inertia_of_two_balls() {
        let (r, a) = (0.1f32, 0.4f32);
        let ball = |x: f32| ShapePart::new(Shape::Sphere { radius: r }, Vec3::new(x, 0.0, 0.0));
        let solid = compound([ball(-a), ball(a)]).expect("a dumbbell");
        let own = 0.4 * r * r;
        assert_near(solid.unit_inertia, Mat3::from_diagonal(Vec3::new(own, own + a * a, own + a * a)));
        let volume = 2.0 * 4.0 / 3.0 * std::f32::consts::PI * r.powi(3);
        assert!((solid.volume - volume).abs() < 1e-6 * volume);
        assert_eq!(solid.centre, Vec3::ZERO);
        assert!((solid.radius - (a + r)).abs() < 1e-6, "{}", solid.radius);
        assert_eq!(solid.thickness, r);
    }

    /// A T of a bar along x (mass share p, at height h) on a post along z (share q = 1 − p, at 0): the centre is at p h,
    /// and about y  I = p (b² + t²)/3 + q (s² + l²)/3 + p q h², with half extents.
    #[test]
    fn a_t_has_the_inertia_of_two_boxes_about_their_common_centre() {
        let (bar, post) = (Vec3::new(0.5, 0.1, 0.1), Vec3::new(0.1, 0.1, 0.4));
        let h = 0.5f32;
        let parts = [
            ShapePart::new(Shape::Box { half: bar }, Vec3::new(0.0, 0.0, h)),
            // A plank along x, turned upright.
            ShapePart {
                rotation: Rotation::from(Quat::from_rotation_y(std::f32::consts::FRAC_PI_2)),
                ..ShapePart::new(Shape::Box { half: Vec3::new(post.z, post.y, post.x) }, Vec3::ZERO)
            },
        ];
        let solid = compound(parts).expect("a T");
        let p = bar.element_product() / (bar.element_product() + post.element_product());
        let q = 1.0 - p;
        let own = |half: Vec3| {
            let s = half * half;
            Vec3::new(s.y + s.z, s.z + s.x, s.x + s.y) / 3.0
        };
        let expected = p * own(bar) + q * own(post) + p * q * h * h * Vec3::new(1.0, 1.0, 0.0);
        assert!((solid.centre - Vec3::new(0.0, 0.0, p * h)).length() < 1e-6, "{}", solid.centre);
        assert_near(solid.unit_inertia, Mat3::from_diagonal(expected));
    }

    /// All of the solid's numbers, bit for bit, and the same geometry in the same place.
    #[test]
    fn a_compound_of_one_part_is_that_part() {
        let hull: Vec<Vec3> =
            [(0.0, 0.0, 0.0), (0.4, 0.1, 0.0), (0.0, 0.5, 0.1), (0.1, 0.0, 0.7)].map(Vec3::from).into();
        for shape in [
            Shape::Box { half: Vec3::new(0.1, 0.23, 0.37) },
            Shape::Sphere { radius: 0.31 },
            Shape::Capsule { radius: 0.07, half_length: 0.19 },
            Shape::Cylinder { radius: 0.11, half_length: 0.05 },
            Shape::Hull { points: hull },
        ] {
            let alone = shape.solid().expect("a shape");
            let one = compound([ShapePart::new(shape.clone(), Vec3::ZERO)]).expect("a compound");
            assert_eq!(one.volume.to_bits(), alone.volume.to_bits(), "{shape:?}");
            assert_eq!((one.centre, one.centroid), (alone.centre, alone.centroid), "{shape:?}");
            assert_eq!(one.unit_inertia, alone.unit_inertia, "{shape:?}");
            assert_eq!(
                (one.radius, one.lever, one.thickness),
                (alone.radius, alone.lever, alone.thickness),
                "{shape:?}"
            );
            let [piece] = one.pieces() else { panic!("one piece") };
            assert_eq!(piece.offset, alone.offset, "{shape:?}");
        }
    }

    #[test]
    fn a_mass_centre_elsewhere_moves_all_pieces() {
        let ball = |x: f32| ShapePart::new(Shape::Sphere { radius: 0.1 }, Vec3::new(x, 0.0, 0.0));
        let solid = compound([ball(0.0), ball(1.0)]).expect("two balls").about(Vec3::new(0.0, 0.2, 0.0));
        assert_eq!(solid.centre, Vec3::new(0.0, 0.2, 0.0));
        for (piece, x) in solid.pieces().iter().zip([0.0, 1.0]) {
            assert!((piece.offset.translation - Vec3::new(x, -0.2, 0.0)).length() < 1e-6, "{:?}", piece.offset);
        }
        assert!((solid.radius - (1.0f32.hypot(0.2) + 0.1)).abs() < 1e-6);
        assert!((solid.lever - 1.0f32.hypot(0.2)).abs() < 1e-6, "of balls only their middles move: {}", solid.lever);
    }

    #[test]
    fn what_is_no_compound_has_no_solid() {
        let ball = || ShapePart::new(Shape::Sphere { radius: 0.1 }, Vec3::ZERO);
        assert!(compound([]).is_none());
        assert!(compound((0..=MAX_PARTS).map(|_| ball())).is_none());
        assert!(compound((0..MAX_PARTS).map(|_| ball())).is_some());
        let nested = Shape::Compound { parts: [ball()].into() };
        assert!(compound([ball(), ShapePart::new(nested, Vec3::X)]).is_none());
        assert!(compound([ShapePart { at: Vec3::NAN, ..ball() }]).is_none());
        assert!(compound([ShapePart { rotation: Quat::from_xyzw(0.0, 0.0, 0.0, 0.0).into(), ..ball() }]).is_none());
    }

    /// A scene has a shape for each body.
    #[test]
    fn a_shape_is_small() {
        assert_eq!(size_of::<Shape>(), 24);
    }
}
