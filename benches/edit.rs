//! How long opening, editing, undoing and saving take in a scene of 10,000 bodies, each an entry of its own: `cargo
//! bench --bench edit`.

use std::cell::RefCell;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use criterion::{BatchSize, Criterion};
use delassus::physics::setting::Value;
use delassus::session::{Command, Edit, Gesture, Placed, Session};
use glam::{Quat, Vec3};

const BODIES: usize = 10_000;
/// The joints connect rows of this many bodies.
const ROW: usize = 40;

fn place(i: usize) -> Vec3 {
    Vec3::new((i % ROW) as f32, (i / ROW % 25) as f32, (i / (25 * ROW)) as f32) * 0.7
}

/// A scene's text, with or without a joint between neighbours.
fn text(joints: bool) -> String {
    let mut text = String::from("(\n    version: 1,\n    title: \"Many\",\n    bodies: [\n");
    for i in 0..BODIES {
        let Vec3 { x, y, z } = place(i);
        let shape = "Box(half: (0.2, 0.2, 0.2))";
        let _ = writeln!(text, "        (name: \"body-{i}\", shape: {shape}, at: ({x}, {y}, {z}), mass: 1),");
    }
    text.push_str("    ],\n    joints: [\n");
    for i in (0..BODIES - 1).filter(|i| joints && i % ROW != ROW - 1) {
        let Vec3 { x, y, z } = place(i) + Vec3::X * 0.35;
        let next = i + 1;
        let _ =
            writeln!(text, "        (a: \"body-{i}\", b: \"body-{next}\", anchor: ({x}, {y}, {z}), kind: BallSocket),");
    }
    text.push_str("    ],\n)\n");
    text
}

fn open(path: &Path) -> Session {
    Session::open(path).unwrap_or_else(|error| panic!("{error}"))
}

fn dispatch(session: &RefCell<Session>, command: Command) {
    session.borrow_mut().dispatch(command).unwrap_or_else(|error| panic!("{error}"));
}

fn move_one(height: f32, gesture: Option<Gesture>) -> Command {
    let at = Vec3::new(0.0, 0.0, 50.0 + height);
    let placed = Placed { name: "body-5000".into(), at, rotation: Quat::IDENTITY };
    Command::Edit { edit: Edit::Place(vec![placed]), gesture }
}

fn cases(criterion: &mut Criterion, name: &str, path: &Path, folder: &Path) {
    let mut group = criterion.benchmark_group(name);
    group.sample_size(20);
    group.bench_function("open", |b| b.iter(|| open(path)));
    let session = RefCell::new(open(path));
    let mut height = 0.0;
    let mut higher = || {
        height += 0.001;
        height
    };
    group.bench_function("move a body", |b| {
        b.iter_batched(&mut higher, |h| dispatch(&session, move_one(h, None)), BatchSize::PerIteration);
    });
    group.bench_function("a frame of a drag", |b| {
        let gesture = Some(Gesture::Drag(1));
        b.iter_batched(&mut higher, |h| dispatch(&session, move_one(h, gesture)), BatchSize::PerIteration);
    });
    group.bench_function("undo", |b| {
        let prepare = || dispatch(&session, move_one(higher(), None));
        b.iter_batched(prepare, |()| dispatch(&session, Command::Undo), BatchSize::PerIteration);
    });
    let mut sweeps = 0;
    group.bench_function("undo a setting", |b| {
        let prepare = || {
            sweeps = sweeps % 50 + 1;
            dispatch(&session, Command::Set { name: "solver.iterations", value: Value::Int(10 + sweeps) });
            // So that the change is not merged with the next one into a single drag.
            dispatch(&session, Command::Set { name: "warm_start.enabled", value: Value::Bool(sweeps % 2 == 0) });
        };
        b.iter_batched(prepare, |()| dispatch(&session, Command::Undo), BatchSize::PerIteration);
    });
    let saved: PathBuf = folder.join("saved.ron");
    group.bench_function("save", |b| {
        let prepare = || dispatch(&session, move_one(0.5, None));
        b.iter_batched(prepare, |()| dispatch(&session, Command::SaveAs(saved.clone())), BatchSize::PerIteration);
    });
    group.finish();
    let bytes = session.borrow().history_bytes() / session.borrow().past().len().max(1);
    println!("{name}: {bytes} bytes an edit in the history");
}

fn main() {
    // `cargo test --benches` omits this word and only checks that it builds.
    if !std::env::args().any(|a| a == "--bench") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let mut criterion = Criterion::default().configure_from_args();
    for (name, joints) in [("10,000 bodies", false), ("10,000 bodies, 9,750 joints", true)] {
        let path = folder.path().join(format!("{joints}.ron"));
        std::fs::write(&path, text(joints)).expect("the folder can be written");
        cases(&mut criterion, name, &path, folder.path());
    }
    criterion.final_summary();
}
