//! The Inspector's pages of the scene, its materials and experiments, its patterns and parts, driven by names.

use egui::{Key, Modifiers, Role};
use egui_kittest::kittest::Queryable;
use glam::Vec3;

use crate::panels::tests::inspector::{Window, enter, window};
use delassus_physics::setting::Value;
use delassus_scene::{Pattern, Scene};
use delassus_session::{Command, Session};

const SCENE: &str = r#"(
    version: 1,
    title: "All sorts",
    about: "What it is.",
    materials: [(name: "ice", friction: 0.05)],
    bodies: [
        (name: "floor", shape: Box(half: (9, 9, 0.5)), at: (0, 0, -0.5), motion: Static),
        (name: "puck", shape: Sphere(radius: 0.25), at: (3, 0, 0.25), mass: 2, material: "ice"),
    ],
    patterns: [
        Chain(name: "rope", body: (shape: Sphere(radius: 0.1), at: (0, 0, 5), mass: 1), count: 3, spacing: (0.5, 0, 0),
            joint: (kind: Hinge(), axis: (0, 1, 0)), first: Static),
        Grid(name: "field", count: (2, 1, 1), spacing: (1, 1, 1),
            of: Stack(body: (shape: Box(half: (0.2, 0.2, 0.2)), at: (-4, 0, 0.2)), count: 2, spacing: (0, 0, 0.4))),
    ],
    experiments: [(name: "Cold", set: (warm_start: (enabled: false))), (name: "Long", set: (solver: (iterations: 50)))],
)"#;

fn scene(harness: &Window) -> &Scene {
    harness.state().session.scene().expect("a scene")
}

fn undo_label(harness: &Window) -> &str {
    harness.state().session.undo_label().unwrap_or_default()
}

/// Replaces the text of a field and leaves it with Tab.
pub(super) fn write(harness: &mut Window, name: &str, text: &str) {
    write_and(harness, name, text, Key::Tab);
}

fn write_and(harness: &mut Window, name: &str, text: &str, leave: Key) {
    let field = harness.query_all_by_label(name).next().expect("the field");
    field.scroll_to_me();
    harness.run();
    harness.query_all_by_label(name).next().expect("the field").click();
    harness.run();
    harness.key_press_modifiers(Modifiers::COMMAND, Key::A);
    harness.event(egui::Event::Text(text.into()));
    harness.run();
    harness.key_press(leave);
    harness.run();
}

fn click(harness: &mut Window, name: &str) {
    harness.get_by_label(name).scroll_to_me();
    harness.run();
    harness.get_by_label(name).click();
    harness.run();
}

#[test]
fn with_nothing_selected_the_scene_s_own_words_are_fields() {
    let mut harness = window(SCENE);
    write(&mut harness, "Scene title", "Odds and ends");
    assert_eq!((scene(&harness).title.as_str(), undo_label(&harness)), ("Odds and ends", "Change the title"));
    write(&mut harness, "Scene about", "Two things.");
    assert_eq!(scene(&harness).about, "Two things.");
    write_and(&mut harness, "What to look for", "nothing", Key::Escape);
    assert_eq!(scene(&harness).look_for, "", "Escape leaves it as it was");
    harness
        .state_mut()
        .state
        .view3d
        .camera
        .set(delassus_render::orbit_view::OrbitView::between(Vec3::new(0.0, -8.0, 3.0), Vec3::Z));
    harness.run();
    click(&mut harness, "As now");
    let camera = scene(&harness).camera;
    assert!(camera.eye.distance(Vec3::new(0.0, -8.0, 3.0)) < 1e-4 && camera.target.distance(Vec3::Z) < 1e-4);
    assert_eq!(undo_label(&harness), "Place the camera");
    for title in ["What it is.", "Two things."] {
        harness.state_mut().session.dispatch(Command::Undo).expect("an entry");
        assert_ne!(scene(&harness).about, title);
        if title == "What it is." {
            assert_eq!(scene(&harness).about, "Two things.", "the camera went back first");
        }
    }
    assert_eq!(scene(&harness).about, "What it is.");
}

#[test]
fn materials_are_added_changed_and_taken_away() {
    let mut harness = window(SCENE);
    click(&mut harness, "Add a material");
    assert_eq!(scene(&harness).materials.last().map(|m| m.name.as_str()), Some("surface"));
    harness.get_by_role_and_label(Role::SpinButton, "Restitution of surface").scroll_to_me();
    harness.run();
    enter(&mut harness, "Restitution of surface", "0.75");
    assert_eq!(scene(&harness).materials[1].restitution, 0.75);
    write(&mut harness, "Name of ice", "frost");
    assert_eq!(scene(&harness).bodies[1].material.as_deref(), Some("frost"));
    click(&mut harness, "Delete material surface");
    assert_eq!((scene(&harness).materials.len(), undo_label(&harness)), (1, "Delete material surface"));
}

#[test]
fn experiments_are_made_of_the_present_settings_and_put_in_order() {
    let mut harness = window(SCENE);
    let set = Command::Set { name: "solver.iterations", value: Value::Int(33) };
    harness.state_mut().session.dispatch(set).expect("in range");
    harness.run();
    click(&mut harness, "Add from the present settings");
    let names = |h: &Window| scene(h).experiments.iter().map(|e| e.name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&harness), ["Cold", "Long", "Experiment 1"]);
    assert_eq!(scene(&harness).experiments[2].set.solver.iterations, Some(33));
    assert_eq!(harness.state().session.active_experiment(), Some(2));
    click(&mut harness, "Move experiment 3 up");
    write(&mut harness, "Name of experiment 2", "Middling");
    write(&mut harness, "Text of experiment 2", "Not too many sweeps.");
    assert_eq!(names(&harness), ["Cold", "Middling", "Long"]);
    assert_eq!(scene(&harness).experiments[1].about, "Not too many sweeps.");
    click(&mut harness, "Present settings into experiment 3");
    assert_eq!(scene(&harness).experiments[2].set.solver.iterations, Some(33));
    click(&mut harness, "Delete experiment 1");
    assert_eq!((names(&harness).len(), undo_label(&harness)), (2, "Delete experiment Cold"));
}

#[test]
fn a_pattern_is_changed_as_a_whole_and_written_out() {
    let mut harness = window(SCENE);
    click(&mut harness, "Select rope");
    assert_eq!(harness.state().state.selection.bodies.len(), 3);
    enter(&mut harness, "Count", "5");
    let count = |h: &Window| h.state().session.snapshot().bodies.iter().filter(|b| b.name.starts_with("rope.")).count();
    assert_eq!((count(&harness), undo_label(&harness)), (5, "Change rope"));
    click(&mut harness, "Each joint");
    harness.get_by_role_and_label(Role::Switch, "Neighbours touch").click();
    harness.run();
    let Pattern::Chain(chain) = &scene(&harness).patterns[0] else { panic!("a chain") };
    assert!(chain.joint.collide && chain.count == 5);
    click(&mut harness, "Write out");
    assert_eq!((scene(&harness).patterns.len(), undo_label(&harness)), (1, "Write out rope"));
    assert_eq!((count(&harness), scene(&harness).joints.len()), (5, 4));
    assert!(harness.query_by_label("Write out").is_none(), "they are bodies of their own now");
}

#[test]
fn a_grid_of_stacks_has_the_fields_of_both() {
    let mut harness = window(SCENE);
    click(&mut harness, "Select field");
    enter(&mut harness, "Along y", "3");
    click(&mut harness, "Each stack");
    enter(&mut harness, "Count", "1");
    let bodies = &harness.state().session.snapshot().bodies;
    assert_eq!(bodies.iter().filter(|b| b.name.starts_with("field.")).count(), 6, "2 × 3 × 1 stacks of one");
}

/// A scene of the library with nothing selected.
fn library(file: &str) -> Window {
    let path = delassus_scene::library::source_scenes().join(file);
    let session = Session::open(&path).expect("the scene is right");
    let mut harness = crate::bench::window_of(crate::bench::Bench::of(session));
    harness.state_mut().state.right_tab = crate::RightTab::Inspector;
    harness.run();
    harness
}

#[test]
fn a_part_has_its_place_file_and_name() {
    let mut harness = library("book/21-ragdoll.ron");
    let part = scene(&harness).parts[0].clone();
    let shown = if part.name.is_empty() { &part.file } else { &part.name };
    click(&mut harness, &format!("Select {shown}"));
    let many = harness.state().state.selection.bodies.len();
    assert!(many > 0, "the part's bodies are selected");
    let file = harness.get_by_label("Part file").value();
    assert_eq!(file.as_deref(), Some(part.file.as_str()));
    // The card's own field comes before the bodies' field.
    let field = harness.get_all_by_role_and_label(Role::SpinButton, "At z").next().expect("its place");
    field.click();
    harness.run();
    for c in format!("{}", part.at.z + 2.0).chars() {
        harness.event(egui::Event::Text(c.to_string()));
        harness.run();
    }
    harness.key_press(Key::Enter);
    harness.run();
    assert_eq!(scene(&harness).parts[0].at.z, part.at.z + 2.0);
    click(&mut harness, "Write out");
    assert!(scene(&harness).parts.is_empty() || scene(&harness).parts[0] != part);
    assert!(scene(&harness).bodies.len() >= many);
}

#[test]
fn a_grid_of_parts_has_the_part_s_fields() {
    let mut harness = library("lab/04-ragdolls-50.ron");
    let id = (1..).find(|id| {
        let origin = harness.state().session.body_origin(*id).expect("one of many");
        matches!(origin, delassus_scene::Origin::Pattern(_))
    });
    harness.state_mut().state.selection.click_body(id.expect("a member"), false);
    harness.run();
    click(&mut harness, "Each part");
    assert_eq!(harness.get_by_label("Part file").value().as_deref(), Some("../parts/ragdoll.ron"));
}

/// A card for each of many materials made every frame slow: four seconds, and 1.7 GB, where there were 50,000.
#[test]
fn a_scene_of_many_materials_shows_some_and_finds_the_others() {
    let materials: String = (0..900).map(|k| format!("(name: \"m{k}\", friction: 0.5),")).collect();
    let text = SCENE.replace("materials: [", &format!("materials: [{materials}"));
    let mut harness = window(&text);
    let begun = std::time::Instant::now();
    harness.run_steps(5);
    let took = begun.elapsed();
    assert!(took < std::time::Duration::from_secs(5), "five frames take {took:?}");
    assert!(harness.query_by_label("Delete material m899").is_none());
    harness.get_by_label("Find a material").scroll_to_me();
    harness.run_steps(3);
    harness.get_by_label("Find a material").click();
    harness.run_steps(3);
    harness.event(egui::Event::Text("M899".into()));
    harness.run_steps(3);
    assert!(harness.query_by_label("Delete material m899").is_some());
    assert!(harness.query_by_label("Delete material m1").is_none());
}

#[test]
fn sensors_are_added_changed_and_taken_away() {
    let mut harness = window(SCENE);
    click(&mut harness, "Add a sensor");
    let sensors = |h: &Window| scene(h).sensors.to_vec();
    assert_eq!((sensors(&harness)[0].name.as_str(), undo_label(&harness)), ("sensor 1", "Add sensor sensor 1"));
    write(&mut harness, "Name of sensor 1", "height");
    write(&mut harness, "Quantity of sensor 1", "bodies.puck.x");
    write(&mut harness, "Unit of sensor 1", "cm");
    write(&mut harness, "High of sensor 1", "299,5");
    write(&mut harness, "Low of sensor 1", "much");
    let sensor = &sensors(&harness)[0];
    assert_eq!((sensor.name.as_str(), sensor.of.as_str(), sensor.unit.as_str()), ("height", "bodies.puck.x", "cm"));
    assert_eq!((sensor.low, sensor.high), (None, Some(299.5)));
    // The puck stands at x = 3 m, above the limit: it is in alarm from the first step on.
    assert!(harness.query_by_label("height: within its limits").is_some());
    harness.state_mut().session.dispatch(Command::Step).expect("a step");
    harness.run();
    assert!(harness.query_by_label("height: alarm").is_some());
    assert!(harness.query_by_label_contains("Alarm: 300 cm, above 299.5 cm").is_some());
    write(&mut harness, "High of sensor 1", " ");
    assert_eq!(sensors(&harness)[0].high, None);
    assert!(harness.query_by_label("height: has no limits").is_some());
    // A quantity that is not there is told, and stays as it was typed.
    write(&mut harness, "Quantity of sensor 1", "bodies.pock.x");
    assert!(harness.query_by_label_contains("no body is called `pock`, did you mean `puck`?").is_some());
    click(&mut harness, "Delete sensor 1");
    assert_eq!((sensors(&harness).len(), undo_label(&harness)), (0, "Delete sensor height"));
    harness.state_mut().session.dispatch(Command::Undo).expect("an entry");
    assert_eq!(sensors(&harness).len(), 1);
}
