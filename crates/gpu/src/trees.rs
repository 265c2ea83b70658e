//! The joints of a world as trees, in the layout of `shaders/gpu_trees.wgsl`.
//!
//! The joints that form trees, and their roots, come from the processor's plan
//! (`physics/solvers/tree/elimination_plan.rs`). Here its nodes are stored by elimination step, the k-th nodes of all
//! trees next to each other, with the trees in order of length:
//!
//! ```text
//! levels[k] + t    the k-th node of tree t, children before parents
//! constraints      first the loop-closing ones, by turns (`wavefronts.rs`); then the trees', in the order of their nodes
//! ```
//! A joint that closes a loop, or at which the plan cuts a tree, iterates after the trees, in the processor's order.

use super::constants::{CARRIED, FIXED, NEXT, NONE, PUT, STORED};
use super::wavefronts::Wavefronts;
use delassus_physics::body::Body;
use delassus_physics::graph;
use delassus_physics::solvers::tree::{Edge, EliminationPlan, Finder, MAX_MOBILITY};
use delassus_physics::world::World;

/// Trees in the shaders' layout.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DeviceTrees {
    /// Body; index of the parent's node, or `FIXED` and a body; twice the constraint, plus one if the body is its B;
    /// flags.
    pub nodes: Vec<[u32; 4]>,
    /// Where each elimination step begins in `nodes`, then the total number of nodes twice.
    pub levels: Vec<u32>,
}

impl DeviceTrees {
    /// Number of trees.
    pub fn count(&self) -> usize {
        self.levels.get(1).map_or(0, |end| *end as usize)
    }

    /// Number of bodies of the longest tree.
    pub fn longest(&self) -> usize {
        self.levels.len().saturating_sub(2)
    }
}

/// Lays out the trees of a world, and the joints in the order of their constraints: those solved by turns first, then
/// those of the trees.
pub fn pack(world: &World, joints: &[u32]) -> (DeviceTrees, Wavefronts) {
    let moves = |body: u32| world.state.bodies[body as usize].is_dynamic();
    let (mut edges, mut owners, mut iterated, mut unfit) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for joint in joints {
        let edge = edge(world, *joint);
        let fits = |mass: f32, mobility: f32| mass * mobility <= MAX_MOBILITY;
        if (edge.masses.0 > 0.0 || edge.masses.1 > 0.0)
            && fits(edge.masses.0, edge.mobility.0)
            && fits(edge.masses.1, edge.mobility.1)
        {
            edges.push(edge);
            owners.push(*joint);
        } else {
            unfit.push(*joint);
        }
    }
    let mut plan = EliminationPlan::default();
    plan.update(&mut Finder::default(), &edges, world.state.bodies.len(), true);
    let mut claimed = vec![false; world.state.bodies.len()];
    let mut disjoint_trees = Vec::new();
    for tree in &plan.trees {
        let nodes = &plan.nodes[tree.range()];
        if nodes.iter().any(|node| claimed[node.body as usize]) {
            iterated.extend(nodes.iter().filter(|node| node.edge != NONE).map(|node| owners[node.edge as usize]));
        } else {
            nodes.iter().for_each(|node| claimed[node.body as usize] = true);
            disjoint_trees.push((tree.first as usize, nodes));
        }
    }
    iterated.append(&mut unfit);
    disjoint_trees.sort_by_key(|(_, nodes)| std::cmp::Reverse(nodes.len()));
    let ends = |joint: u32| {
        let def = &world.state.joints[joint as usize].def;
        [def.a, def.b].map(|body| if moves(body) { body } else { graph::NONE })
    };
    let mut turns = Wavefronts::of(world.state.bodies.len(), &iterated, ends);
    let longest = disjoint_trees.first().map_or(0, |(_, nodes)| nodes.len());
    let mut trees = DeviceTrees::default();
    let mut sum = 0;
    for k in 0..longest {
        trees.levels.push(sum);
        sum += disjoint_trees.partition_point(|(_, nodes)| nodes.len() > k) as u32;
    }
    trees.levels.extend([sum, sum]);
    trees.nodes.resize(sum as usize, [0; 4]);
    for k in 0..longest {
        for (t, (first, nodes)) in disjoint_trees.iter().enumerate().take_while(|(_, (_, nodes))| nodes.len() > k) {
            let node = &nodes[k];
            let place = |k: usize| trees.levels[k] as usize + t;
            let (slot_of_node, body) = (place(k), node.body);
            let constraint = turns.order.len() as u32;
            let (mut parent, mut joint) = (NONE, NONE);
            if node.edge != NONE {
                turns.order.push(owners[node.edge as usize]);
                joint = 2 * constraint + u32::from(node.second);
                let Edge { a, b, .. } = edges[node.edge as usize];
                parent = FIXED | if node.second { a } else { b };
            }
            if node.parent != NONE {
                let above = node.parent as usize - *first;
                let slot = place(above);
                parent = slot as u32;
                if above == k + 1 {
                    trees.nodes[slot_of_node][3] |= NEXT;
                    trees.nodes[slot][3] |= CARRIED;
                } else if trees.nodes[slot][3] & STORED == 0 {
                    trees.nodes[slot_of_node][3] |= PUT;
                    trees.nodes[slot][3] |= STORED;
                }
            }
            let flags = trees.nodes[slot_of_node][3];
            trees.nodes[slot_of_node] = [body, parent, joint, flags];
        }
    }
    (trees, turns)
}

fn edge(world: &World, joint: u32) -> Edge {
    let def = &world.state.joints[joint as usize].def;
    let (a, b) = (&world.state.bodies[def.a as usize], &world.state.bodies[def.b as usize]);
    let mass = |body: &Body| if body.is_dynamic() { body.mass } else { 0.0 };
    let mobility = (a.inverse_mass_at(def.anchor_a), b.inverse_mass_at(def.anchor_b));
    Edge { a: def.a, b: def.b, masses: (mass(a), mass(b)), mobility, count: 3 }
}
