//! The metrics of the latest steps, for plots against time, with a mark wherever a setting was changed.

use std::collections::VecDeque;
use std::sync::Arc;

use super::Metrics;
use crate::quantity::QuantityTrace;

/// The metrics after one step.
#[derive(Debug, Clone, Copy)]
pub struct Sample {
    /// Simulated time, s.
    pub time: f64,
    pub step: u64,
    pub metrics: Metrics,
    /// Wall time of the step, ms.
    pub step_ms: f32,
    /// Reading of the watched joint.
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
pub struct TimeTick {
    /// Simulated time, s.
    pub time: f64,
    pub step: u64,
    /// What was changed: “Warm starting off”.
    pub label: String,
}

/// A joint's free coordinate after a step, rad or m, and its rate, rad/s or m/s; NaN if the joint did not exist.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JointSample {
    /// Free coordinate, rad or m.
    pub value: f32,
    /// Its rate, rad/s or m/s.
    pub speed: f32,
}

impl JointSample {
    const NONE: Self = Self { value: f32::NAN, speed: f32::NAN };

    /// As the reading of the watched joint; `None` if the joint did not exist.
    fn watched(&self, joint: usize) -> Option<Watched> {
        let Self { value, speed } = *self;
        (!value.is_nan()).then_some(Watched { joint, value, speed })
    }
}

/// A sample, and one joint's reading in it.
pub type ReadSample<'a> = (&'a Sample, Option<JointSample>);

/// The last [`Samples::CAPACITY`] samples, oldest first, and the marks at their steps.
#[derive(Debug, Clone, Default)]
pub struct Samples {
    pub samples: VecDeque<Sample>,
    pub marks: VecDeque<TimeTick>,
    /// Readings of the first joints, sample by sample, so that the curve of a joint selected later starts with the
    /// run.
    readings: VecDeque<JointSample>,
    /// Number of joints read per sample.
    width: usize,
    /// The samples after the current moment while the run is at an earlier one, the next last, each with its joint
    /// readings.
    ahead: Vec<(Sample, Vec<JointSample>)>,
    /// The names of the joints that are read, and the number of all joints.
    joints: (Vec<Arc<str>>, usize),
    /// Whether steps without a sample were made since the last one.
    missed: bool,
    /// Values of the quantities in the document's plots and sensors that are not in the metrics.
    pub(crate) traces: Vec<QuantityTrace>,
    /// Whether the document has sensors, which are read after every step.
    pub(crate) senses: bool,
}

impl Samples {
    /// Samples kept: over a minute at 60 Hz.
    pub const CAPACITY: usize = 4096;
    /// Joints read at every step: 2 MiB of readings. Further joints are read only while they are watched.
    pub const JOINTS: usize = 64;

    /// Notes that a step was made without a sample.
    pub fn miss(&mut self) {
        self.missed = true;
    }

    /// Adds the metrics of a step and its joint readings, dropping the oldest if full. After steps without samples,
    /// all earlier samples are dropped.
    pub fn push(&mut self, sample: Sample, joints: impl ExactSizeIterator<Item = JointSample>) {
        if std::mem::take(&mut self.missed) {
            self.samples.clear();
        }
        if self.samples.is_empty() {
            self.readings.clear();
            if self.ahead.is_empty() {
                self.width = joints.len().min(Self::JOINTS);
            }
        }
        self.make_room(sample.step);
        self.readings.extend(joints.chain(std::iter::repeat(JointSample::NONE)).take(self.width));
        if self.samples.capacity() < Self::CAPACITY {
            self.samples.reserve_exact(Self::CAPACITY - self.samples.len());
        }
        self.samples.push_back(sample);
    }

    /// If full, drops the oldest sample and the marks before the new oldest one, to make room for the sample of
    /// `step`.
    fn make_room(&mut self, step: u64) {
        if self.samples.len() < Self::CAPACITY {
            return;
        }
        self.samples.pop_front();
        self.readings.drain(..self.width);
        let oldest = self.samples.front().map_or(step, |s| s.step);
        while self.marks.front().is_some_and(|m| m.step < oldest) {
            self.marks.pop_front();
        }
    }

    /// Adds a mark; if `replaces`, it replaces the last one (the same drag at the same step).
    pub fn mark(&mut self, mark: TimeTick, replaces: bool) {
        if replaces {
            self.marks.pop_back();
        }
        if self.marks.len() == Self::CAPACITY {
            self.marks.pop_front();
        }
        self.marks.push_back(mark);
    }

    /// Discards everything after `step`.
    pub fn rewind(&mut self, step: u64) {
        while self.samples.back().is_some_and(|s| s.step > step) {
            self.samples.pop_back();
        }
        self.readings.truncate(self.samples.len() * self.width);
        self.cut_traces(step + 1);
        while self.marks.back().is_some_and(|m| m.step > step) {
            self.marks.pop_back();
        }
    }

    /// Follows the run to another moment: samples after it are set aside until the run reaches them again.
    pub fn go_to(&mut self, step: u64) {
        while let Some(sample) = self.samples.pop_back_if(|sample| sample.step > step) {
            let readings = self.readings.split_off(self.readings.len() - self.width);
            self.ahead.push((sample, readings.into()));
        }
        while self.ahead.last().is_some_and(|(sample, _)| sample.step <= step) {
            self.forward();
        }
    }

    /// The sample of the step that the run has reached, if one exists from before.
    pub fn go_to_sample(&mut self, step: u64) -> Option<&Sample> {
        self.go_to(step);
        self.samples.back().filter(|sample| sample.step == step)
    }

    /// A joint's readings in the samples up to the current moment, and in those after it. Joints that are not read at
    /// every step have readings only where they were watched.
    pub fn readings_of(
        &self,
        joint: usize,
    ) -> (impl Iterator<Item = ReadSample<'_>>, impl Iterator<Item = ReadSample<'_>>) {
        let watched = move |sample: &Sample| {
            let of = sample.watched.filter(|watched| watched.joint == joint);
            of.map(|Watched { value, speed, .. }| JointSample { value, speed })
        };
        let past = self.samples.iter().enumerate().map(move |(index, sample)| {
            let read = (joint < self.width).then(|| self.readings[index * self.width + joint]);
            (sample, read.or_else(|| watched(sample)))
        });
        let ahead = self
            .ahead
            .iter()
            .rev()
            .map(move |(sample, readings)| (sample, readings.get(joint).copied().or_else(|| watched(sample))));
        (past, ahead)
    }

    fn forward(&mut self) {
        let Some((sample, readings)) = self.ahead.pop() else { return };
        self.make_room(sample.step);
        self.readings.extend(readings);
        self.samples.push_back(sample);
    }

    /// Discards the samples after `step`, including those set aside.
    pub fn cut(&mut self, step: u64) {
        self.ahead.clear();
        self.rewind(step);
    }

    /// The samples after the current moment, the next first.
    pub fn ahead(&self) -> impl ExactSizeIterator<Item = &Sample> + DoubleEndedIterator {
        self.ahead.iter().rev().map(|(sample, _)| sample)
    }

    /// The sample nearest to this time, s.
    pub fn nearest(&self, time: f64) -> Option<&Sample> {
        let after = self.samples.partition_point(|s| s.time < time);
        let beside = after.checked_sub(1).into_iter().chain([after]).filter_map(|i| self.samples.get(i));
        let later = self.ahead.partition_point(|(s, _)| s.time >= time);
        let ahead = later.checked_sub(1).into_iter().chain([later]).filter_map(|i| self.ahead.get(i));
        let both = beside.chain(ahead.map(|(sample, _)| sample));
        both.min_by(|a, b| (a.time - time).abs().total_cmp(&(b.time - time).abs()))
    }

    /// Adapts the readings to the joints' new names and order. A joint is identified by its name; if the number of
    /// joints is unchanged, one with an unknown name was renamed and keeps its index.
    pub fn rename_joints<'a>(&mut self, joints: impl ExactSizeIterator<Item = &'a Arc<str>>) {
        let count = joints.len();
        let names: Vec<Arc<str>> = joints.take(Self::JOINTS).cloned().collect();
        let (old, old_count) = &self.joints;
        let renamed = |index: usize| Some(index).filter(|_| count == *old_count);
        let was = |(index, name): (usize, &Arc<str>)| old.iter().position(|old| old == name).or(renamed(index));
        let from: Vec<_> = names.iter().enumerate().map(was).collect();
        self.reorder(&from);
        self.joints = (names, count);
    }

    /// Reorders the readings: `from` gives each joint's index before the edit, or `None` for a new one.
    fn reorder(&mut self, from: &[Option<usize>]) {
        let (old, width) = (self.width, from.len().min(Self::JOINTS));
        let row = |sample: usize| {
            let readings = &self.readings;
            let before = move |joint: Option<usize>| joint.filter(|j| *j < old).map(|j| readings[sample * old + j]);
            from[..width].iter().map(move |joint| before(*joint).unwrap_or(JointSample::NONE))
        };
        self.readings = (0..self.samples.len()).flat_map(row).collect();
        self.width = width;
        for (_, readings) in &mut self.ahead {
            let before = |joint: &Option<usize>| joint.and_then(|joint| readings.get(joint).copied());
            *readings = from[..width].iter().map(|joint| before(joint).unwrap_or(JointSample::NONE)).collect();
        }
    }

    /// Watches this joint from now on, and in past samples that have its reading.
    pub fn watch(&mut self, joint: usize) {
        if joint >= self.width {
            // The samples set aside have no reading of this joint.
            self.ahead.iter_mut().for_each(|(sample, _)| sample.watched = None);
            return;
        }
        for (index, sample) in self.samples.iter_mut().enumerate() {
            sample.watched = self.readings[index * self.width + joint].watched(joint);
        }
        for (sample, readings) in &mut self.ahead {
            sample.watched = readings.get(joint).and_then(|reading| reading.watched(joint));
        }
    }

    /// Discards the sample of `step` and everything after it; marks at the step are kept.
    pub fn rewind_before(&mut self, step: u64) {
        self.rewind(step);
        self.cut_traces(step);
        if self.samples.back().is_some_and(|s| s.step == step) {
            self.samples.pop_back();
            self.readings.truncate(self.samples.len() * self.width);
        }
    }

    /// Updates the index of the watched joint `old` after an edit; `None` if it was removed.
    pub fn renumber(&mut self, old: usize, now: Option<usize>) {
        if now == Some(old) {
            return;
        }
        for sample in self.samples.iter_mut().chain(self.ahead.iter_mut().map(|(sample, _)| sample)) {
            sample.watched = (sample.watched).and_then(|watched| {
                Some(Watched { joint: if watched.joint == old { now? } else { return None }, ..watched })
            });
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.ahead.clear();
        self.samples.clear();
        self.readings.clear();
        self.marks.clear();
        self.cut_traces(0);
        self.traces.iter_mut().for_each(|trace| trace.filled = false);
    }

    /// Discards the trace values of this step and later ones.
    fn cut_traces(&mut self, step: u64) {
        for trace in &mut self.traces {
            let keep = trace.values.partition_point(|(at, ..)| *at < step);
            trace.values.truncate(keep);
        }
    }
}
