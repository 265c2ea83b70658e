//! Advances time: makes the steps that are due and records their samples, events and breakpoints.
//!
//! In the window, steps are made ahead on a separate thread ([`run::ahead`](super::run::ahead)), and a frame takes
//! those that are ready without waiting. Only the steps of the graphics device are made here. Steps asked for one by
//! one are in `by_hand.rs`. A mouse pull that arrives while a step is being made waits, in order, until that step is
//! taken, and is recorded with the step that it affects. Every other command acts at once on the visible state.

use std::time::Duration;

use super::by_hand::Asked;
use super::command::Command;
use super::error::SessionError;
use super::open::OpenScene;
use super::{Session, SnapshotNeeds, device_run, record, run};
use delassus_physics::clock::Instant;
use delassus_physics::mouse_joint::MouseJoint;
use delassus_physics::threads;

/// How long a frame waits for the next step after a command discarded the steps made ahead, if the step is expected
/// within that time. Otherwise a dragged body would appear frozen.
const MAX_WAIT: Duration = Duration::from_millis(8);
/// After this many restarts without a step taken, a frame waits this long.
const RESTARTS_BEFORE_WAIT: (u32, Duration) = (15, Duration::from_millis(50));
/// Time that may stay due for the next frame while steps are made ahead, s of wall time.
const MAX_LATE_SECONDS: f64 = 0.05;

/// Steps made ahead, and commands waiting for them.
pub(super) struct StepsAhead {
    /// Whether the window asks for steps made ahead.
    pub on: bool,
    /// How long a frame waits for a step by hand and for an earlier moment.
    pub patience: Duration,
    pub steps: run::ahead::AheadThread,
    /// Steps asked for one by one.
    pub asked: Asked,
    /// Mouse pulls and releases since the current state, in order.
    waiting: Vec<Command>,
    /// Number of restarts since a step was taken, and whether one happened since the last frame.
    begun: u32,
    fresh: bool,
    /// Number of steps due in the last frame.
    due: usize,
}

impl Default for StepsAhead {
    fn default() -> Self {
        Self {
            on: false,
            patience: Duration::from_millis(50),
            steps: run::ahead::AheadThread::default(),
            asked: Asked::default(),
            waiting: Vec::new(),
            begun: 0,
            fresh: false,
            due: 0,
        }
    }
}

/// Result of one round of steps.
#[derive(Default)]
struct Round {
    steps: u32,
    /// Whether waiting commands must act on the reached state before the remaining steps.
    goes_on: bool,
}

impl Session {
    /// Whether the window asks for steps made ahead, and so for frames that wait for nothing.
    pub fn is_ahead(&self) -> bool {
        self.ahead.on
    }

    /// Turns making steps ahead on or off. Where there are no threads, it stays off.
    pub fn run_ahead(&mut self, on: bool) {
        let on = on && threads::AVAILABLE;
        (self.ahead.on, self.chart.elsewhere) = (on, on);
        self.go_ahead();
    }

    /// How long a frame waits for a step by hand and for an earlier moment, before it goes on without: 50 ms unless
    /// set.
    pub fn wait_at_most(&mut self, patience: Duration) {
        self.ahead.patience = patience;
    }

    /// Advances by `wall` time and runs the steps that are due, for at most about `budget`. Steps that do not fit are
    /// dropped, which [`Session::real_time_factor`] shows. Pauses if a step causes
    /// [`Snapshot::trouble`](super::Snapshot::trouble). Returns the number of steps.
    pub fn advance(&mut self, wall: Duration, budget: Duration) -> u32 {
        self.history.wait(wall);
        self.wait_for_doctor(wall);
        self.take_past();
        self.look_at_seeking();
        // There is a scene if a step was asked for.
        let _ = self.take_asked(Duration::ZERO);
        if !self.follow_runs(budget) {
            // Time stops until all comparison runs have reached the same step.
            self.clock.clear_time_due();
            return 0;
        }
        let begin = Instant::now();
        self.clock.add_time(wall);
        let h = 1.0 / f64::from(self.settings.step.rate);
        self.ahead.due = self.clock.steps_due(h);
        self.go_ahead();
        let mut steps = 0;
        loop {
            let round = self.round(h, begin, budget);
            steps += round.steps;
            self.apply_waiting_commands();
            self.go_ahead();
            if !round.goes_on {
                break;
            }
        }
        self.ahead.fresh = false;
        let late = if self.goes_ahead() { MAX_LATE_SECONDS * f64::from(self.clock.speed) } else { 0.0 };
        self.clock.drop_late_steps(wall, f64::from(steps) * h, h, late);
        steps
    }

    /// Takes or makes the steps that are due, until a command must be executed before the next.
    fn round(&mut self, h: f64, begin: Instant, budget: Duration) -> Round {
        let elsewhere = self.goes_ahead();
        let active_claims = self.active_claims();
        let Some(open) = &mut self.open else { return Round::default() };
        let (mut steps, mut halted, mut measured) = (0, false, None);
        // While following the past: whether the bodies or the document change from here on.
        let (mut turned, mut crossed) = (false, false);
        // Whether a breakpoint was hit, and whether the snapshot already shows the last step.
        let (mut hit, mut fresh) = (false, false);
        let mut goes_on = false;
        let may_read_late = !elsewhere && self.clock.playing && !open.line.is_past();
        let on_device = may_read_late && device_run::shows_late_reports(&self.needs, &open.run, &self.breakpoints);
        open.run.read_late(on_device);
        while self.clock.is_due(h) {
            if elsewhere && !self.ahead.steps.is_for(&open.run) {
                // The thread must first be started from this state.
                goes_on = true;
                break;
            }
            let taken = if elsewhere { self.ahead.await_step(&open.run, begin) } else { Taken::MakeIt };
            if matches!(taken, Taken::None) || !self.comparison.is_ready(&open.run, self.ahead.patience(begin)) {
                break;
            }
            self.clock.subtract_step(h);
            let fits = |more: f64| begin.elapsed() + Duration::from_secs_f64(more) <= budget;
            // Pictures interpolate between the last two states, so the previous state is copied for the last step
            // only.
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
            let before = open.run.world().state.step_count;
            let was_past = open.line.is_past();
            let well;
            (well, crossed) = self.ahead.adopt_precomputed(open, &taken).unwrap_or_else(|| open.step());
            measured = None;
            let step = open.run.world().state.step_count;
            if step > before {
                if was_past && let Some(sample) = self.samples.go_to_sample(step) {
                    measured = Some(sample.metrics);
                } else if on_device {
                    // The device's steps are recorded when they are read back.
                } else if self.needs.samples || self.samples.senses || self.breakpoints.are_on() {
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
                    noting(elsewhere, || self.claims.check(of, open, &active_claims, measured));
                }
            }
            fresh = step > before && !crossed && self.breakpoints.are_on();
            if !crossed {
                self.log.check(open.run.world(), &open.names);
            }
            let warned = !on_device && step > before && self.needs.is_complete() && self.chart.stepped(&open.run);
            if fresh {
                // The breakpoints need the complete snapshot of this step.
                noting(elsewhere, || self.snapshot.refresh(&open.run, measured, &SnapshotNeeds::ALL));
                hit |= self.breakpoints.check(&self.snapshot, self.samples.samples.back());
            }
            halted = !well || hit;
            turned = was_past && (crossed || open.is_other_document());
            if halted || turned {
                break;
            }
            if !self.ahead.waiting.is_empty() {
                goes_on = self.clock.is_due(h);
                break;
            }
            if last && !alone {
                break;
            }
            if warned || !fits(seconds) {
                // A warning must be shown before more happens, or this step took longer than the earlier ones.
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
            open.run.read_late(false);
            noting(elsewhere, || self.snapshot.refresh(&open.run, measured, needs));
        }
        if halted {
            self.play(false);
        }
        Round { steps, goes_on: goes_on && !halted && !turned }
    }

    /// Whether steps are made ahead at present.
    fn goes_ahead(&self) -> bool {
        let plays = self.playing() && self.open.is_some();
        (plays || self.remaining_steps() > 0) && self.can_step_elsewhere()
    }

    /// Starts making the steps after the current state, or stops if they are not to be made ahead.
    pub(super) fn go_ahead(&mut self) {
        let goes = self.goes_ahead();
        let room = 2 * self.ahead.due + 2;
        match &self.open {
            Some(open) if goes => {
                let ahead = &mut self.ahead;
                if !ahead.steps.is_at_work(&open.run) {
                    (ahead.begun, ahead.fresh) = (ahead.begun + 1, true);
                }
                ahead.steps.go_on(&open.run, room);
                self.comparison.go_on(&open.run);
            }
            _ => {
                self.ahead.steps.stop();
                if self.runs_behind() == 0 {
                    self.comparison.rest();
                }
            }
        }
    }

    /// Whether this command waits for the step in progress; if so, it is queued. Otherwise the queued commands are
    /// executed first.
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
                self.apply_waiting_commands();
                return Ok(false);
            }
        };
        let waiting = &mut self.ahead.waiting;
        // Of several pulls within one step only the last has an effect.
        if pull.is_some() && matches!(waiting.last(), Some(Command::MouseJoint { .. })) {
            waiting.pop();
        }
        waiting.push(command.clone());
        if let Some(open) = &self.open {
            self.snapshot.show_pull(open.run.world(), pull);
        }
        Ok(true)
    }

    /// Executes the commands queued for the current state.
    pub(super) fn apply_waiting_commands(&mut self) {
        for command in std::mem::take(&mut self.ahead.waiting) {
            // The body may have been removed meanwhile; the pull is then dropped.
            let _ = self.act(command);
        }
    }
}

/// Source of the next step.
enum Taken {
    /// Made ahead; `left` more are ready after it.
    Ready {
        left: usize,
    },
    MakeIt,
    /// Not ready yet.
    None,
}

impl StepsAhead {
    /// Until when a frame that began at `begin` waits for a step.
    fn patience(&self, begin: Instant) -> Instant {
        begin + if self.begun > RESTARTS_BEFORE_WAIT.0 { RESTARTS_BEFORE_WAIT.1 } else { MAX_WAIT }
    }

    /// Looks for the next step. If its computation was restarted in this frame, waits for up to `MAX_WAIT`.
    fn await_step(&self, run: &run::Run, begin: Instant) -> Taken {
        if !self.steps.is_at_work(run) {
            return Taken::MakeIt;
        }
        let mut ready = self.steps.ready(run);
        if ready == 0 && self.fresh {
            self.steps.wait(self.patience(begin).saturating_duration_since(Instant::now()));
            ready = self.steps.ready(run);
        }
        ready.checked_sub(1).map_or(Taken::None, |left| Taken::Ready { left })
    }

    /// Moves the run to a step made ahead. Returns whether all was well, and whether the bodies may have changed;
    /// `None` if there is no such step.
    fn adopt_precomputed(&mut self, open: &mut OpenScene, taken: &Taken) -> Option<(bool, bool)> {
        self.begun = 0;
        if !matches!(taken, Taken::Ready { .. }) {
            return None;
        }
        let (well, crossed, old) = open.accept(self.steps.take(&open.run)?);
        self.steps.discard(old);
        Some((well, crossed))
    }
}

/// Runs `note` on this thread alone if steps are made elsewhere, so as not to compete with their threads.
fn noting<R>(elsewhere: bool, note: impl FnOnce() -> R) -> R {
    if elsewhere { threads::alone(note) } else { note() }
}
