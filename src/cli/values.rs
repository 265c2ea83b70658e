//! The values of a `sweep`: `1..50`, `0..1:11`, `1e-3..1:log`, `1..1000:7:log`, or a list, `a,b,c`. If both ends are
//! whole numbers, the values between them are whole as well, unless the setting takes real numbers.

use delassus_physics::setting::Domain;
use delassus_physics::settings::Settings;

/// The largest number of values of one setting.
const MAX_VALUES: usize = 1000;
/// The default number of values in a range of real numbers.
const DEFAULT_VALUES: usize = 11;
/// By default, a range of whole numbers below this length contains each of them.
const EACH_BELOW: f64 = 64.0;

/// A setting and its values.
#[derive(Debug, Clone, PartialEq)]
pub struct SweepAxis {
    pub name: String,
    pub values: Vec<String>,
}

/// Reads `solver.iterations=1..50`.
///
/// # Errors
/// What is wrong with the text.
pub fn axis(text: &str) -> Result<SweepAxis, String> {
    let (name, values) = text.split_once('=').ok_or("expected NAME=VALUES, as in solver.iterations=1..50")?;
    let values = values.trim();
    let values = match values.split_once("..") {
        Some((from, rest)) => range(from, rest, is_real(name.trim()))?,
        None => values.split(',').map(|value| value.trim().to_owned()).collect(),
    };
    if values.iter().any(String::is_empty) {
        return Err(format!("`{text}` has an empty value"));
    }
    Ok(SweepAxis { name: name.trim().to_owned(), values })
}

/// Whether it is a setting with real values.
fn is_real(name: &str) -> bool {
    Settings::find(name).is_ok_and(|setting| matches!(setting.domain, Domain::Real { .. }))
}

/// Rounded to twelve digits, which removes rounding errors in the last ones.
fn tidy(value: f64) -> f64 {
    format!("{value:.11e}").parse().unwrap_or(value)
}

fn range(from: &str, rest: &str, real: bool) -> Result<Vec<String>, String> {
    let mut words = rest.split(':').map(str::trim);
    let to = words.next().unwrap_or_default();
    let number = |text: &str| text.trim().parse::<f64>().map_err(|_| format!("`{text}` is not a number"));
    let (low, high) = (number(from)?, number(to)?);
    let (mut count, mut log) = (None, false);
    for word in words {
        match (word, word.parse::<usize>()) {
            ("log", _) => log = true,
            (_, Ok(n)) if (1..=MAX_VALUES).contains(&n) => count = Some(n),
            _ => return Err(format!("`:{word}`: expected the number of values, to {MAX_VALUES}, or `log`")),
        }
    }
    if !(low.is_finite() && high.is_finite()) || (log && !(low > 0.0 && high > 0.0)) {
        return Err(format!("a range from {low} to {high} has no values{}", if log { " by logarithms" } else { "" }));
    }
    let whole = |text: &str| text.trim().parse::<i64>().is_ok();
    let is_whole = !real && whole(from) && whole(to);
    let each = is_whole && !log && (high - low).abs() < EACH_BELOW;
    let count = count.unwrap_or(if each { (high - low).abs() as usize + 1 } else { DEFAULT_VALUES });
    let at = |k: usize| {
        let share = if count > 1 { k as f64 / (count - 1) as f64 } else { 0.0 };
        // The ends are exactly as the user wrote them.
        match k {
            0 => low,
            _ if k + 1 == count => high,
            _ if log => low * (high / low).powf(share),
            _ => low + (high - low) * share,
        }
    };
    let mut values: Vec<String> =
        (0..count).map(|k| if is_whole { format!("{:.0}", at(k)) } else { format!("{}", tidy(at(k))) }).collect();
    // Values that round to the same whole number are merged.
    values.dedup();
    Ok(values)
}

/// Reads which part of how many a command runs, counted from 1: `2/8`.
pub fn shard(text: &str) -> Result<(usize, usize), String> {
    let parsed = text.split_once('/').and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
    parsed.filter(|(i, n)| (1..=*n).contains(i)).ok_or_else(|| "expected I/N with I from 1 to N, as in 2/8".into())
}

#[cfg(test)]
mod tests {
    use super::axis;

    fn values(text: &str) -> Vec<String> {
        axis(&format!("solver.iterations={text}")).unwrap_or_else(|error| panic!("{error}")).values
    }

    #[test]
    fn ranges_and_lists_are_read_as_they_are_meant() {
        assert_eq!(values("1..4"), ["1", "2", "3", "4"]);
        assert_eq!(values("4..1"), ["4", "3", "2", "1"]);
        assert_eq!(
            values("0..1:5"),
            ["0", "0", "1", "1", "1"].iter().fold(Vec::new(), |mut all: Vec<&str>, v| {
                if all.last() != Some(v) {
                    all.push(v);
                }
                all
            })
        );
        assert_eq!(values("0.0..1.0:5"), ["0", "0.25", "0.5", "0.75", "1"]);
        // A real setting has fractions, too, and no more digits than necessary.
        let beta = |text: &str| axis(&format!("stabilization.beta={text}")).map(|axis| axis.values).unwrap_or_default();
        assert_eq!(beta("0..1:6"), ["0", "0.2", "0.4", "0.6", "0.8", "1"]);
        assert_eq!(beta("0..1").len(), 11);
        assert_eq!(values("1..1000:4:log"), ["1", "10", "100", "1000"]);
        assert_eq!(values("1..100:log").len(), 11);
        assert_eq!(values("Scalar, Tree"), ["Scalar", "Tree"]);
        assert_eq!(values("0..1000").len(), 11, "too many for each");
        for wrong in ["1..x", "0..1:log", "1..2:0", "1..2:much", "1,,2"] {
            assert!(axis(&format!("solver.iterations={wrong}")).is_err(), "{wrong}");
        }
        assert!(axis("solver.iterations").is_err());
    }
}
