//! Masses of links that move and have none, and inertias that no body has.

use glam::{DMat3, DVec3};

use crate::inertia;
use crate::model::{Freedom, Link, Mass, Model};
use crate::report::Report;

/// Density of a link with shapes and no mass, kg/m³: MuJoCo's, that of water.
pub const DENSITY: f64 = 1000.0;
/// The share of the mass that it carries which a link between two joints of one place has.
const SHARE: f64 = 1e-6;
/// The least mass of a body, kg.
const LEAST: f64 = 1e-6;
/// The mass of a link that carries nothing and has no shape, kg.
const FRAME: f64 = 1e-3;

/// Gives every moving link a mass and an inertia.
pub fn complete(model: &mut Model, report: &Report) {
    for number in (0..model.links.len()).rev() {
        if model.links[number].fixed {
            continue;
        }
        let title = format!("link `{}`", model.links[number].name);
        let place = model.links[number].place;
        if model.links[number].mass.is_none() {
            let mass = of_shapes(&model.links[number]);
            if let Some(mass) = mass {
                report.note(place, title.clone(), format!("has no mass: {:.4} kg, its shapes at {DENSITY} kg/m³", mass.mass));
            }
            model.links[number].mass = Some(mass.unwrap_or_else(|| light(model, number, report)));
        }
        let link = &mut model.links[number];
        let Some(mass) = &mut link.mass else { continue };
        if mass.mass < LEAST {
            report.note(place, title.clone(), format!("its mass, {} kg, is raised to {LEAST} kg", mass.mass));
            mass.mass = LEAST;
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
                report.note(place, title, "has no inertia: that of its shape at even density is taken");
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

/// A mass that hardly counts, for a link that has neither mass nor shape.
fn light(model: &Model, number: usize, report: &Report) -> Mass {
    let link = &model.links[number];
    let carried = model.joints.iter().filter(|joint| joint.parent == number && !joint.closes);
    let carried: Vec<(f64, f64)> = carried
        .filter(|joint| joint.freedom != Freedom::All)
        .filter_map(|joint| {
            let child = &model.links[joint.child];
            let Mass { mass, centre, inertia } = child.mass?;
            let arm = child.pose.point(centre) - link.pose.origin;
            let mean = (inertia.x_axis.x + inertia.y_axis.y + inertia.z_axis.z) / 3.0;
            Some((mass, mean + mass * arm.length_squared()))
        })
        .collect();
    let (mass, moment) = carried.iter().fold((0.0, 0.0), |(m, i), (mass, moment)| (m + mass, i + moment));
    let (mass, moment) = match mass > 0.0 {
        true => ((SHARE * mass).max(LEAST), moment * (SHARE.max(LEAST / mass))),
        false => (FRAME, FRAME * 1e-4),
    };
    let what = format!("has neither mass nor shape: it gets {mass:.2e} kg");
    report.note(link.place, format!("link `{}`", link.name), what);
    Mass { mass, centre: DVec3::ZERO, inertia: DMat3::from_diagonal(DVec3::splat(moment)) }
}
