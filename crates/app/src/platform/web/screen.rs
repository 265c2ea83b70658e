//! The device of the page and the picture under the panels. The pictures are drawn into a texture of the canvas' size,
//! which egui shows as an image below everything else.

use egui::TextureId;

use crate::views::{ViewRenderers, Views};
use delassus_render::gpu::Gpu;

/// sRGB values that the hardware does not convert, as egui expects of images.
const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

/// An open device with the renderers of the page.
pub(crate) struct Screen {
    pub gpu: Gpu,
    state: egui_wgpu::RenderState,
    views: ViewRenderers,
    target: Option<Target>,
}

struct Target {
    view: wgpu::TextureView,
    size: [u32; 2],
    image: TextureId,
}

impl Screen {
    /// Draws with the device that eframe has opened.
    pub fn new(state: &egui_wgpu::RenderState) -> Self {
        let state = state.clone();
        let gpu = Gpu::of(state.instance.clone(), state.adapter.clone(), state.device.clone(), state.queue.clone());
        let views = ViewRenderers::new(&gpu, FORMAT);
        Self { gpu, state, views, target: None }
    }

    /// Draws the pictures into a texture of `size` pixels, and returns its image.
    pub fn draw(&mut self, size: [u32; 2], views: &Views<'_>) -> TextureId {
        let largest = self.gpu.device.limits().max_texture_dimension_2d;
        let size = size.map(|side| side.clamp(1, largest));
        let target = match self.target.take() {
            Some(target) if target.size == size => target,
            old => self.new_target(size, old.map(|old| old.image)),
        };
        let descriptor = wgpu::CommandEncoderDescriptor { label: Some("pictures") };
        let mut encoder = self.gpu.device.create_command_encoder(&descriptor);
        self.views.draw(&self.gpu, &mut encoder, &target.view, size, views);
        self.gpu.queue.submit([encoder.finish()]);
        self.target.insert(target).image
    }

    fn new_target(&self, size: [u32; 2], image: Option<TextureId>) -> Target {
        let device = &self.gpu.device;
        let texture = device.create_texture(&wgpu::TextureDescriptor {
            label: Some("pictures"),
            size: wgpu::Extent3d { width: size[0], height: size[1], depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: FORMAT,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING,
            view_formats: &[],
        });
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        let mut renderer = self.state.renderer.write();
        let image = match image {
            Some(image) => {
                renderer.update_egui_texture_from_wgpu_texture(device, &view, wgpu::FilterMode::Nearest, image);
                image
            }
            None => renderer.register_native_texture(device, &view, wgpu::FilterMode::Nearest),
        };
        Target { view, size, image }
    }
}
