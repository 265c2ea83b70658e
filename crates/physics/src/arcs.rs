//! By how much a straight step misses the rows of an anchor or of a length, computed without cancellation.
//!
//! ```text
//! q(φ, r) = exp(φ) r − r − φ × r = a φ × (φ × r) + b φ × r        a = (1 − cos θ)/θ², b = sin θ/θ − 1, θ = ‖φ‖
//! p(h) − p = d = h (vB − vA) + φB × rB − φA × rA + qB − qA         φ = h ω of each body, r from its centre to its anchor
//! C = t · p, t carried by A:   e = C(h) − C − h J v = t · (qB − qA − φA × d + q(−φA, p + d))
//! C = ‖p‖, u = p/‖p‖, s = u · (d − qB + qA):   e = (2 p · (qB − qA) + d² − s (2 p · d + d²)/S)/S,  S = ‖p + d‖ + ‖p‖
//! ```
//! In 32 bits the difference C(h) − C is known to some 1e-7 m, and an impulse that closes it to m 1e-7/h²: a tenth of
//! the centripetal force at 4,000 sub-steps a second. Each term above is small by itself: none is the difference of
//! large numbers. Source: derived here.

use glam::Vec3;

use super::kernel::real::{Mask, Real};
use super::kernel::vector::Vectors;

/// a and b of a rotation.
#[derive(Debug, Clone, Copy)]
pub struct Curve<L> {
    pub a: L,
    pub b: L,
}

/// θ² up to which the series below are accurate to rounding.
const MAX_SERIES_SQUARE: f32 = 2.5;

/// a and b as power series of θ² up to [`MAX_SERIES_SQUARE`].
#[inline(always)]
fn series<L: Real<One = f32>>(square: L) -> Curve<L> {
    let sum = |terms: [f32; 6]| {
        let [first, second, third, fourth, fifth, sixth] = terms.map(L::splat);
        first + square * (second + square * (third + square * (fourth + square * (fifth + square * sixth))))
    };
    const A: [f32; 6] = [0.5, -1.0 / 24.0, 1.0 / 720.0, -1.0 / 40_320.0, 1.0 / 3_628_800.0, -1.0 / 479_001_600.0];
    const B: [f32; 6] =
        [-1.0 / 6.0, 1.0 / 120.0, -1.0 / 5_040.0, 1.0 / 362_880.0, -1.0 / 39_916_800.0, 1.0 / 6_227_020_800.0];
    Curve { a: sum(A), b: square * sum(B) }
}

impl<L: Real<One = f32>> Curve<L> {
    /// Of the rotation by `turn`, an axis times its angle in rad.
    #[inline(always)]
    pub fn of(turn: Vectors<L>) -> Self {
        let square = turn.dot(turn);
        let small = square.le(L::splat(MAX_SERIES_SQUARE));
        let mut curve = series(square);
        if !small.all() {
            for lane in (0..L::LANES).filter(|lane| !small.lane(*lane)) {
                let square = square.lane(lane);
                let angle = square.sqrt();
                let (sin, cos) = angle.sin_cos();
                curve.a.set_lane(lane, (1.0 - cos) / square);
                curve.b.set_lane(lane, sin / angle - 1.0);
            }
        }
        curve
    }

    /// `yes` in the lanes of the mask, `no` in the others.
    #[inline(always)]
    pub fn select(mask: L::Mask, yes: Self, no: Self) -> Self {
        Self { a: L::select(mask, yes.a, no.a), b: L::select(mask, yes.b, no.b) }
    }
}

/// One end of a joint and its displacement in a step.
#[derive(Debug, Clone, Copy)]
pub struct End<L> {
    /// h v of the body's centre, m, and h ω, rad; world axes.
    pub shift: Vectors<L>,
    pub turn: Vectors<L>,
    pub curve: Curve<L>,
    /// From the body's centre to the anchor at the step's beginning, world axes, m.
    pub arm: Vectors<L>,
}

/// q(φ, r): what a rotation by φ adds to φ × r.
#[inline(always)]
fn higher_order<L: Real>(curve: Curve<L>, turn: Vectors<L>, r: Vectors<L>) -> Vectors<L> {
    let around = turn.cross(r);
    around * curve.b + turn.cross(around) * curve.a
}

/// The displacement of one anchor relative to another in a step, world axes, m: to first order, and what the arcs add.
#[derive(Debug, Clone, Copy)]
pub struct Displacements<L> {
    straight: Vectors<L>,
    curved: Vectors<L>,
}

impl<L: Real> Displacements<L> {
    /// The displacement of `to`'s anchor minus that of `from`'s.
    #[inline(always)]
    pub fn of(from: &End<L>, to: &End<L>) -> Self {
        Self {
            straight: (to.shift - from.shift) + (to.turn.cross(to.arm) - from.turn.cross(from.arm)),
            curved: higher_order(to.curve, to.turn, to.arm) - higher_order(from.curve, from.turn, from.arm),
        }
    }

    /// The vector whose component along an axis t is e of the row along t; world axes, m. `gap` is p, the vector from
    /// `from`'s anchor to `to`'s at the step's start, m. The axes rotate with the body whose turn and curve are given.
    #[inline(always)]
    pub fn missed(&self, gap: Vectors<L>, (carried, curve): (Vectors<L>, Curve<L>)) -> Vectors<L> {
        let displacement = self.straight + self.curved;
        self.curved - carried.cross(displacement) + higher_order(curve, -carried, gap + displacement)
    }
}

impl Displacements<f32> {
    /// e of the row of the distance ‖p‖, m; `gap` is p.
    pub fn stretched(&self, gap: Vectors<f32>) -> f32 {
        let displacement = self.straight + self.curved;
        let (before, after) = (gap.dot(gap).sqrt(), (gap + displacement).dot(gap + displacement).sqrt());
        let both = before + after;
        if before == 0.0 {
            return 0.0;
        }
        let along = gap.dot(self.straight) / before;
        (2.0 * gap.dot(self.curved) + displacement.dot(displacement)
            - along * (2.0 * gap.dot(displacement) + displacement.dot(displacement)) / both)
            / both
    }
}

/// A vector as [`Vectors`] of one lane.
pub fn one(v: Vec3) -> Vectors<f32> {
    Vectors { x: v.x, y: v.y, z: v.z }
}

#[cfg(test)]
mod tests {
    use glam::{DQuat, DVec3};

    use super::*;

    /// C(h) − C − h J v in 64 bits, for steps from 1e-4 to two radians and gaps from none to a metre.
    #[test]
    fn what_a_straight_step_misses_is_known_to_rounding() {
        let (shift_a, turn_a) = (Vec3::new(0.3, -0.2, 0.5), Vec3::new(-0.4, 0.7, 0.2));
        let turn_b = Vec3::new(0.5, 0.1, -0.6);
        let (arm_a, arm_b) = (Vec3::new(0.7, -0.3, 0.4), Vec3::new(-0.2, 0.9, 0.1));
        for size in [1e-4f32, 1e-3, 1e-2, 0.1, 0.5, 1.0, 2.5] {
            for gap in [Vec3::ZERO, Vec3::new(0.3, -0.9, 0.4)] {
                let end = |shift: Vec3, turn: Vec3, arm| End {
                    shift: one(shift * size),
                    turn: one(turn * size),
                    curve: Curve::of(one(turn * size)),
                    arm: one(arm),
                };
                // Anchors that nearly move as one, as those of a joint do.
                let shift_b = shift_a + turn_a.cross(arm_a + gap) - turn_b.cross(arm_b);
                let (a, b) = (end(shift_a, turn_a, arm_a), end(shift_b, turn_b, arm_b));
                let displacements = Displacements::of(&a, &b);
                let found = displacements.missed(one(gap), (a.turn, a.curve));
                let wide = |v: Vectors<f32>| Vec3::new(v.x, v.y, v.z).as_dvec3();
                let displacement = |end: &End<f32>| {
                    let turn = DQuat::from_scaled_axis(wide(end.turn));
                    wide(end.shift) + turn * wide(end.arm) - wide(end.arm)
                };
                let (p, back) = (gap.as_dvec3(), DQuat::from_scaled_axis(-wide(a.turn)));
                let straight = wide(b.shift) + wide(b.turn).cross(wide(b.arm))
                    - wide(a.shift)
                    - wide(a.turn).cross(wide(a.arm) + p);
                let exact: DVec3 = back * (p + displacement(&b) - displacement(&a)) - p - straight;
                let error = wide(found).distance(exact);
                assert!(error < 2e-6 * f64::from(size * size), "{size}, {gap}: {error:e} of {}", exact.length());
                let elongation = (p + displacement(&b) - displacement(&a)).length()
                    - p.length()
                    - p.normalize_or_zero().dot(straight);
                let error = (f64::from(displacements.stretched(one(gap))) - elongation).abs();
                assert!(
                    gap == Vec3::ZERO || error < 2e-6 * f64::from(size * size),
                    "{size}, {gap}: {error:e} of {elongation}"
                );
            }
        }
    }
}
