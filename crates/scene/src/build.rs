//! Makes a physics world from a flat scene.

use super::expand::Flat;
use delassus_physics::settings::Settings;
use delassus_physics::world::World;

impl Flat {
    /// A world with these bodies and joints in the scene's pose: body and joint `i` here are body `i + 1` and joint
    /// `i` in the world.
    pub fn world(&self, settings: Settings) -> World {
        let mut world = World::new(settings);
        let bodies: Vec<_> = self.bodies.iter().map(|body| &body.def).collect();
        let joints: Vec<_> = self.joints.iter().map(|joint| &joint.def).collect();
        world.add(&bodies, &joints);
        world
    }

    /// The index of the body with this name in the world; `world` is 0.
    pub fn find_body(&self, name: &str) -> Option<u32> {
        if name == super::types::WORLD {
            return Some(0);
        }
        self.bodies.iter().position(|b| *b.name == *name).map(|i| i as u32 + 1)
    }

    /// The index of the joint with this name in the world.
    pub fn find_joint(&self, name: &str) -> Option<u32> {
        self.joints.iter().position(|j| *j.name == *name).map(|i| i as u32)
    }
}
