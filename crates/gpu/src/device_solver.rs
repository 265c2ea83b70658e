//! The state on the device, and its step: `update` of document 001, all kernels in one submission.
//!
//! ```text
//! a sub-step   inertia, free velocities, rows (with the old impulses)
//!              V⁰ = V* + M⁻¹ Jᵀ λ⁰, with warm starting
//!              the sweeps, as many as the configuration says, by its scheme
//!              store, poses
//! ```
//! A sweep of trees solves the trees, then the loop-closing joints, one colour per dispatch (a turn). Without such
//! joints the second sweep only removes rounding errors, and no further ones are made. The same holds for chains.
//!
//! In the one-pass scheme a sweep reads λ from one of two buffers and writes it to the other, and the two are then
//! exchanged.

use std::ops::Range;
use std::sync::Arc;

use super::binding::{bound, create, group, range, turn_groups, turns_of};
use super::device::{Device, DeviceFault};
use super::kernels::{Kernel, LANES};
use super::layout::{Buffer, Granularity, Sizes};
use super::pack::{DeviceState, PackedWorld};
use super::reading::{self, ReadbackState};
use super::solver_config::{Scheme, SolverConfig};

/// A kernel run in a step; `exchanged`: the two buffers of multipliers are swapped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KernelDispatch {
    pub kernel: Kernel,
    pub exchanged: bool,
    /// The colour of Gauss–Seidel, or the pass over chains.
    pub turn: u32,
}

/// Number of solves if there are only trees or chains: one, and one that removes its rounding errors.
const EXACT_SOLVES: u32 = 2;

/// A world's state on a device.
#[derive(Debug)]
pub struct DeviceSolver {
    pub(super) device: Arc<Device>,
    config: SolverConfig,
    pub(super) sizes: Sizes,
    trees: usize,
    /// For each colour: the end of its range of constraints, and the parameters of its dispatch.
    turns: Vec<u32>,
    turn_groups: Vec<wgpu::BindGroup>,
    /// The parameters of each pass over chains through memory, and of the final kernel.
    passes: Vec<wgpu::BindGroup>,
    finish: Vec<wgpu::BindGroup>,
    /// Indexed by [`Buffer`].
    buffers: Vec<wgpu::Buffer>,
    /// Indexed by [`Kernel`]: bind groups with the multipliers' buffers as they are, and exchanged.
    groups: Vec<[wgpu::BindGroup; 2]>,
    pub(super) read_back: wgpu::Buffer,
    pub(super) kept: ReadbackState,
    exchanged: bool,
    dispatches: Vec<KernelDispatch>,
    /// Submission indices of the last step but one, and of the last.
    submitted: [Option<wgpu::SubmissionIndex>; 2],
}

impl DeviceSolver {
    /// Uploads a world to a device, to be stepped with this configuration.
    ///
    /// # Errors
    /// If the device's limits or its memory are too small.
    pub fn new(device: &Arc<Device>, packed: &PackedWorld, config: SolverConfig) -> Result<Self, DeviceFault> {
        let sizes = packed.sizes();
        check_limits(device, sizes)?;
        let buffers: Vec<_> = Buffer::ALL.iter().map(|b| create(device, *b, sizes)).collect();
        let groups = Kernel::ALL.iter().map(|kernel| [false, true].map(|x| group(device, *kernel, &buffers, x)));
        let groups = groups.collect();
        let read_back = device.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("read-back"),
            size: reading::bytes(sizes),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        let passes = packed.chains.passes() as usize;
        let strides: Vec<[u32; 4]> = (0..=passes as u32).map(|pass| [1 << pass, pass % 2, 0, 0]).collect();
        let mut solver = Self {
            device: Arc::clone(device),
            config,
            sizes,
            trees: packed.trees.count(),
            turns: packed.turns.clone(),
            turn_groups: turn_groups(device, Kernel::Coloured, &turns_of(&packed.turns)),
            passes: turn_groups(device, Kernel::CyclicReduce, &strides[..passes]),
            finish: turn_groups(device, Kernel::CyclicFinish, &strides[passes..]),
            buffers,
            groups,
            read_back,
            kept: ReadbackState::default(),
            exchanged: false,
            dispatches: Vec::new(),
            submitted: [None, None],
        };
        solver.set(config);
        solver.put(Buffer::Masses, &packed.masses);
        solver.put(Buffer::Ends, &packed.ends);
        solver.put(Buffer::Anchors, &packed.anchors);
        solver.put(Buffer::Starts, &packed.connectivity.starts);
        solver.put(Buffer::List, &packed.connectivity.list);
        solver.put(Buffer::Nodes, &packed.trees.nodes);
        solver.put(Buffer::Levels, &packed.trees.levels);
        solver.put(Buffer::Links, &packed.chains.links);
        solver.put(Buffer::Groups, &packed.chains.groups);
        solver.write(&packed.state);
        device.errors.check(Ok(solver))
    }

    /// The device that holds the state.
    pub fn device(&self) -> &Arc<Device> {
        &self.device
    }

    /// The present configuration.
    pub fn config(&self) -> &SolverConfig {
        &self.config
    }

    /// Number of bodies and of constraints.
    pub fn size(&self) -> (usize, usize) {
        (self.sizes.bodies, self.sizes.constraints)
    }

    /// Uses another configuration from the next step on.
    pub fn set(&mut self, config: SolverConfig) {
        if config.scheme == Scheme::Exact && self.config.scheme != Scheme::Exact {
            // `Others` must be zero for constraints that no tree solves: their Δλ is summed but never written.
            let nothing = vec![[0.0f32; 4]; self.sizes.constraints];
            let others = self.buffer(Buffer::Others);
            self.device.queue.write_buffer(others, 0, bytemuck::cast_slice(&nothing));
        }
        self.config = config;
        let uniform = config.uniform(self.sizes);
        self.put(Buffer::Config, &[uniform]);
    }

    /// Uploads another state of the same world.
    pub fn write(&mut self, state: &DeviceState) {
        self.exchanged = false;
        self.kept.has_earlier_poses = false;
        self.put(Buffer::Poses, &state.poses);
        self.put(Buffer::Velocities, &state.velocities);
        self.put(Buffer::Multipliers, &state.multipliers);
    }

    fn put<T: bytemuck::Pod>(&self, buffer: Buffer, entries: &[T]) {
        if !entries.is_empty() {
            self.device.queue.write_buffer(&self.buffers[buffer as usize], 0, bytemuck::cast_slice(entries));
        }
    }

    /// Submits one step. Does not wait for it.
    ///
    /// # Errors
    /// An error of the device.
    pub fn step(&mut self) -> Result<(), DeviceFault> {
        let mut dispatches = std::mem::take(&mut self.dispatches);
        self.plan(&mut dispatches);
        let descriptor = wgpu::CommandEncoderDescriptor { label: Some("step") };
        let mut encoder = self.device.device.create_command_encoder(&descriptor);
        {
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
            for dispatch in &dispatches {
                self.run(&mut pass, *dispatch);
            }
        }
        let index = self.device.queue.submit([encoder.finish()]);
        self.submitted = [self.submitted[1].take(), Some(index)];
        self.dispatches = dispatches;
        self.device.errors.check(Ok(()))
    }

    /// Waits until at most the last step is unfinished. An error shows in the next step.
    pub fn wait_for_previous(&self) {
        if let Some(index) = self.submitted[0].clone() {
            let _ = self.device.device.poll(wgpu::PollType::Wait { submission_index: Some(index), timeout: None });
        }
    }

    /// Replaces `dispatches` by the kernels of the next step, in order. They must be run before the next call, since
    /// this call swaps the multipliers' buffers.
    pub fn plan(&mut self, dispatches: &mut Vec<KernelDispatch>) {
        dispatches.clear();
        for _ in 0..self.config.substeps {
            self.plan_substep(dispatches);
        }
    }

    fn plan_substep(&mut self, dispatches: &mut Vec<KernelDispatch>) {
        let SolverConfig { sweeps: requested, scheme, warm, deferred, .. } = self.config;
        let warm = warm > 0.0;
        let mut exchanged = self.exchanged;
        let turns = self.turns.len() as u32;
        let dispatch = |kernel: Kernel, exchanged: bool| KernelDispatch { kernel, exchanged, turn: 0 };
        dispatches.push(dispatch(Kernel::Inertia, exchanged));
        dispatches.push(dispatch(Kernel::Free, exchanged));
        dispatches.push(dispatch(Kernel::Rows, exchanged));
        if scheme == Scheme::Exact && requested > 0 {
            dispatches.push(dispatch(Kernel::TreeFactor, exchanged));
        }
        if scheme == Scheme::OnePass {
            dispatches.push(dispatch(Kernel::Offset, exchanged));
        } else if warm && !deferred {
            dispatches.push(dispatch(Kernel::VelocitiesTotal, exchanged));
        }
        let exact = scheme == Scheme::Cyclic || scheme == Scheme::Exact && turns == 0;
        let sweeps = if exact { requested.min(EXACT_SOLVES) } else { requested };
        for iteration in 0..sweeps {
            let first = warm && deferred && iteration == 0;
            match scheme {
                Scheme::OnePass => {
                    dispatches.push(dispatch(if first { Kernel::OnePassFirst } else { Kernel::OnePass }, exchanged));
                    exchanged = !exchanged;
                }
                Scheme::Printed => {
                    dispatches.push(dispatch(Kernel::MultipliersTotal, exchanged));
                    dispatches.push(dispatch(Kernel::VelocitiesTotal, exchanged));
                }
                Scheme::Incremental => {
                    dispatches.push(dispatch(Kernel::MultipliersIncrement, exchanged));
                    // Here the old impulses are applied as well.
                    dispatches.push(dispatch(
                        if first { Kernel::VelocitiesTotal } else { Kernel::VelocitiesIncrement },
                        exchanged,
                    ));
                }
                Scheme::Exact if iteration == 0 => dispatches.push(dispatch(Kernel::TreeFirst, exchanged)),
                Scheme::Exact => {
                    dispatches.push(dispatch(Kernel::TreeAgain, exchanged));
                    dispatches.push(dispatch(Kernel::VelocitiesIncrement, exchanged));
                }
                Scheme::Cyclic => {
                    self.plan_chains(dispatches, exchanged);
                    dispatches.push(dispatch(Kernel::VelocitiesIncrement, exchanged));
                }
                Scheme::Coloured => {}
            }
            if matches!(scheme, Scheme::Coloured | Scheme::Exact) {
                let coloured = |turn| KernelDispatch { kernel: Kernel::Coloured, exchanged, turn };
                dispatches.extend((0..turns).map(coloured));
            }
        }
        if scheme == Scheme::OnePass && (requested > 0 || warm && !deferred) {
            dispatches.push(dispatch(Kernel::VelocitiesTotal, exchanged));
        }
        dispatches.push(dispatch(Kernel::Store, exchanged));
        dispatches.push(dispatch(Kernel::Poses, exchanged));
        self.exchanged = exchanged;
    }

    /// Appends the kernels of one solve of all chains.
    fn plan_chains(&self, dispatches: &mut Vec<KernelDispatch>, exchanged: bool) {
        let passes = self.passes.len() as u32;
        if passes == 0 {
            dispatches.push(KernelDispatch { kernel: Kernel::CyclicWhole, exchanged, turn: 0 });
            return;
        }
        dispatches.push(KernelDispatch { kernel: Kernel::CyclicRows, exchanged, turn: 0 });
        dispatches.extend((0..passes).map(|turn| KernelDispatch { kernel: Kernel::CyclicReduce, exchanged, turn }));
        dispatches.push(KernelDispatch { kernel: Kernel::CyclicFinish, exchanged, turn: 0 });
    }

    /// Dispatches a kernel in a compute pass.
    pub fn run(&self, pass: &mut wgpu::ComputePass<'_>, dispatch: KernelDispatch) {
        let turn = dispatch.turn as usize;
        let threads = match dispatch.kernel.per() {
            Granularity::Body => self.sizes.bodies,
            Granularity::Node => self.trees,
            _ if dispatch.kernel == Kernel::Coloured => self.turn(turn).len(),
            _ => self.sizes.constraints,
        };
        let groups = match dispatch.kernel.per() {
            Granularity::Group => self.sizes.groups as u32,
            _ => (threads as u32).div_ceil(LANES),
        };
        if groups == 0 {
            return;
        }
        let widest = self.device.limits.max_compute_workgroups_per_dimension;
        pass.set_pipeline(self.device.pipeline(dispatch.kernel));
        pass.set_bind_group(0, &self.groups[dispatch.kernel as usize][usize::from(dispatch.exchanged)], &[]);
        let turns = match dispatch.kernel {
            Kernel::Coloured => &self.turn_groups,
            Kernel::CyclicReduce => &self.passes,
            Kernel::CyclicFinish => &self.finish,
            _ => &Vec::new(),
        };
        if let Some(numbers) = turns.get(turn) {
            pass.set_bind_group(1, numbers, &[]);
        }
        pass.dispatch_workgroups(groups.min(widest), groups.div_ceil(widest), 1);
    }

    /// The range of constraints of a turn.
    fn turn(&self, turn: usize) -> Range<u32> {
        range(&self.turns, turn)
    }

    /// A buffer; of the multipliers' two buffers, the one that is current.
    pub(super) fn buffer(&self, buffer: Buffer) -> &wgpu::Buffer {
        bound(&self.buffers, buffer, self.exchanged)
    }
}

/// Checks that the device can hold a scene of these sizes.
///
/// # Errors
/// The limit that is exceeded.
pub fn check_limits(device: &Device, sizes: Sizes) -> Result<(), DeviceFault> {
    let limits = &device.limits;
    let largest = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size);
    for buffer in Buffer::ALL {
        let needed = buffer.bytes(sizes);
        if needed > largest {
            let what = format!("bytes in a buffer, as of the {}", buffer.name());
            return Err(DeviceFault::TooLarge { what, needed, limit: largest });
        }
    }
    let largest_count = sizes.bodies.max(sizes.constraints);
    let groups = largest_count.div_ceil(LANES as usize) as u64;
    let limit = u64::from(limits.max_compute_workgroups_per_dimension).pow(2);
    if groups > limit || largest_count > (u32::MAX / 2) as usize {
        return Err(DeviceFault::TooLarge { what: "groups of threads".to_owned(), needed: groups, limit });
    }
    Ok(())
}
