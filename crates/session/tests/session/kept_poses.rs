//! A pose that is kept: the document then begins where the run is.

use delassus_session::{JointPose, Snapshot};

use super::*;

/// Where the joints are.
fn places(snapshot: &Snapshot) -> Vec<JointPose> {
    snapshot.joints.iter().map(|joint| snapshot.place(joint)).collect()
}

#[test]
fn a_kept_pose_is_where_reset_returns_to() {
    let mut session = session();
    steps(&mut session, 45);
    let kept: Vec<_> = session.snapshot().bodies.iter().map(|b| b.pose).collect();
    let anchors = places(session.snapshot());
    session.dispatch(Command::KeepPose).unwrap();
    assert!(session.is_dirty());
    session.dispatch(Command::Reset).unwrap();
    for (body, pose) in session.snapshot().bodies.iter().zip(&kept) {
        assert!((body.pose.position - pose.position).length() < 1e-6, "{}", body.name);
        assert!(body.pose.rotation.angle_between(pose.rotation) < 1e-3, "{}", body.name);
    }
    for ((joint, now), kept) in session.snapshot().joints.iter().zip(places(session.snapshot())).zip(&anchors) {
        let moved = now.anchor_a.distance(kept.anchor_a).max(now.anchor_b.distance(kept.anchor_b));
        assert!(moved < 1e-5, "{}", joint.name);
    }
    session.dispatch(Command::Undo).unwrap();
    assert!(!session.is_dirty());
    session.dispatch(Command::Reset).unwrap();
    assert_eq!(session.snapshot().bodies[2].pose.position, Vec3::new(1.0, 0.0, 4.0));
}

#[test]
fn a_kept_pose_writes_patterns_out() {
    let scene = r#"(
        version: 1,
        title: "Chain",
        patterns: [Chain(
            name: "chain",
            body: (shape: Sphere(radius: 0.1), at: (0, 0, 4), mass: 1),
            count: 4, spacing: (1, 0, 0), first: Static, joint: (kind: BallSocket(), along: 0),
        )],
    )"#;
    let mut session = Session::from_text(scene, "chain").unwrap_or_else(|e| panic!("{e}"));
    steps(&mut session, 30);
    let end = session.snapshot().bodies[3].pose.position;
    session.dispatch(Command::KeepPose).unwrap();
    let kept = session.scene().unwrap();
    assert!(kept.patterns.is_empty() && kept.bodies.len() == 4 && kept.joints.len() == 3);
    session.dispatch(Command::Reset).unwrap();
    assert!((session.snapshot().bodies[3].pose.position - end).length() < 1e-6);
    let names: Vec<_> = session.snapshot().bodies.iter().map(|b| b.name.to_string()).collect();
    assert_eq!(names, ["chain.0", "chain.1", "chain.2", "chain.3"]);
}

#[test]
fn every_kind_of_joint_is_as_satisfied_in_a_kept_pose() {
    let scenes = delassus_scene::library(&delassus_scene::library::scenes_folder());
    for entry in scenes.iter().filter(|e| e.folder() == "rows") {
        let mut session = Session::open(&entry.path).unwrap_or_else(|e| panic!("{e}"));
        steps(&mut session, 150);
        let before = session.snapshot().clone();
        session.dispatch(Command::KeepPose).unwrap();
        session.dispatch(Command::Reset).unwrap();
        for (then, now) in before.joints.iter().filter(|j| j.broken.is_none()).zip(&session.snapshot().joints) {
            let (id, name) = (&entry.id, &now.name);
            assert_eq!(then.name, now.name, "{id}: the order stays");
            assert!(
                now.readout.error < then.readout.error + 1e-4,
                "{id}, {name}: {} m against {}",
                now.readout.error,
                then.readout.error
            );
            let (a, b) = (now.readout.angular_error, then.readout.angular_error);
            assert!(a < b + 1e-3, "{id}, {name}: {a} rad against {b}");
        }
    }
}
