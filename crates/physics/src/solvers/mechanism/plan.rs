//! Which joints form a mechanism, and in which order their rows are eliminated.
//!
//! Joints that hang together by moving bodies form one mechanism if it has a loop, or a row that is not an equality;
//! the others are trees, which `solvers/tree` eliminates body by body. A node is a joint, or a part of at most
//! [`WIDTH`] rows of one; two nodes are neighbours if they share a moving body.
//!
//! ```text
//! eliminate the node with the fewest neighbours; its neighbours become neighbours of each other (fill)
//! cost of a node with d later neighbours   1 + d + d (d + 1)/2 products of blocks
//! ```
//! A chain costs 3 products a node. A mechanism that costs more than [`FILL`] times that, and more than [`SMALL`], is
//! left to the sweeps. The plan is kept until the joints change. Source: minimum degree, Tinney and Walker 1967.

use crate::graph::{DisjointSets, Lists, NONE};

/// The most rows of a node.
pub const WIDTH: usize = 8;
/// The most products of blocks that one factorisation may take, as a multiple of a chain's, and the number that is
/// always allowed.
const FILL: usize = 8;
const SMALL: usize = 2000;
/// Products of blocks for one node of a chain.
const CHAIN: usize = 3;

/// How the rows of a joint can be solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkRows {
    /// It has none.
    None,
    /// Equalities, few enough for a tree.
    Equal,
    /// Rows that a mechanism can take but a tree cannot: bounds, springs, or too many rows.
    Other,
    /// Rows that only sweeps can solve, or that have a number of sweeps of their own.
    Swept,
}

/// A joint as an edge between two bodies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Link {
    /// Its bodies; [`NONE`] for one that impulses do not move.
    pub a: u32,
    pub b: u32,
    /// The number of nodes that its rows are split into.
    pub parts: u32,
    pub rows: LinkRows,
}

/// A joint, or a part of its rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Node {
    pub joint: u32,
    /// The number of this part within the joint.
    pub part: u32,
    /// Places of its bodies in [`Plan::bodies`]; [`NONE`] for one that impulses do not move.
    pub a: u32,
    pub b: u32,
}

/// The nodes and bodies of one mechanism, as ranges.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mechanism {
    pub nodes: std::ops::Range<usize>,
    pub bodies: std::ops::Range<usize>,
}

/// The mechanisms of a world.
#[derive(Debug, Clone, Default)]
pub struct Plan {
    pub mechanisms: Vec<Mechanism>,
    /// The nodes in the order of elimination.
    pub nodes: Vec<Node>,
    /// The bodies, mechanism by mechanism.
    pub bodies: Vec<u32>,
    /// By node: the index of the first block below the diagonal in its column; then the number of blocks. (With `row`
    /// this is the format of compressed columns.)
    pub column: Vec<u32>,
    /// By block: the node of its row.
    pub row: Vec<u32>,
    /// For each pair of blocks of a column, in the order (0,0), (1,0), (1,1), (2,0) …: the block that their product is
    /// subtracted from.
    pub targets: Vec<Target>,
    /// By node: the index of its first entry in `targets`.
    pub target: Vec<u32>,
    /// By joint: whether it belongs to a mechanism.
    pub takes: Vec<bool>,
    /// Number of mechanisms left to the sweeps because of their fill.
    pub dense_mechanisms: u32,
    /// The joints and the number of bodies that the plan was made for.
    made_for: Vec<Link>,
    body_count: usize,
}

/// A block of the matrix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// The diagonal block of a node.
    Diagonal(u32),
    /// A block below the diagonal.
    Below(u32),
}

impl Plan {
    /// Updates the plan to these joints of a world of `bodies` bodies.
    pub fn update(&mut self, links: &[Link], bodies: usize) {
        if self.body_count == bodies && self.made_for == links {
            return;
        }
        let (mut made_for, mut takes) = (std::mem::take(&mut self.made_for), std::mem::take(&mut self.takes));
        made_for.clear();
        made_for.extend_from_slice(links);
        takes.clear();
        takes.resize(links.len(), false);
        *self = Self { made_for, takes, body_count: bodies, ..Self::default() };
        for joints in mechanisms(links, bodies) {
            self.add(links, &joints);
        }
        self.column.push(self.row.len() as u32);
    }

    /// Adds the mechanism of these joints, unless it costs too much.
    fn add(&mut self, links: &[Link], joints: &[u32]) {
        let first_body = self.bodies.len();
        let ends = |joint: &u32| [links[*joint as usize].a, links[*joint as usize].b];
        let mut bodies: Vec<u32> = joints.iter().flat_map(ends).filter(|body| *body != NONE).collect();
        bodies.sort_unstable();
        bodies.dedup();
        let place = |body: u32| match bodies.binary_search(&body) {
            Ok(place) if body != NONE => (first_body + place) as u32,
            _ => NONE,
        };
        let node = |joint: u32, part: u32| {
            let Link { a, b, .. } = links[joint as usize];
            Node { joint, part, a: place(a), b: place(b) }
        };
        let mut nodes = Vec::new();
        for joint in joints {
            nodes.extend((0..links[*joint as usize].parts).map(|part| node(*joint, part)));
        }
        let Some((order, below)) = eliminate(&nodes, first_body, bodies.len()) else {
            self.dense_mechanisms += 1;
            return;
        };
        joints.iter().for_each(|joint| self.takes[*joint as usize] = true);
        let first = self.nodes.len();
        let mut position = vec![0; nodes.len()];
        order.iter().enumerate().for_each(|(at, node)| position[*node as usize] = (first + at) as u32);
        for (at, node) in order.iter().enumerate() {
            self.nodes.push(nodes[*node as usize]);
            self.column.push(self.row.len() as u32);
            let mut rows: Vec<u32> = below[at].iter().map(|node| position[*node as usize]).collect();
            rows.sort_unstable();
            self.row.extend(rows);
        }
        let end = self.row.len() as u32;
        let column = |node: usize| {
            let next = if node + 1 < self.column.len() { self.column[node + 1] } else { end };
            self.column[node] as usize..next as usize
        };
        for node in first..self.nodes.len() {
            self.target.push(self.targets.len() as u32);
            let rows = &self.row[column(node)];
            for (i, later) in rows.iter().enumerate() {
                for earlier in &rows[..i] {
                    let column_range = column(*earlier as usize);
                    let found = self.row[column_range.clone()].binary_search(later).unwrap_or_default();
                    self.targets.push(Target::Below((column_range.start + found) as u32));
                }
                self.targets.push(Target::Diagonal(*later));
            }
        }
        self.bodies.extend_from_slice(&bodies);
        let (nodes, bodies) = (first..self.nodes.len(), first_body..self.bodies.len());
        self.mechanisms.push(Mechanism { nodes, bodies });
    }
}

/// The joints of each mechanism, in the order of the mechanisms' first bodies.
fn mechanisms(links: &[Link], bodies: usize) -> Vec<Vec<u32>> {
    let mut sets = DisjointSets::new(bodies);
    let mut looped = vec![false; bodies];
    let mut closing = Vec::new();
    let moving = |link: &Link| if link.a == NONE { link.b } else { link.a };
    let linked = || links.iter().filter(|link| link.rows != LinkRows::None && moving(link) != NONE);
    for link in linked().filter(|link| link.a != NONE && link.b != NONE) {
        if sets.first(link.a) == sets.first(link.b) {
            closing.push(link.a);
        }
        sets.join(link.a, link.b);
    }
    closing.iter().for_each(|body| looped[sets.first(*body) as usize] = true);
    let (mut grounded, mut other, mut swept) = (vec![0; bodies], vec![false; bodies], vec![false; bodies]);
    for link in linked() {
        let set = sets.first(moving(link)) as usize;
        grounded[set] += u32::from(link.a == NONE || link.b == NONE);
        other[set] |= link.rows == LinkRows::Other;
        swept[set] |= link.rows == LinkRows::Swept;
    }
    let is_mechanism = |set: usize| (looped[set] || grounded[set] > 1 || other[set]) && !swept[set];
    let mut list_of_set = vec![NONE; bodies];
    let mut lists: Vec<Vec<u32>> = Vec::new();
    for set in (0..bodies).filter(|set| is_mechanism(*set)) {
        list_of_set[set] = lists.len() as u32;
        lists.push(Vec::new());
    }
    for (joint, link) in (0u32..).zip(links).filter(|(_, link)| link.rows != LinkRows::None && moving(link) != NONE) {
        if let Some(list) = lists.get_mut(list_of_set[sets.first(moving(link)) as usize] as usize) {
            list.push(joint);
        }
    }
    lists
}

/// The order of elimination, and for each place in it the neighbours that are eliminated later; `None` if that would
/// cost too much.
fn eliminate(nodes: &[Node], first_body: usize, bodies: usize) -> Option<(Vec<u32>, Vec<Vec<u32>>)> {
    let max_cost = (FILL * CHAIN * nodes.len()).max(SMALL);
    let mut at_body = Lists::default();
    let ends = |(index, node): (u32, &Node)| {
        let end_of = move |body: u32| (body != NONE).then_some((body - first_body as u32, index));
        end_of(node.a).into_iter().chain(end_of(node.b).filter(|_| node.a != node.b))
    };
    let pairs: Vec<(u32, u32)> = (0u32..).zip(nodes).flat_map(ends).collect();
    at_body.fill(bodies, pairs.iter().copied());
    let pairs_at_bodies: usize = (0..bodies as u32).map(|body| at_body.at(body).len().pow(2)).sum();
    if pairs_at_bodies > 4 * max_cost {
        return None;
    }
    let mut neighbours: Vec<Vec<u32>> = vec![Vec::new(); nodes.len()];
    for (body, index) in pairs {
        neighbours[index as usize].extend(at_body.at(body).iter().filter(|other| **other != index));
    }
    for list in &mut neighbours {
        list.sort_unstable();
        list.dedup();
    }
    let mut remaining: std::collections::BTreeSet<(usize, u32)> =
        (0u32..).zip(&neighbours).map(|(index, list)| (list.len(), index)).collect();
    let (mut order, mut below, mut cost) = (Vec::new(), Vec::new(), 0);
    while let Some((degree, node)) = remaining.pop_first() {
        cost += 1 + degree + degree * (degree + 1) / 2;
        if cost > max_cost {
            return None;
        }
        let later_neighbours = std::mem::take(&mut neighbours[node as usize]);
        for other in &later_neighbours {
            let list = &mut neighbours[*other as usize];
            remaining.remove(&(list.len(), *other));
            list.retain(|index| *index != node);
            list.extend(later_neighbours.iter().filter(|index| *index != other));
            list.sort_unstable();
            list.dedup();
            remaining.insert((list.len(), *other));
        }
        order.push(node);
        below.push(later_neighbours);
    }
    Some((order, below))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn link(a: u32, b: u32, rows: LinkRows) -> Link {
        Link { a, b, parts: 1, rows }
    }

    fn plan(links: &[Link], bodies: usize) -> Plan {
        let mut plan = Plan::default();
        plan.update(links, bodies);
        plan
    }

    #[test]
    fn trees_of_equalities_are_no_mechanisms() {
        let chain: Vec<Link> = (0..5).map(|k| link(if k == 0 { NONE } else { k - 1 }, k, LinkRows::Equal)).collect();
        assert!(plan(&chain, 5).mechanisms.is_empty());
        let mut driven = chain.clone();
        driven[2].rows = LinkRows::Other;
        let driven = plan(&driven, 5);
        assert_eq!((driven.mechanisms.len(), driven.nodes.len(), driven.row.len()), (1, 5, 4), "a chain has no fill");
        let mut looped = chain;
        looped.push(link(4, NONE, LinkRows::Equal));
        assert_eq!(plan(&looped, 5).mechanisms.len(), 1, "two joints to the ground close a loop");
        looped[1].rows = LinkRows::Swept;
        assert!(plan(&looped, 5).mechanisms.is_empty());
    }

    /// Products of blocks go into blocks that exist, in columns further right.
    #[test]
    fn all_fill_has_a_place() {
        // A ladder: two chains with rungs.
        let mut links = Vec::new();
        for k in 0..10u32 {
            links.push(link(if k == 0 { NONE } else { 2 * k - 2 }, 2 * k, LinkRows::Other));
            links.push(link(if k == 0 { NONE } else { 2 * k - 1 }, 2 * k + 1, LinkRows::Equal));
            links.push(link(2 * k, 2 * k + 1, LinkRows::Equal));
        }
        let plan = plan(&links, 20);
        assert_eq!((plan.mechanisms.len(), plan.nodes.len()), (1, 30));
        for node in 0..30 {
            let rows = &plan.row[plan.column[node] as usize..plan.column[node + 1] as usize];
            assert!(rows.iter().all(|row| *row as usize > node) && rows.is_sorted());
            let mut targets = plan.targets[plan.target[node] as usize..].iter();
            for (i, later) in rows.iter().enumerate() {
                for earlier in &rows[..i] {
                    let Some(Target::Below(block)) = targets.next() else { panic!("a block below the diagonal") };
                    let column = plan.column[*earlier as usize]..plan.column[*earlier as usize + 1];
                    assert!(column.contains(block) && plan.row[*block as usize] == *later);
                }
                assert_eq!(targets.next(), Some(&Target::Diagonal(*later)));
            }
        }
    }

    #[test]
    fn a_large_net_is_left_to_the_sweeps() {
        let at = |x: u32, y: u32| 40 * y + x;
        let mut links = Vec::new();
        for y in 0..40 {
            for x in 0..40 {
                if x > 0 {
                    links.push(link(at(x - 1, y), at(x, y), LinkRows::Equal));
                }
                if y > 0 {
                    links.push(link(at(x, y - 1), at(x, y), LinkRows::Equal));
                }
            }
        }
        let plan = plan(&links, 1600);
        assert_eq!((plan.mechanisms.len(), plan.dense_mechanisms), (0, 1));
    }
}
