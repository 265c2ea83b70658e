//! A worker: a small world that steps batches one after another.

use super::Batch;
use crate::body::{Body, Velocity, WORLD};
use crate::confine::Confined;
use crate::energy_budget::state::MechanismAccount;
use crate::fault::Fault;
use crate::joint::Joint;
use crate::mouse_joint::MouseJoint;
use crate::row_energy::RowEnergy;
use crate::settings::Settings;
use crate::solvers::parts::Parts;
use crate::solvers::remote_sweeps::RemoteSweeps;
use crate::solvers::step::Scratches;
use crate::system::System;
use crate::whole_step;
use crate::work::Work;
use crate::world::buffers::Buffers;
use crate::world::model::Model;
use crate::world::report::Report;
use crate::world::state::State;

/// The parts of a small world.
struct SmallWorld {
    settings: Settings,
    model: Model,
    state: State,
    system: System,
    report: Report,
    buffers: Buffers,
    scratches: Scratches,
    /// Whether joints are read after a step.
    readouts: bool,
}

impl SmallWorld {
    fn new(settings: Settings) -> Self {
        Self {
            settings,
            model: Model::default(),
            state: State::default(),
            system: System::default(),
            report: Report { parts: 1, ..Report::default() },
            buffers: Buffers::default(),
            scratches: Scratches::default(),
            readouts: true,
        }
    }

    /// Makes one step, which is never divided.
    fn step(&mut self) {
        let Self { settings, model, state, system, report, buffers, scratches, readouts } = self;
        let reads = *readouts || settings.stabilization.geometric_stiffness;
        let (remote, probe) = (&mut RemoteSweeps::default(), &mut None);
        let mut parts = Parts { settings, model, state, system, report, remote, buffers, probe, reads, listed: false };
        whole_step::step(&mut parts, scratches, 1);
    }
}

/// A small world, and spare entries for its lists of bodies and joints. A lent entry is swapped with one of the
/// world's, which stands in for it in the lender's list during the step.
pub struct Worker {
    world: SmallWorld,
    bodies: Vec<Box<Body>>,
    joints: Vec<Box<Joint>>,
}

/// A batch with the entries lent to its worker, in the batch's order.
pub struct Job<'l, 'w> {
    pub batch: &'l mut Batch,
    pub bodies: &'l mut [Option<&'w mut Box<Body>>],
    pub velocities: &'l mut [Option<&'w mut Velocity>],
    pub joints: &'l mut [Option<&'w mut Box<Joint>>],
    /// RATTLE's mid-step velocities of the previous step, and the end-of-step velocities as left for reading; empty
    /// without RATTLE.
    pub half: &'l mut [Option<&'w mut Velocity>],
    pub left: &'l mut [Option<&'w mut Velocity>],
}

/// The parts of the world that all workers need.
pub struct Common<'a> {
    pub settings: Settings,
    pub time: f64,
    pub step_count: u64,
    pub readouts: bool,
    pub breakable: bool,
    pub mouse_joint: Option<MouseJoint>,
    pub planes: &'a [Confined],
    /// Energy accounts: see `warm_start_limiter.rs`.
    pub accounts: &'a [f64],
    /// Energy accounts: see `energy_budget/`.
    pub energy_budget: &'a [MechanismAccount],
    /// Whether velocities are mid-step ones: see [`rattle`](crate::rattle).
    pub runs: bool,
    /// Copies of the static bodies that have joints.
    pub copies: &'a [Box<Body>],
    /// Whether mid-step velocities of the previous step exist.
    pub half: bool,
    /// Whether bodies may get an apparent inertia (geometric stiffness).
    pub stiff: bool,
    /// The limit of work, for each batch.
    pub work: Work,
}

/// Results of a batch's step besides the state.
#[derive(Default)]
pub struct BatchOutcome {
    /// The largest residual speed of a row, m/s or rad/s.
    pub residual: f32,
    pub sweeps: u32,
    pub rows: usize,
    pub stopped: usize,
    pub guarded: usize,
    pub injected: RowEnergy,
    pub fault: Option<Fault>,
    /// The warm-start limiter's accounts of the batch's moving bodies, J.
    pub accounts: Vec<f64>,
    /// The energy budget's accounts of the batch's moving bodies.
    pub energy_budget: Vec<MechanismAccount>,
    /// Impulses of the planes, by plane of the batch.
    pub impulses: Vec<f32>,
    /// Whether a joint broke in the step.
    pub broken: bool,
}

impl Worker {
    pub fn new(settings: Settings) -> Self {
        Self { world: SmallWorld::new(settings), bodies: Vec::new(), joints: Vec::new() }
    }

    /// Makes one step of a batch.
    pub fn step(&mut self, job: &mut Job<'_, '_>, common: &Common<'_>) {
        self.load_batch(job.batch, common);
        self.borrow(job, common);
        let before = self.world.state.topology;
        self.world.step();
        job.batch.outcome.broken = self.world.state.topology != before;
        self.return_bodies(job);
        self.end(job.batch);
    }

    /// Sets up the world for a batch, except for the lent entries.
    fn load_batch(&mut self, batch: &mut Batch, common: &Common<'_>) {
        let Common { settings, time, step_count, readouts, breakable, .. } = *common;
        let world = &mut self.world;
        (world.settings, world.state.time, world.state.step_count) = (settings, time, step_count);
        (world.readouts, world.model.breakable) = (readouts, breakable);
        (world.report.stopped, world.report.guarded, world.state.injected, world.report.fault) =
            (0, 0, RowEnergy::default(), None);
        (world.report.sweeps, world.report.residual) = (0, 0.0);
        world.report.work.clone_from(&common.work);
        // The impulses that are lent may be those of any step.
        world.state.impulses_of = 0.0;
        let fixed = batch.fixed.len() as u32;
        let worker_id = |body: u32| Some(batch.bodies.binary_search(&body).ok()? as u32 + fixed);
        world.state.mouse_joint = common
            .mouse_joint
            .and_then(|mouse_joint| Some(MouseJoint { body: worker_id(mouse_joint.body)?, ..mouse_joint }));
        world.state.planes.clear();
        world.state.planes.extend(batch.planes.iter().filter_map(|plane| {
            let plane = common.planes[*plane as usize];
            Some(Confined { body: worker_id(plane.body)?, ..plane })
        }));
        let accounts = batch.bodies.iter().map(|body| common.accounts[*body as usize]);
        world.state.accounts.clear();
        world.state.accounts.extend(std::iter::repeat_n(0.0, fixed as usize).chain(accounts));
        let energy_budget = batch.bodies.iter().map(|body| common.energy_budget[*body as usize]);
        world
            .state
            .energy_budget
            .replace_accounts(std::iter::repeat_n(MechanismAccount::default(), fixed as usize).chain(energy_budget));
        world.state.rattle.runs = common.runs;
        world.state.rattle.forget_touches();
        world.state.stiffness.clear();
        if common.stiff {
            world.state.stiffness.resize_with(fixed as usize + batch.bodies.len(), Default::default);
        }
        self.exchange_kept(batch);
    }

    /// Exchanges the batch's kept state with the world's; called before and after the step.
    fn exchange_kept(&mut self, batch: &mut Batch) {
        let world = &mut self.world;
        std::mem::swap(&mut world.system.trees.plan, &mut batch.plan);
        std::mem::swap(&mut world.system.trees.mechanisms.plan, &mut batch.mechanisms);
        std::mem::swap(&mut world.system.graph, &mut batch.graph);
        let (trees, mechanisms) = world.buffers.rattle.plans();
        std::mem::swap(trees, &mut batch.closing);
        std::mem::swap(mechanisms, &mut batch.closing_mechanisms);
    }

    fn borrow(&mut self, job: &mut Job<'_, '_>, common: &Common<'_>) {
        let (fixed, count) = (job.batch.fixed.len(), job.bodies.len());
        let Self { world, bodies, joints } = self;
        resize(&mut world.state.bodies, bodies, fixed + count, || common.copies[WORLD as usize].clone());
        for (body, (_, copy)) in world.state.bodies.iter_mut().zip(&job.batch.fixed) {
            body.clone_from(&common.copies[*copy as usize]);
        }
        for (body, lent) in world.state.bodies[fixed..].iter_mut().zip(&mut *job.bodies) {
            lent.iter_mut().for_each(|lent| std::mem::swap(body, *lent));
        }
        world.state.velocities.clear();
        world.state.velocities.resize(fixed, Velocity::default());
        world.state.velocities.extend(read(job.velocities));

        resize(&mut world.state.joints, joints, job.joints.len(), || match &job.joints[0] {
            Some(joint) => Box::new((***joint).clone()),
            None => unreachable!("each joint is lent to its batch"),
        });
        for ((joint, lent), [a, b]) in world.state.joints.iter_mut().zip(&mut *job.joints).zip(&job.batch.ends) {
            lent.iter_mut().for_each(|lent| std::mem::swap(joint, *lent));
            (joint.def.a, joint.def.b) = (*a, *b);
        }

        for (list, lent) in [(&mut world.state.rattle.midpoint, &*job.half), (&mut world.state.rattle.end, &*job.left)]
        {
            list.clear();
            if common.half {
                list.resize(fixed, Velocity::default());
                list.extend(read(lent));
            }
        }
    }

    fn return_bodies(&mut self, job: &mut Job<'_, '_>) {
        let fixed = job.batch.fixed.len();
        let world = &mut self.world;
        for (body, lent) in world.state.bodies[fixed..].iter_mut().zip(&mut *job.bodies) {
            lent.iter_mut().for_each(|lent| std::mem::swap(body, *lent));
        }
        write(job.velocities, &world.state.velocities[fixed..]);
        let world_id = |number: u32| match (number as usize).checked_sub(fixed) {
            Some(place) => job.batch.bodies[place],
            None => job.batch.fixed[number as usize].0,
        };
        for (joint, lent) in world.state.joints.iter_mut().zip(&mut *job.joints) {
            (joint.def.a, joint.def.b) = (world_id(joint.def.a), world_id(joint.def.b));
            lent.iter_mut().for_each(|lent| std::mem::swap(joint, *lent));
        }
        let rattle = &world.state.rattle;
        // Without RATTLE no mid-step velocities are kept: the next step continues from the velocities that are read.
        let velocities = &*world.state.velocities;
        let kept = if rattle.midpoint.is_empty() { (velocities, velocities) } else { (&rattle.midpoint, &rattle.end) };
        write(job.half, &kept.0[fixed..]);
        write(job.left, &kept.1[fixed..]);
    }

    fn end(&mut self, batch: &mut Batch) {
        let fixed = batch.fixed.len();
        let world = &self.world;
        let outcome = &mut batch.outcome;
        (outcome.residual, outcome.sweeps, outcome.rows) =
            (world.report.residual, world.report.sweeps, world.system.rows.len());
        (outcome.stopped, outcome.guarded, outcome.injected) =
            (world.report.stopped, world.report.guarded, world.state.injected);
        let world_id = |body: u32| (body as usize).checked_sub(fixed).map_or(WORLD, |index| batch.bodies[index]);
        outcome.fault = world.report.fault.map(|fault| Fault { body: world_id(fault.body), ..fault });
        outcome.accounts.clear();
        outcome.accounts.extend_from_slice(&world.state.accounts[fixed..]);
        outcome.energy_budget.clear();
        outcome.energy_budget.extend_from_slice(&world.state.energy_budget.kept()[fixed..]);
        outcome.impulses.clear();
        outcome.impulses.extend(world.state.planes.iter().map(|plane| plane.impulse));
        self.exchange_kept(batch);
    }
}

/// Resizes a list, moving surplus entries to `kept` and reusing them from there.
fn resize<T>(list: &mut Vec<T>, kept: &mut Vec<T>, count: usize, mut make: impl FnMut() -> T) {
    while list.len() > count {
        kept.extend(list.pop());
    }
    while list.len() < count {
        list.push(kept.pop().unwrap_or_else(&mut make));
    }
}

fn read<'a>(lent: &'a [Option<&mut Velocity>]) -> impl Iterator<Item = Velocity> + 'a {
    lent.iter().flatten().map(|velocity| **velocity)
}

fn write(lent: &mut [Option<&mut Velocity>], from: &[Velocity]) {
    lent.iter_mut().flatten().zip(from).for_each(|(lent, from)| **lent = *from);
}

#[cfg(test)]
mod tests {
    use super::{Batch, Common, Worker};
    use crate::settings::Settings;
    use crate::work::Work;

    /// The work of all steps was summed up, and after some hundred steps of a large world its batches stood still.
    #[test]
    fn each_step_of_a_batch_has_the_whole_limit_of_work() {
        let settings = Settings::default();
        let mut worker = Worker::new(settings);
        assert!(!worker.world.report.work.charge(u64::MAX));
        let common = Common {
            settings,
            time: 0.0,
            step_count: 0,
            readouts: true,
            breakable: false,
            mouse_joint: None,
            planes: &[],
            accounts: &[],
            energy_budget: &[],
            runs: false,
            copies: &[],
            half: false,
            stiff: false,
            work: Work::of(10),
        };
        worker.load_batch(&mut Batch::default(), &common);
        assert!(worker.world.report.work.affords(10) && !worker.world.report.work.affords(11));
    }
}
