//! Steps the comparison runs together with the main run: in lockstep, catching up, and going back. In the window a
//! thread of its own makes the steps of each run, and no frame waits for one.

use std::sync::Arc;
use std::time::Duration;

use glam::Vec3;

use super::{ComparedRun, Comparison, MOST_RUNS};
use crate::Session;
use crate::open::OpenScene;
use crate::run::Run;
use crate::run::repeat::{self, Repeat, Repeated, Source};
use delassus_physics::clock::Instant;
use delassus_physics::world::World;

impl Comparison {
    /// Whether the comparison runs make a step with the next step of the main run.
    fn goes_along(&self, run: &Run) -> bool {
        let follows = self.base.as_ref().is_some_and(|base| Arc::ptr_eq(&base.first, run.stretch().first()));
        !self.runs.is_empty() && follows && self.at == run.world().state.step_count
    }

    /// Whether the main run may make its next step: the step of each run beside it is ready, or is to be made here.
    /// Waits for them `until` then at most.
    pub(crate) fn is_ready(&mut self, run: &Run, until: Instant) -> bool {
        !self.goes_along(run) || self.are_ready(run, until)
    }

    /// Has the step after the main run's present one made, if the runs go along.
    pub(crate) fn go_on(&mut self, run: &Run) {
        if self.goes_along(run) && self.elsewhere {
            self.are_ready(run, Instant::now());
        }
    }

    /// Makes no steps ahead until they are asked for.
    pub(crate) fn rest(&mut self) {
        self.runs.iter_mut().for_each(|run| run.session.ahead.steps.stop());
        self.shadow.iter_mut().for_each(|shadow| shadow.rest());
    }

    /// How long the step or the earlier moment that the runs are behind by has been computed.
    pub(crate) fn computing(&self, run: &Run) -> Option<Duration> {
        let behind = self.at < run.world().state.step_count || self.going.is_some();
        if self.runs.is_empty() || !self.elsewhere || self.rests || !behind {
            return None;
        }
        let each = self.runs.iter().map(|run| match run.session.seeking() {
            Some(seeking) => seeking.computing(),
            None => run.session.ahead.steps.computing(),
        });
        each.chain(self.shadow.iter().map(|shadow| shadow.computing())).max()
    }

    /// Steps the comparison runs after a step of the main run.
    pub(crate) fn step(&mut self, run: &Run) {
        let now = run.world().state.step_count;
        let follows = self.base.as_ref().is_some_and(|base| Arc::ptr_eq(&base.first, run.stretch().first()));
        if self.runs.is_empty() || !follows || self.at + 1 != now {
            return;
        }
        // If one is not ready, they catch up later.
        if self.step_all(run, Instant::now()) {
            self.measure(|id| run.world().state(id).0);
        }
    }

    /// Whether the next step of each run is ready. Its inputs are the main run's mouse pull and step rate for this
    /// step.
    fn are_ready(&mut self, run: &Run, until: Instant) -> bool {
        let (pull, rate) = run.stretch().common_at(self.at);
        let mut all = true;
        for run in self.runs.iter_mut().filter(|run| run.stopped.is_none()) {
            run.session.put_in(pull, rate);
            if self.elsewhere
                && let Some(open) = &run.session.open
            {
                all &= repeat::is_ready(&open.run, &mut run.session.ahead.steps, until);
            }
        }
        all
    }

    /// Steps each comparison run; false if not all are ready.
    fn step_all(&mut self, run: &Run, until: Instant) -> bool {
        if !self.are_ready(run, until) {
            return false;
        }
        for run in self.runs.iter_mut().filter(|run| run.stopped.is_none()) {
            let before = run.session.snapshot.step;
            let Some(open) = &run.session.open else { continue };
            let made = match repeat::next_step(&open.run, &mut run.session.ahead.steps) {
                Source::Thread(made) => Some(made),
                Source::Here | Source::NotYet => None,
            };
            if run.session.step(made).is_err() || run.session.snapshot.step == before {
                run.stopped = Some(before);
            }
        }
        self.at += 1;
        true
    }

    /// Measures the distances between the runs at this step, unless known. `main_centre` gives a body's centre of
    /// mass in the main run, world, m.
    pub(super) fn measure(&mut self, main_centre: impl Fn(u32) -> Vec3) {
        if self.apart.end() != self.at {
            return;
        }
        let Self { runs, apart, at, .. } = self;
        let count = runs.first().map_or(0, |run| run.session.snapshot.bodies.len());
        let bodies = (0..count).map(|index| {
            let mut centres = [Vec3::ZERO; MOST_RUNS];
            centres[0] = main_centre(index as u32 + 1);
            for (centre, run) in centres[1..].iter_mut().zip(runs.iter()) {
                let there = run.stopped.is_none_or(|last| last >= *at);
                *centre = if there { run.session.snapshot.bodies[index].centre } else { Vec3::NAN };
            }
            centres
        });
        apart.push(runs.len() + 1, bodies);
    }

    /// Moves all comparison runs to the main run's step, within `budget`. False while they are behind.
    pub(super) fn catch_up_all(&mut self, main: &Session, budget: Duration) -> bool {
        let Some(open) = &main.open else {
            self.runs.clear();
            return true;
        };
        self.elsewhere = main.is_ahead();
        self.runs.iter_mut().for_each(|run| run.session.ahead.on = self.elsewhere);
        let until = Instant::now() + budget;
        let now = open.run.world().state.step_count;
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
            } else if self.at >= now {
                let waits = self.cut.replace(now).is_some();
                if waits || !self.seek(now) {
                    self.restart(main);
                }
            }
        }
        match self.arrived() {
            None => return false,
            Some(true) => {}
            Some(false) => self.restart(main),
        }
        // Before their beginning there is nothing to show: they stay at the beginning.
        let to = now.max(begins(self));
        if (self.at > to || self.apart.end() > to) && self.at != to {
            if !self.seek(to) {
                self.restart(main);
            }
            match self.arrived() {
                None => return false,
                Some(true) => {}
                Some(false) => self.restart(main),
            }
        }
        if self.rests && self.elsewhere {
            return self.at >= now;
        }
        self.catch_up(open, until)
    }

    /// Catches up no further until the next command, if the runs are behind.
    pub(crate) fn pause(&mut self, run: &Run) {
        if self.elsewhere && self.computing(run).is_some() {
            self.rest();
            self.rests = true;
        }
    }

    /// Makes the steps that the runs lack; false if time is up before.
    fn catch_up(&mut self, open: &OpenScene, until: Instant) -> bool {
        let (run, now) = (&open.run, open.run.world().state.step_count);
        while self.at < now {
            if self.shadow.is_none() && self.at + 1 == now {
                if !self.step_all(run, until) {
                    return false;
                }
                self.measure(|id| run.world().state(id).0);
                continue;
            }
            let mut shadow = self.shadow.take().unwrap_or_else(|| self.shadow_of(run));
            let come = match shadow.at() < self.at {
                true => shadow.step(until),
                false if shadow.is_ready(until) && self.step_all(run, until) => shadow.step(until),
                false => Repeated::NotYet,
            };
            if come == Repeated::Made && shadow.at() == self.at {
                self.measure(|id| shadow.world().state(id).0);
            }
            if come == Repeated::Never {
                return true;
            }
            if self.at < now {
                self.shadow = Some(shadow);
                if come == Repeated::NotYet || Instant::now() > until {
                    return false;
                }
            }
        }
        true
    }

    /// A copy of the main run, to be repeated beside the others from the step that they have reached.
    fn shadow_of(&self, run: &Run) -> Box<Repeat> {
        let step = |world: &Arc<World>| world.state.step_count;
        let stored = run.stretch().nearest(self.at);
        let begin = self.base.as_ref().map(|base| &base.from).filter(|from| step(from) <= self.at);
        let from = begin.filter(|from| step(from) > step(stored)).unwrap_or(stored);
        Box::new(Repeat::new(run, from, self.elsewhere))
    }

    /// Whether the runs that go to an earlier step have arrived: `None` while one has not, and false if one cannot.
    fn arrived(&mut self) -> Option<bool> {
        let Some(step) = self.going else { return Some(true) };
        for run in &mut self.runs {
            run.session.look_at_seeking();
        }
        if self.runs.iter().any(|run| run.session.seeking().is_some()) {
            return None;
        }
        self.going = None;
        let there = |run: &ComparedRun| {
            let open = run.session.open.as_ref();
            let last = run.session.timeline().map_or(step, |line| line.last);
            open.is_some_and(|open| open.run.world().state.step_count == step.min(last))
        };
        if !self.runs.iter().all(there) {
            return Some(false);
        }
        if let Some(step) = self.cut.take() {
            for run in &mut self.runs {
                run.session.diverge();
                run.session.branches.clear();
                run.stopped = run.stopped.filter(|last| *last < step);
            }
            self.apart.cut(step);
        }
        Some(true)
    }

    /// Sends all runs to an earlier step; false if one cannot go there.
    fn seek(&mut self, step: u64) -> bool {
        self.shadow = None;
        let mut well = true;
        for run in &mut self.runs {
            let last = run.session.timeline().map_or(step, |line| line.last);
            well &= run.session.seek(step.min(last)).is_ok();
        }
        (self.at, self.going) = (step, Some(step));
        well
    }
}
