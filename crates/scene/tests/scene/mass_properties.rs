//! Mass centres, inertias and collision groups in files: read, laid out in the frame of a part, mirrored, written back.

use std::sync::Arc;

use delassus_scene::{self as scene, Groups, Mirror};
use glam::{Mat3, Vec3};

const INNER: &str = r#"(
    version: 1,
    title: "inner",
    bodies: [
        (
            name: "rotor",
            shape: Box(half: (0.2, 0.3, 0.4)),
            at: (1, 0, 0),
            mass: 2,
            mass_centre: (0, 0, 0.1),
            inertia: (xx: 0.3, yy: 0.4, zz: 0.5, xy: 0.05),
            groups: [1, 4],
            mask: [0, 4],
        ),
        (name: "plain", shape: Box(half: (0.2, 0.3, 0.4)), at: (3, 0, 0)),
        (name: "twin", shape: Box(half: (0.2, 0.3, 0.4)), at: (5, 0, 0), mass_centre: (0, 0, 0.1)),
    ],
)"#;

/// A quarter turn about y takes z to x: the mass centre stands 0.1 m beside the shape's origin. The tensor is in the
/// shape's axes, which turn along.
#[test]
fn they_follow_their_part() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("inner.ron"), INNER).unwrap();
    let outer = r#"(version: 1, title: "outer", parts: [(name: "p", file: "inner.ron", at: (0, 0, 10),
        rotation: AxisAngle(axis: (0, 1, 0), angle: Degrees(90)))])"#;
    let path = folder.path().join("outer.ron");
    std::fs::write(&path, outer).unwrap();
    let flat = scene::read(&path).unwrap_or_else(|m| panic!("{}", m[0])).flat;
    let [rotor, plain, twin] = [0, 1, 2].map(|i| &flat.bodies[i].def);
    // The origin of the shape at (1, 0, 0) in the part comes to (0, 0, −1) + (0, 0, 10).
    assert!(rotor.position.distance(Vec3::new(0.1, 0.0, 9.0)) < 1e-5, "{}", rotor.position);
    let columns = [Vec3::new(0.3, 0.05, 0.0), Vec3::new(0.05, 0.4, 0.0), Vec3::Z * 0.5];
    assert_eq!(rotor.inertia, Some(Mat3::from_cols(columns[0], columns[1], columns[2])));
    let groups = |numbers: [u32; 2]| Groups::of(numbers).unwrap();
    assert_eq!((rotor.filter.groups, rotor.filter.mask), (groups([1, 4]), groups([0, 4])));
    assert_eq!((plain.inertia, plain.solid.centre, plain.filter.mask), (None, Vec3::ZERO, Groups::ALL));
    // Equal shapes with equal centres are one solid, others are not.
    assert!(Arc::ptr_eq(&rotor.solid, &twin.solid) && !Arc::ptr_eq(&rotor.solid, &plain.solid));
}

#[test]
fn they_are_written_as_they_are_read() {
    let read = scene::read_str(INNER, "inner").unwrap().scene;
    let text = scene::write(&read);
    assert_eq!(text.trim(), INNER.trim(), "{text}");
}

/// Mirrored in the plane of y and z, the mass centre changes its x and the tensor its products with x.
#[test]
fn their_image() {
    let scene = scene::read_str(INNER, "inner").unwrap().scene;
    let mut body = scene.bodies.iter().next().unwrap().clone();
    body.mass_centre = Some(Vec3::new(0.1, 0.2, 0.3));
    let mirror = Mirror { normal: Vec3::X, through: Vec3::ZERO };
    let image = mirror.body(&body);
    assert_eq!(image.mass_centre, Some(Vec3::new(-0.1, 0.2, 0.3)));
    assert_eq!(image.inertia.map(|inertia| (inertia.xx, inertia.xy)), Some((0.3, -0.05)));
    assert_eq!((image.groups, image.mask), (body.groups, body.mask));
    assert_eq!(mirror.body(&image), body);
}
