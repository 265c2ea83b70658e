//! The state on the device, and its step: 001's `update`, kernel after kernel in one submission.
//!
//! ```text
//! a sub-step   inertia, free velocities, rows (with the old impulses)
//!              V⁰ = V* + M⁻¹ Jᵀ λ⁰, where it starts warm
//!              as many sweeps as the config says, by its scheme
//!              store, poses
//! ```
//! A sweep of trees is their solve, then the turns of what closes loops. Where nothing does, the second has left only
//! rounding, and further ones are not made. So it is with chains.
//!
//! λ of a sweep in one pass goes from one of two buffers into the other, whose parts are exchanged then.

use std::ops::Range;
use std::sync::Arc;

use super::binding::{bound, create, group, range, turn_groups, turns_of};
use super::device::{Device, DeviceFault};
use super::kernels::{Kernel, LANES};
use super::layout::{Buffer, Granularity, Sizes};
use super::pack::{DeviceState, PackedWorld};
use super::reading::{self, ReadbackState};
use super::solver_config::{Scheme, SolverConfig};

/// A kernel to run, with the multipliers' buffers exchanged or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KernelDispatch {
    pub kernel: Kernel,
    pub exchanged: bool,
    /// Which turn of Gauss–Seidel it is, or which pass over chains.
    pub turn: u32,
}

/// Solves of trees where nothing else is solved: the first, and one that mends its rounding.
const REFINED: u32 = 2;

/// A world on a device.
#[derive(Debug)]
pub struct DeviceSolver {
    pub(super) device: Arc<Device>,
    config: SolverConfig,
    pub(super) sizes: Sizes,
    trees: usize,
    /// Where the turns end, and the numbers of each for its kernel.
    turns: Vec<u32>,
    turn_groups: Vec<wgpu::BindGroup>,
    /// The numbers of each pass over chains through memory, and of what finishes them.
    passes: Vec<wgpu::BindGroup>,
    finish: Vec<wgpu::BindGroup>,
    /// By binding.
    buffers: Vec<wgpu::Buffer>,
    /// By kernel, as the multipliers' buffers are, and exchanged.
    groups: Vec<[wgpu::BindGroup; 2]>,
    pub(super) read_back: wgpu::Buffer,
    pub(super) kept: ReadbackState,
    exchanged: bool,
    dispatches: Vec<KernelDispatch>,
    /// The last step but one, and the last.
    submitted: [Option<wgpu::SubmissionIndex>; 2],
}

impl DeviceSolver {
    /// A world's state on a device, which is to run by this config.
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
        let reaches: Vec<[u32; 4]> = (0..=passes as u32).map(|pass| [1 << pass, pass % 2, 0, 0]).collect();
        let mut solver = Self {
            device: Arc::clone(device),
            config,
            sizes,
            trees: packed.trees.count(),
            turns: packed.turns.clone(),
            turn_groups: turn_groups(device, Kernel::Coloured, &turns_of(&packed.turns)),
            passes: turn_groups(device, Kernel::CyclicReduce, &reaches[..passes]),
            finish: turn_groups(device, Kernel::CyclicFinish, &reaches[passes..]),
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

    /// The device.
    pub fn device(&self) -> &Arc<Device> {
        &self.device
    }

    /// What is run.
    pub fn config(&self) -> &SolverConfig {
        &self.config
    }

    /// How many bodies and constraints there are.
    pub fn size(&self) -> (usize, usize) {
        (self.sizes.bodies, self.sizes.constraints)
    }

    /// Runs by another config from the next step on.
    pub fn set(&mut self, config: SolverConfig) {
        if config.scheme == Scheme::Exact && self.config.scheme != Scheme::Exact {
            // What no tree solves is to hand nothing on there.
            let nothing = vec![[0.0f32; 4]; self.sizes.constraints];
            let others = self.buffer(Buffer::Others);
            self.device.queue.write_buffer(others, 0, bytemuck::cast_slice(&nothing));
        }
        self.config = config;
        let uniform = config.uniform(self.sizes);
        self.put(Buffer::Config, &[uniform]);
    }

    /// Goes on from another state of the same world.
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

    /// One step, one submission. Nothing waits for it.
    ///
    /// # Errors
    /// What the device says.
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

    /// Waits until at most the last step is still to be made. What is wrong with the device the next step says.
    pub fn keep_pace(&self) {
        if let Some(index) = self.submitted[0].clone() {
            let _ = self.device.device.poll(wgpu::PollType::Wait { submission_index: Some(index), timeout: None });
        }
    }

    /// The kernels of the next step in their order, in place of what is in the list. To be run before it is asked
    /// again.
    pub fn plan(&mut self, dispatches: &mut Vec<KernelDispatch>) {
        dispatches.clear();
        for _ in 0..self.config.substeps {
            self.plan_substep(dispatches);
        }
    }

    fn plan_substep(&mut self, dispatches: &mut Vec<KernelDispatch>) {
        let SolverConfig { sweeps: asked, scheme, warm, late, .. } = self.config;
        let warm = warm > 0.0;
        let mut exchanged = self.exchanged;
        let turns = self.turns.len() as u32;
        let of = |kernel: Kernel, exchanged: bool| KernelDispatch { kernel, exchanged, turn: 0 };
        dispatches.push(of(Kernel::Inertia, exchanged));
        dispatches.push(of(Kernel::Free, exchanged));
        dispatches.push(of(Kernel::Rows, exchanged));
        if scheme == Scheme::Exact && asked > 0 {
            dispatches.push(of(Kernel::TreeFactor, exchanged));
        }
        if scheme == Scheme::OnePass {
            dispatches.push(of(Kernel::Offset, exchanged));
        } else if warm && !late {
            dispatches.push(of(Kernel::VelocitiesTotal, exchanged));
        }
        let exact = scheme == Scheme::Cyclic || scheme == Scheme::Exact && turns == 0;
        let sweeps = if exact { asked.min(REFINED) } else { asked };
        for iteration in 0..sweeps {
            let first = warm && late && iteration == 0;
            match scheme {
                Scheme::OnePass => {
                    dispatches.push(of(if first { Kernel::OnePassFirst } else { Kernel::OnePass }, exchanged));
                    exchanged = !exchanged;
                }
                Scheme::Printed => {
                    dispatches.push(of(Kernel::MultipliersTotal, exchanged));
                    dispatches.push(of(Kernel::VelocitiesTotal, exchanged));
                }
                Scheme::Incremental => {
                    dispatches.push(of(Kernel::MultipliersIncrement, exchanged));
                    // What the old impulses change comes in here.
                    dispatches
                        .push(of(if first { Kernel::VelocitiesTotal } else { Kernel::VelocitiesIncrement }, exchanged));
                }
                Scheme::Exact if iteration == 0 => dispatches.push(of(Kernel::TreeFirst, exchanged)),
                Scheme::Exact => {
                    dispatches.push(of(Kernel::TreeAgain, exchanged));
                    dispatches.push(of(Kernel::VelocitiesIncrement, exchanged));
                }
                Scheme::Cyclic => {
                    self.plan_chains(dispatches, exchanged);
                    dispatches.push(of(Kernel::VelocitiesIncrement, exchanged));
                }
                Scheme::Coloured => {}
            }
            if matches!(scheme, Scheme::Coloured | Scheme::Exact) {
                let dispatch = |turn| KernelDispatch { kernel: Kernel::Coloured, exchanged, turn };
                dispatches.extend((0..turns).map(dispatch));
            }
        }
        if scheme == Scheme::OnePass && (asked > 0 || warm && !late) {
            dispatches.push(of(Kernel::VelocitiesTotal, exchanged));
        }
        dispatches.push(of(Kernel::Store, exchanged));
        dispatches.push(of(Kernel::Poses, exchanged));
        self.exchanged = exchanged;
    }

    /// The kernels of one solve of all chains.
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

    /// Runs a kernel in a pass.
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

    /// The constraints of a turn.
    fn turn(&self, turn: usize) -> Range<u32> {
        range(&self.turns, turn)
    }

    /// A buffer as it is bound now.
    pub(super) fn buffer(&self, buffer: Buffer) -> &wgpu::Buffer {
        bound(&self.buffers, buffer, self.exchanged)
    }
}

/// Whether the device can hold a scene of these sizes.
///
/// # Errors
/// What it lacks.
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
    let most = sizes.bodies.max(sizes.constraints);
    let groups = most.div_ceil(LANES as usize) as u64;
    let limit = u64::from(limits.max_compute_workgroups_per_dimension).pow(2);
    if groups > limit || most > (u32::MAX / 2) as usize {
        return Err(DeviceFault::TooLarge { what: "groups of threads".to_owned(), needed: groups, limit });
    }
    Ok(())
}
