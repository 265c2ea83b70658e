//! The content of a picture as plain data: bodies, lines, arrows, points, translucent faces, and display options.
//!
//! Positions are world coordinates in metres (Z up). Colours are **sRGB**, components 0 to 1, alpha not
//! premultiplied, as in a colour picker; the renderer converts them to linear light.

use std::sync::Arc;

use glam::{Quat, Vec3};

/// The content of one frame. Reuse it from frame to frame (see [`Picture::clear`]) to reuse its memory.
#[derive(Clone, Debug)]
pub struct Picture {
    pub bodies: Vec<BodyInstance>,
    /// Bodies whose poses are on the graphics card; drawn only if the renderer is given these poses.
    pub crowd: Option<Crowd>,
    /// The meshes that [`MeshId::Hull`] refers to. The renderer uploads a hull if the `Arc` at its index has changed,
    /// so keep the same `Arc`s as long as the shapes stay the same.
    pub hulls: Vec<Arc<HullMesh>>,
    pub lines: Vec<LineMark>,
    pub arrows: Vec<Arrow>,
    pub points: Vec<Dot>,
    /// Translucent, unlit, two-sided triangles: cones, stops, friction discs.
    pub fills: Vec<Fill>,
    pub theme: Theme,
    /// The grid at z = 0: lines every 1 m and 10 m (0.1 m from near), x axis red, y axis green.
    pub ground_grid: bool,
    pub shadows: bool,
    /// Darker lines along the creases of boxes, cylinders and hulls.
    pub edges: bool,
    /// Largest radius of points and of arrow shafts, metres: at a distance they shrink, and then fade, instead of
    /// hiding their bodies.
    pub mark_limit: f32,
}

impl Default for Picture {
    fn default() -> Self {
        Self {
            bodies: Vec::new(),
            crowd: None,
            hulls: Vec::new(),
            lines: Vec::new(),
            arrows: Vec::new(),
            points: Vec::new(),
            fills: Vec::new(),
            theme: Theme::Light,
            ground_grid: true,
            shadows: true,
            edges: true,
            mark_limit: 0.05,
        }
    }
}

impl Picture {
    /// Removes bodies except the crowd, lines, arrows, points and fills; keeps hulls, options and the allocated
    /// memory.
    pub fn clear(&mut self) {
        self.bodies.clear();
        self.lines.clear();
        self.arrows.clear();
        self.points.clear();
        self.fills.clear();
    }
}

/// A set of colours for background, ground and light.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    #[default]
    Light,
    Dark,
}

/// The mesh of a body, which also defines the meaning of [`BodyInstance::scale`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum MeshId {
    /// Corners at ±1: `scale` is the half extents.
    Box,
    /// Radius 1: `scale` is the radius in all three components (other values give an ellipsoid).
    Sphere,
    /// Along the local Z axis. `scale` = (radius, radius, half length of the segment); the caps stay round.
    Capsule,
    /// Along the local Z axis. `scale` = (radius, radius, half height).
    Cylinder,
    /// `Picture::hulls[index]`; `scale` is usually 1.
    Hull(u32),
}

/// A convex hull (or any closed mesh) in its body's frame, metres. Triangles wind counter-clockwise seen from
/// outside. No edge is drawn between triangles in the same plane.
#[derive(Clone, Debug, PartialEq)]
pub struct HullMesh {
    pub points: Vec<Vec3>,
    pub triangles: Vec<[u32; 3]>,
}

/// The markings on a body's surface that make its rotation visible.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Markings {
    /// Thin darker lines along the creases: boxes, hulls.
    #[default]
    Edges,
    /// Two shades in alternate octants, besides the creases: spheres, capsules, cylinders.
    TwoTone,
    /// Diagonal stripes, besides the creases: kinematic bodies.
    Striped,
    /// None, not even edges.
    Plain,
}

/// One body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyInstance {
    /// The caller's number; outlines separate bodies by it.
    pub id: u32,
    pub mesh: MeshId,
    /// Origin of the mesh in the world, metres.
    pub position: Vec3,
    /// From the mesh's frame to the world. Need not be exactly of unit length.
    pub rotation: Quat,
    /// Metres; see [`MeshId`].
    pub scale: Vec3,
    /// sRGB, 0 to 1.
    pub color: [f32; 3],
    /// Below 1 the body is a ghost: translucent and without a shadow (another run of a comparison).
    pub opacity: f32,
    pub pattern: Markings,
    /// Outlined in the accent colour, also where other bodies hide it.
    pub selected: bool,
    /// Brightened.
    pub hovered: bool,
}

impl Default for BodyInstance {
    fn default() -> Self {
        Self {
            id: 0,
            mesh: MeshId::Box,
            position: Vec3::ZERO,
            rotation: Quat::IDENTITY,
            scale: Vec3::ONE,
            color: [0.6, 0.6, 0.6],
            opacity: 1.0,
            pattern: Markings::Edges,
            selected: false,
            hovered: false,
        }
    }
}

/// Bodies whose poses are on the graphics card ([`crate::poses::Poses`]): this holds only data that does not
/// change as they move. None of them is a ghost.
#[derive(Clone, Debug, Default)]
pub struct Crowd {
    /// Sorted by their numbers, which index the poses. `position` is the mesh's origin in the body's frame;
    /// `rotation`, `opacity`, `selected` and `hovered` are ignored.
    pub bodies: Vec<BodyInstance>,
    /// Must change whenever `bodies` change.
    pub revision: u64,
    /// Numbers of the outlined bodies, and of the brightened one.
    pub selected: Vec<u32>,
    pub hovered: Option<u32>,
    /// Interpolation between the poses before the last step (0) and after it (1).
    pub alpha: f32,
}

/// A straight line of constant width on the screen; positions in the world frame, metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LineMark {
    pub a: Vec3,
    pub b: Vec3,
    /// sRGB and alpha.
    pub color: [f32; 4],
    /// Physical pixels.
    pub width_px: f32,
    /// Drawn over everything instead of hidden behind bodies.
    pub on_top: bool,
}

/// A solid arrow from `from` to `from + vector`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arrow {
    pub from: Vec3,
    /// Metres (forces are to be scaled before).
    pub vector: Vec3,
    /// sRGB and alpha.
    pub color: [f32; 4],
    /// Radius of the shaft on the screen, physical pixels, up to [`Picture::mark_limit`]; the head is three times
    /// as wide.
    pub radius_px: f32,
    pub on_top: bool,
}

/// A round dot of constant size on the screen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dot {
    pub at: Vec3,
    /// sRGB and alpha.
    pub color: [f32; 4],
    /// Physical pixels, up to [`Picture::mark_limit`].
    pub radius_px: f32,
    pub on_top: bool,
}

/// A flat triangle, two-sided, hidden behind bodies in front of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fill {
    pub corners: [Vec3; 3],
    /// sRGB and alpha.
    pub color: [f32; 4],
}
