//! Says of each field of a scene whether the world is made from it, follows it, or does not use it. A new field has to
//! be listed here.

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

    /// A scene of these bodies and joints of it alone, with whatever else they are made from.
    pub fn excerpt(&self, bodies: List<Body>, joints: List<Joint>) -> Self {
        let (_, _, _patterns, _parts, materials) = self.made();
        Self { bodies, joints, materials: materials.clone(), ..Self::default() }
    }
}
