//! Driven axes in the position correction: a joint's rows are solved together with a row that keeps its drive at its
//! target (`motor_target/`).
//!
//! ```text
//! K x = −(J u' + b),   K = J M⁻¹ Jᵀ of the joint's rows and the drive's row together, factored as LDLᵀ
//! ```
//! Solved one after another they would undo each other. If a light body hangs on a long arm, the anchor's rows close
//! their error by rotating the body, and the drive's row rotates it back, sweep by sweep. Solved together, the
//! anchor's rows move the body instead. A row that depends on the rows before it is left out.

use super::block::BlockVelocities;
use crate::row::{Factor, MAX_BLOCK_ROWS, Row};

/// Indices of the rows between two bodies that are solved together; the last is the drive's.
#[derive(Debug, Clone)]
pub struct DriveBlock {
    pub a: u32,
    pub b: u32,
    rows: [u32; MAX_BLOCK_ROWS],
    count: usize,
    factor: Factor,
}

impl DriveBlock {
    /// Factors at most `MAX_BLOCK_ROWS` rows, given by the indices in `list`.
    pub fn new(a: u32, b: u32, list: &[u32], rows: &[Row]) -> Self {
        let count = list.len();
        let mut indices = [0; MAX_BLOCK_ROWS];
        indices[..count].copy_from_slice(list);
        let factor = Factor::of(count, |i| &rows[indices[i] as usize], 1.0, 1.0);
        Self { a, b, rows: indices, count, factor }
    }

    /// Factors again, as if the bodies had 1/na and 1/nb of their mass (mass splitting).
    pub fn split(&mut self, rows: &[Row], na: f32, nb: f32) {
        self.factor = Factor::of(self.count, |i| &rows[self.rows[i] as usize], na, nb);
    }
}

impl<const LIVE: bool> BlockVelocities<LIVE> {
    /// Split correction of at most `MAX_BLOCK_ROWS` rows between the two bodies, solved together with `pseudo_bias` as bias.
    pub fn correct_all(&mut self, rows: &mut [Row]) {
        let count = rows.len().min(MAX_BLOCK_ROWS);
        let mut list = [0; MAX_BLOCK_ROWS];
        list.iter_mut().zip(0..).for_each(|(entry, index)| *entry = index);
        let factor = Factor::of(count, |i| &rows[i], 1.0, 1.0);
        self.correct_listed(&list[..count], &factor, rows);
    }

    /// Split correction of all rows of a driven joint together.
    pub fn correct_drive_block(&mut self, block: &DriveBlock, rows: &mut [Row]) {
        self.correct_listed(&block.rows[..block.count], &block.factor, rows);
    }

    fn correct_listed(&mut self, list: &[u32], factor: &Factor, rows: &mut [Row]) {
        let mut x = [0.0; MAX_BLOCK_ROWS];
        for (x, index) in x.iter_mut().zip(list) {
            *x = -f64::from(self.off(&rows[*index as usize]));
        }
        factor.solve(&mut x);
        for (x, index) in x.iter().zip(list) {
            self.correct_by(&mut rows[*index as usize], *x as f32);
        }
    }
}
