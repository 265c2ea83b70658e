//! Which joints form trees, and in which order they are eliminated.
//!
//! The bodies are the nodes, the joints the edges. Bodies that impulses do not move are no nodes: a joint to one of
//! them is the root of its tree, so a tree has one such joint at most and a second one closes a loop through the
//! ground. A tree that floats has its heaviest body for its root. From each root the joints are taken breadth first in
//! the scene's order; a joint whose two bodies are in the tree already closes a loop. It becomes a tree of its own, one
//! edge, and iterates with the others.
//!
//! What is eliminated adds its mass to its parent's, and beside that the parent's own inertia is lost in rounding if it
//! is too little:
//!
//! ```text
//! κ = m tr K,   K = 1/m_p − [r]× I_p⁻¹ [r]×      m: all that hangs on the joint, K: how the parent gives way there
//! ```
//! 32 bits hold the parent's inertia to 6e-8 κ. Where κ is beyond `MOST_HUNG` the tree is cut: the joint iterates, its root at
//! the heavier of its bodies.
//!
//! The order of elimination is the reverse of that in which the bodies were found: children before their parents. It
//! depends on the topology alone and is kept until that changes.

use crate::physics::graph::Lists;

/// No parent, or no joint.
pub const NONE: u32 = u32::MAX;

/// The most κ of a joint of a tree.
pub const MOST_HUNG: f64 = 1e6;
/// The most m tr K of a body at a joint of its own: beyond, 32 bits do not hold both of what it gives way by, along the
/// lever and across it.
pub const LONGEST: f32 = 1e5;
/// So many trees take turns.
const TURNS: usize = 4;

/// A joint whose equality rows may be solved as part of a tree.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Edge {
    /// Its two bodies.
    pub a: u32,
    pub b: u32,
    /// Their masses, kg; 0 of one that impulses do not move, and that is one at most.
    pub masses: (f32, f32),
    /// How each gives way at the joint, tr K, 1/kg.
    pub gives: (f32, f32),
    /// Number of its equality rows.
    pub count: u32,
}

impl Edge {
    /// Whether impulses move the first and the second.
    fn moves(&self) -> (bool, bool) {
        (self.masses.0 > 0.0, self.masses.1 > 0.0)
    }
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
pub struct EliminationPlan {
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
    /// Joints at which trees are cut, and what hangs on each body of the tree, kg.
    cut: Vec<bool>,
    hung: Vec<f64>,
    /// Bodies of the tree in the order found, with parent, edge and side.
    found: Vec<Node>,
}

impl EliminationPlan {
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
    fn find_all(&mut self, plan: &mut EliminationPlan, edges: &[Edge]) {
        self.node_of.clear();
        self.node_of.resize(plan.bodies, NONE);
        self.used.clear();
        self.used.resize(edges.len(), false);
        self.cut.clear();
        self.cut.resize(edges.len(), false);
        if plan.whole {
            let ends = |(index, edge): (usize, &Edge)| {
                let moves = edge.moves();
                let moving = [(edge.a, moves.0), (edge.b, moves.1)].into_iter().filter(|end| end.1);
                moving.map(move |(body, _)| (body, index as u32))
            };
            self.touching.fill(plan.bodies, edges.iter().enumerate().flat_map(ends));
            // Trees that hang on something first: their root is given. Then those that float, from their first joint
            // on.
            for rooted in [true, false] {
                for index in 0..edges.len() {
                    let edge = edges[index];
                    let moves = edge.moves();
                    let starts = (moves.0 && moves.1) != rooted;
                    let seen = |body: u32, moves: bool| moves && self.node_of[body as usize] != NONE;
                    if starts && !self.used[index] && !seen(edge.a, moves.0) && !seen(edge.b, moves.1) {
                        if rooted {
                            let (body, second) = if moves.1 { (edge.b, true) } else { (edge.a, false) };
                            let root = (body, index as u32, second);
                            self.grow(edges, root);
                            while self.cut(edges) {
                                self.forget();
                                self.grow(edges, root);
                            }
                        } else {
                            self.float(edges, edge.a);
                            while self.cut(edges) {
                                self.forget();
                                self.float(edges, edge.a);
                            }
                        }
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

    /// Finds the tree that a body is in and that hangs on nothing, its root the heaviest.
    fn float(&mut self, edges: &[Edge], body: u32) {
        self.grow(edges, (body, NONE, false));
        let mut heaviest = (body, 0.0);
        for node in self.found.iter().filter(|node| node.edge != NONE) {
            let Edge { a, b, masses, .. } = edges[node.edge as usize];
            for end in [(a, masses.0), (b, masses.1)] {
                heaviest = if end.1 > heaviest.1 { end } else { heaviest };
            }
        }
        if heaviest.0 != body {
            self.forget();
            self.grow(edges, (heaviest.0, NONE, false));
        }
    }

    /// Forgets the tree that was found last.
    fn forget(&mut self) {
        for node in &self.found {
            self.node_of[node.body as usize] = NONE;
            if node.edge != NONE {
                self.used[node.edge as usize] = false;
            }
        }
    }

    /// Finds the joints at which too much hangs on too little, the lowest of each branch; whether there are any.
    fn cut(&mut self, edges: &[Edge]) -> bool {
        let Self { found, cut, hung, .. } = self;
        let own = |node: &Node| match node.edge {
            NONE => 0.0,
            edge if node.second => f64::from(edges[edge as usize].masses.1),
            edge => f64::from(edges[edge as usize].masses.0),
        };
        hung.clear();
        hung.extend(found.iter().map(own));
        let mut any = false;
        for (k, node) in found.iter().enumerate().rev().filter(|(_, node)| node.parent != NONE) {
            let edge = &edges[node.edge as usize];
            let gives = f64::from(if node.second { edge.gives.0 } else { edge.gives.1 });
            if hung[k] * gives > MOST_HUNG {
                (cut[node.edge as usize], any) = (true, true);
            } else {
                hung[node.parent as usize] += hung[k];
            }
        }
        any
    }

    /// Finds the tree of a root: a body, the joint by which it hangs and whether it is that one's second.
    fn grow(&mut self, edges: &[Edge], (root, edge, second): (u32, u32, bool)) {
        self.found.clear();
        self.find(root, NONE, edge, second);
        if edge != NONE {
            self.used[edge as usize] = true;
        }
        let mut next = 0;
        while next < self.found.len() {
            let body = self.found[next].body;
            for k in 0..self.touching.at(body).len() {
                let index = self.touching.at(body)[k] as usize;
                let edge = edges[index];
                let second = edge.a == body;
                let other = if second { edge.b } else { edge.a };
                let both = edge.moves() == (true, true) && edge.a != edge.b;
                let free = !self.used[index] && !self.cut[index];
                if free && both && self.node_of[other as usize] == NONE {
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
        match edge.moves() {
            (true, true) if edge.a != edge.b => {
                // The heavier is the root.
                let second = edge.masses.0 >= edge.masses.1;
                let (root, other) = if second { (edge.a, edge.b) } else { (edge.b, edge.a) };
                self.found.push(node(root, NONE, NONE, false));
                self.found.push(node(other, 0, index as u32, second));
            }
            (_, second) => self.found.push(node(if second { edge.b } else { edge.a }, NONE, index as u32, second)),
        }
    }

    fn find(&mut self, body: u32, parent: u32, edge: u32, second: bool) {
        self.node_of[body as usize] = self.found.len() as u32;
        self.found.push(Node { body, parent, edge, second, at: 0 });
    }
}
