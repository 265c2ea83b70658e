//! A four-bar linkage built with the mouse: three bodies from the palette, four hinges dragged between them, a motor.
//! It runs, is saved, and when opened again it is the same bit for bit.

use std::{
    fs,
    process::Command,
    thread::sleep,
    time::{Duration, Instant},
};

use delassus::render::camera::Camera;
use delassus::render::orbit_view::OrbitView;
use glam::Vec3;

use super::desk::{Desk, Place, Sight};

/// Any scene: building the linkage begins with a new one.
const BEFORE: &str = r#"(
    version: 1,
    title: "Before",
    bodies: [(name: "floor", shape: Box(half: (1, 1, 0.5)), motion: Static)],
)
"#;

/// The simulated time for which it runs, s.
const RUN: f64 = 5.0;

/// The new scene seen from above: its initial camera, turned to look straight down.
fn from_above(view: Place) -> Sight {
    let from = OrbitView::between(Vec3::new(5.0, -8.0, 4.5), Vec3::new(0.0, 0.0, 0.8));
    let quarter = std::f32::consts::FRAC_PI_2;
    let mut camera = Camera::new(OrbitView { yaw: -quarter, pitch: quarter, ..from });
    // An axis view has no perspective.
    camera.set_perspective(false);
    Sight { camera, view }
}

/// From an empty scene to the linkage, with mouse and keys alone: crank about (−2, 0), rod to (0.5, 0), rocker to
/// (0.5, −2).
pub fn build(desk: &mut Desk) {
    desk.press(&["ctrl+n"]);
    desk.wait("a new scene is open", |desk| desk.window_title().filter(|title| title.starts_with("Untitled")));
    let view = desk.control("Canvas", "3-D view");
    let sight = from_above(view);
    desk.press(&["7"]);
    // The camera moves smoothly; it has arrived when the picture no longer changes.
    sleep(Duration::from_secs(3));

    desk.press(&["b"]);
    desk.click("Button", "Snap");
    desk.click("Button", "Box");
    desk.click_at(sight.at(-2.0, 0.0, 0.0));
    counted(desk, 2, 0);
    desk.click("Button", "Plank");
    desk.click_at(sight.at(-0.5, 0.0, 0.0));
    counted(desk, 3, 0);
    desk.click_at(sight.at(0.5, -1.0, 0.0));
    counted(desk, 4, 0);
    // The second plank is rotated by a quarter turn about the vertical axis.
    desk.press(&["Escape"]);
    desk.click_at(sight.at(0.5, -1.0, 0.25));
    desk.press(&["t"]);
    wait_for_words(desk, "Esc cancels");
    desk.press(&["z", "9", "0"]);
    wait_for_words(desk, "[90]");
    desk.press(&["Return"]);
    desk.wait("the turn is kept", |desk| (!desk.layout().contains("Esc cancels")).then_some(()));

    desk.press(&["j"]);
    desk.choose("Joint kind", "Hinge");
    let drags = [
        // The crank's centre to the floor, its edge to the rod, the rod's end to the rocker, the rocker's end to the
        // floor.
        (sight.at(-2.0, 0.0, 1.0), sight.at(-2.3, -1.0, 0.0)),
        (sight.at(-1.57, 0.0, 1.0), sight.at(-1.1, 0.0, 0.25)),
        (sight.at(0.46, 0.08, 0.25), sight.at(0.5, -0.6, 0.25)),
        (sight.at(0.5, -1.95, 0.25), sight.at(-0.5, -1.7, 0.0)),
    ];
    for (index, (from, to)) in drags.into_iter().enumerate() {
        desk.drag(from, to);
        counted(desk, 4, index + 1);
    }

    desk.press(&["Escape"]);
    desk.click("RadioButton", "Tab: Inspector");
    desk.control("Label", "ANGLE");
    let sight = from_above(desk.control("Canvas", "3-D view"));
    desk.click_at(sight.at(-2.0, 0.0, 1.0));
    desk.wait("the crank's hinge is selected", |desk| desk.label(|label| label == "box-floor"));
    desk.scroll_to("Switch", "Motor");
    desk.click("Switch", "Motor");
    desk.control("SpinButton", "Motor speed");
}

/// Waits until the status line says this: keys that come faster than frames would go to another tool.
fn wait_for_words(desk: &mut Desk, words: &str) {
    desk.wait(&format!("the status line says {words:?}"), |desk| {
        let layout = desk.layout();
        let status =
            layout.lines().rev().filter(|line| line.split(' ').nth(1).and_then(|y| y.parse::<i32>().ok()) > Some(760));
        status.filter(|line| line.contains(words)).map(str::to_owned).next()
    });
}

/// Waits until the status line shows this many bodies and joints.
fn counted(desk: &mut Desk, bodies: usize, joints: usize) {
    let plural = |count: usize, one: &str, many: &str| format!("{count} {}", if count == 1 { one } else { many });
    let words = format!("{}  {}", plural(bodies, "body", "bodies"), plural(joints, "joint", "joints"));
    desk.wait(&words, |desk| desk.label(|label| label.starts_with(&words)));
}

fn hash(desk: &Desk) -> Option<String> {
    desk.label(|label| label.len() == 9 && label.starts_with('#'))
}

/// The simulated time on the top bar, s.
fn time(desk: &Desk) -> Option<f64> {
    let words =
        desk.label(|label| label.ends_with(" s") && label.trim_end_matches(" s").trim().parse::<f64>().is_ok())?;
    words.trim_end_matches(" s").trim().parse().ok()
}

/// The state's hash after this many simulated seconds, from the command line.
fn hash_of(file: &std::path::Path, seconds: f64) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_delassus"))
        .args(["run", "--seconds", &seconds.to_string()])
        .arg(file)
        .output()
        .expect("the program runs");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let line = said.lines().find_map(|line| line.strip_prefix("state hash"));
    line.unwrap_or_else(|| panic!("no hash in {said}")).trim()[..8].to_owned()
}

#[test]
fn a_linkage_built_by_mouse_turns_at_its_motor_s_speed_and_comes_back_the_same() {
    let begin = Instant::now();
    let mut desk = Desk::open("before.ron", BEFORE);
    desk.control("Canvas", "3-D view");
    desk.focus();
    build(&mut desk);
    println!("built in {:.0} s", begin.elapsed().as_secs_f64());

    // Saved under a name that is typed, because no file dialog is available here.
    let file = desk.path("linkage.ron");
    desk.press(&["ctrl+s"]);
    desk.control("TextInput", "Path of the scene file");
    desk.press(&["ctrl+a"]);
    desk.input(&["type", "--delay", "20", &file.display().to_string()]);
    desk.press(&["Return"]);
    desk.wait("the file is written", |_| fs::read_to_string(&file).ok().filter(|text| text.contains("motor")));
    desk.wait("nothing is unsaved", |desk| desk.window_title().filter(|title| !title.contains('*')));

    // From the start, for five seconds: the crank's hinge turns at a new motor's 90°/s.
    desk.press(&["r"]);
    let at_rest = desk.wait("the state has a hash", hash);
    desk.click("Button", "Play");
    desk.wait("five seconds have passed", |desk| time(desk).filter(|t| *t >= RUN));
    desk.click("Button", "Pause");
    desk.control("Label", "PAUSED");
    let speed = desk.wait("the joint's speed is shown", |desk| {
        let words = desk.label(|label| label.trim().ends_with("°/s") && !label.contains("now"))?;
        words.trim().trim_end_matches("°/s").trim().replace('−', "-").parse::<f64>().ok()
    });
    let asked = 90.0_f64;
    assert!(
        (speed.abs() - asked).abs() < 0.01 * asked,
        "the crank turns at {speed}°/s, its motor is set to {asked}°/s"
    );
    let (seconds, after) = (time(&desk).expect("a time"), hash(&desk).expect("a hash"));

    // The same file on the command line, step for step, and in another window.
    assert_eq!(format!("#{}", hash_of(&file, seconds)), after, "after {seconds} s");
    assert_eq!(format!("#{}", hash_of(&file, 0.0)), at_rest);
    desk.press(&["ctrl+q"]);
    let (status, _, folder) = desk.leave();
    assert!(status.success(), "{status}");
    let mut again = Desk::in_folder(folder, "linkage.ron");
    again.control("Canvas", "3-D view");
    again.focus();
    again.press(&["p", "r"]);
    again.wait("the same state", |desk| hash(desk).filter(|hash| *hash == at_rest));
}
