//! Reads a joint of a URDF file: its type, axis, limits and friction.

use delassus_scene::Mistake;
use glam::DVec3;

use crate::frame::Frame;
use crate::model::{Freedom, Joint};
use crate::report::Report;
use crate::xml::Element;

pub fn read_joint(element: Element<'_>, ends: (usize, usize), frame: Frame, report: &Report) -> Result<Joint, Mistake> {
    let kind = element.needed("type")?;
    let freedom = match kind {
        "fixed" => Freedom::Nothing,
        "revolute" | "continuous" => Freedom::Turn,
        "prismatic" => Freedom::Slide,
        "planar" => Freedom::Plane,
        "floating" => Freedom::All,
        "ball" | "spherical" => Freedom::Ball,
        other => {
            return Err(element.mistake(format!(
                "there is no joint of the type `{other}`: it is fixed, revolute, continuous, prismatic, planar, floating or \
                 spherical"
            )));
        }
    };
    let mut joint = Joint::new(element.needed("name")?, element.place(), ends, freedom);
    joint.anchor = frame.origin;
    let axis = element.one("axis").map(|axis| axis.vector("xyz")).transpose()?.flatten().unwrap_or(DVec3::X);
    let moves = !matches!(freedom, Freedom::Nothing | Freedom::All | Freedom::Ball);
    match axis.try_normalize() {
        Some(axis) => joint.axis = frame.turn * axis,
        None if moves => return Err(element.mistake("the axis must not be zero")),
        None => {}
    }
    let place = element.place();
    if let Some(limit) = element.one("limit") {
        let read = |name: &str| limit.number(name);
        let (lower, upper) = (read("lower")?, read("upper")?);
        let bounded = matches!(kind, "revolute" | "prismatic");
        if bounded {
            let (lower, upper) = (lower.unwrap_or(0.0), upper.unwrap_or(0.0));
            if lower > upper {
                return Err(element.mistake(format!("the lower limit, {lower}, is above the upper one, {upper}")));
            }
            joint.limit = Some((lower, upper));
            if !(lower..=upper).contains(&0.0) {
                let what = "the pose of the file, zero, is outside its limits; they push it inside";
                report.note(place, element.title(), what);
            }
        } else if lower.is_some() || upper.is_some() {
            report.note(place, element.title(), format!("a {kind} joint has no limits; those given are left out"));
        }
        joint.effort = read("effort")?.filter(|effort| *effort > 0.0);
        if read("velocity")?.is_some() {
            report.note(
                limit.place(),
                "`velocity` of <limit>",
                "a joint has no limit on its speed here; it is left out",
            );
        }
    }
    if let Some(dynamics) = element.one("dynamics") {
        joint.damping = dynamics.number("damping")?.unwrap_or(0.0);
        joint.friction = dynamics.number("friction")?.unwrap_or(0.0);
        for (name, value) in [("damping", &mut joint.damping), ("friction", &mut joint.friction)] {
            if *value < 0.0 {
                report.note(place, element.title(), format!("a negative {name}, {value}, is taken as 0"));
                *value = 0.0;
            }
        }
    }
    Ok(joint)
}
