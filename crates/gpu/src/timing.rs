//! Measures how long kernels take, and the device's copy bandwidth.
//!
//! With timestamp queries each kernel is a pass of its own that records the device's time at its begin and end.
//! Otherwise each is a submission that is waited for, measured by the wall clock, which includes the cost of a
//! submission. Either differs from a normal step, where all kernels share one pass.

use super::device::{Device, DeviceFault};
use super::device_solver::{DeviceSolver, KernelDispatch};
use super::kernels::Kernel;

use delassus_physics::clock::Instant;

/// The clock that measured a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimingSource {
    Timestamps,
    Wall,
}

impl TimingSource {
    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Timestamps => "timestamps",
            Self::Wall => "wall",
        }
    }
}

/// The total time of a kernel in a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Timed<K = Kernel> {
    pub kernel: K,
    /// Number of runs.
    pub runs: u32,
    /// Sum over all runs, s.
    pub seconds: f64,
}

/// Adds one run of a kernel to a list.
pub fn add<K: PartialEq>(list: &mut Vec<Timed<K>>, kernel: K, seconds: f64) {
    match list.iter_mut().find(|timed| timed.kernel == kernel) {
        Some(timed) => {
            timed.runs += 1;
            timed.seconds += seconds;
        }
        None => list.push(Timed { kernel, runs: 1, seconds }),
    }
}

/// Makes one step, timing each kernel, and returns the times in the order of first runs.
///
/// # Errors
/// An error of the device.
pub fn step(solver: &mut DeviceSolver) -> Result<(Vec<Timed>, TimingSource), DeviceFault> {
    let mut dispatches = Vec::new();
    solver.plan(&mut dispatches);
    let stamps = Stamps::new(solver.device(), dispatches.len());
    let seconds = match &stamps {
        Some(stamps) => stamped(solver, &dispatches, stamps)?,
        None => waited(solver, &dispatches)?,
    };
    let mut list = Vec::new();
    for (dispatch, seconds) in dispatches.iter().zip(seconds) {
        add(&mut list, dispatch.kernel, seconds);
    }
    Ok((list, if stamps.is_some() { TimingSource::Timestamps } else { TimingSource::Wall }))
}

/// Timestamp queries at the begin and end of passes.
pub struct Stamps {
    queries: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    read_back: wgpu::Buffer,
    count: u32,
}

impl Stamps {
    /// Queries for `passes` passes; none if the device has no timestamps, or not that many.
    pub fn new(device: &Device, passes: usize) -> Option<Self> {
        let count = 2 * passes;
        if !device.has_timestamps() || passes == 0 || count > wgpu::QUERY_SET_MAX_QUERIES as usize {
            return None;
        }
        let count = count as u32;
        let queries = device.device.create_query_set(&wgpu::QuerySetDescriptor {
            label: Some("passes"),
            ty: wgpu::QueryType::Timestamp,
            count,
        });
        let buffer = |usage| {
            device.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("times"),
                size: u64::from(count) * 8,
                usage: usage | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })
        };
        let resolved = buffer(wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC);
        Some(Self { queries, resolved, read_back: buffer(wgpu::BufferUsages::MAP_READ), count })
    }

    /// The timestamp writes of a pass.
    pub fn writes(&self, pass: usize) -> wgpu::ComputePassTimestampWrites<'_> {
        let first = 2 * pass as u32;
        wgpu::ComputePassTimestampWrites {
            query_set: &self.queries,
            beginning_of_pass_write_index: Some(first),
            end_of_pass_write_index: Some(first + 1),
        }
    }

    /// Resolves the queries; to be called after all passes.
    pub fn resolve(&self, encoder: &mut wgpu::CommandEncoder) {
        encoder.resolve_query_set(&self.queries, 0..self.count, &self.resolved, 0);
        encoder.copy_buffer_to_buffer(&self.resolved, 0, &self.read_back, 0, u64::from(self.count) * 8);
    }

    /// The duration of each pass, s; call it after submission.
    ///
    /// # Errors
    /// An error of the device.
    pub fn read(&self, device: &Device) -> Result<Vec<f64>, DeviceFault> {
        let tick = f64::from(device.queue.get_timestamp_period()) * 1e-9;
        device.read(&self.read_back, |bytes| {
            let times: Vec<u64> = bytes.chunks_exact(8).map(bytemuck::pod_read_unaligned).collect();
            times.chunks_exact(2).map(|pair| pair[1].saturating_sub(pair[0]) as f64 * tick).collect()
        })
    }
}

/// The duration of each dispatch by the device's timestamps, s.
fn stamped(solver: &DeviceSolver, dispatches: &[KernelDispatch], stamps: &Stamps) -> Result<Vec<f64>, DeviceFault> {
    let device = solver.device();
    let descriptor = wgpu::CommandEncoderDescriptor { label: Some("timed step") };
    let mut encoder = device.device.create_command_encoder(&descriptor);
    for (number, dispatch) in dispatches.iter().enumerate() {
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: Some(dispatch.kernel.name()),
            timestamp_writes: Some(stamps.writes(number)),
        });
        solver.run(&mut pass, *dispatch);
    }
    stamps.resolve(&mut encoder);
    device.queue.submit([encoder.finish()]);
    stamps.read(device)
}

/// The duration of each stage by the wall clock, s.
fn waited(solver: &DeviceSolver, dispatches: &[KernelDispatch]) -> Result<Vec<f64>, DeviceFault> {
    let Device { device, queue, .. } = &**solver.device();
    let mut seconds = Vec::with_capacity(dispatches.len());
    for dispatch in dispatches {
        let begin = Instant::now();
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("timed") });
        solver.run(&mut encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default()), *dispatch);
        queue.submit([encoder.finish()]);
        solver.device().wait()?;
        seconds.push(begin.elapsed().as_secs_f64());
    }
    Ok(seconds)
}

/// Copies per measurement.
const COPIES: u32 = 8;
/// Size of the copied buffer, bytes, if the device allows it.
const COPIED: u64 = 128 << 20;

/// Bytes read and written per second when a large buffer is copied to another: the best of three measurements.
///
/// # Errors
/// An error of the device.
pub fn copy_bandwidth(device: &Device) -> Result<f64, DeviceFault> {
    let size = COPIED.min(device.device.limits().max_buffer_size);
    let buffer = || {
        device.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("copied"),
            size,
            usage: wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        })
    };
    let (from, to) = (buffer(), buffer());
    let mut best = f64::INFINITY;
    // The first of the four rounds also brings the memory in.
    for _ in 0..4 {
        let mut encoder =
            device.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("copies") });
        for _ in 0..COPIES {
            encoder.copy_buffer_to_buffer(&from, 0, &to, 0, size);
        }
        device.wait()?;
        let begin = Instant::now();
        device.queue.submit([encoder.finish()]);
        device.wait()?;
        best = best.min(begin.elapsed().as_secs_f64());
    }
    Ok((2 * size * u64::from(COPIES)) as f64 / best)
}
