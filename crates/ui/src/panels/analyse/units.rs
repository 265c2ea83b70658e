//! Numbers of an analysis as they are shown: angles in the unit that is chosen, all else in SI units.

use crate::widgets::angles::Angles;
use delassus_session::analysis::digits;

/// How a number in an SI unit is shown: a factor and a unit.
pub(super) fn shown(si: &'static str, angles: Angles) -> (f64, &'static str) {
    match (si, angles) {
        ("rad", _) => (angles.per_radian(), angles.unit()),
        ("rad/s", _) => (angles.per_radian(), angles.rate_unit()),
        ("rad/s²", Angles::Degrees) => (angles.per_radian(), "°/s²"),
        _ => (1.0, si),
    }
}

/// A number without its unit, with six digits.
pub(super) fn number(value: f64, si: &'static str, angles: Angles) -> String {
    let (factor, _) = shown(si, angles);
    match value {
        value if value.is_nan() => "—".into(),
        value if value.abs() >= 1e9 => if value > 0.0 { "∞" } else { "−∞" }.into(),
        value => digits(value * factor).replace('-', "−"),
    }
}

/// A number with its unit.
pub(super) fn words(value: f64, si: &'static str, angles: Angles) -> String {
    let (_, unit) = shown(si, angles);
    let space = if unit.starts_with('°') || unit.is_empty() { "" } else { " " };
    format!("{}{space}{unit}", number(value, si, angles))
}

/// A sentence of the analysis, which has degrees and rad/s, in the unit that is chosen, with a capital.
pub(super) fn sentence(text: &str, angles: Angles) -> String {
    let mut letters = text.chars();
    let text = letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect());
    let mut text = angles.converted_text(&text);
    for digit in '0'..='9' {
        text = text.replace(&format!(" -{digit}"), &format!(" −{digit}"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    #[test]
    fn numbers_are_those_of_the_command_in_the_chosen_unit() {
        assert_eq!(words(PI, "rad", Angles::Degrees), "180.000°");
        assert_eq!(words(-PI, "rad", Angles::Radians), "−3.14159 rad");
        assert_eq!(words(1.0, "rad/s²", Angles::Degrees), "57.2958°/s²");
        assert_eq!([words(12.5, "N·m", Angles::Degrees), words(2.0, "", Angles::Degrees)], ["12.5000 N·m", "2.00000"]);
        assert_eq!([number(f64::INFINITY, "", Angles::Degrees), number(f64::NAN, "m", Angles::Degrees)], ["∞", "—"]);
        let said = "dead centre of rocker at 30.0000°: it turns back at -6.5000°";
        assert_eq!(sentence(said, Angles::Degrees), "Dead centre of rocker at 30.0000°: it turns back at −6.5000°");
        assert_eq!(
            sentence(said, Angles::Radians),
            "Dead centre of rocker at 0.5236 rad: it turns back at −0.1134 rad"
        );
    }
}
