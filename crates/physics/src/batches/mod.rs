//! Batches: mechanisms that are not connected do not affect each other. So a large world is stepped some hundred
//! bodies at a time, by several threads.
//!
//! ```text
//! batch     a few islands in the scene's order, at least SIZE bodies (the last one may have fewer)     pack.rs
//! worker    a small world per thread: bodies and joints of a batch are lent to it,                  worker.rs
//!           it makes the whole step and returns them                                                scattered.rs
//! ```
//! Everything that a step needs besides its bodies and joints (rows, factors, velocities of several kinds) belongs to
//! the worker, is as large as one batch, and stays in the core's own cache from the first stage to the last. The
//! stages do not know about batches.
//!
//! Within a batch, bodies and joints keep the scene's order. A solver with [`Solver::by_islands`] gives an island the
//! same result whatever else is in the world. So a step in batches has the same bits as a step of the whole world,
//! for any number of threads. SHAKE and RATTLE are an exception: how often they evaluate the joints depends on the
//! worst joint of the batch, not of the world. Batches depend on the scene alone, so every run still has the same
//! bits.
//!
//! Trees of balls, hinges and welds are stepped separately, eight at a time (`forest/mod.rs`). A tree that must be
//! stepped by rows in some step is a batch of its own in that step.
//!
//! The whole world is stepped at once if it is small, if bodies may touch, if bodies follow movers, if a joint has a
//! stabilisation of its own or positions are corrected by sweeps, or if the rows are read
//! ([`Executor::whole`](crate::world::Executor::whole)); `plan/route.rs` decides. Nothing sleeps in batches, because only
//! what touches something may sleep.
//!
//! [`Solver::by_islands`]: super::solvers::Solver::by_islands

mod pack;
mod scattered;
mod worker;

use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use super::body::{Body, Velocity};
use super::forest::Forest;
use super::graph::Graph;
use super::joint::Joint;
use super::plan::outcome::Together;
use super::plan::route::{self, Islands, Packed};
use super::settings::{ContactSettings, Settings, Stabilization, StepSettings};
use super::solvers::mechanism;
use super::solvers::tree::EliminationPlan;
use super::system::System;
use super::world::World;
use super::world::pipeline::{Executor, Pipeline};
use super::{breaking, rattle, safeguard, stabilize, threads};
use scattered::{ScatteredRefs, emptied};
use worker::{BatchOutcome, Common, Job, Worker};

/// Number of moving bodies that fill a batch: their step needs about 2 kB per body, which fits into a core's own
/// cache.
pub const SIZE: usize = 256;

/// The inputs that batches depend on; they are packed again when these change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Topology {
    /// [`World::topology`].
    version: u64,
    bodies: usize,
    joints: usize,
    size: usize,
    /// Whether trees are stepped in the forest.
    trees: bool,
}

/// A world's batches, kept while its topology stays the same. A copy of a world starts without them.
#[derive(Default)]
pub struct Batches {
    made_for: Option<Topology>,
    /// `alike`: no joint has a stabilisation of its own. `collide`: some body collides.
    alike: bool,
    collide: bool,
    list: Vec<Box<Batch>>,
    /// Batches of single mechanisms that the forest once left to be stepped by rows, by the mechanism's number there;
    /// kept for reuse.
    parked: Vec<Option<Box<Batch>>>,
    /// Index of each body and joint in the order of the batches; `NONE` for static bodies and those of the forest.
    places: Vec<u32>,
    joint_places: Vec<u32>,
    /// The static bodies that have joints, starting with [`WORLD`](super::world::WORLD), and copies of them for the
    /// workers.
    fixed: Vec<u32>,
    copies: Vec<Box<Body>>,
    workers: Vec<Mutex<Worker>>,
    lent: Lists,
    jobs: Vec<Job<'static, 'static>>,
}

impl Clone for Batches {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// Buffers for the references that are lent to workers.
#[derive(Default)]
struct Lists {
    bodies: ScatteredRefs<Box<Body>>,
    velocities: ScatteredRefs<Velocity>,
    joints: ScatteredRefs<Box<Joint>>,
    half: ScatteredRefs<Velocity>,
    left: ScatteredRefs<Velocity>,
}

/// Some islands. Its worker numbers the static bodies first, starting with the world, then the moving ones.
#[derive(Default)]
struct Batch {
    /// Static bodies with joints of this batch: index in the world, and index in [`Batches::copies`].
    fixed: Vec<(u32, u32)>,
    /// Indices in the world, ascending.
    bodies: Vec<u32>,
    joints: Vec<u32>,
    /// Indices among the world's planes.
    planes: Vec<u32>,
    /// The bodies of each joint in the worker's numbering.
    ends: Vec<[u32; 2]>,
    /// State that a worker keeps from step to step for this batch.
    plan: EliminationPlan,
    mechanisms: mechanism::Plan,
    closing: EliminationPlan,
    closing_mechanisms: mechanism::Plan,
    graph: Graph,
    outcome: BatchOutcome,
}

impl Batches {
    /// Whether there are no batches.
    pub fn are_empty(&self) -> bool {
        self.list.is_empty()
    }
}

/// Why the next step is not made in batches, if it is not; updates the batches if their inputs have changed.
pub fn together(world: &mut World) -> Option<Together> {
    let islands = Islands {
        whole: world.pipeline.executor.whole,
        bodies: world.state.bodies.len(),
        batch_size: world.pipeline.executor.batch_size,
        movers: !world.model.movers.is_empty(),
    };
    if let Some(why) = route::together(&world.settings, islands) {
        return Some(why);
    }
    let topology = Topology {
        version: world.state.topology,
        bodies: world.state.bodies.len(),
        joints: world.state.joints.len(),
        size: world.pipeline.executor.batch_size,
        trees: route::mechanisms_in_lanes(&world.settings),
    };
    if world.pipeline.executor.batches.made_for != Some(topology) {
        world.settle();
        let mut batches = std::mem::take(&mut world.pipeline.executor.batches);
        let forest = &mut world.pipeline.executor.forest;
        *forest = if topology.trees { Forest::new(&world.state, forest) } else { Forest::default() };
        batches.pack(world);
        batches.made_for = Some(topology);
        world.pipeline.executor.batches = batches;
    }
    let Executor { batches, forest, .. } = &world.pipeline.executor;
    let packed = Packed {
        batches: batches.list.len(),
        mechanisms: forest.mechanisms(),
        alike: batches.alike,
        collide: batches.collide,
        rows: forest.is_empty(),
    };
    route::together_as_packed(&world.settings, packed)
}

/// Makes one step.
pub fn step(world: &mut World) {
    let start = Instant::now();
    world.state.sleep.clear();
    let rattles = world.settings.stabilization.method == Stabilization::Rattle;
    if !rattles && world.pipeline.executor.forest.has_halves() {
        world.settle();
    }
    let half = rattle::make_room(&mut world.state, rattles);
    let mut batches = std::mem::take(&mut world.pipeline.executor.batches);
    let threads = threads::count(world.settings.solver.threads);
    while batches.workers.len() < threads {
        batches.workers.push(Mutex::new(Worker::new(world.settings)));
    }
    world.report.row_count = 0;
    world.report.residual = 0.0;
    let reads = world.pipeline.executor.reads(&world.settings);
    let World { settings, state, report, pipeline: Pipeline { executor, .. }, .. } = &mut *world;
    executor.forest.step(settings, state, report, (threads, reads, executor.resident), half);
    let own = batches.list.len();
    batches.add_left(world);
    for (copy, body) in batches.copies.iter_mut().zip(&batches.fixed) {
        copy.clone_from(&world.state.bodies[*body as usize]);
    }
    if !batches.list.is_empty() {
        run(world, &mut batches, threads, half);
    }
    gather(world, &mut batches.list);
    batches.take_left(world, own);
    world.state.rattle.runs = stabilize::keeps(&world.settings);
    if !rattles {
        rattle::forget(&mut world.state.rattle);
    }
    world.pipeline.executor.batches = batches;
    world.state.time += 1.0 / f64::from(world.settings.step.rate);
    world.state.step_count += 1;
    world.report.phases.solve = start.elapsed();
}

/// Lets the workers step all batches. `half`: `world.rattle` holds mid-step velocities of the last step.
fn run(world: &mut World, batches: &mut Batches, threads: usize, half: bool) {
    let Batches { list, places, joint_places, copies, workers, lent, jobs, .. } = batches;
    let contact = ContactSettings { enabled: false, ..world.settings.contact };
    // The number of divisions by the turn limit would depend on what else is in the batch.
    let step = StepSettings { max_turn: 0.0, ..world.settings.step };
    world.state.accounts.resize(world.state.bodies.len(), 0.0);
    world.state.ledger.make_room(world.state.bodies.len());
    let common = Common {
        settings: Settings { contact, step, ..world.settings },
        time: world.state.time,
        step_count: world.state.step_count,
        readouts: world.pipeline.executor.readouts,
        breakable: world.model.breakable,
        mouse_joint: world.state.mouse_joint,
        planes: &world.state.planes,
        accounts: &world.state.accounts,
        ledger: world.state.ledger.kept(),
        runs: world.state.rattle.runs,
        copies,
        half,
        stiff: !world.state.stiffness.is_empty(),
        work: world.report.work.clone(),
    };
    let moving = list.iter().map(|batch| batch.bodies.len()).sum();
    let mut bodies = lent.bodies.lend(&mut world.state.bodies, places, moving);
    let mut velocities = lent.velocities.lend(&mut world.state.velocities, places, moving);
    let mut joints = lent.joints.lend(&mut world.state.joints, joint_places, joint_places.len());
    let middle = if world.state.rattle.half.is_empty() { 0 } else { moving };
    let mut halves = lent.half.lend(&mut world.state.rattle.half, places, middle);
    let mut lefts = lent.left.lend(&mut world.state.rattle.left, places, middle);

    let mut work: Vec<Job<'_, '_>> = emptied(std::mem::take(jobs));
    let (mut body, mut velocity, mut joint) = (&mut bodies[..], &mut velocities[..], &mut joints[..]);
    let (mut half, mut left) = (&mut halves[..], &mut lefts[..]);
    work.extend(list.iter_mut().map(|batch| {
        let (bodies, joints) = (batch.bodies.len(), batch.joints.len());
        Job {
            bodies: front(&mut body, bodies),
            velocities: front(&mut velocity, bodies),
            joints: front(&mut joint, joints),
            half: front(&mut half, bodies),
            left: front(&mut left, bodies),
            batch,
        }
    }));
    threads::each(threads, &mut work, |thread, job| {
        workers[thread].lock().unwrap_or_else(PoisonError::into_inner).step(job, &common);
    });
    *jobs = emptied(work);
    lent.bodies.give_back(bodies);
    lent.velocities.give_back(velocities);
    lent.joints.give_back(joints);
    lent.half.give_back(halves);
    lent.left.give_back(lefts);
}

/// Splits the first `count` entries, or as many as there are, off the list.
fn front<'a, T>(list: &mut &'a mut [T], count: usize) -> &'a mut [T] {
    let whole = std::mem::take(list);
    let (first, rest) = whole.split_at_mut(count.min(whole.len()));
    *list = rest;
    first
}

/// Clears the per-row and per-body results of the last whole-world step, which are no longer valid.
pub fn forget_rows(world: &mut World) {
    if !world.system.joint_rows.is_empty() {
        world.system = System::default();
    }
    (
        world.report.pseudo_velocities,
        world.report.toi_fractions,
        world.pipeline.buffers.late,
        world.pipeline.buffers.turning,
    ) = Default::default();
    world.state.contacts.clear();
    world.state.fed *= safeguard::kept_of_step(&world.settings);
}

/// Combines the results of the batches, in their order.
fn gather(world: &mut World, list: &mut [Box<Batch>]) {
    forget_rows(world);
    if world.settings.stabilization.geometric_stiffness {
        world.state.stiffness.resize(world.state.bodies.len(), (0.0, 0.0));
    } else {
        world.state.stiffness.clear();
    }
    for batch in list {
        let Batch { outcome, bodies, planes, .. } = &mut **batch;
        let BatchOutcome { residual, sweeps, rows, stopped, guarded, fed, fault, accounts, ledger, impulses, broken } =
            outcome;
        world.state.topology += u64::from(*broken);
        world.report.residual = world.report.residual.max(*residual);
        world.report.sweeps = world.report.sweeps.max(*sweeps);
        world.report.row_count += *rows;
        world.report.stopped += *stopped;
        world.report.guarded += *guarded;
        world.state.fed += *fed;
        if let (None, Some(fault)) = (world.report.fault, *fault) {
            world.report.fault = Some(fault);
        }
        for (account, body) in accounts.iter().zip(&*bodies) {
            world.state.accounts[*body as usize] = *account;
        }
        world.state.ledger.take_over(ledger, bodies);
        for (plane, impulse) in planes.iter().zip(impulses) {
            world.state.planes[*plane as usize].impulse = *impulse;
        }
    }
    if breaking::can(&world.settings, &world.model) {
        breaking::exclude(&mut world.state);
    }
}
