//! The supernodes of a mechanism, and an order in which they can be eliminated with little fill.
//!
//! ```text
//! a supernode is one node                                          in most mechanisms
//! a supernode is nodes that hang together, with WIDTH rows or less  where that would cost too much, as in nets of ropes
//! ```
//! The lists are kept. Source: minimum degree, Tinney and Walker 1967; supernodes, Ashcraft and Grimes 1989.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::plan::{Node, WIDTH};
use crate::graph::{Lists, NONE};

/// The most products of blocks that one factorisation may take, as a multiple of a chain's, and the number that is
/// always allowed.
const FILL: usize = 8;
const MAX_SMALL_FILL: usize = 2000;
/// Products of blocks for one node of a chain.
const CHAIN: usize = 3;

/// An order of elimination, with working memory.
#[derive(Debug, Clone, Default)]
pub struct Ordering {
    nodes: Vec<Node>,
    /// By supernode: its nodes. By node: its supernode, [`NONE`] until it has one.
    members: Lists,
    supernode: Vec<u32>,
    count: usize,
    /// By body: first its nodes, then its supernodes.
    at_body: Lists,
    ends: Vec<(u32, u32)>,
    /// The bodies of a supernode that grows.
    reached: Vec<u32>,
    /// By supernode: those of its neighbours that have not been eliminated before it.
    neighbours: Vec<Vec<u32>>,
    /// Degrees and supernodes. An entry counts if the supernode still has this degree.
    remaining: BinaryHeap<Reverse<(usize, u32)>>,
    /// The supernodes in the order of elimination, and by supernode its place in it; [`NONE`] for one that remains.
    order: Vec<u32>,
    position: Vec<u32>,
}

/// The bodies of a node that impulses move, by their places from `first_body` on.
fn bodies_of(node: &Node, first_body: u32) -> impl Iterator<Item = u32> {
    let Node { a, b, .. } = *node;
    [a, if a == b { NONE } else { b }].into_iter().filter(|place| *place != NONE).map(move |place| place - first_body)
}

impl Ordering {
    /// Finds the order for these nodes, whose bodies have `bodies` places from `first_body` on; `false` if it would cost too
    /// much.
    pub fn find(&mut self, nodes: impl Iterator<Item = Node>, first_body: u32, bodies: usize) -> bool {
        self.nodes.clear();
        self.nodes.extend(nodes);
        let count = self.nodes.len();
        let most = (FILL * CHAIN * count).max(MAX_SMALL_FILL);
        self.stay_apart();
        let apart = self.eliminate(first_body, bodies, most);
        if apart.is_some_and(|cost| cost < 2 * CHAIN * count) {
            return true;
        }
        // A product of blocks of half the rows costs an eighth.
        let widest = self.nodes.iter().map(|node| node.room).max().unwrap_or(0);
        let most_joined = apart.map_or(MAX_SMALL_FILL, |cost| if 2 * widest <= WIDTH as u32 { cost / 8 } else { cost });
        self.join(first_body, bodies);
        if self.count < count && self.eliminate(first_body, bodies, most_joined).is_some() {
            return true;
        }
        self.stay_apart();
        apart.is_some() && self.eliminate(first_body, bodies, most).is_some()
    }

    /// Makes each node a supernode.
    fn stay_apart(&mut self) {
        self.count = self.nodes.len();
        self.supernode.clear();
        self.supernode.extend(0..self.count as u32);
    }

    /// Joins nodes that hang together to supernodes: each takes the nodes at the bodies that it reaches, nearest first, while
    /// they have room.
    fn join(&mut self, first_body: u32, bodies: usize) {
        let Self { nodes, supernode, count, at_body, ends, reached, .. } = self;
        ends.clear();
        ends.extend(
            (0u32..).zip(&*nodes).flat_map(|(index, node)| bodies_of(node, first_body).map(move |b| (b, index))),
        );
        at_body.fill(bodies, ends.iter().copied());
        supernode.fill(NONE);
        *count = 0;
        for seed in 0..nodes.len() {
            if supernode[seed] != NONE {
                continue;
            }
            let mut room = WIDTH as u32 - nodes[seed].room;
            supernode[seed] = *count as u32;
            reached.clear();
            reached.extend(bodies_of(&nodes[seed], first_body));
            let mut next = 0;
            while room > 0 && next < reached.len() {
                for index in at_body.at(reached[next]) {
                    let node = &nodes[*index as usize];
                    if supernode[*index as usize] == NONE && node.room <= room {
                        supernode[*index as usize] = *count as u32;
                        room -= node.room;
                        reached.extend(bodies_of(node, first_body));
                    }
                }
                next += 1;
            }
            *count += 1;
        }
    }

    /// Finds the order for the present supernodes; returns the products of blocks that it takes, unless they are more than
    /// `most`.
    fn eliminate(&mut self, first_body: u32, bodies: usize, most: usize) -> Option<usize> {
        let Self { nodes, supernode, count, members, at_body, ends, neighbours, remaining, order, position, .. } = self;
        members.fill(*count, (0u32..).zip(&*supernode).map(|(node, supernode)| (*supernode, node)));
        ends.clear();
        let of_node = |(node, supernode): (_, &u32)| {
            let supernode = *supernode;
            bodies_of(node, first_body).map(move |body| (body, supernode))
        };
        ends.extend(nodes.iter().zip(&*supernode).flat_map(of_node));
        ends.sort_unstable();
        ends.dedup();
        at_body.fill(bodies, ends.iter().copied());
        let pairs_at_bodies: usize = (0..bodies as u32).map(|body| at_body.at(body).len().pow(2)).sum();
        if pairs_at_bodies > 4 * most {
            return None;
        }
        if neighbours.len() < *count {
            neighbours.resize(*count, Vec::new());
        }
        neighbours.iter_mut().for_each(Vec::clear);
        for (body, index) in &*ends {
            neighbours[*index as usize].extend(at_body.at(*body).iter().filter(|other| *other != index));
        }
        remaining.clear();
        for (index, list) in (0u32..).zip(&mut neighbours[..*count]) {
            list.sort_unstable();
            list.dedup();
            remaining.push(Reverse((list.len(), index)));
        }
        position.clear();
        position.resize(*count, NONE);
        order.clear();
        let mut cost = 0;
        while let Some(Reverse((degree, index))) = remaining.pop() {
            if position[index as usize] != NONE || neighbours[index as usize].len() != degree {
                continue;
            }
            cost += 1 + degree + degree * (degree + 1) / 2;
            if cost > most {
                return None;
            }
            position[index as usize] = order.len() as u32;
            order.push(index);
            let later = std::mem::take(&mut neighbours[index as usize]);
            for other in &later {
                let list = &mut neighbours[*other as usize];
                list.retain(|at| *at != index);
                list.extend(later.iter().filter(|at| *at != other));
                list.sort_unstable();
                list.dedup();
                remaining.push(Reverse((list.len(), *other)));
            }
            neighbours[index as usize] = later;
        }
        Some(cost)
    }

    /// The supernodes in the order of elimination: their nodes, and those of their neighbours that are eliminated later.
    pub fn supernodes(&self) -> impl Iterator<Item = (impl Iterator<Item = &Node>, &[u32])> {
        self.order.iter().map(|index| {
            let nodes = self.members.at(*index).iter().map(|node| &self.nodes[*node as usize]);
            (nodes, self.neighbours[*index as usize].as_slice())
        })
    }

    /// The place of a supernode in the order of elimination.
    pub fn position(&self, supernode: u32) -> u32 {
        self.position[supernode as usize]
    }
}
