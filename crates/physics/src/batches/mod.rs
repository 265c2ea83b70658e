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
//! Within a batch, bodies and joints keep the scene's order. Where the plan lets [`Islands`](crate::plan::Path::Islands) be stepped apart, a solver gives an island the
//! same result whatever else is in the world. So a step in batches has the same bits as a step of the whole world,
//! for any number of threads. SHAKE and RATTLE are an exception: how often they evaluate the joints depends on the
//! worst joint of the batch, not of the world. Batches depend on the scene alone, so every run still has the same
//! bits.
//!
//! Trees of balls, hinges and welds are stepped separately, eight at a time (`articulations/mod.rs`). A tree that must be
//! stepped by rows in some step is a batch of its own in that step.
//!
//! The whole world is stepped at once if it is small, if bodies may touch, if bodies follow movers, if forces act on
//! them, if a joint has a stabilisation of its own or positions are corrected by sweeps, or if the rows are read
//! ([`Executor::keep_rows`](crate::world::Executor::keep_rows)); `plan/route.rs` decides. Nothing sleeps in batches,
//! because only bodies with contacts may sleep.

mod pack;
mod scattered;
mod worker;

use std::sync::{Mutex, PoisonError};

use super::articulations::Articulations;
use super::body::{Body, Velocity};
use super::divide::taut;
use super::graph::Graph;
use super::joint::Joint;
use super::plan::outcome::WholeReason;
use super::plan::paths::{self, Path};
use super::plan::route::{self, Islands, Packed};
use super::settings::{ContactSettings, Settings, Stabilization, StepSettings};
use super::solvers::mechanism;
use super::solvers::tree::EliminationPlan;
use super::system::System;
use super::world::buffers::Buffers;
use super::world::model::Model;
use super::world::report::Report;
use super::world::state::State;
use super::{breaking, rattle, stabilize, threads, warm_start_limiter};
use scattered::{ScatteredRefs, reuse_allocation};
use worker::{BatchOutcome, Common, Job, Worker};

use crate::clock::Instant;

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
    /// Whether trees are stepped in the articulations.
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
    /// Batches of single mechanisms that the articulations once left to be stepped by rows, by the mechanism's number
    /// there; kept for reuse.
    parked: Vec<Option<Box<Batch>>>,
    /// Index of each body and joint in the order of the batches; `NONE` for static bodies and those of the
    /// articulations.
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

/// A batch of islands. Its worker numbers the static bodies first, starting with the world, then the moving ones.
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

/// Why the next step is not made in batches; none if it is. Updates the batches if their inputs have changed.
/// `keep_rows`: the rows are read after the step. `size`: number of moving bodies in a batch.
pub fn why_whole(
    settings: &Settings,
    model: &Model,
    state: &mut State,
    (batches, articulations): (&mut Batches, &mut Articulations),
    (keep_rows, size): (bool, usize),
) -> Option<WholeReason> {
    let (movers, forces) = (!model.movers.is_empty(), !model.forces.is_empty());
    let islands = Islands { keep_rows, bodies: state.bodies.len(), batch_size: size, movers, forces };
    if let Some(why) = route::why_whole(settings, islands) {
        return Some(why);
    }
    let topology = Topology {
        version: state.topology,
        bodies: state.bodies.len(),
        joints: state.joints.len(),
        size,
        trees: paths::takes(Path::Articulations, settings),
    };
    if batches.made_for != Some(topology) {
        articulations.sync(settings, state);
        *articulations =
            if topology.trees { Articulations::new(state, articulations) } else { Articulations::default() };
        batches.pack(state, articulations, size);
        batches.made_for = Some(topology);
    }
    let packed = Packed {
        batches: batches.list.len(),
        mechanisms: articulations.mechanisms(),
        alike: batches.alike,
        collide: batches.collide,
        rows: articulations.is_empty(),
    };
    route::why_whole_as_packed(settings, packed)
}

/// What a step must leave readable.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ReadAfter {
    /// Whether joints are read on request, and whether they are read for this or another reason.
    pub readouts: bool,
    pub joints: bool,
    /// Whether the state stays in the articulations.
    pub resident: bool,
}

/// Makes one step.
pub(crate) fn step(
    settings: &Settings,
    model: &Model,
    state: &mut State,
    system: &mut System,
    report: &mut Report,
    (batches, articulations): (&mut Batches, &mut Articulations),
    buffers: &mut Buffers,
    after: ReadAfter,
) {
    let start = Instant::now();
    state.sleep.clear();
    taut::release(state);
    let rattles = settings.stabilization.method == Stabilization::Rattle;
    if !rattles && articulations.has_halves() {
        articulations.sync(settings, state);
    }
    let half = rattle::make_room(state, rattles);
    let threads = threads::count(settings.solver.threads);
    while batches.workers.len() < threads {
        batches.workers.push(Mutex::new(Worker::new(*settings)));
    }
    report.row_count = 0;
    report.residual = 0.0;
    articulations.step(settings, state, report, (threads, after.joints, after.resident), half);
    let permanent = batches.list.len();
    batches.add_mechanisms_by_rows(state, articulations);
    for (copy, body) in batches.copies.iter_mut().zip(&batches.fixed) {
        copy.clone_from(&state.bodies[*body as usize]);
    }
    if !batches.list.is_empty() {
        batches.run(settings, model, state, report, (threads, after.readouts, half));
    }
    forget_rows(settings, state, system, report, buffers);
    gather(settings, model, state, report, &mut batches.list);
    batches.reload_by_rows(state, articulations, permanent);
    state.rattle.runs = stabilize::is_position_level(settings);
    if !rattles {
        rattle::forget_midpoint(&mut state.rattle);
    }
    state.time += 1.0 / f64::from(settings.step.rate);
    state.step_count += 1;
    report.phases.solve = start.elapsed();
}

impl Batches {
    /// Lets the workers step all batches. `half`: `state.rattle` holds mid-step velocities of the last step.
    fn run(
        &mut self,
        settings: &Settings,
        model: &Model,
        state: &mut State,
        report: &Report,
        (threads, readouts, half): (usize, bool, bool),
    ) {
        let Self { list, places, joint_places, copies, workers, lent, jobs, .. } = self;
        let contact = ContactSettings { enabled: false, ..settings.contact };
        // The number of divisions by the turn limit would depend on what else is in the batch.
        let step = StepSettings { max_turn: 0.0, ..settings.step };
        state.accounts.resize(state.bodies.len(), 0.0);
        state.energy_budget.make_room(state.bodies.len());
        let common = Common {
            settings: Settings { contact, step, ..*settings },
            time: state.time,
            step_count: state.step_count,
            readouts,
            breakable: model.breakable,
            mouse_joint: state.mouse_joint,
            planes: &state.planes,
            accounts: &state.accounts,
            energy_budget: state.energy_budget.kept(),
            runs: state.rattle.runs,
            copies,
            half,
            stiff: !state.stiffness.is_empty(),
            work: report.work.clone(),
        };
        let moving = list.iter().map(|batch| batch.bodies.len()).sum();
        let mut bodies = lent.bodies.lend(&mut state.bodies, places, moving);
        let mut velocities = lent.velocities.lend(&mut state.velocities, places, moving);
        let mut joints = lent.joints.lend(&mut state.joints, joint_places, joint_places.len());
        let middle = if state.rattle.midpoint.is_empty() { 0 } else { moving };
        let mut halves = lent.half.lend(&mut state.rattle.midpoint, places, middle);
        let mut lefts = lent.left.lend(&mut state.rattle.end, places, middle);

        let mut work: Vec<Job<'_, '_>> = reuse_allocation(std::mem::take(jobs));
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
        *jobs = reuse_allocation(work);
        lent.bodies.give_back(bodies);
        lent.velocities.give_back(velocities);
        lent.joints.give_back(joints);
        lent.half.give_back(halves);
        lent.left.give_back(lefts);
    }
}

/// Splits the first `count` entries, or as many as there are, off the list.
fn front<'a, T>(list: &mut &'a mut [T], count: usize) -> &'a mut [T] {
    let whole = std::mem::take(list);
    let (first, rest) = whole.split_at_mut(count.min(whole.len()));
    *list = rest;
    first
}

/// Clears the per-row and per-body results of the last whole-world step, which are no longer valid.
pub(crate) fn forget_rows(
    settings: &Settings,
    state: &mut State,
    system: &mut System,
    report: &mut Report,
    buffers: &mut Buffers,
) {
    if !system.joint_rows.is_empty() {
        *system = System::default();
    }
    (report.pseudo_velocities, report.toi_fractions, buffers.deferred, buffers.gyroscopic) = Default::default();
    state.contacts.clear();
    state.injected.decay(warm_start_limiter::decay_factor_of_step(settings));
}

/// Combines the results of the batches, in their order.
fn gather(settings: &Settings, model: &Model, state: &mut State, report: &mut Report, list: &mut [Box<Batch>]) {
    if settings.stabilization.geometric_stiffness {
        state.stiffness.resize_with(state.bodies.len(), Default::default);
    } else {
        state.stiffness.clear();
    }
    for batch in list {
        let Batch { outcome, bodies, planes, .. } = &mut **batch;
        let BatchOutcome {
            residual,
            sweeps,
            rows,
            stopped,
            guarded,
            injected,
            fault,
            accounts,
            energy_budget,
            impulses,
            broken,
        } = outcome;
        state.topology += u64::from(*broken);
        report.residual = report.residual.max(*residual);
        report.sweeps = report.sweeps.max(*sweeps);
        report.row_count += *rows;
        report.stopped += *stopped;
        report.guarded += *guarded;
        state.injected.add(injected);
        if let (None, Some(fault)) = (report.fault, *fault) {
            report.fault = Some(fault);
        }
        for (account, body) in accounts.iter().zip(&*bodies) {
            state.accounts[*body as usize] = *account;
        }
        state.energy_budget.take_over(energy_budget, bodies);
        for (plane, impulse) in planes.iter().zip(impulses) {
            state.planes[*plane as usize].impulse = *impulse;
        }
    }
    if breaking::can(settings, model) {
        breaking::exclude(state);
    }
}
