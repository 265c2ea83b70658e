//! Actuators of joints: what each applies at its control, as a servo of its joint.
//!
//! ```text
//! torque = gear × force = constant − k q − c q',   k = −gear² (g₁ u + b₁),  c = −gear² (g₂ u + b₂)
//! ```
//! Several of one joint add up. `law.rs` has the names. A position servo with a damping ratio ζ has c = 2 ζ √(k J), J the
//! inertia that its joint feels where the file puts the bodies.

use delassus_scene::Mistake;

use super::Context;
use super::bodies::Tree;
use super::law::{Activation, Law};
use crate::model::{Drive, Freedom};
use crate::xml::Element;

/// Gives joints the drives of an `actuator`. `controls` are those of a keyframe, in the order of all actuators.
///
/// # Errors
/// A joint that does not exist, or numbers that make no sense.
pub fn read<'a>(
    section: Element<'a>,
    context: &Context<'a>,
    tree: &mut Tree,
    controls: &mut dyn Iterator<Item = f64>,
) -> Result<(), Mistake> {
    for element in section.children() {
        let control = controls.next().unwrap_or(0.0);
        if let Err(why) = actuator(element, context, tree, control)? {
            element.heed_all();
            context.report.note(element.place(), format!("actuators `{}`", element.name()), why);
        }
    }
    Ok(())
}

/// Adds one actuator to its joint, or says why it is left out.
fn actuator<'a>(
    element: Element<'a>,
    context: &Context<'a>,
    tree: &mut Tree,
    asked: f64,
) -> Result<Result<(), String>, Mistake> {
    let left = |why: &str| Ok(Err(why.to_owned()));
    let Some(name) = element.text("joint").or_else(|| element.text("jointinparent")) else {
        return left("acts on no joint, but on a tendon, a site or a body, and is left out");
    };
    let number = tree.joint(name).ok_or_else(|| element.mistake(format!("no joint is called `{name}`")))?;
    let law = Law::of(&context.defaults.actuators(element)?)?;
    element.heed(&["name", "class"]);
    element.mark();
    if !context.actuation {
        return left("is switched off by <flag>, and is left out");
    }
    if !matches!(tree.joints[number].freedom, Freedom::Turn | Freedom::Slide) || law.gear == 0.0 {
        return left("acts on a joint that is neither a hinge nor a slide, or with a gear of 0, and is left out");
    }
    let (Some(gain), Some(mut bias)) = (law.gain(), law.bias()) else {
        return left("follows a law that no servo has, and is left out");
    };
    let note = |what: String| context.report.note(element.place(), element.title(), what);
    let auto = context.compiler.auto_limits;
    let bounds = law.control.limit(auto).or_else(|| {
        let (low, high) = tree.joints[number].limit.filter(|_| law.inherits > 0.0)?;
        let (middle, half) = (0.5 * (low + high), 0.5 * (high - low) * law.inherits);
        Some((middle - half, middle + half))
    });
    let mut control = asked;
    if let Some((low, high)) = bounds.filter(|_| context.clamps) {
        control = asked.clamp(low, high);
        if control != asked {
            note(format!("its control, {asked}, is clamped to {control}: `ctrlrange` is {low} to {high}"));
        }
    }
    match law.activation {
        Activation::Direct => {}
        Activation::Filter(_) if control == 0.0 => {}
        Activation::Filter(time) => {
            note(format!("its filter with a time constant of {time} s is left out: the control acts at once"));
        }
        Activation::Integral if control == 0.0 => {}
        Activation::Integral => {
            note(format!("the integral of its control, {control}, is left out: it stays where it starts, at 0"));
            control = 0.0;
        }
        Activation::Other => return left("has an activation with no counterpart, and is left out"),
    }
    let square = law.gear * law.gear;
    if let Some(ratio) = law.damping_ratio() {
        // The lengths are gear times the joint's, so the inertia that it sees is J / gear².
        let Some(inertia) = tree.felt_inertia(number) else {
            return left("has a damping ratio, but nothing that it moves has a mass; it is left out");
        };
        bias[2] = -2.0 * ratio * (gain[0] * inertia / square).sqrt();
    }
    let [mut constant, stiffness, damping] = [0, 1, 2].map(|i| gain[i] * control + bias[i]);
    let (stiffness, damping) = (-stiffness, -damping);
    if stiffness < 0.0 || damping < 0.0 {
        return left("has a negative stiffness or damping, which no servo has, and is left out");
    }
    let forces = law.force.limit(auto);
    let passive = stiffness == 0.0 && damping == 0.0;
    if let Some((low, high)) = forces.filter(|_| passive) {
        constant = constant.clamp(low, high);
    }
    if passive && constant == 0.0 {
        return Ok(Err(format!(
            "applies nothing at a control of {control}, and is left out; `--key NAME` takes the controls of a keyframe"
        )));
    }
    if law.control.limit(auto).is_some() {
        context.report.note(
            element.place(),
            "`ctrlrange`",
            "bounds what a program asks for; controls are constant here, and clamped",
        );
    }
    let cap = forces.filter(|_| !passive).map(|(low, high)| {
        let most = low.abs().max(high.abs());
        if (low + high).abs() > 1e-6 * (high - low) {
            note(format!(
                "its forces, {low} to {high}, get the bound ±{most}: a drive has the same in both directions"
            ));
        }
        most * law.gear.abs()
    });
    let made = &mut tree.joints[number];
    let old = made.drive.unwrap_or(Drive::NONE);
    if made.drive.is_some() && (cap.is_some() || tree.capped[number]) {
        return left(
            "is a further one of its joint, and one of them has a `forcerange`: two bounds do not add up; it is left out",
        );
    }
    let constant = old.constant() + law.gear * constant;
    let (stiffness, damping) = (old.stiffness + square * stiffness, old.damping + square * damping);
    made.drive = Some(Drive {
        cap: cap.into_iter().chain(made.effort).reduce(f64::min),
        ..Drive::new(stiffness, damping, constant)
    });
    tree.capped[number] = cap.is_some();
    Ok(Ok(()))
}
