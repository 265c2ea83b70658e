//! Breakpoints pause in the step in which a condition becomes true, and events are recorded with their steps.

use delassus_session::{Event, EventKind, SnapshotNeeds};

use super::*;

/// A ball falls from 3 m to a floor without bouncing; a rod on a hinge falls onto its stop; a thread breaks.
const FALL: &str = r#"(
    version: 1,
    title: "Fall",
    settings: (step: (gravity: (0, 0, -10))),
    bodies: [
        (name: "floor", shape: Box(half: (10, 10, 0.5)), at: (0, 0, -0.5), motion: Static),
        (name: "ball", shape: Sphere(radius: 0.5), at: (0, 0, 3.5), mass: 1),
        (name: "rod", shape: Box(half: (0.5, 0.05, 0.05)), at: (5.5, 0, 5), mass: 1),
        (name: "bob", shape: Sphere(radius: 0.1), at: (-5, 0, 5), mass: 1),
    ],
    joints: [
        (name: "axle", b: "rod", anchor: (5, 0, 5), axis: (0, 1, 0), kind: Hinge(limit: (-0.5, 0.5))),
        (name: "thread", b: "bob", anchor: (-5, 0, 6), kind: BallSocket(), breaks: (force: 5)),
    ],
)"#;

fn fall() -> Session {
    Session::from_text(FALL, "fall").unwrap_or_else(|e| panic!("{e}"))
}

fn play_until_paused(session: &mut Session) -> u64 {
    session.dispatch(Command::Play).unwrap();
    for _ in 0..400 {
        session.advance(Duration::from_secs_f64(1.0 / 60.0), Duration::from_secs(10));
        if !session.playing() {
            return session.snapshot().step;
        }
    }
    panic!("it does not pause");
}

/// From 3.5 m down to 1.5 m in √(2·2/10) s: 37.9 steps of 1/60 s.
#[test]
fn playing_pauses_in_the_step_in_which_a_condition_comes_to_hold() {
    let mut session = fall();
    session.set_needs(SnapshotNeeds::POSES);
    session.dispatch(Command::AddBreakpoint("bodies.ball.z < 1.5".into())).unwrap();
    let at = play_until_paused(&mut session);
    let exact = (2.0 * 2.0 / 10.0_f64).sqrt() * 60.0;
    assert_eq!(at, exact.ceil() as u64);
    let z = session.snapshot().bodies[1].pose.position.z;
    assert!(z < 1.5, "{z}");
    assert!(session.paused_at().is_some_and(|said| said.contains("bodies.ball.z < 1.5")), "{:?}", session.paused_at());
    assert_eq!(session.breakpoints()[0].hit.as_ref().map(|(step, _)| *step), Some(at));
    // The condition stays true, which does not trigger it again.
    session.dispatch(Command::Play).unwrap();
    for _ in 0..20 {
        session.advance(Duration::from_secs_f64(1.0 / 60.0), Duration::from_secs(10));
    }
    assert!(session.playing() && session.paused_at().is_none());
    // After going back before it, it is hit again in the same step, but not from there on.
    session.dispatch(Command::Seek(5)).unwrap();
    assert_eq!(play_until_paused(&mut session), at);
    session.dispatch(Command::Seek(at)).unwrap();
    let number = session.breakpoints()[0].number;
    session.dispatch(Command::Seek(5)).unwrap();
    session.dispatch(Command::SwitchBreakpoint(number, false)).unwrap();
    session.dispatch(Command::Play).unwrap();
    for _ in 0..60 {
        session.advance(Duration::from_secs_f64(1.0 / 60.0), Duration::from_secs(10));
    }
    assert!(session.playing(), "it is off");
    session.dispatch(Command::ForgetBreakpoint(number)).unwrap();
    assert!(session.breakpoints().is_empty());
}

#[test]
fn breakpoints_are_read_as_the_command_line_reads_them() {
    let mut session = fall();
    for (text, hint) in [
        ("nonsense", "expected a COLUMN"),
        ("joint_eror_max > 1", "did you mean `joint_error_max`?"),
        ("bodies.bal.z < 1", "no body is called `bal`"),
    ] {
        let said = session.dispatch(Command::AddBreakpoint(text.into())).unwrap_err().to_string();
        assert!(said.contains(hint), "{text}: {said}");
    }
    assert!(session.breakpoints().is_empty());
    // A condition that is already true when it is set is not hit by the next step.
    session.dispatch(Command::AddBreakpoint("energy < 1e9".into())).unwrap();
    session.dispatch(Command::AddBreakpoint("joints.*.at != \"\"".into())).unwrap();
    play_until_paused(&mut session);
    assert!(session.paused_at().is_some_and(|said| said.contains("axle")), "{:?}", session.paused_at());
}

/// The ball touches at √(2·3/10) s, 46.5 steps; the thread bears 10 N at once, more than its limit of 5.
#[test]
fn events_are_noted_with_their_steps_and_once() {
    let mut session = fall();
    steps(&mut session, 1);
    assert!(session.events().is_empty(), "nobody asks");
    session.dispatch(Command::Reset).unwrap();
    session.dispatch(Command::Log(true)).unwrap();
    steps(&mut session, 120);
    let found = |session: &Session, fits: fn(&EventKind) -> bool| {
        session.events().iter().filter(|event| fits(&event.what)).cloned().collect::<Vec<Event>>()
    };
    let touches = found(&session, |what| matches!(what, EventKind::ContactBegins(..)));
    let ball = touches.iter().find(|event| event.who == "floor · ball").expect("the ball touches");
    let exact = (2.0 * 3.0 / 10.0_f64).sqrt() * 60.0;
    assert!(ball.step.abs_diff(exact.ceil() as u64) <= 1, "step {}, {exact}", ball.step);
    let broken = found(&session, |what| matches!(what, EventKind::Broken(_)));
    assert_eq!((broken.len(), broken[0].step, broken[0].who.as_str()), (1, 1, "thread"));
    let stops = found(&session, |what| matches!(what, EventKind::StopReached(_)));
    assert_eq!(stops[0].who, "axle");
    // Nothing is recorded twice when it is played again, and what happens differently is recorded anew.
    let all = session.events().clone();
    // Someone who asks for events late gets the same ones, computed again on a copy.
    let mut late = fall();
    steps(&mut late, 120);
    assert!(late.events().is_empty());
    let hash = late.snapshot().hash;
    late.dispatch(Command::Log(true)).unwrap();
    assert_eq!((late.events(), late.snapshot().hash), (&all, hash));
    session.dispatch(Command::Seek(10)).unwrap();
    steps(&mut session, 110);
    assert_eq!(*session.events(), all);
    session.dispatch(Command::Seek(20)).unwrap();
    set(&mut session, "step.gravity", Value::Vector(Vec3::ZERO));
    assert!(session.events().iter().all(|event| event.step <= 20));
    session.dispatch(Command::Log(false)).unwrap();
    let before = session.events().len();
    steps(&mut session, 200);
    assert_eq!(session.events().len(), before);
}
