//! How long kernels take, and how fast the device copies.
//!
//! Where the adapter has timestamp queries each kernel is a pass of its own that writes the device's time where it
//! begins and ends. Otherwise each is a submission that is waited for, by the wall's clock: that adds what a submission
//! costs. Either is apart from the step as it runs, all kernels in one pass.

use std::time::Instant;

use super::device::{Device, Fault};
use super::kernels::Kernel;
use super::solver::{Solver, Stage};

/// By what a time was told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clock {
    Timestamps,
    Wall,
}

impl Clock {
    /// Its name in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Timestamps => "timestamps",
            Self::Wall => "wall",
        }
    }
}

/// A kernel's part in a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Timed {
    pub kernel: Kernel,
    /// How often it ran.
    pub runs: u32,
    /// All of its runs together, s.
    pub seconds: f64,
}

/// Makes one step, kernel by kernel, and returns what each took, in the order in which they first run.
///
/// # Errors
/// What the device says.
pub fn step(solver: &mut Solver) -> Result<(Vec<Timed>, Clock), Fault> {
    let mut stages = Vec::new();
    solver.plan(&mut stages);
    let stamps = solver.device().tells_time() && 2 * stages.len() <= wgpu::QUERY_SET_MAX_QUERIES as usize;
    let seconds = if stamps { stamped(solver, &stages)? } else { waited(solver, &stages)? };
    let mut list: Vec<Timed> = Vec::new();
    for (stage, seconds) in stages.iter().zip(seconds) {
        match list.iter_mut().find(|timed| timed.kernel == stage.kernel) {
            Some(timed) => {
                timed.runs += 1;
                timed.seconds += seconds;
            }
            None => list.push(Timed { kernel: stage.kernel, runs: 1, seconds }),
        }
    }
    Ok((list, if stamps { Clock::Timestamps } else { Clock::Wall }))
}

/// What each stage takes by the device's clock, s.
fn stamped(solver: &Solver, stages: &[Stage]) -> Result<Vec<f64>, Fault> {
    let Device { device, queue, .. } = &**solver.device();
    let count = 2 * stages.len() as u32;
    let queries = device.create_query_set(&wgpu::QuerySetDescriptor {
        label: Some("kernels"),
        ty: wgpu::QueryType::Timestamp,
        count,
    });
    let buffer = |usage| {
        device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("times"),
            size: u64::from(count) * 8,
            usage: usage | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        })
    };
    let resolved = buffer(wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC);
    let read_back = buffer(wgpu::BufferUsages::MAP_READ);
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("timed step") });
    for (first, stage) in (0..).step_by(2).zip(stages) {
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: Some(stage.kernel.name()),
            timestamp_writes: Some(wgpu::ComputePassTimestampWrites {
                query_set: &queries,
                beginning_of_pass_write_index: Some(first),
                end_of_pass_write_index: Some(first + 1),
            }),
        });
        solver.run(&mut pass, *stage);
    }
    encoder.resolve_query_set(&queries, 0..count, &resolved, 0);
    encoder.copy_buffer_to_buffer(&resolved, 0, &read_back, 0, u64::from(count) * 8);
    queue.submit([encoder.finish()]);
    let tick = f64::from(queue.get_timestamp_period()) * 1e-9;
    solver.device().read(&read_back, |bytes| {
        let times: Vec<u64> = bytes.chunks_exact(8).map(bytemuck::pod_read_unaligned).collect();
        times.chunks_exact(2).map(|pair| pair[1].saturating_sub(pair[0]) as f64 * tick).collect()
    })
}

/// The same by the wall's clock.
fn waited(solver: &Solver, stages: &[Stage]) -> Result<Vec<f64>, Fault> {
    let Device { device, queue, .. } = &**solver.device();
    let mut seconds = Vec::with_capacity(stages.len());
    for stage in stages {
        let begin = Instant::now();
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("timed") });
        solver.run(&mut encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default()), *stage);
        queue.submit([encoder.finish()]);
        solver.device().wait()?;
        seconds.push(begin.elapsed().as_secs_f64());
    }
    Ok(seconds)
}

/// How often a buffer is copied for one measurement.
const COPIES: u32 = 8;
/// The buffer's bytes, where the device allows as many.
const COPIED: u64 = 128 << 20;

/// Bytes read and written a second by copies of a large buffer into another: the best of three.
///
/// # Errors
/// What the device says.
pub fn copy_bandwidth(device: &Device) -> Result<f64, Fault> {
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
    // The first brings the memory in.
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
