//! Document entries of the open scene's bodies and joints, including those made by a pattern or part.

use std::sync::Arc;

use super::{Session, document::edit::write_out};
use delassus_scene::{Body, Joint, Origin};

impl Session {
    /// The entry of a body. For a member of a pattern or part: the entry that writing it out would produce.
    pub fn body_entry(&self, name: &str) -> Option<Body> {
        let open = self.open.as_ref()?;
        if let Some(body) = open.document.scene.bodies.iter().find(|b| b.name == name) {
            return Some(body.clone());
        }
        Some(write_out::body(&open.names, open.run.beginning(), open.names.body(name)? as usize))
    }

    /// Like [`Self::body_entry`], by the body's number in the snapshot, without searching the scene.
    pub fn body_entry_of(&self, id: u32) -> Option<Body> {
        let open = self.open.as_ref()?;
        let name = open.names.bodies.get((id as usize).checked_sub(1)?)?;
        match self.body_origin(id)? {
            Origin::Body(index) if open.document.scene.bodies.get(index).is_some_and(|b| *b.name == **name) => {
                open.document.scene.bodies.get(index).cloned()
            }
            Origin::Pattern(_) | Origin::Part(_) if Arc::ptr_eq(&open.made_from, &open.document.scene) => {
                Some(write_out::body(&open.names, open.run.beginning(), id as usize))
            }
            // The document has changed since the world was made (a kept pose).
            _ => self.body_entry(name),
        }
    }

    /// The entry of a joint. For a member of a pattern or part: the entry that writing it out would produce.
    pub fn joint_entry(&self, name: &str) -> Option<Joint> {
        let open = self.open.as_ref()?;
        let index = open.names.joint(name)?;
        match open.names.joint_origins[index] {
            Origin::Joint(entry) => open.document.scene.joints.get(entry).cloned(),
            _ => Some(write_out::joint(&open.names, open.run.beginning(), index)),
        }
    }

    /// A joint, by its index in the snapshot, as an entry with its ends in its bodies' present shape frames.
    pub fn joint_on_bodies(&self, index: usize) -> Option<Joint> {
        let open = self.open.as_ref()?;
        (index < open.run.world().state.joints.len()).then(|| write_out::joint(&open.names, open.run.world(), index))
    }

    /// Bodies in their present poses and the joints between them, as entries to be added to a scene.
    pub fn copy(&self, bodies: &[u32]) -> (Vec<Body>, Vec<Joint>) {
        let Some(open) = &self.open else { return Default::default() };
        let world = open.run.synced();
        let known = |id: u32| id > 0 && (id as usize) < world.state.bodies.len();
        let ids: Vec<u32> = bodies.iter().copied().filter(|id| known(*id)).collect();
        let at_present = |id: &u32| {
            let body = &world.state.bodies[*id as usize];
            let mut entry = self.body_entry(&open.names.bodies[*id as usize - 1])?;
            (entry.at, entry.rotation) = (body.shape_origin(), body.rotation.into());
            Some(entry)
        };
        let inside = |id: u32| id == 0 || ids.contains(&id);
        let joints = (world.state.joints.iter().enumerate())
            .filter(|(_, j)| inside(j.def.a) && inside(j.def.b))
            .map(|(i, _)| Joint { name: String::new(), ..write_out::joint(&open.names, world, i) });
        (ids.iter().filter_map(at_present).collect(), joints.collect())
    }
}
