//! Watches whether the sweeps converge while the run goes on. In the window a thread of its own checks runs whose steps
//! take long, because a check may take as long as a step.

use std::time::Duration;

use super::Session;
use super::background::{Background, Progress};
use super::doctor_checks::Chart;
use super::run::Run;
use delassus_physics::spectrum::{self, Scratch};
use delassus_physics::stability::{self, Stability, Warning};
use delassus_physics::world::World;

/// Interval of the convergence checks, in seconds of wall time or simulated time, whichever passes first. A step with a
/// sudden jerk is also checked, and a warning ends the frame's steps. `crates/session/tests/growth` verifies that these
/// checks report growing errors in time.
pub const WATCH: f64 = 0.25;
/// Row sweeps that one check may take: some milliseconds.
const WATCH_ROWS: usize = 400_000;
/// A run whose steps take longer is checked on a thread, s.
const MAX_STEP_SECONDS: f64 = 0.02;

impl Chart {
    /// Checks a step if a check is due or the step jerks: a mode that oscillates too fast for the step may show for
    /// only one or two steps, between regular checks. Does nothing unless [`Session::watch`] was called. True if
    /// there is a warning and was none before.
    pub fn stepped(&mut self, run: &Run) -> bool {
        let Some((_, at)) = self.watched else { return false };
        let breached = self.judge.watch(run.shown());
        if self.found || self.is_long(run) {
            return breached;
        }
        let known = |warning: &Warning| matches!(warning, Warning::Whipping { .. });
        let jerks = || !self.stability.warnings.iter().any(known) && stability::whips(run.shown()).is_some();
        if (run.shown().state.time - at).abs() < WATCH && !jerks() {
            return breached;
        }
        let before = self.stability.warnings.len();
        match run.late() {
            Some(late) => self.record(&late.synced().unwrap_or_else(|| late.clone())),
            None => self.record(run.synced()),
        }
        self.found = !self.stability.warnings.is_empty();
        breached || (self.found && before == 0)
    }

    fn record(&mut self, world: &World) {
        self.stability = stability::stability(world, &mut self.scratch, sweeps(world));
        self.watched = Some((Duration::ZERO, world.state.time));
    }

    /// Whether a check would stop the frame.
    fn is_long(&self, run: &Run) -> bool {
        self.elsewhere && run.step_seconds > MAX_STEP_SECONDS
    }

    /// Has the state checked on a thread.
    fn look_elsewhere(&mut self, run: &Run) {
        let mut world = run.synced().clone();
        world.pipeline.executor.device = None;
        self.watched = Some((Duration::ZERO, world.state.time));
        self.looking = Background::start("convergence", move |cancel| {
            world.report.work.cancelled_by(Some(cancel.clone()));
            stability::stability(&world, &mut Scratch::default(), sweeps(&world))
        });
    }
}

/// The number of sweeps that one check makes.
fn sweeps(world: &World) -> u32 {
    (WATCH_ROWS / world.report.row_count.max(1)).clamp(8, spectrum::SWEEPS as usize) as u32
}

impl Session {
    /// Convergence of the sweeps at the last check: see [`Session::watch`].
    pub fn stability(&self) -> &Stability {
        &self.chart.stability
    }

    /// Checks the convergence of the sweeps if the last check is some time ago, and keeps checking in later steps.
    /// Call in each frame that shows the result; a check takes as long as a few steps.
    pub fn watch(&mut self) {
        let Some(open) = &self.open else { return };
        let time = open.run.world().state.time;
        let recent = |(wall, at): (Duration, f64)| wall.as_secs_f64() < WATCH && (time - at).abs() < WATCH;
        let found = std::mem::take(&mut self.chart.found);
        match self.chart.looking.take().map(|looking| (looking.poll(), looking)) {
            Some((Progress::Running, looking)) => self.chart.looking = Some(looking),
            Some((Progress::Done(stability), _)) => self.chart.stability = stability,
            Some((Progress::Failed, _)) | None => {}
        }
        let due = !found && self.chart.looking.is_none() && !self.chart.watched.is_some_and(recent);
        match due {
            true if self.chart.is_long(&open.run) => self.chart.look_elsewhere(&open.run),
            true => self.chart.record(open.run.synced()),
            false => {}
        }
        self.search_cure();
    }
}
