//! A sweep over rows is Gauss–Seidel on A λ = c with A = J M⁻¹ Jᵀ and c = −(J u + b), u being the velocities after
//! the forces. Compared with the impulses of a chain, sweep by sweep.

use delassus_physics::body::BodyDef;
use delassus_physics::joints::{BallSocket, JointKind};
use delassus_physics::row::Row;
use delassus_physics::world::{WORLD, World};
use glam::{DVec3, Vec3};

use crate::build::{bead, body, joint, settings};

/// One Gauss–Seidel sweep over A x = c, row by row in this order.
fn sweep(a: &[Vec<f64>], c: &[f64], x: &mut [f64], order: impl Iterator<Item = usize>) {
    for i in order {
        let others: f64 = (0..x.len()).filter(|j| *j != i).map(|j| a[i][j] * x[j]).sum();
        x[i] = (c[i] - others) / a[i][i];
    }
}

/// Six bodies in a zigzag from a fixed point, one step of this many scalar sweeps from zero, in this order.
fn chain(sweeps: u32, order: &str) -> World {
    let mut world = World::new(settings(&[
        "solver.rows=Scalar",
        "warm_start.enabled=false",
        "stabilization.method=Baumgarte",
        "step.gyroscopic=Off",
        &format!("solver.iterations={sweeps}"),
        &format!("solver.order={order}"),
    ]));
    let shape = delassus_physics::shape::Shape::Box { half: Vec3::new(0.1, 0.2, 0.3) };
    let mut last = WORLD;
    for i in 0..6u32 {
        let at = Vec3::new(i as f32 * 0.5, if i % 2 == 0 { 0.2 } else { -0.2 }, 2.0 + 0.1 * i as f32);
        let mut def = body(shape.clone(), at);
        def.mass = 1.0 + i as f32;
        let link = world.add_body(def);
        let anchor = at - Vec3::new(0.25, 0.0, 0.1);
        let kind = JointKind::BallSocket(BallSocket::default());
        world.add_joint(joint(&world, last, link, anchor, Vec3::Z, kind));
        last = link;
    }
    world.step();
    world
}

#[test]
fn row_sweeps_are_gauss_seidel_on_the_delassus_matrix() {
    let start = chain(0, "Forward");
    let system = &start.system;
    let ends: Vec<(u32, u32)> =
        system.blocks.iter().flat_map(|b| std::iter::repeat_n((b.a, b.b), b.count as usize)).collect();
    let d = |v: glam::Vec3A| DVec3::new(v.x.into(), v.y.into(), v.z.into());
    // J M⁻¹ of a row at one of its bodies, and J there: linear and angular.
    let at = |row: &Row, ends: (u32, u32), id: u32| -> Option<[DVec3; 4]> {
        if id == WORLD {
            None
        } else if id == ends.0 {
            Some([d(row.lin_a()), d(row.ang_a), d(row.lin_a()) * f64::from(row.inv_ma), d(row.inv_ia)])
        } else if id == ends.1 {
            Some([d(row.lin), d(row.ang_b), d(row.lin) * f64::from(row.inv_mb), d(row.inv_ib)])
        } else {
            None
        }
    };
    let n = system.rows.len();
    let bodies = start.state.bodies.len() as u32;
    let entry = |i: usize, j: usize| -> f64 {
        let both = |id| Some((at(&system.rows[i], ends[i], id)?, at(&system.rows[j], ends[j], id)?));
        (0..bodies).filter_map(both).map(|(a, b)| a[0].dot(b[2]) + a[1].dot(b[3])).sum()
    };
    let a: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect();
    // The velocities after the forces, before any sweep has changed them.
    let c: Vec<f64> = (0..n)
        .map(|i| {
            let speed = |id: u32| {
                let [lin, ang, ..] = at(&system.rows[i], ends[i], id)?;
                let v = &start.state.velocities[id as usize];
                Some(lin.dot(d(v.linear)) + ang.dot(d(v.angular)))
            };
            -((0..bodies).filter_map(speed).sum::<f64>() + f64::from(system.rows[i].bias))
        })
        .collect();
    assert_eq!(n, 18);
    // The joints of a chain have two alternating colours: joints of the same colour share no body.
    let orders: [(&str, [[usize; 6]; 2]); 4] = [
        ("Forward", [[0, 1, 2, 3, 4, 5]; 2]),
        ("Backward", [[5, 4, 3, 2, 1, 0]; 2]),
        ("Alternating", [[0, 1, 2, 3, 4, 5], [5, 4, 3, 2, 1, 0]]),
        ("Coloured", [[0, 2, 4, 1, 3, 5]; 2]),
    ];
    for (order, blocks) in orders {
        let mut lambda = vec![0.0; n];
        for sweeps in 1..=12 {
            let blocks = blocks[(sweeps as usize - 1) % 2];
            sweep(&a, &c, &mut lambda, blocks.into_iter().flat_map(|block| 3 * block..3 * block + 3));
            let world = chain(sweeps, order);
            let scale = lambda.iter().fold(0.0f64, |m, l| m.max(l.abs()));
            for (row, exact) in world.system.rows.iter().zip(&lambda) {
                let error = (f64::from(row.impulse) - exact).abs();
                assert!(error < 1e-5 * scale, "{order}, {sweeps} sweeps: {} N·s, {exact} by the matrix", row.impulse);
            }
        }
    }
}

/// A mass on a rod turns by 0.5 rad in a step. Its rows are solved by the first sweep, for the place where the joint is at the
/// start; sweeps end at the tolerance only once they are solved for the place where it is at the end.
#[test]
fn a_tolerance_waits_for_the_curvature() {
    for method in ["GaussSeidel", "Jacobi", "Nncg"] {
        for rows in ["Block", "Mechanism"] {
            let mut world = World::new(settings(&[
                &format!("solver.method={method}"),
                &format!("solver.rows={rows}"),
                "solver.iterations=1000",
                "solver.tolerance=1e-6",
                "step.max_turn=0",
            ]));
            let turn = -30.0 * Vec3::Y;
            let at = -Vec3::Z;
            let def = BodyDef { mass: 1.0, velocity: turn.cross(at), angular_velocity: turn, ..bead(at) };
            let rod = world.add_body(def);
            world.add_joint(joint(&world, WORLD, rod, Vec3::ZERO, Vec3::Y, JointKind::BallSocket(BallSocket {})));
            world.step();
            let gap = world.metrics().joint_error_max;
            assert!(gap < 1e-5, "{method}, {rows}: open by {gap} m after {} sweeps", world.report.sweeps);
        }
    }
}
