//! Bodies: pose, velocity and mass properties. A body's frame has its origin at the centre of mass and its shape's
//! axes.

use std::sync::Arc;

use glam::{Mat3, Quat, Vec3, Vec3A};
use parry3d::math::Pose;
use serde::{Deserialize, Serialize};

use super::shape::Solid;

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
}

impl Default for Material {
    fn default() -> Self {
        Self { friction: 0.5, restitution: 0.0, rolling: 0.0 }
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
    pub spin: Vec3,
    pub motion: Motion,
    /// kg; positive where `motion` is dynamic.
    pub mass: f32,
    pub material: Material,
    /// Whether it touches anything.
    pub collide: bool,
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
    /// All principal inertias are equal: neither the world inertia nor the spin changes with rotation.
    pub isotropic: bool,
    pub material: Material,
    pub solid: Arc<Solid>,
}

/// A body's velocity, apart from all that the solver's loop does not touch.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Velocity {
    /// m/s, of the centre of mass.
    pub linear: Vec3A,
    /// rad/s, world axes.
    pub angular: Vec3A,
}

impl Velocity {
    pub fn is_finite(&self) -> bool {
        self.linear.is_finite() && self.angular.is_finite()
    }
}

impl Body {
    /// Makes a body of its definition.
    pub fn new(def: BodyDef) -> Self {
        let dynamic = def.motion == Motion::Dynamic;
        let inertia_local = def.solid.unit_inertia * def.mass;
        let inv_inertia_local = if dynamic { inertia_local.inverse() } else { Mat3::ZERO };
        let diagonal = Vec3::new(inertia_local.x_axis.x, inertia_local.y_axis.y, inertia_local.z_axis.z);
        let spread = (inertia_local - Mat3::from_diagonal(Vec3::splat(diagonal.x))).to_cols_array();
        let isotropic = spread.iter().all(|v| v.abs() <= 1e-5 * diagonal.x);
        let mut body = Self {
            position: def.position,
            rotation: def.rotation.normalize(),
            inv_mass: if dynamic { 1.0 / def.mass } else { 0.0 },
            inv_inertia: inv_inertia_local,
            inv_inertia_local,
            inertia_local,
            mass: def.mass,
            motion: def.motion,
            collide: def.collide,
            isotropic,
            material: def.material,
            solid: def.solid,
        };
        body.refresh_inertia();
        body
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
        let r = Mat3::from_quat(self.rotation);
        r * self.inertia_local * r.transpose()
    }

    /// The pose of the centre of mass.
    pub fn pose(&self) -> Pose {
        Pose::from_parts(self.position, self.rotation)
    }

    /// The origin of the shape as the scene file places it, m.
    pub fn shape_origin(&self) -> Vec3 {
        self.position - self.rotation * self.solid.centre
    }

    /// Whether impulses move it.
    pub fn is_dynamic(&self) -> bool {
        self.motion == Motion::Dynamic
    }
}
