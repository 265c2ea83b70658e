//! Numbers on screen: fixed width, three to four significant digits, with their units.

/// A metric prefix for every third power of ten, from 10⁻⁹.
const PREFIXES: [(f64, &str); 6] = [(1e6, "M"), (1e3, "k"), (1.0, ""), (1e-3, "m"), (1e-6, "µ"), (1e-9, "n")];

/// `value` in `unit` with a metric prefix: `12.3 mm`, `0 J`, `−1.20 kJ`. The number of digits is constant, so that
/// the text keeps its width.
pub fn with_unit(value: f64, unit: &str) -> String {
    told_apart(value, unit, f64::INFINITY)
}

/// As [`with_unit`], with as many more digits as distinguish values that are `step` apart: `82.40 J` and `82.45 J`.
pub fn told_apart(value: f64, unit: &str, step: f64) -> String {
    if !value.is_finite() {
        return format!("{} {unit}", not_a_number(value));
    }
    // The kilogram already has a prefix.
    if let Some(rest) = unit.strip_prefix("kg") {
        return match value.abs() {
            0.0 => format!("0 {unit}"),
            size if size < 1.0 => told_apart(value * 1e3, &format!("g{rest}"), step * 1e3),
            size if size < 999.5 => format!("{} {unit}", digits(value, step)),
            size if size < 1e6 => format!("{} {unit}", sign(format!("{value:.0}"))),
            _ => format!("{} {unit}", sign(format!("{value:.2e}"))),
        };
    }
    // A value that rounds to zero at the smallest prefix is written as 0.
    if value.abs() < 0.5e-9 {
        return format!("0 {unit}");
    }
    // Megametres are unusual: beyond the usual prefixes the number is written with a power of ten.
    let largest = if unit.starts_with('m') { 1e5 } else { 1e10 };
    if value.abs() >= largest {
        return format!("{} {unit}", sign(format!("{value:.2e}")));
    }
    // 0.9996 m reads 1.00 m, not 1000 mm.
    let size = value.abs() * 1.0005;
    let (scale, prefix) = PREFIXES.into_iter().find(|(scale, _)| size >= *scale).unwrap_or((1e-9, "n"));
    format!("{} {prefix}{unit}", digits(value / scale, step / scale))
}

/// A value without what single precision cannot hold: 0 if it is smaller than a step of the numbers near one of its SI
/// unit, 2⁻²³. The world is computed in single precision, and most of what it measures is made of numbers of that size.
/// An angle is made of two rotations, so it is twice as coarse.
pub fn without_rounding(value: f64, unit: &str) -> f64 {
    let one = match unit {
        "°" | "°/s" => 2f64.to_degrees(),
        "rad" | "rad/s" => 2.0,
        _ => 1.0,
    };
    if value.abs() < one * f64::from(f32::EPSILON) { 0.0 } else { value }
}

/// A length: metres with a prefix.
pub fn length(metres: f64) -> String {
    with_unit(metres, "m")
}

/// `1 joint`, `2 joints`.
pub fn counted(n: usize, one: &str, many: &str) -> String {
    format!("{} {}", count(n), if n == 1 { one } else { many })
}

/// A component of a vector, padded to nine characters, of which it fills seven or eight, so that columns do not
/// touch. Three decimals below 100, fewer above.
pub fn component(value: f32) -> String {
    if !value.is_finite() {
        return format!("{:>9}", not_a_number(f64::from(value)));
    }
    // −0.0004 would be written as −0.000.
    let value = if value.abs() < 0.0005 { 0.0 } else { value };
    let text = match value.abs() {
        size if size < 99.9995 => format!("{value:.3}"),
        size if size < 999.995 => format!("{value:.2}"),
        size if size < 9999.95 => format!("{value:.1}"),
        _ => format!("{value:.2e}"),
    };
    format!("{:>9}", sign(text))
}

/// Simulated time: `12.350 s`, from a minute on `2:05.350`.
pub fn time(seconds: f64) -> String {
    if seconds < 60.0 {
        format!("{seconds:.3} s")
    } else {
        let minutes = (seconds / 60.0).floor();
        format!("{minutes:.0}:{:06.3}", seconds - minutes * 60.0)
    }
}

/// Milliseconds: `0.124 ms`, `12.4 ms`, `124 ms`.
pub fn milliseconds(ms: f64) -> String {
    format!("{} ms", significant(ms))
}

/// A count with thin spaces between thousands: `100 000`.
pub fn count(n: usize) -> String {
    let digits = n.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push('\u{2009}');
        }
        text.push(c);
    }
    text
}

/// A number without a unit, such as a ratio.
pub fn bare(value: f64) -> String {
    if value.is_finite() { significant(value) } else { not_a_number(value).to_owned() }
}

/// Three significant digits below a thousand.
fn significant(value: f64) -> String {
    digits(value, f64::INFINITY)
}

/// Three significant digits below a thousand, and more if a value `step` away would be written the same.
fn digits(value: f64, step: f64) -> String {
    let usual = match value.abs() {
        size if size >= 99.95 => 0,
        size if size >= 9.995 => 1,
        size if size >= 0.9995 || size == 0.0 => 2,
        _ => 3,
    };
    // Slightly less, so that rounding errors in the logarithm of 0.01 do not add a third decimal.
    let apart = (-step.log10() - 1e-9).ceil().clamp(0.0, 9.0) as usize;
    sign(format!("{value:.*}", usual.max(apart)))
}

/// A true minus sign, as wide as a digit, instead of the hyphen.
fn sign(text: String) -> String {
    text.replace('-', "−")
}

fn not_a_number(value: f64) -> &'static str {
    if value.is_nan() {
        "NaN"
    } else if value > 0.0 {
        "∞"
    } else {
        "−∞"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_keep_three_digits() {
        assert_eq!(with_unit(0.01234, "m"), "12.3 mm");
        assert_eq!(with_unit(0.9996, "m"), "1.00 m");
        assert_eq!(with_unit(-1203.0, "J"), "−1.20 kJ");
        assert_eq!(with_unit(1e-12, "m"), "0 m");
        assert_eq!(with_unit(f64::NAN, "J"), "NaN J");
        assert_eq!(with_unit(f64::NEG_INFINITY, "J"), "−∞ J");
        assert_eq!(with_unit(3.2e12, "J"), "3.20e12 J");
        assert_eq!(with_unit(4.1e6, "m"), "4.10e6 m");
        assert_eq!(with_unit(4.1e6, "J"), "4.10 MJ");
        assert_eq!(
            [with_unit(1000.0, "kg"), with_unit(0.25, "kg"), with_unit(2.5, "kg")],
            ["1000 kg", "250 g", "2.50 kg"]
        );
    }

    /// An angle of 5.6e−9° and a distance of 59.6 nm, half a step of the numbers near 1, were shown as values.
    #[test]
    fn what_single_precision_cannot_hold_is_zero() {
        for (value, unit) in [(5.6e-9, "°"), (59.6e-9, "m"), (-2e-7, "rad"), (1e-7, "m/s")] {
            assert_eq!(without_rounding(value, unit), 0.0, "{value} {unit}");
        }
        for (value, unit) in [(1.5e-5, "°"), (-1.3e-7, "m"), (2.5e-7, "rad"), (f64::INFINITY, "N")] {
            assert_eq!(without_rounding(value, unit), value, "{value} {unit}");
        }
        assert!(without_rounding(f64::NAN, "m").is_nan());
    }

    #[test]
    fn components_have_one_width() {
        for value in [0.0, -0.0001, 1.5, -12.25, 9999.9, 123_456.0, f32::NAN, f32::INFINITY] {
            assert_eq!(component(value).chars().count(), 9, "{value}");
        }
        // Adjacent columns do not touch.
        for value in [-99.9994, -99.9996, -999.994, -999.996, -9999.94, -9999.96, -1.0e38, 12345.678] {
            let text = component(value);
            assert!(text.starts_with(' ') && text.chars().count() == 9, "{value}: {text}");
        }
    }

    #[test]
    fn time_and_counts_read_well() {
        assert_eq!(time(12.35), "12.350 s");
        assert_eq!(time(125.35), "2:05.350");
        assert_eq!(count(100_000).replace('\u{2009}', " "), "100 000");
        assert_eq!(count(12), "12");
    }
}
