//! The facade of the library: bodies, joints and steps, for programs that do not need rows.
//!
//! It checks all arguments, so it never panics. Values that the solvers cannot handle are refused with an [`Invalid`],
//! which says what is wrong. [`Simulation::world`] gives access to everything else.

use std::sync::Arc;

use glam::{Quat, Vec3};

use crate::body::{BodyDef, Motion, WORLD};
use crate::inertia::Inertia;
use crate::joint::JointDef;
use crate::joints::JointKind;
use crate::metrics::Metrics;
use crate::quantity::{self, UnitRange};
use crate::readout::Readout;
use crate::refuse;
use crate::setting_text::SettingError;
use crate::settings::Settings;
use crate::shape::Shape;
use crate::world::World;

/// A body of a [`Simulation`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct BodyId(u32);

impl BodyId {
    /// The immovable body that every simulation begins with.
    pub const WORLD: Self = Self(WORLD);

    /// Its place in [`State::bodies`](crate::world::State::bodies).
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A joint of a [`Simulation`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct JointId(u32);

impl JointId {
    /// Its place in [`State::joints`](crate::world::State::joints).
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Why something was not added.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Invalid(String);

impl Invalid {
    fn new<T>(what: impl Into<String>) -> Result<T, Self> {
        Err(Self(what.into()))
    }
}

/// A world that is built from checked parts. See the crate's first page for an example.
#[derive(Clone)]
pub struct Simulation {
    world: World,
}

impl Default for Simulation {
    fn default() -> Self {
        Self::new(Settings::default())
    }
}

impl Simulation {
    /// An empty world. Its settings are those of [`Settings::default`], or changed by [`Simulation::set`].
    pub fn new(settings: Settings) -> Self {
        Self { world: World::new(settings) }
    }

    /// Changes a setting by its name and value, as in `solver.iterations=20` or `preset=SingleStep`.
    ///
    /// # Errors
    /// No setting has this name, or it does not take this value. Nothing is changed then.
    pub fn set(&mut self, assignment: &str) -> Result<(), SettingError> {
        self.world.settings.assign(assignment)
    }

    /// Adds a body.
    ///
    /// # Errors
    /// A number is not finite or out of its range. A rotation need not be of unit length, but must not be zero.
    pub fn add_body(&mut self, mut def: BodyDef) -> Result<BodyId, Invalid> {
        let vectors = [
            ("position", def.position, &quantity::PLACE),
            ("velocity", def.velocity, &quantity::VELOCITY),
            ("angular_velocity", def.angular_velocity, &quantity::SPIN),
        ];
        for (name, value, range) in vectors {
            within(name, value, range)?;
        }
        if def.motion == Motion::Dynamic {
            number("mass", def.mass, &quantity::MASS)?;
        }
        if let Some((_, what)) = def.inertia.and_then(|inertia| refuse::inertia(&Inertia::of(inertia))) {
            return Invalid::new(what);
        }
        number("friction", def.material.friction, &quantity::FRICTION)?;
        number("restitution", def.material.restitution, &quantity::RESTITUTION)?;
        number("rolling", def.material.rolling, &quantity::LEVER)?;
        if let Some((_, what)) = def.material.soft.and_then(refuse::softness) {
            return Invalid::new(what);
        }
        let length = def.rotation.length();
        if !length.is_normal() {
            return Invalid::new("rotation must be finite and not zero");
        }
        def.rotation = Quat::from_vec4(glam::Vec4::from(def.rotation) / length);
        def.plane = def.plane.map(|normal| direction("plane", normal)).transpose()?;
        Ok(BodyId(self.world.add_body(def)))
    }

    /// Joins two bodies at a point of the world, m, about or along a direction of the world. Kinds without an axis
    /// take any direction.
    ///
    /// # Errors
    /// There is no such body, the two are the same, or a number is not finite or out of its range.
    pub fn add_joint(
        &mut self,
        a: BodyId,
        b: BodyId,
        at: Vec3,
        axis: Vec3,
        kind: JointKind,
    ) -> Result<JointId, Invalid> {
        let (Some(of_a), Some(of_b)) = (self.world.state.bodies.get(a.index()), self.world.state.bodies.get(b.index()))
        else {
            return Invalid::new("one of the two bodies is not in this simulation");
        };
        if a == b {
            return Invalid::new("a joint needs two different bodies");
        }
        within("at", at, &quantity::PLACE)?;
        let axis = direction("axis", axis)?;
        if let Some((place, what)) = refuse::kind(&kind) {
            return Invalid::new(format!("{}: {what}", place.join(".")));
        }
        let (to_a, to_b) = (of_a.rotation.inverse(), of_b.rotation.inverse());
        let def = JointDef {
            a: a.0,
            b: b.0,
            anchor_a: to_a * (at - of_a.position),
            anchor_b: to_b * (at - of_b.position),
            axis_a: to_a * axis,
            axis_b: to_b * axis,
            kind,
            collide: false,
            options: Default::default(),
        };
        Ok(JointId(self.world.add_joint(def)))
    }

    /// Advances by one step of 1/`step.rate` seconds, 1/60 s by default.
    pub fn step(&mut self) {
        self.world.step();
        self.world.sync();
    }

    /// Time, s.
    pub fn time(&self) -> f64 {
        self.world.state.time
    }

    /// Pose and velocity of a body; `None` for a body of another simulation.
    pub fn body(&self, id: BodyId) -> Option<BodyState> {
        let (body, velocity) = (self.world.state.bodies.get(id.index())?, self.world.state.velocities.get(id.index())?);
        Some(BodyState {
            position: body.position,
            rotation: body.rotation,
            velocity: velocity.linear.into(),
            angular_velocity: velocity.angular.into(),
        })
    }

    /// Forces, value and errors of a joint in the last step; `None` for a joint of another simulation.
    pub fn joint(&self, id: JointId) -> Option<&Readout> {
        self.world.state.joints.get(id.index()).map(|joint| &joint.readout)
    }

    /// Energies, momenta and errors of the present state.
    pub fn metrics(&self) -> Metrics {
        self.world.metrics()
    }

    /// The world: all data of the solvers.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The world, for changes. Changes of the world are not checked.
    pub fn world_mut(&mut self) -> &mut World {
        &mut self.world
    }
}

/// Pose and velocity of a body, of its centre of mass, world frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BodyState {
    /// Of the centre of mass, m.
    pub position: Vec3,
    /// From the body's axes to the world's.
    pub rotation: Quat,
    /// Of the centre of mass, m/s.
    pub velocity: Vec3,
    /// rad/s.
    pub angular_velocity: Vec3,
}

impl BodyDef {
    /// A dynamic body of this shape and mass, kg, at rest with its centre of mass at `position`, m.
    ///
    /// # Errors
    /// The shape has no volume, or a dimension is out of range.
    pub fn dynamic(shape: &Shape, position: Vec3, mass: f32) -> Result<Self, Invalid> {
        if let Some((_, what)) = refuse::shape(shape) {
            return Invalid::new(what);
        }
        let Some(solid) = shape.solid() else { return Invalid::new("the shape has no volume") };
        Ok(Self { mass, ..Self::new(Arc::new(solid), position) })
    }

    /// The same, but immovable.
    ///
    /// # Errors
    /// As for [`BodyDef::dynamic`].
    pub fn fixed(shape: &Shape, position: Vec3) -> Result<Self, Invalid> {
        Ok(Self { motion: Motion::Static, ..Self::dynamic(shape, position, 1.0)? })
    }
}

fn number(name: &str, value: f32, range: &UnitRange) -> Result<(), Invalid> {
    refuse::number(range, name, value).map_or(Ok(()), Invalid::new)
}

fn within(name: &str, value: Vec3, range: &UnitRange) -> Result<(), Invalid> {
    value.to_array().into_iter().try_for_each(|value| number(name, value, range))
}

fn direction(name: &str, value: Vec3) -> Result<Vec3, Invalid> {
    value.try_normalize().ok_or_else(|| Invalid(format!("{name} must be finite and not zero")))
}
