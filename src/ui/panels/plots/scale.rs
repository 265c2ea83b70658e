//! From where to where an axis goes, its lines, and what stands at them.

use egui_plot::{GridInput, GridMark};

use super::shown::quantity;
use crate::scene::PlotScale;
use crate::ui::widgets::angles;

/// Of values of a robust scale this share is left out at either end.
const OUTLIERS: f64 = 0.02;
/// Air above and below the curves, as a share of the axis.
const AIR: f64 = 0.12;

/// From where to where the axis of these values goes; of a logarithmic one by its exponents. `least` is reached in any
/// case, and so is zero where all values are shown.
pub(super) fn range(values: impl Iterator<Item = f64>, scale: PlotScale, least: f64) -> (f64, f64) {
    let mut values: Vec<f64> = values.filter(|value| value.is_finite()).collect();
    let (mut low, mut high) = match scale {
        PlotScale::Full => values.iter().fold((0.0f64, least.max(0.0)), |(l, h), v| (l.min(*v), h.max(*v))),
        PlotScale::Robust => {
            values.sort_by(f64::total_cmp);
            let at = |share: f64| values.get((share * values.len() as f64) as usize).or(values.last()).copied();
            let (low, high) = (at(OUTLIERS).unwrap_or(0.0), at(1.0 - OUTLIERS).unwrap_or(0.0));
            // What does not change has the width of its size.
            if high > low {
                (low, high)
            } else {
                (low - 0.5 * low.abs().max(least), high + 0.5 * high.abs().max(least))
            }
        }
        PlotScale::Logarithmic => {
            let exponents = values.iter().filter(|value| **value > 0.0).map(|value| value.log10());
            let (low, high) = exponents.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
            if low > high { (-3.0, 0.0) } else { (low.floor(), high.ceil()) }
        }
    };
    if high - low < 1e-12 * high.abs().max(low.abs()).max(1e-9) {
        (low, high) = (low - 1e-9_f64.max(1e-6 * low.abs()), high + 1e-9_f64.max(1e-6 * high.abs()));
    }
    let air = AIR * (high - low);
    // Below zero there is nothing of what is never negative.
    (if low == 0.0 && scale == PlotScale::Full { -0.02 * (high - low) } else { low - air }, high + air)
}

/// Where a value stands on an axis of this scale.
pub(super) fn placed(value: f64, scale: PlotScale) -> f64 {
    match scale {
        PlotScale::Logarithmic if value > 0.0 => value.log10(),
        PlotScale::Logarithmic => f64::NAN,
        _ => value,
    }
}

/// What stands at a place of an axis.
pub(super) fn read(at: f64, scale: PlotScale) -> f64 {
    if scale == PlotScale::Logarithmic { 10f64.powf(at) } else { at }
}

/// Grid lines at round numbers, about `count` of them.
pub(super) fn marks(input: &GridInput, count: f64) -> Vec<GridMark> {
    let (low, high) = input.bounds;
    let rough = (high - low) / count;
    if !(rough > 0.0 && rough.is_finite()) {
        return Vec::new();
    }
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|n| n * power).into_iter().find(|s| *s >= rough).unwrap_or(rough);
    let first = (low / step).ceil() as i64;
    let last = (high / step).floor() as i64;
    (first..=last.min(first.saturating_add(20))).map(|i| GridMark { value: i as f64 * step, step_size: step }).collect()
}

/// What stands at a grid line; of angles with as many decimals as its neighbours want.
pub(super) fn tick(mark: GridMark, unit: &str, scale: PlotScale) -> String {
    let GridMark { value, step_size } = mark;
    if scale == PlotScale::Logarithmic {
        return quantity(read(value, scale), unit);
    }
    if value == 0.0 {
        return "0".into();
    }
    if !angles::is_unit(unit) {
        return quantity(value, unit);
    }
    let decimals = (-step_size.log10().floor()).clamp(0.0, 9.0) as usize;
    let space = if unit.starts_with('°') { "" } else { " " };
    format!("{value:.decimals$}{space}{unit}").replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 1,000 values of 1 to 2 with a spike of a million: the whole axis has it, a robust one lets it go.
    #[test]
    fn a_robust_scale_lets_spikes_go_and_a_whole_one_has_all() {
        let values = || (0..1000).map(|k| if k == 500 { 1e6 } else { 1.0 + f64::from(k) / 1000.0 });
        let (low, high) = range(values(), PlotScale::Full, 0.0);
        assert!(low < 0.0 && high > 1e6);
        let (low, high) = range(values(), PlotScale::Robust, 0.0);
        assert!(low > 0.7 && low < 1.1 && high > 1.9 && high < 2.3, "{low} to {high}");
        let (low, high) = range(values(), PlotScale::Logarithmic, 0.0);
        assert!(low < 0.0 && low > -1.0 && high > 6.0 && high < 7.0, "{low} to {high}");
    }

    #[test]
    fn an_axis_is_never_empty_and_never_without_end() {
        for scale in [PlotScale::Full, PlotScale::Robust, PlotScale::Logarithmic] {
            for values in [vec![], vec![0.0; 5], vec![-3.0; 4], vec![f64::NAN, f64::INFINITY], vec![1e-300, 1e300]] {
                let (low, high) = range(values.iter().copied(), scale, 0.0);
                assert!(low < high && low.is_finite() && high.is_finite(), "{scale:?} {values:?}: {low} to {high}");
            }
        }
    }

    #[test]
    fn places_of_an_axis_lead_to_their_values_and_back() {
        for scale in [PlotScale::Full, PlotScale::Robust, PlotScale::Logarithmic] {
            assert!((read(placed(12.5, scale), scale) - 12.5).abs() < 1e-9);
        }
        assert!(placed(-1.0, PlotScale::Logarithmic).is_nan());
    }
}
