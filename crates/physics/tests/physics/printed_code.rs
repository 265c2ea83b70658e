//! Errata 21 and later of docs/errata.md: the results of the documents' code and statements, beside the correct ones.

use delassus_physics::body::BodyDef;
use delassus_physics::joints::*;
use delassus_physics::primitives::swing_twist;
use delassus_physics::row::JointFrames;
use delassus_physics::world::{WORLD, World};
use glam::{DMat2, DVec2, Quat, Vec3};

use crate::build::{bead, body, close, cube, joint, run, split_blocks};

/// Sweeps of the book's `LCP_GaussSeidel`, without bounds, from zero.
fn swept(a: DMat2, b: DVec2, sweeps: usize) -> DVec2 {
    let mut x = DVec2::ZERO;
    for _ in 0..sweeps {
        x.x += (b.x - a.row(0).dot(x)) / a.row(0).x;
        x.y += (b.y - a.row(1).dot(x)) / a.row(1).y;
    }
    x
}

fn rows(a: [f64; 2], b: [f64; 2]) -> DMat2 {
    DMat2::from_cols(a.into(), b.into()).transpose()
}

/// Erratum 21: the product without its inner sum, A_ij B_ji; and which matrices can be multiplied.
#[test]
fn erratum_21_matrices() {
    let (a, b) = (rows([1.0, 2.0], [3.0, 4.0]), rows([5.0, 6.0], [7.0, 8.0]));
    let mut printed = [[0.0; 2]; 2];
    for (i, row) in printed.iter_mut().enumerate() {
        for (j, entry) in row.iter_mut().enumerate() {
            *entry += a.row(i)[j] * b.row(j)[i];
        }
    }
    assert_eq!(printed, [[5.0, 14.0], [18.0, 32.0]]);
    assert_eq!(a * b, rows([19.0, 22.0], [43.0, 50.0]));
    // (M, N) of the left and of the right matrix.
    let refused = |(m, n): (u32, u32), (rm, rn): (u32, u32)| rm != n && rn != m;
    assert!(!refused((3, 12), (5, 3)), "no product of these two");
    let with_or = |(m, n): (u32, u32), (rm, rn): (u32, u32)| rm != n || rn != m;
    assert!(with_or((1, 12), (12, 12)), "J W is refused");
}

/// Erratum 22: the equation instead of the complementarity problem, and the two conditions on its matrix.
#[test]
fn erratum_22_equation_for_complementarity() {
    let (k, c) = (rows([4.0, -2.0], [-2.0, 4.0]), DVec2::new(-1.0, 0.8));
    let equation = swept(k, -c, 60);
    assert!(equation.distance(DVec2::new(0.2, -0.1)) < 1e-12, "{equation}");
    let right = DVec2::new(0.25, 0.0);
    let apart = k * right + c;
    assert!(right.min_element() >= 0.0 && apart.min_element() >= 0.0 && right.dot(apart) == 0.0, "{apart}");
    // Positive definite, but not symmetric: a sweep multiplies the error of the second unknown by a12 a21/(a11 a22).
    let (skew, x) = (rows([1.0, 5.0], [-5.0, 1.0]), DVec2::new(0.3, -0.7));
    assert!((x.dot(skew * x) - x.length_squared()).abs() < 1e-12);
    let error = |sweeps| swept(skew, skew * DVec2::ONE, sweeps).y - 1.0;
    assert!((error(3) / error(2) + 25.0).abs() < 1e-9);
    // Neither symmetric nor diagonally dominant, and yet it converges.
    let loose = rows([1.0, 3.0], [0.2, 1.0]);
    assert!(swept(loose, loose * DVec2::ONE, 60).distance(DVec2::ONE) < 1e-9);
}

/// Erratum 25: a normal that is not reversed with its bodies mistakes an overlap for a gap and approaching for
/// separating.
#[test]
fn erratum_25_swapped_bodies() {
    // A is to the left of B and reaches 1 cm into it. n points from A to B; C = n·(pB − pA), J u = n·(vB − vA).
    let (pa, pb, n) = (Vec3::X * 0.005, Vec3::X * -0.005, Vec3::X);
    let (va, vb) = (Vec3::ZERO, Vec3::X);
    close("overlap", n.dot(pb - pa), -0.01, 1e-9);
    assert!(n.dot(vb - va) > 0.0, "they part");
    // As printed: the points (and bodies) are swapped, the normal is not.
    close("a gap", n.dot(pa - pb), 0.01, 1e-9);
    assert!(n.dot(va - vb) < 0.0, "parting is pushed against");
}

/// Erratum 26: along its ring a bead needs the force −m v²/l and no impulse: λF = −J-dot v/K is not the rate of −J
/// v/K.
#[test]
fn erratum_26_impulse_is_no_integral_of_the_force() {
    let (mass, l, speed) = (2.0f32, 0.5f32, 3.0f32);
    let (r, v) = (Vec3::X * l, Vec3::Y * speed);
    // C = r·r − l², J = 2 r, J-dot = 2 v.
    let k = 4.0 * r.length_squared() / mass;
    let force = 2.0 * r * (-2.0 * v.dot(v) / k);
    close("force", force.x, -mass * speed * speed / l, 1e-4);
    close("impulse", -2.0 * r.dot(v) / k, 0.0, 1e-9);
}

/// Erratum 28: along a world axis d(e·p)/dt has rA where the plane's row has sA = rA + p; and a hinge of four rows
/// lets its door slide along the hinge pins.
#[test]
fn erratum_28_world_axes_and_four_rows() {
    let (ra, p, wa, e) = (Vec3::new(0.3, 0.2, 0.0), Vec3::Y * 0.1, Vec3::Z, Vec3::X);
    let rate = -e.dot(wa.cross(ra));
    let printed = e.cross(ra + p).dot(wa);
    close("too much", printed - rate, 0.1, 1e-6);
    // Two planes across the pins, two rows for the axis; gravity along the pins.
    let mut world = World::new(split_blocks(&[]));
    let door = world.add_body(cube(0.2, Vec3::ZERO));
    for across in [Vec3::X, Vec3::Y] {
        world.add_joint(joint(&world, WORLD, door, Vec3::ZERO, across, JointKind::Plane(Plane::default())));
    }
    world.add_joint(joint(&world, WORLD, door, Vec3::ZERO, Vec3::Z, JointKind::AxisLock(AxisLock::default())));
    world.step();
    assert_eq!(world.system.rows.len(), 4);
    close("slides", world.state.velocities[door as usize].linear.z, -crate::build::G / 60.0, 1e-5);
}

/// Erratum 29: one pose has two quaternions; our reading gives the same swing for both, 2 atan2(|v|, w) does not.
#[test]
fn erratum_29_swing_of_both_quaternions() {
    let turn = Quat::from_rotation_x(10f32.to_radians());
    let printed = |q: Quat| (2.0 * Vec3::new(q.x, q.y, q.z).length().atan2(q.w)).to_degrees();
    close("q", printed(turn), 10.0, 1e-4);
    close("−q", printed(-turn), 350.0, 1e-4);
    for qb in [turn, -turn] {
        let ends = JointFrames {
            xa: Vec3::ZERO,
            xb: Vec3::ZERO,
            qa: Quat::IDENTITY,
            qb,
            ra: Vec3::ZERO,
            rb: Vec3::ZERO,
            axis_a: Vec3::Z,
            axis_b: qb * Vec3::Z,
            axis_local: Vec3::Z,
            reference: Quat::IDENTITY,
            rest_length: 0.0,
            made_gap: Vec3::ZERO,
            previous: 0.0,
            forms: None,
            by_time: [1.0; 2],
        };
        close("here", swing_twist::swing(&ends).angle.to_degrees(), 10.0, 1e-3);
    }
}

/// Erratum 30: without ω × I ω a free body keeps ω, and its angular momentum rotates with it.
#[test]
fn erratum_30_momentum_without_the_gyroscopic_term() {
    let turned = |term: &str| {
        let mut world = World::new(split_blocks(&["step.gravity=0,0,0", "step.rate=1000", term]));
        let half = Vec3::new(0.5, 0.3, 0.1);
        let shape = delassus_physics::shape::Shape::Box { half };
        world.add_body(BodyDef { angular_velocity: Vec3::new(2.0, 3.0, 1.0), ..body(shape, Vec3::ZERO) });
        let before = world.metrics().angular_momentum;
        run(&mut world, 1.0);
        (world.metrics().angular_momentum - before).length() / before.length()
    };
    assert!(turned("step.gyroscopic=Off") > 0.2, "{}", turned("step.gyroscopic=Off"));
    assert!(turned("step.gyroscopic=Midpoint") < 0.005, "{}", turned("step.gyroscopic=Midpoint"));
}

/// Erratum 27: 1e5 N·s gives the chain's one kilogram a speed of 100 km/s.
#[test]
fn erratum_27_a_cap_that_catches_nothing() {
    let mut world = World::new(split_blocks(&["warm_start.impulse_cap=100000"]));
    let ball = world.add_body(BodyDef { velocity: Vec3::X * 40.0, ..bead(Vec3::ZERO) });
    world.add_joint(joint(&world, WORLD, ball, Vec3::ZERO, Vec3::Z, JointKind::BallSocket(BallSocket::default())));
    world.step();
    let caught = world.state.joints[0].readout.impulse();
    assert!(caught > 30.0 && world.report.guarded == 0, "an impulse of {caught} N·s on 1 kg is carried on whole");
}

/// Erratum 31: one sweep a step and Baumgarte's bias leave joints open and change the energy. They change the
/// momentum of free bodies only by rounding, because a row gives its two bodies opposite impulses, whatever these
/// are.
#[test]
fn erratum_31_momentum_does_not_drift() {
    let mut world = World::new(split_blocks(&[
        "step.gravity=0,0,0",
        "solver.iterations=1",
        "warm_start.enabled=false",
        "stabilization.method=Baumgarte",
    ]));
    let mut before = None;
    for i in 0..6 {
        let velocity = Vec3::new(0.3, (i % 3) as f32, (i % 2) as f32);
        let next = world.add_body(BodyDef { velocity, collide: false, ..cube(0.2, Vec3::X * i as f32) });
        if let Some(previous) = before {
            let anchor = Vec3::X * (i as f32 - 0.5);
            let kind = JointKind::BallSocket(BallSocket::default());
            world.add_joint(joint(&world, previous, next, anchor, Vec3::Z, kind));
        }
        before = Some(next);
    }
    let start = world.metrics();
    let mut open = 0.0f32;
    for _ in 0..600 {
        world.step();
        open = world.state.joints.iter().map(|j| j.readout.error).fold(open, f32::max);
    }
    let end = world.metrics();
    assert!(open > 0.01, "one sweep solves no chain: {open} m");
    assert!((end.kinetic_energy / start.kinetic_energy - 1.0).abs() > 0.05, "{} J", end.kinetic_energy);
    let drift = (end.momentum - start.momentum).length() / start.momentum.length();
    assert!(drift < 1e-5, "{drift} of the momentum");
}
