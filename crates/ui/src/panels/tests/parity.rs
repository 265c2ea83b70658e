//! The graphics device in the window: its switch, greyed if it cannot step the scene, and the parity tab.

use std::sync::Arc;

use egui_kittest::{Harness, kittest::NodeT, kittest::Queryable};

use crate::bench::{Bench, steps, window_of};
use crate::panels::laboratory::Instrument;
use crate::shell::action::Action;
use delassus_gpu::{Device, Stepper};
use delassus_session::{Command, Session};

const SCENE: &str = r#"(
    version: 1,
    title: "Beads",
    settings: (
        step: (rate: 240),
        solver: (method: Jacobi, iterations: 20, rows: Block, jacobi: Manual, relaxation: 1),
        warm_start: (enabled: false),
        stabilization: (method: Baumgarte),
        contact: (enabled: false),
    ),
    patterns: [
        Chain(
            name: "bead",
            body: (shape: Sphere(radius: 0.1), at: (0, 0, 4), mass: 1, collide: false),
            count: 8,
            spacing: (0.25, 0, 0),
            joint: (kind: BallSocket),
            first: Static,
        ),
    ],
)"#;

/// The scene with a device; `None` without an adapter.
fn bench() -> Option<Harness<'static, Bench>> {
    let device = match Device::open() {
        Ok(device) => Arc::new(device),
        Err(fault) => {
            eprintln!("skipped: {fault}");
            return None;
        }
    };
    let mut session = Session::from_text(SCENE, "beads.ron").expect("the scene is right");
    session.use_device(Some(Arc::new(Stepper::new(move || Ok(device.clone())))));
    let mut harness = window_of(Bench::of(session));
    harness.run();
    Some(harness)
}

#[test]
fn the_switch_has_the_device_make_the_steps() {
    let Some(mut harness) = bench() else { return };
    harness.get_by_label("Solver Device: graphics device").click();
    harness.run();
    steps(&mut harness, 3);
    let session = &mut harness.state_mut().session;
    assert_eq!(session.take_device_notice(), None);
    assert_eq!(session.device_refusal(), None);
}

#[test]
fn the_switch_is_grey_with_the_reason_where_the_device_does_not_step_the_scene() {
    let Some(mut harness) = bench() else { return };
    let direct = Command::Set { name: "solver.method", value: delassus_physics::setting::Value::Choice("Direct") };
    harness.state_mut().session.dispatch(direct).expect("a setting");
    harness.run();
    let switch = harness.get_by_label("Solver Device: graphics device");
    assert!(switch.accesskit_node().is_disabled());
    switch.click();
    harness.run();
    let device = harness.state().session.settings().solver.device;
    assert_eq!(device, delassus_physics::settings::Processor::Cpu, "it cannot be chosen");
    // The setting can still come from a file; then the reason is below the switch.
    let gpu = Command::Set { name: "solver.device", value: delassus_physics::setting::Value::Choice("Gpu") };
    harness.state_mut().session.dispatch(gpu).expect("a setting");
    harness.run();
    let words = "The graphics device does not step this scene: it has only sweeps, no direct solver.";
    assert!(harness.query_all_by_label(words).next().is_some());
}

#[test]
fn the_parity_tab_shows_the_first_step_that_differs_and_the_worst() {
    let Some(mut harness) = bench() else { return };
    harness.state_mut().state.pending.push(Action::Laboratory(Instrument::Parity));
    harness.run();
    steps(&mut harness, 10);
    harness.get_by_label_contains("10 steps by both, from step 0");
    harness.get_by_label("none differs");
    harness.get_by_label("Differences");
    let bench = harness.state_mut();
    let parity = bench.state.laboratory.parity.parity.as_mut().expect("both run");
    assert_eq!(parity.moments.len(), 10);
    assert!(parity.moments.iter().all(|moment| moment.position <= 1e-5 && moment.velocity <= 1e-3));
    assert_eq!(parity.worst_joints(3).len(), 3, "rounding differs in ten steps");
    assert!(!parity.worst_bodies(3).is_empty());
    // With an ε below rounding errors some step is the first that differs.
    parity.ask(1e-9);
    assert!(parity.first.is_some_and(|(step, body)| step >= 1 && body >= 2), "{:?}", parity.first);
    // The next frame colours the moving beads.
    assert_eq!(bench.state.view3d.preview.tints.len(), 7);
    // After a reset both start again.
    bench.session.dispatch(Command::Reset).expect("the beginning");
    harness.run();
    harness.get_by_label_contains("0 steps by both, from step 0");
}
