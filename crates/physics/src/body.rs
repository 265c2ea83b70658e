//! Bodies: pose, velocity and mass properties. A body's frame has its origin at the centre of mass and the axes of its
//! shape. Centre and inertia are those of the shape at even density, or given: see [`Solid::about`] and
//! [`BodyDef::inertia`].

use std::sync::Arc;

use glam::{Mat3, Mat3A, Quat, Vec3};
use parry3d::math::Pose;
use serde::{Deserialize, Serialize};

use super::collision_filter::CollisionFilter;
use super::copy::copied_by_fields;
use super::force::{Drag, Force};
use super::mover::Mover;
use super::row::Softness;
use super::shape::Solid;
use super::velocity::Flight;
pub use super::velocity::Velocity;

/// Index of the immovable world body in [`State::bodies`](crate::world::State::bodies).
pub const WORLD: u32 = 0;

/// What moves a body.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Motion {
    /// Nothing; it stays where it is.
    Static,
    /// Its own velocity; impulses do not change it.
    Kinematic,
    /// Forces and impulses.
    #[default]
    Dynamic,
}

/// Surface properties. The values of a pair are mixed as the setting `contact.mix` says.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Material {
    /// Coulomb's coefficient of friction.
    pub friction: f32,
    /// Coefficient of restitution: separation speed over approach speed.
    pub restitution: f32,
    /// Rolling friction, a length in m: the lever arm with which a load resists rolling.
    pub rolling: f32,
    /// A spring in place of a rigid surface. Where both bodies have one, the one of lower frequency is used.
    pub soft: Option<Softness>,
}

impl Default for Material {
    fn default() -> Self {
        Self { friction: 0.5, restitution: 0.0, rolling: 0.0, soft: None }
    }
}

/// The definition of a body to be added to a world. World frame.
#[derive(Clone)]
pub struct BodyDef {
    pub solid: Arc<Solid>,
    /// Centre of mass, m.
    pub position: Vec3,
    /// From body axes to world axes.
    pub rotation: Quat,
    /// Of the centre of mass, m/s.
    pub velocity: Vec3,
    /// rad/s.
    pub angular_velocity: Vec3,
    pub motion: Motion,
    /// kg; must be positive where `motion` is dynamic.
    pub mass: f32,
    /// Inertia about the centre of mass, body axes, kg m²; that of the solid at even density if `None`.
    pub inertia: Option<Mat3>,
    pub material: Material,
    /// Whether it collides with other bodies.
    pub collide: bool,
    /// With which of them.
    pub filter: CollisionFilter,
    /// A point mass: it does not rotate, whatever its shape.
    pub particle: bool,
    /// Unit normal of the plane that confines it, if there is one: see [`super::confine`].
    pub plane: Option<Vec3>,
    /// Velocity as a function of time, for a kinematic body: see [`super::mover`].
    pub mover: Option<Mover>,
    /// Applied forces, their points from the centre of mass: see [`super::force`].
    pub forces: Vec<Force>,
    /// Resistance of a medium.
    pub drag: Option<Drag>,
}

impl BodyDef {
    /// A dynamic body of 1 kg at rest, with its axes along the world's and its centre of mass at `position`, m.
    pub fn new(solid: Arc<Solid>, position: Vec3) -> Self {
        Self {
            solid,
            position,
            rotation: Quat::IDENTITY,
            velocity: Vec3::ZERO,
            angular_velocity: Vec3::ZERO,
            motion: Motion::Dynamic,
            mass: 1.0,
            inertia: None,
            material: Material::default(),
            collide: true,
            filter: CollisionFilter::default(),
            particle: false,
            plane: None,
            mover: None,
            forces: Vec::new(),
            drag: None,
        }
    }
}

/// Mass and inertia that the solver uses in place of the body's own: see [`super::geometric`] and `force/resist.rs`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SolverMass {
    /// Whether the solver uses it now. The allocation is kept while it does not.
    active: bool,
    /// Whether it contains the body's drag.
    resisted: bool,
    /// kg, and 1/kg.
    pub mass: f32,
    pub inv_mass: f32,
    /// World axes, kg m² and 1/(kg m²).
    pub inertia: Mat3,
    pub inv_inertia: Mat3,
}

/// The stiffness of a body by the forces at its anchors: see [`super::geometric`].
#[derive(Debug, Clone, Copy)]
pub struct BodyStiffness {
    /// Against a displacement, N/m.
    pub sideways: f32,
    /// Against a rotation, world frame, N·m/rad.
    pub turning: Mat3,
}

impl Default for BodyStiffness {
    fn default() -> Self {
        Self { sideways: 0.0, turning: Mat3::ZERO }
    }
}

/// A body in a world.
pub struct Body {
    /// Centre of mass, world frame, m.
    pub position: Vec3,
    /// From body axes to world axes.
    pub rotation: Quat,
    /// 1/kg; zero where impulses do not move the body.
    pub inv_mass: f32,
    /// Inverse inertia about the centre of mass, world axes, 1/(kg m²); zero where impulses do not rotate the body.
    pub inv_inertia: Mat3,
    /// The same in body axes.
    pub inv_inertia_local: Mat3,
    /// Inertia about the centre of mass, body axes, kg m².
    pub inertia_local: Mat3,
    /// kg.
    pub mass: f32,
    pub motion: Motion,
    pub collide: bool,
    pub filter: CollisionFilter,
    /// Whether rotating the body changes neither its inverse inertia nor its angular velocity: because all principal
    /// inertias are equal, because it does not rotate, or because it rotates about a fixed axis of the world only.
    pub isotropic: bool,
    pub material: Material,
    pub solid: Arc<Solid>,
    /// To which time its velocity belongs.
    pub(super) flight: Flight,
    /// Mass and inertia for the solver where these are not the body's own: see [`Self::solver_mass`].
    solver_mass: Option<Box<SolverMass>>,
}

copied_by_fields!(Body {
    position,
    rotation,
    inv_mass,
    inv_inertia,
    inv_inertia_local,
    inertia_local,
    mass,
    motion,
    collide,
    filter,
    isotropic,
    material,
    solid,
    flight,
    solver_mass
});

/// Inverse inertia of a body that can rotate about the unit vector `axis` only: a aᵀ/(aᵀ I a).
fn about(axis: Vec3, inertia: &Mat3) -> Mat3 {
    let moment = axis.dot(*inertia * axis);
    Mat3::from_cols(axis * axis.x, axis * axis.y, axis * axis.z) * (1.0 / moment)
}

/// Inverse of an inertia, computed in 64 bits: the determinant is of the order of m³ times the sixth power of the
/// size. Zero (a body that does not rotate) where the inverse exceeds 32 bits.
fn inverse(inertia: &Mat3) -> Mat3 {
    let inverse = inertia.as_dmat3().inverse().as_mat3();
    if inverse.is_finite() { inverse } else { Mat3::ZERO }
}

impl Body {
    /// Makes a body from its definition.
    pub fn new(def: BodyDef) -> Self {
        let dynamic = def.motion == Motion::Dynamic;
        let turns = dynamic && !def.particle;
        let inertia_local = def.inertia.unwrap_or(def.solid.unit_inertia * def.mass);
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
            filter: def.filter,
            isotropic: equal || !turns || def.plane.is_some(),
            material: def.material,
            solid: def.solid,
            flight: Flight::Supported,
            solver_mass: None,
        }
    }

    /// Its inertia about the centre of mass, body axes, kg m², if it is not that of its solid at even density.
    pub fn inertia_by_value(&self) -> Option<Mat3> {
        (self.inertia_local != self.solid.unit_inertia * self.mass).then_some(self.inertia_local)
    }

    /// Whether it and another body may touch: both collide, and their groups and masks allow it.
    pub fn may_touch(&self, other: &Self) -> bool {
        self.collide && other.collide && self.filter.allows(other.filter)
    }

    /// Recomputes the inverse inertia in world axes after a rotation.
    pub fn refresh_inertia(&mut self) {
        if !self.isotropic && self.motion == Motion::Dynamic {
            // In registers of four numbers, with the same bits.
            let r = Mat3A::from_quat(self.rotation);
            self.inv_inertia = (r * Mat3A::from(self.inv_inertia_local) * r.transpose()).into();
        }
    }

    /// Inertia in world axes, kg m².
    pub fn inertia(&self) -> Mat3 {
        self.inertia_at(self.rotation)
    }

    /// Inertia in world axes, kg m², as it would be with this `rotation`.
    pub fn inertia_at(&self, rotation: Quat) -> Mat3 {
        let r = Mat3::from_quat(rotation);
        r * self.inertia_local * r.transpose()
    }

    /// Inverse mass, 1/kg, and inverse inertia in world axes, 1/(kg m²), as the solver uses them.
    pub fn inverses(&self) -> (f32, Mat3) {
        self.solver_mass().map_or((self.inv_mass, self.inv_inertia), |mass| (mass.inv_mass, mass.inv_inertia))
    }

    /// Mass and inertia that the solver uses, where these are not the body's own.
    pub fn solver_mass(&self) -> Option<&SolverMass> {
        self.solver_mass.as_deref().filter(|solver_mass| solver_mass.active)
    }

    /// Makes the solver use this mass, kg, inertia, kg m², and inverse inertia, both in world axes; `None` restores
    /// the body's own.
    pub fn set_solver_mass(&mut self, other: Option<(f32, Mat3, Mat3)>) {
        let Some((mass, inertia, inv_inertia)) = other else {
            self.solver_mass.iter_mut().for_each(|solver_mass| solver_mass.active = false);
            return;
        };
        let solver_mass =
            SolverMass { active: true, resisted: false, mass, inv_mass: 1.0 / mass, inertia, inv_inertia };
        match &mut self.solver_mass {
            Some(known) => **known = solver_mass,
            none => *none = Some(Box::new(solver_mass)),
        }
    }

    /// The same of a mass that contains the body's drag.
    pub(crate) fn set_resisted_mass(&mut self, mass: (f32, Mat3, Mat3)) {
        self.set_solver_mass(Some(mass));
        self.solver_mass.iter_mut().for_each(|solver_mass| solver_mass.resisted = true);
    }

    /// Whether the mass that the solver uses contains the body's drag.
    pub(crate) fn is_resisted(&self) -> bool {
        self.solver_mass().is_some_and(|solver_mass| solver_mass.resisted)
    }

    /// The pose of the centre of mass.
    pub fn pose(&self) -> Pose {
        Pose::from_parts(self.position, self.rotation)
    }

    /// Origin of the shape's own frame, as the scene file gives it, world frame, m.
    pub fn shape_origin(&self) -> Vec3 {
        self.position - self.rotation * self.solid.centre
    }

    /// Inverse mass of the body at a point `r`, m from its centre of mass, body frame: the trace of
    /// `1/m − [r]× I⁻¹ [r]×`, 1/kg.
    pub fn inverse_mass_at(&self, r: Vec3) -> f32 {
        let inverse = &self.inv_inertia_local;
        let trace = inverse.x_axis.x + inverse.y_axis.y + inverse.z_axis.z;
        3.0 * self.inv_mass + r.length_squared() * trace - r.dot(*inverse * r)
    }

    /// Whether impulses move it.
    pub fn is_dynamic(&self) -> bool {
        self.motion == Motion::Dynamic
    }
}
