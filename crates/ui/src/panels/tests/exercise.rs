//! Exercises: tried with other settings, judged by the claims, with hints and points.

use std::time::Duration;

use egui_kittest::{Harness, kittest::Queryable};

use super::super::lesson::{ExerciseRecord, knows};
use crate::{
    bench::{Bench, click, window_of},
    request::Request,
    shell::action::Action,
};
use delassus_physics::setting::Value;
use delassus_scene::lesson;
use delassus_session::{Command, Session};

/// A ball that falls at 10 m/s² in steps of 1/100 s: after 0.2 s it has 2 m/s.
const FALL: &str = r#"(
    version: 1,
    title: "Fall",
    settings: (step: (rate: 100, gravity: (0, 0, -10))),
    bodies: [
        (name: "ball", shape: Sphere(radius: 0.1), at: (0, 0, 4), mass: 2),
        (name: "other", shape: Sphere(radius: 0.1), at: (2, 0, 4), mass: 2),
    ],
)"#;

const SLOW: &str = r#"(
    title: "Slow", scene: "fall", question: "A ball falls.",
    exercise: (
        task: "Let it fall slowly.",
        goal: Hold(
            claims: [("It is slower than 1.5 m/s", "bodies.ball.vz > -1.5 m/s until 0.2 s")],
            controls: ["step.gravity", "step.rate"],
            least: ["step.rate"],
            solution: (step: (gravity: (0, 0, -5), rate: 50)),
        ),
        hints: ["Change gravity."],
        solved: "It takes its time.",
    ),
)"#;

const FIND: &str = r#"(
    title: "Find", scene: "fall", question: "Two balls fall.",
    exercise: (task: "Which one?", goal: Find("other"), hints: ["Not the first."]),
)"#;

/// The window with this lesson entered; its files live as long as the folder.
fn entered(text: &str) -> (tempfile::TempDir, String, Harness<'static, Bench>) {
    let folder = tempfile::tempdir().expect("a folder");
    let (scene, file) = (folder.path().join("fall.ron"), folder.path().join("lesson.ron"));
    std::fs::write(&scene, FALL).expect("a file");
    std::fs::write(&file, text).expect("a file");
    let lesson = lesson::own(&file, &knows).unwrap_or_else(|mistakes| panic!("{mistakes:?}"));
    let mut bench = Bench::of(Session::open(&scene).expect("it can be read"));
    let id = lesson.id.clone();
    bench.shelf.lessons = vec![lesson];
    bench.state.lessons.choose(&id);
    let mut harness = window_of(bench);
    harness.run_steps(5);
    (folder, id, harness)
}

fn record(harness: &Harness<'_, Bench>, id: &str) -> ExerciseRecord {
    harness.state().state.lessons.progress.exercises.get(id).cloned().unwrap_or_default()
}

/// Runs the chosen settings for 0.3 s.
fn attempt(harness: &mut Harness<'_, Bench>) {
    click(harness, "Run these settings");
    for _ in 0..18 {
        harness.state_mut().session.advance(Duration::from_secs_f64(1.0 / 60.0), Duration::from_secs(1));
    }
    harness.run_steps(3);
}

fn set(harness: &mut Harness<'_, Bench>, name: &'static str, value: Value) {
    harness.state_mut().session.dispatch(Command::Overlay(vec![(name, value)])).expect("a setting");
    harness.run_steps(2);
}

#[test]
fn an_exercise_is_judged_by_its_claims_and_scored() {
    let (_folder, id, mut harness) = entered(SLOW);
    harness.get_by_label("It is slower than 1.5 m/s");
    assert_eq!(record(&harness, &id), ExerciseRecord::default());
    attempt(&mut harness);
    // 2 m/s after 0.2 s.
    let failed = record(&harness, &id);
    assert_eq!((failed.attempts, failed.solved), (1, false));
    harness.get_by_label("1 try so far.");
    click(&mut harness, "Show hint 1 of 1");
    harness.get_by_label("Hint 1: Change gravity.");
    // 1 m/s after 0.2 s.
    set(&mut harness, "step.gravity", Value::Vector(glam::Vec3::new(0.0, 0.0, -5.0)));
    attempt(&mut harness);
    let solved = record(&harness, &id);
    assert_eq!((solved.attempts, solved.solved, solved.cost, solved.author), (2, true, Some(100.0), Some(50.0)));
    // One point for the solution, none without a hint, none for more steps than the author's.
    harness.get_by_label("Solved: 1 of 3 points. Your best is 100, the author's 50.");
    harness.get_by_label("It takes its time.");
    // The settings of the run count, not those that are chosen afterwards.
    set(&mut harness, "step.rate", Value::Real(40.0));
    assert_eq!(record(&harness, &id), solved);
    attempt(&mut harness);
    assert_eq!(record(&harness, &id).cost, Some(40.0));
    harness.get_by_label("Solved: 2 of 3 points. Your best is 40, the author's 50.");
    // What was tried is no edit of the scene.
    assert!(!harness.state().session.is_dirty());
}

#[test]
fn a_run_with_other_settings_does_not_count() {
    let (_folder, id, mut harness) = entered(SLOW);
    set(&mut harness, "solver.iterations", Value::Int(33));
    harness.get_by_label_contains("Runs with other changed settings do not count. Reset solver.iterations.");
    attempt(&mut harness);
    assert_eq!(record(&harness, &id), ExerciseRecord::default());
}

#[test]
fn a_run_that_was_pulled_or_changed_on_the_way_does_not_count() {
    let (_folder, id, mut harness) = entered(SLOW);
    click(&mut harness, "Run these settings");
    harness.state_mut().session.advance(Duration::from_millis(50), Duration::from_secs(1));
    set(&mut harness, "step.gravity", Value::Vector(glam::Vec3::ZERO));
    harness.state_mut().session.advance(Duration::from_millis(300), Duration::from_secs(1));
    harness.run_steps(3);
    assert_eq!(record(&harness, &id), ExerciseRecord::default());
}

#[test]
fn the_solution_is_shown_after_the_hints_and_gives_no_points() {
    let (_folder, id, mut harness) = entered(SLOW);
    click(&mut harness, "Show hint 1 of 1");
    click(&mut harness, "Show a solution");
    assert!(harness.state().asked.iter().any(|asked| matches!(asked, Request::Session(Command::Overlay(_)))));
    assert_eq!(harness.state().session.settings().step.gravity.z, -5.0);
    attempt(&mut harness);
    let record = record(&harness, &id);
    assert!(record.solved && record.points() == (0, 3), "{record:?}");
}

#[test]
fn a_body_is_found_by_selecting_it() {
    let (_folder, id, mut harness) = entered(FIND);
    let body = |harness: &Harness<'_, Bench>, name: &str| {
        harness.state().session.snapshot().bodies.iter().find(|body| *body.name == *name).expect("it is there").id
    };
    harness.get_by_label_contains("Click a joint or a body in the view");
    let (ball, other) = (body(&harness, "ball"), body(&harness, "other"));
    harness.state_mut().state.selection.click_body(ball, false);
    harness.run_steps(2);
    click(&mut harness, "My answer: ball");
    harness.get_by_label("“ball” is not the one.");
    assert!(!record(&harness, &id).solved);
    harness.state_mut().state.selection.click_body(other, false);
    harness.run_steps(2);
    click(&mut harness, "My answer: other");
    let record = record(&harness, &id);
    assert_eq!((record.attempts, record.points()), (2, (2, 2)));
    harness.get_by_label("Solved: 2 of 2 points.");
}

#[test]
fn the_results_are_saved_from_the_contents() {
    let (_folder, _, mut harness) = entered(FIND);
    let other = harness.state().session.snapshot().bodies.iter().find(|body| &*body.name == "other").expect("it").id;
    harness.state_mut().state.selection.click_body(other, false);
    harness.run_steps(2);
    click(&mut harness, "My answer: other");
    harness.state_mut().state.pending.push(Action::Lessons);
    harness.run_steps(4);
    harness.get_by_label("Find: done, 2 of 2");
    click(&mut harness, "Save my results");
    let saved = harness.state().asked.iter().find_map(|asked| match asked {
        Request::ResultsDialog(page) => Some(page.clone()),
        _ => None,
    });
    assert!(saved.expect("a page").contains("<td>2 of 2</td>"));
}
