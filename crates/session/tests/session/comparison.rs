//! Runs beside the current one, in lockstep, with different settings.

use super::*;
use delassus_physics::settings::{Method, Settings, Stabilization};
use delassus_session::{CompareCommand, Edit};

/// A chain of three pendulums released from the horizontal, for which methods and stabilisations give different
/// results.
const CHAIN: &str = r#"(
    version: 1, title: "chain",
    settings: (stabilization: (method: Split), solver: (rows: Scalar, iterations: 4)),
    bodies: [
        (name: "one", shape: Sphere(radius: 0.1), mass: 1, at: (1, 0, 0), collide: false),
        (name: "two", shape: Sphere(radius: 0.1), mass: 2, at: (2, 0, 0), collide: false),
        (name: "three", shape: Sphere(radius: 0.1), mass: 4, at: (3, 0, 0), collide: false),
    ],
    joints: [
        (a: "world", b: "one", anchor: (0, 0, 0), kind: BallSocket),
        (a: "one", b: "two", anchor: (1, 0, 0), kind: BallSocket),
        (a: "two", b: "three", anchor: (2, 0, 0), kind: BallSocket),
    ],
)"#;

fn chain() -> Session {
    Session::from_text(CHAIN, "chain.ron").expect("the scene is right")
}

fn steps(session: &mut Session, count: usize) {
    (0..count).for_each(|_| session.dispatch(Command::Step).expect("a step"));
}

fn add(session: &mut Session, change: impl Fn(&mut Settings)) {
    let mut settings = *session.settings();
    change(&mut settings);
    let asked = CompareCommand::Add { name: "other".into(), settings: Box::new(settings) };
    session.dispatch(Command::Compare(asked)).expect("another run");
}

/// Catches up over many frames.
fn settle(session: &mut Session) {
    for _ in 0..2000 {
        session.advance(Duration::ZERO, Duration::from_millis(50));
        if session.runs_behind() == 0 {
            return;
        }
    }
    panic!("the other runs stay {} steps behind", session.runs_behind());
}

fn pull(session: &mut Session, z: f32) {
    let pull = Command::MouseJoint { body: 3, point: Vec3::ZERO, target: Vec3::new(2.0, 1.0, z) };
    session.dispatch(pull).expect("a pull");
}

#[test]
fn a_run_with_equal_settings_stays_where_the_one_at_hand_is_to_the_bit() {
    let mut session = chain();
    add(&mut session, |_| {});
    steps(&mut session, 30);
    pull(&mut session, 1.0);
    session.dispatch(Command::Play).expect("it plays");
    for _ in 0..60 {
        session.advance(Duration::from_millis(33), Duration::from_millis(50));
    }
    session.dispatch(Command::Pause).expect("it pauses");
    session.dispatch(Command::Release).expect("it lets go");
    steps(&mut session, 20);
    let other = &session.runs()[0];
    assert_eq!(other.session().snapshot().step, session.snapshot().step);
    assert_eq!(other.session().snapshot().hash, session.snapshot().hash);
    let apart = session.divergence();
    assert_eq!(apart.end(), session.snapshot().step + 1, "every step was measured");
    assert_eq!((apart.most(u64::MAX, 0, 1), apart.first(0, 1)), (0.0, None));
}

/// The first step that differs is the one from which two separate runs differ, and the distance is theirs.
#[test]
fn other_settings_part_as_two_runs_made_apart() {
    let mut session = chain();
    add(&mut session, |settings| settings.solver.method = Method::Direct);
    add(&mut session, |settings| settings.stabilization.method = Stabilization::Off);
    steps(&mut session, 90);
    let mut alone: Vec<Session> = (0..3).map(|_| chain()).collect();
    let settings: Vec<Settings> = session.runs().iter().map(|run| *run.session().settings()).collect();
    for (run, settings) in alone[1..].iter_mut().zip(settings) {
        for setting in delassus_physics::settings::LIST {
            run.dispatch(Command::Set { name: setting.name, value: (setting.get)(&settings) }).expect("a setting");
        }
    }
    let mut first = [None; 2];
    for step in 1..=90u64 {
        alone.iter_mut().for_each(|run| run.dispatch(Command::Step).expect("a step"));
        for k in 1..3 {
            let bodies = alone[0].snapshot().bodies.iter().zip(&alone[k].snapshot().bodies);
            let far = bodies.map(|(a, b)| a.centre.distance(b.centre)).fold(0.0, f32::max);
            assert_eq!(session.divergence().at(step, 0, k), Some(far), "step {step} of run {k}");
            if far > 1e-3 {
                first[k - 1] = first[k - 1].or(Some(step));
            }
        }
    }
    assert_eq!([session.divergence().first(0, 1), session.divergence().first(0, 2)], first);
    assert!(first[0].is_some(), "four scalar sweeps are not the direct solution");
    assert_eq!(session.runs()[0].session().snapshot().hash, alone[1].snapshot().hash);
}

/// A run that is added late is simulated from the beginning, with the same history as the current run, and gives the
/// same result as one that was there from the beginning: with pulls, and settings that were changed on the way.
#[test]
fn who_comes_late_catches_up_to_the_same() {
    let go = |late: bool| {
        let mut session = chain();
        let direct = |session: &mut Session| {
            let mut settings = *chain().settings();
            settings.solver.method = Method::Direct;
            let asked = CompareCommand::Add { name: "direct".into(), settings: Box::new(settings) };
            session.dispatch(Command::Compare(asked)).expect("another run");
        };
        if !late {
            direct(&mut session);
        }
        steps(&mut session, 40);
        pull(&mut session, -1.0);
        steps(&mut session, 40);
        session.dispatch(Command::Release).expect("it lets go");
        session.dispatch(Command::Set { name: "solver.iterations", value: Value::Int(20) }).expect("a setting");
        steps(&mut session, 40);
        if late {
            direct(&mut session);
        }
        settle(&mut session);
        let apart: Vec<_> = session.divergence().of(0, 1).collect();
        (session.runs()[0].session().snapshot().hash, session.snapshot().hash, apart)
    };
    let (early, late) = (go(false), go(true));
    assert_eq!((early.0, early.1), (late.0, late.1));
    assert_eq!(early.2.len(), 121);
    assert_eq!(early.2, late.2);
}

#[test]
fn back_on_again_another_way_and_reset_go_for_all_runs() {
    let mut session = chain();
    add(&mut session, |settings| settings.solver.method = Method::Direct);
    steps(&mut session, 100);
    let (own, other) = (session.snapshot().hash, session.runs()[0].session().snapshot().hash);
    let most = session.divergence().most(100, 0, 1);
    session.dispatch(Command::Seek(37)).expect("it was");
    assert_eq!(session.runs()[0].session().snapshot().step, 37);
    session.dispatch(Command::StepBack).expect("it was");
    assert_eq!(session.runs()[0].session().snapshot().step, 36);
    steps(&mut session, 10);
    session.dispatch(Command::Seek(100)).expect("it was");
    assert_eq!((session.snapshot().hash, session.runs()[0].session().snapshot().hash), (own, other));
    assert_eq!(session.divergence().most(100, 0, 1), most);
    // Another course from step 50 on, because of a pull: both runs follow it, and the old course is forgotten.
    session.dispatch(Command::Seek(50)).expect("it was");
    pull(&mut session, 2.0);
    assert_eq!(session.divergence().end(), 51);
    steps(&mut session, 10);
    let run = &session.runs()[0];
    assert_eq!((run.session().snapshot().step, session.divergence().end()), (60, 61));
    assert_eq!(run.session().snapshot().mouse_joint.map(|pull| pull.body), Some(3));
    assert!(run.session().branches().is_empty(), "no memory is held for ways that are no more");
    session.dispatch(Command::Reset).expect("it begins anew");
    assert_eq!((session.runs()[0].session().snapshot().step, session.divergence().end()), (0, 1));
    steps(&mut session, 5);
    assert_eq!(session.runs()[0].session().snapshot().step, 5);
}

#[test]
fn an_edit_of_bodies_begins_the_comparison_anew_from_there() {
    let mut session = chain();
    add(&mut session, |settings| settings.solver.method = Method::Direct);
    steps(&mut session, 60);
    assert!(session.divergence().at(60, 0, 1) > Some(0.0));
    let mut body = session.body_entry("three").expect("a body");
    body.mass = Some(1.0);
    let edit = Edit::Body { name: "three".into(), body: Box::new(body) };
    session.dispatch(Command::Edit { edit, gesture: None }).expect("an edit");
    assert_eq!((session.runs_from().0, session.divergence().at(60, 0, 1)), (60, Some(0.0)));
    steps(&mut session, 30);
    assert_eq!(session.runs()[0].session().snapshot().step, 90);
    assert!(session.divergence().at(90, 0, 1) > Some(0.0));
}

#[test]
fn a_comparison_from_here_begins_with_the_present_state() {
    let mut session = chain();
    steps(&mut session, 60);
    add(&mut session, |settings| settings.solver.method = Method::Direct);
    settle(&mut session);
    assert!(session.divergence().at(60, 0, 1) > Some(0.0));
    session.dispatch(Command::Compare(CompareCommand::FromHere(true))).expect("from here");
    assert_eq!((session.runs_from(), session.divergence().at(60, 0, 1)), ((60, true), Some(0.0)));
    steps(&mut session, 10);
    assert!(session.divergence().at(70, 0, 1) > Some(0.0));
    // Before the start of the other runs, they wait at their start.
    session.dispatch(Command::Seek(20)).expect("it was");
    assert_eq!(session.runs()[0].session().snapshot().step, 60);
    session.dispatch(Command::Compare(CompareCommand::FromHere(false))).expect("from the start");
    settle(&mut session);
    assert_eq!((session.runs_from(), session.runs()[0].session().snapshot().step), ((0, false), 20));
}

/// The finer run stays closer to the true motion: the energy of a pendulum released from the horizontal is constant.
#[test]
fn the_fine_reference_keeps_the_energy_better() {
    let mut session = chain();
    session.dispatch(Command::Compare(CompareCommand::AddFine)).expect("a fine run");
    assert_eq!(session.reference_run(), 1);
    steps(&mut session, 120);
    let change = |run: usize| {
        let figure =
            &delassus_session::comparison::FIGURES.iter().find(|f| f.name.starts_with("energy")).expect("known");
        (figure.of)(&session.score(run)).abs()
    };
    assert!(change(1) < 0.1 * change(0), "{} J against {} J", change(1), change(0));
    assert!(session.score(1).samples == 120);
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let mut session = Session::new();
    let settings = Box::new(Settings::default());
    let asked = Command::Compare(CompareCommand::Add { name: "x".into(), settings: settings.clone() });
    assert!(session.dispatch(asked).is_err(), "no scene is open");
    let mut session = chain();
    let mut faster = *session.settings();
    faster.step.rate = 120.0;
    let asked = CompareCommand::Add { name: "x".into(), settings: Box::new(faster) };
    assert!(session.dispatch(Command::Compare(asked)).is_err(), "another rate");
    (0..7).for_each(|_| add(&mut session, |_| {}));
    let asked = CompareCommand::Add { name: "x".into(), settings: Box::new(*session.settings()) };
    assert!(session.dispatch(Command::Compare(asked)).is_err(), "a ninth run");
    for wrong in [
        CompareCommand::Remove(0),
        CompareCommand::Remove(8),
        CompareCommand::Reference(8),
        CompareCommand::Epsilon(f64::NAN),
    ] {
        assert!(session.dispatch(Command::Compare(wrong.clone())).is_err(), "{wrong:?}");
    }
    session.dispatch(Command::Compare(CompareCommand::Reference(3))).expect("it is there");
    session.dispatch(Command::Compare(CompareCommand::Remove(2))).expect("it is there");
    assert_eq!((session.runs().len(), session.reference_run()), (6, 2));
    session.dispatch(Command::Compare(CompareCommand::End)).expect("it ends");
    assert!(session.runs().is_empty());
    steps(&mut session, 3);
}
