//! The range of an axis, its grid lines and their labels.

use egui_plot::{GridInput, GridMark};

use super::shown::quantity;
use crate::widgets::{angles, graph, number};
use delassus_scene::PlotScale;

/// The share of values that a robust scale leaves out at either end.
const OUTLIERS: f64 = 0.02;
/// Margin above and below the curves, as a share of the axis.
const AIR: f64 = 0.12;

/// The least span of an axis of a given unit, so that rounding errors do not fill a plot. The world is computed in
/// single precision, in which numbers near 1 have steps of 1.2e-7 and numbers near 10 steps of 1e-6.
///
/// ```text
/// angles                 1e-3° = 1.7e-5 rad: about a hundred such steps, since rotations have rounded components
/// positions and errors   10 µm: about ten steps at 10 m from the origin
/// speeds                 0.1 mm/s, 1e-3°/s: such errors divided by a time of 0.1 s
/// all else               1e-6 of the unit: of a newton, a joule
/// ```
/// Smaller values can still be read under the pointer and on a logarithmic axis.
pub(super) fn least_span(unit: &str) -> f64 {
    match unit {
        "°" | "°/s" => 1e-3,
        "rad" | "rad/s" => 1e-3f64.to_radians(),
        "m" => 1e-5,
        "m/s" => 1e-4,
        _ => 1e-6,
    }
}

/// The span of an axis whose values are all zero: 1 mm for lengths, else one of the unit.
pub(super) fn zero_span(unit: &str) -> f64 {
    if unit == "m" { 1e-3 } else { 1.0 }
}

/// The least span of any axis.
const MIN_SPAN: f64 = 1e-9;
/// A hundredth of the values is left out of a logarithmic axis if it lies so many decades below the others.
const FAR_BELOW: f64 = 2.0;
/// Rounding error of a value in single precision, taken as sixteen steps, as a share of the value.
const ROUNDING: f64 = 16.0 * f32::EPSILON as f64;

/// The range of the axis for these values; exponents for a logarithmic scale. It spans at least `least`, and more
/// than the rounding error of the values. With [`PlotScale::Full`] it includes zero.
pub(super) fn range(values: impl Iterator<Item = f64>, scale: PlotScale, least: f64) -> (f64, f64) {
    let mut values: Vec<f64> = values.filter(|value| value.is_finite()).collect();
    let (mut low, mut high) = match scale {
        PlotScale::Full => values.iter().fold((0.0f64, 0.0f64), |(l, h), v| (l.min(*v), h.max(*v))),
        PlotScale::Robust => {
            values.sort_by(f64::total_cmp);
            let at = |share: f64| values.get((share * values.len() as f64) as usize).or(values.last()).copied();
            (at(OUTLIERS).unwrap_or(0.0), at(1.0 - OUTLIERS).unwrap_or(0.0))
        }
        PlotScale::Logarithmic => {
            let mut exponents: Vec<f64> =
                values.iter().filter(|value| **value > 0.0).map(|value| value.log10()).collect();
            exponents.sort_by(f64::total_cmp);
            // The residual of a run's first step is often mere rounding, many decades below all others.
            let rare = (exponents.len() / 100).max(usize::from(exponents.len() > 10));
            let least = exponents.first().zip(exponents.get(rare));
            let low = least.map(|(first, usual)| if *first < usual - FAR_BELOW { *usual } else { *first });
            low.zip(exponents.last()).map_or((-3.0, 0.0), |(low, high)| (low.floor(), high.ceil()))
        }
    };
    let size = high.abs().max(low.abs());
    if scale != PlotScale::Logarithmic && high - low <= least.max(ROUNDING * size) {
        let least = least.max(MIN_SPAN);
        (low, high) = match (scale, high > 0.0, low < 0.0) {
            // The axis of a constant value spans the size of the value.
            (PlotScale::Robust, ..) => (low - 0.5 * size.max(least), high + 0.5 * size.max(least)),
            (_, _, false) => (low, low + least),
            (_, false, true) => (high - least, high),
            (_, true, true) => (low - 0.5 * least, high + 0.5 * least),
        };
    } else if high == low {
        high += 1.0;
    }
    let air = AIR * (high - low);
    // Only a small margin below zero if no value is negative.
    (if low == 0.0 && scale == PlotScale::Full { -0.02 * (high - low) } else { low - air }, high + air)
}

/// The coordinate of a value on an axis of this scale.
pub(super) fn placed(value: f64, scale: PlotScale) -> f64 {
    match scale {
        PlotScale::Logarithmic if value > 0.0 => value.log10(),
        PlotScale::Logarithmic => f64::NAN,
        _ => value,
    }
}

/// The value at a coordinate of an axis; the inverse of [`placed`].
pub(super) fn read(at: f64, scale: PlotScale) -> f64 {
    if scale == PlotScale::Logarithmic { 10f64.powf(at) } else { at }
}

/// Grid lines at round numbers that are `least` or more apart, about `count` of them, and if possible two at least.
pub(in crate::panels) fn marks(input: &GridInput, count: f64, least: f64) -> Vec<GridMark> {
    let (low, high) = input.bounds;
    let rough = ((high - low) / count).max(least);
    if !(rough > 0.0 && rough.is_finite()) {
        return Vec::new();
    }
    let power = 10f64.powf(rough.log10().floor());
    let ends = |step: f64| ((low / step).ceil() as i64, (high / step).floor() as i64);
    let steps = [10.0, 5.0, 2.0, 1.0, 0.5].map(|n| n * power);
    let largest = steps.iter().rposition(|step| *step >= rough).unwrap_or(0);
    // From −90 to 90 the hundreds alone would leave 0.
    let finer = steps[largest..].iter().take_while(|step| **step >= least).copied();
    let several = finer.take(3).find(|step| ends(*step).1 > ends(*step).0);
    let step = several.unwrap_or(steps[largest].max(least));
    let (first, last) = ends(step);
    (first..=last.min(first.saturating_add(20))).map(|i| GridMark { value: i as f64 * step, step_size: step }).collect()
}

/// The label of a grid line, with as many decimals as distinguish it from its neighbours.
pub(in crate::panels) fn tick(mark: GridMark, unit: &str, scale: PlotScale) -> String {
    let GridMark { value, step_size } = mark;
    if scale == PlotScale::Logarithmic {
        // Below the smallest prefix, or below the second decimal of a unit without prefixes: on a logarithmic axis no
        // label may read 0.
        let bare = angles::is_unit(unit) || unit.is_empty();
        let small = if bare { value < -1.5 } else { value < -9.0 };
        let space = if unit.starts_with('°') || unit.is_empty() { "" } else { " " };
        return if small {
            format!("{}{space}{unit}", graph::power_of_ten(value))
        } else {
            quantity(read(value, scale), unit)
        };
    }
    if value == 0.0 {
        return "0".into();
    }
    if !angles::is_unit(unit) && !unit.is_empty() {
        return number::told_apart(value, unit, step_size);
    }
    let decimals = (-step_size.log10().floor()).clamp(0.0, 9.0) as usize;
    let space = if unit.starts_with('°') || unit.is_empty() { "" } else { " " };
    format!("{value:.decimals$}{space}{unit}").replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From −90 to 90 the only line was at 0.
    #[test]
    fn an_axis_has_more_than_one_number() {
        for (low, high, count) in [(-90.0, 90.0, 2.6), (-49.0, 49.0, 2.6), (0.1, 0.95, 2.0), (-7.0, 7.0, 2.0)] {
            let input = GridInput { bounds: (low, high), base_step_size: 0.1 };
            let marks = marks(&input, count, 0.0);
            assert!((2..=6).contains(&marks.len()), "{low} to {high}: {marks:?}");
        }
        let input = GridInput { bounds: (0.2, 1.4), base_step_size: 0.1 };
        assert_eq!(marks(&input, 8.0, 1.0).len(), 1, "whole numbers only");
    }

    /// 1000 values from 1 to 2 with one spike of a million: the full scale includes it, the robust one does not.
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

    /// Angular errors of a few 1e-5°, which are rounding errors of rotations, once filled their plot and looked like
    /// a fault.
    #[test]
    fn what_is_only_rounding_does_not_fill_its_plot() {
        // A rotation's components are rounded by at most 6e-8, half a step below 1; the angle is twice their arcsine.
        let rounding = (2.0 * f64::from(f32::EPSILON) / 2.0).to_degrees();
        let noise = || (0..500).map(move |k| rounding * f64::from(k % 3));
        for scale in [PlotScale::Full, PlotScale::Robust] {
            let (low, high) = range(noise(), scale, least_span("°"));
            assert!(high - low > 40.0 * 2.0 * rounding, "{scale:?}: {low} to {high}");
            // Errors of a hundredth of a degree are not rounding errors and fill the plot.
            let (low, high) = range(noise().map(|value| value / rounding * 0.005), scale, least_span("°"));
            assert!(low < 0.0 && high > 0.01 && high - low < 0.014, "{scale:?}: {low} to {high}");
        }
        // A height of 6.25 m that is rounded differently from step to step looks constant.
        let height = (0..500).map(|k| 6.25 + f64::from(k % 2) * 4.0 * f64::from(f32::EPSILON));
        let (low, high) = range(height, PlotScale::Robust, least_span("m"));
        assert!(high - low > 6.0, "{low} to {high}");
        // Energies have no least span beyond their own size.
        let (low, high) = range((0..500).map(|k| 500.0 + f64::from(k)), PlotScale::Robust, least_span("J"));
        assert!(low > 400.0 && high < 1100.0, "{low} to {high}");
    }

    /// The number of broken joints, constantly zero, once had an axis that reached to 2e-7, and a force of zero one that
    /// reached to ±500 µN.
    #[test]
    fn nothing_but_zero_has_an_axis_that_can_be_read() {
        let zeros = || std::iter::repeat_n(0.0, 50);
        for (unit, span) in [("J", 1.0), ("N", 1.0), ("°", 1.0), ("m", 1e-3)] {
            for scale in [PlotScale::Full, PlotScale::Robust] {
                let (low, high) = range(zeros(), scale, zero_span(unit));
                assert!(high - low >= span && high - low < 1.3 * span, "{unit}, {scale:?}: {low} to {high}");
            }
        }
        // A count spans at least 1, and its grid lines are whole numbers.
        let (low, high) = range(zeros(), PlotScale::Full, 1.0);
        let lines = marks(&GridInput { bounds: (low, high), base_step_size: 0.1 }, 3.0, 1.0);
        let said: Vec<String> = lines.into_iter().map(|mark| tick(mark, "", PlotScale::Full)).collect();
        assert_eq!(said, ["0", "1"]);
        let lines = marks(&GridInput { bounds: (-0.02, 0.5), base_step_size: 0.1 }, 3.0, 0.0);
        let said: Vec<String> = lines.into_iter().map(|mark| tick(mark, "", PlotScale::Full)).collect();
        assert_eq!(said, ["0", "0.2", "0.4"]);
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

    /// The first sample of a residual stretched its axis from 1e-3 to 1e-10 m/s.
    #[test]
    fn a_decade_axis_leaves_out_a_rare_value_far_below() {
        let residual = || (0..300).map(|k| if k == 0 { 1e-10 } else { 1e-3 + 1e-5 * f64::from(k) });
        let (low, high) = range(residual(), PlotScale::Logarithmic, 0.0);
        assert!((-4.0..=-2.9).contains(&low) && high >= -2.4, "{low} to {high}");
        // A curve that falls through the decades is shown whole.
        let falling = (0..100).map(|k| 10f64.powf(-0.09 * f64::from(k)));
        assert!(range(falling, PlotScale::Logarithmic, 0.0).0 <= -8.91);
    }

    /// A residual of 1e-10 m/s was once beside a grid line labelled 0 m/s.
    #[test]
    fn no_line_of_decades_is_called_zero() {
        let line = |value: f64, unit| tick(GridMark { value, step_size: 1.0 }, unit, PlotScale::Logarithmic);
        let speeds = [line(-10.0, "m/s"), line(-6.0, "m/s"), line(0.0, "m/s")];
        assert_eq!(speeds, ["1e−10 m/s", "1.00 µm/s", "1.00 m/s"]);
        // Angles have no prefixes: their rounding errors were beside grid lines that were all labelled 0.00°.
        assert_eq!([line(-5.0, "°"), line(-2.0, "°"), line(-5.0, "rad")], ["1e−5°", "1e−2°", "1e−5 rad"]);
    }

    /// The grid lines of an energy of 82.4 J that changes by 0.1 J were once all labelled 82.4 J.
    #[test]
    fn no_two_lines_of_an_axis_read_the_same() {
        for (low, high, unit, said) in [
            (82.33, 82.44, "J", vec!["82.35 J", "82.40 J"]),
            (9.0, 9.11, "m", vec!["9.00 m", "9.05 m", "9.10 m"]),
            (0.0, 0.52, "m/s", vec!["0", "200 mm/s", "400 mm/s"]),
            (12.3451, 12.3474, "kg·m/s", vec!["12.346 kg·m/s", "12.347 kg·m/s"]),
        ] {
            let lines = marks(&GridInput { bounds: (low, high), base_step_size: 0.1 }, 3.0, 0.0);
            let words: Vec<String> = lines.into_iter().map(|mark| tick(mark, unit, PlotScale::Full)).collect();
            assert_eq!(words, said, "{low} to {high}");
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
