//! The world and its step: the sequence of all stages.

use std::sync::Arc;
use std::time::Instant;

use glam::Vec3;

use super::balance::{self, Checkpoint};
use super::ballistic;
use super::batches::{self, Batches};
use super::body::{Body, BodyDef, Motion, Velocity};
use super::breaking;
use super::collide::Contacts;
use super::confine::Confined;
use super::copy::{blank_and_copied_by_fields, copied_by_fields};
use super::device::StepDevice;
use super::divide;
use super::fault::Fault;
use super::forest::Forest;
use super::gyroscopic::Turning;
use super::joint::Joint;
use super::ledger;
use super::metrics::{self, Metrics, Phases};
use super::mouse_joint::MouseJoint;
use super::mover::Driven;
use super::on_device::{self, OnDevice};
use super::positions;
use super::rattle;
use super::restitution;
use super::row::RowList;
use super::safeguard;
use super::settings::Settings;
use super::shake;
use super::shape::Shape;
use super::shared::Shared;
use super::sleep::{self, Sleep};
use super::solvers::{self, remote_sweeps, remote_sweeps::RemoteSweeps};
use super::spectrum::{self, Spectrum};
use super::stability;
use super::system::System;
use super::touch;
pub use super::touch::{ContactPoint, Traction};
use super::trace::Trace;
use super::work::{SWEPT_ROW, Work};

/// Power-iteration sweeps of one spectrum estimate while the world runs. The vectors are kept between estimates, so in
/// a scene at rest the estimates converge over the steps.
const LIVE_SWEEPS: u32 = 64;

/// Index of the immovable world body in [`World::bodies`].
pub const WORLD: u32 = 0;

/// Bodies, joints, contacts, the rows between them, and the buffers of the solvers.
pub struct World {
    /// Read anew in each step, so they may be changed between any two steps.
    pub settings: Settings,
    /// Simulated time, s.
    pub time: f64,
    pub step_count: u64,
    /// Entry [`WORLD`] is the immovable world itself.
    pub bodies: Shared<Box<Body>>,
    /// By body.
    pub velocities: Shared<Velocity>,
    /// By body: the share of the last sub-step for which it moved before an impact stopped it, 0 to 1; empty where
    /// every body moved for the whole sub-step.
    pub toi_fractions: Vec<f32>,
    /// By body: the split position corrections of the last sub-step, as velocities; empty where there were none.
    pub pseudo_velocities: Vec<Velocity>,
    /// By body: the velocity changes of the old impulses, where these are applied only after the first sweep: see
    /// [`super::warm_start::begin`].
    pub(super) late: Vec<Velocity>,
    /// Bodies whose angular velocity changes in their own axes (gyroscopic term): see `gyroscopic.rs`.
    pub(super) turning: Vec<Turning>,
    pub joints: Shared<Box<Joint>>,
    pub contacts: Contacts,
    /// The rows of the last sub-step, with their impulses.
    pub system: System,
    /// Kinematic bodies whose velocity is a function of time.
    pub movers: Vec<Driven>,
    /// Bodies confined to a plane.
    pub planes: Vec<Confined>,
    /// The spring by which the mouse holds a body, if it holds one.
    pub mouse_joint: Option<MouseJoint>,
    pub phases: Phases,
    /// See [`Metrics::residual`].
    pub residual: f32,
    /// Rows of the last sub-step.
    pub row_count: usize,
    /// Mechanisms that the last step solved in the [forest](super::forest).
    pub trees: usize,
    /// Sweeps of the last step, summed over its sub-steps.
    pub sweeps: u32,
    /// The number of equal parts in which the last step was made, 1 for an undivided step: see `divide.rs`.
    pub parts: u32,
    /// The latest spectrum estimate; made where the setting `solver.spectrum_every` asks for it.
    pub spectrum: Option<Spectrum>,
    /// The first fault, if there has been one. The caller of [`Self::step`] should stop and report it.
    pub fault: Option<Fault>,
    /// The work of the last step, and its limit.
    pub work: Work,
    /// See [`Metrics::stopped`].
    pub stopped: usize,
    /// See [`Metrics::guarded`].
    pub guarded: usize,
    /// Net energy that the rows have added to the bodies, J, with a memory of some seconds: see `safeguard.rs`.
    pub fed: f64,
    /// The device that makes the sweeps instead of the processor, if there is one.
    pub remote_sweeps: RemoteSweeps,
    pub(super) jacobi: solvers::jacobi::Scratch,
    pub(super) direct: solvers::direct::Scratch,
    pub(super) tree: solvers::tree::Work,
    pub(super) wide: solvers::wide::Wide,
    pub(super) pseudo_tree: solvers::tree::Work,
    pub(super) safeguard: safeguard::Scratch,
    pub(super) pre_impact: restitution::PreImpact,
    pub(super) ballistic: ballistic::Ballistic,
    pub(super) positions: positions::Scratch,
    /// By body: geometric stiffness against a displacement, N/m, and against a rotation, N·m/rad; empty where the
    /// setting is off.
    pub(super) stiffness: Vec<(f32, f32)>,
    pub(super) divide: divide::Scratch,
    pub(super) shake: shake::Scratch,
    pub(super) ledger: ledger::Ledger,
    pub(super) rattle: rattle::RattleState,
    pub sleep: Sleep,
    pub(super) power: spectrum::Scratch,
    pub(super) list: RowList,
    /// A version number, raised when bodies or joints are added, replaced or broken.
    pub(super) topology: u64,
    pub(super) batches: Batches,
    pub(super) forest: Forest,
    pub(super) on_device: OnDevice,
    /// The device that makes the steps, where `solver.device` asks for it and it does not refuse: see
    /// [`super::device`].
    pub device: Option<Arc<dyn StepDevice>>,
    /// Number of moving bodies in a batch: see [`super::batches`].
    pub batch_size: usize,
    /// Makes each step with all bodies together and not in batches, so that `system` holds its rows afterwards.
    pub whole: bool,
    /// Reads the joints after each step. If false, only what the next step needs is read; forces, errors and residuals
    /// keep their old values.
    pub readouts: bool,
    /// Length of the sub-step to which the stored impulses belong, s; zero where they are not to be scaled.
    pub(super) impulses_of: f32,
    /// Leaves the state of the mechanisms stepped in the [forest](super::forest) or on a [device](super::device) there
    /// after a step. Their entries in `bodies`, `velocities` and `joints` are then those of the last [`Self::settle`],
    /// which must be called before these lists are read or changed. [`Self::state`], [`Self::hash`] and
    /// [`Self::metrics`] are always up to date.
    pub resident: bool,
    /// The record of the present step, where one was asked for.
    pub(super) trace: Option<Box<Trace>>,
    /// Whether any joint has a breaking load of its own.
    pub(super) breakable: bool,
}

blank_and_copied_by_fields!(World {
    settings,
    time,
    step_count,
    bodies,
    velocities,
    toi_fractions,
    pseudo_velocities,
    late,
    turning,
    joints,
    contacts,
    system,
    movers,
    planes,
    mouse_joint,
    phases,
    residual,
    row_count,
    trees,
    sweeps,
    parts,
    spectrum,
    fault,
    work,
    stopped,
    guarded,
    fed,
    remote_sweeps,
    jacobi,
    direct,
    tree,
    wide,
    pseudo_tree,
    safeguard,
    pre_impact,
    ballistic,
    positions,
    stiffness,
    divide,
    shake,
    ledger,
    rattle,
    sleep,
    power,
    list,
    topology,
    batches,
    forest,
    on_device,
    device,
    batch_size,
    whole,
    readouts,
    impulses_of,
    resident,
    trace,
    breakable
});

impl World {
    /// A world without moving bodies: it holds only the immovable body [`WORLD`].
    pub fn new(settings: Settings) -> Self {
        let mut world = Self { settings, parts: 1, batch_size: batches::SIZE, readouts: true, ..Self::blank() };
        let solid = Shape::Sphere { radius: 1.0 }.solid();
        debug_assert!(solid.is_some(), "a unit sphere is a solid");
        if let Some(solid) = solid {
            let own = BodyDef::new(Arc::new(solid), Vec3::ZERO);
            world.add_body(BodyDef { motion: Motion::Static, collide: false, ..own });
        }
        world
    }

    /// Advances by one step of 1/rate seconds. If there would be more contacts than the budget allows, the step is not
    /// made, or it ends before the sub-step in which they occur: see `super::collide::budget`.
    pub fn step(&mut self) {
        self.phases = Phases::default();
        (self.sweeps, self.trees, self.parts) = (0, 0, 1);
        self.work.begin();
        if !self.settings.sleep.enabled {
            // Done here because a device or the processor may make the step.
            self.sleep.clear();
        }
        if on_device::step(self) {
            self.impulses_of = 0.0;
        } else {
            self.step_by_processor();
        }
    }

    /// Makes one step on the processor, in batches where the world allows it. A device may still make its sweeps.
    pub(super) fn step_by_processor(&mut self) {
        if !self.affords_joints() {
            return;
        }
        let whole = self.whole;
        self.whole |= remote_sweeps::begin(self);
        if batches::apart(self) {
            self.impulses_of = 0.0;
            batches::step(self);
        } else {
            self.settle();
            self.step_whole();
        }
        self.whole = whole;
    }

    /// Whether the limit of work allows to sweep all rows that the joints may have. Their work is charged with that of
    /// the contacts, except in batches.
    fn affords_joints(&mut self) -> bool {
        let rows = 6 * self.joints.len() as u64;
        let sweeps = u64::from(self.settings.sweeps()) * u64::from(self.settings.step.substeps);
        let cost = SWEPT_ROW * rows * sweeps;
        let exact = solvers::of(self.settings.solver.method).exact;
        exact || self.work.affords(cost) || self.work.charge(cost)
    }

    /// Length of the sub-steps of the last step, s.
    pub fn substep(&self) -> f32 {
        self.settings.h() / self.parts as f32
    }

    /// Whether rows have added enough energy that its growth should be measured: see [`Metrics::growing`].
    pub fn may_grow(&self) -> bool {
        stability::may_grow(self)
    }

    /// Whether any joint can break, so that every step has to be checked for breaks.
    pub fn can_break(&self) -> bool {
        breaking::can(self)
    }

    /// Makes one step of all bodies together.
    pub(super) fn step_whole(&mut self) {
        divide::step(self);
    }

    /// Makes that step in `parts` equal parts, each of as many sub-steps as the settings ask for.
    pub(super) fn step_in(&mut self, parts: u32) {
        self.parts = parts;
        sleep::begin(self);
        balance::reached(self, Checkpoint::Begin);
        rattle::begin(self, parts);
        balance::reached(self, Checkpoint::Resumed);
        let (start, time) = (Instant::now(), self.time);
        let asked = self.settings.step.substeps;
        self.settings.step.substeps = asked * parts;
        (solvers::of(self.settings.solver.method).step)(self);
        self.settings.step.substeps = asked;
        self.phases.solve = start.elapsed().saturating_sub(self.phases.total());
        self.row_count = self.system.rows.len() + self.system.contacts.rows();
        if self.contacts.excess.is_some() || self.work.is_over() {
            return;
        }
        let h = self.substep();
        rattle::finish(self, h, parts);
        if self.reads() {
            self.read_joints(Some(h));
        }
        balance::reached(self, Checkpoint::Read);
        self.time = time + 1.0 / f64::from(self.settings.step.rate);
        self.step_count += 1;
        sleep::settle(self);
        self.watch();
    }

    /// Estimates the spectrum of the sweep every `solver.spectrum_every` steps.
    fn watch(&mut self) {
        let every = u64::from(self.settings.solver.spectrum_every);
        if every == 0 {
            self.spectrum = None;
        } else if self.step_count.is_multiple_of(every) {
            let mut power = std::mem::take(&mut self.power);
            self.spectrum = Some(spectrum::estimate(self, &mut power, LIVE_SWEEPS));
            self.power = power;
        }
    }

    /// Finds the pairs and then their contact points, for a sub-step of `h` seconds.
    pub(super) fn collide(&mut self, h: f32) {
        if !self.settings.contact.enabled {
            self.contacts.clear();
            return;
        }
        let start = Instant::now();
        self.contacts.find_pairs(&self.bodies, &self.velocities, &self.settings, h);
        let found = Instant::now();
        if self.contacts.excess.is_none() {
            self.contacts.find_points((&self.bodies, &self.sleep), &self.velocities, &self.settings, h);
        }
        self.phases.broad += found - start;
        self.phases.narrow += found.elapsed();
    }

    /// Energy, momentum, errors and counts of the present state.
    pub fn metrics(&self) -> Metrics {
        metrics::measure(self)
    }

    /// All contact points, including predicted ones whose gap is still open.
    pub fn contact_points(&self) -> impl Iterator<Item = ContactPoint> {
        touch::points(self)
    }

    /// The friction of all contacts that carry a load.
    pub fn tractions(&self) -> impl Iterator<Item = Traction> {
        touch::tractions(self)
    }

    /// A hash of poses, velocities and sleep (FNV-1a over their bits): equal for equal states.
    pub fn hash(&self) -> u64 {
        let mut hash = 0xcbf2_9ce4_8422_2325u64;
        let mut add = |v: f32| hash = (hash ^ u64::from(v.to_bits())).wrapping_mul(0x0100_0000_01b3);
        for body in 0..self.bodies.len() as u32 {
            let (position, rotation, velocity) = self.state(body);
            position.to_array().into_iter().for_each(&mut add);
            rotation.to_array().into_iter().for_each(&mut add);
            velocity.linear.to_array().into_iter().for_each(&mut add);
            velocity.angular.to_array().into_iter().for_each(&mut add);
        }
        self.sleep.bits().for_each(add);
        hash
    }
}
