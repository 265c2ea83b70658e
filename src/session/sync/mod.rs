//! A running world follows an edit of the document: its beginning is made from the new scene, wholly or, see
//! [`in_place`], only where they differ, then given the present state of whatever the edit has not touched.

mod in_place;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use glam::{Quat, Vec3};

use super::SessionError;
use super::names::Names;
use super::open::Open;
use super::run::Run;
use super::run::past::{Chapter, Moment, Past};
use crate::physics::body::{Body, Motion};
use crate::physics::joint::{Joint, JointDef};
use crate::physics::pull::Pull;
use crate::physics::settings::Settings;
use crate::physics::world::{WORLD, World};
use crate::scene::{self, Scene};
use in_place::retouched;

/// Where bodies begin, by name.
type Poses = HashMap<Arc<str>, (Vec3, Quat)>;

/// What the world is to become.
pub(in crate::session) struct Next {
    /// `None` where they are as they were.
    names: Option<Names>,
    pub beginning: World,
    kin: Kin,
}

/// What the bodies and joints of the new world were in the old one.
struct Kin {
    /// The old number of each body but the world itself, and whether it begins where it began.
    bodies: Vec<Option<(usize, bool)>>,
    /// The old index of each joint.
    joints: Vec<Option<usize>>,
}

impl Open {
    /// Where the bodies of a scene begin, without laying it out again if the world was made from it.
    fn poses(&self, scene: &Arc<Scene>) -> Result<Poses, SessionError> {
        let of = |names: &Names, world: &World| {
            let poses = world.bodies[1..].iter().map(|b| (b.position, b.rotation));
            names.bodies.iter().cloned().zip(poses).collect()
        };
        if self.is_made_from(scene) {
            return Ok(of(&self.names, self.run.beginning()));
        }
        let flat = scene::expand(scene, &self.document.base).map_err(SessionError::Mistakes)?;
        Ok(flat.bodies.iter().map(|b| (Arc::from(b.name.as_str()), (b.def.position, b.def.rotation))).collect())
    }

    /// What the world is to become when the document goes from `before` to `after`.
    ///
    /// # Errors
    /// The new scene cannot be made.
    pub fn next(&self, before: &Arc<Scene>, after: &Arc<Scene>, settings: Settings) -> Result<Next, SessionError> {
        match self.touched_up(before, after, settings) {
            Some(next) => Ok(next),
            None => self.made_anew(before, after, settings),
        }
    }

    /// What the world of another moment is to become; `None` if it would be torn, or cannot be made.
    pub fn next_from(&self, moment: &Moment, after: &Arc<Scene>, settings: Settings) -> Option<Next> {
        let there = Self {
            document: self.document.clone(),
            run: Run::new(World::clone(&moment.beginning)),
            names: moment.names.clone(),
            made_from: moment.made_from.clone(),
            past: Past::default(),
        };
        let next = there.next(&moment.document, after, settings).ok()?;
        (!next.tears(&moment.world, true)).then_some(next)
    }

    /// Starts over with what the world becomes.
    pub fn begin_with(&mut self, next: Next, after: &Arc<Scene>) {
        self.begin(next.beginning);
        self.made_from = after.clone();
        if let Some(names) = next.names {
            self.names = Arc::new(names);
        }
    }

    /// Makes the world follow the document from `before` to `after`, of which `version` is the former. What both have at
    /// the same pose goes on moving as it does; what the edit has put elsewhere is there, with the document's velocity; a
    /// new joint is at rest in the bodies' present poses. Returns the moment before, unless that is step 0; `joins` says
    /// that the edit goes on with the last one, before which the past ends.
    ///
    /// # Errors
    /// The new scene cannot be made; nothing has changed.
    pub fn follow(
        &mut self,
        (before, version): (&Arc<Scene>, u64),
        after: &Arc<Scene>,
        settings: Settings,
        joins: bool,
    ) -> Result<Option<Arc<Moment>>, SessionError> {
        let next = self.next(before, after, settings)?;
        Ok(self.go_on(next, after, version, joins))
    }

    /// Makes the world follow the files of the scene's parts, which have changed; the rest goes on as it does. What was
    /// before is of other files and is forgotten.
    ///
    /// # Errors
    /// The scene cannot be made with them; nothing has changed.
    pub fn read_parts(&mut self, settings: Settings) -> Result<(), SessionError> {
        let scene = self.document.scene.clone();
        let next = self.made_anew(&scene, &scene, settings)?;
        self.go_on(next, &scene, 0, true);
        self.past.clear();
        Ok(())
    }

    /// Goes on with what the world becomes, see `Open::follow`.
    pub fn go_on(&mut self, next: Next, after: &Arc<Scene>, version: u64, joins: bool) -> Option<Arc<Moment>> {
        let world = grown(&next, &self.run.world);
        let (made_from, names) = (self.made_from.clone(), self.names.clone());
        let (beginning, document) = (self.run.beginning().clone(), self.document.scene.clone());
        let (stretch, world) = self.run.continue_with(Arc::new(next.beginning), world);
        self.made_from = after.clone();
        if let Some(names) = next.names {
            self.names = Arc::new(names);
        }
        if joins || world.step_count == 0 {
            return None;
        }
        let end = Arc::new(Moment { world: Arc::new(world), beginning, names, made_from, document });
        self.past.push(Chapter { stretch, end: end.clone(), version });
        Some(end)
    }

    /// The narrow way, see [`in_place`], if it leads there.
    fn touched_up(&self, before: &Arc<Scene>, after: &Scene, settings: Settings) -> Option<Next> {
        let old = self.run.beginning();
        let known = self.is_made_from(before);
        let mut beginning = known.then(|| retouched(before, after, &self.document.base, &self.names, old))??;
        beginning.settings = settings;
        let begins_there = |id: usize| {
            let (new, old) = (&beginning.bodies[id], &old.bodies[id]);
            (new.position, new.rotation) == (old.position, old.rotation)
        };
        let bodies = (1..beginning.bodies.len()).map(|id| Some((id, begins_there(id)))).collect();
        let joints = (0..beginning.joints.len()).map(Some).collect();
        Some(Next { names: None, beginning, kin: Kin { bodies, joints } })
    }

    /// The whole way: everything is laid out again, and what was there is known by its name.
    fn made_anew(&self, before: &Arc<Scene>, after: &Scene, settings: Settings) -> Result<Next, SessionError> {
        let flat = scene::expand(after, &self.document.base).map_err(SessionError::Mistakes)?;
        let poses = self.poses(before)?;
        let names = Names::of(&flat);
        let beginning = flat.world(settings);
        let numbers = |names: &[Arc<str>]| names.iter().cloned().zip(0..).collect::<HashMap<_, usize>>();
        let (old_bodies, old_joints) = (numbers(&self.names.bodies), numbers(&self.names.joints));
        let was = renamed(&self.names.bodies, &names.bodies);
        let body = |(name, body): (&Arc<str>, &Body)| {
            let name = was.get(name).unwrap_or(name);
            let begins = (body.position, body.rotation);
            Some((old_bodies.get(name)? + 1, poses.get(name).is_some_and(|pose| *pose == begins)))
        };
        let bodies = names.bodies.iter().zip(&beginning.bodies[1..]).map(body).collect();
        let was = renamed(&self.names.joints, &names.joints);
        let joint = |name| old_joints.get(was.get(name).unwrap_or(name)).copied();
        let joints = names.joints.iter().map(joint).collect();
        Ok(Next { names: Some(names), beginning, kin: Kin { bodies, joints } })
    }
}

impl Next {
    /// Whether something would stand where the document has it while the rest goes on from `old`, the state of a run: a
    /// body that is put elsewhere or that comes back by an undo (`undoes`), a joint between bodies that have moved on
    /// since it was made there.
    pub fn tears(&self, old: &World, undoes: bool) -> bool {
        let Kin { bodies, joints } = &self.kin;
        let body = |(id, kin): (usize, &Option<(usize, bool)>)| match kin {
            Some((old_id, stays)) => !stays || self.beginning.bodies[id].motion != old.bodies[*old_id].motion,
            None => undoes,
        };
        if (1..).zip(bodies).any(body) {
            return true;
        }
        let ids = self.numbers(old);
        let goes_on = |id: u32| {
            let known = (id as usize).checked_sub(1).is_some_and(|i| bodies[i].is_some());
            known && self.beginning.bodies[id as usize].motion != Motion::Static
        };
        (self.beginning.joints.iter().zip(joints)).any(|(joint, kin)| match kin {
            Some(was) => !same_ends(&old.joints[*was].def, &joint.def, &ids),
            None => goes_on(joint.def.a) || goes_on(joint.def.b),
        })
    }

    /// Old body numbers to new ones.
    fn numbers(&self, old: &World) -> Vec<Option<u32>> {
        let mut ids: Vec<Option<u32>> = vec![None; old.bodies.len()];
        ids[WORLD as usize] = Some(WORLD);
        for (id, was) in (1..).zip(&self.kin.bodies) {
            if let Some((old_id, _)) = was {
                ids[*old_id] = Some(id);
            }
        }
        ids
    }
}

/// The new world with the state of whatever the edit has not touched.
fn grown(next: &Next, old: &World) -> World {
    let Next { beginning, kin, .. } = next;
    let mut world = beginning.clone();
    let ids = next.numbers(old);
    // A run that has not begun has no state to go on from.
    let begun = old.step_count > 0;
    for (id, was) in (1..).zip(&kin.bodies).filter(|_| begun) {
        let Some((old_id, same_place)) = *was else { continue };
        if same_place && world.bodies[id].motion == old.bodies[old_id].motion {
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
    for (i, was) in kin.joints.iter().enumerate().filter(|_| begun) {
        let def = world.joints[i].def;
        world.joints[i] = match was.map(|was| &old.joints[was]) {
            Some(joint) if renumbered(&joint.def, &ids) == Some(def) => Joint { def, ..joint.clone() },
            // Other limits, another motor: its angle goes on counting from where it did, past a turn too.
            Some(joint) if same_ends(&joint.def, &def, &ids) => {
                let (reference, rest_length, readout) = (joint.reference, joint.rest_length, joint.readout);
                Joint { reference, rest_length, readout, course: None, ..world.joints[i].clone() }
            }
            None => Joint::new(def, &world.bodies),
            _ => continue,
        };
    }
    (world.time, world.step_count) = (old.time, old.step_count);
    let held = old.pull.and_then(|pull| Some(Pull { body: ids[pull.body as usize]?, ..pull }));
    world.pull = held.filter(|pull| world.bodies[pull.body as usize].is_dynamic());
    world.refresh_joints();
    world
}

/// Whether two joints are of one kind at the same places of the same bodies.
fn same_ends(old: &JointDef, new: &JointDef, ids: &[Option<u32>]) -> bool {
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
fn renumbered(def: &JointDef, ids: &[Option<u32>]) -> Option<JointDef> {
    Some(JointDef { a: ids[def.a as usize]?, b: ids[def.b as usize]?, ..*def })
}
