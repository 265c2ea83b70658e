//! Sums over bodies and joints. Each piece (a range of bodies or joints) can be summed by its own thread.

use glam::DVec3;

use super::threads;

/// Sums and maxima over bodies and joints.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Sums {
    /// Kinetic and potential energy of the dynamic bodies, and elastic energy of the joints' springs, J.
    pub kinetic: f64,
    pub potential: f64,
    pub springs: f64,
    /// Momentum, N·s, and angular momentum about the world's origin, N·m·s, of the dynamic bodies.
    pub momentum: DVec3,
    pub angular: DVec3,
    /// Mass of the dynamic bodies, kg.
    pub moving: f64,
    /// Sum of the joints' anchor errors, m, the largest of them, m, and the largest angular error, rad.
    pub errors: f64,
    pub largest_gap: f64,
    pub largest_angle: f64,
    /// The number of broken joints.
    pub broken: usize,
}

impl Sums {
    /// Adds the sums of another piece.
    pub fn add(&mut self, other: &Self) {
        self.kinetic += other.kinetic;
        self.potential += other.potential;
        self.springs += other.springs;
        self.momentum += other.momentum;
        self.angular += other.angular;
        self.moving += other.moving;
        self.errors += other.errors;
        self.largest_gap = self.largest_gap.max(other.largest_gap);
        self.largest_angle = self.largest_angle.max(other.largest_angle);
        self.broken += other.broken;
    }
}

/// Adds up the sums of all pieces, in order, so that the result does not depend on the number of threads.
pub(crate) fn sum(threads: usize, pieces: usize, sum_of_piece: impl Fn(usize) -> Sums + Sync) -> Sums {
    if pieces <= 1 {
        return (0..pieces).map(sum_of_piece).next().unwrap_or_default();
    }
    let mut parts = vec![Sums::default(); pieces];
    threads::pieces(threads, &mut parts, 1, |_, piece, part| part[0] = sum_of_piece(piece));
    let mut sums = Sums::default();
    parts.iter().for_each(|part| sums.add(part));
    sums
}
