//! Steps that another thread cancels.

use std::time::Duration;

use delassus_physics::settings::{Method, Settings};
use delassus_physics::work::{Cancel, SWEPT_ROW};
use delassus_physics::world::World;
use delassus_scene::read_str;

const PILE: &str = "(version: 1, title: \"pile\", patterns: [Grid(name: \"g\", count: (4, 4, 4), spacing: (0.5, 0.5, 0.5), \
                    of: Body(shape: Box(half: (0.25, 0.25, 0.25)), at: (0, 0, 0.25)))])";

fn pile(method: Method) -> World {
    let loaded = read_str(PILE, "pile.ron").expect("a scene");
    let mut settings = Settings::default();
    settings.solver.method = method;
    loaded.flat.world(settings)
}

#[test]
fn a_step_that_is_cancelled_before_it_begins_moves_nothing() {
    for method in [Method::Direct, Method::GaussSeidel, Method::Jacobi] {
        let (mut world, cancel) = (pile(method), Cancel::default());
        world.step();
        let before = world.hash();
        world.report.work.cancelled_by(Some(cancel.clone()));
        cancel.cancel();
        world.step();
        assert!(world.report.work.is_over(), "{method:?}");
        assert_eq!((world.state.step_count, world.hash()), (1, before), "{method:?}");
        world.report.work.cancelled_by(None);
        world.step();
        assert_eq!((world.state.step_count, world.report.work.is_over()), (2, false), "{method:?}: it goes on");
    }
}

#[test]
fn a_long_step_ends_when_another_thread_cancels_it() {
    for (method, sweeps) in [(Method::GaussSeidel, 1000), (Method::Jacobi, 1000), (Method::Direct, 1)] {
        let (mut world, cancel) = (pile(method), Cancel::default());
        world.settings.solver.iterations = sweeps;
        world.settings.step.substeps = 64;
        world.settings.solver.tolerance = 0.0;
        world.report.work.cancelled_by(Some(cancel.clone()));
        let other = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(30));
            cancel.cancel();
        });
        world.step();
        other.join().expect("it cancels");
        assert!(world.report.work.is_over(), "{method:?}");
        assert!(
            method == Method::Direct || world.report.sweeps < 64_000,
            "{method:?} made {} sweeps",
            world.report.sweeps
        );
    }
}

/// Two bars on motors: one mechanism of two joints that share a bar. Beside the sweeps of its rows, each sweep of it is
/// two passes through its factors, its residual and a refinement: four times the numbers of the two own blocks, and of
/// the shared block from either side.
#[test]
fn the_work_of_a_step_counts_what_mechanisms_cost() {
    let arm = "(version: 1, title: \"arm\", bodies: [
        (name: \"a\", shape: Box(half: (0.5, 0.05, 0.05)), at: (0.5, 0, 2), collide: false),
        (name: \"b\", shape: Box(half: (0.5, 0.05, 0.05)), at: (1.5, 0, 2), collide: false)],
        joints: [(a: \"world\", b: \"a\", anchor: (0, 0, 2), axis: (0, 1, 0), kind: Hinge(motor: (speed: 0, max_torque: 99))),
        (a: \"a\", b: \"b\", anchor: (1, 0, 2), axis: (0, 1, 0), kind: Hinge(motor: (speed: 0, max_torque: 99)))])";
    let loaded = read_str(arm, "arm.ron").expect("a scene");
    for method in [Method::GaussSeidel, Method::Jacobi] {
        let mut settings = Settings::default();
        settings.solver.method = method;
        let mut world = loaded.flat.world(settings);
        world.step();
        let rows = 2 * 6 * u64::from(settings.step.substeps * settings.sweeps()) * SWEPT_ROW;
        let solved = 4 * 8 * 8 * (2 + 2) * u64::from(world.report.sweeps);
        assert_eq!(world.report.work.spent(), rows + solved, "{method:?}");
    }
}
