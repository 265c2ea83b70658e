//! Tests of the editor, driven like a user.

pub mod editor;
pub mod frames;
pub mod handles;
pub mod live;
pub mod mirror;
pub mod spawn;

use egui_kittest::Harness;

use crate::session::{JointPose, JointView};
use crate::ui::bench::Bench;

/// Where a joint is, at the bodies' poses in the running world.
fn placed(harness: &Harness<'_, Bench>, joint: &JointView) -> JointPose {
    harness.state().session.snapshot().place(joint)
}
