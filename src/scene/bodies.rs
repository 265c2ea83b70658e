//! Bodies: a template checked once, stamped as often as its pattern wants.

use std::sync::Arc;

use glam::{Quat, Vec3};

use super::check;
use super::expand::{FlatBody, Frame, Layout, Origin};
use super::report::{Place, Report};
use super::types::{Body, DENSITY, FRICTION, Material, Motion};
use crate::physics::shape::{Shape, Solid};

/// A body without its place and name.
#[derive(Clone)]
pub(super) struct Template {
    pub solid: Arc<Solid>,
    /// Of the shape's origin, in the document's frame.
    pub at: Vec3,
    pub rotation: Quat,
    pub motion: Motion,
    velocity: Vec3,
    spin: Vec3,
    mass: f32,
    friction: f32,
    restitution: f32,
    rolling: f32,
    collide: bool,
}

/// The least and greatest mass, kg: beyond, single precision loses the impulses.
pub const MASSES: (f32, f32) = (1e-6, 1e12);

impl Layout {
    /// Checks a body and makes a template of it; nothing if it is wrong.
    pub fn template(
        &mut self,
        body: &Body,
        materials: &[Material],
        place: &Place,
        report: &mut Report,
    ) -> Option<Template> {
        if !check::body(body, materials, place, report) {
            return None;
        }
        let Some(solid) = self.solid(&body.shape) else {
            report.add(&place.field("shape"), "the shape is too large, too small or too thin to have a mass");
            return None;
        };
        let mass = body.mass.unwrap_or_else(|| body.density.unwrap_or(DENSITY) * solid.volume);
        let (least, most) = MASSES;
        // An immovable body's mass does not matter, nor does the size of a floor.
        if body.motion == Motion::Dynamic && !(mass >= least && mass <= most) {
            let field = if body.mass.is_some() { "mass" } else { "density" };
            report.add(&place.field(field), format!("the mass must be {least} to {most} kg, not {mass}"));
            return None;
        }
        let material = body.material.as_ref().and_then(|name| materials.iter().find(|m| m.name == *name));
        Some(Template {
            solid,
            at: body.at,
            rotation: body.rotation.quat().ok()?,
            motion: body.motion,
            velocity: body.velocity,
            spin: body.spin,
            mass,
            friction: body.friction.or(material.map(|m| m.friction)).unwrap_or(FRICTION),
            restitution: body.restitution.or(material.map(|m| m.restitution)).unwrap_or_default(),
            rolling: body.rolling.or(material.map(|m| m.rolling)).unwrap_or_default(),
            collide: body.collide,
        })
    }

    /// The solid of a shape, the same one for equal shapes.
    fn solid(&mut self, shape: &Shape) -> Option<Arc<Solid>> {
        let make = || shape.solid().map(Arc::new);
        self.solids.entry(key(shape)).or_insert_with(make).clone()
    }

    /// Adds a body: the template moved by `shift` in the frame. Its index in the world, if there was room for it.
    #[expect(clippy::too_many_arguments, reason = "a body's identity, place and template are given apart on purpose")]
    pub fn body(
        &mut self,
        template: &Template,
        name: String,
        frame: &Frame,
        shift: Vec3,
        origin: Origin,
        place: &Place,
        report: &mut Report,
    ) -> Option<u32> {
        if !self.claim(&name, place, report) {
            return None;
        }
        let rotation = (frame.rotation * template.rotation).normalize();
        let position = frame.point(template.at + shift) + rotation * template.solid.centre;
        self.flat.bodies.push(FlatBody {
            name,
            origin,
            solid: template.solid.clone(),
            position,
            rotation,
            velocity: frame.rotation * template.velocity,
            spin: frame.rotation * template.spin,
            motion: template.motion,
            mass: template.mass,
            friction: template.friction,
            restitution: template.restitution,
            rolling: template.rolling,
            collide: template.collide,
        });
        Some(self.flat.bodies.len() as u32)
    }
}

/// A shape's numbers bit by bit.
fn key(shape: &Shape) -> Vec<u32> {
    let mut key = Vec::new();
    let mut push = |kind: u32, numbers: &[f32]| {
        key.push(kind);
        key.extend(numbers.iter().map(|v| v.to_bits()));
    };
    match shape {
        Shape::Box { half } => push(0, &half.to_array()),
        Shape::Sphere { radius } => push(1, &[*radius]),
        Shape::Capsule { radius, half_length } => push(2, &[*radius, *half_length]),
        Shape::Cylinder { radius, half_length } => push(3, &[*radius, *half_length]),
        Shape::Hull { points } => {
            let numbers: Vec<f32> = points.iter().flat_map(|p| p.to_array()).collect();
            push(4, &numbers);
        }
    }
    key
}
