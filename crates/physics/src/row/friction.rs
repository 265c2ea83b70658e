//! The friction model of a manifold: how its friction rows are bounded by its normal impulses.

use crate::kernel::limit_surface::Surface;

/// The friction model of a manifold, with its bounds.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum Friction {
    #[default]
    Off,
    /// Two tangents at the patch's centre and a twist row if `arm` > 0. With Λ = Σλn: ‖λt‖ ≤ mu Λ and |λ twist| ≤ mu
    /// arm Λ, bounded together by `surface`; ‖λ rolling‖ ≤ rolling Λ. `arm` and `rolling` are lengths, m.
    Patch { mu: f32, arm: f32, surface: Surface, rolling: f32 },
    /// Two tangents per point, ‖λt‖ ≤ mu λn.
    Cone { mu: f32, rolling: f32 },
    /// Two tangents per point, each |λ| ≤ mu λn.
    Pyramid { mu: f32, rolling: f32 },
}

impl Friction {
    /// The limit surface that bounds two tangents and a twist, or `Separate`.
    pub fn surface(&self) -> Surface {
        match self {
            Self::Patch { surface, .. } => *surface,
            _ => Surface::Separate,
        }
    }

    /// The bound of the rolling rows divided by Σλn, m.
    pub fn rolling(&self) -> f32 {
        match self {
            Self::Off => 0.0,
            Self::Patch { rolling, .. } | Self::Cone { rolling, .. } | Self::Pyramid { rolling, .. } => *rolling,
        }
    }
}
