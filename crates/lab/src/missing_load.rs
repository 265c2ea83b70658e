//! The load that the joints and contacts do not carry yet at a tick of the step.
//!
//! ```text
//! share = Σ |r|/(K + γ) / (Σ |r|/(K + γ) + Σ |λ|)     over the linear rows of a block, or all if it has none
//! ```
//! The first sum is the impulse that one more solve of each row would add, the second the impulse that the rows have. r
//! is what the rows' bounds would allow to correct, so a contact that lets go misses nothing.

use super::{Inside, TracedStep};

impl Inside {
    /// The share of its load that each followed block misses at a tick, 0 to 1, with the block's index. A block that neither
    /// has nor misses an impulse is left out.
    ///
    /// # Panics
    /// If there is no such tick.
    pub fn missing_loads(&self, traced: &TracedStep, tick: usize) -> Vec<(u32, f32)> {
        let trace = &traced.trace;
        let state = self.state(traced, tick);
        let blocks = || self.blocks.iter().map(|index| (*index, trace.blocks[*index as usize].range()));
        let rows: Vec<usize> = blocks().flat_map(|(_, range)| range).collect();
        let residuals = self.residuals(traced, tick, &rows);
        let mut residuals = residuals.iter();
        let is_linear = |row: usize| !trace.rows[row].is_angular();
        let share = |(index, range): (u32, std::ops::Range<usize>)| {
            let all = !range.clone().any(is_linear);
            let (mut missing, mut carried) = (0.0, 0.0);
            for (row, residual) in range.zip(residuals.by_ref()).filter(|(row, _)| all || is_linear(*row)) {
                missing += residual.abs() * trace.rows[row].inv_k;
                carried += state.given(row).abs();
            }
            let sum = missing + carried;
            (sum > 0.0).then(|| (index, missing / sum))
        };
        blocks().filter_map(share).collect()
    }
}
