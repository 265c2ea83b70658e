//! Shapes of links: their corners, their volume and their inertia, in 64 bits.

use std::f64::consts::{PI, TAU};
use std::rc::Rc;

use delassus_physics::shape::Shape;
use glam::{DMat3, DVec3};

use crate::frame::Frame;
use crate::model::Mass;

/// A geometry about its own origin, m; long axes along z.
#[derive(Debug, Clone, PartialEq)]
pub enum Form {
    /// Half extents.
    Box(DVec3),
    /// Radius.
    Sphere(f64),
    /// Radius and half length of the straight part.
    Capsule(f64, f64),
    /// Radius and half length.
    Cylinder(f64, f64),
    /// Semi-axes.
    Ellipsoid(DVec3),
    Mesh(Rc<Mesh>),
}

/// A mesh as it was read, m.
#[derive(Debug, Clone, PartialEq)]
pub struct Mesh {
    pub name: String,
    /// Corners of its convex hull, at most [`MAX_CORNERS`].
    pub corners: Vec<DVec3>,
    /// Volume, m³, centre, m, and inertia about the centre per mass, m², of what its triangles enclose.
    pub solid: Option<(f64, DVec3, DMat3)>,
}

/// Most corners of a hull: what is rounder is approximated by so many.
pub const MAX_CORNERS: usize = 64;

impl Form {
    /// Points whose convex hull is the shape, or is inscribed in it if it is round.
    pub fn points(&self) -> Vec<DVec3> {
        const SIDES: usize = 12;
        let ring = |radius: f64, z: f64| {
            (0..SIDES).map(move |i| {
                let (sin, cos) = (i as f64 * TAU / SIDES as f64).sin_cos();
                DVec3::new(radius * cos, radius * sin, z)
            })
        };
        let ball = |radii: DVec3, half: f64| {
            let rings = [-1.0f64, -0.5, 0.5, 1.0].into_iter().flat_map(move |side| {
                let latitude = side * PI / 3.0;
                let shift = DVec3::Z * half * side.signum();
                ring(latitude.cos(), latitude.sin()).map(move |point| point * radii + shift)
            });
            let poles = [-1.0, 1.0].map(|side| DVec3::Z * side * (radii.z + half));
            rings.chain(poles).collect::<Vec<_>>()
        };
        match self {
            Self::Box(half) => {
                let corner = |i: usize| [1, 2, 4].map(|bit| if i & bit == 0 { -1.0 } else { 1.0 });
                (0..8).map(|i| DVec3::from(corner(i)) * *half).collect()
            }
            Self::Sphere(radius) => ball(DVec3::splat(*radius), 0.0),
            Self::Ellipsoid(radii) => ball(*radii, 0.0),
            Self::Capsule(radius, half) => ball(DVec3::splat(*radius), *half),
            Self::Cylinder(radius, half) => ring(*radius, -half).chain(ring(*radius, *half)).collect(),
            Self::Mesh(mesh) => mesh.corners.clone(),
        }
    }

    /// How far it reaches in a direction of unit length from its own origin, m: its support function.
    pub fn reach(&self, direction: DVec3) -> f64 {
        let across = (1.0 - direction.z * direction.z).max(0.0).sqrt();
        match self {
            Self::Box(half) => (direction * *half).abs().element_sum(),
            Self::Sphere(radius) => *radius,
            Self::Capsule(radius, half) => radius + half * direction.z.abs(),
            Self::Cylinder(radius, half) => radius * across + half * direction.z.abs(),
            Self::Ellipsoid(radii) => (direction * *radii).length(),
            Self::Mesh(mesh) => {
                mesh.corners.iter().map(|corner| corner.dot(direction)).fold(f64::NEG_INFINITY, f64::max)
            }
        }
    }

    /// The shape of a scene; meshes and ellipsoids are hulls.
    pub fn shape(&self) -> Shape {
        match self {
            Self::Box(half) => Shape::Box { half: half.as_vec3() },
            Self::Sphere(radius) => Shape::Sphere { radius: *radius as f32 },
            Self::Capsule(radius, half) => Shape::Capsule { radius: *radius as f32, half_length: *half as f32 },
            Self::Cylinder(radius, half) => Shape::Cylinder { radius: *radius as f32, half_length: *half as f32 },
            Self::Ellipsoid(_) | Self::Mesh(_) => hull(&self.points()),
        }
    }

    /// Whether the shape of a scene has its own frame, which need not be that of its link.
    pub fn is_primitive(&self) -> bool {
        !matches!(self, Self::Ellipsoid(_) | Self::Mesh(_))
    }

    /// Volume, m³, centre, m, and inertia about the centre per mass, m². `None` for a mesh that encloses nothing.
    pub fn solid(&self) -> Option<(f64, DVec3, DMat3)> {
        let diagonal = |volume: f64, squares: DVec3| {
            let DVec3 { x, y, z } = squares;
            (volume, DVec3::ZERO, DMat3::from_diagonal(DVec3::new(y + z, z + x, x + y)))
        };
        Some(match self {
            Self::Box(half) => diagonal(8.0 * half.element_product(), *half * *half / 3.0),
            Self::Sphere(radius) => diagonal(4.0 / 3.0 * PI * radius.powi(3), DVec3::splat(radius * radius / 5.0)),
            Self::Ellipsoid(radii) => diagonal(4.0 / 3.0 * PI * radii.element_product(), *radii * *radii / 5.0),
            Self::Cylinder(radius, half) => {
                let across = radius * radius / 4.0;
                diagonal(TAU * radius * radius * half, DVec3::new(across, across, half * half / 3.0))
            }
            Self::Capsule(radius, half) => {
                // A cylinder and two half balls, whose centres of mass are 3/8 of the radius beyond its ends.
                let (straight, round) = (TAU * radius * radius * half, 4.0 / 3.0 * PI * radius.powi(3));
                let volume = straight + round;
                let across = (straight / 4.0 + round / 5.0) * radius * radius / volume;
                let ends = radius * radius / 5.0 + half * half + 0.75 * radius * half;
                let along = (straight * half * half / 3.0 + round * ends) / volume;
                diagonal(volume, DVec3::new(across, across, along))
            }
            Self::Mesh(mesh) => return mesh.solid,
        })
    }

    /// The mass properties at even density, seen from the frame in which the shape stands.
    pub fn mass(&self, frame: &Frame, mass: Option<f64>, density: f64) -> Option<Mass> {
        let (volume, centre, unit) = self.solid()?;
        let mass = mass.unwrap_or(volume * density);
        Some(Mass { mass, centre: frame.point(centre), inertia: frame.tensor(unit) * mass })
    }
}

/// The convex hull of points as a shape.
pub fn hull(points: &[DVec3]) -> Shape {
    Shape::Hull { points: points.iter().map(|point| point.as_vec3()).collect() }
}

/// At most [`MAX_CORNERS`] of the points, those that lie farthest out in as many directions, and how far the others
/// stand out from their hull at most in the directions that were tried, m.
pub fn corners(points: &[DVec3]) -> (Vec<DVec3>, f64) {
    let (low, high) = points.iter().fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(l, h), p| (l.min(*p), h.max(*p)));
    let size = (high - low).max(DVec3::splat(1e-9 * (high - low).max_element()));
    let farthest = |among: &[DVec3], direction: DVec3| {
        let reach = |point: &DVec3| (*point / size).dot(direction);
        (0..among.len()).max_by(|a, b| reach(&among[*a]).total_cmp(&reach(&among[*b])))
    };
    let mut chosen: Vec<DVec3> = Vec::new();
    let axes = [DVec3::X, DVec3::Y, DVec3::Z].into_iter().flat_map(|axis| [axis, -axis]);
    for direction in axes.chain(directions(160)) {
        let Some(best) = farthest(points, direction).map(|i| points[i]) else { break };
        if !chosen.contains(&best) {
            chosen.push(best);
        }
        if chosen.len() == MAX_CORNERS {
            break;
        }
    }
    let short = directions(300).map(|direction| {
        let Some((whole, part)) = farthest(points, direction).zip(farthest(&chosen, direction)) else { return 0.0 };
        let outward = (direction / size).normalize();
        (points[whole] - chosen[part]).dot(outward)
    });
    let short = short.fold(0.0, f64::max);
    (chosen, short)
}

/// Directions that cover the sphere evenly, in an order in which every beginning covers it, too.
pub fn directions(count: usize) -> impl Iterator<Item = DVec3> {
    let golden = PI * (3.0 - 5f64.sqrt());
    // A step that has no divisor in common with any count used here.
    (0..count).map(move |i| i * 89 % count).map(move |i| {
        let z = 1.0 - (2 * i + 1) as f64 / count as f64;
        let (sin, cos) = (golden * i as f64).sin_cos();
        let across = (1.0 - z * z).sqrt();
        DVec3::new(across * cos, across * sin, z)
    })
}
