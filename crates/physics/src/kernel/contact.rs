//! Bias and softness of a contact's normal row, from its gap.
//!
//! ```text
//! C ≥ 0   b = b' = C/h                                      speculative: the gap may close and no more
//! C < 0   c = max((β/h) min(0, C + slop), −push-out speed)   to b, or to the split correction's b'
//! soft    γ = give K, where c < 0: an overlap beyond the slop      1/(K + γ) = (1/K)/(1 + give)
//! curved  b ← b + a, of an open gap at least zero      a: how much faster the gap grows than J u says (`rolling.rs`)
//! ```
//! A contact with a body that does not move may be pushed otherwise than one between two that do: TGS soft does so.
//! Restitution is no bias: see `restitution.rs`. Source: 000 Contact; errata 2, 9.

use super::real::Real;

/// What the settings say of the normals of all contacts, for a sub-step.
#[derive(Debug, Clone, Copy)]
pub struct NormalTerms<R> {
    /// Length of the sub-step, s.
    pub h: R,
    /// Whether the split position correction removes overlaps.
    pub split: bool,
    /// Between bodies that move.
    pub moving: Push<R>,
    /// With a body that does not.
    pub grounded: Push<R>,
}

/// How overlaps are pushed out.
#[derive(Debug, Clone, Copy)]
pub struct Push<R> {
    /// Bias per error, 1/s: β/h, or that of the soft row.
    pub rate: R,
    /// The greatest push-out speed, m/s.
    pub max: R,
    /// γ/K of soft stabilisation; zero for rigid rows.
    pub softness: R,
}

impl Push<f32> {
    fn in_lanes<R: Real<One = f32>>(&self) -> Push<R> {
        Push { rate: R::splat(self.rate), max: R::splat(self.max), softness: R::splat(self.softness) }
    }
}

impl NormalTerms<f32> {
    /// The same in all lanes.
    pub fn in_lanes<R: Real<One = f32>>(&self) -> NormalTerms<R> {
        NormalTerms {
            h: R::splat(self.h),
            split: self.split,
            moving: self.moving.in_lanes(),
            grounded: self.grounded.in_lanes(),
        }
    }
}

/// Bias of a normal row.
#[derive(Debug, Clone, Copy)]
pub struct NormalBias<R: Real> {
    /// b, m/s.
    pub bias: R,
    /// The same for the split position correction, m/s.
    pub pseudo_bias: R,
    /// The lanes that overlap beyond their slop, and may be soft.
    pub overlapping: R::Mask,
    /// γ/K of those.
    pub softness: R,
}

/// The overlap beyond the slop as a negative gap, m; zero for a smaller overlap.
#[inline(always)]
pub fn beyond_slop<R: Real<One = f32>>(gap: R, slop: R) -> R {
    (gap + slop).smaller(R::ZERO)
}

impl<R: Real<One = f32>> NormalTerms<R> {
    /// Of the gap C and the pair's slop, m, and the curvature bias a, m/s. The mask says which contacts have a body that
    /// does not move.
    #[inline(always)]
    pub fn bias(&self, (gap, curvature): (R, R), slop: R, grounded: R::Mask) -> NormalBias<R> {
        let of = |grounded_value: R, value: R| R::select(grounded, grounded_value, value);
        let rate = of(self.grounded.rate, self.moving.rate);
        let max_push = of(self.grounded.max, self.moving.max);
        let open = gap.ge(R::ZERO);
        let closes = gap / self.h;
        let push = (rate * beyond_slop(gap, slop)).larger(-max_push);
        let (bias, pseudo_bias) = if self.split { (R::ZERO, push) } else { (push, R::ZERO) };
        let bias = R::select(open, closes, bias);
        let curves = !curvature.same(R::ZERO);
        let curved = R::select(open, (bias + curvature).larger(R::ZERO), bias + curvature);
        NormalBias {
            bias: R::select(curves, curved, bias),
            pseudo_bias: R::select(open, closes, pseudo_bias),
            overlapping: !open & push.lt(R::ZERO),
            softness: of(self.grounded.softness, self.moving.softness),
        }
    }
}

/// Bias over C, 1/s, and γ/K of a rigid row made soft: k = m ω², c = 2 ζ m ω with m = 1/K, so that the mass cancels.
pub fn soft(hertz: f32, damping_ratio: f32, h: f32) -> (f32, f32) {
    let omega = std::f32::consts::TAU * hertz;
    let stiff = 2.0 * damping_ratio + h * omega;
    (omega / stiff, 1.0 / (h * omega * stiff))
}

/// 1/(K + γ) and γ of rows of this 1/K that are soft in the lanes of the mask; `softness` is γ/K. A row that is off
/// stays off.
#[inline(always)]
pub fn soften<R: Real<One = f32>>(inv_k: R, softness: R, mask: R::Mask) -> (R, R) {
    let soft = mask & inv_k.gt(R::ZERO);
    (R::select(soft, inv_k / (R::ONE + softness), inv_k), (softness / inv_k).masked(soft))
}

/// The gap over h that remains, m/s, after a sub-step with the speed J u, of a row whose bias is b = C/h > 0.
#[inline(always)]
pub fn left_open<R: Real<One = f32>>(bias: R, speed: R) -> R {
    (bias + speed).larger(R::ZERO)
}
