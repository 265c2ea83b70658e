//! Tests of the palette and the spawn tool, driven like a user.

use egui::{Key, Modifiers};
use egui_kittest::{Harness, kittest::Queryable};
use glam::Vec3;

use crate::bench::Bench;
use crate::editor::Tool;
use crate::editor::tests::editor::{bench, click, drag, names, seen};
use delassus_scene::{Pattern, library};
use delassus_session::Command;

/// The test window with the library's parts on the palette.
fn with_parts() -> Harness<'static, Bench> {
    let mut harness = bench();
    harness.state_mut().shelf.parts = library::parts(&library::source_scenes());
    harness.key_press(Key::B);
    harness.run();
    harness
}

fn lowest(harness: &Harness<'_, Bench>, prefix: &str) -> f32 {
    let bodies = harness.state().session.snapshot().bodies.iter().filter(|b| b.name.starts_with(prefix));
    bodies.map(|b| crate::view3d::placing::aabb(b, 1.0).0.z).fold(f32::INFINITY, f32::min)
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
    let ghosts = harness.state().state.view3d.preview.ghosts.len();
    assert!(ghosts > 5, "every body of the part is seen before it is placed, not {ghosts}");
    // Also while the simulation plays.
    harness.state_mut().session.dispatch(Command::Play).expect("a scene");
    click(&mut harness, at);
    click(&mut harness, at + egui::vec2(90.0, 0.0));
    let scene = harness.state().session.scene().expect("a scene");
    let parts: Vec<_> = scene.parts.iter().map(|p| p.name.as_str()).collect();
    assert_eq!(parts, ["ragdoll", "ragdoll-2"], "a name of its own for each");
    assert_eq!(names(&harness).len(), 2 + 2 * ghosts);
    let low = lowest(&harness, "ragdoll.");
    assert!((-1e-4..0.02).contains(&low), "its lowest body touches the floor, {low} m above it");
    harness.state_mut().session.dispatch(Command::Undo).expect("one entry for each");
    assert_eq!(names(&harness).len(), 2 + ghosts);
}

#[test]
fn a_pattern_of_the_palette_stays_a_pattern_and_rests_on_what_is_under_it() {
    let mut harness = with_parts();
    harness.get_by_label("Stack").click();
    harness.run();
    // On top of the box, 1 m high.
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
    let bodies = harness.state().session.scene().expect("a scene").bodies.to_vec();
    let heights: Vec<f32> = bodies[2..].iter().map(|b| b.at.z).collect();
    assert_eq!(heights.len(), 3);
    // Each is in front of the previous one, which the pointer's ray meets first, and none is inside the floor.
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

#[test]
fn how_many_a_pattern_has_is_chosen_before_it_is_placed_and_the_ghost_shows_it() {
    let mut harness = with_parts();
    harness.get_by_label("Stack").click();
    harness.run();
    let at = seen(&harness, Vec3::new(0.0, 0.0, 1.0));
    harness.event(egui::Event::PointerMoved(at));
    harness.run_steps(2);
    let ghosts = |h: &Harness<'_, Bench>| h.state().state.view3d.preview.ghosts.len();
    assert_eq!(ghosts(&harness), 5);
    for _ in 0..3 {
        harness.key_press(Key::ArrowUp);
        harness.run_steps(2);
    }
    harness.key_press(Key::ArrowDown);
    harness.run_steps(2);
    assert_eq!(ghosts(&harness), 7);
    let eye = harness.state().state.view3d.camera.eye();
    let wheel = |y: f32| egui::Event::MouseWheel {
        unit: egui::MouseWheelUnit::Line,
        delta: egui::vec2(0.0, y),
        phase: egui::TouchPhase::Move,
        source: egui::MouseWheelSource::Unknown,
        modifiers: Modifiers::SHIFT,
    };
    harness.event_modifiers(wheel(2.0), Modifiers::SHIFT);
    harness.run_steps(3);
    assert_eq!(ghosts(&harness), 9);
    assert!(harness.state().state.view3d.camera.eye().distance(eye) < 1e-4, "with Shift the wheel does not zoom");
    assert_eq!(harness.state().state.view3d.preview.label.as_deref(), Some("9 boxes"));
    click(&mut harness, at);
    let members = |h: &Harness<'_, Bench>| names(h).iter().filter(|n| n.starts_with("stack.")).count();
    assert_eq!(members(&harness), 9);
    assert!((lowest(&harness, "stack.") - 1.0).abs() < 0.02);
}

#[test]
fn the_palette_s_fields_say_how_long_a_wall_and_how_far_apart_dominoes_are() {
    let mut harness = with_parts();
    harness.get_by_label("Wall").click();
    harness.run();
    assert!(harness.query_by_label("Dominoes: Spacing").is_none(), "only what the chosen pattern has");
    let type_in = |harness: &mut Harness<'static, Bench>, field: &str, text: &str| {
        harness.get_by_label(field).click();
        harness.run();
        harness.key_press_modifiers(Modifiers::COMMAND, Key::A);
        harness.event(egui::Event::Text(text.into()));
        harness.run();
        harness.key_press(Key::Enter);
        harness.run();
    };
    type_in(&mut harness, "Wall: Boxes", "3");
    type_in(&mut harness, "Wall: Rows", "2");
    assert!(harness.query_by_label("6 bodies").is_some());
    let at = seen(&harness, Vec3::new(2.0, 0.0, 0.0));
    click(&mut harness, at);
    assert_eq!(names(&harness).iter().filter(|n| n.starts_with("wall.")).count(), 6);
    harness.get_by_label("Dominoes").click();
    harness.run();
    type_in(&mut harness, "Dominoes: Spacing", "0.5");
    type_in(&mut harness, "Dominoes: Tiles", "9999");
    type_in(&mut harness, "Dominoes: Tiles", "4");
    let at = seen(&harness, Vec3::new(-2.0, 0.0, 0.0));
    click(&mut harness, at);
    let tiles: Vec<f32> = (harness.state().session.snapshot().bodies.iter())
        .filter(|b| b.name.starts_with("dominoes."))
        .map(|b| b.pose.position.x)
        .collect();
    assert_eq!(tiles.len(), 4);
    assert!(tiles.windows(2).all(|w| (w[1] - w[0] - 0.5).abs() < 1e-5), "{tiles:?}");
}

#[test]
fn a_ghost_is_turned_by_keys_and_placed_as_it_is_seen() {
    let mut harness = bench();
    harness.key_press(Key::B);
    harness.run();
    harness.get_by_label("Dominoes").click();
    harness.run();
    let at = seen(&harness, Vec3::new(1.5, 0.0, 0.0));
    harness.event(egui::Event::PointerMoved(at));
    harness.run();
    let across = |harness: &Harness<'_, Bench>| {
        let ghosts = &harness.state().state.view3d.preview.ghosts;
        let way = ghosts[1].1.position - ghosts[0].1.position;
        way.normalize()
    };
    assert!(across(&harness).distance(Vec3::X) < 1e-4);
    for _ in 0..6 {
        harness.key_press(Key::Z);
        harness.run();
    }
    assert!(across(&harness).distance(Vec3::Y) < 1e-4, "six times 15°: {}", across(&harness));
    click(&mut harness, at);
    let scene = harness.state().session.scene().expect("a scene");
    let [Pattern::Stack(stack)] = &scene.patterns.to_vec()[..] else {
        panic!("they stay a pattern: {:?}", scene.patterns)
    };
    assert!(stack.spacing.normalize().distance(Vec3::Y) < 1e-4, "{}", stack.spacing);
    let low = lowest(&harness, "dominoes");
    assert!((0.0..0.02).contains(&low), "they stand on the floor, {low} m above it");
    harness.key_press(Key::U);
    harness.run();
    assert!(across(&harness).distance(Vec3::X) < 1e-4, "upright again");
}

/// The body was put at y = −20, onto the near face of the floor.
#[test]
fn in_the_front_view_the_edge_of_the_floor_means_the_floor_under_the_target() {
    let mut harness = with_parts();
    let (eye, target) = (Vec3::new(0.0, -12.0, 0.8), Vec3::new(0.0, 0.0, 0.8));
    harness.state_mut().state.view3d.camera.set(delassus_render::orbit_view::OrbitView::between(eye, target));
    harness.get_by_label("Sphere").click();
    harness.run();
    // The side of the floor, 7 m from the eye, and its top at a grazing angle, 9 m from it. The target is 12 m from it.
    for (seen_at, x) in [(Vec3::new(2.0, -5.0, -0.3), 2.0 * 12.0 / 7.0), (Vec3::new(-1.0, -3.0, 0.0), -12.0 / 9.0)] {
        let at = seen(&harness, seen_at);
        click(&mut harness, at);
        let ball = harness.state().session.scene().expect("a scene").bodies.last().expect("a body").clone();
        assert!(ball.at.distance(Vec3::new(x, 0.0, 0.5)) < 0.2, "{}", ball.at);
    }
}

/// Beside every floor a body stood 0.36 m deep in the grid, and towards the horizon it was put 130 m away.
#[test]
fn on_the_bare_ground_a_body_stands_and_towards_the_horizon_it_is_put_before_the_target() {
    let mut harness = with_parts();
    let (eye, target) = (Vec3::new(40.0, 6.0, 2.0), Vec3::new(40.0, 20.0, 2.0));
    harness.state_mut().state.view3d.camera.set(delassus_render::orbit_view::OrbitView::between(eye, target));
    harness.get_by_label("Box").click();
    harness.run();
    // The second point is seen 120 m away on the ground, and at the target's distance 2 m − 2 m · 14/120 high.
    let far = Vec3::new(40.0, 126.0, 0.0);
    for (seen_at, right) in
        [(Vec3::new(41.0, 14.0, 0.0), Vec3::new(41.0, 14.0, 0.5)), (far, eye + (far - eye) * (14.0 / 120.0))]
    {
        let at = seen(&harness, seen_at);
        click(&mut harness, at);
        let placed = harness.state().session.scene().expect("a scene").bodies.last().expect("a body").at;
        assert!(placed.distance(right) < 0.3, "{placed}, right {right}");
        assert!(seen_at == far || placed.z == 0.5, "{placed}");
    }
}

/// Places had seven digits, and a body stood 2 mm above the floor.
#[test]
fn what_is_placed_stands_on_the_floor_at_a_round_place() {
    let mut harness = with_parts();
    harness.state_mut().state.editor.snap = false;
    harness.get_by_label("Sphere").click();
    harness.run();
    let at = seen(&harness, Vec3::new(2.123_456, 0.0, 0.0));
    click(&mut harness, at);
    let ball = harness.state().session.scene().expect("a scene").bodies.last().expect("a body").clone();
    assert_eq!(ball.at.z, 0.5);
    assert!(ball.at.to_array().iter().all(|x| x.to_string().len() < 6), "{}", ball.at);
    // On a box, on a pile and with the magnet, too: 0.4998 was 0.5.
    harness.state_mut().state.editor.snap = true;
    for (seen_at, z) in [(Vec3::new(0.0, 0.0, 1.0), 1.5), (Vec3::new(-2.1, 1.1, 0.0), 0.5)] {
        let at = seen(&harness, seen_at);
        click(&mut harness, at);
        let ball = harness.state().session.scene().expect("a scene").bodies.last().expect("a body").clone();
        assert_eq!(ball.at.z, z);
        assert_eq!(ball.at.truncate() * 4.0, (ball.at.truncate() * 4.0).round(), "{}", ball.at);
    }
}

#[test]
fn every_starter_of_the_palette_is_placed_with_its_joints() {
    for starter in &crate::editor::tools::starters::STARTERS {
        let mut harness = with_parts();
        let (bodies, joints) =
            harness.state().session.scene().map(|scene| (scene.bodies.len(), scene.joints.len())).expect("a scene");
        harness.get_by_label(starter.name).click();
        harness.run();
        let at = seen(&harness, Vec3::new(-2.0, 1.0, 0.0));
        click(&mut harness, at);
        let scene = harness.state().session.scene().expect("a scene");
        assert!(scene.bodies.len() > bodies + 1 && scene.joints.len() > joints, "{}", starter.name);
        let lowest = scene.bodies.iter().skip(bodies).map(|body| body.at.z).fold(f32::INFINITY, f32::min);
        assert!(lowest > 0.05 && lowest < 2.0, "{} stands at {lowest} m", starter.name);
    }
}
