//! A world in the layout of the shaders' buffers.
//!
//! The kernels support the scene of document 001: bodies joined by ball-sockets, under gravity and Baumgarte
//! stabilisation, solved by Jacobi or Gauss–Seidel as 3×3 blocks, or as whole trees. (A single ball-socket is such a
//! block; solving joints before all other blocks changes nothing in Jacobi.) All else is refused: `refusal.rs`.

use glam::{Mat3, Quat, Vec3};

use super::chains::Chains;
use super::connectivity::Connectivity;
use super::layout::Sizes;
use super::refusal::{Refusal, refused_of};
use super::solver_config::{Scheme, SolverConfig};
use super::trees::{self, DeviceTrees};
use super::wavefronts::Wavefronts;
use delassus_physics::body::Velocity;
use delassus_physics::graph;
use delassus_physics::settings::{Method, Order, Settings};
use delassus_physics::world::World;

/// The part of a world that a step changes.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DeviceState {
    /// By body: position, m, and a fault mark (0: none); rotation x y z w.
    pub poses: Vec<[f32; 8]>,
    /// By body: linear, m/s, and angular, rad/s; the fourth components are unused.
    pub velocities: Vec<[f32; 8]>,
    /// By constraint: λ in A's axes, N·s; residual, m/s.
    pub multipliers: Vec<[f32; 4]>,
}

/// A world in the layout of the shaders' buffers.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PackedWorld {
    pub state: DeviceState,
    /// See [`Buffer::Masses`](super::layout::Buffer::Masses).
    pub masses: Vec<[f32; 8]>,
    pub ends: Vec<[u32; 2]>,
    pub anchors: Vec<[f32; 8]>,
    pub connectivity: Connectivity,
    /// The joint index of each constraint.
    pub joints: Vec<u32>,
    /// The ends of the colours' ranges of constraints (turns of Gauss–Seidel).
    pub turns: Vec<u32>,
    /// The trees; their constraints come after those of the turns.
    pub trees: DeviceTrees,
    /// The chains, if all constraints are solved as chains; there are then no trees and turns.
    pub chains: Chains,
    /// The largest number of constraints at a dynamic body.
    pub constraints_per_body: u32,
}

fn pair(first: [f32; 4], second: [f32; 4]) -> [f32; 8] {
    let mut both = [0.0; 8];
    both[..4].copy_from_slice(&first);
    both[4..].copy_from_slice(&second);
    both
}

fn with_zero(v: Vec3) -> [f32; 4] {
    [v.x, v.y, v.z, 0.0]
}

/// 1/m and the inverse inertia, see [`PackedWorld::masses`].
fn masses(inverse: f32, inertia: &Mat3) -> [f32; 8] {
    let [x, y, z] = inertia.to_cols_array_2d();
    pair([inverse, x[0], y[1], z[2]], [x[1], x[2], y[2], 0.0])
}

impl DeviceState {
    /// Fills in the world's present state; `joints` are the joint indices of the constraints.
    pub fn fill(&mut self, world: &World, joints: &[u32]) {
        self.poses.clear();
        self.velocities.clear();
        for body in 0..world.state.bodies.len() as u32 {
            let (position, rotation, Velocity { linear, angular }) = world.state(body);
            self.poses.push(pair(with_zero(position), rotation.to_array()));
            self.velocities.push(pair(with_zero(linear.into()), with_zero(angular.into())));
        }
        self.multipliers.clear();
        self.multipliers.extend(joints.iter().map(|joint| {
            let [x, y, z, ..] = world.impulses_now(*joint as usize);
            [x, y, z, 0.0]
        }));
    }

    /// A body's position, m, and rotation.
    pub fn pose(&self, body: usize) -> (Vec3, Quat) {
        let [x, y, z, _, rotation @ ..] = self.poses[body];
        (Vec3::new(x, y, z), Quat::from_array(rotation))
    }

    /// A body's velocity, m/s and rad/s.
    pub fn velocity(&self, body: usize) -> Velocity {
        let [x, y, z, _, u, v, w, _] = self.velocities[body];
        Velocity { linear: Vec3::new(x, y, z).into(), angular: Vec3::new(u, v, w).into() }
    }
}

/// Joints in the order of their constraints, with their turns, trees or chains.
#[derive(Default)]
struct Arranged {
    joints: Vec<u32>,
    turns: Vec<u32>,
    trees: DeviceTrees,
    chains: Chains,
}

/// The largest ratio of masses for which chains are solved by cyclic reduction. The impulses are f32, and a light body
/// between heavy ones moves by their small difference.
const MAX_MASS_RATIO: f32 = 10.0;

fn masses_are_alike(world: &World) -> bool {
    let moving = || world.state.bodies.iter().filter(|body| body.is_dynamic()).map(|body| body.mass);
    moving().fold(0.0, f32::max) <= MAX_MASS_RATIO * moving().fold(f32::INFINITY, f32::min)
}

/// Orders the joints. Trees are eliminated body by body; chains that would have to be cut for their length, see
/// `physics/solvers/tree/elimination_plan.rs`, are solved by cyclic reduction instead.
fn arrange(world: &World, joints: Vec<u32>, scheme: Option<Scheme>) -> Result<Arranged, Refusal> {
    let solver = &world.settings.solver;
    if solver.method == Method::Jacobi {
        return Ok(Arranged { joints, ..Arranged::default() });
    }
    let end = |body: u32| if world.state.bodies[body as usize].is_dynamic() { body } else { graph::NONE };
    let def = |joint: &u32| &world.state.joints[*joint as usize].def;
    let ends: Vec<[u32; 2]> = joints.iter().map(|joint| [end(def(joint).a), end(def(joint).b)]).collect();
    let sorted = |order: &[u32]| order.iter().map(|index| joints[*index as usize]).collect();
    if solver.rows.takes_trees() {
        let chains = || {
            let chains = Chains::find(world.state.bodies.len(), &ends)?;
            Some(Arranged { joints: sorted(&chains.order), chains, ..Arranged::default() })
        };
        if scheme == Some(Scheme::Cyclic) {
            return chains().ok_or(Refusal::Chains);
        }
        let (trees, turns) = trees::pack(world, &joints);
        let is_cut = !turns.ends.is_empty();
        let reduced = if scheme.is_none() && is_cut && masses_are_alike(world) { chains() } else { None };
        return Ok(reduced.unwrap_or_else(|| Arranged {
            joints: turns.order,
            turns: turns.ends,
            trees,
            ..Arranged::default()
        }));
    }
    let turns = if solver.order == Order::Coloured {
        Wavefronts::of_colours(world.state.bodies.len(), &ends)
    } else {
        let all: Vec<u32> = (0..joints.len() as u32).collect();
        Wavefronts::of(world.state.bodies.len(), &all, |index| ends[index as usize])
    };
    Ok(Arranged { joints: sorted(&turns.order), turns: turns.ends, ..Arranged::default() })
}

impl PackedWorld {
    /// The sizes of the buffers.
    pub fn sizes(&self) -> Sizes {
        Sizes {
            bodies: self.masses.len(),
            constraints: self.ends.len(),
            nodes: self.trees.nodes.len(),
            levels: self.trees.longest(),
            links: self.chains.links.len(),
            groups: self.chains.groups.len(),
        }
    }

    /// Packs a world in its present state.
    ///
    /// # Errors
    /// What the kernels do not support.
    pub fn new(world: &World) -> Result<Self, Refusal> {
        Self::by(world, None)
    }

    /// The same with a given scheme, if the settings allow several: tree rows allow two.
    ///
    /// # Errors
    /// What the kernels do not support.
    pub fn by(world: &World, scheme: Option<Scheme>) -> Result<Self, Refusal> {
        if let Some(refusal) = refused_of(world) {
            return Err(refusal);
        }
        let unbroken = (0..).zip(world.state.joints.iter()).filter(|(_, joint)| joint.broken.is_none());
        let arranged = arrange(world, unbroken.map(|(index, _)| index).collect(), scheme)?;
        let Arranged { joints, turns, trees, chains } = arranged;
        let def = |index: &u32| &world.state.joints[*index as usize].def;
        let ends: Vec<[u32; 2]> = joints.iter().map(|joint| [def(joint).a, def(joint).b]).collect();
        let anchor = |joint| pair(with_zero(def(joint).anchor_a), with_zero(def(joint).anchor_b));
        let connectivity = Connectivity::new(world.state.bodies.len(), &ends);
        let dynamic = (0..).zip(world.state.bodies.iter()).filter(|(_, body)| body.is_dynamic());
        let mut packed = Self {
            state: DeviceState::default(),
            masses: world.state.bodies.iter().map(|body| masses(body.inv_mass, &body.inv_inertia_local)).collect(),
            anchors: joints.iter().map(anchor).collect(),
            constraints_per_body: dynamic.map(|(body, _)| connectivity.at(body).len() as u32).max().unwrap_or(0),
            ends,
            connectivity,
            joints,
            turns,
            trees,
            chains,
        };
        packed.state.fill(world, &packed.joints);
        Ok(packed)
    }
    /// Whether the constraints are laid out as chains.
    pub fn is_chained(&self) -> bool {
        !self.chains.links.is_empty()
    }

    /// The parameters of a step with these settings.
    pub fn config(&self, settings: &Settings) -> SolverConfig {
        SolverConfig::new(settings, self.constraints_per_body, self.is_chained())
    }
}
