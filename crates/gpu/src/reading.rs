//! Reads the state from the device, blocking (after all steps) or not, and gives access to the poses for drawing.

use super::async_reads::AsyncReads;
use super::device::DeviceFault;
use super::device_solver::DeviceSolver;
use super::layout::{Buffer, Sizes};
use super::pack::DeviceState;

/// The buffers that are read back, in this order.
const READ: [Buffer; 3] = [Buffer::Poses, Buffer::Velocities, Buffer::Multipliers];

/// Size of a state that is read back, bytes.
pub(super) fn bytes(sizes: Sizes) -> u64 {
    READ.iter().map(|buffer| buffer.bytes(sizes)).sum()
}

/// Buffers for non-blocking reads and for earlier poses; created when first needed.
#[derive(Debug, Default)]
pub(super) struct ReadbackState {
    async_reads: Option<AsyncReads>,
    /// The poses before the last step.
    before: Option<wgpu::Buffer>,
    /// Whether `before` belongs to the present state.
    pub has_earlier_poses: bool,
}

impl DeviceSolver {
    fn copy_state(&self, encoder: &mut wgpu::CommandEncoder, to: &wgpu::Buffer) {
        let mut offset = 0;
        for buffer in READ {
            let bytes = buffer.bytes(self.sizes);
            encoder.copy_buffer_to_buffer(self.buffer(buffer), 0, to, offset, bytes);
            offset += bytes;
        }
    }

    fn encoder(&self, label: &str) -> wgpu::CommandEncoder {
        self.device.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some(label) })
    }

    /// Waits for all steps and reads the state.
    ///
    /// # Errors
    /// An error of the device.
    pub fn read(&self, state: &mut DeviceState) -> Result<(), DeviceFault> {
        let mut encoder = self.encoder("read");
        self.copy_state(&mut encoder, &self.read_back);
        self.device.queue.submit([encoder.finish()]);
        self.device.read(&self.read_back, |bytes| fill(state, self.sizes, bytes))
    }

    /// Size of a state that is read back, bytes.
    pub fn state_bytes(&self) -> u64 {
        self.read_back.size()
    }

    /// Starts to read the present state without waiting. Returns the number of the read; none if two are under way.
    pub fn request_readback(&mut self) -> Option<u64> {
        let mut reads = self
            .kept
            .async_reads
            .take()
            .unwrap_or_else(|| AsyncReads::new(&self.device.device, "readback", self.read_back.size()));
        let age = reads.free_buffer().map(|(buffer, age)| {
            let mut encoder = self.encoder("request readback");
            self.copy_state(&mut encoder, buffer);
            self.device.queue.submit([encoder.finish()]);
            age
        });
        if age.is_some() {
            reads.poll(&self.device.device);
        }
        self.kept.async_reads = Some(reads);
        age
    }

    /// Takes the newest requested state that has arrived; returns the number of its read.
    ///
    /// # Errors
    /// If a read has failed.
    pub fn poll_readback(&mut self, state: &mut DeviceState) -> Result<Option<u64>, DeviceFault> {
        let Some(reads) = &mut self.kept.async_reads else { return Ok(None) };
        reads.poll(&self.device.device);
        if reads.has_failed() {
            let why = self.device.errors.take();
            return Err(why.unwrap_or_else(|| DeviceFault::Lost("it does not answer".to_owned())));
        }
        Ok(reads.take(|age, bytes| {
            fill(state, self.sizes, bytes);
            age
        }))
    }

    /// Copies the present poses, as those before the next step.
    pub fn keep_poses(&mut self) {
        let size = Buffer::Poses.bytes(self.sizes);
        let before = self.kept.before.take().unwrap_or_else(|| {
            self.device.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("earlier poses"),
                size,
                usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            })
        });
        let mut encoder = self.encoder("keep poses");
        encoder.copy_buffer_to_buffer(self.buffer(Buffer::Poses), 0, &before, 0, size);
        self.device.queue.submit([encoder.finish()]);
        (self.kept.before, self.kept.has_earlier_poses) = (Some(before), true);
    }

    /// The buffer with the bodies' poses, eight numbers per body, and the one with those kept by
    /// [`Self::keep_poses`].
    pub fn poses(&self) -> (wgpu::Buffer, Option<wgpu::Buffer>) {
        let before = self.kept.before.as_ref().filter(|_| self.kept.has_earlier_poses);
        (self.buffer(Buffer::Poses).clone(), before.cloned())
    }
}

fn fill(state: &mut DeviceState, sizes: Sizes, bytes: &[u8]) {
    let (poses, rest) = bytes.split_at(Buffer::Poses.bytes(sizes) as usize);
    let (velocities, multipliers) = rest.split_at(Buffer::Velocities.bytes(sizes) as usize);
    copy(&mut state.poses, poses, sizes.bodies);
    copy(&mut state.velocities, velocities, sizes.bodies);
    copy(&mut state.multipliers, multipliers, sizes.constraints);
}

fn copy<T: bytemuck::AnyBitPattern + Clone>(to: &mut Vec<T>, bytes: &[u8], count: usize) {
    to.clear();
    to.extend(bytes.chunks_exact(size_of::<T>()).take(count).map(bytemuck::pod_read_unaligned::<T>));
}
