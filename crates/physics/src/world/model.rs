//! What only edits change.

use crate::copy::default_and_copied_by_fields;
use crate::force::BodyForces;
use crate::mover::Driven;

/// Definitions beside those that bodies and joints carry themselves.
pub struct Model {
    /// Kinematic bodies whose velocity is a function of time, sorted by body.
    pub movers: Vec<Driven>,
    /// Bodies with applied forces or drag, sorted by body.
    pub forces: Vec<BodyForces>,
    /// Whether any joint has a breaking load of its own.
    pub(crate) breakable: bool,
}

default_and_copied_by_fields!(Model { movers, forces, breakable });
