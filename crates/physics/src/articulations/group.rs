//! Eight mechanisms in memory: arrays by node, eight lanes per number. Copies of a world share the part that no step
//! changes ([`GroupConstants`]); the rest is read and written once per step.

use std::sync::Arc;

use glam::Vec3;

use super::articulated::SpatialVector;
use super::closing::LaneAccounts;
use super::fixed::GroupConstants;
use super::joints::TreeJoint;
use super::lane_plan::GroupShape;
use crate::body::{Body, Velocity};
use crate::copy::copied_by_fields;
use crate::graph::NONE;
use crate::joint::Joint;
use crate::kernel::lanes::{Lanes, Quaternions, Vectors, lane};
use crate::rattle;
use crate::row::SLOTS;
use crate::world::state::State;

/// Poses and velocities of a node's bodies, one per lane; world frame, m, m/s, rad/s.
#[derive(Debug, Clone, Copy)]
pub struct NodeState {
    pub x: Vectors,
    pub q: Quaternions,
    pub v: Vectors,
    pub w: Vectors,
}

impl NodeState {
    const REST: Self = Self { x: Vectors::ZERO, q: Quaternions::IDENTITY, v: Vectors::ZERO, w: Vectors::ZERO };
}

/// Eight mechanisms with overlaid trees.
#[derive(Debug)]
pub struct MechanismGroup {
    pub fixed: Arc<GroupConstants>,
    pub states: Vec<NodeState>,
    /// State of the static or kinematic bodies that the roots are joined to.
    pub base: NodeState,
    /// By node: λ of the anchor rows, N·s, and of the angular rows, N·m·s; `axes` is empty if all joints are balls.
    pub anchors: Vec<Vectors>,
    pub axes: Vec<Vectors>,
    /// Joint angles that count turns, rad, in the order of [`GroupConstants::unwrapped`].
    pub values: Vec<f32>,
    /// By node: impulse of the joint on B in the last sub-step, world axes, N·s and N·m·s, and its residual speed,
    /// m/s; empty if no read-outs are wanted.
    pub loads: Vec<(SpatialVector, Lanes)>,
    /// Mid-step velocities of the last step, from which the next one continues; empty unless RATTLE is on.
    pub midpoints: Vec<SpatialVector>,
    pub accounts: LaneAccounts,
    /// The largest residual speed of the joints stepped here, m/s.
    pub residual: f32,
    /// Bit masks of lanes that are stepped by rows instead: `left` in the last step, `by_rows_before` in the one before
    /// it, `by_rows_next` on request in the next step.
    pub by_rows: u8,
    pub by_rows_before: u8,
    pub by_rows_next: u8,
}

copied_by_fields!(MechanismGroup {
    fixed,
    states,
    base,
    anchors,
    axes,
    values,
    loads,
    midpoints,
    accounts,
    residual,
    by_rows,
    by_rows_before,
    by_rows_next
});

impl MechanismGroup {
    /// A group at rest; [`Self::load`] fills in the state.
    pub fn new(shape: &Arc<GroupShape>, state: &State) -> Self {
        let fixed = GroupConstants::new(shape, state);
        let nodes = shape.parents.len();
        Self {
            states: vec![NodeState::REST; nodes],
            base: NodeState::REST,
            anchors: vec![Vectors::ZERO; nodes],
            axes: vec![Vectors::ZERO; if fixed.angular.is_empty() { 0 } else { nodes }],
            values: vec![0.0; fixed.unwrapped.len()],
            loads: Vec::new(),
            residual: 0.0,
            midpoints: Vec::new(),
            accounts: LaneAccounts::default(),
            by_rows: 0,
            by_rows_before: 0,
            by_rows_next: 0,
            fixed: Arc::new(fixed),
        }
    }

    /// Whether every body has three equal principal moments of inertia.
    pub fn round(&self) -> bool {
        self.fixed.tensors.is_empty()
    }

    /// Loads the state of the lanes in the bit mask `wanted` from the world. `half_step`: RATTLE's mid-step velocities
    /// and its end-of-step velocities as they were left in the world, if present.
    pub fn load(
        &mut self,
        wanted: u8,
        (bodies, velocities, joints): (&[Box<Body>], &[Velocity], &[Box<Joint>]),
        half_step: Option<(&[Velocity], &[Velocity])>,
    ) {
        let Self { fixed, states, base, anchors, axes, values, midpoints, .. } = self;
        midpoints.resize(if half_step.is_some() { states.len() } else { 0 }, SpatialVector::ZERO);
        for (node, members) in fixed.shape.members.iter().enumerate() {
            for (lane, member) in members.iter().enumerate().filter(|(lane, _)| wanted >> lane & 1 == 1) {
                if member.body == NONE {
                    continue;
                }
                let (body, velocity) = (&bodies[member.body as usize], &velocities[member.body as usize]);
                let state = &mut states[node];
                state.x.set(lane, body.position);
                state.q.set(lane, body.rotation);
                state.v.set(lane, velocity.linear.into());
                state.w.set(lane, velocity.angular.into());
                if let Some((half, left)) = half_step {
                    let (half, left) = (&half[member.body as usize], &left[member.body as usize]);
                    let resumed = rattle::resumed(velocity, half, left);
                    midpoints[node].v.set(lane, resumed.linear.into());
                    midpoints[node].w.set(lane, resumed.angular.into());
                }
                if member.joint == NONE {
                    continue;
                }
                let joint = &joints[member.joint as usize];
                let [x, y, z, u, v, w, ..] = joint.impulses;
                anchors[node].set(lane, Vec3::new(x, y, z));
                if !axes.is_empty() {
                    axes[node].set(lane, Vec3::new(u, v, w));
                }
                if node == 0 {
                    let above = &bodies[(if member.second { joint.def.a } else { joint.def.b }) as usize];
                    base.x.set(lane, above.position);
                    base.q.set(lane, above.rotation);
                }
            }
        }
        for ((node, lane), value) in fixed.unwrapped.iter().zip(values) {
            if wanted >> lane & 1 == 1 {
                *value = joints[fixed.shape.members[*node as usize][*lane as usize].joint as usize].readout.value;
            }
        }
    }

    /// Copies a body's pose and velocity into the world.
    pub fn store(&self, (node, lane): (usize, usize), body: &mut Body, velocity: &mut Velocity) {
        let state = &self.states[node];
        (body.position, body.rotation) = (state.x.lane(lane), state.q.lane(lane));
        *velocity = Velocity { linear: state.v.lane_a(lane), angular: state.w.lane_a(lane) };
        body.refresh_inertia();
    }

    /// A body's mid-step velocity, and its velocity at the end of the step; equal if there are no mid-step
    /// velocities.
    pub fn velocities(&self, (node, lane): (usize, usize)) -> (Velocity, Velocity) {
        let velocity = |v: &Vectors, w: &Vectors| Velocity { linear: v.lane_a(lane), angular: w.lane_a(lane) };
        let (state, half) = (&self.states[node], self.midpoints.get(node));
        let left = velocity(&state.v, &state.w);
        (half.map_or(left, |half| velocity(&half.v, &half.w)), left)
    }

    /// Copies a joint's impulses and turn-counting angle into the world; impulses of stops and cones are zero.
    pub fn store_joint(&self, (node, lane): (usize, usize), joint: &mut Joint) {
        joint.impulses = [0.0; SLOTS];
        joint.impulses[..3].copy_from_slice(&self.anchors[node].lane(lane).to_array());
        if !self.axes.is_empty() {
            let count = match TreeJoint::of(joint) {
                Some(TreeJoint::Hinge) => 2,
                Some(TreeJoint::Fixed) => 3,
                _ => 0,
            };
            joint.impulses[3..3 + count].copy_from_slice(&self.axes[node].lane(lane).to_array()[..count]);
        }
        let place = (node as u32, lane as u32);
        if let Ok(index) = self.fixed.unwrapped.binary_search(&place) {
            joint.readout.value = self.values[index];
        }
    }

    /// Force and torque impulse of a joint on B in the last sub-step, world axes, N·s and N·m·s, and its residual
    /// speed, m/s.
    pub fn load_of(&self, (node, at): (usize, usize)) -> (Vec3, Vec3, f32) {
        let Some((load, residual)) = self.loads.get(node) else { return (Vec3::ZERO, Vec3::ZERO, 0.0) };
        (load.v.lane(at), load.w.lane(at), lane(residual, at))
    }
}
