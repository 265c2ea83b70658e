//! Bodies of several shapes: what they weigh is tested beside `compound.rs`; here how they touch and move.

use delassus_physics::body::{BodyDef, Motion, WORLD};
use delassus_physics::joints::{Fixed, JointKind};
use delassus_physics::preset::Preset;
use delassus_physics::settings::{Continuous, Settings};
use delassus_physics::shape::{Shape, ShapePart};
use delassus_physics::world::World;
use glam::{Quat, Vec3};

use crate::build::{G, body, floor, joint, run, settings};

fn part(half: Vec3, at: Vec3) -> ShapePart {
    ShapePart::new(Shape::Box { half }, at)
}

fn compound(parts: impl IntoIterator<Item = ShapePart>) -> Shape {
    Shape::Compound { parts: parts.into_iter().collect() }
}

/// A body of this shape whose own origin, not its centre of mass, is at `origin`, m.
fn placed(shape: Shape, origin: Vec3) -> BodyDef {
    let def = body(shape, Vec3::ZERO);
    BodyDef { position: origin + def.solid.centre, ..def }
}

/// A top of 1.2 m × 0.8 m × 4 cm at 70 cm on four legs; its origin is on the floor.
fn table() -> Shape {
    let leg = |x: f32, y: f32| part(Vec3::new(0.03, 0.03, 0.33), Vec3::new(0.55 * x, 0.35 * y, 0.33));
    let legs = [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)].map(|(x, y)| leg(x, y));
    compound(legs.into_iter().chain([part(Vec3::new(0.6, 0.4, 0.02), Vec3::new(0.0, 0.0, 0.68))]))
}

/// A cup of five boxes, 20 cm wide inside, with its bottom's upper side at 2 cm.
fn cup() -> Shape {
    let wall = |x: f32, y: f32| {
        let half = Vec3::new(if x == 0.0 { 0.12 } else { 0.01 }, if y == 0.0 { 0.12 } else { 0.01 }, 0.1);
        part(half, Vec3::new(0.11 * x, 0.11 * y, 0.1))
    };
    let walls = [wall(1.0, 0.0), wall(-1.0, 0.0), wall(0.0, 1.0), wall(0.0, -1.0)];
    compound(walls.into_iter().chain([part(Vec3::new(0.12, 0.12, 0.01), Vec3::new(0.0, 0.0, 0.01))]))
}

/// The pressed-in depth at rest is at most the slop; a table keeps its height, place and direction for ten seconds.
#[test]
fn a_table_stands_still_and_falls_asleep() {
    let mut world = World::new(Settings::default());
    world.add_body(floor());
    let table = world.add_body(BodyDef { mass: 20.0, ..placed(table(), Vec3::ZERO) }) as usize;
    run(&mut world, 1.0);
    let settled = (world.state.bodies[table].position, world.state.bodies[table].rotation);
    let depth = -(settled.0.z - world.state.bodies[table].solid.centre.z);
    assert!((0.0..0.006).contains(&depth), "{depth} m deep");
    run(&mut world, 10.0);
    let now = (world.state.bodies[table].position, world.state.bodies[table].rotation);
    assert!(now.0.distance(settled.0) < 1e-4, "moved by {} m", now.0.distance(settled.0));
    assert!(now.1.angle_between(settled.1) < 1e-3);
    let feet = world.state.contacts.manifolds().map(|(.., manifold)| manifold.points.len()).collect::<Vec<_>>();
    assert_eq!(feet, [4; 4], "four feet with four corners each");

    let mut world = World::new(Settings::default());
    world.settings.sleep.enabled = true;
    world.add_body(floor());
    let table = world.add_body(BodyDef { mass: 20.0, ..placed(self::table(), Vec3::ZERO) });
    run(&mut world, 3.0);
    assert!(world.state.sleep.has(table), "asleep");
}

/// A ball lies within a cup, on its bottom: at the height of the bottom and its radius. The box around the cup would hold
/// it at 0.2 m and more.
#[test]
fn a_ball_rests_in_a_cup() {
    for motion in [Motion::Static, Motion::Dynamic] {
        let mut world = World::new(Settings::default());
        world.add_body(floor());
        let cup = world.add_body(BodyDef { motion, mass: 2.0, ..placed(cup(), Vec3::ZERO) }) as usize;
        let ball = BodyDef { mass: 0.2, ..body(Shape::Sphere { radius: 0.05 }, Vec3::new(0.02, 0.01, 0.4)) };
        let ball = world.add_body(ball) as usize;
        run(&mut world, 4.0);
        let (at, from) = (world.state.bodies[ball].position, world.state.bodies[cup].shape_origin());
        assert!((at.z - from.z - 0.07).abs() < 0.005, "{motion:?}: at {at}, the cup at {from}");
        assert!((at - from).truncate().abs().max_element() < 0.05 + 0.005, "{motion:?}: inside, at {at}");
    }
}

/// A hook, an L upside down whose short arm has a lip, hangs on a bar by its lip: the bar carries its weight, m g.
#[test]
fn a_hook_hangs_on_a_bar() {
    let mut world = World::new(Settings::default());
    let bar = BodyDef { motion: Motion::Static, ..body(Shape::Box { half: Vec3::new(0.02, 0.3, 0.02) }, Vec3::ZERO) };
    world.add_body(bar);
    // Along z a shank at x = −0.1, across it an arm above the bar, and a lip that goes down behind it.
    let hook = compound([
        part(Vec3::new(0.02, 0.05, 0.2), Vec3::new(-0.06, 0.0, -0.14)),
        part(Vec3::new(0.08, 0.05, 0.02), Vec3::new(0.0, 0.0, 0.04)),
        part(Vec3::new(0.02, 0.05, 0.05), Vec3::new(0.06, 0.0, 0.01)),
    ]);
    let hook = world.add_body(BodyDef { mass: 1.5, ..placed(hook, Vec3::new(0.0, 0.0, 0.001)) }) as usize;
    world.state.bodies[hook].material.friction = 0.8;
    run(&mut world, 6.0);
    let at = world.state.bodies[hook].shape_origin();
    assert!(at.length() < 0.15, "it hangs, at {at}");
    let h = world.settings.h();
    let held: Vec3 = world
        .contact_points()
        .map(|p| p.normal * p.impulse / h)
        .chain(world.tractions().filter_map(|t| t.slide.map(|slide| slide.impulse / h)))
        .sum();
    assert!((held.z - 1.5 * G).abs() < 0.01 * 1.5 * G, "{held} N of {} N", 1.5 * G);
}

/// A compound of one part moves as that part does, to the last bit: it falls, bounces, slides and comes to rest.
#[test]
fn one_part_is_that_part_bit_for_bit() {
    let shapes = [
        Shape::Box { half: Vec3::new(0.2, 0.15, 0.1) },
        Shape::Sphere { radius: 0.15 },
        Shape::Capsule { radius: 0.1, half_length: 0.2 },
        Shape::Cylinder { radius: 0.15, half_length: 0.1 },
    ];
    for (shape, preset) in
        shapes.into_iter().flat_map(|s| [Preset::SingleStep, Preset::SmallSteps].map(|p| (s.clone(), p)))
    {
        let end = |shape: Shape| {
            let mut world = World::new(preset.settings());
            world.add_body(floor());
            world.add_body(BodyDef {
                rotation: Quat::from_rotation_x(0.4) * Quat::from_rotation_y(0.3),
                velocity: Vec3::new(2.0, 0.5, -3.0),
                angular_velocity: Vec3::new(1.0, 4.0, -2.0),
                ..body(shape, Vec3::new(0.0, 0.0, 0.5))
            });
            let other = Shape::Box { half: Vec3::new(0.3, 0.3, 0.3) };
            world.add_body(body(other, Vec3::new(1.0, 0.2, 0.3)));
            run(&mut world, 3.0);
            world.hash()
        };
        assert_eq!(end(compound([ShapePart::new(shape.clone(), Vec3::ZERO)])), end(shape.clone()), "{shape:?}");
    }
}

/// Two balls as one body, and the same two balls welded: in flight both turn by the same law, and they come to rest at
/// the same height after the same fall.
#[test]
fn a_dumbbell_moves_as_two_welded_balls() {
    let (radius, arm) = (0.1, 0.3);
    let ball = || Shape::Sphere { radius };
    let (start, spin) = (Vec3::new(0.0, 0.0, 2.0), Vec3::new(0.3, 2.0, 1.0));
    let world = || {
        let mut world = World::new(settings(&["solver.method=Direct", "step.rate=240"]));
        world.add_body(floor());
        world
    };
    let mut one = world();
    let dumbbell = compound([-arm, arm].map(|x| ShapePart::new(ball(), Vec3::X * x)));
    let id = one.add_body(BodyDef { mass: 2.0, angular_velocity: spin, ..body(dumbbell, start) }) as usize;
    let mut two = world();
    let ids = [-arm, arm].map(|x| {
        let at = Vec3::X * x;
        two.add_body(BodyDef { angular_velocity: spin, velocity: spin.cross(at), ..body(ball(), start + at) })
    });
    two.add_joint(joint(&two, ids[0], ids[1], start, Vec3::X, JointKind::Fixed(Fixed::default())));
    // Before the floor: a fall of 1.6 m takes 0.57 s.
    for _ in 0..120 {
        one.step();
        two.step();
    }
    let middle = 0.5 * ids.map(|id| two.state.bodies[id as usize].position).into_iter().sum::<Vec3>();
    let place = one.state.bodies[id].position;
    assert!(place.distance(middle) < 1e-3, "{place} and {middle}");
    let between = (two.state.bodies[ids[1] as usize].position - middle).normalize();
    let along = one.state.bodies[id].rotation * Vec3::X;
    assert!(along.distance(between) < 5e-3, "{along} and {between}");
    for world in [&mut one, &mut two] {
        run(world, 6.0);
    }
    let heights = [one.state.bodies[id].position.z, two.state.bodies[ids[0] as usize].position.z];
    assert!(heights.iter().all(|z| (z - radius).abs() < 0.006), "{heights:?}");
}

/// Two compounds that meet in free flight keep their common momentum and angular momentum.
#[test]
fn compounds_that_collide_keep_their_momentum() {
    let tee = || {
        compound([
            part(Vec3::new(0.3, 0.05, 0.05), Vec3::ZERO),
            part(Vec3::new(0.05, 0.05, 0.2), Vec3::new(0.0, 0.0, -0.25)),
        ])
    };
    // In small steps: their free rotation is exact to within the square of a step.
    let mut world = World::new(settings(&["step.gravity=0,0,0", "step.rate=960"]));
    let turn = Quat::from_rotation_x(1.0);
    let a = BodyDef { velocity: Vec3::new(1.5, 0.0, 0.0), mass: 2.0, ..body(tee(), Vec3::new(-0.6, 0.0, 0.0)) };
    let b =
        BodyDef { angular_velocity: Vec3::new(0.0, 1.0, 2.0), rotation: turn, ..body(tee(), Vec3::new(0.2, 0.1, 0.1)) };
    let ids = [a, b].map(|def| world.add_body(def) as usize);
    let sums = |world: &World| {
        let mut sum = (Vec3::ZERO, Vec3::ZERO);
        for id in ids {
            let (body, velocity) = (&world.state.bodies[id], &world.state.velocities[id]);
            let linear = body.mass * Vec3::from(velocity.linear);
            sum.0 += linear;
            sum.1 += body.position.cross(linear) + body.inertia() * Vec3::from(velocity.angular);
        }
        sum
    };
    let (before, mut met) = (sums(&world), false);
    for _ in 0..960 {
        world.step();
        met |= world.contact_points().any(|point| point.impulse > 0.0);
    }
    let after = sums(&world);
    assert!(met, "they meet");
    assert!(after.0.distance(before.0) < 1e-4, "{} and {}", before.0, after.0);
    assert!(after.1.distance(before.1) < 2e-3 * before.1.length(), "{} and {}", before.1, after.1);
}

/// A compound has one pair for each two parts that come near, and none among its own parts, though these overlap.
#[test]
fn parts_of_one_body_never_touch_each_other() {
    let mut world = World::new(settings(&["step.gravity=0,0,0"]));
    let cross = compound([part(Vec3::new(0.5, 0.1, 0.1), Vec3::ZERO), part(Vec3::new(0.1, 0.5, 0.1), Vec3::ZERO)]);
    world.add_body(body(cross, Vec3::ZERO));
    run(&mut world, 0.1);
    assert!(world.state.contacts.pairs.is_empty());
    let ball = body(Shape::Sphere { radius: 0.1 }, Vec3::new(0.0, 0.0, 0.21));
    world.add_body(ball);
    world.step();
    let pieces: Vec<_> = world.state.contacts.pairs.iter().map(|pair| (pair.a, pair.b, pair.pieces)).collect();
    assert_eq!(pieces, [(1, 2, [0, 0]), (1, 2, [1, 0])]);
}

/// At rest each point has last step's impulse: the features of a part pair are its own.
#[test]
fn warm_starting_matches_part_by_part() {
    let mut world = World::new(settings(&["step.substeps=1"]));
    world.add_body(floor());
    world.add_body(BodyDef { mass: 20.0, ..placed(table(), Vec3::ZERO) });
    run(&mut world, 2.0);
    world.step();
    let features = |world: &World| {
        let points = world.state.contacts.manifolds().flat_map(|(.., m)| m.points.iter().map(|p| p.feature));
        points.collect::<Vec<_>>()
    };
    let before = features(&world);
    assert_eq!(before.len(), 16);
    assert!(before.iter().all(|feature| *feature != (0, 0)));
    world.step();
    assert_eq!(features(&world), before);
    let sum: f32 = world.contact_points().map(|p| p.impulse).sum::<f32>() / world.settings.h();
    assert!((sum - 20.0 * G).abs() < 1e-3 * 20.0 * G, "{sum} N");
}

/// A dumbbell's ball rolls: on two balls a dumbbell that moves across its axis goes on at the speed of pure rolling. With
/// its inertia I about the axis, v = v₀ m r²/(m r² + I) = v₀/(1 + 2/5) after it has slipped.
#[test]
fn a_dumbbell_rolls_on_its_balls() {
    let (radius, speed) = (0.1, 1.4);
    let dumbbell = compound([-0.3, 0.3].map(|x| ShapePart::new(Shape::Sphere { radius }, Vec3::X * x)));
    let mut world = World::new(Settings::default());
    world.add_body(floor());
    let velocity = Vec3::new(0.0, speed, 0.0);
    let id = world.add_body(BodyDef { velocity, ..body(dumbbell, Vec3::new(0.0, 0.0, radius)) }) as usize;
    run(&mut world, 3.0);
    let now = world.state.velocities[id];
    assert!((now.linear.y - speed / 1.4).abs() < 0.01, "{} m/s", now.linear.y);
    assert!((now.angular.x + now.linear.y / radius).abs() < 0.2, "it rolls: {}", now.angular.x);
}

/// A fast T does not pass through a thin wall, by either way of continuous collision, whichever part comes first.
#[test]
fn a_fast_compound_does_not_pass_through_a_wall() {
    let tee = || {
        compound([
            part(Vec3::new(0.2, 0.03, 0.03), Vec3::ZERO),
            part(Vec3::new(0.03, 0.03, 0.15), Vec3::new(0.0, 0.0, -0.18)),
        ])
    };
    for continuous in [Continuous::Speculative, Continuous::TimeOfImpact] {
        for turn in 0..12 {
            let mut world = World::new(settings(&["step.gravity=0,0,0"]));
            world.settings.contact.continuous = continuous;
            let wall = Shape::Box { half: Vec3::new(0.01, 3.0, 3.0) };
            world.add_body(BodyDef { motion: Motion::Static, ..body(wall, Vec3::ZERO) });
            let rotation = Quat::from_axis_angle(Vec3::new(0.6, 0.8, 0.0), 0.5 * turn as f32);
            let spin = Vec3::new(3.0, 5.0, -2.0);
            let def = BodyDef {
                velocity: Vec3::new(40.0, 0.0, 0.0),
                rotation,
                angular_velocity: spin,
                ..body(tee(), Vec3::new(-2.0, 0.0, 0.0))
            };
            let id = world.add_body(def) as usize;
            for _ in 0..60 {
                world.step();
                let at = world.state.bodies[id].position;
                assert!(at.x < 0.05, "{continuous:?}, turn {turn}: at {at}");
            }
        }
    }
}

/// Off its middle the same ball is a compound's part: thrown at a wall it is stopped with its surface at the wall.
#[test]
fn a_ball_off_its_body_s_middle_meets_the_wall_with_its_surface() {
    let mut world = World::new(settings(&["step.gravity=0,0,0"]));
    let wall = Shape::Box { half: Vec3::new(0.1, 3.0, 3.0) };
    world.add_body(BodyDef { motion: Motion::Static, ..body(wall, Vec3::new(0.1, 0.0, 0.0)) });
    let pair = compound([
        ShapePart::new(Shape::Sphere { radius: 0.1 }, Vec3::new(-0.4, 0.0, 0.0)),
        ShapePart::new(Shape::Sphere { radius: 0.1 }, Vec3::new(0.4, 0.0, 0.0)),
    ]);
    let def = BodyDef { velocity: Vec3::new(8.0, 0.0, 0.0), ..body(pair, Vec3::new(-1.2, 0.0, 0.0)) };
    let id = world.add_body(def) as usize;
    let mut farthest = f32::MIN;
    for _ in 0..30 {
        world.step();
        farthest = farthest.max(world.state.bodies[id].position.x + 0.5);
    }
    assert!((-0.02..0.01).contains(&farthest), "its surface came to {farthest} m");
}

/// A block that slides over two flush static parts goes as over one: v² = v₀² − 2 μ g s.
#[test]
fn a_block_slides_over_the_seam_between_two_static_parts() {
    let mut world = World::new(settings(&[]));
    let slab = |x: f32| part(Vec3::new(2.0, 1.0, 0.5), Vec3::new(x, 0.0, -0.5));
    world.add_body(BodyDef { motion: Motion::Static, ..placed(compound([slab(-2.0), slab(2.0)]), Vec3::ZERO) });
    let half = Vec3::new(0.2, 0.2, 0.1);
    let def = BodyDef { velocity: Vec3::new(4.0, 0.0, 0.0), ..body(Shape::Box { half }, Vec3::new(-1.0, 0.0, 0.1)) };
    let id = world.add_body(def) as usize;
    world.state.bodies[id].material.friction = 0.3;
    world.state.bodies[1].material.friction = 0.3;
    while world.state.bodies[id].position.x < 0.6 && world.state.time < 2.0 {
        world.step();
    }
    let (now, s) = (world.state.velocities[id].linear, world.state.bodies[id].position.x + 1.0);
    let expected = (16.0 - 2.0 * 0.3 * G * s).sqrt();
    assert!((now.x - expected).abs() < 0.02 * expected, "{now}, expected {expected}");
    assert!(now.z.abs() < 0.05, "it does not jump: {now}");
}

/// A world bar with a T on a hinge swings with the period of its inertia about the pin: T = 2π √(I/(m g d)).
#[test]
fn a_hammer_swings_as_a_physical_pendulum() {
    use delassus_physics::joints::Hinge;
    let handle = ShapePart::new(Shape::Cylinder { radius: 0.02, half_length: 0.3 }, Vec3::new(0.0, 0.0, -0.3));
    let head = part(Vec3::new(0.1, 0.05, 0.05), Vec3::new(0.0, 0.0, -0.65));
    let mut world = World::new(settings(&["step.rate=480"]));
    let def = placed(compound([handle, head]), Vec3::ZERO);
    let (mass, inertia, d) = (def.mass, def.solid.unit_inertia.y_axis.y * def.mass, -def.position.z);
    let start = Quat::from_rotation_y(0.05);
    let hammer = world.add_body(BodyDef { position: start * def.position, rotation: start, ..def });
    world.add_joint(joint(&world, WORLD, hammer, Vec3::ZERO, Vec3::Y, JointKind::Hinge(Hinge::default())));
    let expected = std::f32::consts::TAU * ((inertia + mass * d * d) / (mass * G * d)).sqrt();
    let angle = |world: &World| 2.0 * world.state.bodies[hammer as usize].rotation.y;
    let mut crossings = Vec::new();
    let mut last = angle(&world);
    while crossings.len() < 5 && world.state.time < 12.0 {
        world.step();
        let now = angle(&world);
        if last > 0.0 && now <= 0.0 {
            crossings.push(world.state.time as f32 - world.settings.h() * now / (now - last));
        }
        last = now;
    }
    let period = (crossings[4] - crossings[0]) / 4.0;
    assert!((period - expected).abs() < 2e-3 * expected, "{period} s, expected {expected} s");
}
