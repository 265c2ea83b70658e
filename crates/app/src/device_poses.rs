//! Pose buffers for drawing: if the window's own graphics device steps the bodies, they are drawn from its buffers.

use delassus_gpu::stepper::ResidentWorld;
use delassus_render::{gpu::Gpu, poses::Poses};
use delassus_session::Session;

/// The pose buffers of a run on the window's device. `None` if that device does not step the run, or cannot draw crowds
/// (bodies whose poses stay on the device).
pub(super) fn poses(session: &Session, gpu: &Gpu) -> Option<Poses> {
    let world = session.device_world().filter(|_| gpu.draws_crowds())?.as_any().downcast_ref::<ResidentWorld>()?;
    world.poses(&gpu.device).map(|(now, before)| Poses { now, before })
}

#[cfg(test)]
#[path = "device_poses_tests.rs"]
mod tests;
