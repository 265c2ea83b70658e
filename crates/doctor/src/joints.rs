//! Checks of single joints: conditions that do not hold at the start, and conditions that can never hold.

use std::collections::HashMap;

use glam::Vec3;

use super::rows::{AGREE, MEET};
use super::words::number;
use super::{DoctorCase, Finding, Fix, Rule, Severity};
use delassus_physics::joint::Joint;
use delassus_physics::joints::{Freedom, JointDisplay, JointMeasure, UNBOUNDED};
use delassus_physics::row::{RowKind, RowList};
use delassus_physics::settings::Stabilization;
use delassus_physics::stabilize;

pub fn examine(case: &DoctorCase<'_>, found: &mut Vec<Finding>) {
    let mut list = RowList::default();
    for (index, joint) in case.world.state.joints.iter().enumerate() {
        list.rows.clear();
        joint.def.kind.linearize(&joint.frames(&case.world.state.bodies), &mut list);
        check_start(case, index, joint, &list, found);
        check_motor(case, index, joint, found);
        let bodies = [joint.def.a, joint.def.b];
        if bodies.iter().all(|b| !case.world.state.bodies[*b as usize].is_dynamic()) {
            found.push(Finding {
                rule: Rule::Immovable,
                severity: Severity::Warning,
                bodies: bodies.to_vec(),
                joints: vec![index],
                what: format!(
                    "{} joins {} and {}. Impulses can move neither of them, so the joint does nothing.",
                    case.joint(index),
                    case.body(bodies[0]),
                    case.body(bodies[1])
                ),
                cure: format!("Make one of the two dynamic, or delete {}.", case.joint(index)),
                fix: Some(Fix::Remove { joint: index }),
            });
        }
    }
    exclusions(case, found);
}

/// Anchors, axes and limits at the start.
fn check_start(case: &DoctorCase<'_>, index: usize, joint: &Joint, list: &RowList, found: &mut Vec<Finding>) {
    let (mut distance, mut angle, mut beyond, mut beyond_angle, mut wound) = (0.0, 0.0, 0.0f32, 0.0f32, 0.0f32);
    for row in &list.rows {
        let linear = !row.jacobian.is_angular();
        match row.kind {
            RowKind::Equal { c } | RowKind::Track { c, .. } => {
                *if linear { &mut distance } else { &mut angle } += c * c
            }
            RowKind::AtLeast { c } if joint.def.kind.stops_its_end() => wound = -c,
            RowKind::AtMost { c } | RowKind::AtLeast { c } => {
                let over = if matches!(row.kind, RowKind::AtMost { .. }) { c } else { -c };
                let worst = if linear { &mut beyond } else { &mut beyond_angle };
                *worst = worst.max(over);
            }
            RowKind::Drive { .. } | RowKind::Soft { .. } | RowKind::SoftStop { .. } => {}
            RowKind::Resist(_) | RowKind::Servo(_) => {}
        }
    }
    let (distance, angle) = (distance.sqrt(), angle.sqrt());
    let settings = stabilize::settings_of(joint, &case.world.settings);
    let (info, name) = (joint.def.kind.info(), case.joint(index));
    let ends = joint.frames(&case.world.state.bodies);
    let mut push = |rule, what: String, cure: &str, fix| {
        found.push(Finding {
            rule,
            severity: Severity::Warning,
            bodies: vec![joint.def.b, joint.def.a],
            joints: vec![index],
            what,
            cure: cure.into(),
            fix,
        });
    };
    if distance > MEET.max(settings.stabilization.joint_slop) {
        let speed = stabilize::rate(&settings, settings.h()) * distance;
        let consequence = match settings.stabilization.method {
            Stabilization::Off => "nothing brings them together, because stabilisation is off".to_owned(),
            Stabilization::Nonlinear => "the position sweeps pull them together in the first steps".to_owned(),
            _ => format!("they are pulled together at {} m/s in the first step", number(speed)),
        };
        let meet = Some(Fix::MeetAnchors { joint: index });
        let (what, cure, fix) = match info.shown {
            JointDisplay::Rod => (
                format!(
                    "The length of {name} differs by {} m from the distance of its anchors; {consequence}.",
                    number(distance)
                ),
                "Leave out the `length`, or place the bodies that far apart.",
                Some(Fix::Length { joint: index, length: ends.p().length() }),
            ),
            JointDisplay::Ring => (
                format!("{name} starts {} m off its ring; {consequence}.", number(distance)),
                "Leave out the `radius`, or place the body on the ring.",
                None,
            ),
            JointDisplay::Plane => (
                format!("{name} starts {} m off its plane; {consequence}.", number(distance)),
                "Put B's anchor into the plane, or move the body there.",
                meet,
            ),
            JointDisplay::Rail => (
                format!("{name} starts {} m off its rail; {consequence}.", number(distance)),
                "Put B's anchor onto the rail, or move the body there.",
                meet,
            ),
            JointDisplay::Cam => (
                format!("The follower of {name} starts {} m off its profile; {consequence}.", number(distance)),
                "Make the first radius and the roller's radius add up to its distance from the cam's axis.",
                None,
            ),
            JointDisplay::Points => (
                format!("A row of {name} starts {} off its bound; {consequence}.", number(distance)),
                "Place the bodies where the row is zero, or change its formula or its parameters.",
                None,
            ),
            JointDisplay::Teeth | JointDisplay::Belt | JointDisplay::Rack => (
                format!("{name} starts {} m out of step; {consequence}.", number(distance)),
                "Place the anchors so that the two axes meet.",
                None,
            ),
            JointDisplay::Hand
            | JointDisplay::Axes
            | JointDisplay::Cross
            | JointDisplay::Dial
            | JointDisplay::Bend
            | JointDisplay::Thread
            | JointDisplay::Sheaves
            | JointDisplay::Drum
            | JointDisplay::Coil => (
                format!("The ends of {name} are {} m apart at the start; {consequence}.", number(distance)),
                "Put both anchors at one point, or place the body where its joint requires it.",
                meet,
            ),
        };
        push(Rule::Anchors, what, cure, fix);
    }
    if angle > AGREE {
        // The rows' error is a sine; the visible error is the angle.
        let angle = if info.free == Freedom::Turn { ends.axis_a.angle_between(ends.axis_b) } else { angle };
        let fix = info.axis.then_some(Fix::AlignAxes { joint: index });
        let what = format!("The axes of {name} are {:.1}° out of line at the start.", angle.to_degrees());
        push(Rule::Axes, what, "Give one `axis` for both ends, or turn the body as its joint requires it.", fix);
    }
    if beyond > MEET || beyond_angle > AGREE {
        let (over, unit) =
            if beyond > MEET { (number(beyond), " m") } else { (number(beyond_angle.to_degrees()), "°") };
        let (value, is_rope) = (joint.readout.value, joint.def.kind.is_rope());
        let fix = match (info.shown, joint.def.kind.range(joint.rest_length)) {
            _ if is_rope => Some(Fix::Length { joint: index, length: joint.def.kind.made_length(&ends) }),
            (JointDisplay::Bend, _) | (_, None) => None,
            (_, Some((min, max))) if value < min || value > max => {
                Some(Fix::Limit { joint: index, range: (min.min(value), max.max(value)) })
            }
            _ => None,
        };
        let (what, cure) = match (info.shown, info.measures) {
            _ if is_rope => (
                format!("{name} is {over} m too short for its ends at the start, and pulls them together."),
                "Make the rope longer, or start with its ends closer together.",
            ),
            (_, JointMeasure::Angle) if joint.def.kind.swing_limit().is_some() && fix.is_none() => (
                format!("{name} starts {over}° beyond its swing limit, and is driven back."),
                "Widen the swing limit, or start within it: the swing is zero where both axes agree.",
            ),
            (_, JointMeasure::Angle) => (
                format!("{name} starts {over}{unit} beyond its limit, and is driven back."),
                "Widen the limit, or start within it: the angle is zero in the pose of the scene.",
            ),
            (_, JointMeasure::Slide | JointMeasure::Length) => (
                format!("{name} starts {over}{unit} beyond its limit, and is driven back."),
                "Widen the limit, or start within it: the slide is the distance from A's anchor to B's along the axis.",
            ),
        };
        push(Rule::Limit, what, cure, fix);
    }
    if wound > MEET {
        let what = format!(
            "The rope of {name} ends {} m nearer to its drum than its hook allows, and is pushed away.",
            number(wound)
        );
        push(Rule::Limit, what, "Start with the rope's end farther from the drum.", None);
    }
}

/// Motors that run against stops.
fn check_motor(case: &DoctorCase<'_>, index: usize, joint: &Joint, found: &mut Vec<Finding>) {
    let kind = &joint.def.kind;
    let (Some((speed, cap)), Some((min, max))) = (kind.motor(), kind.range(joint.rest_length)) else { return };
    if speed == 0.0 || cap == 0.0 {
        return;
    }
    let (value, stop) = (joint.readout.value, if speed > 0.0 { max } else { min });
    let remaining = (stop - value) * speed.signum();
    let angle = kind.info().measures == JointMeasure::Angle;
    let (at, unit) =
        if angle { (format!("{:.1}°", stop.to_degrees()), "N·m") } else { (format!("{} m", number(stop)), "N") };
    let name = case.joint(index);
    let pressing = remaining <= if angle { AGREE } else { MEET };
    let (severity, what) = if cap >= UNBOUNDED {
        let when = if pressing {
            "from the first step".to_owned()
        } else {
            format!("after {} s", number(remaining / speed.abs()))
        };
        (
            Severity::Warning,
            format!(
                "The motor of {name} has no cap and meets the stop at {at} {when}: both rows then push without bound, \
                 and the sweeps never converge."
            ),
        )
    } else if pressing {
        (
            Severity::Note,
            format!(
                "The motor of {name} starts at the stop at {at}, and presses on it with up to {} {unit} from the first \
                 step.",
                number(cap)
            ),
        )
    } else {
        return;
    };
    let field = if angle { "max_torque" } else { "max_force" };
    // A motor with a cap needs no advice to set one.
    let cure = if cap >= UNBOUNDED {
        format!("Give the motor of {name} a `{field}`, reverse it, or move the stop.")
    } else {
        format!("Reverse the motor of {name}, move the stop, or leave it: it presses no harder than its cap.")
    };
    found.push(Finding {
        rule: Rule::Motor,
        severity,
        bodies: vec![joint.def.b, joint.def.a],
        joints: vec![index],
        what,
        cure,
        fix: None,
    });
}

/// The range of a joint's value and the axis it is measured along or about, comparable between joints of one pair.
struct Bound {
    joint: usize,
    measure: JointMeasure,
    /// The axis in A's frame.
    axis: Vec3,
    anchor_a: Vec3,
    anchor_b: Vec3,
    range: (f32, f32),
}

fn bound(joint: usize, joint_state: &Joint) -> Option<Bound> {
    let def = &joint_state.def;
    let info = def.kind.info();
    let range = match info.shown {
        JointDisplay::Rod => {
            def.kind.length().map(|length| length.unwrap_or(joint_state.rest_length)).map(|length| (length, length))
        }
        // The angle between two shafts is not measured about an axis of A, and several axes are not one.
        JointDisplay::Bend | JointDisplay::Axes => None,
        _ => def.kind.range(joint_state.rest_length),
    }?;
    let measure = info.measures;
    Some(Bound { joint, measure, axis: def.axis_a, anchor_a: def.anchor_a, anchor_b: def.anchor_b, range })
}

/// The largest number of other joints between the same bodies with which a joint is compared.
const MAX_COMPARED: usize = 32;

/// Limits of two joints between the same bodies that have no common value.
fn exclusions(case: &DoctorCase<'_>, found: &mut Vec<Finding>) {
    let mut pairs: HashMap<(u32, u32), Vec<Bound>> = HashMap::new();
    for (index, joint) in case.world.state.joints.iter().enumerate() {
        if let Some(bound) = bound(index, joint) {
            let others = pairs.entry((joint.def.a, joint.def.b)).or_default();
            for other in others.iter().take(MAX_COMPARED) {
                check_exclusion(case, other, &bound, (joint.def.a, joint.def.b), found);
            }
            others.push(bound);
        }
    }
}

fn check_exclusion(case: &DoctorCase<'_>, one: &Bound, two: &Bound, (a, b): (u32, u32), found: &mut Vec<Finding>) {
    let along = one.axis.dot(two.axis);
    let near = |p: Vec3, q: Vec3| p.distance(q) < MEET;
    let comparable = one.measure == two.measure
        && match one.measure {
            JointMeasure::Angle => along.abs() > 0.999,
            // A slide is measured from A's anchor to B's.
            JointMeasure::Slide => {
                along.abs() > 0.999 && near(one.anchor_a, two.anchor_a) && near(one.anchor_b, two.anchor_b)
            }
            JointMeasure::Length => near(one.anchor_a, two.anchor_a) && near(one.anchor_b, two.anchor_b),
        };
    if !comparable {
        return;
    }
    let (min, max) =
        if along < 0.0 && one.measure != JointMeasure::Length { (-two.range.1, -two.range.0) } else { two.range };
    let gap = (min - one.range.1).max(one.range.0 - max);
    if gap > MEET {
        let (from, unit) = if one.measure == JointMeasure::Angle {
            (f32::to_degrees as fn(f32) -> f32, "°")
        } else {
            ((|v| v) as fn(f32) -> f32, " m")
        };
        let show = |(min, max): (f32, f32)| format!("{} to {}{unit}", number(from(min)), number(from(max)));
        found.push(Finding {
            rule: Rule::Exclusion,
            severity: Severity::Error,
            bodies: vec![b, a],
            joints: vec![one.joint, two.joint],
            what: format!(
                "{} allows {} and {} allows {}: no value satisfies both; they are {}{unit} apart and push against each \
                 other permanently.",
                case.joint(one.joint),
                show(one.range),
                case.joint(two.joint),
                show((min, max)),
                number(from(gap)),
            ),
            cure: format!("Let the limits overlap, or delete {} or {}.", case.joint(one.joint), case.joint(two.joint)),
            fix: Some(Fix::Remove { joint: two.joint }),
        });
    }
}
