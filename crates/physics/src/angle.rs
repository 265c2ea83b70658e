//! Angles in radians, and how files write them: as a plain number in radians or as `Degrees(45)`, whichever takes
//! fewer digits. Thus `0.5` and `Degrees(45)` keep their form, and reading gives the same value bit for bit.

use std::fmt;

use ron::value::RawValue;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// An angle in radians. A type of its own, so that reading and writing a file can tell it from a plain number.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Angle {
    pub radians: f32,
}

/// The named form. An ordinary enum cannot represent both this and the plain number.
#[derive(Serialize, Deserialize)]
enum Named {
    Degrees(f32),
}

impl Angle {
    pub const fn radians(radians: f32) -> Self {
        Self { radians }
    }

    /// The angle of this many degrees.
    pub const fn degrees(degrees: f32) -> Self {
        Self::radians(degrees.to_radians())
    }

    /// In degrees: the shortest number with at most six decimals that gives this angle bit for bit, if there is one.
    pub fn to_degrees(self) -> f32 {
        let exact = f64::from(self.radians).to_degrees();
        let rounded = |places| {
            let scale = 10f64.powi(places);
            ((exact * scale).round() / scale) as f32
        };
        (0..=6).map(rounded).find(|degrees| degrees.to_radians() == self.radians).unwrap_or(exact as f32)
    }

    /// Reads an angle as files write it. On its own, so that it is compiled once and not for each reader of files.
    fn read(text: &str) -> Result<Self, String> {
        if let Ok(v) = ron::from_str::<f32>(text) {
            Ok(Self::radians(v))
        } else if let Ok(Named::Degrees(v)) = ron::from_str(text) {
            Ok(Self::degrees(v))
        } else {
            Err(format!("expected an angle in radians such as 0.785, or Degrees(45), not `{text}`"))
        }
    }

    /// The value in degrees, if files write it in degrees.
    fn written_in_degrees(self) -> Option<f32> {
        let degrees = self.to_degrees();
        let shorter = degrees.to_string().len() < self.radians.to_string().len();
        (shorter && degrees.to_radians() == self.radians).then_some(degrees)
    }
}

/// As written in files: `1.2`, `Degrees(45)`.
impl fmt::Display for Angle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.written_in_degrees() {
            None => write!(f, "{}", self.radians),
            Some(degrees) => write!(f, "Degrees({degrees})"),
        }
    }
}

impl Serialize for Angle {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.written_in_degrees() {
            None => serializer.serialize_f32(self.radians),
            Some(degrees) => Named::Degrees(degrees).serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Angle {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        Self::read(raw.trim().get_ron()).map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_angle_is_written_in_the_unit_that_takes_fewer_digits() {
        for written in ["0.5", "0", "1.25", "-0.4", "3", "Degrees(45)", "Degrees(-22.55)", "Degrees(360)", "100"] {
            assert_eq!(ron::from_str::<Angle>(written).expect("an angle").to_string(), written);
        }
        assert_eq!(Angle::radians(std::f32::consts::FRAC_PI_2).to_string(), "Degrees(90)");
        assert_eq!(Angle::degrees(57.295_78).to_string(), "1");
        assert_eq!(Angle::degrees(45.0), Angle::radians(std::f32::consts::FRAC_PI_4));
        for not_finite in [f32::NAN, f32::INFINITY] {
            assert_eq!(Angle::radians(not_finite).to_string(), not_finite.to_string());
        }
    }

    #[test]
    fn hundredths_of_a_degree_come_back_to_the_bit() {
        for hundredths in -72_000..=72_000 {
            let degrees = hundredths as f32 / 100.0;
            let angle = Angle::degrees(degrees);
            let back: Angle = ron::from_str(&ron::to_string(&angle).expect("ron writes it")).expect("and reads it");
            assert_eq!(back.radians.to_bits(), angle.radians.to_bits(), "{degrees}");
            assert!((angle.to_degrees() - degrees).abs() < 1e-6 * degrees.abs().max(1.0), "{degrees}");
        }
    }
}
