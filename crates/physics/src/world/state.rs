//! What a step changes and the next one starts from.

use crate::body::{Body, BodyStiffness, Velocity};
use crate::collide::Contacts;
use crate::confine::Confined;
use crate::copy::default_and_copied_by_fields;
use crate::energy_budget::state::EnergyBudget;
use crate::joint::Joint;
use crate::mouse_joint::MouseJoint;
use crate::penalties::Penalties;
use crate::rattle::state::RattleState;
use crate::row_energy::RowEnergy;
use crate::shared::Shared;
use crate::sleep::state::Sleep;

/// Poses, velocities and impulses, and what the step's accounts carry over. A copy of it, with the model and the
/// settings, has the same future.
pub struct State {
    /// Simulated time, s.
    pub time: f64,
    pub step_count: u64,
    /// A version number, raised when bodies or joints are added, replaced or broken.
    pub(crate) topology: u64,
    /// Entry [`WORLD`](super::WORLD) is the immovable world itself.
    pub bodies: Shared<Box<Body>>,
    /// By body.
    pub velocities: Shared<Velocity>,
    pub joints: Shared<Box<Joint>>,
    /// Bodies confined to a plane, sorted by body, with their impulses.
    pub planes: Vec<Confined>,
    pub contacts: Contacts,
    /// The spring by which the mouse holds a body, if it holds one.
    pub mouse_joint: Option<MouseJoint>,
    pub sleep: Sleep,
    /// Net energy that the rows have added to the bodies, J, with a memory of some seconds: see
    /// `warm_start_limiter.rs`.
    pub injected: RowEnergy,
    /// By body, at the body that was the first of its island: the net energy that the solves have removed, J: see
    /// `warm_start_limiter.rs`.
    pub(crate) accounts: Vec<f64>,
    pub(crate) energy_budget: EnergyBudget,
    pub(crate) rattle: RattleState,
    /// By body, geometric stiffness; empty where no joint has one.
    pub(crate) stiffness: Vec<BodyStiffness>,
    /// The penalties of AVBD's rows.
    pub(crate) penalties: Penalties,
    /// Length of the sub-step to which the stored impulses belong, s; zero where they are not to be scaled.
    pub(crate) impulses_of: f32,
}

default_and_copied_by_fields!(State {
    time,
    step_count,
    topology,
    bodies,
    velocities,
    joints,
    planes,
    contacts,
    mouse_joint,
    sleep,
    injected,
    accounts,
    energy_budget,
    rattle,
    stiffness,
    penalties,
    impulses_of
});
