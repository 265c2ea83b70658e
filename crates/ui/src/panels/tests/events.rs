//! The tab of events and breakpoints, driven by the names of its controls.

use egui_kittest::{Harness, kittest::Queryable};

use crate::bench::{Bench, steps, window_of};
use crate::shell::action::Action;
use crate::shell::state::BottomTab;
use delassus_session::{Command, Session};

const SCENE: &str = r#"(
    version: 1,
    title: "A falling ball",
    bodies: [
        (name: "floor", shape: Box(half: (5, 5, 0.5)), at: (0, 0, -0.5), motion: Static),
        (name: "ball", shape: Sphere(radius: 0.5), at: (0, 0, 1)),
    ],
)"#;

fn bench() -> Harness<'static, Bench> {
    let mut harness = window_of(Bench::of(Session::from_text(SCENE, "fall.ron").expect("the scene is right")));
    harness.state_mut().state.pending.push(Action::Events);
    harness.run();
    assert_eq!(harness.state().state.bottom_tab, BottomTab::Events);
    harness
}

#[test]
fn an_event_is_listed_and_a_click_goes_to_its_step() {
    let mut harness = bench();
    assert!(harness.state().session.logs());
    steps(&mut harness, 60);
    let event = harness.state().session.events().front().cloned().expect("the ball has touched the floor");
    harness.get_by_label(&format!("contact begins: floor · ball, step {}", event.step)).click();
    harness.run();
    assert_eq!(harness.state().session.snapshot().step, event.step);
    assert_eq!(harness.state().state.selection.bodies, [1, 2]);
    // With the tab closed nothing is logged; when it is opened again, the events are recomputed.
    let seen = harness.state().session.events().clone();
    harness.state_mut().session.dispatch(Command::Reset).expect("it begins anew");
    harness.state_mut().state.panels.plots = false;
    harness.run();
    assert!(!harness.state().session.logs());
    steps(&mut harness, 60);
    assert!(harness.state().session.events().is_empty());
    harness.state_mut().state.panels.plots = true;
    harness.run();
    assert_eq!(*harness.state().session.events(), seen);
}

#[test]
fn a_breakpoint_is_typed_hit_gone_to_and_forgotten() {
    let mut harness = bench();
    harness.state_mut().state.events.typed = "bodies.ball.z <".into();
    harness.run();
    harness.get_by_label_contains("expected a COLUMN");
    harness.state_mut().state.events.typed = "bodies.ball.z < 0.8".into();
    harness.run();
    harness.get_by_label("Add the breakpoint").click();
    harness.run();
    assert_eq!(harness.state().session.breakpoints().len(), 1);
    steps(&mut harness, 30);
    let hit = harness.state().session.breakpoints()[0].hit.as_ref().map(|(step, _)| *step).expect("it is hit");
    harness.get_by_label("Go to the hit of bodies.ball.z < 0.8").click();
    harness.run();
    assert_eq!(harness.state().session.snapshot().step, hit);
    harness.get_by_label("Pause when bodies.ball.z < 0.8").click();
    harness.run();
    assert!(!harness.state().session.breakpoints()[0].on);
    harness.get_by_label("Delete bodies.ball.z < 0.8").click();
    harness.run();
    assert!(harness.state().session.breakpoints().is_empty());
}
