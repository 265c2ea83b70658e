//! The rotation of B relative to A as a rotation vector: its direction is the axis of the rotation, its length the angle.
//!
//! ```text
//! q      = qA⁻¹ qB q_ref⁻¹, negated if w < 0;  φ = 2 atan2(‖Im q‖, w) Im q / ‖Im q‖       in A's frame, ‖φ‖ ≤ π
//! φ-dot  = (1 − ½ [φ]× + β [φ]×²) ω,  ω = qA⁻¹ (wB − wA),  β = (1 − (θ/2) cot(θ/2))/θ²,  θ = ‖φ‖
//! φ_k    has the row J = [0, −g, 0, g],  g = qA (e_k + ½ φ × e_k + β φ × (φ × e_k))
//! ```
//! J is the exact gradient of φ_k, so that springs on the components have the potential Σ ½ k φ_k², and λ is the torque
//! that belongs to φ_k. A rotation about one axis of A has its angle in that component and zero in the others. There is no
//! singular pose within half a turn; at half a turn φ changes its sign, as q does. Source: 000 Notation (rotation
//! vector); docs/math.md, "Six degrees of freedom".

use glam::{Quat, Vec3};

use super::quaternion;
use crate::row::{Jacobian, JointFrames};

/// Half an angle's sine below which the angle is twice the sine, to the last bit.
const SMALL_SINE: f32 = 1e-4;
/// Angle, rad, below which β is taken from its series, whose error there is 1e-8.
const SMALL_ANGLE: f32 = 0.5;

/// φ of a rotation, rad.
pub fn of(q: Quat) -> Vec3 {
    let q = quaternion::canonical(q);
    let (sine, v) = (q.xyz().length(), q.xyz());
    if sine < SMALL_SINE { 2.0 * v / q.w } else { v * (2.0 * sine.atan2(q.w) / sine) }
}

/// φ of B in A's frame since the joint was made, rad.
pub fn relative(frames: &JointFrames) -> Vec3 {
    of(quaternion::relative(frames))
}

/// The row of φ's component along `axis`, a unit vector in A's frame.
pub fn row(qa: Quat, phi: Vec3, axis: Vec3) -> Jacobian {
    let once = phi.cross(axis);
    Jacobian::about(qa * (axis + 0.5 * once + beta(phi.length()) * phi.cross(once)))
}

fn beta(angle: f32) -> f32 {
    let square = angle * angle;
    if angle < SMALL_ANGLE {
        return 1.0 / 12.0 + square / 720.0 + square * square / 30240.0;
    }
    let half = 0.5 * angle;
    (1.0 - half / half.tan()) / square
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f32::consts::{PI, TAU};

    /// exp(φ) is the rotation, also at half a turn and for the other sign of the quaternion.
    #[test]
    fn the_vector_gives_the_rotation_back() {
        for axis in [Vec3::X, Vec3::new(0.6, 0.0, -0.8), Vec3::new(1.0, 2.0, 2.0) / 3.0] {
            for angle in [0.0, 1e-6, 1e-3, 0.4, 1.7, 3.0, PI] {
                let q = Quat::from_axis_angle(axis, angle);
                for q in [q, -q] {
                    let phi = of(q);
                    assert!((phi.length() - angle).abs() <= 1e-5 * angle, "{axis} {angle}: {phi}");
                    let back = Quat::from_scaled_axis(phi);
                    assert!(back.dot(q).abs() > 1.0 - 1e-6, "{axis} {angle}: {phi}");
                }
            }
            // Beyond half a turn it is the short way round.
            let phi = of(Quat::from_axis_angle(axis, 4.0));
            assert!((phi + (TAU - 4.0) * axis).length() < 1e-5, "{phi}");
        }
    }

    /// The series and the closed form agree where they meet.
    #[test]
    fn the_series_meets_the_closed_form() {
        let half = 0.5 * SMALL_ANGLE;
        let exact = (1.0 - half / half.tan()) / (SMALL_ANGLE * SMALL_ANGLE);
        assert!((beta(SMALL_ANGLE * 0.9999) - exact).abs() < 3e-6);
    }
}
