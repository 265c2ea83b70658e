//! The render targets of a picture, and copying the result to the window with the selection's outline.

use crate::{
    body::MASK_FORMAT,
    pipeline::{self, DepthTest, PipelineParts, SCENE_FORMAT},
    shadow::DEPTH,
};

/// Render targets of one size.
pub(super) struct Targets {
    pub width: u32,
    pub height: u32,
    /// The finished scene, one sample per pixel.
    pub scene: wgpu::TextureView,
    /// The target of drawing with several samples per pixel.
    pub multisampled: Option<wgpu::TextureView>,
    pub depth: wgpu::TextureView,
    /// White where outlined bodies are.
    pub mask: wgpu::TextureView,
    bind_group: wgpu::BindGroup,
}

pub(super) struct Composite {
    layout: wgpu::BindGroupLayout,
    sampler: wgpu::Sampler,
    scene: wgpu::RenderPipeline,
    outline: wgpu::RenderPipeline,
}

/// A rectangle of a larger surface, physical pixels from its upper left corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ViewportRect {
    pub x: u32,
    pub y: u32,
    pub width: u32,
    pub height: u32,
}

impl Composite {
    pub(super) fn new(device: &wgpu::Device, target_format: wgpu::TextureFormat) -> Self {
        let texture_entry = |binding| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: wgpu::ShaderStages::FRAGMENT,
            ty: wgpu::BindingType::Texture {
                sample_type: wgpu::TextureSampleType::Float { filterable: true },
                view_dimension: wgpu::TextureViewDimension::D2,
                multisampled: false,
            },
            count: None,
        };
        let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("composite"),
            entries: &[
                texture_entry(0),
                wgpu::BindGroupLayoutEntry {
                    binding: 1,
                    visibility: wgpu::ShaderStages::FRAGMENT,
                    ty: wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering),
                    count: None,
                },
                texture_entry(2),
            ],
        });
        let sampler = device.create_sampler(&wgpu::SamplerDescriptor {
            label: Some("composite"),
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            ..Default::default()
        });
        let module = pipeline::shader(device, "composite", include_str!("../../../shaders/composite.wgsl"));
        let scene = PipelineParts {
            label: "scene on the window",
            module: &module,
            groups: &[&layout],
            vertex: "composite_vertex",
            fragment: Some("scene_fragment"),
            buffers: &[],
            topology: wgpu::PrimitiveTopology::TriangleList,
            cull: false,
            depth: DepthTest::None,
            samples: 1,
            format: target_format,
            blend: false,
            constants: &[("TARGET_CONVERTS", if target_format.is_srgb() { 1.0 } else { 0.0 })],
        };
        let outline = PipelineParts { label: "outline", fragment: Some("outline_fragment"), blend: true, ..scene };
        Self { scene: pipeline::create(device, &scene), outline: pipeline::create(device, &outline), layout, sampler }
    }

    pub(super) fn targets(&self, device: &wgpu::Device, width: u32, height: u32, samples: u32) -> Targets {
        let view = |label, format, samples, read: bool| {
            let reading = if read { wgpu::TextureUsages::TEXTURE_BINDING } else { wgpu::TextureUsages::empty() };
            let texture = device.create_texture(&wgpu::TextureDescriptor {
                label: Some(label),
                size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count: samples,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: wgpu::TextureUsages::RENDER_ATTACHMENT | reading,
                view_formats: &[],
            });
            texture.create_view(&wgpu::TextureViewDescriptor::default())
        };
        let scene = view("scene", SCENE_FORMAT, 1, true);
        let mask = view("outline mask", MASK_FORMAT, 1, true);
        let bind_group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("composite"),
            layout: &self.layout,
            entries: &[
                wgpu::BindGroupEntry { binding: 0, resource: wgpu::BindingResource::TextureView(&scene) },
                wgpu::BindGroupEntry { binding: 1, resource: wgpu::BindingResource::Sampler(&self.sampler) },
                wgpu::BindGroupEntry { binding: 2, resource: wgpu::BindingResource::TextureView(&mask) },
            ],
        });
        Targets {
            width,
            height,
            multisampled: (samples > 1).then(|| view("scene, multisampled", SCENE_FORMAT, samples, false)),
            depth: view("depth", DEPTH, samples, false),
            scene,
            mask,
            bind_group,
        }
    }

    /// `outlined`: the part of `rect`, in its own pixels, in which an outline may be seen.
    pub(super) fn draw(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        target: &wgpu::TextureView,
        targets: &Targets,
        rect: ViewportRect,
        outlined: Option<ViewportRect>,
    ) {
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("composite"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: target,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations { load: wgpu::LoadOp::Load, store: wgpu::StoreOp::Store },
            })],
            ..Default::default()
        });
        pass.set_viewport(rect.x as f32, rect.y as f32, rect.width as f32, rect.height as f32, 0.0, 1.0);
        pass.set_scissor_rect(rect.x, rect.y, rect.width, rect.height);
        pass.set_bind_group(0, &targets.bind_group, &[]);
        pass.set_pipeline(&self.scene);
        pass.draw(0..3, 0..1);
        if let Some(part) = outlined {
            pass.set_scissor_rect(rect.x + part.x, rect.y + part.y, part.width, part.height);
            pass.set_pipeline(&self.outline);
            pass.draw(0..3, 0..1);
        }
    }
}
