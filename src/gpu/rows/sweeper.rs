//! The device as a sweeper of rows: they go up, velocities and impulses come back, and the step waits for them.

use std::sync::Arc;

use glam::Vec3A;

use super::pack::{Lanes, WIDTH};
use crate::gpu::device::{Device, Fault};
use crate::gpu::stepper::told;
use crate::physics::joint::Joint;
use crate::physics::settings::{CarryForm, JacobiStep, Method, Order, RowSolve, Stabilization};
use crate::physics::solvers::elsewhere::{Declined, Sweeper, Task};
use crate::physics::world::World;

/// A buffer, by its binding in `shaders/gpu_lanes.wgsl`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
enum Buffer {
    Shapes = 0,
    Ends = 1,
    Rows = 2,
    Limits = 3,
    Impulses = 4,
    Velocities = 5,
    Changes = 6,
    Starts = 7,
    List = 8,
}

const BUFFERS: [(Buffer, &str); 9] = [
    (Buffer::Shapes, "shapes of rows"),
    (Buffer::Ends, "ends of lanes"),
    (Buffer::Rows, "lanes of rows"),
    (Buffer::Limits, "limits of rows"),
    (Buffer::Impulses, "impulses"),
    (Buffer::Velocities, "velocities"),
    (Buffer::Changes, "changes of lanes"),
    (Buffer::Starts, "starts of lanes"),
    (Buffer::List, "list of lanes"),
];

/// A kernel: its function and the buffers that it uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kernel {
    InTurn = 0,
    AtOnce = 1,
    Gather = 2,
    /// The same for the split position correction.
    CorrectInTurn = 3,
    CorrectAtOnce = 4,
    GatherCorrections = 5,
}

const KERNELS: [(&str, &[Buffer]); 6] = {
    use Buffer::{Changes, Ends, Impulses, Limits, List, Rows, Shapes, Starts, Velocities};
    [
        ("in_turn", &[Shapes, Ends, Rows, Limits, Impulses, Velocities]),
        ("at_once", &[Shapes, Ends, Rows, Limits, Impulses, Velocities, Changes]),
        ("gather", &[Velocities, Changes, Starts, List]),
        ("correct_in_turn", &[Shapes, Ends, Rows, Limits, Impulses, Velocities]),
        ("correct_at_once", &[Shapes, Ends, Rows, Limits, Impulses, Velocities, Changes]),
        ("gather_corrections", &[Velocities, Changes, Starts, List]),
    ]
};

/// The numbers of a turn, as the shader has them.
const TURN: u64 = 16;

/// Makes the sweeps of whatever rows there are on a device.
#[derive(Debug)]
pub struct LaneSweeper {
    device: Arc<Device>,
    pipelines: Vec<wgpu::ComputePipeline>,
    lanes: Lanes,
    velocities: Vec<[f32; 8]>,
    /// By binding; then the turns and the read-back.
    buffers: Vec<wgpu::Buffer>,
    turns: wgpu::Buffer,
    read_back: wgpu::Buffer,
    numbers: Vec<u8>,
}

impl LaneSweeper {
    /// On a device.
    ///
    /// # Errors
    /// What the device says.
    pub fn new(device: &Arc<Device>) -> Result<Self, Fault> {
        let sweeper = Self {
            pipelines: device.lanes.get_or_init(|| pipelines(device)).clone(),
            buffers: BUFFERS.iter().map(|(_, name)| storage(device, name, 64)).collect(),
            turns: uniform(device, 256),
            read_back: staging(device, 64),
            lanes: Lanes::default(),
            velocities: Vec::new(),
            numbers: Vec::new(),
            device: Arc::clone(device),
        };
        device.errors.check(Ok(sweeper))
    }

    /// Has a buffer hold so many bytes at least; what was in it is lost where it grows.
    fn make_room(&mut self, buffer: Buffer, bytes: u64) -> Result<(), Fault> {
        let limits = &self.device.limits;
        let limit = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size);
        let name = BUFFERS[buffer as usize].1;
        if bytes > limit {
            return Err(Fault::TooLarge { what: format!("bytes in a buffer, as of the {name}"), needed: bytes, limit });
        }
        if self.buffers[buffer as usize].size() < bytes {
            self.buffers[buffer as usize] = storage(&self.device, name, bytes.next_power_of_two().min(limit));
        }
        Ok(())
    }

    /// Puts a list into its buffer.
    fn put<T: bytemuck::Pod>(&mut self, buffer: Buffer, entries: fn(&Self) -> &[T]) -> Result<(), Fault> {
        self.make_room(buffer, size_of_val(entries(self)) as u64)?;
        let bytes = bytemuck::cast_slice(entries(self));
        if !bytes.is_empty() {
            self.device.queue.write_buffer(&self.buffers[buffer as usize], 0, bytes);
        }
        Ok(())
    }

    fn bind(&self, kernel: Kernel) -> wgpu::BindGroup {
        let (name, uses) = KERNELS[kernel as usize];
        let entry = |buffer: &Buffer| wgpu::BindGroupEntry {
            binding: *buffer as u32,
            resource: self.buffers[*buffer as usize].as_entire_binding(),
        };
        let entries: Vec<_> = uses.iter().map(entry).collect();
        self.device.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some(name),
            layout: &self.pipelines[kernel as usize].get_bind_group_layout(0),
            entries: &entries,
        })
    }

    /// The numbers of each turn, for a kernel.
    fn bind_turns(&self, kernel: Kernel) -> Vec<wgpu::BindGroup> {
        let stride = self.stride();
        let layout = self.pipelines[kernel as usize].get_bind_group_layout(1);
        let bind = |turn: usize| {
            let slice = wgpu::BufferBinding {
                buffer: &self.turns,
                offset: turn as u64 * stride,
                size: wgpu::BufferSize::new(TURN),
            };
            self.device.device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some("turn"),
                layout: &layout,
                entries: &[wgpu::BindGroupEntry { binding: 0, resource: wgpu::BindingResource::Buffer(slice) }],
            })
        };
        (0..self.lanes.turns.len()).map(bind).collect()
    }

    /// Hands the rows and velocities over; the split correction's behind the others.
    fn upload(&mut self, task: &Task<'_>, at_once: bool) -> Result<(), Fault> {
        self.velocities.clear();
        self.velocities.extend(task.velocities.iter().chain(&*task.pseudo_velocities).map(|v| {
            let (v, w) = (v.linear, v.angular);
            [v.x, v.y, v.z, 0.0, w.x, w.y, w.z, 0.0]
        }));
        self.put(Buffer::Shapes, |own| &own.lanes.shapes)?;
        self.put(Buffer::Ends, |own| &own.lanes.ends)?;
        self.put(Buffer::Rows, |own| &own.lanes.rows)?;
        self.put(Buffer::Limits, |own| &own.lanes.limits)?;
        self.put(Buffer::Impulses, |own| &own.lanes.impulses)?;
        self.put(Buffer::Velocities, |own| &own.velocities)?;
        if at_once {
            self.put(Buffer::Starts, |own| &own.lanes.starts)?;
            self.put(Buffer::List, |own| &own.lanes.list)?;
            let bytes = self.lanes.ends.len() as u64 * 64;
            self.make_room(Buffer::Changes, bytes)?;
        }
        let groups = task.velocities.len().max(self.lanes.ends.len()).div_ceil(WIDTH) as u64;
        let limit = u64::from(self.device.limits.max_compute_workgroups_per_dimension).pow(2);
        if groups > limit {
            return Err(Fault::TooLarge { what: "groups of threads".to_owned(), needed: groups, limit });
        }
        let stride = self.stride() as usize;
        self.numbers.clear();
        let mut first = 0;
        for end in &self.lanes.turns {
            let begin = self.numbers.len();
            let omega = if at_once { task.relaxation } else { 1.0 };
            for number in [first, end - first, task.velocities.len() as u32, omega.to_bits()] {
                self.numbers.extend_from_slice(&number.to_ne_bytes());
            }
            self.numbers.resize(begin + stride, 0);
            first = *end;
        }
        if self.turns.size() < self.numbers.len() as u64 {
            self.turns = uniform(&self.device, (self.numbers.len() as u64).next_power_of_two());
        }
        self.device.queue.write_buffer(&self.turns, 0, &self.numbers);
        Ok(())
    }

    /// From the numbers of one turn to those of the next, bytes.
    fn stride(&self) -> u64 {
        TURN.max(u64::from(self.device.limits.min_uniform_buffer_offset_alignment))
    }

    /// Makes the sweeps.
    fn run(&self, encoder: &mut wgpu::CommandEncoder, (iterations, order): (u32, Order), at_once: bool, pseudo: bool) {
        let kernels: &[Kernel] = match (at_once, pseudo) {
            (false, false) => &[Kernel::InTurn],
            (false, true) => &[Kernel::InTurn, Kernel::CorrectInTurn],
            (true, false) => &[Kernel::AtOnce, Kernel::Gather],
            (true, true) => &[Kernel::AtOnce, Kernel::Gather, Kernel::CorrectAtOnce, Kernel::GatherCorrections],
        };
        let bound: Vec<_> =
            kernels.iter().map(|kernel| (*kernel, self.bind(*kernel), self.bind_turns(*kernel))).collect();
        let widest = self.device.limits.max_compute_workgroups_per_dimension;
        let bodies = self.velocities.len() / if pseudo { 2 } else { 1 };
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        for iteration in 0..iterations {
            let backwards = match order {
                Order::Backward => true,
                Order::Alternating => iteration % 2 == 1,
                _ => false,
            };
            let count = self.lanes.turns.len();
            for turn in 0..count {
                let turn = if backwards { count - 1 - turn } else { turn };
                let first = if turn == 0 { 0 } else { self.lanes.turns[turn - 1] };
                for (kernel, own, turns) in &bound {
                    let groups = match kernel {
                        Kernel::Gather | Kernel::GatherCorrections => bodies.div_ceil(WIDTH) as u32,
                        _ => self.lanes.turns[turn] - first,
                    };
                    pass.set_pipeline(&self.pipelines[*kernel as usize]);
                    pass.set_bind_group(0, own, &[]);
                    pass.set_bind_group(1, &turns[turn], &[]);
                    pass.dispatch_workgroups(groups.min(widest), groups.div_ceil(widest), 1);
                }
            }
        }
    }

    /// Makes the sweeps and reads back velocities and impulses, into the lists that were handed over.
    fn sweep_and_read(&mut self, task: &Task<'_>, at_once: bool) -> Result<(), Fault> {
        self.upload(task, at_once)?;
        let solver = &task.settings.solver;
        let descriptor = wgpu::CommandEncoderDescriptor { label: Some("sweeps") };
        let mut encoder = self.device.device.create_command_encoder(&descriptor);
        self.run(&mut encoder, (solver.iterations, solver.order), at_once, !task.pseudo_velocities.is_empty());
        let velocities = size_of_val(&*self.velocities) as u64;
        let impulses = size_of_val(&*self.lanes.impulses) as u64;
        if self.read_back.size() < velocities + impulses {
            self.read_back = staging(&self.device, (velocities + impulses).next_power_of_two());
        }
        let buffer = |buffer: Buffer| &self.buffers[buffer as usize];
        encoder.copy_buffer_to_buffer(buffer(Buffer::Velocities), 0, &self.read_back, 0, velocities);
        encoder.copy_buffer_to_buffer(buffer(Buffer::Impulses), 0, &self.read_back, velocities, impulses);
        self.device.queue.submit([encoder.finish()]);
        let (new, lanes) = (&mut self.velocities, &mut self.lanes);
        self.device.read(&self.read_back, |bytes| {
            let (first, rest) = bytes.split_at(velocities as usize);
            bytemuck::cast_slice_mut(new).copy_from_slice(first);
            bytemuck::cast_slice_mut(&mut lanes.impulses).copy_from_slice(&rest[..impulses as usize]);
        })
    }
}

fn pipelines(device: &Device) -> Vec<wgpu::ComputePipeline> {
    let module = device.device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some("lanes"),
        source: wgpu::ShaderSource::Wgsl(include_str!("../../../shaders/gpu_lanes.wgsl").into()),
    });
    let pipeline = |(entry, _): &(&'static str, &[Buffer])| {
        device.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some(entry),
            layout: None,
            module: &module,
            entry_point: Some(entry),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            cache: None,
        })
    };
    KERNELS.iter().map(pipeline).collect()
}

fn storage(device: &Device, name: &str, size: u64) -> wgpu::Buffer {
    create(
        device,
        name,
        size,
        wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC,
    )
}

fn uniform(device: &Device, size: u64) -> wgpu::Buffer {
    create(device, "turns", size, wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST)
}

fn staging(device: &Device, size: u64) -> wgpu::Buffer {
    create(device, "read-back", size, wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST)
}

fn create(device: &Device, label: &str, size: u64, usage: wgpu::BufferUsages) -> wgpu::Buffer {
    let label = Some(label);
    device.device.create_buffer(&wgpu::BufferDescriptor { label, size, usage, mapped_at_creation: false })
}

/// Why no device sweeps a world, whatever its rows.
pub fn refusal(world: &World) -> Option<&'static str> {
    let settings = &world.settings;
    let (solver, stabilization) = (&settings.solver, settings.stabilization.method);
    let at_once = solver.method == Method::Jacobi;
    let own = |method: Stabilization| {
        let asks = |joint: &Joint| joint.def.options.stabilization.and_then(|own| own.method) == Some(method);
        stabilization == method || world.joints.iter().any(|joint| asks(joint))
    };
    let whole = matches!(solver.rows, RowSolve::Joint | RowSolve::Tree);
    let checks = [
        (whole && !world.joints.is_empty(), "whole joints and trees of such rows are solved by the processor"),
        (solver.method == Method::Direct, "it has sweeps alone, no direct solver"),
        (at_once && solver.jacobi == JacobiStep::Conjugate, "it has no conjugate directions"),
        (!at_once && solver.order == Order::Shuffled, "it draws no order anew for each sweep"),
        (solver.tolerance > 0.0, "it runs all sweeps, whatever the tolerance"),
        (solver.spectrum_every > 0, "it estimates no spectral radius"),
        (
            settings.formulation.carry == CarryForm::AsPrinted,
            "it applies old impulses before the first sweep, not behind it",
        ),
        (
            !world.joints.is_empty() && (own(Stabilization::Shake) || own(Stabilization::Rattle)),
            "SHAKE and RATTLE look at the poses between its sweeps",
        ),
    ];
    checks.into_iter().find(|(refused, _)| *refused).map(|(_, why)| why)
}

impl Sweeper for LaneSweeper {
    fn refusal(&self, world: &World) -> Option<String> {
        refusal(world).map(str::to_owned)
    }

    fn sweep(&mut self, task: &mut Task<'_>) -> Result<(), Declined> {
        if !task.system.contacts.is_empty() {
            return Err(Declined::Lacks("the rows of the contacts are not listed".to_owned()));
        }
        let (bodies, settings) = (task.velocities.len(), task.settings);
        self.lanes.fill(task.system, bodies, settings).map_err(|lacks| Declined::Lacks(lacks.to_string()))?;
        if task.system.blocks.is_empty() || settings.solver.iterations == 0 {
            return Ok(());
        }
        let at_once = settings.solver.method == Method::Jacobi;
        self.sweep_and_read(task, at_once).map_err(|fault| Declined::Failed(told(&fault)))?;
        let Task { system, velocities, pseudo_velocities, .. } = task;
        for (velocity, own) in velocities.iter_mut().chain(&mut **pseudo_velocities).zip(&self.velocities) {
            let [x, y, z, _, u, v, w, _] = *own;
            (velocity.linear, velocity.angular) = (Vec3A::new(x, y, z), Vec3A::new(u, v, w));
        }
        self.lanes.give_back(system);
        Ok(())
    }
}
