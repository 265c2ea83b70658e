//! A mechanism copied into a world of its own, and whether the step solves its rows exactly there.

use std::collections::HashMap;

use super::DoctorCase;
use super::mechanism::Mechanism;
use delassus_physics::body::{Body, BodyDef, Motion};
use delassus_physics::plan::{self, Path};
use delassus_physics::row::{RowKind, RowList};
use delassus_physics::solvers;
use delassus_physics::world::World;

/// A world with only the mechanism's bodies and joints, after one step. The bodies started in their present poses, at
/// rest; contacts and breaking are off.
pub fn stepped(case: &DoctorCase<'_>, mechanism: &Mechanism) -> World {
    let mut alone = World::new(case.world.settings);
    alone.settings.contact.enabled = false;
    alone.settings.breaking.enabled = false;
    let mut copies: HashMap<u32, u32> = HashMap::new();
    let mut copy_of = |id: u32, alone: &mut World| {
        if id == 0 {
            return 0;
        }
        *copies.entry(id).or_insert_with(|| alone.add_body(at_rest(case, id)))
    };
    for joint in &mechanism.joints {
        let mut def = case.world.state.joints[*joint].def.clone();
        (def.a, def.b) = (copy_of(def.a, &mut alone), copy_of(def.b, &mut alone));
        alone.add_joint(def);
    }
    alone.pipeline.executor.keep_rows = true;
    alone.step();
    alone
}

/// Whether the rows of this mechanism are solved exactly and not by sweeps: by the direct solver, as one block, or as a
/// tree of joints whose rows are all equalities.
pub fn is_exact(case: &DoctorCase<'_>, mechanism: &Mechanism) -> bool {
    let settings = &case.world.settings;
    if solvers::of(settings.solver.method).exact {
        return true;
    }
    let joints = || mechanism.joints.iter().map(|joint| &case.world.state.joints[*joint]);
    let own_sweeps = joints().any(|joint| joint.def.options.stabilization.is_some_and(|patch| patch.relax.is_some()));
    if own_sweeps || !settings.solver.rows.takes_trees() {
        return false;
    }
    if plan::takes(Path::Mechanisms, settings) {
        return stepped(case, mechanism).report.dense_mechanisms == 0;
    }
    let bodies = &case.world.state.bodies;
    let is_held = |body: u32| !bodies[body as usize].is_dynamic();
    let held = joints().any(|joint| is_held(joint.def.a) || is_held(joint.def.b));
    let is_tree = mechanism.joints.len() < mechanism.bodies.len() + usize::from(held);
    let mut list = RowList::default();
    is_tree
        && joints().all(|joint| {
            list.rows.clear();
            joint.def.kind.linearize(&joint.frames(bodies), &mut list);
            list.rows.iter().all(|row| matches!(row.kind, RowKind::Equal { .. }))
        })
}

/// A body in its present pose, at rest.
fn at_rest(case: &DoctorCase<'_>, id: u32) -> BodyDef {
    let body: &Body = &case.world.state.bodies[id as usize];
    BodyDef {
        rotation: body.rotation,
        motion: if body.is_dynamic() { Motion::Dynamic } else { Motion::Static },
        mass: body.mass,
        inertia: body.inertia_by_value(),
        material: body.material,
        collide: false,
        particle: body.is_dynamic() && body.inv_inertia_local == glam::Mat3::ZERO,
        plane: case.plane(id),
        ..BodyDef::new(body.solid.clone(), body.position)
    }
}
