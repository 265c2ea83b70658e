//! Converts the shapes of scenes to those of parry3d, with volume, centre of mass and inertia.
//!
//! A shape is given about its own origin, with its long axis along z. The body's frame has the same axes and its
//! origin at the centre of mass, so the geometry of an off-centre hull is shifted by −[`Solid::centre`].

use std::sync::Arc;

use glam::{Mat3, Quat, Vec3};
use parry3d::math::Pose;
use parry3d::shape::{ConvexPolyhedron, SharedShape};
use serde::{Deserialize, Serialize};

use super::hull::{Hull, Triangles};

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
}

impl Solid {
    /// The same geometry with the centre of mass elsewhere, m, in the shape's own frame. The inertia per unit mass stays
    /// what it was, now about the new centre.
    #[must_use]
    pub fn about(&self, centre: Vec3) -> Self {
        let shift = self.centre - centre;
        let offset = Pose::from_parts(self.offset.translation + shift, self.offset.rotation);
        let bounding = self.geometry.compute_local_bounding_sphere();
        let radius = (offset * bounding.center()).length() + bounding.radius();
        let moved = |hull: &Arc<HullTriangles>| {
            Arc::new((hull.0.iter().map(|corner| *corner + shift).collect(), hull.1.clone()))
        };
        Self {
            shape: self.shape.clone(),
            geometry: self.geometry.clone(),
            offset,
            centre,
            radius,
            lever: if matches!(self.shape, Shape::Sphere { .. }) { offset.translation.length() } else { radius },
            hull: self.hull.as_ref().map(moved),
            ..*self
        }
    }
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
        self.with(geometry, turn, (volume, turn * mass.local_com, unit_inertia), None)
    }

    /// The convex hull of points; `None` where it is degenerate.
    fn hull(&self, points: &[Vec3]) -> Option<Solid> {
        let Hull { solid: (corners, triangles), whole, volume, centre, unit_inertia } = Hull::of(points)?;
        let geometry = SharedShape::new(ConvexPolyhedron::from_convex_mesh(corners, &triangles)?);
        let (volume, centre, unit_inertia) = (volume as f32, centre.as_vec3(), unit_inertia.as_mat3());
        if !(volume > 0.0 && volume.is_finite()) {
            return None;
        }
        self.with(geometry, Pose::identity(), (volume, centre, unit_inertia), Some(whole))
    }

    /// The solid of a geometry, which is turned by `turn` against the shape's own frame; volume, m³, centre of mass, m,
    /// and inertia per unit mass, m², are in that frame.
    fn with(
        &self,
        geometry: SharedShape,
        turn: Pose,
        (volume, centre, unit_inertia): (f32, Vec3, Mat3),
        surface: Option<Triangles>,
    ) -> Option<Solid> {
        let offset = Pose::from_parts(turn.translation - centre, turn.rotation);
        let hull =
            surface.map(|(points, triangles)| Arc::new((points.into_iter().map(|p| p - centre).collect(), triangles)));
        let bounding = geometry.compute_local_bounding_sphere();
        let radius = (offset * bounding.center()).length() + bounding.radius();
        unit_inertia.is_finite().then_some(Solid {
            thickness: geometry.ccd_thickness(),
            radius,
            lever: if matches!(self, Self::Sphere { .. }) { 0.0 } else { radius },
            shape: self.clone(),
            geometry,
            offset,
            centre,
            centroid: centre,
            volume,
            unit_inertia,
            hull,
        })
    }
}
