//! Sensors: quantities of a scene by name, in the unit that the author chose, with limits that raise an alarm.
//!
//! A [`SensorReader`] reads one of them after a step; an [`AlarmRecord`] collects how its limits were passed.

mod alarm;
mod live;

pub use alarm::{Alarm, AlarmRecord, Side};
pub use live::{SensorState, SensorView};

use crate::condition::factor;
use crate::quantity::Quantity;
use delassus_physics::joints::{JointKind, JointMeasure};
use delassus_scene::Sensor;

/// A sensor that can be read: its quantity and unit make sense. The scene may still lack the body or joint.
#[derive(Debug, Clone, PartialEq)]
pub struct SensorReader {
    pub quantity: Quantity,
    /// The unit of its values and limits; empty for a pure number.
    pub unit: String,
    /// The size of that unit in the quantity's SI unit.
    pub factor: f64,
    /// The limits, in `unit`.
    pub low: Option<f64>,
    pub high: Option<f64>,
}

impl SensorReader {
    /// Reads a sensor's quantity and unit; `kind` is the kind of the joint of a name, if there is one.
    ///
    /// # Errors
    /// What is wrong with the quantity or the unit; for an unknown column, also the most similar one.
    pub fn new(sensor: &Sensor, kind: impl Fn(&str) -> Option<JointKind>) -> Result<Self, String> {
        let Sensor { name: _, of, unit, low, high } = sensor;
        let quantity = Quantity::read(of)?;
        let (unit, factor) = unit_of(&quantity, unit, kind)?;
        Ok(Self { quantity, unit, factor, low: *low, high: *high })
    }

    /// How a value in the sensor's unit passes the limits; `None` within them, and where nothing was measured.
    pub fn passes(&self, value: f64) -> Option<(Side, f64)> {
        let below = self.low.map(|low| (Side::Low, low - value));
        let above = self.high.map(|high| (Side::High, value - high));
        [below, above].into_iter().flatten().find(|(_, beyond)| *beyond > 0.0)
    }
}

/// The unit of a sensor and its size in the quantity's SI unit; `written` may be empty.
pub(crate) fn unit_of(
    quantity: &Quantity,
    written: &str,
    kind: impl Fn(&str) -> Option<JointKind>,
) -> Result<(String, f64), String> {
    let turns = |joint: &str| kind(joint).is_none_or(|kind| kind.info().measures == JointMeasure::Angle);
    let own = quantity.unit(turns);
    if written.is_empty() {
        return Ok((own.to_owned(), 1.0));
    }
    // The kind of a row's coordinate is not known: all units of its column are taken.
    let own = if quantity.is_row() { quantity.heading().unit } else { own };
    Ok((written.to_owned(), factor(written, own, quantity.text())?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use delassus_physics::joints::{Hinge, Prismatic};

    fn sensor(of: &str, unit: &str) -> Sensor {
        Sensor { name: "s".into(), of: of.into(), unit: unit.into(), low: Some(-2.0), high: Some(3.0) }
    }

    /// A rail measures metres and a hinge radians, though the column is in both.
    #[test]
    fn the_unit_is_that_of_the_joint_s_coordinate() {
        let rail = || JointKind::Prismatic(Prismatic::default());
        let kind = |name: &str| Some(if name == "rail" { rail() } else { JointKind::Hinge(Hinge::default()) });
        let unit = |of: &str, unit: &str| SensorReader::new(&sensor(of, unit), kind).map(|r| (r.unit, r.factor));
        for (of, own) in [
            ("joints.rail.value", "m"),
            ("joints.pin.value", "rad"),
            ("joints.rail.motor", "N"),
            ("joints.pin.motor", "N·m"),
            ("joints.pin.speed", "rad/s"),
            ("energy", "J"),
            ("contacts", ""),
        ] {
            assert_eq!(unit(of, ""), Ok((own.to_owned(), 1.0)), "{of}");
        }
        assert_eq!(unit("joints.rail.value", "mm"), Ok(("mm".to_owned(), 1e-3)));
        assert_eq!(unit("joints.pin.value", "deg"), Ok(("deg".to_owned(), std::f64::consts::PI / 180.0)));
        assert_eq!(unit("rows.pin.3.force", "kN"), Ok(("kN".to_owned(), 1e3)));
        assert!(unit("joints.rail.value", "deg").is_err_and(|said| said.contains("is in m: `deg` is no unit of it")));
        assert!(unit("joints.pin.moter", "").is_err_and(|said| said.contains("did you mean `motor`?")));
        assert!(unit("joints.*.motor", "").is_err_and(|said| said.contains("one quantity")));
    }

    /// The limits themselves are within; a value that is not measured raises no alarm.
    #[test]
    fn a_limit_is_passed_by_what_is_beyond_it() {
        let reader = SensorReader::new(&sensor("energy", ""), |_| None).expect("a reader");
        let passes = [-2.5, -2.0, 3.0, 3.25, f64::NAN].map(|value| reader.passes(value));
        assert_eq!(passes, [Some((Side::Low, 0.5)), None, None, Some((Side::High, 0.25)), None]);
    }
}
