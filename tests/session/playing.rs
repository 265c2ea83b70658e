//! Time: playing, budgets, stepping back.

use super::*;

#[test]
fn time_passes_only_while_playing() {
    let mut session = session();
    let frame = Duration::from_millis(50);
    assert_eq!(session.advance(frame, frame), 0);
    assert_eq!(session.alpha(), 1.0);
    session.dispatch(Command::Play).unwrap();
    assert_eq!(session.advance(frame, frame), 3);
    assert_eq!(session.snapshot().step, 3);
    session.dispatch(Command::SetSpeed(0.1)).unwrap();
    assert_eq!(session.advance(frame, frame), 0);
    assert!(session.alpha() > 0.2 && session.alpha() < 0.4, "{}", session.alpha());
    session.dispatch(Command::Step).unwrap();
    assert!(!session.playing() && session.alpha() == 1.0 && session.snapshot().step == 4);
}

#[test]
fn no_budget_still_makes_one_step_and_the_rest_is_dropped() {
    let mut session = session();
    session.dispatch(Command::Play).unwrap();
    for frame in 1..=50 {
        assert_eq!(session.advance(Duration::from_millis(100), Duration::ZERO), 1);
        assert_eq!(session.snapshot().step, frame);
    }
    assert!(session.behind() && session.real_time_factor() < 0.3);
}

#[test]
fn stepping_back_is_exact() {
    let mut session = session();
    let mut hashes = vec![session.snapshot().hash];
    for i in 0..60 {
        if i == 25 {
            set(&mut session, "solver.iterations", Value::Int(2));
        }
        hashes.push(hash_after(&mut session, 1));
    }
    for step in (26..60).rev() {
        session.dispatch(Command::StepBack).unwrap();
        assert_eq!((session.snapshot().step, session.snapshot().hash), (step, hashes[step as usize]));
        assert_eq!(session.samples().samples.back().unwrap().step, step);
    }
    // And forward again the same way.
    assert_eq!(hash_after(&mut session, 4), hashes[30]);
    for _ in 0..30 {
        session.dispatch(Command::StepBack).unwrap();
    }
    assert_eq!(session.snapshot().hash, hashes[0]);
    assert!(matches!(session.dispatch(Command::StepBack), Err(SessionError::NoEarlierState)));
}
