//! The pictures of a frame: drawn into parts of one target, before the panels are drawn over them.

use delassus_render::{
    camera::Camera,
    gpu::Gpu,
    picture::Picture,
    poses::Poses,
    renderer::{Renderer, ViewportRect},
};

/// A picture in a part of the window.
pub(crate) struct PictureArea<'a> {
    pub picture: &'a Picture,
    /// Its rectangle in the window, physical pixels.
    pub rect: ViewportRect,
    /// The poses of the picture's crowd.
    pub poses: Option<&'a Poses>,
}

/// The pictures of a frame and what is behind them.
pub(crate) struct Views<'a> {
    pub areas: &'a [PictureArea<'a>],
    pub camera: &'a Camera,
    /// The background colour, sRGB.
    pub background: [f32; 3],
}

/// The renderers of the pictures, one for each.
pub(crate) struct ViewRenderers {
    format: wgpu::TextureFormat,
    renderers: Vec<Renderer>,
}

impl ViewRenderers {
    /// Renderers for targets of this format.
    pub fn new(gpu: &Gpu, format: wgpu::TextureFormat) -> Self {
        Self { format, renderers: vec![Renderer::new(gpu, format, gpu.quality())] }
    }

    /// Fills a target of `size` pixels with the background, and draws the pictures.
    pub fn draw(
        &mut self,
        gpu: &Gpu,
        encoder: &mut wgpu::CommandEncoder,
        target: &wgpu::TextureView,
        size: [u32; 2],
        views: &Views<'_>,
    ) {
        let [r, g, b] = views.background.map(f64::from);
        drop(pass_over(encoder, target, wgpu::LoadOp::Clear(wgpu::Color { r, g, b, a: 1.0 })));
        let (format, quality) = (self.format, gpu.quality());
        self.renderers.resize_with(views.areas.len(), || Renderer::new(gpu, format, quality));
        for (renderer, PictureArea { picture, rect, poses }) in self.renderers.iter_mut().zip(views.areas) {
            // While the window shrinks, the layout may have the old size for one frame.
            let fits = rect.x + rect.width <= size[0] && rect.y + rect.height <= size[1];
            if fits && rect.width > 0 && rect.height > 0 {
                renderer.prepare(&gpu.device, &gpu.queue, picture, views.camera, [rect.width, rect.height], *poses);
                renderer.draw(encoder, target, *rect);
            }
        }
    }
}

/// A pass that draws over the target.
pub(crate) fn pass_over<'e>(
    encoder: &'e mut wgpu::CommandEncoder,
    target: &wgpu::TextureView,
    load: wgpu::LoadOp<wgpu::Color>,
) -> wgpu::RenderPass<'e> {
    encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some("panels"),
        color_attachments: &[Some(wgpu::RenderPassColorAttachment {
            view: target,
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations { load, store: wgpu::StoreOp::Store },
        })],
        ..Default::default()
    })
}
