//! Loops that pass a pose in which they can go on in two ways: a parallelogram or a kite with all bars in one line.
//!
//! ```text
//! C = x y     J = (y, x): on the branch x = 0 the row fixes x, with a weight y that falls to zero and changes its sign
//! ```
//! Within a step of such a pose y turns by ω h, so a row of so little weight may be that of the other branch. The step that
//! closes it at its end grows without bound, and one that is a little aside loses the motion: up to a fifth of the energy
//! was lost each time. So rows whose combination has a weight of y² ≲ (ω h)² are held to the impulses of the step before:
//!
//! ```text
//! (A + ε W) Δλ = −(J u + b)     ε = 3 (ω h)², at most 0.04, in the few solves of a sub-step      W: the rows' weights
//! ```
//! That is a proximal step. Rows of weight one miss (ε/a)⁴ of the change of their impulse, a step that passes a fork nearly
//! all of the change along it. A mechanism without impulses, as at the start or without warm starting, has nothing to be
//! held to. Ropes and stops are not held: what they bear changes at once. Source: derived here; Rockafellar 1976 (the
//! proximal point).

use super::plan::{Mechanism, Plan};
use crate::graph::NONE;
use crate::row::Row;

/// ε over (ω h)², and the largest ε.
const PER_SQUARE: f64 = 3.0;
const MAX_SHARE: f64 = 0.04;

/// ε of a mechanism with these rows, whose bodies turn by these angles in a sub-step, rad, by body of the world.
pub fn share<'a>(plan: &Plan, index: usize, rows: impl Iterator<Item = &'a Row> + Clone, turns: &[f64]) -> f64 {
    let Mechanism { nodes, bodies, .. } = &plan.mechanisms[index];
    let nodes = &plan.nodes[nodes.clone()];
    let joints = nodes.iter().filter(|node| node.part == 0).count();
    let is_grounded = nodes.iter().any(|node| node.a == NONE || node.b == NONE);
    // A tree has a joint a body, or one less where nothing holds it.
    let is_tree = joints + usize::from(!is_grounded) <= bodies.len();
    let is_one_sided = |row: &Row| row.lo == 0.0 || row.hi == 0.0;
    if is_tree || rows.clone().any(is_one_sided) || rows.clone().all(|row| row.impulse == 0.0) {
        return 0.0;
    }
    let turn = |body: &u32| turns.get(*body as usize).copied().unwrap_or(0.0);
    let turn = plan.bodies[bodies.clone()].iter().map(turn).fold(0.0, f64::max);
    (PER_SQUARE * turn * turn).min(MAX_SHARE)
}
