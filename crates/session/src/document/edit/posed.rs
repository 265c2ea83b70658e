//! Joints keep what they measure when the scene is posed: their zeros, limits and lengths that count from the scene's
//! pose are changed with it, as “Keep this pose” does.

use std::collections::{HashMap, HashSet};

use glam::Vec3;

use super::keep_pose::keep_lengths_and_limits;
use super::rigid::same_turn;
use super::{Context, Placed};
use delassus_physics::joint::Joint as WorldJoint;
use delassus_physics::joints::{JointMeasure, Relative};
use delassus_physics::row::JointFrames;
use delassus_physics::velocity::Velocity;
use delassus_physics::world::World;
use delassus_scene::{Joint, Scene};

/// What differs by no more than this, rad and m, is the same to rounding of a pose.
const ROUNDING: f32 = 5e-7;

/// Changes the joints of placed bodies whose ends have moved against each other.
pub(super) fn keep_values(scene: &mut Scene, placed: &[Placed], context: &Context<'_>) {
    let names: HashSet<&str> = placed.iter().map(|p| p.name.as_str()).collect();
    let placed: HashMap<u32, &Placed> =
        placed.iter().filter_map(|placed| Some(((context.number)(&placed.name)?, placed))).collect();
    let concerned = |joint: &Joint| [&joint.a, &joint.b].into_iter().any(|end| names.contains(end.as_str()));
    let all: Vec<usize> = (0..scene.joints.len()).filter(|index| concerned(&scene.joints[*index])).collect();
    for index in all {
        let Some(joint) = (context.made)(index) else { continue };
        if let Some(joint) = measured(joint, &placed, context.beginning) {
            keep_lengths_and_limits(&mut scene.joints[index], &joint, 0.0);
        }
    }
}

/// The joint as it measures itself in the new pose; none if its ends have not moved against each other.
fn measured(joint: &WorldJoint, placed: &HashMap<u32, &Placed>, beginning: &World) -> Option<WorldJoint> {
    let bodies = &beginning.state.bodies;
    let ends = [joint.def.a, joint.def.b];
    let before = ends.map(|id| (bodies[id as usize].position, bodies[id as usize].rotation));
    let mut after = before;
    for (pose, id) in after.iter_mut().zip(ends) {
        if let Some(to) = placed.get(&id) {
            *pose = (to.at + to.rotation * bodies[id as usize].solid.centre, to.rotation);
        }
    }
    let (old, new) = (joint.frames_at(before[0], before[1]), joint.frames_at(after[0], after[1]));
    let turn = |frames: &JointFrames| frames.qa.inverse() * frames.qb;
    let gap = |frames: &JointFrames| frames.qa.inverse() * frames.p();
    let apart = gap(&old).distance(gap(&new));
    if same_turn(turn(&old), turn(&new)).is_some() && apart <= ROUNDING * (1.0 + apart) {
        return None;
    }
    let still = Relative::between(&new, &Velocity::default(), &Velocity::default());
    let mut joint = WorldJoint::clone(joint);
    let value = joint.def.kind.measure(&new, &still).0;
    let is_angle = joint.def.kind.info().measures == JointMeasure::Angle;
    joint.readout.value = if is_angle { short(value) } else { value };
    joint.readout.angles = Vec3::from_array(joint.def.kind.six_values(&new).1.to_array().map(short));
    Some(joint)
}

/// An angle of as many degrees with four decimals, if that is the same to rounding, rad.
fn short(angle: f32) -> f32 {
    let degrees = (f64::from(angle).to_degrees() * 1e4).round() / 1e4;
    let short = degrees.to_radians() as f32;
    if (short - angle).abs() <= ROUNDING * (1.0 + angle.abs()) { short } else { angle }
}
