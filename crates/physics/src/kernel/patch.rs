//! Where a contact's rows act: lever arms, tangents, the centre of its patch, and the step that its friction rows share.
//!
//! ```text
//! normal   at the point, or at the two points that will meet, `side` away to either side (`collide/ahead.rs`)
//! friction at a point's or the patch's centre; across a gap each body has its own lever arm, to its own surface
//! centre   the mean of the points whose gap is at most max(0, least gap) + slop, weighted by their last loads; their
//!          plain mean if none is loaded
//! step     s = min over the bound rows of (1/K)/a²,  1/K ← s a²      a = 1 of a slide, the lever arm of a twist
//! ```
//! With a step for each row the direction of slip would be off by up to a tenth (erratum 12). Source: 000 Friction; 003.

use super::real::Real;
use super::vector::Vector;

/// Two unit tangents to the unit normal `n`, which change as little as possible when it rotates. Source: Duff, Burgess,
/// Christensen, Hery, Kensler, Liani and Villemin 2017.
#[inline(always)]
pub fn tangents<R: Real, V: Vector<R>>(n: V) -> (V, V) {
    let [x, y, z] = n.components();
    let sign = R::ONE.copysign(z);
    let a = -R::ONE / (sign + z);
    let b = x * y * a;
    (V::of([R::ONE + sign * x * x * a, sign * b, -sign * x]), V::of([b, sign + y * y * a, -y]))
}

/// Lever arms from the centres of two bodies to where a row acts on each, world axes, m.
#[derive(Debug, Clone, Copy)]
pub struct LeverArms<V> {
    pub a: V,
    pub b: V,
}

impl<V: Copy> LeverArms<V> {
    /// Of a normal row at `point`; `centres` are those of the two bodies.
    #[inline(always)]
    pub fn of_normal<R>(point: V, side: V, (a, b): (V, V)) -> Self
    where
        V: Vector<R>,
    {
        Self { a: point - side - a, b: point + side - b }
    }

    /// Of friction at `point` with this gap, m, along the unit normal `n`.
    #[inline(always)]
    pub fn of_friction<R: Real>((point, gap): (V, R), n: V, side: V, (a, b): (V, V)) -> Self
    where
        V: Vector<R>,
    {
        let half = n * (R::HALF * gap.larger(R::ZERO)) + side;
        Self { a: point - half - a, b: point + half - b }
    }

    /// The angular parts of a row along `t`.
    #[inline(always)]
    pub fn angular<R>(&self, t: V) -> (V, V)
    where
        V: Vector<R>,
    {
        (t.cross(self.a), self.b.cross(t))
    }
}

/// The greatest gap of a point that counts as touching, m, where `least` is that of the deepest one.
#[inline(always)]
pub fn greatest_touching_gap<R: Real>(least: R, slop: R) -> R {
    least.larger(R::ZERO) + slop
}

/// The mean of the points that touch, m, and their mean gap, m, each weighted by its load. A point is given by its
/// position, its gap and its load, of any unit and at least zero. Without any load the points count alike.
#[inline(always)]
pub fn centre_and_gap<R: Real<One = f32>, V: Vector<R>>(
    points: impl Iterator<Item = (V, R, R)> + Clone,
    slop: R,
) -> (V, R) {
    let least = points.clone().fold(R::splat(f32::INFINITY), |least, (_, gap, _)| least.smaller(gap));
    let bound = greatest_touching_gap(least, slop);
    let loads = points.clone().fold(R::ZERO, |sum, (_, gap, load)| sum + load.masked(gap.le(bound)));
    let loaded = loads.gt(R::ZERO);
    let (mut place, mut sum, mut total) = (V::default(), R::ZERO, R::ZERO);
    for (at, gap, load) in points {
        let weight = R::select(loaded, load, R::ONE).masked(gap.le(bound));
        place += at * weight;
        sum += gap * weight;
        total += weight;
    }
    let total = R::select(total.gt(R::ZERO), total, R::ONE);
    (V::of(place.components().map(|part| part / total)), sum / total)
}

/// Gives rows that are bound together one step, that of the slowest. Each row is its 1/K, with the square of its lever
/// arm, m², if it is a twist. Rows that move nothing stay off and do not count.
#[inline(always)]
pub fn common_step<R: Real<One = f32>, const N: usize>(rows: [(&mut R, Option<R>); N]) {
    let mut least = R::splat(f32::INFINITY);
    for (inv_k, square) in &rows {
        let step = square.map_or(**inv_k, |square| **inv_k / square);
        least = R::select(step.gt(R::ZERO), least.smaller(step), least);
    }
    for (inv_k, square) in rows {
        *inv_k = square.map_or(least, |square| least * square).masked(inv_k.gt(R::ZERO));
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;
    use wide::f32x8;

    use super::*;
    use crate::kernel::vector::Vectors;

    const NORMALS: [[f32; 3]; 8] = [
        [0.0, 0.0, 1.0],
        [0.0, 0.0, -1.0],
        [1.0, 0.0, 0.0],
        [0.6, 0.0, -0.8],
        [-0.48, 0.64, 0.6],
        [0.0, 1.0, -0.0],
        [0.8, -0.6, 0.0],
        [-0.36, -0.48, 0.8],
    ];

    #[test]
    fn tangents_are_those_of_glam_in_every_lane() {
        let across = |k: usize| f32x8::from(NORMALS.map(|n| n[k]));
        let lanes = tangents(Vectors { x: across(0), y: across(1), z: across(2) });
        for (lane, n) in NORMALS.into_iter().enumerate() {
            let n = Vec3::from_array(n);
            assert_eq!(tangents(n), n.any_orthonormal_pair());
            assert_eq!((lanes.0.lane(lane), lanes.1.lane(lane)), n.any_orthonormal_pair());
        }
    }

    /// Of four points two touch: those within the slop of the deepest.
    #[test]
    fn the_centre_is_that_of_the_points_that_touch() {
        let at = [(1.0, -2e-3), (2.0, 5e-4), (4.0, 2e-3), (8.0, 1.0)].map(|(x, gap)| (Vec3::X * x, gap));
        let with = |loads: [f32; 4]| std::array::from_fn::<_, 4, _>(|k| (at[k].0, at[k].1, loads[k]));
        let cases = [
            ([0.0; 4], (1.5, (-2e-3 + 5e-4) / 2.0)),
            // Three quarters of the load are on the second point. What a point far away carried no longer counts.
            ([1.0, 3.0, 0.0, 9.0], (1.75, (-2e-3 + 3.0 * 5e-4) / 4.0)),
            ([0.0, 0.0, 2.0, 0.0], (1.5, (-2e-3 + 5e-4) / 2.0)),
        ];
        for (loads, (x, mean_gap)) in cases {
            let (centre, gap) = centre_and_gap(with(loads).into_iter(), 1e-3);
            assert_eq!((centre, gap), (Vec3::X * x, mean_gap), "{loads:?}");
            let lanes = with(loads).into_iter().map(|(at, gap, load)| {
                let [x, y, z] = at.to_array().map(f32x8::splat);
                (Vectors { x, y, z }, f32x8::splat(gap), f32x8::splat(load))
            });
            assert_eq!(centre_and_gap(lanes, f32x8::splat(1e-3)).0.lane(3), centre, "{loads:?}");
        }
    }

    #[test]
    fn the_slowest_row_sets_the_step_and_a_row_that_is_off_stays_off() {
        let (mut first, mut second, mut twist) = (2.0f32, 0.0, 0.1);
        // Of the twist with an arm of 0.2 m, 0.1/0.04 = 2.5.
        common_step([(&mut first, None), (&mut second, None), (&mut twist, Some(0.04))]);
        assert_eq!((first, second, twist), (2.0, 0.0, 2.0 * 0.04));
    }
}
