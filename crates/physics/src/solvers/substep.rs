//! A sub-step, and how its sweeps are made.

/// One sub-step; all sub-steps of a step have equal length.
#[derive(Debug, Clone, Copy)]
pub struct Substep {
    /// Its length, s.
    pub h: f32,
    /// Its start and end, world time, s.
    pub start: f64,
    pub end: f64,
    /// Whether it is the first sub-step of the step, and whether it is the last.
    pub first: bool,
    pub last: bool,
    /// Whether joints, and with them residuals and added energy, are read after it.
    pub reads: bool,
    /// Whether contacts make single rows instead of rows packed for SIMD lanes, because something reads all rows.
    pub listed: bool,
}

/// How the sweeps of a sub-step are made.
#[derive(Debug, Clone, Copy)]
pub struct Pass {
    /// Length of the sub-step, s.
    pub h: f32,
    /// Jacobi's ω.
    pub relaxation: f32,
    /// Whether the sweeps also solve the split position correction (pseudo-velocities).
    pub pseudo: bool,
    /// Whether the impulses of the last step are applied only after the first sweep: see `warm_start/`.
    pub deferred: bool,
    /// Whether a part of the impulses that bear units is taken back and shared anew: see `jointed_contacts/share.rs`.
    pub forgets: bool,
}
