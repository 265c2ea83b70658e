//! The device as a sweeper of rows: they go up, velocities and impulses come back, and the step waits for them.

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use glam::Vec3A;

use super::forest::{self, Forest};
use super::kernels::{BUFFERS, Buffer, KERNELS, Kernel, pipelines};
use super::pack::{Lanes, WIDTH};
use crate::gpu::device::{Device, Fault};
use crate::gpu::stepper::told;
use crate::gpu::timing::{self, Stamps, Timed};
use crate::physics::settings::{CarryForm, JacobiStep, Method, Order, RowSolve};
use crate::physics::solvers::elsewhere::{Declined, Sweeper, Task};
use crate::physics::world::World;

/// The numbers of a turn, as the shader has them.
const TURN: u64 = 16;

/// Makes the sweeps of whatever rows there are on a device.
#[derive(Debug)]
pub struct LaneSweeper {
    device: Arc<Device>,
    pipelines: Vec<wgpu::ComputePipeline>,
    lanes: Lanes,
    forest: Forest,
    velocities: Vec<[f32; 8]>,
    /// By binding; then the turns and the read-back.
    buffers: Vec<wgpu::Buffer>,
    turns: wgpu::Buffer,
    read_back: wgpu::Buffer,
    numbers: Vec<u8>,
    /// What its kernels have taken, while somebody wants to know: each is a pass of its own then.
    pub log: Option<Log>,
}

/// By the functions' names.
pub type Log = Arc<Mutex<Vec<Timed<&'static str>>>>;

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
            forest: Forest::default(),
            velocities: Vec::new(),
            numbers: Vec::new(),
            log: None,
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
        let entry = &KERNELS[kernel as usize];
        let resource = |buffer: Buffer| self.buffers[buffer as usize].as_entire_binding();
        let bound =
            |(binding, buffer): &(u32, Buffer)| wgpu::BindGroupEntry { binding: *binding, resource: resource(*buffer) };
        let entries: Vec<_> = entry.uses.iter().map(bound).collect();
        self.device.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some(entry.name()),
            layout: &self.pipelines[kernel as usize].get_bind_group_layout(0),
            entries: &entries,
        })
    }

    /// The numbers of a turn, for a kernel.
    fn bind_turn(&self, kernel: Kernel, turn: usize) -> wgpu::BindGroup {
        let size = wgpu::BufferSize::new(TURN);
        let slice = wgpu::BufferBinding { buffer: &self.turns, offset: turn as u64 * self.stride(), size };
        self.device.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("turn"),
            layout: &self.pipelines[kernel as usize].get_bind_group_layout(1),
            entries: &[wgpu::BindGroupEntry { binding: 0, resource: wgpu::BindingResource::Buffer(slice) }],
        })
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
        self.put(Buffer::Trees, |own| &own.forest.trees)?;
        self.put(Buffer::Nodes, |own| &own.forest.nodes)?;
        self.put(Buffer::TreeRows, |own| &own.forest.rows)?;
        self.put(Buffer::Factors, |own| &own.forest.factors)?;
        self.put(Buffer::TreeImpulses, |own| &own.forest.impulses)?;
        self.make_room(Buffer::Work, self.forest.nodes.len() as u64 / 2 * forest::WORK)?;
        let most = task.velocities.len().max(self.lanes.ends.len()).max(self.forest.count());
        let groups = most.div_ceil(WIDTH) as u64;
        let limit = u64::from(self.device.limits.max_compute_workgroups_per_dimension).pow(2);
        if groups > limit {
            return Err(Fault::TooLarge { what: "groups of threads".to_owned(), needed: groups, limit });
        }
        self.number(task, at_once);
        Ok(())
    }

    /// Hands over the numbers of all turns: the lanes' first, then the trees' of a first sweep and of the others.
    fn number(&mut self, task: &Task<'_>, at_once: bool) {
        let stride = self.stride() as usize;
        let bodies = task.velocities.len() as u32;
        let omega = if at_once { task.relaxation } else { 1.0 };
        let trees = [1, 0].map(|begins| (&self.forest.turns, begins));
        self.numbers.clear();
        for (ends, last) in std::iter::once((&self.lanes.turns, omega.to_bits())).chain(trees) {
            let mut first = 0;
            for end in ends {
                let begin = self.numbers.len();
                for number in [first, end - first, bodies, last] {
                    self.numbers.extend_from_slice(&number.to_ne_bytes());
                }
                self.numbers.resize(begin + stride, 0);
                first = *end;
            }
        }
        if self.turns.size() < self.numbers.len() as u64 {
            self.turns = uniform(&self.device, (self.numbers.len() as u64).next_power_of_two());
        }
        self.device.queue.write_buffer(&self.turns, 0, &self.numbers);
    }

    /// From the numbers of one turn to those of the next, bytes.
    fn stride(&self) -> u64 {
        TURN.max(u64::from(self.device.limits.min_uniform_buffer_offset_alignment))
    }

    /// A kernel, its buffers, and the numbers of so many turns from one on.
    fn bound(&self, kernel: Kernel, turns: Range<usize>) -> Bound {
        Bound { kernel, own: self.bind(kernel), turns: turns.map(|turn| self.bind_turn(kernel, turn)).collect() }
    }

    /// Makes the sweeps; where somebody wants to know what each kernel takes, with what tells it.
    fn run(&self, encoder: &mut wgpu::CommandEncoder, task: &Task<'_>, at_once: bool) -> Option<(Stamps, Vec<Kernel>)> {
        let pseudo = !task.pseudo_velocities.is_empty();
        let kernels: &[Kernel] = match (at_once, pseudo) {
            (false, false) => &[Kernel::InTurn],
            (false, true) => &[Kernel::InTurn, Kernel::CorrectInTurn],
            (true, false) => &[Kernel::AtOnce, Kernel::Gather],
            (true, true) => &[Kernel::AtOnce, Kernel::Gather, Kernel::CorrectAtOnce, Kernel::GatherCorrections],
        };
        let trees: &[Kernel] = if pseudo { &[Kernel::Tree, Kernel::CorrectTree] } else { &[Kernel::Tree] };
        let (lanes, forest) = (self.lanes.turns.len(), self.forest.turns.len());
        let lane_kernels: Vec<_> = kernels.iter().map(|kernel| self.bound(*kernel, 0..lanes)).collect();
        let tree_kernels: Vec<_> = trees.iter().map(|kernel| self.bound(*kernel, lanes..lanes + 2 * forest)).collect();
        let bodies = task.velocities.len().div_ceil(WIDTH) as u32;
        let mut course = Vec::new();
        for iteration in task.sweeps.clone() {
            let sweep_lanes = |turn: usize, course: &mut Vec<_>| {
                let groups = range(&self.lanes.turns, turn).len() as u32;
                for bound in &lane_kernels {
                    let gathers = matches!(bound.kernel, Kernel::Gather | Kernel::GatherCorrections);
                    course.push((bound, turn, if gathers { bodies } else { groups }));
                }
            };
            // Trees go before all others, and behind them backwards.
            let later = if iteration == 0 { 0 } else { forest };
            let sweep_trees = |turn: usize, course: &mut Vec<_>| {
                let groups = range(&self.forest.turns, turn).len().div_ceil(WIDTH) as u32;
                course.extend(tree_kernels.iter().map(|bound| (bound, later + turn, groups)));
            };
            let backwards = match task.settings.solver.order {
                Order::Backward => true,
                Order::Alternating => iteration % 2 == 1,
                _ => false,
            };
            if backwards {
                (0..lanes).rev().for_each(|turn| sweep_lanes(turn, &mut course));
                (0..forest).rev().for_each(|turn| sweep_trees(turn, &mut course));
            } else {
                (0..forest).for_each(|turn| sweep_trees(turn, &mut course));
                (0..lanes).for_each(|turn| sweep_lanes(turn, &mut course));
            }
        }
        let stamps = self.log.as_ref().and_then(|_| Stamps::new(&self.device, course.len()));
        let Some(stamps) = stamps else {
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
            course.iter().for_each(|(bound, turn, groups)| self.dispatch(&mut pass, bound, *turn, *groups));
            return None;
        };
        for (number, (bound, turn, groups)) in course.iter().enumerate() {
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
                label: None,
                timestamp_writes: Some(stamps.writes(number)),
            });
            self.dispatch(&mut pass, bound, *turn, *groups);
        }
        stamps.resolve(encoder);
        Some((stamps, course.iter().map(|(bound, ..)| bound.kernel).collect()))
    }

    fn dispatch(&self, pass: &mut wgpu::ComputePass<'_>, bound: &Bound, turn: usize, groups: u32) {
        let widest = self.device.limits.max_compute_workgroups_per_dimension;
        pass.set_pipeline(&self.pipelines[bound.kernel as usize]);
        pass.set_bind_group(0, &bound.own, &[]);
        pass.set_bind_group(1, &bound.turns[turn], &[]);
        pass.dispatch_workgroups(groups.min(widest), groups.div_ceil(widest), 1);
    }

    /// Makes the sweeps and reads back velocities and impulses, into the lists that were handed over.
    fn sweep_and_read(&mut self, task: &Task<'_>, at_once: bool) -> Result<(), Fault> {
        self.upload(task, at_once)?;
        let descriptor = wgpu::CommandEncoderDescriptor { label: Some("sweeps") };
        let mut encoder = self.device.device.create_command_encoder(&descriptor);
        let timed = self.run(&mut encoder, task, at_once);
        let parts = [
            (Buffer::Velocities, size_of_val(&*self.velocities)),
            (Buffer::Impulses, size_of_val(&*self.lanes.impulses)),
            (Buffer::TreeImpulses, size_of_val(&*self.forest.impulses)),
        ];
        let all: usize = parts.iter().map(|(_, bytes)| bytes).sum();
        if self.read_back.size() < all as u64 {
            self.read_back = staging(&self.device, (all as u64).next_power_of_two());
        }
        let mut offset = 0;
        for (buffer, bytes) in parts.into_iter().filter(|(_, bytes)| *bytes > 0) {
            let bytes = bytes as u64;
            encoder.copy_buffer_to_buffer(&self.buffers[buffer as usize], 0, &self.read_back, offset, bytes);
            offset += bytes;
        }
        self.device.queue.submit([encoder.finish()]);
        let (new, lanes, forest) = (&mut self.velocities, &mut self.lanes, &mut self.forest);
        self.device.read(&self.read_back, |bytes| {
            let (first, rest) = bytes.split_at(parts[0].1);
            let (second, rest) = rest.split_at(parts[1].1);
            bytemuck::cast_slice_mut(new).copy_from_slice(first);
            bytemuck::cast_slice_mut(&mut lanes.impulses).copy_from_slice(second);
            bytemuck::cast_slice_mut(&mut forest.impulses).copy_from_slice(&rest[..parts[2].1]);
        })?;
        if let (Some((stamps, kernels)), Some(log)) = (timed, &self.log) {
            let mut log = log.lock().unwrap_or_else(PoisonError::into_inner);
            for (kernel, seconds) in kernels.into_iter().zip(stamps.read(&self.device)?) {
                timing::add(&mut log, KERNELS[kernel as usize].name(), seconds);
            }
        }
        Ok(())
    }
}

/// What a kernel is run with: its buffers, and the numbers of its turns.
struct Bound {
    kernel: Kernel,
    own: wgpu::BindGroup,
    turns: Vec<wgpu::BindGroup>,
}

fn range(ends: &[u32], turn: usize) -> Range<u32> {
    (if turn == 0 { 0 } else { ends[turn - 1] })..ends[turn]
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
    let solver = &settings.solver;
    let at_once = solver.method == Method::Jacobi;
    let whole = matches!(solver.rows, RowSolve::Joint | RowSolve::Tree);
    let checks = [
        (
            at_once && whole && !world.joints.is_empty(),
            "whole joints and trees go with Gauss–Seidel's sweeps, not with Jacobi's",
        ),
        (solver.method == Method::Direct, "it has sweeps alone, no direct solver"),
        (at_once && solver.jacobi == JacobiStep::Conjugate, "it has no conjugate directions"),
        (!at_once && solver.order == Order::Shuffled, "it draws no order anew for each sweep"),
        (solver.tolerance > 0.0, "it runs all sweeps, whatever the tolerance"),
        (solver.spectrum_every > 0, "it estimates no spectral radius"),
        (
            settings.formulation.carry == CarryForm::AsPrinted,
            "it applies old impulses before the first sweep, not behind it",
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
        self.forest.fill(task.system, bodies);
        if task.system.blocks.is_empty() && self.forest.count() == 0 || task.sweeps.is_empty() {
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
        self.forest.give_back(system);
        Ok(())
    }
}
