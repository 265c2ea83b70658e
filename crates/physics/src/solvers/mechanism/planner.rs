//! Finds the mechanisms among the joints of a world, with their joints, bodies and nodes.
//!
//! Its lists are kept, so that a plan that is made anew within a step allocates nothing once they are large enough.

use super::ordering::Ordering;
use super::plan::{Link, LinkRows, Node, WIDTH};
use crate::graph::{DisjointSets, Lists, NONE};

/// Working memory for plans.
#[derive(Debug, Clone, Default)]
pub struct Planner {
    /// Bodies that hang together.
    sets: DisjointSets,
    /// By set, known by its first body: what it has.
    features: Vec<Features>,
    /// By set: the number of its mechanism, or [`NONE`].
    mechanism: Vec<u32>,
    count: u32,
    /// By mechanism: its joints.
    joints: Lists,
    /// By joint of a mechanism: the mechanism and the joint.
    pairs: Vec<(u32, u32)>,
    /// The order of elimination of the mechanism at hand.
    pub ordering: Ordering,
}

/// What bodies that hang together have.
#[derive(Debug, Clone, Copy, Default)]
struct Features {
    /// A loop of joints.
    loops: bool,
    /// The number of joints to bodies that impulses do not move.
    grounded: u32,
    /// Rows that only a mechanism can take, and rows that only sweeps can.
    other: bool,
    swept: bool,
}

impl Features {
    fn is_mechanism(self) -> bool {
        (self.loops || self.grounded > 1 || self.other) && !self.swept
    }
}

/// The joints that have rows and move a body, with this body.
fn moving(links: &[Link]) -> impl Iterator<Item = (u32, &Link, u32)> {
    (0u32..).zip(links).filter(|(_, link)| link.rows != LinkRows::None).filter_map(|(joint, link)| {
        let body = if link.a == NONE { link.b } else { link.a };
        (body != NONE).then_some((joint, link, body))
    })
}

impl Planner {
    /// Finds the mechanisms, in the order of their first bodies.
    pub fn find_mechanisms(&mut self, links: &[Link], bodies: usize) {
        let Self { sets, features, mechanism, count, joints, pairs, .. } = self;
        sets.clear(bodies);
        features.clear();
        features.resize(bodies, Features::default());
        for (_, link, _) in moving(links).filter(|(_, link, _)| link.a != NONE && link.b != NONE) {
            let (a, b) = (sets.first(link.a), sets.first(link.b));
            let loops = a == b || features[a as usize].loops || features[b as usize].loops;
            sets.join(a, b);
            features[a.min(b) as usize].loops = loops;
        }
        for (_, link, body) in moving(links) {
            let features = &mut features[sets.first(body) as usize];
            features.grounded += u32::from(link.a == NONE || link.b == NONE);
            features.other |= link.rows == LinkRows::Other;
            features.swept |= link.rows == LinkRows::Swept;
        }
        *count = 0;
        mechanism.clear();
        mechanism.extend((0u32..).zip(features).map(|(set, features)| {
            let found = sets.first(set) == set && features.is_mechanism();
            *count += u32::from(found);
            if found { *count - 1 } else { NONE }
        }));
        pairs.clear();
        pairs.extend(moving(links).map(|(joint, _, body)| (mechanism[sets.first(body) as usize], joint)));
        pairs.retain(|(mechanism, _)| *mechanism != NONE);
        joints.fill(*count as usize, pairs.iter().copied());
    }

    /// The number of mechanisms.
    pub fn mechanism_count(&self) -> u32 {
        self.count
    }

    /// The joints of a mechanism.
    pub fn joints(&self, index: u32) -> &[u32] {
        self.joints.at(index)
    }

    /// Adds the moving bodies of a mechanism to a list, in order.
    pub fn list_bodies(&self, links: &[Link], index: u32, bodies: &mut Vec<u32>) {
        let first = bodies.len();
        let ends = |joint: &u32| [links[*joint as usize].a, links[*joint as usize].b];
        bodies.extend(self.joints.at(index).iter().flat_map(ends).filter(|body| *body != NONE));
        bodies[first..].sort_unstable();
        let mut kept = first;
        for at in first..bodies.len() {
            if kept == first || bodies[kept - 1] != bodies[at] {
                bodies[kept] = bodies[at];
                kept += 1;
            }
        }
        bodies.truncate(kept);
    }

    /// Lists the nodes of a mechanism with these bodies, of which the first has the place `first_body`, and finds the order
    /// of their elimination; `false` if it would cost too much.
    pub fn order(&mut self, links: &[Link], index: u32, bodies: &[u32], first_body: usize) -> bool {
        let place = |body: u32| match bodies.binary_search(&body) {
            Ok(place) if body != NONE => (first_body + place) as u32,
            _ => NONE,
        };
        let nodes = self.joints.at(index).iter().flat_map(|joint| {
            let Link { a, b, room, .. } = links[*joint as usize];
            let (a, b, parts) = (place(a), place(b), room.div_ceil(WIDTH as u32));
            (0..parts).map(move |part| Node { joint: *joint, part, a, b, room: room.min(WIDTH as u32), at: 0 })
        });
        self.ordering.find(nodes, first_body as u32, bodies.len())
    }
}
