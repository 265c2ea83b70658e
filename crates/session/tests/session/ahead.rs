//! Steps computed ahead on a separate thread: no frame waits for one, commands act on the state that is shown, and
//! the run is the same bit for bit.

use super::*;

const BUDGET: Duration = Duration::from_millis(10);

/// Frames of 1/60 s until this many steps were made; returns the number of frames.
fn frames(session: &mut Session, steps: u64) -> u32 {
    let end = session.snapshot().step + steps;
    let mut frames = 0;
    while session.snapshot().step < end && session.playing() {
        session.advance(Duration::from_secs_f64(1.0 / 60.0), BUDGET);
        frames += 1;
        if frames > 20 {
            // Gives a loaded machine time to compute the steps.
            std::thread::sleep(Duration::from_millis(2));
        }
        assert!(frames < 20_000, "it goes on");
    }
    frames
}

fn ahead(mut session: Session) -> Session {
    session.run_ahead(true);
    session
}

/// Replays the recording step by step without a thread and compares it.
fn same(session: &Session, what: &str) {
    let recording = session.recording().expect("it is recorded");
    assert_eq!(recording.steps, session.snapshot().step, "{what}");
    let replay = recording.replay().unwrap_or_else(|e| panic!("{what}: {e}"));
    assert_eq!(replay.differs, None, "{what}");
    assert_eq!(session.replayed_hash(), Some(session.snapshot().hash), "{what}");
}

#[test]
fn a_frame_waits_for_no_step() {
    let mut session = ahead(many());
    steps(&mut session, 30);
    slow_down(&mut session);
    let before = session.snapshot().step;
    session.dispatch(Command::Play).unwrap();
    let begun = std::time::Instant::now();
    let mut seen = 0;
    while session.snapshot().step == before {
        seen += 1;
        session.advance(Duration::from_secs_f64(1.0 / 60.0), BUDGET);
        std::thread::sleep(Duration::from_millis(1));
        assert!(begun.elapsed() < Duration::from_secs(120), "the step comes");
    }
    assert!(seen > 2, "{seen} frames were made before the first step was");
    // Pause, an edit and a step back take effect at once, on the state that is shown.
    let (step, hash) = (session.snapshot().step, session.snapshot().hash);
    session.dispatch(Command::Pause).unwrap();
    assert_eq!((session.snapshot().step, session.snapshot().hash), (step, hash));
    session.dispatch(Command::Play).unwrap();
    set(&mut session, "solver.iterations", Value::Int(5));
    set(&mut session, "step.substeps", Value::Int(1));
    assert_eq!(session.snapshot().step, step);
    frames(&mut session, 20);
    session.dispatch(Command::Pause).unwrap();
    assert_eq!(session.replayed_hash(), Some(session.snapshot().hash));
}

#[test]
fn every_scene_made_ahead_is_replayed_to_the_bit_with_edits_and_pulls() {
    let (mut scenes, mut edits) = (0, 0);
    each_recorded_scene(|id, session| {
        let mut session = ahead(session);
        session.dispatch(Command::Play).unwrap();
        frames(&mut session, 6);
        let Some(body) = moving(&session) else { return };
        pull_about(&mut session, &body, |session| {
            frames(session, 1);
        });
        set(&mut session, "solver.iterations", Value::Int(13));
        frames(&mut session, 3);
        edits += u32::from(lift(&mut session, &body));
        session.dispatch(Command::Play).unwrap();
        frames(&mut session, 4);
        session.dispatch(Command::StepBack).unwrap();
        session.dispatch(Command::Play).unwrap();
        // Along the recorded course, and then beyond it.
        frames(&mut session, 5);
        set(&mut session, "contact.slop", Value::Real(0.004));
        session.dispatch(Command::Undo).unwrap();
        frames(&mut session, 4);
        session.dispatch(Command::Pause).unwrap();
        same(&session, id);
        scenes += 1;
    });
    assert!(scenes > 60 && edits > 40, "{scenes} scenes, {edits} edits of bodies");
}

#[test]
fn what_the_hand_does_while_a_step_is_made_is_done_in_order() {
    let mut session = ahead(session());
    session.dispatch(Command::Record).unwrap();
    session.dispatch(Command::Play).unwrap();
    frames(&mut session, 4);
    let body = moving(&session).expect("one moves");
    let nowhere = Command::MouseJoint { body: 9999, point: Vec3::ZERO, target: Vec3::ZERO };
    assert!(session.dispatch(nowhere).is_err(), "said at once, not when the step is taken");
    let target = body.pose.position + Vec3::Z;
    let pull = Command::MouseJoint { body: body.id, point: Vec3::ZERO, target };
    for command in [pull.clone(), Command::Release, pull.clone()] {
        session.dispatch(command).unwrap();
    }
    frames(&mut session, 2);
    // While the simulation is paused commands take effect at once.
    session.dispatch(Command::Release).unwrap();
    session.dispatch(Command::Pause).unwrap();
    assert_eq!(session.world().and_then(|world| world.state.mouse_joint), None);
    session.dispatch(pull).unwrap();
    assert!(session.world().is_some_and(|world| world.state.mouse_joint.is_some_and(|hand| hand.target == target)));
    steps(&mut session, 3);
    same(&session, "pulled");
}
