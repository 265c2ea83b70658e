//! The metrics of the last steps, for plots against time, with a mark wherever a setting was changed.

use std::collections::VecDeque;
use std::sync::Arc;

use super::Metrics;
use crate::session::quantity::QuantityTrace;

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
pub struct TimeTick {
    /// Simulated time, s.
    pub time: f64,
    pub step: u64,
    /// What was changed: “Warm starting off”.
    pub label: String,
}

/// A joint's free coordinate and its rate after a step, rad or m, and a second; no numbers where it was not there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JointSample {
    pub value: f32,
    pub speed: f32,
}

impl JointSample {
    const NONE: Self = Self { value: f32::NAN, speed: f32::NAN };

    /// As that of the joint that is watched; `None` where it was not there.
    fn watched(&self, joint: usize) -> Option<Watched> {
        let Self { value, speed } = *self;
        (!value.is_nan()).then_some(Watched { joint, value, speed })
    }
}

/// A sample, and what a joint read in it.
pub type ReadSample<'a> = (&'a Sample, Option<JointSample>);

/// The last [`Samples::CAPACITY`] samples, oldest first, and the marks among them.
#[derive(Debug, Clone, Default)]
pub struct Samples {
    pub samples: VecDeque<Sample>,
    pub marks: VecDeque<TimeTick>,
    /// Of each sample the first joints, sample by sample, so that the curve of a joint that is chosen later begins with
    /// the run.
    readings: VecDeque<JointSample>,
    /// How many joints of each sample.
    width: usize,
    /// The samples behind the present moment while the run stands at an earlier one than its last, the next last, each
    /// with what its joints read.
    ahead: Vec<(Sample, Vec<JointSample>)>,
    /// The joints' names, as many as are read, and how many joints there were in all.
    joints: (Vec<Arc<str>>, usize),
    /// Whether steps have been made since the last sample that nobody looked at.
    missed: bool,
    /// What the document's plots ask for beside the metrics.
    pub(in crate::session) traces: Vec<QuantityTrace>,
}

impl Samples {
    /// Samples kept: over a minute at 60 Hz.
    pub const CAPACITY: usize = 4096;
    /// Joints that are read at every step: 2 MiB of readings. Of a scene with more the others are read while they are
    /// watched.
    pub const JOINTS: usize = 64;

    /// A step is made without a sample.
    pub fn miss(&mut self) {
        self.missed = true;
    }

    /// Adds the metrics of a step and what its joints read; the oldest make room. Behind steps that were missed the
    /// curves begin anew.
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

    /// The oldest sample makes room for that of `step`, with the marks before it.
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

    /// Adds a tick. A newer tick at the same step about the same thing takes the older one's place.
    pub fn mark(&mut self, mark: TimeTick, replaces: bool) {
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
        self.readings.truncate(self.samples.len() * self.width);
        self.cut_traces(step + 1);
        while self.marks.back().is_some_and(|m| m.step > step) {
            self.marks.pop_back();
        }
    }

    /// The run goes to another moment of what was: the samples behind it wait until it comes there.
    pub fn go_to(&mut self, step: u64) {
        while let Some(sample) = self.samples.pop_back_if(|sample| sample.step > step) {
            let readings = self.readings.split_off(self.readings.len() - self.width);
            self.ahead.push((sample, readings.into()));
        }
        while self.ahead.last().is_some_and(|(sample, _)| sample.step <= step) {
            self.forward();
        }
    }

    /// The sample of this step, to which the run has come, if it was there before.
    pub fn come_to(&mut self, step: u64) -> Option<&Sample> {
        self.go_to(step);
        self.samples.back().filter(|sample| sample.step == step)
    }

    /// What a joint read in each sample, and in those that wait behind the present moment; of the one that is watched
    /// if it is not among those that are read at every step.
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

    /// Forgets what waits behind the present moment.
    pub fn cut(&mut self, step: u64) {
        self.ahead.clear();
        self.rewind(step);
    }

    /// The samples that wait behind the present moment, the next first.
    pub fn ahead(&self) -> impl ExactSizeIterator<Item = &Sample> + DoubleEndedIterator {
        self.ahead.iter().rev().map(|(sample, _)| sample)
    }

    /// The sample that was taken nearest to this time, s.
    pub fn nearest(&self, time: f64) -> Option<&Sample> {
        let after = self.samples.partition_point(|s| s.time < time);
        let beside = after.checked_sub(1).into_iter().chain([after]).filter_map(|i| self.samples.get(i));
        let later = self.ahead.partition_point(|(s, _)| s.time >= time);
        let ahead = later.checked_sub(1).into_iter().chain([later]).filter_map(|i| self.ahead.get(i));
        let both = beside.chain(ahead.map(|(sample, _)| sample));
        both.min_by(|a, b| (a.time - time).abs().total_cmp(&(b.time - time).abs()))
    }

    /// The joints have these names now; those that have another place than before are found again, by their names or,
    /// where as many are there, by their places: a joint that was renamed has its place still.
    pub fn follow<'a>(&mut self, joints: impl ExactSizeIterator<Item = &'a Arc<str>>) {
        let count = joints.len();
        let names: Vec<Arc<str>> = joints.take(Self::JOINTS).cloned().collect();
        let (old, old_count) = &self.joints;
        let renamed = |index: usize| Some(index).filter(|_| count == *old_count);
        let was = |(index, name): (usize, &Arc<str>)| old.iter().position(|old| old == name).or(renamed(index));
        let from: Vec<_> = names.iter().enumerate().map(was).collect();
        self.reorder(&from);
        self.joints = (names, count);
    }

    /// Joint by joint, what it was before an edit: another, or none.
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

    /// The samples are of this joint from now on; so are those of the past, if it was read.
    pub fn watch(&mut self, joint: usize) {
        if joint >= self.width {
            // Nobody has read it there.
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

    /// Forgets the sample of `step` and of what came after; the marks of that step stay.
    pub fn rewind_before(&mut self, step: u64) {
        self.rewind(step);
        self.cut_traces(step);
        if self.samples.back().is_some_and(|s| s.step == step) {
            self.samples.pop_back();
            self.readings.truncate(self.samples.len() * self.width);
        }
    }

    /// The joint `old` has another index now, or is there no longer.
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

    /// Forgets what was noted at this step and behind it.
    fn cut_traces(&mut self, step: u64) {
        for trace in &mut self.traces {
            let keep = trace.values.partition_point(|(at, ..)| *at < step);
            trace.values.truncate(keep);
        }
    }
}
