//! The result of an estimate of the spectrum, and the vectors from which the next one starts.

use crate::body::Velocity;
use crate::row::{Block, Row};
use crate::solvers::tree;

/// The result of an estimate.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Spectrum {
    /// λmax(D⁻¹A): a Jacobi sweep is stable for ω below 2 over this.
    pub largest: f32,
    /// ρ of the configured sweep; for the direct solver, that of Gauss–Seidel over the same rows.
    pub radius: f32,
    /// ω of the configured sweep, 1 for Gauss–Seidel.
    pub relaxation: f32,
    /// n_max: the largest number of blocks (of rows, where they are scalar) at one moving body.
    pub blocks_per_body: u32,
    /// The active rows, which take part.
    pub rows: usize,
    /// Whether `largest` and `radius` have converged.
    pub settled: bool,
}

/// Buffers of the estimate, and the vectors of the last one.
#[derive(Debug, Clone, Default)]
pub struct Scratch {
    pub(super) rows: Vec<Row>,
    pub(super) blocks: Vec<Block>,
    pub(super) trees: tree::Trees,
    pub(super) velocities: Vec<Velocity>,
    pub(super) change: Vec<Velocity>,
    pub(super) old: Vec<f32>,
    pub(super) counts: Vec<u32>,
    pub(super) work: tree::Work,
    /// By row: the error that the sweep reduces most slowly, and the dominant eigenvector of D⁻¹A.
    pub(super) slowest: Vec<f32>,
    pub(super) steepest: Vec<f32>,
}
