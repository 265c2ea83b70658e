//! Poses of bodies in buffers on the graphics card, from which a [`Crowd`](crate::picture::Crowd) is drawn.

/// Storage buffers of eight numbers per body: position, m, and one that is ignored; rotation quaternion, x y z w.
/// Clones share the same buffers.
#[derive(Clone, Debug, PartialEq)]
pub struct Poses {
    pub now: wgpu::Buffer,
    /// The poses before the last step, if they are known.
    pub before: Option<wgpu::Buffer>,
}
