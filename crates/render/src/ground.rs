//! The background, the shadow on the bare ground at z = 0, and the grid on the ground.
//!
//! The shadow is drawn before the bodies and the grid after them, both as translucent sheets: so a floor whose top is
//! at z = 0 has the grid on it, and is shadowed only once.

use crate::{
    pipeline::{self, DepthTest, PipelineParts, SCENE_FORMAT},
    quality::Quality,
};

pub(super) struct Ground {
    sky: wgpu::RenderPipeline,
    shadow: wgpu::RenderPipeline,
    grid: wgpu::RenderPipeline,
}

impl Ground {
    pub(super) fn new(
        device: &wgpu::Device,
        frame: &wgpu::BindGroupLayout,
        shadow_map: &wgpu::BindGroupLayout,
        quality: &Quality,
    ) -> Self {
        let source = concat!(
            include_str!("../../../shaders/frame.wgsl"),
            include_str!("../../../shaders/shadow.wgsl"),
            include_str!("../../../shaders/ground.wgsl")
        );
        let module = pipeline::shader(device, "ground", source);
        let sky = PipelineParts {
            label: "background",
            module: &module,
            groups: &[frame],
            vertex: "sky_vertex",
            fragment: Some("sky_fragment"),
            buffers: &[],
            topology: wgpu::PrimitiveTopology::TriangleList,
            cull: false,
            depth: DepthTest::Ignore,
            samples: quality.samples,
            format: SCENE_FORMAT,
            blend: false,
            constants: &[],
        };
        let grid = PipelineParts {
            label: "grid",
            vertex: "ground_vertex",
            fragment: Some("grid_fragment"),
            topology: wgpu::PrimitiveTopology::TriangleStrip,
            depth: DepthTest::Test,
            blend: true,
            ..sky
        };
        let shadow = PipelineParts {
            label: "shadow on the ground",
            groups: &[frame, shadow_map],
            vertex: "ground_shadow_vertex",
            fragment: Some("ground_shadow_fragment"),
            depth: DepthTest::Ignore,
            constants: &[("SOFT", if quality.soft_shadows { 1.0 } else { 0.0 })],
            ..grid
        };
        Self {
            sky: pipeline::create(device, &sky),
            shadow: pipeline::create(device, &shadow),
            grid: pipeline::create(device, &grid),
        }
    }

    pub(super) fn draw_sky(&self, pass: &mut wgpu::RenderPass<'_>) {
        pass.set_pipeline(&self.sky);
        pass.draw(0..3, 0..1);
    }

    pub(super) fn draw_shadow(&self, pass: &mut wgpu::RenderPass<'_>) {
        pass.set_pipeline(&self.shadow);
        pass.draw(0..4, 0..1);
    }

    pub(super) fn draw_grid(&self, pass: &mut wgpu::RenderPass<'_>) {
        pass.set_pipeline(&self.grid);
        pass.draw(0..4, 0..1);
    }
}
