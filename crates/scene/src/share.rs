//! Classifies each field of a scene: used to make the world, or not. A new field must be listed here.

use super::list::List;
use super::types::{Body, Joint, Material, Part, Pattern, Scene};

/// The lists that the world is made from, without the settings.
type Made<'a> = (&'a List<Body>, &'a List<Joint>, &'a List<Pattern>, &'a List<Part>, &'a List<Material>);

impl Scene {
    fn made(&self) -> Made<'_> {
        let Self {
            bodies,
            joints,
            patterns,
            parts,
            materials,
            // The running world takes these over later, or does not use them.
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
            sensors: _,
        } = self;
        (bodies, joints, patterns, parts, materials)
    }

    /// Whether both scenes make the same world, settings aside. For shared lists this only compares pointers.
    pub fn makes_the_world_of(&self, other: &Self) -> bool {
        self.made() == other.made()
    }

    /// This scene's texts and settings with the other scene's bodies, joints, patterns, parts and materials.
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

    /// A scene of only these bodies and joints, with this scene's materials.
    pub fn excerpt(&self, bodies: List<Body>, joints: List<Joint>) -> Self {
        let (_, _, _patterns, _parts, materials) = self.made();
        Self { bodies, joints, materials: materials.clone(), ..Self::default() }
    }
}
