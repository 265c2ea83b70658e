//! The graph whose nodes are bodies and whose edges are joints. All static and kinematic bodies are one node, the
//! ground.

use std::collections::VecDeque;

use super::DoctorCase;
use delassus_physics::graph::Lists;

/// The ground's node; a dynamic body's node is its id.
pub const GROUND: usize = 0;

/// A spanning forest of the graph, breadth first: first the tree of the ground, then one from the heaviest body of
/// each part that is not connected to the ground.
pub struct SpanningForest {
    /// Nodes in the order in which they were reached.
    pub order: Vec<usize>,
    /// For each node its parent and the joint to it; `None` for roots and isolated bodies.
    pub parent: Vec<Option<(usize, usize)>>,
}

/// The node of a body.
pub fn node(case: &DoctorCase<'_>, body: u32) -> usize {
    if case.world.state.bodies[body as usize].is_dynamic() { body as usize } else { GROUND }
}

impl SpanningForest {
    /// Spans the graph of the joints for which `counts` is true.
    pub fn new(case: &DoctorCase<'_>, counts: impl Fn(usize) -> bool) -> Self {
        let bodies = &case.world.state.bodies;
        let joints = &case.world.state.joints;
        let ends = |index: usize| [joints[index].def.a, joints[index].def.b].map(|body| node(case, body));
        let at_ends = |index: usize| {
            let [a, b] = ends(index);
            let count = if a == b { 0 } else { 2 };
            [a, b].into_iter().take(count).map(move |end| (end as u32, index as u32))
        };
        let mut edges = Lists::default();
        edges.fill(bodies.len(), (0..joints.len()).filter(|index| counts(*index)).flat_map(at_ends));
        let mut forest = Self { order: Vec::new(), parent: vec![None; bodies.len()] };
        let mut heaviest: Vec<usize> = (1..bodies.len()).filter(|i| !edges.at(*i as u32).is_empty()).collect();
        heaviest.sort_by(|a, b| bodies[*b].mass.total_cmp(&bodies[*a].mass).then(a.cmp(b)));
        let mut reached = vec![false; bodies.len()];
        let mut used = vec![false; case.world.state.joints.len()];
        let mut queue = VecDeque::new();
        for root in std::iter::once(GROUND).chain(heaviest) {
            if std::mem::replace(&mut reached[root], true) {
                continue;
            }
            queue.push_back(root);
            while let Some(at) = queue.pop_front() {
                forest.order.push(at);
                for &joint in edges.at(at as u32) {
                    let joint = joint as usize;
                    let to = ends(joint).into_iter().find(|end| *end != at).unwrap_or(at);
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
