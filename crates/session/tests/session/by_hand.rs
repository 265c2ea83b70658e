//! Steps asked for one by one while a thread makes the steps: no frame waits for a long one, it can be cancelled, and
//! the run is the same bit for bit.

use super::*;
use std::time::Instant;

const FRAME: Duration = Duration::from_millis(16);
const BUDGET: Duration = Duration::from_millis(10);

/// A session whose steps are slow.
fn slow() -> Session {
    let mut session = many();
    slow_down(&mut session);
    session.run_ahead(true);
    session
}

/// Frames until it waits for no step; returns their number.
fn frames(session: &mut Session) -> u32 {
    let (begun, mut frames) = (Instant::now(), 0);
    while session.computing().is_some() {
        session.advance(FRAME, BUDGET);
        frames += 1;
        std::thread::sleep(Duration::from_millis(1));
        assert!(begun.elapsed() < Duration::from_secs(120), "the step comes");
    }
    frames
}

#[test]
fn a_frame_does_not_wait_for_a_long_step_by_hand() {
    let mut session = slow();
    let mut same = many();
    slow_down(&mut same);
    session.dispatch(Command::Step).unwrap();
    session.dispatch(Command::Step).unwrap();
    assert!(session.computing().is_some() && session.snapshot().step < 2, "it is not made in the frame");
    assert!(frames(&mut session) > 2);
    assert_eq!(session.snapshot().step, 2, "both come");
    steps(&mut same, 2);
    assert_eq!(session.snapshot().hash, same.snapshot().hash);
}

#[test]
fn a_pause_and_an_edit_cancel_a_step_by_hand() {
    let mut session = slow();
    for by in [Command::Pause, Command::Set { name: "solver.iterations", value: Value::Int(399) }, Command::Reset] {
        session.dispatch(Command::Step).unwrap();
        assert!(session.computing().is_some(), "{by:?}");
        session.dispatch(by.clone()).unwrap();
        assert_eq!(session.computing(), None, "{by:?}");
        session.advance(FRAME, BUDGET);
        assert_eq!(session.snapshot().step, 0, "{by:?}");
    }
    // The thread is free for others: it does not make the cancelled ones first.
    set(&mut session, "solver.iterations", Value::Int(5));
    set(&mut session, "step.substeps", Value::Int(1));
    session.dispatch(Command::Step).unwrap();
    frames(&mut session);
    assert_eq!(session.snapshot().step, 1);
    assert_eq!(session.replayed_hash(), Some(session.snapshot().hash));
}

#[test]
fn steps_by_hand_follow_the_recorded_run_with_its_inputs() {
    let mut session = session();
    session.run_ahead(true);
    let step = |session: &mut Session| {
        let before = session.snapshot().step;
        session.dispatch(Command::Step).unwrap();
        frames(session);
        assert_eq!(session.snapshot().step, before + 1);
        session.snapshot().hash
    };
    let mut hashes = vec![step(&mut session)];
    set(&mut session, "solver.iterations", Value::Int(3));
    hashes.push(step(&mut session));
    let body = moving(&session).expect("one moves");
    let target = body.pose.position + Vec3::Z;
    session.dispatch(Command::MouseJoint { body: body.id, point: Vec3::ZERO, target }).unwrap();
    hashes.push(step(&mut session));
    session.dispatch(Command::Release).unwrap();
    hashes.push(step(&mut session));
    session.dispatch(Command::Seek(0)).unwrap();
    let again: Vec<u64> = (0..4).map(|_| step(&mut session)).collect();
    assert_eq!(again, hashes);
    assert!(!session.is_past());
}

#[test]
fn a_long_examination_is_not_made_in_the_frame_and_an_edit_cancels_it() {
    let text = r#"(version: 1, title: "pile", bodies: [(name: "ball", shape: Sphere(radius: 0.1), at: (3, 0, 9))],
        joints: [(name: "thread", b: "ball", anchor: (3, 0, 10), kind: BallSocket, breaks: (force: 1000))],
        patterns: [Grid(name: "g", count: (7, 7, 7), spacing: (0.4, 0.4, 0.4), of: Body(shape: Box(half: (0.2, 0.2, 0.2)),
            at: (0, 0, 0.2)))])"#;
    let mut session = Session::from_text(text, "pile.ron").expect("a scene");
    let findings = session.findings().len();
    session.run_ahead(true);
    let begun = Instant::now();
    session.dispatch(Command::Examine).unwrap();
    let waited = begun.elapsed();
    assert!(waited < Duration::from_secs(2), "{waited:?}");
    if session.doctor_examines() {
        assert!(session.doctor_waits(), "frames go on");
        set(&mut session, "solver.iterations", Value::Int(7));
    }
    while session.doctor_waits() {
        session.advance(FRAME, BUDGET);
        std::thread::sleep(Duration::from_millis(1));
    }
    assert_eq!(session.findings().len(), findings, "the same is found");
}

/// What is saved is the document, which no step changes: it waits for none.
#[test]
fn saving_answers_at_once_while_a_long_step_is_computed() {
    let folder = tempfile::tempdir().expect("a folder");
    for play in [false, true] {
        let mut session = slow();
        let file = folder.path().join(format!("{play}.ron"));
        session.dispatch(if play { Command::Play } else { Command::Step }).unwrap();
        session.advance(FRAME, BUDGET);
        assert!(session.computing().is_some(), "a step is being made");
        let begun = Instant::now();
        session.dispatch(Command::SaveAs(file.clone())).unwrap();
        let waited = begun.elapsed();
        assert!(session.computing().is_some(), "it did not wait for the step: {waited:?}");
        assert!(!session.is_dirty());
        let again = Session::open(&file).expect("it is whole");
        assert_eq!(again.scene().map(|scene| scene.bodies.len()), session.scene().map(|scene| scene.bodies.len()));
    }
}
