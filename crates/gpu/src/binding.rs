//! Creates the solver's buffers and binds them to kernels by the numbers of `layout.rs`.

use std::ops::Range;

use super::device::Device;
use super::kernels::Kernel;
use super::layout::{Buffer, Sizes};

/// The buffer for a binding; with `exchanged` the two buffers of multipliers are swapped.
pub(super) fn bound(buffers: &[wgpu::Buffer], buffer: Buffer, exchanged: bool) -> &wgpu::Buffer {
    let bound = match (buffer, exchanged) {
        (Buffer::Multipliers, true) => Buffer::Others,
        (Buffer::Others, true) => Buffer::Multipliers,
        _ => buffer,
    };
    &buffers[bound as usize]
}

pub(super) fn range(ends: &[u32], turn: usize) -> Range<u32> {
    if turn == 0 { 0..ends[0] } else { ends[turn - 1]..ends[turn] }
}

/// First constraint and number of constraints of each turn, as `shaders/gpu_coloured.wgsl` reads them.
pub(super) fn turns_of(ends: &[u32]) -> Vec<[u32; 4]> {
    let turns = (0..ends.len()).map(|turn| range(ends, turn));
    turns.map(|turn| [turn.start, turn.end - turn.start, 0, 0]).collect()
}

/// Bind groups with the parameters of each turn of a kernel.
pub(super) fn turn_groups(device: &Device, kernel: Kernel, turns: &[[u32; 4]]) -> Vec<wgpu::BindGroup> {
    if turns.is_empty() {
        return Vec::new();
    }
    const BYTES: u64 = 16;
    let stride = BYTES.max(u64::from(device.device.limits().min_uniform_buffer_offset_alignment));
    let mut bytes = vec![0u8; stride as usize * turns.len()];
    for (numbers, bytes) in turns.iter().zip(bytes.chunks_exact_mut(stride as usize)) {
        bytes[..BYTES as usize].copy_from_slice(bytemuck::cast_slice(numbers));
    }
    let buffer = device.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("turns"),
        size: bytes.len() as u64,
        usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    device.queue.write_buffer(&buffer, 0, &bytes);
    let layout = device.pipeline(kernel).get_bind_group_layout(1);
    let group = |turn: usize| {
        let slice =
            wgpu::BufferBinding { buffer: &buffer, offset: turn as u64 * stride, size: wgpu::BufferSize::new(BYTES) };
        device.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("turn"),
            layout: &layout,
            entries: &[wgpu::BindGroupEntry { binding: 0, resource: wgpu::BindingResource::Buffer(slice) }],
        })
    };
    (0..turns.len()).map(group).collect()
}

pub(super) fn create(device: &Device, buffer: Buffer, sizes: Sizes) -> wgpu::Buffer {
    let usage = if buffer == Buffer::Config { wgpu::BufferUsages::UNIFORM } else { wgpu::BufferUsages::STORAGE };
    device.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some(buffer.name()),
        size: buffer.bytes(sizes),
        usage: usage | wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC,
        mapped_at_creation: false,
    })
}

pub(super) fn group(device: &Device, kernel: Kernel, buffers: &[wgpu::Buffer], exchanged: bool) -> wgpu::BindGroup {
    let used = std::iter::once(Buffer::Config).chain(kernel.uses().iter().map(|used| used.buffer()));
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
