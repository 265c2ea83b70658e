//! The applied forces of a world, for drawing them.

use glam::Vec3;

use super::BodyForces;
use crate::world::World;

impl World {
    /// The forces on dynamic bodies at the present time: body, point, m, force, N, and torque without the moment of the
    /// force, N·m; world frame.
    pub fn applied_forces(&self) -> impl Iterator<Item = (u32, Vec3, Vec3, Vec3)> {
        let dynamic = move |own: &&BodyForces| self.state.bodies[own.body as usize].is_dynamic();
        self.model.forces.iter().filter(dynamic).flat_map(move |own| {
            let body = &self.state.bodies[own.body as usize];
            own.forces.iter().map(move |force| {
                let (lever, force, torque) = force.in_world(body, self.state.time);
                (own.body, body.position + lever, force, torque)
            })
        })
    }
}
