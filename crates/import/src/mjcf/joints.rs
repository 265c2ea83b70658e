//! Joints of MJCF: what they leave free, their limits, and what resists.

use std::f64::consts::PI;

use delassus_scene::Mistake;
use glam::{DQuat, DVec3};

use super::Context;
use super::bodies::Tree;
use super::defaults::Classed;
use crate::frame::Frame;
use crate::model::{Freedom, Joint};

/// A joint of a body, in the body's frame, without a name.
///
/// # Errors
/// Numbers that make no sense.
pub fn read_joint(joint: &Classed<'_>, ends: (usize, usize), context: &Context<'_>) -> Result<Joint, Mistake> {
    let element = joint.element();
    let note = |what: String| context.report.note(element.place(), element.title(), what);
    let kind = if element.name() == "freejoint" { "free" } else { joint.text("type").unwrap_or("hinge") };
    let freedom = match kind {
        "hinge" => Freedom::Turn,
        "slide" => Freedom::Slide,
        "ball" => Freedom::Ball,
        "free" => Freedom::All,
        other => return Err(element.mistake(format!("a joint is hinge, slide, ball or free, not `{other}`"))),
    };
    let mut made = Joint::new("", element.place(), ends, freedom);
    made.anchor = joint.vector("pos")?.unwrap_or_default();
    let axis = joint.vector("axis")?.unwrap_or(DVec3::Z).try_normalize();
    made.axis = axis.ok_or_else(|| element.mistake("the axis must not be zero"))?;
    // The angles of hinges and balls.
    let unit = if freedom == Freedom::Slide { 1.0 } else { context.compiler.angle };
    let range = joint.range("range", "limited")?;
    if range.is_wrong() && freedom != Freedom::All {
        return Err(element.mistake("it is limited, but the first number of its `range` is not below the second"));
    }
    made.limit = range.limit(context.compiler.auto_limits).map(|(low, high)| (low * unit, high * unit));
    if let (None, Some(numbers)) = (made.limit, joint.numbers("range")?)
        && let [low, high] = numbers[..]
        && joint.text("limited") != Some("false")
        && low >= high
    {
        note(format!("its `range`, {low} to {high}, is empty and limits nothing, as in MuJoCo"));
    }
    if let (Freedom::Ball, Some((low, _))) = (freedom, made.limit)
        && low != 0.0
    {
        return Err(element.mistake("the `range` of a ball begins with 0"));
    }
    if freedom == Freedom::Ball {
        made.limit = made.limit.filter(|(_, high)| *high < PI);
    }
    // A polynomial of the value or the speed may follow.
    let first = |name: &str| {
        let list = joint.numbers(name)?.unwrap_or_default();
        if list.iter().skip(1).any(|factor| *factor != 0.0) {
            let rest: Vec<String> = list.iter().skip(1).map(f64::to_string).collect();
            note(format!(
                "the higher coefficients of its `{name}`, {}, are left out: it is linear here",
                rest.join(" ")
            ));
        }
        Ok::<_, Mistake>(list.first().copied().unwrap_or(0.0))
    };
    made.damping = first("damping")?;
    made.friction = first("frictionloss")?;
    made.armature = first("armature")?;
    let stiffness = first("stiffness")?;
    for (name, value) in [
        ("damping", made.damping),
        ("frictionloss", made.friction),
        ("armature", made.armature),
        ("stiffness", stiffness),
    ] {
        if value < 0.0 {
            return Err(element.mistake(format!("`{name}` must not be negative, {value}")));
        }
    }
    let rest = joint.number("springref")?.unwrap_or(0.0) * unit;
    made.spring = (stiffness > 0.0).then_some((stiffness, rest));
    made.reference = joint.number("ref")?.unwrap_or(0.0) * unit;
    made.value = made.reference;
    if let Some((low, high)) =
        joint.range("actuatorfrcrange", "actuatorfrclimited")?.limit(context.compiler.auto_limits)
    {
        let most = low.abs().max(high.abs());
        if (low + high).abs() > 1e-6 * (high - low) {
            note(format!(
                "`actuatorfrcrange`, {low} to {high}, is taken as ±{most}: a drive has one bound in both directions"
            ));
        }
        made.effort = Some(most);
    }
    if freedom == Freedom::All {
        free(&mut made, &note);
    }
    Ok(made)
}

/// A free body has drag, which is damping in all directions; the rest of what a class gives its joint has no counterpart.
fn free(joint: &mut Joint, note: &dyn Fn(String)) {
    if joint.damping > 0.0 {
        note(format!(
            "its damping, {} N·s/m and N·m·s/rad, is drag of the body, which acts at the mass centre",
            joint.damping
        ));
    }
    let rest = [
        ("frictionloss", joint.friction != 0.0),
        ("armature", joint.armature != 0.0),
        ("stiffness", joint.spring.is_some()),
    ];
    let names: Vec<&str> = rest.iter().filter(|(_, given)| *given).map(|(name, _)| *name).collect();
    if !names.is_empty() {
        note(format!("a free body has no {} here: left out", names.join(", ")));
    }
    (joint.friction, joint.armature, joint.spring) = (0.0, 0.0, None);
}

/// `springdamper`, a time constant T and a damping ratio ζ, by the inertia J that the joint feels where the file puts it.
///
/// ```text
/// k = J/(T ζ)²,  c = 2 J/T
/// ```
/// `angle` is the compiler's unit of angles, rad.
///
/// # Errors
/// It is not two numbers.
pub fn spring_damper(joint: &Classed<'_>, number: usize, angle: f64, tree: &mut Tree<'_>) -> Result<(), Mistake> {
    let element = joint.element();
    let (time, ratio) = match joint.numbers("springdamper")?.as_deref() {
        None => return Ok(()),
        Some([time, ratio]) => (*time, *ratio),
        Some(_) => return Err(element.mistake("`springdamper` must be two numbers")),
    };
    let takes_one = matches!(tree.joints[number].freedom, Freedom::Turn | Freedom::Slide);
    if time <= 0.0 || ratio <= 0.0 || !takes_one {
        return Ok(());
    }
    let Some(inertia) = tree.felt_inertia(number) else {
        return Err(element.mistake("nothing that it moves has a mass, to which its `springdamper` could refer"));
    };
    let made = &mut tree.joints[number];
    let unit = if made.freedom == Freedom::Slide { 1.0 } else { angle };
    let rest = joint.number("springref")?.unwrap_or(0.0) * unit;
    made.spring = Some((inertia / (time * ratio).powi(2), rest));
    made.damping = 2.0 * inertia / time;
    Ok(())
}

/// The pose after a ball or a free joint has taken the coordinates of a keyframe.
pub fn moved(joint: &mut Joint, pose: Frame, tree: &mut Tree<'_>, context: &Context<'_>) -> Option<Frame> {
    match joint.freedom {
        Freedom::All => {
            let [x, y, z, w, a, b, c] = tree.coordinates::<7>()?;
            Some(Frame { origin: DVec3::new(x, y, z), turn: DQuat::from_xyzw(a, b, c, w).normalize() })
        }
        Freedom::Ball => {
            let [w, x, y, z] = tree.coordinates::<4>()?;
            let local = DQuat::from_xyzw(x, y, z, w).normalize();
            if joint.limit.is_some() && local.w.abs() < 1.0 - 1e-9 {
                let what = "its `range` is left out: a scene counts it from the pose of the keyframe";
                context.report.note(joint.place, format!("joint `{}`", joint.name), what);
                joint.limit = None;
            }
            let turn = pose.turn * local;
            let arm = pose.turn.inverse() * (pose.origin - joint.anchor);
            Some(Frame { origin: joint.anchor + turn * arm, turn })
        }
        _ => None,
    }
}

/// The pose after a hinge or a slide has moved by so much.
pub fn shifted(joint: &Joint, pose: Frame, by: f64) -> Frame {
    match joint.freedom {
        Freedom::Slide => Frame { origin: pose.origin + joint.axis * by, ..pose },
        _ => {
            let turn = DQuat::from_axis_angle(joint.axis, by);
            let origin = joint.anchor + turn * (pose.origin - joint.anchor);
            Frame { origin, turn: (turn * pose.turn).normalize() }
        }
    }
}
