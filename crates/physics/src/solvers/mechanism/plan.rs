//! Which joints form a mechanism, and in which order their rows are eliminated.
//!
//! Joints that hang together by moving bodies form one mechanism if it has a loop, or a row that is not an equality;
//! the others are trees, which `solvers/tree` eliminates body by body. A node is a joint, or a part of at most
//! [`WIDTH`] rows of one. The matrix is made of blocks of at most that many rows. A block row is a supernode: one node, or
//! in a net of ropes several that hang together. Two supernodes are neighbours if they share a moving body.
//!
//! ```text
//! eliminate the supernode with the fewest neighbours; its neighbours become neighbours of each other (fill)
//! cost of a supernode with d later neighbours   1 + d + d (d + 1)/2 products of blocks
//! ```
//! A chain costs 3 products a node. A mechanism that costs far more is left to the sweeps (`ordering.rs`). The plan is kept
//! until the joints change.

use super::planner::Planner;
#[cfg(test)]
use crate::graph::NONE;

/// The most rows of a node.
pub const WIDTH: usize = 8;

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
    /// Its bodies; [`NONE`](crate::graph::NONE) for one that impulses do not move.
    pub a: u32,
    pub b: u32,
    /// Room for its rows: their number or more, so that a plan need not change with it.
    pub room: u32,
    pub rows: LinkRows,
}

impl Link {
    /// The room for so many rows: a power of two, or full nodes.
    pub fn room(rows: usize) -> u32 {
        let room = match rows {
            1..=WIDTH => rows.next_power_of_two(),
            _ => rows.next_multiple_of(WIDTH),
        };
        room as u32
    }
}

/// A joint, or a part of its rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Node {
    pub joint: u32,
    /// The number of this part within the joint.
    pub part: u32,
    /// Places of its bodies in [`Plan::bodies`]; [`NONE`](crate::graph::NONE) for one that impulses do not move.
    pub a: u32,
    pub b: u32,
    /// Room for its rows, and the place of the first of them: [`WIDTH`] times its supernode, plus its row there.
    pub room: u32,
    pub at: u32,
}

impl Node {
    /// Its supernode.
    pub fn supernode(&self) -> usize {
        self.at as usize / WIDTH
    }

    /// The row of its supernode at which its own begin.
    pub fn first_row(&self) -> usize {
        self.at as usize % WIDTH
    }
}

/// The supernodes, nodes and bodies of one mechanism, as ranges.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mechanism {
    pub supernodes: std::ops::Range<usize>,
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
    /// By supernode: the index of its first node; then the number of nodes.
    first_node: Vec<u32>,
    /// By supernode: the index of the first block below the diagonal in its column; then the number of blocks. (With `row`
    /// this is the format of compressed columns.)
    pub column: Vec<u32>,
    /// By block: the supernode of its row.
    pub row: Vec<u32>,
    /// For each pair of blocks of a column, in the order (0,0), (1,0), (1,1), (2,0) …: the block that their product is
    /// subtracted from.
    pub targets: Vec<Target>,
    /// By supernode: the index of its first entry in `targets`.
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
    /// The diagonal block of a supernode.
    Diagonal(u32),
    /// A block below the diagonal.
    Below(u32),
}

impl Plan {
    /// Updates the plan to these joints of a world of `bodies` bodies. The lists of both are kept: joints whose rows come
    /// and go change the plan within a step.
    pub fn update(&mut self, planner: &mut Planner, links: &[Link], bodies: usize) {
        if self.body_count == bodies && self.made_for == links {
            return;
        }
        self.made_for.clear();
        self.made_for.extend_from_slice(links);
        self.body_count = bodies;
        self.takes.clear();
        self.takes.resize(links.len(), false);
        self.dense_mechanisms = 0;
        self.mechanisms.clear();
        self.nodes.clear();
        self.bodies.clear();
        self.targets.clear();
        self.target.clear();
        self.first_node.clear();
        self.column.clear();
        self.row.clear();
        planner.find_mechanisms(links, bodies);
        for index in 0..planner.mechanism_count() {
            self.add(planner, links, index);
        }
        self.first_node.push(self.nodes.len() as u32);
        self.column.push(self.row.len() as u32);
    }

    /// The number of supernodes.
    pub fn supernode_count(&self) -> usize {
        self.first_node.len().saturating_sub(1)
    }

    /// The nodes of a supernode.
    pub fn nodes_of(&self, supernode: usize) -> std::ops::Range<usize> {
        self.first_node[supernode] as usize..self.first_node[supernode + 1] as usize
    }

    /// The blocks below the diagonal in the column of a supernode.
    pub fn below(&self, supernode: usize) -> std::ops::Range<usize> {
        self.column[supernode] as usize..self.column[supernode + 1] as usize
    }

    /// Adds the planner's mechanism of this number, unless it costs too much.
    fn add(&mut self, planner: &mut Planner, links: &[Link], index: u32) {
        let (first, first_node, first_body) = (self.first_node.len(), self.nodes.len(), self.bodies.len());
        planner.list_bodies(links, index, &mut self.bodies);
        if !planner.order(links, index, &self.bodies[first_body..], first_body) {
            self.dense_mechanisms += 1;
            self.bodies.truncate(first_body);
            return;
        }
        planner.joints(index).iter().for_each(|joint| self.takes[*joint as usize] = true);
        for (nodes, later) in planner.ordering.supernodes() {
            let mut at = (WIDTH * self.first_node.len()) as u32;
            self.first_node.push(self.nodes.len() as u32);
            for node in nodes {
                self.nodes.push(Node { at, ..*node });
                at += node.room;
            }
            let begin = self.row.len();
            self.column.push(begin as u32);
            self.row.extend(later.iter().map(|supernode| first as u32 + planner.ordering.position(*supernode)));
            self.row[begin..].sort_unstable();
        }
        self.find_targets(first);
        let supernodes = first..self.first_node.len();
        let (nodes, bodies) = (first_node..self.nodes.len(), first_body..self.bodies.len());
        self.mechanisms.push(Mechanism { supernodes, nodes, bodies });
    }

    /// Finds the targets of the supernodes from `first` on.
    fn find_targets(&mut self, first: usize) {
        let Self { column, row, targets, target, .. } = self;
        let column_range = |supernode: usize| {
            let next = column.get(supernode + 1).map_or(row.len(), |next| *next as usize);
            column[supernode] as usize..next
        };
        for supernode in first..column.len() {
            target.push(targets.len() as u32);
            let rows = &row[column_range(supernode)];
            for (i, later) in rows.iter().enumerate() {
                for earlier in &rows[..i] {
                    let range = column_range(*earlier as usize);
                    let found = row[range.clone()].binary_search(later).unwrap_or_default();
                    targets.push(Target::Below((range.start + found) as u32));
                }
                targets.push(Target::Diagonal(*later));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn link(a: u32, b: u32, rows: LinkRows) -> Link {
        Link { a, b, room: 8, rows }
    }

    fn plan(links: &[Link], bodies: usize) -> Plan {
        let mut plan = Plan::default();
        plan.update(&mut Planner::default(), links, bodies);
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

    /// A square of n × n bodies with joints between neighbours.
    fn net(n: u32) -> Vec<Link> {
        let at = |x: u32, y: u32| n * y + x;
        let mut links = Vec::new();
        for y in 0..n {
            for x in 0..n {
                if x > 0 {
                    links.push(link(at(x - 1, y), at(x, y), LinkRows::Equal));
                }
                if y > 0 {
                    links.push(link(at(x, y - 1), at(x, y), LinkRows::Equal));
                }
            }
        }
        links
    }

    #[test]
    fn a_large_net_is_left_to_the_sweeps() {
        let plan = plan(&net(40), 1600);
        assert_eq!((plan.mechanisms.len(), plan.dense_mechanisms), (0, 1));
    }

    /// The 180 ropes of a net of 10 × 10 have one row each: 23 full blocks would do.
    #[test]
    fn ropes_of_a_net_share_blocks() {
        let ropes: Vec<Link> = net(10).into_iter().map(|link| Link { room: Link::room(1), ..link }).collect();
        let plan = plan(&ropes, 100);
        assert_eq!((plan.mechanisms.len(), plan.nodes.len()), (1, 180));
        assert!((23..=45).contains(&plan.supernode_count()), "{} supernodes", plan.supernode_count());
        let mut taken = vec![false; WIDTH * plan.supernode_count()];
        for (supernode, index) in
            (0..plan.supernode_count()).flat_map(|s| plan.nodes_of(s).map(move |index| (s, index)))
        {
            let node = &plan.nodes[index];
            assert_eq!(node.supernode(), supernode);
            assert!(!std::mem::replace(&mut taken[node.at as usize], true), "two rows in one place");
        }
        let mut joints: Vec<u32> = plan.nodes.iter().map(|node| node.joint).collect();
        joints.sort_unstable();
        assert!(joints.into_iter().eq(0..180), "each rope is there once");
    }
}
