//! The window's surface and its content: the scene first, then the panels.

use std::sync::Arc;

use egui::{ClippedPrimitive, TexturesDelta};
use egui_wgpu::ScreenDescriptor;
use wgpu::CurrentSurfaceTexture;
use winit::{event_loop::OwnedDisplayHandle, window::Window};

use crate::views::{ViewRenderers, Views, pass_over};
use delassus_render::gpu::{Gpu, GpuError};

/// An open device with the renderers of the window.
pub struct Screen {
    pub gpu: Gpu,
    display: OwnedDisplayHandle,
    window: Arc<Window>,
    surface: wgpu::Surface<'static>,
    config: wgpu::SurfaceConfiguration,
    panels: egui_wgpu::Renderer,
    views: ViewRenderers,
    /// Consecutive frames that could not be drawn.
    failures: u32,
}

/// The content of a frame.
pub struct ShownFrame<'a> {
    pub views: Views<'a>,
    pub panels: &'a [ClippedPrimitive],
    pub pixels_per_point: f32,
}

/// The result of drawing a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameOutcome {
    /// The frame was drawn.
    Drawn,
    /// The window is not visible, or has no area: wait for its next event.
    Hidden,
    /// The frame was not drawn; try again.
    Again,
    /// The device is lost: reopen the screen.
    Lost,
}

impl Screen {
    /// Opens a device that can draw on the window.
    pub fn open(display: OwnedDisplayHandle, window: Arc<Window>) -> Result<Self, GpuError> {
        let (gpu, surface) = Gpu::for_window(display.clone(), window.clone())?;
        let capabilities = surface.get_capabilities(&gpu.adapter);
        let format = egui_wgpu::preferred_framebuffer_format(&capabilities.formats)
            .map_err(|error| GpuError::Draw(error.to_string()))?;
        let size = window.inner_size();
        let Some(config) = surface.get_default_config(&gpu.adapter, size.width.max(1), size.height.max(1)) else {
            return Err(GpuError::Draw("the adapter cannot present to this window".into()));
        };
        let config = wgpu::SurfaceConfiguration {
            format,
            present_mode: wgpu::PresentMode::AutoVsync,
            desired_maximum_frame_latency: 1,
            view_formats: Vec::new(),
            ..config
        };
        surface.configure(&gpu.device, &config);
        let panels = egui_wgpu::Renderer::new(&gpu.device, format, egui_wgpu::RendererOptions::default());
        let views = ViewRenderers::new(&gpu, format);
        Ok(Self { gpu, display, window, surface, config, panels, views, failures: 0 })
    }

    /// Opens a new device for the same window.
    pub fn reopen(&self) -> Result<Self, GpuError> {
        Self::open(self.display.clone(), self.window.clone())
    }

    /// The largest side of a texture, pixels, for egui.
    pub fn max_texture_side(&self) -> usize {
        self.gpu.device.limits().max_texture_dimension_2d as usize
    }

    /// Uploads textures that egui created and frees those it dropped. Must be called for every frame, drawn or not.
    pub fn update_textures(&mut self, delta: &mut TexturesDelta) {
        for (id, images) in delta.set.drain() {
            for image in images {
                self.panels.update_texture(&self.gpu.device, &self.gpu.queue, id, &image);
            }
        }
        for id in delta.free.drain() {
            self.panels.free_texture(&id);
        }
    }

    /// Draws a frame and presents it.
    pub fn draw(&mut self, shown: &ShownFrame<'_>) -> FrameOutcome {
        if self.gpu.is_lost() || self.failures > 3 {
            return FrameOutcome::Lost;
        }
        let size = self.window.inner_size();
        if size.width == 0 || size.height == 0 {
            return FrameOutcome::Hidden;
        }
        let largest = self.max_texture_side() as u32;
        let (width, height) = (size.width.min(largest), size.height.min(largest));
        if (self.config.width, self.config.height) != (width, height) {
            (self.config.width, self.config.height) = (width, height);
            self.surface.configure(&self.gpu.device, &self.config);
        }
        let frame = match self.surface.get_current_texture() {
            CurrentSurfaceTexture::Success(frame) => frame,
            CurrentSurfaceTexture::Suboptimal(frame) => {
                // Good enough to show; reconfigured in the next frame.
                self.config.width = 0;
                frame
            }
            CurrentSurfaceTexture::Occluded => return FrameOutcome::Hidden,
            CurrentSurfaceTexture::Timeout => return FrameOutcome::Again,
            CurrentSurfaceTexture::Outdated | CurrentSurfaceTexture::Validation => {
                self.failures += 1;
                self.surface.configure(&self.gpu.device, &self.config);
                return FrameOutcome::Again;
            }
            CurrentSurfaceTexture::Lost => {
                self.failures += 1;
                return match self.gpu.instance.create_surface(self.window.clone()) {
                    Ok(surface) => {
                        self.surface = surface;
                        self.surface.configure(&self.gpu.device, &self.config);
                        FrameOutcome::Again
                    }
                    Err(_) => FrameOutcome::Lost,
                };
            }
        };
        self.failures = 0;
        let target = frame.texture.create_view(&wgpu::TextureViewDescriptor::default());
        self.encode(&target, [width, height], shown);
        self.window.pre_present_notify();
        self.gpu.queue.present(frame);
        FrameOutcome::Drawn
    }

    fn encode(&mut self, target: &wgpu::TextureView, size: [u32; 2], shown: &ShownFrame<'_>) {
        let (device, queue) = (&self.gpu.device, &self.gpu.queue);
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("window") });
        self.views.draw(&self.gpu, &mut encoder, target, size, &shown.views);
        let descriptor = ScreenDescriptor { size_in_pixels: size, pixels_per_point: shown.pixels_per_point };
        let uploads = self.panels.update_buffers(device, queue, &mut encoder, shown.panels, &descriptor);
        let mut pass = pass_over(&mut encoder, target, wgpu::LoadOp::Load).forget_lifetime();
        self.panels.render(&mut pass, shown.panels, &descriptor);
        drop(pass);
        queue.submit(uploads.into_iter().chain([encoder.finish()]));
    }
}
