//! Tests of the mirror tool, driven like a user; the result moves as the mirror image.

use egui::{Key, Modifiers};
use egui_kittest::{Harness, kittest::Queryable};
use glam::Vec3;

use crate::bench::Bench;
use crate::editor::Tool;
use crate::editor::tests::placed;
use delassus_session::Command;

/// A scene without any mirror symmetry.
const SKEW: &str = r#"(
    version: 1,
    title: "Skew",
    bodies: [
        (name: "post", shape: Box(half: (0.1, 0.2, 0.3)), at: (3, 1, 4), motion: Static, rotation: Euler(x: 0.3, y: 0.2, z: 0.5)),
        (
            name: "arm",
            shape: Hull(points: [(0, 0, 0), (0.8, 0.1, 0), (0.1, 0.5, 0.1), (0.2, 0.2, 0.4)]),
            at: (3.2, 1, 3.6), rotation: Euler(x: 0.4, y: -0.3, z: 1.1), mass: 2, angular_velocity: (1, -2, 0.5),
        ),
        (
            name: "rod",
            shape: Compound(parts: [
                (shape: Capsule(radius: 0.1, half_length: 0.4)),
                (shape: Box(half: (0.2, 0.1, 0.05)), at: (0.1, 0.2, 0.3), rotation: Euler(x: 0.7, z: 0.4)),
            ]),
            at: (3.9, 1.4, 3.1), rotation: Euler(x: 1, y: 0.5, z: 0.2), mass: 1),
        (name: "bob", shape: Sphere(radius: 0.2), at: (4.4, 1.2, 2.5), mass: 1, velocity: (0.5, 1, 0)),
    ],
    joints: [
        (
            a: "post", b: "arm", anchor: (3, 1, 3.9), axis: (0.3, 1, 0.2),
            kind: Hinge(limit: (-0.3, 1.1), motor: (speed: 1.5, max_torque: 6), spring: (hertz: 0.4, damping_ratio: 0.1, angle: 0.4)),
        ),
        (
            a: "arm", b: "rod", anchor: (3.6, 1.2, 3.3), axis: (1, 0.2, -1),
            kind: ConeTwist(swing: Pyramid(0.3, 0.7), twist: (-0.2, 0.5)),
        ),
        (a: "rod", b: "bob", kind: Rope(length: 0.9)),
        (a: "world", b: "bob", anchor_a: (4, 3, 3), kind: Spring(hertz: 0.7)),
    ],
)"#;

/// The window of a scene with these bodies selected and the mirror tool active.
fn mirror(text: &str, bodies: &[u32]) -> Harness<'static, Bench> {
    let session = delassus_session::Session::from_text(text, "mirrored").expect("the scene is right");
    let mut harness = crate::bench::window_of(Bench::of(session));
    harness.run();
    harness.state_mut().state.selection.bodies = bodies.to_vec();
    harness.key_press_modifiers(Modifiers::COMMAND, Key::M);
    harness.run();
    assert_eq!(harness.state().state.editor.tool, Tool::Mirror);
    harness
}

/// Runs both and compares each body with the image of its original, for as long as stops and ropes that are met a
/// rounding error apart leave them together.
fn moves_as_its_image(
    original: &str,
    image: &mut delassus_session::Session,
    names: &[(&str, &str)],
    plane: delassus_scene::Mirror,
) {
    let mut session = delassus_session::Session::from_text(original, "original").expect("the scene is right");
    for step in 0..80 {
        for (name, other) in names {
            let find = |session: &delassus_session::Session, name: &str| {
                session.snapshot().bodies.iter().find(|b| &*b.name == name).expect("a body").pose
            };
            let (there, here) = (find(&session, name), find(image, other));
            let off = plane.point(there.position).distance(here.position);
            assert!(off < 1e-2, "{other} is {off} m off after {step} steps");
            let turned = plane.rotation(there.rotation).angle_between(here.rotation);
            assert!(turned < 4e-2, "{other} is {turned} rad off after {step} steps");
        }
        session.dispatch(Command::Step).expect("a scene");
        image.dispatch(Command::Step).expect("a scene");
    }
}

/// The same scene with a joint of six axes in the place of the hinge.
fn of_six_axes() -> String {
    let hinge = "Hinge(limit: (-0.3, 1.1), motor: (speed: 1.5, max_torque: 6), \
                 spring: (hertz: 0.4, damping_ratio: 0.1, angle: 0.4))";
    assert!(SKEW.contains(hinge));
    let six = "SixDof(x: Free(servo: (stiffness: 300, damping: 20, target: 0.1)), z: Free(limit: (-0.05, 0.1)), \
               about_x: Free(limit: (-0.3, 0.6)), about_y: Free(servo: (stiffness: 5, damping: 2, offset: 0.4)), \
               about_z: Free(), axes: (0.3, -0.7, 0.5), zero: (0.1, 0, -0.2))";
    SKEW.replace(hinge, six)
}

#[test]
fn a_mirrored_mechanism_moves_as_the_mirror_image() {
    mirrors(SKEW);
}

/// Slides and angles are mirrored as a frame is, not as one axis is.
#[test]
fn mirrored_joints_of_six_axes_move_as_the_mirror_image() {
    mirrors(&of_six_axes());
}

/// A winch of a turned axis, whose load holds another one over two sheaves: the image of its drum winds the other way round.
const ROPES: &str = r#"(
    version: 1,
    title: "Skew",
    bodies: [
        (name: "post", shape: Box(half: (0.1, 0.2, 0.3)), at: (3, 1, 4), motion: Static, collide: false),
        (
            name: "arm", shape: Cylinder(radius: 0.2, half_length: 0.1), at: (3.5, 1.2, 4),
            rotation: Euler(x: 1.2, z: 0.4), mass: 2, collide: false,
        ),
        (name: "rod", shape: Box(half: (0.1, 0.1, 0.2)), at: (3.3, 1.1, 2.5), mass: 1, collide: false),
        (name: "bob", shape: Sphere(radius: 0.1), at: (4.4, 1.2, 2.5), mass: 1, velocity: (0.2, 0.3, 0), collide: false),
    ],
    joints: [
        (
            a: "post", b: "arm", anchor: (3.5, 1.2, 4), axis: (0.2, 1, 0.1),
            kind: Hinge(motor: (speed: 3, max_torque: 40)),
        ),
        (a: "arm", b: "rod", axis: (0.2, 1, 0.1), kind: Drum(radius: 0.2)),
        (
            a: "rod", b: "bob",
            kind: Pulley(over_a: (3.2, 1.3, 4.5), over_b: (4.4, 1, 4.2), ratio: 2, friction: 0.2),
        ),
        (a: "world", b: "bob", anchor_a: (4, 3, 3), kind: Spring(hertz: 0.7)),
    ],
)"#;

/// A cam without a plane of symmetry lifts a rod, on which a bob hangs.
const CAM: &str = r#"(
    version: 1,
    title: "Skew",
    bodies: [
        (name: "post", shape: Box(half: (0.1, 0.2, 0.3)), at: (3, 1, 4), motion: Static, collide: false),
        (
            name: "arm", shape: Cylinder(radius: 0.2, half_length: 0.1), at: (3.5, 1.2, 4),
            rotation: Euler(x: 1.2, z: 0.4), mass: 2, collide: false,
        ),
        (name: "rod", shape: Box(half: (0.1, 0.1, 0.2)), at: (3.9, 1.2, 4), mass: 1, collide: false),
        (name: "bob", shape: Sphere(radius: 0.1), at: (4.4, 1.2, 3.5), mass: 1, velocity: (0.2, 0.3, 0), collide: false),
    ],
    joints: [
        (
            a: "post", b: "arm", anchor: (3.5, 1.2, 4), axis: (0, 1, 0.2),
            kind: Hinge(motor: (speed: 3, max_torque: 40)),
        ),
        (a: "post", b: "rod", axis: (1, 0.1, 0), kind: Prismatic),
        (
            a: "arm", b: "rod", axis: (0, 1, 0.2),
            kind: Cam(radii: [0.5, 0.4, 0.33, 0.35, 0.4, 0.37], roller: 0.02, zero: 0.9),
        ),
        (a: "rod", b: "bob", kind: Distance),
    ],
)"#;

/// Joints that are written down: a pin, a coupling by angles and by a cross product, a rod within bounds.
const FORMULAS: &str = r#"(
    version: 1,
    title: "Skew",
    bodies: [
        (name: "post", shape: Box(half: (0.1, 0.2, 0.3)), at: (3, 1, 4), motion: Static, collide: false),
        (
            name: "arm", shape: Box(half: (0.5, 0.1, 0.2)), at: (3.5, 1.2, 4),
            rotation: Euler(x: 1.2, z: 0.4), mass: 2, collide: false,
        ),
        (name: "bob", shape: Box(half: (0.1, 0.2, 0.1)), at: (4.4, 1.2, 3.5), mass: 1, velocity: (0.2, 0.3, 0), collide: false),
        (name: "rod", shape: Sphere(radius: 0.1), at: (4.8, 1.2, 3.2), mass: 1, collide: false),
    ],
    joints: [
        (a: "bob", b: "rod", kind: Distance),
        (a: "post", b: "rod", kind: Rope),
        (
            a: "post", b: "arm", anchor: (3, 1, 4), axis: (0, 1, 0.2),
            kind: Formula(rows: ["dot(pB - pA, xA)", "dot(pB - pA, yA)", "dot(pB - pA, zA)", "angle + 0.3*dot(cross(aA, xB), zA) - c"],
                parameters: [("c", 0.1)]),
        ),
        (a: "arm", b: "bob", kind: Formula(rows: ["distance - rest"], bounds: [Between(-0.1, 0)])),
    ],
)"#;

#[test]
fn a_mirrored_formula_moves_as_the_mirror_image() {
    mirrors(FORMULAS);
}

#[test]
fn a_mirrored_cam_moves_as_the_mirror_image() {
    mirrors(CAM);
}

#[test]
fn mirrored_ropes_move_as_the_mirror_image() {
    mirrors(ROPES);
}

fn mirrors(skew: &str) {
    for (key, normal) in [(Key::X, Vec3::X), (Key::Y, Vec3::Y), (Key::Z, Vec3::Z)] {
        // Gravity is not symmetric across z: there it is zero.
        let text = match key {
            Key::Z => skew.replace(
                "title: \"Skew\",",
                "title: \"Skew\", settings: (preset: SingleStep, step: (gravity: (0, 0, 0))),",
            ),
            _ => skew.replace("title: \"Skew\",", "title: \"Skew\", settings: (preset: SingleStep),"),
        };
        let mut harness = mirror(&text, &[1, 2, 3, 4]);
        let before = harness.state().session.scene().expect("a scene").clone();
        harness.key_press(key);
        harness.get_by_label("Mirror through: the origin").click();
        harness.run();
        assert_eq!(harness.state().state.view3d.preview.ghosts.len(), 4, "the image is seen before");
        harness.key_press(Key::Enter);
        harness.run();
        assert_eq!(harness.state().session.undo_label(), Some("Change 4 bodies, 4 joints"));
        let names = [("post", "post"), ("arm", "arm"), ("rod", "rod"), ("bob", "bob")];
        let plane = delassus_scene::Mirror { normal, through: Vec3::ZERO };
        moves_as_its_image(&text, &mut harness.state_mut().session, &names, plane);
        assert_ne!(*harness.state().session.scene().expect("a scene"), before);
        harness.state_mut().session.dispatch(Command::Undo).expect("an entry");
        assert_eq!(*harness.state().session.scene().expect("a scene"), before, "one gesture, one entry");
    }
}

/// The body from which it hangs stays, and has axes that are not mirrored.
#[test]
fn a_mirrored_copy_of_six_axes_moves_as_the_mirror_image() {
    let apart = of_six_axes()
        .replace("title: \"Skew\",", "title: \"Skew\", settings: (preset: SingleStep),")
        .replace(", mass: ", ", collide: false, mass: ");
    let mut harness = mirror(&apart, &[2, 3, 4]);
    harness.key_press(Key::Y);
    harness.get_by_role_and_label(egui::Role::Switch, "Mirror a copy").click();
    harness.get_by_label("Mirror").click();
    harness.run();
    let names = [("arm", "arm-2"), ("rod", "rod-2"), ("bob", "bob-2")];
    let plane = delassus_scene::Mirror { normal: Vec3::Y, through: Vec3::new(0.0, 1.2, 0.0) };
    moves_as_its_image(&apart, &mut harness.state_mut().session, &names, plane);
}

#[test]
fn a_mirrored_copy_has_joints_of_its_own_to_what_stays() {
    let mut harness = mirror(SKEW, &[2, 3, 4]);
    harness.key_press(Key::Y);
    harness.get_by_role_and_label(egui::Role::Switch, "Mirror a copy").click();
    harness.get_by_label("Mirror").click();
    harness.run();
    let scene = harness.state().session.scene().expect("a scene");
    let names: Vec<_> = scene.bodies.iter().skip(4).map(|b| b.name.as_str()).collect();
    assert_eq!(names, ["arm-2", "rod-2", "bob-2"]);
    let ends: Vec<_> = scene.joints.iter().skip(4).map(|j| (j.a.as_str(), j.b.as_str())).collect();
    assert_eq!(ends, [("post", "arm-2"), ("arm-2", "rod-2"), ("rod-2", "bob-2"), ("world", "bob-2")]);
    // The centre of the three is at y = 1.2: the image hangs from the post at the mirrored position.
    let plane = delassus_scene::Mirror { normal: Vec3::Y, through: Vec3::new(0.0, 1.2, 0.0) };
    let place = placed(&harness, &harness.state().session.snapshot().joints[4]);
    assert!(place.anchor_b.distance(plane.point(Vec3::new(3.0, 1.0, 3.9))) < 1e-4, "{}", place.anchor_b);
    assert!(place.anchor_a.distance(place.anchor_b) < 1e-4 && place.axis_a.angle_between(place.axis_b) < 1e-3);
}
