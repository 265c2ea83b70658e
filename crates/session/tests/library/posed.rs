//! Mechanisms of the library's scenes, posed by every joint: their joints stay as closed as they were, and what is kept
//! reads the value that was reached.

use delassus_scene::library::{self, scenes_folder};
use delassus_session::pose::PoseRequest;
use delassus_session::{Command, Edit, Session, SessionError};

/// Larger scenes take long.
const MOST_BODIES: usize = 60;
/// Of the joints of a scene.
const MOST_JOINTS: usize = 8;

#[test]
fn poses_keep_the_joints_closed() {
    let (mut posed, mut refused) = (0, 0);
    for entry in library::ordinary(&scenes_folder()) {
        let mut session = Session::open(&entry.path).unwrap_or_else(|error| panic!("{error}"));
        let count = session.snapshot().joints.len();
        if session.snapshot().bodies.len() > MOST_BODIES {
            continue;
        }
        let error = |session: &Session| {
            let joints = session.snapshot().joints.iter().filter(|joint| joint.broken.is_none());
            joints.map(|joint| joint.readout.error.max(joint.readout.angular_error)).fold(0.0, f32::max)
        };
        let before = error(&session);
        for joint in (0..count).step_by(count.div_ceil(MOST_JOINTS).max(1)) {
            for at in session.coordinates(joint) {
                let own = session.snapshot().joints[joint].name.clone();
                let name = format!("{}: {} {:?}", entry.id, session.snapshot().joints[joint].name, at.coordinate);
                let request = PoseRequest { joint, coordinate: at.coordinate, to: at.value + 0.2 };
                let found = match session.pose(&request) {
                    Ok(found) => found,
                    Err(SessionError::Refused(_)) => {
                        refused += 1;
                        continue;
                    }
                    Err(error) => panic!("{name}: {error}"),
                };
                let Edit::Pose { placed, .. } = &found.edit else { panic!("{name}: another edit") };
                if placed.is_empty() {
                    continue;
                }
                posed += 1;
                session
                    .dispatch(Command::Edit { edit: found.edit, gesture: None })
                    .unwrap_or_else(|e| panic!("{name}: {e}"));
                let size = session.snapshot().bodies.iter().map(|body| body.pose.position.length()).fold(1.0, f32::max);
                let now = error(&session);
                assert!(now <= before + 1e-5 * size, "{name}: {now} after {before}, {found:?}", found = found.stopped);
                // Patterns and parts that are written out change the order of the joints.
                let joints = &session.snapshot().joints;
                let after = joints.iter().position(|joint| joint.name == own).unwrap_or_else(|| panic!("{name}: gone"));
                let kept = at.coordinate.is_kept(&joints[after].kind);
                let reads =
                    session.coordinates(after).iter().find(|own| own.coordinate == at.coordinate).map(|own| own.value);
                let value = if kept { found.value } else { 0.0 };
                let reads = reads.unwrap_or(f64::NAN);
                assert!((reads - value).abs() < 1e-5 * f64::from(size), "{name}: {reads} instead of {value}");
                // What does not move is no edit.
                if session.undo_label().is_some() {
                    session.dispatch(Command::Undo).unwrap_or_else(|e| panic!("{name}: {e}"));
                }
            }
        }
    }
    assert!(posed > 300 && posed > 4 * refused, "{posed} posed, {refused} refused");
}
