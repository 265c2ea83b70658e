//! Forces and drag in files: read, laid out in the frame of a part, mirrored, and written back.

use delassus_physics::force::{ByTime, Drag, ForceFrame};
use delassus_scene::{self as scene, Mirror};
use glam::Vec3;

const INNER: &str = r#"(
    version: 1,
    title: "inner",
    bodies: [
        (
            name: "wedge",
            shape: Hull(points: [(0, 0, 0), (4, 0, 0), (0, 4, 0), (0, 0, 4)]),
            at: (1, 0, 0),
            forces: [
                (force: (3, 0, 0), at: (0, 0, 4)),
                (torque: (0, 2, 0), frame: Body, by_time: Sinusoid(rate: 3, phase: Degrees(90))),
                (force: (0, 0, 1), by_time: Table(points: [(0, 1), (2, 0.5)])),
                (force: (0, 1, 0), by_time: Formula(factor: "0.5* sin(2*t)", start: 1.5)),
            ],
            drag: (linear: 0.5, angular: 0.1),
        ),
    ],
)"#;

fn near(a: Vec3, b: Vec3) {
    assert!(a.distance(b) < 1e-5, "{a} is not {b}");
}

/// A quarter turn about z takes x to y. What is given in the body's axes stays as it is. The centre of mass of a
/// tetrahedron is the mean of its corners.
#[test]
fn they_follow_their_part() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("inner.ron"), INNER).unwrap();
    let outer = r#"(version: 1, title: "outer", parts: [(name: "p", file: "inner.ron", at: (0, 0, 10),
        rotation: AxisAngle(axis: (0, 0, 1), angle: Degrees(90)))])"#;
    let path = folder.path().join("outer.ron");
    std::fs::write(&path, outer).unwrap();
    let flat = scene::read(&path).unwrap_or_else(|m| panic!("{}", m[0])).flat;
    let def = &flat.bodies[0].def;
    near(def.forces[0].force, Vec3::Y * 3.0);
    near(def.forces[0].at.unwrap(), Vec3::Z * 4.0 - Vec3::ONE);
    near(def.forces[1].torque, Vec3::Y * 2.0);
    assert_eq!((def.forces[1].frame, def.forces[1].at), (ForceFrame::Body, None));
    assert_eq!(def.forces[2].by_time, ByTime::Table { points: vec![(0.0, 1.0), (2.0, 0.5)] });
    assert_eq!(def.drag, Some(Drag { linear: 0.5, quadratic: 0.0, angular: 0.1 }));
}

#[test]
fn they_are_written_as_they_are_read() {
    let read = scene::read_str(INNER, "inner").unwrap().scene;
    let text = scene::write(&read);
    assert_eq!(text.trim(), INNER.trim(), "{text}");
}

/// Mirrored in the plane of x and z, a force keeps its part along y with the other sign, a torque the others.
#[test]
fn their_image_is_that_of_a_force_and_of_a_torque() {
    let scene = scene::read_str(INNER, "inner").unwrap().scene;
    let mut body = scene.bodies.iter().next().unwrap().clone();
    (body.forces[0].force, body.forces[0].torque) = (Vec3::new(1.0, 2.0, 3.0), Vec3::new(4.0, 5.0, 6.0));
    body.forces[0].at = Some(Vec3::new(0.1, 0.2, 0.3));
    let mirror = Mirror { normal: Vec3::Y, through: Vec3::ZERO };
    let image = mirror.body(&body);
    near(image.forces[0].force, Vec3::new(1.0, -2.0, 3.0));
    near(image.forces[0].torque, Vec3::new(-4.0, 5.0, -6.0));
    near(image.forces[0].at.unwrap(), Vec3::new(0.1, -0.2, 0.3));
    // A moment r × F has the image of a torque.
    let moment = |force: &delassus_physics::force::Force| force.at.unwrap().cross(force.force);
    near(moment(&image.forces[0]), mirror.axial(moment(&body.forces[0])));
    assert_eq!(mirror.body(&image).forces, body.forces);
}
