//! The state on the device, and its step: 001's `update`, kernel after kernel in one submission.
//!
//! ```text
//! a sub-step   inertia, free velocities, rows (with the old impulses)
//!              V⁰ = V* + M⁻¹ Jᵀ λ⁰, where it starts warm
//!              as many sweeps as the course says, by its scheme
//!              store, poses
//! ```
//! λ of a sweep in one pass goes from one of two buffers into the other, whose parts are exchanged then.

use std::sync::Arc;

use super::course::{Course, Scheme};
use super::device::{Device, Fault};
use super::kernels::{Kernel, LANES};
use super::layout::{Buffer, Per};
use super::pack::{Packed, State};

/// A kernel to run, with the multipliers' buffers exchanged or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stage {
    pub kernel: Kernel,
    pub exchanged: bool,
}

/// A world on a device.
#[derive(Debug)]
pub struct Solver {
    device: Arc<Device>,
    course: Course,
    bodies: usize,
    constraints: usize,
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
        let (bodies, constraints) = (packed.masses.len(), packed.ends.len());
        check_limits(device, bodies, constraints)?;
        let buffers: Vec<_> = Buffer::ALL.iter().map(|b| create(device, *b, bodies, constraints)).collect();
        let groups = Kernel::ALL.iter().map(|kernel| [false, true].map(|x| group(device, *kernel, &buffers, x)));
        let groups = groups.collect();
        let read_back = device.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("read-back"),
            size: READ.iter().map(|b| b.bytes(bodies, constraints)).sum(),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        let mut solver = Self {
            device: Arc::clone(device),
            course,
            bodies,
            constraints,
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
        (self.bodies, self.constraints)
    }

    /// Runs another course from the next step on.
    pub fn set(&mut self, course: Course) {
        self.course = course;
        let uniform = course.uniform(self.bodies as u32, self.constraints as u32);
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
        let mut run = |kernel: Kernel, exchanged: bool| stages.push(Stage { kernel, exchanged });
        run(Kernel::Inertia, exchanged);
        run(Kernel::Free, exchanged);
        run(Kernel::Rows, exchanged);
        if scheme == Scheme::OnePass {
            run(Kernel::Offset, exchanged);
        } else if warm && !late {
            run(Kernel::VelocitiesTotal, exchanged);
        }
        for iteration in 0..iterations {
            let first = warm && late && iteration == 0;
            match scheme {
                Scheme::OnePass => {
                    run(if first { Kernel::OnePassFirst } else { Kernel::OnePass }, exchanged);
                    exchanged = !exchanged;
                }
                Scheme::Printed => {
                    run(Kernel::MultipliersTotal, exchanged);
                    run(Kernel::VelocitiesTotal, exchanged);
                }
                Scheme::Incremental => {
                    run(Kernel::MultipliersIncrement, exchanged);
                    // What the old impulses change comes in here.
                    run(if first { Kernel::VelocitiesTotal } else { Kernel::VelocitiesIncrement }, exchanged);
                }
            }
        }
        if scheme == Scheme::OnePass && (iterations > 0 || warm && !late) {
            run(Kernel::VelocitiesTotal, exchanged);
        }
        run(Kernel::Store, exchanged);
        run(Kernel::Poses, exchanged);
        self.exchanged = exchanged;
    }

    /// Runs a kernel in a pass.
    pub fn run(&self, pass: &mut wgpu::ComputePass<'_>, stage: Stage) {
        let threads = if stage.kernel.per() == Per::Body { self.bodies } else { self.constraints };
        let groups = (threads as u32).div_ceil(LANES);
        if groups == 0 {
            return;
        }
        let widest = self.device.device.limits().max_compute_workgroups_per_dimension;
        pass.set_pipeline(self.device.pipeline(stage.kernel));
        pass.set_bind_group(0, &self.groups[stage.kernel as usize][usize::from(stage.exchanged)], &[]);
        pass.dispatch_workgroups(groups.min(widest), groups.div_ceil(widest), 1);
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
            let bytes = buffer.bytes(self.bodies, self.constraints);
            let from = self.buffer(buffer, self.exchanged);
            encoder.copy_buffer_to_buffer(from, 0, &self.read_back, offset, bytes);
            offset += bytes;
        }
        self.device.queue.submit([encoder.finish()]);
        self.device.read(&self.read_back, |bytes| {
            let (poses, rest) = bytes.split_at(Buffer::Poses.bytes(self.bodies, self.constraints) as usize);
            let (velocities, multipliers) =
                rest.split_at(Buffer::Velocities.bytes(self.bodies, self.constraints) as usize);
            copy(&mut state.poses, poses, self.bodies);
            copy(&mut state.velocities, velocities, self.bodies);
            copy(&mut state.multipliers, multipliers, self.constraints);
        })
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

fn create(device: &Device, buffer: Buffer, bodies: usize, constraints: usize) -> wgpu::Buffer {
    let usage = if buffer == Buffer::Course { wgpu::BufferUsages::UNIFORM } else { wgpu::BufferUsages::STORAGE };
    device.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some(buffer.name()),
        size: buffer.bytes(bodies, constraints),
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

/// Whether the device can hold so many bodies and constraints.
fn check_limits(device: &Device, bodies: usize, constraints: usize) -> Result<(), Fault> {
    let limits = device.device.limits();
    let largest = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size);
    for buffer in Buffer::ALL {
        let needed = buffer.bytes(bodies, constraints);
        if needed > largest {
            let what = format!("bytes in a buffer, as of the {}", buffer.name());
            return Err(Fault::TooLarge { what, needed, limit: largest });
        }
    }
    let groups = bodies.max(constraints).div_ceil(LANES as usize) as u64;
    let limit = u64::from(limits.max_compute_workgroups_per_dimension).pow(2);
    if groups > limit || bodies.max(constraints) > (u32::MAX / 2) as usize {
        return Err(Fault::TooLarge { what: "groups of threads".to_owned(), needed: groups, limit });
    }
    Ok(())
}
