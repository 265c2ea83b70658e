//! Bodies whose poses are already in buffers on the graphics card: while they move, nothing is transferred to or from
//! the processor.
//!
//! ```text
//! looks     48 bytes per body, uploaded when they change: mesh, size, colour, marks
//! kernels   poses, looks -> instances by mesh, and the number to draw of each (`shaders/crowd.wgsl`)
//! draws     indirect, with the same pipelines and meshes as other bodies
//! bounds    the extent of the shadow casters: read back one or two frames late, to fit the shadow map
//! ```

mod appearance;
mod kernels;

use std::ops::Range;

use glam::Vec2;

use crate::{
    camera::Camera,
    picture::Crowd,
    poses::Poses,
    shadow::{ShadowExtent, SunView},
};
use appearance::{APPEARANCE, Appearances};
use delassus_gpu::async_reads::AsyncReads;
use kernels::{CrowdUniforms, Kernels, extent_of};

/// Threads per workgroup.
const LANES: u32 = 64;
/// Draws, and buckets of instances, per slot: the visible, the shadow casters, the outlined.
const ROLES: u64 = 3;
/// The most slots that a workgroup of the kernels can count.
const MAX_SLOTS: usize = 128;
/// Size of an instance and of the arguments of an indirect draw, bytes.
const INSTANCE: u64 = 52;
const DRAW: u64 = 20;
const BOUNDS: u64 = 24;
/// Number of storage buffers that the kernels use.
pub(crate) const BUFFERS: u32 = 8;
/// The device features that crowds need.
pub(crate) const FEATURES: wgpu::Features = wgpu::Features::INDIRECT_FIRST_INSTANCE;

/// A crowd's data on the graphics card.
pub(crate) struct DrawnCrowd {
    kernels: Kernels,
    view: wgpu::Buffer,
    buckets: wgpu::Buffer,
    bounds: wgpu::Buffer,
    draws: wgpu::Buffer,
    late: AsyncReads,
    /// The latest known extent of the shadow casters.
    extent: Option<ShadowExtent>,
    looks: Appearances,
    buffers: Option<Buffers>,
    /// Whether the crowd is drawn in this frame.
    pub shown: bool,
    groups: [u32; 2],
    /// The index counts of the meshes in `draws`, by slot.
    counts: Vec<u32>,
}

/// The buffers that grow with the crowd, and the bind group of all buffers.
struct Buffers {
    looks: wgpu::Buffer,
    keys: wgpu::Buffer,
    instances: wgpu::Buffer,
    bound: Option<(Poses, wgpu::BindGroup)>,
}

impl DrawnCrowd {
    pub(crate) fn new(device: &wgpu::Device) -> Self {
        let buffer = |label, size, usage| buffer(device, label, size, usage | wgpu::BufferUsages::COPY_DST);
        let storage = wgpu::BufferUsages::STORAGE;
        let slots = MAX_SLOTS as u64 * ROLES;
        Self {
            kernels: Kernels::new(device),
            view: buffer("crowd's view", size_of::<CrowdUniforms>() as u64, wgpu::BufferUsages::UNIFORM),
            buckets: buffer("crowd's buckets", slots * 4, storage),
            bounds: buffer("crowd's bounds", BOUNDS, storage | wgpu::BufferUsages::COPY_SRC),
            draws: buffer("crowd's draws", slots * DRAW, storage | wgpu::BufferUsages::INDIRECT),
            late: AsyncReads::new(device, "crowd's bounds", BOUNDS),
            extent: None,
            looks: Appearances::default(),
            buffers: None,
            shown: false,
            groups: [0; 2],
            counts: Vec::new(),
        }
    }

    /// Whether the crowd can be drawn with this number of slots.
    pub(crate) fn takes(slots: usize) -> bool {
        slots <= MAX_SLOTS
    }

    /// The extent of the crowd's shadow casters one or two frames ago, if known.
    pub(crate) fn extent(&mut self, device: &wgpu::Device) -> Option<ShadowExtent> {
        self.late.poll(device);
        self.extent = self.late.take(|_, bytes| extent_of(bytes)).or(self.extent);
        self.extent
    }

    /// Uploads what has changed. `counts` are the index counts of all meshes, by slot.
    pub(crate) fn upload(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        crowd: &Crowd,
        hull_radii: &[f32],
        counts: &[u32],
    ) {
        let renewed = self.looks.rebuild_if_changed(crowd, hull_radii);
        if renewed {
            self.extent = None;
            self.grow(device);
        }
        let changed = self.looks.mark(crowd);
        if let Some(buffers) = &self.buffers {
            let bytes = self.looks.bytes();
            let all = 0..bytes.len();
            for range in if renewed { vec![all] } else { changed } {
                queue.write_buffer(&buffers.looks, range.start as u64, &bytes[range]);
            }
        }
        // An outlined body has two instances.
        self.grow(device);
        if self.counts != counts {
            self.counts = counts.to_vec();
            let mut draws = vec![[0u32; 5]; counts.len() * ROLES as usize];
            for (draw, count) in draws.iter_mut().zip(counts.iter().flat_map(|count| [*count; ROLES as usize])) {
                draw[0] = count;
            }
            queue.write_buffer(&self.draws, 0, bytemuck::cast_slice(&draws));
        }
    }

    /// Enlarges the buffers to the number of bodies.
    fn grow(&mut self, device: &wgpu::Device) {
        let bodies = self.looks.count().max(1) as u64;
        let needed = [bodies * APPEARANCE, bodies * 4, (bodies + self.looks.marked() as u64) * INSTANCE];
        if let Some(Buffers { looks, keys, instances, .. }) = &self.buffers
            && [looks, keys, instances].iter().zip(needed).all(|(buffer, needed)| buffer.size() >= needed)
        {
            return;
        }
        let storage = |label, size: u64, usage| buffer(device, label, size, wgpu::BufferUsages::STORAGE | usage);
        let [looks, keys, instances] = needed;
        // A buffer that is large enough keeps its content; a larger one is filled by the next upload.
        let looks = match self.buffers.take() {
            Some(old) if old.looks.size() >= looks => old.looks,
            _ => storage("crowd's looks", looks, wgpu::BufferUsages::COPY_DST),
        };
        self.buffers = Some(Buffers {
            looks,
            keys: storage("crowd's keys", keys, wgpu::BufferUsages::empty()),
            instances: storage("crowd's instances", instances, wgpu::BufferUsages::VERTEX),
            bound: None,
        });
    }

    /// Sets what the kernels sort next, and the poses to use.
    #[expect(clippy::too_many_arguments, reason = "what is seen, from where, and how")]
    pub(crate) fn set(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        crowd: &Crowd,
        poses: &Poses,
        camera: &Camera,
        viewport: Vec2,
        coarseness: f32,
        sun: &SunView,
    ) {
        let mut view = CrowdUniforms::new(camera, viewport, coarseness, sun);
        view.bodies = self.looks.count() as u32;
        view.slots = self.counts.len() as u32;
        view.alpha = if poses.before.is_some() { crowd.alpha } else { 1.0 };
        queue.write_buffer(&self.view, 0, bytemuck::bytes_of(&view));
        let groups = view.bodies.div_ceil(LANES);
        let widest = device.limits().max_compute_workgroups_per_dimension;
        self.groups = [groups.min(widest), groups.div_ceil(widest)];
        self.shown = groups > 0;
        let Some(buffers) = &mut self.buffers else { return };
        if buffers.bound.as_ref().is_some_and(|(known, _)| known == poses) {
            return;
        }
        let before = poses.before.as_ref().unwrap_or(&poses.now);
        let all = [
            &self.view,
            &poses.now,
            before,
            &buffers.looks,
            &buffers.keys,
            &self.buckets,
            &self.bounds,
            &buffers.instances,
            &self.draws,
        ];
        let group = self.kernels.bind(device, all);
        buffers.bound = Some((poses.clone(), group));
    }

    /// Records the sorting of the crowd, and the copy of the bounds of its shadow casters.
    pub(crate) fn sort(&mut self, encoder: &mut wgpu::CommandEncoder) {
        let Some((_, group)) = self.buffers.as_ref().and_then(|buffers| buffers.bound.as_ref()) else { return };
        encoder.clear_buffer(&self.buckets, 0, None);
        encoder.clear_buffer(&self.bounds, 0, None);
        self.kernels.run(encoder, group, self.groups);
        if let Some((buffer, _)) = self.late.free_buffer() {
            encoder.copy_buffer_to_buffer(&self.bounds, 0, buffer, 0, BOUNDS);
        }
    }

    /// The slots to draw; empty if the crowd is not shown.
    pub(crate) fn slots(&self) -> Range<usize> {
        0..if self.shown { self.counts.len() } else { 0 }
    }

    /// Draws a slot indirectly: role 0 the visible bodies, 1 the shadow casters, 2 the outlined.
    pub(crate) fn draw(&self, pass: &mut wgpu::RenderPass<'_>, slot: usize, role: u64) {
        let Some(buffers) = &self.buffers else { return };
        pass.set_vertex_buffer(1, buffers.instances.slice(..));
        pass.draw_indexed_indirect(&self.draws, (slot as u64 * ROLES + role) * DRAW);
    }

    /// Whether any body is outlined.
    pub(crate) fn has_outlines(&self) -> bool {
        self.shown && self.looks.has_selected()
    }
}

fn buffer(device: &wgpu::Device, label: &str, size: u64, usage: wgpu::BufferUsages) -> wgpu::Buffer {
    device.create_buffer(&wgpu::BufferDescriptor { label: Some(label), size, usage, mapped_at_creation: false })
}
