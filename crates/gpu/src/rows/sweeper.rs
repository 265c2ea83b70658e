//! A sweeper of rows on the device: uploads rows, runs the sweeps, reads velocities and impulses back, and waits for
//! them.

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use glam::Vec3A;

use super::articulations::{self, DeviceArticulations};
use super::kernels::{KERNELS, RowBuffer, RowKernel};
use super::memory::{BoundKernel, DeviceMemory};
use super::pack::{Lanes, Unsupported, WIDTH};
use super::refusal;
use crate::device::{Device, DeviceFault};
use crate::timing::{self, Stamps, Timed};
use delassus_physics::device::{DeviceError, DeviceRefusal};
use delassus_physics::settings::{Method, Order, Settings};
use delassus_physics::solvers::jacobi;
use delassus_physics::solvers::remote_sweeps::{SweepRefusal, Sweeper, Task};

/// Sweeps the rows of any joints and contacts on a device.
#[derive(Debug)]
pub struct LaneSweeper {
    memory: DeviceMemory,
    lanes: Lanes,
    articulations: DeviceArticulations,
    velocities: Vec<[f32; 8]>,
    /// If set, kernel times are recorded here; each kernel is then a pass of its own.
    pub log: Option<KernelLog>,
}

/// Kernel times by name.
pub type KernelLog = Arc<Mutex<Vec<Timed<&'static str>>>>;

/// One turn of a kernel.
struct BoundDispatch {
    /// Index in the list of bound kernels.
    bound: usize,
    turn: usize,
    groups: u32,
}

impl LaneSweeper {
    /// A sweeper on a device.
    ///
    /// # Errors
    /// An error of the device.
    pub fn new(device: &Arc<Device>) -> Result<Self, DeviceFault> {
        let sweeper = Self {
            memory: DeviceMemory::new(device),
            lanes: Lanes::default(),
            articulations: DeviceArticulations::default(),
            velocities: Vec::new(),
            log: None,
        };
        device.errors.check(Ok(sweeper))
    }

    /// Uploads rows and velocities; the split correction's velocities follow the others.
    fn upload(&mut self, task: &Task<'_>, at_once: bool) -> Result<(), DeviceFault> {
        let Self { memory, lanes, articulations, velocities, .. } = self;
        velocities.clear();
        velocities.extend(task.velocities.iter().chain(&*task.pseudo_velocities).map(|v| {
            let (v, w) = (v.linear, v.angular);
            [v.x, v.y, v.z, 0.0, w.x, w.y, w.z, 0.0]
        }));
        let nodes = articulations.nodes.len() as u64 / 2;
        memory.put(RowBuffer::Shapes, &lanes.shapes)?;
        memory.put(RowBuffer::Ends, &lanes.ends)?;
        memory.put(RowBuffer::Rows, &lanes.rows)?;
        memory.put(RowBuffer::Limits, &lanes.limits)?;
        memory.put(RowBuffer::Impulses, &lanes.impulses)?;
        memory.put(RowBuffer::Velocities, velocities)?;
        if at_once {
            memory.put(RowBuffer::Starts, &lanes.starts)?;
            memory.put(RowBuffer::List, &lanes.list)?;
            memory.make_room(RowBuffer::Changes, (lanes.ends.len() as u64 + nodes) * 64)?;
        }
        memory.put(RowBuffer::Trees, &articulations.trees)?;
        memory.put(RowBuffer::Nodes, &articulations.nodes)?;
        memory.put(RowBuffer::TreeRows, &articulations.rows)?;
        memory.put(RowBuffer::Factors, &articulations.factors)?;
        memory.put(RowBuffer::TreeImpulses, &articulations.impulses)?;
        memory.make_room(RowBuffer::Work, nodes * articulations::WORK)?;
        let threads = task.velocities.len().max(lanes.ends.len()).max(articulations.count());
        let groups = threads.div_ceil(WIDTH) as u64;
        let limit = u64::from(memory.device.limits.max_compute_workgroups_per_dimension).pow(2);
        if groups > limit {
            return Err(DeviceFault::TooLarge { what: "groups of threads".to_owned(), needed: groups, limit });
        }
        // The parameters of the lanes' turns, then of the trees' turns, once for the first sweep and once for later
        // ones.
        let bodies = task.velocities.len() as u32;
        let omega = if at_once { task.relaxation } else { 1.0 }.to_bits();
        let places = lanes.ends.len() as u32;
        let parameters = |ends: &[u32], last: u32| {
            let numbers = |turn| {
                let Range { start, end } = range(ends, turn);
                [start, end - start, bodies, last, omega, places]
            };
            (0..ends.len()).map(numbers).collect::<Vec<_>>()
        };
        let begins = !(at_once && jacobi::splits(&task.settings.solver));
        let trees = [begins, false].map(|begins| parameters(&articulations.turns, begins.into()));
        memory.number(parameters(&lanes.turns, omega).into_iter().chain(trees.into_iter().flatten()));
        Ok(())
    }

    /// The kernels to bind, and the stages of all sweeps in order.
    fn plan(&self, task: &Task<'_>, at_once: bool) -> (Vec<BoundKernel>, Vec<BoundDispatch>) {
        let pseudo = !task.pseudo_velocities.is_empty();
        let (of_lanes, of_trees): (&[RowKernel], &[RowKernel]) = if at_once {
            (&[RowKernel::AtOnce, RowKernel::CorrectAtOnce], &[RowKernel::TreeAtOnce, RowKernel::CorrectTreeAtOnce])
        } else {
            (&[RowKernel::InTurn, RowKernel::CorrectInTurn], &[RowKernel::Tree, RowKernel::CorrectTree])
        };
        let sides = 1 + usize::from(pseudo);
        let gathers = [RowKernel::Gather, RowKernel::GatherCorrections];
        let kernels: Vec<RowKernel> = [&of_trees[..sides], &of_lanes[..sides], &gathers[..sides]].concat();
        let (lanes, articulations) = (self.lanes.turns.len(), self.articulations.turns.len());
        let turns = |kernel: &RowKernel| {
            if gathers.contains(kernel) {
                // It needs only the number of bodies, which all turns' parameters contain.
                0..usize::from(at_once)
            } else if of_lanes.contains(kernel) {
                0..lanes
            } else {
                lanes..lanes + 2 * articulations
            }
        };
        let bound = kernels.iter().map(|kernel| self.memory.bound(*kernel, turns(kernel))).collect();
        let bodies = task.velocities.len().div_ceil(WIDTH) as u32;
        let mut dispatches = Vec::new();
        for iteration in task.sweeps.clone() {
            let sweep_lanes = |turn: usize| (sides, turn, range(&self.lanes.turns, turn).len() as u32);
            // Trees are solved before all other blocks; in a backward sweep, after them.
            let later = if iteration == 0 { 0 } else { articulations };
            let sweep_trees =
                |turn: usize| (0, later + turn, range(&self.articulations.turns, turn).len().div_ceil(WIDTH) as u32);
            let backwards = match task.settings.solver.order {
                _ if at_once => false,
                Order::Backward => true,
                Order::Alternating => iteration % 2 == 1,
                _ => false,
            };
            let mut schedule: Vec<_> = (0..articulations).map(sweep_trees).chain((0..lanes).map(sweep_lanes)).collect();
            if backwards {
                schedule.reverse();
            }
            if at_once {
                schedule.push((2 * sides, 0, bodies));
            }
            let dispatch = |(first, turn, groups): &(usize, usize, u32), side| BoundDispatch {
                bound: first + side,
                turn: *turn,
                groups: *groups,
            };
            if at_once {
                // The changes of both sides share one buffer, so one side follows the other.
                (0..sides).for_each(|side| dispatches.extend(schedule.iter().map(|stage| dispatch(stage, side))));
            } else {
                schedule.iter().for_each(|stage| dispatches.extend((0..sides).map(|side| dispatch(stage, side))));
            }
        }
        (bound, dispatches)
    }

    /// Encodes all sweeps. If kernel times are recorded, returns the timestamps and the kernel of each pass.
    fn run(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        task: &Task<'_>,
        at_once: bool,
    ) -> Option<(Stamps, Vec<RowKernel>)> {
        let (bound, dispatches) = self.plan(task, at_once);
        let encode = |pass: &mut wgpu::ComputePass<'_>, dispatch: &BoundDispatch| {
            self.memory.dispatch(pass, &bound[dispatch.bound], dispatch.turn, dispatch.groups);
        };
        let stamps = self.log.as_ref().and_then(|_| Stamps::new(&self.memory.device, dispatches.len()));
        let Some(stamps) = stamps else {
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
            dispatches.iter().for_each(|dispatch| encode(&mut pass, dispatch));
            return None;
        };
        for (number, dispatch) in dispatches.iter().enumerate() {
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
                label: None,
                timestamp_writes: Some(stamps.writes(number)),
            });
            encode(&mut pass, dispatch);
        }
        stamps.resolve(encoder);
        Some((stamps, dispatches.iter().map(|dispatch| bound[dispatch.bound].kernel).collect()))
    }

    /// Makes the sweeps and reads velocities and impulses back into the packed lists.
    fn sweep_and_read(&mut self, task: &Task<'_>, at_once: bool) -> Result<(), DeviceFault> {
        self.upload(task, at_once)?;
        let device = Arc::clone(&self.memory.device);
        let descriptor = wgpu::CommandEncoderDescriptor { label: Some("sweeps") };
        let mut encoder = device.device.create_command_encoder(&descriptor);
        let timed = self.run(&mut encoder, task, at_once);
        let parts = [
            (RowBuffer::Velocities, size_of_val(&*self.velocities)),
            (RowBuffer::Impulses, size_of_val(&*self.lanes.impulses)),
            (RowBuffer::TreeImpulses, size_of_val(&*self.articulations.impulses)),
        ];
        self.memory.copy_back(&mut encoder, &parts);
        device.queue.submit([encoder.finish()]);
        let (new, lanes, articulations) = (&mut self.velocities, &mut self.lanes, &mut self.articulations);
        self.memory.read_back(|bytes| {
            let (first, rest) = bytes.split_at(parts[0].1);
            let (second, rest) = rest.split_at(parts[1].1);
            bytemuck::cast_slice_mut(new).copy_from_slice(first);
            bytemuck::cast_slice_mut(&mut lanes.impulses).copy_from_slice(second);
            bytemuck::cast_slice_mut(&mut articulations.impulses).copy_from_slice(&rest[..parts[2].1]);
        })?;
        if let (Some((stamps, kernels)), Some(log)) = (timed, &self.log) {
            let mut log = log.lock().unwrap_or_else(PoisonError::into_inner);
            for (kernel, seconds) in kernels.into_iter().zip(stamps.read(&device)?) {
                timing::add(&mut log, KERNELS[kernel as usize].name, seconds);
            }
        }
        Ok(())
    }
}

fn range(ends: &[u32], turn: usize) -> Range<u32> {
    (if turn == 0 { 0 } else { ends[turn - 1] })..ends[turn]
}

fn unsupported(unsupported: Unsupported) -> SweepRefusal {
    SweepRefusal::Unsupported(DeviceRefusal::Device(Arc::new(unsupported)))
}

impl Sweeper for LaneSweeper {
    fn refusal(&self, settings: &Settings) -> Option<DeviceError> {
        refusal(settings).map(|unsupported| Arc::new(unsupported) as DeviceError)
    }

    fn sweep(&mut self, task: &mut Task<'_>) -> Result<(), SweepRefusal> {
        if !task.system.contacts.is_empty() {
            return Err(unsupported(Unsupported::Contacts));
        }
        if task.system.trees.mechanisms.count() > 0 {
            return Err(unsupported(Unsupported::Mechanism));
        }
        if task.system.rows.iter().any(|row| row.net != Vec3A::ZERO) {
            return Err(unsupported(Unsupported::Borne));
        }
        let (bodies, settings) = (task.velocities.len(), task.settings);
        let at_once = settings.solver.method == Method::Jacobi;
        self.articulations.fill(task.system, bodies, at_once);
        let filled = self.lanes.fill(task.system, &self.articulations, bodies, settings);
        filled.map_err(unsupported)?;
        if task.system.blocks.is_empty() && self.articulations.count() == 0 || task.sweeps.is_empty() {
            return Ok(());
        }
        self.sweep_and_read(task, at_once).map_err(|fault| SweepRefusal::Failed(Arc::new(fault)))?;
        let Task { system, velocities, pseudo_velocities, .. } = task;
        for (velocity, planes) in velocities.iter_mut().chain(&mut **pseudo_velocities).zip(&self.velocities) {
            let [x, y, z, _, u, v, w, _] = *planes;
            (velocity.linear, velocity.angular) = (Vec3A::new(x, y, z), Vec3A::new(u, v, w));
        }
        self.lanes.give_back(system);
        self.articulations.give_back(system);
        Ok(())
    }
}
