//! Sensors: quantities with a name, which a run logs, and whose limits raise an alarm.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use super::list::List;
use super::report::{DocPath, Report};
use delassus_physics::setting::is_default;

/// Maximum number of a scene's sensors: each is read after every step.
pub const MAX_SENSORS: usize = 200;

/// A quantity with a name and limits. Outside its limits it raises an alarm.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sensor {
    /// Unique among the sensors; its column in CSV and its topic in MCAP.
    pub name: String,
    /// The quantity, as a plot names it: `energy`, `bodies.box.z`, `joints.motor.torque`, `rows.motor.2.force`.
    pub of: String,
    /// The unit of its values and limits; the quantity's SI unit if left out.
    #[serde(default, skip_serializing_if = "is_default")]
    pub unit: String,
    /// The least value without an alarm, in `unit`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub low: Option<f64>,
    /// The greatest value without an alarm, in `unit`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub high: Option<f64>,
}

impl Sensor {
    /// What is wrong with its name or limits, and the field that it is in; the quantity is not looked up.
    pub fn fault(&self) -> Option<(&'static str, String)> {
        let Self { name, of: _, unit: _, low, high } = self;
        if name.trim().is_empty() {
            return Some(("name", "a sensor needs a name".into()));
        }
        // The name is that of a column and of a topic.
        if name.chars().any(char::is_control) {
            return Some(("name", "a sensor's name is one line without tabs".into()));
        }
        for (field, limit) in [("low", low), ("high", high)] {
            if limit.is_some_and(|limit| !limit.is_finite()) {
                return Some((field, format!("`{field}` must be a finite number")));
            }
        }
        match (low, high) {
            (Some(low), Some(high)) if low > high => {
                Some(("low", format!("`low` is {low} and must not exceed `high`, which is {high}")))
            }
            _ => None,
        }
    }
}

/// Checks names and limits.
pub(super) fn check(sensors: &List<Sensor>, report: &mut Report) {
    let list = DocPath::Root.field("sensors");
    if sensors.len() > MAX_SENSORS {
        return report.add(&list, format!("a scene has at most {MAX_SENSORS} sensors, not {}", sensors.len()));
    }
    let mut names = HashSet::new();
    for (i, sensor) in sensors.iter().enumerate() {
        let place = list.item(i);
        if let Some((field, what)) = sensor.fault() {
            report.add(&place.field(field), what);
        } else if !names.insert(&sensor.name) {
            report.add(&place.field("name"), format!("a second sensor is called `{}`", sensor.name));
        }
    }
}
