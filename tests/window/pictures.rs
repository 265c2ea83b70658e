//! The pictures of the tools in `docs/pictures`, taken from the real window: `scripts/pictures` runs this test.

use std::{fs, path::PathBuf, thread::sleep, time::Duration};

use delassus::render::camera::Camera;
use delassus::render::orbit_view::OrbitView;
use glam::Vec3;

use super::desk::{Desk, Sight};

const EYE: Vec3 = Vec3::new(2.6, -7.2, 3.4);
const TARGET: Vec3 = Vec3::new(0.2, 0.0, 0.9);

/// A workbench with something for every tool: a door between stops, a slider, bodies to grab.
const BENCH: &str = r#"(
    version: 1,
    title: "A workbench",
    about: "Something for every tool.",
    camera: (eye: (2.6, -7.2, 3.4), target: (0.2, 0, 0.9)),
    bodies: [
        (name: "floor", shape: Box(half: (6, 6, 0.5)), at: (0, 0, -0.5), motion: Static),
        (name: "post", shape: Box(half: (0.1, 0.1, 1)), at: (0.6, 0.4, 1), motion: Static),
        (name: "door", shape: Box(half: (0.6, 0.06, 0.7)), at: (1.35, 0.4, 1), mass: 8),
        (name: "box", shape: Box(half: (0.4, 0.4, 0.4)), at: (-1.1, -0.4, 0.4)),
        (name: "cylinder", shape: Cylinder(radius: 0.3, half_length: 0.35), at: (-2, 0.9, 0.35)),
        (name: "ball", shape: Sphere(radius: 0.35), at: (-0.3, -1.6, 0.35)),
    ],
    joints: [
        (name: "door-hinge", a: "post", b: "door", anchor: (0.72, 0.4, 1), axis: (0, 0, 1), kind: Hinge(
            limit: (Degrees(-75), Degrees(40)),
        )),
    ],
)
"#;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("docs/pictures")
}

/// Takes a picture once the window has come to rest.
fn take(desk: &Desk, name: &str) {
    sleep(Duration::from_millis(1500));
    desk.picture(&folder().join(name).with_extension("png"));
}

fn sight(desk: &mut Desk) -> Sight {
    Sight { camera: Camera::new(OrbitView::between(EYE, TARGET)), view: desk.control("Canvas", "3-D view") }
}

fn hover(desk: &Desk, (x, y): (i32, i32)) {
    desk.input(&["mousemove", &x.to_string(), &y.to_string()]);
}

#[test]
#[ignore = "writes docs/pictures: run scripts/pictures"]
fn the_pictures_of_the_tools() {
    fs::create_dir_all(folder()).expect("the folder can be made");
    let mut desk = Desk::open("workbench.ron", BENCH);
    desk.control("Canvas", "3-D view");
    desk.focus();
    // Paused at the beginning, with the Inspector open.
    desk.press(&["p", "r"]);
    desk.click("RadioButton", "Tab: Inspector");
    sleep(Duration::from_secs(1));
    let seen = sight(&mut desk);

    // Arrows, rings and cubes on the box.
    desk.click_at(seen.at(-1.1, -0.4, 0.5));
    for (tool, name) in
        [("Tool: Move", "move"), ("Tool: Rotate", "rotate"), ("Tool: Scale", "scale"), ("Tool: Mirror", "mirror")]
    {
        desk.click("Button", tool);
        hover(&desk, seen.at(1.2, -2.0, 0.0));
        take(&desk, name);
    }

    // The handles of the door's stops.
    desk.click("Button", "Tool: Select");
    let seen = sight(&mut desk);
    desk.click_at(seen.at(0.72, 0.4, 1.0));
    desk.wait("the hinge is selected", |desk| desk.label(|label| label == "door-hinge"));
    take(&desk, "stops");

    // A joint during the drag that creates it.
    desk.press(&["j"]);
    desk.choose("Joint kind", "Hinge");
    let seen = sight(&mut desk);
    hover(&desk, seen.at(-0.3, -1.6, 0.5));
    desk.input(&["mousedown", "1"]);
    sleep(Duration::from_millis(500));
    hover(&desk, seen.at(-0.7, -1.2, 0.5));
    sleep(Duration::from_millis(500));
    hover(&desk, seen.at(-1.0, -0.75, 0.5));
    take(&desk, "joint");
    desk.press(&["Escape"]);
    desk.input(&["mouseup", "1"]);
    desk.press(&["Escape"]);

    // A ghost that rests on the box.
    desk.press(&["b"]);
    desk.click("Button", "Capsule");
    hover(&desk, seen.at(-1.1, -0.4, 0.8));
    take(&desk, "spawn");
    desk.press(&["Escape", "Escape"]);

    desk.click("RadioButton", "Left tab: Outliner");
    take(&desk, "outliner");
    desk.click("RadioButton", "Left tab: Library");

    desk.press(&["ctrl+p"]);
    desk.control("TextInput", "Find a scene or a command");
    desk.input(&["type", "--delay", "40", "hinge"]);
    take(&desk, "finder");
    desk.press(&["Escape"]);

    desk.click("Button", "Help");
    desk.click("Button", "Tour: build a four-bar linkage");
    desk.click("Button", "Start the tour");
    desk.wait("the tour has begun", |desk| desk.label(|label| label == "1 of 11"));
    sleep(Duration::from_secs(2));
    take(&desk, "tour");
}
