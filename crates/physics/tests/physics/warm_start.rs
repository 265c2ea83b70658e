//! Warm starting, rule by rule: without any sweeps the impulses of a step are those that it started from.

use delassus_physics::angle::Angle;
use delassus_physics::body::{BodyDef, Material};
use delassus_physics::joints::{AngularDrive, BallSocket, Fixed, Hinge, JointKind};
use delassus_physics::row::RowId;
use delassus_physics::shape::Shape;
use delassus_physics::world::{WORLD, World};
use glam::{Quat, Vec3};

use crate::build::{G, body, close, cube, floor, joint, run, settings};

const H: f32 = 1.0 / 60.0;

/// A cube of 1 kg that has come to rest on the floor.
fn resting(assignments: &[&str]) -> World {
    let mut world = World::new(settings(&["solver.iterations=50"]));
    world.add_body(floor());
    world.add_body(cube(0.5, Vec3::new(0.0, 0.0, 0.495)));
    run(&mut world, 2.0);
    for assignment in assignments {
        world.settings.assign(assignment).unwrap();
    }
    world
}

/// The impulses from which the next step starts: the sum of the normals, and that of the tangents.
fn start(world: &mut World) -> (f32, f32) {
    world.settings.solver.iterations = 0;
    world.step();
    let normals = world.contact_points().count();
    let all: Vec<f32> = (world.system.ids.iter().zip(&world.system.rows))
        .filter(|(id, _)| matches!(id, RowId::Contact { .. }))
        .map(|(_, row)| row.impulse)
        .collect();
    let (normal, rest) = all.split_at(normals.min(all.len()));
    (normal.iter().sum(), rest.iter().take(2).map(|v| v * v).sum::<f32>().sqrt())
}

/// The load m g h is carried over, times the factor, and nothing if warm starting is off.
#[test]
fn contacts_start_from_their_load() {
    let load = G * H;
    for (assignment, share) in
        [("warm_start.factor=1", 1.0), ("warm_start.factor=0.8", 0.8), ("warm_start.enabled=false", 0.0)]
    {
        close(assignment, start(&mut resting(&[assignment])).0, share * load, 1e-3 * load);
    }
}

/// A cube pushed along the floor: its corners are the same features, but further from their old places than the
/// tolerance.
#[test]
fn points_are_matched_by_feature_then_by_distance_then_by_what_is_left() {
    let load = G * H;
    for (shove, assignments, share) in [
        (0.2, &["warm_start.distance=false", "warm_start.spread=false"][..], 1.0),
        (0.2, &["warm_start.feature_ids=false", "warm_start.spread=false"], 0.0),
        (0.2, &["warm_start.feature_ids=false", "warm_start.spread=true"], 1.0),
        (0.02, &["warm_start.feature_ids=false", "warm_start.spread=false"], 1.0),
        (0.02, &["warm_start.feature_ids=false", "warm_start.distance=false", "warm_start.spread=false"], 0.0),
        (0.2, &["warm_start.feature_ids=false", "warm_start.spread=false", "warm_start.tolerance=0.3"], 1.0),
    ] {
        let mut world = resting(assignments);
        world.state.bodies[2].position.x += shove;
        close(&format!("{shove} m, {assignments:?}"), start(&mut world).0, share * load, 1e-3 * load);
    }
}

/// The shallow clamp scales by depth/(2 slop).
#[test]
fn shallow_contacts_start_from_less() {
    let mut world = resting(&["warm_start.shallow_clamp=true", "contact.slop=0.02"]);
    let depth = 0.5 - world.state.bodies[2].position.z;
    assert!(depth > 0.001 && depth < 0.04, "depth {depth}");
    let share = depth / (2.0 * 0.02);
    close("start", start(&mut world).0, share * G * H, 0.02 * share * G * H);
}

/// A flipped normal, a body that was moved elsewhere and a new pair start from zero; after an ordinary step they do
/// not.
#[test]
fn flipped_normals_teleports_and_new_pairs_start_from_nothing() {
    let mut world = resting(&[]);
    let manifold = &mut world.state.contacts.pairs[0].near.manifold;
    manifold.normal = -manifold.normal;
    assert_eq!(start(&mut world), (0.0, 0.0), "flipped");

    let mut world = resting(&[]);
    let at = world.state.bodies[2].position;
    // The same point on the same floor, with the same corners: the features alone would match.
    world.place(2, at + Vec3::new(3.0, 0.0, 0.0), Quat::IDENTITY);
    assert_eq!(start(&mut world), (0.0, 0.0), "put elsewhere");

    let mut world = resting(&[]);
    world.state.bodies[2].position.z += 50.0;
    world.step();
    assert!(world.contact_points().count() == 0);
    world.state.bodies[2].position = at;
    world.state.velocities[2] = Default::default();
    assert_eq!(start(&mut world), (0.0, 0.0), "met anew");

    // The impulses of a joint depend on the place, too.
    let mut world = World::new(settings(&[]));
    let load = world.add_body(BodyDef { collide: false, ..cube(0.2, Vec3::ZERO) });
    world.add_joint(joint(&world, WORLD, load, Vec3::ZERO, Vec3::Z, JointKind::BallSocket(BallSocket {})));
    run(&mut world, 0.5);
    assert!(world.state.joints[0].impulses[..3].iter().any(|v| v.abs() > 0.9 * G * H));
    world.place(load, Vec3::new(0.0, 0.0, -0.1), Quat::IDENTITY);
    assert_eq!(world.state.joints[0].impulses, [0.0; 12]);
}

/// Friction is carried over with the manifold, or not.
#[test]
fn friction_is_carried_by_its_switch() {
    let tilted = |assignments: &[&str]| {
        let mut world = resting(&[]);
        // Gravity is inclined by 20°: a friction of m g h sin 20° holds the cube.
        let (sin, cos) = 20f32.to_radians().sin_cos();
        world.settings.step.gravity = G * Vec3::new(sin, 0.0, -cos);
        run(&mut world, 1.0);
        for assignment in assignments {
            world.settings.assign(assignment).unwrap();
        }
        start(&mut world).1
    };
    let held = G * H * 20f32.to_radians().sin();
    close("carried", tilted(&[]), held, 0.01 * held);
    assert_eq!(tilted(&["warm_start.patch=false"]), 0.0);
}

/// The impulse of a rolling ball about the rolling axis is carried over with the cosine to the new rolling axis, not
/// at all beyond 60°, and in full where the rule is off.
#[test]
fn rolling_is_carried_by_the_agreement_of_axes() {
    let rolling = |turn: f32, assignments: &[&str]| {
        let mut world = World::new(settings(assignments));
        let material = Material { rolling: 0.01, ..Material::default() };
        world.add_body(BodyDef { material, ..floor() });
        let ball = body(Shape::Sphere { radius: 0.5 }, Vec3::new(0.0, 0.0, 0.5));
        let (velocity, angular_velocity) = (Vec3::X * 2.0, Vec3::Y * 4.0);
        let ball = world.add_body(BodyDef { material, velocity, angular_velocity, ..ball });
        run(&mut world, 1.0);
        let pair = &world.state.contacts.pairs[0];
        let old = pair.near.manifold.rolling.length();
        let spin = world.state.velocities[ball as usize].angular;
        world.state.velocities[ball as usize].angular =
            (Quat::from_rotation_z(turn.to_radians()) * Vec3::from(spin)).into();
        world.settings.solver.iterations = 0;
        world.step();
        (old, world.state.contacts.pairs[0].near.manifold.rolling.length())
    };
    for (turn, share) in [(0.0, 1.0), (30.0, 30f32.to_radians().cos()), (70.0, 0.0), (180.0, 0.0)] {
        let (old, new) = rolling(turn, &[]);
        assert!((old - 0.01 * G * H).abs() < 0.05 * 0.01 * G * H, "μ_r m g h: {old}");
        close(&format!("turned {turn}°"), new, share * old, 0.01 * old);
        let (old, new) = rolling(turn, &["warm_start.rolling=false"]);
        close(&format!("turned {turn}°, no rule"), new, old, 0.01 * old);
    }
}

/// A motor of 1 N·m pushes against the upper stop, which carries −1 N·m h. Moved to the lower stop, the row there
/// starts from zero, and the impulse of the upper one is gone.
#[test]
fn rows_that_were_not_there_start_from_nothing() {
    let mut world = World::new(settings(&[]));
    world.settings.step.gravity = Vec3::ZERO;
    let arm = world.add_body(BodyDef { collide: false, ..cube(0.2, Vec3::ZERO) });
    let motor = Some(AngularDrive { speed: 3.0, max_torque: 1.0 });
    let kind =
        JointKind::Hinge(Hinge { limit: Some((Angle::radians(-0.5), Angle::radians(0.5))), motor, ..Hinge::default() });
    world.add_joint(joint(&world, WORLD, arm, Vec3::ZERO, Vec3::Z, kind));
    run(&mut world, 1.0);
    let (motor, lower, upper) = (5, 6, 7);
    close("upper stop", world.state.joints[0].impulses[upper], -H, 1e-3 * H);
    world.state.bodies[arm as usize].rotation = Quat::from_rotation_z(-0.4);
    world.settings.solver.iterations = 0;
    world.step();
    let carried = world.state.joints[0].impulses;
    assert_eq!((carried[lower], carried[upper]), (0.0, 0.0));
    close("motor", carried[motor], H, 1e-3 * H);
}

/// 004's guard: an impulse that is not a number is dropped and the chain continues; without the guard it stays and
/// its bodies freeze. The cap limits what is carried over, not what the sweeps find, and its uses are counted.
#[test]
fn guard_drops_nan_and_caps_impulses() {
    let hung = |assignments: &[&str]| {
        let mut world = World::new(settings(assignments));
        let load = world.add_body(BodyDef { collide: false, ..cube(0.2, Vec3::X) });
        world.add_joint(joint(&world, WORLD, load, Vec3::ZERO, Vec3::Y, JointKind::BallSocket(BallSocket {})));
        world
    };
    let mut world = hung(&[]);
    world.state.joints[0].impulses[0] = f32::NAN;
    run(&mut world, 1.0);
    assert_eq!((world.report.guarded > 0, world.state.joints[0].impulses.iter().all(|v| v.is_finite())), (true, true));
    assert!(
        world.state.bodies[1].position.distance(Vec3::X) > 0.5,
        "the load swings on: {}",
        world.state.bodies[1].position
    );

    let mut world = hung(&["warm_start.reset=false"]);
    world.state.joints[0].impulses[0] = f32::NAN;
    run(&mut world, 1.0);
    assert!(world.state.joints[0].impulses[0].is_nan() && world.state.bodies[1].position == Vec3::X, "held for ever");
    assert!(world.state.bodies[1].rotation.is_finite());

    let mut world = hung(&["warm_start.impulse_cap=0.05"]);
    world.place(1, Vec3::ZERO, Quat::IDENTITY);
    world.state.joints[0].def.anchor_b = Vec3::ZERO;
    run(&mut world, 1.0);
    let most = world.state.joints[0].impulses.iter().fold(0.0f32, |m, v| m.max(v.abs()));
    assert_eq!((most, world.metrics().guarded), (0.05, world.state.step_count as usize));
    close("the joint still carries", world.state.joints[0].readout.force.z, G, 1e-3 * G);
}

/// Erratum 18: the book's limited joints begin each step without the impulses that their angular rows had found. A
/// weld that bears 2 kg half a metre out carries over m g h and m g l h; as printed only the force.
#[test]
fn angular_impulses_are_forgotten_as_printed() {
    let (mass, arm) = (2.0, 0.5);
    for (form, kept) in [("AppliedFirst", 1.0), ("AnchorsOnly", 0.0)] {
        let mut world = World::new(settings(&["solver.iterations=200", &format!("formulation.carry={form}")]));
        let beam = world.add_body(BodyDef { mass, collide: false, ..cube(0.2, Vec3::X * arm) });
        world.add_joint(joint(&world, WORLD, beam, Vec3::ZERO, Vec3::Z, JointKind::Fixed(Fixed::default())));
        run(&mut world, 1.0);
        let carried = |slots: std::ops::Range<usize>| {
            Vec3::from_slice(&world.state.joints[0].impulses[slots]).length() / (mass * G * H)
        };
        close("force", carried(0..3), 1.0, 1e-3);
        close("torque", carried(3..6), kept * arm, 1e-3);
    }
}
