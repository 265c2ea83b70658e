//! The readings of joints: forces by group, stops, energies.

use delassus_physics::angle::Angle;
use delassus_physics::body::BodyDef;
use delassus_physics::joint::JointDef;
use delassus_physics::joints::*;
use delassus_physics::primitives::swing_twist::SwingLimit;
use delassus_physics::readout::Readout;
use delassus_physics::row::Softness;
use delassus_physics::shape::Shape;
use delassus_physics::world::{WORLD, World};
use glam::{Quat, Vec3};

use crate::build::{G, bead, body, close, cube, joint, run, settings, split_blocks};

const LOAD: f32 = 2.0;

/// A load at `at` held by a joint at the world's origin, after it has settled.
fn held(kind: JointKind, axis: Vec3, at: Vec3, seconds: f64) -> Readout {
    let mut world = World::new(split_blocks(&["solver.iterations=100"]));
    let load = world.add_body(BodyDef { mass: LOAD, collide: false, ..cube(0.2, at) });
    world.add_joint(joint(&world, WORLD, load, Vec3::ZERO, axis, kind));
    run(&mut world, seconds);
    world.state.joints[0].readout
}

#[track_caller]
fn same(what: &str, found: Vec3, expected: Vec3) {
    assert!((found - expected).length() < 2e-3 * (1.0 + expected.length()), "{what}: {found}, expected {expected}");
}

/// A cantilever: the anchor carries the weight m g, the orientation lock its moment −d × m g.
#[test]
fn a_weld_carries_weight_and_moment() {
    let arm = Vec3::new(0.6, 0.2, 0.0);
    let read = held(JointKind::Fixed(Fixed::default()), Vec3::Z, arm, 1.0);
    let weight = LOAD * G * Vec3::Z;
    same("anchor", read.anchor, weight);
    // Torque on B about its anchor: it balances gravity's moment d × (−m g ẑ).
    same("axis", read.axis, arm.cross(weight));
    same("force", read.force, weight);
    same("torque", read.torque, arm.cross(weight));
    close("impulse", read.impulse(), LOAD * G / 60.0, 1e-3);
    assert!(!read.stops.any() && read.motor == 0.0 && read.limit == 0.0 && read.spring == 0.0);
}

/// Case 10, the slider: held by its motor, by its spring or by its stop, each carries m g with its sign, and the
/// total force of the joint is the same in each case.
#[test]
fn a_slider_is_carried_by_motor_spring_or_stop() {
    let weight = LOAD * G;
    let motor = Some(LinearDrive { speed: 0.0, max_force: 100.0 });
    let spring = Some(LinearSpring { softness: Softness::of(3.0, 1.0), slide: 0.0 });
    for (kind, of) in [
        (Prismatic { motor, ..Prismatic::default() }, "motor"),
        (Prismatic { spring, ..Prismatic::default() }, "spring"),
        (Prismatic { limit: Some((-0.1, 0.1)), ..Prismatic::default() }, "limit"),
    ] {
        let read = held(JointKind::Prismatic(kind), Vec3::Z, Vec3::ZERO, 4.0);
        for (name, value) in [("motor", read.motor), ("spring", read.spring), ("limit", read.limit)] {
            close(name, value, if name == of { weight } else { 0.0 }, 2e-3 * weight);
        }
        same("force", read.force, weight * Vec3::Z);
        same("anchor", read.anchor, Vec3::ZERO);
        assert_eq!((read.stops.least, read.stops.greatest), (of == "limit", false));
    }
}

/// A door that stands at its stop by rounding, and does not press on it, was told to be at its limit.
#[test]
fn an_idle_limit_is_not_told_as_reached() {
    for (beyond, reached) in [(1e-7, false), (0.01, true)] {
        let limit = Some((Angle::radians(-1.0), Angle::radians(-beyond)));
        let kind = JointKind::Hinge(Hinge { limit, ..Hinge::default() });
        let mut world = World::new(split_blocks(&["step.gravity=(0,0,0)", "stabilization.method=Off"]));
        let door = world.add_body(BodyDef { collide: false, ..cube(0.2, Vec3::X) });
        let hinge = joint(&world, WORLD, door, Vec3::ZERO, Vec3::Z, kind);
        world.add_joint(hinge);
        world.refresh_joints();
        assert_eq!(world.state.joints[0].readout.stops.greatest, reached, "{beyond} rad beyond its limit");
        assert!(!world.state.joints[0].readout.stops.least);
    }
}

/// Case 15: a motor of T = 1 drives a hinge against its stop at 1 rad, which responds with −1.
#[test]
fn a_stop_gives_the_motor_s_torque_back() {
    let hinge = Hinge {
        limit: Some((Angle::radians(-1.0), Angle::radians(1.0))),
        motor: Some(AngularDrive { speed: 3.0, max_torque: 1.0 }),
        ..Hinge::default()
    };
    // Upright, so that gravity has no torque about the axis.
    let read = held(JointKind::Hinge(hinge), Vec3::Z, Vec3::ZERO, 2.0);
    close("motor", read.motor, 1.0, 1e-4);
    close("limit", read.limit, -1.0, 1e-4);
    same("torque", read.torque, Vec3::ZERO);
    assert!(read.stops.greatest && !read.stops.least);
    close("angle", read.value, 1.0, 1e-3);
    close("speed", read.speed, 0.0, 1e-4);
}

/// A bar that leans on its cone: the swing limit alone carries gravity's moment m g d sin θ.
#[test]
fn a_cone_carries_the_moment_of_what_leans_on_it() {
    let cone: f32 = 0.5;
    let mut world = World::new(split_blocks(&["solver.iterations=100"]));
    let lean = Quat::from_rotation_y(0.4);
    let bar = world.add_body(BodyDef { mass: LOAD, collide: false, ..cube(0.2, lean * Vec3::Z) });
    let kind = ConeTwist { swing: SwingLimit::Cone(Angle::radians(cone)), twist: None };
    let mut def = joint(&world, WORLD, bar, Vec3::ZERO, Vec3::Z, JointKind::ConeTwist(kind));
    def.axis_b = lean * Vec3::Z;
    world.add_joint(def);
    run(&mut world, 3.0);
    let read = world.state.joints[0].readout;
    let moment = LOAD * G * cone.sin();
    close("swing", read.swing.abs(), moment, 2e-2 * moment);
    close("torque", read.torque.length(), read.swing.abs(), 1e-5);
    assert!(read.stops.swing && !read.stops.least && !read.stops.greatest && read.limit == 0.0);
}

/// A rope is at its stop when taut, and pulls along its own direction.
#[test]
fn a_rope_is_at_its_stop_when_taut() {
    let mut world = World::new(split_blocks(&[]));
    let bob = world.add_body(bead(-0.5 * Vec3::Z));
    let mut def = joint(&world, WORLD, bob, -0.5 * Vec3::Z, Vec3::Z, JointKind::Rope(Rope { length: Some(1.0) }));
    def.anchor_a = Vec3::ZERO;
    world.add_joint(def);
    world.step();
    assert!(!world.state.joints[0].readout.stops.any(), "slack");
    run(&mut world, 2.0);
    assert!(world.state.joints[0].readout.stops.greatest, "taut");
    same("pull", world.state.joints[0].readout.anchor, G * Vec3::Z);
}

/// A spring stretched by C0 stores ½ m ω² C0²; a load at rest on one, ½ m (g/ω)².
#[test]
fn springs_store_energy() {
    let omega = std::f32::consts::TAU * 2.0;
    let spring = Spring { length: Some(0.7), softness: Softness::of(2.0, 1.0) };
    let mut world = World::new(split_blocks(&["solver.iterations=20"]));
    let bob = world.add_body(BodyDef { mass: LOAD, ..bead(-Vec3::Z) });
    let mut def = joint(&world, WORLD, bob, -Vec3::Z, Vec3::Z, JointKind::Spring(spring));
    def.anchor_a = Vec3::ZERO;
    world.add_joint(def);
    let stored = 0.5 * LOAD * omega * omega * 0.3f32.powi(2);
    close("at the start", world.metrics().spring_energy as f32, stored, 1e-4 * stored);
    run(&mut world, 5.0);
    let rest = 0.5 * LOAD * (G / omega).powi(2);
    close("at rest", world.metrics().spring_energy as f32, rest, 1e-3 * rest);
}

/// One sweep from zero over two beads on two rods: the first joint holds its bead, then the second joint shares the
/// fall of the lower bead between both, v = g h/2, and this is the residual of the first joint. The second has none.
#[test]
fn each_joint_has_a_residual_of_its_own() {
    let mut world = World::new(split_blocks(&["solver.iterations=1", "warm_start.enabled=false"]));
    let mut above = WORLD;
    for i in 0..2 {
        let at = Vec3::Z * -(i as f32 + 1.0);
        let ball = world.add_body(bead(at));
        let def = joint(&world, above, ball, at + Vec3::Z, Vec3::Z, JointKind::Distance(Distance::default()));
        world.add_joint(JointDef { anchor_a: Vec3::ZERO, anchor_b: Vec3::ZERO, ..def });
        above = ball;
    }
    world.step();
    close("first", world.state.joints[0].readout.residual, G / 60.0 / 2.0, 1e-5);
    close("second", world.state.joints[1].readout.residual, 0.0, 1e-5);
    close("worst", world.report.residual, world.state.joints[0].readout.residual, 0.0);
    world.refresh_joints();
    close("nothing was solved", world.state.joints[0].readout.residual, 0.0, 0.0);
}

/// Formerly the error of a weld was 2 sin(θ/2), and that of a hinge sin θ and so at most 1 rad: the reading is now
/// the angle θ by which B is rotated across the axis.
#[test]
fn an_error_of_orientation_is_an_angle() {
    let kinds = [
        JointKind::Fixed(Fixed::default()),
        JointKind::OrientationLock(OrientationLock::default()),
        JointKind::Prismatic(Prismatic::default()),
        JointKind::Hinge(Hinge::default()),
        JointKind::AxisLock(AxisLock::default()),
        JointKind::RotaryMotor(RotaryMotor { motor: AngularDrive { speed: 0.0, max_torque: 1.0 } }),
    ];
    for kind in kinds {
        for angle in [0.001, 0.3, 1.2, 2.0, 3.0] {
            let mut world = World::new(settings(&["step.gravity=(0, 0, 0)", "stabilization.method=Off"]));
            let body = world.add_body(BodyDef { collide: false, ..cube(0.2, Vec3::ZERO) });
            world.add_joint(joint(&world, WORLD, body, Vec3::ZERO, Vec3::Z, kind));
            world.state.bodies[body as usize].rotation = Quat::from_rotation_x(angle);
            world.step();
            close(kind.info().name, world.state.joints[0].readout.angular_error, angle, 1e-3 * angle);
            close("worst", world.metrics().angular_error_max as f32, angle, 1e-3 * angle);
        }
    }
}

/// A wheel that turns by more than half a turn in a step, or in a sub-step, still counts its turns: θ = ω t. Also
/// backwards, stepped in the articulations and by rows, read in each step or only at the end.
#[test]
fn a_fast_wheel_counts_its_turns() {
    let forms: &[&[&str]] = &[
        &["step.substeps=1"],
        &["step.substeps=4"],
        &["step.substeps=4", "stabilization.method=Split"],
        &["solver.method=Direct"],
        &["step.rate=240", "stabilization.method=Baumgarte", "solver.rows=Block"],
    ];
    for (speed, seconds) in [(1000.0f32, 3.0), (-700.0, 2.0), (200.0, 4.0), (3000.0, 1.0)] {
        for (form, reads) in forms.iter().flat_map(|form| [(form, true), (form, false)]) {
            let mut world = World::new(settings(form));
            world.pipeline.executor.readouts = reads;
            let shape = Shape::Cylinder { radius: 0.2, half_length: 0.03 };
            let wheel = world.add_body(BodyDef {
                collide: false,
                angular_velocity: speed * Vec3::Z,
                ..body(shape, Vec3::ZERO)
            });
            world.add_joint(joint(&world, WORLD, wheel, Vec3::ZERO, Vec3::Z, JointKind::Hinge(Hinge::default())));
            run(&mut world, seconds);
            world.refresh_joints();
            let turned = world.state.joints[0].readout.value;
            let expected = speed * seconds as f32;
            assert!((turned - expected).abs() < 1e-4 * expected.abs(), "{turned} of {expected} rad, {form:?}, {reads}");
        }
    }
}

/// The pull of a string on a bead that is whirled is that of the moment with which the step began: m r ω², to second
/// order, along the string as it was then. Its part along the present string, by which it was taken for 3 % too low at 15 rad/s, is
/// smaller by cos(h ω).
#[test]
fn the_pull_on_a_whirled_bead_is_that_of_the_step_s_begin() {
    for rate in [60.0f32, 240.0] {
        let set = format!("step.rate={rate}");
        let mut world =
            World::new(settings(&["step.gravity=0,0,0", "stabilization.method=Rattle", "step.max_turn=0", &set]));
        let (r, omega) = (0.5, 15.0);
        let bead = world.add_body(BodyDef { velocity: Vec3::Y * (r * omega), ..bead(Vec3::X * r) });
        let socket = JointKind::BallSocket(BallSocket {});
        world.add_joint(joint(&world, WORLD, bead, Vec3::ZERO, Vec3::Z, socket));
        run(&mut world, 1.0);
        let before = world.state.bodies[bead as usize].position;
        world.step();
        let (now, pull) = (world.state.bodies[bead as usize].position, world.state.joints[0].readout.anchor);
        // A leapfrog that turns by 2 α in a step has the speed r sin 2α/h where it is read, and the pull m 4 r sin²
        // α/h².
        let half = 0.5 * (omega / rate).asin();
        let expected = r * (omega / half.cos()).powi(2);
        close("pull", pull.length(), expected, 2e-3 * expected);
        close("along the string as it was", -pull.dot(before) / r, expected, 2e-3 * expected);
        close("along the present string", -pull.dot(now) / r, expected * (2.0 * half).cos(), 2e-3 * expected);
    }
}

/// What is whirled pulls with m r ω² at any rate, on a rod and on a ball joint, stepped in the articulations and by
/// rows. At 2,000 steps a second rounding made it some per cent wrong.
#[test]
fn the_pull_of_what_is_whirled_is_right_at_any_rate() {
    let (r, speed) = (1.0f32, 6.0f32);
    for kind in [JointKind::Distance(Distance::default()), JointKind::BallSocket(BallSocket::default())] {
        for set in [&[][..], &["solver.lanes=false"], &["solver.method=Direct"], &["solver.method=Jacobi"]] {
            for rate in [60, 240, 2000] {
                let rate = format!("step.rate={rate}");
                let mut world = World::new(settings(&[&[&*rate, "step.gravity=0,0,0"], set].concat()));
                let ball = BodyDef {
                    mass: 1.0,
                    velocity: Vec3::Y * speed * r,
                    angular_velocity: Vec3::Z * speed,
                    ..bead(r * Vec3::X)
                };
                let ball = world.add_body(ball);
                let mut def = joint(&world, WORLD, ball, Vec3::ZERO, Vec3::Z, kind);
                if kind.info().name == "Distance" {
                    def.anchor_b = Vec3::ZERO;
                }
                world.add_joint(def);
                // As of any leapfrog, see above.
                let expected = r * (speed / (0.5 * (speed * world.settings.h()).asin()).cos()).powi(2);
                for _ in 0..200 {
                    world.step();
                    let pull = world.state.joints[0].readout.force.length();
                    let off = pull / expected - 1.0;
                    assert!(off.abs() < 3e-3, "{}, {set:?}, {rate}: {pull} N", kind.info().name);
                }
            }
        }
    }
}
