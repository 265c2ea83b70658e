//! Bodies: a template is checked once and placed as often as its pattern requires.

use std::sync::Arc;

use glam::Vec3;

use super::check;
use super::expand::{DocumentFrame, Expander, FlatBody, Origin};
use super::materials::Materials;
use super::report::{DocPath, Report};
use super::types::{self, Body, CollisionFilter, DENSITY, Motion};
use delassus_physics::body::{BodyDef, Material};
use delassus_physics::shape::{Shape, Solid};

/// A checked body without a name: its definition in the document's frame, with the position of the shape's origin.
#[derive(Clone)]
pub(super) struct BodyTemplate {
    pub def: BodyDef,
}

/// Minimum and maximum mass, kg: beyond these, impulses are lost in single precision.
pub const MASSES: (f32, f32) = (1e-6, 1e12);

/// Minimum thickness of a shape relative to its radius. Coordinates have seven digits; if the sides of a needle
/// coincide, GJK panics on the degenerate simplex.
const THINNEST: f32 = 1e-6;

impl Expander {
    /// Checks a body and makes a template of it; `None` if it has mistakes.
    pub fn template(
        &mut self,
        body: &Body,
        materials: &Materials<'_>,
        place: &DocPath,
        report: &mut Report,
    ) -> Option<BodyTemplate> {
        if !check::body(body, materials, place, report) {
            return None;
        }
        // Fields are listed by name so that a new field must be used here.
        let Body {
            name: _,
            shape,
            at,
            rotation,
            motion,
            mass: _,
            density: _,
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
        let Some(solid) = self.solid(shape, *mass_centre) else {
            report.add(&place.field("shape"), "the shape is too large, too small or too thin to have a mass");
            return None;
        };
        if solid.thickness < THINNEST * solid.radius {
            report.add(&place.field("shape"), "the shape is thinner than a millionth of its size");
            return None;
        }
        let mass = body.mass.unwrap_or_else(|| body.density.unwrap_or(DENSITY) * solid.volume);
        let (least, most) = MASSES;
        // The mass of an immovable body, such as a large floor, does not matter.
        if *motion == Motion::Dynamic && !(mass >= least && mass <= most) {
            let field = if body.mass.is_some() { "mass" } else { "density" };
            report.add(&place.field(field), format!("the mass must be {least:e} to {most:e} kg, not {mass:e}"));
            return None;
        }
        // In 64 bits, because the determinant grows with the sixth power of the size.
        let inertia = inertia.map(|inertia| inertia.matrix());
        let inverse = || match inertia {
            Some(inertia) => inertia.as_dmat3().inverse().as_mat3(),
            None => (solid.unit_inertia.as_dmat3() * f64::from(mass)).inverse().as_mat3(),
        };
        if *motion == Motion::Dynamic && !inverse().is_finite() {
            if inertia.is_some() {
                report.add(&place.field("inertia"), "the inertia is too small for a division in single precision");
                return None;
            }
            report.add(&place.field("shape"), "the shape is too small or too thin to have a moment of inertia");
            return None;
        }
        let named = material.as_ref().and_then(|name| materials.get(name));
        let plain = &types::Material::default();
        let types::Material {
            name: _,
            friction: of_friction,
            restitution: of_restitution,
            rolling: of_rolling,
            soft: of_soft,
        } = named.unwrap_or(plain);
        let material = Material {
            friction: friction.unwrap_or(*of_friction),
            restitution: restitution.unwrap_or(*of_restitution),
            rolling: rolling.unwrap_or(*of_rolling),
            soft: soft.or(*of_soft),
        };
        Some(BodyTemplate {
            def: BodyDef {
                solid,
                position: *at,
                rotation: rotation.quat().ok()?,
                velocity: *velocity,
                angular_velocity: *angular_velocity,
                motion: *motion,
                mass,
                inertia,
                material,
                collide: *collide,
                filter: CollisionFilter { groups: *groups, mask: *mask },
                particle: *particle,
                plane: plane.map(Vec3::normalize),
                mover: mover.clone(),
                forces: forces.clone(),
                drag: *drag,
            },
        })
    }

    /// The solid of a shape, with its centre of mass where even density puts it or as given, m, shape's frame; equal
    /// shapes with equal centres share one solid.
    fn solid(&mut self, shape: &Shape, centre: Option<Vec3>) -> Option<Arc<Solid>> {
        let solid = || match centre {
            Some(centre) => shape.solid().map(|solid| solid.about(centre)),
            None => shape.solid(),
        };
        self.solids.entry(key(shape, centre)).or_insert_with(|| solid().map(Arc::new)).clone()
    }

    /// Adds a body: the template moved by `shift` in the frame, m. Returns its number in the world, if there was
    /// room.
    #[expect(clippy::too_many_arguments, reason = "a body's identity, place and template are given apart on purpose")]
    pub fn body(
        &mut self,
        template: &BodyTemplate,
        name: Arc<str>,
        frame: &DocumentFrame,
        shift: Vec3,
        origin: Origin,
        place: &DocPath,
        report: &mut Report,
    ) -> Option<u32> {
        if !self.claim(&name, place, report) {
            return None;
        }
        Some(self.push_body(FlatBody { name, origin, def: template.placed(frame, shift) }))
    }
}

impl BodyTemplate {
    /// The body moved by `shift` in the frame, m; its position is that of the centre of mass, world frame.
    pub fn placed(&self, frame: &DocumentFrame, shift: Vec3) -> BodyDef {
        // Fields are listed by name so that a new field must be transformed here.
        let BodyDef {
            solid,
            position,
            rotation,
            velocity,
            angular_velocity,
            motion,
            mass,
            inertia,
            material,
            collide,
            filter,
            particle,
            plane,
            mover,
            forces,
            drag,
        } = self.def.clone();
        let rotation = (frame.rotation * rotation).normalize();
        // From the shape's origin to the centre of mass.
        let centre = rotation * solid.centre;
        let place = |origin: Vec3| frame.point(origin + shift) + centre;
        let forces = forces.iter().map(|force| force.carried(|v| frame.rotation * v, -solid.centre)).collect();
        BodyDef {
            solid,
            position: place(position),
            rotation,
            velocity: frame.rotation * velocity,
            angular_velocity: frame.rotation * angular_velocity,
            motion,
            mass,
            inertia,
            material,
            collide,
            filter,
            particle,
            plane: plane.map(|normal| frame.rotation * normal),
            mover: mover.map(|mover| mover.carried(|v| frame.rotation * v, place)),
            forces,
            drag,
        }
    }
}

/// A key for a shape and a centre of mass: the bits of their numbers.
fn key(shape: &Shape, centre: Option<Vec3>) -> Vec<u32> {
    let mut key = Vec::new();
    push_shape(&mut key, shape);
    if let Some(centre) = centre {
        push(&mut key, 5, &centre.to_array());
    }
    key
}

fn push(key: &mut Vec<u32>, kind: u32, numbers: &[f32]) {
    key.push(kind);
    key.extend(numbers.iter().map(|v| v.to_bits()));
}

fn push_shape(key: &mut Vec<u32>, shape: &Shape) {
    match shape {
        Shape::Box { half } => push(key, 0, &half.to_array()),
        Shape::Sphere { radius } => push(key, 1, &[*radius]),
        Shape::Capsule { radius, half_length } => push(key, 2, &[*radius, *half_length]),
        Shape::Cylinder { radius, half_length } => push(key, 3, &[*radius, *half_length]),
        Shape::Hull { points } => {
            push(key, 4, &[]);
            key.push(points.len() as u32);
            key.extend(points.iter().flat_map(|p| p.to_array()).map(f32::to_bits));
        }
        Shape::Compound { parts } => {
            push(key, 6, &[]);
            key.push(parts.len() as u32);
            for part in parts {
                push_shape(key, &part.shape);
                let turn = part.rotation.quat().unwrap_or_default().to_array();
                key.extend(part.at.to_array().into_iter().chain(turn).map(f32::to_bits));
            }
        }
    }
}
