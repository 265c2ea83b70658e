//! Tests of the editor, driven like a user.

mod copies;
pub mod editor;
pub mod frames;
pub mod handles;
pub mod joining;
pub mod live;
pub mod merging;
pub mod mirror;
pub mod spawn;

use egui_kittest::Harness;

use crate::bench::Bench;
use delassus_session::{JointPose, JointView};

/// Where a joint is, at the bodies' poses in the running world.
fn placed(harness: &Harness<'_, Bench>, joint: &JointView) -> JointPose {
    harness.state().session.snapshot().place(joint)
}
