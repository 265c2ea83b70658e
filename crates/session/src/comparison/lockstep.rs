//! Steps the comparison runs together with the main run: in lockstep, catching up, and going back.

use std::sync::Arc;
use std::time::{Duration, Instant};

use glam::Vec3;

use super::{Comparison, MOST_RUNS};
use crate::Session;
use crate::run::Run;

impl Comparison {
    /// Steps the comparison runs after a step of the main run.
    pub(crate) fn step(&mut self, run: &Run) {
        let now = run.world().state.step_count;
        let follows = self.base.as_ref().is_some_and(|base| Arc::ptr_eq(&base.first, run.stretch().first()));
        if self.runs.is_empty() || !follows || self.at + 1 != now {
            return;
        }
        self.step_all(run);
        self.measure(|id| run.world().state(id).0);
    }

    /// Steps each comparison run with the main run's mouse pull and step rate for this step.
    fn step_all(&mut self, run: &Run) {
        let (pull, rate) = run.stretch().common_at(self.at);
        for run in self.runs.iter_mut().filter(|run| run.stopped.is_none()) {
            run.session.put_in(pull, rate);
            let before = run.session.snapshot.step;
            if run.session.step(None).is_err() || run.session.snapshot.step == before {
                run.stopped = Some(before);
            }
        }
        self.at += 1;
    }

    /// Measures the distances between the runs at this step, unless known. `own` gives a body's centre of mass in the
    /// main run, world, m.
    pub(super) fn measure(&mut self, own: impl Fn(u32) -> Vec3) {
        if self.apart.end() != self.at {
            return;
        }
        let Self { runs, apart, at, .. } = self;
        let count = runs.first().map_or(0, |run| run.session.snapshot.bodies.len());
        let bodies = (0..count).map(|index| {
            let mut centres = [Vec3::ZERO; MOST_RUNS];
            centres[0] = own(index as u32 + 1);
            for (centre, run) in centres[1..].iter_mut().zip(runs.iter()) {
                let there = run.stopped.is_none_or(|last| last >= *at);
                *centre = if there { run.session.snapshot.bodies[index].centre } else { Vec3::NAN };
            }
            centres
        });
        apart.push(runs.len() + 1, bodies);
    }

    /// Moves all comparison runs to the main run's step, within `budget`. False while they are behind.
    pub(super) fn follow(&mut self, main: &Session, budget: Duration) -> bool {
        let Some(open) = &main.open else {
            self.runs.clear();
            return true;
        };
        let (run, begin) = (&open.run, Instant::now());
        let now = run.world().state.step_count;
        if !self.base.as_ref().is_some_and(|old| old.is_of(main, open)) {
            self.restart(main);
        }
        let begins = |beside: &Self| beside.base.as_ref().map_or(0, |base| base.from.state.step_count);
        let first = begins(self);
        if self.cuts != main.cuts {
            self.cuts = main.cuts;
            if now < first {
                // The moment at which they began no longer exists.
                self.base = None;
                self.restart(main);
            } else if !self.cut(now) {
                self.restart(main);
            }
        }
        // Before their beginning there is nothing to show: they stay at the beginning.
        let to = now.max(begins(self));
        if (self.at > to || self.apart.end() > to) && self.at != to && !self.seek(to) {
            self.restart(main);
        }
        if self.at + 1 == now && self.shadow.is_none() {
            self.step(run);
        }
        while self.at < now {
            let stretch = run.stretch();
            if self.shadow.is_none() {
                // Without a time limit: the main run waits.
                let here = self.base.as_ref().map(|base| &*base.from);
                let at = stretch.at(self.at, here, 0.0);
                self.shadow = at.map(Box::new);
            }
            let Some(mut shadow) = self.shadow.take() else { return true };
            self.step_all(run);
            shadow.pipeline.executor.resident = true;
            shadow.step();
            if shadow.state.step_count != self.at {
                return true;
            }
            stretch.put_in(&mut shadow);
            self.measure(|id| shadow.state(id).0);
            if self.at < now {
                self.shadow = Some(shadow);
                if begin.elapsed() > budget {
                    return false;
                }
            }
        }
        true
    }

    /// Moves all runs to an earlier step; false if one cannot go there.
    fn seek(&mut self, step: u64) -> bool {
        self.shadow = None;
        let mut well = true;
        for run in &mut self.runs {
            let last = run.session.timeline().map_or(step, |line| line.last);
            well &= run.session.seek(step.min(last)).is_ok();
        }
        self.at = step;
        well
    }

    /// Discards the states after this step; false if a run cannot go there.
    fn cut(&mut self, step: u64) -> bool {
        if self.at < step {
            return true;
        }
        let well = self.seek(step);
        for run in &mut self.runs {
            run.session.diverge();
            run.session.futures.clear();
            run.stopped = run.stopped.filter(|last| *last < step);
        }
        self.apart.cut(step);
        well
    }
}
