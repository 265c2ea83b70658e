//! The drawing of joints during a gesture: with the bodies that are dragged, and with those that move meanwhile.

use egui::{Event, Key};
use egui_kittest::Harness;
use glam::{Vec2, Vec3};

use crate::bench::{Bench, window_of};
use crate::editor::tests::editor::{press, seen};
use crate::editor::tests::placed;
use crate::view3d::picture_builder::{PictureBuilder, Show};
use delassus_render::{orbit_view::OrbitView, palette, picture::Theme};
use delassus_session::{Command, Session};

const SCENE: &str = r#"(
    version: 1,
    title: "Live",
    settings: (step: (gravity: (0, 0, 0))),
    bodies: [
        (name: "door", shape: Box(half: (0.5, 0.05, 0.5)), at: (0.5, 0, 1)),
        (name: "lid", shape: Box(half: (0.5, 0.05, 0.5)), at: (4.5, 0, 1), velocity: (0, 0.6, 0),
            angular_velocity: (0, 0, 0.5)),
    ],
    joints: [
        (name: "hinge", b: "door", anchor: (0, 0, 1), axis: (0, 0, 1), kind: Hinge(limit: (Degrees(-30), Degrees(60)))),
        (name: "ball", a: "door", b: "lid", anchor: (4, 0, 1), kind: BallSocket()),
    ],
)"#;

fn bench(text: &str) -> Harness<'static, Bench> {
    let mut harness = window_of(Bench::of(Session::from_text(text, "live.ron").expect("the scene is right")));
    let eye = OrbitView::between(Vec3::new(2.5, -11.0, 5.0), Vec3::new(2.5, 0.0, 1.0));
    harness.state_mut().state.view3d.camera.set(eye);
    harness.run();
    let at = seen(&harness, Vec3::new(0.5, 0.0, 1.0));
    harness.event(Event::PointerMoved(at));
    harness.run_steps(2);
    harness
}

/// The points and lines of the picture that the window draws now.
fn drawn(harness: &Harness<'_, Bench>, builder: &mut PictureBuilder) -> (Vec<Vec3>, Vec<(Vec3, Vec3)>) {
    let (state, session) = (&harness.state().state, &harness.state().session);
    let show = Show {
        overlays: state.view3d.overlays,
        theme: Theme::Dark,
        alpha: 1.0,
        h: session.snapshot().sub_step,
        newtons_a_metre: 20.0,
        selected: &state.selection.bodies,
        hovered: None,
        joint: state.selection.joint,
        more_joints: &state.selection.more_joints,
        pixels: 1.0,
        preview: &state.view3d.preview,
        others: &[],
        visibility: &state.view3d.visibility,
        on_device: None,
        camera: &state.view3d.camera,
        viewport: crate::view3d::viewport::viewport(&state.view3d),
    };
    let picture = builder.set(session.snapshot(), &show);
    let points = picture.points.iter().map(|p| p.at).collect();
    (points, picture.lines.iter().map(|l| (l.a, l.b)).collect())
}

fn key(harness: &mut Harness<'_, Bench>, key: Key) {
    harness.key_press(key);
    harness.run_steps(2);
}

fn type_text(harness: &mut Harness<'_, Bench>, text: &str) {
    harness.event(Event::Text(text.into()));
    harness.run_steps(2);
}

fn near(points: &[Vec3], at: Vec3) -> bool {
    points.iter().any(|p| p.distance(at) < 1e-3)
}

const LANDED: &str = r#"(
    version: 1,
    title: "Landed",
    bodies: [
        (name: "floor", shape: Box(half: (9, 9, 0.5)), at: (0, 0, -0.5), motion: Static),
        (name: "box", shape: Box(half: (0.5, 0.5, 0.5)), at: (0.5, 0, 0.5)),
        (name: "other", shape: Box(half: (0.5, 0.5, 0.5)), at: (4, 0, 0.5)),
    ],
)"#;

#[test]
fn the_contacts_of_a_body_that_is_moved_are_not_drawn_where_it_has_been() {
    let mut harness = bench(LANDED);
    let mut builder = PictureBuilder::default();
    harness.state_mut().session.dispatch(Command::Step).expect("a step");
    harness.run_steps(2);
    let before = drawn(&harness, &mut builder).0;
    let (boxes, others) = (|p: &&Vec3| p.x < 2.0, |p: &&Vec3| p.x > 2.0);
    let count = |points: &[Vec3]| (points.iter().filter(boxes).count(), points.iter().filter(others).count());
    assert_eq!(count(&before), (4, 4), "{before:?}");
    harness.state_mut().state.selection.bodies = vec![2];
    for k in [Key::G, Key::Z] {
        key(&mut harness, k);
    }
    type_text(&mut harness, "2");
    let held = drawn(&harness, &mut builder).0;
    assert!(!held.iter().any(|p| before.iter().filter(boxes).any(|b| b.distance(*p) < 1e-3)), "{held:?}");
    assert!(before.iter().filter(others).all(|b| near(&held, *b)), "the other box stands as before: {held:?}");
    key(&mut harness, Key::Escape);
    assert_eq!(drawn(&harness, &mut builder).0, before, "let go, it is as before");
}

#[test]
fn the_joints_of_a_body_that_is_moved_go_with_it_before_it_is_let_go() {
    let mut harness = bench(SCENE);
    let mut builder = PictureBuilder::default();
    let before = drawn(&harness, &mut builder);
    harness.state_mut().state.selection.bodies = vec![1];
    for k in [Key::G, Key::Z] {
        key(&mut harness, k);
    }
    type_text(&mut harness, "2");
    let (points, lines) = drawn(&harness, &mut builder);
    // The hinge's end on the door moves, the world's stays; likewise for the lid.
    for at in [Vec3::new(0.0, 0.0, 1.0), Vec3::new(0.0, 0.0, 3.0), Vec3::new(4.0, 0.0, 3.0), Vec3::new(4.0, 0.0, 1.0)] {
        assert!(near(&points, at), "{at} of {points:?}");
    }
    let thread = |a: Vec3, b: Vec3| lines.iter().any(|l| l.0.distance(a) < 1e-3 && l.1.distance(b) < 1e-3);
    assert!(thread(Vec3::new(0.0, 0.0, 1.0), Vec3::new(0.0, 0.0, 3.0)), "the gap is drawn as a thread");
    assert!(thread(Vec3::new(4.0, 0.0, 3.0), Vec3::new(4.0, 0.0, 1.0)));
    key(&mut harness, Key::Escape);
    assert_eq!(drawn(&harness, &mut builder).0, before.0, "let go, it is as before");
}

#[test]
fn a_hinge_s_hand_turns_with_the_door_and_its_stops_stay() {
    let mut harness = bench(SCENE);
    let mut builder = PictureBuilder::default();
    harness.state_mut().state.selection.bodies = vec![1];
    let (_, before) = drawn(&harness, &mut builder);
    for k in [Key::T, Key::Z] {
        key(&mut harness, k);
    }
    type_text(&mut harness, "90");
    let (_, after) = drawn(&harness, &mut builder);
    // About the door's own centre: its end of the hinge goes from (0, 0) to (0.5, −0.5), the hand from the world's
    // anchor to the door's centre stays; the stops at −30° and 60° are fixed in the world.
    let spoke = |lines: &[(Vec3, Vec3)], degrees: f32| {
        let (sin, cos) = degrees.to_radians().sin_cos();
        lines.iter().any(|l| {
            l.0.distance(Vec3::Z) < 1e-3 && (l.1 - l.0).normalize_or_zero().distance(Vec3::new(cos, sin, 0.0)) < 1e-3
        })
    };
    for degrees in [-30.0, 60.0, 0.0] {
        assert!(spoke(&before, degrees) && spoke(&after, degrees), "{degrees}");
    }
    let mark = Vec3::new(0.5, -0.5, 1.0);
    let (points, _) = drawn(&harness, &mut builder);
    assert!(near(&points, mark), "{points:?}");
}

/// The bodies go on moving while a joint's end is dragged.
#[test]
fn the_end_that_is_dragged_goes_with_its_body() {
    let mut harness = bench(
        &SCENE.replace("joints: [", "joints: [(name: \"free\", a: \"door\", b: \"lid\", kind: Rope(length: 9)),"),
    );
    let end = |h: &Harness<'_, Bench>| placed(h, &h.state().session.snapshot().joints[0]).anchor_b;
    harness.state_mut().state.selection.click_joint(0);
    harness.state_mut().state.editor.end = crate::editor::tools::held_frame::FrameEnd::B;
    for k in [Key::G, Key::X] {
        key(&mut harness, k);
    }
    type_text(&mut harness, "0.25");
    let preview = |h: &Harness<'_, Bench>| {
        placed(h, &h.state().state.view3d.preview.joint.as_ref().expect("it is drawn").1).anchor_b
    };
    let (was, shown) = (end(&harness), preview(&harness));
    assert!(shown.distance(was + Vec3::X * 0.25) < 1e-4);
    (0..20).for_each(|_| harness.state_mut().session.dispatch(Command::Step).expect("a scene"));
    harness.run_steps(2);
    let (now, shown) = (end(&harness), preview(&harness));
    assert!(now.distance(was) > 0.05, "the lid has moved");
    assert!(shown.distance(now + Vec3::X * 0.25) < 1e-4, "and the end with it");
    key(&mut harness, Key::Enter);
    assert!(end(&harness).distance(shown) < 1e-3, "it is kept where it was drawn");
}

#[test]
fn the_first_end_of_a_new_joint_stays_on_the_body_that_moves() {
    let mut harness = bench(SCENE);
    key(&mut harness, Key::J);
    let lid = |h: &Harness<'_, Bench>| h.state().session.snapshot().bodies[1].pose.position;
    let from = seen(&harness, lid(&harness));
    press(&mut harness, from, true);
    let sky = egui::pos2(from.x, harness.state().state.view3d.rect.top() + 150.0);
    harness.event(Event::PointerMoved(sky));
    harness.run_steps(2);
    let start = |h: &Harness<'_, Bench>| h.state().state.view3d.preview.lines.first().expect("the band").0;
    assert!(start(&harness).distance(lid(&harness)) < 1e-3, "it snaps to the middle");
    let was = lid(&harness);
    (0..20).for_each(|_| harness.state_mut().session.dispatch(Command::Step).expect("a scene"));
    harness.run_steps(2);
    assert!(lid(&harness).distance(was) > 0.05);
    assert!(start(&harness).distance(lid(&harness)) < 1e-3, "{} {}", start(&harness), lid(&harness));
}

/// The benches measure the time that this takes.
#[test]
fn five_thousand_bodies_held_together_open_no_joint() {
    let text = r#"(version: 1, title: "Many", patterns: [Chain(name: "c", body: (shape: Sphere(radius: 0.1)), count: 5000,
        spacing: (0.3, 0, 0), joint: (kind: BallSocket()))])"#;
    let session = Session::from_text(text, "many.ron").expect("the scene is right");
    let (state, mut builder) = (crate::UiState::default(), PictureBuilder::default());
    let mut preview = crate::view3d::preview::Preview::default();
    let snapshot = session.snapshot();
    preview.placed = snapshot
        .bodies
        .iter()
        .map(|b| (b.id, delassus_session::Pose { position: b.pose.position + Vec3::Z, ..b.pose }, Vec3::ONE))
        .collect();
    let show = Show {
        overlays: state.view3d.overlays,
        theme: Theme::Dark,
        alpha: 1.0,
        h: 0.01,
        newtons_a_metre: 20.0,
        selected: &[],
        hovered: None,
        joint: None,
        more_joints: &[],
        pixels: 1.0,
        preview: &preview,
        others: &[],
        visibility: &state.view3d.visibility,
        on_device: None,
        camera: &state.view3d.camera,
        viewport: Vec2::new(1000.0, 800.0),
    };
    let lines =
        builder.set(session.snapshot(), &show).lines.iter().filter(|l| l.color[0] == palette::VERMILION[0]).count();
    assert_eq!(lines, 0, "all go together");
}
