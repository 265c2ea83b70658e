//! The state on the device, and its step: 001's `update`, kernel after kernel in one submission.
//!
//! ```text
//! a sub-step   inertia, free velocities, rows (with the old impulses)
//!              V⁰ = V* + M⁻¹ Jᵀ λ⁰, where it starts warm
//!              as many sweeps as the course says, by its scheme
//!              store, poses
//! ```
//! A sweep of trees is their solve, then the turns of what closes loops. Where nothing does, the second has left only
//! rounding, and further ones are not made.
//!
//! λ of a sweep in one pass goes from one of two buffers into the other, whose parts are exchanged then.

use std::ops::Range;
use std::sync::Arc;

use super::course::{Course, Scheme};
use super::device::{Device, Fault};
use super::kernels::{Kernel, LANES};
use super::layout::{Buffer, Per, Sizes};
use super::pack::{Packed, State};

/// A kernel to run, with the multipliers' buffers exchanged or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stage {
    pub kernel: Kernel,
    pub exchanged: bool,
    /// Which turn of Gauss–Seidel it is.
    pub turn: u32,
}

/// Solves of trees where nothing else is solved: the first, and one that mends its rounding.
const REFINED: u32 = 2;

/// A world on a device.
#[derive(Debug)]
pub struct Solver {
    device: Arc<Device>,
    course: Course,
    sizes: Sizes,
    trees: usize,
    /// Where the turns end, and the numbers of each for its kernel.
    turns: Vec<u32>,
    turn_groups: Vec<wgpu::BindGroup>,
    /// By binding.
    buffers: Vec<wgpu::Buffer>,
    /// By kernel, as the multipliers' buffers are, and exchanged.
    groups: Vec<[wgpu::BindGroup; 2]>,
    read_back: wgpu::Buffer,
    exchanged: bool,
    stages: Vec<Stage>,
}

impl Solver {
    /// A world's state on a device, which is to run this course.
    ///
    /// # Errors
    /// If the device's limits or its memory are too small.
    pub fn new(device: &Arc<Device>, packed: &Packed, course: Course) -> Result<Self, Fault> {
        let sizes = packed.sizes();
        check_limits(device, sizes)?;
        let buffers: Vec<_> = Buffer::ALL.iter().map(|b| create(device, *b, sizes)).collect();
        let groups = Kernel::ALL.iter().map(|kernel| [false, true].map(|x| group(device, *kernel, &buffers, x)));
        let groups = groups.collect();
        let read_back = device.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("read-back"),
            size: READ.iter().map(|b| b.bytes(sizes)).sum(),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        let mut solver = Self {
            device: Arc::clone(device),
            course,
            sizes,
            trees: packed.trees.count(),
            turns: packed.turns.clone(),
            turn_groups: turn_groups(device, &packed.turns),
            buffers,
            groups,
            read_back,
            exchanged: false,
            stages: Vec::new(),
        };
        solver.set(course);
        solver.put(Buffer::Masses, &packed.masses);
        solver.put(Buffer::Ends, &packed.ends);
        solver.put(Buffer::Anchors, &packed.anchors);
        solver.put(Buffer::Starts, &packed.connectivity.starts);
        solver.put(Buffer::List, &packed.connectivity.list);
        solver.put(Buffer::Nodes, &packed.trees.nodes);
        solver.put(Buffer::Levels, &packed.trees.levels);
        solver.write(&packed.state);
        device.errors.check(Ok(solver))
    }

    /// The device.
    pub fn device(&self) -> &Arc<Device> {
        &self.device
    }

    /// What is run.
    pub fn course(&self) -> &Course {
        &self.course
    }

    /// How many bodies and constraints there are.
    pub fn size(&self) -> (usize, usize) {
        (self.sizes.bodies, self.sizes.constraints)
    }

    /// Runs another course from the next step on.
    pub fn set(&mut self, course: Course) {
        if course.scheme == Scheme::Exact && self.course.scheme != Scheme::Exact {
            // What no tree solves is to hand nothing on there.
            let nothing = vec![[0.0f32; 4]; self.sizes.constraints];
            let others = self.buffer(Buffer::Others, self.exchanged);
            self.device.queue.write_buffer(others, 0, bytemuck::cast_slice(&nothing));
        }
        self.course = course;
        let uniform = course.uniform(self.sizes);
        self.put(Buffer::Course, &[uniform]);
    }

    /// Goes on from another state of the same world.
    pub fn write(&mut self, state: &State) {
        self.exchanged = false;
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
    pub fn step(&mut self) -> Result<(), Fault> {
        let mut stages = std::mem::take(&mut self.stages);
        self.plan(&mut stages);
        let descriptor = wgpu::CommandEncoderDescriptor { label: Some("step") };
        let mut encoder = self.device.device.create_command_encoder(&descriptor);
        {
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
            for stage in &stages {
                self.run(&mut pass, *stage);
            }
        }
        self.device.queue.submit([encoder.finish()]);
        self.stages = stages;
        self.device.errors.check(Ok(()))
    }

    /// The kernels of the next step in their order, in place of what is in the list. To be run before it is asked
    /// again.
    pub fn plan(&mut self, stages: &mut Vec<Stage>) {
        stages.clear();
        for _ in 0..self.course.substeps {
            self.plan_substep(stages);
        }
    }

    fn plan_substep(&mut self, stages: &mut Vec<Stage>) {
        let Course { iterations, scheme, warm, late, .. } = self.course;
        let warm = warm > 0.0;
        let mut exchanged = self.exchanged;
        let turns = self.turns.len() as u32;
        let of = |kernel: Kernel, exchanged: bool| Stage { kernel, exchanged, turn: 0 };
        stages.push(of(Kernel::Inertia, exchanged));
        stages.push(of(Kernel::Free, exchanged));
        stages.push(of(Kernel::Rows, exchanged));
        if scheme == Scheme::Exact && iterations > 0 {
            stages.push(of(Kernel::TreeFactor, exchanged));
        }
        if scheme == Scheme::OnePass {
            stages.push(of(Kernel::Offset, exchanged));
        } else if warm && !late {
            stages.push(of(Kernel::VelocitiesTotal, exchanged));
        }
        let sweeps = if scheme == Scheme::Exact && turns == 0 { iterations.min(REFINED) } else { iterations };
        for iteration in 0..sweeps {
            let first = warm && late && iteration == 0;
            match scheme {
                Scheme::OnePass => {
                    stages.push(of(if first { Kernel::OnePassFirst } else { Kernel::OnePass }, exchanged));
                    exchanged = !exchanged;
                }
                Scheme::Printed => {
                    stages.push(of(Kernel::MultipliersTotal, exchanged));
                    stages.push(of(Kernel::VelocitiesTotal, exchanged));
                }
                Scheme::Incremental => {
                    stages.push(of(Kernel::MultipliersIncrement, exchanged));
                    // What the old impulses change comes in here.
                    stages
                        .push(of(if first { Kernel::VelocitiesTotal } else { Kernel::VelocitiesIncrement }, exchanged));
                }
                Scheme::Exact if iteration == 0 => stages.push(of(Kernel::TreeFirst, exchanged)),
                Scheme::Exact => {
                    stages.push(of(Kernel::TreeAgain, exchanged));
                    stages.push(of(Kernel::VelocitiesIncrement, exchanged));
                }
                Scheme::Coloured => {}
            }
            if matches!(scheme, Scheme::Coloured | Scheme::Exact) {
                let stage = |turn| Stage { kernel: Kernel::Coloured, exchanged, turn };
                stages.extend((0..turns).map(stage));
            }
        }
        if scheme == Scheme::OnePass && (iterations > 0 || warm && !late) {
            stages.push(of(Kernel::VelocitiesTotal, exchanged));
        }
        stages.push(of(Kernel::Store, exchanged));
        stages.push(of(Kernel::Poses, exchanged));
        self.exchanged = exchanged;
    }

    /// Runs a kernel in a pass.
    pub fn run(&self, pass: &mut wgpu::ComputePass<'_>, stage: Stage) {
        let turn = stage.turn as usize;
        let threads = match stage.kernel.per() {
            Per::Body => self.sizes.bodies,
            Per::Node => self.trees,
            _ if stage.kernel == Kernel::Coloured => self.turn(turn).len(),
            _ => self.sizes.constraints,
        };
        let groups = (threads as u32).div_ceil(LANES);
        if groups == 0 {
            return;
        }
        let widest = self.device.limits.max_compute_workgroups_per_dimension;
        pass.set_pipeline(self.device.pipeline(stage.kernel));
        pass.set_bind_group(0, &self.groups[stage.kernel as usize][usize::from(stage.exchanged)], &[]);
        if stage.kernel == Kernel::Coloured {
            pass.set_bind_group(1, &self.turn_groups[turn], &[]);
        }
        pass.dispatch_workgroups(groups.min(widest), groups.div_ceil(widest), 1);
    }

    /// The constraints of a turn.
    fn turn(&self, turn: usize) -> Range<u32> {
        range(&self.turns, turn)
    }

    /// Waits for all steps and reads the state back.
    ///
    /// # Errors
    /// What the device says.
    pub fn read(&self, state: &mut State) -> Result<(), Fault> {
        let descriptor = wgpu::CommandEncoderDescriptor { label: Some("read") };
        let mut encoder = self.device.device.create_command_encoder(&descriptor);
        let mut offset = 0;
        for buffer in READ {
            let bytes = buffer.bytes(self.sizes);
            let from = self.buffer(buffer, self.exchanged);
            encoder.copy_buffer_to_buffer(from, 0, &self.read_back, offset, bytes);
            offset += bytes;
        }
        self.device.queue.submit([encoder.finish()]);
        self.device.read(&self.read_back, |bytes| {
            let (poses, rest) = bytes.split_at(Buffer::Poses.bytes(self.sizes) as usize);
            let (velocities, multipliers) = rest.split_at(Buffer::Velocities.bytes(self.sizes) as usize);
            copy(&mut state.poses, poses, self.sizes.bodies);
            copy(&mut state.velocities, velocities, self.sizes.bodies);
            copy(&mut state.multipliers, multipliers, self.sizes.constraints);
        })
    }

    /// Bytes that are read back.
    pub fn state_bytes(&self) -> u64 {
        self.read_back.size()
    }

    fn buffer(&self, buffer: Buffer, exchanged: bool) -> &wgpu::Buffer {
        bound(&self.buffers, buffer, exchanged)
    }
}

/// What is read back, in the order in which it lies there.
const READ: [Buffer; 3] = [Buffer::Poses, Buffer::Velocities, Buffer::Multipliers];

fn copy<T: bytemuck::AnyBitPattern + Clone>(to: &mut Vec<T>, bytes: &[u8], count: usize) {
    to.clear();
    to.extend(bytes.chunks_exact(size_of::<T>()).take(count).map(bytemuck::pod_read_unaligned::<T>));
}

/// The buffer that has a binding.
fn bound(buffers: &[wgpu::Buffer], buffer: Buffer, exchanged: bool) -> &wgpu::Buffer {
    let bound = match (buffer, exchanged) {
        (Buffer::Multipliers, true) => Buffer::Others,
        (Buffer::Others, true) => Buffer::Multipliers,
        _ => buffer,
    };
    &buffers[bound as usize]
}

fn range(ends: &[u32], turn: usize) -> Range<u32> {
    if turn == 0 { 0..ends[0] } else { ends[turn - 1]..ends[turn] }
}

/// Where each turn begins and how many it has, as `shaders/gpu_coloured.wgsl` reads it.
fn turn_groups(device: &Device, ends: &[u32]) -> Vec<wgpu::BindGroup> {
    if ends.is_empty() {
        return Vec::new();
    }
    const BYTES: u64 = 16;
    let stride = BYTES.max(u64::from(device.device.limits().min_uniform_buffer_offset_alignment));
    let mut bytes = vec![0u8; stride as usize * ends.len()];
    for (turn, bytes) in bytes.chunks_exact_mut(stride as usize).enumerate() {
        let own = range(ends, turn);
        bytes[..BYTES as usize].copy_from_slice(bytemuck::cast_slice(&[own.start, own.end - own.start, 0, 0]));
    }
    let buffer = device.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("turns"),
        size: bytes.len() as u64,
        usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    device.queue.write_buffer(&buffer, 0, &bytes);
    let layout = device.pipeline(Kernel::Coloured).get_bind_group_layout(1);
    let group = |turn: usize| {
        let slice =
            wgpu::BufferBinding { buffer: &buffer, offset: turn as u64 * stride, size: wgpu::BufferSize::new(BYTES) };
        device.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("turn"),
            layout: &layout,
            entries: &[wgpu::BindGroupEntry { binding: 0, resource: wgpu::BindingResource::Buffer(slice) }],
        })
    };
    (0..ends.len()).map(group).collect()
}

fn create(device: &Device, buffer: Buffer, sizes: Sizes) -> wgpu::Buffer {
    let usage = if buffer == Buffer::Course { wgpu::BufferUsages::UNIFORM } else { wgpu::BufferUsages::STORAGE };
    device.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some(buffer.name()),
        size: buffer.bytes(sizes),
        usage: usage | wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC,
        mapped_at_creation: false,
    })
}

fn group(device: &Device, kernel: Kernel, buffers: &[wgpu::Buffer], exchanged: bool) -> wgpu::BindGroup {
    let used = std::iter::once(Buffer::Course).chain(kernel.uses().iter().map(|used| used.buffer()));
    let entries: Vec<_> = used
        .map(|buffer| wgpu::BindGroupEntry {
            binding: buffer as u32,
            resource: bound(buffers, buffer, exchanged).as_entire_binding(),
        })
        .collect();
    device.device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some(kernel.name()),
        layout: &device.pipeline(kernel).get_bind_group_layout(0),
        entries: &entries,
    })
}

/// Whether the device can hold a scene of these sizes.
///
/// # Errors
/// What it lacks.
pub fn check_limits(device: &Device, sizes: Sizes) -> Result<(), Fault> {
    let limits = &device.limits;
    let largest = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size);
    for buffer in Buffer::ALL {
        let needed = buffer.bytes(sizes);
        if needed > largest {
            let what = format!("bytes in a buffer, as of the {}", buffer.name());
            return Err(Fault::TooLarge { what, needed, limit: largest });
        }
    }
    let most = sizes.bodies.max(sizes.constraints);
    let groups = most.div_ceil(LANES as usize) as u64;
    let limit = u64::from(limits.max_compute_workgroups_per_dimension).pow(2);
    if groups > limit || most > (u32::MAX / 2) as usize {
        return Err(Fault::TooLarge { what: "groups of threads".to_owned(), needed: groups, limit });
    }
    Ok(())
}
