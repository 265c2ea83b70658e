//! What a case says of itself.

use super::case_run::CaseRun;
use crate::physics::settings::Method;

/// The solvers, in the tables' order.
pub const METHODS: [Method; 3] = [Method::GaussSeidel, Method::Jacobi, Method::Direct];
/// The step rates, Hz.
pub const RATES: [u32; 2] = [60, 240];

/// Cases of one kind, with what there is to say of them all.
pub struct Family {
    pub title: &'static str,
    pub about: &'static str,
    pub cases: &'static [Case],
}

/// A scene of which it is known how it moves.
pub struct Case {
    /// Family and case, as in `pendulum/two-links`.
    pub name: &'static str,
    /// The scene, its numbers, and what is measured when.
    pub what: &'static str,
    /// Bodies and joints as in a scene file, without title and settings.
    pub scene: fn() -> String,
    pub runs: Runs,
    /// Runs the world and returns one number for each of the quantities, in their order.
    pub measure: fn(&mut CaseRun) -> Vec<f64>,
    pub quantities: &'static [Quantity],
}

/// How a case is run.
pub struct Runs {
    /// Settings that differ from the program's defaults, as in `solver.iterations=50`.
    pub set: &'static [&'static str],
    /// It takes long: it is part of the whole table only, not of the tests.
    pub slow: bool,
    /// Solvers that do not run it, and why.
    pub without: &'static [(Method, &'static str)],
}

impl Runs {
    /// Fast, by all solvers, with the program's defaults.
    pub const USUAL: Self = Self::with(&[]);

    /// Fast, by all solvers, with these settings.
    pub const fn with(set: &'static [&'static str]) -> Self {
        Self { set, slow: false, without: &[] }
    }
}

/// A number of a case, and the truth about it.
pub struct Quantity {
    pub name: &'static str,
    /// SI unit, empty for pure numbers.
    pub unit: &'static str,
    /// The truth in words: the formula, or what was integrated.
    pub truth: &'static str,
    /// The truth, in `unit`.
    pub expected: fn() -> f64,
    /// Whether errors are counted in `unit`; else as a share of what is expected.
    pub absolute: bool,
    pub bounds: Bounds,
}

/// How far off the program claims to be at most, at each of `RATES`: in the quantity's unit, or as a share of what is
/// expected. What a solver is known to get wrong by more is in `faults.rs`.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    pub at: [f64; 2],
}

impl Bounds {
    /// The same at both rates: errors that do not come from the step.
    pub const fn same(bound: f64) -> Self {
        Self { at: [bound, bound] }
    }

    /// A method of first order: a quarter of the step, a quarter of the error.
    pub const fn first_order(at_60: f64) -> Self {
        Self { at: [at_60, at_60 / 4.0] }
    }
}

impl Quantity {
    /// A quantity whose errors count as a share of what is expected.
    pub const fn share(
        name: &'static str,
        unit: &'static str,
        truth: &'static str,
        expected: fn() -> f64,
        bounds: Bounds,
    ) -> Self {
        Self { name, unit, truth, expected, absolute: false, bounds }
    }

    /// A quantity whose errors count in its unit.
    pub const fn absolute(
        name: &'static str,
        unit: &'static str,
        truth: &'static str,
        expected: fn() -> f64,
        bounds: Bounds,
    ) -> Self {
        Self { name, unit, truth, expected, absolute: true, bounds }
    }

    /// How far off a measured value is, in the quantity's unit or as a share of what is expected.
    pub fn error(&self, measured: f64) -> f64 {
        let expected = (self.expected)();
        if self.absolute { measured - expected } else { measured / expected - 1.0 }
    }
}

impl Case {
    /// The case's family, as in `pendulum`.
    pub fn family(&self) -> &'static str {
        self.name.split('/').next().unwrap_or(self.name)
    }

    /// Why a solver does not run this case.
    pub fn left_out(&self, method: Method) -> Option<&'static str> {
        self.runs.without.iter().find(|(m, _)| *m == method).map(|(_, why)| *why)
    }
}
