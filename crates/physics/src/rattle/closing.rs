//! The second solve of a RATTLE step: it removes from the velocities what the joints do not allow at the step's end.

use super::Scratch;
use crate::body::{Body, Velocity};
use crate::fault::RUNAWAY;
use crate::kernel::row::speed;
use crate::row::Block;
use crate::settings::Settings;
use crate::solvers::{direct, pass, properties, tree};
use crate::system::System;
use crate::warm_start;
use crate::world::report::Report;
use crate::world::state::State;

/// The sweeps end when no velocity changes by more than this, m/s or rad/s.
const SETTLED: f32 = 1e-6;

/// Removes from the velocities what the joints do not allow.
pub(super) fn close(
    settings: &Settings,
    state: &mut State,
    system: &System,
    report: &mut Report,
    tree: &mut tree::Work,
    scratch: &mut Scratch,
) {
    let (velocities, bodies, work) = (&mut state.velocities, &mut state.bodies, &mut report.work);
    let closing = &mut scratch.rows;
    if properties::of(settings.solver.method).exact {
        closing.rows.iter_mut().for_each(|row| row.impulse = 0.0);
        // The step is made already, so this solve gets the work limit of a whole step. Beyond it, sweeps take over.
        let mut full_limit = work.clone();
        full_limit.reset();
        if direct::solve_rows(closing, &mut scratch.direct, velocities, bodies, &mut full_limit) {
            return;
        }
    }
    limit_start(closing, (system, bodies), velocities, (&mut scratch.moved, &mut scratch.starts));
    warm_start::apply(&closing.rows, &closing.blocks, velocities);
    for sweep in 0..settings.sweeps() {
        let moved = pass::pass(closing, tree, velocities, sweep == 0);
        if moved <= SETTLED {
            break;
        }
    }
}

/// Scales the impulses from which the closing starts, mechanism by mechanism, where they would add energy:
/// T(u + M⁻¹ Jᵀ α λ) − T(u) = α λᵀ J u + ½ α² λᵀ A λ is least for α = −λᵀ J u/λᵀ A λ.
fn limit_start(
    closing: &mut System,
    (system, bodies): (&System, &[Box<Body>]),
    velocities: &[Velocity],
    (moved, starts): (&mut Vec<Velocity>, &mut Vec<[f64; 2]>),
) {
    moved.clear();
    moved.resize(velocities.len(), Velocity::default());
    warm_start::apply(&closing.rows, &closing.blocks, moved);
    starts.clear();
    starts.resize(velocities.len(), [0.0; 2]);
    let island = |block: &Block| {
        let moving_body = if bodies[block.a as usize].is_dynamic() { block.a } else { block.b };
        system.graph.island(moving_body) as usize
    };
    let System { blocks, rows, .. } = closing;
    for block in &*blocks {
        let (a, b) = (block.a as usize, block.b as usize);
        let [slope, curve] = &mut starts[island(block)];
        for row in &rows[block.range()] {
            let impulse = f64::from(row.impulse);
            *slope += impulse * f64::from(speed(row, &velocities[a], &velocities[b]));
            *curve += impulse * f64::from(speed(row, &moved[a], &moved[b]));
        }
    }
    for block in &*blocks {
        let [slope, curve] = starts[island(block)];
        if slope + 0.5 * curve > 0.0 {
            let share = if curve > 0.0 { (-slope / curve).clamp(0.0, 1.0) as f32 } else { 0.0 };
            rows[block.range()].iter_mut().for_each(|row| row.impulse *= share);
        }
    }
}

/// Gives mechanisms whose closing is lost in rounding (a gram between tonnes, at the end of a long lever) the
/// velocities of the middle of the step, which are valid.
pub(super) fn discard_lost(state: &mut State, system: &mut System, half: &[Velocity], lost: &mut [bool]) {
    let (velocities, bodies) = (&mut state.velocities, &mut state.bodies);
    let sound = |velocity: &Velocity| {
        velocity.is_finite() && velocity.linear.abs().max(velocity.angular.abs()).max_element() < RUNAWAY
    };
    if velocities.iter().all(sound) {
        return;
    }
    let island = |body: usize| system.graph.island(body as u32) as usize;
    lost.fill(false);
    let moving = |index: &usize| bodies[*index].is_dynamic();
    for index in (0..bodies.len()).filter(moving).filter(|index| !sound(&velocities[*index])) {
        lost[island(index)] = true;
    }
    // Bodies that do not move are included: an overflowed impulse times an inverse mass of zero is NaN.
    for index in (0..bodies.len()).filter(|index| !moving(index) || lost[island(*index)]) {
        velocities[index] = half[index];
    }
}
