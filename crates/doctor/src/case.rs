//! The world that the doctor examines, with the names of its bodies and joints.

use glam::Vec3;

use delassus_physics::collide::Contacts;
use delassus_physics::world::World;
use delassus_scene::{Flat, Scene};

/// A world at its start and the names of its bodies and joints.
pub struct DoctorCase<'a> {
    pub world: &'a World,
    /// By body id; id 0 is the world itself.
    pub bodies: Vec<&'a str>,
    pub joints: Vec<&'a str>,
    /// The scene, if known: it distinguishes degrees from radians.
    pub scene: Option<&'a Scene>,
}

impl<'a> DoctorCase<'a> {
    /// A world and the expanded scene that it was made from.
    pub fn new(flat: &'a Flat, world: &'a World) -> Self {
        Self::named(world, flat.bodies.iter().map(|b| &*b.name), flat.joints.iter().map(|j| &*j.name))
    }

    /// A world with the names of its bodies, from body 1 on, and of its joints.
    pub fn named(
        world: &'a World,
        bodies: impl Iterator<Item = &'a str>,
        joints: impl Iterator<Item = &'a str>,
    ) -> Self {
        Self {
            world,
            bodies: std::iter::once("the world").chain(bodies).collect(),
            joints: joints.collect(),
            scene: None,
        }
    }

    /// Adds the scene.
    #[must_use]
    pub fn with_scene(self, scene: &'a Scene) -> Self {
        Self { scene: Some(scene), ..self }
    }

    pub fn body(&self, id: u32) -> &str {
        self.bodies.get(id as usize).copied().unwrap_or_default()
    }

    /// The contacts at the start; none if contacts are disabled.
    pub fn contacts(&self) -> Contacts {
        let (world, settings) = (self.world, &self.world.settings);
        let mut contacts = world.state.contacts.clone();
        if settings.contact.enabled {
            let h = settings.h();
            contacts.find_pairs(&world.state.bodies, &world.state.velocities, settings, h);
            contacts.find_points((&world.state.bodies, &world.state.sleep), &world.state.velocities, settings, h);
        } else {
            contacts.clear();
        }
        contacts
    }

    /// The normal of the plane to which a body is restricted, if there is one; world frame.
    pub fn plane(&self, id: u32) -> Option<Vec3> {
        self.world.state.planes.iter().find(|plane| plane.body == id).map(|plane| plane.normal)
    }

    pub fn joint(&self, index: usize) -> &str {
        self.joints.get(index).copied().unwrap_or_default()
    }
}
