//! Which bodies touch, as collision groups.
//!
//! Bodies that touch the same others form a class. Each class is a group, and its mask names those that it touches;
//! with at most 32 classes every relation can be given so. Bodies that overlap deep in the model's pose, as coarse hulls
//! often do, would push each other away: they do not touch. Where a body only dips into a floor or a wall, it touches it.

use std::collections::{HashMap, HashSet};

use delassus_physics::collision_filter::{GROUPS, Groups};

use super::bodies::LinkBody;
use super::overlaps::{Solid, candidates};
use super::relation::Relation;
use crate::model::{Freedom, Model};
use crate::report::{Place, Report};

/// Two moving bodies that overlap deeper than this share of the thinner one's thickness do not touch.
const THROUGH: f64 = 0.05;
/// A body that is deeper than this share of its thickness in one that belongs to the world is built into it.
const BUILT_IN: f64 = 0.25;

/// The group of bodies that are no part of the model. A mask names it and the groups of the model that it touches: a
/// short list, which people can read.
fn others() -> Groups {
    Groups::NONE.with(0, true)
}

/// Sets the groups and masks of all bodies.
pub fn set(model: &Model, made: &mut [LinkBody], report: &Report) {
    let mut touch = relation(model, made, report);
    if touch.is_all() {
        return;
    }
    let mut classes = touch.classes();
    let too_many = |classes: &[Vec<usize>]| classes.len() as u32 + 1 > GROUPS;
    if too_many(&classes) {
        // What stands still keeps touching what moves.
        let moves: Vec<bool> = made.iter().map(|made| !model.links[made.link].fixed).collect();
        for a in (0..made.len()).filter(|a| moves[*a]) {
            (0..a).filter(|b| moves[*b]).for_each(|b| touch.set(a, b, false));
        }
        classes = touch.classes();
        let rest = if too_many(&classes) { ", nor the world" } else { "" };
        let what = format!(
            "its bodies need more than the {GROUPS} groups to tell which of them touch: no two moving ones touch each \
             other{rest}"
        );
        report.note(Place::default(), "model", what);
    }
    if too_many(&classes) {
        for made in made.iter_mut() {
            (made.body.groups, made.body.mask) = (Groups::NONE.with(1, true), others());
        }
        return;
    }
    for (number, members) in classes.iter().enumerate() {
        let against = |other: &Vec<usize>| {
            let pair = members.iter().flat_map(|a| other.iter().map(move |b| (*a, *b))).find(|(a, b)| a != b);
            pair.is_none_or(|(a, b)| touch.may(a, b))
        };
        let mut mask = others();
        for (other, list) in classes.iter().enumerate() {
            mask = mask.with(other as u32 + 1, against(list));
        }
        for member in members {
            made[*member].body.groups = Groups::NONE.with(number as u32 + 1, true);
            made[*member].body.mask = mask;
        }
    }
}

/// Which bodies touch. Pairs that never meet, and those that the joint between them keeps apart, count as touching.
fn relation(model: &Model, made: &[LinkBody], report: &Report) -> Relation {
    let mut touch = Relation::all(made.len());
    let fixed: Vec<bool> = made.iter().map(|made| model.links[made.link].fixed).collect();
    let of_world: Vec<bool> = made.iter().map(|made| model.links[made.link].scenery).collect();
    // Two that can meet at all.
    let counts = |a: usize, b: usize| {
        made[a].body.collide && made[b].body.collide && !(fixed[a] && fixed[b]) && made[a].link != made[b].link
    };
    // Bodies with the same bits are alike.
    let mut alike: HashMap<(u32, u32), Vec<usize>> = HashMap::new();
    made.iter().enumerate().for_each(|(number, made)| alike.entry(made.bits()).or_default().push(number));
    for (bits, some) in &alike {
        for (others, rest) in &alike {
            let meet = bits.0 & others.1 != 0 || others.0 & bits.1 != 0;
            if !(meet && model.self_collision) {
                // Without self-collision, what moves still touches the world's own shapes.
                let touches = |a: usize, b: usize| meet && (of_world[a] || of_world[b]);
                let pairs = some.iter().flat_map(|a| rest.iter().map(move |b| (*a, *b)));
                let apart = pairs.filter(|(a, b)| counts(*a, *b) && !touches(*a, *b));
                apart.for_each(|(a, b)| touch.set(a, b, false));
            }
        }
    }
    let mut of_link = vec![Vec::new(); model.links.len()];
    made.iter().enumerate().for_each(|(number, made)| of_link[made.link].push(number));
    let pairs = |links: (usize, usize)| {
        let (of_a, of_b) = (&of_link[links.0], &of_link[links.1]);
        of_a.iter().flat_map(|a| of_b.iter().map(move |b| (*a, *b))).filter(|(a, b)| counts(*a, *b)).collect::<Vec<_>>()
    };
    // The world's own shapes are no neighbours: what is hinged to the world touches the floor.
    let scenery = |(a, b): (usize, usize)| model.links[a].scenery || model.links[b].scenery;
    let neighbours = neighbours(model).into_iter().filter(|links| !scenery(*links));
    for (a, b) in model.excluded.iter().copied().chain(neighbours).flat_map(pairs) {
        touch.set(a, b, false);
    }
    for (one, other) in &model.paired {
        let with = |name: &str| {
            let has = |body: &usize| made[*body].touching.iter().any(|shape| shape.name.as_deref() == Some(name));
            (0..made.len()).filter(has).collect::<Vec<usize>>()
        };
        for (a, b) in with(one).into_iter().flat_map(|a| with(other).into_iter().map(move |b| (a, b))) {
            if counts(a, b) {
                touch.set(a, b, true);
            }
        }
    }
    // A joint between two bodies keeps them from touching by itself.
    let joined = model.joints.iter().filter(|joint| joint.freedom != Freedom::All && model.self_collision);
    let joined = joined.map(|joint| (joint.parent, joint.child)).filter(|links| !scenery(*links)).flat_map(pairs);
    let joined: HashSet<(usize, usize)> = joined.flat_map(|(a, b)| [(a, b), (b, a)]).collect();
    joined.iter().for_each(|(a, b)| touch.set(*a, *b, true));
    let solids: Vec<Option<Solid>> =
        made.iter().map(|made| made.body.collide.then(|| Solid::of(model, made))).collect();
    for (a, b) in candidates(&solids) {
        if counts(a, b)
            && touch.may(a, b)
            && !joined.contains(&(a, b))
            && let (Some(solid), Some(other)) = (&solids[a], &solids[b])
            && let Some(what) = too_deep(model, (&made[a], solid), (&made[b], other))
        {
            report.note(Place::default(), format!("`{}` and `{}`", made[b].body.name, made[a].body.name), what);
            touch.set(a, b, false);
        }
    }
    touch
}

/// Why two bodies do not touch that overlap too deep in the model's pose.
fn too_deep(model: &Model, a: (&LinkBody, &Solid), b: (&LinkBody, &Solid)) -> Option<String> {
    let mm = |length: f64| format!("{:.1} mm", length * 1e3);
    let scenery = [a.0, b.0].map(|made| model.links[made.link].scenery);
    let (share, thickness, of) = match scenery {
        [true, _] => (BUILT_IN, b.1.thickness, format!("`{}`", b.0.body.name)),
        [_, true] => (BUILT_IN, a.1.thickness, format!("`{}`", a.0.body.name)),
        _ => (THROUGH, a.1.thickness.min(b.1.thickness), "the thinner one".into()),
    };
    let depth = a.1.deeper(b.1, share * thickness)?;
    Some(format!(
        "overlap by {} in the pose of the file, more than {} % of the thickness of {of}, {}: they do not touch each other",
        mm(depth),
        share * 100.0,
        mm(thickness)
    ))
}

/// Pairs of links between which there is a joint, directly or through links without a shape.
fn neighbours(model: &Model) -> HashSet<(usize, usize)> {
    let mut pairs = HashSet::new();
    let mut above = vec![None; model.links.len()];
    let tree: Vec<_> = model.joints.iter().filter(|j| !j.closes && j.freedom != Freedom::All).collect();
    tree.iter().for_each(|joint| above[joint.child] = Some(joint.parent));
    let touches: Vec<bool> = model.links.iter().map(|link| link.shapes.iter().any(|shape| shape.collides)).collect();
    for joint in &tree {
        let mut parent = joint.parent;
        pairs.insert((parent, joint.child));
        // Up through links that touch nothing.
        while let Some(next) = above[parent].filter(|_| !touches[parent]) {
            parent = next;
            pairs.insert((parent, joint.child));
        }
    }
    pairs
}
