//! Non-blocking reads: data copied in one frame can be read in the next or the one after it.
//!
//! ```text
//! free_buffer   a buffer to copy into; the caller submits the copy
//! poll          starts to map the submitted copies
//! take          reads the newest copy that is mapped; older ones are dropped
//! ```
//! Two buffers alternate, so that one can be filled while the other is read.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

// The states of a buffer: free, copied to, being mapped, mapped, or failed to map.
const FREE: u8 = 0;
const COPIED: u8 = 1;
const MAPPING: u8 = 2;
const MAPPED: u8 = 3;
const FAILED: u8 = 4;

/// One of the two buffers.
#[derive(Debug)]
struct StagingBuffer {
    buffer: wgpu::Buffer,
    state: Arc<AtomicU8>,
    /// Number of the copy in it, increasing.
    age: u64,
}

impl StagingBuffer {
    fn state(&self) -> u8 {
        self.state.load(Ordering::Acquire)
    }

    fn set_state(&self, state: u8) {
        self.state.store(state, Ordering::Release);
    }
}

/// Two staging buffers for reads of a fixed size.
#[derive(Debug)]
pub struct AsyncReads {
    buffers: [StagingBuffer; 2],
    age: u64,
    failed: bool,
}

impl AsyncReads {
    /// Two buffers of `size` bytes.
    pub fn new(device: &wgpu::Device, label: &str, size: u64) -> Self {
        let staging = || StagingBuffer {
            buffer: device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size,
                usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
                mapped_at_creation: false,
            }),
            state: Arc::default(),
            age: 0,
        };
        Self { buffers: [staging(), staging()], age: 0, failed: false }
    }

    /// Bytes per read.
    pub fn size(&self) -> u64 {
        self.buffers[0].buffer.size()
    }

    /// A free buffer to copy into, and the number of that copy; none if both are in use. The encoder with the copy
    /// must be submitted before the next [`AsyncReads::poll`].
    pub fn free_buffer(&mut self) -> Option<(&wgpu::Buffer, u64)> {
        let staging = self.buffers.iter_mut().find(|staging| staging.state() == FREE)?;
        self.age += 1;
        staging.age = self.age;
        staging.set_state(COPIED);
        Some((&staging.buffer, self.age))
    }

    /// Starts to map copied buffers and checks which are ready. Does not wait.
    pub fn poll(&mut self, device: &wgpu::Device) {
        for staging in self.buffers.iter().filter(|staging| staging.state() == COPIED) {
            staging.set_state(MAPPING);
            let state = Arc::clone(&staging.state);
            staging.buffer.map_async(wgpu::MapMode::Read, .., move |result| {
                state.store(if result.is_ok() { MAPPED } else { FAILED }, Ordering::Release);
            });
        }
        // Errors of the device are reported by its next use, or by reads that fail.
        let _ = device.poll(wgpu::PollType::Poll);
        for staging in self.buffers.iter().filter(|staging| staging.state() == FAILED) {
            staging.set_state(FREE);
            self.failed = true;
        }
    }

    /// Whether a read has failed since the last call.
    pub fn has_failed(&mut self) -> bool {
        std::mem::take(&mut self.failed)
    }

    /// Passes the newest copy that is ready to `read`, then frees it and all older ones.
    pub fn take<T>(&mut self, read: impl FnOnce(u64, &[u8]) -> T) -> Option<T> {
        let mapped = || self.buffers.iter().filter(|staging| staging.state() == MAPPED);
        let newest = mapped().map(|staging| staging.age).max()?;
        let mut taken = None;
        for staging in mapped().filter(|staging| staging.age != newest) {
            staging.buffer.unmap();
            staging.set_state(FREE);
        }
        if let Some(staging) = mapped().find(|staging| staging.age == newest) {
            taken = staging.buffer.get_mapped_range(..).ok().map(|bytes| read(newest, &bytes));
            staging.buffer.unmap();
            staging.set_state(FREE);
        }
        taken
    }
}
