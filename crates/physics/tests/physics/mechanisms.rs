//! Mechanisms solved as one block (`solver.rows=Mechanism`, the default): they agree with the direct solver, and what
//! people build first holds its pose at the default settings.

use delassus_physics::angle::Angle;
use delassus_physics::body::BodyDef;
use delassus_physics::joints::*;
use delassus_physics::primitives::swing_twist::SwingLimit;
use delassus_physics::row::Softness;
use delassus_physics::settings::Settings;
use delassus_physics::shape::Shape;
use delassus_physics::softness::SoftRows;
use delassus_physics::world::{WORLD, World};
use glam::{Quat, Vec3};

use crate::build::{G, Random, apart, body, close, cube, joint, run, settings};

/// A joint of this kind with all that it can have: stops, springs, a drive of its own.
fn furnished(mut kind: JointKind, random: &mut Random) -> JointKind {
    let drives = random.next() > 0.0;
    for Parameter { role, .. } in kind.parameters() {
        match role {
            Role::AngleLimit(limit) => *limit = Some((Angle::degrees(-20.0), Angle::degrees(0.0))),
            Role::SlideLimit(limit) => *limit = Some((-0.3, 0.0)),
            Role::Swing(given) => match given {
                Given::Maybe(limit) => *limit = Some(SwingLimit::Cone(Angle::degrees(1.0))),
                Given::Always(limit) => *limit = SwingLimit::Cone(Angle::degrees(1.0)),
            },
            Role::AngularMotor(given) => {
                let own = AngularDrive { speed: random.next(), max_torque: random.power(-2.0, 2.0) };
                match given {
                    Given::Maybe(drive) => *drive = drives.then_some(own),
                    Given::Always(drive) => *drive = own,
                }
            }
            Role::LinearMotor(given) => {
                let own = LinearDrive { speed: random.next(), max_force: random.power(-2.0, 2.0) };
                match given {
                    Given::Maybe(drive) => *drive = drives.then_some(own),
                    Given::Always(drive) => *drive = own,
                }
            }
            Role::AngularSpring(spring) if !drives => {
                *spring = Some(AngularSpring { softness: Softness::of(3.0, 0.2), angle: Angle::radians(0.0) });
            }
            Role::LinearSpring(spring) if !drives => {
                *spring = Some(LinearSpring { softness: Softness::of(3.0, 0.2), slide: 0.0 });
            }
            Role::SlideAxis(axis) => *axis = slide_axis(random),
            Role::TurnAxis(axis) => *axis = turn_axis(random),
            Role::Axes(vector) => *vector = RotationVector::of(random.vector()),
            _ => {}
        }
    }
    kind
}

/// Locked, or free with a limit at which it stands or with a servo.
fn slide_axis(random: &mut Random) -> SlideAxis {
    let max_force = random.power(-2.0, 2.0);
    match random.below(4) {
        0 => SlideAxis::Locked,
        1 => SlideAxis::FREE,
        2 => SlideAxis::Free { limit: Some((-0.3, 0.0)), servo: None },
        _ => SlideAxis::Free { limit: None, servo: Some(LinearServo { max_force, ..LinearServo::default() }) },
    }
}

fn turn_axis(random: &mut Random) -> TurnAxis {
    let max_torque = random.power(-2.0, 2.0);
    match random.below(4) {
        0 => TurnAxis::Locked,
        1 => TurnAxis::FREE,
        2 => TurnAxis::Free { limit: Some((Angle::degrees(-20.0), Angle::degrees(0.0))), servo: None },
        _ => TurnAxis::Free { limit: None, servo: Some(AngularServo { max_torque, ..AngularServo::default() }) },
    }
}

/// Bodies that hang together by random joints of these kinds, `extra` of which close loops, with masses that differ by up
/// to a factor of 10 to the `spread`.
fn random_mechanism(kinds: &[JointKind], seed: u64, spread: f32, extra: usize, assignments: &[&str]) -> World {
    let mut world = World::new(settings(assignments));
    let mut random = Random(seed + 1);
    let mut bodies = vec![WORLD];
    for _ in 0..8 {
        let half = random.vector().abs() * 0.4 + 0.1;
        let at = random.vector() * 2.0;
        let mass = random.power(-0.5 * spread, 0.5 * spread);
        let rotation = Quat::from_scaled_axis(random.vector() * 2.0);
        let def = BodyDef { mass, rotation, collide: false, ..body(Shape::Box { half }, at) };
        let (velocity, angular_velocity) = (random.vector(), random.vector() * 2.0);
        bodies.push(world.add_body(BodyDef { velocity, angular_velocity, ..def }));
    }
    for k in 0..8 + extra {
        let (a, b) = if k < 8 {
            (bodies[random.below(k + 1)], bodies[k + 1])
        } else {
            let a = random.below(9);
            (bodies[a], bodies[(a + 1 + random.below(8)) % 9])
        };
        let kind = furnished(kinds[random.below(kinds.len())], &mut random);
        let anchor = 0.5 * (world.state.bodies[a as usize].position + world.state.bodies[b as usize].position);
        let mut def = joint(&world, a, b, anchor, random.vector().normalize(), kind);
        if !kind.info().coincident {
            // Rods and rings need their ends apart.
            def.anchor_b += random.vector() * 0.3;
        }
        if random.next() > 0.6 {
            let soft = Some(Softness::of(5.0, 0.5));
            def.options.soft = Some(SoftRows { anchor: soft, axis: soft, limit: soft });
        }
        world.add_joint(def);
    }
    world
}

/// All kinds with drives, stops, springs and soft rows, in trees and in loops, some of them redundant; masses 1:1000. The
/// formula, which is a rod here, is among the thousand mechanisms below.
#[test]
fn one_sweep_over_a_mechanism_is_the_direct_solution() {
    let kinds: Vec<_> = JointKind::all().into_iter().filter(|kind| !matches!(kind, JointKind::Formula(_))).collect();
    let less_near = less_near(&kinds, 0..120, [0, 1, 3]);
    assert!(less_near.is_empty(), "more than {NEAR:e} from the direct solution: {less_near:#?}");
}

/// The same of joints with six axes, each locked, free, at a limit or led by a servo with a cap, and other joints,
/// in trees.
#[test]
fn one_sweep_over_joints_of_six_axes_is_the_direct_solution() {
    let less_near = less_near(&six_axes(), 0..120, [0, 0, 0]);
    assert!(less_near.is_empty(), "more than {NEAR:e} from the direct solution: {less_near:#?}");
}

/// Joints with six axes, and as many others.
fn six_axes() -> [JointKind; 6] {
    let six = JointKind::SixDof(SixDof::default());
    [
        six,
        JointKind::BallSocket(BallSocket {}),
        six,
        JointKind::Hinge(Hinge::default()),
        six,
        JointKind::Prismatic(Prismatic::default()),
    ]
}

/// Among many there are some that are nearly singular, in which two solutions that both leave nothing in 32 bits are
/// apart by more: at most one in 150, of loops with six axes one in 60, and by no more than 1 mm/s or 1 mrad/s.
#[test]
fn one_sweep_is_the_direct_solution_of_a_thousand_mechanisms() {
    for (kinds, one_in) in [(&JointKind::all()[..], 150), (&six_axes()[..], 60)] {
        let seeds = 120..1320u64;
        let solutions = 2 * seeds.clone().count();
        let less_near = less_near(kinds, seeds, [0, 1, 3]);
        assert!(less_near.len() <= solutions / one_in, "{less_near:#?}");
        assert!(less_near.iter().all(|(_, apart)| *apart < 1e-3), "{less_near:#?}");
    }
}

/// The largest difference of velocities, m/s or rad/s, of solutions that count as the same.
const NEAR: f32 = 1e-5;

/// Which mechanisms of these kinds, with these seeds and so many loops, are more than [`NEAR`] from the direct solution after
/// one sweep, and by how much.
fn less_near(kinds: &[JointKind], seeds: std::ops::Range<u64>, loops: [usize; 3]) -> Vec<(String, f32)> {
    let common = ["warm_start.enabled=false", "step.gyroscopic=Off", "stabilization.method=Off"];
    let (count, mut compared, mut less_near) = (seeds.clone().count(), 0, Vec::new());
    for seed in seeds {
        let (spread, extra) = ([0.5, 3.0][seed as usize % 2], loops[seed as usize % 3]);
        let with = |more: &[&'static str]| random_mechanism(kinds, seed, spread, extra, &[&common[..], more].concat());
        let mut exact = with(&["solver.method=Direct"]);
        exact.step();
        if exact.report.residual > 1e-6 {
            // Rows that contradict each other have no solution.
            continue;
        }
        compared += 1;
        for method in ["solver.method=GaussSeidel", "solver.method=Jacobi"] {
            let jacobi = "solver.jacobi=Manual";
            let mut world = with(&["solver.rows=Mechanism", "solver.iterations=1", method, jacobi]);
            world.settings.solver.relaxation = 1.0;
            world.step();
            let apart = apart(&world, &exact);
            if apart > NEAR {
                less_near.push((format!("seed {seed}, spread {spread}, {extra} more joints, {method}"), apart));
            }
        }
    }
    assert!(6 * compared > 5 * count, "{compared} of {count} mechanisms have a solution");
    less_near
}

/// A plane four-bar of hinges, whose out-of-plane rows repeat each other: of all loads that hold it the smallest are
/// read, those of the direct solver.
#[test]
fn redundant_loops_have_the_loads_of_the_direct_solver() {
    let four_bar = |method: &str| {
        let mut world = World::new(settings(&[method, "step.rate=240"]));
        let corners = [Vec3::ZERO, Vec3::Z, Vec3::new(2.0, 0.0, 1.0), Vec3::new(2.0, 0.0, 0.0)];
        let mut ends = vec![WORLD];
        for pair in corners.windows(2) {
            let half = Vec3::new(0.5 * (pair[1] - pair[0]).length(), 0.03, 0.03);
            let rotation = Quat::from_rotation_arc(Vec3::X, (pair[1] - pair[0]).normalize());
            let at = 0.5 * (pair[0] + pair[1]);
            ends.push(world.add_body(BodyDef { rotation, collide: false, ..body(Shape::Box { half }, at) }));
        }
        ends.push(WORLD);
        for (k, (pair, corner)) in ends.windows(2).zip(corners).enumerate() {
            let motor = (k == 0).then_some(AngularDrive { speed: 0.0, max_torque: 100.0 });
            let kind = JointKind::Hinge(Hinge { motor, ..Hinge::default() });
            world.add_joint(joint(&world, pair[0], pair[1], corner, Vec3::Y, kind));
        }
        run(&mut world, 0.5);
        world
    };
    let (mechanism, exact) = (four_bar("solver.rows=Mechanism"), four_bar("solver.method=Direct"));
    for (own, exact) in mechanism.state.joints.iter().zip(&exact.state.joints) {
        let (own, exact) = (&own.readout, &exact.readout);
        assert!((own.force - exact.force).length() < 1e-3 * 3.0 * G, "{} and {} N", own.force, exact.force);
        assert!((own.torque - exact.torque).length() < 1e-3 * 3.0 * G, "{} and {} N m", own.torque, exact.torque);
        assert!(own.error < 1e-6, "{} m open", own.error);
    }
    // By symmetry the two posts bear half of all weight each.
    close("left post", mechanism.state.joints[0].readout.force.z, 1.5 * G, 1e-3);
}

/// A world with the default settings.
fn world() -> World {
    let mut settings = Settings::default();
    settings.step.gravity = Vec3::NEG_Z * G;
    World::new(settings)
}

/// An arm of six hinges that stands out level, held by motors or by limits: each bears the moment of what is beyond it,
/// and nothing moves.
#[test]
fn an_arm_of_motors_or_locks_holds_its_pose() {
    let motor = Some(AngularDrive { speed: 0.0, max_torque: 400.0 });
    let lock = Some((Angle::radians(0.0), Angle::radians(0.0)));
    holds(Hinge { motor, ..Hinge::default() });
    holds(Hinge { limit: lock, ..Hinge::default() });
}

fn holds(hinge: Hinge) {
    let mut world = world();
    let (length, count) = (0.4f32, 6);
    let mut above = WORLD;
    for link in 0..count {
        let start = Vec3::X * (length * link as f32);
        let half = Vec3::new(0.5 * length, 0.05, 0.05);
        let own = world.add_body(BodyDef {
            mass: 2.0,
            collide: false,
            ..body(Shape::Box { half }, start + Vec3::X * (0.5 * length))
        });
        let axis = if link % 2 == 0 { Vec3::Y } else { Vec3::new(0.0, 0.6, 0.8) };
        world.add_joint(joint(&world, above, own, start, axis, JointKind::Hinge(hinge)));
        above = own;
    }
    let before: Vec<_> = world.state.bodies.iter().map(|body| body.position).collect();
    run(&mut world, 10.0);
    let moved = world.state.bodies.iter().zip(before).map(|(body, at)| body.position.distance(at)).fold(0.0, f32::max);
    assert!(moved < 1e-4, "the arm has moved by {moved} m");
    for (link, joint) in world.state.joints.iter().enumerate() {
        // Weight of the links beyond times the lever to their common centre.
        let beyond = (count - link) as f32;
        let moment = 2.0 * G * beyond * (0.5 * length * beyond);
        close("moment", joint.readout.torque.y.abs(), moment, 1e-3 * moment);
        assert!(!joint.readout.force.is_nan() && joint.readout.error < 1e-6);
    }
}

/// A drive that runs into a stop gives its whole torque, and the stop bears it.
#[test]
fn a_motor_on_a_stop_is_still() {
    let mut world = world();
    world.settings.step.gravity = Vec3::ZERO;
    let wheel = world.add_body(BodyDef { collide: false, ..cube(0.1, Vec3::ZERO) });
    let kind = JointKind::Hinge(Hinge {
        limit: Some((Angle::degrees(0.0), Angle::degrees(60.0))),
        motor: Some(AngularDrive { speed: 20.0, max_torque: 5.0 }),
        ..Hinge::default()
    });
    world.add_joint(joint(&world, WORLD, wheel, Vec3::ZERO, Vec3::Z, kind));
    run(&mut world, 1.0);
    for _ in 0..60 {
        world.step();
        let readout = &world.state.joints[0].readout;
        close("angle", readout.value, 60f32.to_radians(), 1e-4);
        close("speed", readout.speed, 0.0, 1e-4);
    }
}

/// A brake slips against a stronger motor: the shaft keeps the motor's speed, and the brake gives its cap.
#[test]
fn a_brake_slips_against_a_stronger_motor() {
    let mut world = world();
    let wheel = world.add_body(BodyDef { collide: false, ..cube(0.1, Vec3::ZERO) });
    for (speed, max_torque) in [(3.0, 8.0), (0.0, 5.0)] {
        let kind = JointKind::AngularMotor(AngularMotor { motor: AngularDrive { speed, max_torque } });
        world.add_joint(joint(&world, WORLD, wheel, Vec3::ZERO, Vec3::Z, kind));
    }
    let hinge = JointKind::Hinge(Hinge::default());
    world.add_joint(joint(&world, WORLD, wheel, Vec3::ZERO, Vec3::Z, hinge));
    run(&mut world, 2.0);
    close("speed", world.state.velocities[wheel as usize].angular.z, 3.0, 1e-4);
    close("brake", world.state.joints[1].readout.torque.z.abs(), 5.0, 1e-3);
    close("motor", world.state.joints[0].readout.torque.z.abs(), 5.0, 1e-2);
}

/// The order in which joints are listed changes nothing but rounding.
#[test]
fn the_order_of_joints_does_not_matter() {
    let common = ["solver.rows=Mechanism", "solver.iterations=1", "stabilization.method=Off"];
    for seed in [3, 5, 9] {
        let mut one = random_mechanism(&JointKind::all(), seed, 0.5, 2, &common);
        let mut other = random_mechanism(&JointKind::all(), seed, 0.5, 2, &common);
        other.state.joints.reverse();
        one.step();
        other.step();
        let apart = apart(&other, &one);
        assert!(apart < 1e-5, "seed {seed}: {apart:.1e} apart");
    }
}
