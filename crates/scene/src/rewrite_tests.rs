//! Hand-written texts, and how a change of the scene affects them.

use super::super::read::scene_of;
use super::*;
use crate::Body;

const TEXT: &str = r#"// A head.
#![enable(implicit_some)]
Scene(
    version: 1, title: "By hand", // the title
    /* about the settings */
    settings: (
        solver: (iterations: 8 /* eight */, method: GaussSeidel), // why eight
        // the slope
        contact: (slop: 0.01),
    ),

    // --- bodies ---

    bodies: [ // all of them
        // the ground
        (name: "floor", shape: Box(half: (5,5,0.5)),
            at: (0, 0, -0.5), motion: Static),   // never moves

        // --- balls ---

        // the first
        (
            name: "one",   // its name
            shape: Sphere(radius: 0.5),
            mass: 2.0, // kg
            at: (0, 0, 1),
        ),
        (name: "two", shape: Sphere(radius: 0.50), at: (2,0,1)), /* small */ (name: "three", shape: Sphere(radius: 0.5), at: (4,0,1))
        // the end of the bodies
    ],
    joints: [(a: "one", b: "two", kind: Rope), (a: "one", b: "two", anchor: (1, 0, 1), kind: BallSocket)],
)
// A foot.
"#;

fn scene(text: &str) -> Scene {
    scene_of(text).unwrap_or_else(|| panic!("{text}"))
}

/// The text after a change of the scene; also checks that the text gives the changed scene.
fn after(text: &str, change: impl FnOnce(&mut Scene)) -> String {
    let saved = scene(text);
    let mut now = saved.clone();
    change(&mut now);
    let (old, new) = (write(&saved), write(&now));
    let merged = merged(text, &old, &new).expect("the texts hang together");
    assert_eq!(scene(&merged), now, "{merged}");
    assert_eq!(rewrite(text, &saved, &now), merged);
    merged
}

#[test]
fn an_unchanged_scene_keeps_its_text_to_the_byte() {
    assert_eq!(rewrite(TEXT, &scene(TEXT), &scene(TEXT)), TEXT);
}

#[test]
fn a_changed_number_is_the_only_change_of_the_text() {
    let moved = after(TEXT, |s| s.bodies[1].at.z = 3.0);
    assert_eq!(
        moved,
        TEXT.replace("mass: 2.0, // kg\n            at: (0, 0, 1)", "mass: 2.0, // kg\n            at: (0, 0, 3)")
    );
    let swept = after(TEXT, |s| s.settings.solver.iterations = Some(50));
    assert_eq!(swept, TEXT.replace("iterations: 8", "iterations: 50"));
    let heavy = after(TEXT, |s| s.bodies[3].mass = Some(7.0));
    assert_eq!(heavy, TEXT.replace("at: (4,0,1))", "at: (4,0,1), mass: 7)"));
    let light = after(TEXT, |s| s.bodies[1].mass = None);
    assert!(light.contains("// its name") && light.contains("// the first") && !light.contains("mass"), "{light}");
}

#[test]
fn a_field_by_its_older_name_is_read_and_takes_its_change_where_it_stands() {
    let older = TEXT.replace("at: (0, 0, 1),", "at: (0, 0, 1), spin: (0, 0, 2), // turns");
    assert_eq!(scene(&older).bodies[1].angular_velocity, 2.0 * glam::Vec3::Z);
    assert_eq!(scene(&older), scene(&older.replace("spin:", "angular_velocity:")));
    let moved = after(&older, |s| s.bodies[1].at.z = 3.0);
    assert_eq!(moved, older.replace("at: (0, 0, 1), spin", "at: (0, 0, 3), spin"));
    let turned = after(&older, |s| s.bodies[1].angular_velocity.z = 5.0);
    assert_eq!(turned, older.replace("spin: (0, 0, 2)", "spin: (0, 0, 5)"));
    let still = after(&older, |s| s.bodies[1].angular_velocity = glam::Vec3::ZERO);
    assert!(!still.contains("spin") && !still.contains("angular_velocity"), "{still}");
    // A path may use either name, whichever the text has.
    for name in ["spin", "angular_velocity"] {
        for text in [&older, &older.replace("spin:", "angular_velocity:")] {
            let path = format!("bodies.one.{name}");
            let assigned = crate::assign::assign(text, "s.ron", &path, "(7, 0, 0)").expect("it can be set");
            assert_eq!(assigned, text.replace(": (0, 0, 2)", ": (7, 0, 0)"));
        }
    }
}

#[test]
fn come_and_gone_elements_leave_the_others_where_they_are() {
    let more = after(TEXT, |s| {
        let new = crate::Body { name: "four".into(), ..s.bodies[2].clone() };
        s.bodies.push(new);
    });
    assert_eq!(
        more.lines().filter(|line| !TEXT.lines().any(|old| old == *line)).count(),
        2,
        "the new one, and a comma after the last: {more}"
    );
    let fewer = after(TEXT, |s| {
        s.bodies.remove(1);
        s.joints.clear();
    });
    assert!(
        !fewer.contains("the first") && fewer.contains("--- balls ---") && fewer.contains("// all of them"),
        "{fewer}"
    );
    assert!(fewer.contains(
        "(name: \"floor\", shape: Box(half: (5,5,0.5)),\n            at: (0, 0, -0.5), motion: \
        Static),   // never moves"
    ));
    let head = after(TEXT, |s| s.bodies.keep_indices(|i| i >= 3));
    assert!(head.contains("// all of them") && head.contains("--- balls ---"), "{head}");
    let none = after(TEXT, |s| s.bodies.truncate(1));
    assert!(none.contains("// the end of the bodies"), "{none}");
}

#[test]
fn one_of_two_joints_between_the_same_bodies_changes_alone() {
    let rope = after(TEXT, |s| s.joints[1].collide = true);
    assert!(
        rope.contains(
            "(a: \"one\", b: \"two\", kind: Rope), (a: \"one\", b: \"two\", anchor: (1, 0, 1), kind: \
        BallSocket, collide: true)"
        ),
        "{rope}"
    );
}

#[test]
fn new_fields_stand_where_they_belong_and_line_ends_stay() {
    let text = TEXT.replace('\n', "\r\n");
    let seen = after(&text, |s| {
        s.camera.eye.x = 3.0;
        s.about = "word ".repeat(60);
    });
    assert!(!seen.replace("\r\n", "").contains('\n'), "{seen}");
    let place = |what: &str| seen.find(what).unwrap_or(usize::MAX);
    assert!(place("title") < place("about:") && place("about:") < place("settings:"), "{seen}");
    assert!(place("settings:") < place("camera:") && place("camera:") < place("bodies:"), "{seen}");
}

#[test]
fn every_scene_of_the_library_takes_a_change_of_every_entry() {
    for entry in crate::library::ordinary(&crate::library::scenes_folder()) {
        let Ok(text) = std::fs::read_to_string(&entry.path) else { continue };
        // A comment above every entry: none may be lost when only values change.
        let lines = text.lines().filter(|line| line.starts_with("        (")).count();
        let marked = text.replace("\n        (", "\n        // mark\n        (");
        let saved = scene(&marked);
        let mut now = saved.clone();
        now.bodies.update(|b| Some(Body { at: b.at + glam::Vec3::Z, ..b.clone() }));
        now.title.push('!');
        now.settings.solver.iterations = Some(77);
        let (old, new) = (write(&saved), write(&now));
        let merged = merged(&marked, &old, &new).unwrap_or_default();
        assert!(reads_as(&merged, &now), "{}: {merged}", entry.id);
        assert_eq!(merged.matches("// mark").count(), lines, "{}", entry.id);
    }
}
