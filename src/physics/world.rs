//! A world and its step: the whole pipeline on one screen.

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

/// Sweeps of an estimate while the world runs; its vectors are kept, so that a scene at rest comes to the true value.
const LIVE_SWEEPS: u32 = 64;

/// The index of the immovable world itself among the bodies.
pub const WORLD: u32 = 0;

/// Bodies, joints, contacts and the rows between them.
pub struct World {
    /// Read anew each step: change them at any time.
    pub settings: Settings,
    /// Simulated time, s.
    pub time: f64,
    pub step_count: u64,
    /// Body [`WORLD`] is the world itself.
    pub bodies: Shared<Box<Body>>,
    /// In the bodies' order.
    pub velocities: Shared<Velocity>,
    /// What share of the last sub-step each body was let go before it met something; empty where all went all the way.
    pub toi_fractions: Vec<f32>,
    /// The split position corrections of the last sub-step as velocities; empty where none was needed.
    pub pseudo_velocities: Vec<Velocity>,
    /// What the old impulses change, where they come in after the first sweep: see [`super::warm_start::begin`].
    pub(super) late: Vec<Velocity>,
    /// Bodies whose angular velocity turns in their own axes.
    pub(super) turning: Vec<Turning>,
    pub joints: Shared<Box<Joint>>,
    pub contacts: Contacts,
    /// The rows of the last sub-step, with their impulses.
    pub system: System,
    /// Kinematic bodies whose velocity follows a law of time.
    pub movers: Vec<Driven>,
    /// Bodies that stay in a plane.
    pub planes: Vec<Confined>,
    /// The mouse's hand, if it holds something.
    pub mouse_joint: Option<MouseJoint>,
    pub phases: Phases,
    /// See [`Metrics::residual`].
    pub residual: f32,
    /// Rows of the last sub-step.
    pub row_count: usize,
    /// Mechanisms that the last step has stepped in the [forest](super::forest).
    pub trees: usize,
    /// Sweeps of the last step, all sub-steps together.
    pub sweeps: u32,
    /// In how many parts the last step was made of what the settings ask for: see `divide.rs`.
    pub parts: u32,
    /// The last estimate that the setting `solver.spectrum_every` asked for.
    pub spectrum: Option<Spectrum>,
    /// The first thing that went wrong, if anything has: whoever runs the world should stop and say so.
    pub fault: Option<Fault>,
    /// See [`Metrics::stopped`].
    pub stopped: usize,
    /// See [`Metrics::guarded`].
    pub guarded: usize,
    /// What the rows of the last seconds have added to the bodies' energy beyond what they have taken out, J.
    pub fed: f64,
    /// Who makes the sweeps in the processor's place, if anybody does.
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
    /// By body: what resists a displacement, N/m, and a turn, N·m/rad; empty where that is not asked for.
    pub(super) stiffness: Vec<(f32, f32)>,
    pub(super) divide: divide::Scratch,
    pub(super) shake: shake::Scratch,
    pub(super) ledger: ledger::Ledger,
    pub(super) rattle: rattle::RattleState,
    pub sleep: Sleep,
    pub(super) power: spectrum::Scratch,
    pub(super) list: RowList,
    /// Changes with the bodies and with what joins them.
    pub(super) topology: u64,
    pub(super) batches: Batches,
    pub(super) forest: Forest,
    pub(super) on_device: OnDevice,
    /// What makes the steps where `solver.device` asks for it and it can: see [`super::device`].
    pub device: Option<Arc<dyn StepDevice>>,
    /// So many moving bodies are stepped together: see [`super::batches`].
    pub batch_size: usize,
    /// Makes each step in a piece, so that `system` holds its rows afterwards.
    pub whole: bool,
    /// Reads the joints after each step. Without it only what the next step needs is read: forces, errors and residuals
    /// stay what they were.
    pub readouts: bool,
    /// Leaves the mechanisms of the [forest](super::forest), and what a [device](super::device) steps, where they were
    /// stepped: their bodies, velocities and joints here are those of the last [`Self::settle`], which whoever reads or
    /// changes them calls first.
    /// [`Self::state`], [`Self::hash`] and [`Self::metrics`] are always up to date.
    pub resident: bool,
    /// The moments of the step, while somebody looks into it.
    pub(super) trace: Option<Box<Trace>>,
    /// Whether any joint has a load of its own that breaks it.
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
    resident,
    trace,
    breakable
});

impl World {
    /// An empty world.
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

    /// Advances by one step of 1/rate seconds. Where the contacts would be more than the budget the step is not made,
    /// or ends before the sub-step in which they are: see `super::collide::budget`.
    pub fn step(&mut self) {
        self.phases = Phases::default();
        (self.sweeps, self.trees, self.parts) = (0, 0, 1);
        if !self.settings.sleep.enabled {
            // Whoever makes the step.
            self.sleep.clear();
        }
        if !on_device::step(self) {
            self.step_by_processor();
        }
    }

    /// One step, whoever is to make it.
    pub(super) fn step_by_processor(&mut self) {
        let whole = self.whole;
        self.whole |= remote_sweeps::begin(self);
        if batches::apart(self) {
            batches::step(self);
        } else {
            self.settle();
            self.step_whole();
        }
        self.whole = whole;
    }

    /// Length of the last step's sub-steps, s.
    pub fn substep(&self) -> f32 {
        self.settings.h() / self.parts as f32
    }

    /// Whether the rows may be adding energy: see [`Metrics::growing`].
    pub fn may_grow(&self) -> bool {
        stability::may_grow(self)
    }

    /// Whether a joint of it can break, so that each step is to be looked at.
    pub fn can_break(&self) -> bool {
        breaking::can(self)
    }

    /// One step, all bodies together.
    pub(super) fn step_whole(&mut self) {
        divide::step(self);
    }

    /// The same in so many parts, each of them as many sub-steps as the settings ask for.
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
        if self.contacts.excess.is_some() {
            return;
        }
        let h = self.substep();
        rattle::finish(self, h, parts);
        if self.reads() {
            self.read_joints(Some(h));
        } else {
            self.count_turns();
        }
        balance::reached(self, Checkpoint::Read);
        self.time = time + 1.0 / f64::from(self.settings.step.rate);
        self.step_count += 1;
        sleep::settle(self);
        self.watch();
    }

    /// Estimates the sweep's convergence as often as asked.
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

    /// Pairs, then points.
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

    /// What can be measured of the world as it stands.
    pub fn metrics(&self) -> Metrics {
        metrics::measure(self)
    }

    /// All contact points, predicted ones included.
    pub fn contact_points(&self) -> impl Iterator<Item = ContactPoint> {
        touch::points(self)
    }

    /// The friction of all contacts, where it acts.
    pub fn tractions(&self) -> impl Iterator<Item = Traction> {
        touch::tractions(self)
    }

    /// A fingerprint of poses and velocities (FNV-1a over their bits): equal for equal states.
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
