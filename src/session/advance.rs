//! Time passes: the steps that are due are made, and what everybody wants to know of each of them is noted.
//!
//! In the window they are made ahead, on a thread of their own ([`run::ahead`](super::run::ahead)), and a frame takes
//! those that are ready: it waits for no step. So it is while it plays along no past, no other runs go beside it, no
//! graphics device makes the steps, and a copy of the world is not too large; else they are made here. What the hand
//! does while a step is being made waits until that step is taken, in order, and is recorded with the step that it acts
//! on; every other command acts at once, on the state that is seen.

use std::time::{Duration, Instant};

use super::command::Command;
use super::error::SessionError;
use super::{Session, SnapshotNeeds, device_run, record, run};
use crate::physics::mouse_joint::MouseJoint;
use crate::physics::settings::Processor;
use crate::physics::threads;

/// After a command that has begun a new state a frame waits so long for the steps that follow it, if they take no longer:
/// what is dragged would stand still otherwise.
const PATIENCE: Duration = Duration::from_millis(8);
/// Where so many frames have begun a new state each before a step of it was made, it is waited for.
const STARVED: u32 = 15;
/// A frame that finds no step ready leaves this much of its time to the next one, s of wall time.
const LATE: f64 = 0.05;

/// The steps made ahead, and what waits for them.
#[derive(Default)]
pub(super) struct StepsAhead {
    /// Whether they are asked for.
    on: bool,
    steps: run::ahead::AheadThread,
    /// What the hand has done since the present state, in order.
    waiting: Vec<Command>,
    /// How many states were begun anew since a step was taken, and whether one was since the last frame.
    begun: u32,
    fresh: bool,
    /// How many steps were due in the last frame.
    due: usize,
}

/// What a round of steps has come to.
#[derive(Default)]
struct Round {
    steps: u32,
    /// Whether something waits that acts on the state come to, and more steps are due behind it.
    goes_on: bool,
}

impl Session {
    /// Has steps made ahead while it plays, on a thread of their own, or no longer.
    pub fn run_ahead(&mut self, on: bool) {
        self.ahead.on = on;
        self.go_ahead();
    }

    /// Lets `wall` time pass since the last call and runs the steps that are due, but no longer than about `budget`:
    /// what does not fit is dropped, and [`Session::real_time_factor`] says so. Pauses where a step leads into
    /// [`Snapshot::trouble`](super::Snapshot::trouble). Returns the number of steps.
    pub fn advance(&mut self, wall: Duration, budget: Duration) -> u32 {
        self.history.wait(wall);
        self.wait_for_doctor(wall);
        if !self.follow_runs(budget) {
            // Time waits until all runs stand at one step.
            self.clock.still();
            return 0;
        }
        let begin = Instant::now();
        self.clock.owe(wall);
        let h = 1.0 / f64::from(self.settings.step.rate);
        self.ahead.due = self.clock.due(h);
        self.go_ahead();
        let mut steps = 0;
        loop {
            let round = self.round(h, begin, budget);
            steps += round.steps;
            self.obey_waiting();
            self.go_ahead();
            if !round.goes_on {
                break;
            }
        }
        self.ahead.fresh = false;
        let late = if self.goes_ahead() { LATE * f64::from(self.clock.speed) } else { 0.0 };
        self.clock.settle(wall, f64::from(steps) * h, h, late);
        steps
    }

    /// Takes or makes the steps that are due, until something is to be done before the next.
    fn round(&mut self, h: f64, begin: Instant, budget: Duration) -> Round {
        let elsewhere = self.goes_ahead();
        let claimants = self.claimants();
        let Some(open) = &mut self.open else { return Round::default() };
        let (mut steps, mut halted, mut measured) = (0, false, None);
        // Where the run comes along what was done, and its bodies or its document are others from there on.
        let (mut turned, mut crossed) = (false, false);
        // Whether a breakpoint is hit, and whether the snapshot is of the last step already.
        let (mut hit, mut fresh) = (false, false);
        let mut goes_on = false;
        let listens = !elsewhere && self.clock.playing && !open.line.is_past();
        let on_device = listens && device_run::listens(&self.needs, &open.run, &self.breakpoints);
        open.run.listen(on_device);
        while self.clock.is_due(h) {
            let taken = if elsewhere { self.ahead.await_step(&open.run, begin) } else { Taken::MakeIt };
            if matches!(taken, Taken::None) {
                break;
            }
            self.clock.take(h);
            let fits = |more: f64| begin.elapsed() + Duration::from_secs_f64(more) <= budget;
            // Pictures lie between the last two states: the one before is wanted of the last step alone.
            let seconds = open.run.step_seconds + Self::comparison_seconds(&self.comparison);
            let seconds = if matches!(taken, Taken::Ready { .. }) { 0.0 } else { seconds };
            let alone = match taken {
                Taken::Ready { left } => left == 0 || !self.ahead.waiting.is_empty(),
                _ => elsewhere,
            };
            let last = !self.clock.is_due(h) || !fits(2.0 * seconds) || alone;
            if last && on_device {
                open.run.keep_poses();
            } else if last {
                noting(elsewhere, || self.snapshot.before_step(open.run.world()));
            }
            let before = open.run.world().step_count;
            let was_past = open.line.is_past();
            let well;
            (well, crossed) = match self.ahead.take(&mut open.run, &taken) {
                Some(well) => (well, false),
                None => open.step(),
            };
            measured = None;
            let step = open.run.world().step_count;
            if step > before {
                if was_past && let Some(sample) = self.samples.come_to(step) {
                    measured = Some(sample.metrics);
                } else if on_device {
                    // What is noted is noted when it is heard of.
                } else if self.needs.samples || self.breakpoints.are_on() {
                    let note = || record(&mut self.samples, &open.run, self.watched, self.needs.quantities);
                    measured = Some(noting(elsewhere, note));
                } else {
                    self.samples.miss();
                }
                steps += 1;
                if let Some(recorder) = &mut self.recorder {
                    recorder.stepped(open.run.world());
                }
                if !crossed {
                    self.comparison.step(&open.run);
                    let of = (self.opened, self.cuts);
                    noting(elsewhere, || self.claims.look(of, open, &claimants, measured));
                }
            }
            fresh = step > before && !crossed && self.breakpoints.are_on();
            if !crossed {
                self.log.look(open.run.world(), &self.snapshot);
            }
            let warned = !on_device && step > before && self.needs.is_complete() && self.chart.stepped(&open.run);
            if fresh {
                // What they ask for is of this step.
                noting(elsewhere, || self.snapshot.refresh(&open.run, measured, &SnapshotNeeds::ALL));
                hit |= self.breakpoints.look(&self.snapshot, self.samples.samples.back());
            }
            halted = !well || hit;
            turned = was_past && (crossed || open.is_other_document());
            if halted || turned {
                break;
            }
            // What is made ahead from here is still to be asked for.
            let asks = elsewhere && matches!(taken, Taken::MakeIt);
            if !self.ahead.waiting.is_empty() || asks {
                goes_on = self.clock.is_due(h);
                break;
            }
            if last && !alone {
                break;
            }
            if warned || !fits(seconds) {
                // It is to be told before more happens, or took longer than those before.
                if on_device {
                    open.run.keep_poses();
                } else {
                    noting(elsewhere, || self.snapshot.before_step(open.run.world()));
                }
                break;
            }
        }
        if on_device && !turned && !halted {
            halted = self.take_readback(steps);
        } else if turned {
            self.arrive_at(crossed);
        } else if (steps > 0 || halted) && !fresh {
            let needs = if halted { &SnapshotNeeds::ALL } else { &self.needs };
            open.run.listen(false);
            noting(elsewhere, || self.snapshot.refresh(&open.run, measured, needs));
        }
        if halted {
            self.play(false);
        }
        Round { steps, goes_on: goes_on && !halted && !turned }
    }

    /// Whether steps are made ahead now.
    fn goes_ahead(&self) -> bool {
        self.ahead.on
            && self.playing()
            && self.settings.solver.device == Processor::Cpu
            && self.runs().is_empty()
            && self
                .open
                .as_ref()
                .is_some_and(|open| !open.line.is_past() && run::ahead::AheadThread::bears(open.run.world()))
    }

    /// Has the steps that follow the present state made, if they are to be.
    pub(super) fn go_ahead(&mut self) {
        let goes = self.goes_ahead();
        match &self.open {
            Some(open) if goes => {
                let ahead = &mut self.ahead;
                if !ahead.steps.is_at_work(&open.run) {
                    (ahead.begun, ahead.fresh) = (ahead.begun + 1, true);
                }
                ahead.steps.go_on(&open.run, 2 * ahead.due + 2);
            }
            _ => self.ahead.steps.stop(),
        }
    }

    /// Whether a command waits until the step is taken that is being made; then it is kept. Others that wait come first.
    pub(super) fn waits(&mut self, command: &Command) -> Result<bool, SessionError> {
        let at_work = self.open.as_ref().is_some_and(|open| self.ahead.steps.is_at_work(&open.run));
        let pull = match command {
            Command::MouseJoint { body, point, target } if at_work => {
                let pull = MouseJoint { body: *body, point: *point, target: *target };
                self.can_pull(&pull)?;
                Some(pull)
            }
            Command::Release if at_work => None,
            _ => {
                self.obey_waiting();
                return Ok(false);
            }
        };
        let waiting = &mut self.ahead.waiting;
        // Of many pulls within a step only the last matters.
        if pull.is_some() && matches!(waiting.last(), Some(Command::MouseJoint { .. })) {
            waiting.pop();
        }
        waiting.push(command.clone());
        if let Some(open) = &self.open {
            self.snapshot.show_pull(open.run.world(), pull);
        }
        Ok(true)
    }

    /// Does what has waited for the present state.
    fn obey_waiting(&mut self) {
        for command in std::mem::take(&mut self.ahead.waiting) {
            // The body may be gone by now: nobody pulls it then.
            let _ = self.act(command);
        }
    }
}

/// Where the next step comes from.
enum Taken {
    /// It was made ahead, and so many behind it.
    Ready {
        left: usize,
    },
    MakeIt,
    /// Not yet.
    None,
}

impl StepsAhead {
    /// Looks for the next step. Where its state was begun in this frame it is waited for, as long as that goes unnoticed.
    fn await_step(&self, run: &run::Run, begin: Instant) -> Taken {
        if !self.steps.is_at_work(run) {
            return Taken::MakeIt;
        }
        let mut ready = self.steps.ready(run);
        if ready == 0 && self.begun > STARVED {
            return Taken::MakeIt;
        }
        if ready == 0 && self.fresh {
            self.steps.wait(PATIENCE.saturating_sub(begin.elapsed()));
            ready = self.steps.ready(run);
        }
        ready.checked_sub(1).map_or(Taken::None, |left| Taken::Ready { left })
    }

    /// Has the run go on to a step that is ready; whether all was well.
    fn take(&mut self, run: &mut run::Run, taken: &Taken) -> Option<bool> {
        self.begun = 0;
        if !matches!(taken, Taken::Ready { .. }) {
            return None;
        }
        let (well, old) = run.accept(self.steps.take(run)?);
        self.steps.discard(old);
        Some(well)
    }
}

/// Notes something of a step: without the threads that make the next ones meanwhile, if they are made elsewhere.
fn noting<R>(elsewhere: bool, note: impl FnOnce() -> R) -> R {
    if elsewhere { threads::alone(note) } else { note() }
}
