//! Gauss–Seidel sweeps eight blocks at a time in SIMD lanes, with the same bits as one at a time.
//!
//! Blocks are solved together if they share no dynamic body and all earlier blocks at their bodies are done
//! (`schedule.rs`). Their rows are packed in lanes (`rows.rs`) and solved by the same formulas as those of one block
//! (`kernel/`); tests compare the two. Blocks in printed forms are solved one by one, at their place in the order.

mod block;
pub mod contacts;
pub(crate) mod lanes;
mod limit;
mod rows;
mod schedule;

use std::ops::Range;

use block::{gather, scatter};
use lanes::Lanes;
use rows::PackedBlocks;
pub use schedule::ScheduleStep;

use super::pass;
use crate::body::Velocity;
use crate::kernel::real::Real;
use crate::settings::Order;
use crate::system::System;

/// The schedule and packed rows of a step's blocks, kept from step to step for their buffers.
#[derive(Debug, Clone, Default)]
pub struct Wide {
    schedule: schedule::Schedule,
    packed: PackedBlocks,
    /// The blocks in the order of their colours, if that is the sweep order.
    coloured: Vec<u32>,
}

impl Wide {
    /// Packs the rows of all blocks, except contacts that are in lanes already, for sweeps in this order.
    pub fn pack(&mut self, system: &mut System, order: Order) {
        if order == Order::Coloured {
            self.coloured.clear();
            self.coloured.extend(system.graph.by_colour().flatten());
            self.schedule.fill(system, self.coloured.iter().copied(), &mut self.packed);
        } else {
            self.schedule.fill(system, 0..system.before_contacts() as u32, &mut self.packed);
        }
    }

    /// One pass over all blocks, in reverse order if `backwards`; with `PSEUDO` also one of the split position
    /// correction. With `WATCH` it returns the largest change of a velocity by a block, m/s or rad/s.
    pub fn sweep<const PSEUDO: bool, const WATCH: bool>(
        &mut self,
        system: &mut System,
        velocities: &mut [Velocity],
        pseudo_velocities: &mut [Velocity],
        backwards: bool,
    ) -> f32 {
        let steps = &self.schedule.steps;
        let packed = &mut self.packed;
        let mut moved = 0.0f32;
        let step = |step: &ScheduleStep| {
            let change = match *step {
                ScheduleStep::Run { first, count } => {
                    let run = first as usize..(first + count) as usize;
                    solve::<PSEUDO, WATCH>(packed, run, velocities, pseudo_velocities, backwards)
                }
                ScheduleStep::Single(index) => {
                    pass::solve::<PSEUDO, WATCH>(system, index as usize, velocities, pseudo_velocities)
                }
            };
            moved = moved.max(change);
        };
        if backwards {
            steps.iter().rev().for_each(step)
        } else {
            steps.iter().for_each(step)
        }
        moved
    }

    /// Copies the rows' biases again, after a stabilisation has changed them between two sweeps.
    pub fn copy_biases(&mut self, system: &System) {
        self.packed.copy_biases(&system.blocks, &system.rows);
    }

    /// Copies the impulses back to the rows.
    pub fn finish(&self, system: &mut System) {
        self.packed.unpack(&system.blocks, &mut system.rows);
    }
}

/// Solves a run of groups, backwards if asked; their velocities stay in registers from group to group. With `WATCH` it
/// returns the largest change of a velocity by a block.
#[inline(always)]
fn solve<const PSEUDO: bool, const WATCH: bool>(
    packed: &mut PackedBlocks,
    run: Range<usize>,
    velocities: &mut [Velocity],
    pseudo_velocities: &mut [Velocity],
    backwards: bool,
) -> f32 {
    let PackedBlocks { groups, rows, bounds, inverses } = packed;
    let groups = &groups[run];
    let in_order = || (0..groups.len()).map(|k| &groups[if backwards { groups.len() - 1 - k } else { k }]);
    let [first, ..] = groups else { return 0.0 };
    let mut moved = Lanes::ZERO;
    let start = gather(first, velocities);
    let mut pairs = start;
    for group in in_order() {
        let rows = &mut rows[group.rows()];
        let before = pairs;
        let inverse = inverses.get(group.inverse as usize);
        block::solve(&mut pairs, group.form, rows, &bounds[group.bounds()], (inverse, group.share));
        if group.rests {
            block::restore_static(group, &mut pairs, &start);
        }
        if WATCH {
            moved = moved.larger(pairs.moved(&before));
        }
    }
    scatter(first, &pairs, velocities);
    if PSEUDO {
        let start = gather(first, pseudo_velocities);
        let (mut pairs, mut corrected) = (start, false);
        for group in in_order() {
            let mask = group.corrected & (group.pseudo | !pairs.at_rest());
            if mask.any() {
                corrected = true;
                let inverse = inverses.get(group.inverse as usize);
                let before = pairs;
                block::correct(&mut pairs, group.form, &mut rows[group.rows()], inverse, mask);
                if group.rests {
                    block::restore_static(group, &mut pairs, &start);
                }
                if WATCH {
                    moved = moved.larger(pairs.moved(&before));
                }
            }
        }
        if corrected {
            scatter(first, &pairs, pseudo_velocities);
        }
    }
    if WATCH { lanes::largest(moved) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::ScheduleStep;
    use crate::angle::Angle;
    use crate::bench::{body, floor};
    use crate::joint::{JointDef, JointOptions};
    use crate::joints::{Hinge, JointKind};
    use crate::preset::Preset;
    use crate::settings::RowSolve;
    use crate::shape::Shape;
    use crate::world::World;

    /// Sixteen towers of three balls: sixteen blocks on each of three levels, solved eight at a time.
    #[test]
    fn towers_beside_each_other_are_solved_side_by_side() {
        let mut world = World::new(Preset::SingleStep.settings());
        world.add_body(floor());
        for tower in 0..16 {
            for ball in 0..3 {
                let at = Vec3::new(1.2 * tower as f32, 0.0, 0.5 + ball as f32);
                world.add_body(body(Shape::Sphere { radius: 0.5 }, at));
            }
        }
        world.step();
        assert!(world.system.blocks.is_empty(), "nobody reads the rows");
        assert_eq!(world.system.contacts.groups().collect::<Vec<_>>(), [8; 6]);
        world.pipeline.executor.keep_rows = true;
        world.step();
        assert_eq!(world.system.blocks.len(), 48);
        let steps = &world.pipeline.solvers.wide.schedule.steps;
        assert_eq!(steps.len(), 6, "{steps:?}");
        assert!(steps.iter().all(|step| matches!(step, ScheduleStep::Run { count: 1, .. })), "{steps:?}");
        assert!(world.pipeline.solvers.wide.packed.groups.iter().all(|group| group.lanes == 8));
    }

    /// Sixteen hinged pairs: a group of anchors, one of axes and one of stops, eight joints in each. The three groups of
    /// eight joints are one run.
    #[test]
    fn the_groups_of_one_joints_blocks_are_a_run() {
        let mut world = World::new(Preset::SingleStep.settings());
        world.settings.contact.enabled = false;
        for pair in 0..16 {
            let at = |z: f32| Vec3::new(3.0 * pair as f32, 0.0, z);
            let [a, b] = [1.0, 2.0].map(|z| world.add_body(body(Shape::Sphere { radius: 0.5 }, at(z))));
            let limit = Some((Angle::radians(-1.0), Angle::radians(1.0)));
            world.add_joint(JointDef {
                a,
                b,
                anchor_a: 0.5 * Vec3::Z,
                anchor_b: -0.5 * Vec3::Z,
                axis_a: Vec3::X,
                axis_b: Vec3::X,
                kind: JointKind::Hinge(Hinge { limit, ..Hinge::default() }),
                collide: false,
                options: JointOptions::default(),
            });
        }
        world.settings.solver.rows = RowSolve::Block;
        world.pipeline.executor.keep_rows = true;
        world.step();
        let runs = [ScheduleStep::Run { first: 0, count: 3 }, ScheduleStep::Run { first: 3, count: 3 }];
        assert_eq!(world.pipeline.solvers.wide.schedule.steps, runs);
        let joints =
            |group: &super::rows::BlockGroup| group.blocks.map(|block| world.system.blocks[block as usize].owner);
        let groups = &world.pipeline.solvers.wide.packed.groups;
        assert!(groups[..3].iter().all(|group| joints(group) == joints(&groups[0])));
    }
}
