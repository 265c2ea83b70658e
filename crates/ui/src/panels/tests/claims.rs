//! The ticks on an experiment's card, as the run goes.

use egui_kittest::kittest::Queryable;

use crate::{
    RightTab,
    bench::{Bench, window_of},
};
use delassus_session::{Command, Session, claims::ClaimVerdict};

/// A ball that falls at 10 m/s² in steps of 1/100 s.
const FALL: &str = r#"(
    version: 1,
    title: "Fall",
    settings: (step: (rate: 100, gravity: (0, 0, -10))),
    claims: ["bodies.ball.vz < -1 m/s within 0.2 s"],
    bodies: [(name: "ball", shape: Sphere(radius: 0.1), at: (0, 0, 4), mass: 2)],
    experiments: [(
        name: "Twice as heavy",
        set: (step: (gravity: (0, 0, -20))),
        claims: ["bodies.ball.vz < -1 m/s within 0.2 s", "bodies.ball.vz > -1 m/s until 0.2 s"],
    )],
)"#;

#[test]
fn ticks_follow_the_run_and_tell_the_value() {
    let mut harness = window_of(Bench::of(Session::from_text(FALL, "fall.ron").expect("the scene is right")));
    harness.state_mut().state.right_tab = RightTab::Guide;
    harness.run();
    let (falls, slow) = ("bodies.ball.vz < -1 m/s within 0.2 s", "bodies.ball.vz > -1 m/s until 0.2 s");
    harness.get_by_label(&format!("{falls}: not decided"));
    let steps = |harness: &mut egui_kittest::Harness<'_, Bench>, count: u32| {
        for _ in 0..count {
            harness.state_mut().session.dispatch(Command::Step).expect("a step");
        }
        harness.run();
    };
    steps(&mut harness, 11);
    harness.get_by_label(&format!("{falls}: held"));
    // Applies the experiment from the start. Its card is in the left dock and in the guide.
    harness.get_all_by_label("Twice as heavy").next().expect("a card").click();
    harness.run();
    harness.state_mut().session.dispatch(Command::Pause).expect("it pauses");
    harness.state_mut().session.dispatch(Command::Reset).expect("it starts over");
    harness.run();
    assert!(harness.query_all_by_label(&format!("{slow}: not decided")).count() > 0);
    steps(&mut harness, 4);
    assert!(harness.query_all_by_label(&format!("{slow}: not decided")).count() > 0, "−0.8 m/s after 4 steps");
    // −1.2 m/s after six of them.
    steps(&mut harness, 2);
    assert!(harness.query_all_by_label(&format!("{falls}: held")).count() > 0);
    assert!(harness.query_all_by_label(&format!("{slow}: failed")).count() > 0);
    let said = harness.query_all_by_label_contains("Failed: -1").count();
    assert!(said > 0, "the value and when");
}

#[test]
fn claims_of_a_changed_run_are_not_decided() {
    let mut session = Session::from_text(FALL, "fall.ron").expect("the scene is right");
    session.dispatch(Command::ApplyExperiment(0)).expect("there is one");
    session.dispatch(Command::Reset).expect("from the start");
    session.dispatch(Command::Step).expect("a step");
    let verdicts = |session: &Session| session.claims(Some(0)).into_iter().map(|c| c.verdict).collect::<Vec<_>>();
    assert!(verdicts(&session).iter().all(|v| matches!(v, ClaimVerdict::Pending(Some(_)))), "{:?}", verdicts(&session));
    session
        .dispatch(Command::MouseJoint { body: 1, point: glam::Vec3::ZERO, target: glam::Vec3::new(0.0, 0.0, 5.0) })
        .expect("the hand takes it");
    for _ in 0..40 {
        session.dispatch(Command::Step).expect("a step");
    }
    assert!(verdicts(&session).iter().all(|v| matches!(v, ClaimVerdict::Unclear(_))), "{:?}", verdicts(&session));
    // After going back and on again: the claims are about a run without the mouse pull.
    session.dispatch(Command::Release).expect("it lets go");
    session.dispatch(Command::Reset).expect("from the start");
    for _ in 0..30 {
        session.dispatch(Command::Step).expect("a step");
    }
    assert!(
        matches!(verdicts(&session)[0], ClaimVerdict::Held(_))
            && matches!(verdicts(&session)[1], ClaimVerdict::Failed(_))
    );
}
