//! The meshes: unit box, sphere, capsule and cylinder in several levels of detail, and convex hulls.
//!
//! Each corner of a triangle has three edge coordinates: coordinate i falls from 1 at corner i to 0 at the opposite
//! side if that side is a crease, and is 1 everywhere if it is not. Divided by its screen-space derivative it is the
//! distance to the crease in pixels, from which the fragment shader draws a line of constant width.

use std::collections::HashMap;

use bytemuck::{Pod, Zeroable};
use glam::Vec3;

use crate::picture::HullMesh;

/// Edges that fold by less than 5° are not drawn as creases; cos of 5°.
const CREASE_COS: f32 = 0.996;

#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub(super) struct Vertex {
    /// In units of the instance's scale.
    pub position: [f32; 3],
    /// −1 or 1 on the caps of a capsule, which are moved along Z by the half length but not stretched; 2 on a dot;
    /// otherwise 0.
    pub cap: f32,
    pub normal: [f32; 3],
    pub edge: [f32; 3],
}

impl Vertex {
    pub const ATTRIBUTES: [wgpu::VertexAttribute; 4] =
        wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32, 2 => Float32x3, 3 => Float32x3];
}

/// A triangle mesh in main memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Mesh {
    pub vertices: Vec<Vertex>,
    pub indices: Vec<u32>,
    /// Radius of the enclosing sphere about the origin, in units of the scale.
    pub radius: f32,
}

impl Mesh {
    /// Merges equal corners, so that each is transformed once.
    fn weld(corners: &[Vertex]) -> Self {
        let mut places: HashMap<[u32; 10], u32> = HashMap::new();
        let mut mesh = Self::default();
        for corner in corners {
            let key: [u32; 10] = bytemuck::cast(*corner);
            let index = *places.entry(key).or_insert_with(|| {
                mesh.vertices.push(*corner);
                mesh.vertices.len() as u32 - 1
            });
            mesh.indices.push(index);
        }
        mesh.radius = corners.iter().map(|corner| Vec3::from(corner.position).length()).fold(0.0, f32::max);
        mesh
    }
}

/// A square that the vertex shader turns towards the eye, with the area of a disc of radius 1 and the normals of a
/// ball.
pub(super) fn dot() -> Mesh {
    let half = 0.5 * std::f32::consts::PI.sqrt();
    // `cap` marks it as a dot.
    let corner = |[x, y]: [f32; 2]| Vertex {
        position: [x * half, y * half, 0.0],
        cap: 2.0,
        normal: Vec3::new(x, y, 1.0).normalize().into(),
        edge: [1.0; 3],
    };
    let vertices = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(corner).to_vec();
    Mesh { vertices, indices: vec![0, 1, 2, 0, 2, 3], radius: 1.0 }
}

/// A box with its corners at ±1.
pub(super) fn unit_box() -> Mesh {
    let points = (0..8).map(|i| Vec3::new(sign(i & 1), sign(i >> 1 & 1), sign(i >> 2 & 1))).collect();
    let quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    hull(&HullMesh { points, triangles })
}

/// A sphere of radius 1: an icosahedron subdivided `level` times, 20 · 4^level triangles.
pub(super) fn unit_sphere(level: u32) -> Mesh {
    let golden = (1.0 + 5.0_f32.sqrt()) / 2.0;
    let mut points = Vec::new();
    for (long, short) in [(golden, 1.0), (golden, -1.0), (-golden, 1.0), (-golden, -1.0)] {
        points.extend([Vec3::new(0.0, short, long), Vec3::new(short, long, 0.0), Vec3::new(long, 0.0, short)]);
    }
    let side = (points[0] - points[3]).length();
    let mut triangles = Vec::new();
    for a in 0..12 {
        for b in a + 1..12 {
            for c in b + 1..12 {
                let [pa, pb, pc] = [points[a], points[b], points[c]];
                let near = |p: Vec3, q: Vec3| (p - q).length() < side * 1.01;
                if near(pa, pb) && near(pb, pc) && near(pc, pa) {
                    let outward = (pb - pa).cross(pc - pa).dot(pa) > 0.0;
                    triangles.push(if outward { [pa, pb, pc] } else { [pa, pc, pb] }.map(Vec3::normalize));
                }
            }
        }
    }
    for _ in 0..level {
        let divide = |[a, b, c]: [Vec3; 3]| {
            let [ab, bc, ca] = [a + b, b + c, c + a].map(Vec3::normalize);
            [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
        };
        triangles = triangles.into_iter().flat_map(divide).collect();
    }
    let smooth = |point: Vec3| Vertex { position: point.into(), cap: 0.0, normal: point.into(), edge: [1.0; 3] };
    Mesh::weld(&triangles.into_iter().flatten().map(smooth).collect::<Vec<_>>())
}

/// A sphere cut at its equator; the vertex shader moves the halves apart. `segments` around, a multiple of 4.
pub(super) fn unit_capsule(segments: u32) -> Mesh {
    let rings = segments / 4;
    let mut rows = Vec::new();
    for cap in [-1.0, 1.0] {
        for ring in 0..=rings {
            let along = if cap < 0.0 { ring as f32 / rings as f32 - 1.0 } else { ring as f32 / rings as f32 };
            let latitude = along * std::f32::consts::FRAC_PI_2;
            rows.push((latitude, cap));
        }
    }
    let at = |(latitude, cap): (f32, f32), segment: u32| {
        // At the poles cos is not exactly 0, which would keep the corners from being merged.
        let flat = if latitude.abs() > 1.57 { 0.0 } else { latitude.cos() };
        let (x, y) = around(segment, segments);
        let point = Vec3::new(flat * x, flat * y, latitude.sin());
        Vertex { position: point.into(), cap, normal: point.into(), edge: [1.0; 3] }
    };
    let mut corners = Vec::new();
    for pair in rows.windows(2) {
        for segment in 0..segments {
            let (low, high) = (pair[0], pair[1]);
            let quad = [at(low, segment), at(low, segment + 1), at(high, segment + 1), at(high, segment)];
            corners.extend([quad[0], quad[1], quad[2], quad[0], quad[2], quad[3]]);
        }
    }
    let mut mesh = Mesh::weld(&corners);
    mesh.radius = 1.0;
    mesh
}

/// A cylinder of radius 1 from z = −1 to 1; its rims are creases.
pub(super) fn unit_cylinder(segments: u32) -> Mesh {
    let mut corners = Vec::new();
    for segment in 0..segments {
        let (a, b) = (around(segment, segments), around(segment + 1, segments));
        let at = |(x, y): (f32, f32), z: f32| Vec3::new(x, y, z);
        let out = |(x, y): (f32, f32)| Vec3::new(x, y, 0.0);
        let side = [(at(a, -1.0), out(a)), (at(b, -1.0), out(b)), (at(b, 1.0), out(b)), (at(a, 1.0), out(a))];
        // The lower triangle has its crease opposite corner 2, the upper one opposite corner 0.
        push_triangle(&mut corners, [side[0], side[1], side[2]], [false, false, true]);
        push_triangle(&mut corners, [side[0], side[2], side[3]], [true, false, false]);
        for (z, first, second) in [(1.0, a, b), (-1.0, b, a)] {
            let normal = Vec3::Z * z;
            let cap = [(normal, normal), (at(first, z), normal), (at(second, z), normal)];
            push_triangle(&mut corners, cap, [true, false, false]);
        }
    }
    Mesh::weld(&corners)
}

/// A mesh with flat faces and creases where they fold. Triangles with bad indices or without area are left out, and
/// those with the wrong winding for a convex hull are flipped.
pub(super) fn hull(source: &HullMesh) -> Mesh {
    let points = &source.points;
    let finite = points.iter().filter(|point| point.is_finite());
    let centre = finite.clone().sum::<Vec3>() / finite.count().max(1) as f32;
    let mut faces = Vec::new();
    for &[a, b, c] in &source.triangles {
        let corner = |index: u32| points.get(index as usize).copied().filter(|point| point.is_finite());
        let (Some(pa), Some(pb), Some(pc)) = (corner(a), corner(b), corner(c)) else { continue };
        let Some(normal) = (pb - pa).cross(pc - pa).try_normalize() else { continue };
        if normal.dot(pa - centre) >= 0.0 {
            faces.push(([a, b, c], [pa, pb, pc], normal));
        } else {
            faces.push(([a, c, b], [pa, pc, pb], -normal));
        }
    }
    // A side belongs to two faces: the map holds the first face's normal until the second is reached.
    let mut fold: HashMap<(u32, u32), Vec3> = HashMap::new();
    let mut flat: HashMap<(u32, u32), bool> = HashMap::new();
    for ([a, b, c], _, normal) in &faces {
        for (i, j) in [(a, b), (b, c), (c, a)] {
            let side = (*i.min(j), *i.max(j));
            if let Some(other) = fold.insert(side, *normal) {
                flat.insert(side, other.dot(*normal) > CREASE_COS);
            }
        }
    }
    let mut corners = Vec::new();
    for ([a, b, c], at, normal) in faces {
        let crease = |i: u32, j: u32| !flat.get(&(i.min(j), i.max(j))).copied().unwrap_or(false);
        push_triangle(&mut corners, at.map(|point| (point, normal)), [crease(b, c), crease(c, a), crease(a, b)]);
    }
    Mesh::weld(&corners)
}

/// `crease[i]` refers to the side opposite corner i.
fn push_triangle(corners: &mut Vec<Vertex>, triangle: [(Vec3, Vec3); 3], crease: [bool; 3]) {
    for (vertex, (position, normal)) in triangle.into_iter().enumerate() {
        let edge = std::array::from_fn(|i| if crease[i] && i != vertex { 0.0 } else { 1.0 });
        corners.push(Vertex { position: position.into(), cap: 0.0, normal: normal.into(), edge });
    }
}

/// Cosine and sine of `segment` of `segments` around; the last equals the first exactly.
fn around(segment: u32, segments: u32) -> (f32, f32) {
    let angle = (segment % segments) as f32 / segments as f32 * std::f32::consts::TAU;
    (angle.cos(), angle.sin())
}

fn sign(bit: u32) -> f32 {
    if bit == 0 { -1.0 } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Six times the enclosed volume over 6: positive only when the triangles face outward.
    fn volume(mesh: &Mesh) -> f32 {
        let at = |index: u32| Vec3::from(mesh.vertices[index as usize].position);
        mesh.indices.chunks(3).map(|t| at(t[0]).dot(at(t[1]).cross(at(t[2]))) / 6.0).sum()
    }

    #[test]
    fn meshes_are_closed_face_outward_and_enclose_their_volume() {
        let pi = std::f32::consts::PI;
        assert!((volume(&unit_box()) - 8.0).abs() < 1e-4);
        assert!((volume(&unit_sphere(4)) - 4.0 / 3.0 * pi).abs() < 0.02);
        assert!((volume(&unit_cylinder(64)) - 2.0 * pi).abs() < 0.02);
        assert!((volume(&unit_capsule(64)) - 4.0 / 3.0 * pi).abs() < 0.03);
    }

    #[test]
    fn a_sphere_shares_its_corners() {
        let sphere = unit_sphere(2);
        assert_eq!(sphere.indices.len(), 3 * 320);
        assert_eq!(sphere.vertices.len(), 162);
    }

    #[test]
    fn a_box_has_edges_at_its_twelve_creases_and_none_across_its_faces() {
        let mesh = unit_box();
        assert_eq!(mesh.indices.len(), 36);
        for triangle in mesh.indices.chunks(3) {
            let creases = (0..3).filter(|&i| triangle.iter().any(|&v| mesh.vertices[v as usize].edge[i] == 0.0));
            assert_eq!(creases.count(), 2);
        }
    }

    #[test]
    fn a_hull_with_faults_is_drawn_as_far_as_it_goes() {
        let points = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z, Vec3::splat(f32::NAN)];
        let triangles = vec![[0, 1, 2], [0, 1, 1], [0, 1, 3], [0, 2, 99], [1, 2, 3], [0, 4, 2]];
        let mesh = hull(&HullMesh { points, triangles });
        assert_eq!(mesh.indices.len(), 9);
        let mesh = hull(&HullMesh { points: Vec::new(), triangles: vec![[0, 1, 2]] });
        assert!(mesh.indices.is_empty());
    }

    #[test]
    fn a_tetrahedron_wound_either_way_faces_outward() {
        let points = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
        let triangles = vec![[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]];
        let mesh = hull(&HullMesh { points, triangles });
        assert!((volume(&mesh) - 1.0 / 6.0).abs() < 1e-6);
    }
}
