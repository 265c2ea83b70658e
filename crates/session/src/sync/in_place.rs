//! The part of the world that an edit changes, if it changes bodies and joints only in place, as most edits do.
//!
//! The changed bodies, their joints and the other bodies of these joints are laid out as a small scene of their own,
//! so that all checks for a scene apply to them. If patterns, parts, names or the number of bodies change, the whole
//! scene is laid out; likewise if there is a mistake, so that the message refers to its place in the whole scene.

use std::collections::BTreeSet;

use super::{BodyMatch, EditStart, EditedWorld, JointMatch, LaidOut};
use delassus_physics::body::{Body, BodyDef};
use delassus_physics::joint::JointDef;
use delassus_physics::settings::Settings;
use delassus_scene::{self as scene, FlatJoint, Joint, List, Origin, Scene};

/// Changed bodies and joints, by their indices in the world.
pub(super) struct Touched {
    bodies: Vec<(u32, BodyDef)>,
    joints: Vec<(usize, JointDef)>,
}

/// The bodies and joints that differ between the worlds at step 0 made from `before` and from `after`; `None` if the
/// whole scene must be laid out.
pub(super) fn touched(before: &Scene, after: &Scene, start: &EditStart<'_>) -> Option<Touched> {
    let (world, names) = (start.beginning, start.names);
    let rest = Scene { bodies: before.bodies.clone(), joints: before.joints.clone(), ..after.clone() };
    let same_count = before.bodies.len() == after.bodies.len() && before.joints.len() == after.joints.len();
    if !(same_count && rest.makes_the_world_of(before)) {
        return None;
    }
    let bodies = differing_indices(&before.bodies, &after.bodies, |old, new| old.name == new.name)?;
    let same_ends = |old: &Joint, new: &Joint| (&old.name, &old.a, &old.b) == (&new.name, &new.a, &new.b);
    let mut joints = differing_indices(&before.joints, &after.joints, same_ends)?;
    let first_joint = names.first_joint();
    // The document's own bodies come first in the world.
    let touches = |body: u32| body.checked_sub(1).is_some_and(|entry| bodies.contains(&(entry as usize)));
    for (index, joint) in world.state.joints.iter().enumerate() {
        if touches(joint.def.a) || touches(joint.def.b) {
            let Some(Origin::Joint(entry)) = names.joint_origins.get(index) else { return None };
            joints.insert(*entry);
        }
    }
    // Entries of the bodies in the small scene: the changed ones and the other ends of their joints.
    let mut small_bodies = bodies.clone();
    for entry in &joints {
        // The ends of joints are unchanged (`same_ends`).
        let def = &world.state.joints.get(first_joint + entry)?.def;
        for end in [def.a, def.b].into_iter().filter(|end| *end > 0) {
            let Some(Origin::Body(entry)) = names.origins.get(end as usize - 1) else { return None };
            small_bodies.insert(*entry);
        }
    }
    let entries: Vec<usize> = small_bodies.into_iter().collect();
    let small = after.excerpt(
        entries.iter().map(|entry| after.bodies[*entry].clone()).collect(),
        joints.iter().map(|entry| after.joints[*entry].clone()).collect(),
    );
    let flat = scene::expand(&small, start.base).ok()?;
    let new_bodies = (entries.iter().zip(flat.bodies))
        .filter(|(entry, _)| bodies.contains(entry))
        .map(|(entry, body)| (*entry as u32 + 1, with_shared_solid(body.def, &world.state.bodies[entry + 1])))
        .collect();
    let number = |end: u32| end.checked_sub(1).map_or(0, |i| entries[i as usize] as u32 + 1);
    let new_joints = (joints.iter().zip(flat.joints))
        .map(|(entry, FlatJoint { def, .. })| {
            (first_joint + entry, JointDef { a: number(def.a), b: number(def.b), ..def })
        })
        .collect();
    Some(Touched { bodies: new_bodies, joints: new_joints })
}

impl Touched {
    /// The world after the edit.
    pub fn next(self, start: &EditStart<'_>, settings: Settings) -> EditedWorld {
        let Self { bodies, joints } = self;
        let body = |(id, def): &(u32, BodyDef)| {
            let old = &start.beginning.state.bodies[*id as usize];
            let same_pose = (def.position, def.rotation.normalize()) == (old.position, old.rotation);
            BodyMatch { id: *id, old_id: Some(*id), keeps_state: same_pose && def.motion == old.motion }
        };
        let joint =
            |(index, def): &(usize, JointDef)| JointMatch { index: *index, old_index: Some(*index), def: def.clone() };
        let matches = (bodies.iter().map(body).collect(), joints.iter().map(joint).collect());
        EditedWorld { laid_out: LaidOut::InPlace { bodies, joints }, settings, bodies: matches.0, joints: matches.1 }
    }
}

/// The indices at which two lists of equal length differ; `None` if a pair that differs is not `alike`.
fn differing_indices<T: PartialEq>(
    old: &List<T>,
    new: &List<T>,
    alike: impl Fn(&T, &T) -> bool,
) -> Option<BTreeSet<usize>> {
    old.unlike(new).map(|(place, old, new)| alike(old, new).then_some(place)).collect()
}

/// Reuses the old solid if the shape is equal, so that bodies of equal shape share one solid and are drawn as one.
fn with_shared_solid(def: BodyDef, old: &Body) -> BodyDef {
    if old.solid.shape == def.solid.shape { BodyDef { solid: old.solid.clone(), ..def } } else { def }
}
