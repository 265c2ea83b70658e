//! Steps in batches: the same bits as undivided steps, for any number of threads.

use delassus_physics::angle::Angle;
use delassus_physics::body::BodyDef;
use delassus_physics::joints::*;
use delassus_physics::settings::{Method, RowSolve, Settings, Stabilization};
use delassus_physics::world::{WORLD, World};
use delassus_scene::{library, library::scenes_folder, read};
use glam::Vec3;

use crate::build::{cube, joint, split_blocks};

/// Enough steps to show a difference; few for large scenes.
fn steps(bodies: usize) -> usize {
    (20_000 / bodies.max(1)).clamp(2, 40)
}

/// The state's hash after each step, and whether all steps were made in batches.
fn hashes(world: &World, count: usize, change: impl Fn(&mut World)) -> (Vec<u64>, bool) {
    let mut world = world.clone();
    change(&mut world);
    let mut apart = true;
    let hashes = (0..count).map(|_| {
        world.step();
        apart &= world.report.row_count > 0 && world.system.rows.is_empty();
        world.hash()
    });
    (hashes.collect(), apart)
}

/// One island per batch, so that as many scenes as possible have several batches.
fn by_islands(threads: u32) -> impl Fn(&mut World) {
    move |world| (world.pipeline.executor.batch_size, world.settings.solver.threads) = (1, threads)
}

#[test]
fn every_scene_has_the_same_bits_in_batches_and_for_any_number_of_threads() {
    type Change = (&'static str, fn(&mut Settings));
    type Run = (library::LibraryEntry, &'static str, fn(&mut Settings));
    let changes: [Change; 5] = [
        ("as it is", |_| {}),
        ("without contacts", |s| s.contact.enabled = false),
        ("trees", |s| (s.contact.enabled, s.solver.rows) = (false, RowSolve::Tree)),
        ("sub-steps", |s| {
            (s.contact.enabled, s.solver.method, s.step.substeps) = (false, Method::GaussSeidel, 2);
        }),
        ("RATTLE", |s| (s.contact.enabled, s.stabilization.method) = (false, Stabilization::Rattle)),
    ];
    let runs: Vec<Run> = library::ordinary(&scenes_folder())
        .into_iter()
        .flat_map(|entry| changes.map(|(name, change)| (entry.clone(), name, change)))
        .collect();
    // Each run has one of these numbers of threads, each scene all of them.
    let threads = [2, 4, 16];
    let run = |(index, (entry, name, change)): (usize, &Run)| {
        let loaded = read(&entry.path).unwrap_or_else(|mistakes| panic!("{}", mistakes[0]));
        let mut settings = loaded.scene.settings.settings();
        change(&mut settings);
        let world = loaded.flat.world(settings);
        let count = steps(world.state.bodies.len());
        let (one, batched) = hashes(&world, count, by_islands(1));
        let threads = threads[index % threads.len()];
        assert_eq!(hashes(&world, count, by_islands(threads)).0, one, "{}, {name}, {threads}", entry.id);
        // Rounds end when the worst joint of a batch is good enough.
        if !matches!(settings.stabilization.method, Stabilization::Shake | Stabilization::Rattle) {
            // Trees that the batches leave to the articulations agree only up to rounding.
            let by_rows = |world: &mut World| world.settings.solver.lanes = false;
            let (whole, _) =
                hashes(&world, count, |world| (world.pipeline.executor.keep_rows = true, by_rows(world)).1);
            let (one, _) = hashes(&world, count, |world| (by_islands(2)(world), by_rows(world)).1);
            assert_eq!(whole, one, "{}, {name}, in a piece", entry.id);
        }
        usize::from(batched)
    };
    // Threads outside the pool, because threads of a pool would make each step alone.
    let half = runs.len() / 2;
    let apart: usize = std::thread::scope(|scope| {
        let other = scope.spawn(|| runs.iter().enumerate().skip(half).map(run).sum::<usize>());
        let own: usize = runs.iter().enumerate().take(half).map(run).sum();
        own + other.join().expect("no run has failed")
    });
    assert!(apart > 20, "{apart} runs were made in batches");
}

/// Chains that are independent of each other, all different: balls, and hinges with stops and motors.
fn chains(assignments: &[&str]) -> World {
    let mut world = World::new(split_blocks(assignments));
    for k in 0..40 {
        let mut above = WORLD;
        for i in 0..3 + k % 5 {
            let at = Vec3::new(0.5 + i as f32, 2.0 * k as f32, 0.0);
            let link = world.add_body(BodyDef { mass: 1.0 + k as f32, collide: false, ..cube(0.4, at) });
            let angle = |degrees| Angle::degrees(degrees);
            let hinge = Hinge {
                limit: (k % 3 == 0).then_some((angle(-20.0), angle(30.0))),
                motor: (k % 3 == 1).then_some(AngularDrive { speed: 40.0, max_torque: 1e4 }),
                ..Hinge::default()
            };
            let kind = if i == 0 { JointKind::Hinge(hinge) } else { JointKind::BallSocket(BallSocket {}) };
            world.add_joint(joint(&world, above, link, at - Vec3::X * 0.5, Vec3::Y, kind));
            above = link;
        }
    }
    world
}

#[test]
fn what_is_read_and_measured_is_the_same_in_batches() {
    for rows in ["solver.rows=Block", "solver.rows=Tree"] {
        // Solved by rows; how the articulations solve it is in `articulations.rs`.
        let mut whole = chains(&[rows, "solver.lanes=false"]);
        let mut batched = whole.clone();
        (whole.pipeline.executor.keep_rows, batched.pipeline.executor.batch_size) = (true, 20);
        for _ in 0..60 {
            whole.step();
            batched.step();
        }
        assert!(batched.system.rows.is_empty() && !whole.system.rows.is_empty());
        for (one, other) in whole.state.joints.iter().zip(&batched.state.joints) {
            assert_eq!((&one.def, one.impulses, one.readout), (&other.def, other.impulses, other.readout));
        }
        assert_eq!(whole.metrics(), batched.metrics());
        assert_eq!(whole.state.time, batched.state.time);
    }
}

#[test]
fn a_step_whose_joints_nobody_reads_leads_to_the_same_state() {
    for whole in [true, false] {
        // Motors that turn their links through many turns, past stops that count whole turns.
        let mut read = chains(&[]);
        (read.pipeline.executor.keep_rows, read.pipeline.executor.batch_size) = (whole, 20);
        let mut unread = read.clone();
        unread.pipeline.executor.readouts = false;
        for _ in 0..120 {
            read.step();
            unread.step();
            assert_eq!(read.hash(), unread.hash());
        }
        let turns = |world: &World| world.state.joints.iter().map(|joint| joint.readout.value).fold(0.0, f32::max);
        assert!(turns(&read) > std::f32::consts::TAU, "no link went round");
    }
}
