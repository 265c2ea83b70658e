//! Trees of joints for the device: the processor's plan and factors with the rows of the joints, tree by tree, in turns
//! that share no dynamic body (in one turn for Jacobi). The layout is described in `shaders/gpu_articulations.wgsl`.

use crate::wavefronts::Wavefronts;
use delassus_physics::row::Row;
use delassus_physics::solvers::tree::Trees;
use delassus_physics::system::System;

const NONE: u32 = u32::MAX;
/// Vectors of four numbers per row, and bytes of working memory per node.
const PLANES: usize = 5;
pub const WORK: u64 = 12 * 4;

/// The trees of a system in the shader's layout, kept from step to step for their buffers.
#[derive(Debug, Clone, Default)]
pub struct DeviceArticulations {
    /// Range of nodes of each tree, in the order of the turns.
    pub trees: Vec<[u32; 2]>,
    /// Two entries per node: body, parent, first factor, 0; first row, number of rows, bodies A and B of its joint.
    pub nodes: Vec<[u32; 4]>,
    pub rows: Vec<[f32; 4]>,
    pub factors: Vec<f32>,
    /// By row: λ, and the impulse of the split position correction, N·s.
    pub impulses: Vec<[f32; 2]>,
    /// Where the trees of each turn end.
    pub turns: Vec<u32>,
    /// For Jacobi: each dynamic body that a node changes, with twice the node's index, plus one if it is the joint's
    /// B.
    pub changed: Vec<(u32, u32)>,
    /// The system's row index of each row here.
    places: Vec<u32>,
}

impl DeviceArticulations {
    /// Copies the present trees, factors and rows. `at_once`: all trees in one turn (Jacobi).
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
            let range = trees.rows(node.edge);
            let edge = trees.edges.get(node.edge as usize);
            let (a, b) = edge.map_or((NONE, NONE), |edge| (edge.a, edge.b));
            // The root of a floating tree has no joint.
            let (moves_a, moves_b) = edge.map_or((false, false), |edge| (edge.masses.0 > 0.0, edge.masses.1 > 0.0));
            let changed = [(edge.is_none(), node.body, place), (moves_a, a, place), (moves_b, b, place + 1)];
            self.changed.extend(changed.into_iter().filter(|(moves, ..)| *moves).map(|(_, body, place)| (body, place)));
            self.nodes.push([node.body, node.parent, node.at, 0]);
            self.nodes.push([self.places.len() as u32, range.len() as u32, a, b]);
            for index in range {
                let row = &rows[index];
                self.places.push(index as u32);
                self.rows.extend_from_slice(&planes(row));
                self.impulses.push([row.impulse, row.pseudo_impulse]);
            }
        }
    }

    /// Number of trees.
    pub fn count(&self) -> usize {
        self.trees.len()
    }

    /// Copies the impulses back to the rows.
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
