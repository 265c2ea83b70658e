//! A running world follows an edit of the document: made anew from it, then given back the state of whatever the
//! edit has not touched.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use glam::{Quat, Vec3};

use super::SessionError;
use super::open::Open;
use super::view::Names;
use crate::physics::joint::{Joint, JointDef};
use crate::physics::settings::Settings;
use crate::physics::world::World;
use crate::scene::{self, Scene};

/// Where bodies begin, by name.
type Poses = HashMap<Arc<str>, (Vec3, Quat)>;

impl Open {
    /// Where the bodies of a scene begin, without laying it out again if the world was made from it.
    fn poses(&self, scene: &Scene) -> Result<Poses, SessionError> {
        let of = |names: &Names, world: &World| {
            let poses = world.bodies[1..].iter().map(|b| (b.position, b.rotation));
            names.bodies.iter().cloned().zip(poses).collect()
        };
        if super::open::same_bodies(&self.made_from, scene) {
            return Ok(of(&self.names, self.run.beginning()));
        }
        let flat = scene::expand(scene, &self.document.base).map_err(SessionError::Mistakes)?;
        Ok(flat.bodies.iter().map(|b| (Arc::from(b.name.as_str()), (b.def.position, b.def.rotation))).collect())
    }

    /// Makes the world follow the document from `before` to `after`. What both have at the same pose goes on moving as
    /// it does; what the edit has put elsewhere is there, with the document's velocity; a new joint is at rest in the
    /// bodies' present poses.
    ///
    /// # Errors
    /// The new scene cannot be made; nothing has changed.
    pub fn follow(&mut self, before: &Scene, after: &Arc<Scene>, settings: Settings) -> Result<(), SessionError> {
        let flat = scene::expand(after, &self.document.base).map_err(SessionError::Mistakes)?;
        let poses = self.poses(before)?;
        let names = Names::of(&flat);
        let beginning = flat.world(settings);
        let mut world = beginning.clone();
        let old = &self.run.world;
        let old_ids: HashMap<&str, usize> = self.names.bodies.iter().enumerate().map(|(i, n)| (&**n, i + 1)).collect();
        let same_place = |id: usize, name: &str| {
            let begins = (beginning.bodies[id].position, beginning.bodies[id].rotation);
            poses.get(name).is_some_and(|pose| *pose == begins)
        };
        let was = renamed(&self.names.bodies, &names.bodies);
        let old_name = |name: &Arc<str>| was.get(name).unwrap_or(name).clone();
        // Old body numbers to new ones.
        let mut ids: HashMap<u32, u32> = HashMap::from([(0, 0)]);
        for (i, name) in names.bodies.iter().enumerate() {
            let before = old_name(name);
            let (id, Some(&old_id)) = (i + 1, old_ids.get(&*before)) else { continue };
            ids.insert(old_id as u32, id as u32);
            if same_place(id, &before) && world.bodies[id].motion == old.bodies[old_id].motion {
                // The centre of mass may be elsewhere in a new shape; the shape's origin stays.
                let (from, to) = (&old.bodies[old_id], &mut world.bodies[id]);
                to.rotation = from.rotation;
                to.position = from.shape_origin() + from.rotation * to.solid.centre;
                if to.solid.centre == from.solid.centre {
                    to.position = from.position;
                }
                to.refresh_inertia();
                world.velocities[id] = if to.is_dynamic() { old.velocities[old_id] } else { world.velocities[id] };
            }
        }
        let old_joints: HashMap<&str, &Joint> = self.names.joints.iter().map(|n| &**n).zip(old.joints.iter()).collect();
        let was = renamed(&self.names.joints, &names.joints);
        for (i, name) in names.joints.iter().enumerate() {
            let name = was.get(name).unwrap_or(name);
            let def = world.joints[i].def;
            let kept = old_joints.get(&**name).filter(|joint| renumbered(&joint.def, &ids) == Some(def));
            world.joints[i] = match kept {
                Some(joint) => Joint { def, ..(*joint).clone() },
                // Other limits, another motor: its angle goes on counting from where it did, past a turn too.
                None if old_joints.get(&**name).is_some_and(|joint| same_ends(&joint.def, &def, &ids)) => {
                    let made = &world.joints[i];
                    let joint = old_joints[&**name];
                    let (reference, rest_length, readout) = (joint.reference, joint.rest_length, joint.readout);
                    Joint { reference, rest_length, readout, ..made.clone() }
                }
                None if old.step_count > 0 && !old_joints.contains_key(&**name) => Joint::new(def, &world.bodies),
                None => continue,
            };
        }
        (world.time, world.step_count) = (old.time, old.step_count);
        let held = old.pull.and_then(|pull| Some(crate::physics::pull::Pull { body: *ids.get(&pull.body)?, ..pull }));
        world.pull = held.filter(|pull| world.bodies[pull.body as usize].is_dynamic());
        world.refresh_joints();
        self.run.continue_with(beginning, world);
        self.names = names;
        self.made_from = after.clone();
        Ok(())
    }
}

/// Whether two joints are of one kind at the same places of the same bodies.
fn same_ends(old: &JointDef, new: &JointDef, ids: &HashMap<u32, u32>) -> bool {
    let alike = renumbered(old, ids)
        .map(|old| JointDef { kind: new.kind, collide: new.collide, options: new.options, ..old } == *new);
    alike == Some(true) && old.kind.info().name == new.kind.info().name
}

/// New names to the old ones of what is the same under another name: where the two lists are as long, and neither knows
/// the name that the other has in that place.
fn renamed(old: &[Arc<str>], new: &[Arc<str>]) -> HashMap<Arc<str>, Arc<str>> {
    if old.len() != new.len() {
        return HashMap::new();
    }
    let differ: Vec<_> = old.iter().zip(new).filter(|(a, b)| a != b).collect();
    let before: HashSet<&Arc<str>> = differ.iter().map(|(a, _)| *a).collect();
    let after: HashSet<&Arc<str>> = differ.iter().map(|(_, b)| *b).collect();
    let unknown = differ.iter().filter(|(a, b)| !after.contains(*a) && !before.contains(*b));
    unknown.map(|(a, b)| ((*b).clone(), (*a).clone())).collect()
}

/// A joint's definition with the new numbers of its bodies, if both are still there.
fn renumbered(def: &JointDef, ids: &HashMap<u32, u32>) -> Option<JointDef> {
    Some(JointDef { a: *ids.get(&def.a)?, b: *ids.get(&def.b)?, ..*def })
}
