//! Joints that follow another one, as gears and belts.
//!
//! A gear or a belt couples the rotations of two bodies against the line of their centres, r_a θ_a ± r_b θ_b = const.
//! That is the ratio of two hinges with parallel axes if the line of centres is fixed in a body that both hinges share:
//!
//! ```text
//! siblings   parent carries both children:            θ_a = q_a,  θ_b = q_b
//! in series  the child of one is the parent of other: θ_a = −q_a (the first parent against the middle link), θ_b = q_b
//! belt       q_b = +|r_a/r_b| q_a of siblings with equal axes;  gear  q_b = −|r_a/r_b| q_a
//! ```

use delassus_physics::joints::{Belt, Gear, JointKind};
use delassus_scene::Joint as SceneJoint;

use super::bodies::LinkBody;
use super::joints::{ends, within};
use super::names::Names;
use crate::model::{Coupling, Freedom, Joint, Model};
use crate::report::Report;

/// The couplings of a scene. `names` are those of the model's joints in the scene, `taken` all that are taken.
pub fn all(
    model: &Model,
    made: &[LinkBody],
    names: &[Option<String>],
    taken: &mut Names,
    report: &Report,
) -> Vec<SceneJoint> {
    let mut joints = Vec::new();
    for coupling in &model.couplings {
        match of(model, made, names, coupling) {
            Ok(joint) => joints.push(SceneJoint { name: taken.unique(&coupling.name), ..joint }),
            Err(why) => {
                let what = format!("cannot be used, {why}: the joint moves by itself");
                report.note(coupling.place, coupling.name.clone(), what);
            }
        }
    }
    joints
}

fn of(
    model: &Model,
    made: &[LinkBody],
    names: &[Option<String>],
    coupling: &Coupling,
) -> Result<SceneJoint, &'static str> {
    let (lead, follow) = (&model.joints[coupling.leader], &model.joints[coupling.follower]);
    if names[coupling.leader].is_none() || names[coupling.follower].is_none() {
        return Err("one of the joints is left out");
    }
    if [lead, follow].iter().any(|joint| joint.freedom != Freedom::Turn) {
        return Err("only hinges can follow hinges");
    }
    if (follow.value - coupling.ratio * lead.value - coupling.offset).abs() > 1e-6 {
        return Err("it does not hold in the pose of the file");
    }
    if coupling.ratio == 0.0 {
        return Err("its ratio is zero");
    }
    let along = lead.axis.dot(follow.axis);
    if along.abs() < 1.0 - 1e-6 {
        return Err("the axes are not parallel");
    }
    // The first body and the sense in which it turns with the leader.
    let (near, sense) = if lead.parent == follow.parent {
        (lead.child, 1.0)
    } else if lead.child == follow.parent {
        (lead.parent, -1.0)
    } else {
        return Err("the joints share no link between them");
    };
    let line = (follow.anchor - lead.anchor).reject_from_normalized(lead.axis).length();
    if line < 1e-4 {
        return Err("the axes coincide");
    }
    // The rate at which the follower turns about the leader's axis, for each turn of the first body about it.
    let rate = coupling.ratio * along.signum() * sense;
    let [radius_a, radius_b] = [rate.abs(), 1.0].map(|share| (0.8 * line * share / (rate.abs() + 1.0)) as f32);
    let kind = match rate > 0.0 {
        true => JointKind::Belt(Belt { radius_a, radius_b }),
        false => JointKind::Gear(Gear { radius_a, radius_b }),
    };
    let names = ends(model, made, &Joint { parent: near, child: follow.child, ..follow.clone() });
    let Some([a, b]) = names else { return Err("both of its ends are fixed") };
    let mut joint = SceneJoint::new(a.clone(), b.clone(), follow.anchor.as_vec3(), kind);
    joint.anchor = None;
    joint.axis = Some(lead.axis.as_vec3());
    joint.anchor_a = Some(within(made, &a, lead.anchor));
    joint.anchor_b = Some(within(made, &b, follow.anchor));
    Ok(joint)
}
