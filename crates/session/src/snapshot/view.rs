//! Fills a [`Snapshot`] from a run.

use std::sync::Arc;

use glam::{Mat3, Quat, Vec3};

use super::needs::{JointNeeds, SnapshotNeeds};
use super::{BodyEnds, BodyView, ForceView, JointView, MouseJointView, Pose, Snapshot};
use crate::names::Names;
use crate::run::Run;
use crate::run::trouble::{self, Trouble};
use delassus_physics::body::{Body, Motion};
use delassus_physics::graph::DisjointSets;
use delassus_physics::joint::JointDef;
use delassus_physics::metrics::Metrics;
use delassus_physics::mouse_joint::MouseJoint;
use delassus_physics::row::RowList;
use delassus_physics::shape::Solid;
use delassus_physics::world::World;
use delassus_physics::{breaking, threads};

/// Bodies or joints per work item of a thread.
const PIECE: usize = 2048;

/// Pose of a shape's origin, from that of the centre of mass.
fn pose(position: Vec3, rotation: Quat, solid: &Solid) -> Pose {
    Pose { position: position - rotation * solid.centre, rotation }
}

/// The inertia of a body that impulses turn, body axes, kg m².
fn inertia(body: &Body) -> Mat3 {
    if body.inv_inertia_local == Mat3::ZERO { Mat3::ZERO } else { body.inertia_local }
}

impl Snapshot {
    /// A snapshot of a newly made world.
    pub(crate) fn new(run: &Run, names: &Names) -> Self {
        let world = run.world();
        let mechanisms = mechanisms(world);
        let threads = threads::count(world.settings.solver.threads);
        let view = |index: usize| {
            let body = &world.state.bodies[index + 1];
            BodyView {
                id: index as u32 + 1,
                name: names.bodies[index].clone(),
                solid: body.solid.clone(),
                motion: body.motion,
                mass: if body.is_dynamic() { body.mass } else { 0.0 },
                inertia: inertia(body),
                friction: body.material.friction,
                restitution: body.material.restitution,
                mechanism: mechanisms[index + 1],
                previous: Pose::default(),
                pose: Pose::default(),
                centre: Vec3::ZERO,
                velocity: Vec3::ZERO,
                angular_velocity: Vec3::ZERO,
                asleep: false,
            }
        };
        let bodies = threads::map_indices(threads, names.bodies.len(), || (), |(), index| view(index));
        let joints = threads::map_indices(threads, names.joints.len(), RowList::default, |list, index| {
            joint_view(world, index, names.joints[index].clone(), list)
        });
        let mut snapshot = Self { bodies, joints, ..Self::default() };
        snapshot.refresh(run, None, &SnapshotNeeds { joints: JointNeeds::These(Vec::new()), ..SnapshotNeeds::ALL });
        snapshot.complete = true;
        snapshot.still();
        snapshot
    }

    /// Updates the snapshot to the shown state, as far as `needs` asks, with `measured` as its metrics if given. The
    /// current poses become the previous ones. Buffers are reused.
    pub(crate) fn refresh(&mut self, run: &Run, measured: Option<Metrics>, needs: &SnapshotNeeds) {
        let world = run.shown();
        // A world with breakable joints needs the joints' loads in each step.
        let needs = if world.can_break() { &SnapshotNeeds::ALL } else { needs };
        self.take_bodies(world);
        self.take_joints(world, &needs.joints);
        self.contacts.clear();
        self.contacts.extend(world.contact_points());
        self.tractions.clear();
        self.tractions.extend(world.tractions());
        self.forces.clear();
        self.forces.extend(world.applied_forces().map(|(body, at, force, torque)| ForceView {
            body,
            at,
            force,
            torque,
        }));
        if needs.figures {
            self.hash = world.hash();
        }
        match measured {
            Some(measured) => self.metrics = measured,
            None if needs.figures || world.may_grow() => self.metrics = world.metrics(),
            None => {
                self.metrics.count(world);
                self.metrics.growing = false;
            }
        }
        self.complete = needs.is_complete();
        self.phases = run.phases;
        self.step_ms = (run.step_seconds * 1e3) as f32;
        self.time = world.state.time;
        self.step = world.state.step_count;
        self.sub_step = world.substep();
        let cause = trouble::cause(world);
        if self.trouble.as_ref().is_none_or(|reported| cause.is_none_or(|cause| !reported.is(cause))) {
            let name = |id: u32| self.body(id).map(|body| &*body.name);
            self.trouble = cause.map(|cause| Trouble::new(cause, world, name));
        }
        self.show_mouse_joint(world);
    }

    fn take_bodies(&mut self, world: &World) {
        let threads = threads::count(world.settings.solver.threads);
        threads::pieces(threads, &mut self.bodies, PIECE, |_, first, views| {
            for (id, view) in (first as u32 + 1..).zip(views) {
                let (position, rotation, velocity) = world.state(id);
                view.previous = view.pose;
                view.pose = pose(position, rotation, &view.solid);
                view.centre = position;
                view.velocity = velocity.linear.into();
                view.angular_velocity = velocity.angular.into();
                view.asleep = world.state.sleep.has(id);
            }
        });
    }

    fn take_joints(&mut self, world: &World, needs: &JointNeeds) {
        let threads = threads::count(world.settings.solver.threads);
        let these = match needs {
            JointNeeds::All => {
                threads::pieces(threads, &mut self.joints, PIECE, |_, first, views| {
                    let mut list = RowList::default();
                    for (index, view) in (first..).zip(views) {
                        *view = joint_view(world, index, view.name.clone(), &mut list);
                    }
                });
                return;
            }
            JointNeeds::These(these) => these,
        };
        let mut list = RowList::default();
        for index in these {
            if let Some(view) = self.joints.get_mut(*index) {
                *view = joint_view(world, *index, view.name.clone(), &mut list);
            }
        }
    }

    /// Shows the world's mouse joint.
    pub(crate) fn show_mouse_joint(&mut self, world: &World) {
        self.show_pull(world, world.state.mouse_joint);
    }

    /// Shows the mouse joint that will apply in the next step.
    pub(crate) fn show_pull(&mut self, world: &World, pull: Option<MouseJoint>) {
        self.mouse_joint = pull.map(|mouse_joint| {
            let (position, rotation, _) = world.state(mouse_joint.body);
            MouseJointView {
                body: mouse_joint.body,
                point: position + rotation * mouse_joint.point,
                target: mouse_joint.target,
            }
        });
    }

    /// Updates the poses to the state before a step; pictures interpolate between them and those after it.
    pub(crate) fn before_step(&mut self, world: &World) {
        if self.step != world.state.step_count {
            self.take_bodies(world);
        }
    }

    /// Sets the previous poses to the current ones, so that nothing is interpolated.
    pub(crate) fn still(&mut self) {
        for view in &mut self.bodies {
            view.previous = view.pose;
        }
    }
}

pub(crate) fn joint_view(world: &World, index: usize, name: Arc<str>, list: &mut RowList) -> JointView {
    let joint = &world.state.joints[index];
    let JointDef { anchor_a, anchor_b, axis_a, axis_b, .. } = joint.def;
    JointView {
        name,
        kind: joint.def.kind,
        a: joint.def.a,
        b: joint.def.b,
        ends: BodyEnds { anchor_a, anchor_b, axis_a, axis_b },
        readout: world.joint_now(index, list).1,
        rest_length: joint.rest_length,
        breaks: breaking::break_limits(joint, &world.settings.breaking),
        broken: joint.broken,
    }
}

/// A body's current state, without its name.
pub(crate) fn body_now(world: &World, id: u32) -> BodyView {
    let body = &world.state.bodies[id as usize];
    let (position, rotation, velocity) = world.state(id);
    let pose = pose(position, rotation, &body.solid);
    BodyView {
        id,
        name: Arc::from(""),
        solid: body.solid.clone(),
        motion: body.motion,
        mass: if body.is_dynamic() { body.mass } else { 0.0 },
        inertia: inertia(body),
        friction: body.material.friction,
        restitution: body.material.restitution,
        mechanism: 0,
        previous: pose,
        pose,
        centre: position,
        velocity: velocity.linear.into(),
        angular_velocity: velocity.angular.into(),
        asleep: world.state.sleep.has(id),
    }
}

/// Numbers the mechanisms: groups of bodies connected by joints, in the order of their first body. A static body
/// connects nothing: bodies hanging from the same post are separate mechanisms.
fn mechanisms(world: &World) -> Vec<u32> {
    let mut sets = DisjointSets::new(world.state.bodies.len());
    for joint in &world.state.joints {
        if [joint.def.a, joint.def.b].iter().all(|body| world.state.bodies[*body as usize].motion != Motion::Static) {
            sets.join(joint.def.a, joint.def.b);
        }
    }
    sets.numbers()
}
