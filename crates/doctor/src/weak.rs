//! Motors and servos whose cap is below their static load, or below the friction of their joint.
//!
//! ```text
//! one step of the direct solver from rest, all drives at speed 0       a drive that moves nevertheless gives way
//! the same without the caps of the drives that hold                    their torques or forces are the load
//! ```
//! A running motor may give way on purpose; a motor at rest and a servo with a constant target should hold. Source:
//! statics; derived here.

use super::words::number;
use super::{DoctorCase, Finding, Rule, Severity};
use delassus_physics::body::Velocity;
use delassus_physics::force::ByTime;
use delassus_physics::joint::Joint;
use delassus_physics::joints::{AngularDrive, AngularServo, JointKind, LinearDrive, LinearServo, Role, UNBOUNDED};
use delassus_physics::settings::{Method, Processor};

/// The largest number of bodies, and of joints, of a world in which the trial step is made.
const MAX_SIZE: usize = 200;
/// The most work of a trial step, multiplications; a fraction of a second.
const MAX_WORK: u64 = 100_000_000;
/// A motor that turns or slides faster than this after the step gives way, rad/s or m/s.
const MOVES: f32 = 1e-4;

pub fn examine(case: &DoctorCase<'_>, found: &mut Vec<Finding>) {
    rubbing(case, found);
    let world = case.world;
    if world.state.bodies.len() > MAX_SIZE
        || world.state.joints.len() > MAX_SIZE
        || !world.state.joints.iter().any(|joint| holds(joint).is_some())
    {
        return;
    }
    let mut trial = world.clone();
    trial.pipeline.executor.device = None;
    trial.settings.solver.device = Processor::Cpu;
    trial.settings.solver.method = Method::Direct;
    trial.settings.step.substeps = 1;
    trial.settings.breaking.enabled = false;
    trial.report.work = world.report.work.within(MAX_WORK);
    trial.state.velocities.iter_mut().for_each(|velocity| *velocity = Velocity::default());
    // Running motors are stopped as well: their action on a brake is not a static load.
    for joint in &mut trial.state.joints {
        if holds(joint).is_some() {
            brake(&mut joint.def.kind);
        }
        change(&mut joint.def.kind, Some(0.0), None);
    }
    // In a loop that is rigid without its motor a share of the load may fall on the motor, but nothing gives way.
    let mut capped = trial.clone();
    capped.step();
    for joint in trial.state.joints.iter_mut().filter(|joint| holds(joint).is_some()) {
        change(&mut joint.def.kind, None, Some(UNBOUNDED));
    }
    trial.step();
    if capped.report.work.is_over() || trial.report.work.is_over() {
        return;
    }
    for (index, joint) in world.state.joints.iter().enumerate() {
        let Some(cap) = holds(joint) else { continue };
        let load = trial.state.joints[index].readout.motor.abs();
        let gives_way = capped.state.joints[index].readout.speed.abs() > MOVES;
        if !gives_way || load.is_nan() || load <= cap {
            continue;
        }
        let (name, unit) = (case.joint(index), if joint.def.kind.is_angle() { "N·m" } else { "N" });
        let field = if joint.def.kind.is_angle() { "max_torque" } else { "max_force" };
        let drive = if joint.def.kind.servo().is_some() { "servo" } else { "motor" };
        found.push(Finding {
            rule: Rule::Weak,
            severity: Severity::Warning,
            bodies: vec![joint.def.b, joint.def.a],
            joints: vec![index],
            what: format!(
                "The {drive} of {name} should hold still, but may push with {} {unit} only. The load at the start is \
                 {} {unit}, so it gives way.",
                number(cap),
                number(load)
            ),
            cure: format!("Give the {drive} of {name} a `{field}` above {} {unit}, or a smaller load.", number(load)),
            fix: None,
        });
    }
}

/// The cap of a joint's drive that should hold it still: a motor at speed zero, or a servo with a constant target.
fn holds(joint: &Joint) -> Option<f32> {
    let kind = &joint.def.kind;
    let cap = match (kind.motor(), kind.servo()) {
        (Some((0.0, cap)), _) => cap,
        (None, Some(servo)) if joint.def.options.by_time == ByTime::Constant && servo.softness.stiffness(1.0) > 0.0 => {
            servo.cap
        }
        _ => return None,
    };
    (cap > 0.0 && cap < UNBOUNDED).then_some(cap)
}

/// Puts a motor at speed zero with the same cap in the place of a servo.
fn brake(kind: &mut JointKind) {
    let angular = |servo: AngularServo| AngularDrive { speed: 0.0, max_torque: servo.max_torque };
    let linear = |servo: LinearServo| LinearDrive { speed: 0.0, max_force: servo.max_force };
    match kind {
        JointKind::Hinge(joint) => joint.motor = joint.servo.take().map(angular).or(joint.motor),
        JointKind::Prismatic(joint) => joint.motor = joint.servo.take().map(linear).or(joint.motor),
        JointKind::Cylindrical(joint) => joint.motor = joint.servo.take().map(linear).or(joint.motor),
        _ => {}
    }
}

/// Motors that run against friction of their own joint, which they do not overcome.
fn rubbing(case: &DoctorCase<'_>, found: &mut Vec<Finding>) {
    for (index, joint) in case.world.state.joints.iter().enumerate() {
        let kind = &joint.def.kind;
        let (friction, Some((speed, cap))) = (kind.holding_friction(), kind.motor()) else { continue };
        if speed == 0.0 || cap == 0.0 || friction < cap {
            continue;
        }
        let (name, unit) = (case.joint(index), if kind.is_angle() { "N·m" } else { "N" });
        let field = if kind.is_angle() { "max_torque" } else { "max_force" };
        let (cap, friction) = (number(cap), number(friction));
        found.push(Finding {
            rule: Rule::Weak,
            severity: Severity::Warning,
            bodies: vec![joint.def.b, joint.def.a],
            joints: vec![index],
            what: format!(
                "The motor of {name} may push with {cap} {unit}, but friction holds the joint with {friction} {unit}: \
                 the motor does not move it."
            ),
            cure: format!("Give the motor of {name} a `{field}` above {friction} {unit}, or the joint less friction."),
            fix: None,
        });
    }
}

/// Changes the speed and the cap of a kind's motor, if it has one.
fn change(kind: &mut JointKind, speed: Option<f32>, cap: Option<f32>) {
    for parameter in kind.parameters() {
        match parameter.role {
            Role::AngularMotor(mut motor) => {
                if let Some(motor) = motor.get_mut() {
                    (motor.speed, motor.max_torque) = (speed.unwrap_or(motor.speed), cap.unwrap_or(motor.max_torque));
                }
            }
            Role::LinearMotor(mut motor) => {
                if let Some(motor) = motor.get_mut() {
                    (motor.speed, motor.max_force) = (speed.unwrap_or(motor.speed), cap.unwrap_or(motor.max_force));
                }
            }
            _ => {}
        }
    }
}
