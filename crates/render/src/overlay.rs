//! Lines, points, arrows and translucent triangles on the graphics card.

use bytemuck::{Pod, Zeroable};

use crate::{
    buffer::GrowingBuffer,
    instances::rgba8,
    picture::Picture,
    pipeline::{self, DepthTest, PipelineParts, SCENE_FORMAT},
    quality::Quality,
};

#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct LineInstance {
    a: [f32; 3],
    half_width: f32,
    b: [f32; 3],
    color: [u8; 4],
}

#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct ArrowInstance {
    origin: [f32; 3],
    radius: f32,
    vector: [f32; 3],
    color: [u8; 4],
}

#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct ArrowVertex {
    across: [f32; 2],
    along: f32,
    normal: [f32; 3],
}

#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct FillVertex {
    position: [f32; 3],
    color: [u8; 4],
}

pub(super) struct Overlay {
    lines: Vec<LineInstance>,
    arrows: Vec<ArrowInstance>,
    fills: Vec<FillVertex>,
    line_buffer: GrowingBuffer,
    arrow_buffer: GrowingBuffer,
    fill_buffer: GrowingBuffer,
    arrow_mesh: GrowingBuffer,
    arrow_vertices: u32,
    line_pipeline: wgpu::RenderPipeline,
    arrow_pipeline: wgpu::RenderPipeline,
    fill_pipeline: wgpu::RenderPipeline,
}

impl Overlay {
    pub(super) fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        frame: &wgpu::BindGroupLayout,
        quality: &Quality,
    ) -> Self {
        let source =
            concat!(include_str!("../../../shaders/frame.wgsl"), include_str!("../../../shaders/overlay.wgsl"));
        let module = pipeline::shader(device, "overlay", source);
        let line_attributes = wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32, 2 => Float32x3, 3 => Unorm8x4];
        let arrow_mesh_attributes = wgpu::vertex_attr_array![0 => Float32x2, 1 => Float32, 2 => Float32x3];
        let arrow_attributes = wgpu::vertex_attr_array![3 => Float32x3, 4 => Float32, 5 => Float32x3, 6 => Unorm8x4];
        let fill_attributes = wgpu::vertex_attr_array![0 => Float32x3, 1 => Unorm8x4];

        let line_buffers = [layout::<LineInstance>(wgpu::VertexStepMode::Instance, &line_attributes)];
        let lines = PipelineParts {
            label: "lines",
            module: &module,
            groups: &[frame],
            vertex: "line_vertex",
            fragment: Some("line_fragment"),
            buffers: &line_buffers,
            topology: wgpu::PrimitiveTopology::TriangleStrip,
            cull: false,
            depth: DepthTest::Test,
            samples: quality.samples,
            format: SCENE_FORMAT,
            blend: true,
            constants: &[],
        };
        let arrow_buffers = [
            layout::<ArrowVertex>(wgpu::VertexStepMode::Vertex, &arrow_mesh_attributes),
            layout::<ArrowInstance>(wgpu::VertexStepMode::Instance, &arrow_attributes),
        ];
        let arrows = PipelineParts {
            label: "arrows",
            vertex: "arrow_vertex",
            fragment: Some("arrow_fragment"),
            buffers: &arrow_buffers,
            topology: wgpu::PrimitiveTopology::TriangleList,
            cull: true,
            depth: DepthTest::TestAndWrite,
            ..lines
        };
        let fill_buffers = [layout::<FillVertex>(wgpu::VertexStepMode::Vertex, &fill_attributes)];
        let fills = PipelineParts {
            label: "fills",
            vertex: "fill_vertex",
            fragment: Some("fill_fragment"),
            buffers: &fill_buffers,
            topology: wgpu::PrimitiveTopology::TriangleList,
            ..lines
        };

        let mesh = arrow_mesh();
        let mut arrow_buffer = GrowingBuffer::new("arrow mesh");
        arrow_buffer.write(device, queue, &mesh);
        Self {
            lines: Vec::new(),
            arrows: Vec::new(),
            fills: Vec::new(),
            line_buffer: GrowingBuffer::new("lines"),
            arrow_buffer: GrowingBuffer::new("arrows"),
            fill_buffer: GrowingBuffer::new("fills"),
            arrow_mesh: arrow_buffer,
            arrow_vertices: mesh.len() as u32,
            line_pipeline: pipeline::create(device, &lines),
            arrow_pipeline: pipeline::create(device, &arrows),
            fill_pipeline: pipeline::create(device, &fills),
        }
    }

    pub(super) fn prepare(&mut self, device: &wgpu::Device, queue: &wgpu::Queue, picture: &Picture) {
        let signed = |size: f32, on_top: bool| if on_top { -size } else { size };
        self.lines.clear();
        self.lines.extend(picture.lines.iter().filter(|line| line.a.is_finite() && line.b.is_finite()).map(|line| {
            LineInstance {
                a: line.a.into(),
                half_width: signed(line.width_px * 0.5, line.on_top),
                b: line.b.into(),
                color: rgba8(line.color),
            }
        }));
        // Points come after the lines, since a dot marks where lines meet.
        self.lines.extend(picture.points.iter().filter(|point| point.at.is_finite()).map(|point| LineInstance {
            a: point.at.into(),
            half_width: signed(point.radius_px, point.on_top),
            b: point.at.into(),
            color: rgba8(point.color),
        }));
        self.arrows.clear();
        let visible = |vector: glam::Vec3| vector.is_finite() && vector.length_squared() > 1e-16;
        self.arrows.extend(picture.arrows.iter().filter(|arrow| arrow.from.is_finite() && visible(arrow.vector)).map(
            |arrow| ArrowInstance {
                origin: arrow.from.into(),
                radius: signed(arrow.radius_px, arrow.on_top),
                vector: arrow.vector.into(),
                color: rgba8(arrow.color),
            },
        ));
        self.fills.clear();
        self.fills.extend(picture.fills.iter().flat_map(|fill| {
            fill.corners.map(|corner| FillVertex { position: corner.into(), color: rgba8(fill.color) })
        }));
        self.line_buffer.write(device, queue, &self.lines);
        self.arrow_buffer.write(device, queue, &self.arrows);
        self.fill_buffer.write(device, queue, &self.fills);
    }

    pub(super) fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        if let Some(fills) = self.fill_buffer.slice::<FillVertex>(0, self.fills.len() as u32) {
            pass.set_pipeline(&self.fill_pipeline);
            pass.set_vertex_buffer(0, fills);
            pass.draw(0..self.fills.len() as u32, 0..1);
        }
        let mesh = self.arrow_mesh.slice::<ArrowVertex>(0, self.arrow_vertices);
        let arrows = self.arrow_buffer.slice::<ArrowInstance>(0, self.arrows.len() as u32);
        if let (Some(mesh), Some(arrows)) = (mesh, arrows) {
            pass.set_pipeline(&self.arrow_pipeline);
            pass.set_vertex_buffer(0, mesh);
            pass.set_vertex_buffer(1, arrows);
            pass.draw(0..self.arrow_vertices, 0..self.arrows.len() as u32);
        }
        if let Some(lines) = self.line_buffer.slice::<LineInstance>(0, self.lines.len() as u32) {
            pass.set_pipeline(&self.line_pipeline);
            pass.set_vertex_buffer(0, lines);
            pass.draw(0..4, 0..self.lines.len() as u32);
        }
    }
}

fn layout<T>(
    step_mode: wgpu::VertexStepMode,
    attributes: &[wgpu::VertexAttribute],
) -> Option<wgpu::VertexBufferLayout<'_>> {
    Some(wgpu::VertexBufferLayout { array_stride: size_of::<T>() as u64, step_mode, attributes })
}

/// Tail disc, shaft, back of the head, head; radii in shaft radii.
fn arrow_mesh() -> Vec<ArrowVertex> {
    const SEGMENTS: u32 = 12;
    const HEAD: f32 = 3.0;
    let mut mesh = Vec::new();
    for segment in 0..SEGMENTS {
        let at = |step: u32| {
            let angle = (segment + step) as f32 / SEGMENTS as f32 * std::f32::consts::TAU;
            [angle.cos(), angle.sin()]
        };
        let [a, b] = [at(0), at(1)];
        let vertex = |[x, y]: [f32; 2], radius: f32, along: f32, flat: f32, axial: f32| ArrowVertex {
            across: [x * radius, y * radius],
            along,
            normal: [x * flat, y * flat, axial],
        };
        let mut quad = |corners: [ArrowVertex; 4]| {
            mesh.extend([corners[0], corners[1], corners[2], corners[0], corners[2], corners[3]]);
        };
        // Tail disc, shaft, back of the head, head; each wound counter-clockwise from outside.
        quad([
            vertex(a, 0.0, 0.0, 0.0, -1.0),
            vertex(b, 1.0, 0.0, 0.0, -1.0),
            vertex(a, 1.0, 0.0, 0.0, -1.0),
            vertex(a, 0.0, 0.0, 0.0, -1.0),
        ]);
        quad([
            vertex(a, 1.0, 0.0, 1.0, 0.0),
            vertex(b, 1.0, 0.0, 1.0, 0.0),
            vertex(b, 1.0, 1.0, 1.0, 0.0),
            vertex(a, 1.0, 1.0, 1.0, 0.0),
        ]);
        quad([
            vertex(a, 1.0, 1.0, 0.0, -1.0),
            vertex(b, 1.0, 1.0, 0.0, -1.0),
            vertex(b, HEAD, 1.0, 0.0, -1.0),
            vertex(a, HEAD, 1.0, 0.0, -1.0),
        ]);
        quad([
            vertex(a, HEAD, 1.0, 0.94, 0.35),
            vertex(b, HEAD, 1.0, 0.94, 0.35),
            vertex(b, 0.0, 2.0, 0.94, 0.35),
            vertex(a, 0.0, 2.0, 0.94, 0.35),
        ]);
    }
    mesh
}
