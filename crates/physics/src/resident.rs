//! A world whose state stays in the articulations or on a device from step to step
//! ([`Executor::resident`](crate::world::Executor::resident)). Its lists of bodies, velocities and joints are out of
//! date until `World::sync` is called. Its copies share what no step changes.

use glam::{Quat, Vec3};

use super::body::{Body, Velocity};
use super::joint::Joint;
use super::on_device;
use super::readout::Readout;
use super::row::{JointFrames, RowList};
use super::world::World;

impl World {
    /// Brings bodies, velocities and joints up to date: see [`Executor::resident`](crate::world::Executor::resident).
    pub fn sync(&mut self) {
        self.sync_from_device();
        self.pipeline.executor.articulations.sync(&self.settings, &mut self.state);
    }

    /// Centre of mass, m, orientation, and velocity of a body, world frame, always up to date.
    ///
    /// # Panics
    /// If the body's index is out of range.
    pub fn state(&self, body: u32) -> (Vec3, Quat, Velocity) {
        let away = || self.pipeline.executor.on_device.image().map(|image| image.state(body));
        self.pipeline.executor.articulations.state(body).or_else(away).unwrap_or_else(|| {
            let (known, velocity) = (&self.state.bodies[body as usize], self.state.velocities[body as usize]);
            (known.position, known.rotation, velocity)
        })
    }

    /// The frames of a joint and its readout in the present state. `list` is scratch.
    ///
    /// # Panics
    /// If the joint's index is out of range.
    pub fn joint_now(&self, joint: usize, list: &mut RowList) -> (JointFrames, Readout) {
        self.pipeline
            .executor
            .articulations
            .joint(&self.state, joint, list)
            .or_else(|| on_device::joint(self, joint, list))
            .unwrap_or_else(|| {
                let known = &self.state.joints[joint];
                (known.frames(&self.state.bodies), known.readout)
            })
    }

    /// Whether the lists of bodies, velocities and joints may be out of date: see
    /// [`Executor::resident`](crate::world::Executor::resident).
    pub fn is_behind(&self) -> bool {
        self.pipeline.executor.articulations.is_ahead() || self.pipeline.executor.on_device.is_ahead()
    }

    /// A copy with up-to-date lists; `None` where this world's may not be out of date: see
    /// [`Executor::resident`](crate::world::Executor::resident).
    pub fn synced(&self) -> Option<Self> {
        self.is_behind().then(|| {
            let mut copy = self.clone();
            copy.sync();
            copy
        })
    }

    /// The frames of a joint in the present state.
    ///
    /// # Panics
    /// If the joint's index is out of range.
    pub fn frames_now(&self, joint: usize) -> JointFrames {
        let joint = &self.state.joints[joint];
        let pose = |body: u32| {
            let (position, rotation, _) = self.state(body);
            (position, rotation)
        };
        joint.frames_at(pose(joint.def.a), pose(joint.def.b))
    }

    /// Lets copies made from now on share the lists of bodies, velocities and joints with this world, until one of
    /// them changes its own.
    pub fn share(&mut self) {
        self.state.bodies.share();
        self.state.velocities.share();
        self.state.joints.share();
    }

    /// About how many bytes a copy takes that shares the lists of this world, while this world goes on: the whole
    /// world, or only the articulations where all moving bodies are stepped there, or the last readback of the device.
    pub fn bytes_beside(&self) -> usize {
        if self.pipeline.executor.on_device.is_ahead() {
            return self.pipeline.executor.on_device.bytes();
        }
        let alone = self.pipeline.executor.articulations.is_ahead()
            && self.pipeline.executor.batches.are_empty()
            && self.pipeline.executor.articulations.by_rows().next().is_none();
        if alone { self.pipeline.executor.articulations.bytes() } else { self.bytes() }
    }

    /// About how many bytes it takes: its lists, with its rows counted twice to include the contacts.
    pub fn bytes(&self) -> usize {
        self.pipeline.executor.articulations.bytes()
            + self.state.bodies.len() * size_of::<Body>()
            + size_of_val(self.state.velocities.as_slice())
            + self.state.joints.len() * size_of::<Joint>()
            + size_of_val(self.system.blocks.as_slice())
            + 2 * size_of_val(self.system.rows.as_slice())
            + size_of_val(self.system.ids.as_slice())
            + 256 * self.state.bodies.len()
    }
}
