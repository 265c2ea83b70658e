//! The angle or slide of a drive is the integral of the speed that it reports, whatever corrects the positions.

use delassus_physics::body::{BodyDef, Motion};
use delassus_physics::joints::*;
use delassus_physics::settings::{Method, Stabilization};
use delassus_physics::shape::Shape;
use delassus_physics::world::{WORLD, World};
use glam::{Quat, Vec3};

use crate::build::{body, cube, joint, settings};

const METHODS: [Stabilization; 6] = [
    Stabilization::Split,
    Stabilization::Nonlinear,
    Stabilization::Baumgarte,
    Stabilization::Soft,
    Stabilization::Shake,
    Stabilization::Rattle,
];

fn world(stabilization: Stabilization, method: Method) -> World {
    let mut world = World::new(settings(&["step.gravity=0,0,0"]));
    (world.settings.stabilization.method, world.settings.solver.method) = (stabilization, method);
    world
}

/// Steps for a time, s; returns the change of the first joint's value minus the integral of its speeds.
fn lag(world: &mut World, seconds: f64) -> f64 {
    let h = 1.0 / f64::from(world.settings.step.rate);
    let start = f64::from(world.state.joints[0].readout.value);
    let mut way = 0.0;
    for _ in 0..(seconds / h).round() as usize {
        world.step();
        way += h * f64::from(world.state.joints[0].readout.speed);
    }
    f64::from(world.state.joints[0].readout.value) - start - way
}

/// A bar held beside its middle, and a ball on a long arm, whose anchor error would more easily be corrected by
/// rotating it.
fn rotors() -> [BodyDef; 2] {
    let bar = body(Shape::Box { half: Vec3::new(0.5, 0.1, 0.1) }, Vec3::new(0.35, 0.1, 0.0));
    let ball = body(Shape::Sphere { radius: 0.03 }, Vec3::new(0.0, 0.9, 0.1));
    [bar, ball].map(|def| BodyDef { collide: false, ..def })
}

/// What drives a rotor about z: a hinge's motor, the book's motor, a separate drive beside a hinge.
fn turners(speed: f32) -> [Vec<JointKind>; 3] {
    let motor = AngularDrive { speed, max_torque: 1e5 };
    let hinge = |motor| JointKind::Hinge(Hinge { motor, ..Hinge::default() });
    [
        vec![hinge(Some(motor))],
        vec![JointKind::RotaryMotor(RotaryMotor { motor })],
        vec![JointKind::AngularMotor(AngularMotor { motor }), hinge(None)],
    ]
}

/// An eccentric rotor at 5.5 rad/s turns as far as its speed says, within 0.2 mrad in 40 rad: before drives took part
/// in the corrections it fell behind by some percent.
#[test]
fn a_driven_shaft_turns_as_far_as_its_speed_says() {
    for stabilization in METHODS {
        for method in [Method::GaussSeidel, Method::Direct] {
            for rotor in rotors() {
                for kinds in turners(5.5) {
                    // Ten sweeps hold a light ball on a long arm only where the motor belongs to the hinge and
                    // positions are not corrected through the velocities; soft rows need motor and anchor in one
                    // joint.
                    let apart = matches!(stabilization, Stabilization::Split | Stabilization::Nonlinear);
                    let beside = kinds.len() > 1;
                    let (ball, soft) = (rotor.position.y > 0.5, stabilization == Stabilization::Soft);
                    if soft && (ball || beside) || method == Method::GaussSeidel && ball && (beside || !apart) {
                        continue;
                    }
                    let mut world = world(stabilization, method);
                    let angular_velocity = Vec3::Z * 5.5;
                    let velocity = angular_velocity.cross(rotor.position);
                    let load = world.add_body(BodyDef { angular_velocity, velocity, ..rotor.clone() });
                    for kind in &kinds {
                        world.add_joint(joint(&world, WORLD, load, Vec3::ZERO, Vec3::Z, *kind));
                    }
                    let lag = lag(&mut world, 40.0 / 5.5);
                    let error = world.state.joints.iter().map(|j| j.readout.error).fold(0.0, f32::max);
                    let what = format!("{stabilization:?}, {method:?}, {}", kinds[0].info().name);
                    // Ten sweeps over a drive separate from its hinge leave a residual of 4e-5 in the velocities that
                    // RATTLE reports.
                    let most = if stabilization == Stabilization::Rattle && beside { 1.6e-3 } else { 2e-4 };
                    assert!(lag.abs() < most, "{what}: {:.3} mrad", 1e3 * lag);
                    assert!(error < 0.05, "{what}: the anchor is {error} m off");
                }
            }
        }
    }
}

/// Rotors that coast without a drive. A step turns them by h ω(½), and their centres move along the chord, which is
/// shorter than the arc by (h ω)²/24; so for L = I ω + m r × v to be conserved, ω(½) exceeds the speed at the end of
/// the step by a share of at most (h ω)²/6, here 1.4e-3. SHAKE reports ω(½), whose integral is the angle; RATTLE
/// reports the end, where L = (I + m r²) ω is conserved.
#[test]
fn a_coasting_shaft_turns_as_far_as_its_speed_says() {
    for stabilization in [Stabilization::Shake, Stabilization::Rattle] {
        for method in [Method::GaussSeidel, Method::Direct] {
            let disc = BodyDef { collide: false, ..body(Shape::Box { half: Vec3::new(0.3, 0.3, 0.05) }, Vec3::ZERO) };
            for rotor in [disc, rotors()[0].clone()] {
                let mut world = world(stabilization, method);
                let angular_velocity = Vec3::Z * 5.5;
                let load = world.add_body(BodyDef {
                    angular_velocity,
                    velocity: angular_velocity.cross(rotor.position),
                    ..rotor
                });
                let hinge = JointKind::Hinge(Hinge::default());
                world.add_joint(joint(&world, WORLD, load, Vec3::ZERO, Vec3::Z, hinge));
                let lag = lag(&mut world, 40.0 / 5.5);
                let ahead = (5.5f64 / 60.0).powi(2) / 6.0;
                let (way, off) = match stabilization {
                    Stabilization::Shake => (4e-3, 1.1 * ahead),
                    _ => (40.0 * ahead, 1e-4),
                };
                let speed = f64::from(world.state.joints[0].readout.speed);
                assert!(lag.abs() < way, "{stabilization:?}, {method:?}: {:.3} mrad", 1e3 * lag);
                assert!((speed / 5.5 - 1.0).abs() < off, "{stabilization:?}, {method:?}: {speed} rad/s");
            }
        }
    }
}

/// The same for a crank that carries a second one, both driven, also with mass splitting and sub-steps.
#[test]
fn driven_shafts_in_a_row_turn_as_far_as_their_speeds_say() {
    for stabilization in [Stabilization::Split, Stabilization::Nonlinear] {
        for assignment in ["solver.iterations=20", "solver.jacobi=MassSplitting", "step.substeps=3"] {
            let mut world = world(stabilization, Method::GaussSeidel);
            world.settings.assign(assignment).unwrap();
            if assignment.contains("jacobi") {
                world.settings.solver.method = Method::Jacobi;
                world.settings.solver.iterations = 60;
            }
            let first = world.add_body(BodyDef { collide: false, ..cube(0.2, Vec3::new(0.6, 0.0, 0.0)) });
            let second = world.add_body(BodyDef { collide: false, ..cube(0.15, Vec3::new(1.2, 0.4, 0.2)) });
            let hinge = |speed| {
                let motor = Some(AngularDrive { speed, max_torque: 1e5 });
                JointKind::Hinge(Hinge { motor, ..Hinge::default() })
            };
            world.add_joint(joint(&world, WORLD, first, Vec3::ZERO, Vec3::Z, hinge(3.0)));
            world.add_joint(joint(&world, first, second, Vec3::new(1.0, 0.0, 0.0), Vec3::Z, hinge(-4.0)));
            // The rotation of one caused by the correction of the other is taken back over several steps: an offset,
            // which does not grow.
            let turn = std::f64::consts::TAU / 4.0;
            lag(&mut world, 3.0 * turn);
            let lag = lag(&mut world, 5.0 * turn);
            assert!(lag.abs() < 1e-3, "{stabilization:?}, {assignment}: {:.3} mrad of 24 rad", 1e3 * lag);
        }
    }
}

/// A slider on a turntable: the straight step carries it outwards by ½ (ω h)² of its radius, 13 % a second at 4
/// rad/s. The correction leaves 1/β steps of that and no more.
#[test]
fn a_driven_slide_goes_as_far_as_its_speed_says() {
    let (turn, speed) = (4.0, 0.05);
    for stabilization in [Stabilization::Split, Stabilization::Nonlinear] {
        let mut world = world(stabilization, Method::GaussSeidel);
        let table = BodyDef {
            motion: Motion::Kinematic,
            collide: false,
            angular_velocity: turn * Vec3::Z,
            ..cube(0.5, Vec3::ZERO)
        };
        let table = world.add_body(table);
        let at = 0.8 * Vec3::X;
        let velocity = Vec3::new(speed, turn * 0.8, 0.0);
        let load =
            world.add_body(BodyDef { collide: false, angular_velocity: turn * Vec3::Z, velocity, ..cube(0.1, at) });
        let motor = Some(LinearDrive { speed, max_force: 1e5 });
        let kind = JointKind::Prismatic(Prismatic { motor, ..Prismatic::default() });
        world.add_joint(joint(&world, table, load, at, Vec3::X, kind));
        (0..360).for_each(|_| world.step());
        let lag = f64::from(world.state.joints[0].readout.value - 6.0 * speed);
        let step = 0.5 * (turn / 60.0).powi(2) * (0.8 + 6.0 * speed);
        assert!(lag.abs() < f64::from(step) / 0.2 * 1.1, "{stabilization:?}: {lag} m");
    }
}

/// A motor at its limit does not catch up: the angle it lost while a stop held it is not made up for.
#[test]
fn a_motor_that_slips_makes_nothing_up() {
    let mut world = world(Stabilization::Split, Method::GaussSeidel);
    let rotor = world.add_body(BodyDef { rotation: Quat::IDENTITY, ..rotors()[0].clone() });
    let kind = |speed, max_torque| {
        JointKind::Hinge(Hinge { motor: Some(AngularDrive { speed, max_torque }), ..Hinge::default() })
    };
    world.add_joint(joint(&world, WORLD, rotor, Vec3::ZERO, Vec3::Z, kind(3.0, 0.0)));
    let lag = lag(&mut world, 2.0);
    assert!(lag.abs() < 1e-6 && world.state.joints[0].readout.speed == 0.0, "without torque it stands: {lag}");
    world.state.joints[0].def.kind = kind(3.0, 1e5);
    let before = world.state.joints[0].readout.value;
    world.step();
    let (value, speed) = (world.state.joints[0].readout.value, world.state.joints[0].readout.speed);
    assert!((value - before - speed / 60.0).abs() < 1e-5, "{before} to {value} at {speed}");
}
