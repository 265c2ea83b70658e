//! The largest and the smallest value of each metric in a run.

use std::collections::BTreeMap;

use serde::Serialize;

use delassus_session::Sample;
use delassus_session::columns::{KEYS, METRICS, Moment};

/// A value and when it was first reached.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Extreme {
    pub value: f64,
    pub step: u64,
    /// Simulated time, s.
    pub time: f64,
}

/// The extremes of a run by column name.
#[derive(Debug, Default)]
pub struct Extremes {
    pub maxima: BTreeMap<&'static str, Extreme>,
    pub minima: BTreeMap<&'static str, Extreme>,
}

impl Extremes {
    /// Adds the metrics of a step.
    pub fn add(&mut self, sample: &Sample) {
        let at = Moment { step: sample.step, time: sample.time };
        for column in &METRICS[KEYS..] {
            let Some(value) = (column.get)(at, sample).number() else { continue };
            if !value.is_finite() {
                continue;
            }
            let now = Extreme { value, step: at.step, time: at.time };
            let keep = |known: &mut BTreeMap<_, Extreme>, better: fn(&f64, &f64) -> bool| {
                let extreme = known.entry(column.name).or_insert(now);
                if better(&value, &extreme.value) {
                    *extreme = now;
                }
            };
            keep(&mut self.maxima, f64::gt);
            keep(&mut self.minima, f64::lt);
        }
    }

    /// `, at most 0.012 m at 0.500 s`; empty if the column was never measured.
    pub fn most(&self, column: &str, shown: impl Fn(f64) -> String) -> String {
        self.maxima.get(column).map_or_else(String::new, |e| format!(", at most {} at {:.3} s", shown(e.value), e.time))
    }
}
