//! The metrics of the last steps, for plots against time, with a mark wherever a setting was changed.

use std::collections::VecDeque;

use super::Metrics;

/// The metrics after one step.
#[derive(Debug, Clone, Copy)]
pub struct Sample {
    /// Simulated time, s.
    pub time: f64,
    pub step: u64,
    pub metrics: Metrics,
    /// Wall time of the step, ms.
    pub step_ms: f32,
    /// Of the joint that is watched.
    pub watched: Option<Watched>,
}

/// A joint's free coordinate after a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Watched {
    /// Its index in the snapshot.
    pub joint: usize,
    /// rad or m.
    pub value: f32,
    /// rad/s or m/s.
    pub speed: f32,
}

/// A tick on the time axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Mark {
    /// Simulated time, s.
    pub time: f64,
    pub step: u64,
    /// What was changed: “Warm starting off”.
    pub label: String,
}

/// The last [`Samples::CAPACITY`] samples, oldest first, and the marks among them.
#[derive(Debug, Clone, Default)]
pub struct Samples {
    pub samples: VecDeque<Sample>,
    pub marks: VecDeque<Mark>,
}

impl Samples {
    /// Samples kept: over a minute at 60 Hz.
    pub const CAPACITY: usize = 4096;

    /// Adds the metrics of a step; the oldest make room.
    pub fn push(&mut self, sample: Sample) {
        if self.samples.len() == Self::CAPACITY {
            self.samples.pop_front();
            let oldest = self.samples.front().map_or(sample.step, |s| s.step);
            while self.marks.front().is_some_and(|m| m.step < oldest) {
                self.marks.pop_front();
            }
        }
        if self.samples.capacity() < Self::CAPACITY {
            self.samples.reserve_exact(Self::CAPACITY - self.samples.len());
        }
        self.samples.push_back(sample);
    }

    /// Adds a tick. A newer tick at the same step about the same thing takes the older one's place.
    pub fn mark(&mut self, mark: Mark, replaces: bool) {
        if replaces {
            self.marks.pop_back();
        }
        if self.marks.len() == Self::CAPACITY {
            self.marks.pop_front();
        }
        self.marks.push_back(mark);
    }

    /// Forgets what came after `step`.
    pub fn rewind(&mut self, step: u64) {
        while self.samples.back().is_some_and(|s| s.step > step) {
            self.samples.pop_back();
        }
        while self.marks.back().is_some_and(|m| m.step > step) {
            self.marks.pop_back();
        }
    }

    /// Forgets the sample of `step` and of what came after; the marks of that step stay.
    pub fn rewind_before(&mut self, step: u64) {
        self.rewind(step);
        if self.samples.back().is_some_and(|s| s.step == step) {
            self.samples.pop_back();
        }
    }

    /// The joint `old` has another index now, or is there no longer.
    pub fn renumber(&mut self, old: usize, now: Option<usize>) {
        if now == Some(old) {
            return;
        }
        for sample in &mut self.samples {
            sample.watched = (sample.watched).and_then(|watched| {
                Some(Watched { joint: if watched.joint == old { now? } else { return None }, ..watched })
            });
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.samples.clear();
        self.marks.clear();
    }
}
