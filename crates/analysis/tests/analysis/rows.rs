//! The rows in 64 bits are those of the physics, kind by kind.

use delassus_analysis::rows::{self, Measure, Pose};
use delassus_physics::JointKind;
use delassus_physics::joints::Relative;
use delassus_physics::row::{RowKind, RowList};
use delassus_physics::velocity::Velocity;
use glam::{DVec3, Quat, Vec3};

use super::{Scene, bar};

/// Each kind between two boxes, then both moved a little, so that no error is zero: the same rows in the same order, with
/// the same errors. Errors have 32 bits in the physics.
#[test]
fn rows_are_those_of_the_physics() {
    let mut compared = 0;
    for kind in JointKind::all() {
        let name = kind.info().name;
        let text = format!(
            "(name: \"j\", a: \"one\", b: \"two\", anchor_a: (0.5, 0.1, 0), anchor_b: (-0.4, 0.2, 0.1), {}kind: {name}),",
            if kind.info().axis { "axis: (0.36, 0.48, 0.8), " } else { "" }
        );
        let (bodies, joints) = (bar("one", [0.0, 0.0], 1.0) + &bar("two", [1.0, 0.0], 1.0), text);
        let Ok(scene) = std::panic::catch_unwind(|| Scene::new(&bodies, &joints)) else { continue };
        let joint = &scene.world.state.joints[0];
        let poses = [
            (Vec3::new(0.02, 0.01, -0.03), Vec3::new(0.1, -0.2, 0.05)),
            (Vec3::new(1.01, 0.04, 0.02), Vec3::new(0.12, -0.15, 0.08)),
        ];
        let poses = poses.map(|(position, turn)| (position, Quat::from_scaled_axis(turn)));
        let exact = poses.map(|(x, q)| Pose { position: x.as_dvec3(), rotation: q.as_dquat().normalize() });
        let mut list = RowList::default();
        let frames = joint.frames_at(poses[0], poses[1]);
        joint.rows(&frames, &mut list);
        let held = list.rows.iter().filter_map(|spec| match spec.kind {
            RowKind::Equal { c } | RowKind::Track { c, .. } => Some((spec.jacobian, c)),
            _ => None,
        });
        let held: Vec<_> = held.collect();
        let mut own = Vec::new();
        rows::constraints(0, joint, [&exact[0], &exact[1]], &mut own);
        assert_eq!(own.len(), held.len(), "{name}");
        for (row, (jacobian, c)) in own.iter().zip(&held) {
            let near = |a: DVec3, b: Vec3| (a - b.as_dvec3()).length() < 1e-5;
            // What rows about an axis do off C = 0 is right to first order in the error only, in both forms.
            let loose = |a: DVec3, b: Vec3| (a - b.as_dvec3()).length() < 0.1;
            let motor = matches!(kind, JointKind::RotaryMotor(_));
            let angular = if motor {
                [loose(row.angular[0], jacobian.ang_a), loose(row.angular[1], jacobian.ang_b)]
            } else {
                [near(row.angular[0], jacobian.ang_a), near(row.angular[1], jacobian.ang_b)]
            };
            assert!(near(row.linear[1], jacobian.lin) && near(row.linear[0], jacobian.lin_a()), "{name}: {row:?}");
            assert!(angular == [true; 2], "{name}: {row:?} {jacobian:?}");
            let most = if motor { 0.01 } else { 2e-6 };
            assert!((row.error - f64::from(*c)).abs() < most, "{name}: {} and {c}", row.error);
            compared += 1;
        }
        if let (Some(_), Some(value)) = (Measure::of(&kind), rows::value(0, joint, [&exact[0], &exact[1]], 0.0)) {
            let twist =
                |v: f32| Velocity { linear: Vec3::new(v, 0.3, -0.2).into(), angular: Vec3::new(0.1, v, 0.4).into() };
            let (a, b) = (twist(0.2), twist(-0.7));
            let (measured, speed) = joint.def.kind.measure(&frames, &Relative::between(&frames, &a, &b));
            let of = |v: &Velocity| rows::Twist { linear: v.linear.as_dvec3(), angular: v.angular.as_dvec3() };
            assert!((value.error - f64::from(measured)).abs() < 2e-6, "{name}: {} and {measured}", value.error);
            assert!((value.speed(of(&a), of(&b)) - f64::from(speed)).abs() < 2e-6, "{name}: rate");
        }
    }
    assert!(compared > 40, "{compared}");
}
