//! Trees stepped eight side by side (`physics/articulations`) compared with the same trees stepped by rows: the
//! equations are the same, but sums are formed in another order, so the two agree up to rounding.

use delassus_physics::angle::Angle;
use delassus_physics::body::{BodyDef, Motion};
use delassus_physics::joints::*;
use delassus_physics::mouse_joint::MouseJoint;
use delassus_physics::primitives::swing_twist::SwingLimit;
use delassus_physics::shape::Shape;
use delassus_physics::world::{WORLD, World};
use glam::{Quat, Vec3};

use crate::build::{G, Random, body, cube, joint, settings};

/// The kinds that can be solved side by side; cones and stops are far from their bounds.
fn kinds() -> [JointKind; 5] {
    let wide = (Angle::degrees(-175.0), Angle::degrees(175.0));
    [
        JointKind::BallSocket(BallSocket {}),
        JointKind::Hinge(Hinge::default()),
        JointKind::Fixed(Fixed::default()),
        JointKind::Hinge(Hinge { limit: Some(wide), ..Hinge::default() }),
        JointKind::ConeTwist(ConeTwist { swing: SwingLimit::Cone(Angle::degrees(170.0)), twist: Some(wide) }),
    ]
}

/// The parameters of a set of trees.
#[derive(Clone, Copy)]
struct Trees<'a> {
    count: usize,
    /// Masses differ by up to a factor of 10 to this power.
    spread: f32,
    /// Balls, or boxes whose principal moments are all different.
    round: bool,
    kinds: &'a [JointKind],
}

/// Random trees, some attached to the world, some to a rotated static post, some free; with branches, and with joints
/// in either direction. The joints are slightly open.
fn articulations(seed: u64, trees: Trees<'_>, assignments: &[&str]) -> World {
    let mut world = World::new(settings(assignments));
    let mut random = Random(seed);
    let shape = Shape::Box { half: Vec3::splat(0.1) };
    let post = BodyDef { motion: Motion::Static, collide: false, ..body(shape, Vec3::new(1.0, 2.0, 3.0)) };
    let post = world.add_body(BodyDef { rotation: Quat::from_scaled_axis(Vec3::new(0.3, -1.0, 0.7)), ..post });
    for tree in 0..trees.count {
        let mut bodies = Vec::new();
        for i in 0..1 + random.below(12) {
            let above = (i > 0).then(|| bodies[random.below(bodies.len())]);
            let from = above.map_or(Vec3::ZERO, |body: u32| world.state.bodies[body as usize].position);
            let at = from + random.vector().normalize() * 0.6;
            let half = if trees.round { Vec3::splat(0.1) } else { random.vector().abs() * 0.1 + 0.1 };
            let shape = if trees.round { Shape::Sphere { radius: 0.15 } } else { Shape::Box { half } };
            let mut def = BodyDef { collide: false, ..body(shape, at) };
            def.mass = 10f32.powf(0.5 * trees.spread * random.next());
            def.rotation = Quat::from_scaled_axis(random.vector() * 2.0);
            (def.velocity, def.angular_velocity) = (random.vector(), random.vector() * 2.0);
            let body = world.add_body(def);
            let other = above.unwrap_or([WORLD, post, WORLD][tree % 3]);
            let held = i > 0 || tree % 3 != 2;
            bodies.push(body);
            if !held {
                continue;
            }
            let kind = trees.kinds[random.below(trees.kinds.len())];
            let (anchor, axis) = (from.lerp(at, 0.5), random.vector().normalize());
            let (a, b) = if random.next() > 0.0 { (other, body) } else { (body, other) };
            let mut def = joint(&world, a, b, anchor, axis, kind);
            def.anchor_b += random.vector() * 1e-3;
            world.add_joint(def);
        }
        // A single body is not a tree of joints.
        if bodies.len() == 1 && tree % 3 == 2 {
            let kind = JointKind::BallSocket(BallSocket {});
            world.add_joint(joint(&world, post, bodies[0], Vec3::ZERO, Vec3::X, kind));
        }
    }
    world.pipeline.executor.batch_size = 1;
    world
}

/// The largest differences between two worlds: of their velocities relative to the fastest, of their positions, m, of
/// their orientations, rad, and of their impulses relative to the largest.
fn apart(world: &World, other: &World) -> [f32; 4] {
    let (mut fastest, mut hardest) = (1e-3f32, 1e-3f32);
    let mut most = [0.0f32; 4];
    for (v, w) in world.state.velocities.iter().zip(&other.state.velocities) {
        fastest = fastest.max(w.linear.length()).max(w.angular.length());
        most[0] = most[0].max((v.linear - w.linear).length()).max((v.angular - w.angular).length());
    }
    for (one, two) in world.state.bodies.iter().zip(&other.state.bodies) {
        most[1] = most[1].max((one.position - two.position).length());
        most[2] = most[2].max((one.rotation - two.rotation).length().min((one.rotation + two.rotation).length()));
    }
    for (one, two) in world.state.joints.iter().zip(&other.state.joints) {
        for (one, two) in one.impulses.iter().zip(&two.impulses) {
            hardest = hardest.max(two.abs());
            most[3] = most[3].max((one - two).abs());
        }
    }
    [most[0] / fastest, most[1], most[2], most[3] / hardest]
}

/// Both worlds after this many steps; the first is solved in the articulations.
fn both(mut world: World, steps: u32) -> (World, World) {
    let mut rows = world.clone();
    (rows.settings.solver.lanes, rows.pipeline.executor.keep_rows) = (false, true);
    for _ in 0..steps {
        world.step();
        rows.step();
    }
    assert_eq!(rows.report.trees, 0);
    (world, rows)
}

const METHODS: [&[&str]; 12] = [
    &["stabilization.method=Off"],
    &["stabilization.method=Baumgarte"],
    &["stabilization.method=Split"],
    &["stabilization.method=Split", "formulation.angular_stabilization=false"],
    &["stabilization.method=Split", "step.substeps=3"],
    &["stabilization.method=Split", "step.gyroscopic=Implicit"],
    &["stabilization.method=Split", "step.gyroscopic=Off"],
    &["stabilization.method=Split", "warm_start.enabled=false", "step.substeps=2"],
    &["stabilization.method=Shake"],
    &["stabilization.method=Rattle"],
    &["stabilization.method=Rattle", "formulation.angular_stabilization=false"],
    &["stabilization.method=Rattle", "step.substeps=2", "step.gyroscopic=Off"],
];
const COUNT: usize = 30;

/// How far two orders of summing may differ in 32 bits: masses of 1:1000 amplify rounding errors.
fn tolerances(spread: f32) -> [f32; 4] {
    if spread == 0.0 { [1e-5, 1e-6, 1e-6, 1e-5] } else { [3e-4, 1e-5, 3e-5, 1e-4] }
}

/// `closes` if the step closes its joints: it stops when the remaining error is below 1e-5 m, which in a step of 1/60
/// s is 6e-4 m/s, and both ways leave less than a tenth of that.
fn agree(found: [f32; 4], spread: f32, closes: bool, what: &str) {
    let mut most = tolerances(spread);
    if closes {
        most = [most[0].max(6e-5), most[1].max(1e-6), most[2].max(1e-5), 1e-3];
    }
    let within = found.iter().zip(most).all(|(off, most)| *off < most);
    assert!(within, "{what}: {found:?}, at most {most:?}");
}

#[test]
fn a_step_is_that_by_rows_for_every_kind_mass_and_stabilisation() {
    let kinds = kinds();
    let sets: [&[JointKind]; 7] =
        [&kinds[..1], &kinds[1..2], &kinds[2..3], &kinds[..3], &kinds[3..4], &kinds[4..], &kinds];
    for (set, kinds) in sets.into_iter().enumerate() {
        for method in METHODS {
            let closes = method[0].ends_with("Shake") || method[0].ends_with("Rattle");
            for (spread, round) in [(0.0, true), (0.0, false), (3.0, true), (3.0, false)] {
                // Rows leave some error where there are bounds, whether these are active or not.
                if closes && (set > 3 || spread > 0.0 && method.len() > 2) {
                    // With light bodies under heavy ones a tree takes straight steps where its energy account
                    // requires it, and rows have further rules for that.
                    continue;
                }
                // Rows scale old impulses that add energy before the gyroscopic term sees them; an exact solve does
                // not need that.
                let always = ["solver.rows=Tree", "solver.iterations=3", "warm_start.safeguard=Off"];
                let trees = Trees { count: COUNT, spread, round, kinds };
                let world = articulations(7 + set as u64, trees, &[method, &always[..]].concat());
                let (lanes, rows) = both(world, 1);
                assert_eq!(lanes.report.trees, COUNT, "{set}, {method:?}");
                agree(apart(&lanes, &rows), spread, closes, &format!("{set}, {method:?}, {spread}, {round}"));
                assert_eq!(lanes.report.row_count, rows.report.row_count - bounds(&rows));
            }
        }
    }
}

/// Rows of stops and cones that are inactive.
fn bounds(rows: &World) -> usize {
    let one_sided = rows.system.rows.iter().filter(|row| row.lo == 0.0 || row.hi == 0.0);
    one_sided.inspect(|row| assert_eq!(row.impulse, 0.0)).count()
}

#[test]
fn joints_are_read_as_by_rows() {
    let trees = Trees { count: COUNT, spread: 0.0, round: false, kinds: &kinds() };
    let (lanes, rows) = both(articulations(3, trees, &["solver.rows=Tree", "stabilization.method=Split"]), 1);
    let hardest = rows.state.joints.iter().map(|joint| joint.readout.force.length()).fold(1.0, f32::max);
    for (one, two) in lanes.state.joints.iter().zip(&rows.state.joints) {
        let (one, two) = (&one.readout, &two.readout);
        let pairs = [(one.force, two.force), (one.torque, two.torque), (one.anchor, two.anchor), (one.axis, two.axis)];
        for (found, expected) in pairs {
            assert!((found - expected).length() < 1e-5 * hardest, "{found}, {expected} of {hardest}");
        }
        let numbers = [one.error - two.error, one.angular_error - two.angular_error, one.value - two.value];
        assert!(numbers.iter().all(|off| off.abs() < 1e-6), "{numbers:?}");
        assert!((one.speed - two.speed).abs() < 3e-5, "{} {}", one.speed, two.speed);
        assert!((one.h, one.stops, one.spring, one.motor) == (two.h, two.stops, two.spring, two.motor));
        assert!(one.residual < 1e-5);
    }
    let (found, expected) = (lanes.metrics(), rows.metrics());
    assert!((found.energy() / expected.energy() - 1.0).abs() < 1e-5);
    assert!((found.joint_error_mean - expected.joint_error_mean).abs() < 1e-7);
}

#[test]
fn the_bits_do_not_depend_on_threads_nor_on_what_else_there_is() {
    for method in ["stabilization.method=Split", "stabilization.method=Rattle"] {
        let trees = Trees { count: 100, spread: 1.0, round: false, kinds: &kinds() };
        bits(articulations(5, trees, &["solver.rows=Tree", "step.substeps=2", method]));
    }
}

fn bits(world: World) {
    let hashes = |threads: u32, readouts: bool| {
        let mut world = world.clone();
        (world.settings.solver.threads, world.pipeline.executor.readouts) = (threads, readouts);
        let hashes: Vec<u64> = (0..40).map(|_| (world.step(), world.hash()).1).collect();
        assert!(world.report.trees > 0);
        hashes
    };
    let one = hashes(1, true);
    for (threads, readouts) in [(1, false), (2, true), (4, false), (16, true)] {
        assert_eq!(hashes(threads, readouts), one, "{threads} threads");
    }
    // The same holds for the state that stays in the articulations between steps, also in a copy.
    let mut resident = world.clone();
    resident.pipeline.executor.resident = true;
    for (step, hash) in one.iter().enumerate() {
        resident.step();
        assert_eq!(resident.hash(), *hash, "step {step}");
        if step % 7 == 3 {
            resident.sync();
            assert_eq!(resident.hash(), *hash, "settled after step {step}");
        } else if step % 7 == 5 {
            resident = resident.clone();
        }
    }
    // A mechanism with a motor beside them is stepped by rows and does not affect them.
    let mut other = world.clone();
    let wheel = other.add_body(BodyDef { collide: false, ..cube(0.2, Vec3::Z * 50.0) });
    let motor = Some(AngularDrive { speed: 3.0, max_torque: 10.0 });
    let kind = JointKind::Hinge(Hinge { motor, ..Hinge::default() });
    let def = joint(&other, WORLD, wheel, Vec3::Z * 50.0, Vec3::Y, kind);
    other.add_joint(def);
    let mut alone = world.clone();
    for _ in 0..40 {
        other.step();
        alone.step();
    }
    let moved = other.state.velocities[wheel as usize].angular.length();
    assert!((moved - 3.0).abs() < 1e-3, "{moved}");
    for (one, two) in alone.state.bodies.iter().zip(&other.state.bodies) {
        assert_eq!((one.position, one.rotation), (two.position, two.rotation));
    }
}

/// Pendulums of two bars side by side, all alike, released level.
fn pendulums(kind: JointKind, count: usize, assignments: &[&str]) -> World {
    let mut world = World::new(settings(assignments));
    for k in 0..count {
        let mut above = WORLD;
        for i in 0..2 {
            let at = Vec3::new(0.5 + i as f32, k as f32, 0.0);
            let bar = body(Shape::Box { half: Vec3::new(0.5, 0.05, 0.05) }, at);
            let bar = world.add_body(BodyDef { collide: false, ..bar });
            world.add_joint(joint(&world, above, bar, at - Vec3::X * 0.5, Vec3::Y, kind));
            above = bar;
        }
    }
    world.pipeline.executor.batch_size = 1;
    world
}

#[test]
fn what_meets_a_stop_is_stepped_by_rows_meanwhile() {
    let limit = Some((Angle::degrees(-10.0), Angle::degrees(50.0)));
    let kind = JointKind::Hinge(Hinge { limit, ..Hinge::default() });
    let (mut world, mut rows) = {
        let world = pendulums(kind, 12, &["solver.rows=Tree", "solver.iterations=40"]);
        let mut rows = world.clone();
        rows.settings.solver.lanes = false;
        (world, rows)
    };
    let (mut free, mut held) = (0, 0);
    for _ in 0..60 {
        world.step();
        rows.step();
        free += usize::from(world.report.trees == 12);
        held += usize::from(world.report.trees == 0);
        assert!(world.state.joints.iter().all(|joint| joint.readout.value < 50.5f32.to_radians()));
    }
    assert!(free > 10 && held > 10, "{free} steps without a stop, {held} at one");
    assert_eq!((world.report.stopped, world.report.fault), (0, None));
    let off = apart(&world, &rows);
    assert!(off[1] < 1e-3, "{off:?}");
}

#[test]
fn what_stays_in_articulations_is_read_and_measured_as_what_does_not() {
    let limit = Some((Angle::degrees(-10.0), Angle::degrees(50.0)));
    let kind = JointKind::Hinge(Hinge { limit, ..Hinge::default() });
    let mut world = pendulums(kind, 9, &["solver.rows=Tree"]);
    // One swings up and does not reach its stop when the others do.
    world.state.velocities[1].angular = (Vec3::Y * -1.0).into();
    let mut resident = world.clone();
    resident.pipeline.executor.resident = true;
    for _ in 0..90 {
        world.step();
        resident.step();
        assert_eq!((resident.hash(), resident.report.trees), (world.hash(), world.report.trees));
        let (found, expected) = (resident.metrics(), world.metrics());
        assert_eq!(found.residual, expected.residual);
        // Summed up by lanes there, with an inertia in world axes of 32 bits.
        let off = (found.kinetic_energy - expected.kinetic_energy).abs();
        assert!(off <= 1e-6 * expected.kinetic_energy, "{off} J of {}", expected.kinetic_energy);
        assert!((found.joint_error_mean - expected.joint_error_mean).abs() < 1e-6);
        assert!((found.joint_error_max - expected.joint_error_max).abs() < 3e-6);
        assert!((found.angular_error_max - expected.angular_error_max).abs() < 3e-6);
    }
    resident.sync();
    for (one, two) in resident.state.joints.iter().zip(&world.state.joints) {
        assert_eq!((one.impulses, one.readout), (two.impulses, two.readout));
    }
}

#[test]
fn rattle_keeps_the_energy_of_pendulums_and_the_momentum_of_what_is_free() {
    let rattle = ["solver.rows=Tree", "solver.iterations=1", "stabilization.method=Rattle"];
    let mut world = pendulums(JointKind::BallSocket(BallSocket {}), 12, &rattle);
    world.pipeline.executor.readouts = false;
    let beginning = world.metrics().energy();
    // Two bars of 1 kg that fall from level by half a metre and by one and a half metres.
    let swing = 12.0 * f64::from(G) * 2.0;
    for step in 0..600 {
        world.step();
        assert_eq!(world.report.trees, 12);
        let off = (world.metrics().energy() - beginning) / swing;
        assert!(off.abs() < 0.025, "step {step}: {off}");
    }

    let mut world = World::new(settings(&[&rattle[..], &["step.gravity=0,0,0"]].concat()));
    world.pipeline.executor.batch_size = 1;
    for k in 0..12 {
        let at = |x: f32| Vec3::new(x, 3.0 * k as f32, 0.0);
        let ends = [-0.5, 0.5].map(|x| {
            let mut ball = BodyDef { collide: false, ..body(Shape::Sphere { radius: 0.1 }, at(x)) };
            ball.velocity = Vec3::Z * (x * 6.0);
            ball.angular_velocity = Vec3::NEG_Y * 6.0;
            world.add_body(ball)
        });
        world.add_joint(joint(&world, ends[0], ends[1], at(0.0), Vec3::Y, JointKind::Fixed(Fixed::default())));
    }
    let (spin, energy) = (world.metrics().angular_momentum, world.metrics().energy());
    for _ in 0..600 {
        world.step();
    }
    assert_eq!(world.report.trees, 12);
    let metrics = world.metrics();
    assert!((metrics.angular_momentum - spin).length() < 1e-4 * spin.length(), "{}", metrics.angular_momentum);
    assert!((metrics.energy() / energy - 1.0).abs() < 0.01, "{}, {energy}", metrics.energy());
}

#[test]
fn what_is_pulled_is_stepped_by_rows() {
    let kind = JointKind::BallSocket(BallSocket {});
    let mut world = pendulums(kind, 12, &["solver.rows=Tree"]);
    world.step();
    assert_eq!(world.report.trees, 12);
    let target = Vec3::new(1.0, 3.0, 1.0);
    world.state.mouse_joint = Some(MouseJoint { body: 8, point: Vec3::ZERO, target });
    for _ in 0..60 {
        world.step();
        assert_eq!(world.report.trees, 11);
    }
    assert!((world.state.bodies[8].position - target).length() < 0.2, "{}", world.state.bodies[8].position);
    world.state.mouse_joint = None;
    world.step();
    assert_eq!(world.report.trees, 12);
    // Those that were not pulled all hang alike.
    let pose = |k: u32| world.state.bodies[1 + 2 * k as usize].position * Vec3::new(1.0, 0.0, 1.0);
    assert!((0..12).filter(|k| *k != 3).all(|k| pose(k) == pose(0)));
}

#[test]
fn what_runs_away_is_stopped_as_by_rows() {
    let kind = JointKind::BallSocket(BallSocket {});
    let mut world = pendulums(kind, 12, &["solver.rows=Tree"]);
    world.state.velocities[3].linear = Vec3::splat(f32::NAN).into();
    world.step();
    assert_eq!(world.report.trees, 11);
    assert!(world.report.stopped > 0 && world.report.fault.is_some_and(|fault| fault.body == 3));
    assert!(world.state.velocities.iter().all(|velocity| velocity.is_finite()));
}
