//! Trees of joints for the device: the processor's plan and factors with the rows of their joints, tree by tree, in
//! turns that share no moving body, or all in one where they go at once. What lies where stands in
//! `shaders/gpu_forest.wgsl`.

use crate::gpu::wavefronts::Wavefronts;
use crate::physics::row::Row;
use crate::physics::solvers::tree::Trees;
use crate::physics::system::System;

const NONE: u32 = u32::MAX;
/// Planes of a row, and numbers that a node works with.
const PLANES: usize = 5;
pub const WORK: u64 = 12 * 4;

/// The trees of a system as the shader's lists, kept from step to step for their room.
#[derive(Debug, Clone, Default)]
pub struct DeviceForest {
    /// Nodes of each tree, from and to, in the order of the turns.
    pub trees: Vec<[u32; 2]>,
    pub nodes: Vec<[u32; 4]>,
    pub rows: Vec<[f32; 4]>,
    pub factors: Vec<f32>,
    pub impulses: Vec<[f32; 2]>,
    /// Where the trees of each turn end.
    pub turns: Vec<u32>,
    /// Each moving body that a node changes where all go at once, and twice the node, and one if it is its joint's B.
    pub changed: Vec<(u32, u32)>,
    /// The system's row of each here.
    places: Vec<u32>,
}

impl DeviceForest {
    /// Takes over the trees as they stand.
    pub fn fill(&mut self, system: &System, bodies: usize, at_once: bool) {
        let trees = &system.trees;
        let all: Vec<u32> = (0..trees.count() as u32).collect();
        let order = if at_once {
            Wavefronts::at_once(all)
        } else {
            Wavefronts::of(bodies, &all, |tree| trees.bodies(tree as usize).collect::<Vec<_>>())
        };
        let range = |tree: &u32| {
            let tree = &trees.plan.trees[*tree as usize];
            [tree.first, tree.end]
        };
        self.trees.clear();
        self.trees.extend(order.order.iter().map(range));
        self.turns = order.ends;
        self.factors.clear();
        self.factors.extend_from_slice(trees.factors());
        self.list_nodes(trees, &system.rows);
    }

    fn list_nodes(&mut self, trees: &Trees, rows: &[Row]) {
        self.nodes.clear();
        self.rows.clear();
        self.impulses.clear();
        self.places.clear();
        self.changed.clear();
        for (place, node) in (0u32..).step_by(2).zip(&trees.plan.nodes) {
            let own = trees.rows(node.edge);
            let edge = trees.edges.get(node.edge as usize);
            let (a, b) = edge.map_or((NONE, NONE), |edge| (edge.a, edge.b));
            // The root of a tree that floats has no joint of its own.
            let (moves_a, moves_b) = edge.map_or((false, false), |edge| (edge.masses.0 > 0.0, edge.masses.1 > 0.0));
            let changed = [(edge.is_none(), node.body, place), (moves_a, a, place), (moves_b, b, place + 1)];
            self.changed.extend(changed.into_iter().filter(|(moves, ..)| *moves).map(|(_, body, place)| (body, place)));
            self.nodes.push([node.body, node.parent, node.at, 0]);
            self.nodes.push([self.places.len() as u32, own.len() as u32, a, b]);
            for index in own {
                let row = &rows[index];
                self.places.push(index as u32);
                self.rows.extend_from_slice(&planes(row));
                self.impulses.push([row.impulse, row.pseudo_impulse]);
            }
        }
    }

    /// How many trees there are.
    pub fn count(&self) -> usize {
        self.trees.len()
    }

    /// Gives the impulses back.
    pub fn give_back(&self, system: &mut System) {
        for (place, [impulse, pseudo]) in self.places.iter().zip(&self.impulses) {
            let row = &mut system.rows[*place as usize];
            (row.impulse, row.pseudo_impulse) = (*impulse, *pseudo);
        }
    }
}

fn planes(row: &Row) -> [[f32; 4]; PLANES] {
    let with = |v: glam::Vec3A, w: f32| [v.x, v.y, v.z, w];
    [
        with(row.lin, row.inv_ma),
        with(row.ang_a, row.inv_mb),
        with(row.ang_b, row.bias),
        with(row.inv_ia, row.gamma),
        with(row.inv_ib, row.pseudo_bias),
    ]
}
