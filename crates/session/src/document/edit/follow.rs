//! Moves bodies, and updates the joints attached to them.
//!
//! If one of a joint's two bodies is moved, the joint's ends stay fixed on the bodies. If both are moved by one
//! motion, an anchor or axis given in the world moves with them.

use std::collections::HashMap;

use super::rigid::{Rigid, kept, same_turn};
use super::{Context, Placed};
use crate::SessionError;
use delassus_scene::{Body, Joint, JointPlaces, Scene, WORLD};

/// Moves bodies and updates their joints; anchors and axes that these have in the world move by `world`. Bodies of
/// patterns and parts that are moved as wholes are skipped.
pub(super) fn place(
    scene: &mut Scene,
    placed: &[Placed],
    world: Option<Rigid>,
    context: &Context<'_>,
) -> Result<(), SessionError> {
    let mut motions: HashMap<&str, Rigid> = context.members.clone();
    for p in placed.iter().filter(|p| !context.members.contains_key(p.name.as_str())) {
        let body = &mut scene.bodies[context.body(&p.name)?];
        let Ok(rotation) = body.rotation.quat() else { continue };
        motions.insert(&p.name, Rigid::between((body.at, rotation), (p.at, p.rotation)));
        body.at = kept(body.at, p.at);
        if same_turn(rotation, p.rotation).is_none() {
            body.rotation = p.rotation.into();
        }
    }
    carry_joints(scene, &motions, world, context);
    Ok(())
}

/// Updates the joints of bodies that a change has moved.
pub(super) fn settle_joints(scene: &mut Scene, changed: &[(usize, &str, &Body)], context: &Context<'_>) {
    let moved = |(index, name, new): &(usize, &str, &Body)| {
        let old = &scene.bodies[*index];
        let elsewhere = old.at != new.at || old.rotation != new.rotation;
        let to = new.rotation.quat().ok().filter(|_| elsewhere && new.at.is_finite())?;
        let from = old.rotation.quat().ok()?;
        Some(((*name).to_owned(), Rigid::between((old.at, from), (new.at, to))))
    };
    let motions: Vec<(String, Rigid)> = changed.iter().filter_map(moved).collect();
    let motions = motions.iter().map(|(name, motion)| (name.as_str(), *motion)).collect();
    carry_joints(scene, &motions, None, context);
}

/// Updates the joints of moved bodies; see the module documentation. `world` is the motion of joint ends that are
/// fixed in the world.
fn carry_joints(scene: &mut Scene, motions: &HashMap<&str, Rigid>, world: Option<Rigid>, context: &Context<'_>) {
    let motion = |name: &str| motions.get(name);
    // For few names, comparing is faster than hashing.
    let few: Vec<&str> = motions.keys().copied().filter(|_| motions.len() < 4).collect();
    let may_move = |name: &str| few.is_empty() || few.contains(&name);
    let moves = |joint: &Joint| [&joint.a, &joint.b].into_iter().any(|end| may_move(end) && motion(end).is_some());
    let hang: Vec<usize> = scene.joints.iter().enumerate().filter(|(_, j)| moves(j)).map(|(i, _)| i).collect();
    for index in hang {
        let joint = &scene.joints[index];
        let [a, b] = [&joint.a, &joint.b].map(|name| motion(name));
        let world = world.filter(|_| joint.a == WORLD || joint.b == WORLD);
        let common = match (a, b, &world) {
            (Some(one), Some(other), _) | (Some(one), None, Some(other)) | (None, Some(one), Some(other)) => {
                Some(*one).filter(|one| one.is_like(other))
            }
            _ => None,
        };
        if let Some(motion) = common {
            let joint = &mut scene.joints[index];
            joint.places_mut().common.map(|p| motion.point(p), |d| motion.direction(d));
            joint.kind.move_points(|p| motion.point(p));
        } else if (joint.anchor.is_some() || joint.axis.is_some() || !has_both_ends(joint))
            && let Some(fixed) = (context.on_bodies)(index)
        {
            scene.joints[index] = fixed;
        }
        if let Some(motion) = world {
            carry_world_end(&mut scene.joints[index], &motion);
        }
    }
}

/// Moves the joint end that is fixed in the world.
fn carry_world_end(joint: &mut Joint, motion: &Rigid) {
    let a_is_world = joint.a == WORLD;
    if a_is_world {
        joint.kind.turn_axes(motion.turn);
    }
    let JointPlaces { common: _, a, b } = joint.places_mut();
    let held = if a_is_world { a } else { b };
    held.map(|p| motion.point(p), |d| motion.direction(d));
}

fn has_both_ends(joint: &Joint) -> bool {
    let axes = !joint.kind.info().axis || (joint.axis_a.is_some() && joint.axis_b.is_some());
    joint.anchor_a.is_some() && joint.anchor_b.is_some() && axes
}
