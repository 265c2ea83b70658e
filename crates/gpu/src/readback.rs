//! A world's state as read from the device, in the physics' interface.
//!
//! Impulses are stored in A's axes before the bodies moved in the last sub-step; `load` returns world axes. The
//! rotation since then is h ω, and is undone:
//!
//! ```text
//! λ = R λ₀,   R = exp(−h ω) R_A      or, if the rotation was advanced as printed,   q = q_A (1 + h ω/2)*
//! ```

use std::sync::Arc;

use glam::{Quat, Vec3};

use super::pack::{DeviceState, PackedWorld};
use super::solver_config::SolverConfig;
use delassus_physics::body::Velocity;
use delassus_physics::device;
use delassus_physics::fault::FaultKind;
use delassus_physics::graph::NONE;
use delassus_physics::row::SLOTS;

/// The constraint of each joint, and each constraint's body A.
#[derive(Debug, Clone, Default)]
pub struct ConstraintMap {
    /// By joint.
    constraints: Vec<u32>,
    /// The body A of each constraint.
    owners: Vec<u32>,
}

impl ConstraintMap {
    /// For a world with `joints` joints.
    pub fn new(packed: &PackedWorld, joints: usize) -> Self {
        let mut constraints = vec![NONE; joints];
        for (constraint, joint) in (0..).zip(&packed.joints) {
            constraints[*joint as usize] = constraint;
        }
        Self { constraints, owners: packed.ends.iter().map(|ends| ends[0]).collect() }
    }
}

/// A state with the data needed to interpret it.
#[derive(Debug, Clone)]
pub struct StateReadback {
    pub state: DeviceState,
    pub constraints: Arc<ConstraintMap>,
    /// The configuration of the last step.
    pub config: SolverConfig,
}

impl StateReadback {
    /// A body's rotation before the last sub-step.
    fn before(&self, body: usize) -> Quat {
        let (_, rotation) = self.state.pose(body);
        let turn = Vec3::from(self.state.velocity(body).angular) * self.config.h;
        if self.config.printed_rotation {
            (rotation * Quat::from_vec4((-0.5 * turn).extend(1.0))).normalize()
        } else {
            Quat::from_scaled_axis(-turn) * rotation
        }
    }
}

impl device::Readback for StateReadback {
    fn state(&self, body: u32) -> (Vec3, Quat, Velocity) {
        let (position, rotation) = self.state.pose(body as usize);
        (position, rotation, self.state.velocity(body as usize))
    }

    fn load(&self, joint: usize) -> Option<device::JointLoad> {
        let constraint = *self.constraints.constraints.get(joint).filter(|constraint| **constraint != NONE)? as usize;
        let [x, y, z, residual] = self.state.multipliers[constraint];
        let mut impulses = [0.0; SLOTS];
        impulses[..3].copy_from_slice(&[x, y, z]);
        let linear = self.before(self.constraints.owners[constraint] as usize) * Vec3::new(x, y, z);
        Some(device::JointLoad { impulses, linear, angular: Vec3::ZERO, residual })
    }

    fn residual(&self) -> f32 {
        self.state.multipliers.iter().fold(0.0, |largest, [.., residual]| largest.max(*residual))
    }

    fn stopped(&self) -> (usize, Option<(u32, FaultKind)>) {
        let mut stopped = (0..).zip(&self.state.poses).filter(|(_, pose)| pose[3] != 0.0);
        let kind = |mark: f32| if mark == 1.0 { FaultKind::NotFinite } else { FaultKind::RanAway };
        let first = stopped.next().map(|(body, pose)| (body, kind(pose[3])));
        (stopped.count() + usize::from(first.is_some()), first)
    }

    fn bytes(&self) -> usize {
        let DeviceState { poses, velocities, multipliers } = &self.state;
        size_of_val(&**poses) + size_of_val(&**velocities) + size_of_val(&**multipliers)
    }
}
