//! A running world follows an edit of the document: what the edit touches is laid out anew, and all else goes on.
//!
//! ```text
//! before, after -> Next: what is laid out, and what it was -> the beginning, and the running world
//! ```
//! An edit that changes bodies and joints in their places, as most do, lays out these alone, see [`in_place`]; another
//! one everything. Either way what is laid out is put into the beginning, and from there, with the present state of
//! whatever stays where it was, into the running world.

mod in_place;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use glam::{Quat, Vec3};

use super::SessionError;
use super::names::Names;
use super::open::OpenScene;
use super::run::line::RunMoment;
use crate::physics::body::{Body, BodyDef, Motion};
use crate::physics::joint::{Joint, JointDef};
use crate::physics::mouse_joint::MouseJoint;
use crate::physics::settings::Settings;
use crate::physics::world::{WORLD, World};
use crate::scene::{self, Scene};

/// Where bodies begin, by name.
type Poses = HashMap<Arc<str>, (Vec3, Quat)>;

/// What the world is to become.
pub(super) struct Next {
    laid: Laid,
    settings: Settings,
    bodies: Vec<BodyKin>,
    joints: Vec<JointKin>,
}

/// What is laid out anew.
enum Laid {
    /// Bodies and joints under the numbers that they have.
    InPlace { bodies: Vec<(u32, BodyDef)>, joints: Vec<(usize, JointDef)> },
    /// All.
    Whole { world: Arc<World>, names: Arc<Names> },
}

/// A body that is laid out, and what it was.
struct BodyKin {
    id: u32,
    was: Option<u32>,
    /// Whether it moves as it did, and begins where it began.
    stays: bool,
}

/// A joint that is laid out, and what it was.
struct JointKin {
    index: usize,
    was: Option<usize>,
    def: JointDef,
}

/// What edits start from: a world at step 0, and what it was made from.
struct Ground<'a> {
    beginning: &'a World,
    names: &'a Names,
    made_from: &'a Scene,
    base: &'a std::path::Path,
}

impl Ground<'_> {
    /// What the world is to become when the document goes from `before` to `after`.
    fn next(&self, before: &Scene, after: &Scene, settings: Settings) -> Result<Next, SessionError> {
        let known = self.made_from.makes_the_world_of(before);
        let touched = if known { in_place::touched(before, after, self) } else { None };
        touched.map_or_else(|| self.whole(before, after, settings), |touched| Ok(touched.next(self, settings)))
    }

    /// Where the bodies of a scene begin, without laying it out again if the world was made from it.
    fn poses(&self, scene: &Scene) -> Result<Poses, SessionError> {
        if self.made_from.makes_the_world_of(scene) {
            let poses = self.beginning.bodies[1..].iter().map(|b| (b.position, b.rotation));
            return Ok(self.names.bodies.iter().cloned().zip(poses).collect());
        }
        let flat = scene::expand(scene, self.base).map_err(SessionError::Mistakes)?;
        Ok(flat.bodies.iter().map(|b| (b.name.clone(), (b.def.position, b.def.rotation))).collect())
    }

    /// Everything is laid out, and what was there is known by its name.
    fn whole(&self, before: &Scene, after: &Scene, settings: Settings) -> Result<Next, SessionError> {
        let flat = scene::expand(after, self.base).map_err(SessionError::Mistakes)?;
        let poses = self.poses(before)?;
        let names = Names::of(&flat);
        let world = flat.world(settings);
        let (old, renamed) = (self.names, renamed(&self.names.bodies, &names.bodies));
        let kin = |id: u32, name: &Arc<str>, body: &Body| {
            let name = renamed.get(name).unwrap_or(name);
            let was = old.body(name);
            let begins = poses.get(name).is_some_and(|pose| *pose == (body.position, body.rotation));
            let stays = was.is_some_and(|was| begins && self.beginning.bodies[was as usize].motion == body.motion);
            BodyKin { id, was, stays }
        };
        let bodies = (1..).zip(names.bodies.iter().zip(&world.bodies[1..]));
        let bodies = bodies.map(|(id, (name, body))| kin(id, name, body)).collect();
        let renamed = self::renamed(&old.joints, &names.joints);
        let kin = |index: usize, name: &Arc<str>, joint: &Joint| {
            let was = old.joint(renamed.get(name).unwrap_or(name));
            JointKin { index, was, def: joint.def.clone() }
        };
        let joints = names.joints.iter().zip(&world.joints).enumerate();
        let joints = joints.map(|(index, (name, joint))| kin(index, name, joint)).collect();
        let laid = Laid::Whole { world: Arc::new(world), names: Arc::new(names) };
        Ok(Next { laid, settings, bodies, joints })
    }
}

impl OpenScene {
    fn ground(&self) -> Ground<'_> {
        let (beginning, names, made_from) = (self.run.beginning(), &self.names, &self.made_from);
        Ground { beginning, names, made_from, base: &self.document.base }
    }

    /// What the world is to become when the document goes from `before` to `after`.
    ///
    /// # Errors
    /// The new scene cannot be made.
    pub fn next(&self, before: &Scene, after: &Scene, settings: Settings) -> Result<Next, SessionError> {
        self.ground().next(before, after, settings)
    }

    /// What the world of another moment is to become; `None` if it would be torn, or cannot be made.
    pub fn next_from(&self, moment: &RunMoment, after: &Scene, settings: Settings) -> Option<Next> {
        let RunMoment { world, beginning, names, made_from, document } = moment;
        let there = Ground { beginning, names, made_from, base: &self.document.base };
        let next = there.next(document, after, settings).ok()?;
        (!next.tears(world, true)).then_some(next)
    }

    /// What the world becomes when everything is laid out again.
    ///
    /// # Errors
    /// The scene cannot be made.
    pub fn next_with_parts_anew(&self, settings: Settings) -> Result<Next, SessionError> {
        self.ground().whole(&self.document.scene, &self.document.scene, settings)
    }

    /// Starts over with what the world becomes.
    pub fn begin_with(&mut self, next: Next, after: &Arc<Scene>) {
        let mut beginning = self.run.beginning().clone();
        next.begin(&mut beginning);
        self.begin(World::clone(&beginning));
        self.is_made_as(next, after);
    }

    fn is_made_as(&mut self, next: Next, after: &Arc<Scene>) {
        self.made_from = after.clone();
        if let Laid::Whole { names, .. } = next.laid {
            self.names = names;
        }
    }

    /// Goes on with what the world becomes as the document comes to be `after`. What both have at the same pose goes on moving as it does; what the edit has put elsewhere is there, with the
    /// document's velocity; a new joint is at rest in the bodies' present poses. Returns the moment before, unless that
    /// is step 0; `joins` says that the edit goes on with the last one, before which the past ends.
    pub fn go_on(&mut self, next: Next, after: &Arc<Scene>, joins: bool) -> Option<Arc<RunMoment>> {
        let end = (!joins && self.run.world().step_count > 0).then(|| self.present());
        let numbers_stay = matches!(next.laid, Laid::InPlace { .. });
        let begin = |beginning: &mut Arc<World>| next.begin(beginning);
        let carry = |beginning: &World, world: &mut World| next.carry(beginning, world);
        let stretch = self.run.edit(end.is_some(), numbers_stay, begin, carry);
        match (stretch, &end) {
            (Some(stretch), Some(end)) => self.line.push(stretch, end.clone()),
            _ => self.line.begin(),
        }
        self.is_made_as(next, after);
        end
    }
}

impl Next {
    /// Whether something would stand where the document has it while the rest goes on from `old`, the state of a run: a
    /// body that is put elsewhere or that comes back by an undo (`undoes`), a joint between bodies that have moved on
    /// since it was made there.
    pub fn tears(&self, old: &World, undoes: bool) -> bool {
        if self.bodies.iter().any(|body| if body.was.is_some() { !body.stays } else { undoes }) {
            return true;
        }
        let ids = self.numbers(old);
        let goes_on = |id: u32| match &self.laid {
            Laid::InPlace { .. } => false,
            Laid::Whole { world, .. } => {
                let known = (id as usize).checked_sub(1).is_some_and(|i| self.bodies[i].was.is_some());
                known && world.bodies[id as usize].motion != Motion::Static
            }
        };
        self.joints.iter().any(|JointKin { was, def, .. }| match was {
            Some(was) => !same_ends(&old.joints[*was].def, def, &ids),
            None => goes_on(def.a) || goes_on(def.b),
        })
    }

    /// Old body numbers to new ones.
    fn numbers(&self, old: &World) -> Vec<Option<u32>> {
        if let Laid::InPlace { .. } = self.laid {
            return (0..old.bodies.len() as u32).map(Some).collect();
        }
        let mut ids: Vec<Option<u32>> = vec![None; old.bodies.len()];
        ids[WORLD as usize] = Some(WORLD);
        for BodyKin { id, was, .. } in &self.bodies {
            if let Some(was) = was {
                ids[*was as usize] = Some(*id);
            }
        }
        ids
    }

    /// Puts what is laid out into the world at step 0.
    fn begin(&self, beginning: &mut Arc<World>) {
        match &self.laid {
            Laid::Whole { world, .. } => beginning.clone_from(world),
            Laid::InPlace { bodies, joints } => {
                let world = Arc::make_mut(beginning);
                world.replace(bodies.clone(), joints.clone());
                world.settings = self.settings;
            }
        }
    }

    /// Puts what is laid out into a running world, with the present state of whatever stays.
    fn carry(&self, beginning: &World, world: &mut World) {
        world.settle();
        // A run that has not begun has no state to go on from.
        let begun = world.step_count > 0;
        let ids = self.numbers(world);
        let stay = self.bodies.iter().filter(|body| begun && body.stays);
        let bodies: Vec<_> = stay
            .filter_map(|body| {
                let was = body.was? as usize;
                Some((body.id, world.bodies[was].clone(), world.velocities[was]))
            })
            .collect();
        let was = |joint: &JointKin| joint.was.map(|was| world.joints[was].clone());
        let joints: Vec<_> = self.joints.iter().filter(|_| begun).map(|joint| (joint, was(joint))).collect();
        match &self.laid {
            Laid::InPlace { .. } => {
                let bodies: Vec<u32> = self.bodies.iter().map(|body| body.id).collect();
                let joints: Vec<usize> = self.joints.iter().map(|joint| joint.index).collect();
                world.adopt(beginning, &bodies, &joints);
            }
            Laid::Whole { .. } => {
                let old = std::mem::replace(world, beginning.clone());
                (world.time, world.step_count) = (old.time, old.step_count);
                world.mouse_joint = old
                    .mouse_joint
                    .and_then(|mouse_joint| Some(MouseJoint { body: ids[mouse_joint.body as usize]?, ..mouse_joint }));
            }
        }
        world.mouse_joint =
            world.mouse_joint.filter(|mouse_joint| world.bodies[mouse_joint.body as usize].is_dynamic());
        for (id, from, velocity) in &bodies {
            let to = &mut world.bodies[*id as usize];
            // The centre of mass may be elsewhere in a new shape; the shape's origin stays.
            to.rotation = from.rotation;
            to.position = from.shape_origin() + from.rotation * to.solid.centre;
            if to.solid.centre == from.solid.centre {
                to.position = from.position;
            }
            to.refresh_inertia();
            if to.is_dynamic() {
                world.velocities[*id as usize] = *velocity;
            }
        }
        for (JointKin { index, def, .. }, was) in joints {
            *world.joints[*index] = match was {
                Some(joint) if renumbered(&joint.def, &ids).as_ref() == Some(def) => {
                    Joint { def: def.clone(), ..(*joint).clone() }
                }
                // Other limits, another motor: its angle goes on counting from where it did, past a turn too.
                Some(joint) if same_ends(&joint.def, def, &ids) => {
                    // Each field by its name: whoever adds one has to say here whether it goes on.
                    let Joint { reference, rest_length, readout, def: _, impulses: _, course: _, broken: _ } = *joint;
                    Joint { reference, rest_length, readout, course: None, ..(*world.joints[*index]).clone() }
                }
                None => Joint::new(def.clone(), &world.bodies),
                _ => continue,
            };
        }
        if begun {
            world.refresh_joints();
        }
    }
}

/// Whether two joints are of one kind at the same places of the same bodies.
fn same_ends(old: &JointDef, new: &JointDef, ids: &[Option<u32>]) -> bool {
    let alike = renumbered(old, ids)
        .map(|old| JointDef { kind: new.kind, collide: new.collide, options: new.options.clone(), ..old } == *new);
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
    Some(JointDef { a: ids[def.a as usize]?, b: ids[def.b as usize]?, ..def.clone() })
}
