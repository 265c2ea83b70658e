//! Bodies on the graphics card: meshes, instances, and the four pipelines that draw them.

use std::sync::Arc;

use glam::Vec2;

use crate::{
    buffer::GrowingBuffer,
    camera::Camera,
    crowd,
    instances::{Instance, Instances, Range},
    level::{
        BOX_SLOT, CAPSULE_SEGMENTS, CAPSULE_SLOT, CYLINDER_SEGMENTS, CYLINDER_SLOT, DOT_SLOT, HULL_SLOT, LEVELS,
        SPHERE_SLOT,
    },
    mesh::{self, Mesh, Vertex},
    picture::{HullMesh, Picture},
    pipeline::{self, DepthTest, PipelineParts, SCENE_FORMAT},
    poses::Poses,
    quality::Quality,
    shadow::{DEPTH, SunView},
};

pub(super) const MASK_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::R8Unorm;

/// The pass that is being drawn.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum BodyPass {
    /// Depth from the sun.
    Shadow,
    Opaque,
    Ghosts,
    /// The outlined bodies, white on black.
    Mask,
}

pub(super) struct Bodies {
    pub sorted: Instances,
    meshes: Vec<GpuMesh>,
    /// The hulls that `meshes[HULL_SLOT..]` were made from, and their radii.
    hulls: Vec<Arc<HullMesh>>,
    hull_radii: Vec<f32>,
    buffer: GrowingBuffer,
    /// Data of the crowd, the bodies whose poses stay on the graphics card; once a crowd was drawn.
    pub crowd: Option<crowd::DrawnCrowd>,
    shadow: wgpu::RenderPipeline,
    opaque: wgpu::RenderPipeline,
    ghosts: wgpu::RenderPipeline,
    mask: wgpu::RenderPipeline,
}

struct GpuMesh {
    vertices: wgpu::Buffer,
    indices: wgpu::Buffer,
    /// 0 if there is nothing to draw.
    index_count: u32,
}

impl Bodies {
    pub(super) fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        frame: &wgpu::BindGroupLayout,
        shadow_map: &wgpu::BindGroupLayout,
        quality: &Quality,
    ) -> Self {
        let source = concat!(
            include_str!("../../../shaders/frame.wgsl"),
            include_str!("../../../shaders/shadow.wgsl"),
            include_str!("../../../shaders/body.wgsl")
        );
        let module = pipeline::shader(device, "bodies", source);
        let buffers = [
            Some(wgpu::VertexBufferLayout {
                array_stride: size_of::<Vertex>() as u64,
                step_mode: wgpu::VertexStepMode::Vertex,
                attributes: &Vertex::ATTRIBUTES,
            }),
            Some(wgpu::VertexBufferLayout {
                array_stride: size_of::<Instance>() as u64,
                step_mode: wgpu::VertexStepMode::Instance,
                attributes: &Instance::ATTRIBUTES,
            }),
        ];
        let lit = [frame, shadow_map];
        let opaque = PipelineParts {
            label: "bodies",
            module: &module,
            groups: &lit,
            vertex: "body_vertex",
            fragment: Some("body_fragment"),
            buffers: &buffers,
            topology: wgpu::PrimitiveTopology::TriangleList,
            cull: true,
            depth: DepthTest::TestAndWrite,
            samples: quality.samples,
            format: SCENE_FORMAT,
            blend: false,
            constants: &[("SOFT", if quality.soft_shadows { 1.0 } else { 0.0 })],
        };
        let ghosts = PipelineParts { label: "ghosts", blend: true, ..opaque };
        let unlit = [frame];
        let shadow = PipelineParts {
            label: "shadows",
            groups: &unlit,
            vertex: "shadow_vertex",
            fragment: None,
            depth: DepthTest::Sun,
            samples: 1,
            format: DEPTH,
            constants: &[],
            ..opaque
        };
        let mask = PipelineParts {
            label: "outline mask",
            groups: &unlit,
            vertex: "mask_vertex",
            fragment: Some("mask_fragment"),
            depth: DepthTest::None,
            samples: 1,
            format: MASK_FORMAT,
            constants: &[],
            ..opaque
        };

        let mut slots = vec![Mesh::default(); HULL_SLOT];
        slots[BOX_SLOT] = mesh::unit_box();
        slots[DOT_SLOT] = mesh::dot();
        for level in 0..LEVELS {
            slots[SPHERE_SLOT + level] = mesh::unit_sphere(level as u32);
            slots[CAPSULE_SLOT + level] = mesh::unit_capsule(CAPSULE_SEGMENTS[level]);
            slots[CYLINDER_SLOT + level] = mesh::unit_cylinder(CYLINDER_SEGMENTS[level]);
        }
        Self {
            sorted: Instances::default(),
            meshes: slots.iter().map(|mesh| GpuMesh::upload(device, queue, mesh)).collect(),
            hulls: Vec::new(),
            hull_radii: Vec::new(),
            buffer: GrowingBuffer::new("instances"),
            crowd: None,
            shadow: pipeline::create(device, &shadow),
            opaque: pipeline::create(device, &opaque),
            ghosts: pipeline::create(device, &ghosts),
            mask: pipeline::create(device, &mask),
        }
    }

    /// Uploads new hulls, sorts the bodies and uploads their instances.
    pub(super) fn prepare(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        picture: &Picture,
        camera: &Camera,
        viewport: Vec2,
        coarseness: f32,
    ) {
        for (index, hull) in picture.hulls.iter().enumerate() {
            if self.hulls.get(index).is_some_and(|known| Arc::ptr_eq(known, hull)) {
                continue;
            }
            // All hulls from the first changed one on are uploaded anew: hulls seldom change, and then usually all of
            // them.
            self.hulls.truncate(index);
            self.hull_radii.truncate(index);
            self.meshes.truncate(HULL_SLOT + index);
            let mesh = mesh::hull(hull);
            self.meshes.push(GpuMesh::upload(device, queue, &mesh));
            self.hull_radii.push(mesh.radius);
            self.hulls.push(Arc::clone(hull));
        }
        self.hulls.truncate(picture.hulls.len());
        self.hull_radii.truncate(picture.hulls.len());
        self.meshes.truncate(HULL_SLOT + picture.hulls.len());
        self.sorted.sort(picture, &self.hull_radii, camera, viewport, coarseness);
        self.buffer.write(device, queue, &self.sorted.all);
    }

    /// Uploads what has changed in the picture's crowd; false if there is no crowd or its poses are unknown.
    pub(super) fn prepare_crowd(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        picture: &Picture,
        poses: Option<&Poses>,
    ) -> bool {
        let (Some(crowd), true) = (picture.crowd.as_ref().filter(|_| poses.is_some()), self.takes_crowds()) else {
            if let Some(drawn) = &mut self.crowd {
                drawn.shown = false;
            }
            return false;
        };
        let drawn = self.crowd.get_or_insert_with(|| crowd::DrawnCrowd::new(device));
        let counts: Vec<u32> = self.meshes.iter().map(|mesh| mesh.index_count).collect();
        drawn.upload(device, queue, crowd, &self.hull_radii, &counts);
        true
    }

    /// Sets the view from which the crowd is drawn; to be called after [`Self::prepare_crowd`].
    #[expect(clippy::too_many_arguments, reason = "the crowd, the camera and the quality")]
    pub(super) fn look_at_crowd(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        picture: &Picture,
        poses: Option<&Poses>,
        camera: &Camera,
        viewport: Vec2,
        coarseness: f32,
        sun: &SunView,
    ) {
        if let (Some(drawn), Some(crowd), Some(poses)) = (&mut self.crowd, &picture.crowd, poses) {
            drawn.set(device, queue, crowd, poses, camera, viewport, coarseness, sun);
        }
    }

    /// Whether a crowd can be drawn with the current number of meshes.
    fn takes_crowds(&self) -> bool {
        crowd::DrawnCrowd::takes(self.meshes.len())
    }

    pub(super) fn draw(&self, pass: &mut wgpu::RenderPass<'_>, which: BodyPass) {
        let pipeline = match which {
            BodyPass::Shadow => &self.shadow,
            BodyPass::Opaque => &self.opaque,
            BodyPass::Ghosts => &self.ghosts,
            BodyPass::Mask => &self.mask,
        };
        pass.set_pipeline(pipeline);
        for (slot, mesh) in self.meshes.iter().enumerate().take(self.sorted.slots()) {
            let range: Range = match which {
                BodyPass::Shadow => self.sorted.casting(slot),
                BodyPass::Opaque => self.sorted.seen(slot),
                BodyPass::Ghosts => self.sorted.ghosts(slot),
                BodyPass::Mask => self.sorted.outlines(slot),
            };
            // The buffer is bound from the range's start, because old OpenGL has no first instance.
            let Some(instances) = self.buffer.slice::<Instance>(range.first, range.count) else { continue };
            if mesh.index_count > 0 {
                pass.set_vertex_buffer(0, mesh.vertices.slice(..));
                pass.set_vertex_buffer(1, instances);
                pass.set_index_buffer(mesh.indices.slice(..), wgpu::IndexFormat::Uint32);
                pass.draw_indexed(0..mesh.index_count, 0, 0..range.count);
            }
        }
        let role = match which {
            BodyPass::Opaque => 0,
            BodyPass::Shadow => 1,
            BodyPass::Mask => 2,
            BodyPass::Ghosts => return,
        };
        let Some(crowd) = &self.crowd else { return };
        for (slot, mesh) in self.meshes.iter().enumerate().take(crowd.slots().end) {
            if mesh.index_count > 0 {
                pass.set_vertex_buffer(0, mesh.vertices.slice(..));
                pass.set_index_buffer(mesh.indices.slice(..), wgpu::IndexFormat::Uint32);
                crowd.draw(pass, slot, role);
            }
        }
    }
}

impl GpuMesh {
    fn upload(device: &wgpu::Device, queue: &wgpu::Queue, mesh: &Mesh) -> Self {
        let fill = |label, bytes: &[u8], usage| {
            let buffer = device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(label),
                size: bytes.len().max(4) as u64,
                usage: usage | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            });
            queue.write_buffer(&buffer, 0, bytes);
            buffer
        };
        Self {
            vertices: fill("mesh vertices", bytemuck::cast_slice(&mesh.vertices), wgpu::BufferUsages::VERTEX),
            indices: fill("mesh indices", bytemuck::cast_slice(&mesh.indices), wgpu::BufferUsages::INDEX),
            index_count: mesh.indices.len() as u32,
        }
    }
}
