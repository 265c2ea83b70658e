//! The sensors of the open scene, with their values after the shown step.

use super::{Alarm, AlarmRecord, SensorReader};
use crate::Session;
use delassus_scene::Sensor;

/// A sensor of the open scene.
#[derive(Debug, Clone)]
pub struct SensorView {
    pub sensor: Sensor,
    /// How it is read, or why it cannot be.
    pub reader: Result<SensorReader, String>,
}

/// A sensor's value and alarm at the shown moment.
#[derive(Debug, Clone, Default)]
pub struct SensorState {
    /// In the sensor's unit; `None` where nothing was measured.
    pub value: Option<f64>,
    /// From the earliest kept step up to the shown one.
    pub alarm: Option<Alarm>,
}

impl Session {
    /// The scene's sensors, in order.
    pub fn sensors(&self) -> Vec<SensorView> {
        let Some(scene) = self.scene() else { return Vec::new() };
        scene.sensors.iter().map(|sensor| self.sensor_view(sensor)).collect()
    }

    /// The same of one sensor, which need not be in the scene yet.
    pub fn sensor_view(&self, sensor: &Sensor) -> SensorView {
        let kind = |name: &str| {
            let open = self.open.as_ref()?;
            Some(open.run.world().state.joints.get(open.names.joint(name)?)?.def.kind)
        };
        let reader = SensorReader::new(sensor, kind).and_then(|reader| match reader.quantity.missing(&self.snapshot) {
            Some(missing) => Err(missing),
            None => Ok(reader),
        });
        SensorView { sensor: sensor.clone(), reader }
    }

    /// A sensor's value after the shown step, in its unit; NaN where nothing was measured.
    pub fn sensor_value(&self, reader: &SensorReader) -> f64 {
        let SensorReader { quantity, factor, .. } = reader;
        let step = self.snapshot.step;
        let value = if quantity.is_of_run() {
            self.samples.samples.back().filter(|sample| sample.step == step).and_then(|sample| quantity.of_run(sample))
        } else {
            self.samples.trace(quantity).and_then(|trace| trace.at(step))
        };
        value.map_or(f64::NAN, |value| value / factor)
    }

    /// A sensor's value and alarm, from the steps that the plots keep.
    pub fn sensor_state(&self, reader: &SensorReader) -> SensorState {
        let (mut record, now) = (AlarmRecord::default(), self.snapshot.step);
        let mut note = |step: u64, time: f64, value: f64| record.note(reader, step, time, value / reader.factor);
        if reader.quantity.is_of_run() {
            for sample in self.samples.samples.iter().filter(|sample| sample.step <= now) {
                note(sample.step, sample.time, reader.quantity.of_run(sample).unwrap_or(f64::NAN));
            }
        } else if let Some(trace) = self.samples.trace(&reader.quantity) {
            for (step, time, value) in trace.values.iter().take_while(|(step, ..)| *step <= now) {
                note(*step, *time, *value);
            }
        }
        let value = self.sensor_value(reader);
        SensorState { value: (!value.is_nan()).then_some(value), alarm: record.alarm().copied() }
    }
}
