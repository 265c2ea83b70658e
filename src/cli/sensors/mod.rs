//! The sensors of a run: their log as CSV or MCAP, and their alarms.

mod mcap_file;
mod protobuf;
mod schemas;

use std::path::Path;

use serde::Serialize;

use self::mcap_file::McapLog;
use super::common::Failure;
use super::printable::within_line;
use super::tables::{self, Table};
use delassus_session::Session;
use delassus_session::sensors::{Alarm, AlarmRecord, SensorReader, SensorView};

/// The sensors of a run.
pub struct Sensors {
    list: Vec<Watched>,
    log: Option<Log>,
}

/// A sensor, and what has become of it.
struct Watched {
    sensor: SensorView,
    record: AlarmRecord,
    /// The last value, in the sensor's unit.
    last: f64,
}

/// Where the values are written.
enum Log {
    Csv(Box<Table>),
    Mcap(Box<McapLog>),
}

/// A sensor in the summary of a run.
#[derive(Debug, Clone, Serialize)]
pub struct SensorReport {
    pub name: String,
    pub of: String,
    /// Of all values and limits; empty for a pure number.
    pub unit: String,
    pub low: Option<f64>,
    pub high: Option<f64>,
    /// After the last step; none where nothing was measured.
    pub value: Option<f64>,
    pub alarm: Option<Alarm>,
    /// Why it could not be read.
    pub fault: Option<String>,
}

impl SensorReport {
    /// The alarm, or why there is none to be had, as a line; `None` if all is well.
    pub fn line(&self) -> Option<String> {
        let name = within_line(&self.name);
        if let Some(fault) = &self.fault {
            return Some(format!("sensor {name} could not be read: {}", within_line(fault)));
        }
        let alarm = self.alarm.as_ref()?;
        let still = if alarm.active { ", and at the end" } else { "" };
        Some(format!("alarm of {name}: {}{still}", alarm.words(&self.unit)))
    }
}

impl Sensors {
    /// The sensors of the open scene, with a log if `file` names one.
    ///
    /// # Errors
    /// The scene has no sensors, one of them cannot be read, or the file cannot be made.
    pub fn new(session: &Session, file: Option<&Path>) -> Result<Self, Failure> {
        let watched = |sensor| Watched { sensor, record: AlarmRecord::default(), last: f64::NAN };
        let mut list: Vec<Watched> = session.sensors().into_iter().map(watched).collect();
        let log = file.map(|file| Log::create(file, session, &list)).transpose()?;
        // The beginning, from which the first step's length is known.
        for Watched { sensor, record, .. } in &mut list {
            if let Ok(reader) = &sensor.reader {
                record.note(reader, 0, session.snapshot().time, f64::NAN);
            }
        }
        Ok(Self { list, log })
    }

    /// Reads all of them after a step; `writes` if the step is to be logged.
    pub fn read(&mut self, session: &Session, writes: bool) -> Result<(), Failure> {
        let (step, time) = (session.snapshot().step, session.snapshot().time);
        for Watched { sensor, record, last } in &mut self.list {
            let Ok(reader) = &sensor.reader else { continue };
            *last = session.sensor_value(reader);
            record.note(reader, step, time, *last);
        }
        match self.log.as_mut().filter(|_| writes) {
            None => Ok(()),
            Some(Log::Csv(table)) => {
                let cell = |watched: &Watched| Some(watched.last).filter(|value| !value.is_nan());
                let values: Vec<Option<f64>> = self.list.iter().map(cell).collect();
                table.serialize((step, time, values)).map_err(tables::failure)
            }
            Some(Log::Mcap(log)) => {
                let value = |watched: &Watched| {
                    let alarm = watched.record.alarm().is_some_and(|alarm| alarm.active);
                    (watched.last, alarm)
                };
                log.write(step, time, self.list.iter().map(value), session.snapshot())
            }
        }
    }

    /// Completes the log.
    pub fn finish(&mut self) -> Result<(), Failure> {
        match self.log.take() {
            None => Ok(()),
            Some(Log::Csv(mut table)) => Ok(table.flush()?),
            Some(Log::Mcap(log)) => log.finish(),
        }
    }

    /// What became of each, in the scene's order.
    pub fn reports(&self) -> Vec<SensorReport> {
        let report = |Watched { sensor: SensorView { sensor, reader }, record, last }: &Watched| SensorReport {
            name: sensor.name.clone(),
            of: sensor.of.clone(),
            unit: reader.as_ref().map_or_else(|_| sensor.unit.clone(), |reader| reader.unit.clone()),
            low: sensor.low,
            high: sensor.high,
            value: Some(*last).filter(|value| value.is_finite()),
            alarm: record.alarm().copied(),
            fault: reader.as_ref().err().cloned(),
        };
        self.list.iter().map(report).collect()
    }
}

impl Log {
    fn create(file: &Path, session: &Session, list: &[Watched]) -> Result<Self, Failure> {
        if list.is_empty() {
            return Err(Failure::Misuse("--sensors: the scene has none, see `sensors` in `delassus format`".into()));
        }
        let mut read: Vec<(&str, &str, &SensorReader)> = Vec::new();
        for Watched { sensor: SensorView { sensor, reader }, .. } in list {
            match reader {
                Ok(reader) => read.push((&sensor.name, &sensor.of, reader)),
                Err(why) => {
                    let what = format!("--sensors: {} cannot be read: {why}; `delassus check` says where", sensor.name);
                    return Err(Failure::Error(within_line(&what)));
                }
            }
        }
        if file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("mcap")) {
            return Ok(Self::Mcap(Box::new(McapLog::create(file, &read, &session.snapshot().bodies)?)));
        }
        let heads: Vec<&str> = ["step", "time"].into_iter().chain(read.iter().map(|(name, ..)| *name)).collect();
        Ok(Self::Csv(Box::new(tables::named(file, &heads)?)))
    }
}
