//! Checks of a body's own fields, of shapes and of surfaces.

use delassus_physics::quantity;
use delassus_physics::refuse;
use delassus_physics::shape::{Shape, ShapePart};
use glam::Vec3;

use super::motion;
use super::value::{direction, number, vector};
use crate::materials::Materials;
use crate::report::{DocPath, Report};
use crate::types::{Body, Motion, Softness};

/// Maximum number of a hull's points.
pub const MAX_HULL_POINTS: usize = 1000;

/// Checks everything of a body except its name; true if it can be made.
pub(crate) fn body(body: &Body, materials: &Materials<'_>, place: &DocPath, report: &mut Report) -> bool {
    let before = report.mistakes.len();
    // Fields are listed by name so that a new field must be checked here.
    let Body {
        name: _,
        shape: of,
        at,
        rotation,
        motion,
        mass,
        density,
        mass_centre,
        inertia,
        velocity,
        angular_velocity,
        material,
        friction,
        restitution,
        rolling,
        soft,
        collide: _,
        // Any sets of groups are allowed.
        groups: _,
        mask: _,
        mover,
        forces,
        drag,
        // Checked in `freedom`.
        particle: _,
        plane: _,
    } = body;
    shape(of, &place.field("shape"), report);
    vector(*at, &quantity::PLACE, &place.field("at"), "at", report);
    vector(*velocity, &quantity::VELOCITY, &place.field("velocity"), "velocity", report);
    vector(*angular_velocity, &quantity::SPIN, &place.field("angular_velocity"), "angular velocity", report);
    if let Err(what) = rotation.quat() {
        report.add(&place.field("rotation"), what);
    }
    number("mass", *mass, &quantity::MASS, place, report);
    number("density", *density, &quantity::DENSITY, place, report);
    if mass.is_some() && density.is_some() {
        report.add(&place.field("density"), "give mass or density, not both");
    }
    if let Some(centre) = mass_centre {
        vector(*centre, &quantity::PLACE, &place.field("mass_centre"), "mass_centre", report);
    }
    match inertia.as_ref().and_then(refuse::inertia) {
        Some(("", what)) => report.add(&place.field("inertia"), what),
        Some((field, what)) => report.add(&place.field("inertia").field(field), what),
        None => {}
    }
    for (name, value) in [("velocity", *velocity), ("angular_velocity", *angular_velocity)] {
        if *motion == Motion::Static && value != Vec3::ZERO {
            report.add(
                &place.field(name),
                format!("a static body has no `{name}`; one with `motion: Kinematic` moves by its own"),
            );
        }
    }
    if let Some(name) = material
        && materials.get(name).is_none()
        && !report.full()
    {
        let hint = materials.hint(name);
        report.add(&place.field("material"), format!("no material is called `{name}`{hint}"));
    }
    surface(*friction, *restitution, *rolling, place, report);
    spring(*soft, place, report);
    freedom(body, place, report);
    if let Some(mover) = mover {
        motion::mover(mover, body, &place.field("mover"), report);
    }
    motion::forces(forces, &place.field("forces"), report);
    motion::drag(*drag, &place.field("drag"), report);
    report.mistakes.len() == before && !report.full()
}

/// Checks the restrictions of a body's motion: a particle does not rotate, a plane restricts velocity and rotation.
fn freedom(body: &Body, place: &DocPath, report: &mut Report) {
    for (name, given) in [("particle", body.particle), ("plane", body.plane.is_some())] {
        if given && body.motion != Motion::Dynamic {
            report.add(&place.field(name), format!("only a dynamic body has `{name}`"));
        }
    }
    if body.particle && body.inertia.is_some() {
        report.add(&place.field("inertia"), "a particle has no inertia");
    }
    if body.particle && body.angular_velocity != Vec3::ZERO {
        report.add(&place.field("angular_velocity"), "a particle does not rotate");
    }
    direction(body.plane, &place.field("plane"), "plane", report);
    let Some(normal) = body.plane.and_then(Vec3::try_normalize) else { return };
    if normal.dot(body.velocity).abs() > 1e-4 * body.velocity.length() {
        report.add(&place.field("velocity"), "the velocity must lie in the body's plane");
    }
    if normal.cross(body.angular_velocity).length() > 1e-4 * body.angular_velocity.length() {
        report.add(&place.field("angular_velocity"), "a body in a plane turns about the plane's normal only");
    }
}

fn shape(shape: &Shape, place: &DocPath, report: &mut Report) {
    if let Shape::Hull { points } = shape {
        if points.len() > MAX_HULL_POINTS {
            let what = format!("a hull has at most {MAX_HULL_POINTS} points, not {}", points.len());
            return report.add(&place.field("points"), what);
        }
        let points_at = place.field("points");
        for (i, p) in points.iter().enumerate() {
            if !p.to_array().into_iter().all(|v| quantity::PLACE.accepts(v)) {
                return vector(*p, &quantity::PLACE, &points_at.item(i), "a point", report);
            }
        }
    }
    if let Shape::Compound { parts } = shape {
        return compound(parts, place, report);
    }
    if let Some((field, what)) = refuse::shape(shape) {
        report.add(&place.field(field), what);
    }
}

fn compound(parts: &[ShapePart], place: &DocPath, report: &mut Report) {
    if let Some((field, what)) = refuse::part_count(parts) {
        return report.add(&place.field(field), what);
    }
    let list = place.field("parts");
    for (number, part) in parts.iter().enumerate() {
        let place = list.item(number);
        match refuse::part(part) {
            Some((field, what)) => report.add(&place.field(field), what),
            None => shape(&part.shape, &place.field("shape"), report),
        }
    }
}

pub(super) fn surface(
    friction: Option<f32>,
    restitution: Option<f32>,
    rolling: Option<f32>,
    place: &DocPath,
    report: &mut Report,
) {
    number("friction", friction, &quantity::FRICTION, place, report);
    number("restitution", restitution, &quantity::RESTITUTION, place, report);
    number("rolling", rolling, &quantity::LEVER, place, report);
}

/// Checks the spring of a soft surface.
pub(super) fn spring(soft: Option<Softness>, place: &DocPath, report: &mut Report) {
    if let Some((field, what)) = soft.and_then(refuse::softness) {
        report.add(&place.field("soft").field(field), what);
    }
}
