//! A vertex buffer that grows geometrically and never shrinks, refilled every frame.

use bytemuck::Pod;

pub(super) struct GrowingBuffer {
    label: &'static str,
    buffer: Option<wgpu::Buffer>,
}

impl GrowingBuffer {
    pub(super) fn new(label: &'static str) -> Self {
        Self { label, buffer: None }
    }

    /// Replaces the content with `items`. Without items the old content stays.
    pub(super) fn write<T: Pod>(&mut self, device: &wgpu::Device, queue: &wgpu::Queue, items: &[T]) {
        let bytes: &[u8] = bytemuck::cast_slice(items);
        if bytes.is_empty() {
            return;
        }
        let needed = bytes.len() as u64;
        let buffer = match self.buffer.take() {
            Some(buffer) if buffer.size() >= needed => buffer,
            _ => device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(self.label),
                size: needed.next_power_of_two().max(4096),
                usage: wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            }),
        };
        queue.write_buffer(&buffer, 0, bytes);
        self.buffer = Some(buffer);
    }

    /// The part with the items `first .. first + count` of type `T`; `None` if there is nothing to draw.
    pub(super) fn slice<T: Pod>(&self, first: u32, count: u32) -> Option<wgpu::BufferSlice<'_>> {
        let size = size_of::<T>() as u64;
        let (start, end) = (u64::from(first) * size, u64::from(first + count) * size);
        let buffer = self.buffer.as_ref()?;
        (count > 0 && end <= buffer.size()).then(|| buffer.slice(start..end))
    }
}
