//! How large the interface is drawn: steps that keep text sharp, kept in the user's configuration.

/// The steps, as factors of the screen's own scale.
const STEPS: [f32; 9] = [0.75, 0.9, 1.0, 1.1, 1.25, 1.4, 1.6, 1.8, 2.0];
const WHOLE: usize = 2;

/// The chosen scale: one of the steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UiScale(usize);

/// A change of scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UiScaleStep {
    Larger,
    Smaller,
    /// The screen's own scale.
    Whole,
}

impl Default for UiScale {
    fn default() -> Self {
        Self(WHOLE)
    }
}

impl UiScale {
    /// The step nearest to a factor; 1 for NaN.
    pub fn near(factor: f32) -> Self {
        let factor = if factor.is_finite() { factor } else { 1.0 };
        let nearest = (0..STEPS.len()).min_by(|a, b| (STEPS[*a] - factor).abs().total_cmp(&(STEPS[*b] - factor).abs()));
        Self(nearest.unwrap_or(WHOLE))
    }

    /// Points of the interface for each point of the screen.
    pub fn factor(self) -> f32 {
        STEPS[self.0]
    }

    /// The next step in this direction, if there is one.
    pub fn stepped(self, step: UiScaleStep) -> Self {
        match step {
            UiScaleStep::Larger => Self((self.0 + 1).min(STEPS.len() - 1)),
            UiScaleStep::Smaller => Self(self.0.saturating_sub(1)),
            UiScaleStep::Whole => Self(WHOLE),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kept_factor_comes_back_and_the_ends_hold() {
        for factor in STEPS {
            assert_eq!(UiScale::near(factor).factor(), factor);
        }
        for odd in [f32::NAN, f32::INFINITY, -f32::INFINITY] {
            assert_eq!(UiScale::near(odd), UiScale::default());
        }
        let largest = (0..20).fold(UiScale::default(), |s, _| s.stepped(UiScaleStep::Larger));
        let smallest = (0..20).fold(UiScale::default(), |s, _| s.stepped(UiScaleStep::Smaller));
        assert_eq!((smallest.factor(), largest.factor()), (0.75, 2.0));
        assert_eq!(largest.stepped(UiScaleStep::Whole).factor(), 1.0);
    }
}
