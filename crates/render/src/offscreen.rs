//! Pictures without a window, for the command line, documents and tests.

use std::borrow::Cow;
use std::path::Path;

use image::RgbaImage;

use crate::gpu::{Gpu, GpuError};
use crate::{
    camera::Camera,
    picture::Picture,
    picture_file,
    poses::Poses,
    quality::Quality,
    renderer::{Renderer, ViewportRect},
};

const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

/// A renderer with its own target texture, for many pictures of one size.
pub struct Offscreen<'a> {
    gpu: Cow<'a, Gpu>,
    renderer: Renderer,
    texture: wgpu::Texture,
    view: wgpu::TextureView,
    /// Bytes per row of the read-back buffer, padded to the alignment required for copies.
    row: u32,
    buffer: wgpu::Buffer,
    /// The poses of the pictures' crowd: see [`Renderer::prepare`].
    pub poses: Option<Poses>,
}

impl<'a> Offscreen<'a> {
    pub fn new(gpu: &'a Gpu, width: u32, height: u32, quality: Quality) -> Result<Self, GpuError> {
        Self::on(Cow::Borrowed(gpu), width, height, quality)
    }

    /// The same with ownership of the device.
    pub fn owning(gpu: Gpu, width: u32, height: u32, quality: Quality) -> Result<Offscreen<'static>, GpuError> {
        Offscreen::on(Cow::Owned(gpu), width, height, quality)
    }

    fn on(gpu: Cow<'a, Gpu>, width: u32, height: u32, quality: Quality) -> Result<Self, GpuError> {
        let limit = gpu.device.limits().max_texture_dimension_2d;
        if width == 0 || height == 0 || width > limit || height > limit {
            return Err(GpuError::Size { width, height, limit });
        }
        let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: Some("offscreen"),
            size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: FORMAT,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
            view_formats: &[],
        });
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        let row = (width * 4).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        let buffer = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("read-back"),
            size: u64::from(row) * u64::from(height),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        Ok(Self { renderer: Renderer::new(&gpu, FORMAT, quality), gpu, texture, view, row, buffer, poses: None })
    }

    /// Draws a picture and reads it back.
    pub fn draw(&mut self, picture: &Picture, camera: &Camera) -> Result<RgbaImage, GpuError> {
        self.submit(picture, camera, true);
        let slice = self.buffer.slice(..);
        let (send, receive) = std::sync::mpsc::channel();
        slice.map_async(wgpu::MapMode::Read, move |result| {
            // The receiver is gone only if this draw has already failed.
            let _ = send.send(result);
        });
        self.wait()?;
        receive.recv().map_err(|error| self.failure(&error))?.map_err(|error| self.failure(&error))?;
        let (width, height) = (self.texture.width(), self.texture.height());
        let mut pixels = Vec::with_capacity((width * height * 4) as usize);
        {
            let mapped = slice.get_mapped_range().map_err(|error| self.failure(&error))?;
            for row in mapped.chunks(self.row as usize) {
                pixels.extend_from_slice(&row[..(width * 4) as usize]);
            }
        }
        self.buffer.unmap();
        match self.gpu.take_error() {
            Some(error) => Err(GpuError::Draw(error)),
            None => RgbaImage::from_raw(width, height, pixels)
                .ok_or_else(|| GpuError::Draw("the read-back picture is too short".to_owned())),
        }
    }

    /// Draws a picture and writes it to a PNG file.
    pub fn save(&mut self, picture: &Picture, camera: &Camera, path: &Path) -> Result<(), GpuError> {
        Ok(picture_file::write(&self.draw(picture, camera)?, path)?)
    }

    /// Draws without reading back, and waits until it is done; for timing.
    pub fn draw_only(&mut self, picture: &Picture, camera: &Camera) -> Result<(), GpuError> {
        self.submit(picture, camera, false);
        self.wait()
    }

    fn submit(&mut self, picture: &Picture, camera: &Camera, read_back: bool) {
        let size = self.texture.size();
        let Gpu { device, queue, .. } = &*self.gpu;
        self.renderer.prepare(device, queue, picture, camera, [size.width, size.height], self.poses.as_ref());
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("offscreen") });
        let rect = ViewportRect { x: 0, y: 0, width: size.width, height: size.height };
        self.renderer.draw(&mut encoder, &self.view, rect);
        if read_back {
            let layout = wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(self.row), rows_per_image: None };
            let destination = wgpu::TexelCopyBufferInfo { buffer: &self.buffer, layout };
            encoder.copy_texture_to_buffer(self.texture.as_image_copy(), destination, size);
        }
        queue.submit([encoder.finish()]);
    }

    fn wait(&self) -> Result<(), GpuError> {
        let polled = self.gpu.device.poll(wgpu::PollType::wait_indefinitely());
        polled.map(|_| ()).map_err(|error| self.failure(&error))
    }

    /// The device's own error, if there is one, is more informative than its consequences.
    fn failure(&self, error: &dyn std::error::Error) -> GpuError {
        GpuError::Draw(self.gpu.take_error().unwrap_or_else(|| error.to_string()))
    }
}
