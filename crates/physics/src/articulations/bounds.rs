//! Tests whether a mechanism may reach a bound (stop, cone) in a sub-step; it is then stepped by rows.
//!
//! The row of a bound that is not reached lets its gap close, but not further (`stabilize.rs`). While the velocities
//! solved from the equalities alone close less than the gap, the row's impulse is zero, and these velocities are the
//! solution.

use super::group::{MechanismGroup, NodeState};
use super::step::{Scratch, StepParameters};
use crate::joint::Joint;
use crate::kernel::lanes::LANES;
use crate::row::{JointFrames, RowKind};

/// The two ends of a joint at the given states; `previous` is its value in the previous step.
pub fn frames(
    group: &MechanismGroup,
    states: &[NodeState],
    (node, lane): (usize, usize),
    joint: &Joint,
    previous: f32,
) -> JointFrames {
    let member = &group.fixed.shape.members[node][lane];
    let parent = if node == 0 { &group.base } else { &states[group.fixed.shape.parents[node] as usize] };
    let (a, b) = if member.second { (parent, &states[node]) } else { (&states[node], parent) };
    let pose = |state: &NodeState| (state.x.lane(lane), state.q.lane(lane));
    JointFrames { previous, ..joint.frames_at(pose(a), pose(b)) }
}

/// Bit mask of the lanes in which no bound can be reached. The scratch states have the poses of the sub-step's start
/// and the velocities of its end.
pub fn within_bounds(
    group: &MechanismGroup,
    params: &StepParameters,
    joints: &[Box<Joint>],
    scratch: &mut Scratch,
) -> u8 {
    let Scratch { states, values, list, .. } = scratch;
    let mut within = [true; LANES];
    for &(node, lane) in &group.fixed.bounded {
        let previous = group.fixed.unwrapped.binary_search(&(node, lane)).map_or(0.0, |index| values[index]);
        let (node, lane) = (node as usize, lane as usize);
        let member = &group.fixed.shape.members[node][lane];
        if !within[lane] || group.by_rows_next >> lane & 1 == 1 {
            continue;
        }
        let joint = &joints[member.joint as usize];
        list.rows.clear();
        joint.def.kind.linearize(&frames(group, states, (node, lane), joint, previous), list);
        let body = &states[node];
        let parent = if node == 0 { &group.base } else { &states[group.fixed.shape.parents[node] as usize] };
        let (a, b) = if member.second { (parent, body) } else { (body, parent) };
        within[lane] = list.rows.iter().all(|spec| {
            let speed = spec.jacobian.speed(a.v.lane(lane), a.w.lane(lane), b.v.lane(lane), b.w.lane(lane));
            match spec.kind {
                RowKind::AtMost { c } => c < 0.0 && c + params.h * speed < 0.0,
                RowKind::AtLeast { c } => c > 0.0 && c + params.h * speed > 0.0,
                _ => true,
            }
        });
    }
    (0..LANES).fold(0, |bits, lane| bits | u8::from(within[lane]) << lane)
}
