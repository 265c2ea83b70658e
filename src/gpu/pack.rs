//! A world as the shaders' lists.
//!
//! What the kernels have is 001's scene: bodies that ball-sockets join, under gravity and Baumgarte's feedback, solved
//! by Jacobi or Gauss–Seidel as 3×3 blocks, or as whole trees. (A ball-socket by itself is such a block; that joints go
//! before all other blocks changes nothing where all go at once.) All else is refused: `refusal.rs`.

use glam::{Mat3, Quat, Vec3};

use super::chains::Chains;
use super::connectivity::Connectivity;
use super::layout::Sizes;
use super::refusal::{Refusal, refused_of};
use super::solver_config::{Scheme, SolverConfig};
use super::trees::{self, DeviceTrees};
use super::wavefronts::Wavefronts;
use crate::physics::body::Velocity;
use crate::physics::graph;
use crate::physics::settings::{Method, Order, RowSolve, Settings};
use crate::physics::world::World;

/// What a step changes.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DeviceState {
    /// Position, m, and what went wrong; rotation.
    pub poses: Vec<[f32; 8]>,
    /// m/s and rad/s.
    pub velocities: Vec<[f32; 8]>,
    /// λ in A's axes, N s; what was left undone, m/s.
    pub multipliers: Vec<[f32; 4]>,
}

/// A world as the shaders' lists.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PackedWorld {
    pub state: DeviceState,
    /// See [`Buffer::Masses`](super::layout::Buffer::Masses).
    pub masses: Vec<[f32; 8]>,
    pub ends: Vec<[u32; 2]>,
    pub anchors: Vec<[f32; 8]>,
    pub connectivity: Connectivity,
    /// The joint of each constraint.
    pub joints: Vec<u32>,
    /// Where the turns of Gauss–Seidel end among the constraints.
    pub turns: Vec<u32>,
    /// The trees whose joints stand behind the turns.
    pub trees: DeviceTrees,
    /// The chains that all constraints form, where they are solved as such; no trees and turns then.
    pub chains: Chains,
    /// The most constraints at a body that impulses move.
    pub meeting: u32,
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
    /// The world's, as it stands.
    pub fn fill(&mut self, world: &World, joints: &[u32]) {
        self.poses.clear();
        self.velocities.clear();
        for body in 0..world.bodies.len() as u32 {
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

/// Joints in the order in which their constraints are to lie, and what they form.
#[derive(Default)]
struct Arranged {
    joints: Vec<u32>,
    turns: Vec<u32>,
    trees: DeviceTrees,
    chains: Chains,
}

/// The most that one moving body may be heavier than another where chains are reduced: 32 bits hold the impulses of J M⁻¹
/// Jᵀ, and a light body between heavy ones moves by their difference.
const ALIKE: f32 = 10.0;

fn masses_are_alike(world: &World) -> bool {
    let moving = || world.bodies.iter().filter(|body| body.is_dynamic()).map(|body| body.mass);
    moving().fold(0.0, f32::max) <= ALIKE * moving().fold(f32::INFINITY, f32::min)
}

/// Trees are eliminated body by body; chains that would have to be cut for their length, see
/// `physics/solvers/tree/elimination_plan.rs`, are reduced whole.
fn arrange(world: &World, joints: Vec<u32>, scheme: Option<Scheme>) -> Result<Arranged, Refusal> {
    let solver = &world.settings.solver;
    if solver.method == Method::Jacobi {
        return Ok(Arranged { joints, ..Arranged::default() });
    }
    let end = |body: u32| if world.bodies[body as usize].is_dynamic() { body } else { graph::NONE };
    let of = |joint: &u32| &world.joints[*joint as usize].def;
    let ends: Vec<[u32; 2]> = joints.iter().map(|joint| [end(of(joint).a), end(of(joint).b)]).collect();
    let sorted = |order: &[u32]| order.iter().map(|index| joints[*index as usize]).collect();
    if solver.rows == RowSolve::Tree {
        let chains = || {
            let chains = Chains::find(world.bodies.len(), &ends)?;
            Some(Arranged { joints: sorted(&chains.order), chains, ..Arranged::default() })
        };
        if scheme == Some(Scheme::Cyclic) {
            return chains().ok_or(Refusal::Chains);
        }
        let (trees, turns) = trees::plant(world, &joints);
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
        Wavefronts::of_colours(world.bodies.len(), &ends)
    } else {
        let all: Vec<u32> = (0..joints.len() as u32).collect();
        Wavefronts::of(world.bodies.len(), &all, |index| ends[index as usize])
    };
    Ok(Arranged { joints: sorted(&turns.order), turns: turns.ends, ..Arranged::default() })
}

impl PackedWorld {
    /// How many of everything there are.
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

    /// A world as it stands.
    ///
    /// # Errors
    /// What it has that the kernels have not.
    pub fn new(world: &World) -> Result<Self, Refusal> {
        Self::by(world, None)
    }

    /// The same for a scheme of those that its settings allow: of trees there are two.
    ///
    /// # Errors
    /// What it has that the kernels have not.
    pub fn by(world: &World, scheme: Option<Scheme>) -> Result<Self, Refusal> {
        if let Some(refusal) = refused_of(world) {
            return Err(refusal);
        }
        let whole = (0..).zip(world.joints.iter()).filter(|(_, joint)| joint.broken.is_none());
        let arranged = arrange(world, whole.map(|(index, _)| index).collect(), scheme)?;
        let Arranged { joints, turns, trees, chains } = arranged;
        let of = |index: &u32| &world.joints[*index as usize].def;
        let ends: Vec<[u32; 2]> = joints.iter().map(|joint| [of(joint).a, of(joint).b]).collect();
        let anchor = |joint| pair(with_zero(of(joint).anchor_a), with_zero(of(joint).anchor_b));
        let connectivity = Connectivity::new(world.bodies.len(), &ends);
        let dynamic = (0..).zip(world.bodies.iter()).filter(|(_, body)| body.is_dynamic());
        let mut packed = Self {
            state: DeviceState::default(),
            masses: world.bodies.iter().map(|body| masses(body.inv_mass, &body.inv_inertia_local)).collect(),
            anchors: joints.iter().map(anchor).collect(),
            meeting: dynamic.map(|(body, _)| connectivity.at(body).len() as u32).max().unwrap_or(0),
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
    /// Whether all constraints lie as chains.
    pub fn is_chained(&self) -> bool {
        !self.chains.links.is_empty()
    }

    /// A step's numbers by the settings.
    pub fn config(&self, settings: &Settings) -> SolverConfig {
        SolverConfig::new(settings, self.meeting, self.is_chained())
    }
}
