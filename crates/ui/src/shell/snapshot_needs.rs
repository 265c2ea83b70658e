//! Which parts of a snapshot the open panels, overlays and the selection need. In a large scene the rest is not made.

use crate::shell::state::{BottomTab, UiState};
use delassus_session::{BodyNeeds, JointNeeds, Snapshot, SnapshotNeeds};

/// Scenes with more bodies and joints than this count as large.
const MAX_SMALL_SCENE: usize = 4000;

/// What is read of bodies that are drawn on the device that steps them: only their numbers, and of many bodies only
/// when the numbers on the screen change.
pub fn device_body_needs(snapshot: &Snapshot, numbers: bool) -> BodyNeeds {
    let many = snapshot.bodies.len() + snapshot.joints.len() > MAX_SMALL_SCENE;
    if many && !numbers { BodyNeeds::Unasked } else { BodyNeeds::Late }
}

/// What the window shows of a running world. `numbers`: the numbers on the screen change in this frame, which costs a
/// pass over all bodies.
pub fn snapshot_needs(state: &UiState, snapshot: &Snapshot, numbers: bool) -> SnapshotNeeds {
    if snapshot.bodies.len() + snapshot.joints.len() <= MAX_SMALL_SCENE {
        return SnapshotNeeds { quantities: state.shows(BottomTab::Plots), ..SnapshotNeeds::ALL };
    }
    let overlays = &state.view3d.overlays;
    let selected: Vec<usize> = state.selection.joints().collect();
    let joints = if overlays.joint_forces { JointNeeds::All } else { JointNeeds::These(selected) };
    let samples = state.shows(BottomTab::Plots);
    SnapshotNeeds { figures: numbers, samples, quantities: samples, joints, bodies: BodyNeeds::Now }
}

#[cfg(test)]
mod tests {
    use super::*;
    use delassus_session::Session;

    fn session(count: usize) -> Session {
        let text = format!(
            "(version: 1, title: \"Many\", settings: (contact: (enabled: false)), patterns: [Chain(name: \"c\", \
             body: (shape: Sphere(radius: 0.1), mass: 1), count: {count}, spacing: (0.25, 0, 0), joint: (kind: \
             BallSocket))])"
        );
        Session::from_text(&text, "many").expect("the scene is right")
    }

    #[test]
    fn a_large_scene_is_looked_at_by_what_is_open_and_a_small_one_whole() {
        let (small, large) = (session(10), session(MAX_SMALL_SCENE));
        let mut state = UiState::default();
        assert_eq!(snapshot_needs(&state, small.snapshot(), false), SnapshotNeeds::ALL);
        let needs_of = |state: &UiState, numbers| snapshot_needs(state, large.snapshot(), numbers);
        // Initially joints are marked and plots are shown. Where joints are follows from the bodies' poses.
        let SnapshotNeeds { figures, samples, quantities, joints, .. } = needs_of(&state, false);
        assert_eq!((figures, samples, quantities, joints), (false, true, true, JointNeeds::These(Vec::new())));
        assert!(needs_of(&state, true).figures);
        state.panels.plots = false;
        assert_eq!(needs_of(&state, false), SnapshotNeeds::POSES);
        (state.selection.joint, state.selection.more_joints) = (Some(7), vec![3]);
        assert_eq!(needs_of(&state, false).joints, JointNeeds::These(vec![3, 7]));
        state.view3d.overlays.joint_forces = true;
        assert_eq!(needs_of(&state, false).joints, JointNeeds::All);
    }
}
