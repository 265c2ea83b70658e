//! The buffers of the kernels that sweep rows: they grow as needed and are bound to kernels by number.

use std::sync::Arc;

use super::kernels::{BUFFERS, KERNELS, RowBuffer, RowKernel, pipelines};
use crate::device::{Device, DeviceFault};

/// Size of a turn's parameters in the shaders, bytes: at most seven numbers.
const TURN: u64 = 32;

/// A device with the row kernels' pipelines and buffers.
#[derive(Debug)]
pub struct DeviceMemory {
    pub device: Arc<Device>,
    pipelines: Vec<wgpu::ComputePipeline>,
    /// Indexed by [`Buffer`].
    buffers: Vec<wgpu::Buffer>,
    turns: wgpu::Buffer,
    read_back: wgpu::Buffer,
    numbers: Vec<u8>,
}

/// A kernel with its bound buffers and the parameters of its turns.
pub struct BoundKernel {
    pub kernel: RowKernel,
    buffers: wgpu::BindGroup,
    turns: Vec<wgpu::BindGroup>,
}

impl DeviceMemory {
    /// Minimal buffers, which grow as needed.
    pub fn new(device: &Arc<Device>) -> Self {
        Self {
            pipelines: device.lanes.get_or_init(|| pipelines(device)).clone(),
            buffers: BUFFERS.iter().map(|(_, name)| storage(device, name, 64)).collect(),
            turns: uniform(device, 256),
            read_back: staging(device, 64),
            numbers: Vec::new(),
            device: Arc::clone(device),
        }
    }

    /// Makes a buffer hold at least `bytes` bytes; if it grows, its contents are lost.
    ///
    /// # Errors
    /// If the device's limits are below that.
    pub fn make_room(&mut self, buffer: RowBuffer, bytes: u64) -> Result<(), DeviceFault> {
        let limits = &self.device.limits;
        let limit = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size);
        let name = BUFFERS[buffer as usize].1;
        if bytes > limit {
            return Err(DeviceFault::TooLarge {
                what: format!("bytes in a buffer, as of the {name}"),
                needed: bytes,
                limit,
            });
        }
        if self.buffers[buffer as usize].size() < bytes {
            self.buffers[buffer as usize] = storage(&self.device, name, bytes.next_power_of_two().min(limit));
        }
        Ok(())
    }

    /// Uploads a list to its buffer, which grows as needed.
    ///
    /// # Errors
    /// If the list exceeds the device's limits.
    pub fn put<T: bytemuck::Pod>(&mut self, buffer: RowBuffer, entries: &[T]) -> Result<(), DeviceFault> {
        self.make_room(buffer, size_of_val(entries) as u64)?;
        let bytes = bytemuck::cast_slice(entries);
        if !bytes.is_empty() {
            self.device.queue.write_buffer(&self.buffers[buffer as usize], 0, bytes);
        }
        Ok(())
    }

    /// Uploads the parameters of all turns.
    pub fn number(&mut self, turns: impl Iterator<Item = [u32; 6]>) {
        let stride = self.stride() as usize;
        self.numbers.clear();
        for numbers in turns {
            let begin = self.numbers.len();
            numbers.iter().for_each(|number| self.numbers.extend_from_slice(&number.to_ne_bytes()));
            self.numbers.resize(begin + stride, 0);
        }
        if self.turns.size() < self.numbers.len() as u64 {
            self.turns = uniform(&self.device, (self.numbers.len() as u64).next_power_of_two());
        }
        self.device.queue.write_buffer(&self.turns, 0, &self.numbers);
    }

    /// Bytes from one turn's parameters to the next.
    fn stride(&self) -> u64 {
        TURN.max(u64::from(self.device.limits.min_uniform_buffer_offset_alignment))
    }

    /// Binds a kernel's buffers, and the parameters of the given turns.
    pub fn bound(&self, kernel: RowKernel, turns: impl Iterator<Item = usize>) -> BoundKernel {
        BoundKernel {
            kernel,
            buffers: self.bind(kernel),
            turns: turns.map(|turn| self.bind_turn(kernel, turn)).collect(),
        }
    }

    fn bind(&self, kernel: RowKernel) -> wgpu::BindGroup {
        let entry = &KERNELS[kernel as usize];
        let resource = |buffer: RowBuffer| self.buffers[buffer as usize].as_entire_binding();
        let bound = |(binding, buffer): &(u32, RowBuffer)| wgpu::BindGroupEntry {
            binding: *binding,
            resource: resource(*buffer),
        };
        let entries: Vec<_> = entry.uses.iter().map(bound).collect();
        self.device.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some(entry.name),
            layout: &self.pipelines[kernel as usize].get_bind_group_layout(0),
            entries: &entries,
        })
    }

    fn bind_turn(&self, kernel: RowKernel, turn: usize) -> wgpu::BindGroup {
        let size = wgpu::BufferSize::new(TURN);
        let slice = wgpu::BufferBinding { buffer: &self.turns, offset: turn as u64 * self.stride(), size };
        self.device.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("turn"),
            layout: &self.pipelines[kernel as usize].get_bind_group_layout(1),
            entries: &[wgpu::BindGroupEntry { binding: 0, resource: wgpu::BindingResource::Buffer(slice) }],
        })
    }

    /// Dispatches one turn of a kernel with `groups` workgroups.
    pub fn dispatch(&self, pass: &mut wgpu::ComputePass<'_>, bound: &BoundKernel, turn: usize, groups: u32) {
        let widest = self.device.limits.max_compute_workgroups_per_dimension;
        pass.set_pipeline(&self.pipelines[bound.kernel as usize]);
        pass.set_bind_group(0, &bound.buffers, &[]);
        pass.set_bind_group(1, &bound.turns[turn], &[]);
        pass.dispatch_workgroups(groups.min(widest), groups.div_ceil(widest), 1);
    }

    /// Copies the given number of bytes of some buffers, one after another, to the read-back buffer.
    pub fn copy_back(&mut self, encoder: &mut wgpu::CommandEncoder, parts: &[(RowBuffer, usize)]) {
        let all = parts.iter().map(|(_, bytes)| *bytes as u64).sum::<u64>();
        if self.read_back.size() < all {
            self.read_back = staging(&self.device, all.next_power_of_two());
        }
        let mut offset = 0;
        for (buffer, bytes) in parts.iter().filter(|(_, bytes)| *bytes > 0) {
            let bytes = *bytes as u64;
            encoder.copy_buffer_to_buffer(&self.buffers[*buffer as usize], 0, &self.read_back, offset, bytes);
            offset += bytes;
        }
    }

    /// Reads what [`Self::copy_back`] copied, after all submitted work is done.
    ///
    /// # Errors
    /// The first error meanwhile.
    pub fn read_back(&self, take: impl FnOnce(&[u8])) -> Result<(), DeviceFault> {
        self.device.read(&self.read_back, take)
    }
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
