//! Bodies: pose, velocity and mass properties. A body's frame has its origin at the centre of mass and its shape's
//! axes.

use std::sync::Arc;

use glam::{Mat3, Quat, Vec3};
use parry3d::math::Pose;
use serde::{Deserialize, Serialize};

use super::mover::Mover;
use super::shape::Solid;
use super::softness::Softness;
pub use super::velocity::Velocity;

/// What moves a body.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Motion {
    /// Nothing.
    Static,
    /// Its own velocity, whatever pushes against it.
    Kinematic,
    /// Forces and impulses.
    #[default]
    Dynamic,
}

/// How a surface touches. A pair's values are mixed by the setting `contact.mix`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Material {
    /// Coulomb's coefficient.
    pub friction: f32,
    /// Share of the approach speed that is given back.
    pub restitution: f32,
    /// Rolling friction, a length in m: the lever by which a load resists rolling.
    pub rolling: f32,
    /// A spring in place of a rigid surface; of two, the slower one.
    pub soft: Option<Softness>,
}

impl Default for Material {
    fn default() -> Self {
        Self { friction: 0.5, restitution: 0.0, rolling: 0.0, soft: None }
    }
}

/// A body to be added to a world; world frame.
#[derive(Clone)]
pub struct BodyDef {
    pub solid: Arc<Solid>,
    /// Centre of mass, m.
    pub position: Vec3,
    pub rotation: Quat,
    /// m/s, of the centre of mass.
    pub velocity: Vec3,
    /// rad/s.
    pub angular_velocity: Vec3,
    pub motion: Motion,
    /// kg; positive where `motion` is dynamic.
    pub mass: f32,
    pub material: Material,
    /// Whether it touches anything.
    pub collide: bool,
    /// A point mass: it does not turn, whatever its shape.
    pub particle: bool,
    /// The unit normal of the plane in which it stays, if it does: see [`super::confine`].
    pub plane: Option<Vec3>,
    /// The law of its velocity, for a kinematic body: see [`super::mover`].
    pub mover: Option<Mover>,
}

impl BodyDef {
    /// A body at rest, dynamic, 1 kg, its axes those of the world, with its centre of mass at `position`, m.
    pub fn new(solid: Arc<Solid>, position: Vec3) -> Self {
        Self {
            solid,
            position,
            rotation: Quat::IDENTITY,
            velocity: Vec3::ZERO,
            angular_velocity: Vec3::ZERO,
            motion: Motion::Dynamic,
            mass: 1.0,
            material: Material::default(),
            collide: true,
            particle: false,
            plane: None,
            mover: None,
        }
    }
}

/// The inertia that the solver sees where it is not the body's own: see [`super::geometric`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Apparent {
    /// Whether it is shown now: the room for it stays.
    shown: bool,
    /// kg, and its inverse.
    pub mass: f32,
    pub inv_mass: f32,
    /// World axes, kg m², and its inverse.
    pub inertia: Mat3,
    pub inv_inertia: Mat3,
}

/// A body in a world.
#[derive(Clone)]
pub struct Body {
    /// Centre of mass, world frame, m.
    pub position: Vec3,
    pub rotation: Quat,
    /// Zero where the body is not moved by impulses.
    pub inv_mass: f32,
    /// Inverse inertia about the centre of mass, world axes; zero likewise.
    pub inv_inertia: Mat3,
    /// The same in the body's axes.
    pub inv_inertia_local: Mat3,
    /// Inertia in the body's axes, kg m².
    pub inertia_local: Mat3,
    /// kg.
    pub mass: f32,
    pub motion: Motion,
    pub collide: bool,
    /// Neither the inverse inertia nor the angular velocity changes with rotation: all principal inertias are equal, or
    /// it turns about one axis of the world at most.
    pub isotropic: bool,
    pub material: Material,
    pub solid: Arc<Solid>,
    /// Where the solver has been shown another inertia; see [`Self::seen`].
    apparent: Option<Box<Apparent>>,
}

/// The inverse inertia of a body that turns about `axis` only: a aᵀ/(aᵀ I a).
fn about(axis: Vec3, inertia: &Mat3) -> Mat3 {
    let moment = axis.dot(*inertia * axis);
    Mat3::from_cols(axis * axis.x, axis * axis.y, axis * axis.z) * (1.0 / moment)
}

/// The inverse of an inertia, in 64 bits: its determinant is a sixth power of a size times the third of a mass. Zero, a
/// body that does not turn, where 32 bits cannot hold it.
fn inverse(inertia: &Mat3) -> Mat3 {
    let inverse = inertia.as_dmat3().inverse().as_mat3();
    if inverse.is_finite() { inverse } else { Mat3::ZERO }
}

impl Body {
    /// Makes a body of its definition.
    pub fn new(def: BodyDef) -> Self {
        let dynamic = def.motion == Motion::Dynamic;
        let turns = dynamic && !def.particle;
        let inertia_local = def.solid.unit_inertia * def.mass;
        let inv_inertia_local = match def.plane {
            _ if !turns => Mat3::ZERO,
            Some(normal) => about(def.rotation.inverse() * normal, &inertia_local),
            None => inverse(&inertia_local),
        };
        let diagonal = Vec3::new(inertia_local.x_axis.x, inertia_local.y_axis.y, inertia_local.z_axis.z);
        let spread = (inertia_local - Mat3::from_diagonal(Vec3::splat(diagonal.x))).to_cols_array();
        let equal = spread.iter().all(|v| v.abs() <= 1e-5 * diagonal.x);
        let rotation = Mat3::from_quat(def.rotation.normalize());
        Self {
            position: def.position,
            rotation: def.rotation.normalize(),
            inv_mass: if dynamic { 1.0 / def.mass } else { 0.0 },
            inv_inertia: rotation * inv_inertia_local * rotation.transpose(),
            inv_inertia_local,
            inertia_local,
            mass: def.mass,
            motion: def.motion,
            collide: def.collide,
            isotropic: equal || !turns || def.plane.is_some(),
            material: def.material,
            solid: def.solid,
            apparent: None,
        }
    }

    /// Turns the inverse inertia into world axes after a rotation.
    pub fn refresh_inertia(&mut self) {
        if !self.isotropic && self.motion == Motion::Dynamic {
            let r = Mat3::from_quat(self.rotation);
            self.inv_inertia = r * self.inv_inertia_local * r.transpose();
        }
    }

    /// Inertia in world axes, kg m².
    pub fn inertia(&self) -> Mat3 {
        self.inertia_at(self.rotation)
    }

    /// The same in another orientation.
    pub fn inertia_at(&self, rotation: Quat) -> Mat3 {
        let r = Mat3::from_quat(rotation);
        r * self.inertia_local * r.transpose()
    }

    /// 1/mass and inverse inertia, world axes, as the solver sees them.
    pub fn inverses(&self) -> (f32, Mat3) {
        self.seen().map_or((self.inv_mass, self.inv_inertia), |seen| (seen.inv_mass, seen.inv_inertia))
    }

    /// The inertia that the solver sees, where it is not the body's own.
    pub fn seen(&self) -> Option<&Apparent> {
        self.apparent.as_deref().filter(|apparent| apparent.shown)
    }

    /// Shows the solver another inertia, kg and kg m² with its inverse in world axes, or the body's own.
    pub fn show(&mut self, other: Option<(f32, Mat3, Mat3)>) {
        let Some((mass, inertia, inv_inertia)) = other else {
            self.apparent.iter_mut().for_each(|apparent| apparent.shown = false);
            return;
        };
        let apparent = Apparent { shown: true, mass, inv_mass: 1.0 / mass, inertia, inv_inertia };
        match &mut self.apparent {
            Some(known) => **known = apparent,
            none => *none = Some(Box::new(apparent)),
        }
    }

    /// The pose of the centre of mass.
    pub fn pose(&self) -> Pose {
        Pose::from_parts(self.position, self.rotation)
    }

    /// The origin of the shape as the scene file places it, m.
    pub fn shape_origin(&self) -> Vec3 {
        self.position - self.rotation * self.solid.centre
    }

    /// How it gives way to impulses at a point `r` from its centre, body frame, 1/kg: the trace of `1/m − [r]× I⁻¹ [r]×`.
    pub fn gives(&self, r: Vec3) -> f32 {
        let inverse = &self.inv_inertia_local;
        let trace = inverse.x_axis.x + inverse.y_axis.y + inverse.z_axis.z;
        3.0 * self.inv_mass + r.length_squared() * trace - r.dot(*inverse * r)
    }

    /// Whether impulses move it.
    pub fn is_dynamic(&self) -> bool {
        self.motion == Motion::Dynamic
    }
}
