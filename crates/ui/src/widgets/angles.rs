//! Angles and angular speeds on screen: everywhere in degrees or everywhere in radians, as chosen in the View menu.
//!
//! The world and its files use radians; a file may also have `Degrees(45)`. An angle is written in the unit that
//! takes fewer digits, which for a round number is the unit in which it was typed (`physics/angle.rs`).

use std::f64::consts::PI;

use serde::{Deserialize, Serialize};

use delassus_physics::angle::Angle;

/// The unit of angles on screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Angles {
    #[default]
    Degrees,
    Radians,
}

/// What the tooltips of angle fields say about files.
pub const IN_FILES: &str =
    "A file holds radians, or `Degrees(45)`. Your number is saved in the unit that takes fewer digits.";

impl Angles {
    /// Sets the unit for everything that is drawn with this context.
    pub fn choose(self, ctx: &egui::Context) {
        ctx.data_mut(|data| data.insert_temp(egui::Id::unique("unit of angles"), self));
    }

    /// The unit chosen for this context.
    pub fn of(ctx: &egui::Context) -> Self {
        ctx.data(|data| data.get_temp(egui::Id::unique("unit of angles"))).unwrap_or_default()
    }

    pub fn unit(self) -> &'static str {
        match self {
            Self::Degrees => "°",
            Self::Radians => "rad",
        }
    }

    /// The unit of an angular speed.
    pub fn rate_unit(self) -> &'static str {
        match self {
            Self::Degrees => "°/s",
            Self::Radians => "rad/s",
        }
    }

    /// One radian in this unit; also one rad/s in the unit of angular speeds.
    pub fn per_radian(self) -> f64 {
        match self {
            Self::Degrees => 180.0 / PI,
            Self::Radians => 1.0,
        }
    }

    /// An angle as a number in this unit; exactly the stored number if it was written in this unit.
    pub fn read(self, angle: Angle) -> f32 {
        match self {
            Self::Degrees => angle.to_degrees(),
            Self::Radians => angle.radians,
        }
    }

    /// A number in this unit as an angle, for the file.
    pub fn write(self, value: f32) -> Angle {
        match self {
            Self::Degrees => Angle::degrees(value),
            Self::Radians => Angle::radians(value),
        }
    }

    /// A number in this unit as radians.
    pub fn radians(self, value: f32) -> f32 {
        self.write(value).radians
    }

    /// An angle set with the pointer, rounded as one would write it: to 0.01° or 10⁻⁴ rad.
    pub fn tidy(self, radians: f32) -> Angle {
        let steps = match self {
            Self::Degrees => 1e2,
            Self::Radians => 1e4,
        };
        let value = f64::from(radians) * self.per_radian();
        self.write(((value * steps).round() / steps) as f32)
    }

    /// An angle, given in radians, as text: `12.34°`, `0.2154 rad`.
    pub fn words(self, radians: impl Into<f64>) -> String {
        said(radians.into() * self.per_radian(), self.unit())
    }

    /// An angular speed, given in rad/s, as text: `57.30°/s`, `1.000 rad/s`.
    pub fn rate(self, radians_a_second: impl Into<f64>) -> String {
        said(radians_a_second.into() * self.per_radian(), self.rate_unit())
    }

    /// A round angle, given in degrees, as text: `15°`, `π/12`.
    pub fn round(self, degrees: u32) -> String {
        match self {
            Self::Degrees => format!("{degrees}°"),
            Self::Radians => {
                let shared = (1..=degrees).rev().find(|n| degrees.is_multiple_of(*n) && 180 % n == 0).unwrap_or(1);
                let times = if degrees == shared { String::new() } else { (degrees / shared).to_string() };
                match 180 / shared {
                    1 => format!("{times}π"),
                    parts => format!("{times}π/{parts}"),
                }
            }
        }
    }

    /// A text of the doctor, which has degrees and rad/s, converted to this unit.
    pub fn converted_text(self, text: &str) -> String {
        let (from, to, factor) = match self {
            Self::Degrees => (" rad/s", self.rate_unit(), self.per_radian()),
            Self::Radians => ("°", " rad", PI / 180.0),
        };
        let (mut converted, mut rest) = (String::with_capacity(text.len()), text);
        while let Some(at) = rest.find(from) {
            let (before, after) = (&rest[..at], &rest[at + from.len()..]);
            let number = before.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | '−')).len();
            match before[number..].replace('−', "-").parse::<f64>() {
                Ok(value) => {
                    converted.push_str(&before[..number]);
                    let unit = to.trim_start();
                    converted.push_str(&said(value * factor, unit));
                }
                Err(_) => {
                    converted.push_str(before);
                    converted.push_str(from);
                }
            }
            rest = after;
        }
        converted + rest
    }
}

/// Whether a unit is one of angles or of angular speeds.
pub fn is_unit(unit: &str) -> bool {
    matches!(unit, "°" | "rad" | "°/s" | "rad/s")
}

/// A number in a unit of angles or angular speeds. It has a fixed number of decimals, more below a tenth of the unit so
/// that it keeps two significant digits, and a power of ten below a thousandth, as the grid lines of a plot: errors of
/// orientation are often rounding errors. The units have about the same resolution: 0.01° is 1.7 · 10⁻⁴ rad.
pub fn said(value: f64, unit: &str) -> String {
    let space = if unit.starts_with('°') { "" } else { " " };
    let decimals = match unit {
        "rad" => 4,
        "rad/s" => 3,
        _ => 2,
    };
    if !value.is_finite() {
        return crate::widgets::number::with_unit(value, unit);
    }
    let text = match value.abs() {
        size if size < 0.5e-9 => format!("{:.decimals$}", 0.0),
        size if size < 1e-3 => format!("{value:.1e}"),
        size if size < 1e-2 => format!("{value:.0$}", decimals.max(4)),
        size if size < 1e-1 => format!("{value:.0$}", decimals.max(3)),
        size if size < 1e6 => format!("{value:.decimals$}"),
        _ => format!("{value:.2e}"),
    };
    format!("{}{space}{unit}", text.replace('-', "−"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f32::consts::FRAC_PI_6;

    #[test]
    fn an_angle_is_said_to_a_hundredth_of_a_degree_in_either_unit() {
        assert_eq!(Angles::Degrees.words(FRAC_PI_6), "30.00°");
        assert_eq!(Angles::Radians.words(FRAC_PI_6), "0.5236 rad");
        assert_eq!(Angles::Degrees.words(-1.0), "−57.30°");
        assert_eq!([Angles::Degrees.words(-1e-12), Angles::Radians.words(-1e-12)], ["0.00°", "0.0000 rad"]);
        assert_eq!([Angles::Degrees.rate(1.0), Angles::Radians.rate(1.0)], ["57.30°/s", "1.000 rad/s"]);
        assert_eq!(Angles::Radians.words(f64::NAN), "NaN rad");
    }

    /// An error of 1.5e-6° was once said as 0.00° beside a grid line at 1e−6°.
    #[test]
    fn a_small_angle_keeps_two_digits_and_about_its_width() {
        for unit in ["°", "rad", "°/s", "rad/s"] {
            for exponent in -9..6 {
                for digits in [1.5, -2.7, 9.4] {
                    let value = digits * 10f64.powi(exponent);
                    let text = said(value, unit);
                    let number = text.trim_end_matches(unit).trim_end();
                    let read: f64 = number.replace('−', "-").parse().unwrap_or_else(|_| panic!("{text}"));
                    assert!((read / value - 1.0).abs() < 0.05, "{value} is said as {text}");
                    let max_width = if exponent < 0 { 6 } else { 11 };
                    assert!(number.trim_start_matches('−').chars().count() <= max_width, "{text}");
                }
            }
        }
        assert_eq!([said(1.5e-6, "°"), said(-0.0123, "°"), said(4e-3, "rad")], ["1.5e−6°", "−0.012°", "0.0040 rad"]);
    }

    #[test]
    fn what_is_typed_is_written_as_it_was_typed() {
        assert_eq!(Angles::Degrees.write(45.0).to_string(), "Degrees(45)");
        assert_eq!(Angles::Radians.write(0.5).to_string(), "0.5");
        assert_eq!(Angles::Radians.read(Angle::degrees(180.0)), std::f32::consts::PI);
        assert_eq!(Angles::Degrees.tidy(0.393_57).to_string(), "Degrees(22.55)");
        assert_eq!(Angles::Radians.tidy(0.393_57).to_string(), "0.3936");
    }

    #[test]
    fn round_angles_are_parts_of_a_half_turn() {
        assert_eq!(
            [5, 15, 45, 135, 180, 360].map(|d| Angles::Radians.round(d)),
            ["π/36", "π/12", "π/4", "3π/4", "π", "2π"]
        );
        assert_eq!(Angles::Degrees.round(15), "15°");
    }

    #[test]
    fn texts_from_below_are_told_in_the_chosen_unit() {
        let found = "door starts 12.0° beyond its limit of −30.0°; motor at −2 rad/s";
        assert_eq!(
            Angles::Radians.converted_text(found),
            "door starts 0.2094 rad beyond its limit of −0.5236 rad; motor at −2 rad/s"
        );
        assert_eq!(
            Angles::Degrees.converted_text(found),
            "door starts 12.0° beyond its limit of −30.0°; motor at −114.59°/s"
        );
        assert_eq!(Angles::Radians.converted_text("the sign ° alone"), "the sign ° alone");
    }
}
