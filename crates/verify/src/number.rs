//! Formatting of numbers in the tables.

use super::case::Quantity;

/// A number with five significant digits, without trailing zeros.
pub fn short(value: f64) -> String {
    if !value.is_finite() {
        return "not a number".into();
    }
    digits(value, 5)
}

/// An error with its sign and two digits: in per cent if it is relative, otherwise in the quantity's unit, with a
/// prefix.
pub fn error(quantity: &Quantity, error: f64) -> String {
    if !error.is_finite() {
        return "not a number".into();
    }
    let sign = if error < 0.0 { "−" } else { "+" };
    let size = error.abs();
    if !quantity.absolute {
        // Below the rounding error of 32 bits it is shown as 0.
        return if size < 5e-8 { "0".into() } else { format!("{sign}{} %", digits(100.0 * size, 2)) };
    }
    // No length or angle in 32 bits is known as exactly.
    if size < 1e-15 {
        return "0".into();
    }
    let (scaled, prefix) = match size {
        s if quantity.unit.is_empty() || quantity.unit == "°" || s >= 1.0 => (s, ""),
        s if s >= 1e-3 => (s * 1e3, "m"),
        s if s >= 1e-6 => (s * 1e6, "µ"),
        s => (s * 1e9, "n"),
    };
    format!("{sign}{} {prefix}{}", digits(scaled, 2), quantity.unit).trim_end().into()
}

/// A number with `count` significant digits, without trailing zeros, with a true minus sign.
fn digits(value: f64, count: i32) -> String {
    if value == 0.0 {
        return "0".into();
    }
    let places = (count - 1 - value.abs().log10().floor() as i32).max(0) as usize;
    let text = format!("{value:.places$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    text.replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Bounds;

    #[test]
    fn numbers_are_shown_in_few_digits() {
        assert_eq!(short(2.007_341), "2.0073");
        assert_eq!(short(-147.15), "−147.15");
        assert_eq!(short(0.5), "0.5");
        assert_eq!(short(123_456.7), "123457");
        assert_eq!(short(0.0), "0");
        assert_eq!(short(f64::NAN), "not a number");
    }

    #[test]
    fn errors_are_shown_as_shares_or_in_their_unit() {
        let share = Quantity::share("", "m", "", || 1.0, Bounds::same(1.0));
        assert_eq!(error(&share, -0.0123), "−1.2 %");
        assert_eq!(error(&share, 0.62), "+62 %");
        assert_eq!(error(&share, 1e-9), "0");
        let absolute = Quantity::absolute("", "m", "", || 0.0, Bounds::same(1.0));
        assert_eq!(error(&absolute, 0.0031), "+3.1 mm");
        assert_eq!(error(&absolute, -4.2e-5), "−42 µm");
        assert_eq!(error(&absolute, 12.0), "+12 m");
        assert_eq!(error(&absolute, 3e-38), "0");
        let angle = Quantity::absolute("", "°", "", || 0.0, Bounds::same(1.0));
        assert_eq!(error(&angle, 0.18), "+0.18 °");
    }
}
