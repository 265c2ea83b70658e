//! The palette, the outliner, hiding and locking, mirrors: driven as a user drives them.

use std::path::Path;

use egui::{Key, Modifiers};
use egui_kittest::{Harness, kittest::Queryable};
use glam::Vec3;

use super::editor::Tool;
use super::editor_tests::{bench, click, drag, names, seen};
use super::panel_tests::Bench;
use crate::scene::library;
use crate::session::Command;

/// The test window with the program's own parts on the palette.
fn with_parts() -> Harness<'static, Bench> {
    let mut harness = bench();
    harness.state_mut().shelf.parts = library::parts(&Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes"));
    harness.key_press(Key::B);
    harness.run();
    harness
}

fn lowest(harness: &Harness<'_, Bench>, prefix: &str) -> f32 {
    let bodies = harness.state().session.snapshot().bodies.iter().filter(|b| b.name.starts_with(prefix));
    bodies.map(|b| super::placing::aabb(b, 1.0).0.z).fold(f32::INFINITY, f32::min)
}

#[test]
fn the_palette_has_every_part_of_the_library_and_places_it_as_an_entry() {
    let mut harness = with_parts();
    for part in ["pen", "ragdoll", "doll", "ragdoll-cone-twist"] {
        assert!(harness.query_by_label(&format!("Part {part}")).is_some(), "{part}");
    }
    harness.get_by_label("Part ragdoll").click();
    harness.run();
    let at = seen(&harness, Vec3::new(1.5, 0.0, 0.0));
    harness.event(egui::Event::PointerMoved(at));
    harness.run();
    let ghosts = harness.state().state.editor.preview.ghosts.len();
    assert!(ghosts > 5, "every body of the part is seen before it is placed, not {ghosts}");
    // While time runs as well.
    harness.state_mut().session.dispatch(Command::Play).expect("a scene");
    click(&mut harness, at);
    click(&mut harness, at + egui::vec2(90.0, 0.0));
    let scene = harness.state().session.scene().expect("a scene");
    let parts: Vec<_> = scene.parts.iter().map(|p| p.name.as_str()).collect();
    assert_eq!(parts, ["ragdoll", "ragdoll-2"], "a name of its own for each");
    assert_eq!(names(&harness).len(), 2 + 2 * ghosts);
    let low = lowest(&harness, "ragdoll.");
    assert!((0.0..0.02).contains(&low), "its lowest body touches the floor, {low} m above it");
    harness.state_mut().session.dispatch(Command::Undo).expect("one entry for each");
    assert_eq!(names(&harness).len(), 2 + ghosts);
}

#[test]
fn a_pattern_of_the_palette_stays_a_pattern_and_rests_on_what_is_under_it() {
    let mut harness = with_parts();
    harness.get_by_label("Stack").click();
    harness.run();
    // On the lid of the box, 1 m up.
    let at = seen(&harness, Vec3::new(0.0, 0.0, 1.0));
    click(&mut harness, at);
    let scene = harness.state().session.scene().expect("a scene");
    assert_eq!(scene.patterns.len(), 1);
    assert_eq!(scene.bodies.len(), 2, "no body of its own was written");
    let low = lowest(&harness, "stack.");
    assert!((low - 1.0).abs() < 0.02, "the lowest is at {low} m");
}

#[test]
fn a_particle_does_not_turn_and_the_hulls_are_there() {
    let mut harness = with_parts();
    for hull in ["Wedge", "Tetrahedron", "Prism", "Rock"] {
        assert!(harness.query_by_label(hull).is_some(), "{hull}");
    }
    harness.get_by_label("Particle").click();
    harness.run();
    let at = seen(&harness, Vec3::new(2.0, 0.0, 0.0));
    click(&mut harness, at);
    let scene = harness.state().session.scene().expect("a scene");
    assert!(scene.bodies.last().expect("a body").particle);
}

#[test]
fn what_is_dragged_out_of_the_palette_lands_where_the_button_comes_up() {
    let mut harness = with_parts();
    let from = harness.get_by_label("Part doll").rect().center();
    let to = seen(&harness, Vec3::new(-2.0, 0.0, 0.0));
    drag(&mut harness, from, to);
    harness.run();
    let parts = &harness.state().session.scene().expect("a scene").parts;
    assert_eq!(parts.len(), 1);
    assert!(parts[0].at.distance(Vec3::new(-2.0, 0.0, 0.0)) < 0.1, "{}", parts[0].at);
    assert_eq!(harness.state().state.editor.tool, Tool::Move);
}

#[test]
fn shift_b_spawns_at_the_pointer_again_and_again_in_any_tool() {
    let mut harness = bench();
    harness.key_press(Key::G);
    harness.key_press(Key::Escape);
    harness.run_steps(3);
    let at = seen(&harness, Vec3::new(2.0, 0.0, 0.0));
    for _ in 0..3 {
        harness.event(egui::Event::PointerMoved(at));
        harness.run();
        harness.key_press_modifiers(Modifiers::SHIFT, Key::B);
        harness.run();
    }
    assert_eq!(harness.state().state.editor.tool, Tool::Select, "the tool at hand stays");
    let bodies = &harness.state().session.scene().expect("a scene").bodies;
    let heights: Vec<f32> = bodies[2..].iter().map(|b| b.at.z).collect();
    assert_eq!(heights.len(), 3);
    // Each against the one before, which the pointer's ray meets first, and none sunk into the floor.
    assert!(heights.iter().all(|z| (0.5..0.6).contains(z)), "{heights:?}");
    assert!(bodies[2..].windows(2).all(|w| w[0].at.y - w[1].at.y > 0.9), "{bodies:?}");
}

#[test]
fn a_shot_ball_flies_at_once_along_the_line_of_sight() {
    let mut harness = bench();
    harness.state_mut().session.dispatch(Command::Step).expect("a scene");
    harness.state_mut().state.editor.shot.0 = 20.0;
    let at = seen(&harness, Vec3::new(0.0, 0.0, 0.9));
    harness.event(egui::Event::PointerMoved(at));
    harness.run();
    harness.key_press_modifiers(Modifiers::SHIFT, Key::S);
    harness.run();
    let snapshot = harness.state().session.snapshot();
    let ball = snapshot.bodies.iter().find(|b| &*b.name == "ball").expect("a ball");
    let aim = Vec3::new(0.0, 0.0, 0.9) - ball.pose.position;
    assert!((ball.velocity.length() - 20.0).abs() < 1e-3, "{}", ball.velocity);
    assert!(ball.velocity.angle_between(aim) < 0.02, "toward the pointer, not {}", ball.velocity);
    let before = ball.pose.position;
    harness.state_mut().session.dispatch(Command::Step).expect("a scene");
    let after = harness.state().session.snapshot().bodies.last().expect("the ball").pose.position;
    assert!((after.distance(before) - 20.0 / 60.0).abs() < 0.02, "it flew {} m in a step", after.distance(before));
    assert_eq!(harness.state().session.undo_label(), Some("Add ball"));
}

const MANY: &str = r#"(
    version: 1,
    title: "Many",
    materials: [(name: "ice", friction: 0)],
    bodies: [
        (name: "floor", shape: Box(half: (5, 5, 0.5)), at: (0, 0, -0.5), motion: Static),
        (name: "box", shape: Box(half: (0.5, 0.5, 0.5)), at: (0, 0, 0.5), material: "ice"),
        (name: "ball", shape: Sphere(radius: 0.5), at: (2, 0, 0.5)),
        (name: "bob", shape: Sphere(radius: 0.2), at: (-2, 0, 1)),
    ],
    patterns: [Chain(
        name: "chain", body: (shape: Sphere(radius: 0.1), at: (0, 3, 4), mass: 1),
        count: 4, spacing: (0.5, 0, 0), first: Static, joint: (kind: BallSocket(), along: 0),
    )],
    joints: [(a: "box", b: "ball", kind: Distance()), (a: "ball", b: "bob", kind: Distance())],
)"#;

/// The outliner of a scene with bodies of its own, a chain, joints and a material; the camera on the box.
fn outliner() -> Harness<'static, Bench> {
    let session = crate::session::Session::from_text(MANY, "many").expect("the scene is right");
    let mut harness = super::panel_tests::window_of(Bench::of(session));
    let eye = crate::render::camera::View::between(Vec3::new(0.0, -14.0, 5.0), Vec3::new(0.0, 0.0, 0.5));
    harness.state_mut().state.camera.set(eye);
    harness.run();
    harness.get_by_label("Left tab: Outliner").click();
    harness.run();
    harness
}

fn selected(harness: &Harness<'_, Bench>) -> Vec<u32> {
    let mut bodies = harness.state().state.selection.bodies.clone();
    bodies.sort_unstable();
    bodies
}

fn click_with(harness: &mut Harness<'_, Bench>, label: &str, modifiers: Modifiers) {
    harness.get_by_label(label).click_modifiers(modifiers);
    harness.run();
}

#[test]
fn the_tree_folds_patterns_with_their_members_and_joints() {
    let mut harness = outliner();
    for there in ["Bodies  8", "Joints  2", "Materials  1", "floor", "chain", "box-ball", "ice"] {
        assert!(harness.query_by_label(there).is_some(), "{there}");
    }
    assert!(harness.query_by_label("0-1").is_none(), "a pattern is folded at first");
    harness.get_by_label("Unfold chain").click();
    harness.run();
    for member in ["0", "3", "0-1", "2-3"] {
        assert!(harness.query_by_label(member).is_some(), "{member}");
    }
    harness.get_by_label("chain").click();
    harness.run();
    assert_eq!(selected(&harness), [5, 6, 7, 8], "a pattern's row selects its members");
    harness.get_by_label("ice").click();
    harness.run();
    assert_eq!(selected(&harness), [2], "a material's row selects what is made of it");
    harness.get_by_label("Fold Joints  2").click();
    harness.run();
    assert!(harness.query_by_label("box-ball").is_none());
}

#[test]
fn shift_selects_a_range_and_ctrl_adds_and_takes_out() {
    let mut harness = outliner();
    click_with(&mut harness, "box", Modifiers::NONE);
    click_with(&mut harness, "bob", Modifiers::SHIFT);
    assert_eq!(selected(&harness), [2, 3, 4]);
    click_with(&mut harness, "ball", Modifiers::COMMAND);
    assert_eq!(selected(&harness), [2, 4]);
    click_with(&mut harness, "chain", Modifiers::COMMAND);
    assert_eq!(selected(&harness), [2, 4, 5, 6, 7, 8]);
    click_with(&mut harness, "chain", Modifiers::COMMAND);
    assert_eq!(selected(&harness), [2, 4]);
}

#[test]
fn f2_and_a_double_click_rename_bodies_joints_patterns_and_materials() {
    let mut harness = outliner();
    let rename = |harness: &mut Harness<'static, Bench>, label: &str, to: &str| {
        harness.get_by_label(label).click();
        harness.run();
        harness.key_press(Key::F2);
        harness.run();
        harness.get_by_label("New name").type_text(to);
        harness.run();
        harness.key_press(Key::Enter);
        harness.run();
    };
    rename(&mut harness, "box", "crate");
    rename(&mut harness, "chain", "rope");
    rename(&mut harness, "ice", "glass");
    rename(&mut harness, "ball-bob", "rod");
    let scene = harness.state().session.scene().expect("a scene");
    assert_eq!(scene.bodies[1].name, "crate");
    assert_eq!(scene.joints[0].a, "crate", "the joint follows");
    assert_eq!((scene.patterns[0].name(), scene.materials[0].name.as_str()), ("rope", "glass"));
    assert_eq!(scene.bodies[1].material.as_deref(), Some("glass"));
    assert_eq!(scene.joints[1].name, "rod");
    // A double click begins, Escape ends without a trace.
    // A step of the test takes longer than a hand.
    harness.ctx.options_mut(|options| options.input_options.max_double_click_delay = 1.0);
    harness.run_steps(8);
    harness.get_by_label("bob").click();
    harness.get_by_label("bob").click();
    harness.run_steps(3);
    harness.get_by_label("New name").type_text("x");
    harness.run_steps(2);
    harness.key_press(Key::Escape);
    harness.run();
    assert!(harness.query_by_label("New name").is_none());
    assert_eq!(harness.state().session.scene().expect("a scene").bodies[3].name, "bob");
}

#[test]
fn what_is_hidden_is_neither_drawn_nor_met_and_alt_h_brings_it_back() {
    let mut harness = outliner();
    click_with(&mut harness, "box", Modifiers::NONE);
    click_with(&mut harness, "ball", Modifiers::COMMAND);
    harness.key_press(Key::H);
    harness.run();
    assert_eq!(selected(&harness), [] as [u32; 0]);
    let drawn = |harness: &Harness<'_, Bench>| {
        let bench = harness.state();
        let (state, session) = (&bench.state, &bench.session);
        let mut overlays = state.overlays;
        (overlays.joints, overlays.bounds) = (true, true);
        let show = super::picture::Show {
            overlays,
            theme: crate::render::picture::Theme::Dark,
            alpha: 1.0,
            h: 1.0 / 60.0,
            newtons_a_metre: 10.0,
            selected: &[],
            hovered: None,
            joint: None,
            preview: &state.editor.preview,
            veil: &state.veil,
            pixels: 1.0,
            camera: &state.camera,
            viewport: super::viewport::viewport(state),
        };
        let mut stage = super::picture::Stage::default();
        let picture = stage.set(session.snapshot(), &show);
        (picture.bodies.iter().map(|b| b.id).collect::<Vec<_>>(), picture.lines.len())
    };
    let (bodies, lines) = drawn(&harness);
    assert_eq!(bodies, [1, 4, 5, 6, 7, 8]);
    let at = seen(&harness, Vec3::new(0.0, 0.0, 0.5));
    click(&mut harness, at);
    assert_eq!(selected(&harness), [1], "the floor behind it is met");
    // Shift+H: all but the floor.
    harness.key_press_modifiers(Modifiers::SHIFT, Key::H);
    harness.run();
    assert_eq!(drawn(&harness).0, [1]);
    harness.key_press_modifiers(Modifiers::ALT, Key::H);
    harness.run();
    let (bodies, all) = drawn(&harness);
    assert_eq!(bodies.len(), 8);
    assert!(all > lines, "their boxes and joints come back, {all} lines for {lines}");
    // The eye of a row does the same, for a whole pattern at once.
    harness.get_by_label("Hide chain").click();
    harness.run();
    assert_eq!(drawn(&harness).0, [1, 2, 3, 4]);
    assert!(harness.query_by_label("4 hidden").is_some());
    harness.get_by_label("Show all hidden").click();
    harness.run();
    assert_eq!(drawn(&harness).0.len(), 8);
    assert!(!harness.state().session.is_dirty(), "the file knows nothing of it");
}

#[test]
fn what_is_locked_is_passed_by_the_pointer_but_the_outliner_selects_it() {
    let mut harness = outliner();
    harness.get_by_label("Lock box").click();
    harness.run();
    // Beside the joint's anchor, which would be taken first.
    let at = seen(&harness, Vec3::new(0.3, -0.5, 0.7));
    click(&mut harness, at);
    assert_eq!(selected(&harness), [1], "what lies behind it");
    click_with(&mut harness, "box", Modifiers::NONE);
    assert_eq!(selected(&harness), [2]);
    harness.key_press(Key::G);
    harness.run();
    assert!(harness.state().state.editor.grab.is_none(), "it cannot be taken hold of");
    harness.key_press_modifiers(Modifiers::COMMAND, Key::A);
    harness.run();
    assert_eq!(selected(&harness), [3, 4, 6, 7, 8], "all that moves but what is locked");
    // Things still rest on it.
    harness.key_press(Key::B);
    harness.run();
    let lid = seen(&harness, Vec3::new(0.0, 0.0, 1.0));
    click(&mut harness, lid);
    let new = harness.state().session.scene().expect("a scene").bodies.last().expect("a body").at;
    assert!((new.z - 1.5).abs() < 0.05, "{new}");
}

#[test]
fn a_box_takes_what_lies_in_it_adds_with_shift_and_takes_out_with_ctrl_shift() {
    let mut harness = outliner();
    let sweep = |harness: &mut Harness<'static, Bench>, from: Vec3, to: Vec3, modifiers: Modifiers| {
        let (from, to) = (seen(harness, from), seen(harness, to));
        let button =
            |pos, pressed| egui::Event::PointerButton { pos, button: egui::PointerButton::Primary, pressed, modifiers };
        harness.event_modifiers(egui::Event::PointerMoved(from), modifiers);
        harness.step();
        harness.event_modifiers(button(from, true), modifiers);
        harness.step();
        for t in [0.5, 1.0] {
            harness.event_modifiers(egui::Event::PointerMoved(from + (to - from) * t), modifiers);
            harness.step();
        }
        harness.event_modifiers(button(to, false), modifiers);
        harness.run();
    };
    let (left, middle, right) = (-2.6, -0.9, 3.0);
    let corners = |a: f32, b: f32| (Vec3::new(a, -1.0, 0.0), Vec3::new(b, 0.0, 1.6));
    let (from, to) = corners(middle, right);
    sweep(&mut harness, from, to, Modifiers::NONE);
    assert_eq!(selected(&harness), [2, 3]);
    let (from, to) = corners(left, middle);
    sweep(&mut harness, from, to, Modifiers::SHIFT);
    assert_eq!(selected(&harness), [2, 3, 4]);
    let (from, to) = corners(middle, 1.2);
    sweep(&mut harness, from, to, Modifiers::COMMAND | Modifiers::SHIFT);
    assert_eq!(selected(&harness), [3, 4]);
}

#[test]
fn ten_thousand_rows_are_laid_out_once_and_scroll() {
    let text = MANY.replace("count: 4, spacing: (0.5, 0, 0)", "count: 5000, spacing: (0.001, 0, 0)");
    let session = crate::session::Session::from_text(&text, "many").expect("the scene is right");
    let mut harness = super::panel_tests::window_of(Bench::of(session));
    harness.state_mut().state.left_tab = super::LeftTab::Outliner;
    harness.run();
    harness.get_by_label("Unfold chain").click();
    harness.run();
    assert!(harness.state().state.outliner.tree.rows.len() > 10_000, "bodies and their joints");
    let before = harness.state().state.outliner.tree.rows.as_ptr();
    harness.run_steps(3);
    assert_eq!(before, harness.state().state.outliner.tree.rows.as_ptr(), "an idle frame makes no list");
    // F2 on a member far down brings its row into sight.
    harness.state_mut().state.selection.bodies = vec![4_500];
    harness.key_press(Key::F2);
    harness.run_steps(4);
    assert!(harness.query_by_label("New name").is_some());
}

/// Everything of it without a mirror symmetry of its own.
const SKEW: &str = r#"(
    version: 1,
    title: "Skew",
    bodies: [
        (name: "post", shape: Box(half: (0.1, 0.2, 0.3)), at: (3, 1, 4), motion: Static, rotation: Euler(x: 0.3, y: 0.2, z: 0.5)),
        (
            name: "arm",
            shape: Hull(points: [(0, 0, 0), (0.8, 0.1, 0), (0.1, 0.5, 0.1), (0.2, 0.2, 0.4)]),
            at: (3.2, 1, 3.6), rotation: Euler(x: 0.4, y: -0.3, z: 1.1), mass: 2, spin: (1, -2, 0.5),
        ),
        (name: "rod", shape: Capsule(radius: 0.1, half_length: 0.4), at: (3.9, 1.4, 3.1), rotation: Euler(x: 1, y: 0.5, z: 0.2), mass: 1),
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

/// The window of a scene with all of its bodies selected and the mirror tool at hand.
fn mirror(text: &str, bodies: &[u32]) -> Harness<'static, Bench> {
    let session = crate::session::Session::from_text(text, "mirrored").expect("the scene is right");
    let mut harness = super::panel_tests::window_of(Bench::of(session));
    harness.run();
    harness.state_mut().state.selection.bodies = bodies.to_vec();
    harness.key_press_modifiers(Modifiers::COMMAND, Key::M);
    harness.run();
    assert_eq!(harness.state().state.editor.tool, Tool::Mirror);
    harness
}

/// Runs both and compares each body with the image of its original.
fn moves_as_its_image(
    original: &str,
    image: &mut crate::session::Session,
    names: &[(&str, &str)],
    plane: crate::scene::Mirror,
) {
    let mut session = crate::session::Session::from_text(original, "original").expect("the scene is right");
    for step in 0..240 {
        for (name, other) in names {
            let find = |session: &crate::session::Session, name: &str| {
                session.snapshot().bodies.iter().find(|b| &*b.name == name).expect("a body").pose
            };
            let (there, here) = (find(&session, name), find(image, other));
            let off = plane.point(there.position).distance(here.position);
            assert!(off < 2e-3, "{other} is {off} m off after {step} steps");
            let turned = plane.rotation(there.rotation).angle_between(here.rotation);
            assert!(turned < 1e-2, "{other} is {turned} rad off after {step} steps");
        }
        session.dispatch(Command::Step).expect("a scene");
        image.dispatch(Command::Step).expect("a scene");
    }
}

#[test]
fn a_mirrored_mechanism_moves_as_the_mirror_image() {
    for (key, normal) in [(Key::X, Vec3::X), (Key::Y, Vec3::Y), (Key::Z, Vec3::Z)] {
        // Gravity is not mirrored across z: there without it.
        let text = match key {
            Key::Z => SKEW.replace("title: \"Skew\",", "title: \"Skew\", settings: (step: (gravity: (0, 0, 0))),"),
            _ => SKEW.to_owned(),
        };
        let mut harness = mirror(&text, &[1, 2, 3, 4]);
        harness.key_press(key);
        harness.get_by_label("Mirror through: the origin").click();
        harness.run();
        assert_eq!(harness.state().state.editor.preview.ghosts.len(), 4, "the image is seen before");
        harness.key_press(Key::Enter);
        harness.run();
        assert_eq!(harness.state().session.undo_label(), Some("Change 4 bodies, 4 joints"));
        let names = [("post", "post"), ("arm", "arm"), ("rod", "rod"), ("bob", "bob")];
        let plane = crate::scene::Mirror { normal, through: Vec3::ZERO };
        moves_as_its_image(&text, &mut harness.state_mut().session, &names, plane);
    }
}

#[test]
fn a_mirrored_copy_has_joints_of_its_own_to_what_stays() {
    let mut harness = mirror(SKEW, &[2, 3, 4]);
    harness.key_press(Key::Y);
    harness.get_by_role_and_label(egui::Role::Switch, "Mirror a copy").click();
    harness.get_by_label("Mirror").click();
    harness.run();
    let scene = harness.state().session.scene().expect("a scene");
    let names: Vec<_> = scene.bodies[4..].iter().map(|b| b.name.as_str()).collect();
    assert_eq!(names, ["arm-2", "rod-2", "bob-2"]);
    let ends: Vec<_> = scene.joints[4..].iter().map(|j| (j.a.as_str(), j.b.as_str())).collect();
    assert_eq!(ends, [("post", "arm-2"), ("arm-2", "rod-2"), ("rod-2", "bob-2"), ("world", "bob-2")]);
    // The middle of the three lies at y = 1.2: the image hangs from the post at the image of the place.
    let plane = crate::scene::Mirror { normal: Vec3::Y, through: Vec3::new(0.0, 1.2, 0.0) };
    let joint = &harness.state().session.snapshot().joints[4];
    assert!(joint.anchor_b.distance(plane.point(Vec3::new(3.0, 1.0, 3.9))) < 1e-4, "{}", joint.anchor_b);
    assert!(joint.anchor_a.distance(joint.anchor_b) < 1e-4 && joint.axis_a.angle_between(joint.axis_b) < 1e-3);
}

#[test]
fn what_a_delete_takes_with_it_is_said_before_and_offered_back() {
    let mut harness = outliner();
    click_with(&mut harness, "ball", Modifiers::NONE);
    assert!(harness.query_by_label_contains("Del deletes ball with 2 joints").is_some(), "the line at the bottom");
    harness.key_press(Key::Delete);
    harness.run();
    assert_eq!(harness.state().session.snapshot().joints.len(), 3, "the chain's own");
    harness.get_by_label("Undo").click();
    harness.run();
    assert_eq!(harness.state().session.snapshot().joints.len(), 5);
}
