//! The sensors of a scene.

use delassus_scene::{MAX_SENSORS, Sensor};

use super::names::Names;
use crate::model::Model;
use crate::report::Report;

/// The sensors of a model; `names` are those of its joints in the scene.
pub fn all(model: &Model, names: &[Option<String>], report: &Report) -> Vec<Sensor> {
    let mut taken = Names::default();
    let mut sensors = Vec::new();
    for sensor in &model.sensors {
        let number = model.joints.iter().position(|joint| joint.name == sensor.joint);
        let joint = number.and_then(|number| names.get(number)?.as_ref());
        let Some(joint) = joint.filter(|_| sensors.len() < MAX_SENSORS) else {
            let why = if joint.is_some() { "a scene has no more sensors" } else { "its joint is left out" };
            report.note(sensor.place, format!("sensor `{}`", sensor.name), why);
            continue;
        };
        let of = format!("joints.{joint}.{}", sensor.column);
        sensors.push(Sensor { name: taken.unique(&sensor.name), of, ..Sensor::default() });
    }
    sensors
}
