//! From the flat scene to the physics.

use super::expand::Flat;
use crate::physics::settings::Settings;
use crate::physics::world::World;

impl Flat {
    /// A world with these bodies and joints at the scene's pose: body and joint `i` here are body `i + 1` and joint
    /// `i` there.
    pub fn world(&self, settings: Settings) -> World {
        let mut world = World::new(settings);
        let bodies: Vec<_> = self.bodies.iter().map(|body| &body.def).collect();
        let joints: Vec<_> = self.joints.iter().map(|joint| &joint.def).collect();
        world.add(&bodies, &joints);
        world
    }

    /// The body of this name, by its index in the world; `world` is 0.
    pub fn find_body(&self, name: &str) -> Option<u32> {
        if name == super::types::WORLD {
            return Some(0);
        }
        self.bodies.iter().position(|b| *b.name == *name).map(|i| i as u32 + 1)
    }

    /// The joint of this name, by its index in the world.
    pub fn find_joint(&self, name: &str) -> Option<u32> {
        self.joints.iter().position(|j| *j.name == *name).map(|i| i as u32)
    }
}
