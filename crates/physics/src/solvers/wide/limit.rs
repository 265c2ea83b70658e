//! Lists of impulses that may exceed their limit surfaces, projected up to four at once.

use wide::f64x4;

use crate::kernel::limit_surface::{self, Surface};

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
        let unprojected = [self.slide.0, self.slide.1, self.torsion].map(f64::from);
        let [x, y, torsion] = limit_surface::project(surface, unprojected, self.radius.into()).0.map(|v| v as f32);
        (self.slide, self.torsion) = ((x, y), torsion);
    }
}

/// Projects up to four of them.
#[inline(never)]
fn project_several(surface: Surface, list: &mut [OverLimit]) {
    let gather = |get: fn(&OverLimit) -> f32| {
        let mut all = [0.0; 4];
        all.iter_mut().zip(&*list).for_each(|(to, unprojected)| *to = get(unprojected).into());
        f64x4::from(all)
    };
    let unprojected = [gather(|a| a.slide.0), gather(|a| a.slide.1), gather(|a| a.torsion)];
    let [x, y, torsion] = limit_surface::project(surface, unprojected, gather(|a| a.radius)).0.map(f64x4::to_array);
    for (k, unprojected) in list.iter_mut().enumerate() {
        (unprojected.slide, unprojected.torsion) = ((x[k] as f32, y[k] as f32), torsion[k] as f32);
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
        let bits =
            |unprojected: &OverLimit| [unprojected.slide.0, unprojected.slide.1, unprojected.torsion].map(f32::to_bits);
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
                for (unprojected, found) in list.into_iter().zip(several).take(1 + round % 7) {
                    let mut expected = unprojected;
                    expected.project(surface);
                    assert_eq!(bits(&found), bits(&expected), "{unprojected:?}: {found:?}, expected {expected:?}");
                    moved += usize::from(bits(&found) != bits(&unprojected));
                }
            }
        }
        assert!(moved > 10_000, "{moved}");
    }
}
