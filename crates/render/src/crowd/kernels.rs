//! The kernels that sort a crowd for drawing (`shaders/crowd.wgsl`): their uniforms and bindings, their dispatch, and
//! the result that is read back.

use bytemuck::{Pod, Zeroable};
use glam::{Vec2, Vec3};

use crate::{
    camera::Camera,
    level::PreparedEye,
    shadow::{ShadowExtent, SunView},
};

#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct CrowdUniforms {
    eye: [f32; 4],
    right: [f32; 4],
    up: [f32; 4],
    forward: [f32; 4],
    sun_right: [f32; 4],
    sun_up: [f32; 4],
    sun: [f32; 4],
    focus: [f32; 4],
    pub bodies: u32,
    pub slots: u32,
    pub alpha: f32,
    spare: u32,
}

impl CrowdUniforms {
    /// The view without the data of a crowd.
    pub fn new(camera: &Camera, viewport: Vec2, coarseness: f32, sun: &SunView) -> Self {
        let eye = PreparedEye::new(camera, viewport);
        let with = |v: Vec3, w: f32| v.extend(w).into();
        let focus = sun.flat(camera.view.focus);
        Self {
            eye: with(eye.at, eye.parallel.unwrap_or(0.0)),
            right: with(eye.right, eye.half.x),
            up: with(eye.up, eye.half.y),
            forward: with(eye.forward, eye.pixels),
            sun_right: with(sun.right, sun.width),
            sun_up: with(sun.up, coarseness),
            sun: with(sun.right.cross(sun.up), SunView::reach(camera)),
            focus: [focus.x, focus.y, sun.middle.x, sun.middle.y],
            ..Self::zeroed()
        }
    }
}

/// The extent of a crowd's shadow casters as the sun sees it, from the maxima that the kernels computed on
/// order-preserving integers.
pub fn extent_of(bytes: &[u8]) -> ShadowExtent {
    // Inverts the order-preserving mapping of floats to integers; 0 means no value.
    let value = |at: usize| {
        let bits: u32 = bytemuck::pod_read_unaligned(&bytes[4 * at..4 * at + 4]);
        let restored = if bits >> 31 == 1 { bits ^ 0x8000_0000 } else { !bits };
        if bits == 0 { f32::NEG_INFINITY } else { f32::from_bits(restored) }
    };
    ShadowExtent {
        low: -Vec2::new(value(1), value(3)),
        high: Vec2::new(value(0), value(2)),
        nearest: value(4),
        farthest: -value(5),
    }
}
/// The kernels in order: sort the bodies into buckets, compute the buckets' offsets, fill them.
pub struct Kernels {
    pipelines: [wgpu::ComputePipeline; 3],
    layout: wgpu::BindGroupLayout,
}

impl Kernels {
    pub fn new(device: &wgpu::Device) -> Self {
        let entry = |binding: u32, ty| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: wgpu::ShaderStages::COMPUTE,
            ty: wgpu::BindingType::Buffer { ty, has_dynamic_offset: false, min_binding_size: None },
            count: None,
        };
        let storage = |read_only| wgpu::BufferBindingType::Storage { read_only };
        let mut entries = vec![entry(0, wgpu::BufferBindingType::Uniform)];
        entries.extend((1..4).map(|binding| entry(binding, storage(true))));
        entries.extend((4..9).map(|binding| entry(binding, storage(false))));
        let layout = device
            .create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: Some("crowd"), entries: &entries });
        let pipeline_layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("crowd"),
            bind_group_layouts: &[Some(&layout)],
            immediate_size: 0,
        });
        let module = crate::pipeline::shader(device, "crowd", include_str!("../../../../shaders/crowd.wgsl"));
        let pipelines = ["sort", "lay", "fill"].map(|entry| {
            device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                label: Some(entry),
                layout: Some(&pipeline_layout),
                module: &module,
                entry_point: Some(entry),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                cache: None,
            })
        });
        Self { pipelines, layout }
    }

    /// The bind group of the kernels: view, poses now and before, looks, keys, buckets, bounds, instances, draws.
    pub fn bind(&self, device: &wgpu::Device, buffers: [&wgpu::Buffer; 9]) -> wgpu::BindGroup {
        let entries: Vec<_> = (0..)
            .zip(buffers)
            .map(|(binding, buffer)| wgpu::BindGroupEntry { binding, resource: buffer.as_entire_binding() })
            .collect();
        device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("crowd"),
            layout: &self.layout,
            entries: &entries,
        })
    }

    /// Dispatches the kernels one after the other with this number of workgroups.
    pub fn run(&self, encoder: &mut wgpu::CommandEncoder, group: &wgpu::BindGroup, [x, y]: [u32; 2]) {
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        pass.set_bind_group(0, group, &[]);
        for (kernel, [x, y]) in self.pipelines.iter().zip([[x, y], [1, 1], [x, y]]) {
            pass.set_pipeline(kernel);
            pass.dispatch_workgroups(x, y, 1);
        }
    }
}
