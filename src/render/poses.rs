//! Where bodies are, on the graphics card already: what a [`Crowd`](crate::render::picture::Crowd) is drawn by.

/// Buffers that can be read as storage, of eight numbers a body: position, m, and one that is not looked at; rotation,
/// x y z w. Copies are the same buffers.
#[derive(Clone, Debug, PartialEq)]
pub struct Poses {
    pub now: wgpu::Buffer,
    /// Those before the last step, if they are known.
    pub before: Option<wgpu::Buffer>,
}
