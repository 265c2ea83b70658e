//! What an iteration starts from: the rows, and the multipliers that belong to the old impulses.

use super::{Part, Scene, Splitting, Unknowns};
use crate::body::Velocity;
use crate::solvers::admm::sets::{self, Shape};
use crate::solvers::scaled::ScaledRow;
use crate::system::System;

impl Splitting {
    /// Reads the rows, with the impulses of the step before.
    pub(super) fn start<const PSEUDO: bool>(&mut self, system: &System, scene: Scene<'_>, free: &[Velocity]) {
        let Self { sets, rows, inside, old, chosen, y, .. } = self;
        sets.clear();
        chosen.clear();
        rows.clear();
        rows.resize(system.rows.len(), Unknowns::default());
        inside.clear();
        inside.resize(system.rows.len(), 0.0);
        old.clear();
        old.resize(system.rows.len(), 0.0);
        y.clear();
        y.resize(scene.bodies.len(), [0.0; 6]);
        for (index, block) in system.blocks.iter().enumerate() {
            let before = sets.len();
            sets::of_block::<PSEUDO>(block, &system.rows, &system.couplings, sets);
            let mut takes_part = sets.len() > before;
            for row in block.range() {
                let (row, line, unknowns) = (&system.rows[row], &scene.lines[row], &mut rows[row]);
                let (a, b) = (&free[block.a as usize], &free[block.b as usize]);
                let speed = row.lin.as_dvec3().dot(b.linear.as_dvec3() - a.linear.as_dvec3())
                    + row.net.as_dvec3().dot(a.linear.as_dvec3())
                    + row.ang_a.as_dvec3().dot(a.angular.as_dvec3())
                    + row.ang_b.as_dvec3().dot(b.angular.as_dvec3());
                unknowns.offset = speed + f64::from(if PSEUDO { row.pseudo_bias } else { row.bias });
                unknowns.gamma = if PSEUDO { 0.0 } else { f64::from(row.gamma) };
                unknowns.weight = line.k;
                unknowns.impulse = f64::from(if PSEUDO { row.pseudo_impulse } else { row.impulse });
                let is_equation = sets::is_active::<PSEUDO>(row) && sets::is_unbounded_in::<PSEUDO>(row);
                if is_equation && line.k > 0.0 {
                    unknowns.part = Part::Unbounded;
                    takes_part = true;
                }
            }
            if takes_part {
                chosen.push(index as u32);
            }
        }
        for set in sets.iter() {
            // One weight for all rows of a set.
            let cone = (set.shape == Shape::Cone).then_some(set.normals.start);
            let own = set.rows().enumerate().map(|(k, row)| rows[row].weight * set.lever(k).powi(2));
            let weight = own.chain(cone.map(|row| rows[row].weight)).fold(0.0, f64::max);
            for (k, row) in set.rows().enumerate().chain(cone.map(|row| (0, row))) {
                let row = &mut rows[row];
                row.weight = weight / set.lever(k).powi(2);
                row.part = if weight > 0.0 { Part::Bounded } else { Part::Off };
            }
        }
        for (row, inside) in rows.iter_mut().zip(inside.iter_mut()) {
            row.impulse = if row.part == Part::Off { 0.0 } else { row.impulse };
            *inside = row.impulse;
        }
        sets.iter().for_each(|set| set.project(inside));
    }

    /// Sets the multipliers of the rows to what their velocities at the first impulses say.
    pub(super) fn find_multipliers(&mut self, lines: &[ScaledRow]) {
        self.move_by_inside(lines);
        for (row, (line, inside)) in self.rows.iter_mut().zip(lines.iter().zip(&self.inside)) {
            row.impulse = *inside;
            if row.part == Part::Bounded {
                row.multiplier = -(line.speed(&self.y) + row.offset + row.gamma * inside);
            }
        }
        // Only the part that holds an impulse at its bound is a multiplier.
        self.old.copy_from_slice(&self.inside);
        for (trial, row) in self.old.iter_mut().zip(&self.rows).filter(|(_, row)| row.part == Part::Bounded) {
            *trial += row.multiplier / row.weight;
        }
        let mut nearest = std::mem::take(&mut self.inside);
        nearest.copy_from_slice(&self.old);
        self.sets.iter().for_each(|set| set.project(&mut nearest));
        for ((row, trial), nearest) in self.rows.iter_mut().zip(&self.old).zip(&nearest) {
            if row.part == Part::Bounded {
                row.multiplier = row.weight * (trial - nearest);
            }
        }
        for (inside, row) in nearest.iter_mut().zip(&self.rows) {
            *inside = row.impulse;
        }
        self.inside = nearest;
    }
}
