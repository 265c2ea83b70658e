//! What panels show of the next step, and of a mechanism's motions, is computed beside the frame, and can be cancelled.

use egui_kittest::{Harness, kittest::Queryable};
use std::time::{Duration, Instant};

use crate::bench::{Bench, window_of};
use crate::panels::laboratory::Instrument;
use crate::shell::action::Action;
use crate::shell::state::{BottomTab, RightTab};
use delassus_physics::setting::Value;
use delassus_scene::lesson::Algebra;
use delassus_session::{Command, Session};

/// Boxes on a floor whose step takes some seconds.
const HEAVY: &str = r#"(version: 1, title: "heavy", settings: (step: (substeps: 64), solver: (iterations: 1000)),
    bodies: [(name: "floor", shape: Box(half: (40, 40, 0.5)), at: (0, 0, -0.5), motion: Static)],
    patterns: [Grid(name: "g", count: (10, 10, 1), spacing: (0.9, 0.9, 0.9),
        of: Body(shape: Box(half: (0.3, 0.3, 0.3)), at: (-4, -4, 0.29)))])"#;

/// A hanging chain with 180 motions, which take seconds to be told apart.
const CHAIN: &str = r#"(version: 1, title: "chain", patterns: [Chain(name: "c", first: Static, count: 61,
    spacing: (0.25, 0, 0), body: (shape: Sphere(radius: 0.1), at: (0, 0, 40), mass: 1, collide: false),
    joint: (kind: BallSocket))])"#;

const COMES: &str = "The next step is being computed …";

fn bench(scene: &str) -> Harness<'static, Bench> {
    let mut session = Session::from_text(scene, "heavy.ron").expect("a scene");
    session.run_ahead(true);
    let mut harness = window_of(Bench::of(session));
    harness.step();
    harness
}

/// Frames until `there`; the session goes on as in the window.
fn frames_until(harness: &mut Harness<'_, Bench>, what: &str, there: impl Fn(&Harness<'_, Bench>) -> bool) {
    let begun = Instant::now();
    while !there(harness) {
        assert!(begun.elapsed() < Duration::from_secs(300), "{what} does not come");
        harness.state_mut().session.advance(Duration::from_millis(16), Duration::from_millis(5));
        harness.step();
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn says(harness: &Harness<'_, Bench>, text: &str) -> bool {
    harness.query_all_by_label_contains(text).next().is_some()
}

#[test]
fn a_frame_does_not_wait_for_the_laboratory() {
    let mut harness = bench(HEAVY);
    for (of, shows) in [
        (Instrument::Rows, "rows · step 1, the next"),
        (Instrument::Matrix, "J and M"),
        (Instrument::Inside, "Next sweep"),
        (Instrument::Ledger, "Position correction"),
    ] {
        harness.state_mut().state.bottom_tab = BottomTab::Lab(of);
        harness.step();
        // The matrix is made of the look that is there.
        assert!(says(&harness, COMES) || of == Instrument::Matrix, "{of:?} has been computed in the frame");
        frames_until(&mut harness, shows, |harness| says(harness, shows));
        assert!(!says(&harness, COMES), "{of:?}");
    }
}

#[test]
fn closing_a_tab_an_edit_and_a_step_cancel_the_look() {
    let mut harness = bench(HEAVY);
    let pending = |harness: &Harness<'_, Bench>| harness.state().state.laboratory.is_pending();
    let open = |harness: &mut Harness<'_, Bench>| {
        harness.state_mut().state.pending.push(Action::Laboratory(Instrument::Sweeps));
        harness.step();
        harness.step();
        assert!(pending(harness));
    };
    open(&mut harness);
    harness.state_mut().state.bottom_tab = BottomTab::Plots;
    harness.step();
    assert!(!pending(&harness), "nobody looks");
    open(&mut harness);
    // An edit after which the step is quick.
    let session = &mut harness.state_mut().session;
    session.dispatch(Command::Set { name: "solver.iterations", value: Value::Int(1) }).expect("a setting");
    session.dispatch(Command::Set { name: "step.substeps", value: Value::Int(1) }).expect("a setting");
    frames_until(&mut harness, "a quick step", |harness| says(harness, "rows · step 1, the next"));
    harness.state_mut().session.dispatch(Command::Step).expect("a step");
    frames_until(&mut harness, "another", |harness| says(harness, "rows · step 2, the next"));
}

#[test]
fn a_frame_does_not_wait_for_the_next_step_on_a_page() {
    let mut harness = bench(HEAVY);
    harness.state_mut().state.algebra.open = Some(Algebra::TwoBodies);
    harness.step();
    assert!(says(&harness, COMES));
    frames_until(&mut harness, "a pair", |harness| says(harness, "Between"));
    assert!(!says(&harness, COMES));
}

#[test]
fn a_frame_does_not_wait_for_the_motions_of_a_long_chain() {
    let mut harness = bench(CHAIN);
    harness.state_mut().state.right_tab = RightTab::Doctor;
    frames_until(&mut harness, "the examination", |harness| says(harness, "Show its motions"));
    let show = |harness: &mut Harness<'_, Bench>| {
        harness.get_all_by_label_contains("Show its motions").next().expect("a button").click();
        harness.step();
        harness.step();
        assert!(says(harness, "The motion is being computed …"));
    };
    show(&mut harness);
    harness.state_mut().state.selection.click_body(3, false);
    harness.step();
    harness.step();
    assert!(harness.state().state.view3d.motion.is_none(), "it is cancelled");
    show(&mut harness);
    frames_until(&mut harness, "the motions", |harness| says(harness, "1 of 180"));
    assert!(!says(&harness, "The motion is being computed …"));
    harness.step();
    assert!(!harness.state().state.view3d.preview.ghosts.is_empty());
}

/// A thousand moments of 100,000 rows took more than a gigabyte.
#[test]
fn a_look_that_would_take_too_much_memory_is_not_begun() {
    let large = |radius: f32| {
        let scene = format!(
            r#"(version: 1, title: "large", settings: (step: (substeps: 1), solver: (iterations: 1)), patterns: [Grid(name: "g",
            count: (20, 20, 20), spacing: (1, 1, 1), of: Body(shape: Sphere(radius: {radius}), at: (0, 0, 0)))])"#
        );
        let mut session = Session::from_text(&scene, "large.ron").expect("a scene");
        session.dispatch(Command::Step).expect("a step");
        session.dispatch(Command::Set { name: "solver.iterations", value: Value::Int(1000) }).expect("a setting");
        let mut harness = window_of(Bench::of(session));
        harness.state_mut().state.bottom_tab = BottomTab::Lab(Instrument::Rows);
        harness.step();
        harness
    };
    let refused = "but at most 512 are kept";
    assert!(!says(&large(0.1), refused), "it has no rows");
    let mut touching = large(0.51);
    for of in [Instrument::Rows, Instrument::Matrix, Instrument::Sweeps, Instrument::Inside] {
        touching.state_mut().state.bottom_tab = BottomTab::Lab(of);
        touching.step();
        assert!(says(&touching, refused), "{of:?}");
    }
}
