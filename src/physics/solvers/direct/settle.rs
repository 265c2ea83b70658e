//! Sweeps over limits, motors, soft rows, contacts and friction until they have settled, sped up as a nonlinear conjugate
//! gradient: each sweep's step is a gradient, and the step before it is gone on with by as much as the gradient has shrunk.
//! From time to time the rows that are then within their bounds are solved exactly, see [`super::polish`].
//!
//! ```text
//! g = sweep(λ) − λ,  β = ‖g‖²/‖g_before‖² (by K: an energy),  p ← β p + g,  λ ← sweep(λ) + β p;  from p = 0 again where β > 1
//! ```
//! A stack of ten settles in a thousand such sweeps, in 51 with the exact step, where plain ones leave it falling at 2 mm/s
//! after four thousand. What goes past a bound the next sweep brings back; the last word is a sweep's.
//! Source: Silcowitz-Hansen, Niebles and Erleben, A nonsmooth nonlinear conjugate gradient method for interactive contact
//! force problems (2010).

use super::polish::polish;
use super::{Scratch, rest, shift};
use crate::physics::body::Body;
use crate::physics::prepare::System;

/// The most sweeps.
const SWEEPS: u32 = 4000;
/// Settled when no row's velocity changes by more than this in a sweep, m/s or rad/s.
pub(super) const SETTLED: f64 = 1e-9;
/// At least so many sweeps apart the rows within their bounds are solved exactly.
const EXACT: u32 = 50;

/// Sweeps the rows that are no equalities; returns how often.
pub(super) fn settle<const PUSH: bool>(system: &mut System, scratch: &mut Scratch, bodies: &[Body]) -> u32 {
    scratch.direction.clear();
    scratch.direction.resize(system.rows.len(), 0.0);
    let (mut energy, mut exact) = (0.0, EXACT);
    for sweep in 1..SWEEPS {
        scratch.before.clone_from(&scratch.impulse);
        if pass::<PUSH>(system, scratch) < SETTLED {
            return sweep;
        }
        if sweep == exact {
            let worth = polish::<PUSH>(system, scratch, bodies);
            exact = worth.map_or(SWEEPS, |worth| sweep + worth.max(EXACT));
            scratch.direction.fill(0.0);
            energy = 0.0;
        } else {
            energy = go_on(scratch, energy);
        }
    }
    pass::<PUSH>(system, scratch);
    SWEEPS
}

/// One sweep; returns the largest change of a row's velocity, m/s or rad/s.
fn pass<const PUSH: bool>(system: &mut System, scratch: &mut Scratch) -> f64 {
    let mut moved = 0.0f64;
    for block in &system.blocks {
        moved = moved.max(rest::sweep::<PUSH>(block, &mut system.rows, scratch));
    }
    moved
}

/// Goes on in the direction of the sweeps so far. `last` is the energy of the step before this one, zero if there was
/// none; returns this one's.
fn go_on(scratch: &mut Scratch, last: f64) -> f64 {
    let steps = scratch.impulse.iter().zip(&scratch.before).map(|(now, before)| now - before);
    let swept = steps.zip(&scratch.inv_k).filter(|(_, inv_k)| **inv_k > 0.0);
    let energy: f64 = swept.map(|(step, inv_k)| step * step / inv_k).sum();
    let share = if energy < last { energy / last } else { 0.0 };
    for index in 0..scratch.impulse.len() {
        if scratch.inv_k[index] > 0.0 {
            let further = share * scratch.direction[index];
            scratch.direction[index] = further + scratch.impulse[index] - scratch.before[index];
            if further != 0.0 {
                scratch.impulse[index] += further;
                shift(scratch, index, further);
            }
        }
    }
    energy
}
