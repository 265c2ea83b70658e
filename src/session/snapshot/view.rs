//! Fills a [`Snapshot`] from a run.

use std::sync::Arc;

use super::{BodyView, JointView, Pose, PullView, Snapshot};
use crate::physics::body::{Body, Motion};
use crate::physics::breaking;
use crate::physics::graph::DisjointSets;
use crate::physics::joint::Joint;
use crate::physics::metrics::Metrics;
use crate::physics::world::World;
use crate::session::names::Names;
use crate::session::run::Run;
use crate::session::run::trouble::{self, Trouble};

fn pose(body: &Body) -> Pose {
    Pose { position: body.shape_origin(), rotation: body.rotation }
}

impl Snapshot {
    /// A snapshot of a world just made.
    pub(in crate::session) fn new(run: &Run, names: &Names) -> Self {
        let world = &run.world;
        let mechanisms = mechanisms(world);
        let bodies = (world.bodies.iter().enumerate().skip(1).zip(&names.bodies))
            .map(|((id, body), name)| BodyView {
                id: id as u32,
                name: name.clone(),
                solid: body.solid.clone(),
                motion: body.motion,
                mass: if body.is_dynamic() { body.mass } else { 0.0 },
                friction: body.material.friction,
                restitution: body.material.restitution,
                mechanism: mechanisms[id],
                previous: pose(body),
                pose: pose(body),
                centre: body.position,
                velocity: Default::default(),
                spin: Default::default(),
            })
            .collect();
        let joints = world.joints.iter().zip(&names.joints).map(|(j, name)| joint_view(j, name, world)).collect();
        let mut snapshot = Self { bodies, joints, ..Self::default() };
        snapshot.refresh(run, None);
        snapshot
    }

    /// Takes the present state, and its metrics if they are `measured` already; the buffers are reused.
    pub(in crate::session) fn refresh(&mut self, run: &Run, measured: Option<Metrics>) {
        let world = &run.world;
        for ((view, body), velocity) in self.bodies.iter_mut().zip(&world.bodies[1..]).zip(&world.velocities[1..]) {
            view.pose = pose(body);
            view.centre = body.position;
            view.velocity = velocity.linear.into();
            view.spin = velocity.angular.into();
        }
        for (view, joint) in self.joints.iter_mut().zip(&world.joints) {
            *view = joint_view(joint, &view.name, world);
        }
        self.contacts.clear();
        self.contacts.extend(world.contact_points());
        self.tractions.clear();
        self.tractions.extend(world.tractions());
        self.metrics = measured.unwrap_or_else(|| world.metrics());
        self.phases = run.phases;
        self.step_ms = (run.step_seconds * 1e3) as f32;
        self.hash = world.hash();
        self.time = world.time;
        self.step = world.step_count;
        let cause = trouble::cause(world);
        if self.trouble.as_ref().is_none_or(|told| cause.is_none_or(|cause| !told.is(cause))) {
            let name = |id: u32| self.body(id).map(|body| &*body.name);
            self.trouble = cause.map(|cause| Trouble::new(cause, world, name));
        }
        self.show_pull(world);
    }

    /// Takes the mouse's spring.
    pub(in crate::session) fn show_pull(&mut self, world: &World) {
        self.pull = world.pull.and_then(|pull| {
            let body = world.bodies.get(pull.body as usize)?;
            Some(PullView { body: pull.body, point: body.position + body.rotation * pull.point, target: pull.target })
        });
    }

    /// Notes the poses ahead of a step, between which and the next ones pictures are interpolated.
    pub(in crate::session) fn before_step(&mut self, world: &World) {
        for (view, body) in self.bodies.iter_mut().zip(&world.bodies[1..]) {
            view.previous = pose(body);
        }
    }

    /// Makes the present poses the previous ones too, so that nothing is drawn between.
    pub(in crate::session) fn still(&mut self) {
        for view in &mut self.bodies {
            view.previous = view.pose;
        }
    }
}

fn joint_view(joint: &Joint, name: &Arc<str>, world: &World) -> JointView {
    let ends = joint.ends(&world.bodies);
    JointView {
        name: name.clone(),
        kind: joint.def.kind,
        a: joint.def.a,
        b: joint.def.b,
        anchor_a: ends.pa(),
        anchor_b: ends.pb(),
        axis_a: ends.axis_a,
        axis_b: ends.axis_b,
        readout: joint.readout,
        rest_length: joint.rest_length,
        breaks: breaking::borne(joint, &world.settings.breaking),
        broken: joint.broken,
    }
}

/// Numbers the groups of moving bodies that joints hold together, in the order of their first body. A static body
/// belongs to no group of others: what hangs from one post is not one mechanism.
fn mechanisms(world: &World) -> Vec<u32> {
    let mut sets = DisjointSets::new(world.bodies.len());
    for joint in &world.joints {
        if [joint.def.a, joint.def.b].iter().all(|body| world.bodies[*body as usize].motion != Motion::Static) {
            sets.join(joint.def.a, joint.def.b);
        }
    }
    sets.numbers()
}
