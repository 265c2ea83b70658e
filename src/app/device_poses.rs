//! Bodies that the graphics card steps are drawn out of its buffers, where the window draws on the same device.

use crate::gpu::stepper::ResidentWorld;
use crate::render::{gpu::Gpu, poses::Poses};
use crate::session::Session;

/// Where the bodies of a run are on the device that draws; none where that does not step them, or cannot draw so.
pub(super) fn poses(session: &Session, gpu: &Gpu) -> Option<Poses> {
    let world = session.device_world().filter(|_| gpu.draws_crowds())?.as_any().downcast_ref::<ResidentWorld>()?;
    world.poses(&gpu.device).map(|(now, before)| Poses { now, before })
}

#[cfg(test)]
#[path = "device_poses_tests.rs"]
mod tests;
