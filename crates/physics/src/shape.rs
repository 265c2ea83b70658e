//! Converts the shapes of scenes to those of parry3d, with volume, centre of mass and inertia.
//!
//! A shape is given about its own origin, with its long axis along z. The body's frame has the same axes and its
//! origin at the centre of mass, so the geometry of an off-centre hull is shifted by −[`Solid::centre`].

use std::sync::Arc;

use glam::{Mat3, Quat, Vec3};
use parry3d::math::Pose;
use parry3d::shape::{ConvexPolyhedron, SharedShape};
use serde::{Deserialize, Serialize};

use super::compound;
use super::hull::{Hull, Triangles};
use super::rotation::Rotation;
use super::setting::is_default;

/// The largest number of parts of a compound.
pub const MAX_PARTS: usize = 64;

/// The geometry of a body, m.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Shape {
    /// Half extents along x, y and z.
    Box {
        half: Vec3,
    },
    Sphere {
        radius: f32,
    },
    /// A segment from −`half_length` to `half_length` along z, thickened by `radius`.
    Capsule {
        radius: f32,
        half_length: f32,
    },
    /// From −`half_length` to `half_length` along z.
    Cylinder {
        radius: f32,
        half_length: f32,
    },
    /// The convex hull of the points.
    Hull {
        points: Vec<Vec3>,
    },
    /// Several shapes that are one body: see `compound.rs`. At least one and at most [`MAX_PARTS`]; none of them is a
    /// compound itself.
    Compound {
        parts: Box<[ShapePart]>,
    },
}

/// A part of a compound, in the compound's frame.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShapePart {
    pub shape: Shape,
    /// Position of the part's own origin, m.
    #[serde(default, skip_serializing_if = "is_default")]
    pub at: Vec3,
    /// Rotation from the part's axes to the compound's.
    #[serde(default, skip_serializing_if = "is_default")]
    pub rotation: Rotation,
}

impl ShapePart {
    /// A part that is not turned, with its origin at `at`, m.
    pub fn new(shape: Shape, at: Vec3) -> Self {
        Self { shape, at, rotation: Rotation::default() }
    }
}

impl Solid {
    /// The same geometry with the centre of mass at `centre`, m, in the shape's own frame. The inertia per unit mass keeps its
    /// value, and is then that about the new centre.
    #[must_use]
    pub fn about(&self, centre: Vec3) -> Self {
        let shift = self.centre - centre;
        let moved = |hull: &Arc<HullTriangles>| {
            Arc::new((hull.0.iter().map(|corner| *corner + shift).collect(), hull.1.clone()))
        };
        let hull = self.hull.as_ref().map(moved);
        Self { centre, hull, ..self.shifted(&Pose::from_translation(shift)) }
    }

    /// The same solid with its geometry moved by `pose` in the body's frame. Radius and lever arm are computed again, because
    /// they refer to the body's origin.
    pub(super) fn shifted(&self, pose: &Pose) -> Self {
        let (offset, frame) = (*pose * self.offset, *pose * self.frame);
        let pieces: Box<[Self]> = self.pieces.iter().map(|piece| piece.shifted(pose)).collect();
        let (radius, lever) = reach(&self.shape, &self.geometry, &offset, &pieces);
        Self {
            shape: self.shape.clone(),
            geometry: self.geometry.clone(),
            offset,
            frame,
            radius,
            lever,
            hull: self.hull.clone(),
            pieces,
            ..*self
        }
    }

    /// The convex shapes that collide: the pieces of a compound, else the solid itself.
    pub fn pieces(&self) -> &[Self] {
        if self.pieces.is_empty() { std::slice::from_ref(self) } else { &self.pieces }
    }

    /// The convex shape with this number among the [`Self::pieces`].
    pub fn piece(&self, number: u32) -> &Self {
        self.pieces.get(number as usize).unwrap_or(self)
    }
}

/// The farthest distance of a geometry from the body's origin, m, and how far a rotation about it can move the surface
/// outward, m per radian; the geometry stands at `offset` in the body's frame.
fn reach(shape: &Shape, geometry: &SharedShape, offset: &Pose, pieces: &[Solid]) -> (f32, f32) {
    if !pieces.is_empty() {
        let greatest = |of: fn(&Solid) -> f32| pieces.iter().map(of).fold(0.0, f32::max);
        return (greatest(|piece| piece.radius), greatest(|piece| piece.lever));
    }
    let bounding = geometry.compute_local_bounding_sphere();
    let radius = (*offset * bounding.center()).length() + bounding.radius();
    (radius, if matches!(shape, Shape::Sphere { .. }) { offset.translation.length() } else { radius })
}

/// Corners from the centre of mass, m, and triangles as indices of corners.
pub type HullTriangles = (Vec<Vec3>, Vec<[u32; 3]>);

/// A shape as the simulation uses it: the geometry in the body's frame, and the mass properties.
#[derive(Clone)]
pub struct Solid {
    pub shape: Shape,
    pub geometry: SharedShape,
    /// Pose of `geometry` in the body's frame, m.
    pub offset: Pose,
    /// Pose of the shape's own frame in the body's frame, m: at −`centre`, not turned, except in a piece of a compound.
    pub frame: Pose,
    /// Centre of mass in the shape's own frame, m.
    pub centre: Vec3,
    /// Where the centre of mass is at even density, in the shape's own frame, m.
    pub centroid: Vec3,
    /// m³.
    pub volume: f32,
    /// Inertia about the centre of mass per unit mass, body axes, m².
    pub unit_inertia: Mat3,
    /// A measure of thinness for fast motion, m: half of the least extent (parry3d's `ccd_thickness`).
    pub thickness: f32,
    /// An upper bound on the distance of any point from the centre of mass, m.
    pub radius: f32,
    /// How far a rotation about the centre of mass can move the surface outward, m per radian: `radius`; for a sphere
    /// the distance of its middle from the centre of mass.
    pub lever: f32,
    /// The surface of a hull, for drawing.
    pub hull: Option<Arc<HullTriangles>>,
    /// The parts of a compound; empty for all other shapes. `geometry` is then all of them together. `offset` and
    /// `frame` of a piece are in the body's frame, `centre` is in its own, and `hull` about its own centre of mass.
    pub pieces: Box<[Solid]>,
}

impl Shape {
    /// The geometry and mass properties; `None` if the shape is degenerate.
    pub fn solid(&self) -> Option<Solid> {
        // parry3d's cylinder stands along y, ours along z.
        let upright = Pose::from_rotation(Quat::from_rotation_x(std::f32::consts::FRAC_PI_2));
        let (geometry, turn) = match self {
            Self::Box { half } => (SharedShape::cuboid(half.x, half.y, half.z), Pose::identity()),
            Self::Sphere { radius } => (SharedShape::ball(*radius), Pose::identity()),
            Self::Capsule { radius, half_length } => (SharedShape::capsule_z(*half_length, *radius), Pose::identity()),
            Self::Cylinder { radius, half_length } => (SharedShape::cylinder(*half_length, *radius), upright),
            Self::Hull { points } => return self.hull(points),
            Self::Compound { parts } => return compound::solid(self, parts),
        };
        let mut mass = geometry.mass_properties(1.0);
        let volume = mass.mass();
        if !(volume > 0.0 && volume.is_finite()) {
            return None;
        }
        if !(1e-9..1e9).contains(&volume) {
            // At a density of one, the inertia of shapes of micrometres or megametres underflows or overflows 32 bits.
            mass = geometry.mass_properties(1.0 / volume);
        }
        let axes = Mat3::from_quat(turn.rotation * mass.principal_inertia_local_frame);
        let unit_inertia = axes * Mat3::from_diagonal(mass.principal_inertia() / mass.mass()) * axes.transpose();
        self.with(geometry, turn, (volume, turn * mass.local_com, unit_inertia), (None, Box::default()))
    }

    /// The convex hull of points; `None` where it is degenerate.
    fn hull(&self, points: &[Vec3]) -> Option<Solid> {
        let Hull { solid: (corners, triangles), whole, volume, centre, unit_inertia } = Hull::of(points)?;
        let geometry = SharedShape::new(ConvexPolyhedron::from_convex_mesh(corners, &triangles)?);
        let (volume, centre, unit_inertia) = (volume as f32, centre.as_vec3(), unit_inertia.as_mat3());
        if !(volume > 0.0 && volume.is_finite()) {
            return None;
        }
        self.with(geometry, Pose::identity(), (volume, centre, unit_inertia), (Some(whole), Box::default()))
    }

    /// The solid of a geometry, which is turned by `turn` against the shape's own frame; volume, m³, centre of mass, m,
    /// and inertia per unit mass, m², are in that frame. With the surface of a hull, or the pieces of a compound.
    pub(super) fn with(
        &self,
        geometry: SharedShape,
        turn: Pose,
        (volume, centre, unit_inertia): (f32, Vec3, Mat3),
        (surface, pieces): (Option<Triangles>, Box<[Solid]>),
    ) -> Option<Solid> {
        let offset = Pose::from_parts(turn.translation - centre, turn.rotation);
        let hull =
            surface.map(|(points, triangles)| Arc::new((points.into_iter().map(|p| p - centre).collect(), triangles)));
        let (radius, lever) = reach(self, &geometry, &offset, &pieces);
        unit_inertia.is_finite().then_some(Solid {
            thickness: geometry.ccd_thickness(),
            radius,
            lever,
            shape: self.clone(),
            geometry,
            offset,
            frame: Pose::from_translation(-centre),
            centre,
            centroid: centre,
            volume,
            unit_inertia,
            hull,
            pieces,
        })
    }
}
