//! Finds the mechanisms among the joints of a world, and an order in which the rows of each can be eliminated with
//! little fill.
//!
//! Its lists are kept, so that a plan that is made anew within a step allocates nothing once they are large enough.
//! Source: minimum degree, Tinney and Walker 1967.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::plan::{Link, LinkRows, Node};
use crate::graph::{DisjointSets, Lists, NONE};

/// The most products of blocks that one factorisation may take, as a multiple of a chain's, and the number that is
/// always allowed.
const FILL: usize = 8;
const MAX_SMALL_FILL: usize = 2000;
/// Products of blocks for one node of a chain.
const CHAIN: usize = 3;

/// Working memory for plans.
#[derive(Debug, Clone, Default)]
pub struct Planner {
    /// Bodies that hang together.
    sets: DisjointSets,
    /// By set, known by its first body: what it has.
    features: Vec<Features>,
    /// By set: the number of its mechanism, or [`NONE`].
    mechanism: Vec<u32>,
    count: u32,
    /// By mechanism: its joints.
    joints: Lists,
    /// By joint of a mechanism: the mechanism and the joint.
    pairs: Vec<(u32, u32)>,
    /// The nodes of the mechanism at hand, and those at each of its bodies.
    nodes: Vec<Node>,
    at_body: Lists,
    ends: Vec<(u32, u32)>,
    /// By node: those of its neighbours that have not been eliminated before it.
    neighbours: Vec<Vec<u32>>,
    /// Degrees and nodes. An entry counts if the node still has this degree.
    remaining: BinaryHeap<Reverse<(usize, u32)>>,
    /// The nodes in the order of elimination, and by node its place in it; [`NONE`] for one that remains.
    order: Vec<u32>,
    position: Vec<u32>,
}

/// What bodies that hang together have.
#[derive(Debug, Clone, Copy, Default)]
struct Features {
    /// A loop of joints.
    loops: bool,
    /// The number of joints to bodies that impulses do not move.
    grounded: u32,
    /// Rows that only a mechanism can take, and rows that only sweeps can.
    other: bool,
    swept: bool,
}

impl Features {
    fn is_mechanism(self) -> bool {
        (self.loops || self.grounded > 1 || self.other) && !self.swept
    }
}

/// The joints that have rows and move a body, with this body.
fn moving(links: &[Link]) -> impl Iterator<Item = (u32, &Link, u32)> {
    (0u32..).zip(links).filter(|(_, link)| link.rows != LinkRows::None).filter_map(|(joint, link)| {
        let body = if link.a == NONE { link.b } else { link.a };
        (body != NONE).then_some((joint, link, body))
    })
}

impl Planner {
    /// Finds the mechanisms, in the order of their first bodies.
    pub fn find_mechanisms(&mut self, links: &[Link], bodies: usize) {
        let Self { sets, features, mechanism, count, joints, pairs, .. } = self;
        sets.clear(bodies);
        features.clear();
        features.resize(bodies, Features::default());
        for (_, link, _) in moving(links).filter(|(_, link, _)| link.a != NONE && link.b != NONE) {
            let (a, b) = (sets.first(link.a), sets.first(link.b));
            let loops = a == b || features[a as usize].loops || features[b as usize].loops;
            sets.join(a, b);
            features[a.min(b) as usize].loops = loops;
        }
        for (_, link, body) in moving(links) {
            let features = &mut features[sets.first(body) as usize];
            features.grounded += u32::from(link.a == NONE || link.b == NONE);
            features.other |= link.rows == LinkRows::Other;
            features.swept |= link.rows == LinkRows::Swept;
        }
        *count = 0;
        mechanism.clear();
        mechanism.extend((0u32..).zip(features).map(|(set, features)| {
            let found = sets.first(set) == set && features.is_mechanism();
            *count += u32::from(found);
            if found { *count - 1 } else { NONE }
        }));
        pairs.clear();
        pairs.extend(moving(links).map(|(joint, _, body)| (mechanism[sets.first(body) as usize], joint)));
        pairs.retain(|(mechanism, _)| *mechanism != NONE);
        joints.fill(*count as usize, pairs.iter().copied());
    }

    /// The number of mechanisms.
    pub fn mechanism_count(&self) -> u32 {
        self.count
    }

    /// The joints of a mechanism.
    pub fn joints(&self, index: u32) -> &[u32] {
        self.joints.at(index)
    }

    /// Adds the moving bodies of a mechanism to a list, in order.
    pub fn list_bodies(&self, links: &[Link], index: u32, bodies: &mut Vec<u32>) {
        let first = bodies.len();
        let ends = |joint: &u32| [links[*joint as usize].a, links[*joint as usize].b];
        bodies.extend(self.joints.at(index).iter().flat_map(ends).filter(|body| *body != NONE));
        bodies[first..].sort_unstable();
        let mut kept = first;
        for at in first..bodies.len() {
            if kept == first || bodies[kept - 1] != bodies[at] {
                bodies[kept] = bodies[at];
                kept += 1;
            }
        }
        bodies.truncate(kept);
    }

    /// Lists the nodes of a mechanism with these bodies, of which the first has the place `first_body`.
    pub fn list_nodes(&mut self, links: &[Link], index: u32, bodies: &[u32], first_body: usize) {
        let place = |body: u32| match bodies.binary_search(&body) {
            Ok(place) if body != NONE => (first_body + place) as u32,
            _ => NONE,
        };
        self.nodes.clear();
        for joint in self.joints.at(index) {
            let Link { a, b, parts, .. } = links[*joint as usize];
            let (a, b) = (place(a), place(b));
            self.nodes.extend((0..parts).map(|part| Node { joint: *joint, part, a, b }));
        }
    }

    /// Finds the order of elimination of the listed nodes, whose bodies have `bodies` places from `first_body` on;
    /// `false` if it would cost too much.
    pub fn eliminate(&mut self, first_body: usize, bodies: usize) -> bool {
        let Self { nodes, at_body, ends, neighbours, remaining, order, position, .. } = self;
        let max_cost = (FILL * CHAIN * nodes.len()).max(MAX_SMALL_FILL);
        ends.clear();
        for (index, node) in (0u32..).zip(&*nodes) {
            let places = [node.a, node.b].into_iter().filter(|place| *place != NONE);
            ends.extend(
                places.take(if node.a == node.b { 1 } else { 2 }).map(|place| (place - first_body as u32, index)),
            );
        }
        at_body.fill(bodies, ends.iter().copied());
        let pairs_at_bodies: usize = (0..bodies as u32).map(|body| at_body.at(body).len().pow(2)).sum();
        if pairs_at_bodies > 4 * max_cost {
            return false;
        }
        if neighbours.len() < nodes.len() {
            neighbours.resize(nodes.len(), Vec::new());
        }
        neighbours.iter_mut().for_each(Vec::clear);
        for (body, index) in &*ends {
            neighbours[*index as usize].extend(at_body.at(*body).iter().filter(|other| *other != index));
        }
        remaining.clear();
        for (index, list) in (0u32..).zip(&mut neighbours[..nodes.len()]) {
            list.sort_unstable();
            list.dedup();
            remaining.push(Reverse((list.len(), index)));
        }
        position.clear();
        position.resize(nodes.len(), NONE);
        order.clear();
        let mut cost = 0;
        while let Some(Reverse((degree, node))) = remaining.pop() {
            if position[node as usize] != NONE || neighbours[node as usize].len() != degree {
                continue;
            }
            cost += 1 + degree + degree * (degree + 1) / 2;
            if cost > max_cost {
                return false;
            }
            position[node as usize] = order.len() as u32;
            order.push(node);
            let later = std::mem::take(&mut neighbours[node as usize]);
            for other in &later {
                let list = &mut neighbours[*other as usize];
                list.retain(|index| *index != node);
                list.extend(later.iter().filter(|index| *index != other));
                list.sort_unstable();
                list.dedup();
                remaining.push(Reverse((list.len(), *other)));
            }
            neighbours[node as usize] = later;
        }
        true
    }

    /// The nodes in the order of elimination, each with those of its neighbours that are eliminated later.
    pub fn eliminated(&self) -> impl Iterator<Item = (&Node, &[u32])> {
        self.order.iter().map(|node| (&self.nodes[*node as usize], self.neighbours[*node as usize].as_slice()))
    }

    /// The place of a node in the order of elimination.
    pub fn position(&self, node: u32) -> u32 {
        self.position[node as usize]
    }
}
