//! Trouble that makes a run unreliable pauses it, is reported once, and loses nothing.

use super::*;
use delassus_physics::collide::budget::{MAX_PAIRS, MAX_POINTS};

/// A thousand balls so close that most are within a prediction of a metre, which is 2 mm for balls of 0.1 mm: more
/// pairs than the budget.
fn crowd(prediction: f32) -> Session {
    let text = format!(
        "(version: 1, title: \"Crowd\", settings: (preset: SingleStep, step: (gravity: (0, 0, 0)), contact: (prediction: \
         {prediction})), patterns: [\
         Grid(name: \"g\", count: (10, 10, 1), spacing: (0.00025, 0.00025, 1), of: Stack(name: \"s\", body: (shape: \
         Sphere(radius: 0.0001), mass: 1, at: (0, 0, 1)), count: 10, spacing: (0, 0, 0.00025)))])"
    );
    Session::from_text(&text, "crowd").unwrap()
}

#[test]
fn more_contacts_than_the_budget_pause_the_run_and_lose_nothing() {
    let mut session = crowd(1e-5);
    steps(&mut session, 3);
    let (hash, time) = (session.snapshot().hash, session.snapshot().time);
    assert_eq!(session.snapshot().trouble, None);
    set(&mut session, "contact.prediction", Value::Real(1.0));
    session.dispatch(Command::Play).unwrap();
    let frame = Duration::from_millis(20);
    assert_eq!(session.advance(frame, frame), 0);
    assert!(!session.playing(), "it pauses");
    let trouble = session.snapshot().trouble.clone().unwrap();
    assert_eq!(trouble.step, 4);
    assert!(trouble.what.contains("Step 4 at 0.050 s failed: more than 200000 pairs"), "{}", trouble.what);
    // Nothing has moved, and the plots have no second sample of the step.
    assert_eq!((session.snapshot().hash, session.snapshot().time, session.snapshot().step), (hash, time, 3));
    assert_eq!(session.samples().samples.len(), 1 + 3);
    // On another attempt the trouble is the same, and stepping makes no step either.
    session.dispatch(Command::Step).unwrap();
    assert_eq!((session.snapshot().hash, session.snapshot().trouble.as_ref()), (hash, Some(&trouble)));
    // Once the cause is removed it continues as if nothing had happened.
    set(&mut session, "contact.prediction", Value::Real(1e-5));
    steps(&mut session, 1);
    assert_eq!((session.snapshot().trouble.as_ref(), session.snapshot().step), (None, 4));
    let mut undisturbed = crowd(1e-5);
    assert_eq!(hash_after(&mut undisturbed, 4), session.snapshot().hash);
    session.dispatch(Command::StepBack).unwrap();
    assert_eq!(session.snapshot().hash, hash);
}

/// Flat boxes that overlap each other: few pairs, but with four points each, are refused as well.
#[test]
fn points_are_counted_as_well_as_pairs() {
    // n (n − 1)/2 pairs below the one budget, four times as many points above the other.
    let n = ((0.9 * 2.0 * MAX_PAIRS as f64).sqrt()) as usize;
    assert!(n * (n - 1) / 2 < MAX_PAIRS && 2 * n * (n - 1) > MAX_POINTS);
    let text = format!(
        "(version: 1, title: \"Flat\", patterns: [Stack(name: \"s\", body: (shape: Box(half: (1, 1, 0.5)), at: (0, 0, \
         1)), count: {n}, spacing: (0, 0, 0.0001))])"
    );
    let mut session = Session::from_text(&text, "flat").unwrap();
    steps(&mut session, 1);
    let trouble = session.snapshot().trouble.clone().unwrap();
    assert!(trouble.what.contains("more than 400000 contact points"), "{}", trouble.what);
}

/// A body that falls at 1000 m/s² exceeds the greatest speed, 1e5 m/s, in the fourth step: 99940 + 4 · 1000/60.
#[test]
fn a_body_that_runs_away_pauses_the_run_once_and_is_named() {
    let text = "(version: 1, title: \"Fast\", settings: (step: (gravity: (0, 0, -1000))), bodies: [\
                (name: \"bob\", shape: Sphere(radius: 1), velocity: (0, 0, -99940))])";
    let mut session = Session::from_text(text, "fast").unwrap();
    session.dispatch(Command::Play).unwrap();
    let frame = Duration::from_millis(50);
    for _ in 0..10 {
        session.advance(frame, frame);
    }
    assert!(!session.playing(), "it pauses");
    assert_eq!(session.snapshot().step, 4);
    let trouble = session.snapshot().trouble.clone().unwrap();
    assert_eq!(trouble.step, 4);
    assert!(trouble.what.starts_with("bob ran away at step 4, 0.067 s"), "{}", trouble.what);
    // A user who continues anyway is not stopped again, and the report stays.
    session.dispatch(Command::Play).unwrap();
    assert!(session.advance(frame, frame) > 0 && session.playing());
    assert_eq!(session.snapshot().trouble.as_ref(), Some(&trouble));
    // Before it, and after a reset, there is none.
    session.dispatch(Command::Reset).unwrap();
    assert_eq!(session.snapshot().trouble, None);
    steps(&mut session, 4);
    assert!(session.snapshot().trouble.is_some());
    session.dispatch(Command::StepBack).unwrap();
    assert_eq!(session.snapshot().trouble, None);
}

/// Eight links of 1 kg with 100 kg below, leaning by 1 in 100; sweeps that amplify errors throw them about after some
/// seconds.
fn heavy_below() -> Session {
    let at = |i: usize, end: f32| 0.5 * i as f32 + end;
    let place = |along: f32| format!("({}, 0, {})", 0.01 * along, -along);
    let body = |i: usize| {
        let mass = if i == 7 { 100 } else { 1 };
        format!(
            "(name: \"b{i}\", shape: Box(half: (0.15, 0.15, 0.15)), at: {}, mass: {mass}, collide: false)",
            place(at(i, 0.25))
        )
    };
    let joint = |i: usize| {
        let above = if i == 0 { String::new() } else { format!("a: \"b{}\", ", i - 1) };
        format!("({above}b: \"b{i}\", anchor: {}, axis: (0, 1, 0), kind: Hinge)", place(at(i, 0.0)))
    };
    let list = |of: &dyn Fn(usize) -> String| (0..8).map(of).collect::<Vec<_>>().join(", ");
    let text = format!(
        "(version: 1, title: \"Heavy below\", settings: (solver: (method: Jacobi, rows: Block), stabilization: (method: \
         Baumgarte)), bodies: [{}], joints: [{}])",
        list(&body),
        list(&joint)
    );
    Session::from_text(&text, "heavy.ron").unwrap()
}

/// In a frame of sixty steps, growth was once reported only after it had gone on for half a second.
#[test]
fn a_frame_of_many_steps_ends_with_the_step_that_is_to_be_told_of() {
    let energy = |session: &Session| {
        let metrics = session.snapshot().metrics;
        metrics.kinetic_energy + metrics.potential_energy
    };
    let frame = |session: &mut Session, wall: f64| {
        let steps = session.advance(Duration::from_secs_f64(wall), Duration::from_secs(10));
        session.watch();
        steps
    };
    // Σ m g r, the energy that gravity can exchange.
    let turned = 9.81 * (0..7).map(|i| 0.5 * f64::from(i) + 0.25).sum::<f64>() + 9.81 * 100.0 * 3.75;
    // One step per frame, and sixty.
    let steps_at_warning = [(1.0, 1.0 / 60.0), (10.0, 0.1)].map(|(speed, wall)| {
        let mut session = heavy_below();
        let start = energy(&session);
        session.watch();
        session.dispatch(Command::SetSpeed(speed)).unwrap();
        session.dispatch(Command::Play).unwrap();
        let mut steps = 60;
        while session.stability().warnings.is_empty() && session.snapshot().step < 600 {
            steps = frame(&mut session, wall);
        }
        assert!(!session.stability().warnings.is_empty(), "it grows, and is not reported");
        assert!(wall < 0.1 || steps < 60, "the frame has gone on");
        assert!(energy(&session) - start < 0.2 * turned, "{} J too late", energy(&session) - start);
        session.snapshot().step
    });
    // The checks are equally far apart in both, except for the frame in which the wall clock asks.
    assert!(steps_at_warning[0].abs_diff(steps_at_warning[1]) <= 16, "{steps_at_warning:?}");
}
