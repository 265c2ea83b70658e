//! How much a patch that slides and torsions at once resists: the limit surface of its friction.
//!
//! A patch of uniform pressure, Λ = Σλn in all, passes on a force f ≤ μΛ along it and a moment m about the normal.
//! Where it only slides f = μΛ, where it only torsions m = μ r_p Λ. Where it does both, each point's friction is used
//! up by the direction in which that point moves, so that neither is whole. With f in units of μΛ, and m in those of μ
//! r_p Λ:
//!
//! ```text
//! separate     f ≤ 1, m ≤ 1                        as 000 has it: what torsions slides no farther
//! ellipsoid    f² + m² ≤ 1
//! disc         f cos θ + m sin θ ≤ H(θ) for all θ,   H⁴ = 1 − u (1/6 + cos²θ (5/96 + 3u/40)),  u = sin²2θ
//! ```
//! H is the support function of the convex set: with v = cos θ and r_p w = sin θ it is the power that friction takes,
//! P(v, w) = mean over the disc of ‖v + w × r‖, and by the principle of most power (f, m) is the point of the set where
//! that direction is its normal, H n + H' t. The ellipsoid has P = √(v² + r_p² w²), H = 1. For the disc of radius R,
//! r_p = ⅔ R, expanding the mean at both ends gives
//!
//! ```text
//! w → 0    P = v + w² R²/8v       H = 1 − 7θ²/32          (the perpendicular part: ⟨r² cos²φ⟩ = R²/4)
//! v → 0    P = ⅔ w R + v²/2wR      H = 1 − (π/2 − θ)²/6     (⟨1/r⟩ = 2/R, of which sin² is half)
//! ```
//! which fix 1/6 and 5/96; 3/40 is fitted to the integral between them, within 0.2 %. A disc that torsions fast slides
//! on with μ g v/(w R), the ellipsoid brakes it half as much again: of 2.99 m it has 2.49, this 3.0, the separate
//! bounds 0.68. A line or a rectangle differs by its direction; it is given the disc's surface with its own r_p.
//! Source: Howe and Cutkosky 1996 (limit surfaces); Farkas, Bartels, Unger and Wolf 2003 (the disc: both motions end
//! together).

/// How force and moment bound each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Surface {
    Separate,
    Ellipsoid,
    Disc,
}

/// Rounds of `nearest`: each leaves a tenth of the error in the direction.
pub const ROUNDS: usize = 6;
/// Every surface holds the disc of this radius.
pub const INSIDE: f64 = 0.93;

/// H and H' of the unit direction (c, s).
fn support(surface: Surface, c: f64, s: f64) -> (f64, f64) {
    if surface != Surface::Disc {
        return (1.0, 0.0);
    }
    let (x, product) = (c * c, c * s);
    let u = 4.0 * product * product;
    let (u1, x1) = (8.0 * product * (c * c - s * s), -2.0 * product);
    let inner = 1.0 / 6.0 + x * (5.0 / 96.0 + 0.075 * u);
    let g1 = u1 * inner + u * (x1 * (5.0 / 96.0 + 0.075 * u) + x * 0.075 * u1);
    let root = (1.0 - u * inner).sqrt();
    let h = root.sqrt();
    (h, -g1 / (4.0 * h * root))
}

/// The point of the set of unit size that is nearest to what is outside of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Nearest {
    pub force: f64,
    pub moment: f64,
    /// The unit normal there, (cos θ, sin θ).
    pub normal: (f64, f64),
}

impl Nearest {
    /// The radius of curvature there, H + H''.
    pub fn radius(&self, surface: Surface) -> f64 {
        const APART: f64 = 1e-4;
        let (c, s) = self.normal;
        let slope = |by: f64| support(surface, c - by * s, s + by * c).1;
        support(surface, c, s).0 + (slope(APART) - slope(-APART)) / (2.0 * APART)
    }
}

/// The point of the set of unit size that is nearest to a force and a moment, both positive; nothing where they are in
/// it.
pub fn outside(surface: Surface, f: f64, m: f64) -> Option<Nearest> {
    let size = (f * f + m * m).sqrt();
    if size <= INSIDE {
        return None;
    }
    let (mut c, mut s) = (f / size, m / size);
    if surface != Surface::Disc {
        return (size > 1.0).then_some(Nearest { force: c, moment: s, normal: (c, s) });
    }
    // f cos θ + m sin θ − H is greatest at the nearest point's normal: Newton's steps, with H'' of 1/6 alone.
    for _ in 0..ROUNDS {
        let (_, slope) = support(surface, c, s);
        let bend = (8.0 * (c * s).powi(2) - 1.0) / 3.0;
        let turn = (m * c - f * s - slope) / (f * c + m * s + bend).max(0.3);
        let (turned_c, turned_s) = ((c - turn * s).max(0.0), (s + turn * c).max(0.0));
        let length = (turned_c * turned_c + turned_s * turned_s).sqrt();
        (c, s) = (turned_c / length, turned_s / length);
    }
    let (h, slope) = support(surface, c, s);
    let found = Nearest { force: h * c - slope * s, moment: h * s + slope * c, normal: (c, s) };
    (f * c + m * s > h).then_some(found)
}

/// The impulses within the bound that are nearest to a slide (x, y), N·s, and a torsion over r_p, N·s, where they are
/// outside it; `radius` is μΛ. Nothing where they are within. The surface is not [`Surface::Separate`].
pub fn project(surface: Surface, slide: (f64, f64), torsion: f64, radius: f64) -> Option<((f64, f64), f64)> {
    if radius <= 0.0 {
        return Some(((0.0, 0.0), 0.0));
    }
    let along = (slide.0 * slide.0 + slide.1 * slide.1).sqrt();
    let found = outside(surface, along / radius, torsion.abs() / radius)?;
    let share = if along > 0.0 { found.force * radius / along } else { 0.0 };
    Some(((slide.0 * share, slide.1 * share), (found.moment * radius).copysign(torsion)))
}

/// The share of the bound in use by a slide and a twist, each as its own share: that by which both could be divided to
/// lie on the surface; the slide's where each is bound by itself.
pub fn share(surface: Surface, slide: f32, twist: f32) -> f32 {
    let (mut within, mut beyond) = (slide.max(twist), (slide * slide + twist * twist).sqrt() * 1.1);
    if surface == Surface::Separate || within <= 0.0 {
        return slide;
    }
    // The surface lies within the box around it and holds the ball of nine tenths.
    for _ in 0..16 {
        let middle = 0.5 * (within + beyond);
        let scaled = |share: f32| f64::from(share / middle);
        let inside = project(surface, (scaled(slide), 0.0), scaled(twist), 1.0).is_none();
        (within, beyond) = if inside { (within, middle) } else { (middle, beyond) };
    }
    beyond.min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The power of the disc of radius 1 that slides with v and turns with w, by midpoints in r² and φ.
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
            let (h, _) = support(Surface::Disc, c, s);
            let expected = power(c, 1.5 * s);
            assert!((h - expected).abs() < 2e-3, "{k}: {h}, the integral has {expected}");
        }
    }

    /// What is projected lies on the surface, in every direction within it, and what pushes it back is the normal
    /// there.
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
                    match project(surface, (-2.0 * f, 0.0), -2.0 * m, 2.0) {
                        None => assert!(excess(f, m) < 1e-6, "{what} is outside"),
                        Some(((x, y), z)) => {
                            let (x, z) = (-0.5 * x, -0.5 * z);
                            assert!(excess(f, m) > -1e-6, "{what} is inside");
                            assert!(excess(x, z).abs() < 1e-4, "{what}: ({x}, {z}) off by {}", excess(x, z));
                            assert_eq!(y, 0.0);
                            // The way to the nearest point is no longer than the excess, the distance itself.
                            assert!((f - x).hypot(m - z) - excess(f, m) < 1e-4 * size, "{what}: ({x}, {z})");
                        }
                    }
                }
            }
        }
    }
}
