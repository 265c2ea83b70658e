//! Recordings: replaying them gives the same states, with edits, pulls, settings and steps back in between; and a
//! difference is reported with its step.

use delassus_session::recording::{RecordedAction, Recording};

use super::*;

/// The recording after writing it to text and reading it back.
fn recorded(session: &Session) -> Recording {
    let recording = session.recording().expect("it is recorded");
    let read = Recording::read(&recording.text(), "test").unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(read, recording, "nothing is lost in writing");
    read
}

fn same(recording: &Recording, what: &str) {
    let replay = recording.replay().unwrap_or_else(|e| panic!("{what}: {e}"));
    assert_eq!(replay.differs, None, "{what}");
    assert_eq!((replay.steps, replay.checks), (recording.steps, recording.checks.len()), "{what}");
}

/// Various things done to a body in mid-run: it is pulled around, released, placed elsewhere with what is attached to
/// it, a setting is changed, the run goes back, and edits are undone and redone.
fn disturb(session: &mut Session) {
    steps(session, 6);
    let Some(body) = moving(session) else { return };
    pull_about(session, &body, |session| steps(session, 1));
    set(session, "solver.iterations", Value::Int(13));
    steps(session, 3);
    lift(session, &body);
    steps(session, 4);
    session.dispatch(Command::StepBack).unwrap();
    session.dispatch(Command::StepBack).unwrap();
    steps(session, 5);
    set(session, "contact.slop", Value::Real(0.004));
    session.dispatch(Command::Undo).unwrap();
    steps(session, 4);
}

#[test]
fn every_scene_is_replayed_to_the_bit_with_edits_and_pulls() {
    let (mut scenes, mut edits) = (0, 0);
    each_recorded_scene(|id, mut session| {
        disturb(&mut session);
        let recording = recorded(&session);
        assert_eq!(recording.steps, session.snapshot().step, "{id}");
        same(&recording, id);
        edits += recording.events.iter().filter(|event| matches!(event.what, RecordedAction::Bodies(_))).count();
        scenes += 1;
    });
    assert!(scenes > 60 && edits > 40, "{scenes} scenes, {edits} edits of bodies");
}

#[test]
fn the_first_step_that_differs_is_named() {
    let mut session = session();
    session.dispatch(Command::Record).unwrap();
    disturb(&mut session);
    steps(&mut session, 10);
    let recording = recorded(&session);
    same(&recording, "as it was");
    // Older recordings have a shorter name for the mouse joint.
    let older = recording.text().replace("MouseJoint(", "Pull(");
    assert!(older.contains("Pull("), "{older}");
    assert_eq!(Recording::read(&older, "test").expect("it can be read"), recording);
    // Another hash at one step.
    let mut other = recording.clone();
    let step = other.checks[11].0;
    other.checks[11].1 = "0123456789abcdef".into();
    let differs = other.replay().unwrap().differs.expect("a hash differs");
    assert_eq!((differs.right, differs.step, differs.recorded.as_str()), (step - 1, step, "0123456789abcdef"));
    // The mouse pulls slightly further: the next step differs.
    let mut other = recording.clone();
    let pull =
        other.events.iter_mut().find(|event| matches!(event.what, RecordedAction::MouseJoint(..))).expect("a pull");
    let at = pull.step;
    if let RecordedAction::MouseJoint(_, _, target) = &mut pull.what {
        target[2] += 0.01;
    }
    let differs = other.replay().unwrap().differs.expect("the run differs");
    assert_eq!((differs.right, differs.step), (at, at + 1));
    // Another mass from the beginning on.
    let mut other = recording;
    other.scene = other.scene.replacen("mass: 1", "mass: 1.5", 1);
    assert_eq!(other.replay().unwrap().differs.expect("the run differs").step, 1);
}

#[test]
fn reset_begins_a_recording_anew_and_another_scene_ends_it() {
    let mut session = session();
    steps(&mut session, 5);
    assert!(session.recording().is_none());
    session.dispatch(Command::Record).unwrap();
    assert_eq!((session.snapshot().step, session.recorded()), (0, Some((0, true))));
    steps(&mut session, 4);
    set(&mut session, "solver.iterations", Value::Int(3));
    session.dispatch(Command::Reset).unwrap();
    assert_eq!(session.recorded(), Some((0, true)));
    steps(&mut session, 3);
    let recording = recorded(&session);
    assert_eq!((recording.steps, recording.events.len(), recording.checks.len()), (3, 0, 3));
    same(&recording, "after a reset");
    session.dispatch(Command::New).unwrap();
    assert_eq!(session.recorded(), Some((3, false)));
    steps(&mut session, 2);
    assert_eq!(session.recorded(), Some((3, false)), "it takes nothing more");
    session.dispatch(Command::StopRecording).unwrap();
    assert_eq!(session.recorded(), None);
}

#[test]
fn a_file_that_is_no_recording_is_refused() {
    for text in ["", "(version: 1)", "nothing"] {
        assert!(Recording::read(text, "x.ron").is_err(), "{text}");
    }
    let mut session = session();
    session.dispatch(Command::Record).unwrap();
    let newer = session.recording().unwrap().text().replacen("version: 1", "version: 2", 1);
    let error = Recording::read(&newer, "x.ron").unwrap_err().to_string();
    assert!(error.contains("version 2"), "{error}");
}
