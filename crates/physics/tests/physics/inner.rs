//! The rows of a joint swept among themselves before the next joint (`solver.rows=Inner`), compared with the book's
//! own function on the explicit matrix, with the direct solver, and with conservation of momentum.

use delassus_physics::angle::Angle;
use delassus_physics::body::BodyDef;
use delassus_physics::joints::*;
use delassus_physics::row::Row;
use delassus_physics::world::{WORLD, World};
use glam::Vec3;

use crate::build::{cube, floor, joint, run, settings};

/// `LCP_GaussSeidel` of 004 ch. 5: as many sweeps as there are unknowns, from zero, without bounds.
fn lcp_gauss_seidel(a: &[Vec<f64>], b: &[f64]) -> Vec<f64> {
    let mut x = vec![0.0; b.len()];
    for _ in 0..b.len() {
        for i in 0..b.len() {
            let dot: f64 = a[i].iter().zip(&x).map(|(a, x)| a * x).sum();
            x[i] += (b[i] - dot) / a[i][i];
        }
    }
    x
}

/// K of two rows between the same bodies.
fn entry(r: &Row, s: &Row) -> f64 {
    let lin = r.lin.dot(s.lin);
    f64::from((r.inv_ma + r.inv_mb) * lin + r.ang_a.dot(s.inv_ia) + r.ang_b.dot(s.inv_ib))
}

/// The rows of a limited hinge as the book writes them: the squared distance, two of the quaternion, the stop.
const BOOK: [&str; 8] = [
    "step.gravity=0,0,0",
    "solver.rows=Inner",
    "stabilization.method=Baumgarte",
    "stabilization.beta=0.05",
    "warm_start.enabled=false",
    "formulation.anchor=Squared",
    "formulation.hinge=Quaternion",
    "formulation.limit=Increment",
];

/// Two bodies on a hinge that has opened by 5 cm, has turned past its stop by 0.1 rad and keeps rotating.
fn hinge(assignments: &[&str]) -> World {
    let mut world = World::new(settings(&[&BOOK, assignments].concat()));
    let a = world.add_body(BodyDef { mass: 2.0, collide: false, ..cube(0.25, Vec3::ZERO) });
    let at = Vec3::new(0.8, 0.3, 0.1);
    let b = world.add_body(BodyDef { collide: false, ..cube(0.25, at) });
    let limit = Some((Angle::radians(-0.5), Angle::radians(0.5)));
    let kind = JointKind::Hinge(Hinge { limit, ..Hinge::default() });
    let def = joint(&world, a, b, Vec3::new(0.4, 0.0, 0.0), Vec3::new(0.3, 0.2, 1.0).normalize(), kind);
    world.add_joint(def);
    world.state.bodies[b as usize].position += Vec3::new(0.03, -0.02, 0.035);
    let turn = glam::Quat::from_axis_angle(Vec3::new(0.3, 0.2, 1.0).normalize(), 0.6);
    world.state.bodies[b as usize].rotation = turn;
    world.state.velocities[b as usize].linear = Vec3::new(0.4, 1.3, -0.7).into();
    world.state.velocities[b as usize].angular = Vec3::new(0.5, -0.2, 2.0).into();
    world
}

/// One sweep over one joint is one call of the book's function with all of the joint's rows in one matrix; the stop's
/// impulse is kept where it does not pull.
#[test]
fn a_joints_turn_is_the_books_own() {
    let mut world = hinge(&["solver.iterations=1"]);
    let (va, vb) = (world.state.velocities[1], world.state.velocities[2]);
    world.step();
    let rows = &world.system.rows;
    assert_eq!((rows.len(), world.system.blocks.len()), (4, 1), "one matrix of four rows");
    let a: Vec<Vec<f64>> = rows.iter().map(|r| rows.iter().map(|s| entry(r, s)).collect()).collect();
    let speed = |r: &Row| {
        (r.lin * (vb.linear - va.linear) + r.ang_a * va.angular + r.ang_b * vb.angular).element_sum() + r.bias
    };
    let b: Vec<f64> = rows.iter().map(|r| -f64::from(speed(r))).collect();
    let mut x = lcp_gauss_seidel(&a, &b);
    assert!(x[3] < 0.0, "the stop holds: {x:?}");
    x[3] = x[3].min(0.0);
    let largest = x.iter().fold(0.0f64, |most, x| most.max(x.abs()));
    for (row, x) in rows.iter().zip(&x) {
        assert!((f64::from(row.impulse) - x).abs() < 1e-5 * largest, "{} N·s for {x}", row.impulse);
    }
}

/// A joint alone converges to the direct solver's result, and each sweep of the world is worth as many scalar sweeps
/// as the joint has rows: from the same start, three sweeps with four inner ones leave the same residual as twelve
/// scalar sweeps.
#[test]
fn a_joint_alone_comes_to_the_exact_answer() {
    // Stops bounded on the accumulated impulse, as in the direct solver.
    let solved = |assignments: &[&str]| {
        let mut world = hinge(&[&["formulation.limit=Accumulated"], assignments].concat());
        world.step();
        world.system.rows.iter().map(|row| row.impulse).collect::<Vec<_>>()
    };
    let exact = solved(&["solver.method=Direct"]);
    let apart =
        |found: &[f32]| found.iter().zip(&exact).map(|(found, exact)| (found - exact).abs()).fold(0.0f32, f32::max);
    let scale = exact.iter().fold(0.0f32, |most, x| most.max(x.abs()));
    let ten = apart(&solved(&["solver.iterations=10"]));
    assert!(ten < 1e-4 * scale, "{ten} of {scale} N·s after ten");
    let inner = solved(&["solver.iterations=3"]);
    let scalar = solved(&["solver.iterations=12", "solver.rows=Scalar"]);
    for (inner, scalar) in inner.iter().zip(&scalar) {
        assert!((inner - scalar).abs() < 1e-5 * scale, "{inner} and {scalar} N·s");
    }
}

/// The same for a contact point with the book's friction: the normal and two tangents, with the normal's impulse kept
/// where it pushes. A cube stands on a corner, 1 cm deep in the floor, and moves obliquely.
#[test]
fn a_contact_points_turn_is_the_books_own() {
    let mut world = World::new(settings(&[
        "step.gravity=0,0,0",
        "solver.rows=Inner",
        "solver.iterations=1",
        "stabilization.method=Baumgarte",
        "warm_start.enabled=false",
        "contact.restitution=false",
        "contact.source=Single",
        "friction.model=Pyramid",
        "formulation.point=Weight",
    ]));
    world.add_body(floor());
    let rotation = glam::Quat::from_axis_angle(Vec3::new(1.0, -0.7, 0.2).normalize(), 0.9);
    let corners = [-0.5f32, 0.5].into_iter().flat_map(|x| [-0.5f32, 0.5].map(|y| (x, y)));
    let lowest = corners.flat_map(|(x, y)| [-0.5f32, 0.5].map(|z| (rotation * Vec3::new(x, y, z)).z));
    let at = Vec3::Z * (-0.01 - lowest.fold(f32::INFINITY, f32::min));
    let velocity = Vec3::new(0.3, -0.2, -1.0);
    let cube = world.add_body(BodyDef { rotation, velocity, ..cube(0.5, at) }) as usize;
    let before = world.state.velocities[cube];
    world.step();
    let rows = &world.system.rows;
    assert_eq!(rows.len(), 3, "one point");
    let a: Vec<Vec<f64>> = rows.iter().map(|r| rows.iter().map(|s| entry(r, s)).collect()).collect();
    assert!(a[0][1].abs() + a[0][2].abs() > 0.1 * a[0][0], "normal and tangents are coupled: {a:?}");
    // The floor is the first body of the pair.
    let speed = |r: &Row| (r.lin * before.linear + r.ang_b * before.angular).element_sum() + r.bias;
    let x = lcp_gauss_seidel(&a, &rows.iter().map(|r| -f64::from(speed(r))).collect::<Vec<_>>());
    assert!(x[0] > 0.0, "the normal pushes: {x:?}");
    for (row, x) in rows.iter().zip(&x) {
        assert!((f64::from(row.impulse) - x).abs() < 1e-5 * x.abs().max(0.1), "{} N·s for {x}", row.impulse);
    }
}

/// Momentum is conserved by every sweep, parallel or sequential, and for any number of sweeps: a joint takes from one
/// body what it gives to the other.
#[test]
fn inner_sweeps_keep_momentum() {
    for (method, jacobi) in [("GaussSeidel", "Stable"), ("Jacobi", "Stable"), ("Jacobi", "MassSplitting")] {
        let method = [format!("solver.method={method}"), format!("solver.jacobi={jacobi}")];
        let assignments = [method[0].as_str(), method[1].as_str(), "solver.iterations=2", "formulation.anchor=Length"];
        let mut world = hinge(&assignments);
        let start = world.metrics();
        run(&mut world, 2.0);
        let end = world.metrics();
        let drift = (end.momentum - start.momentum).length() / start.momentum.length();
        assert!(drift < 1e-5, "{method:?}: {drift} of the momentum");
        assert!(
            world.state.joints[0].readout.error < 0.02,
            "{method:?} holds: {} m",
            world.state.joints[0].readout.error
        );
    }
}

/// Where Jacobi gives each joint a share of its bodies' masses, the inner sweeps use these shares, so that all joints
/// together do not overshoot: a row of four hinges converges to the direct solver's velocities with ω = 1 and with ω
/// = 1/n.
#[test]
fn jacobi_comes_to_the_exact_answer_by_inner_sweeps() {
    let solved = |assignments: &[&str]| {
        let own = ["solver.rows=Inner", "stabilization.method=Baumgarte", "warm_start.enabled=false"];
        let mut world = World::new(settings(&[&own, assignments].concat()));
        let mut above = WORLD;
        for i in 0..4 {
            let at = Vec3::new(0.5 + i as f32, 0.0, 0.0);
            let link = world.add_body(BodyDef { collide: false, ..cube(0.2, at) });
            let kind = JointKind::Hinge(Hinge::default());
            world.add_joint(joint(&world, above, link, at - Vec3::X * 0.5, Vec3::Y, kind));
            above = link;
        }
        world.step();
        world.state.velocities.iter().map(|velocity| velocity.linear).collect::<Vec<_>>()
    };
    let exact = solved(&["solver.method=Direct"]);
    for step in ["solver.jacobi=MassSplitting", "solver.jacobi=Stable"] {
        let apart = |sweeps: &str| {
            let found = solved(&["solver.method=Jacobi", step, sweeps]);
            found.iter().zip(&exact).map(|(v, e)| (*v - *e).length()).fold(0.0f32, f32::max)
        };
        let (few, many) = (apart("solver.iterations=20"), apart("solver.iterations=1000"));
        assert!(many < 1e-5 && many < 0.1 * few, "{step}: {few} m/s after 20 sweeps, {many} after 1000");
    }
}
