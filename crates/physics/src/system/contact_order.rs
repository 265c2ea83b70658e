//! The order in which contacts are solved, by rows and in lanes alike.
//!
//! ```text
//! islands of few contacts     in the order of their pairs, which is that of the bodies
//! islands of many contacts    colour after colour; within one in the order of the pairs
//! ```
//! Contacts of one colour share no moving body. In the order of the pairs, each contact of a layer of boxes waits for
//! the one before it: the 400 contacts of a pyramid of 20 have 57 levels of seven on average. They have four colours of
//! about a hundred, which fill SIMD lanes. Few contacts keep the order of the pairs, because then a load passes a whole
//! tower in one sweep.
//! Source: graph colouring as in Box2D 3 (Catto 2023).

use crate::graph::{self, Colours, DisjointSets};
use crate::settings::Settings;
use crate::solvers::properties;
use crate::world::state::State;

/// The least number of contacts of an island that are solved by colours.
const MIN_COLOURED_CONTACTS: usize = 100;

/// The touching pairs in the order in which they are solved, kept for its buffers.
#[derive(Debug, Clone, Default)]
pub struct ContactOrder {
    /// Indices among the pairs of the world's contacts.
    pairs: Vec<u32>,
    colours: Colours,
    /// Bodies that touch each other, and by the first body of such an island the number of its contacts.
    islands: DisjointSets,
    contacts: Vec<u32>,
    /// Scratch: the pairs of large islands.
    large: Vec<u32>,
}

impl ContactOrder {
    /// Finds the order of the pairs that touch and do not sleep.
    pub fn find(&mut self, settings: &Settings, state: &State) {
        let Self { pairs, colours, islands, contacts, large } = self;
        let all = &state.contacts.pairs;
        // Pairs begin and end to touch in every step. With room for all pairs, the lists grow only if the list of pairs does.
        for list in [&mut *pairs, &mut *large] {
            list.clear();
            list.reserve(all.capacity());
        }
        colours.reserve(all.capacity());
        pairs.extend((0..).zip(all).filter(|(_, pair)| !pair.idle && pair.touches()).map(|(index, _)| index));
        if pairs.len() < MIN_COLOURED_CONTACTS || !properties::of(settings.solver.method).in_turn() {
            return;
        }
        let bodies = state.bodies.len();
        let end = |body: u32| if state.bodies[body as usize].is_dynamic() { body } else { graph::NONE };
        let ends = |pair: u32| {
            let pair = &all[pair as usize];
            [end(pair.a), end(pair.b)]
        };
        islands.clear(bodies);
        contacts.clear();
        contacts.resize(bodies, 0);
        for [a, b] in pairs.iter().map(|pair| ends(*pair)).filter(|ends| !ends.contains(&graph::NONE)) {
            islands.join(a, b);
        }
        let mut island = |pair: u32| ends(pair).into_iter().find(|body| *body != graph::NONE).map(|b| islands.first(b));
        pairs.iter().filter_map(|pair| island(*pair)).for_each(|island| contacts[island as usize] += 1);
        pairs.retain(|pair| {
            let is_large =
                island(*pair).is_some_and(|island| contacts[island as usize] as usize >= MIN_COLOURED_CONTACTS);
            if is_large {
                large.push(*pair);
            }
            !is_large
        });
        colours.find(bodies, large.iter().map(|pair| ends(*pair)));
        pairs.extend(colours.lists().flatten().map(|edge| large[*edge as usize]));
    }

    /// The pairs, by their indices.
    pub fn pairs(&self) -> &[u32] {
        &self.pairs
    }
}
