//! The common description of a render pipeline.

use crate::shadow::DEPTH;

/// The format of the scene texture: sRGB values that the hardware does not convert, so that blending and
/// multisampling work on perceptual values.
pub(super) const SCENE_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

/// Depth test. Depth is reversed: greater is nearer.
#[derive(Clone, Copy)]
pub(super) enum DepthTest {
    /// No depth attachment.
    None,
    /// Neither tested nor written.
    Ignore,
    Test,
    TestAndWrite,
    /// The shadow map's: smaller is nearer to the sun.
    Sun,
}

/// What differs between the render pipelines.
pub(super) struct PipelineParts<'a> {
    pub label: &'static str,
    pub module: &'a wgpu::ShaderModule,
    pub groups: &'a [&'a wgpu::BindGroupLayout],
    pub vertex: &'a str,
    /// `None`: depth only.
    pub fragment: Option<&'a str>,
    pub buffers: &'a [Option<wgpu::VertexBufferLayout<'a>>],
    pub topology: wgpu::PrimitiveTopology,
    pub cull: bool,
    pub depth: DepthTest,
    pub samples: u32,
    pub format: wgpu::TextureFormat,
    pub blend: bool,
    pub constants: &'a [(&'a str, f64)],
}

/// Creates a render pipeline.
pub(super) fn create(device: &wgpu::Device, parts: &PipelineParts<'_>) -> wgpu::RenderPipeline {
    let groups: Vec<_> = parts.groups.iter().map(|layout| Some(*layout)).collect();
    let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
        label: Some(parts.label),
        bind_group_layouts: &groups,
        immediate_size: 0,
    });
    let (write, compare) = match parts.depth {
        DepthTest::None | DepthTest::Ignore => (false, wgpu::CompareFunction::Always),
        DepthTest::Test => (false, wgpu::CompareFunction::Greater),
        DepthTest::TestAndWrite => (true, wgpu::CompareFunction::Greater),
        DepthTest::Sun => (true, wgpu::CompareFunction::Less),
    };
    let depth_stencil = (!matches!(parts.depth, DepthTest::None)).then(|| wgpu::DepthStencilState {
        format: DEPTH,
        depth_write_enabled: Some(write),
        depth_compare: Some(compare),
        stencil: wgpu::StencilState::default(),
        bias: wgpu::DepthBiasState::default(),
    });
    let options = wgpu::PipelineCompilationOptions { constants: parts.constants, ..Default::default() };
    let targets = [Some(wgpu::ColorTargetState {
        format: parts.format,
        blend: parts.blend.then_some(wgpu::BlendState::ALPHA_BLENDING),
        write_mask: wgpu::ColorWrites::ALL,
    })];
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some(parts.label),
        layout: Some(&layout),
        vertex: wgpu::VertexState {
            module: parts.module,
            entry_point: Some(parts.vertex),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            buffers: parts.buffers,
        },
        primitive: wgpu::PrimitiveState {
            topology: parts.topology,
            cull_mode: parts.cull.then_some(wgpu::Face::Back),
            ..Default::default()
        },
        depth_stencil,
        multisample: wgpu::MultisampleState { count: parts.samples, ..Default::default() },
        fragment: parts.fragment.map(|entry_point| wgpu::FragmentState {
            module: parts.module,
            entry_point: Some(entry_point),
            compilation_options: options,
            targets: &targets,
        }),
        multiview_mask: None,
        cache: None,
    })
}

/// Compiles WGSL source.
pub(super) fn shader(device: &wgpu::Device, label: &str, source: &'static str) -> wgpu::ShaderModule {
    device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some(label),
        source: wgpu::ShaderSource::Wgsl(source.into()),
    })
}
