//! The renderer: the passes of a frame, in order.

use glam::Vec2;

use crate::gpu::Gpu;
use crate::{
    body::{Bodies, BodyPass},
    camera::Camera,
    composite::{Composite, Targets},
    crowd::DrawnCrowd,
    ground::Ground,
    overlay::Overlay,
    picture::Picture,
    poses::Poses,
    quality::Quality,
    shadow::{ShadowExtent, ShadowMap, SunView},
    uniforms::FrameUniforms,
};

pub use crate::composite::ViewportRect;

/// Draws pictures of one view. Several views need one renderer each.
pub struct Renderer {
    quality: Quality,
    frame_buffer: wgpu::Buffer,
    frame_group: wgpu::BindGroup,
    shadow_map: ShadowMap,
    bodies: Bodies,
    ground: Ground,
    overlay: Overlay,
    composite: Composite,
    targets: Targets,
    /// Options of the prepared picture.
    shadows: bool,
    ground_grid: bool,
    largest: u32,
    /// The last known extent of the shadow casters: see [`Bodies::crowd`].
    cast: Option<ShadowExtent>,
}

impl Renderer {
    /// `target_format` is the format of the views given to [`Renderer::draw`].
    pub fn new(gpu: &Gpu, target_format: wgpu::TextureFormat, quality: Quality) -> Self {
        let (device, queue) = (&gpu.device, &gpu.queue);
        let frame_buffer = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("frame"),
            size: size_of::<FrameUniforms>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let frame_layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("frame"),
            entries: &[wgpu::BindGroupLayoutEntry {
                binding: 0,
                visibility: wgpu::ShaderStages::VERTEX_FRAGMENT,
                ty: wgpu::BindingType::Buffer {
                    ty: wgpu::BufferBindingType::Uniform,
                    has_dynamic_offset: false,
                    min_binding_size: None,
                },
                count: None,
            }],
        });
        let frame_group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("frame"),
            layout: &frame_layout,
            entries: &[wgpu::BindGroupEntry { binding: 0, resource: frame_buffer.as_entire_binding() }],
        });
        let shadow_map = ShadowMap::new(device, &quality);
        let composite = Composite::new(device, target_format);
        Self {
            bodies: Bodies::new(device, queue, &frame_layout, &shadow_map.layout, &quality),
            ground: Ground::new(device, &frame_layout, &shadow_map.layout, &quality),
            overlay: Overlay::new(device, queue, &frame_layout, &quality),
            targets: composite.targets(device, 1, 1, quality.samples),
            quality,
            frame_buffer,
            frame_group,
            shadow_map,
            composite,
            shadows: false,
            ground_grid: false,
            largest: device.limits().max_texture_dimension_2d,
            cast: None,
        }
    }

    pub fn quality(&self) -> Quality {
        self.quality
    }

    /// Uploads a picture. `size` is the view's width and height in physical pixels; `poses` are the poses of the
    /// picture's crowd, on the device that draws. Without them the crowd is not drawn.
    pub fn prepare(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        picture: &Picture,
        camera: &Camera,
        size: [u32; 2],
        poses: Option<&Poses>,
    ) {
        let [width, height] = size.map(|side| side.clamp(1, self.largest));
        if (self.targets.width, self.targets.height) != (width, height) {
            self.targets = self.composite.targets(device, width, height, self.quality.samples);
        }
        let viewport = Vec2::new(width as f32, height as f32);
        let coarseness = self.quality.coarseness;
        self.bodies.prepare(device, queue, picture, camera, viewport, coarseness);
        let sun_view = if self.bodies.prepare_crowd(device, queue, picture, poses) {
            // The extent of a crowd is not known in its first frames: use that of the previous shadow casters.
            self.cast = self.bodies.crowd.as_mut().and_then(|crowd| crowd.extent(device)).or(self.cast);
            let sun_view = SunView::fit(self.bodies.sorted.casters(), self.cast, camera, self.quality.shadow_map);
            self.bodies.look_at_crowd(device, queue, picture, poses, camera, viewport, coarseness, &sun_view);
            sun_view
        } else {
            let sun_view = SunView::fit(self.bodies.sorted.casters(), None, camera, self.quality.shadow_map);
            self.cast = Some(sun_view.extent());
            sun_view
        };
        let frame = FrameUniforms::new(picture, camera, viewport, &sun_view);
        queue.write_buffer(&self.frame_buffer, 0, bytemuck::bytes_of(&frame));
        self.overlay.prepare(device, queue, picture);
        self.shadows = picture.shadows;
        self.ground_grid = picture.ground_grid;
    }

    /// Draws the prepared picture into `rect` of `target`; the rest of the target is unchanged. The rectangle must
    /// lie within the target; if its size differs from the prepared one the picture is stretched.
    pub fn draw(&mut self, encoder: &mut wgpu::CommandEncoder, target: &wgpu::TextureView, rect: ViewportRect) {
        if rect.width == 0 || rect.height == 0 {
            return;
        }
        if let Some(crowd) = self.bodies.crowd.as_mut().filter(|crowd| crowd.shown) {
            crowd.sort(encoder);
        }
        if self.shadows {
            self.draw_shadow_map(encoder);
        }
        self.draw_scene(encoder);
        let outlined = self.outlined(rect);
        if outlined.is_some() {
            self.draw_mask(encoder);
        }
        self.composite.draw(encoder, target, &self.targets, rect, outlined);
    }

    fn draw_shadow_map(&self, encoder: &mut wgpu::CommandEncoder) {
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("shadow map"),
            depth_stencil_attachment: Some(depth_attachment(&self.shadow_map.view, 1.0, wgpu::StoreOp::Store)),
            ..Default::default()
        });
        pass.set_bind_group(0, &self.frame_group, &[]);
        self.bodies.draw(&mut pass, BodyPass::Shadow);
    }

    fn draw_scene(&self, encoder: &mut wgpu::CommandEncoder) {
        let (view, resolve_target, store) = match &self.targets.multisampled {
            Some(multisampled) => (multisampled, Some(&self.targets.scene), wgpu::StoreOp::Discard),
            None => (&self.targets.scene, None, wgpu::StoreOp::Store),
        };
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("scene"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view,
                depth_slice: None,
                resolve_target,
                ops: wgpu::Operations { load: wgpu::LoadOp::Clear(wgpu::Color::BLACK), store },
            })],
            depth_stencil_attachment: Some(depth_attachment(&self.targets.depth, 0.0, wgpu::StoreOp::Discard)),
            ..Default::default()
        });
        pass.set_bind_group(0, &self.frame_group, &[]);
        pass.set_bind_group(1, &self.shadow_map.bind_group, &[]);
        self.ground.draw_sky(&mut pass);
        if self.shadows {
            self.ground.draw_shadow(&mut pass);
        }
        self.bodies.draw(&mut pass, BodyPass::Opaque);
        self.bodies.draw(&mut pass, BodyPass::Ghosts);
        if self.ground_grid {
            self.ground.draw_grid(&mut pass);
        }
        self.overlay.draw(&mut pass);
    }

    fn draw_mask(&self, encoder: &mut wgpu::CommandEncoder) {
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("outline mask"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: &self.targets.mask,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations { load: wgpu::LoadOp::Clear(wgpu::Color::BLACK), store: wgpu::StoreOp::Store },
            })],
            ..Default::default()
        });
        pass.set_bind_group(0, &self.frame_group, &[]);
        self.bodies.draw(&mut pass, BodyPass::Mask);
    }

    /// The part of `rect`, in its own pixels, that can contain outlines.
    fn outlined(&self, rect: ViewportRect) -> Option<ViewportRect> {
        const MARGIN: f32 = 5.0;
        if self.bodies.crowd.as_ref().is_some_and(DrawnCrowd::has_outlines) {
            // The positions of a crowd's outlines are known only on the graphics card.
            return Some(ViewportRect { x: 0, y: 0, ..rect });
        }
        let (low, high) = self.bodies.sorted.outlined?;
        let size = Vec2::new(rect.width as f32, rect.height as f32);
        let scale = size / Vec2::new(self.targets.width as f32, self.targets.height as f32);
        let low = (low * scale - MARGIN).floor().clamp(Vec2::ZERO, size);
        let high = (high * scale + MARGIN).ceil().clamp(Vec2::ZERO, size);
        let extent = high - low;
        let part = ViewportRect { x: low.x as u32, y: low.y as u32, width: extent.x as u32, height: extent.y as u32 };
        (part.width > 0 && part.height > 0).then_some(part)
    }
}

fn depth_attachment(
    view: &wgpu::TextureView,
    clear: f32,
    store: wgpu::StoreOp,
) -> wgpu::RenderPassDepthStencilAttachment<'_> {
    wgpu::RenderPassDepthStencilAttachment {
        view,
        depth_ops: Some(wgpu::Operations { load: wgpu::LoadOp::Clear(clear), store }),
        stencil_ops: None,
    }
}

#[cfg(test)]
#[path = "renderer_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "crowd_tests.rs"]
mod crowds;

#[cfg(test)]
#[path = "gallery_tests.rs"]
mod gallery;
