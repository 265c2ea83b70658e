//! The real window, end to end: on a virtual display of its own, with the software driver, a user opens a scene,
//! changes a setting, drags a body, saves, undoes, opens another scene and quits.
//!
//! Controls are found by name in the layout that the program writes if `DELASSUS_LAYOUT` is set; what is visible is
//! read from the display's frame buffer.
#![cfg(feature = "gui")]

mod desk;
mod instruments;
mod linkage;
mod pictures;
mod recovery;
mod share;

use std::{fs, process::Command};

use desk::{Desk, colorfulness, virtual_display};

/// A ball in the middle of the picture that only the mouse moves.
const SCENE: &str = r#"// Kept: a comment of the author.
(
    version: 1,
    title: "A ball to pull",
    settings: (step: (gravity: (0, 0, 0))),
    camera: (eye: (0, -10, 1), target: (0, 0, 1)),
    bodies: [
        (name: "ball", shape: Sphere(radius: 1), at: (0, 0, 1), mass: Some(1)),
    ],
)
"#;

#[test]
fn a_user_flips_a_switch_pulls_a_body_saves_and_quits() {
    let mut desk = Desk::open("ball.ron", SCENE);
    let view = desk.control("Canvas", "3-D view");
    desk.focus();
    desk.wait("the title names the scene", |desk| {
        desk.window_title().filter(|title| title == "A ball to pull – Delassus")
    });

    // The ball is in the middle of the view, the background beside it.
    let (x, y) = view.middle();
    let beside = (x + 170, y);
    desk.wait("the ball is seen in the middle", |desk| {
        (colorfulness(desk.pixel((x, y))?) > 30 && colorfulness(desk.pixel(beside)?) < 25).then_some(())
    });

    // A setting of the solver: it now differs from the file, and the document is unsaved.
    desk.click("Switch", "Warm starting");
    desk.control("Button", "Reset warm_start.enabled");
    desk.wait("the title says that there are changes", |desk| {
        desk.window_title().filter(|title| title.starts_with("A ball to pull*"))
    });

    // Pulled sideways with the mouse, the ball follows the pointer.
    desk.input(&["mousemove", &x.to_string(), &y.to_string()]);
    desk.input(&["keydown", "ctrl"]);
    desk.input(&["mousedown", "1"]);
    for part in 1..=10 {
        desk.input(&["mousemove", &(x + 17 * part).to_string(), &y.to_string()]);
    }
    desk.wait("the ball has followed the pointer", |desk| {
        let (left, right) = (desk.pixel((x - 60, y))?, desk.pixel((x + 170, y + 25))?);
        (colorfulness(left) < 25 && colorfulness(right) > 30).then_some(())
    });
    desk.input(&["mouseup", "1"]);
    desk.input(&["keyup", "ctrl"]);

    // Saved: the setting is in the file, and the author's text is still there.
    desk.input(&["key", "ctrl+s"]);
    let saved = desk.wait("the file holds the switch", |desk| {
        fs::read_to_string(desk.path("ball.ron")).ok().filter(|text| text.contains("enabled: false"))
    });
    let expected = SCENE.replace("gravity: (0, 0, 0))", "gravity: (0, 0, 0)), warm_start: (enabled: false)");
    assert_eq!(saved, expected, "what was not changed stays as it was written");
    desk.wait("nothing is unsaved", |desk| desk.window_title().filter(|title| !title.contains('*')));

    // Undone, and left by opening a scene of the library: a notice offers to restore it, and no question is asked.
    desk.input(&["key", "ctrl+z"]);
    desk.control("Button", "Reset warm_start.enabled");
    desk.click("Button", "Pendulum");
    desk.wait("the other scene is open", |desk| desk.window_title().filter(|title| title.starts_with("Pendulum")));
    desk.control("Button", "Bring back");

    desk.input(&["key", "ctrl+q"]);
    let (status, kept, _) = desk.leave();
    assert!(status.success(), "{status}");
    assert!(kept.contains("08-pendulum"), "{kept}");
}

#[test]
fn without_a_display_one_sentence_and_exit_code_1() {
    let output = Command::new(env!("CARGO_BIN_EXE_delassus"))
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .env_remove("WAYLAND_SOCKET")
        .output()
        .expect("the program starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.starts_with("No display was found"), "{said}");
    assert_eq!(said.trim().lines().count(), 1, "{said}");
}

#[test]
fn without_an_adapter_one_sentence_and_exit_code_1() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (_server, display) = virtual_display(folder.path());
    let output = Command::new(env!("CARGO_BIN_EXE_delassus"))
        .env("DISPLAY", display)
        .env_remove("WAYLAND_DISPLAY")
        .env("DELASSUS_CONFIG", folder.path())
        // No Vulkan driver, and no search for OpenGL.
        .env("VK_LOADER_DRIVERS_DISABLE", "*")
        .env("VK_DRIVER_FILES", "/nonexistent.json")
        .env("WGPU_BACKEND", "vulkan")
        .output()
        .expect("the program starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("mesa-vulkan-drivers"), "{said}");
}
