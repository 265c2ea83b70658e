//! Which joints of a system are solved as mechanisms (`solvers/mechanism`), and no longer in trees or by sweeps.

use super::graph::NONE;
use super::joint::Joint;
use super::plan::paths::{self, Path};
use super::row::{Coupling, Owner, RowId};
use super::settings::Settings;
use super::solvers::mechanism::{Link, LinkRows};
use super::system::System;
use super::world::state::State;

/// Finds the mechanisms of a system whose joints have their rows, and takes their joints out of the trees and the
/// sweeps.
pub(crate) fn select(settings: &Settings, state: &State, system: &mut System) {
    let System { blocks, ids, trees, joint_rows, .. } = system;
    let mechanisms = &mut trees.mechanisms;
    let mut links = std::mem::take(&mut mechanisms.links);
    links.clear();
    if paths::takes(Path::Mechanisms, settings) {
        let moving = |body: u32| if state.bodies[body as usize].is_dynamic() { body } else { NONE };
        links.extend(state.joints.iter().enumerate().map(|(index, joint)| {
            let rows = (joint_rows[index + 1] - joint_rows[index]) as usize;
            let (a, b) = (moving(joint.def.a), moving(joint.def.b));
            Link { a, b, room: Link::room(rows), rows: LinkRows::None }
        }));
        for block in blocks.iter() {
            let Owner::Joint(joint) = block.owner else { continue };
            let link = &mut links[joint as usize];
            link.rows = match (block.coupling, link.rows) {
                _ if relaxes_alone(&state.joints[joint as usize]) => LinkRows::Swept,
                (Coupling::Tree, LinkRows::None | LinkRows::Equal) => LinkRows::Equal,
                (_, LinkRows::Swept) => LinkRows::Swept,
                _ => LinkRows::Other,
            };
        }
    }
    mechanisms.links = links;
    mechanisms.update_plan(state.bodies.len());
    if mechanisms.plan.mechanisms.is_empty() {
        return;
    }
    let takes = |joint: u32| mechanisms.takes(joint);
    for block in blocks.iter_mut() {
        if matches!(block.owner, Owner::Joint(joint) if takes(joint)) {
            block.coupling = Coupling::Tree;
        }
    }
    let mut kept = 0;
    for index in 0..trees.edges.len() {
        let first = trees.first_row[index];
        if matches!(ids[first as usize], RowId::Joint { joint, .. } if takes(joint)) {
            continue;
        }
        (trees.edges[kept], trees.first_row[kept]) = (trees.edges[index], first);
        kept += 1;
    }
    trees.edges.truncate(kept);
    trees.first_row.truncate(kept);
    let rows = |joint: usize| joint_rows[joint] as usize..joint_rows[joint + 1] as usize;
    trees.mechanisms.place(rows, |joint| [state.joints[joint].def.a, state.joints[joint].def.b]);
}

/// Whether a joint is relaxed in a number of sweeps of its own.
fn relaxes_alone(joint: &Joint) -> bool {
    joint.def.options.stabilization.is_some_and(|options| options.relax.is_some())
}
