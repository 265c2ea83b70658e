//! The first step of SHAKE and RATTLE goes from v(0) to v(½): its kicks are halved.

use glam::Vec3A;

use super::part::find_bodies;
use super::state::EndState;
use crate::gyroscopic::GyroscopicTerm;
use crate::joint::Joint;
use crate::row::{Coupling, Group, Owner, RowId};
use crate::settings::Settings;
use crate::system::System;
use crate::world::model::Model;
use crate::world::state::State;
use crate::{effective_mass, force, stabilize};

/// Halves the kicks of the first step. To be called once forces and free rotation are applied.
pub(crate) fn start(
    settings: &Settings,
    model: &Model,
    state: &mut State,
    system: &mut System,
    terms: &[GyroscopicTerm],
    h: f32,
) {
    state.rattle.halved.clear();
    let keeps = |joint: &Joint| {
        joint.broken.is_none() && stabilize::is_position_level(&stabilize::settings_of(joint, settings))
    };
    let runs = state.joints.iter().any(|joint| keeps(joint));
    if std::mem::replace(&mut state.rattle.runs, runs) || !runs {
        return;
    }
    let mut part = std::mem::take(&mut state.rattle.halved);
    find_bodies(state, &mut part, keeps);
    let (bodies, velocities, rattle) = (&mut state.bodies, &mut state.velocities, &mut state.rattle);
    let gravity = Vec3A::from(settings.step.gravity) * (0.5 * h);
    let held = |body: u32| part[body as usize] == EndState::Required && bodies[body as usize].is_dynamic();
    for (index, velocity) in velocities.iter_mut().enumerate().filter(|(index, _)| held(*index as u32)) {
        let body = &bodies[index];
        velocity.linear -=
            body.solver_mass().map_or(gravity, |solver_mass| gravity * (body.mass * solver_mass.inv_mass));
    }
    force::change::add(model, bodies, velocities, held, (state.time, -0.5 * h));
    for term in terms.iter().filter(|term| held(term.body)) {
        velocities[term.body as usize].angular -= 0.5 * term.change;
    }
    let whole = |body: u32| bodies[body as usize].is_dynamic() && part[body as usize] == EndState::None;
    for block in &system.blocks {
        if !matches!(block.owner, Owner::Joint(_)) || whole(block.a) || whole(block.b) {
            continue;
        }
        let (rows, closings) = (&mut system.rows[block.range()], &mut system.closing[block.range()]);
        for ((row, closing), id) in rows.iter_mut().zip(closings).zip(&system.ids[block.range()]) {
            // The rotor's inertia is the same in half a kick. Its speed before the step is that of the step's beginning.
            if matches!(id, RowId::Joint { group: Group::Armature, .. }) {
                if let Some(closing) = closing {
                    let ahead = row.bias - closing.gap;
                    (closing.gap, row.bias) = (closing.gap - ahead, row.bias - ahead);
                }
                continue;
            }
            if row.lo.is_finite() && row.hi.is_finite() {
                (row.lo, row.hi, row.impulse) = (0.5 * row.lo, 0.5 * row.hi, 0.5 * row.impulse);
            }
            if row.gamma > 0.0 && row.inv_k > 0.0 {
                row.inv_k = 1.0 / (1.0 / row.inv_k + row.gamma);
                row.gamma *= 2.0;
            }
        }
        if let Coupling::SoftAnchor { inverse } = block.coupling {
            let k = effective_mass::block_mass(rows, 1.0, 1.0);
            let inverse = &mut system.couplings.inverses[inverse as usize];
            *inverse = effective_mass::block_inverse(&k).unwrap_or(*inverse);
        }
    }
    // Their softness and bounds are others now.
    system.trees.mechanisms.factor(&system.rows, bodies, &[]);
    rattle.halved = part;
}
