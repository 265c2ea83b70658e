//! Sweeps of Gauss–Seidel four blocks at a time, with the same bits as one at a time.
//!
//! Blocks go side by side where they share no moving body and all earlier blocks at their bodies are done
//! (`schedule.rs`). Their rows lie lane by lane (`rows.rs`) and are solved by the arithmetic of the scalar sweep
//! (`block.rs`), against which they are tested. Blocks in printed forms are solved one by one, at their place in the
//! order.

mod block;
pub mod contacts;
pub(in crate::physics) mod lanes;
mod limit;
mod rows;
mod schedule;

use block::WideBlockVelocities;
use lanes::Velocities;
use rows::{BlockGroup, PackedBlocks};
pub use schedule::ScheduleStep;

use super::gauss_seidel;
use crate::physics::body::Velocity;
use crate::physics::system::System;

/// Blocks side by side, kept from step to step for its buffers.
#[derive(Debug, Clone, Default)]
pub struct Wide {
    schedule: schedule::Schedule,
    packed: PackedBlocks,
    /// The blocks by their colours, where that is the order.
    coloured: Vec<u32>,
}

impl Wide {
    /// Takes the rows of all blocks over as they stand; `order` is that of the sweeps to come.
    pub fn begin(&mut self, system: &System, order: impl Iterator<Item = u32>) {
        self.schedule.fill(system, order, &mut self.packed);
    }

    /// The same for the order of the graph's colours.
    pub fn begin_by_colour(&mut self, system: &mut System) {
        let mut coloured = std::mem::take(&mut self.coloured);
        coloured.clear();
        coloured.extend(system.graph.by_colour().flatten());
        self.begin(system, coloured.iter().copied());
        self.coloured = coloured;
    }

    /// One pass over all blocks, backwards if so asked; with `PSEUDO` one of the split position correction, too.
    pub fn sweep<const PSEUDO: bool>(
        &mut self,
        system: &mut System,
        velocities: &mut [Velocity],
        pseudo_velocities: &mut [Velocity],
        backwards: bool,
    ) {
        let steps = &self.schedule.steps;
        let packed = &mut self.packed;
        let step = |step: &ScheduleStep| match *step {
            ScheduleStep::Group(index) => solve::<PSEUDO>(packed, index as usize, velocities, pseudo_velocities),
            ScheduleStep::Single(index) => {
                gauss_seidel::solve::<PSEUDO, false>(system, index as usize, velocities, pseudo_velocities);
            }
        };
        if backwards { steps.iter().rev().for_each(step) } else { steps.iter().for_each(step) }
    }

    /// Takes the rows' biases over anew, as when a stabilisation has changed them between two sweeps.
    pub fn rebias(&mut self, system: &System) {
        self.packed.rebias(&system.blocks, &system.rows);
    }

    /// Gives the impulses back.
    pub fn finish(&self, system: &mut System) {
        self.packed.unpack(&system.blocks, &mut system.rows);
    }
}

/// Solves one group.
#[inline(always)]
fn solve<const PSEUDO: bool>(
    packed: &mut PackedBlocks,
    index: usize,
    velocities: &mut [Velocity],
    pseudo_velocities: &mut [Velocity],
) {
    let PackedBlocks { groups, rows, bounds, inverses } = packed;
    let group: &BlockGroup = &groups[index];
    let rows = &mut rows[group.first_row as usize..(group.first_row + group.rows) as usize];
    let bounds = &bounds[group.first_bound as usize..(group.first_bound + group.bounds) as usize];
    let inverse = inverses.get(group.inverse as usize);
    let mut pairs = gather(group, velocities);
    pairs.solve(group.way, rows, bounds, inverse);
    scatter(group, &pairs, velocities);
    if PSEUDO {
        let mut pairs = gather(group, pseudo_velocities);
        let mask = group.corrected & (group.pseudo | !pairs.at_rest());
        if mask.any() {
            pairs.correct(group.way, rows, inverse, mask);
            scatter(group, &pairs, pseudo_velocities);
        }
    }
}

#[inline(always)]
fn gather(group: &BlockGroup, velocities: &[Velocity]) -> WideBlockVelocities {
    WideBlockVelocities { a: Velocities::gather(velocities, group.a), b: Velocities::gather(velocities, group.b) }
}

#[inline(always)]
fn scatter(group: &BlockGroup, pairs: &WideBlockVelocities, velocities: &mut [Velocity]) {
    pairs.a.scatter(velocities, group.a, group.moves_a);
    pairs.b.scatter(velocities, group.b, group.moves_b);
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::ScheduleStep;
    use crate::physics::bench::{body, floor};
    use crate::physics::settings::Settings;
    use crate::physics::shape::Shape;
    use crate::physics::world::World;

    /// Eight towers of three balls: eight blocks on each of three levels, four at a time.
    #[test]
    fn towers_beside_each_other_are_solved_side_by_side() {
        let mut world = World::new(Settings::default());
        world.add_body(floor());
        for tower in 0..8 {
            for ball in 0..3 {
                let at = Vec3::new(2.0 * tower as f32, 0.0, 0.5 + ball as f32);
                world.add_body(body(Shape::Sphere { radius: 0.5 }, at));
            }
        }
        world.step();
        assert!(world.system.blocks.is_empty(), "nobody reads the rows");
        assert_eq!(world.system.contacts.groups().collect::<Vec<_>>(), [4; 6]);
        world.whole = true;
        world.step();
        assert_eq!(world.system.blocks.len(), 24);
        let steps = &world.wide.schedule.steps;
        assert_eq!(steps.len(), 6, "{steps:?}");
        assert!(steps.iter().all(|step| matches!(step, ScheduleStep::Group(_))), "{steps:?}");
        assert!(world.wide.packed.groups.iter().all(|group| group.lanes == 4));
    }
}
