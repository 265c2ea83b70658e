//! Rows of joints at the poses that the bodies have reached within a sub-step: TGS soft relaxes along these.

use super::effective_mass::{block_inverse, block_mass, inverses, row_between};
use super::kernel::row::invert;
use super::row::{Coupling, JointFrames, RowId, RowKind};
use super::settings::Settings;
use super::stabilize;
use super::system::System;
use super::world::state::State;

/// Gives the joints' rows their directions and effective masses at the present poses, at the world time `time`, s, in a
/// sub-step of `h` seconds. Rows keep their impulses and softness. A stop that is not reached yet may close for the rest
/// of its way and no more; one that is reached has no push left.
pub(crate) fn joints(settings: &Settings, state: &State, system: &mut System, (time, h): (f64, f32)) {
    let mut list = std::mem::take(&mut system.list);
    for (index, joint) in state.joints.iter().enumerate() {
        let range = system.joint_rows[index] as usize..system.joint_rows[index + 1] as usize;
        if range.is_empty() {
            continue;
        }
        let [a, b] = [joint.def.a, joint.def.b].map(|body| inverses(&state.bodies[body as usize]));
        let settings = &*stabilize::settings_of(joint, settings);
        let frames = joint.frames_in_form(&state.bodies, settings);
        let factor = joint.factor(time);
        joint.rows(&JointFrames { by_time: [factor; 2], ..frames }, &mut list);
        for row in range {
            let RowId::Joint { slot, .. } = system.ids[row] else { continue };
            let Some(spec) = list.rows.iter().find(|spec| spec.slot == slot) else { continue };
            let now = row_between(&spec.jacobian, &a, &b);
            let row = &mut system.rows[row];
            let k = if now.inv_k > 0.0 { 1.0 / now.inv_k } else { 0.0 };
            (row.lin, row.ang_a, row.ang_b, row.net) = (now.lin, now.ang_a, now.ang_b, now.net);
            (row.inv_ia, row.inv_ib, row.inv_k) = (now.inv_ia, now.inv_ib, invert(k + row.gamma));
            if matches!(spec.kind, RowKind::AtMost { .. } | RowKind::AtLeast { .. }) {
                let target = stabilize::target(spec.kind, spec.group, true, settings, h);
                row.bias = if target.softness > 0.0 { 0.0 } else { target.bias };
            }
        }
    }
    system.list = list;
    for block in &system.blocks {
        if let Coupling::Anchor { inverse } = block.coupling {
            let k = block_mass(&system.rows[block.range()], 1.0, 1.0);
            if let Some(k) = block_inverse(&k) {
                system.couplings.inverses[inverse as usize] = k;
            }
        }
    }
}
