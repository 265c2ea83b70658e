//! Which bodies touch, as collision groups.
//!
//! Bodies that touch the same others form a class. Each class is a group, and its mask names those that it touches;
//! with at most 32 classes every relation can be given so. Bodies that overlap in the model's pose, as coarse hulls
//! often do, would push each other away: they do not touch.

use delassus_physics::collision_filter::{GROUPS, Groups};
use parry3d::math::Pose;
use parry3d::query;

use super::bodies::LinkBody;
use crate::model::{Freedom, Model};
use crate::report::{Place, Report};

/// The group of bodies that are no part of the model. A mask names it and the groups of the model that it touches: a
/// short list, which people can read.
fn others() -> Groups {
    Groups::NONE.with(0, true)
}

/// Sets the groups and masks of all bodies.
pub fn set(model: &Model, made: &mut [LinkBody], report: &Report) {
    let count = made.len();
    let neighbours = neighbours(model);
    let joined = |a: usize, b: usize| neighbours.iter().any(|pair| *pair == (a, b) || *pair == (b, a));
    let excluded = |a: usize, b: usize| model.excluded.iter().any(|pair| *pair == (a, b) || *pair == (b, a));
    let geometry: Vec<_> = made.iter().map(|made| placed(&made.body)).collect();
    let mut touch = vec![vec![true; count]; count];
    for i in 0..count {
        for j in 0..i {
            let (a, b) = (&made[i], &made[j]);
            let both_fixed = model.links[a.link].fixed && model.links[b.link].fixed;
            if !(a.body.collide && b.body.collide) || both_fixed || a.link == b.link {
                continue;
            }
            let meet = a.bits.0 & b.bits.1 != 0 || b.bits.0 & a.bits.1 != 0;
            let mut may = model.self_collision && meet && !excluded(a.link, b.link) && !joined(a.link, b.link);
            if may && overlap(&geometry[i], &geometry[j]) {
                let what = "overlap in the pose of the file, and do not touch each other";
                report.note(Place::default(), format!("`{}` and `{}`", b.body.name, a.body.name), what);
                may = false;
            }
            // A joint between two bodies keeps them from touching by itself.
            let by_joint = model.joints.iter().any(|joint| {
                let ends = (joint.parent, joint.child);
                joint.freedom != Freedom::All && (ends == (a.link, b.link) || ends == (b.link, a.link))
            });
            let may = may || by_joint && model.self_collision;
            (touch[i][j], touch[j][i]) = (may, may);
        }
    }
    if touch.iter().flatten().all(|may| *may) {
        return;
    }
    let classes = classes(&touch);
    if classes.len() as u32 + 1 > GROUPS {
        let what = format!(
            "its bodies need more than the {GROUPS} groups to tell which of them touch: no two of them touch each other"
        );
        report.note(Place::default(), "model", what);
        let mask = others();
        for made in made.iter_mut() {
            (made.body.groups, made.body.mask) = (Groups::NONE.with(1, true), mask);
        }
        return;
    }
    for (number, members) in classes.iter().enumerate() {
        let against = |other: &Vec<usize>| {
            let pair = members.iter().flat_map(|a| other.iter().map(move |b| (*a, *b))).find(|(a, b)| a != b);
            pair.is_none_or(|(a, b)| touch[a][b])
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

/// Pairs of links between which there is a joint, directly or through links without a shape.
fn neighbours(model: &Model) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    let tree: Vec<_> = model.joints.iter().filter(|j| !j.closes && j.freedom != Freedom::All).collect();
    for joint in &tree {
        let mut parent = joint.parent;
        pairs.push((parent, joint.child));
        // Up through links that touch nothing.
        while !model.links[parent].shapes.iter().any(|shape| shape.collides) {
            let Some(above) = tree.iter().find(|above| above.child == parent) else { break };
            parent = above.parent;
            pairs.push((parent, joint.child));
        }
    }
    pairs
}

type Placed = Option<(Pose, parry3d::shape::SharedShape)>;

/// A body's geometry in the world.
fn placed(body: &delassus_scene::Body) -> Placed {
    let solid = body.shape.solid()?;
    let pose = Pose::from_parts(body.at, body.rotation.quat().ok()?);
    let centre = Pose::from_parts(solid.centre, glam::Quat::IDENTITY);
    Some((pose * centre * solid.offset, solid.geometry))
}

fn overlap(a: &Placed, b: &Placed) -> bool {
    let (Some((at_a, a)), Some((at_b, b))) = (a, b) else { return false };
    query::intersection_test(at_a, a.as_ref(), at_b, b.as_ref()).is_ok_and(|found| found.intersecting)
}

/// Bodies that touch the same others, and each other either all or not at all.
fn classes(touch: &[Vec<bool>]) -> Vec<Vec<usize>> {
    let mut classes: Vec<Vec<usize>> = Vec::new();
    for body in 0..touch.len() {
        let fits = |members: &&mut Vec<usize>| {
            let first = members[0];
            let like = (0..touch.len()).all(|x| members.contains(&x) || x == body || touch[body][x] == touch[first][x]);
            let within = members.get(1).map_or(touch[body][first], |second| touch[first][*second]);
            like && members.iter().all(|member| touch[body][*member] == within)
        };
        match classes.iter_mut().find(fits) {
            Some(members) => members.push(body),
            None => classes.push(vec![body]),
        }
    }
    classes
}
