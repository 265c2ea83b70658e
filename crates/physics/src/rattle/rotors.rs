//! The half kick of mechanisms with rotors, from which a step of another length begins.

use super::state::RattleState;
use crate::row::{Group, RowId};
use crate::system::System;
use crate::world::state::State;

/// Replaces the half kick of mechanisms with rotors by what the joints leave of it. A step of another length begins with a
/// part of that kick, and a rotor's speed then is read from it. A light link between rotors takes nothing of the motion
/// that the kick alone would give it.
pub(super) fn project(state: &State, system: &System, rattle: &mut RattleState, driven: &mut [bool]) {
    driven.fill(false);
    let graph = &system.graph;
    let is_rotor = |id: &RowId| matches!(id, RowId::Joint { group: Group::Armature, .. });
    let dynamic = |body: u32| state.bodies[body as usize].is_dynamic();
    for block in system.blocks.iter().filter(|block| system.ids[block.range()].iter().any(is_rotor)) {
        for body in [block.a, block.b].into_iter().filter(|body| dynamic(*body)) {
            driven[graph.island(body) as usize] = true;
        }
    }
    for (body, (kicked, left)) in rattle.kicked.iter_mut().zip(&rattle.end).enumerate() {
        if dynamic(body as u32) && driven[graph.island(body as u32) as usize] {
            *kicked = *left;
        }
    }
}
