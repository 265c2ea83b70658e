//! The axes of a plot: their ranges, and the values at their marks.

use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint, Ranged};
use plotters::coord::types::RangedCoordf64;

/// The largest value that a plot shows; larger ones are clamped.
pub(super) const MAX_VALUE: f64 = 1e30;

/// The range of the finite values, with a margin on both sides; never empty.
pub(super) fn range_of(values: impl Iterator<Item = f64>) -> [f64; 2] {
    let finite = values.filter(|value| value.is_finite()).map(|value| value.clamp(-MAX_VALUE, MAX_VALUE));
    let (low, high) = finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
    if low > high {
        return [0.0, 1.0];
    }
    let margin = 0.05 * (high - low);
    let least = (low.abs().max(high.abs()) * 1e-6).max(1e-12);
    if margin > least { [low - margin, high + margin] } else { [low - 10.0 * least, high + 10.0 * least] }
}

/// The label of an axis mark, in few digits.
pub(super) fn number(value: f64) -> String {
    let text = match value.abs() {
        0.0 => "0".into(),
        size if !(1e-3..1e5).contains(&size) => format!("{value:.1e}").replace(".0e", "e"),
        _ => {
            let text = format!("{value:.4}");
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
    };
    text.replace('-', "−")
}

/// The label on a linear axis, where a value that differs from zero only by rounding is written 0.
pub(super) fn even(value: f64, [low, high]: [f64; 2]) -> String {
    number(if value.abs() < 1e-9 * (high - low) { 0.0 } else { value })
}

/// An axis with marks at given values.
pub(super) struct TickAxis {
    pub span: RangedCoordf64,
    pub ticks: Vec<f64>,
}

impl Ranged for TickAxis {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        self.span.map(value, limit)
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        if hint.weight().allow_light_points() { Vec::new() } else { self.ticks.clone() }
    }

    fn range(&self) -> std::ops::Range<f64> {
        self.span.range()
    }
}

/// The marks of a logarithmic axis, as exponents of ten: as many whole exponents as there is room for, or
/// intermediate values if the range has at most two whole ones.
pub(super) fn decades([low, high]: [f64; 2]) -> Vec<f64> {
    /// The largest number of marks.
    const MAX_MARKS: usize = 8;
    let whole = || (low.ceil().max(-40.0) as i32)..=(high.floor().min(40.0) as i32);
    let count = whole().count();
    if count > 2 {
        return whole().step_by(count.div_ceil(MAX_MARKS)).map(f64::from).collect();
    }
    let between = |parts: &[f64]| -> Vec<f64> {
        let decades = (low.floor().max(-40.0) as i32)..=(high.floor().min(40.0) as i32);
        let all = decades.flat_map(|decade| parts.iter().map(move |part| f64::from(decade) + part.log10()));
        all.filter(|value| (low..=high).contains(value)).collect()
    };
    let found = between(&[1.0, 2.0, 5.0]);
    let found = if found.len() > 2 { found } else { between(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]) };
    // A small part of a decade is nearly linear.
    if found.len() > 2 { found } else { RangedCoordf64::from(low..high).key_points(6) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// −1 to 1 in steps of 0.2 adds up to 1e-16 in the middle, and the axis once had that label.
    #[test]
    fn a_zero_of_an_even_axis_is_said_so() {
        let middle = (0..5).fold(-1.0, |sum, _| sum + 0.2);
        assert!(middle != 0.0);
        assert_eq!(even(middle, [-1.0, 1.0]), "0");
        assert_eq!(even(2e-10, [0.0, 1e-9]), "2e−10");
    }

    /// A logarithmic axis once had a single mark, or marks such as 3.2e-4 that are not round.
    #[test]
    fn decades_have_their_numbers() {
        assert_eq!(decades([-4.3, 0.2]), [-4.0, -3.0, -2.0, -1.0, 0.0]);
        assert_eq!(decades([-20.5, 3.0]), [-20.0, -17.0, -14.0, -11.0, -8.0, -5.0, -2.0, 1.0]);
        let numbers = |range| decades(range).into_iter().map(|value| number(10f64.powf(value))).collect::<Vec<_>>();
        assert_eq!(numbers([-1.1, 0.4]), ["0.1", "0.2", "0.5", "1", "2"]);
        assert_eq!(numbers([0.5, 0.95]), ["4", "5", "6", "7", "8"]);
        for range in [[0.61, 0.62], [2.0, 2.0001], [-7.77, -7.5], [5.0, 5.3]] {
            assert!(decades(range).len() > 2, "{range:?}: {:?}", decades(range));
            assert!(decades(range).iter().all(|value| (range[0]..=range[1]).contains(value)), "{range:?}");
        }
    }
}
