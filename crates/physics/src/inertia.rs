//! Inertia tensors: given by value, checked, and drawn.
//!
//! ```text
//! I = ∫ ((r·r) 1 − r rᵀ) dm              about the centre of mass, so I_xy = −∫ x y dm
//! I₁ ≤ I₂ ≤ I₃                           principal moments; of a body that has mass: I₁ > 0 and I₃ ≤ I₁ + I₂
//! aᵢ = √(3 (Iⱼ + Iₖ − Iᵢ)/(2 m))         half extents of the box of even density with the same mass and inertia
//! rᵢ = s²/kᵢ, kᵢ = √(Iᵢ/m), s³ = k₁k₂k₃  semi-axes of the ellipsoid of inertia xᵀ I x = m s⁴ (Poinsot)
//! ```

use glam::{DMat3, DVec3, Mat3, Quat, Vec3};
use serde::{Deserialize, Serialize};

use super::setting::is_default;

/// An inertia tensor about the centre of mass, kg m², by the elements of its matrix in the axes of the body's shape.
/// The products have the sign of the matrix: I_xy = −∫ x y dm.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Inertia {
    pub xx: f32,
    pub yy: f32,
    pub zz: f32,
    #[serde(default, skip_serializing_if = "is_default")]
    pub xy: f32,
    #[serde(default, skip_serializing_if = "is_default")]
    pub xz: f32,
    #[serde(default, skip_serializing_if = "is_default")]
    pub yz: f32,
}

impl Inertia {
    /// The elements of a symmetric matrix, kg m².
    pub fn of(matrix: Mat3) -> Self {
        let [x, y, z] = [matrix.x_axis, matrix.y_axis, matrix.z_axis];
        Self { xx: x.x, yy: y.y, zz: z.z, xy: y.x, xz: z.x, yz: z.y }
    }

    /// The matrix, kg m².
    pub fn matrix(&self) -> Mat3 {
        let Self { xx, yy, zz, xy, xz, yz } = *self;
        Mat3::from_cols(Vec3::new(xx, xy, xz), Vec3::new(xy, yy, yz), Vec3::new(xz, yz, zz))
    }
}

/// Principal moments and axes of an inertia.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Principal {
    /// kg m², ascending.
    pub moments: Vec3,
    /// From the principal axes, in the order of the moments, to the axes of the matrix.
    pub axes: Quat,
}

impl Principal {
    /// Principal moments and axes of a symmetric matrix, kg m². In 64 bits, by Jacobi's rotations: each sets one
    /// product to zero, and the others fall quadratically (Golub and Van Loan, Matrix Computations, section 8.5).
    pub fn of(inertia: &Mat3) -> Self {
        let (mut matrix, mut axes) = (inertia.as_dmat3(), DMat3::IDENTITY);
        for _ in 0..16 {
            for (p, q) in [(0, 1), (0, 2), (1, 2)] {
                let off = matrix.col(q)[p];
                let scale = (matrix.col(p)[p] * matrix.col(q)[q]).abs().sqrt();
                if off == 0.0 || off.abs() <= f64::EPSILON * scale {
                    continue;
                }
                let theta = 0.5 * (matrix.col(q)[q] - matrix.col(p)[p]) / off;
                let tangent = theta.signum() / (theta.abs() + theta.hypot(1.0));
                let cosine = 1.0 / tangent.hypot(1.0);
                let mut turn = DMat3::IDENTITY;
                (turn.col_mut(p)[p], turn.col_mut(q)[q]) = (cosine, cosine);
                (turn.col_mut(q)[p], turn.col_mut(p)[q]) = (tangent * cosine, -tangent * cosine);
                (matrix, axes) = (turn.transpose() * matrix * turn, axes * turn);
            }
        }
        let diagonal = DVec3::new(matrix.x_axis.x, matrix.y_axis.y, matrix.z_axis.z);
        let mut order = [0, 1, 2];
        order.sort_by(|a, b| diagonal[*a].total_cmp(&diagonal[*b]));
        let [x, y, z] = order.map(|i| axes.col(i));
        // Three axes in another order may be a left-handed frame.
        let z = if x.cross(y).dot(z) < 0.0 { -z } else { z };
        Self {
            moments: Vec3::from(order.map(|i| diagonal[i] as f32)),
            axes: glam::DQuat::from_mat3(&DMat3::from_cols(x, y, z)).normalize().as_quat(),
        }
    }

    /// Half extents of the box of even density that has this inertia and `mass`, kg; along the principal axes, m.
    pub fn equivalent_box(&self, mass: f32) -> Vec3 {
        let Vec3 { x, y, z } = self.moments;
        (Vec3::new(y + z - x, z + x - y, x + y - z).max(Vec3::ZERO) * (1.5 / mass)).map(f32::sqrt)
    }

    /// Semi-axes of the ellipsoid of inertia, along the principal axes, m: s²/kᵢ with the radii of gyration kᵢ and their
    /// geometric mean s. Zero without inertia.
    pub fn ellipsoid(&self, mass: f32) -> Vec3 {
        let gyration = (self.moments.max(Vec3::ZERO) / mass).map(f32::sqrt);
        let mean = gyration.element_product().cbrt();
        if mean > 0.0 { mean * mean / gyration } else { Vec3::ZERO }
    }
}

/// How far, in proportion, the largest principal moment may exceed the sum of the others, which it equals for a flat
/// plate: the rounding of six elements.
const FLAT: f32 = 1e-5;

/// Why no body has this inertia, if none does: see the module.
pub fn refusal(inertia: &Inertia) -> Option<String> {
    let Vec3 { x: least, y: middle, z: most } = Principal::of(&inertia.matrix()).moments;
    if !(least > 0.0 && least > 1e-7 * most) {
        return Some(format!(
            "the inertia must be positive definite, but its principal moments are {least}, {middle} and {most} kg·m²"
        ));
    }
    (most > (least + middle) * (1.0 + FLAT)).then(|| {
        format!(
            "no body can have this inertia: its largest principal moment, {most} kg·m², exceeds the sum of the other \
             two, {least} + {middle} kg·m²"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A box a × b × c of mass m has the moments m (b² + c²)/3 and so on; turned by Q, its tensor is Q I Qᵀ.
    #[test]
    fn a_turned_box_has_its_own_moments_axes_and_extents() {
        let (mass, half) = (3.0f32, Vec3::new(0.2, 0.5, 0.9));
        let squares = half * half;
        let moments = mass / 3.0 * Vec3::new(squares.y + squares.z, squares.z + squares.x, squares.x + squares.y);
        for turn in [Quat::IDENTITY, Quat::from_rotation_y(1.1), Quat::from_xyzw(0.1, 0.7, -0.3, 0.4).normalize()] {
            let rotation = Mat3::from_quat(turn);
            let inertia = rotation * Mat3::from_diagonal(moments) * rotation.transpose();
            let principal = Principal::of(&inertia);
            // The longest side comes first: about it the moment is least.
            assert!((principal.moments - Vec3::new(moments.z, moments.y, moments.x)).abs().max_element() < 1e-6);
            assert!((principal.equivalent_box(mass) - Vec3::new(0.9, 0.5, 0.2)).abs().max_element() < 1e-5);
            let axes = Mat3::from_quat(principal.axes);
            let back = axes * Mat3::from_diagonal(principal.moments) * axes.transpose();
            let off = (back - inertia).to_cols_array().into_iter().map(f32::abs).fold(0.0, f32::max);
            assert!(off < 1e-6, "{turn}: {off}");
        }
    }

    /// A ball's ellipsoid is a ball of its radius of gyration, √(2/5) r. Of any body the product of the semi-axes is
    /// that of the radii of gyration.
    #[test]
    fn the_ellipsoid_of_a_ball_is_a_ball() {
        let (mass, radius) = (2.0f32, 0.5f32);
        let ball = Mat3::from_diagonal(Vec3::splat(0.4 * mass * radius * radius));
        let gyration = (0.4f32).sqrt() * radius;
        assert!((Principal::of(&ball).ellipsoid(mass) - gyration).abs().max_element() < 1e-6);
        let other = Principal { moments: Vec3::new(1.0, 2.0, 2.5), axes: Quat::IDENTITY };
        let product = (other.moments / mass).map(f32::sqrt).element_product();
        assert!((other.ellipsoid(mass).element_product() - product).abs() < 1e-6);
        // Longest along the axis about which the moment is least.
        assert_eq!(other.ellipsoid(mass).max_element(), other.ellipsoid(mass).x);
    }

    #[test]
    fn what_no_body_has_is_refused() {
        let inertia = |xx, yy, zz| Inertia { xx, yy, zz, xy: 0.0, xz: 0.0, yz: 0.0 };
        assert_eq!(refusal(&inertia(1.0, 1.0, 1.0)), None);
        // A flat plate: equality.
        assert_eq!(refusal(&inertia(0.1, 0.2, 0.3)), None);
        assert!(refusal(&inertia(1.0, 1.0, 2.1)).is_some_and(|why| why.contains("exceeds the sum")));
        assert!(refusal(&inertia(1.0, -1.0, 1.0)).is_some_and(|why| why.contains("positive definite")));
        // Positive moments on the diagonal do not suffice: |I_xy| > √(I_xx I_yy).
        let skew = Inertia { xy: 1.5, ..inertia(1.0, 1.0, 1.0) };
        assert!(refusal(&skew).is_some_and(|why| why.contains("positive definite")));
        assert!(refusal(&inertia(0.0, 1.0, 1.0)).is_some());
    }

    #[test]
    fn elements_and_matrix_are_the_same_tensor() {
        let inertia = Inertia { xx: 1.0, yy: 2.0, zz: 2.5, xy: 0.1, xz: -0.2, yz: 0.3 };
        assert_eq!(Inertia::of(inertia.matrix()), inertia);
        let matrix = inertia.matrix();
        assert_eq!((matrix, matrix * Vec3::X), (matrix.transpose(), Vec3::new(1.0, 0.1, -0.2)));
    }
}
