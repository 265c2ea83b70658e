//! Motors in loops: motors that cannot move anything, motors that prescribe different speeds for one motion, dead
//! centres.
//!
//! ```text
//! D v = s together with J v = 0. A row of D that depends on J alone is locked, whatever the motor does. It is at a dead
//! centre if it is no longer locked after a small motion. Dependent rows of D, Σ y_i D_i v = 0, with
//! Σ y_i s_i ≠ 0: no motion has all these speeds, the motors work against each other, and the strongest prevails.
//! Brakes are motors at zero speed with a cap; they are added last.
//! A value that is stationary in all motions, but would not be after a small motion: a dead centre of the linkage.
//! ```

use super::continuation::DisplacedPose;
use super::linkage::{ActiveRows, Linkage};
use super::mechanism::Mechanism;
use super::rows::{JointRow, RowRole};
use super::words::{names, number};
use super::{DoctorCase, Finding, Fix, Rule, Severity};
use delassus_physics::joints::{JointMeasure, UNBOUNDED};

/// Rates below this count as zero, for motions and rows of unit length.
const STILL: f64 = 1e-3;
/// At a dead centre rates are below `DEAD` (half a degree from it), and after a small motion `REVIVED` times as large.
const DEAD: f64 = 5e-3;
const REVIVED: f64 = 3.0;
/// Speeds that differ by less than this share agree.
const AGREES: f64 = 0.01;
/// Rows with a smaller share in a dependence are not part of it.
const SHARE: f64 = 1e-2;

/// Previous results for the loops: whether they jam, and the pose after a small motion.
pub struct LoopState<'a> {
    pub jammed: bool,
    pub moved: Option<&'a DisplacedPose>,
}

struct Motor<'a> {
    row: &'a JointRow,
    speed: f32,
    cap: f32,
    /// The length of its row before scaling to unit length.
    length: f64,
}

pub fn examine(
    linkage: &Linkage<'_>,
    rows: &[JointRow],
    active: &ActiveRows,
    loop_state: &LoopState<'_>,
    mechanism: &mut Mechanism,
    found: &mut Vec<Finding>,
) {
    dead_centres(linkage, active, loop_state, mechanism, found);
    let mut motors: Vec<Motor<'_>> = Vec::new();
    let mut vectors = Vec::new();
    let mut basis = active.basis.clone();
    for row in rows {
        if let RowRole::Driven { speed, cap } = row.role {
            let (vector, length) = linkage.vector(row);
            motors.push(Motor { row, speed, cap, length });
            vectors.push(vector);
        }
    }
    if motors.is_empty() {
        return;
    }
    mechanism.driven += basis.add(&vectors);
    // Brakes come last: a brake whose row depends on the motors' rows is simply driven by them.
    vectors.clear();
    let drives = motors.len();
    for row in rows {
        if let RowRole::Braked { cap } = row.role {
            let (vector, length) = linkage.vector(row);
            motors.push(Motor { row, speed: 0.0, cap, length });
            vectors.push(vector);
        }
    }
    basis.add(&vectors);
    let before = active.held.len();
    for row in basis.dependent.iter().filter(|row| **row >= before) {
        let y = &basis.dependence(*row)[before..];
        let largest = y.iter().fold(0.0, |largest: f64, y| largest.max(y.abs()));
        let share: Vec<(usize, f64)> =
            y.iter().enumerate().filter(|(_, y)| y.abs() > SHARE * largest).map(|(i, y)| (i, *y)).collect();
        match share.as_slice() {
            [(only, _)] if *only >= drives => {}
            [(only, _)] => found.extend(locked(linkage, &motors[*only], active, loop_state)),
            several => found.extend(against(linkage.case, &motors, several)),
        }
    }
}

/// A motor whose row depends on the loops' rows: its value cannot change.
fn locked(
    linkage: &Linkage<'_>,
    motor: &Motor<'_>,
    active: &ActiveRows,
    loop_state: &LoopState<'_>,
) -> Option<Finding> {
    let case = linkage.case;
    let index = motor.row.joint;
    if motor.speed == 0.0 || loop_state.jammed {
        return None;
    }
    let name = case.joint(index);
    let rate = loop_state.moved.map_or(0.0, |moved| {
        let row = moved.rows.iter().find(|r| r.joint == index && matches!(r.role, RowRole::Driven { .. }));
        row.map_or(0.0, |row| moved.active.rate(&linkage.vector(row).0))
    });
    let other_joints: Vec<usize> = linkage.joints.iter().copied().filter(|j| *j != index).collect();
    let unit = unit(case, index);
    let push =
        if motor.cap >= UNBOUNDED { "without bound".to_owned() } else { format!("with {} {unit}", number(motor.cap)) };
    let (rule, what, cure, fix) = if rate > DEAD {
        (
            Rule::Dead,
            format!(
                "The motor of {name} is at a dead centre: the other bodies of its loop can move here, but that does \
                 not move {name}. The motor pushes {push} and starts nothing."
            ),
            format!("Start a little away from the dead centre, or drive a joint of the loop other than {name}."),
            None,
        )
    } else {
        let mobility = match active.free.len() {
            0 => "nothing in its loop can move".to_owned(),
            _ => format!("the parts of its loop that can move do not move {name}"),
        };
        let driven = &case.world.state.joints[index].def.kind;
        let fix = driven.can_lose_motor().then_some(Fix::NoMotor { joint: index });
        (
            Rule::Locked,
            format!(
                "The motor of {name} is in a locked loop: {mobility}. It pushes {push} on {}.",
                names(case, &other_joints)
            ),
            format!(
                "Free the loop by removing rows from {}, or remove the motor from {name}.",
                names(case, &other_joints)
            ),
            fix,
        )
    };
    let def = &case.world.state.joints[index].def;
    let joints = std::iter::once(index).chain(other_joints).collect();
    Some(Finding {
        rule,
        severity: Severity::Warning,
        bodies: bodies(linkage, &[def.b, def.a]),
        joints,
        what,
        cure,
        fix,
    })
}

fn bodies(linkage: &Linkage<'_>, first: &[u32]) -> Vec<u32> {
    let mut bodies: Vec<u32> = first.iter().copied().filter(|id| linkage.bodies.contains(id)).collect();
    bodies.extend(linkage.bodies.iter().filter(|id| !first.contains(id)));
    bodies
}

fn unit(case: &DoctorCase<'_>, joint: usize) -> &'static str {
    if case.world.state.joints[joint].def.kind.info().measures == JointMeasure::Angle { "N·m" } else { "N" }
}

/// Motors of one motion whose speeds contradict each other.
fn against(case: &DoctorCase<'_>, motors: &[Motor<'_>], share: &[(usize, f64)]) -> Option<Finding> {
    // For rows of unit length: the speed divided by the length.
    let part = |(i, y): &(usize, f64)| y * f64::from(motors[*i].speed) / motors[*i].length.max(f64::MIN_POSITIVE);
    let mismatch: f64 = share.iter().map(part).sum();
    let largest = share.iter().map(|s| part(s).abs()).fold(0.0, f64::max);
    if largest == 0.0 || mismatch.abs() < AGREES * largest {
        return None;
    }
    let joints: Vec<usize> = share.iter().map(|(i, _)| motors[*i].row.joint).collect();
    // A brake may be meant as a load.
    let brakes = share.iter().any(|(i, _)| motors[*i].speed == 0.0 && motors[*i].cap < UNBOUNDED);
    let speed = |i: usize| {
        let speed_unit = if unit(case, motors[i].row.joint) == "N·m" { "rad/s" } else { "m/s" };
        format!("{} {speed_unit}", number(motors[i].speed))
    };
    let speeds: Vec<String> =
        share.iter().map(|(i, _)| format!("{} at {}", case.joint(motors[*i].row.joint), speed(*i))).collect();
    // The speed of the last motor that would agree with the others.
    let (last, y) = share.last().copied()?;
    let others: f64 = share[..share.len() - 1].iter().map(part).sum();
    let consistent_speed = -others / y * motors[last].length;
    let speed_unit = if unit(case, motors[last].row.joint) == "N·m" { "rad/s" } else { "m/s" };
    let cap = |i: usize| match motors[i].cap {
        cap if cap >= UNBOUNDED => format!("{} without bound", case.joint(motors[i].row.joint)),
        cap => format!(
            "{} with up to {} {}",
            case.joint(motors[i].row.joint),
            number(cap),
            unit(case, motors[i].row.joint)
        ),
    };
    let caps: Vec<String> = share.iter().map(|(i, _)| cap(*i)).collect();
    let unbounded = share.iter().filter(|(i, _)| motors[*i].cap >= UNBOUNDED).count() > 1;
    let outcome = if unbounded { "and the sweeps never converge" } else { "and the stronger one wins" };
    let index = motors[last].row.joint;
    let mut concerned: Vec<u32> = Vec::new();
    for id in joints.iter().flat_map(|j| [case.world.state.joints[*j].def.b, case.world.state.joints[*j].def.a]) {
        if case.world.state.bodies[id as usize].is_dynamic() && !concerned.contains(&id) {
            concerned.push(id);
        }
    }
    // The last joint that can lose its motor; a joint that is only a motor is kept.
    let loses = |joint: &&usize| case.world.state.joints[**joint].def.kind.can_lose_motor();
    let removable = joints.iter().rev().find(loses).copied();
    Some(Finding {
        rule: Rule::Against,
        severity: if brakes { Severity::Note } else { Severity::Warning },
        bodies: concerned,
        joints,
        what: format!(
            "Motors work against each other: {} drive one motion. To agree with the others, {} would have to go at {} \
             {speed_unit}. They push, {}, {outcome}.",
            speeds.join(", "),
            case.joint(index),
            number(consistent_speed as f32),
            caps.join(", "),
        ),
        cure: format!(
            "Remove the motor from {}, or give the motor of {} the speed {} {speed_unit}.",
            case.joint(removable.unwrap_or(index)),
            case.joint(index),
            number(consistent_speed as f32)
        ),
        fix: removable.map(|joint| Fix::NoMotor { joint }),
    })
}

/// Joints whose value is stationary only in the present pose, although the loops move.
fn dead_centres(
    linkage: &Linkage<'_>,
    active: &ActiveRows,
    loop_state: &LoopState<'_>,
    mechanism: &mut Mechanism,
    found: &mut Vec<Finding>,
) {
    let Some(moved) = loop_state.moved.filter(|m| m.active.free.len() == active.free.len()) else { return };
    let now = linkage.values(&linkage.case.world.state.bodies);
    for (joint, row) in &now {
        let Some((_, then)) = moved.values.iter().find(|(moved_joint, _)| moved_joint == joint) else { continue };
        let (here, there) = (active.rate(row), moved.active.rate(then));
        if here < DEAD && there > DEAD.max(REVIVED * here) && there > STILL {
            mechanism.dead.push(*joint);
        }
    }
    let driven =
        |joint: &usize| linkage.case.world.state.joints[*joint].def.kind.motor().is_some_and(|(speed, _)| speed != 0.0);
    let dead: Vec<usize> = mechanism.dead.iter().copied().filter(|joint| !driven(joint)).collect();
    if dead.is_empty() {
        return;
    }
    let case = linkage.case;
    let all = names(case, &dead);
    let (stands, it) = if dead.len() == 1 { ("stands", "it") } else { ("stand", "them") };
    found.push(Finding {
        rule: Rule::Dead,
        severity: Severity::Note,
        bodies: bodies(linkage, &dead.iter().map(|j| case.world.state.joints[*j].def.b).collect::<Vec<_>>()),
        joints: dead,
        what: format!(
            "{all} {stands} at a dead centre: the linkage can move, but {all} cannot at this instant, and a push on \
             {it} moves nothing."
        ),
        cure: "No action is needed if another joint is driven or a weight carries the linkage past it. Otherwise \
               start a little away from it."
            .into(),
        fix: None,
    });
}
