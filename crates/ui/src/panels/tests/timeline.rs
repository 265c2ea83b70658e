//! The timeline under the view and the list of bookmarks and branches, driven by the names of their controls.

use egui::{Key, Modifiers, PointerButton, Pos2, vec2};
use egui_kittest::{Harness, kittest::Queryable};

use crate::bench::{Bench, window_of};
use delassus_physics::setting::Value;
use delassus_session::{Command, Session};

const SCENE: &str = r#"(
    version: 1,
    title: "A falling ball",
    bodies: [
        (name: "floor", shape: Box(half: (5, 5, 0.5)), at: (0, 0, -0.5), motion: Static),
        (name: "ball", shape: Sphere(radius: 0.1), at: (0, 0, 3)),
    ],
)"#;

fn bench(steps: u32) -> Harness<'static, Bench> {
    let mut session = Session::from_text(SCENE, "time.ron").expect("the scene is right");
    (0..steps).for_each(|_| session.dispatch(Command::Step).expect("a step"));
    let mut harness = window_of(Bench::of(session));
    harness.run();
    harness
}

fn press_at(harness: &mut Harness<'_, Bench>, at: Pos2, pressed: bool) {
    harness.event(egui::Event::PointerMoved(at));
    let (button, modifiers) = (PointerButton::Primary, Modifiers::NONE);
    harness.event(egui::Event::PointerButton { pos: at, button, pressed, modifiers });
    harness.run();
}

fn step(harness: &Harness<'_, Bench>) -> u64 {
    harness.state().session.snapshot().step
}

/// The timeline has 300 steps: its middle is step 150, and the ball is at its position of that step, z = 3 − ½ g t².
#[test]
fn dragging_the_line_shows_that_moment_in_view_and_plots() {
    let mut harness = bench(300);
    let line = harness.get_by_label("Timeline").rect().shrink2(vec2(8.0, 0.0));
    press_at(&mut harness, line.center(), true);
    press_at(&mut harness, line.center(), false);
    assert!(step(&harness).abs_diff(150) <= 1, "{}", step(&harness));
    // Dragging to a tenth of it, in free fall.
    press_at(&mut harness, line.center(), true);
    let at = egui::pos2(line.left() + 0.1 * line.width(), line.center().y);
    harness.event(egui::Event::PointerMoved(at));
    harness.run();
    let now = step(&harness);
    assert!(now.abs_diff(30) <= 1, "{now}");
    press_at(&mut harness, at, false);
    let session = &harness.state().session;
    let t = now as f32 / 60.0;
    let z = session.snapshot().bodies[1].pose.position.z;
    assert!((z - (3.0 - 0.5 * 9.81 * t * t)).abs() < 0.5 * 9.81 * t / 60.0 + 1e-3, "{z} m after {t} s");
    assert!(session.is_past() && session.samples().ahead().len() as u64 == 300 - now);
    assert!(harness.query_by_label("PAST").is_some());
    harness.get_by_label("To the newest moment").click();
    harness.run();
    assert_eq!(step(&harness), 300);
    assert!(harness.query_by_label("PAST").is_none());
}

#[test]
fn bookmarks_are_set_named_gone_to_and_forgotten() {
    let mut harness = bench(60);
    harness.get_by_label("Bookmark this moment").click();
    harness.run();
    harness.state_mut().session.dispatch(Command::Seek(20)).expect("it was");
    harness.run();
    harness.key_press_modifiers(Modifiers::COMMAND, Key::B);
    harness.run();
    let steps: Vec<u64> = harness.state().session.bookmarks().iter().map(|b| b.step).collect();
    assert_eq!(steps, [20, 60]);
    harness.key_press(Key::PageDown);
    harness.run();
    assert_eq!(step(&harness), 60);
    harness.key_press(Key::PageUp);
    harness.run();
    assert_eq!(step(&harness), 20);
    harness.key_press(Key::PageUp);
    harness.run();
    assert_eq!(step(&harness), 0, "the beginning");
    harness.get_by_label("Bookmarks and branches").click();
    harness.run();
    harness.get_by_label("Name of Mark 2").focus();
    harness.run();
    harness.key_press_modifiers(Modifiers::COMMAND, Key::A);
    harness.event(egui::Event::Text("in the air".into()));
    harness.key_press(Key::Enter);
    harness.run();
    let names: Vec<String> = harness.state().session.bookmarks().iter().map(|b| b.name.clone()).collect();
    assert_eq!(names, ["in the air", "Mark 1"]);
    harness.get_by_label("Go to in the air").click();
    harness.run();
    assert_eq!(step(&harness), 20);
    harness.get_by_label("Delete Mark 1").click();
    harness.run();
    assert_eq!(harness.state().session.bookmarks().len(), 1);
}

#[test]
fn both_branches_are_listed_and_gone_to() {
    let mut harness = bench(60);
    let command = |harness: &mut Harness<'_, Bench>, command| {
        harness.state_mut().session.dispatch(command).expect("it can be done");
        harness.run();
    };
    command(&mut harness, Command::Seek(10));
    let gravity = Value::Vector(glam::Vec3::new(0.0, 0.0, -1.0));
    command(&mut harness, Command::Set { name: "step.gravity", value: gravity });
    (0..20).for_each(|_| command(&mut harness, Command::Step));
    let slow = harness.state().session.snapshot().hash;
    harness.get_by_label("Bookmarks and branches").click();
    harness.run();
    harness.get_by_label("Go to First run").click();
    harness.run();
    assert_eq!(step(&harness), 30);
    assert_ne!(harness.state().session.snapshot().hash, slow);
    let other = harness.state().session.branches()[0].name.clone();
    harness.get_by_label(&format!("Go to {other}")).click();
    harness.run();
    assert_eq!((step(&harness), harness.state().session.snapshot().hash), (30, slow));
    // Going on from an earlier moment without a change makes a third branch.
    command(&mut harness, Command::Seek(5));
    harness.get_by_label("Continue from here").click();
    harness.run();
    assert_eq!(harness.state().session.branches().len(), 2);
    harness.get_by_label(&format!("Delete {other}")).click();
    harness.run();
    assert_eq!(harness.state().session.branches().len(), 1);
    harness.key_press(Key::Escape);
    harness.run();
    assert!(!harness.state().state.moments.open);
}
