//! What of a scene the world is made from, and what it only follows or never sees. Whoever adds a field to a scene has
//! to say here which it is.

use super::list::List;
use super::types::{Body, Joint, Material, Part, Pattern, Scene};

/// What the world is made from, settings aside.
type Made<'a> = (&'a List<Body>, &'a List<Joint>, &'a List<Pattern>, &'a List<Part>, &'a List<Material>);

impl Scene {
    fn made(&self) -> Made<'_> {
        let Self {
            bodies,
            joints,
            patterns,
            parts,
            materials,
            // The world follows these as it runs, or never sees them.
            version: _,
            title: _,
            source: _,
            about: _,
            look_for: _,
            claims: _,
            expects: _,
            settings: _,
            camera: _,
            opens: _,
            experiments: _,
            plots: _,
        } = self;
        (bodies, joints, patterns, parts, materials)
    }

    /// Whether this scene and another one make the same world, settings aside. Where they share their lists it is a
    /// comparison of pointers.
    pub fn makes_the_world_of(&self, other: &Self) -> bool {
        self.made() == other.made()
    }

    /// This scene's words and settings, and the world of another one.
    pub fn with_the_world_of(&self, other: &Self) -> Self {
        let (bodies, joints, patterns, parts, materials) = other.made();
        Self {
            bodies: bodies.clone(),
            joints: joints.clone(),
            patterns: patterns.clone(),
            parts: parts.clone(),
            materials: materials.clone(),
            ..self.clone()
        }
    }
}
