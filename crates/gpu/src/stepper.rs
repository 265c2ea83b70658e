//! The graphics device behind the physics' device interface: it steps worlds, refuses those that the kernels do not
//! support, and reports failures. The device is opened when the first world needs it.

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
use delassus_physics::device::{self, DeviceError};
use delassus_physics::settings::{Method, Order, RowSolve, Settings, SolverSettings};
use delassus_physics::solvers::remote_sweeps::{Sweeper, SweeperSource};
use delassus_physics::world::World;

type Open = dyn Fn() -> Result<Arc<Device>, DeviceFault> + Send + Sync;

/// Steps worlds on a device.
pub struct Stepper {
    open: Box<Open>,
    opened: OnceLock<Result<Arc<Device>, DeviceFault>>,
    /// Set once the device was lost or failed; it is then not used again.
    lost: Arc<Mutex<Option<DeviceFault>>>,
}

impl Stepper {
    /// A stepper that opens its device with `open` on first use.
    pub fn new(open: impl Fn() -> Result<Arc<Device>, DeviceFault> + Send + Sync + 'static) -> Self {
        Self { open: Box::new(open), opened: OnceLock::new(), lost: Arc::default() }
    }

    /// A stepper on the best available adapter, without a window.
    pub fn headless() -> Self {
        Self::new(|| Device::open().map(Arc::new))
    }

    /// The device, opened on first use.
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
        // Upper bounds: a tree has one node per joint, and one more if it floats; levels are at most as many as
        // nodes. Chains have one link per joint, and at most as many groups.
        let (joints, exact) = (world.state.joints.len(), Scheme::of(&world.settings, 0, false) == Scheme::Exact);
        let nodes = if exact { (2 * joints).min(world.state.bodies.len()) } else { 0 };
        let sizes = Sizes {
            bodies: world.state.bodies.len(),
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
                constraints: Arc::new(ConstraintMap::new(&packed, world.state.joints.len())),
                joints: packed.joints,
                made_for: LayoutKey::of(&world.settings),
                constraints_per_body: packed.constraints_per_body,
                state: packed.state,
                lost: Arc::clone(&self.lost),
                requests: VecDeque::new(),
            })
        });
        match taken {
            Ok(world) => Ok(Box::new(world)),
            Err(fault) => Err(note(&self.lost, fault)),
        }
    }
}

impl SweeperSource for Stepper {
    fn rows_refusal(&self, settings: &Settings) -> Option<DeviceError> {
        rows::refusal(settings).map(|unsupported| Arc::new(unsupported) as DeviceError)
    }

    fn sweeper(&self) -> Result<Box<dyn Sweeper>, DeviceError> {
        match self.device().and_then(LaneSweeper::new) {
            Ok(sweeper) => Ok(Box::new(sweeper)),
            Err(fault) => Err(note(&self.lost, fault)),
        }
    }
}

/// Records a fault after which the device must not be used again, and returns the first such fault, since later ones
/// usually follow from it.
fn note(lost: &Mutex<Option<DeviceFault>>, fault: DeviceFault) -> DeviceError {
    if !matches!(fault, DeviceFault::Lost(_) | DeviceFault::Failed(_)) {
        return Arc::new(fault);
    }
    Arc::new(lost.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(fault).clone())
}

/// The settings that the layout of the constraints depends on.
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
    /// The joint index of each constraint.
    joints: Vec<u32>,
    made_for: LayoutKey,
    /// See [`PackedWorld::constraints_per_body`].
    constraints_per_body: u32,
    /// Whether the constraints are laid out as chains.
    chained: bool,
    /// Buffer for a state to be uploaded.
    state: DeviceState,
    lost: Arc<Mutex<Option<DeviceFault>>>,
    /// Requested reads not yet delivered: number of the read, its step and time, and the configuration of that step.
    requests: VecDeque<(u64, (u64, f64), SolverConfig)>,
}

impl ResidentWorld {
    /// The buffers of the bodies' present poses and of those before the last step, if `device` is the device that
    /// draws.
    pub fn poses(&self, device: &wgpu::Device) -> Option<(wgpu::Buffer, Option<wgpu::Buffer>)> {
        (self.solver.device().device == *device).then(|| self.solver.poses())
    }
}

impl device::DeviceWorld for ResidentWorld {
    fn upload(&mut self, world: &World) -> Result<(), DeviceError> {
        self.requests.clear();
        self.state.fill(world, &self.joints);
        self.solver.write(&self.state);
        Ok(())
    }

    fn suits(&self, settings: &Settings) -> bool {
        self.made_for == LayoutKey::of(settings)
    }

    fn step(&mut self, settings: &Settings) -> Result<(), DeviceError> {
        let config = SolverConfig::new(settings, self.constraints_per_body, self.chained);
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

    fn wait_for_previous(&self) {
        self.solver.wait_for_previous();
    }

    fn keep_poses(&mut self) {
        self.solver.keep_poses();
    }

    fn request_readback(&mut self, at: (u64, f64)) {
        if let Some(age) = self.solver.request_readback() {
            self.requests.push_back((age, at, *self.solver.config()));
        }
    }

    fn poll_readback(&mut self) -> Result<Option<device::TimedReadback>, DeviceError> {
        let mut state = DeviceState::default();
        let age = self.solver.poll_readback(&mut state).map_err(|fault| note(&self.lost, fault))?;
        let Some(age) = age else { return Ok(None) };
        // Older reads are dropped; reads requested before the last `upload` are not in the list.
        self.requests.retain(|(asked, ..)| *asked >= age);
        let request = self.requests.pop_front().filter(|(asked, ..)| *asked == age);
        let readback = |config| Arc::new(StateReadback { state, constraints: Arc::clone(&self.constraints), config });
        Ok(request.map(|(_, at, config)| (at, readback(config) as Arc<dyn device::Readback>)))
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
