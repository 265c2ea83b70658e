//! What takes long is not computed in the frame: playing the past, going to an earlier moment, runs that go along, and
//! worlds of any size. It can be cancelled, and the run is the same bit for bit.

use super::*;
use delassus_scene::Plot;
use delassus_session::{Accounts, CompareCommand, Element, Quantity};
use std::time::Instant;

const FRAME: Duration = Duration::from_millis(16);
const BUDGET: Duration = Duration::from_millis(10);

fn add(session: &mut Session, iterations: u32) {
    let mut settings = *session.settings();
    settings.solver.iterations = iterations;
    let asked = CompareCommand::Add { name: "other".into(), settings: Box::new(settings) };
    session.dispatch(Command::Compare(asked)).expect("another run");
}

fn frame(session: &mut Session) {
    session.advance(FRAME, BUDGET);
    std::thread::sleep(Duration::from_millis(1));
}

/// Frames until the session waits for nothing; returns their number.
fn frames(session: &mut Session) -> u32 {
    let (begun, mut frames) = (Instant::now(), 0);
    while session.computing().is_some() || session.runs_behind() > 0 {
        frame(session);
        frames += 1;
        assert!(begun.elapsed() < Duration::from_secs(120), "it ends");
    }
    frames
}

/// Frames while it plays, until it has reached this step; returns their number.
fn play_to(session: &mut Session, step: u64) -> u32 {
    let (begun, mut frames) = (Instant::now(), 0);
    session.dispatch(Command::Play).unwrap();
    while session.snapshot().step < step {
        frame(session);
        frames += 1;
        assert!(session.playing() && begun.elapsed() < Duration::from_secs(120), "the steps come");
    }
    session.dispatch(Command::Pause).unwrap();
    frames
}

#[test]
fn a_frame_does_not_wait_for_a_long_step_while_the_past_is_played() {
    let mut session = many();
    slow_down(&mut session);
    steps(&mut session, 2);
    let hash = session.snapshot().hash;
    session.run_ahead(true);
    session.dispatch(Command::Seek(0)).unwrap();
    frames(&mut session);
    assert_eq!(session.snapshot().step, 0);
    let seen = play_to(&mut session, 1);
    assert!(seen > 2, "{seen} frames");
    play_to(&mut session, 2);
    assert_eq!(session.snapshot().hash, hash);
    assert!(!session.is_past());
}

/// A world of which few states can be kept, and many steps must be made again. No frame waits for that.
fn large() -> Session {
    let text = r#"(version: 1, title: "large", patterns: [Grid(name: "g", count: (40, 40, 40), spacing: (1, 1, 1),
        of: Body(shape: Sphere(radius: 0.1), at: (0, 0, 9)))])"#;
    let mut session = Session::from_text(text, "large.ron").expect("a scene");
    session.wait_at_most(Duration::ZERO);
    session
}

#[test]
fn a_frame_does_not_wait_for_an_earlier_moment() {
    let mut session = large();
    steps(&mut session, 4);
    let hash = session.snapshot().hash;
    steps(&mut session, 3);
    session.run_ahead(true);
    let seek = |session: &mut Session, step| {
        session.dispatch(Command::Seek(step)).unwrap();
        assert!(session.computing().is_some() && session.snapshot().step == 7, "it is not computed in the frame");
    };
    seek(&mut session, 4);
    // Of the moments that a drag passes meanwhile the last is shown.
    for step in [6, 2, 4, 3] {
        session.dispatch(Command::Seek(step)).unwrap();
    }
    session.dispatch(Command::StepBack).unwrap();
    session.dispatch(Command::Seek(4)).unwrap();
    frames(&mut session);
    assert_eq!((session.snapshot().step, session.snapshot().hash), (4, hash));
    session.dispatch(Command::Seek(7)).unwrap();
    for cancel in [Command::Pause, Command::Set { name: "solver.iterations", value: Value::Int(7) }] {
        seek(&mut session, 3);
        session.dispatch(cancel.clone()).unwrap();
        assert_eq!(session.computing(), None, "{cancel:?}");
        frame(&mut session);
        assert_eq!(session.snapshot().step, 7, "{cancel:?}");
    }
}

#[test]
fn a_frame_does_not_wait_for_runs_that_go_along() {
    let mut session = many();
    session.run_ahead(true);
    add(&mut session, 5);
    set(&mut session, "step.substeps", Value::Int(64));
    add(&mut session, 200);
    let seen = play_to(&mut session, 2);
    assert!(seen > 4, "{seen} frames");
    frames(&mut session);
    session.dispatch(Command::Step).unwrap();
    assert!(session.runs_behind() > 0 || session.computing().is_some(), "the slow one is still computed");
    frames(&mut session);
    let steps: Vec<u64> = session.runs().iter().map(|run| run.session().snapshot().step).collect();
    assert_eq!((session.snapshot().step, steps), (3, vec![3, 3]));
}

#[test]
fn runs_that_catch_up_wait_for_a_thread_and_a_pause_ends_that() {
    let mut session = many();
    steps(&mut session, 3);
    session.run_ahead(true);
    slow_down(&mut session);
    add(&mut session, 200);
    let behind = session.runs_behind();
    assert!(behind > 0 && session.computing().is_some(), "{behind}");
    session.dispatch(Command::Pause).unwrap();
    assert_eq!(session.computing(), None);
    (0..20).for_each(|_| frame(&mut session));
    assert!(session.runs_behind() > 0, "nothing goes on");
    session.dispatch(Command::Compare(CompareCommand::Epsilon(1e-3))).unwrap();
    frames(&mut session);
    assert_eq!(session.runs()[0].session().snapshot().step, 3);
}

/// The same commands with and without threads.
#[test]
fn runs_that_go_along_are_the_same_with_and_without_threads() {
    let [here, elsewhere] = [false, true].map(|ahead| {
        let mut session = session();
        session.run_ahead(ahead);
        let step = |session: &mut Session, count: usize| {
            for _ in 0..count {
                session.dispatch(Command::Step).unwrap();
                frames(session);
            }
        };
        step(&mut session, 12);
        add(&mut session, 3);
        add(&mut session, 40);
        frames(&mut session);
        let body = moving(&session).expect("one moves");
        let target = body.pose.position + Vec3::Z;
        session.dispatch(Command::MouseJoint { body: body.id, point: Vec3::ZERO, target }).unwrap();
        play_to(&mut session, 20);
        frames(&mut session);
        let now = session.snapshot().step;
        session.dispatch(Command::Seek(15)).unwrap();
        frames(&mut session);
        play_to(&mut session, now);
        session.dispatch(Command::Seek(14)).unwrap();
        frames(&mut session);
        session.dispatch(Command::Release).unwrap();
        set(&mut session, "solver.iterations", Value::Int(9));
        frames(&mut session);
        while session.snapshot().step < 30 {
            step(&mut session, 1);
        }
        let runs = session.runs().iter().map(|run| (run.session().snapshot().step, run.session().snapshot().hash));
        let runs: Vec<_> = runs.collect();
        let apart = [(0, 1), (0, 2), (1, 2)].map(|(i, j)| session.divergence().at(30, i, j));
        assert!(apart.iter().all(Option::is_some), "{apart:?}");
        (session.snapshot().hash, runs, apart)
    });
    assert_eq!(here, elsewhere);
}

#[test]
fn a_frame_does_not_wait_for_the_balances_of_the_ledger() {
    let mut session = many();
    slow_down(&mut session);
    steps(&mut session, 2);
    session.run_ahead(true);
    session.dispatch(Command::Play).unwrap();
    let mut accounts = Accounts::default();
    let (begun, mut longest) = (Instant::now(), Duration::ZERO);
    while accounts.list().is_empty() {
        session.advance(FRAME, BUDGET);
        let frame = Instant::now();
        accounts.update(&session, 60, BUDGET);
        longest = longest.max(frame.elapsed());
        std::thread::sleep(Duration::from_millis(5));
        assert!(begun.elapsed() < Duration::from_secs(120), "it comes");
    }
    let step = f64::from(session.samples().samples.back().expect("a step").step_ms) * 1e-3;
    assert!(longest.as_secs_f64() < step / 3.0, "a frame took {longest:?}, a step {step} s");
}

/// The check of convergence made a step of its own in the frame.
#[test]
fn a_frame_does_not_wait_for_the_check_of_a_slow_run() {
    let mut session = many();
    slow_down(&mut session);
    steps(&mut session, 1);
    session.run_ahead(true);
    session.dispatch(Command::Play).unwrap();
    let (begun, mut longest) = (Instant::now(), Duration::ZERO);
    while session.snapshot().step < 3 || session.stability().spectrum.rows == 0 {
        let frame = Instant::now();
        session.advance(FRAME, BUDGET);
        session.watch();
        longest = longest.max(frame.elapsed());
        std::thread::sleep(Duration::from_millis(5));
        assert!(begun.elapsed() < Duration::from_secs(120), "the check comes");
    }
    let step = f64::from(session.samples().samples.back().expect("a step").step_ms) * 1e-3;
    assert!(longest.as_secs_f64() < step / 3.0, "a frame took {longest:?}, a step {step} s");
}

/// Frames until nothing of the past is being computed.
fn look_back(session: &mut Session) {
    let begun = Instant::now();
    while session.looks_back() != (false, false) {
        frame(session);
        assert!(begun.elapsed() < Duration::from_secs(120), "it ends");
    }
}

/// Boxes that fall on each other, in many small parts of a step.
const FALL: &str = r#"(version: 1, title: "fall", settings: (solver: (iterations: 20), step: (substeps: 4)),
    bodies: [(name: "floor", shape: Box(half: (40, 40, 0.5)), at: (0, 0, -0.5), motion: Static)],
    patterns: [Grid(name: "g", count: (6, 6, 2), spacing: (0.9, 0.9, 0.9),
        of: Body(shape: Box(half: (0.3, 0.3, 0.3)), at: (-4, -4, 0.32)))])"#;

#[test]
fn a_frame_does_not_wait_for_earlier_events() {
    let [here, elsewhere] = [false, true].map(|ahead| {
        let mut session = Session::from_text(FALL, "fall.ron").expect("a scene");
        steps(&mut session, 12);
        session.run_ahead(ahead);
        session.dispatch(Command::Log(true)).unwrap();
        assert_eq!(session.looks_back().0, ahead);
        assert!(!ahead || session.events().is_empty());
        look_back(&mut session);
        session.events().iter().cloned().collect::<Vec<_>>()
    });
    assert!(!elsewhere.is_empty() && elsewhere.ends_with(&here), "{} {}", here.len(), elsewhere.len());
}

/// Where the log begins depends on how far back time allows. What was computed and what was noted fit together.
#[test]
fn earlier_events_end_with_the_log_and_with_their_past() {
    let mut session = Session::from_text(FALL, "fall.ron").expect("a scene");
    steps(&mut session, 6);
    session.run_ahead(true);
    session.dispatch(Command::Log(true)).unwrap();
    session.dispatch(Command::Log(false)).unwrap();
    assert_eq!(session.looks_back(), (false, false), "nobody wants them");
    session.dispatch(Command::Log(true)).unwrap();
    session.dispatch(Command::Reset).unwrap();
    look_back(&mut session);
    let late = session.events().iter().filter(|event| event.step > session.snapshot().step).count();
    assert_eq!(late, 0, "events of a run that was discarded");
}

/// How far back the values reach depends on how long a step took: the boxes are few, so that it is far enough.
#[test]
fn a_frame_does_not_wait_for_earlier_values_of_a_new_plot() {
    let [here, elsewhere] = [false, true].map(|ahead| {
        let mut session = Session::from_text(FALL, "fall.ron").expect("a scene");
        steps(&mut session, 2);
        session.run_ahead(ahead);
        let name = session.snapshot().bodies[40].name.to_string();
        let plots = vec![Plot { curves: vec![format!("bodies.{name}.z")], ..Plot::default() }];
        let quantity = Quantity::read(&plots[0].curves[0]).expect("a quantity");
        session.dispatch(Command::Edit { edit: Edit::Element(Element::Plots(plots)), gesture: None }).unwrap();
        assert_eq!(session.looks_back().1, ahead);
        let values = |session: &Session| session.samples().trace(&quantity).expect("it is asked for").values.clone();
        assert!(!ahead || values(&session).len() < 3, "{:?}", values(&session));
        look_back(&mut session);
        values(&session)
    });
    assert_eq!(elsewhere.len(), 3);
    assert!(here.iter().all(|value| elsewhere.contains(value)), "{here:?} {elsewhere:?}");
}
