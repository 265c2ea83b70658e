//! The limit surface of friction: how much a contact patch resists when it slides and rotates at once.
//!
//! A patch of uniform pressure with the total normal impulse Λ = Σλn transmits a tangential force f ≤ μΛ and a moment
//! m about the normal. In pure sliding f = μΛ, in pure rotation m = μ r_p Λ. In both at once, the friction at each
//! point acts against the direction in which that point moves, so neither f nor m reaches its full value. With f in
//! units of μΛ and m in units of μ r_p Λ:
//!
//! ```text
//! separate     f ≤ 1, m ≤ 1                        as in 000: a patch that rotates slides no farther
//! ellipsoid    f² + m² ≤ 1
//! disc         f cos θ + m sin θ ≤ H(θ) for all θ,   H = 1 − u (1/24 + 5x/384 + u (1/288 + 3x/125)),
//!              x = cos²θ,  u = sin²2θ = 4x(1 − x):   a polynomial in x, without a root
//! ```
//! H is the support function of the convex set. With v = cos θ and r_p w = sin θ it is the power dissipated by
//! friction, P(v, w) = mean over the disc of ‖v + w × r‖. By the principle of maximum dissipation (f, m) is the point
//! of the set whose normal has that direction, H n + H' t. The ellipsoid has P = √(v² + r_p² w²), H = 1. For the disc
//! of radius R, r_p = ⅔ R, expanding the mean at both ends gives
//!
//! ```text
//! w → 0    P = v + w² R²/8v       H = 1 − 7θ²/32          (the perpendicular part: ⟨r² cos²φ⟩ = R²/4)
//! v → 0    P = ⅔ w R + v²/2wR      H = 1 − (π/2 − θ)²/6     (⟨1/r⟩ = 2/R, of which sin² is half)
//! ```
//! These fix 1/24 and 5/384; the other two coefficients are fitted to the integral in between, within 0.2 %. A disc
//! that rotates fast is slowed by μ g v/(w R), under the ellipsoid by half as much again: where it slides 2.99 m, the
//! ellipsoid gives 2.49 m, this polynomial 3.0 m, and the separate bounds 0.68 m. The surface of a line or a rectangle
//! depends on the direction; it is given the disc's surface with its own r_p. Source: Howe and Cutkosky 1996 (limit
//! surfaces); Farkas, Bartels, Unger and Wolf 2003 (the disc: both motions end together).

use super::real::{Mask, Real};

/// How force and moment bound each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Surface {
    Separate,
    Ellipsoid,
    Disc,
}

/// Newton steps of [`outside`]: after two the point is within 3e-3 of its bound, and each further step squares the
/// error.
pub const ROUNDS: usize = 4;
/// Every surface contains the disc of this radius.
pub const INSIDE: f64 = 0.93;
/// Lower limit on the divisor of a Newton step. At the disc's surface the divisor is the radius of curvature, 0.55 or
/// more.
pub const LEAST_RADIUS: f64 = 0.3;

/// The disc's H as a polynomial in cos²θ, lowest power first.
pub const H: [f64; 6] = {
    const A: [f64; 2] = [1.0 / 24.0, 5.0 / 384.0];
    const B: [f64; 2] = [1.0 / 288.0, 3.0 / 125.0];
    // u = 4x − 4x², u² = 16x² − 32x³ + 16x⁴.
    [
        1.0,
        -4.0 * A[0],
        4.0 * A[0] - 4.0 * A[1] - 16.0 * B[0],
        4.0 * A[1] + 32.0 * B[0] - 16.0 * B[1],
        32.0 * B[1] - 16.0 * B[0],
        -16.0 * B[1],
    ]
};

/// H and its first two derivatives by x = cos²θ, by Horner's rule.
#[inline(always)]
fn polynomial<R: Real<One = f64>>(x: R) -> [R; 3] {
    let splat = R::splat;
    let [a, b, c, d, e, f] = H;
    [
        splat(a) + x * (splat(b) + x * (splat(c) + x * (splat(d) + x * (splat(e) + x * splat(f))))),
        splat(b) + x * (splat(2.0 * c) + x * (splat(3.0 * d) + x * (splat(4.0 * e) + x * splat(5.0 * f)))),
        splat(2.0 * c) + x * (splat(6.0 * d) + x * (splat(12.0 * e) + x * splat(20.0 * f))),
    ]
}

/// H, H' and H'' by θ, for the unit direction (c, s) = (cos θ, sin θ).
#[inline(always)]
fn support<R: Real<One = f64>>(surface: Surface, c: R, s: R) -> (R, R, R) {
    if surface != Surface::Disc {
        return (R::ONE, R::ZERO, R::ZERO);
    }
    // dx/dθ = −2 c s.
    let splat = R::splat;
    let (x, product) = (c * c, c * s);
    let [h, first, second] = polynomial(x);
    (h, splat(-2.0) * product * first, splat(4.0) * product * product * second - splat(2.0) * (x - s * s) * first)
}

/// The point of the unit set that is nearest to a point outside.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Nearest<R> {
    /// In units of μΛ and of μ r_p Λ.
    pub force: R,
    pub moment: R,
    /// The unit normal there, (cos θ, sin θ).
    pub normal: (R, R),
}

impl<R: Real<One = f64>> Nearest<R> {
    /// Radius of curvature at this point, H + H''.
    pub fn radius(&self, surface: Surface) -> R {
        let (h, _, second) = support(surface, self.normal.0, self.normal.1);
        h + second
    }
}

/// The point of the unit set nearest to a force `f` and a moment `m`, neither negative, and the mask of those that lie
/// outside the set. The others' points mean nothing.
#[inline(always)]
pub fn outside<R: Real<One = f64>>(surface: Surface, f: R, m: R) -> (Nearest<R>, R::Mask) {
    let size = (f * f + m * m).sqrt();
    let far = !size.le(R::splat(INSIDE));
    if !far.any() {
        return (Nearest { force: f, moment: m, normal: (R::ONE, R::ZERO) }, far);
    }
    let (mut c, mut s) = (f / size, m / size);
    if surface != Surface::Disc {
        return (Nearest { force: c, moment: s, normal: (c, s) }, size.gt(R::ONE));
    }
    // f cos θ + m sin θ − H is greatest at the nearest point's normal. Each Newton step is a rotation with tan ½Δθ ≈
    // ½Δθ, which needs no square root.
    for _ in 0..ROUNDS {
        let (_, first, second) = support(surface, c, s);
        let half = R::HALF * (m * c - f * s - first) / (f * c + m * s + second).larger(R::splat(LEAST_RADIUS));
        let share = R::ONE / (R::ONE + half * half);
        let (along, across) = (share * (R::ONE - half * half), share * (half + half));
        (c, s) = (along * c - across * s, along * s + across * c);
        // A step may not leave the quadrant.
        let past = c.lt(R::ZERO);
        (c, s) = (R::select(past, R::ZERO, c), R::select(past, R::ONE, s));
        let before = s.lt(R::ZERO);
        (c, s) = (R::select(before, R::ONE, c), R::select(before, R::ZERO, s));
    }
    let (h, first, _) = support(surface, c, s);
    let found = Nearest { force: h * c - first * s, moment: h * s + first * c, normal: (c, s) };
    (found, far & (f * c + m * s).gt(h))
}

/// Projects a slide (x, y), N·s, and a torsion over r_p, N·s, to the nearest point of the bound of size `radius` = μΛ;
/// in the lanes where they are within it, they stay. Also gives the mask of the others. Not for [`Surface::Separate`].
#[inline(always)]
pub fn project<R: Real<One = f64>>(surface: Surface, [x, y, torsion]: [R; 3], radius: R) -> ([R; 3], R::Mask) {
    let bare = radius.le(R::ZERO);
    if bare.all() {
        return ([R::ZERO; 3], bare);
    }
    let along = (x * x + y * y).sqrt();
    let (found, beyond) = outside(surface, along / radius, torsion.abs() / radius);
    let share = R::select(along.gt(R::ZERO), found.force * radius / along, R::ZERO);
    let onto = [x * share, y * share, (found.moment * radius).copysign(torsion)];
    let mut projected = [x, y, torsion];
    for (projected, onto) in projected.iter_mut().zip(onto) {
        *projected = R::select(bare, R::ZERO, R::select(beyond, onto, *projected));
    }
    (projected, bare | beyond)
}

/// The share of the bound that a slide and a twist use, each given as the share of its own bound: the number by which
/// both are divided to lie on the surface, at most 1. For [`Surface::Separate`] it is the slide's share.
///
/// ```text
/// share = max (f cos θ + m sin θ) / H(θ) over θ,   by Newton steps from the direction of (f, m)
/// ```
pub fn share(surface: Surface, slide: f32, twist: f32) -> f32 {
    let (f, m) = (f64::from(slide), f64::from(twist));
    let size = f.hypot(m);
    if surface != Surface::Disc || size <= 0.0 {
        return if surface == Surface::Separate { slide } else { size.min(1.0) as f32 };
    }
    let (mut c, mut s) = (f / size, m / size);
    for _ in 0..ROUNDS {
        let (h, first, second) = support(surface, c, s);
        let (along, across) = (f * c + m * s, m * c - f * s);
        let turn = (across * h - along * first) / (along * (h + second)).max(LEAST_RADIUS * size);
        let (sin, cos) = turn.sin_cos();
        (c, s) = ((cos * c - sin * s).max(0.0), (sin * c + cos * s).max(0.0));
    }
    ((f * c + m * s) / support(surface, c, s).0).min(1.0) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Power of friction on a disc of radius 1 that slides with v and rotates with w, by the midpoint rule in r² and
    /// φ.
    fn power(v: f64, w: f64) -> f64 {
        let n = 400;
        let mean = |i: usize| (i as f64 + 0.5) / n as f64;
        let point = |r: f64, turn: f64| (v - w * r * turn.sin()).hypot(w * r * turn.cos());
        let ring = |r: f64| (0..n).map(|j| point(r, std::f64::consts::TAU * mean(j))).sum::<f64>() / n as f64;
        (0..n).map(|i| ring(mean(i).sqrt())).sum::<f64>() / n as f64
    }

    #[test]
    fn the_disc_is_that_of_the_integral() {
        for k in 0..=18 {
            let (s, c) = (k as f64 / 18.0 * std::f64::consts::FRAC_PI_2).sin_cos();
            let (h, ..) = support(Surface::Disc, c, s);
            let expected = power(c, 1.5 * s);
            assert!((h - expected).abs() < 2e-3, "{k}: {h}, the integral has {expected}");
        }
    }

    /// Projected points lie on the surface, and the displacement to them is along the normal there.
    #[test]
    fn projections_are_the_nearest_points() {
        for surface in [Surface::Ellipsoid, Surface::Disc] {
            for k in 0..=40 {
                for size in [0.9, 0.96, 1.1, 3.0, 100.0] {
                    let (sin, cos) = (k as f64 / 40.0 * std::f64::consts::FRAC_PI_2).sin_cos();
                    let (f, m) = (size * cos, size * sin);
                    let directions = (0..=900).map(|d| (d as f64 / 900.0 * std::f64::consts::FRAC_PI_2).sin_cos());
                    let excess = |f: f64, m: f64| {
                        let far = |(s, c): (f64, f64)| f * c + m * s - support(surface, c, s).0;
                        directions.clone().map(far).fold(f64::NEG_INFINITY, f64::max)
                    };
                    let what = format!("{surface:?}: ({f}, {m})");
                    match project(surface, [-2.0 * f, 0.0, -2.0 * m], 2.0) {
                        (_, false) => assert!(excess(f, m) < 1e-6, "{what} is outside"),
                        ([x, y, z], true) => {
                            let (x, z) = (-0.5 * x, -0.5 * z);
                            assert!(excess(f, m) > -1e-6, "{what} is inside");
                            assert!(excess(x, z).abs() < 1e-4, "{what}: ({x}, {z}) off by {}", excess(x, z));
                            assert_eq!(y, 0.0);
                            // The distance to the nearest point is the excess itself.
                            assert!((f - x).hypot(m - z) - excess(f, m) < 1e-4 * size, "{what}: ({x}, {z})");
                        }
                    }
                }
            }
        }
    }

    /// What is divided by its share lies on the surface: inside after a push inwards, outside after one outwards.
    #[test]
    fn divided_by_its_share_a_load_is_on_the_surface() {
        for surface in [Surface::Ellipsoid, Surface::Disc] {
            for k in 0..=90 {
                let (s, c) = (f64::from(k) / 90.0 * std::f64::consts::FRAC_PI_2).sin_cos();
                for size in [1e-6, 0.3, 0.9] {
                    let (slide, twist) = ((size * c) as f32, (size * s) as f32);
                    let share = f64::from(share(surface, slide, twist));
                    let leaves = |scale: f64| {
                        let scaled = |load: f32| scale * f64::from(load) / share;
                        project(surface, [scaled(slide), 0.0, scaled(twist)], 1.0).1
                    };
                    assert!(!leaves(1.0 - 1e-5) && leaves(1.0 + 1e-5), "{surface:?}, {k}, {size}: {share}");
                }
            }
        }
        assert_eq!(share(Surface::Disc, 0.0, 0.0), 0.0);
        assert_eq!(share(Surface::Disc, 2.0, 1.0), 1.0);
        assert_eq!(share(Surface::Separate, 0.4, 0.9), 0.4);
    }
}
