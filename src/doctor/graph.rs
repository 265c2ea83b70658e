//! Joints as the edges of a graph of bodies. All bodies that impulses do not move are one node, the ground.

use std::collections::VecDeque;

use super::Case;

/// The ground's node; a dynamic body's node is its number.
pub const GROUND: usize = 0;

/// A forest that spans the graph, breadth first, the ground's tree first, then from the heaviest body of each part that
/// the ground does not reach.
pub struct Forest {
    /// Nodes in the order in which they were reached.
    pub order: Vec<usize>,
    /// The node that each was reached from, and by which joint; none for roots and what no joint holds.
    pub parent: Vec<Option<(usize, usize)>>,
}

/// The node of a body.
pub fn node(case: &Case<'_>, body: u32) -> usize {
    if case.world.bodies[body as usize].is_dynamic() { body as usize } else { GROUND }
}

impl Forest {
    /// Spans the graph of the joints that `counts` lets through.
    pub fn new(case: &Case<'_>, counts: impl Fn(usize) -> bool) -> Self {
        let bodies = &case.world.bodies;
        let mut edges: Vec<Vec<(usize, usize)>> = vec![Vec::new(); bodies.len()];
        for (index, joint) in case.world.joints.iter().enumerate().filter(|(i, _)| counts(*i)) {
            let (a, b) = (node(case, joint.def.a), node(case, joint.def.b));
            if a != b {
                edges[a].push((b, index));
                edges[b].push((a, index));
            }
        }
        let mut forest = Self { order: Vec::new(), parent: vec![None; bodies.len()] };
        let mut heaviest: Vec<usize> = (1..bodies.len()).filter(|i| !edges[*i].is_empty()).collect();
        heaviest.sort_by(|a, b| bodies[*b].mass.total_cmp(&bodies[*a].mass).then(a.cmp(b)));
        let mut reached = vec![false; bodies.len()];
        let mut used = vec![false; case.world.joints.len()];
        let mut queue = VecDeque::new();
        for root in std::iter::once(GROUND).chain(heaviest) {
            if std::mem::replace(&mut reached[root], true) {
                continue;
            }
            queue.push_back(root);
            while let Some(at) = queue.pop_front() {
                forest.order.push(at);
                for &(to, joint) in &edges[at] {
                    if std::mem::replace(&mut used[joint], true) {
                        continue;
                    }
                    if !std::mem::replace(&mut reached[to], true) {
                        forest.parent[to] = Some((at, joint));
                        queue.push_back(to);
                    }
                }
            }
        }
        forest
    }
}
