//! The midpoint rule of `gyroscopic.rs` for four bodies at a time, in 64 bits. No operation mixes lanes, so a body's
//! bits do not depend on the bodies beside it.

use glam::{DQuat, DVec3, Mat3};
use wide::f64x4;

use super::kernel::matrix::{self, Matrix};
use super::kernel::rotation::Quaternion;
use super::kernel::vector::Vectors;

/// Bodies at a time.
pub const LANES: usize = 4;

/// The largest rotation in one part of a step, rad.
const PART: f64 = 0.25;
/// The most parts of a step, to limit its cost. At higher angular velocities the rotation in each part grows.
const PARTS: f64 = 64.0;
/// The most Newton steps of a part; two or three are usually enough.
const NEWTON: u32 = 8;
/// Newton's steps end after one of this relative size, squared. The error that it leaves is that square times h‖M‖/2
/// and the ratio of the moments: rounding, up to a ratio of a hundred.
const LAST_STEP: f64 = 1e-17;

pub type Doubles = Vectors<f64x4>;

/// A vector of each body.
pub fn gather(vectors: [DVec3; LANES]) -> Doubles {
    Doubles {
        x: f64x4::from(vectors.map(|v| v.x)),
        y: f64x4::from(vectors.map(|v| v.y)),
        z: f64x4::from(vectors.map(|v| v.z)),
    }
}

/// The vector of one body.
pub fn lane(vectors: &Doubles, index: usize) -> DVec3 {
    DVec3::new(vectors.x.as_array()[index], vectors.y.as_array()[index], vectors.z.as_array()[index])
}

/// Symmetric 3 × 3 matrices.
pub type Symmetric = matrix::Symmetric<f64x4>;

impl Symmetric {
    pub fn gather(tensors: [&Mat3; LANES]) -> Self {
        let mut all = Self::ZERO;
        tensors.into_iter().enumerate().for_each(|(index, m)| all.set(index, m));
        all
    }
}

/// Unit quaternions.
pub type Rotations = Quaternion<f64x4>;

impl Rotations {
    pub fn gather(rotations: [DQuat; LANES]) -> Self {
        Self { v: gather(rotations.map(|q| DVec3::new(q.x, q.y, q.z))), w: f64x4::from(rotations.map(|q| q.w)) }
    }

    /// The quaternion of one body.
    pub fn body(&self, index: usize) -> DQuat {
        let v = lane(&self.v, index);
        DQuat::from_xyzw(v.x, v.y, v.z, self.w.as_array()[index])
    }
}

/// What a step without impulses does to a body.
pub struct Freely {
    /// Its rotation over the step, in the body axes that it starts with.
    pub rotation: Rotations,
    /// Angular velocity afterwards, rad/s, body axes.
    pub after: Doubles,
    /// Mask of the bodies for which the step is not too long for their angular velocity. The others' values mean
    /// nothing.
    pub found: f64x4,
}

/// Rotation of free bodies over `h` seconds. `omega` is in rad/s, body axes; `inertia` in kg·m², with its inverse,
/// which only starts Newton's steps.
pub fn free(inertia: &Symmetric, inverse: &Symmetric, omega: Doubles, h: f64) -> Freely {
    let h = f64x4::splat(h);
    let parts = (h * omega.dot(omega).sqrt() * f64x4::splat(1.0 / PART)).ceil();
    let parts = parts.fast_max(f64x4::ONE).fast_min(f64x4::splat(PARTS));
    let h = h / parts;
    let max_parts = parts.to_array().into_iter().fold(1.0, f64::max);
    let (mut rotation, mut after, mut found) = (Rotations::IDENTITY, omega, f64x4::splat(f64::from_bits(u64::MAX)));
    for part in 0..max_parts as u32 {
        let goes = f64x4::splat(f64::from(part)).simd_lt(parts);
        let (mean, converged) = mean(inertia, inverse, after, h);
        found &= converged | !goes;
        // exp(h M) is the quaternion (1, c M) normalized: no sine, so the same bits on every machine.
        let further = rotation.times(Rotations { v: mean * tangent(h, mean), w: f64x4::ONE }.normalized());
        rotation = Rotations::select(goes, further, rotation);
        after = Doubles::select(goes, mean + mean - after, after);
    }
    // False for values that are not finite.
    let finite =
        (after.dot(after) + rotation.v.dot(rotation.v) + rotation.w * rotation.w).simd_lt(f64x4::splat(f64::INFINITY));
    Freely { rotation, after, found: found & finite }
}

/// M of the derivation in `gyroscopic.rs`, rad/s, body axes, and the mask of the lanes where Newton's steps converge
/// and h‖M‖ is below 2.
#[inline(always)]
fn mean(inertia: &Symmetric, inverse: &Symmetric, omega: Doubles, h: f64x4) -> (Doubles, f64x4) {
    // The solution to first order in h.
    let mut mean = omega - inverse.times(omega.cross(inertia.times(omega))) * (h * f64x4::HALF);
    let mut open = f64x4::splat(f64::from_bits(u64::MAX));
    let Matrix { x: i, y: j, z: k } = inertia.rows();
    for _ in 0..NEWTON {
        let (c, p) = (tangent(h, mean), inertia.times(mean));
        let residual = inertia.times(mean - omega) + mean.cross(p) * c;
        // The rows of I + c ([M]× I − [I M]×).
        let zero = f64x4::ZERO;
        let x = i + (k * mean.y - j * mean.z - Doubles { x: zero, y: -p.z, z: p.y }) * c;
        let y = j + (i * mean.z - k * mean.x - Doubles { x: p.z, y: zero, z: -p.x }) * c;
        let z = k + (j * mean.x - i * mean.y - Doubles { x: -p.y, y: p.x, z: zero }) * c;
        // Cramer's rule.
        let (yz, zx, xy) = (y.cross(z), z.cross(x), x.cross(y));
        let step = (yz * residual.x + zx * residual.y + xy * residual.z) * (f64x4::ONE / x.dot(yz));
        mean = Doubles::select(open, mean - step, mean);
        open &= !step.dot(step).simd_le(mean.dot(mean) * f64x4::splat(LAST_STEP));
        if open.to_bitmask() == 0 {
            break;
        }
    }
    (mean, !open & (h * h * mean.dot(mean)).simd_lt(f64x4::splat(4.0)))
}

/// tan(h‖M‖/2)/‖M‖ by a Padé approximant, right to 1e-6 up to h‖M‖ = 2. The conservation laws hold for any value.
#[inline(always)]
fn tangent(h: f64x4, mean: Doubles) -> f64x4 {
    let splat = f64x4::splat;
    let x = (splat(0.25) * h * h * mean.dot(mean)).fast_min(f64x4::ONE);
    f64x4::HALF * h * ((x - splat(105.0)) * x + splat(945.0)) / ((splat(15.0) * x - splat(420.0)) * x + splat(945.0))
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;

    /// Moments, kg·m², and angular velocities, rad/s: slow and fast, and at rest.
    const BODIES: [(Vec3, Vec3); LANES] = [
        (Vec3::new(1.0, 2.0, 2.5), Vec3::new(3.0, -0.5, 1.0)),
        (Vec3::new(0.01, 1.0, 1.0), Vec3::new(60.0, 2.0, -4.0)),
        (Vec3::new(3.0, 2.0, 1.2), Vec3::ZERO),
        (Vec3::new(0.4, 0.3, 0.5), Vec3::new(1e-3, 2e-3, -1e-3)),
    ];

    fn step(bodies: [(Vec3, Vec3); LANES]) -> Freely {
        let inertia = bodies.map(|(moments, _)| Mat3::from_diagonal(moments));
        let inverse = bodies.map(|(moments, _)| Mat3::from_diagonal(moments.recip()));
        let gathered = [&inertia, &inverse].map(|tensors| Symmetric::gather(tensors.each_ref()));
        free(&gathered[0], &gathered[1], gather(bodies.map(|(_, omega)| omega.as_dvec3())), 1.0 / 60.0)
    }

    #[test]
    fn a_body_moves_the_same_whatever_is_beside_it() {
        let all = step(BODIES);
        for (index, body) in BODIES.into_iter().enumerate() {
            let alone = step([body; LANES]);
            assert_eq!(lane(&alone.after, 0), lane(&all.after, index));
            assert_eq!(alone.rotation.body(0), all.rotation.body(index));
        }
        assert_eq!(all.found.to_bitmask(), 0b1111);
    }

    /// ½ ω·Iω and R I ω in the axes of the step's beginning are those of the beginning.
    #[test]
    fn a_free_body_keeps_energy_and_angular_momentum_to_64_bits() {
        let all = step(BODIES);
        for (index, (moments, omega)) in BODIES.into_iter().enumerate() {
            let (moments, before, after) = (moments.as_dvec3(), omega.as_dvec3(), lane(&all.after, index));
            let energy = |w: DVec3| 0.5 * w.dot(moments * w);
            let (spin, turned) = (moments * before, all.rotation.body(index) * (moments * after));
            assert!(
                (energy(after) - energy(before)).abs() <= 1e-13 * energy(before),
                "energy of body {index}: {} of {}",
                energy(after),
                energy(before)
            );
            // M is rounded by its own length, which the largest moment carries into the momentum.
            let scale = moments.max_element() * before.length();
            assert!(turned.distance(spin) <= 1e-13 * scale, "momentum of body {index}: {turned} of {spin}");
        }
    }
}
