//! The profile of a cam: a closed plane curve, its radius a function of the angle.
//!
//! ```text
//! r(θ) through the given radii at equal angles, a periodic cubic spline (C²);   c(θ) = r (cos θ, sin θ)
//! r = Σ_j k_j B((θ − θ_j)/δ),   k_j = √3 Σ_i z^|i| r_{j+i},   z = √3 − 2,   B the cubic B-spline, δ = 2π/n
//! n = (r e_r − r' e_θ)/√(r² + r'²)   outward,   κ = (r² + 2r'² − r r'')/(r² + r'²)^{3/2}
//! ```
//! The sum for k_j is over all i. Its terms fall by z each, so those beyond 20 are below 4e-12, and no system has to
//! be solved. Sources: de Boor, A Practical Guide to Splines; Unser, Splines, 1999, for the filter z.

use std::f64::consts::TAU;

use serde::{Deserialize, Serialize};

/// Numbers of radii of a profile.
pub const MIN_RADII: usize = 4;
pub const MAX_RADII: usize = 72;

/// The radii of a closed curve at equal angles, m.
#[derive(Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Vec<f32>", into = "Vec<f32>")]
pub struct Profile {
    radii: [f32; MAX_RADII],
    count: u8,
}

/// A radius with its derivatives by the angle, m, m/rad, m/rad².
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Radius {
    pub r: f64,
    pub slope: f64,
    pub curve: f64,
}

/// The point of the curve that is nearest to another one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Nearest {
    /// Its angle, rad.
    pub angle: f64,
    /// The outward normal there, unit.
    pub normal: [f64; 2],
    /// How far the other point is outside, m; negative inside.
    pub distance: f64,
}

/// The pole of the filter, and the number of terms on either side.
const POLE: f64 = -0.267_949_192_431_122_7;
const TERMS: i32 = 20;
/// Steps of the search for the nearest point, and the change of the angle at which it ends, rad.
const STEPS: usize = 60;
const CLOSE: f64 = 1e-9;

impl Profile {
    /// The curve through these radii.
    ///
    /// # Errors
    /// If they are too few or too many.
    pub fn new(radii: &[f32]) -> Result<Self, String> {
        let count = radii.len();
        if !(MIN_RADII..=MAX_RADII).contains(&count) {
            return Err(format!("a profile needs {MIN_RADII} to {MAX_RADII} radii, not {count}"));
        }
        let mut all = [0.0; MAX_RADII];
        all[..count].copy_from_slice(radii);
        Ok(Self { radii: all, count: count as u8 })
    }

    /// The curve with the radius r(θ), m, in `count` places.
    pub fn of(count: usize, r: impl Fn(f64) -> f64) -> Self {
        let count = count.clamp(MIN_RADII, MAX_RADII);
        let mut radii = [0.0; MAX_RADII];
        radii[..count].iter_mut().enumerate().for_each(|(i, own)| *own = r(i as f64 * TAU / count as f64) as f32);
        Self { radii, count: count as u8 }
    }

    /// Its radii at equal angles, m.
    pub fn radii(&self) -> &[f32] {
        &self.radii[..usize::from(self.count)]
    }

    /// The same in other numbers, m.
    pub fn radii_mut(&mut self) -> &mut [f32] {
        &mut self.radii[..usize::from(self.count)]
    }

    /// Its mirror image: the angles count the other way round.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        let mut image = *self;
        image.radii_mut()[1..].reverse();
        image
    }

    fn spacing(&self) -> f64 {
        TAU / f64::from(self.count)
    }

    /// The coefficients of the B-splines from `first` on.
    fn coefficients<const N: usize>(&self, first: i32) -> [f64; N] {
        let count = i32::from(self.count);
        let radius = |i: i32| f64::from(self.radii[i.rem_euclid(count) as usize]);
        std::array::from_fn(|j| {
            let middle = first + j as i32;
            let (mut sum, mut factor) = (radius(middle), 1.0);
            for i in 1..=TERMS {
                factor *= POLE;
                sum += factor * (radius(middle - i) + radius(middle + i));
            }
            3f64.sqrt() * sum
        })
    }

    /// The radius at an angle, rad.
    pub fn at(&self, angle: f64) -> Radius {
        let place = angle / self.spacing();
        let interval = place.floor();
        self.within(self.coefficients(interval as i32 - 1), place - interval)
    }

    /// The radius within an interval, of which `t`, 0 to 1, is behind.
    fn within(&self, [a, b, c, d]: [f64; 4], t: f64) -> Radius {
        let s = 1.0 - t;
        let r = (s * s * s * a
            + (4.0 - 6.0 * t * t + 3.0 * t * t * t) * b
            + (4.0 - 6.0 * s * s + 3.0 * s * s * s) * c
            + t * t * t * d)
            / 6.0;
        let slope = 0.5 * (-s * s * a + (3.0 * t * t - 4.0 * t) * b - (3.0 * s * s - 4.0 * s) * c + t * t * d);
        let curve = s * a + (3.0 * t - 2.0) * b + (3.0 * s - 2.0) * c + t * d;
        let per = 1.0 / self.spacing();
        Radius { r, slope: slope * per, curve: curve * per * per }
    }

    /// The curvature at an angle, 1/m; positive where it is convex.
    pub fn curvature(&self, angle: f64) -> f64 {
        let Radius { r, slope, curve } = self.at(angle);
        let square = r * r + slope * slope;
        (square + slope * slope - r * curve) / (square * square.sqrt())
    }

    /// Its least radius, m, and its least curvature, 1/m, of places a twentieth of an interval apart.
    pub fn extremes(&self) -> (f64, f64) {
        let places = 20 * u32::from(self.count);
        let angles = (0..places).map(|i| f64::from(i) * TAU / f64::from(places));
        angles.fold((f64::INFINITY, f64::INFINITY), |(r, k), angle| {
            (r.min(self.at(angle).r), k.min(self.curvature(angle)))
        })
    }

    /// The index of the radius whose end is nearest to a point of the plane, m.
    fn nearest_radius(&self, [x, y]: [f64; 2]) -> usize {
        let (sine, cosine) = self.spacing().sin_cos();
        // The point in axes that turn on from radius to radius.
        let (mut along, mut across) = (x, y);
        let (mut best, mut least) = (0, f64::INFINITY);
        for (i, r) in self.radii().iter().enumerate() {
            let r = f64::from(*r);
            // The square of the distance less that of the point.
            let off = r * (r - 2.0 * along);
            if off < least {
                (best, least) = (i, off);
            }
            (along, across) = (cosine * along + sine * across, cosine * across - sine * along);
        }
        best
    }

    /// The point of the curve that is nearest to a point of its plane, m.
    pub fn nearest(&self, [x, y]: [f64; 2]) -> Nearest {
        let best = self.nearest_radius([x, y]);
        let all: [f64; 5] = self.coefficients(best as i32 - 2);
        // From the place in intervals behind the best radius: half the derivative of the square of the distance, and its
        // derivative.
        let look = |place: f64| {
            let (four, t) = if place < 0.0 { ([0, 1, 2, 3], place + 1.0) } else { ([1, 2, 3, 4], place) };
            let radius = self.within(four.map(|i| all[i]), t);
            let angle = (best as f64 + place) * self.spacing();
            let (sine, cosine) = angle.sin_cos();
            let (along, across) = (x * cosine + y * sine, y * cosine - x * sine);
            let Radius { r, slope, curve } = radius;
            let half = r * slope - along * slope - across * r;
            let rate = slope * slope + r * curve - along * (curve - r) - 2.0 * across * slope;
            (radius, angle, along, across, half, rate)
        };
        let (mut least, mut most) = if look(0.0).4 > 0.0 { (-1.0, 0.0) } else { (0.0, 1.0) };
        let mut place = 0.0;
        for _ in 0..STEPS {
            let (.., half, rate) = look(place);
            (least, most) = if half > 0.0 { (least, place) } else { (place, most) };
            let newton = place - half / (rate * self.spacing());
            let next = if newton > least && newton < most { newton } else { 0.5 * (least + most) };
            let change = (next - place).abs();
            place = next;
            if change < CLOSE {
                break;
            }
        }
        let (Radius { r, slope, .. }, angle, along, across, ..) = look(place);
        let (sine, cosine) = angle.sin_cos();
        let length = r.hypot(slope).max(f64::MIN_POSITIVE);
        let normal = [(r * cosine + slope * sine) / length, (r * sine - slope * cosine) / length];
        Nearest { angle, normal, distance: ((along - r) * r - across * slope) / length }
    }
}

impl TryFrom<Vec<f32>> for Profile {
    type Error = String;

    fn try_from(radii: Vec<f32>) -> Result<Self, String> {
        Self::new(&radii)
    }
}

impl From<Profile> for Vec<f32> {
    fn from(profile: Profile) -> Self {
        profile.radii().to_vec()
    }
}

impl std::fmt::Debug for Profile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.radii()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Radius and eccentricity of a circular cam, m.
    const CIRCLE: (f64, f64) = (0.3, 0.1);

    /// r = e cos θ + √(R² − e² sin² θ).
    fn eccentric(angle: f64) -> f64 {
        let (radius, e) = CIRCLE;
        e * angle.cos() + (radius * radius - (e * angle.sin()).powi(2)).sqrt()
    }

    /// The spline goes through its radii, and approaches a smooth curve to the fourth order.
    #[test]
    fn the_spline_goes_through_its_radii() {
        let odd = Profile::new(&[0.3, 0.5, 0.2, 0.4, 0.35]).expect("five radii");
        for (i, r) in odd.radii().iter().enumerate() {
            let at = odd.at(i as f64 * TAU / 5.0 - TAU).r;
            assert!((at - f64::from(*r)).abs() < 1e-9, "{i}: {at}");
        }
        let errors = [18, 36, 72].map(|count| {
            let profile = Profile::of(count, eccentric);
            (0..1000).map(|i| f64::from(i) * 0.01).map(|t| (profile.at(t).r - eccentric(t)).abs()).fold(0.0, f64::max)
        });
        assert!(errors[0] > 10.0 * errors[1] && errors[2] < 2e-7, "{errors:?}; 32 bits have 2e-8");
    }

    /// The derivatives are those of the radius, and continuous over its places.
    #[test]
    fn derivatives() {
        let odd = Profile::new(&[0.3, 0.5, 0.2, 0.4, 0.35]).expect("five radii");
        let e = 1e-5;
        for i in 0..200 {
            let t = f64::from(i) * 0.05;
            let (before, now, after) = (odd.at(t - e), odd.at(t), odd.at(t + e));
            assert!(((after.r - before.r) / (2.0 * e) - now.slope).abs() < 1e-7, "at {t}");
            assert!(((after.slope - before.slope) / (2.0 * e) - now.curve).abs() < 1e-4, "at {t}");
        }
    }

    /// A circle about another point: the distance is that from its centre less its radius, the curvature 1/R.
    #[test]
    fn nearest_point_of_a_circle() {
        let (radius, e) = CIRCLE;
        let profile = Profile::of(MAX_RADII, eccentric);
        for i in 0..500 {
            let (angle, far) = (f64::from(i) * 0.37, 0.05 + 0.002 * f64::from(i));
            let (sine, cosine) = angle.sin_cos();
            let nearest = profile.nearest([e + far * cosine, far * sine]);
            assert!((nearest.distance - (far - radius)).abs() < 1e-6, "{angle}, {far}: {nearest:?}");
            let off = (nearest.normal[0] - cosine).hypot(nearest.normal[1] - sine);
            assert!(off < 2e-4, "{angle}, {far}: {nearest:?}");
            assert!((profile.curvature(angle) * radius - 1.0).abs() < 2e-3, "{}", profile.curvature(angle));
        }
    }

    /// Of a hollow curve the nearest point is nearer than all others.
    #[test]
    fn nearest_point_of_a_hollow_curve() {
        let profile = Profile::of(36, |t| 0.3 + 0.05 * (3.0 * t).cos() + 0.02 * (5.0 * t).sin());
        for i in 0..200 {
            let (angle, far) = (f64::from(i) * 0.37, 0.25 + 0.001 * f64::from(i));
            let p = [far * angle.cos(), far * angle.sin()];
            let least = (0..20_000).map(|i| f64::from(i) * TAU / 20_000.0).map(|t| {
                let r = profile.at(t).r;
                (p[0] - r * t.cos()).hypot(p[1] - r * t.sin())
            });
            let (least, found) = (least.fold(f64::INFINITY, f64::min), profile.nearest(p).distance.abs());
            // The points that are tried are at most 0.2 mm apart.
            let nearer = least * least - found * found;
            assert!((-1e-12..4e-8).contains(&nearer), "{p:?}: {found} is not {least}");
        }
    }

    /// Its image has the radius of the opposite angle.
    #[test]
    fn the_image() {
        let odd = Profile::new(&[0.3, 0.5, 0.2, 0.4, 0.35]).expect("five radii");
        assert!((odd.mirrored().at(0.7).r - odd.at(-0.7).r).abs() < 1e-12);
        assert!(Profile::new(&[1.0; 3]).is_err() && Profile::new(&[1.0; 73]).is_err());
    }
}
