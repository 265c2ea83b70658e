//! Meshes: STL, binary and as text, and OBJ, as convex hulls.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use glam::{DMat3, DVec3};

use crate::report::{Place, Report};
use crate::shapes::{self, MAX_CORNERS, Mesh};

/// A triangle by its corners, m.
type Triangle = [DVec3; 3];

/// A mesh's file and its scale, as bits.
type Key = (String, [u64; 3]);

/// Reads the meshes of a model, each once.
pub struct Meshes<'a> {
    read: &'a dyn Fn(&str) -> Result<Vec<u8>, String>,
    report: &'a Report,
    known: RefCell<HashMap<Key, Option<Rc<Mesh>>>>,
    /// How far each mesh stands out of its corners, m, its file and where it is named.
    hulls: RefCell<Vec<(f64, String, Place)>>,
}

impl<'a> Meshes<'a> {
    /// `read` reads a file by the name that the model gives it.
    pub fn new(read: &'a dyn Fn(&str) -> Result<Vec<u8>, String>, report: &'a Report) -> Self {
        Self { read, report, known: RefCell::default(), hulls: RefCell::default() }
    }

    /// The mesh of a file, scaled. `None`, and a note, if it cannot be read.
    pub fn load(&self, file: &str, scale: DVec3, place: Place) -> Option<Rc<Mesh>> {
        let key = (file.to_owned(), scale.to_array().map(f64::to_bits));
        if let Some(known) = self.known.borrow().get(&key) {
            return known.clone();
        }
        let triangles = (self.read)(file).and_then(|bytes| triangles(file, &bytes));
        let mesh = triangles.and_then(|list| of(file, &list.iter().map(|t| t.map(|p| p * scale)).collect::<Vec<_>>()));
        let title = format!("mesh `{file}`");
        let mesh = match mesh {
            Ok((mesh, short)) => {
                self.hulls.borrow_mut().push((short, file.to_owned(), place));
                Some(Rc::new(mesh))
            }
            Err(why) => {
                self.report.note(place, title, format!("is left out: {why}"));
                None
            }
        };
        self.known.borrow_mut().insert(key, mesh.clone());
        mesh
    }

    /// Reports what became of all meshes.
    pub fn report(&self) {
        let hulls = self.hulls.borrow();
        let Some(first) = hulls.iter().map(|(.., place)| *place).min() else { return };
        let mut what = format!("the convex hulls of {} files are used", hulls.len());
        let reduced = hulls.iter().filter(|(short, ..)| *short > 0.0);
        if let Some((short, file, _)) = reduced.clone().max_by(|a, b| a.0.total_cmp(&b.0)) {
            what += &format!(
                "; {} of them have at most {MAX_CORNERS} corners, from which the surface stands out by up to {:.2} mm \
                 (`{file}`)",
                reduced.count(),
                short * 1e3
            );
        }
        self.report.note(first, "meshes", what);
    }

    /// The mesh of points that stand in the model itself.
    ///
    /// # Errors
    /// They enclose nothing.
    pub fn of_points(name: &str, points: &[DVec3]) -> Result<Rc<Mesh>, String> {
        let triangles: Vec<Triangle> = points.iter().map(|p| [*p; 3]).collect();
        let (mut mesh, _) = of(name, &triangles)?;
        mesh.solid = shapes::hull(&mesh.corners).solid().map(|solid| {
            let centre = solid.centre.as_dvec3();
            (f64::from(solid.volume), centre, solid.unit_inertia.as_dmat3())
        });
        Ok(Rc::new(mesh))
    }
}

/// The mesh of triangles, and by how much they stand out from its corners' hull.
fn of(name: &str, triangles: &[Triangle]) -> Result<(Mesh, f64), String> {
    let points: Vec<DVec3> = triangles.iter().flatten().copied().collect();
    if !points.iter().all(|point| point.is_finite()) {
        return Err("a corner is not finite".into());
    }
    let (corners, short) = shapes::corners(&points);
    if shapes::hull(&corners).solid().is_none() {
        return Err("it is flat: its convex hull encloses nothing".into());
    }
    let largest = corners.iter().map(|corner| corner.abs().max_element()).fold(0.0, f64::max);
    let short = if short > 1e-6 * largest { short } else { 0.0 };
    Ok((Mesh { name: name.into(), corners, solid: solid(triangles) }, short))
}

/// Volume, centre and inertia per mass of what triangles enclose: sums over the tetrahedra from the first corner.
fn solid(triangles: &[Triangle]) -> Option<(f64, DVec3, DMat3)> {
    let origin = triangles.first()?[0];
    let outer = |v: DVec3| DMat3::from_cols(v * v.x, v * v.y, v * v.z);
    let (mut volume, mut first, mut second) = (0.0, DVec3::ZERO, DMat3::ZERO);
    for triangle in triangles {
        let [a, b, c] = triangle.map(|p| p - origin);
        let (v, s) = (a.dot(b.cross(c)) / 6.0, a + b + c);
        volume += v;
        first += s * (v / 4.0);
        second += (outer(s) + outer(a) + outer(b) + outer(c)) * (v / 20.0);
    }
    // Triangles the other way round have a negative volume.
    let centre = first / volume;
    let second = second * (1.0 / volume) - outer(centre);
    let trace = second.x_axis.x + second.y_axis.y + second.z_axis.z;
    let unit = DMat3::from_diagonal(DVec3::splat(trace)) - second;
    let sound = volume.abs() > 0.0 && unit.is_finite() && (0..3).all(|i| unit.col(i)[i] > 0.0);
    sound.then(|| (volume.abs(), origin + centre, unit))
}

/// The triangles of a file, by its name's end.
fn triangles(file: &str, bytes: &[u8]) -> Result<Vec<Triangle>, String> {
    let end = file.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    let found = match end.as_str() {
        "stl" => stl(bytes)?,
        "obj" => obj(bytes)?,
        "msh" => msh(bytes)?,
        _ => return Err(format!("meshes of the kind `.{end}` cannot be read; STL and OBJ can")),
    };
    if found.is_empty() { Err("it has no triangles".into()) } else { Ok(found) }
}

/// Binary: 80 bytes, the number of triangles, and 50 bytes each. As text: `vertex x y z`, three of them a triangle.
fn stl(bytes: &[u8]) -> Result<Vec<Triangle>, String> {
    const HEAD: usize = 84;
    const EACH: usize = 50;
    let float = |at: &[u8]| f64::from(f32::from_le_bytes([at[0], at[1], at[2], at[3]]));
    let count = bytes.get(80..HEAD).map(|n| u32::from_le_bytes([n[0], n[1], n[2], n[3]]) as usize);
    if let Some(count) = count
        && bytes.len() as u64 >= HEAD as u64 + count as u64 * EACH as u64
        && (count > 0 || !bytes.starts_with(b"solid"))
    {
        let corner = |at: &[u8]| DVec3::new(float(at), float(&at[4..]), float(&at[8..]));
        let triangle = |at: &[u8]| [12, 24, 36].map(|start| corner(&at[start..]));
        return Ok(bytes[HEAD..].chunks_exact(EACH).take(count).map(triangle).collect());
    }
    let text = std::str::from_utf8(bytes).map_err(|_| "it is cut short".to_owned())?;
    let mut points = Vec::new();
    for (number, line) in text.lines().enumerate() {
        if let Some(rest) = line.trim_start().strip_prefix("vertex") {
            points.push(point(rest).ok_or_else(|| format!("line {} has no three numbers", number + 1))?);
        }
    }
    Ok(points.chunks_exact(3).map(|p| [p[0], p[1], p[2]]).collect())
}

fn point(text: &str) -> Option<DVec3> {
    let mut numbers = text.split_whitespace().map(str::parse::<f64>);
    let mut next = || numbers.next().and_then(Result::ok);
    Some(DVec3::new(next()?, next()?, next()?))
}

/// `v x y z` and `f a b c …`, counted from one, or from the end if negative; `/` and what follows is passed over.
fn obj(bytes: &[u8]) -> Result<Vec<Triangle>, String> {
    let text = String::from_utf8_lossy(bytes);
    let (mut points, mut triangles) = (Vec::new(), Vec::new());
    for (number, line) in text.lines().enumerate() {
        let wrong = || format!("line {} cannot be read", number + 1);
        let line = line.trim();
        if let Some(rest) = line.strip_prefix("v ") {
            points.push(point(rest).ok_or_else(wrong)?);
        } else if let Some(rest) = line.strip_prefix("f ") {
            let corner = |word: &str| {
                let index: i64 = word.split('/').next()?.parse().ok()?;
                let index = if index < 0 { points.len() as i64 + index } else { index - 1 };
                points.get(usize::try_from(index).ok()?).copied()
            };
            let corners = rest.split_whitespace().map(corner).collect::<Option<Vec<DVec3>>>().ok_or_else(wrong)?;
            for i in 2..corners.len() {
                triangles.push([corners[0], corners[i - 1], corners[i]]);
            }
        }
    }
    if triangles.is_empty() {
        triangles = points.iter().map(|p| [*p; 3]).collect();
    }
    Ok(triangles)
}

/// MuJoCo's own: the numbers of corners, normals, texture points and triangles; then these, 32 bits each.
fn msh(bytes: &[u8]) -> Result<Vec<Triangle>, String> {
    let word = |i: usize| bytes.get(4 * i..4 * i + 4).map(|b| [b[0], b[1], b[2], b[3]]);
    let whole = |i: usize| word(i).and_then(|b| usize::try_from(i32::from_le_bytes(b)).ok());
    let float = |i: usize| word(i).map(|b| f64::from(f32::from_le_bytes(b)));
    let read = || {
        let [corners, normals, texture, faces] = [whole(0)?, whole(1)?, whole(2)?, whole(3)?];
        let first = 4 + 3 * corners + 3 * normals + 2 * texture;
        let corner = |i: usize| {
            let at = 4 + 3 * i;
            (i < corners).then_some(DVec3::new(float(at)?, float(at + 1)?, float(at + 2)?))
        };
        let face = |i: usize| {
            let at = first + 3 * i;
            Some([corner(whole(at)?)?, corner(whole(at + 1)?)?, corner(whole(at + 2)?)?])
        };
        (0..faces).map(face).collect::<Option<Vec<Triangle>>>()
    };
    read().ok_or_else(|| "it is cut short".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tetrahedron with a corner at the origin and edges of 1 m along the axes: volume 1/6, centre at a quarter.
    fn tetrahedron() -> Vec<Triangle> {
        let [o, x, y, z] = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
        vec![[o, y, x], [o, x, z], [o, z, y], [x, y, z]]
    }

    #[test]
    fn the_same_triangles_come_from_every_kind_of_file() {
        let mut binary = vec![b's'; 80];
        binary.extend(4u32.to_le_bytes());
        let (mut text, mut obj) = (String::from("solid t\n"), String::new());
        for (i, triangle) in tetrahedron().iter().enumerate() {
            binary.extend([0; 12]);
            for p in triangle {
                text += &format!("  vertex {} {} {}\n", p.x, p.y, p.z);
                obj += &format!("v {} {} {}\n", p.x, p.y, p.z);
                p.to_array().iter().for_each(|x| binary.extend((*x as f32).to_le_bytes()));
            }
            obj += &format!("f {}/1 -2//3 {}\n", 3 * i + 1, 3 * i + 3);
            binary.extend([0; 2]);
        }
        for (name, bytes) in [("a.STL", binary.as_slice()), ("b.stl", text.as_bytes()), ("c.obj", obj.as_bytes())] {
            assert_eq!(triangles(name, bytes).unwrap(), tetrahedron(), "{name}");
        }
        assert!(triangles("a.stl", &binary[..200]).is_err());
        assert!(triangles("a.dae", &binary).unwrap_err().contains(".dae"));
    }

    /// I_xx about the centre of mass, per mass: 3/80 (1 + 1) m².
    #[test]
    fn volume_centre_and_inertia_of_a_tetrahedron() {
        let (volume, centre, unit) = solid(&tetrahedron()).unwrap();
        assert!((volume - 1.0 / 6.0).abs() < 1e-12);
        assert!((centre - 0.25).abs().max_element() < 1e-12);
        assert!((unit.x_axis.x - 3.0 / 40.0).abs() < 1e-12, "{unit}");
    }
}
