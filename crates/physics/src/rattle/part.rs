//! Which bodies take part in the second solve of a RATTLE step, and which of them something supports.

use super::state::EndState;
use crate::joint::Joint;
use crate::row::{Block, Group, Owner, Row, RowId};
use crate::settings::{Settings, Stabilization};
use crate::stabilize;
use crate::system::System;
use crate::world::state::State;

/// Whether a joint asks for the velocities at the step's end.
pub(super) fn needs_end_velocity(settings: &Settings, state: &State, joint: &Joint) -> bool {
    joint.broken.is_none()
        && stabilize::settings_of(joint, settings).stabilization.method == Stabilization::Rattle
        && !state.sleep.is_idle((joint.def.a, joint.def.b), &state.bodies, &state.velocities)
}

/// Finds the bodies of the joints that `joints` selects.
pub(super) fn find_bodies(state: &State, part: &mut Vec<EndState>, joints: impl Fn(&Joint) -> bool) {
    part.clear();
    part.resize(state.bodies.len(), EndState::None);
    for joint in state.joints.iter().filter(|joint| joints(joint)) {
        part[joint.def.a as usize] = EndState::Required;
        part[joint.def.b as usize] = EndState::Required;
    }
}

/// Finds the mechanisms that a contact, a stop or the mouse supports. Support of one body counts for all bodies of its
/// mechanism.
pub(super) fn find_supported(state: &State, system: &System, part: &mut [EndState], borne: &mut Vec<bool>) {
    borne.clear();
    borne.resize(part.len(), false);
    let graph = &system.graph;
    let one_sided = |row: &Row| row.lo == 0.0 || row.hi == 0.0;
    let bears = |block: &&Block| {
        let joint = matches!(block.owner, Owner::Joint(_) | Owner::Plane(_));
        // A taut rope goes on pulling in the next half step.
        let is_rope = |id: &RowId| matches!(id, RowId::Joint { group: Group::Anchor, .. });
        if matches!(block.owner, Owner::Joint(joint) if state.joints[joint as usize].def.kind.is_taut_at_end())
            && system.ids[block.range()].iter().all(is_rope)
        {
            return false;
        }
        system.rows[block.range()].iter().any(|row| row.impulse != 0.0 && (!joint || one_sided(row)))
    };
    let blocks = system.blocks.iter().filter(bears).map(|block| [block.a, block.b]);
    for body in blocks.chain(system.contacts.loaded_pairs()).flatten() {
        if state.bodies[body as usize].is_dynamic() {
            borne[graph.island(body) as usize] = true;
        }
    }
    for (body, part) in part.iter_mut().enumerate().filter(|(_, part)| **part == EndState::Required) {
        if state.bodies[body].is_dynamic() && borne[graph.island(body as u32) as usize] {
            *part = EndState::Supported;
        }
    }
}

/// Finds the bodies of the mechanisms that a contact supports.
pub(super) fn find_touched(state: &State, system: &System, touched: &mut Vec<bool>) {
    touched.clear();
    touched.resize(state.bodies.len(), false);
    let System { blocks, rows, contacts, graph, .. } = system;
    let bears = |block: &&Block| {
        matches!(block.owner, Owner::Contact(_)) && rows[block.range()].iter().any(|row| row.impulse != 0.0)
    };
    let pairs = blocks.iter().filter(bears).map(|block| [block.a, block.b]);
    for body in pairs.chain(contacts.loaded_pairs()).flatten().filter(|body| state.bodies[*body as usize].is_dynamic())
    {
        touched[graph.island(body) as usize] = true;
    }
    for body in (0..touched.len()).rev().filter(|body| state.bodies[*body].is_dynamic()) {
        touched[body] = touched[graph.island(body as u32) as usize];
    }
}
