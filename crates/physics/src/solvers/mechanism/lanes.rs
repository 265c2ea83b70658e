//! The numbers of a [`Part`] in vector registers: all eight in two, or the first four in one.

use wide::f64x4;

use super::blocks::Part;

/// The first 4 `H` numbers of a part.
#[derive(Clone, Copy)]
pub struct Lanes<const H: usize>([f64x4; H]);

impl<const H: usize> Lanes<H> {
    #[inline(always)]
    pub fn load(part: &Part) -> Self {
        let mut lanes = [f64x4::ZERO; H];
        for h in 0..H {
            let [a, b, c, d] = [part[4 * h], part[4 * h + 1], part[4 * h + 2], part[4 * h + 3]];
            lanes[h] = f64x4::from([a, b, c, d]);
        }
        Self(lanes)
    }

    #[inline(always)]
    pub fn store(self, part: &mut Part) {
        for h in 0..H {
            part[4 * h..4 * h + 4].copy_from_slice(&self.0[h].to_array());
        }
    }

    /// Adds `by` times another part.
    #[inline(always)]
    pub fn add_scaled(&mut self, part: &Self, by: f64) {
        let by = f64x4::splat(by);
        for h in 0..H {
            self.0[h] += part.0[h] * by;
        }
    }

    /// Subtracts `by` times another part.
    #[inline(always)]
    pub fn subtract_scaled(&mut self, part: &Self, by: f64) {
        let by = f64x4::splat(by);
        for h in 0..H {
            self.0[h] -= part.0[h] * by;
        }
    }

    /// Adds the sizes of `by` times another part.
    #[inline(always)]
    pub fn add_size(&mut self, part: &Self, by: f64) {
        let by = f64x4::splat(by);
        for h in 0..H {
            self.0[h] += (part.0[h] * by).abs();
        }
    }

    /// The dot product, summed as a tree: ((0 + 1) + (2 + 3)) + ((4 + 5) + (6 + 7)).
    #[inline(always)]
    pub fn dot(&self, other: &Self) -> f64 {
        let mut sum = 0.0;
        for h in 0..H {
            let [a, b, c, d] = (self.0[h] * other.0[h]).to_array();
            let four = (a + b) + (c + d);
            sum = if h == 0 { four } else { sum + four };
        }
        sum
    }
}
