//! Where a step's energy and momentum come from: each stage's own share, for whoever keeps account of a step.
//!
//! ```text
//! read ─ resumed ─ kicked ─ warm ─ started ─ solved ─ moved ─ corrected ─ read          of each sub-step
//!       integrator gravity  rows   integrator  rows   integrator  corr.   integrator
//! Δv = ∓lin λ/m,  Δω = I⁻¹ ang λ       what a row gives to a body
//! work = m Δv·v̄ + Δω·I ω̄              v̄, ω̄ the mean of before and after the stage: exact, ½ (v₁² − v₀²) = Δv·v̄
//! ```
//! The kinetic energy is quadratic in v. With the mean velocities v̄, ω̄ the works of a stage's rows therefore add up
//! to the stage's change of energy, in whatever order the rows were solved. In a stage without rows the change is
//! measured. Energy here is kinetic, potential and that of springs. A change of height counts for gravity, as gravity's
//! kick does: what is left of the two is the integrator's error in a fall. Old impulses (warm starting) are a cause of
//! their own. Derived here.

mod share;

use super::body::Velocity;
use super::row::{Row, RowId};
use super::trace::Trace;
use super::world::World;
pub use share::{CAUSES, Cause, Share};
use share::{RowEnd, cause, springs, total};

/// The account of a step.
#[derive(Debug, Clone, Default)]
pub struct Balance {
    /// By cause.
    shares: [Share; CAUSES.len()],
    /// What the step has changed in all, measured before and after it.
    pub change: Share,
    /// The rows that have done work in the last sub-step, by the sweeps, J.
    pub rows: Vec<(RowId, f64)>,
    /// All energy of motion of the bodies at the step's beginning, J: what rounding is measured by.
    pub motion: f64,
    /// The state at the last mark.
    velocities: Vec<Velocity>,
    total: Share,
    /// Energy of the springs at the beginning, J.
    springs: f64,
    /// λ at the last mark by row.
    impulses: Vec<f32>,
    /// Whether the old impulses are still to come in.
    late: bool,
    /// What was at the step's beginning.
    begin: Option<Share>,
}

/// Moments between which something is accounted for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Checkpoint {
    /// Before anything is done.
    Begin,
    /// The velocities are those from which the step goes on.
    Resumed,
    /// Gravity is in.
    Kicked,
    /// Old impulses are in, or, where that is said, will come in after the first sweep.
    Warm {
        late: bool,
    },
    /// All is ready for the sweeps; what is solved `exact`ly takes no old impulses.
    Started {
        exact: bool,
    },
    Solved,
    /// Contacts that are blows have struck, and moved what they struck on to it.
    Struck,
    /// The bodies are moved.
    Moved,
    /// Positions are corrected.
    Corrected,
    /// The velocities are those that are read.
    Read,
}

impl Balance {
    /// What a cause has given.
    pub fn of(&self, cause: Cause) -> &Share {
        &self.shares[cause as usize]
    }

    /// The sum of all causes.
    pub fn sum(&self) -> Share {
        let mut sum = Share::default();
        self.shares.iter().for_each(|share| sum.plus(share, 1.0));
        sum
    }

    /// What has come in without a force: of joints, old impulses, corrections and the integrator. Solved exactly and
    /// without bias they would add no energy (003, section 7).
    pub fn drift(&self) -> Share {
        let mut drift = Share::default();
        for cause in [Cause::Joints, Cause::WarmStart, Cause::Correction, Cause::Integrator] {
            drift.plus(self.of(cause), 1.0);
        }
        drift
    }

    /// The row that has done the most work in the last sub-step, in or out.
    pub fn most(&self) -> Option<(RowId, f64)> {
        self.rows.iter().copied().max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()))
    }

    fn give(&mut self, cause: Cause, share: &Share) {
        self.shares[cause as usize].plus(share, 1.0);
    }

    /// What has changed since the last mark is of this cause.
    fn settle(&mut self, world: &World, cause: Cause) {
        let now = total(world);
        let mut change = now;
        change.plus(&self.total, -1.0);
        self.give(cause, &change);
        self.take(world, now);
    }

    fn take(&mut self, world: &World, now: Share) {
        self.total = now;
        self.velocities.clone_from(&world.velocities);
        self.impulses.clear();
        self.impulses.extend(world.system.rows.iter().map(|row| row.impulse));
    }

    fn reached(&mut self, world: &World, at: Checkpoint) {
        match at {
            Checkpoint::Begin => {
                let now = total(world);
                (self.begin, self.springs) = (Some(now), springs(world));
                self.motion = now.linear.element_sum() + now.turning;
                self.take(world, now);
            }
            Checkpoint::Kicked => self.settle(world, Cause::Gravity),
            Checkpoint::Resumed => self.settle(world, Cause::Integrator),
            Checkpoint::Read => {
                let springs = springs(world) - self.springs;
                self.give(Cause::Springs, &Share { potential: springs, ..Share::default() });
                self.total.potential += springs;
                self.settle(world, Cause::Integrator);
            }
            Checkpoint::Warm { late } => {
                self.late = late;
                if late {
                    return self.settle(world, Cause::Integrator);
                }
                self.solve(world, |_, row| (row.impulse, 0.0));
            }
            Checkpoint::Started { exact } => {
                self.settle(world, Cause::Integrator);
                if exact {
                    self.impulses.fill(0.0);
                }
            }
            Checkpoint::Solved => {
                let (before, late) = (std::mem::take(&mut self.impulses), self.late);
                let old = |index: usize| before.get(index).copied().unwrap_or(0.0);
                let split = |index: usize, row: &Row| (if late { old(index) } else { 0.0 }, row.impulse - old(index));
                self.solve(world, split);
            }
            Checkpoint::Struck => {
                let now = total(world);
                let mut blows = now;
                blows.plus(&self.total, -1.0);
                let height = Share { potential: blows.potential, ..Share::default() };
                blows.plus(&height, -1.0);
                self.give(Cause::Gravity, &height);
                self.give(Cause::Contacts, &blows);
                self.take(world, now);
            }
            Checkpoint::Moved => self.moved(world),
            Checkpoint::Corrected => self.settle(world, Cause::Correction),
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
    /// What the rows have given since the last mark, of old impulses and of new ones, as `split` says row by row.
    fn solve(&mut self, world: &World, split: impl Fn(usize, &Row) -> (f32, f32)) {
        self.rows.clear();
        for block in &world.system.blocks {
            let ends =
                [(block.a, -1.0), (block.b, 1.0)].map(|(id, sign)| RowEnd::of(world, &self.velocities, id, sign));
            for index in block.range() {
                let (row, id) = (&world.system.rows[index], world.system.ids[index]);
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
        self.take(world, total(world));
    }

    /// The bodies are moved: what that makes of heights is gravity's, but for what positions are pushed beside the
    /// velocities.
    fn moved(&mut self, world: &World) {
        let now = total(world);
        let mut change = now;
        change.plus(&self.total, -1.0);
        let h = world.trace.as_ref().map_or(0.0, |trace| f64::from(trace.h));
        let gravity = world.settings.step.gravity.as_dvec3();
        let mut pushed = Share::default();
        for (index, push) in world.pseudo_velocities.iter().enumerate() {
            let body = &world.bodies[index];
            if body.is_dynamic() {
                let fraction = world.toi_fractions.get(index).map_or(1.0, |fraction| f64::from(*fraction));
                let shift = push.linear.as_dvec3() * (h * fraction);
                let mass = f64::from(body.mass);
                pushed.potential -= mass * gravity.dot(shift);
                pushed.angular += shift.cross(mass * world.velocities[index].linear.as_dvec3());
            }
        }
        let height = Share { potential: change.potential - pushed.potential, ..Share::default() };
        change.plus(&pushed, -1.0);
        change.plus(&height, -1.0);
        self.give(Cause::Correction, &pushed);
        self.give(Cause::Gravity, &height);
        self.give(Cause::Integrator, &change);
        self.take(world, now);
    }
}

/// Notes a moment of the step, if anybody keeps account of it.
#[inline]
pub fn reached(world: &mut World, at: Checkpoint) {
    if world.trace.as_ref().is_some_and(|trace| trace.balance.is_some()) {
        keep(world, at);
    }
}

#[cold]
fn keep(world: &mut World, at: Checkpoint) {
    let taken = world.trace.as_mut().and_then(|trace| trace.balance.take());
    if let Some(mut balance) = taken {
        balance.reached(world, at);
        if let Some(trace) = &mut world.trace {
            trace.balance = Some(balance);
        }
    }
}

impl World {
    /// A copy of this world one step on, with the account of that step; `None` where the step cannot be made.
    pub fn balanced(&self) -> Option<(World, Balance)> {
        let mut copy = self.clone();
        copy.settle();
        (copy.whole, copy.resident) = (true, false);
        copy.trace = Some(Box::new(Trace::of_account()));
        copy.step();
        let balance = copy.trace.take()?.balance?;
        (copy.step_count > self.step_count).then_some((copy, *balance))
    }
}
