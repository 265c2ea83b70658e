//! Which joints form trees, and in which order they are eliminated.
//!
//! Bodies are nodes, joints are edges. Static and kinematic bodies are no nodes: a joint to one of them is the root
//! of its tree, so a tree has at most one such joint; a second one closes a loop through the ground. The root of a
//! floating tree is its heaviest body. From each root the joints are visited breadth first in the scene's order; a
//! joint whose bodies are both in the tree already closes a loop. It becomes a tree of its own with one edge, and
//! iterates with the others.
//!
//! Elimination adds the mass of a subtree to its parent's. The parent's own inertia is then lost to rounding if it is
//! too small:
//!
//! ```text
//! κ = m tr K,   K = 1/m_p − [r]× I_p⁻¹ [r]×      m: mass of the subtree at the joint, K: mobility of the parent there
//! ```
//! 32 bits hold the parent's inertia to 6e-8 κ. If κ exceeds `MAX_HUNG_RATIO` the tree is cut: the joint iterates, as a
//! tree of its own with the heavier body as root.
//!
//! The order of elimination is the reverse of the order of discovery: children before their parents. The plan is kept
//! until the joints, their masses or lever arms change.

use crate::graph::Lists;

/// No parent, or no joint.
pub const NONE: u32 = u32::MAX;

/// The largest κ of a joint within a tree.
pub const MAX_HUNG_RATIO: f64 = 1e6;
/// The largest m tr K of a body at its own joint. Beyond it, 32 bits cannot hold its mobility both along the lever
/// arm and across it.
pub const MAX_MOBILITY: f32 = 1e5;
/// Number of trees whose nodes are interleaved.
const TURNS: usize = 4;

/// A joint whose equality rows may be solved as part of a tree.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Edge {
    /// Its two bodies.
    pub a: u32,
    pub b: u32,
    /// Their masses, kg; 0 for a static or kinematic body, at most one of the two.
    pub masses: (f32, f32),
    /// Each body's mobility tr K at the joint, 1/kg.
    pub mobility: (f32, f32),
    /// Number of its equality rows.
    pub count: u32,
}

impl Edge {
    /// Whether each body is dynamic.
    fn moves(&self) -> (bool, bool) {
        (self.masses.0 > 0.0, self.masses.1 > 0.0)
    }
}

/// A body of a tree and the joint to its parent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Node {
    pub body: u32,
    /// Index of the parent's node; [`NONE`] at a root.
    pub parent: u32,
    /// Index of the joint among the edges; [`NONE`] at the root of a floating tree.
    pub edge: u32,
    /// Whether the body is the joint's second body (B).
    pub second: bool,
    /// Index of its first factor.
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

/// The trees of a world, kept while the edges stay the same.
#[derive(Debug, Clone, Default)]
pub struct EliminationPlan {
    pub nodes: Vec<Node>,
    pub trees: Vec<Tree>,
    /// The order of factoring: the nodes of `TURNS` trees interleaved, each tree's in order, so that consecutive
    /// nodes do not depend on each other.
    pub turns: Vec<u32>,
    /// Number of floats of all factors.
    pub size: u32,
    /// The edges, number of bodies and `whole` flag that the plan was made for.
    made_for: Vec<Edge>,
    bodies: usize,
    whole: bool,
}

/// Buffers for finding trees.
#[derive(Debug, Clone, Default)]
pub struct Finder {
    /// The edges of each dynamic body.
    touching: Lists,
    /// By body: its index in `found` while its tree is being built.
    node_of: Vec<u32>,
    used: Vec<bool>,
    /// By edge: whether the tree is cut there. By entry of `found`: mass of its subtree, kg.
    cut: Vec<bool>,
    hung: Vec<f64>,
    /// The bodies of the tree in the order of discovery, with parent, edge and side.
    found: Vec<Node>,
}

impl EliminationPlan {
    /// Updates the plan if its inputs have changed: the largest possible trees if `whole`, else each joint on its
    /// own.
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

    /// Appends a tree, in reverse order of discovery, so that children come first.
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
            // First the trees with a joint to a static or kinematic body, whose root is given; then the floating
            // ones, starting from their first joint.
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

    /// Finds the floating tree of a body and roots it at its heaviest body.
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

    /// Discards the tree that was found last.
    fn forget(&mut self) {
        for node in &self.found {
            self.node_of[node.body as usize] = NONE;
            if node.edge != NONE {
                self.used[node.edge as usize] = false;
            }
        }
    }

    /// Marks the joints with too large a κ, in each branch the lowest one; returns whether there are any.
    fn cut(&mut self, edges: &[Edge]) -> bool {
        let Self { found, cut, hung, .. } = self;
        let mass_of = |node: &Node| match node.edge {
            NONE => 0.0,
            edge if node.second => f64::from(edges[edge as usize].masses.1),
            edge => f64::from(edges[edge as usize].masses.0),
        };
        hung.clear();
        hung.extend(found.iter().map(mass_of));
        let mut any = false;
        for (k, node) in found.iter().enumerate().rev().filter(|(_, node)| node.parent != NONE) {
            let edge = &edges[node.edge as usize];
            let mobility = f64::from(if node.second { edge.mobility.0 } else { edge.mobility.1 });
            if hung[k] * mobility > MAX_HUNG_RATIO {
                (cut[node.edge as usize], any) = (true, true);
            } else {
                hung[node.parent as usize] += hung[k];
            }
        }
        any
    }

    /// Builds the tree from its root: a body, the joint to the ground ([`NONE`] if floating), and whether the body is
    /// that joint's B.
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

    /// Makes a tree of one edge.
    fn alone(&mut self, edges: &[Edge], index: usize) {
        let edge = edges[index];
        self.found.clear();
        let node = |body, parent, edge, second| Node { body, parent, edge, second, at: 0 };
        match edge.moves() {
            (true, true) if edge.a != edge.b => {
                // The heavier body is the root.
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
