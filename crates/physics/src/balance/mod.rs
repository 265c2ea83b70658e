//! Energy and momentum balance of a step: the share of each stage and cause, computed on request.
//!
//! ```text
//! read ─ resumed ─ kicked ─ warm ─ started ─ solved ─ moved ─ corrected ─ read          of each sub-step
//!       integrator gravity  rows   integrator  rows   integrator  corr.   integrator
//! Δv = ∓lin λ/m,  Δω = I⁻¹ ang λ       what a row gives to a body
//! work = m Δv·v̄ + Δω·I ω̄              v̄, ω̄ the mean of before and after the stage: exact, ½ (v₁² − v₀²) = Δv·v̄
//! ```
//! The kinetic energy is quadratic in v. With the mean velocities v̄, ω̄ the work of a stage's rows therefore adds up
//! to the stage's change of energy, in whatever order the rows were solved. In a stage without rows the change is
//! measured. The energy is the sum of kinetic, potential and spring energy. A change of height counts as work of gravity,
//! like gravity's kick; their difference is the integrator's error in free fall. Old impulses (warm starting) are
//! a separate cause. Derived here.

mod share;

use super::body::Velocity;
use super::row::{Row, RowId};
use super::settings::Settings;
use super::system::System;
use super::trace::Probe;
use super::world::report::Report;
use super::world::state::State;
pub use share::{CAUSES, Cause, Share};
use share::{RowEnd, cause, springs, total};

/// The balance of one step.
#[derive(Debug, Clone, Default)]
pub struct Balance {
    /// By cause.
    shares: [Share; CAUSES.len()],
    /// The total change in the step, measured before and after it.
    pub change: Share,
    /// Work of each row in the last sub-step's sweeps, J; rows without work are left out.
    pub rows: Vec<(RowId, f64)>,
    /// Kinetic energy of all bodies at the start of the step, J; the scale for rounding errors.
    pub motion: f64,
    /// Velocities at the last checkpoint.
    velocities: Vec<Velocity>,
    total: Share,
    /// Energy of the springs at the start of the step, J.
    springs: f64,
    /// λ at the last checkpoint, by row, N·s or N·m·s.
    impulses: Vec<f32>,
    /// Whether the old impulses are applied after the first sweep.
    deferred: bool,
    /// Energy and momenta at the start of the step.
    begin: Option<Share>,
}

/// Points in a step between which changes are accounted for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Checkpoint {
    /// Before the step.
    Begin,
    /// The velocities from which the step continues have been set (RATTLE).
    Resumed,
    /// Gravity has been added.
    Kicked,
    /// Applied forces have been added, or drag.
    Forced,
    /// Old impulses have been added, or, if `deferred`, will be after the first sweep.
    Warm {
        deferred: bool,
    },
    /// Ready for the sweeps; an `exact` solver does not use old impulses.
    Started {
        exact: bool,
    },
    Solved,
    /// Ballistic contacts have been applied, and the bodies hit have moved on.
    Struck,
    /// The bodies have been moved.
    Moved,
    /// Positions have been corrected.
    Corrected,
    /// The velocities to be read have been set.
    Read,
}

impl Balance {
    /// The contribution of a cause.
    pub fn of(&self, cause: Cause) -> &Share {
        &self.shares[cause as usize]
    }

    /// The sum over all causes.
    pub fn sum(&self) -> Share {
        let mut sum = Share::default();
        self.shares.iter().for_each(|share| sum.plus(share, 1.0));
        sum
    }

    /// The energy and momentum added by joints, old impulses, corrections and the integrator, without an external
    /// force. Exact solutions without bias would add no energy (003, section 7).
    pub fn drift(&self) -> Share {
        let mut drift = Share::default();
        for cause in [Cause::Joints, Cause::WarmStart, Cause::Correction, Cause::Integrator] {
            drift.plus(self.of(cause), 1.0);
        }
        drift
    }

    /// The row with the largest work by magnitude in the last sub-step, and that work, J.
    pub fn most(&self) -> Option<(RowId, f64)> {
        self.rows.iter().copied().max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()))
    }

    fn add_share(&mut self, cause: Cause, share: &Share) {
        self.shares[cause as usize].plus(share, 1.0);
    }

    /// Attributes all changes since the last checkpoint to `cause`.
    fn attribute(&mut self, settings: &Settings, state: &State, system: &System, cause: Cause) {
        let now = total(settings, state);
        let mut change = now;
        change.plus(&self.total, -1.0);
        self.add_share(cause, &change);
        self.set_baseline(state, system, now);
    }

    fn set_baseline(&mut self, state: &State, system: &System, now: Share) {
        self.total = now;
        self.velocities.clone_from(&state.velocities);
        self.impulses.clear();
        self.impulses.extend(system.rows.iter().map(|row| row.impulse));
    }

    fn reached(
        &mut self,
        settings: &Settings,
        state: &State,
        system: &System,
        report: &Report,
        probe: &Probe,
        at: Checkpoint,
    ) {
        match at {
            Checkpoint::Begin => {
                let now = total(settings, state);
                (self.begin, self.springs) = (Some(now), springs(state));
                self.motion = now.linear.element_sum() + now.rotational;
                self.set_baseline(state, system, now);
            }
            Checkpoint::Kicked => self.attribute(settings, state, system, Cause::Gravity),
            Checkpoint::Forced => self.attribute(settings, state, system, Cause::Forces),
            Checkpoint::Resumed => self.attribute(settings, state, system, Cause::Integrator),
            Checkpoint::Read => {
                let springs = springs(state) - self.springs;
                self.add_share(Cause::Springs, &Share { potential: springs, ..Share::default() });
                self.total.potential += springs;
                self.attribute(settings, state, system, Cause::Integrator);
            }
            Checkpoint::Warm { deferred } => {
                self.deferred = deferred;
                if deferred {
                    return self.attribute(settings, state, system, Cause::Integrator);
                }
                self.solve(settings, state, system, |_, row| (row.impulse, 0.0));
            }
            Checkpoint::Started { exact } => {
                self.attribute(settings, state, system, Cause::Integrator);
                if exact {
                    self.impulses.fill(0.0);
                }
            }
            Checkpoint::Solved => {
                let (before, deferred) = (std::mem::take(&mut self.impulses), self.deferred);
                let old = |index: usize| before.get(index).copied().unwrap_or(0.0);
                let split =
                    |index: usize, row: &Row| (if deferred { old(index) } else { 0.0 }, row.impulse - old(index));
                self.solve(settings, state, system, split);
            }
            Checkpoint::Struck => {
                let now = total(settings, state);
                let mut impacts = now;
                impacts.plus(&self.total, -1.0);
                let height = Share { potential: impacts.potential, ..Share::default() };
                impacts.plus(&height, -1.0);
                self.add_share(Cause::Gravity, &height);
                self.add_share(Cause::Contacts, &impacts);
                self.set_baseline(state, system, now);
            }
            Checkpoint::Moved => self.moved(settings, state, system, report, probe),
            Checkpoint::Corrected => self.attribute(settings, state, system, Cause::Correction),
        }
        if at == Checkpoint::Read {
            self.change = self.total;
            if let Some(begin) = &self.begin {
                self.change.plus(begin, -1.0);
            }
        }
    }
}

impl Balance {
    /// Attributes the rows' impulses since the last checkpoint; `split` returns the old and the new part of each
    /// row's impulse.
    fn solve(
        &mut self,
        settings: &Settings,
        state: &State,
        system: &System,
        split: impl Fn(usize, &Row) -> (f32, f32),
    ) {
        self.rows.clear();
        for block in &system.blocks {
            let ends =
                [(block.a, -1.0), (block.b, 1.0)].map(|(id, sign)| RowEnd::of(state, &self.velocities, id, sign));
            for index in block.range() {
                let (row, id) = (&system.rows[index], system.ids[index]);
                let (old, new) = split(index, row);
                let mut work = 0.0;
                for (cause, impulse) in [(Cause::WarmStart, old), (cause(id), new)] {
                    if impulse != 0.0 {
                        for end in ends.iter().flatten() {
                            let share = end.share(row, f64::from(impulse));
                            self.shares[cause as usize].plus(&share, 1.0);
                            work += share.energy();
                        }
                    }
                }
                self.rows.push((id, work));
            }
        }
        self.rows.retain(|(_, work)| *work != 0.0);
        self.set_baseline(state, system, total(settings, state));
    }

    /// The bodies have been moved: changes of height are gravity's, except for the displacement by the split position
    /// correction.
    fn moved(&mut self, settings: &Settings, state: &State, system: &System, report: &Report, probe: &Probe) {
        let now = total(settings, state);
        let mut change = now;
        change.plus(&self.total, -1.0);
        let h = probe.as_ref().map_or(0.0, |trace| f64::from(trace.h));
        let gravity = settings.step.gravity.as_dvec3();
        let mut pushed = Share::default();
        for (index, push) in report.pseudo_velocities.iter().enumerate() {
            let body = &state.bodies[index];
            if body.is_dynamic() {
                let fraction = report.toi_fractions.get(index).map_or(1.0, |fraction| f64::from(*fraction));
                let shift = push.linear.as_dvec3() * (h * fraction);
                let mass = f64::from(body.mass);
                pushed.potential -= mass * gravity.dot(shift);
                pushed.angular += shift.cross(mass * state.velocities[index].linear.as_dvec3());
            }
        }
        let height = Share { potential: change.potential - pushed.potential, ..Share::default() };
        change.plus(&pushed, -1.0);
        change.plus(&height, -1.0);
        self.add_share(Cause::Correction, &pushed);
        self.add_share(Cause::Gravity, &height);
        self.add_share(Cause::Integrator, &change);
        self.set_baseline(state, system, now);
    }
}

/// Records a checkpoint, if a balance was requested.
#[inline]
pub(crate) fn reached(
    settings: &Settings,
    state: &State,
    system: &System,
    report: &Report,
    probe: &mut Probe,
    at: Checkpoint,
) {
    if probe.as_ref().is_some_and(|trace| trace.balance.is_some()) {
        record(settings, state, system, report, probe, at);
    }
}

#[cold]
fn record(settings: &Settings, state: &State, system: &System, report: &Report, probe: &mut Probe, at: Checkpoint) {
    let taken = probe.as_mut().and_then(|trace| trace.balance.take());
    if let Some(mut balance) = taken {
        balance.reached(settings, state, system, report, probe, at);
        if let Some(trace) = probe {
            trace.balance = Some(balance);
        }
    }
}
