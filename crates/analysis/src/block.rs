//! What moves when a joint moves: the loops that it is part of, and what hangs on them.
//!
//! ```text
//! nodes   the dynamic bodies, and the ground: all static and kinematic bodies as one
//! edges   joints that hold something; springs and angular motors hold nothing
//! block   the edges that lie on a cycle with the joint's edge; the edge alone if there is none
//! base    the node of the block through which the ground is reached; without a ground the one on which most hangs
//! ```
//! The base and what hangs on it stay. The other bodies of the block have to be found, and what hangs on one of them
//! moves with it as one body. Source: R. Tarjan, Depth-first search and linear graph algorithms, 1972: biconnected
//! components by the least number that is reached.

use delassus_doctor::DoctorCase;
use delassus_doctor::graph::{GROUND, node};
use delassus_physics::graph::Lists;
use delassus_physics::joints::JointKind;

/// What moves with a joint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Block {
    /// The joints of its loops, ascending; the joint alone if it is part of none.
    pub joints: Vec<usize>,
    /// The dynamic body of the block that stays; none if the ground is part of the block.
    pub base: Option<u32>,
    /// The dynamic bodies of the block that move, ascending.
    pub moving: Vec<u32>,
    /// What hangs on these: a body, and the one with which it moves.
    pub followers: Vec<(u32, u32)>,
    /// Whether the joint is part of no loop.
    pub is_open: bool,
}

/// An edge: its two nodes, and its joint; none for what confines a body by itself.
type Edge = ([usize; 2], Option<usize>);

impl Block {
    /// What moves with a joint; none if both its bodies stand. `confined` are bodies that are tied to the ground by
    /// themselves.
    pub fn of(case: &DoctorCase<'_>, driven: usize, confined: &[u32]) -> Option<Self> {
        let (edges, own) = edges(case, driven, confined);
        let own = own?;
        let nodes = case.world.state.bodies.len();
        let mut at = Lists::default();
        let ends = |(index, (ends, _)): (usize, &Edge)| ends.map(|node| (node as u32, index as u32));
        at.fill(nodes, edges.iter().enumerate().flat_map(ends));
        let block = cycles(&edges, &at, own);
        Some(hung(&edges, &at, &block, own, nodes))
    }
}

/// The edges, and the index of the driven joint's own.
fn edges(case: &DoctorCase<'_>, driven: usize, confined: &[u32]) -> (Vec<Edge>, Option<usize>) {
    let (mut edges, mut own): (Vec<Edge>, _) = (Vec::new(), None);
    for (index, joint) in case.world.state.joints.iter().enumerate() {
        let holds = !matches!(joint.def.kind, JointKind::Spring(_) | JointKind::AngularMotor(_));
        if joint.broken.is_some() || !(holds || index == driven) {
            continue;
        }
        let ends = [joint.def.a, joint.def.b].map(|body| node(case, body));
        if index == driven && ends[0] != ends[1] {
            own = Some(edges.len());
        }
        // A pulley's sheaves are in the world.
        let to_ground = matches!(joint.def.kind, JointKind::Pulley(_));
        let pairs = if to_ground { vec![[GROUND, ends[0]], [GROUND, ends[1]]] } else { vec![ends] };
        edges.extend(pairs.into_iter().filter(|[a, b]| a != b).map(|pair| (pair, Some(index))));
    }
    edges.extend(confined.iter().map(|body| ([GROUND, *body as usize], None)));
    (edges, own)
}

/// The edges that lie on a cycle with this one, itself among them.
fn cycles(edges: &[Edge], at: &Lists, own: usize) -> Vec<usize> {
    let [root, first] = edges[own].0;
    let nodes = edges.iter().flat_map(|(ends, _)| ends).max().map_or(0, |most| most + 1);
    // When a node was reached, and the earliest node that is reached from it and from those below it.
    let (mut reached, mut least) = (vec![usize::MAX; nodes], vec![usize::MAX; nodes]);
    let mut stack: Vec<usize> = vec![own];
    (reached[root], least[root], reached[first], least[first]) = (0, 0, 1, 1);
    let mut time = 2;
    // A node, the edge by which it was reached, and how many of its edges have been followed.
    let mut path: Vec<(usize, usize, usize)> = vec![(first, own, 0)];
    while let Some((node, by, followed)) = path.last_mut() {
        let (node, by) = (*node, *by);
        let Some(edge) = at.at(node as u32).get(*followed).map(|edge| *edge as usize) else {
            path.pop();
            let Some((above, ..)) = path.last() else { break };
            least[*above] = least[*above].min(least[node]);
            // Nothing below reaches higher: these edges are a block of their own.
            if least[node] >= reached[*above] {
                let start = stack.iter().rposition(|edge| *edge == by).unwrap_or(stack.len());
                stack.truncate(start);
            }
            continue;
        };
        *followed += 1;
        if edge == by {
            continue;
        }
        let [a, b] = edges[edge].0;
        let to = if a == node { b } else { a };
        if reached[to] == usize::MAX {
            (reached[to], least[to]) = (time, time);
            time += 1;
            stack.push(edge);
            path.push((to, edge, 0));
        } else if reached[to] < reached[node] {
            stack.push(edge);
            least[node] = least[node].min(reached[to]);
        }
    }
    // What is left is the block of the first edge. The root was not left by another edge.
    stack
}

/// What hangs on the nodes of a block, and which of them stays.
fn hung(edges: &[Edge], at: &Lists, block: &[usize], own: usize, nodes: usize) -> Block {
    let mut of_block = vec![false; edges.len()];
    block.iter().for_each(|edge| of_block[*edge] = true);
    let [a, b] = edges[own].0;
    // The joint's own A first: of two on which as much hangs, it stays.
    let mut members: Vec<usize> = vec![a, b];
    members.extend(block.iter().flat_map(|edge| edges[*edge].0));
    let mut seen = vec![false; nodes];
    members.retain(|node| !std::mem::replace(&mut seen[*node], true));
    let hanging: Vec<Vec<usize>> = (members.iter())
        .map(|member| {
            let mut found = vec![*member];
            let mut next = 0;
            while let Some(node) = found.get(next).copied() {
                next += 1;
                for edge in at.at(node as u32) {
                    let (ends, edge) = (edges[*edge as usize].0, *edge as usize);
                    let to = if ends[0] == node { ends[1] } else { ends[0] };
                    if !of_block[edge] && !std::mem::replace(&mut seen[to], true) {
                        found.push(to);
                    }
                }
            }
            found
        })
        .collect();
    let grounded = hanging.iter().position(|found| found.contains(&GROUND));
    let largest = || (0..hanging.len()).rev().max_by_key(|k| hanging[*k].len()).unwrap_or(0);
    let base = members[grounded.unwrap_or_else(largest)];
    let mut result = Block {
        joints: block.iter().filter_map(|edge| edges[*edge].1).collect(),
        base: (base != GROUND).then_some(base as u32),
        moving: members.iter().filter(|node| **node != base).map(|node| *node as u32).collect(),
        followers: Vec::new(),
        is_open: block.len() == 1,
    };
    for (member, found) in members.iter().zip(&hanging).filter(|(member, _)| **member != base) {
        result.followers.extend(found[1..].iter().map(|node| (*node as u32, *member as u32)));
    }
    result.joints.sort_unstable();
    result.joints.dedup();
    result.moving.sort_unstable();
    result
}
