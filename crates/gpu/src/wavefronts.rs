//! The turns of a Gauss–Seidel sweep: the constraints of one turn share no dynamic body, so they can be solved in
//! parallel.
//!
//! ```text
//! turn(i) = 1 + max turn(j)      over the constraints j before i in the sweep's order that share a dynamic body with i
//! ```
//! Each constraint uses the same velocities as if all were solved one by one in that order. In the order of the
//! graph's greedy colours (`physics/graph.rs`) the turns are the colours, with the last colour, which may have
//! conflicts, split up. In the scene's order there are as many turns as the longest path through the graph has
//! constraints; a chain has one turn per joint.
//! Source: wavefronts of triangular solves (Anderson and Saad 1989), as in `physics/solvers/wide/schedule.rs`.

use std::ops::Range;

use delassus_physics::graph::{Graph, NONE};

/// Constraints sorted by turn.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wavefronts {
    pub order: Vec<u32>,
    /// Where each turn ends in `order`.
    pub ends: Vec<u32>,
}

impl Wavefronts {
    /// The turns for constraints in the order `order`. `ends` are a constraint's bodies, [`NONE`] for static and
    /// kinematic ones.
    pub fn of<I: IntoIterator<Item = u32>>(bodies: usize, order: &[u32], ends: impl Fn(u32) -> I) -> Self {
        let mut done = vec![0u32; bodies];
        let mut turns = Vec::with_capacity(order.len());
        let mut counts: Vec<u32> = Vec::new();
        for index in order {
            let moving = || ends(*index).into_iter().filter(|body| *body != NONE);
            let turn = moving().map(|body| done[body as usize]).max().unwrap_or(0);
            moving().for_each(|body| done[body as usize] = turn + 1);
            turns.push(turn);
            if counts.len() <= turn as usize {
                counts.resize(turn as usize + 1, 0);
            }
            counts[turn as usize] += 1;
        }
        let mut next = Vec::with_capacity(counts.len());
        let mut sum = 0;
        for count in &mut counts {
            next.push(sum);
            sum += *count;
            *count = sum;
        }
        let mut sorted = vec![0; order.len()];
        for (index, turn) in order.iter().zip(turns) {
            let place = &mut next[turn as usize];
            sorted[*place as usize] = *index;
            *place += 1;
        }
        Self { order: sorted, ends: counts }
    }

    /// All constraints in one turn, for Jacobi.
    pub fn at_once(order: Vec<u32>) -> Self {
        Self { ends: Vec::from_iter((!order.is_empty()).then_some(order.len() as u32)), order }
    }

    /// The turns for the order of the graph's colours.
    pub fn of_colours(bodies: usize, ends: &[[u32; 2]]) -> Self {
        Self::of_colours_of(bodies, ends, |_| true)
    }

    /// The same for the constraints chosen by `some`; the others count for the colouring but are left out.
    pub fn of_colours_of(bodies: usize, ends: &[[u32; 2]], some: impl Fn(u32) -> bool) -> Self {
        let mut graph = Graph::default();
        graph.update(bodies, ends.iter().copied());
        let order: Vec<u32> = graph.by_colour().flatten().copied().filter(|index| some(*index)).collect();
        Self::of(bodies, &order, |index| ends[index as usize])
    }

    /// The range of each turn in `order`.
    pub fn ranges(&self) -> impl DoubleEndedIterator<Item = Range<u32>> + ExactSizeIterator {
        (0..self.ends.len()).map(|turn| if turn == 0 { 0 } else { self.ends[turn - 1] }..self.ends[turn])
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Constraints between random bodies; some ends are static.
    fn graphs() -> impl Strategy<Value = (usize, Vec<[u32; 2]>)> {
        (1usize..30).prop_flat_map(|bodies| {
            let end = (0..bodies as u32 + bodies as u32 / 8 + 1)
                .prop_map(move |body| if body < bodies as u32 { body } else { NONE });
            (Just(bodies), prop::collection::vec([end.clone(), end], 0..60))
        })
    }

    /// Each constraint occurs once; constraints of one turn share no dynamic body; of two that share one, the earlier
    /// in the order has the earlier turn.
    fn check(order: &[u32], ends: &[[u32; 2]], turns: &Wavefronts) -> Result<(), TestCaseError> {
        let mut once = turns.order.clone();
        once.sort_unstable();
        prop_assert_eq!(once, (0..ends.len() as u32).collect::<Vec<_>>());
        let mut turn_of = vec![0; ends.len()];
        for (turn, range) in turns.ranges().enumerate() {
            prop_assert!(!range.is_empty());
            turns.order[range.start as usize..range.end as usize].iter().for_each(|i| turn_of[*i as usize] = turn);
        }
        let meet =
            |i: u32, j: u32| ends[i as usize].iter().any(|body| *body != NONE && ends[j as usize].contains(body));
        for (place, later) in order.iter().enumerate() {
            for earlier in &order[..place] {
                prop_assert!(!meet(*earlier, *later) || turn_of[*earlier as usize] < turn_of[*later as usize]);
            }
        }
        Ok(())
    }

    proptest! {
        #[test]
        fn turns_keep_the_order_where_bodies_are_shared((bodies, ends) in graphs()) {
            let order: Vec<u32> = (0..ends.len() as u32).rev().collect();
            check(&order, &ends, &Wavefronts::of(bodies, &order, |index| ends[index as usize]))?;
        }

        /// In the order of colours, the turns are the colours.
        #[test]
        fn turns_of_colours_are_the_graph_s((bodies, ends) in graphs()) {
            let mut graph = Graph::default();
            graph.update(bodies, ends.iter().copied());
            let colours: Vec<Vec<u32>> = graph.by_colour().map(<[u32]>::to_vec).collect();
            let order: Vec<u32> = colours.iter().flatten().copied().collect();
            let turns = Wavefronts::of_colours(bodies, &ends);
            check(&order, &ends, &turns)?;
            let constraints = |turn: Range<u32>| turns.order[turn.start as usize..turn.end as usize].to_vec();
            let found: Vec<Vec<u32>> = turns.ranges().map(constraints).collect();
            prop_assert_eq!(found, colours);
        }
    }

    /// A hub with more spokes than colours: those in the last colour are solved one by one.
    #[test]
    fn the_last_colour_is_drawn_out() {
        let ends: Vec<[u32; 2]> = (1..101).map(|body| [0, body]).collect();
        let turns = Wavefronts::of_colours(101, &ends);
        assert_eq!(turns.ends, (1..=100).collect::<Vec<_>>());
    }
}
