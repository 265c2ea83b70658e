//! The graph of a world: the nodes are the moving bodies, the edges the blocks and contacts between two of them.
//!
//! Bodies that impulses do not move connect nothing: two chains on one post are two mechanisms. The graph gives:
//!
//! ```text
//! lists     the edges at each body, as compressed sparse rows
//! islands   bodies connected by edges; each island is known by its first body
//! colours   edges of one colour share no moving body, so their order among themselves does not matter
//! ```
//! The colouring takes the edges in order and gives each the lowest colour that no earlier edge at either body has. An
//! edge that finds none below [`COLOURS`] gets the last colour, whose edges may share bodies and have to be taken in
//! order. Bodies that do not move are shared by all.
//!
//! The graph is kept from step to step while its edges stay the same. Source: greedy colouring in the given order
//! (Welsh and Powell 1967).

use super::copy::copied_by_fields;

/// The end of an edge at a body that impulses do not move.
pub const NONE: u32 = u32::MAX;
/// The number of colours.
pub const COLOURS: usize = 64;

/// Lists of entries by node, stored one after the other.
#[derive(Debug, Clone, Default)]
pub struct Lists {
    start: Vec<u32>,
    entries: Vec<u32>,
}

impl Lists {
    /// Makes the lists of `nodes` nodes from pairs (node, entry), in the order of the pairs.
    pub fn fill(&mut self, nodes: usize, pairs: impl Iterator<Item = (u32, u32)> + Clone) {
        let Self { start, entries } = self;
        start.clear();
        start.resize(nodes + 2, 0);
        pairs.clone().for_each(|(node, _)| start[node as usize + 2] += 1);
        for i in 2..start.len() {
            start[i] += start[i - 1];
        }
        entries.clear();
        entries.resize(start[nodes + 1] as usize, 0);
        for (node, entry) in pairs {
            let next = &mut start[node as usize + 1];
            entries[*next as usize] = entry;
            *next += 1;
        }
    }

    /// The entries at a node.
    pub fn at(&self, node: u32) -> &[u32] {
        &self.entries[self.start[node as usize] as usize..self.start[node as usize + 1] as usize]
    }
}

/// Disjoint sets of nodes, each known by its first node (union-find).
#[derive(Debug, Clone, Default)]
pub struct DisjointSets {
    parent: Vec<u32>,
}

impl DisjointSets {
    /// `nodes` nodes, each a set of its own.
    pub fn new(nodes: usize) -> Self {
        let mut sets = Self::default();
        sets.clear(nodes);
        sets
    }

    /// Makes each of `nodes` nodes a set of its own.
    pub fn clear(&mut self, nodes: usize) {
        self.parent.clear();
        self.parent.extend(0..nodes as u32);
    }

    /// Joins the sets of two nodes.
    pub fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.first(a), self.first(b));
        self.parent[a.max(b) as usize] = a.min(b);
    }

    /// The first node of a node's set. Halves the path to it for later calls.
    pub fn first(&mut self, mut node: u32) -> u32 {
        while self.parent[node as usize] != node {
            let above = self.parent[self.parent[node as usize] as usize];
            self.parent[node as usize] = above;
            node = above;
        }
        node
    }

    /// Numbers of the sets by node, in the order of the sets' first nodes.
    pub fn numbers(&mut self) -> Vec<u32> {
        let mut numbers = vec![0; self.parent.len()];
        let mut count = 0;
        for node in 0..numbers.len() {
            // The first node of a set comes before the others.
            let first = self.first(node as u32) as usize;
            numbers[node] = if first == node { count } else { numbers[first] };
            count += u32::from(first == node);
        }
        numbers
    }
}

/// Edges sorted by colour, kept for the buffers.
#[derive(Debug, Default)]
pub struct Colours {
    /// By edge.
    colour: Vec<u8>,
    /// The edges sorted by colour, and the end of each colour in this list.
    sorted: Vec<u32>,
    ends: Vec<u32>,
    /// By node: the colours of its edges, a bit each.
    used: Vec<u64>,
}

copied_by_fields!(Colours { colour, sorted, ends, used });

impl Colours {
    /// Makes room for so many edges.
    pub fn reserve(&mut self, edges: usize) {
        self.colour.reserve(edges.saturating_sub(self.colour.len()));
        self.sorted.reserve(edges.saturating_sub(self.sorted.len()));
        self.ends.reserve(COLOURS.saturating_sub(self.ends.len()));
    }

    /// Colours edges between `nodes` nodes.
    pub fn find(&mut self, nodes: usize, edges: impl Iterator<Item = [u32; 2]>) {
        let Self { colour, sorted, ends, used } = self;
        used.clear();
        used.resize(nodes, 0);
        colour.clear();
        ends.clear();
        for [a, b] in edges {
            let at = |node: u32, used: &[u64]| if node == NONE { 0 } else { used[node as usize] };
            let taken = at(a, used) | at(b, used);
            let free_colour = (taken.trailing_ones() as usize).min(COLOURS - 1);
            for node in [a, b].into_iter().filter(|node| *node != NONE) {
                used[node as usize] |= 1 << free_colour;
            }
            colour.push(free_colour as u8);
            if ends.len() <= free_colour {
                ends.resize(free_colour + 1, 0);
            }
            ends[free_colour] += 1;
        }
        // Turns the counts into starts. Each start moves on as edges are placed and ends as the end of its colour.
        let mut sum = 0;
        for end in ends.iter_mut() {
            sum += std::mem::replace(end, sum);
        }
        sorted.clear();
        sorted.resize(colour.len(), 0);
        for (index, edge_colour) in colour.iter().enumerate() {
            let place = &mut ends[*edge_colour as usize];
            sorted[*place as usize] = index as u32;
            *place += 1;
        }
    }

    /// The edges of each colour, in their order.
    pub fn lists(&self) -> impl Iterator<Item = &[u32]> {
        let starts = std::iter::once(&0).chain(&self.ends);
        starts.zip(&self.ends).map(|(start, end)| &self.sorted[*start as usize..*end as usize])
    }
}

/// The graph of a world's blocks.
#[derive(Debug, Default)]
pub struct Graph {
    /// The two ends of each edge, [`NONE`] where there is no moving body.
    edges: Vec<[u32; 2]>,
    sets: DisjointSets,
    /// The first body of each body's island.
    island: Vec<u32>,
    colours: Colours,
    /// Whether the colours are those of the present edges.
    coloured: bool,
    /// Scratch: the new edges, to be compared with the old ones.
    next: Vec<[u32; 2]>,
}

copied_by_fields!(Graph { edges, sets, island, colours, coloured, next });

impl Graph {
    /// Updates the graph to these edges between `bodies` bodies; returns whether it has changed.
    pub fn update(&mut self, bodies: usize, edges: impl Iterator<Item = [u32; 2]>) -> bool {
        self.next.clear();
        self.next.extend(edges);
        if self.next == self.edges && self.island.len() == bodies {
            return false;
        }
        std::mem::swap(&mut self.next, &mut self.edges);
        self.sets.clear(bodies);
        for [a, b] in self.edges.iter().filter(|edge| !edge.contains(&NONE)) {
            self.sets.join(*a, *b);
        }
        self.island.clear();
        self.island.extend((0..bodies as u32).map(|body| self.sets.first(body)));
        self.coloured = false;
        true
    }

    /// The number of bodies.
    pub fn nodes(&self) -> usize {
        self.island.len()
    }

    /// The two ends of an edge, [`NONE`] where there is no moving body.
    pub fn ends(&self, edge: u32) -> [u32; 2] {
        self.edges[edge as usize]
    }

    /// The first body of a body's island.
    pub fn island(&self, body: u32) -> u32 {
        self.island[body as usize]
    }

    /// The edges by colour, in order within each colour.
    pub fn by_colour(&mut self) -> impl Iterator<Item = &[u32]> {
        if !self.coloured {
            self.colours.find(self.island.len(), self.edges.iter().copied());
            self.coloured = true;
        }
        self.colours.lists()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn random_edges(seed: u64, bodies: u32, count: usize) -> Vec<[u32; 2]> {
        let mut state = seed;
        let mut random = |below: u32| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as u32 % below
        };
        // One end in eight does not move.
        let mut end = || if random(8) == 0 { NONE } else { random(bodies) };
        (0..count).map(|_| [end(), end()]).collect()
    }

    #[test]
    fn edges_of_one_colour_share_no_body_and_each_has_the_lowest_that_is_free() {
        for seed in 0..50 {
            let edges = random_edges(seed, 40, 120);
            let mut graph = Graph::default();
            graph.update(40, edges.iter().copied());
            let colours: Vec<Vec<u32>> = graph.by_colour().map(<[u32]>::to_vec).collect();
            assert_eq!(colours.iter().map(Vec::len).sum::<usize>(), edges.len());
            let mut colour_of = vec![0; edges.len()];
            for (colour, list) in colours.iter().enumerate() {
                assert!(list.is_sorted());
                let mut seen = [false; 40];
                for &edge in list {
                    colour_of[edge as usize] = colour;
                    let [a, b] = edges[edge as usize];
                    for body in if a == b { vec![a] } else { vec![a, b] } {
                        assert!(body == NONE || !std::mem::replace(&mut seen[body as usize], true));
                    }
                }
            }
            for (edge, ends) in edges.iter().enumerate() {
                for lower in 0..colour_of[edge] {
                    let blocked = |other: &[u32; 2]| other.iter().any(|body| *body != NONE && ends.contains(body));
                    assert!(
                        (0..edge).any(|before| colour_of[before] == lower && blocked(&edges[before])),
                        "seed {seed}"
                    );
                }
            }
        }
    }

    #[test]
    fn islands_and_lists_are_those_of_a_plain_search() {
        for seed in 0..50 {
            let edges = random_edges(seed, 60, 45);
            let mut graph = Graph::default();
            assert!(graph.update(60, edges.iter().copied()));
            assert!(!graph.update(60, edges.iter().copied()), "nothing has changed");
            let ends = |(index, edge): (usize, &[u32; 2])| {
                let [a, b] = *edge;
                let both = if a == b { [a, NONE] } else { [a, b] };
                both.into_iter().filter(|body| *body != NONE).map(move |body| (body, index as u32))
            };
            let mut lists = Lists::default();
            lists.fill(60, edges.iter().enumerate().flat_map(ends));
            for body in 0..60 {
                let mut reached = vec![body];
                let mut next = 0;
                while next < reached.len() {
                    for &edge in lists.at(reached[next]) {
                        for other in edges[edge as usize] {
                            if other != NONE && !reached.contains(&other) {
                                reached.push(other);
                            }
                        }
                    }
                    next += 1;
                }
                assert_eq!(graph.island(body), *reached.iter().min().unwrap_or(&body));
                let expected = (0..edges.len() as u32).filter(|edge| edges[*edge as usize].contains(&body));
                assert_eq!(lists.at(body), expected.collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn more_edges_at_a_body_than_colours_share_the_last() {
        let mut graph = Graph::default();
        graph.update(101, (1..101).map(|body| [0, body]));
        let sizes: Vec<usize> = graph.by_colour().map(<[u32]>::len).collect();
        assert_eq!((sizes.len(), sizes[0], sizes[COLOURS - 1]), (COLOURS, 1, 100 - (COLOURS - 1)));
    }
}
