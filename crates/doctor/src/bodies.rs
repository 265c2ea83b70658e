//! Checks of single bodies: properties that single precision or the contacts cannot handle well.

use glam::Vec3;

use super::singular::singular_values;
use super::words::number;
use super::{DoctorCase, Finding, Fix, Rule, Severity, verdict};
use delassus_physics::collide::Contacts;
use delassus_physics::collide::manifold::Point;
use delassus_physics::inertia::Principal;
use delassus_physics::shape::Solid;

/// The largest ratio of principal moments of inertia that is not reported.
const SPREAD: f32 = 1e4;
/// The largest coordinate that is not reported, m: beyond it, positions have steps of more than 0.2 mm.
const FAR: f32 = 2048.0;
/// The largest overlap beyond the slop that is not reported, m. For small bodies the bound is a share of their size, as in
/// the verdict on a run.
const OVERLAP: f32 = 5e-3;

/// Checks all bodies, and how they overlap in `contacts`.
pub fn examine(case: &DoctorCase<'_>, contacts: &Contacts, found: &mut Vec<Finding>) {
    for (id, body) in case.world.state.bodies.iter().enumerate().skip(1) {
        let id = id as u32;
        let mut push = |rule, severity, what, cure: &str| {
            let (bodies, cure) = (vec![id], cure.into());
            found.push(Finding { rule, severity, bodies, joints: Vec::new(), what, cure, fix: None });
        };
        if body.is_dynamic() && body.inv_inertia_local != glam::Mat3::ZERO && case.plane(id).is_none() {
            let columns = [body.inertia_local.x_axis, body.inertia_local.y_axis, body.inertia_local.z_axis];
            let singular = singular_values(columns.map(|c| c.to_array().map(f64::from).to_vec()).to_vec());
            let (most, least) = (singular[0] as f32, singular[2] as f32);
            let what =
                format!("{} has principal inertias of {} to {} kg m²", case.body(id), number(least), number(most));
            if !(least > 0.0 && most.is_finite() && (1.0 / least).is_finite()) {
                push(
                    Rule::Inertia,
                    Severity::Error,
                    format!(
                        "{what}: single precision cannot divide by that, so the body does not rotate as it should."
                    ),
                    "Make it thicker, larger or heavier.",
                );
            } else if most > SPREAD * least {
                push(
                    Rule::Inertia,
                    Severity::Warning,
                    format!(
                        "{what}, {} to 1: the smallest push off its axis makes it spin fast, and joints at its ends \
                         are badly scaled.",
                        number(most / least)
                    ),
                    "Make it thicker, or split it into several shorter bodies.",
                );
            }
        }
        if let Some((what, cure)) = outside_of_shape(case, id) {
            push(Rule::Inertia, Severity::Note, what, cure);
        }
        let far = body.position.abs().max_element();
        if far > FAR {
            // The distance between neighbouring f32 numbers.
            let step = far * f32::EPSILON;
            push(
                Rule::Far,
                Severity::Warning,
                format!(
                    "{} is {} m from the origin, where single precision has steps of about {} mm: smaller errors can \
                     neither be seen nor corrected.",
                    case.body(id),
                    number(far),
                    number(1e3 * step)
                ),
                "Move the scene to the origin.",
            );
        }
    }
    overlaps(case, contacts, found);
}

/// Reports a given mass centre or inertia that no mass within the shape can have, and says what to do. If R is the distance
/// from the mass centre to the farthest point of the shape, no principal moment exceeds m R².
fn outside_of_shape(case: &DoctorCase<'_>, id: u32) -> Option<(String, &'static str)> {
    let body = &case.world.state.bodies[id as usize];
    let cure = "Leave it if the shape stands for a larger body; otherwise correct the value or the shape.";
    if !body.is_dynamic() {
        return None;
    }
    let by_value = body.solid.centre != body.solid.centroid;
    if by_value && !surrounds_its_mass_centre(&body.solid) {
        let what = format!("{} has its centre of mass outside its shape.", case.body(id));
        return Some((what, cure));
    }
    let most = Principal::of(&body.inertia_by_value()?).moments.z;
    let bound = body.mass * body.solid.radius * body.solid.radius;
    (most > bound).then(|| {
        let (most, bound) = (number(most), number(bound));
        let what = format!(
            "{} has a principal inertia of {most} kg m². With all its mass at the farthest point of its shape it would \
             be {bound} kg m².",
            case.body(id)
        );
        (what, cure)
    })
}

/// Whether the mass centre lies within the shape. For a compound, the box around its parts counts: the mass centre of a
/// ring is in its hole.
fn surrounds_its_mass_centre(solid: &Solid) -> bool {
    let centre = solid.offset.inverse() * Vec3::ZERO;
    if solid.pieces.is_empty() {
        solid.geometry.project_local_point(centre, true).is_inside
    } else {
        solid.geometry.compute_local_aabb().contains_local_point(centre)
    }
}

/// Bodies that overlap.
fn overlaps(case: &DoctorCase<'_>, contacts: &Contacts, found: &mut Vec<Finding>) {
    let world = case.world;
    let (settings, h) = (&world.settings, world.settings.h());
    for (a, b, manifold) in contacts.manifolds() {
        let depth = manifold.points.iter().map(|p: &Point| -p.separation).fold(0.0, f32::max);
        let diameters = [a, b]
            .map(|end| &world.state.bodies[end as usize])
            .map(|body| if body.is_dynamic() { 2.0 * body.solid.radius } else { f32::INFINITY });
        if depth <= manifold.slop + OVERLAP.min(verdict::OVERLAP * diameters[0].min(diameters[1])) {
            continue;
        }
        let speed = (depth / h).min(settings.contact.max_push);
        let (body, by) =
            if world.state.bodies[b as usize].is_dynamic() { (b, manifold.normal) } else { (a, -manifold.normal) };
        let by: Vec3 = by * depth;
        found.push(Finding {
            rule: Rule::Overlap,
            severity: Severity::Warning,
            bodies: vec![body, if body == a { b } else { a }],
            joints: Vec::new(),
            what: format!(
                "{} and {} overlap by {} mm at the start: they will be pushed apart at up to {} m/s.",
                case.body(a),
                case.body(b),
                number(1e3 * depth),
                number(speed)
            ),
            cure: "Move them apart, or keep them from colliding, by a joint between them or `collide: false`.".into(),
            fix: Some(Fix::Move { body, by }),
        });
    }
}
