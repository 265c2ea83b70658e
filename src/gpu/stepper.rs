//! The graphics device as what the physics asks for: it steps worlds, refuses what the kernels have not, and tells
//! what fails. It is opened when the first world needs it.

use std::any::Any;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::device::{Device, DeviceFault};
use super::device_solver::{self, DeviceSolver};
use super::layout::Sizes;
use super::pack::{DeviceState, PackedWorld};
use super::readback::{ConstraintMap, StateReadback};
use super::refusal;
use super::rows::{self, LaneSweeper};
use super::solver_config::{Scheme, SolverConfig};
use crate::physics::device::{self, DeviceError};
use crate::physics::settings::{Method, Order, RowSolve, Settings, SolverSettings};
use crate::physics::solvers::remote_sweeps::Sweeper;
use crate::physics::world::World;

type Open = dyn Fn() -> Result<Arc<Device>, DeviceFault> + Send + Sync;

/// Steps worlds on a device.
pub struct Stepper {
    open: Box<Open>,
    opened: OnceLock<Result<Arc<Device>, DeviceFault>>,
    /// A device that was lost once is not asked again.
    lost: Arc<Mutex<Option<DeviceFault>>>,
}

impl Stepper {
    /// On a device that is got by `open`, once.
    pub fn new(open: impl Fn() -> Result<Arc<Device>, DeviceFault> + Send + Sync + 'static) -> Self {
        Self { open: Box::new(open), opened: OnceLock::new(), lost: Arc::default() }
    }

    /// On the best adapter that there is, without a window.
    pub fn headless() -> Self {
        Self::new(|| Device::open().map(Arc::new))
    }

    /// The device, if it is there and has not been lost.
    ///
    /// # Errors
    /// Why it cannot be used.
    pub fn device(&self) -> Result<&Arc<Device>, DeviceFault> {
        if let Some(fault) = self.lost.lock().unwrap_or_else(PoisonError::into_inner).clone() {
            return Err(fault);
        }
        self.opened.get_or_init(|| (self.open)()).as_ref().map_err(DeviceFault::clone)
    }
}

impl device::StepDevice for Stepper {
    fn refusal(&self, world: &World) -> Option<DeviceError> {
        if let Some(refusal) = refusal::refused_of(world) {
            return Some(Arc::new(refusal));
        }
        // Of trees there is a node a joint, and one more for each that floats; a level a node at most. Chains have a
        // link a joint, and no more groups.
        let (joints, exact) = (world.joints.len(), Scheme::of(&world.settings, 0, false) == Scheme::Exact);
        let nodes = if exact { (2 * joints).min(world.bodies.len()) } else { 0 };
        let sizes = Sizes {
            bodies: world.bodies.len(),
            constraints: joints,
            nodes,
            levels: 0,
            links: nodes.min(joints),
            groups: 0,
        };
        let fits = |device: &Arc<Device>| device_solver::check_limits(device, sizes);
        self.device().and_then(fits).err().map(|fault| Arc::new(fault) as DeviceError)
    }

    fn take_over(&self, world: &World) -> Result<Box<dyn device::DeviceWorld>, DeviceError> {
        let packed = PackedWorld::new(world).map_err(|refusal| Arc::new(refusal) as DeviceError)?;
        let taken = self.device().and_then(|device| {
            let config = packed.config(&world.settings);
            Ok(ResidentWorld {
                solver: DeviceSolver::new(device, &packed, config)?,
                chained: packed.is_chained(),
                constraints: Arc::new(ConstraintMap::new(&packed, world.joints.len())),
                joints: packed.joints,
                made_for: LayoutKey::of(&world.settings),
                meeting: packed.meeting,
                state: packed.state,
                lost: Arc::clone(&self.lost),
                asked: VecDeque::new(),
            })
        });
        match taken {
            Ok(world) => Ok(Box::new(world)),
            Err(fault) => Err(note(&self.lost, fault)),
        }
    }

    fn rows_refusal(&self, world: &World) -> Option<DeviceError> {
        rows::refusal(world).map(|lacks| Arc::new(lacks) as DeviceError)
    }

    fn sweeper(&self) -> Result<Box<dyn Sweeper>, DeviceError> {
        match self.device().and_then(LaneSweeper::new) {
            Ok(sweeper) => Ok(Box::new(sweeper)),
            Err(fault) => Err(note(&self.lost, fault)),
        }
    }
}

/// Keeps a fault after which the device is not to be asked again. Of several that follow from one another it gives the
/// first each time.
fn note(lost: &Mutex<Option<DeviceFault>>, fault: DeviceFault) -> DeviceError {
    if !matches!(fault, DeviceFault::Lost(_) | DeviceFault::Failed(_)) {
        return Arc::new(fault);
    }
    Arc::new(lost.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(fault).clone())
}

/// The settings on which it depends how the constraints lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct LayoutKey {
    method: Method,
    rows: RowSolve,
    order: Order,
}

impl LayoutKey {
    fn of(settings: &Settings) -> Self {
        let SolverSettings { method, rows, order, .. } = settings.solver;
        Self { method, rows, order }
    }
}

/// A world on the device.
pub struct ResidentWorld {
    pub solver: DeviceSolver,
    constraints: Arc<ConstraintMap>,
    /// The joint of each constraint.
    joints: Vec<u32>,
    made_for: LayoutKey,
    /// See [`PackedWorld::meeting`].
    meeting: u32,
    /// Whether the constraints lie as chains.
    chained: bool,
    /// Room for a state to be written.
    state: DeviceState,
    lost: Arc<Mutex<Option<DeviceFault>>>,
    /// What was asked for and has not been told yet: the number of the read, the step, and by what that was made.
    asked: VecDeque<(u64, (u64, f64), SolverConfig)>,
}

impl ResidentWorld {
    /// Where the bodies' poses are and were before the last step, for whoever draws on this device.
    pub fn poses(&self, device: &wgpu::Device) -> Option<(wgpu::Buffer, Option<wgpu::Buffer>)> {
        (self.solver.device().device == *device).then(|| self.solver.poses())
    }
}

impl device::DeviceWorld for ResidentWorld {
    fn upload(&mut self, world: &World) -> Result<(), DeviceError> {
        self.asked.clear();
        self.state.fill(world, &self.joints);
        self.solver.write(&self.state);
        Ok(())
    }

    fn suits(&self, settings: &Settings) -> bool {
        self.made_for == LayoutKey::of(settings)
    }

    fn step(&mut self, settings: &Settings) -> Result<(), DeviceError> {
        let config = SolverConfig::new(settings, self.meeting, self.chained);
        if config != *self.solver.config() {
            self.solver.set(config);
        }
        self.solver.step().map_err(|fault| note(&self.lost, fault))
    }

    fn wait(&self) -> Result<(), DeviceError> {
        self.solver.device().wait().map_err(|fault| note(&self.lost, fault))
    }

    fn read_back(&self) -> Result<Arc<dyn device::Readback>, DeviceError> {
        let mut state = DeviceState::default();
        self.solver.read(&mut state).map_err(|fault| note(&self.lost, fault))?;
        Ok(Arc::new(StateReadback { state, constraints: Arc::clone(&self.constraints), config: *self.solver.config() }))
    }

    fn keep_pace(&self) {
        self.solver.keep_pace();
    }

    fn keep_poses(&mut self) {
        self.solver.keep_poses();
    }

    fn request_readback(&mut self, at: (u64, f64)) {
        if let Some(age) = self.solver.request_readback() {
            self.asked.push_back((age, at, *self.solver.config()));
        }
    }

    fn poll_readback(&mut self) -> Result<Option<device::TimedReadback>, DeviceError> {
        let mut state = DeviceState::default();
        let age = self.solver.poll_readback(&mut state).map_err(|fault| note(&self.lost, fault))?;
        let Some(age) = age else { return Ok(None) };
        // What is older is not told any more, and what was asked before the last `upload` is not in the list.
        self.asked.retain(|(asked, ..)| *asked >= age);
        let own = self.asked.pop_front().filter(|(asked, ..)| *asked == age);
        let readback = |config| Arc::new(StateReadback { state, constraints: Arc::clone(&self.constraints), config });
        Ok(own.map(|(_, at, config)| (at, readback(config) as Arc<dyn device::Readback>)))
    }

    fn rows(&self) -> usize {
        3 * self.joints.len()
    }

    fn bytes(&self) -> usize {
        self.solver.state_bytes() as usize
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
