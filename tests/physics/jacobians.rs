//! Case 20: every row's jacobian by finite differences, at random poses.

use delassus::physics::angle::Angle;
use delassus::physics::joints::*;
use delassus::physics::parts::swing_twist::SwingLimit;
use delassus::physics::row::{Ends, Law, RowList, RowSpec};
use glam::{Quat, Vec3};
use proptest::prelude::*;

/// Two bodies in motion.
#[derive(Debug, Clone, Copy)]
struct Pose {
    xa: Vec3,
    xb: Vec3,
    qa: Quat,
    qb: Quat,
}

#[derive(Debug, Clone, Copy)]
struct Motion {
    va: Vec3,
    wa: Vec3,
    vb: Vec3,
    wb: Vec3,
}

const ANCHOR_A: Vec3 = Vec3::new(0.3, -0.2, 0.5);
const ANCHOR_B: Vec3 = Vec3::new(-0.4, 0.1, 0.2);
const AXIS: Vec3 = Vec3::new(0.6, 0.0, 0.8);

fn ends(pose: &Pose, reference: Quat) -> Ends {
    Ends {
        xa: pose.xa,
        xb: pose.xb,
        qa: pose.qa,
        qb: pose.qb,
        ra: pose.qa * ANCHOR_A,
        rb: pose.qb * ANCHOR_B,
        axis_a: pose.qa * AXIS,
        axis_b: pose.qb * (reference.inverse() * AXIS),
        axis_local: AXIS,
        reference,
        rest_length: 0.7,
        previous: 0.0,
    }
}

fn moved(pose: &Pose, u: &Motion, t: f32) -> Pose {
    Pose {
        xa: pose.xa + u.va * t,
        xb: pose.xb + u.vb * t,
        qa: Quat::from_scaled_axis(u.wa * t) * pose.qa,
        qb: Quat::from_scaled_axis(u.wb * t) * pose.qb,
    }
}

fn rows(kind: &JointKind, pose: &Pose, reference: Quat) -> Vec<RowSpec> {
    let mut list = RowList::default();
    kind.linearize(&ends(pose, reference), &mut list);
    list.rows
}

fn position_error(law: Law) -> Option<f32> {
    match law {
        Law::Equal { c } | Law::AtMost { c } | Law::AtLeast { c } | Law::Soft { c, .. } => Some(c),
        Law::Drive { .. } => None,
    }
}

fn vector(size: f32) -> impl Strategy<Value = Vec3> {
    (-size..size, -size..size, -size..size).prop_map(|(x, y, z)| Vec3::new(x, y, z))
}

fn rotation() -> impl Strategy<Value = Quat> {
    vector(3.0).prop_map(Quat::from_scaled_axis)
}

/// All kinds with every optional row switched on.
fn kinds() -> Vec<JointKind> {
    let limit = Some((Angle::Radians(-0.4), Angle::Radians(0.3)));
    let motor = Some(AngularDrive { speed: 1.0, max_torque: 1.0 });
    let angular = Some(AngularSpring { hertz: 1.0, damping_ratio: 1.0, angle: Angle::Radians(0.2) });
    let half = Angle::Radians(0.6);
    vec![
        JointKind::BallSocket(BallSocket {}),
        JointKind::Distance(Distance { length: Some(0.4) }),
        JointKind::Rope(Rope { length: Some(0.4) }),
        JointKind::Spring(Spring { length: Some(0.4), ..Spring::default() }),
        JointKind::Hinge(Hinge { limit, motor, spring: angular }),
        JointKind::Fixed(Fixed {}),
        JointKind::Prismatic(Prismatic {
            limit: Some((-0.2, 0.3)),
            motor: Some(LinearDrive { speed: 1.0, max_force: 1.0 }),
            spring: Some(LinearSpring { hertz: 1.0, damping_ratio: 1.0, slide: 0.1 }),
        }),
        JointKind::AngularMotor(AngularMotor::default()),
        JointKind::OrientationLock(OrientationLock {}),
        JointKind::Plane(Plane::default()),
        JointKind::Plane(Plane { limit: Some((-0.2, 0.3)), motor: None }),
        JointKind::ConeTwist(ConeTwist { swing: SwingLimit::Cone(half), twist: limit }),
        JointKind::ConeTwist(ConeTwist { swing: SwingLimit::Ellipse(half, Angle::Radians(1.3)), twist: limit }),
        JointKind::ConstantVelocity(ConstantVelocity { swing: Some(SwingLimit::Pyramid(half, Angle::Radians(1.3))) }),
        JointKind::PointOnRing(PointOnRing { radius: Some(0.4) }),
    ]
}

#[test]
fn every_kind_is_tested() {
    let mut names: Vec<_> = kinds().iter().map(|k| k.info().name).collect();
    names.dedup();
    assert_eq!(names, JointKind::all().iter().map(|k| k.info().name).collect::<Vec<_>>());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    /// dC/dt = J u. The anchors may be apart; orientation rows are exact where the orientations agree (they are linear
    /// in a small error elsewhere), so there B stands as the joint wants it, but for its free angle. Swing and twist rows
    /// are exact everywhere.
    #[test]
    fn rows_match_finite_differences(
        xa in vector(2.0), xb in vector(2.0), qa in rotation(), reference in rotation(), free in -1.0f32..1.0,
        lean in vector(1.0),
        va in vector(1.0), wa in vector(1.0), vb in vector(1.0), wb in vector(1.0),
    ) {
        let u = Motion { va, wa, vb, wb };
        for kind in kinds() {
            let turn = match kind {
                JointKind::Hinge(_) => Quat::from_axis_angle(AXIS, free),
                JointKind::ConeTwist(_) | JointKind::ConstantVelocity(_) => Quat::from_scaled_axis(lean),
                _ => Quat::IDENTITY,
            };
            let qb = qa * turn * reference;
            let pose = Pose { xa, xb, qa, qb };
            let e = 1e-3;
            let (here, before, after) =
                (rows(&kind, &pose, reference), rows(&kind, &moved(&pose, &u, -e), reference), rows(&kind, &moved(&pose, &u, e), reference));
            for row in &here {
                let same = |rows: &[RowSpec]| {
                    rows.iter().find(|r| r.slot == row.slot).and_then(|r| position_error(r.law))
                };
                let (Some(c0), Some(c1)) = (same(&before), same(&after)) else { continue };
                let rate = (c1 - c0) / (2.0 * e);
                let speed = row.jacobian.speed(va, wa, vb, wb);
                prop_assert!((rate - speed).abs() < 5e-3 * (1.0 + speed.abs()), "{kind:?}, slot {}: dC/dt {rate}, J u {speed}", row.slot);
            }
        }
    }
}
