//! A simple shape that stands for a mesh: `type="box" mesh="m"`. Its size is that of the mesh's inertia box, the box of even
//! density with the same inertia per mass; a `size` says nothing then. Source: MuJoCo (geom, mesh), and MuJoCo 4.0 itself.

use delassus_physics::inertia::Principal;
use glam::{DMat3, DQuat, DVec3};

use crate::frame::Frame;
use crate::shapes::{Form, Mesh};

/// The shape of this kind, and its frame in that of the mesh. `None` if the mesh encloses nothing or there is no such kind.
///
/// ```text
/// half² = 3/2 (I₂ + I₃ − I₁) per mass, the longest along z
/// ball: their mean;  round ones: the mean of x and y, and z, of which a capsule's ends take half a radius
/// ```
pub fn to_mesh(kind: &str, mesh: &Mesh, scale: f64) -> Option<(Frame, Form)> {
    let (_, centre, unit) = mesh.solid?;
    let most = unit.to_cols_array().into_iter().map(f64::abs).fold(0.0, f64::max);
    let principal = Principal::of(&(unit * (1.0 / most)).as_mat3());
    let moments = principal.moments.as_dvec3() * most;
    let turn = principal.axes.as_dquat();
    // The least moment is about the longest side.
    let axes = DMat3::from_cols(turn * DVec3::Z, turn * DVec3::NEG_Y, turn * DVec3::X);
    let half = |own: f64, others: f64| (1.5 * (others - own)).max(0.0).sqrt() * scale;
    let DVec3 { x: least, y: middle, z: greatest } = moments;
    let box_half =
        DVec3::new(half(greatest, least + middle), half(middle, least + greatest), half(least, middle + greatest));
    let radius = 0.5 * (box_half.x + box_half.y);
    let form = match kind {
        "box" => Form::Box(box_half),
        "ellipsoid" => Form::Ellipsoid(box_half),
        "sphere" => Form::Sphere(box_half.element_sum() / 3.0),
        "cylinder" => Form::Cylinder(radius, box_half.z),
        "capsule" => Form::Capsule(radius, (box_half.z - 0.5 * radius).max(0.0)),
        _ => return None,
    };
    let sound = form.solid().is_some_and(|(volume, ..)| volume > 0.0);
    sound.then(|| (Frame { origin: centre, turn: DQuat::from_mat3(&axes).normalize() }, form))
}
