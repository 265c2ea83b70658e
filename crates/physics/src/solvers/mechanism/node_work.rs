//! The rows of a node while its mechanism is solved.

use super::blocks::Part;
use super::line::Lines;
use super::side::{RowState, Terms};
use crate::row::Row;
use crate::velocity::Velocity;

/// Residuals and impulses are known to this share of what they are made of.
pub const ROUNDING: f64 = 1.2e-7;

/// The rows of a node while its mechanism is solved.
#[derive(Debug, Clone, Default)]
pub struct NodeWork {
    /// J u + b + γ λ at the start, its rounding, and its present value.
    pub base: Part,
    pub noise: Part,
    pub residual: Part,
    /// λ at the start, its change, and its bounds.
    pub impulse: Part,
    pub change: Part,
    pub lo: Part,
    pub hi: Part,
    /// Whether any of its rows has a bound.
    pub bounded: bool,
}

impl NodeWork {
    /// Reads the rows at the velocities of their bodies.
    pub fn start(&mut self, rows: &[Row], lines: &Lines, (a, b): (&Velocity, &Velocity), pseudo: bool) {
        *self = Self::default();
        let (speed, size) = lines.speed(a, b);
        for (i, row) in rows.iter().enumerate() {
            let terms = Terms::of(row, pseudo);
            let soft = if pseudo { 0.0 } else { lines.gamma[i] * terms.impulse };
            self.base[i] = speed[i] + terms.bias + soft;
            self.noise[i] = ROUNDING * (size[i] + terms.bias.abs() + soft.abs());
            (self.impulse[i], self.lo[i], self.hi[i]) = (terms.impulse, terms.lo, terms.hi);
            self.bounded |= terms.is_bounded();
        }
        self.residual = self.base;
    }

    /// The impulse of a row with its change.
    pub fn now(&self, i: usize) -> f64 {
        self.impulse[i] + self.change[i]
    }

    /// The bound at which a row stands.
    pub fn bound(&self, i: usize, state: RowState) -> f64 {
        if state == RowState::Low { self.lo[i] } else { self.hi[i] }
    }

    /// Whether a row has a bound.
    pub fn is_bounded(&self, i: usize) -> bool {
        self.lo[i] > f64::NEG_INFINITY || self.hi[i] < f64::INFINITY
    }

    /// Adds the changes, multiplied by `relaxation`, to the rows' impulses.
    pub fn finish(&self, rows: &mut [Row], pseudo: bool, relaxation: f64) {
        for (i, row) in rows.iter_mut().enumerate() {
            let impulse = self.impulse[i] + relaxation * self.change[i];
            let accumulated = if pseudo { &mut row.pseudo_impulse } else { &mut row.impulse };
            *accumulated = impulse.max(self.lo[i]).min(self.hi[i]) as f32;
        }
    }
}
