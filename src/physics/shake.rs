//! SHAKE: the impulses of a step are those that close the joints where the step ends, not where it begins.
//!
//! ```text
//! v = v⁻ + h g + M⁻¹ J(x₀)ᵀ λ,   C(x₀ ⊕ h v) = 0            λ by Newton rounds:
//! solve J(x₀) v + b = 0,   try x₁ = x₀ ⊕ h v,   b ← C(x₁)/h − J(x₀) v,   solve again
//! ```
//! A step along a straight line leaves the circle of a rotor by ½ (ω h)² r, and whatever puts the anchor back *beside* the
//! velocities (split impulses, position sweeps) moves the bodies without their momenta: a free dumbbell loses its spin as
//! ω = ω₀/√(1 + …) until nothing is left. Here the same impulses, equal and opposite along one line, bend the velocities
//! and close the joint, so linear and angular momentum are kept exactly whatever h, and the motion is that of a
//! time-reversible, symplectic scheme of second order. Each round leaves about the square of h ω times the error of the one before: two or
//! three do.
//!
//! Errors that a step *finds* (joints made apart, sweeps that have not settled) would come back as velocities C/h. What of
//! them is beyond `INHERITED` is taken out by the split correction instead, a share β a step, and the rounds aim at
//! what that has left. Drives, springs and rows that hold no position are solved as ever, contacts by a method of their own
//! (`stabilization.contacts`). Source: Ryckaert, Ciccotti and Berendsen 1977; Barth, Kuczera, Leimkuhler and Skeel 1995.

use glam::{Mat3, Quat, Vec3};

use super::body::Velocity;
use super::fault::Watch;
use super::row::{Law, RowId, RowList};
use super::settings::{Settings, Stabilization};
use super::solvers::common::speed;
use super::world::World;
use super::{integrate, stabilize};

/// An error up to this at the step's start is the step's own to close, m or rad.
const INHERITED: f32 = 1e-4;
/// A step whose error is below this is not solved again, m or rad; nor one whose last round has left more than this share of
/// its error, for then the sweeps are what is slow.
const CLOSED: f32 = 2e-6;
const SLOW: f32 = 0.8;

/// What the rounds need, kept from step to step.
#[derive(Debug, Clone, Default)]
pub struct Scratch {
    poses: Vec<(Vec3, Quat, Mat3)>,
    velocities: Vec<Velocity>,
    list: RowList,
    /// Rows and the biases that would close them.
    biases: Vec<(u32, f32)>,
}

/// Whether the joints' errors are closed by the step's own impulses.
pub fn keeps(settings: &Settings) -> bool {
    matches!(settings.stabilization.method, Stabilization::Shake | Stabilization::Rattle)
}

/// The part of an error that the step has found and not made.
pub fn inherited(c: f32) -> f32 {
    c - c.clamp(-INHERITED, INHERITED)
}

/// What of a row's error at the step's start is not the step's own to close; nothing where no position is kept.
pub fn found(law: Law, angular: bool, settings: &Settings) -> Option<f32> {
    if angular && !settings.formulation.angular_stabilization {
        return None;
    }
    match law {
        Law::Equal { c } => Some(inherited(c)),
        Law::AtMost { c } => Some(inherited(c.max(0.0))),
        Law::AtLeast { c } => Some(inherited(c.min(0.0))),
        Law::Drive { .. } | Law::Track { .. } | Law::Soft { .. } | Law::SoftStop { .. } => None,
    }
}

/// The error of a row that keeps a position, m or rad.
fn error(law: Law) -> Option<f32> {
    match law {
        Law::Equal { c } | Law::AtMost { c } | Law::AtLeast { c } => Some(c),
        Law::Drive { .. } | Law::Track { .. } | Law::Soft { .. } | Law::SoftStop { .. } => None,
    }
}

/// Solves again until the step closes its joints. `solve` takes the rows' biases as they are and leaves velocities.
pub fn rounds(world: &mut World, h: f32, mut solve: impl FnMut(&mut World)) {
    if world.system.found.iter().all(Option::is_none) {
        return;
    }
    let mut before = f32::INFINITY;
    for _ in 1..world.settings.stabilization.rounds {
        let error = bias(world, h);
        if error < CLOSED || error > SLOW * before {
            break;
        }
        for (row, bias) in &world.shake.biases {
            world.system.rows[*row as usize].bias = *bias;
        }
        solve(world);
        before = error;
    }
}

/// Notes for each row the bias that closes it to first order from where the velocities lead now; returns the largest error
/// there, m or rad.
fn bias(world: &mut World, h: f32) -> f32 {
    let mut scratch = std::mem::take(&mut world.shake);
    try_poses(world, &mut scratch, h);
    let World { system, joints, bodies, velocities, pushes, settings, .. } = world;
    let mut worst = 0.0f32;
    scratch.biases.clear();
    for (index, joint) in joints.iter().enumerate().filter(|(_, joint)| joint.broken.is_none()) {
        let own = stabilize::settings_of(joint, settings);
        if !keeps(&own) {
            continue;
        }
        joint.rows(&joint.formed(bodies, &own), &mut scratch.list);
        let ends = (joint.def.a as usize, joint.def.b as usize);
        let (a, b) = (&velocities[ends.0], &velocities[ends.1]);
        for row in system.rows_of(index) {
            let (RowId::Joint { slot, .. }, Some(found)) = (system.ids[row], system.found[row]) else { continue };
            let spec = scratch.list.rows.iter().find(|spec| spec.slot == slot);
            let Some(c) = spec.and_then(|spec| error(spec.law)) else { continue };
            let (index, row) = (row as u32, &system.rows[row]);
            // What the split correction takes out of it, which may be less than it should.
            let aim = if pushes.is_empty() { found } else { found + h * speed(row, &pushes[ends.0], &pushes[ends.1]) };
            scratch.biases.push((index, (c - aim) / h - speed(row, a, b)));
            let one_sided = (row.lo == 0.0 && c > aim) || (row.hi == 0.0 && c < aim);
            if !one_sided && row.inv_k > 0.0 {
                worst = worst.max((c - aim).abs());
            }
        }
    }
    for (body, (position, rotation, inv_inertia)) in bodies.iter_mut().zip(&scratch.poses) {
        (body.position, body.rotation, body.inv_inertia) = (*position, *rotation, *inv_inertia);
    }
    world.shake = scratch;
    worst
}

/// Moves the bodies to where their velocities lead, and keeps where they were.
fn try_poses(world: &mut World, scratch: &mut Scratch, h: f32) {
    scratch.poses.clear();
    scratch.poses.extend(world.bodies.iter().map(|body| (body.position, body.rotation, body.inv_inertia)));
    scratch.velocities.clone_from(&world.velocities);
    let rotation = world.settings.formulation.rotation;
    let way = integrate::Way { pushes: &world.pushes, reach: &[], turning: &world.turning, rotation };
    integrate::poses(&mut world.bodies, &mut scratch.velocities, &way, h, &mut Watch::default());
}
