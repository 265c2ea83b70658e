//! Rows that are written down and have no value in the pose of the scene, so that they hold nothing there.

use super::{DoctorCase, Finding, Rule, Severity};
use delassus_physics::joints::JointKind;

pub fn examine(case: &DoctorCase<'_>, found: &mut Vec<Finding>) {
    for (index, joint) in case.world.state.joints.iter().enumerate() {
        let JointKind::Formula(formula) = &joint.def.kind else { continue };
        let frames = joint.frames(&case.world.state.bodies);
        for ((text, row), number) in formula.rows.texts().zip(formula.at(&frames)).zip(1..) {
            if row.is_some() {
                continue;
            }
            found.push(Finding {
                rule: Rule::Undefined,
                severity: Severity::Warning,
                bodies: vec![joint.def.a, joint.def.b],
                joints: vec![index],
                what: format!(
                    "Row {number} of {}, {text}, has no finite value or gradient at the start: it holds nothing there.",
                    case.joint(index)
                ),
                cure:
                    "Write it so that roots, quotients and lengths stay away from zero, or place the bodies elsewhere."
                        .into(),
                fix: None,
            });
        }
    }
}
