//! Quaternion products as matrices, L and R of chapter 15.
//!
//! ```text
//! q p = L(q) p = R(p) q        w_q w_p − v_q·v_p,  w_q v_p + w_p v_q ± v_q × v_p:  + in L, − in R
//! q (0, v) q⁻¹ = (0, R v)      L(q) R(q⁻¹) = diag(1, 3 × 3 rotation matrix R) if |q| = 1
//! ```
//! Components are in the order w, x, y, z, as in the book. Source: 004 ch. 15.

use glam::Quat;

/// w, x, y, z.
pub type Quaternion = [f64; 4];
/// A 4 × 4 matrix by rows.
pub type Square = [[f64; 4]; 4];

/// Multiplication by q from the left: L(q) p = q p.
pub fn left([w, x, y, z]: Quaternion) -> Square {
    [[w, -x, -y, -z], [x, w, -z, y], [y, z, w, -x], [z, -y, x, w]]
}

/// Multiplication by p from the right: R(p) q = q p.
pub fn right([w, x, y, z]: Quaternion) -> Square {
    [[w, -x, -y, -z], [x, w, z, -y], [y, -z, w, x], [z, y, -x, w]]
}

/// The matrix applied to four numbers.
pub fn on(square: &Square, p: Quaternion) -> Quaternion {
    std::array::from_fn(|i| (0..4).map(|k| square[i][k] * p[k]).sum())
}

/// The matrix product `p` `q`.
pub fn after(p: &Square, q: &Square) -> Square {
    std::array::from_fn(|i| std::array::from_fn(|j| (0..4).map(|k| p[i][k] * q[k][j]).sum()))
}

/// The conjugate, which is the inverse of a unit quaternion.
pub fn conjugate([w, x, y, z]: Quaternion) -> Quaternion {
    [w, -x, -y, -z]
}

pub fn length(q: Quaternion) -> f64 {
    q.iter().map(|part| part * part).sum::<f64>().sqrt()
}

/// The components of a rotation.
pub fn of(rotation: Quat) -> Quaternion {
    [rotation.w, rotation.x, rotation.y, rotation.z].map(f64::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{DQuat, DVec3};

    fn samples() -> Vec<DQuat> {
        let axes = [DVec3::X, DVec3::new(0.3, -0.8, 0.5), DVec3::new(-1.0, 2.0, 0.4)];
        let turns = [0.0, 0.7, -2.1, 3.1];
        axes.iter().flat_map(|axis| turns.map(|turn| DQuat::from_axis_angle(axis.normalize(), turn))).collect()
    }

    fn numbers(q: DQuat) -> Quaternion {
        [q.w, q.x, q.y, q.z]
    }

    fn assert_near(found: Quaternion, expected: Quaternion) {
        assert!(found.iter().zip(expected).all(|(f, e)| (f - e).abs() < 1e-12), "{found:?} for {expected:?}");
    }

    #[test]
    fn both_matrices_make_the_product() {
        for q in samples() {
            for p in samples() {
                let product = numbers(q * p);
                assert_near(on(&left(numbers(q)), numbers(p)), product);
                assert_near(on(&right(numbers(p)), numbers(q)), product);
            }
        }
    }

    #[test]
    fn left_and_right_of_the_inverse_turn_a_vector() {
        let v = DVec3::new(0.2, -1.3, 0.9);
        for q in samples() {
            let both = after(&left(numbers(q)), &right(conjugate(numbers(q))));
            let turned = q * v;
            assert_near(on(&both, [0.0, v.x, v.y, v.z]), [0.0, turned.x, turned.y, turned.z]);
            // L and R commute, since the quaternion product is associative.
            let other = after(&right(conjugate(numbers(q))), &left(numbers(q)));
            (0..4).for_each(|row| assert_near(both[row], other[row]));
        }
    }
}
