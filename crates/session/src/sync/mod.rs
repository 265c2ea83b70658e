//! Applies an edit of the document to the running world: what the edit changes is laid out again, and everything else
//! keeps moving.
//!
//! ```text
//! before, after -> EditedWorld: what is laid out, and its old counterparts -> the world at step 0, and the running one
//! ```
//! An edit that changes bodies and joints in place, as most do, lays out only these, see [`in_place`]; any other edit
//! lays out the whole scene. The result goes into the world at step 0, and from there into the running world, with
//! the present state of every body that was not moved by the edit.

mod in_place;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use glam::{Quat, Vec3};

use super::SessionError;
use super::names::Names;
use super::open::OpenScene;
use super::run::line::RunMoment;
use delassus_physics::body::{Body, BodyDef, Motion};
use delassus_physics::joint::{Joint, JointDef};
use delassus_physics::mouse_joint::MouseJoint;
use delassus_physics::settings::Settings;
use delassus_physics::world::{WORLD, World};
use delassus_scene::{self as scene, Scene};

/// Initial poses of bodies, by name.
type Poses = HashMap<Arc<str>, (Vec3, Quat)>;

/// A world after an edit.
pub(super) struct EditedWorld {
    laid_out: LaidOut,
    settings: Settings,
    bodies: Vec<BodyMatch>,
    joints: Vec<JointMatch>,
}

/// What was laid out.
enum LaidOut {
    /// Changed bodies and joints, by their unchanged indices.
    InPlace { bodies: Vec<(u32, BodyDef)>, joints: Vec<(usize, JointDef)> },
    /// Everything.
    Whole { world: Arc<World>, names: Arc<Names> },
}

/// A body that was laid out, and its id in the old world.
struct BodyMatch {
    id: u32,
    old_id: Option<u32>,
    /// Whether the edit leaves its initial pose and kind of motion, so that it keeps its present state.
    keeps_state: bool,
}

/// A joint that was laid out, and its index in the old world.
struct JointMatch {
    index: usize,
    old_index: Option<usize>,
    def: JointDef,
}

/// The starting point of an edit: a world at step 0, and the scene that it was made from.
struct EditStart<'a> {
    beginning: &'a World,
    names: &'a Names,
    made_from: &'a Scene,
    base: &'a std::path::Path,
}

impl EditStart<'_> {
    /// The world after the document changes from `before` to `after`.
    fn next(&self, before: &Scene, after: &Scene, settings: Settings) -> Result<EditedWorld, SessionError> {
        let known = self.made_from.makes_the_world_of(before);
        let touched = if known { in_place::touched(before, after, self) } else { None };
        touched.map_or_else(|| self.lay_out_all(before, after, settings), |touched| Ok(touched.next(self, settings)))
    }

    /// Initial poses of a scene's bodies; laid out again only if the world was not made from this scene.
    fn poses(&self, scene: &Scene) -> Result<Poses, SessionError> {
        if self.made_from.makes_the_world_of(scene) {
            let poses = self.beginning.state.bodies[1..].iter().map(|b| (b.position, b.rotation));
            return Ok(self.names.bodies.iter().cloned().zip(poses).collect());
        }
        let flat = scene::expand(scene, self.base).map_err(SessionError::Mistakes)?;
        Ok(flat.bodies.iter().map(|b| (b.name.clone(), (b.def.position, b.def.rotation))).collect())
    }

    /// Lays out the whole scene; bodies and joints are matched with the old ones by name.
    fn lay_out_all(&self, before: &Scene, after: &Scene, settings: Settings) -> Result<EditedWorld, SessionError> {
        let flat = scene::expand(after, self.base).map_err(|mistakes| SessionError::by_name(mistakes, after))?;
        let poses = self.poses(before)?;
        let names = Names::of(&flat);
        let world = flat.world(settings);
        let (old, renamed) = (self.names, renamed(&self.names.bodies, &names.bodies));
        let matched = |id: u32, name: &Arc<str>, body: &Body| {
            let name = renamed.get(name).unwrap_or(name);
            let old_id = old.body(name);
            let same_pose = poses.get(name).is_some_and(|pose| *pose == (body.position, body.rotation));
            let same_motion = |id: u32| self.beginning.state.bodies[id as usize].motion == body.motion;
            BodyMatch { id, old_id, keeps_state: same_pose && old_id.is_some_and(same_motion) }
        };
        let bodies = (1..).zip(names.bodies.iter().zip(&world.state.bodies[1..]));
        let bodies = bodies.map(|(id, (name, body))| matched(id, name, body)).collect();
        let renamed = self::renamed(&old.joints, &names.joints);
        let matched = |index: usize, name: &Arc<str>, joint: &Joint| {
            let old_index = old.joint(renamed.get(name).unwrap_or(name));
            JointMatch { index, old_index, def: joint.def.clone() }
        };
        let joints = names.joints.iter().zip(&world.state.joints).enumerate();
        let joints = joints.map(|(index, (name, joint))| matched(index, name, joint)).collect();
        let laid_out = LaidOut::Whole { world: Arc::new(world), names: Arc::new(names) };
        Ok(EditedWorld { laid_out, settings, bodies, joints })
    }
}

impl OpenScene {
    fn edit_start(&self) -> EditStart<'_> {
        let (beginning, names, made_from) = (self.run.beginning(), &self.names, &self.made_from);
        EditStart { beginning, names, made_from, base: &self.document.base }
    }

    /// The world after the document changes from `before` to `after`.
    ///
    /// # Errors
    /// Mistakes in the new scene.
    pub fn next(&self, before: &Scene, after: &Scene, settings: Settings) -> Result<EditedWorld, SessionError> {
        self.edit_start().next(before, after, settings)
    }

    /// The world after an edit of another moment's document; `None` if the edit would tear that state or has
    /// mistakes.
    pub fn next_from(&self, moment: &RunMoment, after: &Scene, settings: Settings) -> Option<EditedWorld> {
        let RunMoment { world, beginning, names, made_from, document } = moment;
        let start = EditStart { beginning, names, made_from, base: &self.document.base };
        let next = start.next(document, after, settings).ok()?;
        (!next.breaks_state(world, true)).then_some(next)
    }

    /// The world after laying out everything again, with parts reloaded.
    ///
    /// # Errors
    /// Mistakes in the scene.
    pub fn next_with_parts_anew(&self, settings: Settings) -> Result<EditedWorld, SessionError> {
        self.edit_start().lay_out_all(&self.document.scene, &self.document.scene, settings)
    }

    /// Restarts the run with an edited world, at step 0.
    pub fn begin_with(&mut self, next: EditedWorld, after: &Arc<Scene>) {
        let mut beginning = self.run.beginning().clone();
        next.apply_to_start(&mut beginning);
        self.start_run(World::clone(&beginning));
        self.is_made_as(next, after);
    }

    fn is_made_as(&mut self, next: EditedWorld, after: &Arc<Scene>) {
        self.made_from = after.clone();
        if let LaidOut::Whole { names, .. } = next.laid_out {
            self.names = names;
        }
    }

    /// Continues the run with an edited world; `after` is the new document. A body with an unchanged initial pose
    /// keeps its present state. A body that the edit moved starts from its new pose with the document's velocity. A
    /// new joint is at rest in the present poses of its bodies. Returns the moment before the edit, unless it is at
    /// step 0. If `joins`, the edit continues the previous one and no new chapter begins.
    pub fn go_on(&mut self, next: EditedWorld, after: &Arc<Scene>, joins: bool) -> Option<Arc<RunMoment>> {
        let end = (!joins && self.run.world().state.step_count > 0).then(|| self.present());
        let numbers_stay = matches!(next.laid_out, LaidOut::InPlace { .. });
        let begin = |beginning: &mut Arc<World>| next.apply_to_start(beginning);
        let carry = |beginning: &World, world: &mut World| next.carry(beginning, world);
        let stretch = self.run.edit(end.is_some(), numbers_stay, begin, carry);
        match (stretch, &end) {
            (Some(stretch), Some(end)) => self.line.push(stretch, end.clone()),
            _ => self.line.start_stretch(),
        }
        self.is_made_as(next, after);
        end
    }
}

impl EditedWorld {
    /// Whether continuing from `old`, a state of the run, would put something in an inconsistent place: a body that
    /// the edit moves or that an undo (`undoes`) brings back, or a joint between bodies that have moved since it was
    /// made.
    pub fn breaks_state(&self, old: &World, undoes: bool) -> bool {
        if self.bodies.iter().any(|body| if body.old_id.is_some() { !body.keeps_state } else { undoes }) {
            return true;
        }
        let ids = self.numbers(old);
        let goes_on = |id: u32| match &self.laid_out {
            LaidOut::InPlace { .. } => false,
            LaidOut::Whole { world, .. } => {
                let known = (id as usize).checked_sub(1).is_some_and(|i| self.bodies[i].old_id.is_some());
                known && world.state.bodies[id as usize].motion != Motion::Static
            }
        };
        self.joints.iter().any(|JointMatch { old_index, def, .. }| match old_index {
            Some(index) => !same_ends(&old.state.joints[*index].def, def, &ids),
            None => goes_on(def.a) || goes_on(def.b),
        })
    }

    /// New number of each old body; `None` if it was removed.
    fn numbers(&self, old: &World) -> Vec<Option<u32>> {
        if let LaidOut::InPlace { .. } = self.laid_out {
            return (0..old.state.bodies.len() as u32).map(Some).collect();
        }
        let mut ids: Vec<Option<u32>> = vec![None; old.state.bodies.len()];
        ids[WORLD as usize] = Some(WORLD);
        for BodyMatch { id, old_id, .. } in &self.bodies {
            if let Some(old_id) = old_id {
                ids[*old_id as usize] = Some(*id);
            }
        }
        ids
    }

    /// Puts what was laid out into the world at step 0.
    fn apply_to_start(&self, beginning: &mut Arc<World>) {
        match &self.laid_out {
            LaidOut::Whole { world, .. } => beginning.clone_from(world),
            LaidOut::InPlace { bodies, joints } => {
                let world = Arc::make_mut(beginning);
                world.replace(bodies.clone(), joints.clone());
                world.settings = self.settings;
            }
        }
    }

    /// Puts what was laid out into a running world, with the present state of every body that keeps it.
    fn carry(&self, beginning: &World, world: &mut World) {
        world.sync();
        // At step 0 there is no state to carry over.
        let begun = world.state.step_count > 0;
        let ids = self.numbers(world);
        let keeping = self.bodies.iter().filter(|body| begun && body.keeps_state);
        let bodies: Vec<_> = keeping
            .filter_map(|body| {
                let old_id = body.old_id? as usize;
                Some((body.id, world.state.bodies[old_id].clone(), world.state.velocities[old_id]))
            })
            .collect();
        let old_joint = |joint: &JointMatch| joint.old_index.map(|index| world.state.joints[index].clone());
        let joints: Vec<_> = self.joints.iter().filter(|_| begun).map(|joint| (joint, old_joint(joint))).collect();
        match &self.laid_out {
            LaidOut::InPlace { .. } => {
                let bodies: Vec<u32> = self.bodies.iter().map(|body| body.id).collect();
                let joints: Vec<usize> = self.joints.iter().map(|joint| joint.index).collect();
                world.adopt(beginning, &bodies, &joints);
            }
            LaidOut::Whole { .. } => {
                let old = std::mem::replace(world, beginning.clone());
                (world.state.time, world.state.step_count) = (old.state.time, old.state.step_count);
                world.state.mouse_joint = old
                    .state
                    .mouse_joint
                    .and_then(|mouse_joint| Some(MouseJoint { body: ids[mouse_joint.body as usize]?, ..mouse_joint }));
            }
        }
        world.state.mouse_joint =
            world.state.mouse_joint.filter(|mouse_joint| world.state.bodies[mouse_joint.body as usize].is_dynamic());
        for (id, from, velocity) in &bodies {
            let to = &mut world.state.bodies[*id as usize];
            // The new shape may have another centre of mass; the shape's origin stays in place.
            to.rotation = from.rotation;
            to.position = from.shape_origin() + from.rotation * to.solid.centre;
            if to.solid.centre == from.solid.centre {
                to.position = from.position;
            }
            to.refresh_inertia();
            if to.is_dynamic() {
                world.state.velocities[*id as usize] = *velocity;
            }
        }
        for (JointMatch { index, def, .. }, old_joint) in joints {
            *world.state.joints[*index] = match old_joint {
                Some(joint) if renumbered(&joint.def, &ids).as_ref() == Some(def) => {
                    Joint { def: def.clone(), ..(*joint).clone() }
                }
                // The same joint with changed limits or motor: its angle keeps counting from the old reference, also
                // beyond one turn.
                Some(joint) if same_ends(&joint.def, def, &ids) => {
                    // Fields are listed by name so that a new field must be handled here.
                    let Joint {
                        reference,
                        rest_length,
                        made_gap,
                        readout,
                        def: _,
                        impulses: _,
                        motor_target: _,
                        taut: _,
                        tension: _,
                        broken: _,
                    } = *joint;
                    Joint {
                        reference,
                        rest_length,
                        made_gap,
                        readout,
                        motor_target: None,
                        taut: 0,
                        tension: Vec3::ZERO,
                        ..(*world.state.joints[*index]).clone()
                    }
                }
                None => Joint::new(def.clone(), &world.state.bodies),
                _ => continue,
            };
        }
        if begun {
            world.refresh_joints();
        }
    }
}

/// Whether two joints have the same kind, bodies, anchors and axes.
fn same_ends(old: &JointDef, new: &JointDef, ids: &[Option<u32>]) -> bool {
    let alike = renumbered(old, ids)
        .map(|old| JointDef { kind: new.kind, collide: new.collide, options: new.options.clone(), ..old } == *new);
    alike == Some(true) && old.kind.info().name == new.kind.info().name
}

/// Maps new names to old ones for renamed elements: at equal list lengths, the elements with the same index whose old
/// name is no longer used and whose new name was not used before.
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

/// A joint's definition with the new numbers of its bodies, if both still exist.
fn renumbered(def: &JointDef, ids: &[Option<u32>]) -> Option<JointDef> {
    Some(JointDef { a: ids[def.a as usize]?, b: ids[def.b as usize]?, ..def.clone() })
}
