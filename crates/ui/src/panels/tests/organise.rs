//! The outliner, hiding and locking, and selection boxes, driven as by a user.

use egui::{Key, Modifiers};
use egui_kittest::{Harness, kittest::Queryable};
use glam::Vec3;

use crate::bench::Bench;
use crate::editor::tests::editor::{click, seen};

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
    let session = delassus_session::Session::from_text(MANY, "many").expect("the scene is right");
    let mut harness = crate::bench::window_of(Bench::of(session));
    let eye = delassus_render::orbit_view::OrbitView::between(Vec3::new(0.0, -14.0, 5.0), Vec3::new(0.0, 0.0, 0.5));
    harness.state_mut().state.view3d.camera.set(eye);
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
    // A double click starts renaming, Escape cancels it. A frame of the test takes longer than a user's double click.
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
        let mut overlays = state.view3d.overlays;
        (overlays.joints, overlays.bounds) = (true, true);
        let show = crate::view3d::picture_builder::Show {
            overlays,
            theme: delassus_render::picture::Theme::Dark,
            alpha: 1.0,
            h: 1.0 / 60.0,
            newtons_a_metre: 10.0,
            selected: &[],
            hovered: None,
            joint: None,
            more_joints: &[],
            preview: &state.view3d.preview,
            others: &[],
            visibility: &state.view3d.visibility,
            on_device: None,
            pixels: 1.0,
            camera: &state.view3d.camera,
            viewport: crate::view3d::viewport::viewport(&state.view3d),
        };
        let mut builder = crate::view3d::picture_builder::PictureBuilder::default();
        let picture = builder.set(session.snapshot(), &show);
        (picture.bodies.iter().map(|b| b.id).collect::<Vec<_>>(), picture.lines.len())
    };
    let (bodies, lines) = drawn(&harness);
    assert_eq!(bodies, [1, 4, 5, 6, 7, 8]);
    let at = seen(&harness, Vec3::new(0.0, 0.0, 0.5));
    click(&mut harness, at);
    assert_eq!(selected(&harness), [1], "the floor behind it is met");
    // Shift+H hides everything but the floor.
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
    // A point off the joint's anchor, which would have priority.
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
    assert_eq!(
        selected(&harness),
        [3, 4, 5, 6, 7, 8],
        "all that moves, and what the chain hangs on, but what is locked"
    );
    // Locked bodies still support new ones.
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
    let session = delassus_session::Session::from_text(&text, "many").expect("the scene is right");
    let mut harness = crate::bench::window_of(Bench::of(session));
    harness.state_mut().state.left_tab = crate::LeftTab::Outliner;
    harness.run();
    harness.get_by_label("Unfold chain").click();
    harness.run();
    assert!(harness.state().state.outliner.tree.rows.len() > 10_000, "bodies and their joints");
    let before = harness.state().state.outliner.tree.rows.as_ptr();
    harness.run_steps(3);
    assert_eq!(before, harness.state().state.outliner.tree.rows.as_ptr(), "an idle frame makes no list");
    // F2 on a member far down the list scrolls to its row.
    harness.state_mut().state.selection.bodies = vec![4_500];
    harness.key_press(Key::F2);
    harness.run_steps(4);
    assert!(harness.query_by_label("New name").is_some());
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
