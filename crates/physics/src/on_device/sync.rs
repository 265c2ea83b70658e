//! Writes a state read from a device into the world's lists, or a single joint's.

use std::sync::OnceLock;

use super::count_stopped;
use crate::device::{DeviceRefusal, Readback};
use crate::readout::{Readout, rows_of};
use crate::row::{JointFrames, RowList};
use crate::settings::Settings;
use crate::threads;
use crate::world::World;
use crate::world::report::Report;
use crate::world::state::State;

/// Number of bodies or joints that a thread handles at a time.
const PIECE: usize = 2048;

impl World {
    /// Updates bodies, velocities and joints. Steps whose state was lost with the device are repeated by the processor.
    pub(crate) fn sync_from_device(&mut self) {
        let Some(seen) = self.pipeline.executor.on_device.known().cloned() else { return };
        self.pipeline.executor.on_device.ahead = false;
        self.pipeline.executor.on_device.now = OnceLock::new();
        if let Some(image) = &seen.image {
            let World { settings, state, report, pipeline, .. } = &mut *self;
            let away = &mut pipeline.executor.on_device;
            store(settings, (state, report), &**image, away.read);
            count_stopped(away, (state, report), &seen);
        }
        let lost = self.pipeline.executor.on_device.lost.take();
        let again = self.pipeline.executor.on_device.at.0.saturating_sub(seen.step);
        if again == 0 {
            return;
        }
        self.pipeline.executor.on_device.held = None;
        let (settings, step, time) = (self.settings, self.state.step_count, self.state.time);
        if let Some((key, why)) = &mut self.pipeline.executor.on_device.answer {
            self.settings = key.settings;
            *why = lost.map(DeviceRefusal::Device).or(why.take());
        }
        (self.state.step_count, self.state.time) = (seen.step, seen.time);
        for _ in 0..again {
            self.step_by_processor();
        }
        (self.settings, self.state.step_count, self.state.time) = (settings, step, time);
    }
}

/// Writes the state that was read into the lists. `read`: length of the last sub-step, s, if the joints are read.
fn store(settings: &Settings, (state, report): (&mut State, &mut Report), image: &dyn Readback, read: Option<f32>) {
    let threads = threads::count(settings.solver.threads);
    let (bodies, velocities, joints) = (&mut state.bodies, &mut state.velocities, &mut state.joints);
    threads::pairs(threads, bodies, velocities, PIECE, |_, first, bodies, velocities| {
        for (index, (body, velocity)) in (first as u32..).zip(bodies.iter_mut().zip(velocities)) {
            (body.position, body.rotation, *velocity) = image.state(index);
            body.refresh_inertia();
        }
    });
    threads::pieces(threads, joints, PIECE, |_, first, joints| {
        let mut list = RowList::default();
        for (index, joint) in (first..).zip(joints) {
            let Some(load) = image.load(index) else { continue };
            joint.impulses = load.impulses;
            let Some(h) = read else { continue };
            joint.rows(&joint.frames(bodies), &mut list);
            let (rows, ids) = rows_of(index as u32, load.linear, load.angular);
            joint.readout.residual = load.residual;
            joint.read(bodies, velocities, &list.rows, (&rows, &ids), h);
        }
    });
    if read.is_some() {
        report.residual = image.residual();
    }
}

/// The ends and read-out of a joint as [`World::sync`] would leave them, without changing the world; none if the joint is
/// up to date.
pub fn joint(world: &World, index: usize, list: &mut RowList) -> Option<(JointFrames, Readout)> {
    let load = world.pipeline.executor.on_device.load(index)?;
    let joint = &world.state.joints[index];
    let (a, b) = (joint.def.a, joint.def.b);
    let ((xa, qa, va), (xb, qb, vb)) = (world.state(a), world.state(b));
    let ends = joint.frames_at((xa, qa), (xb, qb));
    let Some(h) = world.pipeline.executor.on_device.read else { return Some((ends, joint.readout)) };
    list.rows.clear();
    joint.rows(&ends, list);
    let (rows, ids) = rows_of(index as u32, load.linear, load.angular);
    // `reading` uses the bodies only for the masses of soft rows, and these joints have none.
    let state = (ends, [&*world.state.bodies[a as usize], &*world.state.bodies[b as usize]], [va, vb]);
    let readout = joint.reading(&state, &list.rows, (&rows, &ids), h);
    Some((state.0, Readout { residual: load.residual, ..readout }))
}
