//! A world as the shaders' lists, and which worlds cannot be one.
//!
//! What the kernels have is 001's scene: bodies that ball-sockets join, under gravity and Baumgarte's feedback, solved
//! by Jacobi or Gauss–Seidel as 3×3 blocks, or as whole trees. (A ball-socket by itself is such a block; that joints go
//! before all other blocks changes nothing where all go at once.) All else is refused with the reason, and stepped by the
//! processor.

use glam::{Mat3, Quat, Vec3};
use thiserror::Error;

use super::chains::Chains;
use super::connectivity::Connectivity;
use super::course::{Course, Scheme};
use super::layout::Sizes;
use super::trees::{self, Trees};
use super::turns::Turns;
use crate::physics::body::Velocity;
use crate::physics::graph;
use crate::physics::joints::JointKind;
use crate::physics::settings::{
    AnchorForm, CarryForm, Gyroscopic, JacobiStep, Method, Order, RowSolve, Safeguard, Settings, Stabilization,
};
use crate::physics::world::World;

/// Why a world is not stepped on the graphics device, as the end of a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Refusal {
    #[error("it has sweeps alone, no direct solver")]
    Method,
    #[error("it solves ball-sockets as 3×3 blocks, by Jacobi also joint by joint, by Gauss–Seidel as whole trees")]
    Rows,
    #[error("it sweeps forward or by colours, not backward or in an order drawn anew")]
    Order,
    #[error("it applies old impulses before the first sweep of Gauss–Seidel, not behind it")]
    Carry,
    #[error("it has no conjugate directions")]
    Conjugate,
    #[error("it runs all sweeps, whatever the tolerance")]
    Tolerance,
    #[error("it estimates no spectral radius")]
    Spectrum,
    #[error("bodies may sleep")]
    Sleep,
    #[error("it has no safeguard of old impulses: warm starting goes with Baumgarte, a manual ω or the safeguard off")]
    Safeguard,
    #[error("it caps no impulses")]
    Cap,
    #[error("it mends positions by Baumgarte's feedback or not at all")]
    Stabilization,
    #[error("it leaves joints no slop")]
    Slop,
    #[error("it has no geometric stiffness")]
    Stiffness,
    #[error("it keeps anchors together by their distance's components, not by its square")]
    Anchor,
    #[error("it has ball-sockets alone, and joint {0} is none")]
    Kind(usize),
    #[error("joint {0} has a spring, a stabilisation or a load that breaks it of its own")]
    Options(usize),
    #[error("joints can break")]
    Breaking,
    #[error("it has no contacts, and body {0} may touch others")]
    Contact(usize),
    #[error("it has no gyroscopic term, and body {0} is no ball")]
    Gyroscopic(usize),
    #[error("bodies follow movers")]
    Movers,
    #[error("bodies are confined to planes")]
    Planes,
    #[error("it has no hand to pull with")]
    Hand,
    #[error("it reduces chains alone, and not all constraints form some")]
    Chains,
}

/// What the settings ask for that the kernels have not.
pub fn refused(settings: &Settings) -> Option<Refusal> {
    let Settings { solver, stabilization, warm_start, formulation, .. } = settings;
    let at_once = solver.method == Method::Jacobi;
    let usual = at_once && solver.jacobi == JacobiStep::Manual || stabilization.method == Stabilization::Baumgarte;
    let watched = match warm_start.safeguard {
        Safeguard::Off => false,
        Safeguard::Usual => !usual,
        Safeguard::Always => true,
    };
    let checks = [
        (solver.method == Method::Direct, Refusal::Method),
        (
            !matches!((solver.rows, at_once), (RowSolve::Block, _) | (RowSolve::Joint, true) | (RowSolve::Tree, false)),
            Refusal::Rows,
        ),
        (!at_once && !matches!(solver.order, Order::Forward | Order::Coloured), Refusal::Order),
        (!at_once && warm_start.enabled && formulation.carry == CarryForm::AsPrinted, Refusal::Carry),
        (at_once && solver.jacobi == JacobiStep::Conjugate, Refusal::Conjugate),
        (solver.tolerance > 0.0, Refusal::Tolerance),
        (solver.spectrum_every > 0, Refusal::Spectrum),
        (settings.sleep.enabled, Refusal::Sleep),
        (warm_start.enabled && watched, Refusal::Safeguard),
        (warm_start.enabled && warm_start.impulse_cap > 0.0, Refusal::Cap),
        (!matches!(stabilization.method, Stabilization::Off | Stabilization::Baumgarte), Refusal::Stabilization),
        (stabilization.joint_slop > 0.0, Refusal::Slop),
        (stabilization.geometric_stiffness, Refusal::Stiffness),
        (formulation.anchor != AnchorForm::Length, Refusal::Anchor),
    ];
    checks.into_iter().find(|(refused, _)| *refused).map(|(_, refusal)| refusal)
}

/// What a world has, or its settings ask for, that the kernels have not.
pub fn refused_of(world: &World) -> Option<Refusal> {
    let settings = &world.settings;
    if let Some(refusal) = refused(settings) {
        return Some(refusal);
    }
    let checks = [
        (world.mouse_joint.is_some(), Refusal::Hand),
        (!world.movers.is_empty(), Refusal::Movers),
        (!world.planes.is_empty(), Refusal::Planes),
        (world.can_break(), Refusal::Breaking),
    ];
    if let Some((_, refusal)) = checks.into_iter().find(|(refused, _)| *refused) {
        return Some(refusal);
    }
    for (index, body) in world.bodies.iter().enumerate() {
        if settings.contact.enabled && body.collide {
            return Some(Refusal::Contact(index));
        }
        if settings.step.gyroscopic != Gyroscopic::Off && body.is_dynamic() && !body.isotropic {
            return Some(Refusal::Gyroscopic(index));
        }
    }
    for (index, joint) in world.joints.iter().enumerate().filter(|(_, joint)| joint.broken.is_none()) {
        let options = &joint.def.options;
        if !matches!(joint.def.kind, JointKind::BallSocket(_)) {
            return Some(Refusal::Kind(index));
        }
        if options.breaks.is_some() || options.stabilization.is_some() || options.soft.is_some() {
            return Some(Refusal::Options(index));
        }
    }
    None
}

/// What a step changes.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct State {
    /// Position, m, and what went wrong; rotation.
    pub poses: Vec<[f32; 8]>,
    /// m/s and rad/s.
    pub velocities: Vec<[f32; 8]>,
    /// λ in A's axes, N s; what was left undone, m/s.
    pub multipliers: Vec<[f32; 4]>,
}

/// A world as the shaders' lists.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Packed {
    pub state: State,
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
    pub trees: Trees,
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

/// 1/m and the inverse inertia, see [`Packed::masses`].
fn masses(inverse: f32, inertia: &Mat3) -> [f32; 8] {
    let [x, y, z] = inertia.to_cols_array_2d();
    pair([inverse, x[0], y[1], z[2]], [x[1], x[2], y[2], 0.0])
}

impl State {
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
    trees: Trees,
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
/// `physics/solvers/tree/plan.rs`, are reduced whole.
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
        Turns::of_colours(world.bodies.len(), &ends)
    } else {
        let all: Vec<u32> = (0..joints.len() as u32).collect();
        Turns::of(world.bodies.len(), &all, |index| ends[index as usize])
    };
    Ok(Arranged { joints: sorted(&turns.order), turns: turns.ends, ..Arranged::default() })
}

impl Packed {
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
            state: State::default(),
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
    pub fn course(&self, settings: &Settings) -> Course {
        Course::new(settings, self.meeting, self.is_chained())
    }
}
