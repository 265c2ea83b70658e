//! Which bodies do not touch, where groups and masks do not say it: `<exclude>`.
//!
//! In a scene two bodies touch if each one's mask has a group of the other; in MJCF one of the two suffices. A joint keeps
//! its bodies from touching unless it says otherwise; MJCF knows that of parent and child only, and not of the world.

use std::collections::BTreeSet;

use delassus_scene::FlatJoint;

use super::geoms::Geoms;
use super::links::Link;
use super::tree::ends;
use crate::report::{Place, Report};

/// Most pairs that are excluded one by one.
const MAX_PAIRS: usize = 20_000;

/// What `<contact>` says.
#[derive(Debug, Default)]
pub struct Excluded {
    /// Pairs of links, the smaller number first.
    pub pairs: BTreeSet<(usize, usize)>,
    /// Whether parents touch their children unless they are excluded.
    pub parents_touch: bool,
}

/// The pairs of a scene that do not touch.
pub fn excluded(links: &[Link<'_>], joints: &[FlatJoint], geoms: &Geoms, report: &Report) -> Excluded {
    let mut found = Excluded { parents_touch: joints.iter().any(|joint| joint.def.collide), ..Excluded::default() };
    let collides = |link: usize| links[link].def.is_some_and(|def| def.collide);
    let apart = |a: usize, b: usize| links[a].fixed && links[b].fixed;
    for joint in joints.iter().filter(|joint| !joint.def.collide) {
        let (a, b) = ends(joint);
        if a != b && collides(a) && collides(b) && !apart(a, b) {
            found.pairs.insert((a.min(b), a.max(b)));
        }
    }
    // Bodies by their filters, of which there are few.
    let mut classes: Vec<((u32, u32), Vec<usize>)> = Vec::new();
    for link in (1..links.len()).filter(|link| collides(*link)) {
        let Some(def) = links[link].def else { continue };
        let filter = (geoms.bits(def.filter.groups), geoms.bits(def.filter.mask));
        match classes.iter_mut().find(|(known, _)| *known == filter) {
            Some((_, members)) => members.push(link),
            None => classes.push((filter, vec![link])),
        }
    }
    for (i, ((groups, mask), members)) in classes.iter().enumerate() {
        for ((other_groups, other_mask), others) in &classes[..=i] {
            let (there, back) = (groups & other_mask != 0, other_groups & mask != 0);
            if there == back {
                continue;
            }
            if found.pairs.len() + members.len() * others.len() > MAX_PAIRS {
                let what = "masks that only one of two bodies has are left out: there are too many such pairs";
                report.note(Place::default(), "collision groups", what);
                return found;
            }
            let pairs = members.iter().flat_map(|a| others.iter().map(move |b| (*a, *b)));
            found.pairs.extend(pairs.filter(|(a, b)| a != b && !apart(*a, *b)).map(|(a, b)| (a.min(b), a.max(b))));
        }
    }
    found
}
