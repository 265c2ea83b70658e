//! The inspector's fields of a body's entry, and of a pattern's template.

use egui::{Ui, vec2};
use glam::Vec3;

use crate::editor::form::spring_fields::{self, SpringHint};
use crate::editor::form::{self, COEFFICIENT, DIRECTION, DragRange, Form, LEVER, PLACE, SPEED, SPIN, UNIT};
use crate::editor::form::{force_fields, group_fields, mass_fields, mover_fields, rotation_fields, shape_fields};
use crate::editor::tools::spawn::MOTIONS;
use crate::request::Request;
use crate::widgets::Segment;
use crate::widgets::{self, refusals, theme};
use delassus_physics::quantity;
use delassus_physics::shape::Shape;
use delassus_scene::{Body, DENSITY, FRICTION, List, Material, Motion, Softness};
use delassus_session::{BodyView, Command, Edit, Gesture};

/// The volume of a shape, m³.
pub fn volume(shape: &Shape) -> f32 {
    shape.solid().map_or(0.0, |solid| solid.volume)
}

/// Draws all fields of an entry except its name. `volume` is that of its shape, m³; `now` is the body in the running
/// world.
pub fn body(
    ui: &mut Ui,
    form: &mut Form<'_>,
    body: &mut Body,
    volume: f32,
    materials: &List<Material>,
    now: Option<&BodyView>,
) {
    // Destructured by name, so that a new field does not compile without a row. The row of the name is drawn above.
    let Body {
        name: _,
        shape,
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
        collide,
        groups,
        mask,
        particle,
        plane,
        mover,
        forces,
        drag,
    } = body;
    ui.spacing_mut().item_spacing.y = 3.0;
    form.choice(ui, ("Moves", "Motion"), "motion", motion, Some(Motion::Dynamic), &MOTIONS);
    shape_fields::rows(ui, form, shape);
    if *motion == Motion::Dynamic {
        mass_rows(ui, form, (mass, density), volume);
    }
    mass_fields::centre(ui, form, mass_centre, shape);
    if *motion == Motion::Dynamic && !*particle {
        let mass = mass.unwrap_or(density.unwrap_or(DENSITY) * volume);
        mass_fields::inertia(ui, form, inertia, shape, mass);
    }
    form.vector(ui, "At", "at", at, Some(Vec3::ZERO), &PLACE, now.map(|b| b.pose.position));
    rotation_fields::row(ui, form, rotation, ("Turned", "rotation"), now);
    if *motion != Motion::Static && mover.is_none() {
        let zero = Some(Vec3::ZERO);
        form.vector(ui, "Velocity", "velocity", velocity, zero, &SPEED, now.map(|b| b.velocity));
        if !*particle {
            let turns = now.map(|b| b.angular_velocity);
            form.vector(ui, "Spin", "angular_velocity", angular_velocity, zero, &SPIN, turns);
        }
    }
    if *motion == Motion::Kinematic {
        mover_fields::rows(ui, form, mover, (velocity, angular_velocity), *at);
    }
    // A body that nothing moves keeps its forces, so that they can be taken off.
    if *motion == Motion::Dynamic || !forces.is_empty() {
        force_fields::forces(ui, form, forces);
    }
    if *motion == Motion::Dynamic || drag.is_some() {
        force_fields::drag(ui, form, drag);
    }
    surface(ui, form, Surface { material, friction, restitution, rolling, soft }, materials);
    if *motion == Motion::Dynamic {
        form.switch(ui, "Particle", "particle", particle, Some(false), "A point mass: it does not rotate");
        form.optional(ui, ("In a plane", "In a plane"), "plane", plane, Vec3::Y, None);
        if let Some(normal) = plane {
            direction(ui, form, "  normal", "plane", normal);
        }
    }
    form.switch(ui, "Collides", "collide", collide, Some(true), "Whether it touches anything");
    if *collide {
        group_fields::rows(ui, form, groups, mask);
    }
    drop_impossible(body);
}

/// Removes properties that a body of this motion cannot have, so that a change of motion is never refused.
pub fn drop_impossible(body: &mut Body) {
    if body.motion != Motion::Kinematic {
        body.mover = None;
    }
    if body.motion != Motion::Dynamic {
        (body.particle, body.plane) = (false, None);
    }
    if body.motion == Motion::Static || body.mover.is_some() {
        (body.velocity, body.angular_velocity) = (Vec3::ZERO, Vec3::ZERO);
    }
    if body.particle {
        (body.angular_velocity, body.inertia) = (Vec3::ZERO, None);
    }
    if let Some(normal) = body.plane.and_then(Vec3::try_normalize) {
        let across = body.velocity.dot(normal);
        if across.abs() > 1e-4 * body.velocity.length() {
            body.velocity -= normal * across;
        }
        if normal.cross(body.angular_velocity).length() > 1e-4 * body.angular_velocity.length() {
            body.angular_velocity = normal * body.angular_velocity.dot(normal);
        }
    }
}

/// A direction. A zero vector is rejected.
pub(in crate::editor) fn direction(ui: &mut Ui, form: &mut Form<'_>, label: &str, path: &str, direction: &mut Vec3) {
    let before = *direction;
    form.vector(ui, label, path, direction, None, &DIRECTION, None);
    if direction.length_squared() < 1e-6 && *direction != before {
        refusals::add(ui.ctx(), format!("{} stays: a direction has a length above 0.", label.trim()));
        *direction = before;
    }
}

/// Requests an edit. All edits during one press of the mouse button are one entry of the history.
pub fn ask_from(ui: &Ui, edit: Edit, out: &mut Vec<Request>) {
    let press = ui.input(|i| i.pointer.press_start_time().filter(|_| i.pointer.primary_down()));
    let gesture = press.map(|t| Gesture::Drag(t.to_bits()));
    out.push(Request::Session(Command::Edit { edit, gesture }));
}

const MASS: DragRange = DragRange::of(quantity::MASS, 0.05).dragged(1e-6, 1e12);
const DENSE: DragRange = DragRange::of(quantity::DENSITY, 5.0).dragged(1e-3, 1e6);

/// Mass or density, with the other value beside it.
fn mass_rows(
    ui: &mut Ui,
    form: &mut Form<'_>,
    (own_mass, own_density): (&mut Option<f32>, &mut Option<f32>),
    volume: f32,
) {
    let density = own_density.unwrap_or(DENSITY);
    let items = [("value", "Give the mass directly"), ("density", "Give the density; the mass follows from the size")]
        .map(|(label, tip)| Segment::new(label, tip));
    let mut by_density = own_mass.is_none();
    form.row(ui, "Mass by", "mass", &mut by_density, None, |ui, by_density, mixed| {
        let selected = (!mixed("")).then_some(usize::from(*by_density));
        let chosen = ui.allocate_ui(vec2(ui.available_width(), theme::ROW_HEIGHT), |ui| {
            widgets::segments(ui, "Mass by", &items, selected)
        });
        *by_density = chosen.inner.map_or(*by_density, |index| index == 1);
        chosen.inner.is_some()
    });
    if by_density != own_mass.is_none() {
        (*own_mass, *own_density) = if by_density { (None, None) } else { (Some(density * volume), None) };
    }
    let aside = |ui: &mut Ui, words: String| {
        let weak = theme::colors(ui.visuals()).weak;
        ui.add(egui::Label::new(egui::RichText::new(words).small().color(weak)).truncate());
    };
    if let Some(mass) = own_mass {
        form.row(ui, "Mass", "mass", mass, None, |ui, mass, mixed| {
            let used = form::number(ui, mass, mixed(""), &MASS, "Mass").changed();
            aside(ui, format!("= {} kg/m³", form::written(significant(*mass / volume.max(1e-12)))));
            used
        });
    } else {
        let mut value = density;
        form.row(ui, "Density", "density", &mut value, Some(DENSITY), |ui, value, mixed| {
            let used = form::number(ui, value, mixed(""), &DENSE, "Density").changed();
            aside(ui, format!("= {} kg", form::written(significant(*value * volume))));
            used
        });
        if value != density {
            *own_density = Some(value).filter(|v| *v != DENSITY);
        }
    }
}

/// Rounds to four significant digits.
pub(super) fn significant(value: f32) -> f32 {
    if value == 0.0 || !value.is_finite() {
        return value;
    }
    let scale = 10f32.powi(3 - value.abs().log10().floor() as i32);
    (value * scale).round() / scale
}

/// The surface properties in a body's entry.
struct Surface<'a> {
    material: &'a mut Option<String>,
    friction: &'a mut Option<f32>,
    restitution: &'a mut Option<f32>,
    rolling: &'a mut Option<f32>,
    soft: &'a mut Option<Softness>,
}

/// The surface: the material's properties, and those that the body overrides.
fn surface(ui: &mut Ui, form: &mut Form<'_>, fields: Surface<'_>, materials: &List<Material>) {
    let Surface { material, friction, restitution, rolling, soft } = fields;
    let named: Vec<(Option<String>, &str)> = std::iter::once((None, "its own"))
        .chain(materials.iter().map(|m| (Some(m.name.clone()), m.name.as_str())))
        .collect();
    if !materials.is_empty() || material.is_some() {
        form.choice(ui, ("Material", "Material"), "material", material, Some(None), &named);
    }
    let used_material = material.as_ref().and_then(|name| materials.iter().find(|m| m.name == *name));
    let inherited = used_material.map_or((FRICTION, 0.0, 0.0), |m| (m.friction, m.restitution, m.rolling));
    for (label, path, value, default, range) in [
        ("Friction", "friction", friction, inherited.0, COEFFICIENT),
        ("Restitution", "restitution", restitution, inherited.1, UNIT),
        ("Rolling", "rolling", rolling, inherited.2, LEVER),
    ] {
        let mut shown = value.unwrap_or(default);
        let before = shown;
        form.number(ui, (label, label), path, &mut shown, Some(default), &range, None);
        if shown != before {
            // The material's own value is not repeated.
            *value = Some(shown).filter(|v| *v != default);
        }
    }
    let inherited = used_material.and_then(|m| m.soft);
    let label = if inherited.is_some() { "Soft of its own" } else { "Soft" };
    let begins = inherited.unwrap_or(Softness::of(5.0, 0.5));
    form.optional(ui, (label, "Soft surface"), "soft", soft, begins, None);
    if let Some(soft) = soft {
        spring_fields::softness(ui, form, "soft", soft, SpringHint::LINEAR);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use delassus_scene::Mover;

    #[test]
    fn what_a_body_cannot_have_goes_when_it_changes_its_motion() {
        let mut body = Body::new("b", Shape::Sphere { radius: 1.0 }, Vec3::ZERO);
        (body.velocity, body.angular_velocity, body.particle) = (Vec3::ONE, Vec3::X, true);
        drop_impossible(&mut body);
        assert_eq!((body.velocity, body.angular_velocity), (Vec3::ONE, Vec3::ZERO), "a particle does not rotate");
        (body.plane, body.particle, body.angular_velocity) = (Some(2.0 * Vec3::Y), false, Vec3::ONE);
        drop_impossible(&mut body);
        assert_eq!((body.velocity, body.angular_velocity), (Vec3::new(1.0, 0.0, 1.0), Vec3::Y));
        body.motion = Motion::Kinematic;
        body.mover = Some(Mover::Constant { velocity: Vec3::X, angular_velocity: Vec3::ZERO });
        drop_impossible(&mut body);
        assert!(body.plane.is_none() && body.velocity == Vec3::ZERO && body.mover.is_some());
        body.motion = Motion::Static;
        drop_impossible(&mut body);
        assert!(body.mover.is_none());
    }
}
