//! Bodies confined to a plane, as in the two-dimensional world of 002: they move in it and rotate about its normal n.
//!
//! ```text
//! C = n·x − d = 0,  J = [0, 0, n, 0] against the world,  K = 1/m        one row a body, warm-started
//! I⁻¹ = n nᵀ / (nᵀ I n)                                                 impulses rotate it about n only
//! ```
//! An impulse that points out of the plane meets this row like any other, so a body that is not confined gets its
//! whole impulse and the plane bears the component along n. Rotation needs no row: the inverse inertia has the one
//! axis only, and does not change with the rotation, which keeps the moment about n. After the step position and
//! velocity are projected back into the plane, so that rounding and unfinished sweeps do not add up. Source: 002; the
//! plane row of 000.

use glam::Vec3;

use super::effective_mass::row;
use super::row::{Block, Coupling, Jacobian, Owner, RowId};
use super::settings::Settings;
use super::system::System;
use super::world::{State, WORLD};

/// A body confined to a plane.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Confined {
    pub body: u32,
    /// Unit normal n, world frame.
    pub normal: Vec3,
    /// Distance d of the plane from the world's origin along n, m.
    pub offset: f32,
    /// λ of the last step, N·s.
    pub impulse: f32,
}

/// Adds the rows of the planes behind all others, so that after a sweep the bodies move in their planes.
pub fn rows(settings: &Settings, state: &State, system: &mut System) {
    let warm = if settings.warm_start.enabled { settings.warm_start.factor } else { 0.0 };
    for confined in state.planes.iter().filter(|confined| !state.sleep.has(confined.body)) {
        let jacobian = Jacobian { lin: confined.normal, ..Jacobian::default() };
        let mut row = row(&jacobian, &state.bodies[WORLD as usize], &state.bodies[confined.body as usize]);
        row.impulse = warm * confined.impulse;
        let first = system.rows.len() as u32;
        system.rows.push(row);
        system.ids.push(RowId::Plane { body: confined.body });
        let (a, b) = (WORLD, confined.body);
        let owner = Owner::Plane(confined.body);
        system.blocks.push(Block {
            owner,
            a,
            b,
            first,
            count: 1,
            coupling: Coupling::Rows,
            pseudo: false,
            held: false,
        });
    }
}

/// Stores the impulses, and projects positions and velocities into the planes.
pub fn finish(state: &mut State, system: &mut System) {
    let awake = |confined: &Confined| !state.sleep.has(confined.body);
    let count = state.planes.iter().filter(|confined| awake(confined)).count();
    let first = system.rows.len().saturating_sub(count);
    for (confined, row) in state.planes.iter_mut().filter(|confined| awake(confined)).zip(&system.rows[first..]) {
        confined.impulse = if row.impulse.is_finite() { row.impulse } else { 0.0 };
        let n = confined.normal;
        let body = &mut state.bodies[confined.body as usize];
        body.position += n * (confined.offset - n.dot(body.position));
        let velocity = &mut state.velocities[confined.body as usize];
        let (linear, angular) = (Vec3::from(velocity.linear), Vec3::from(velocity.angular));
        velocity.linear = (linear - n * n.dot(linear)).into();
        velocity.angular = (n * n.dot(angular)).into();
    }
}
