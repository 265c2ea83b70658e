//! The mouse's spring: a critically damped spring that pulls a point of a body towards a target.
//!
//! ```text
//! three soft rows between the world and the body, p = x + r − target
//! k = m ω², c = 2 ζ m ω;  b = k/(c + h k) p·t,  γ = 1/(h (c + h k))
//! ```
//! The spring is implicit, so it is stable for every stiffness. A cap on its force keeps it from tearing mechanisms
//! apart.
//! Source: 000 Soft constraints, erratum 2; docs/math.md, Soft rows.

pub(crate) mod rows;

use glam::Vec3;

/// A body that the mouse holds by a spring.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MouseJoint {
    pub body: u32,
    /// Where it is held, from its centre of mass, body frame, m.
    pub point: Vec3,
    /// Where the mouse is, world frame, m.
    pub target: Vec3,
}
