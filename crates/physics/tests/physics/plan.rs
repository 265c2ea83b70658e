//! Who makes a step, and the settings without effect: each reason occurs where it holds, and nowhere else.

use delassus_physics::body::BodyDef;
use delassus_physics::joints::{BallSocket, JointKind};
use delassus_physics::plan::{Facts, Idle, Path, Route, WholeReason, all_idle, idle, refused_by};
use delassus_physics::settings::{LIST, Settings};
use delassus_physics::world::{WORLD, World};
use glam::Vec3;

use crate::build::{cube, joint};

/// Pendulums of one cube each, beside each other, whose bodies do not collide; one body a batch.
fn pendulums(count: usize) -> World {
    let mut world = World::new(Settings::default());
    world.pipeline.executor.batch_size = 1;
    for place in 0..count {
        let at = Vec3::new(2.0 * place as f32, 0.0, 3.0);
        let body = world.add_body(BodyDef { collide: false, ..cube(0.2, at) });
        let ball = joint(&world, WORLD, body, at + Vec3::X, Vec3::Z, JointKind::BallSocket(BallSocket::default()));
        world.add_joint(ball);
    }
    world
}

fn route(change: impl Fn(&mut World)) -> Route {
    let mut world = pendulums(4);
    change(&mut world);
    world.step();
    world.report.route
}

#[test]
fn each_reason_to_step_all_together_is_told_where_it_holds() {
    let set = |assignment: &'static str| move |world: &mut World| world.settings.assign(assignment).unwrap();
    assert_eq!(route(|_| {}), Route::Batched(None));
    let cases: [(WholeReason, Route); 7] = [
        (WholeReason::FewBodies, route(|world| world.pipeline.executor.batch_size = 64)),
        (WholeReason::RowsAreRead, route(|world| world.pipeline.executor.keep_rows = true)),
        (WholeReason::Setting("solver.tolerance"), route(set("solver.tolerance=0.1"))),
        (WholeReason::Setting("solver.spectrum_every"), route(set("solver.spectrum_every=3"))),
        (WholeReason::Setting("stabilization.method"), route(set("stabilization.method=Nonlinear"))),
        (
            WholeReason::Contacts,
            route(|world| {
                world.add_body(cube(0.2, Vec3::new(0.0, 9.0, 0.0)));
            }),
        ),
        (
            WholeReason::OneIsland,
            route(|world| {
                world.settings.solver.lanes = false;
                for (a, b) in [(1, 2), (2, 3), (3, 4)] {
                    let at = world.state.bodies[b as usize].position;
                    let ball = joint(world, a, b, at, Vec3::Z, JointKind::BallSocket(BallSocket::default()));
                    world.add_joint(ball);
                }
            }),
        ),
    ];
    for (why, route) in cases {
        assert_eq!(route, Route::Whole(why));
    }
}

#[test]
fn the_setting_that_keeps_trees_out_of_the_lanes_is_named() {
    let set = |assignment: &'static str| move |world: &mut World| world.settings.assign(assignment).unwrap();
    for assignment in ["formulation.rotation=AsPrinted", "solver.lanes=false", "stabilization.joint_slop=0.001"] {
        let name = assignment.split('=').next();
        assert_eq!(route(set(assignment)), Route::Batched(name), "{assignment}");
    }
}

#[test]
fn defaults_are_taken_by_every_path() {
    let paths = [Path::Islands, Path::Articulations, Path::Mechanisms, Path::Blocks, Path::Contacts, Path::Division];
    for path in paths {
        assert_eq!(refused_by(path, &Settings::default()), None, "{path:?}");
    }
    let mut direct = Settings::default();
    direct.assign("solver.method=Direct").unwrap();
    let taken: Vec<_> = paths.into_iter().filter(|path| refused_by(*path, &direct).is_none()).collect();
    assert_eq!(taken, [Path::Division]);
}

#[test]
fn every_setting_has_a_place_in_the_plan_under_its_own_name() {
    // Where nothing moves, all settings are idle but those that change the time or who makes the step.
    let facts = Facts::of(&World::new(Settings::default()));
    let idle: Vec<_> = all_idle(&Settings::default(), &facts).map(|(setting, _)| setting.name).collect();
    let others: Vec<_> = LIST.iter().map(|setting| setting.name).filter(|name| !idle.contains(name)).collect();
    let acting = [
        "step.rate",
        "step.substeps",
        "solver.method",
        "solver.threads",
        "solver.device",
        "solver.spectrum_every",
        "formulation.rotation",
    ];
    assert_eq!(others, acting);
}

#[test]
fn a_pendulum_that_touches_nothing_has_no_use_for_contacts() {
    let world = pendulums(1);
    let facts = Facts::of(&world);
    assert_eq!(idle("contact.slop", &world.settings, &facts), Some(Idle::NothingTouches));
    assert_eq!(idle("solver.jacobi", &world.settings, &facts), Some(Idle::NotJacobi));
    assert_eq!(idle("solver.iterations", &world.settings, &facts), None);
    assert_eq!(idle("no.such", &world.settings, &facts), None);
}
