//! The order in which Gauss–Seidel's sweeps visit trees and blocks.

use crate::graph::Graph;
use crate::settings::Order;

/// The order in which a sweep visits trees and blocks.
#[derive(Clone, Copy)]
pub(super) struct Visit {
    pub order: Order,
    /// The step's number, from which shuffled orders are drawn, and that of the sweep.
    pub step: u64,
    pub iteration: u32,
}

impl Visit {
    /// Whether the sweep goes from the last block to the first.
    pub fn is_backward(&self) -> bool {
        match self.order {
            Order::Backward => true,
            Order::Alternating => !self.iteration.is_multiple_of(2),
            Order::Forward | Order::Shuffled | Order::Coloured => false,
        }
    }

    /// Calls `each` for all trees and blocks. Indices below the number of trees are trees; the blocks follow.
    #[inline(always)]
    pub fn each(&self, graph: &mut Graph, (trees, blocks): (usize, usize), mut each: impl FnMut(usize)) {
        let all = 0..trees + blocks;
        match self.order {
            Order::Forward | Order::Backward | Order::Alternating if self.is_backward() => all.rev().for_each(each),
            Order::Forward | Order::Backward | Order::Alternating => all.for_each(each),
            Order::Shuffled => {
                let seed = self.step.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ u64::from(self.iteration);
                shuffled(all.end, seed).for_each(each);
            }
            Order::Coloured => {
                (0..trees).for_each(&mut each);
                graph.by_colour().flatten().for_each(|block| each(trees + *block as usize));
            }
        }
    }
}

/// Visits every index below `count` once, in an order that depends on `seed`: an affine walk modulo a power of two
/// that skips indices which are too large, so that nothing has to be stored.
fn shuffled(count: usize, seed: u64) -> impl Iterator<Item = usize> {
    let size = count.next_power_of_two() as u64;
    let mixed = (seed ^ (seed >> 31)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    // Multiplier 1 mod 4 and odd increment: the walk visits all residues (Hull and Dobell).
    let (multiplier, increment) = ((mixed >> 20) << 2 | 1, (mixed >> 7) | 1);
    (0..size)
        .scan(mixed, move |state, _| {
            *state = state.wrapping_mul(multiplier).wrapping_add(increment) & (size - 1);
            Some(*state as usize)
        })
        .filter(move |i| *i < count)
}

#[cfg(test)]
mod tests {
    use super::shuffled;

    #[test]
    fn shuffled_order_visits_every_block_once() {
        for count in [0, 1, 2, 3, 7, 64, 1000] {
            for seed in [0, 1, 99, u64::MAX] {
                let mut seen: Vec<usize> = shuffled(count, seed).collect();
                seen.sort_unstable();
                assert_eq!(seen, (0..count).collect::<Vec<_>>());
            }
        }
    }
}
