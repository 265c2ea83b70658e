//! The tour, taken by its own button: it must build the promised linkage.

use std::time::Duration;

use egui_kittest::{Harness, kittest::Queryable};

use crate::bench::{Bench, window};
use crate::request::Request;
use crate::shell::action::Action;
use crate::shell::tour_steps::Step;
use delassus_session::{Command, Session};

/// Runs frames until the card shows the next step. The application moves the camera.
fn settle(harness: &mut Harness<'_, Bench>) {
    harness.run_steps(4);
}

#[test]
fn the_tour_builds_a_linkage_whose_crank_turns_at_the_motor_s_speed() {
    let mut harness = window();
    harness.state_mut().state.pending.push(Action::Tour);
    settle(&mut harness);
    harness.get_by_label("Start the tour").click();
    settle(&mut harness);
    assert!(harness.state().asked.contains(&Request::New));
    harness.state_mut().session.dispatch(Command::New).expect("a new scene");
    settle(&mut harness);
    for (index, step) in Step::ALL.into_iter().enumerate() {
        assert!(harness.query_by_label(step.words().0).is_some(), "step {index} is {step:?}");
        match step {
            Step::Keep => break,
            _ => harness.get_by_label("Do it for me").click(),
        }
        settle(&mut harness);
        if step == Step::Run {
            let session = &mut harness.state_mut().session;
            assert!(session.playing());
            for _ in 0..180 {
                session.advance(Duration::from_secs_f64(1.0 / 60.0), Duration::from_secs(1));
            }
            settle(&mut harness);
        }
    }
    // The crank turns at the motor's 90°/s, and the four hinges hold.
    let snapshot = harness.state().session.snapshot();
    let crank = snapshot.bodies.iter().find(|b| &*b.name == "box").expect("a crank");
    assert!(
        (crank.angular_velocity.z.abs() - std::f32::consts::FRAC_PI_2).abs() < 0.01,
        "{} rad/s",
        crank.angular_velocity.z
    );
    assert_eq!(snapshot.joints.len(), 4);
    assert!(snapshot.metrics.joint_error_max < 5e-3, "{} m", snapshot.metrics.joint_error_max);
    // Saved and opened again, it is the same.
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("linkage.ron");
    harness.state_mut().session.dispatch(Command::SaveAs(file.clone())).expect("it can be written");
    settle(&mut harness);
    assert!(harness.query_by_label("Done").is_some());
    let mut again = Session::new();
    again.dispatch(Command::Open(file)).expect("it can be read");
    assert_eq!(again.scene(), harness.state().session.scene());
    harness.get_by_label("Close").click();
    settle(&mut harness);
    assert_eq!(harness.state().state.tour, None);
}
