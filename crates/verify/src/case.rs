//! The definition of a case.

use super::case_run::CaseRun;
use delassus_physics::settings::Method;

/// The solvers, in the tables' order.
pub const METHODS: [Method; 3] = [Method::GaussSeidel, Method::Jacobi, Method::Direct];
/// The step rates, Hz.
pub const RATES: [u32; 3] = [60, 240, 1000];

/// Cases of one kind, with a common description.
pub struct Family {
    pub title: &'static str,
    pub about: &'static str,
    pub cases: &'static [Case],
}

/// A scene whose motion is known.
pub struct Case {
    /// Family and case: `pendulum/two-links`.
    pub name: &'static str,
    /// A description of the scene, its numbers, and what is measured when.
    pub what: &'static str,
    /// Bodies and joints as in a scene file, without title and settings.
    pub scene: fn() -> String,
    pub runs: Runs,
    /// Runs the world and returns a number for each of the quantities, in their order.
    pub measure: fn(&mut CaseRun) -> Vec<f64>,
    pub quantities: &'static [Quantity],
}

/// The runs of a case.
pub struct Runs {
    /// Settings that differ from the defaults: `solver.iterations=50`.
    pub set: &'static [&'static str],
    /// Whether it takes long: then it is only run for the whole table, not by the tests.
    pub slow: bool,
    /// Solvers that do not run it, with the reason.
    pub without: &'static [(Method, &'static str)],
}

impl Runs {
    /// Fast, with all solvers and the default settings.
    pub const USUAL: Self = Self::with(&[]);

    /// The same in one sub-step, for orders of accuracy that smaller errors would lose in rounding.
    pub const WHOLE_STEP: Self = Self::with(&["step.substeps=1"]);

    /// Fast, with all solvers and these settings.
    pub const fn with(set: &'static [&'static str]) -> Self {
        Self { set, slow: false, without: &[] }
    }
}

/// A measured quantity of a case, and its true value.
pub struct Quantity {
    pub name: &'static str,
    /// SI unit, empty for pure numbers.
    pub unit: &'static str,
    /// The source of the true value in words: the formula, or what was integrated.
    pub truth: &'static str,
    /// The true value, in `unit`.
    pub expected: fn() -> f64,
    /// Whether errors are in `unit`; otherwise they are relative to the true value.
    pub absolute: bool,
    pub bounds: Bounds,
}

/// The claimed upper bound of the error at each of [`RATES`], in the quantity's unit or relative to the true value.
/// Larger known errors of a solver are in `faults.rs`.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    pub at: [f64; RATES.len()],
}

impl Bounds {
    /// The same bound at all rates, for errors that do not depend on the step.
    pub const fn same(bound: f64) -> Self {
        Self { at: [bound; RATES.len()] }
    }

    /// For a method of first order: a quarter of the step gives a quarter of the error. At 1000 Hz no less is claimed:
    /// what is left there is often rounding.
    pub const fn first_order(at_60: f64) -> Self {
        Self { at: [at_60, at_60 / 4.0, at_60 / 4.0] }
    }
}

impl Quantity {
    /// A quantity with relative errors.
    pub const fn share(
        name: &'static str,
        unit: &'static str,
        truth: &'static str,
        expected: fn() -> f64,
        bounds: Bounds,
    ) -> Self {
        Self { name, unit, truth, expected, absolute: false, bounds }
    }

    /// A quantity with errors in its unit.
    pub const fn absolute(
        name: &'static str,
        unit: &'static str,
        truth: &'static str,
        expected: fn() -> f64,
        bounds: Bounds,
    ) -> Self {
        Self { name, unit, truth, expected, absolute: true, bounds }
    }

    /// The error of a measured value, in the quantity's unit or relative to the true value.
    pub fn error(&self, measured: f64) -> f64 {
        let expected = (self.expected)();
        if self.absolute { measured - expected } else { measured / expected - 1.0 }
    }
}

impl Case {
    /// The name of the case's family: `pendulum`.
    pub fn family(&self) -> &'static str {
        self.name.split('/').next().unwrap_or(self.name)
    }

    /// Why a solver does not run this case, if it does not.
    pub fn left_out(&self, method: Method) -> Option<&'static str> {
        self.runs.without.iter().find(|(m, _)| *m == method).map(|(_, why)| *why)
    }
}
