//! A scene that the device steps, in a session: history, time and recordings work as with the processor.

use std::sync::Arc;

use delassus_gpu::{Device, Stepper};
use delassus_physics::setting::Value;
use delassus_session::{Command, Edit, Element, Session};

use crate::device;

const SCENE: &str = r#"(
    version: 1,
    title: "Beads",
    settings: (preset: SingleStep, 
        step: (rate: 240),
        solver: (method: Jacobi, iterations: 20, rows: Block, jacobi: Manual, relaxation: 1, device: Gpu),
        warm_start: (enabled: false),
        stabilization: (method: Baumgarte),
        contact: (enabled: false),
    ),
    patterns: [
        Chain(
            name: "bead",
            body: (shape: Sphere(radius: 0.1), at: (0, 0, 6), mass: 1, collide: false),
            count: 12,
            spacing: (0.25, 0, 0),
            joint: (kind: BallSocket),
            first: Static,
        ),
    ],
)"#;

fn open(device: &Arc<Device>) -> Session {
    let mut session = Session::from_text(SCENE, "beads.ron").expect("a scene");
    let device = device.clone();
    session.use_device(Some(Arc::new(Stepper::new(move || Ok(device.clone())))));
    session
}

fn steps(session: &mut Session, count: u32) {
    for _ in 0..count {
        session.dispatch(Command::Step).expect("a step");
    }
}

fn set(session: &mut Session, name: &'static str, value: Value) {
    session.dispatch(Command::Set { name, value }).expect("a setting");
}

/// The device makes the steps, and the snapshot equals the processor's within rounding: positions to 10 µm, forces to
/// a thousandth, after a quarter of a second.
#[test]
fn a_snapshot_is_the_processors() {
    let Some(device) = device() else { return };
    let (mut away, mut here) = (open(&device), open(&device));
    set(&mut here, "solver.device", Value::Choice("Cpu"));
    steps(&mut away, 60);
    steps(&mut here, 60);
    assert_eq!(away.take_device_notice(), None);
    for (a, b) in away.snapshot().bodies.iter().zip(&here.snapshot().bodies) {
        assert!(a.centre.distance(b.centre) <= 1e-5, "{}: {} and {}", a.name, a.centre, b.centre);
    }
    let most = here.snapshot().joints.iter().map(|joint| joint.readout.force.length()).fold(0.0, f32::max);
    for (a, b) in away.snapshot().joints.iter().zip(&here.snapshot().joints) {
        let (a, b) = (&a.readout, &b.readout);
        assert!(a.force.distance(b.force) <= 1e-3 * most, "{a:?} and {b:?}");
        assert!((a.error - b.error).abs() <= 1e-5, "{a:?} and {b:?}");
    }
    assert!(most > 10.0, "a bead weighs 9.81 N: {most}");
}

/// Back, forward, undo, redo, reset: each state is identical to the bit.
#[test]
fn time_and_undo_lead_to_the_same_bits() {
    let Some(device) = device() else { return };
    let mut session = open(&device);
    steps(&mut session, 40);
    let before = session.snapshot().hash;
    steps(&mut session, 5);
    let after = session.snapshot().hash;
    session.dispatch(Command::Seek(40)).expect("a kept state");
    assert_eq!(session.snapshot().hash, before);
    steps(&mut session, 5);
    assert_eq!(session.snapshot().hash, after);
    set(&mut session, "solver.iterations", Value::Int(5));
    steps(&mut session, 3);
    let edited = session.snapshot().hash;
    session.dispatch(Command::Seek(45)).expect("a kept state");
    steps(&mut session, 3);
    assert_eq!(session.snapshot().hash, edited);
    session.dispatch(Command::Undo).expect("a setting");
    assert_eq!(session.settings().solver.iterations, 20);
    session.dispatch(Command::Reset).expect("the beginning");
    steps(&mut session, 40);
    assert_eq!(session.snapshot().hash, before);
    assert_eq!(session.take_device_notice(), None);
}

/// A recording replays identically on the same device, and is reported to differ on the processor.
#[test]
fn a_recording_is_made_again_on_the_device() {
    let Some(device) = device() else { return };
    let mut session = open(&device);
    session.dispatch(Command::Record).expect("a recording");
    steps(&mut session, 10);
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("run.ron");
    session.dispatch(Command::SaveRecording(file.clone())).expect("a file");
    let again: Arc<Stepper> = Arc::new(Stepper::new(move || Ok(device.clone())));
    let found = delassus_session::recording::replay(&file, Some(again)).expect("a recording");
    assert_eq!(found.differs, None);
    let found = delassus_session::recording::replay(&file, None).expect("a recording");
    assert!(found.differs.is_some(), "other sums have other bits");
}

/// A scene whose method the device does not support is stepped by the processor, which is reported once; while the
/// mouse pulls a body the device makes only the sweeps, and afterwards the steps again.
#[test]
fn what_the_device_cannot_do_is_said_once() {
    let Some(device) = device() else { return };
    let mut session = open(&device);
    steps(&mut session, 3);
    assert_eq!((session.device_refusal(), session.take_device_notice()), (None, None));
    set(&mut session, "solver.method", Value::Choice("Direct"));
    assert_eq!(session.device_refusal().as_deref(), Some("it has only sweeps, no direct solver"));
    steps(&mut session, 1);
    let notice = session.take_device_notice().expect("it is said");
    assert_eq!(notice, "The processor makes the steps, not the graphics device: it has only sweeps, no direct solver.");
    steps(&mut session, 3);
    assert_eq!(session.take_device_notice(), None, "once");
    session.dispatch(Command::Undo).expect("the method");
    assert_eq!(session.device_refusal(), None);
    steps(&mut session, 1);
    assert_eq!(session.take_device_notice(), None);
    let pull = Command::MouseJoint { body: 3, point: glam::Vec3::ZERO, target: glam::Vec3::ONE };
    session.dispatch(pull).expect("a hand");
    steps(&mut session, 2);
    assert_eq!((session.device_refusal(), session.take_device_notice()), (None, None), "its sweeps are the device's");
    session.dispatch(Command::Release).expect("a hand");
    steps(&mut session, 1);
    assert_eq!((session.device_refusal(), session.take_device_notice()), (None, None));
}

/// Bodies that are edited during a run are uploaded again.
#[test]
fn an_edit_in_mid_run_goes_on_from_there() {
    let Some(device) = device() else { return };
    let (mut away, mut here) = (open(&device), open(&device));
    set(&mut here, "solver.device", Value::Choice("Cpu"));
    for session in [&mut away, &mut here] {
        steps(session, 20);
        let text = SCENE.replace("mass: 1,", "mass: 2,").replace("count: 12", "count: 9");
        let scene = delassus_scene::read_str(&text, "beads.ron").expect("a scene").scene;
        let pattern = Box::new(scene.patterns[0].clone());
        let edit = Edit::Element(Element::Pattern { index: 0, pattern });
        session.dispatch(Command::Edit { edit, gesture: None }).expect("an edit");
        steps(session, 20);
    }
    assert_eq!(away.snapshot().bodies.len(), 9);
    assert_eq!(away.take_device_notice(), None);
    for (a, b) in away.snapshot().bodies.iter().zip(&here.snapshot().bodies) {
        assert!(a.centre.distance(b.centre) <= 1e-5, "{}: {} and {}", a.name, a.centre, b.centre);
    }
}
