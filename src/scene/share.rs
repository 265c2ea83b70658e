//! What of a scene the world is made from, and what it only follows or never sees. Whoever adds a field to a scene has
//! to say here which it is.

use super::types::Scene;

impl Scene {
    /// Whether this scene and another one make the same world, settings aside. Where they share their lists it is a
    /// comparison of pointers.
    pub fn makes_the_world_of(&self, other: &Self) -> bool {
        let Self { materials, bodies, patterns, parts, joints, .. } = other;
        let Self {
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
            materials: my_materials,
            bodies: my_bodies,
            patterns: my_patterns,
            parts: my_parts,
            joints: my_joints,
        } = self;
        my_bodies == bodies
            && my_joints == joints
            && my_patterns == patterns
            && my_parts == parts
            && my_materials == materials
    }

    /// This scene's words and settings, and the world of another one.
    pub fn with_the_world_of(&self, other: &Self) -> Self {
        let Self {
            version,
            title,
            source,
            about,
            look_for,
            claims,
            expects,
            settings,
            camera,
            opens,
            experiments,
            plots,
            ..
        } = self.clone();
        let Self { materials, bodies, patterns, parts, joints, .. } = other.clone();
        Self {
            version,
            title,
            source,
            about,
            look_for,
            claims,
            expects,
            settings,
            camera,
            opens,
            materials,
            bodies,
            patterns,
            parts,
            joints,
            experiments,
            plots,
        }
    }
}
