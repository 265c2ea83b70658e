//! Masses of links that move and have none, and inertias that no body has.

use glam::{DMat3, DVec3};

use crate::inertia;
use crate::model::{Freedom, Joint, Link, Mass, Model};
use crate::report::Report;

/// Density of a link with shapes and no mass, kg/m³: MuJoCo's, that of water.
pub const DENSITY: f64 = 1000.0;
/// The share of the mass that it carries which a link without mass and shape has.
const SHARE: f64 = 1e-6;
/// The same share if the next link turns on it, and that of the inertia: far less, and solvers in 32 bits lose the link.
const TURNING: f64 = 1e-2;
/// The share of the inertia where a spring or a servo acts on the link: it makes a light one tremble.
const SPRUNG: f64 = 0.1;
/// The least mass of a body, kg.
const MIN_MASS: f64 = 1e-6;
/// The mass of a link that carries nothing and has no shape, kg.
const FRAME: f64 = 1e-3;

/// Gives every moving link a mass and an inertia. `held` if every joint is to have a servo.
pub fn complete(model: &mut Model, held: bool, report: &Report) {
    for number in (0..model.links.len()).rev() {
        if model.links[number].fixed {
            continue;
        }
        let title = format!("link `{}`", model.links[number].name);
        let place = model.links[number].place;
        if model.links[number].mass.is_none() {
            let mass = of_shapes(&model.links[number]);
            if let Some(mass) = mass {
                report.note(
                    place,
                    title.clone(),
                    format!("has no mass: {:.4} kg, its shapes at {DENSITY} kg/m³", mass.mass),
                );
            }
            model.links[number].mass = Some(match mass {
                Some(mass) => mass,
                None => {
                    model.links[number].light = true;
                    light(model, number, held, report)
                }
            });
        }
    }
    for link in model.links.iter_mut().filter(|link| !link.fixed) {
        let (title, place) = (format!("link `{}`", link.name), link.place);
        let Some(mass) = &mut link.mass else { continue };
        if mass.mass < MIN_MASS {
            report.note(place, title.clone(), format!("its mass, {} kg, is raised to {MIN_MASS} kg", mass.mass));
            mass.mass = MIN_MASS;
        }
        match inertia::repair(mass.inertia) {
            Some((repaired, said)) => {
                mass.inertia = repaired;
                if let Some(said) = said {
                    report.note(place, title, said);
                }
            }
            None => {
                mass.inertia = DMat3::ZERO;
                report.note(place, title, "has no inertia: that of its shape at even density is used");
            }
        }
    }
}

/// The mass of a link's shapes, of those that touch if there are any.
fn of_shapes(link: &Link) -> Option<Mass> {
    let touching = link.shapes.iter().any(|shape| shape.collides);
    let shapes = link.shapes.iter().filter(|shape| shape.collides == touching);
    shapes.filter_map(|shape| shape.form.mass(&shape.frame, None, DENSITY)).reduce(|a, b| inertia::sum(&a, &b))
}

/// The mass of a link that has neither mass nor shape, such as one between two joints of a body.
///
/// Where the next link turns on it, it takes a share of that link's mass at the point about which it turns, which is
/// fixed in both: the two together have the mass and the mass centre that the next link had in every pose, and in the
/// model's pose its inertia. With a spring or a servo that share is large, and a hinge between the two gets its part of
/// the inertia back as an armature: otherwise it would swing too fast.
fn light(model: &mut Model, number: usize, held: bool, report: &Report) -> Mass {
    let own = &model.links[number];
    let (place, title, seen) = (own.place, format!("link `{}`", own.name), own.pose);
    let at = seen.origin;
    let is_on_it = |joint: &Joint| joint.parent == number && !joint.closes;
    let on_it: Vec<usize> = (0..model.joints.len()).filter(|joint| is_on_it(&model.joints[*joint])).collect();
    let turning = match on_it[..] {
        [joint] if matches!(model.joints[joint].freedom, Freedom::Turn | Freedom::Ball) => Some(joint),
        _ => None,
    };
    let sprung = |joint: &Joint| joint.spring.is_some() || joint.drive.is_some();
    let sprung =
        held || model.joints.iter().any(|joint| sprung(joint) && (joint.parent == number || joint.child == number));
    let share = if sprung { SPRUNG } else { TURNING };
    let (mut mass, mut moment) = (0.0, 0.0);
    for joint in on_it.iter().map(|joint| &model.joints[*joint]).filter(|joint| joint.freedom != Freedom::All) {
        let child = &model.links[joint.child];
        let Some(carried) = child.mass else { continue };
        let arm = child.pose.point(carried.centre) - at;
        let diagonal = carried.inertia.x_axis.x + carried.inertia.y_axis.y + carried.inertia.z_axis.z;
        mass += carried.mass;
        moment += diagonal / 3.0 + carried.mass * arm.length_squared();
    }
    if mass <= 0.0 {
        let what = format!("has neither mass nor shape: it gets {FRAME} kg");
        report.note(place, title, what);
        return Mass { mass: FRAME, centre: DVec3::ZERO, inertia: DMat3::from_diagonal(DVec3::splat(FRAME * 1e-4)) };
    }
    let taken = turning.and_then(|joint| {
        let joint = &mut model.joints[joint];
        let child = &mut model.links[joint.child];
        let whole = child.mass?;
        let centre = child.pose.inverse().point(joint.anchor);
        let part = Mass { mass: mass * TURNING, centre, inertia: whole.inertia * share };
        child.mass = Some(inertia::difference(&whole, &part));
        if sprung && joint.freedom == Freedom::Turn {
            // What the hinge's spring or servo no longer turns is given back to it.
            let axis = child.pose.turn.inverse() * joint.axis;
            joint.armature += axis.dot(part.inertia * axis);
        }
        Some(inertia::seen(&(seen.inverse() * child.pose), &part))
    });
    let own = Mass {
        mass: (SHARE * mass).max(MIN_MASS),
        centre: DVec3::ZERO,
        inertia: DMat3::from_diagonal(DVec3::splat(moment * share)),
    };
    let what = "links between the joints of a body get a small mass";
    report.note(place, "links without mass and shape", what);
    taken.unwrap_or(own)
}
