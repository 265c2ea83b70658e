//! Divides the steps of RATTLE in which a mechanism whips into shorter ones.
//!
//! A step moves each body along a straight line and rotates it about a fixed axis. Joints guide their anchors along
//! circles, which such a step misses by
//! ```text
//! b = ½ h (ω_B × (ω_B × r_B) − ω_A × (ω_A × r_A))             as a velocity, where two anchors coincide
//! b = ½ h ‖v⊥‖²/L + the same along the rod                    where a rod of length L keeps them apart
//! ```
//! RATTLE's impulses bend the velocities by that much (`shake.rs`), which is right to second order in h. Where three
//! bars crack like a whip, higher orders count: one such step makes an error in energy that no later step takes back.
//! So a step is divided where a large share of the kinetic energy is bent, measured as an angle:
//! ```text
//! θ = 2 √(Σ ½ μ b² / E),   1/μ = 1/m_A + 1/m_B;               θ = ω h for a bead on a weightless arm
//! ```
//! The sum is over the joints of a mechanism. E is the kinetic energy of its bodies, without that of the motion of
//! their common centre of mass where nothing holds them. A light link that whirls at the end of heavy ones has a small
//! share of it and divides nothing. A mechanism that bears on something else divides nothing either: its energy is not
//! kept anyway.
//!
//! The step is made in the first of 1, 2, 4 or 8 parts for which θ/parts is at most `step.max_turn`, **both where it
//! begins and where it ends**. A rule that looks at the beginning alone enters a crack one step late and leaves it on
//! time, and the difference always takes energy out: three bars lose a quarter of their swing in a minute. A rule that
//! is symmetric in time does not drift (Hairer, Lubich and Wanner 2006, VIII.1). The end of a step is known only once
//! it is made, so a step that begins above half of the bound is made on trial, and made again in more parts if need
//! be.
//!
//! A step starts from the velocities of a middle, half a kick early: v(n) − ½ h a. In n parts it starts from v(n) − ½
//! (h/n) a, an n-th of the way (`rattle.rs`). The part of that difference that comes from the joints' impulses lies
//! along the rows that the step solves first, so it does not matter how much of it is used.
//!
//! Steps of worlds that are stepped in batches or by the graphics device are not divided.

use glam::{Vec3, Vec3A};

use super::body::{Body, Velocity};
use super::graph::DisjointSets;
use super::joint::Joint;
use super::joints::JointDisplay;
use super::settings::{Processor, Settings, Stabilization};
use super::stabilize;
use super::trace::Trace;
use super::world::{Buffers, Executor, Model, Report, State, World};

/// The largest number of parts.
const MOST: u32 = 8;
/// A step that begins above this share of the bound is made on trial.
const TRIED: f32 = 0.5;

/// Buffers, kept from step to step.
#[derive(Default)]
pub struct Scratch {
    /// The mechanisms as sets of bodies, and the sums of each by its first body.
    mechanisms: DisjointSets,
    sums: Vec<Sum>,
    /// What to go back to after a step made on trial.
    before: Option<Box<Before>>,
}

/// What a step changes, as it was before it.
#[derive(Default)]
struct Before {
    model: Model,
    state: State,
    report: Report,
    trace: Option<Box<Trace>>,
}

impl Before {
    /// Copies these parts of the world.
    fn keep(&mut self, world: &mut World) {
        let World { model, state, report, pipeline, .. } = world;
        let search = state.contacts.take_search();
        self.state.contacts.make_room_for(&state.contacts);
        self.state.clone_from(state);
        state.contacts.put_search(search);
        self.model.clone_from(model);
        // By body, and found anew in each sub-step.
        let lists = report.take_lists();
        self.report.clone_from(report);
        report.put_lists(lists);
        self.trace.clone_from(&pipeline.probe);
    }

    /// Gives the world these parts again.
    fn restore(&mut self, world: &mut World) {
        std::mem::swap(&mut self.model, &mut world.model);
        std::mem::swap(&mut self.state, &mut world.state);
        std::mem::swap(&mut self.report, &mut world.report);
        std::mem::swap(&mut self.trace, &mut world.pipeline.probe);
        world.report.put_lists(self.report.take_lists());
        world.state.contacts.put_search(self.state.contacts.take_search());
        world.state.contacts.list_anew();
    }
}

/// Sums over a mechanism.
#[derive(Debug, Clone, Copy, Default)]
struct Sum {
    /// Σ ½ μ b², J.
    bend: f32,
    /// Kinetic energy, J; momentum, N·s; mass, kg.
    motion: f32,
    momentum: Vec3A,
    mass: f32,
    /// Whether a body that does not move holds it, and whether it bears on something by a contact.
    held: bool,
    bears: bool,
}

/// Makes a step of the whole world in as many parts as it needs.
pub fn step(world: &mut World) {
    if !asks(&world.settings, &world.state, &world.pipeline.executor) {
        world.step_in(1);
        return;
    }
    // The first crack may come late and then needs this memory. A copy is made now and then only to have it allocated.
    match &mut world.pipeline.buffers.divide.before {
        // The first step orders what was added.
        None if world.state.step_count == 0 => {}
        Some(before) if !world.state.step_count.is_power_of_two() => {
            before.state.contacts.make_room_for(&world.state.contacts);
        }
        _ => world.pipeline.buffers.divide.before = Some(keep(world)),
    }
    let most = world.settings.step.max_turn;
    let turn = largest_turn(&world.settings, &world.state, &mut world.pipeline.buffers);
    let parts = wanted(turn, most);
    if turn <= TRIED * most || parts == MOST {
        world.step_in(parts);
        return;
    }
    let mut before = keep(world);
    world.step_in(parts);
    let more = wanted(largest_turn(&world.settings, &world.state, &mut world.pipeline.buffers), most);
    if more > parts && world.state.step_count > before.state.step_count {
        before.restore(world);
        world.step_in(more);
    }
    world.pipeline.buffers.divide.before = Some(before);
}

/// A copy of what a step changes.
fn keep(world: &mut World) -> Box<Before> {
    let mut before = world.pipeline.buffers.divide.before.take().unwrap_or_default();
    before.keep(world);
    before
}

/// The number of parts by which each part of a step of the largest angle `turn` has at most `most`, rad.
fn wanted(turn: f32, most: f32) -> u32 {
    let mut parts = 1;
    while parts < MOST && turn > most * parts as f32 {
        parts *= 2;
    }
    parts
}

/// Whether any step of this world may be divided.
fn asks(settings: &Settings, state: &State, executor: &Executor) -> bool {
    settings.step.max_turn > 0.0
        && settings.solver.device == Processor::Cpu
        && state.bodies.len() <= 2 * executor.batch_size
        && state.joints.iter().any(|joint| bends(settings, joint))
}

/// Whether a joint is stepped by RATTLE and guides its anchors along circles.
fn bends(settings: &Settings, joint: &Joint) -> bool {
    let info = joint.def.kind.info();
    (info.coincident || info.shown == JointDisplay::Rod)
        && joint.broken.is_none()
        && stabilize::settings_of(joint, settings).stabilization.method == Stabilization::Rattle
}

/// The largest θ of any mechanism at the present velocities, rad.
fn largest_turn(settings: &Settings, state: &State, buffers: &mut Buffers) -> f32 {
    let mut scratch = std::mem::take(&mut buffers.divide);
    let Scratch { mechanisms, sums, .. } = &mut scratch;
    join(state, mechanisms);
    sums.clear();
    sums.resize(state.bodies.len(), Sum::default());
    let moves = |body: u32| state.bodies[body as usize].is_dynamic();
    let h = settings.h();
    for joint in state.joints.iter().filter(|joint| bends(settings, joint)) {
        let (a, b) = (joint.def.a, joint.def.b);
        let Some(own) = [a, b].into_iter().find(|body| moves(*body)) else { continue };
        let sum = &mut sums[mechanisms.first(own) as usize];
        sum.held |= !moves(a) || !moves(b);
        let gives = state.bodies[a as usize].inv_mass + state.bodies[b as usize].inv_mass;
        sum.bend += 0.5 * bend(joint, &state.bodies, &state.velocities, h).powi(2) / gives;
    }
    for (a, b, manifold) in state.contacts.manifolds() {
        if manifold.points.iter().any(|point| point.impulse > 0.0) {
            [a, b].into_iter().for_each(|body| sums[mechanisms.first(body) as usize].bears = true);
        }
    }
    for (index, (body, velocity)) in state.bodies.iter().zip(&*state.velocities).enumerate() {
        if body.is_dynamic() {
            let sum = &mut sums[mechanisms.first(index as u32) as usize];
            let spin = body.rotation.inverse() * Vec3::from(velocity.angular);
            let turning = spin.dot(body.inertia_local * spin);
            sum.motion += 0.5 * (body.mass * velocity.linear.length_squared() + turning);
            sum.momentum += body.mass * velocity.linear;
            sum.mass += body.mass;
        }
    }
    let squared = sums.iter().filter(|sum| sum.bend > 0.0 && !sum.bears).map(|sum| {
        let common = if sum.held { 0.0 } else { 0.5 * sum.momentum.length_squared() / sum.mass };
        sum.bend / (sum.motion - common).max(f32::MIN_POSITIVE)
    });
    let turn = 2.0 * squared.fold(0.0, f32::max).sqrt();
    buffers.divide = scratch;
    turn
}

/// Finds the mechanisms: moving bodies connected by joints.
fn join(state: &State, mechanisms: &mut DisjointSets) {
    mechanisms.clear(state.bodies.len());
    let moves = |body: u32| state.bodies[body as usize].is_dynamic();
    for joint in state.joints.iter().filter(|joint| joint.broken.is_none()) {
        if moves(joint.def.a) && moves(joint.def.b) {
            mechanisms.join(joint.def.a, joint.def.b);
        }
    }
}

/// The velocity by which a straight step of `h` seconds misses a joint's circles, m/s.
fn bend(joint: &Joint, bodies: &[Box<Body>], velocities: &[Velocity], h: f32) -> f32 {
    let end = |body: u32, anchor| {
        let (body, Velocity { linear, angular }) = (&bodies[body as usize], &velocities[body as usize]);
        let lever = Vec3A::from(body.rotation * anchor);
        let around = angular.cross(lever);
        (Vec3A::from(body.position) + lever, *linear + around, angular.cross(around))
    };
    let (xa, va, inward_a) = end(joint.def.a, joint.def.anchor_a);
    let (xb, vb, inward_b) = end(joint.def.b, joint.def.anchor_b);
    let (inward, rod, apart) = (inward_b - inward_a, xb - xa, vb - va);
    if joint.def.kind.info().coincident {
        return 0.5 * h * inward.length();
    }
    let Some(u) = rod.try_normalize() else { return 0.0 };
    let across = apart - u * u.dot(apart);
    0.5 * h * (across.length_squared() / rod.length() + u.dot(inward)).abs()
}
