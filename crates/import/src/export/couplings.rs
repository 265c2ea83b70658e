//! Gears, belts, racks and threads: equalities of two joints, follower = ratio × leader.
//!
//! The ratio is that of the coupling's row in the scene's pose. It is constant where each of the two bodies moves in one
//! body that carries both, by a single hinge about the axis of its wheel, or by a slide along the rack:
//!
//! ```text
//! J u = J_A q̇_A + J_B q̇_B = 0,   q̇_B = −(J_A/J_B) q̇_A
//! ```

use delassus_physics::joints::JointKind;
use delassus_scene::FlatJoint;
use glam::DVec3;

use super::closing::stiff;
use super::drives::Masses;
use super::links::{Link, Twist};
use super::motions::{Motion, anchors, axes};
use super::tags::{Tag, number};
use super::tree::{Tree, ends, parallel};
use super::velocities::columns;
use crate::model::Freedom;

/// What couplings are found from.
pub struct Couplings<'a> {
    pub links: &'a [Link<'a>],
    pub tree: &'a Tree,
    /// By link, the joints by which it moves in its parent.
    pub motions: &'a [Vec<Motion>],
    pub masses: &'a Masses,
}

/// A joint by which a body moves against another one, and the sense in which it moves with its value.
struct Moves<'a> {
    motion: &'a Motion,
    sense: f64,
    of: usize,
}

impl Couplings<'_> {
    /// The equality of a coupling, or why there is none.
    pub fn of(&self, number: usize, joint: &FlatJoint, name: &str) -> Result<Tag, &'static str> {
        let (a, b) = ends(joint);
        let carriers = [self.parent(a), self.parent(b)];
        let found = carriers.into_iter().find_map(|carrier| Some((self.moves(carrier, a)?, self.moves(carrier, b)?)));
        let Some((on_a, on_b)) = found else {
            return Err("couples bodies that do not move in one body by a single joint each, and is left out");
        };
        let (axis_a, axis_b) = axes(self.links, joint);
        let (at_a, at_b) = anchors(self.links, joint);
        let slides = matches!(joint.def.kind, JointKind::Rack(_));
        if !fits(&on_a, false, axis_a, at_a) || !fits(&on_b, slides, axis_b, at_b) {
            return Err("couples motions that are not about its wheels' axes, and is left out");
        }
        let still = [DVec3::ZERO; 2];
        let [va, wa] = self.velocity(&on_a);
        let [vb, wb] = self.velocity(&on_b);
        let of_a = self.masses.coupling(number, [va, wa, still[0], still[1]]);
        let of_b = self.masses.coupling(number, [still[0], still[1], vb, wb]);
        let ratio = of_a.zip(of_b).map(|(of_a, of_b)| -of_a / of_b).filter(|ratio| ratio.is_finite() && *ratio != 0.0);
        let ratio = ratio.ok_or("has no row in the pose of the scene, and is left out")?;
        Ok(equality(name, &on_b.motion.joint.name, &on_a.motion.joint.name, ratio))
    }

    /// The link on which a body hangs; all that is fixed is the world.
    fn parent(&self, link: usize) -> usize {
        self.body(self.tree.holds[link].parent)
    }

    fn body(&self, link: usize) -> usize {
        if self.links[link].fixed { 0 } else { link }
    }

    /// The single joint by which a body moves against a carrier: it hangs on the carrier, or the carrier on it.
    fn moves(&self, carrier: usize, link: usize) -> Option<Moves<'_>> {
        let single = |of: usize, sense: f64| match self.motions[of].as_slice() {
            [motion] if of > 0 => Some(Moves { motion, sense, of: link }),
            _ => None,
        };
        if !self.links[link].fixed && self.parent(link) == carrier {
            return single(link, 1.0);
        }
        if carrier != 0 && self.parent(carrier) == self.body(link) { single(carrier, -1.0) } else { None }
    }

    /// The velocity of the body's centre of mass and its angular velocity for a unit rate of its joint.
    fn velocity(&self, moves: &Moves<'_>) -> [DVec3; 2] {
        let link = &self.links[moves.of];
        let twist = columns(&moves.motion.joint, &link.pose).first().copied().unwrap_or(Twist::ZERO);
        [twist.at(link.centre()) * moves.sense, twist.angular * moves.sense]
    }
}

/// Whether a joint turns a wheel about this axis through this point, m, or slides along it.
fn fits(moves: &Moves<'_>, slides: bool, axis: DVec3, at: DVec3) -> bool {
    let joint = &moves.motion.joint;
    if !parallel(joint.axis, axis) {
        return false;
    }
    match joint.freedom {
        Freedom::Slide => slides,
        Freedom::Turn => !slides && (at - joint.anchor).reject_from_normalized(joint.axis).length() < 1e-4,
        _ => false,
    }
}

/// follower = ratio × leader, both from their values in the scene's pose.
pub fn equality(name: &str, follower: &str, leader: &str, ratio: f64) -> Tag {
    let tag = Tag::new("joint").with("name", name).with("joint1", follower).with("joint2", leader);
    stiff(tag.with("polycoef", format!("0 {} 0 0 0", number(ratio))), ["solref", "solimp"])
}
