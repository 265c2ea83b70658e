//! Gears, belts, racks and threads: equalities of joints.
//!
//! The factors are those of the coupling's row in the scene's pose. They are constant where each of the two bodies moves
//! against one body that carries both by hinges about the axis of its wheel, or by a slide along the rack:
//!
//! ```text
//! J u = Σ Jᵢ q̇ᵢ = 0      two joints: follower = ratio × leader, ratio −J_A/J_B;  more, as in a planetary gear: a fixed
//!                        tendon, whose length Σ Jᵢ qᵢ stays
//! ```

use delassus_physics::joints::JointKind;
use delassus_scene::FlatJoint;
use glam::DVec3;

use super::closing::stiff;
use super::drives::Masses;
use super::links::{Link, Twist};
use super::motions::{Motion, anchors, axes};
use super::tags::{Tag, number, numbers};
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
}

/// Most joints between a wheel and what carries it.
const MOST: usize = 4;

impl Couplings<'_> {
    /// The equality of a coupling, with the tendon that it may need; or why there is none.
    pub fn of(&self, number: usize, joint: &FlatJoint, name: &str) -> Result<(Tag, Option<Tag>), &'static str> {
        let (a, b) = ends(joint);
        let (axis_a, axis_b) = axes(self.links, joint);
        let (at_a, at_b) = anchors(self.links, joint);
        let slides = matches!(joint.def.kind, JointKind::Rack(_));
        let fit = |moves: &[Moves<'_>], slides: bool, axis: DVec3, at: DVec3| {
            !moves.is_empty() && moves.iter().all(|moves| fits(moves.motion, slides, axis, at))
        };
        let found = [self.parent(a), self.parent(b)].into_iter().find_map(|carrier| {
            let (on_a, on_b) = (self.moves(carrier, a)?, self.moves(carrier, b)?);
            (fit(&on_a, false, axis_a, at_a) && fit(&on_b, slides, axis_b, at_b)).then_some((on_a, on_b))
        });
        let (on_a, on_b) =
            found.ok_or("couples motions that are not about its wheels' axes in one body, and is left out")?;
        let mut factors: Vec<(&str, f64)> = Vec::new();
        for (moves, link, is_b) in [(&on_a, a, false), (&on_b, b, true)] {
            for one in moves {
                let [v, w] = self.velocity(one, link);
                let (zero, still) = (DVec3::ZERO, DVec3::ZERO);
                let speeds = if is_b { [zero, still, v, w] } else { [v, w, zero, still] };
                let factor = self.masses.coupling(number, speeds).unwrap_or(0.0);
                let name = one.motion.joint.name.as_str();
                match factors.iter_mut().find(|(known, _)| *known == name) {
                    Some((_, sum)) => *sum += factor,
                    None => factors.push((name, factor)),
                }
            }
        }
        if let [(leader, of_a), (follower, of_b)] = factors[..] {
            let ratio = Some(-of_a / of_b).filter(|ratio| ratio.is_finite() && *ratio != 0.0);
            let ratio = ratio.ok_or("has no row in the pose of the scene, and is left out")?;
            return Ok((equality(name, follower, leader, ratio), None));
        }
        let mut tendon = Tag::new("fixed").with("name", name);
        let joints = factors
            .iter()
            .map(|(joint, factor)| Tag::new("joint").with("joint", *joint).with("coef", numbers([*factor])));
        tendon.children.extend(joints);
        let equality = Tag::new("tendon").with("name", name).with("tendon1", name);
        Ok((stiff(equality.with("polycoef", "0 0 0 0 0"), ["solref", "solimp"]), Some(tendon)))
    }

    /// The link on which a body hangs; all that is fixed is the world.
    fn parent(&self, link: usize) -> usize {
        self.body(self.tree.holds[link].parent)
    }

    fn body(&self, link: usize) -> usize {
        if self.links[link].fixed { 0 } else { link }
    }

    /// A link and all that it hangs on, up to the world.
    fn path(&self, link: usize) -> Vec<usize> {
        let next = |link: &usize| (*link != 0).then(|| self.parent(*link));
        std::iter::successors(Some(self.body(link)), next).collect()
    }

    /// The joints between a carrier and a body, one for each link on the way; none where a link has several.
    fn moves(&self, carrier: usize, link: usize) -> Option<Vec<Moves<'_>>> {
        let (own, other) = (self.path(link), self.path(carrier));
        let common = own.iter().find(|link| other.contains(link))?;
        let below = |path: &[usize], sense: f64| -> Vec<(usize, f64)> {
            path.iter().take_while(|link| *link != common).map(|link| (*link, sense)).collect()
        };
        let links = [below(&own, 1.0), below(&other, -1.0)].concat();
        if links.len() > MOST {
            return None;
        }
        let mut moves = Vec::new();
        for (link, sense) in links {
            match self.motions[link].as_slice() {
                [] => {}
                [motion] => moves.push(Moves { motion, sense }),
                _ => return None,
            }
        }
        Some(moves)
    }

    /// The velocity of a link's centre of mass and its angular velocity for a unit rate of a joint.
    fn velocity(&self, moves: &Moves<'_>, link: usize) -> [DVec3; 2] {
        let link = &self.links[link];
        let twist = columns(&moves.motion.joint, &link.pose).first().copied().unwrap_or(Twist::ZERO);
        [twist.at(link.centre()) * moves.sense, twist.angular * moves.sense]
    }
}

/// Whether a joint turns a wheel about this axis through this point, m, or slides along it.
fn fits(motion: &Motion, slides: bool, axis: DVec3, at: DVec3) -> bool {
    let joint = &motion.joint;
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
