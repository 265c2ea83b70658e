//! What a push at a body of a tree or mechanism does to all of it.

use glam::Vec3A;

use super::articulated::{self, ROWS};
use super::{Trees, Work};
use crate::body::Velocity;
use crate::row::Row;

impl Trees {
    /// How a tree or mechanism responds to a unit impulse along a row of a contact, whose bodies are `ends` and of which
    /// `pushed` belong to it: the change of velocity of each of its bodies, m/s or rad/s per N·s, and the impulse of
    /// each of its rows, in the orders of [`Self::bodies`] and [`Self::rows_of`].
    pub fn unit_response(
        &mut self,
        index: usize,
        (row, ends, pushed): (&Row, [u32; 2], [bool; 2]),
        (moved, impulses): (&mut [Velocity], &mut [f32]),
        work: &mut Work,
    ) {
        if let Some(index) = self.mechanism(index) {
            return self.mechanisms.unit_response(index, (row, ends, pushed), (moved, impulses));
        }
        let nodes = &self.plan.nodes[self.plan.trees[index].range()];
        let Work { force, right } = work;
        force.clear();
        force.extend(nodes.iter().map(|node| {
            let mut sum = [0.0; 6];
            for end in (0..2).filter(|end| pushed[*end] && ends[*end] == node.body) {
                let terms = articulated::coefficients(row, end == 1);
                sum.iter_mut().zip(terms).for_each(|(sum, term)| *sum += term);
            }
            sum
        }));
        right.clear();
        right.resize(nodes.len(), [0.0; ROWS]);
        self.substitute(index, &mut [(&mut force[..], &mut right[..])]);
        for (moved, [x, y, z, u, v, w]) in moved.iter_mut().zip(&*force) {
            *moved = Velocity { linear: Vec3A::new(*x, *y, *z), angular: Vec3A::new(*u, *v, *w) };
        }
        let found = nodes.iter().zip(&*right).flat_map(|(node, right)| right[..self.rows(node.edge).len()].iter());
        impulses.iter_mut().zip(found).for_each(|(to, mu)| *to = *mu);
    }
}
