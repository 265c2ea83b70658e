//! What an edit touches that has only changed bodies and joints in their places, as most do.
//!
//! They are laid out as a scene of their own, the changed bodies, their joints, and the other ends of these; so
//! whatever is checked in a scene is checked in them. Patterns and parts, names, the number of bodies: then everything
//! is laid out, and so it is where something is wrong, which is to be told by its place in the whole scene.

use std::collections::BTreeSet;

use super::{BodyKin, Ground, JointKin, Laid, Next};
use crate::physics::body::{Body, BodyDef};
use crate::physics::joint::JointDef;
use crate::physics::settings::Settings;
use crate::scene::{self, FlatJoint, Joint, List, Origin, Scene};

/// Bodies and joints under the numbers that they have.
pub(super) struct Touched {
    bodies: Vec<(u32, BodyDef)>,
    joints: Vec<(usize, JointDef)>,
}

/// What of a world, made of `before` and not yet stepped, is another as made of `after`; `None` if only all of it
/// tells.
pub(super) fn touched(before: &Scene, after: &Scene, ground: &Ground<'_>) -> Option<Touched> {
    let (world, names) = (ground.beginning, ground.names);
    let rest = Scene { bodies: before.bodies.clone(), joints: before.joints.clone(), ..after.clone() };
    let same_count = before.bodies.len() == after.bodies.len() && before.joints.len() == after.joints.len();
    if !(same_count && rest.makes_the_world_of(before)) {
        return None;
    }
    let bodies = changed(&before.bodies, &after.bodies, |old, new| old.name == new.name)?;
    let same_ends = |old: &Joint, new: &Joint| (&old.name, &old.a, &old.b) == (&new.name, &new.a, &new.b);
    let mut joints = changed(&before.joints, &after.joints, same_ends)?;
    let first_joint = names.first_joint();
    // The document's bodies come first in the world.
    let touches = |body: u32| body.checked_sub(1).is_some_and(|entry| bodies.contains(&(entry as usize)));
    for (index, joint) in world.joints.iter().enumerate() {
        if touches(joint.def.a) || touches(joint.def.b) {
            let Some(Origin::Joint(entry)) = names.joint_origins.get(index) else { return None };
            joints.insert(*entry);
        }
    }
    // The bodies of the small scene by their entries: the changed ones and the other ends.
    let mut small_bodies = bodies.clone();
    for entry in &joints {
        // The ends have not changed, see above.
        let def = &world.joints.get(first_joint + entry)?.def;
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
    let flat = scene::expand(&small, ground.base).ok()?;
    let new_bodies = (entries.iter().zip(flat.bodies))
        .filter(|(entry, _)| bodies.contains(entry))
        .map(|(entry, body)| (*entry as u32 + 1, of_known_shape(body.def, &world.bodies[entry + 1])))
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
    /// What the world becomes with it.
    pub fn next(self, ground: &Ground<'_>, settings: Settings) -> Next {
        let Self { bodies, joints } = self;
        let body = |(id, def): &(u32, BodyDef)| {
            let was = &ground.beginning.bodies[*id as usize];
            let begins = (def.position, def.rotation.normalize()) == (was.position, was.rotation);
            BodyKin { id: *id, was: Some(*id), stays: begins && def.motion == was.motion }
        };
        let joint = |(index, def): &(usize, JointDef)| JointKin { index: *index, was: Some(*index), def: def.clone() };
        let kin = (bodies.iter().map(body).collect(), joints.iter().map(joint).collect());
        Next { laid: Laid::InPlace { bodies, joints }, settings, bodies: kin.0, joints: kin.1 }
    }
}

/// The places where two lists of one length differ; `None` if what differs there is not `alike`.
fn changed<T: PartialEq>(old: &List<T>, new: &List<T>, alike: impl Fn(&T, &T) -> bool) -> Option<BTreeSet<usize>> {
    old.unlike(new).map(|(place, old, new)| alike(old, new).then_some(place)).collect()
}

/// The body with the solid that it had, if that has the same shape: equal shapes are one solid, which is drawn as one.
fn of_known_shape(def: BodyDef, was: &Body) -> BodyDef {
    if was.solid.shape == def.solid.shape { BodyDef { solid: was.solid.clone(), ..def } } else { def }
}
