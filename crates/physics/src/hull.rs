//! The convex hull of points, with volume, centre of mass and inertia in 64 bits. However thin the hull is, it has all
//! of its corners.
//!
//! ```text
//! grid     pᵢ ≈ p₀ + gᵢ s,   gᵢ whole numbers up to 2³⁸: exact for coordinates above 2⁻¹⁴ of the hull's size
//! above    (b − a) × (c − a) · (p − a) > 0      whether p is above the face a b c: computed exactly, in 128 bits
//! volume   V = Σ v,   v = ⅙ a·(b × c)           sums over the faces
//! centre   V c = Σ v s/4,   s = a + b + c
//! second   C = Σ v/20 (s sᵀ + a aᵀ + b bᵀ + c cᵀ) − V c cᵀ,   I = tr(C) − C
//! ```
//! The hull grows from a tetrahedron. The farthest point above a face is added: all faces below it are removed, and
//! the border of the hole is joined to it. An exact test never contradicts itself, so the surface stays closed, and
//! coplanar points need no special care.
//!
//! Collisions use a second hull. It leaves out corners that stand out by less than 1e-5 of the size: those of a face
//! whose corners are coplanar but for rounding would make triangles with random normals.
//! Source: Barber, Dobkin and Huhdanpaa 1996 (quickhull); Eberly 2002 (polyhedral mass properties).

use std::collections::HashMap;

use glam::{DMat3, DVec3, Vec3};

/// The hull may be thinner than its size by this factor.
const THINNEST: f64 = 1e-5;
/// A corner that stands out by less than this share of the size is left out of collisions, m/m.
const FLAT: f64 = 1e-5;
/// Bits of the whole numbers: 3 · 2 · (2³⁹)³ < 2¹²⁷.
const BITS: u32 = 38;

/// A closed surface with its mass properties.
pub(super) struct Hull {
    /// Corners and outward triangles for collisions, m.
    pub solid: Triangles,
    /// The same with every corner, for drawing, m.
    pub whole: Triangles,
    /// m³.
    pub volume: f64,
    /// Centre of mass, m.
    pub centre: DVec3,
    /// Inertia about the centre of mass per unit mass, m².
    pub unit_inertia: DMat3,
}

/// Corners, and counter-clockwise triangles as indices of corners.
pub(super) type Triangles = (Vec<Vec3>, Vec<[u32; 3]>);

/// A point of the grid.
type Node = [i64; 3];

impl Hull {
    /// The hull of the points; `None` if it is thinner than [`THINNEST`] of its size, or the points are not finite.
    pub fn of(points: &[Vec3]) -> Option<Self> {
        let origin = points.first()?.as_dvec3();
        let offsets = || points.iter().map(|p| p.as_dvec3() - origin);
        let size = offsets().map(|d| d.abs().max_element()).fold(0.0, f64::max);
        if !(size > 0.0 && offsets().all(|d| d.is_finite())) {
            return None;
        }
        // A power of two, so that the grid has the points' own digits.
        let cell = f64::from_bits(size.to_bits() & (0x7ff << 52)) * 2.0 / (1u64 << BITS) as f64;
        let nodes: Vec<Node> = offsets().map(|d| (d / cell).to_array().map(|x| x.round() as i64)).collect();
        let faces = Surface::grow(&nodes, 0.0)?;
        let place = |i: u32| place(nodes[i as usize]) * cell;
        let (volume, centre, second) = moments(&faces, place);
        let thickness = faces.iter().map(|face| depth(&nodes, face) * cell).fold(f64::INFINITY, f64::min);
        if thickness < THINNEST * size {
            return None;
        }
        let coarse = FLAT.min(0.1 * thickness / size) * size / cell;
        let solid = Surface::grow(&nodes, coarse).unwrap_or_else(|| faces.clone());
        let unit_inertia = (DMat3::from_diagonal(DVec3::splat(trace(&second))) - second) * (1.0 / volume);
        Some(Self {
            solid: used(points, &solid),
            whole: used(points, &faces),
            volume,
            centre: origin + centre,
            unit_inertia,
        })
    }
}

fn place(node: Node) -> DVec3 {
    DVec3::from_array(node.map(|x| x as f64))
}

fn trace(m: &DMat3) -> f64 {
    m.x_axis.x + m.y_axis.y + m.z_axis.z
}

/// The points that the triangles use, in the order of `points`, and the triangles with their new indices.
fn used(points: &[Vec3], faces: &[[u32; 3]]) -> Triangles {
    let mut index = vec![u32::MAX; points.len()];
    faces.iter().flatten().for_each(|&i| index[i as usize] = 0);
    let mut kept = Vec::new();
    for (point, index) in points.iter().zip(&mut index).filter(|(_, index)| **index == 0) {
        *index = kept.len() as u32;
        kept.push(*point);
    }
    (kept, faces.iter().map(|face| face.map(|i| index[i as usize])).collect())
}

/// Volume, m³, centre, m, and second moments about the centre, m⁵, of the space inside a closed surface.
fn moments(faces: &[[u32; 3]], place: impl Fn(u32) -> DVec3) -> (f64, DVec3, DMat3) {
    // About a corner, the smallest numbers cancel least.
    let origin = faces.first().map_or(DVec3::ZERO, |face| place(face[0]));
    let outer = |v: DVec3| DMat3::from_cols(v * v.x, v * v.y, v * v.z);
    let (mut volume, mut first, mut second) = (0.0, DVec3::ZERO, DMat3::ZERO);
    for face in faces {
        let [a, b, c] = face.map(|i| place(i) - origin);
        let (v, s) = (a.dot(b.cross(c)) / 6.0, a + b + c);
        volume += v;
        first += s * (v / 4.0);
        second += (outer(s) + outer(a) + outer(b) + outer(c)) * (v / 20.0);
    }
    let centre = first / volume;
    (volume, origin + centre, second - outer(centre) * volume)
}

/// How deep the hull is below a face, in cells.
fn depth(nodes: &[Node], face: &[u32; 3]) -> f64 {
    let face = Face::new(*face, nodes);
    (0..nodes.len() as u32).map(|i| -face.height(nodes, i)).fold(0.0, f64::max)
}

/// Differences of two nodes.
fn less(a: Node, b: Node) -> [i128; 3] {
    [0, 1, 2].map(|k| i128::from(a[k] - b[k]))
}

fn cross(a: [i128; 3], b: [i128; 3]) -> [i128; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn dot(a: [i128; 3], b: [i128; 3]) -> i128 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// A triangle of the growing surface.
struct Face {
    corners: [u32; 3],
    /// (b − a) × (c − a), exact, and its length.
    normal: [i128; 3],
    length: f64,
    /// Points that are not yet inside and farther above this face than above any other.
    above: Vec<u32>,
    removed: bool,
}

impl Face {
    fn new(corners: [u32; 3], nodes: &[Node]) -> Self {
        let [a, b, c] = corners.map(|i| nodes[i as usize]);
        let normal = cross(less(b, a), less(c, a));
        let length = DVec3::from_array(normal.map(|x| x as f64)).length();
        Self { corners, normal, length, above: Vec::new(), removed: false }
    }

    /// Six times the volume of the tetrahedron between the face and a point; positive above the face.
    fn volume(&self, nodes: &[Node], point: u32) -> i128 {
        dot(self.normal, less(nodes[point as usize], nodes[self.corners[0] as usize]))
    }

    /// Height of a point above the face's plane, in cells.
    fn height(&self, nodes: &[Node], point: u32) -> f64 {
        self.volume(nodes, point) as f64 / self.length.max(f64::MIN_POSITIVE)
    }
}

/// The hull of the points added so far.
struct Surface<'a> {
    nodes: &'a [Node],
    faces: Vec<Face>,
    /// Points nearer than this to a face's plane are not added, in cells.
    least: f64,
}

impl<'a> Surface<'a> {
    /// The triangles of the hull of all points that stand out by more than `least` cells; `None` if all points lie in
    /// one plane.
    fn grow(nodes: &'a [Node], least: f64) -> Option<Vec<[u32; 3]>> {
        let mut surface = Self { nodes, faces: Vec::new(), least };
        surface.initial_tetrahedron()?;
        let mut next = 0;
        while next < surface.faces.len() {
            let face = &surface.faces[next];
            let height = |&i: &u32| face.height(nodes, i);
            let farthest = face.above.iter().copied().max_by(|a, b| height(a).total_cmp(&height(b)));
            match farthest {
                Some(point) if !face.removed => surface.add(point),
                _ => next += 1,
            }
        }
        Some(surface.faces.iter().filter(|face| !face.removed).map(|face| face.corners).collect())
    }

    /// Starts with four points far from each other.
    fn initial_tetrahedron(&mut self) -> Option<()> {
        let nodes = self.nodes;
        let all = || 0..nodes.len() as u32;
        let farthest = |far: &dyn Fn(u32) -> f64| all().max_by(|a, b| far(*a).total_cmp(&far(*b)));
        let at = |i: u32| place(nodes[i as usize]);
        let a = farthest(&|i| at(i).distance_squared(at(0)))?;
        let b = farthest(&|i| at(i).distance_squared(at(a)))?;
        let c = farthest(&|i| (at(b) - at(a)).cross(at(i) - at(a)).length_squared())?;
        let base = Face::new([a, b, c], nodes);
        let d = all().max_by_key(|&i| base.volume(nodes, i).abs())?;
        let volume = base.volume(nodes, d);
        if volume == 0 {
            return None;
        }
        let [b, c] = if volume > 0 { [c, b] } else { [b, c] };
        self.faces.extend([[a, b, c], [a, d, b], [b, d, c], [c, d, a]].map(|corners| Face::new(corners, nodes)));
        self.assign(all().collect());
        Some(())
    }

    /// Gives each point to the face above which it is highest. A point inside the surface is done with.
    fn assign(&mut self, points: Vec<u32>) {
        for point in points {
            let faces = self.faces.iter_mut().filter(|face| !face.removed && face.volume(self.nodes, point) > 0);
            let highest = faces
                .map(|face| (face.height(self.nodes, point), face))
                .filter(|(height, _)| *height > self.least)
                .max_by(|a, b| a.0.total_cmp(&b.0));
            if let Some((_, face)) = highest {
                face.above.push(point);
            }
        }
    }

    /// Adds a point that is above some face.
    fn add(&mut self, point: u32) {
        let mut edges = HashMap::new();
        let mut orphans = Vec::new();
        for face in self.faces.iter_mut().filter(|face| !face.removed) {
            if face.volume(self.nodes, point) > 0 {
                face.removed = true;
                orphans.append(&mut face.above);
                let [a, b, c] = face.corners;
                for edge in [(a, b), (b, c), (c, a)] {
                    edges.insert(edge, edges.len());
                }
            }
        }
        let mut border: Vec<_> = edges.iter().filter(|((a, b), _)| !edges.contains_key(&(*b, *a))).collect();
        // In the order of the faces, not of the map.
        border.sort_unstable_by_key(|(_, order)| **order);
        self.faces.extend(border.into_iter().map(|(&(a, b), _)| Face::new([a, b, point], self.nodes)));
        orphans.retain(|&orphan| orphan != point);
        self.assign(orphans);
    }
}
