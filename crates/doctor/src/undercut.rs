//! Cams whose hollows are too narrow for the roller.
//!
//! ```text
//! 1 + ρ κ > 0     κ the curvature of the profile, negative in a hollow; ρ the radius of the roller
//! ```
//! The roller's centre moves on the curve at the distance ρ, whose radius of curvature is 1/κ + ρ. Where that changes its
//! sign the curve has a corner. Source: Norton, Design of Machinery, ch. 8, radius of curvature of a roller follower.

use super::words::number;
use super::{DoctorCase, Finding, Rule, Severity};
use delassus_physics::joints::JointKind;

pub fn examine(case: &DoctorCase<'_>, found: &mut Vec<Finding>) {
    for (index, joint) in case.world.state.joints.iter().enumerate() {
        let JointKind::Cam(cam) = &joint.def.kind else { continue };
        if cam.roller == 0.0 {
            continue;
        }
        let hollow = -cam.radii.extremes().1;
        if f64::from(cam.roller) * hollow < 1.0 {
            continue;
        }
        found.push(Finding {
            rule: Rule::Undercut,
            severity: Severity::Warning,
            bodies: vec![joint.def.a, joint.def.b],
            joints: vec![index],
            what: format!(
                "The roller of {} has a radius of {} m, but a hollow of its cam has a radius of {} m: the roller does \
                 not reach the bottom, and its centre meets a corner.",
                case.joint(index),
                number(cam.roller),
                number((1.0 / hollow) as f32)
            ),
            cure: "Use a smaller roller, or a profile with wider hollows.".into(),
            fix: None,
        });
    }
}
