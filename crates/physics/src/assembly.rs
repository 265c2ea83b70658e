//! Building a world, and changing it between two steps: bodies and joints are added, replaced, adopted from another
//! world or moved.

use glam::{Quat, Vec3};

use super::body::{Body, BodyDef, Motion, Velocity};
use super::breaking;
use super::confine::Confined;
use super::force::BodyForces;
use super::joint::{Joint, JointDef};
use super::mover::Driven;
use super::rattle;
use super::reading;
use super::row::{RowList, SLOTS};
use super::threads;
use super::world::World;
use super::world::pipeline::Executor;
use super::world::state::State;

impl World {
    /// Adds a body and returns its index.
    pub fn add_body(&mut self, def: BodyDef) -> u32 {
        self.sync();
        let index = self.state.bodies.len() as u32;
        let velocity = self.register_motion(index, &def);
        self.state.velocities.push(velocity);
        self.state.bodies.push(Box::new(Body::new(def)));
        self.state.topology += 1;
        index
    }

    /// Registers the mover, the plane and the forces of the body with this index, and returns its initial velocity.
    fn register_motion(&mut self, index: u32, def: &BodyDef) -> Velocity {
        if let (Motion::Dynamic, Some(normal)) = (def.motion, def.plane) {
            let offset = normal.dot(def.position);
            let at = self.state.planes.partition_point(|other| other.body < index);
            self.state.planes.insert(at, Confined { body: index, normal, offset, impulse: 0.0 });
        }
        if !def.forces.is_empty() || def.drag.is_some() {
            let at = self.model.forces.partition_point(|other| other.body < index);
            let forces = def.forces.as_slice().into();
            self.model.forces.insert(at, BodyForces { body: index, forces, drag: def.drag.unwrap_or_default() });
        }
        match (def.motion, &def.mover) {
            (Motion::Static, _) => Velocity::default(),
            (Motion::Kinematic, Some(mover)) => {
                let at = self.model.movers.partition_point(|other| other.body < index);
                self.model.movers.insert(at, Driven { body: index, mover: mover.clone(), start: def.position });
                mover.velocity(def.position, def.position, 0.0, 1.0)
            }
            _ => Velocity { linear: def.velocity.into(), angular: def.angular_velocity.into() },
        }
    }

    /// Adds a joint between two bodies of this world and returns its index. At the bodies' present poses its value is zero
    /// unless its parameters say otherwise, and it has no impulses.
    ///
    /// # Panics
    /// If a body's index is out of range.
    pub fn add_joint(&mut self, def: JointDef) -> u32 {
        self.sync();
        let joint = self.joint(def);
        if breaking::excludes(&joint, &self.state.bodies) {
            self.state.contacts.exclude(breaking::pair(&joint));
        }
        self.state.joints.push(Box::new(joint));
        self.state.topology += 1;
        self.state.joints.len() as u32 - 1
    }

    /// Adds bodies and joints as if one by one, on as many threads as the settings say.
    ///
    /// # Panics
    /// If a joint's body is out of range.
    pub fn add<'a>(&mut self, bodies: &[&'a BodyDef], joints: &[&'a JointDef]) {
        self.sync();
        let threads = threads::count(self.settings.solver.threads);
        for def in bodies {
            let velocity = self.register_motion(self.state.velocities.len() as u32, def);
            self.state.velocities.push(velocity);
        }
        let new_bodies =
            threads::map_indices(threads, bodies.len(), || (), |(), i| Box::new(Body::new(bodies[i].clone())));
        self.state.bodies.extend(new_bodies);
        let (known, velocities) = (&self.state.bodies[..], &self.state.velocities[..]);
        let new_joints = threads::map_indices(threads, joints.len(), RowList::default, |list, i| {
            Box::new(at_rest(joints[i].clone(), known, velocities, list))
        });
        self.model.breakable |= joints.iter().any(|def| def.options.breaks.is_some());
        self.state.joints.extend(new_joints);
        self.state.topology += 1;
        breaking::exclude(&mut self.state);
    }

    /// Replaces the bodies and joints with these indices; the joints are at rest at their bodies' new poses. `bodies`
    /// is sorted by index, and the joints of every replaced body must be among `joints`.
    ///
    /// # Panics
    /// If an index is out of range.
    pub fn replace(&mut self, bodies: Vec<(u32, BodyDef)>, joints: Vec<(usize, JointDef)>) {
        self.sync();
        let replaced = |body: u32| bodies.binary_search_by_key(&body, |(index, _)| *index).is_ok();
        debug_assert!(bodies.is_sorted_by_key(|(index, _)| *index), "looked up by bisection");
        self.model.movers.retain(|driven| !replaced(driven.body));
        self.model.forces.retain(|own| !replaced(own.body));
        self.state.planes.retain(|confined| !replaced(confined.body));
        for (index, def) in bodies {
            self.state.velocities[index as usize] = self.register_motion(index, &def);
            rattle::reset_midpoint(&mut self.state, index);
            *self.state.bodies[index as usize] = Body::new(def);
            self.state.contacts.forget(index);
        }
        for (index, def) in joints {
            *self.state.joints[index] = self.joint(def);
        }
        self.model.breakable = self.state.joints.iter().any(|j| j.def.options.breaks.is_some());
        self.state.topology += 1;
        breaking::exclude(&mut self.state);
    }

    /// Copies the state of these bodies and joints from a world with the same indices. Both lists are sorted. Contacts, rows
    /// and estimates of the last step are discarded.
    ///
    /// # Panics
    /// If an index is out of range.
    pub fn adopt(&mut self, other: &Self, bodies: &[u32], joints: &[usize]) {
        if let Some(synced) = other.synced() {
            return self.adopt(&synced, bodies, joints);
        }
        self.sync();
        let adopted = |body: u32| bodies.binary_search(&body).is_ok();
        for &index in bodies {
            let index = index as usize;
            (self.state.bodies[index], self.state.velocities[index]) =
                (other.state.bodies[index].clone(), other.state.velocities[index]);
        }
        self.model.movers.retain(|driven| !adopted(driven.body));
        self.model.movers.extend(other.model.movers.iter().filter(|driven| adopted(driven.body)).cloned());
        self.model.movers.sort_by_key(|driven| driven.body);
        self.model.forces.retain(|own| !adopted(own.body));
        self.model.forces.extend(other.model.forces.iter().filter(|own| adopted(own.body)).cloned());
        self.model.forces.sort_by_key(|own| own.body);
        self.state.planes.retain(|confined| !adopted(confined.body));
        self.state.planes.extend(other.state.planes.iter().filter(|confined| adopted(confined.body)).cloned());
        self.state.planes.sort_by_key(|confined| confined.body);
        for &index in joints {
            self.state.joints[index] = other.state.joints[index].clone();
        }
        self.forget_steps();
    }

    /// Becomes a world with the same state that has made no step: contacts, rows, estimates and faults are discarded.
    fn forget_steps(&mut self) {
        let new = Self::new(self.settings);
        let Self { model, state, pipeline, .. } = std::mem::replace(self, new);
        let State { time, step_count, bodies, velocities, joints, mouse_joint, .. } = state;
        self.model.breakable = joints.iter().any(|joint| joint.def.options.breaks.is_some());
        (self.model.movers, self.model.forces, self.state.planes) = (model.movers, model.forces, state.planes);
        self.state =
            State { time, step_count, bodies, velocities, joints, mouse_joint, ..std::mem::take(&mut self.state) };
        let Executor { keep_rows, readouts, resident, batch_size, device, .. } = pipeline.executor;
        self.pipeline.executor = Executor { keep_rows, readouts, resident, batch_size, device, ..Executor::default() };
        breaking::exclude(&mut self.state);
    }

    /// A joint at rest at the present poses of its bodies.
    fn joint(&mut self, def: JointDef) -> Joint {
        self.model.breakable |= def.options.breaks.is_some();
        at_rest(def, &self.state.bodies, &self.state.velocities, &mut self.pipeline.buffers.list)
    }

    /// Reads all joints anew, as after bodies were moved by hand or joints were replaced. Forces are zero, because
    /// nothing has been solved at these poses.
    pub fn refresh_joints(&mut self) {
        self.sync();
        breaking::exclude(&mut self.state);
        self.state.joints.iter_mut().for_each(|joint| joint.motor_target = None);
        let Self { state, system, report, pipeline, .. } = self;
        reading::joints(state, system, report, &mut pipeline.buffers.list, None);
    }

    /// Moves a body at once to another pose: centre of mass, m, and orientation, world frame. The impulses of its
    /// joints and contacts belong to the old pose and are discarded.
    ///
    /// # Panics
    /// If the body's index is out of range.
    pub fn place(&mut self, body: u32, position: Vec3, rotation: Quat) {
        self.sync();
        let moved = &mut self.state.bodies[body as usize];
        (moved.position, moved.rotation) = (position, rotation.normalize());
        moved.refresh_inertia();
        for joint in self.state.joints.iter_mut().filter(|j| j.def.a == body || j.def.b == body) {
            joint.impulses = [0.0; SLOTS];
            joint.motor_target = None;
        }
        self.state.contacts.forget(body);
    }
}

/// A joint at rest at the present poses of its bodies.
fn at_rest(def: JointDef, bodies: &[Box<Body>], velocities: &[Velocity], list: &mut RowList) -> Joint {
    let mut joint = Joint::new(def, bodies);
    joint.rows(&joint.frames(bodies), list);
    joint.read(bodies, velocities, &list.rows, (&[], &[]), 1.0);
    joint
}
