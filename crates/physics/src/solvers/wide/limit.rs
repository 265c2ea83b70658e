//! `limit_surface::project` for up to four contacts at once, with the same operations in the same order.

use wide::f64x4;

use crate::limit_surface::{self, BEND, INSIDE, ROUNDS, Surface};

/// Support function H of the disc and its derivatives H', H'' in the unit directions (c, s).
#[inline(always)]
fn support(c: f64x4, s: f64x4) -> (f64x4, f64x4, f64x4) {
    let of = f64x4::splat;
    let (x, product) = (c * c, c * s);
    let [h, first, second] = limit_surface::polynomial(x, f64x4::splat);
    (h, of(-2.0) * product * first, of(4.0) * product * product * second - of(2.0) * (x - s * s) * first)
}

/// The point of the unit surface nearest to each (f, m), as force and moment, and a mask of those that lie outside.
#[inline(always)]
fn nearest(surface: Surface, f: f64x4, m: f64x4) -> (f64x4, f64x4, f64x4) {
    let size = (f * f + m * m).sqrt();
    let (mut c, mut s) = (f / size, m / size);
    if surface != Surface::Disc {
        return (c, s, size.simd_gt(f64x4::ONE));
    }
    let far = !size.simd_le(f64x4::splat(INSIDE));
    if !far.any() {
        return (c, s, far);
    }
    for _ in 0..ROUNDS {
        let (_, first, second) = support(c, s);
        let half = f64x4::HALF * (m * c - f * s - first) / (f * c + m * s + second).fast_max(f64x4::splat(BEND));
        let share = f64x4::ONE / (f64x4::ONE + half * half);
        let (along, across) = (share * (f64x4::ONE - half * half), share * (half + half));
        (c, s) = (along * c - across * s, along * s + across * c);
        let (past, before) = (c.simd_lt(f64x4::ZERO), s.simd_lt(f64x4::ZERO));
        (c, s) = (past.select(f64x4::ZERO, c), past.select(f64x4::ONE, s));
        let before = !past & before;
        (c, s) = (before.select(f64x4::ONE, c), before.select(f64x4::ZERO, s));
    }
    let (h, first, _) = support(c, s);
    (h * c - first * s, h * s + first * c, far & (f * c + m * s).simd_gt(h))
}

/// Friction impulses of one contact that may exceed its limit surface, N·s.
#[derive(Debug, Clone, Copy, Default)]
pub struct OverLimit {
    /// Along the two tangents.
    pub slide: (f32, f32),
    /// Divided by the lever arm r_p, N·s.
    pub torsion: f32,
    /// Size of the limit surface.
    pub radius: f32,
    /// The group and lane that they belong to.
    pub group: u8,
    pub lane: u8,
}

/// Projects the impulses of the list on their surfaces, four at a time, because each projection is a chain of
/// dependent roots and divisions.
pub fn project(surface: Surface, list: &mut [OverLimit]) {
    for four in list.chunks_mut(4) {
        match four {
            [one] => one.project(surface),
            several => project_several(surface, several),
        }
    }
}

impl OverLimit {
    fn project(&mut self, surface: Surface) {
        let slide = (f64::from(self.slide.0), f64::from(self.slide.1));
        if let Some((slide, torsion)) = limit_surface::project(surface, slide, self.torsion.into(), self.radius.into())
        {
            (self.slide, self.torsion) = ((slide.0 as f32, slide.1 as f32), torsion as f32);
        }
    }
}

/// Projects up to four of them.
#[inline(never)]
fn project_several(surface: Surface, list: &mut [OverLimit]) {
    let of = |get: fn(&OverLimit) -> f32| {
        let mut all = [0.0; 4];
        all.iter_mut().zip(&*list).for_each(|(to, asked)| *to = get(asked).into());
        f64x4::from(all)
    };
    let (x, y, torsion, radius) = (of(|a| a.slide.0), of(|a| a.slide.1), of(|a| a.torsion), of(|a| a.radius));
    let along = (x * x + y * y).sqrt();
    let (force, moment, outside) = nearest(surface, along / radius, torsion.abs() / radius);
    let share = along.simd_gt(f64x4::ZERO).select(force * radius / along, f64x4::ZERO);
    let (x, y, moment) = ((x * share).to_array(), (y * share).to_array(), (moment * radius).to_array());
    let outside = outside.to_bitmask();
    for (k, asked) in list.iter_mut().enumerate() {
        if asked.radius <= 0.0 {
            (asked.slide, asked.torsion) = ((0.0, 0.0), 0.0);
        } else if outside & (1 << k) != 0 {
            let torsion = moment[k].copysign(asked.torsion.into());
            (asked.slide, asked.torsion) = ((x[k] as f32, y[k] as f32), torsion as f32);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Random directions inside and outside, with and without load: each result has the bits of the scalar
    /// projection.
    #[test]
    fn several_have_the_bits_of_one_at_a_time() {
        let mut state = 11u32;
        let mut number = move || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 23) as f32 - 1.0
        };
        let bits = |asked: &OverLimit| [asked.slide.0, asked.slide.1, asked.torsion].map(f32::to_bits);
        let mut moved = 0;
        for surface in [Surface::Disc, Surface::Ellipsoid] {
            for round in 0..20_000 {
                let size = [0.6, 1.0, 30.0, 1e-4][round % 4];
                let mut one = || OverLimit {
                    slide: (size * number(), size * number()),
                    torsion: size * number(),
                    radius: number().max(0.0),
                    ..OverLimit::default()
                };
                let list: [OverLimit; 7] = std::array::from_fn(|_| one());
                let mut several = list;
                project(surface, &mut several[..1 + round % 7]);
                for (asked, found) in list.into_iter().zip(several).take(1 + round % 7) {
                    let mut expected = asked;
                    expected.project(surface);
                    assert_eq!(bits(&found), bits(&expected), "{asked:?}: {found:?}, expected {expected:?}");
                    moved += usize::from(bits(&found) != bits(&asked));
                }
            }
        }
        assert!(moved > 10_000, "{moved}");
    }
}
