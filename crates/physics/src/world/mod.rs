//! The world and its step: the sequence of all stages.

pub(crate) mod buffers;
pub(crate) mod model;
pub(crate) mod pipeline;
pub(crate) mod report;
pub(crate) mod state;

use std::sync::Arc;
use std::time::Instant;

use glam::Vec3;

pub use self::model::Model;
pub use self::pipeline::{Executor, Pipeline};
pub use self::report::Report;
pub use self::state::State;
use super::balance::{self, Checkpoint};
use super::batches;
pub use super::body::WORLD;
use super::body::{BodyDef, Motion};
use super::breaking;
use super::copy::copied_by_fields;
use super::divide;
use super::flight;
use super::on_device;
use super::phases::Phases;
use super::plan::outcome::Route;
use super::rattle;
use super::settings::Settings;
use super::shape::Shape;
use super::sleep;
use super::solvers::parts::Parts;
use super::solvers::remote_sweeps::{self, SweeperSource};
use super::solvers::{properties, step};
use super::spectrum::power;
use super::system::System;
use super::work::SWEPT_ROW;

/// Power-iteration sweeps of one spectrum estimate while the world runs. The vectors are kept between estimates, so in
/// a scene at rest the estimates converge over the steps.
const LIVE_SWEEPS: u32 = 64;

/// Bodies, joints and contacts, the rows between them, and what steps them.
pub struct World {
    /// Read anew in each step, so they may be changed between any two steps.
    pub settings: Settings,
    pub model: Model,
    pub state: State,
    /// The rows of the last sub-step, with their impulses.
    pub system: System,
    pub report: Report,
    pub pipeline: Pipeline,
}

copied_by_fields!(World { settings, model, state, system, report, pipeline });

impl World {
    /// A world without moving bodies: it holds only the immovable body [`WORLD`].
    pub fn new(settings: Settings) -> Self {
        let mut world = Self {
            settings,
            model: Model::default(),
            state: State::default(),
            system: System::default(),
            report: Report { parts: 1, ..Report::default() },
            pipeline: Pipeline::default(),
        };
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
        self.report.phases = Phases::default();
        (self.report.sweeps, self.report.trees, self.report.parts) = (0, 0, 1);
        self.report.work.begin();
        if !self.settings.sleep.enabled {
            // Done here because a device or the processor may make the step.
            self.state.sleep.clear();
        }
        if on_device::step(self) {
            self.report.route = Route::Device;
            self.state.impulses_of = 0.0;
        } else {
            self.step_by_processor();
        }
    }

    /// Makes one step on the processor, in batches where the world allows it. A device may still make its sweeps.
    pub(super) fn step_by_processor(&mut self) {
        if !self.affords_joints() {
            return;
        }
        let whole = self.pipeline.executor.whole;
        self.pipeline.executor.whole |= self.borrows_sweeper();
        let Self { settings, model, state, system, report, pipeline } = self;
        let Pipeline { executor, buffers, .. } = pipeline;
        match batches::together(settings, model, state, executor) {
            None => {
                report.route = Route::Apart;
                state.impulses_of = 0.0;
                batches::step(settings, model, state, system, report, (executor, buffers));
            }
            Some(why) => {
                self.report.route = Route::Together(why);
                self.settle();
                self.step_whole();
            }
        }
        self.pipeline.executor.whole = whole;
    }

    /// Whether a device makes the sweeps of the next step: its rows must then be listed.
    fn borrows_sweeper(&mut self) -> bool {
        let too_long = !self.device_affords_rows();
        let Pipeline { executor, probe, .. } = &mut self.pipeline;
        let source = executor.device.clone().map(|device| device as Arc<dyn SweeperSource>);
        remote_sweeps::begin(&self.settings, &mut executor.remote_sweeps, source, (probe.is_some(), too_long))
    }

    /// Whether the limit of work allows to sweep all rows that the joints may have. Their work is charged with that of
    /// the contacts, except in batches.
    fn affords_joints(&mut self) -> bool {
        let (rows, sweeps) = self.work_of_joints();
        let cost = SWEPT_ROW * rows * sweeps;
        let exact = properties::of(self.settings.solver.method).exact;
        exact || self.report.work.affords(cost) || self.report.work.charge(cost)
    }

    /// Whether a device may make the sweeps of all rows that the joints may have, or of those of the last step.
    pub(super) fn device_affords_rows(&self) -> bool {
        let (rows, sweeps) = self.work_of_joints();
        self.report.work.affords_device(sweeps, rows.max(self.report.row_count as u64))
    }

    /// The rows that the joints have at most, and the sweeps of a step.
    fn work_of_joints(&self) -> (u64, u64) {
        let sweeps = u64::from(self.settings.sweeps()) * u64::from(self.settings.step.substeps);
        (6 * self.state.joints.len() as u64, sweeps)
    }

    /// Length of the sub-steps of the last step, s.
    pub fn substep(&self) -> f32 {
        self.settings.h() / self.report.parts as f32
    }

    /// Whether any joint can break, so that every step has to be checked for breaks.
    pub fn can_break(&self) -> bool {
        breaking::can(&self.settings, &self.model)
    }

    /// Makes one step of all bodies together.
    pub(super) fn step_whole(&mut self) {
        divide::step(self);
    }

    /// Makes that step in `parts` equal parts, each of as many sub-steps as the settings ask for.
    pub(super) fn step_in(&mut self, parts: u32) {
        self.report.parts = parts;
        sleep::begin(&self.settings, &mut self.state);
        self.reached(Checkpoint::Begin);
        rattle::begin(&mut self.state, parts);
        let h = self.substep();
        self.reached(Checkpoint::Resumed);
        flight::begin(&self.settings, &mut self.state, h);
        self.reached(Checkpoint::Kicked);
        let listed = self.pipeline.executor.whole || self.pipeline.probe.is_some();
        let (start, time) = (Instant::now(), self.state.time);
        let asked = self.settings.step.substeps;
        self.settings.step.substeps = asked * parts;
        let reads = self.pipeline.executor.reads(&self.settings);
        let of_world = Parts {
            settings: &self.settings,
            model: &self.model,
            state: &mut self.state,
            system: &mut self.system,
            report: &mut self.report,
            remote: &mut self.pipeline.executor.remote_sweeps,
            buffers: &mut self.pipeline.buffers,
            probe: &mut self.pipeline.probe,
            reads,
            listed,
        };
        step::step(of_world, &mut self.pipeline.solvers);
        self.settings.step.substeps = asked;
        self.report.phases.solve = start.elapsed().saturating_sub(self.report.phases.total());
        self.report.row_count = self.system.rows.len() + self.system.contacts.rows();
        if self.state.contacts.excess.is_some() || self.report.work.is_over() {
            return;
        }
        flight::finish(&self.settings, &mut self.state, &self.system, h);
        self.reached(Checkpoint::Kicked);
        rattle::finish(
            &self.settings,
            &mut self.state,
            &mut self.system,
            &mut self.report,
            (&mut self.pipeline.buffers.rattle, &mut self.pipeline.buffers.tree),
            &self.pipeline.buffers.turning,
            h,
            parts,
        );
        if self.pipeline.executor.reads(&self.settings) {
            self.read_joints(Some(h));
        }
        self.reached(Checkpoint::Read);
        self.state.time = time + 1.0 / f64::from(self.settings.step.rate);
        self.state.step_count += 1;
        sleep::settle(&self.settings, &mut self.state, &mut self.system);
        self.watch();
    }

    fn reached(&mut self, at: Checkpoint) {
        balance::reached(&self.settings, &self.state, &self.system, &self.report, &mut self.pipeline.probe, at);
    }

    /// Estimates the spectrum of the sweep every `solver.spectrum_every` steps.
    fn watch(&mut self) {
        let every = u64::from(self.settings.solver.spectrum_every);
        if every == 0 {
            self.report.spectrum = None;
        } else if self.state.step_count.is_multiple_of(every) {
            let (solver, mut vectors) = (&self.settings.solver, std::mem::take(&mut self.report.power));
            self.report.spectrum =
                Some(power::estimate(solver, (&self.state.bodies, &self.system), &mut vectors, LIVE_SWEEPS));
            self.report.power = vectors;
        }
    }

    /// A hash of poses, velocities and sleep (FNV-1a over their bits): equal for equal states.
    pub fn hash(&self) -> u64 {
        let mut hash = 0xcbf2_9ce4_8422_2325u64;
        let mut add = |v: f32| hash = (hash ^ u64::from(v.to_bits())).wrapping_mul(0x0100_0000_01b3);
        for body in 0..self.state.bodies.len() as u32 {
            let (position, rotation, velocity) = self.state(body);
            position.to_array().into_iter().for_each(&mut add);
            rotation.to_array().into_iter().for_each(&mut add);
            velocity.linear.to_array().into_iter().for_each(&mut add);
            velocity.angular.to_array().into_iter().for_each(&mut add);
        }
        self.state.sleep.bits().for_each(add);
        hash
    }
}
