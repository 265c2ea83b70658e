//! The scene of document 001 as a benchmark of solvers: chains of beads, released from rest.

use std::sync::{Arc, PoisonError};

use glam::{Quat, Vec3};

use super::device::{Device, DeviceFault};
use super::device_solver::DeviceSolver;
use super::pack::{DeviceState, PackedWorld};
use super::rows::LaneSweeper;
use super::rows::sweeper::KernelLog;
use super::solver_config::{Scheme, SolverConfig};
use super::timing::{self, Timed, TimingSource};
use delassus_physics::body::{BodyDef, Material, Motion};
use delassus_physics::clock::Instant;
use delassus_physics::collision_filter::CollisionFilter;
use delassus_physics::device::DeviceRefusal;
use delassus_physics::joint::{JointDef, JointOptions};
use delassus_physics::joints::{BallSocket, JointKind};
use delassus_physics::preset::Preset;
use delassus_physics::settings::{JacobiStep, Method, Order, RowSolve, Settings, Stabilization};
use delassus_physics::shape::Shape;
use delassus_physics::solvers::remote_sweeps::SweepRefusal;
use delassus_physics::world::World;

/// Radius of a bead and distance between neighbours, m.
const RADIUS: f32 = 0.1;
const SPACING: f32 = 0.25;

/// 001's solver: Jacobi with ω = 1 and `iterations` sweeps, no warm starting, Baumgarte.
pub fn settings(iterations: u32) -> Settings {
    let mut settings = Preset::SingleStep.settings();
    settings.step.rate = 240.0;
    settings.solver.method = Method::Jacobi;
    settings.solver.rows = RowSolve::Block;
    settings.solver.jacobi = JacobiStep::Manual;
    settings.solver.relaxation = 1.0;
    settings.solver.iterations = iterations;
    settings.warm_start.enabled = false;
    settings.stabilization.method = Stabilization::Baumgarte;
    settings.contact.enabled = false;
    settings
}

/// The same by Gauss–Seidel in the order of colours.
pub fn coloured(iterations: u32) -> Settings {
    let mut settings = settings(iterations);
    settings.solver.method = Method::GaussSeidel;
    settings.solver.order = Order::Coloured;
    settings
}

/// The same by exactly solved trees.
pub fn trees(iterations: u32) -> Settings {
    let mut settings = settings(iterations);
    settings.solver.method = Method::GaussSeidel;
    settings.solver.rows = RowSolve::Tree;
    settings
}

/// The settings that select a scheme.
pub fn of(scheme: Scheme, iterations: u32) -> Settings {
    match scheme {
        Scheme::Printed | Scheme::Incremental | Scheme::OnePass => settings(iterations),
        Scheme::Coloured => coloured(iterations),
        Scheme::Exact | Scheme::Cyclic => trees(iterations),
    }
}

/// A world of `chains` horizontal chains of `beads` beads of 1 kg; the first bead of each is static.
pub fn chains(chains: usize, beads: usize, settings: Settings) -> World {
    let mut world = World::new(settings);
    world.pipeline.executor.readouts = false;
    world.pipeline.executor.resident = true;
    let Some(solid) = (Shape::Sphere { radius: RADIUS }).solid().map(Arc::new) else { return world };
    let side = (chains as f32).sqrt().ceil().max(1.0) as usize;
    let bodies: Vec<BodyDef> = (0..chains * beads)
        .map(|index| {
            let (chain, bead) = (index / beads, index % beads);
            let at =
                [bead as f32 * SPACING, (chain % side) as f32 * 4.0 * RADIUS, (chain / side) as f32 * 4.0 * RADIUS];
            BodyDef {
                solid: Arc::clone(&solid),
                position: Vec3::from_array(at),
                rotation: Quat::IDENTITY,
                velocity: Vec3::ZERO,
                angular_velocity: Vec3::ZERO,
                motion: if bead == 0 { Motion::Static } else { Motion::Dynamic },
                mass: 1.0,
                inertia: None,
                material: Material::default(),
                collide: false,
                filter: CollisionFilter::default(),
                particle: false,
                plane: None,
                mover: None,
                forces: Vec::new(),
                drag: None,
            }
        })
        .collect();
    // Body 0 is the world itself.
    let joint = |index: usize| JointDef {
        a: index as u32,
        b: index as u32 + 1,
        anchor_a: Vec3::X * (0.5 * SPACING),
        anchor_b: Vec3::NEG_X * (0.5 * SPACING),
        axis_a: Vec3::X,
        axis_b: Vec3::X,
        kind: JointKind::BallSocket(BallSocket {}),
        collide: false,
        options: JointOptions::default(),
    };
    let joints: Vec<JointDef> = (1..chains * beads).filter(|index| index % beads != 0).map(joint).collect();
    let (bodies, joints): (Vec<_>, Vec<_>) = (bodies.iter().collect(), joints.iter().collect());
    world.add(&bodies, &joints);
    world
}

/// Distance between the joints' anchors, m.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gap {
    pub mean: f64,
    pub worst: f64,
}

/// The gaps with the bodies at the given poses.
fn gap(world: &World, pose: impl Fn(usize) -> (Vec3, Quat)) -> Gap {
    let (mut sum, mut worst) = (0.0f64, 0.0f64);
    for joint in world.state.joints.iter() {
        let end = |body: u32, anchor: Vec3| {
            let (position, rotation) = pose(body as usize);
            position + rotation * anchor
        };
        let vector = end(joint.def.b, joint.def.anchor_b) - end(joint.def.a, joint.def.anchor_a);
        let distance = f64::from(vector.length());
        sum += distance;
        // NaN counts as the worst.
        worst = if distance <= worst { worst } else { distance };
    }
    Gap { mean: sum / world.state.joints.len().max(1) as f64, worst }
}

/// Result of a benchmark run.
#[derive(Debug, Clone, PartialEq)]
pub struct Measured {
    /// Mean wall time of a step, s.
    pub step: f64,
    pub gap: Gap,
    /// Kernel times, for runs on the device only.
    pub kernels: Option<(Vec<Timed>, TimingSource)>,
    /// The times of the row-sweeping kernels by the device's timestamps; empty if it has none.
    pub rows: Vec<Timed<&'static str>>,
}

/// Runs a world on a device by `scheme`, which its settings must allow, for `steps` steps.
///
/// # Errors
/// If the device cannot hold the world, or fails.
pub fn on_device(device: &Arc<Device>, world: &World, scheme: Scheme, steps: u32) -> Result<Measured, DeviceFault> {
    let packed = PackedWorld::by(world, Some(scheme)).map_err(|refusal| DeviceFault::Failed(refusal.to_string()))?;
    let config = SolverConfig { scheme, ..packed.config(&world.settings) };
    let mut solver = DeviceSolver::new(device, &packed, config)?;
    // The first step also warms up pipelines and memory, so it is not measured.
    solver.step()?;
    device.wait()?;
    let begin = Instant::now();
    for _ in 1..steps.max(2) {
        solver.step()?;
    }
    device.wait()?;
    let step = begin.elapsed().as_secs_f64() / f64::from(steps.max(2) - 1);
    let mut state = DeviceState::default();
    solver.read(&mut state)?;
    let gap = gap(world, |body| state.pose(body));
    Ok(Measured { step, gap, kernels: Some(timing::step(&mut solver)?), rows: Vec::new() })
}

/// Runs it on the processor, with the sweeps over rows on a device.
///
/// # Errors
/// If the device fails.
pub fn by_rows(device: &Arc<Device>, mut world: World, steps: u32) -> Result<Measured, DeviceFault> {
    world.pipeline.executor.remote_sweeps.sweeper = Some(Box::new(LaneSweeper::new(device)?));
    let measured = measure(&mut world, steps);
    // One more step with kernel times, if the device has timestamps.
    let log = KernelLog::default();
    let mut sweeper = LaneSweeper::new(device)?;
    sweeper.log = Some(Arc::clone(&log));
    let failed = world.pipeline.executor.remote_sweeps.why.take();
    world.pipeline.executor.remote_sweeps.sweeper = Some(Box::new(sweeper));
    world.step();
    match failed.or(world.pipeline.executor.remote_sweeps.why.take()) {
        Some(SweepRefusal::Unsupported(DeviceRefusal::Device(why)) | SweepRefusal::Failed(why)) => {
            Err(DeviceFault::Failed(why.to_string()))
        }
        Some(SweepRefusal::Unsupported(why)) => {
            Err(DeviceFault::Failed(format!("the processor keeps its sweeps: {why:?}")))
        }
        None => Ok(Measured { rows: log.lock().unwrap_or_else(PoisonError::into_inner).clone(), ..measured }),
    }
}

/// Runs it on the processor.
pub fn on_processor(mut world: World, steps: u32) -> Measured {
    measure(&mut world, steps)
}

fn measure(world: &mut World, steps: u32) -> Measured {
    world.step();
    let begin = Instant::now();
    for _ in 1..steps.max(2) {
        world.step();
    }
    let step = begin.elapsed().as_secs_f64() / f64::from(steps.max(2) - 1);
    world.sync();
    let gap = gap(world, |body| (world.state.bodies[body].position, world.state.bodies[body].rotation));
    Measured { step, gap, kernels: None, rows: Vec::new() }
}
