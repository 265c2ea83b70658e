//! The rows of the planes to which bodies are confined, and the projection at the end of a sub-step.

use glam::Vec3;

use super::Confined;
use crate::body::WORLD;
use crate::effective_mass::row;
use crate::row::{Block, Coupling, Jacobian, Owner, RowId};
use crate::settings::Settings;
use crate::system::System;
use crate::world::state::State;

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
            in_drive_block: false,
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
