//! Which joints form trees, and in which order they are eliminated.
//!
//! The bodies are the nodes, the joints the edges. Bodies that impulses do not move are no nodes: a joint to one of
//! them is the root of its tree, so a tree has one such joint at most and a second one closes a loop through the
//! ground. From each root the joints are taken breadth first in the scene's order; a joint whose two bodies are in the
//! tree already closes a loop. It becomes a tree of its own, one edge, and iterates with the others.
//!
//! The order of elimination is the reverse of that in which the bodies were found: children before their parents. It
//! depends on the topology alone and is kept until that changes.

use crate::physics::graph::Lists;

/// No parent, or no joint.
pub const NONE: u32 = u32::MAX;

/// So many trees take turns.
const TURNS: usize = 4;

/// A joint whose equality rows may be solved as part of a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edge {
    /// Its two bodies.
    pub a: u32,
    pub b: u32,
    /// Whether impulses move them; one of them at least.
    pub moves: (bool, bool),
    /// Number of its equality rows.
    pub count: u32,
}

/// A body of a tree with the joint towards its parent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Node {
    pub body: u32,
    /// The parent's place in the list of nodes; [`NONE`] at a root.
    pub parent: u32,
    /// Index of the joint among the edges; [`NONE`] at the root of a tree that floats.
    pub edge: u32,
    /// Whether the body is the joint's second.
    pub second: bool,
    /// Where its factors begin.
    pub at: u32,
}

/// A tree: a range of nodes, children before parents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tree {
    pub first: u32,
    pub end: u32,
}

impl Tree {
    /// The range of its nodes.
    pub fn range(&self) -> std::ops::Range<usize> {
        self.first as usize..self.end as usize
    }
}

/// The trees of a world, kept while its topology stays.
#[derive(Debug, Clone, Default)]
pub struct Plan {
    pub nodes: Vec<Node>,
    pub trees: Vec<Tree>,
    /// The nodes of some trees in turn, each tree's in their order: no node need wait for the one before it.
    pub turns: Vec<u32>,
    /// Floats that all factors need.
    pub size: u32,
    /// The edges, the number of bodies, and whether whole trees were asked for, that the plan was made for.
    made_for: Vec<Edge>,
    bodies: usize,
    whole: bool,
}

/// What finding the trees needs.
#[derive(Debug, Clone, Default)]
pub struct Finder {
    /// Edges at each moving body.
    touching: Lists,
    /// The node that stands for a body, while its tree is being found.
    node_of: Vec<u32>,
    used: Vec<bool>,
    /// Bodies of the tree in the order found, with parent, edge and side.
    found: Vec<Node>,
}

impl Plan {
    /// Brings the plan up to date: trees as large as they go where `whole`, else each joint by itself.
    pub fn update(&mut self, finder: &mut Finder, edges: &[Edge], bodies: usize, whole: bool) {
        if self.made_for == edges && self.whole == whole && self.bodies == bodies {
            return;
        }
        self.made_for.clear();
        self.made_for.extend_from_slice(edges);
        (self.whole, self.bodies, self.size) = (whole, bodies, 0);
        self.trees.clear();
        self.nodes.clear();
        finder.find_all(self, edges);
        self.turns.clear();
        for trees in self.trees.chunks(TURNS) {
            let longest = trees.iter().map(|tree| tree.range().len()).max().unwrap_or(0);
            let turn = |k: usize| trees.iter().map(move |tree| tree.first + k as u32).zip(trees);
            self.turns.extend(
                (0..longest).flat_map(|k| turn(k).filter(|(node, tree)| *node < tree.end).map(|(node, _)| node)),
            );
        }
    }

    /// Takes over a tree as it was found, children first.
    fn add(&mut self, found: &[Node], edges: &[Edge]) {
        let (first, count) = (self.nodes.len() as u32, found.len() as u32);
        for node in found.iter().rev() {
            let parent = if node.parent == NONE { NONE } else { first + count - 1 - node.parent };
            self.nodes.push(Node { parent, at: self.size, ..*node });
            let rows = if node.edge == NONE { 0 } else { edges[node.edge as usize].count };
            self.size += super::articulated::size(rows as usize) as u32;
        }
        self.trees.push(Tree { first, end: first + count });
    }
}

impl Finder {
    fn find_all(&mut self, plan: &mut Plan, edges: &[Edge]) {
        self.node_of.clear();
        self.node_of.resize(plan.bodies, NONE);
        self.used.clear();
        self.used.resize(edges.len(), false);
        if plan.whole {
            let ends = |(index, edge): (usize, &Edge)| {
                let moving = [(edge.a, edge.moves.0), (edge.b, edge.moves.1)].into_iter().filter(|end| end.1);
                moving.map(move |(body, _)| (body, index as u32))
            };
            self.touching.fill(plan.bodies, edges.iter().enumerate().flat_map(ends));
            // Trees that hang on something first: their root is given. Then those that float, from their first joint
            // on.
            for rooted in [true, false] {
                for index in 0..edges.len() {
                    let edge = edges[index];
                    let starts = (edge.moves.0 && edge.moves.1) != rooted;
                    let seen = |body: u32, moves: bool| moves && self.node_of[body as usize] != NONE;
                    if starts && !self.used[index] && !seen(edge.a, edge.moves.0) && !seen(edge.b, edge.moves.1) {
                        self.grow(edges, index, rooted);
                        plan.add(&self.found, edges);
                    }
                }
            }
        }
        for index in 0..edges.len() {
            if !self.used[index] {
                self.alone(edges, index);
                plan.add(&self.found, edges);
            }
        }
    }

    /// Finds the tree that begins with this edge, its root where it hangs on something.
    fn grow(&mut self, edges: &[Edge], seed: usize, rooted: bool) {
        self.found.clear();
        let edge = edges[seed];
        if rooted {
            self.used[seed] = true;
            let second = edge.moves.1;
            self.find(if second { edge.b } else { edge.a }, NONE, seed as u32, second);
        } else {
            self.find(edge.a, NONE, NONE, false);
        }
        let mut next = 0;
        while next < self.found.len() {
            let body = self.found[next].body;
            for k in 0..self.touching.at(body).len() {
                let index = self.touching.at(body)[k] as usize;
                let edge = edges[index];
                let second = edge.a == body;
                let other = if second { edge.b } else { edge.a };
                let both = edge.moves.0 && edge.moves.1 && edge.a != edge.b;
                if !self.used[index] && both && self.node_of[other as usize] == NONE {
                    self.used[index] = true;
                    self.find(other, next as u32, index as u32, second);
                }
            }
            next += 1;
        }
    }

    /// A tree of one edge.
    fn alone(&mut self, edges: &[Edge], index: usize) {
        let edge = edges[index];
        self.found.clear();
        let node = |body, parent, edge, second| Node { body, parent, edge, second, at: 0 };
        match edge.moves {
            (true, true) if edge.a != edge.b => {
                self.found.push(node(edge.a, NONE, NONE, false));
                self.found.push(node(edge.b, 0, index as u32, true));
            }
            (_, second) => self.found.push(node(if second { edge.b } else { edge.a }, NONE, index as u32, second)),
        }
    }

    fn find(&mut self, body: u32, parent: u32, edge: u32, second: bool) {
        self.node_of[body as usize] = self.found.len() as u32;
        self.found.push(Node { body, parent, edge, second, at: 0 });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edge(a: u32, b: u32) -> Edge {
        Edge { a, b, moves: (a != 0, b != 0), count: 3 }
    }

    fn plan(edges: &[Edge], bodies: usize) -> Plan {
        let mut plan = Plan::default();
        plan.update(&mut Finder::default(), edges, bodies, true);
        plan
    }

    /// Each edge once, each body once a tree, parents behind their children.
    fn check(plan: &Plan, edges: &[Edge]) {
        let mut seen = vec![0; edges.len()];
        for tree in &plan.trees {
            let mut bodies = Vec::new();
            for (k, node) in tree.range().zip(&plan.nodes[tree.range()]) {
                bodies.push(node.body);
                if node.edge != NONE {
                    seen[node.edge as usize] += 1;
                    let edge = edges[node.edge as usize];
                    assert_eq!(node.body, if node.second { edge.b } else { edge.a });
                    let other = if node.second { edge.a } else { edge.b };
                    if node.parent == NONE {
                        assert_eq!(other, 0, "a root hangs on the world");
                    } else {
                        assert!(node.parent as usize > k && tree.range().contains(&(node.parent as usize)));
                        assert_eq!(plan.nodes[node.parent as usize].body, other);
                    }
                } else {
                    assert_eq!(node.parent, NONE);
                }
            }
            bodies.sort_unstable();
            assert!(bodies.windows(2).all(|w| w[0] != w[1]), "{bodies:?}");
        }
        assert_eq!(seen, vec![1; edges.len()]);
    }

    #[test]
    fn a_chain_is_one_tree_with_its_root_at_the_world() {
        let edges: Vec<Edge> = (0..9).map(|i| edge(i, i + 1)).collect();
        let plan = plan(&edges, 10);
        check(&plan, &edges);
        assert_eq!(plan.trees.len(), 1);
        assert_eq!(plan.nodes.last().map(|n| (n.body, n.parent)), Some((1, NONE)));
    }

    #[test]
    fn a_loop_is_a_tree_and_one_joint_that_closes_it() {
        let edges = [edge(0, 1), edge(1, 2), edge(2, 3), edge(3, 0)];
        let plan = plan(&edges, 4);
        check(&plan, &edges);
        assert_eq!(plan.trees.iter().map(|t| t.range().len()).collect::<Vec<_>>(), [3, 1]);
    }

    #[test]
    fn trees_of_random_graphs_hold_every_joint_once() {
        let mut state = 7u64;
        let mut random = |below: u32| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as u32 % below
        };
        for round in 0..200 {
            let bodies = 2 + random(30);
            let edges: Vec<Edge> = (0..random(60))
                .map(|_| (random(bodies), random(bodies)))
                .filter(|(a, b)| a != b)
                .map(|(a, b)| edge(a, b))
                .collect();
            let plan = plan(&edges, bodies as usize);
            check(&plan, &edges);
            // As many joints are in large trees as a spanning forest of the moving bodies has, and one root each.
            let alone = plan.trees.iter().filter(|t| t.range().len() <= 2).count();
            assert!(alone <= edges.len(), "round {round}");
        }
    }

    #[test]
    fn a_plan_is_kept_while_the_topology_stays() {
        let mut edges: Vec<Edge> = (0..5).map(|i| edge(i, i + 1)).collect();
        let mut plan = plan(&edges, 6);
        let before = plan.nodes.clone();
        plan.update(&mut Finder::default(), &edges, 6, true);
        assert_eq!(plan.nodes, before);
        edges.pop();
        plan.update(&mut Finder::default(), &edges, 6, true);
        assert_eq!(plan.nodes.len(), 4);
    }
}
