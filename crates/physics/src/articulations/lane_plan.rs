//! Chooses the mechanisms that the articulations step, and groups them by eight.
//!
//! ```text
//! mechanism   moving bodies that joints connect: n bodies and n − 1 joints, or n with one joint to a static body
//! nodes       a body with the joint to its parent, parents before their children
//! group       eight mechanisms overlaid, root on root and k-th child on k-th child; a lane without a body at a node is
//!             empty there
//! ```
//! Mechanisms are sorted by size and shape first, so that those of a group are alike and few lanes stay empty. The
//! plan depends on the topology, masses and anchors, not on poses.

use std::sync::Arc;

use super::joints::TreeJoint;
use crate::body::{Body, Motion};
use crate::graph::{DisjointSets, Lists, NONE};
use crate::joint::Joint;
use crate::kernel::lanes::LANES;
use crate::solvers::tree::{MAX_HUNG_RATIO, MAX_MOBILITY};
use crate::world::state::State;

/// A body of a mechanism and the joint to its parent. The joint is [`NONE`] at the root of a floating mechanism; both
/// are [`NONE`] in an empty lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TreeMember {
    pub body: u32,
    pub joint: u32,
    /// Whether the body is the joint's second body (B).
    pub second: bool,
}

impl TreeMember {
    pub const EMPTY: Self = Self { body: NONE, joint: NONE, second: true };
}

/// A mechanism: its bodies in depth-first order from the root, with the index of each one's parent in the list.
#[derive(Debug, Clone)]
struct MechanismTree {
    members: Vec<TreeMember>,
    parents: Vec<u32>,
    /// Size of the subtree at each body; it describes the tree's shape.
    sizes: Vec<u32>,
}

/// Eight mechanisms overlaid.
#[derive(Debug, Clone, Default)]
pub struct GroupShape {
    /// Each node's parent; [`NONE`] at the root, which is node 0.
    pub parents: Vec<u32>,
    pub members: Vec<[TreeMember; LANES]>,
}

/// Where a body is stored: its group, node and lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LaneAddress {
    pub group: u32,
    pub node: u16,
    pub lane: u16,
}

impl LaneAddress {
    /// Not in the articulations.
    pub const NOWHERE: Self = Self { group: NONE, node: 0, lane: 0 };
}

/// The mechanisms of a world that are stepped here.
#[derive(Debug, Clone, Default)]
pub struct LanePlan {
    /// The number of mechanisms.
    pub mechanisms: usize,
    pub shapes: Vec<Arc<GroupShape>>,
    /// By body; and by joint: the address of the body that it connects to its parent.
    pub addresses: Vec<LaneAddress>,
    pub joint_addresses: Vec<LaneAddress>,
}

/// The largest number of bodies of a mechanism: a node index has 16 bits.
const MAX_BODIES: usize = u16::MAX as usize;

impl LanePlan {
    pub fn new(state: &State) -> Self {
        let mut trees = find(state);
        trees.sort_by(|a, b| b.sizes.cmp(&a.sizes));
        let mut plan = Self {
            mechanisms: trees.len(),
            shapes: Vec::new(),
            addresses: vec![LaneAddress::NOWHERE; state.bodies.len()],
            joint_addresses: vec![LaneAddress::NOWHERE; state.joints.len()],
        };
        for (group, trees) in (0..).zip(trees.chunks(LANES)) {
            let shape = GroupShape::over(trees);
            for (node, members) in (0..).zip(&shape.members) {
                for (lane, member) in (0..).zip(members).filter(|(_, member)| member.body != NONE) {
                    let address = LaneAddress { group, node, lane };
                    plan.addresses[member.body as usize] = address;
                    if member.joint != NONE {
                        plan.joint_addresses[member.joint as usize] = address;
                    }
                }
            }
            plan.shapes.push(Arc::new(shape));
        }
        plan
    }
}

impl GroupShape {
    fn over(trees: &[MechanismTree]) -> Self {
        let mut shape = Self::default();
        let mut children: Vec<Vec<u32>> = Vec::new();
        for (lane, tree) in trees.iter().enumerate() {
            // For each body its node, and how many of its children have been placed.
            let mut nodes: Vec<(u32, usize)> = Vec::new();
            for (member, parent) in tree.members.iter().zip(&tree.parents) {
                let node = if *parent == NONE {
                    if shape.parents.is_empty() { shape.add(NONE, &mut children) } else { 0 }
                } else {
                    let (parent_node, placed) = &mut nodes[*parent as usize];
                    *placed += 1;
                    let known = children[*parent_node as usize].get(*placed - 1).copied();
                    known.unwrap_or_else(|| shape.add(*parent_node, &mut children))
                };
                nodes.push((node, 0));
                shape.members[node as usize][lane] = *member;
            }
        }
        shape
    }

    fn add(&mut self, parent: u32, children: &mut Vec<Vec<u32>>) -> u32 {
        let node = self.parents.len() as u32;
        self.parents.push(parent);
        self.members.push([TreeMember::EMPTY; LANES]);
        children.push(Vec::new());
        if parent != NONE {
            children[parent as usize].push(node);
        }
        node
    }
}

/// Whether a body may be in the articulations: dynamic, free to rotate about all axes, and not confined to a plane.
fn fits(state: &State, index: u32, body: &Body) -> bool {
    let confined = state.planes.binary_search_by_key(&index, |plane| plane.body).is_ok();
    body.is_dynamic() && body.inv_inertia_local.determinant() > 0.0 && !confined
}

/// Finds the mechanisms that are trees of supported joints.
fn find(state: &State) -> Vec<MechanismTree> {
    let (bodies, joints) = (&state.bodies, &state.joints);
    let moves: Vec<bool> = bodies.iter().map(|body| body.motion != Motion::Static).collect();
    let joins_moving = |joint: &Joint| moves[joint.def.a as usize] && moves[joint.def.b as usize];
    let mut sets = DisjointSets::new(bodies.len());
    joints.iter().filter(|joint| joins_moving(joint)).for_each(|joint| sets.join(joint.def.a, joint.def.b));
    // By a set's first body: number of bodies, of joints between moving bodies, of joints to static bodies, and
    // whether all are supported.
    let mut sums = vec![(0u32, 0u32, 0u32, true); bodies.len()];
    for (index, body) in (0..).zip(bodies).filter(|(index, _)| moves[*index as usize]) {
        let sum = &mut sums[sets.first(index) as usize];
        sum.0 += 1;
        sum.3 &= fits(state, index, body);
    }
    for joint in joints.iter().filter(|joint| moves[joint.def.a as usize] || moves[joint.def.b as usize]) {
        let end = if moves[joint.def.a as usize] { joint.def.a } else { joint.def.b };
        let sum = &mut sums[sets.first(end) as usize];
        *(if joins_moving(joint) { &mut sum.1 } else { &mut sum.2 }) += 1;
        sum.3 &= joint.broken.is_none() && TreeJoint::of(joint).is_some();
    }
    let is_tree = |first: u32| {
        let (count, inner, outer, fits) = sums[first as usize];
        fits && inner + 1 == count && outer <= 1 && inner + outer > 0 && count as usize <= MAX_BODIES
    };
    let mut touching = Lists::default();
    let ends = (0..).zip(joints).flat_map(|(index, joint)| [(joint.def.a, index), (joint.def.b, index)]);
    touching.fill(bodies.len(), ends.filter(|(end, _)| moves[*end as usize]));
    // The root is the body that is joined to a static one, else the heaviest body: the masses of the subtrees are added
    // to the root's own, which must not vanish in rounding.
    let mut root: Vec<Option<(u32, u32)>> = vec![None; bodies.len()];
    for index in (0..bodies.len() as u32).filter(|index| moves[*index as usize]) {
        let root = &mut root[sets.first(index) as usize];
        if root.is_none_or(|(known, _)| bodies[index as usize].mass > bodies[known as usize].mass) {
            *root = Some((index, NONE));
        }
    }
    for (index, joint) in (0..).zip(joints).filter(|(_, joint)| !joins_moving(joint)) {
        if let Some(end) = [joint.def.a, joint.def.b].into_iter().find(|end| moves[*end as usize]) {
            root[sets.first(end) as usize] = Some((end, index));
        }
    }
    let mut trees = Vec::new();
    for first in 0..bodies.len() as u32 {
        if moves[first as usize] && sets.first(first) == first && is_tree(first) {
            let Some((body, joint)) = root[first as usize] else { continue };
            let tree = MechanismTree::from_root(body, joint, &touching, joints);
            if !tree.is_cut(bodies, joints) {
                trees.push(tree);
            }
        }
    }
    trees
}

impl MechanismTree {
    /// Lays the tree out from its root, larger subtrees first among siblings.
    fn from_root(root: u32, joint: u32, touching: &Lists, joints: &[Box<Joint>]) -> Self {
        let member = |body: u32, joint: u32| TreeMember {
            body,
            joint,
            second: joint == NONE || joints[joint as usize].def.b == body,
        };
        // Breadth first, to sum the subtree sizes.
        let mut found = vec![(member(root, joint), NONE)];
        let mut next = 0;
        while next < found.len() {
            let above = found[next].0;
            for &index in touching.at(above.body).iter().filter(|index| **index != above.joint) {
                let def = &joints[index as usize].def;
                let other = if def.a == above.body { def.b } else { def.a };
                found.push((member(other, index), next as u32));
            }
            next += 1;
        }
        let mut size = vec![1u32; found.len()];
        for index in (1..found.len()).rev() {
            size[found[index].1 as usize] += size[index];
        }
        let mut children: Vec<Vec<u32>> = vec![Vec::new(); found.len()];
        for index in 1..found.len() {
            children[found[index].1 as usize].push(index as u32);
        }
        let mut tree = Self { members: Vec::new(), parents: Vec::new(), sizes: Vec::new() };
        let mut stack = vec![(0u32, NONE)];
        while let Some((index, parent)) = stack.pop() {
            let index_in_tree = tree.members.len() as u32;
            tree.members.push(found[index as usize].0);
            tree.parents.push(parent);
            tree.sizes.push(size[index as usize]);
            let siblings = &mut children[index as usize];
            siblings.sort_by_key(|child| size[*child as usize]);
            stack.extend(siblings.iter().map(|child| (*child, index_in_tree)));
        }
        tree
    }

    /// Whether a link is so light or so long, for the mass that hangs on it, that `solvers/tree/elimination_plan.rs`
    /// would cut the tree there.
    fn is_cut(&self, bodies: &[Box<Body>], joints: &[Box<Joint>]) -> bool {
        let mass = |body: u32| f64::from(bodies[body as usize].mass);
        let mobility = |body: u32, anchor| f64::from(bodies[body as usize].inverse_mass_at(anchor));
        let long = |body: u32, anchor| mass(body) * mobility(body, anchor) > f64::from(MAX_MOBILITY);
        let joints_of = self.members.iter().filter(|member| member.joint != NONE);
        if joints_of.map(|m| &joints[m.joint as usize].def).any(|d| long(d.a, d.anchor_a) || long(d.b, d.anchor_b)) {
            return true;
        }
        let mut hung: Vec<f64> = self.members.iter().map(|member| mass(member.body)).collect();
        for (k, (member, parent)) in self.members.iter().zip(&self.parents).enumerate().skip(1).rev() {
            let def = &joints[member.joint as usize].def;
            let (above, anchor) = if member.second { (def.a, def.anchor_a) } else { (def.b, def.anchor_b) };
            if hung[k] * mobility(above, anchor) > MAX_HUNG_RATIO {
                return true;
            }
            hung[*parent as usize] += hung[k];
        }
        false
    }
}

/// The bodies and joints of a mechanism, in the world's order.
pub fn island(shape: &GroupShape, lane: usize) -> (Vec<u32>, Vec<u32>) {
    let members = || shape.members.iter().map(move |members| members[lane]);
    let mut bodies: Vec<u32> = members().map(|member| member.body).filter(|body| *body != NONE).collect();
    let mut joints: Vec<u32> = members().map(|member| member.joint).filter(|joint| *joint != NONE).collect();
    bodies.sort_unstable();
    joints.sort_unstable();
    (bodies, joints)
}
