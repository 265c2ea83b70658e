//! The tree of bodies: which joint carries a body in MJCF, and which joints are left to close loops.
//!
//! MJCF's bodies stand in each other, and a body moves in its parent by the joints that it has. So of the graph of
//! joints a spanning tree is needed. Kruskal's: joints come in the order of what would be lost if they closed a loop.
//! A slider cannot, a hinge with a motor would lose it, a plain hinge becomes two points, a ball stays what it is.

use delassus_physics::joints::JointKind;
use delassus_scene::FlatJoint;
use glam::DVec3;

use super::links::Link;
use super::motions;

/// The joint by which a body hangs on another one.
#[derive(Debug, Clone, Copy)]
pub struct Hold {
    /// The number of the link on which it hangs.
    pub parent: usize,
    /// The number of the joint; none for a body that is free, or stands in the world.
    pub joint: Option<usize>,
    /// Whether the body is the joint's A.
    pub reversed: bool,
    /// An axis lock, or a second plane, that holds the body along with a plane.
    pub with: Option<usize>,
}

/// The tree.
#[derive(Debug)]
pub struct Tree {
    /// By link; the world's own is not used.
    pub holds: Vec<Hold>,
    /// By link: those that hang on it.
    pub children: Vec<Vec<usize>>,
    /// The links, every parent before its children.
    pub order: Vec<usize>,
    /// Joints that are not in it.
    pub closing: Vec<usize>,
}

/// How much a joint would lose if it closed a loop; none if MJCF has no joint for it at all.
fn rank(joint: &FlatJoint) -> Option<u8> {
    let kind = &joint.def.kind;
    Some(match kind {
        JointKind::Prismatic(_) | JointKind::Cylindrical(_) | JointKind::Screw(_) | JointKind::Universal(_) => 5,
        JointKind::Plane(_) | JointKind::PointOnRing(_) | JointKind::AxisLock(_) => 5,
        JointKind::OrientationLock(_) | JointKind::SixDof(_) => 5,
        JointKind::RotaryMotor(_) => 4,
        JointKind::Hinge(hinge) if hinge.motor.is_some() || hinge.servo.is_some() || hinge.spring.is_some() => 4,
        JointKind::Hinge(hinge) if hinge.friction.max(hinge.damping).max(hinge.armature) > 0.0 => 4,
        JointKind::Hinge(hinge) if hinge.limit.is_some() => 3,
        JointKind::Hinge(_) => 2,
        JointKind::Fixed(_) => 1,
        JointKind::BallSocket(_) | JointKind::ConeTwist(_) | JointKind::ConstantVelocity(_) => 0,
        _ => return None,
    })
}

/// The most bodies that stand in each other. One that would stand deeper begins anew, and its joint closes a loop.
const MAX_DEPTH: usize = 200;

/// The tree of a scene's bodies.
pub fn of(links: &[Link<'_>], joints: &[FlatJoint]) -> Tree {
    let mut groups: Vec<usize> = (0..links.len()).map(|link| if links[link].fixed { 0 } else { link }).collect();
    let partners = planar(links, joints);
    let mut by_rank: Vec<(u8, usize)> =
        joints.iter().enumerate().filter_map(|(number, joint)| Some((rank(joint)?, number))).collect();
    // Stable: of joints of the same rank the first in the scene goes first.
    by_rank.sort_by_key(|(rank, _)| std::cmp::Reverse(*rank));
    let mut edges = Vec::new();
    for (_, number) in by_rank {
        let (a, b) = ends(&joints[number]);
        let (from, to) = (group(&mut groups, a), group(&mut groups, b));
        if from == to || partners.iter().any(|(_, lock)| *lock == number) || !carries(links, &joints[number]) {
            continue;
        }
        groups[from.max(to)] = from.min(to);
        edges.push(number);
    }
    let mut tree = Tree {
        holds: vec![Hold { parent: 0, joint: None, reversed: false, with: None }; links.len()],
        children: vec![Vec::new(); links.len()],
        order: vec![0],
        closing: Vec::new(),
    };
    let mut placed = vec![false; links.len()];
    let fixed: Vec<usize> = (0..links.len()).filter(|link| links[*link].fixed).collect();
    let mut neighbours: Vec<Vec<(usize, usize)>> = vec![Vec::new(); links.len()];
    for number in &edges {
        let (a, b) = ends(&joints[*number]);
        neighbours[a].push((*number, b));
        neighbours[b].push((*number, a));
    }
    // A confined body comes before others of its group: it is confined as the root.
    let confined = (1..links.len()).filter(|link| links[*link].plane().is_some());
    let roots: Vec<usize> = fixed.iter().copied().chain(confined).chain(1..links.len()).collect();
    fixed.iter().for_each(|link| placed[*link] = true);
    tree.order.extend(fixed.iter().filter(|link| **link > 0));
    for root in roots {
        if placed[root] && !links[root].fixed {
            continue;
        }
        if !placed[root] {
            placed[root] = true;
            tree.order.push(root);
        }
        let mut open = vec![(root, 0)];
        while let Some((parent, depth)) = open.pop() {
            for (number, child) in &neighbours[parent] {
                if placed[*child] || depth >= MAX_DEPTH {
                    continue;
                }
                placed[*child] = true;
                let with = partners.iter().find(|(plane, _)| plane == number).map(|(_, lock)| *lock);
                let reversed = ends(&joints[*number]).0 == *child;
                tree.holds[*child] = Hold { parent, joint: Some(*number), reversed, with };
                tree.order.push(*child);
                open.push((*child, depth + 1));
            }
        }
    }
    let mut used = vec![false; joints.len()];
    for (link, hold) in tree.holds.iter().enumerate().skip(1) {
        tree.children[hold.parent].push(link);
        hold.joint.into_iter().chain(hold.with).for_each(|number| used[number] = true);
    }
    tree.closing = (0..joints.len()).filter(|number| !used[*number]).collect();
    tree
}

/// The numbers of a joint's links.
pub fn ends(joint: &FlatJoint) -> (usize, usize) {
    (joint.def.a as usize, joint.def.b as usize)
}

/// The representative of a link's group.
fn group(groups: &mut [usize], mut link: usize) -> usize {
    while groups[link] != link {
        groups[link] = groups[groups[link]];
        link = groups[link];
    }
    link
}

/// Whether the joint can carry its child: it must keep a child to the plane to which this is confined, and a point mass
/// from turning. Such bodies are otherwise carried by slides of their own.
fn carries(links: &[Link<'_>], joint: &FlatJoint) -> bool {
    let (a, b) = ends(joint);
    let (from, to) = (&links[a], &links[b]);
    if from.is_particle() || to.is_particle() {
        return false;
    }
    let normal = match (from.plane(), to.plane()) {
        (None, None) => return true,
        (Some(normal), None) if to.fixed => normal,
        (None, Some(normal)) if from.fixed => normal,
        (Some(normal), Some(other)) if parallel(normal, other) => normal,
        _ => return false,
    };
    let axis = motions::axes(links, joint).0;
    match joint.def.kind {
        JointKind::Fixed(_) => true,
        JointKind::Hinge(_) | JointKind::RotaryMotor(_) => parallel(axis, normal),
        JointKind::Prismatic(_) => axis.dot(normal).abs() < 1e-6,
        _ => false,
    }
}

/// Whether two unit vectors are parallel or opposite.
pub fn parallel(a: DVec3, b: DVec3) -> bool {
    a.cross(b).length() < 1e-5
}

/// Pairs between the same two bodies that hold together what MJCF has joints for: a plane and an axis lock along the same
/// axis, two slides and a hinge; and two planes at right angles that hold the same point, a slide and a ball.
fn planar(links: &[Link<'_>], joints: &[FlatJoint]) -> Vec<(usize, usize)> {
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    for (number, plane) in joints.iter().enumerate() {
        let JointKind::Plane(own) = plane.def.kind else { continue };
        if own.limit.is_some() || own.motor.is_some() {
            continue;
        }
        let taken = |other: usize| pairs.iter().any(|(a, b)| [*a, *b].contains(&other));
        if taken(number) {
            continue;
        }
        let axis = motions::axes(links, plane).0;
        let is_partner = |(other, joint): (usize, &FlatJoint)| {
            if other == number || ends(joint) != ends(plane) || taken(other) {
                return None;
            }
            let along = motions::axes(links, joint).0;
            let fits = match joint.def.kind {
                JointKind::AxisLock(_) => parallel(axis, along),
                JointKind::Plane(second) => {
                    let (at, there) = (motions::anchors(links, plane).1, motions::anchors(links, joint).1);
                    let plain = second.limit.is_none() && second.motor.is_none();
                    plain && axis.dot(along).abs() < 1e-5 && at.distance(there) < 1e-5
                }
                _ => false,
            };
            fits.then_some(other)
        };
        if let Some(partner) = joints.iter().enumerate().find_map(is_partner) {
            pairs.push((number, partner));
        }
    }
    pairs
}
