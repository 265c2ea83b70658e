//! Nonlinear Gauss–Seidel on positions. After the velocity solve has moved the bodies, sweeps take each joint and each
//! contact *at its present poses*, linearise it there, and move its two bodies so that a share β of its error goes.
//!
//! ```text
//! J Δ = −β C,  Δ = M⁻¹ Jᵀ λ,  λ = −β C/K          Δ: a displacement and a turn of each body, no velocity
//! x ← x + Δx,  q ← exp(Δθ) q
//! ```
//! The rows of one joint are solved in their order on one linearisation (a Newton step of the joint); the next joint
//! uses the resulting poses. The rows of a driven joint are solved at once, together with a row that keeps the drive
//! at its target (`motor_target/`). Velocities are not changed, so these sweeps add no kinetic energy and leave
//! nothing to warm starting. One-sided rows take part only where they are violated. Springs and friction have no
//! position to keep and take no part. Each sweep linearises everything anew.
//!
//! A contact is represented by two points, each fixed to its body, and the normal found at the start of the step: C =
//! n·(pB − pA) is exact to first order in the step's rotation. Source: modelled on Box2D's position solver.

use glam::Vec3;

use super::body::{Body, Velocity};
use super::effective_mass::row;
use super::fault::FaultWatch;
use super::joint::Joint;
use super::kernel::contact::beyond_slop;
use super::kernel::joint::beyond;
use super::kernel::rotation::turned;
use super::motor_target::{self, correct};
use super::prepare::couple;
use super::primitives::surface::mix;
use super::row::{Group, Jacobian, MAX_BLOCK_ROWS, Row, RowKind, RowList, RowSpec};
use super::settings::{Settings, Stabilization};
use super::solvers::block::BlockVelocities;
use super::stabilize;
use super::system::System;
use super::system::couplings::Couplings;
use super::world::state::State;

/// Buffers of the sweeps, kept from step to step.
#[derive(Debug, Clone, Default)]
pub struct Scratch {
    touches: Vec<Touch>,
    rows: Vec<Row>,
    couplings: Couplings,
    list: RowList,
    /// The rows of a free-standing motor that is corrected together with the joint.
    motor_list: RowList,
}

/// A contact point, fixed to its two bodies.
#[derive(Debug, Clone, Copy)]
struct Touch {
    a: u32,
    b: u32,
    /// The point of each surface in its body's frame, from the centre of mass, m.
    on_a: Vec3,
    on_b: Vec3,
    /// Unit vector from A to B, world frame.
    normal: Vec3,
    /// The pair's slop, m.
    slop: f32,
}

/// The sweeps end when no error that they are to remove is larger than this, m or rad.
const SETTLED: f32 = 1e-7;

/// Notes the contact points before the bodies move.
pub(crate) fn save_touches(settings: &Settings, state: &State, scratch: &mut Scratch) {
    let touches = &mut scratch.touches;
    touches.clear();
    let method = stabilize::settings_of_contacts(settings).stabilization.method;
    if method != Stabilization::Nonlinear || settings.has_impact_contacts() {
        return;
    }
    for pair in state.contacts.pairs.iter().filter(|pair| !pair.idle && pair.touches()) {
        let (a, b, manifold) = (pair.a, pair.b, &pair.near.manifold);
        if mix(&state.bodies[a as usize], &state.bodies[b as usize], settings).soft.is_some() {
            continue;
        }
        // At the pose for which the points were found.
        let local = |body: u32, point: Vec3| {
            let body_state = &state.bodies[body as usize];
            let (position, rotation) =
                state.contacts.shared.place(body).unwrap_or((body_state.position, body_state.rotation));
            rotation.inverse() * (point - position)
        };
        touches.extend(manifold.points.iter().map(|p| {
            let half = 0.5 * p.separation * manifold.normal;
            let (on_a, on_b) = (p.position - half, p.position + half);
            let (normal, slop) = (manifold.normal, manifold.slop);
            Touch { a, b, on_a: local(a, on_a), on_b: local(b, on_b), normal, slop }
        }));
    }
}

/// Moves the bodies to reduce the position errors that the step has left.
pub(crate) fn correct(
    settings: &Settings,
    state: &mut State,
    system: &System,
    scratch: &mut Scratch,
    watch: &mut FaultWatch,
) {
    if !system.positions && scratch.touches.is_empty() {
        return;
    }
    let iterations_of = |joint: &Joint| joint.def.options.stabilization.and_then(|options| options.position_iterations);
    let common = settings.stabilization.position_iterations;
    let iterations = state.joints.iter().filter_map(|joint| iterations_of(joint)).fold(common, u32::max);
    for sweep in 0..iterations {
        let mut worst = 0.0f32;
        for (index, joint) in state.joints.iter().enumerate().filter(|(_, joint)| joint.broken.is_none()) {
            if state.sleep.is_idle((joint.def.a, joint.def.b), &state.bodies, &state.velocities) {
                continue;
            }
            let settings = stabilize::settings_of(joint, settings);
            let stabilization = &settings.stabilization;
            if stabilization.method == Stabilization::Nonlinear && sweep < stabilization.position_iterations {
                let motor = correct::paired_motor(system, index).map(|motor| &*state.joints[motor]);
                let joints = (&**joint, motor, state.step_count);
                worst = worst.max(correct_joint(joints, &mut state.bodies, &settings, scratch, watch));
            }
        }
        for touch in scratch.touches.iter().filter(|_| sweep < common) {
            worst = worst.max(correct_touch(touch, &mut state.bodies, settings, watch));
        }
        if worst < SETTLED {
            break;
        }
    }
}

/// One Newton step of a joint, together with its free-standing motor if there is one; returns the largest error that
/// it found, m or rad.
fn correct_joint(
    (joint, motor, step): (&Joint, Option<&Joint>, u64),
    bodies: &mut [Box<Body>],
    settings: &Settings,
    scratch: &mut Scratch,
    watch: &mut FaultWatch,
) -> f32 {
    let Scratch { rows, couplings, list, motor_list, .. } = scratch;
    let (a, b) = (joint.def.a as usize, joint.def.b as usize);
    joint.rows(&joint.frames_in_form(bodies, settings), list);
    let mut worst = 0.0f32;
    let mut pair = BlockVelocities::<true>::new(Velocity::default(), Velocity::default(), 1.0);
    if let Some(motor) = motor {
        motor.rows(&motor.frames_in_form(bodies, settings), motor_list);
    }
    let driver = motor.unwrap_or(joint);
    let drive = motor_target::driven(if motor.is_some() { &motor_list.rows } else { &list.rows });
    let drive = drive.and_then(|(spec, value)| {
        Some((spec, motor_target::distance_off(driver.motor_target, value, spec.is_angular(), step)?))
    });
    if let Some((spec, off)) = drive {
        rows.clear();
        let slop = settings.stabilization.joint_slop;
        for spec in list.rows.iter().filter(|spec| is_corrected_with_drive(spec, settings)).take(MAX_BLOCK_ROWS - 1) {
            let Some((c, ..)) = violation(spec.kind, if spec.group == Group::Anchor { slop } else { 0.0 }) else {
                continue;
            };
            worst = worst.max(c.abs());
            rows.push(Row { pseudo_bias: share(c, settings), ..row(&spec.jacobian, &bodies[a], &bodies[b]) });
        }
        worst = worst.max(off.abs());
        rows.push(Row { pseudo_bias: share(off, settings), ..row(&spec.jacobian, &bodies[a], &bodies[b]) });
        pair.correct_all(rows);
    }
    for group in list.rows.chunk_by(|r, s| r.group == s.group) {
        if drive.is_some() && is_corrected_with_drive(&group[0], settings) {
            continue;
        }
        rows.clear();
        couplings.inverses.clear();
        for spec in group {
            let slop = if spec.group == Group::Anchor && !spec.jacobian.is_angular() {
                settings.stabilization.joint_slop
            } else {
                0.0
            };
            if spec.jacobian.is_angular() && !settings.formulation.angular_stabilization {
                continue;
            }
            let Some((c, lo, hi)) = violation(spec.kind, slop) else { continue };
            worst = worst.max(c.abs());
            let mut row = row(&spec.jacobian, &bodies[a], &bodies[b]);
            (row.bias, row.lo, row.hi) = (share(c, settings), lo, hi);
            rows.push(row);
        }
        if rows.len() == group.len() {
            let coupling = couple(group, settings, rows, &mut couplings.inverses);
            pair.solve(coupling, rows, couplings);
        } else {
            pair.solve(super::row::Coupling::Rows, rows, couplings);
        }
    }
    displace(bodies, joint.def.a, &pair.now.a, watch);
    displace(bodies, joint.def.b, &pair.now.b, watch);
    worst
}

/// Whether a row is an equality that is corrected together with a drive's row.
fn is_corrected_with_drive(spec: &RowSpec, settings: &Settings) -> bool {
    matches!(spec.kind, RowKind::Equal { .. }) && (!spec.is_angular() || settings.formulation.angular_stabilization)
}

/// A row's error beyond the slop, m or rad, and the bounds of the impulse that may correct it; `None` where nothing is
/// to be corrected.
fn violation(kind: RowKind, slop: f32) -> Option<(f32, f32, f32)> {
    match kind {
        RowKind::Equal { c } | RowKind::Track { c, .. } => Some((beyond(c, slop), f32::NEG_INFINITY, f32::INFINITY)),
        RowKind::AtMost { c } => (c > 0.0).then_some((c, f32::NEG_INFINITY, 0.0)),
        RowKind::AtLeast { c } => (c < 0.0).then_some((c, 0.0, f32::INFINITY)),
        RowKind::Drive { .. }
        | RowKind::Soft { .. }
        | RowKind::SoftStop { .. }
        | RowKind::Resist(_)
        | RowKind::Servo(_) => None,
    }
}

/// The part of an error that a sweep removes, m or rad.
fn share(c: f32, settings: &Settings) -> f32 {
    let stabilization = &settings.stabilization;
    stabilization.beta * c.clamp(-stabilization.max_correction, stabilization.max_correction)
}

/// Moves a contact's two points apart along the normal; returns the overlap beyond the slop that it found, m.
fn correct_touch(touch: &Touch, bodies: &mut [Box<Body>], settings: &Settings, watch: &mut FaultWatch) -> f32 {
    let (a, b) = (&bodies[touch.a as usize], &bodies[touch.b as usize]);
    let on_a = a.position + a.rotation * touch.on_a;
    let on_b = b.position + b.rotation * touch.on_b;
    let c = beyond_slop(touch.normal.dot(on_b - on_a), touch.slop);
    if c == 0.0 {
        return 0.0;
    }
    let point = 0.5 * (on_a + on_b);
    let mut row = row(&Jacobian::along(touch.normal, point - a.position, point - b.position), a, b);
    (row.bias, row.lo) = (share(c, settings), 0.0);
    let mut pair = BlockVelocities::<true>::new(Velocity::default(), Velocity::default(), 1.0);
    pair.solve(super::row::Coupling::Rows, std::slice::from_mut(&mut row), &Couplings::default());
    displace(bodies, touch.a, &pair.now.a, watch);
    displace(bodies, touch.b, &pair.now.b, watch);
    -c
}

/// Moves and rotates a dynamic body by `by`, m and rad.
fn displace(bodies: &mut [Box<Body>], index: u32, by: &Velocity, watch: &mut FaultWatch) {
    let body = &mut bodies[index as usize];
    if !body.is_dynamic() {
        return;
    }
    let mut by = *by;
    if !watch.contain(index, &mut by) || !watch.shift(index, body, by.linear.into()) {
        return;
    }
    if by.angular != glam::Vec3A::ZERO {
        body.rotation = turned(body.rotation, by.angular.into());
        body.refresh_inertia();
    }
}
