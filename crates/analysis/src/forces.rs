//! What joints bear and drives need, from the equations of motion with known accelerations.
//!
//! ```text
//! Jᵀ λ = M a + (0, ω × I ω) − f      f: gravity, the scene's forces and drag, springs, dampers, rotors of joints
//! ```
//! With v = a = 0 this is statics. The driven joint and held joints have a row each, whose λ is the force or torque that
//! drives or holds them. Where rows depend on each other, the shortest λ is taken (rows of unit length, torques divided
//! by the mechanism's size): symmetric joints then share a load evenly. Friction, contacts and motors of other joints
//! are left out. Forces that depend on time are those of the scene's start. Source: Newton–Euler; 004 ch. 10.

use glam::DVec3;

use delassus_physics::body::Body;
use delassus_physics::row::{Resistance, RowKind, RowList};
use delassus_physics::softness;

use crate::linkage::System;
use crate::path::Walker;
use crate::rates::{self, Rates};
use crate::rows::{self, Row, Twist};

/// What a joint exerts on B: force, N, at B's anchor, and torque, N·m, about it, world frame; with its springs, dampers
/// and rotor. The force or torque of a drive is not part of it.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Reaction {
    pub force: DVec3,
    pub torque: DVec3,
}

/// The loads at one state.
#[derive(Debug, Clone, PartialEq)]
pub struct Loads {
    /// By joint of the linkage.
    pub reactions: Vec<Reaction>,
    /// What drives the driven joint, N·m or N; positive where it drives its value up.
    pub drive: f64,
    /// What holds the held joints, in their order.
    pub held: Vec<f64>,
}

/// A copy of the bodies of the world, for the physics' own functions.
pub type Bench = Vec<Box<Body>>;

/// Puts the mechanism's bodies on the bench where they are now.
pub fn place(walker: &Walker<'_, '_>, bench: &mut Bench) {
    for id in &walker.linkage.bodies {
        let (body, pose) = (&mut bench[*id as usize], &walker.state.poses[*id as usize]);
        body.position = pose.position.as_vec3();
        body.rotation = pose.rotation.as_quat();
        body.refresh_inertia();
    }
}

/// The loads at the walker's state with this motion.
pub fn loads(walker: &Walker<'_, '_>, system: &System, rates: &Rates, bench: &mut Bench) -> Loads {
    place(walker, bench);
    let linkage = &walker.linkage;
    let world = linkage.case.world;
    let mut needed = vec![Twist::default(); world.state.bodies.len()];
    let gravity = world.settings.step.gravity.as_dvec3();
    for id in &linkage.bodies {
        let (body, twist) = (&world.state.bodies[*id as usize], rates.twists[*id as usize]);
        let acceleration = rates.accelerations[*id as usize];
        let inertia = linkage.inertia(*id, &walker.state.poses);
        let spin = twist.angular.cross(inertia * twist.angular);
        let need = &mut needed[*id as usize];
        need.linear += f64::from(body.mass) * (acceleration.linear - gravity);
        need.angular += inertia * acceleration.angular + spin;
    }
    applied(walker, rates, bench, &mut needed);
    let mut own_forces = vec![Twist::default(); linkage.joints.len()];
    for (at, own) in own_forces.iter_mut().enumerate() {
        elastic(walker, rates, bench, at, (&mut needed, own));
    }
    let entries = |id: &u32| {
        let Twist { linear, angular } = needed[*id as usize];
        let angular = angular / linkage.size;
        [linear.to_array(), angular.to_array()].concat()
    };
    let wanted: Vec<f64> = linkage.bodies.iter().flat_map(entries).collect();
    let lambda = system.loads(&wanted);
    let (driving, held) = (lambda.last().copied().unwrap_or_default(), walker.drive.held.len());
    let own = lambda.len().saturating_sub(held + 1);
    Loads {
        reactions: (own_forces.iter().enumerate())
            .map(|(at, elastic)| reaction(walker, &system.rows[..own], &lambda, (at, *elastic)))
            .collect(),
        drive: driving,
        held: lambda.get(own..own + held).map(<[f64]>::to_vec).unwrap_or_default(),
    }
}

/// What the rows of a joint exert on B together, with its elastic force and moment about B's centre.
fn reaction(walker: &Walker<'_, '_>, rows: &[Row], lambda: &[f64], (at, elastic): (usize, Twist)) -> Reaction {
    let (index, joint) = &walker.linkage.joints[at];
    let (mut force, mut moment) = (elastic.linear, elastic.angular);
    for (row, lambda) in rows.iter().zip(lambda).filter(|(row, _)| row.joint == Some(*index)) {
        force += *lambda * row.linear[1];
        moment += *lambda * row.angular[1];
    }
    let arm = walker.state.poses[joint.def.b as usize].rotation * joint.def.anchor_b.as_dvec3();
    Reaction { force, torque: moment - arm.cross(force) }
}

/// Takes the scene's forces and drag from what is needed.
fn applied(walker: &Walker<'_, '_>, rates: &Rates, bench: &Bench, needed: &mut [Twist]) {
    let world = walker.linkage.case.world;
    for own in world.model.forces.iter().filter(|own| walker.linkage.bodies.contains(&own.body)) {
        let (body, twist) = (&bench[own.body as usize], rates.twists[own.body as usize]);
        // The change of velocity within a second, times the mass, is the force.
        let change = own.change(body, world.state.time, 1.0);
        let inertia = walker.linkage.inertia(own.body, &walker.state.poses);
        let drag = f64::from(own.drag.linear) + f64::from(own.drag.quadratic) * twist.linear.length();
        let need = &mut needed[own.body as usize];
        need.linear -= f64::from(body.mass) * change.linear.as_dvec3() - drag * twist.linear;
        need.angular -= inertia * change.angular.as_dvec3() - f64::from(own.drag.angular) * twist.angular;
    }
}

/// Takes the forces of a joint's springs, dampers and rotor from what is needed, and adds those on B to `own`.
fn elastic(
    walker: &Walker<'_, '_>,
    rates: &Rates,
    bench: &Bench,
    at: usize,
    (needed, own): (&mut [Twist], &mut Twist),
) {
    let linkage = &walker.linkage;
    let (index, joint) = &linkage.joints[at];
    if joint.broken.is_some() {
        return;
    }
    let mut list = RowList::default();
    let mut frames = rows::single_precision_frames(joint, linkage.ends(at, &walker.state.poses));
    let value = linkage.value(at, &walker.state);
    if let Some(row) = value {
        frames.previous = row.error as f32;
    }
    joint.rows(&frames, &mut list);
    let [a, b] = [joint.def.a, joint.def.b].map(|id| &*bench[id as usize]);
    for spec in &list.rows {
        let row = Row::of(*index, joint, &spec.jacobian, 0.0);
        let speed = rates::speed(&row, &rates.twists);
        let mass = || softness::spring_mass(spec, &list.rows, joint.reference, a, b).of_spring;
        let force = match spec.kind {
            RowKind::Soft { c, softness, .. } => {
                let mass = mass();
                -f64::from(softness.stiffness(mass)) * f64::from(c) - f64::from(softness.damping(mass)) * speed
            }
            RowKind::SoftStop { c, softness, upper } if (c > 0.0) == upper && c != 0.0 => {
                let mass = mass();
                -f64::from(softness.stiffness(mass)) * f64::from(c) - f64::from(softness.damping(mass)) * speed
            }
            RowKind::Resist(Resistance::Damper { coefficient }) => -f64::from(coefficient) * speed,
            RowKind::Resist(Resistance::Armature { inertia }) => {
                let acceleration = rates::of_value(linkage, &walker.state, rates, at).map_or(0.0, |[_, value]| value);
                -f64::from(inertia) * acceleration
            }
            _ => continue,
        };
        // An armature turns with the joint's value, whose row is exact.
        let is_rotor = matches!(spec.kind, RowKind::Resist(Resistance::Armature { .. }));
        let row = value.filter(|_| is_rotor).unwrap_or(row);
        for (end, id) in row.bodies.iter().enumerate() {
            needed[*id as usize].linear -= force * row.linear[end];
            needed[*id as usize].angular -= force * row.angular[end];
        }
        own.linear += force * row.linear[1];
        own.angular += force * row.angular[1];
    }
}
