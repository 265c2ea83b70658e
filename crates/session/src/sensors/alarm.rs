//! The alarm of a sensor: when its limits were first passed, how far, and how long in all.

use super::SensorReader;
use crate::condition::shown;
use serde::Serialize;

/// Which limit was passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    Low,
    High,
}

impl Side {
    /// As in “above 3 N”.
    pub fn word(self) -> &'static str {
        match self {
            Self::Low => "below",
            Self::High => "above",
        }
    }
}

/// An alarm, with values in the sensor's unit and times in s.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Alarm {
    /// The step that passed a limit first, and the simulated time of its end.
    pub step: u64,
    pub time: f64,
    /// The limit that the worst value passed, and that value.
    pub side: Side,
    pub limit: f64,
    pub worst: f64,
    /// The simulated time of the worst value.
    pub worst_time: f64,
    /// In how many steps the value was beyond a limit, and how long these are together.
    pub steps: u64,
    pub seconds: f64,
    /// Whether it was so after the last step.
    pub active: bool,
    /// How far the worst value is beyond its limit.
    #[serde(skip)]
    beyond: f64,
}

impl Alarm {
    /// As a sentence without a final stop: “1.31 N·m, above 1.2 N·m, at 0.9 s; first at 0.417 s, for 0.5 s in all”.
    pub fn words(&self, unit: &str) -> String {
        let value = |value: f64| format!("{} {unit}", shown(value)).trim_end().to_owned();
        format!(
            "{}, {} {}, at {:.3} s; first at {:.3} s, for {:.3} s in all",
            value(self.worst),
            self.side.word(),
            value(self.limit),
            self.worst_time,
            self.time,
            self.seconds
        )
    }
}

/// Collects the alarm of a sensor, step by step.
#[derive(Debug, Clone, Default)]
pub struct AlarmRecord {
    alarm: Option<Alarm>,
    /// The time of the last value, s.
    last: Option<f64>,
}

impl AlarmRecord {
    /// Takes the value after a step, in the sensor's unit. The state before the first step is not judged: forces are
    /// unknown in it.
    pub fn note(&mut self, reader: &SensorReader, step: u64, time: f64, value: f64) {
        let length = self.last.replace(time).map_or(0.0, |last| (time - last).max(0.0));
        let beyond = reader.passes(value).filter(|_| step > 0);
        let Some((side, beyond)) = beyond else {
            if let Some(alarm) = &mut self.alarm {
                alarm.active = false;
            }
            return;
        };
        let limit = match side {
            Side::Low => reader.low,
            Side::High => reader.high,
        };
        let limit = limit.unwrap_or(f64::NAN);
        let first = Alarm {
            step,
            time,
            side,
            limit,
            worst: value,
            worst_time: time,
            steps: 0,
            seconds: 0.0,
            active: true,
            beyond,
        };
        let alarm = self.alarm.get_or_insert(first);
        if beyond > alarm.beyond {
            *alarm = Alarm { side, limit, worst: value, worst_time: time, beyond, ..*alarm };
        }
        (alarm.steps, alarm.seconds, alarm.active) = (alarm.steps + 1, alarm.seconds + length, true);
    }

    /// The alarm so far; `None` if no limit was passed.
    pub fn alarm(&self) -> Option<&Alarm> {
        self.alarm.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use delassus_scene::Sensor;

    /// 0.1 s a step, limits 0 and 10: beyond in steps 2, 3 and 5, that is for 0.3 s, and 7 below the lower limit at
    /// the worst. The 99 before the first step does not count.
    #[test]
    fn an_alarm_has_its_first_time_worst_value_and_length() {
        let sensor =
            Sensor { name: "s".into(), of: "energy".into(), low: Some(0.0), high: Some(10.0), ..Default::default() };
        let reader = SensorReader::new(&sensor, |_| None).expect("a reader");
        let mut record = AlarmRecord::default();
        for (step, value) in (0..).zip([99.0, 10.0, 12.0, 13.0, f64::NAN, -7.0]) {
            record.note(&reader, step, step as f64 / 10.0, value);
            assert_eq!(record.alarm().is_some_and(|alarm| alarm.active), [2, 3, 5].contains(&step), "step {step}");
        }
        let alarm = *record.alarm().expect("an alarm");
        assert_eq!((alarm.step, alarm.time, alarm.steps), (2, 0.2, 3));
        assert_eq!((alarm.side, alarm.limit, alarm.worst, alarm.worst_time), (Side::Low, 0.0, -7.0, 0.5));
        assert!((alarm.seconds - 0.3).abs() < 1e-12, "{}", alarm.seconds);
        record.note(&reader, 6, 0.6, 5.0);
        assert!(record.alarm().is_some_and(|alarm| !alarm.active && alarm.steps == 3));
    }
}
