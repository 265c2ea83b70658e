//! The world, and the choice of how its step is made: on a device, in batches, or all bodies together.

pub(crate) mod buffers;
pub(crate) mod model;
pub(crate) mod pipeline;
pub(crate) mod report;
pub(crate) mod state;

use std::sync::Arc;

use glam::Vec3;

pub use self::model::Model;
pub use self::pipeline::{Executor, Pipeline};
pub use self::report::Report;
pub use self::state::State;
use super::batches::{self, ReadAfter};
pub use super::body::WORLD;
use super::body::{BodyDef, Motion};
use super::breaking;
use super::copy::copied_by_fields;
use super::divide;
use super::phases::Phases;
use super::plan::outcome::Route;
use super::plan::paths::{self, Path};
use super::settings::Settings;
use super::shape::Shape;
use super::solvers::parts::Parts;
use super::solvers::properties;
use super::solvers::remote_sweeps::{self, SweeperSource};
use super::system::System;
use super::work::SWEPT_ROW;

/// Bodies, joints and contacts, the rows between them, and what steps them.
pub struct World {
    /// Each step reads them again, so they may be changed between any two steps.
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
            let ground = BodyDef::new(Arc::new(solid), Vec3::ZERO);
            world.add_body(BodyDef { motion: Motion::Static, collide: false, ..ground });
        }
        world
    }

    /// Advances by one step of 1/rate seconds. If there would be more contacts than the budget allows, the step is not
    /// made, or it ends before the sub-step in which they occur: see `super::collide::budget`.
    pub fn step(&mut self) {
        let chosen = self.settings;
        self.settings = properties::resolved(&chosen);
        self.step_as_resolved();
        self.settings = chosen;
    }

    fn step_as_resolved(&mut self) {
        self.report.phases = Phases::default();
        (self.report.sweeps, self.report.trees, self.report.parts) = (0, 0, 1);
        self.report.dense_mechanisms = 0;
        self.report.work.reset();
        if !self.settings.sleep.enabled {
            // Done here, because it must happen whether a device or the processor makes the step.
            self.state.sleep.clear();
        }
        if self.step_on_device() {
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
        let keep_rows = self.pipeline.executor.keep_rows;
        self.pipeline.executor.keep_rows |= self.borrows_sweeper();
        let Self { settings, model, state, system, report, pipeline } = self;
        let Pipeline { executor, buffers, .. } = pipeline;
        let joints = executor.reads(settings);
        let Executor { batches, articulations, keep_rows: rows, batch_size, readouts, resident, .. } = executor;
        match batches::why_whole(settings, model, state, (batches, articulations), (*rows, *batch_size)) {
            None => {
                report.route = Route::Batched(paths::refused_by(Path::Articulations, settings));
                state.impulses_of = 0.0;
                let after = ReadAfter { readouts: *readouts, joints, resident: *resident };
                batches::step(settings, model, state, system, report, (batches, articulations), buffers, after);
            }
            Some(why) => {
                self.report.route = Route::Whole(why);
                self.sync();
                self.step_whole();
            }
        }
        self.pipeline.executor.keep_rows = keep_rows;
    }

    /// Whether a device makes the sweeps of the next step: its rows must then be listed.
    fn borrows_sweeper(&mut self) -> bool {
        let too_long = !self.device_affords_rows();
        let Pipeline { executor, probe, .. } = &mut self.pipeline;
        let source = executor.device.clone().map(|device| device as Arc<dyn SweeperSource>);
        remote_sweeps::acquire(&self.settings, &mut executor.remote_sweeps, source, (probe.is_some(), too_long))
    }

    /// Whether the work limit allows the sweeps over all rows that the joints may have. The actual work is charged
    /// later, together with that of the contacts, except in batches.
    fn affords_joints(&mut self) -> bool {
        let (rows, sweeps) = self.work_of_joints();
        let cost = SWEPT_ROW * rows * sweeps;
        let exact = properties::of(self.settings.solver.method).exact;
        exact || self.report.work.affords(cost) || self.report.work.charge(cost)
    }

    /// Whether the work limit allows a device to sweep all rows that the joints may have, or the rows of the last step
    /// if there were more.
    pub(super) fn device_affords_rows(&self) -> bool {
        let (rows, sweeps) = self.work_of_joints();
        self.report.work.affords_device(sweeps, rows.max(self.report.row_count as u64))
    }

    /// The largest number of rows that the joints can have, and the number of sweeps of a step.
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
    fn step_whole(&mut self) {
        let Self { settings, model, state, system, report, pipeline } = self;
        let Pipeline { executor, buffers, solvers, probe } = pipeline;
        let (reads, listed) = (executor.reads(settings), executor.keep_rows || probe.is_some());
        let few = state.bodies.len() <= 2 * executor.batch_size;
        let remote = &mut executor.remote_sweeps;
        let mut parts = Parts { settings, model, state, system, report, remote, buffers, probe, reads, listed };
        divide::step(&mut parts, solvers, few);
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
