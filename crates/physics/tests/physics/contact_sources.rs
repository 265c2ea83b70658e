//! Where contact points come from: the whole manifold, a manifold that grows, one point.

use delassus_physics::body::{BodyDef, Motion};
use delassus_physics::settings::ContactSource;
use delassus_physics::shape::Shape;
use delassus_physics::touch::ContactPoint;
use delassus_physics::world::World;
use glam::{Quat, Vec3};

use crate::build::{body, close, cube, floor, run, settings};

/// The points between the world's two bodies at their current poses, without the motion of a step.
fn points(a: BodyDef, b: BodyDef, source: &str) -> Vec<ContactPoint> {
    let mut world = World::new(settings(&[&format!("contact.source={source}"), "contact.prediction=0.5"]));
    world.settings.step.gravity = Vec3::ZERO;
    world.add_body(BodyDef { motion: Motion::Static, ..a });
    world.add_body(b);
    world.step();
    world.contact_points().collect()
}

/// The single point is the deepest one of the whole manifold, along the same normal, for boxes at any tilt, apart or
/// overlapping.
#[test]
fn one_point_is_the_deepest_of_the_manifold() {
    let slab = || body(Shape::Box { half: Vec3::new(4.0, 4.0, 1.0) }, Vec3::new(0.0, 0.0, -1.0));
    for (i, gap) in [-0.05f32, -0.02, -0.005, 0.005, 0.02, 0.1].into_iter().enumerate() {
        for tilt in [Vec3::new(0.3, 0.2, 0.0), Vec3::new(0.5, -0.2, 0.8), Vec3::new(-0.1, 0.05, 2.0)] {
            let rotation = Quat::from_scaled_axis(tilt * (1.0 + 0.1 * i as f32));
            // The lowest corner of the tilted box is `gap` above the slab.
            let reach = (rotation * Vec3::X).z.abs() + (rotation * Vec3::Y).z.abs() + (rotation * Vec3::Z).z.abs();
            let at = Vec3::new(0.2, -0.1, 0.5 * reach + gap);
            let [one] = points(slab(), BodyDef { rotation, ..cube(0.5, at) }, "Single")[..] else {
                panic!("one point at a gap of {gap}")
            };
            close("depth", -one.depth, gap, 2e-5);
            close("normal", one.normal.dot(Vec3::Z), 1.0, 1e-5);
            let full = points(slab(), BodyDef { rotation, ..cube(0.5, at) }, "Full");
            let deepest = full.iter().max_by(|p, q| p.depth.total_cmp(&q.depth)).expect("a manifold");
            close("depth of the manifold", one.depth, deepest.depth, 2e-5);
            close("the same corner", one.position.distance(deepest.position), 0.0, 1e-3);
        }
    }
}

/// Balls are exact: the gap is the distance of the centres minus the radii.
#[test]
fn balls_touch_where_their_centres_say() {
    let ball = |at: Vec3| body(Shape::Sphere { radius: 0.5 }, at);
    let way = Vec3::new(1.0, 2.0, -0.5).normalize();
    for gap in [-0.1, 0.0, 0.2] {
        let [one] = points(ball(Vec3::ZERO), ball(way * (1.0 + gap)), "Single")[..] else { panic!("one point") };
        close("gap", -one.depth, gap, 1e-6);
        close("normal", one.normal.distance(way), 0.0, 1e-6);
        close("halfway", one.position.distance(way * 0.5 * (1.0 + gap)), 0.0, 1e-6);
    }
}

/// A stack of five with every second box shifted sideways, as in the book.
fn stack(assignments: &[&str]) -> World {
    let mut world = World::new(settings(&["step.rate=120", "solver.iterations=5"]));
    assignments.iter().for_each(|a| world.settings.assign(a).expect("a setting"));
    world.add_body(floor());
    for i in 0..5 {
        let off = 0.15 * (i % 2) as f32;
        world.add_body(cube(0.5, Vec3::new(off, off, 0.51 + 1.01 * i as f32)));
    }
    world
}

/// The largest sideways displacement of the five boxes, m.
fn astray(world: &World) -> f32 {
    let off = |i: usize| 0.15 * (i % 2) as f32;
    (0..5).map(|i| (world.state.bodies[i + 2].position - Vec3::splat(off(i))).truncate().length()).fold(0.0, f32::max)
}

/// Book, fig. 12 to 14: with one point per pair and nothing cached the stack falls; with four cached points, or with
/// the whole manifold, it stands.
#[test]
fn a_stack_needs_more_than_one_point() {
    let mut single = stack(&["contact.source=Single", "warm_start.enabled=false"]);
    run(&mut single, 6.0);
    assert!(astray(&single) > 0.1, "one point holds the stack: {} m", astray(&single));
    for source in ["Growing", "Full"] {
        let mut world = stack(&[&format!("contact.source={source}")]);
        run(&mut world, 4.0);
        let settled = astray(&world);
        run(&mut world, 16.0);
        assert!(settled < 0.05, "{source}: {settled} m");
        close(&format!("{source}: creep"), astray(&world), settled, 3e-3);
        let points: Vec<_> = world.contact_points().collect();
        assert!(points.len() <= 20 && points.len() >= 15, "{source}: {} points between five boxes", points.len());
    }
}

/// Cached points that have slid or separated are removed: a ball rolls on undisturbed, with only the point it rests
/// on and those within the drift, and a box that is lifted off has none.
#[test]
fn cached_points_expire() {
    let mut world = World::new(settings(&["contact.source=Growing", "step.rate=240"]));
    world.add_body(floor());
    let (radius, v) = (0.5, 2.0);
    let rolling = BodyDef {
        velocity: Vec3::X * v,
        angular_velocity: Vec3::Y * (v / radius),
        ..body(Shape::Sphere { radius }, Vec3::new(0.0, 0.0, radius))
    };
    let ball = world.add_body(rolling) as usize;
    run(&mut world, 3.0);
    close("speed", world.state.velocities[ball].linear.x, v, 2e-3);
    close("way", world.state.bodies[ball].position.x, 3.0 * v, 1e-2);
    // A new point every step of v/240 s, kept until the surfaces have separated or slid by the drift.
    assert!((1..=4).contains(&world.contact_points().count()));
    for point in world.contact_points() {
        let behind = world.state.bodies[ball].position.x - point.position.x;
        assert!(behind.abs() < (2.0f32 * radius * 0.02).sqrt(), "a point {behind} m behind");
    }
    world.state.velocities[ball].linear.z = 5.0;
    run(&mut world, 0.1);
    assert_eq!(world.contact_points().count(), 0);
}

/// Sources can be switched at any moment, and a settled stack stays at rest.
#[test]
fn sources_switch_while_it_runs() {
    let mut world = stack(&[]);
    run(&mut world, 2.0);
    for source in [ContactSource::Growing, ContactSource::Full, ContactSource::Growing, ContactSource::Full] {
        world.settings.contact.source = source;
        run(&mut world, 1.0);
    }
    assert!(astray(&world) < 0.05, "{} m", astray(&world));
    let stray = world.state.bodies[6].position.z;
    close("height of the top box", stray, 4.5, 0.05);
}
