//! The allocations of an edit depend on what it changes, and not on the size of the scene: a slider's tick copies
//! none of the scene's lists, and a drag in the inspector copies neither the scene nor the world.
//!
//! A copy of a list of n bodies or joints allocates n times, once per element. So a tick, or a frame of a drag, is
//! counted in a scene of n bodies, and in one of 8 n.

use std::fmt::Write;
use std::time::Duration;

use delassus_physics::setting::Value;
use delassus_session::{Command, Edit, Gesture, Placed, Session};
use glam::{Quat, Vec3};

use crate::{counted, measure};

/// Pairs of bodies connected by a joint, each with its own entry: the scene has twice as many bodies.
fn session(pairs: usize) -> Session {
    let mut text = String::from("(version: 1, title: \"Many\", bodies: [");
    for i in 0..2 * pairs {
        let motion = if i % 2 == 0 { "Static" } else { "Dynamic" };
        let shape = "Box(half: (0.2, 0.2, 0.2))";
        let _ = writeln!(text, "(name: \"body-{i}\", shape: {shape}, at: ({i}, 0, 9), motion: {motion}),");
    }
    text.push_str("], joints: [");
    for i in 0..pairs {
        let (a, b) = (2 * i, 2 * i + 1);
        let _ = writeln!(text, "(a: \"body-{a}\", b: \"body-{b}\", anchor: ({a}.5, 0, 9), kind: BallSocket),");
    }
    text.push_str("])");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("many.ron");
    std::fs::write(&path, text).expect("the folder can be written");
    Session::open(&path).unwrap_or_else(|error| panic!("{error}"))
}

/// The number of allocations and of bytes of the last of eight commands, after `steps` steps of the run.
fn cost(pairs: usize, steps: usize, command: impl Fn(u32) -> Command) -> (usize, usize) {
    let mut session = session(pairs);
    // A large scene is examined on a thread of its own, and its allocations would be counted, too.
    while session.doctor_waits() {
        session.advance(Duration::ZERO, Duration::ZERO);
        std::thread::yield_now();
    }
    for _ in 0..steps {
        session.dispatch(Command::Step).expect("it can be stepped");
    }
    let mut cost = (0, 0);
    for tick in 1..=8 {
        let command = command(tick);
        let stats = counted(|| session.dispatch(command).expect("it can be done"));
        cost = (stats.allocations + stats.reallocations, stats.bytes_allocated);
    }
    cost
}

const PAIRS: usize = 250;

/// The same in a scene eight times as large.
fn costs(steps: usize, command: impl Fn(u32) -> Command) -> [(usize, usize); 2] {
    [PAIRS, 8 * PAIRS].map(|pairs| cost(pairs, steps, &command))
}

/// The tests below would detect copies.
pub fn a_copy_is_counted_once_an_element() {
    let session = session(PAIRS);
    let scene = session.scene().expect("a scene is open");
    assert!(measure(|| drop(scene.bodies.iter().cloned().collect::<Vec<_>>())) >= 2 * PAIRS, "a copy of its bodies");
    let flat = delassus_scene::expand(scene, std::path::Path::new("")).expect("it can be laid out");
    let world = flat.world(scene.settings.settings());
    assert!(measure(|| drop(world.clone())) >= 3 * PAIRS, "a copy of the world's bodies and joints");
}

pub fn a_tick_of_a_slider_copies_nothing_of_the_scene() {
    for steps in [0, 20] {
        let tick = |tick| Command::Set { name: "solver.iterations", value: Value::Int(10 + tick) };
        let [few, many] = costs(steps, tick);
        assert_eq!(few, many, "after {steps} steps: times and bytes");
    }
}

/// The displayed list is rebuilt: a list grows by doubling, so a longer one needs a few more allocations.
pub fn a_drag_in_the_inspector_copies_neither_scene_nor_world() {
    for steps in [0, 20] {
        let frame = |tick: u32| {
            let at = Vec3::new(101.0, 0.0, 9.0 + tick as f32 * 1e-3);
            let placed = Placed { name: "body-101".into(), at, rotation: Quat::IDENTITY };
            Command::Edit { edit: Edit::Place(vec![placed]), gesture: Some(Gesture::Drag(1)) }
        };
        let [(few, _), (many, _)] = costs(steps, frame);
        let copied = 7 * PAIRS;
        assert!(many < few + copied / 50, "after {steps} steps: {few} times, and {many} where there is more");
    }
}
