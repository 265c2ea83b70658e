//! Actuators of joints: those that act as a servo, `position`, `velocity`, and `general` with the same law.
//!
//! ```text
//! force = gain control + bias₀ + bias₁ length + bias₂ speed,  length = gear × joint value,  torque = gear × force
//! ```

use delassus_scene::Mistake;

use super::Context;
use super::bodies::Tree;
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
        let actuator = context.defaults.of(element, None)?;
        let left = |why: &str| {
            element.heed_all();
            context.report.note(element.place(), format!("actuators `{}`", element.name()), why);
        };
        let Some(name) = element.text("joint") else {
            left("acts on no joint, but on a tendon, a site or a body, and is left out");
            continue;
        };
        let joint = tree.joints.iter().position(|joint| joint.name == name);
        let joint = joint.ok_or_else(|| element.mistake(format!("no joint is called `{name}`")))?;
        if element.name() == "motor" {
            left("a motor applies what a program tells it, and nothing at a control of 0; it is left out");
            continue;
        }
        let first = |name: &str, usual: f64| {
            let list = actuator.numbers(name)?;
            Ok::<_, Mistake>(list.and_then(|list| list.first().copied()).unwrap_or(usual))
        };
        let gear = first("gear", 1.0)?;
        // Gain, the factors of length and speed in the bias, and its constant part.
        let (gain, stiffness, damping, constant) = match element.name() {
            "position" => {
                let kp = first("kp", 1.0)?;
                (kp, kp, first("kv", 0.0)?, 0.0)
            }
            "velocity" => {
                let kv = first("kv", 1.0)?;
                (kv, 0.0, kv, 0.0)
            }
            "general" => {
                let bias = actuator.numbers("biasprm")?.unwrap_or_default();
                let at = |i: usize| bias.get(i).copied().unwrap_or(0.0);
                let gain = first("gainprm", 1.0)?;
                if actuator.text("biastype").unwrap_or("none") != "affine" || at(1) == 0.0 && at(2) == 0.0 {
                    left("follows a law that no servo has, and is left out");
                    continue;
                }
                (gain, -at(1), -at(2), at(0))
            }
            _ => {
                left("follows a law that no servo has, and is left out");
                continue;
            }
        };
        element.mark();
        let made = &mut tree.joints[joint];
        if made.drive.is_some() || !matches!(made.freedom, Freedom::Turn | Freedom::Slide) || gear == 0.0 {
            left("only a hinge or a slide takes one, and only one; the others are left out");
            continue;
        }
        if stiffness < 0.0 || damping < 0.0 {
            return Err(element.mistake("its stiffness and its damping must not be negative"));
        }
        let forces = actuator.numbers("forcerange")?;
        let cap = match forces.as_deref() {
            Some([low, high]) if low < high => {
                if (low + high).abs() > 1e-6 * (high - low) {
                    context.report.note(
                        element.place(),
                        element.title(),
                        "its forces get the same bound in both directions",
                    );
                }
                Some(low.abs().max(high.abs()) * gear.abs())
            }
            _ => None,
        };
        if actuator.has("ctrlrange") || actuator.has("ctrllimited") {
            context.report.note(
                element.place(),
                "`ctrlrange`",
                "bounds what a program asks for; targets are constant here",
            );
        }
        let cap = cap.into_iter().chain(made.effort).reduce(f64::min);
        let square = gear * gear;
        let (target, speed) = match stiffness > 0.0 {
            true => ((gain * control + constant) / (stiffness * gear), 0.0),
            false => (0.0, (gain * control + constant) / (damping * gear)),
        };
        made.drive = Some(Drive { stiffness: stiffness * square, damping: damping * square, target, speed, cap });
    }
    Ok(())
}
