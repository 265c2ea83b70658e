//! Runs cases and judges the measured values.

use rayon::prelude::*;
use std::cmp::Reverse;

use super::accuracy_order::{AccuracyOrder, LADDER, OrderOutcome};
use super::case::{Case, METHODS, Quantity, RATES};
use super::case_run::CaseRun;
use super::cases::ORDERS;
use super::faults::{self, KnownFault};
use super::number;
use delassus_physics::settings::Method;

/// The measured values of a case by solver and rate, in the order of [`METHODS`] and [`RATES`], and within that in
/// the order of the case's quantities. `None` if the solver does not run the case.
pub struct CaseOutcome {
    pub case: &'static Case,
    measured: [[Option<Vec<f64>>; RATES.len()]; METHODS.len()],
}

/// A measured value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reading {
    /// In the quantity's unit.
    pub measured: f64,
    /// In the quantity's unit, or relative to the true value.
    pub error: f64,
    pub verdict: ReadingVerdict,
}

/// The judgement of a measured value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadingVerdict {
    /// Within the claimed bound.
    Holds,
    /// Beyond the claimed bound, but within that of a known fault.
    Wrong,
    /// Beyond the claimed bound and any known fault.
    Beyond,
}

impl CaseOutcome {
    /// The measured value of a quantity, by the indices of the quantity, the solver and the rate.
    pub fn reading(&self, quantity: usize, column: usize, rate: usize) -> Option<Reading> {
        let measured = *self.measured[column][rate].as_ref()?.get(quantity)?;
        let asked = self.case.quantities.get(quantity)?;
        Some(judge(asked, faults::of(self.case.name, asked.name, METHODS[column]), measured, rate))
    }
}

fn judge(quantity: &Quantity, fault: Option<&KnownFault>, measured: f64, rate: usize) -> Reading {
    let error = quantity.error(measured);
    // NaN is within no bound.
    let verdict = if error.abs() <= quantity.bounds.at[rate] {
        ReadingVerdict::Holds
    } else if fault.is_some_and(|fault| fault.covers(error, rate)) {
        ReadingVerdict::Wrong
    } else {
        ReadingVerdict::Beyond
    };
    Reading { measured, error, verdict }
}

/// Runs cases with every solver at the given rates of [`RATES`], and the orders of accuracy that are measured on them.
/// `done` is called after each run with the total number of runs.
///
/// # Errors
/// If a case's scene or settings are invalid, or it does not measure all of its quantities.
pub fn verify(
    cases: &[&'static Case],
    rates: &[u32],
    done: impl Fn(usize) + Sync,
) -> Result<(Vec<CaseOutcome>, Vec<OrderOutcome>), String> {
    let orders: Vec<_> = ORDERS
        .iter()
        .filter_map(|order| order.find().map(|(case, place, quantity)| (order, case, place, quantity)))
        .filter(|(_, case, ..)| cases.iter().any(|c| c.name == case.name))
        .collect();
    let mut jobs: Vec<(&Case, Method, u32)> = Vec::new();
    for case in cases {
        let ladder = orders.iter().any(|(_, other, ..)| other.name == case.name);
        let more = LADDER.into_iter().filter(|rate| ladder && !rates.contains(rate));
        let rates = rates.iter().copied().chain(more);
        let methods = METHODS.into_iter().filter(|method| case.left_out(*method).is_none());
        jobs.extend(methods.flat_map(|method| rates.clone().map(move |rate| (*case, method, rate))));
    }
    // What takes long comes first, so that no thread waits for it at the end.
    jobs.sort_by_key(|(_, method, rate)| Reverse((*method == Method::Direct, *rate)));
    let total = jobs.len();
    let runs: Vec<Vec<f64>> = (jobs.par_iter().with_max_len(1))
        .map(|(case, method, rate)| {
            let measured = run(case, *method, *rate);
            done(total);
            measured
        })
        .collect::<Result<_, String>>()?;
    let found = |case: &Case, method: Method, rate: u32| {
        let place = jobs.iter().position(|(c, m, r)| (c.name, *m, *r) == (case.name, method, rate));
        place.map(|i| runs[i].clone())
    };
    let outcomes = cases
        .iter()
        .map(|case| CaseOutcome { case, measured: METHODS.map(|method| RATES.map(|rate| found(case, method, rate))) })
        .collect();
    let orders = orders
        .into_iter()
        .map(|(order, case, place, quantity)| {
            let error =
                |method, rate| found(case, method, rate).map_or(f64::NAN, |measured| quantity.error(measured[place]));
            OrderOutcome { order, errors: METHODS.map(|method| LADDER.map(|rate| error(method, rate))) }
        })
        .collect();
    Ok((outcomes, orders))
}

/// Runs a case with one solver at one rate.
fn run(case: &Case, method: Method, rate: u32) -> Result<Vec<f64>, String> {
    let measured = (case.measure)(&mut CaseRun::new(case, method, rate)?);
    if measured.len() == case.quantities.len() {
        Ok(measured)
    } else {
        Err(format!("{} measures {} numbers and names {}", case.name, measured.len(), case.quantities.len()))
    }
}

/// The values beyond all bounds, a line each.
pub fn failures(outcomes: &[CaseOutcome], orders: &[OrderOutcome]) -> Vec<String> {
    let mut lines = Vec::new();
    for outcome in outcomes {
        for (q, quantity) in outcome.case.quantities.iter().enumerate() {
            for (column, method) in METHODS.iter().enumerate() {
                for (r, rate) in RATES.iter().enumerate() {
                    let reading = outcome.reading(q, column, r);
                    if let Some(reading) = reading.filter(|reading| reading.verdict == ReadingVerdict::Beyond) {
                        lines.push(format!(
                            "{}, {}, {method:?} at {rate} Hz: {}, expected {} {}: {}",
                            outcome.case.name,
                            quantity.name,
                            number::short(reading.measured),
                            number::short((quantity.expected)()),
                            quantity.unit,
                            number::error(quantity, reading.error),
                        ));
                    }
                }
            }
        }
    }
    for outcome in orders {
        for (column, method) in METHODS.iter().enumerate() {
            if !outcome.holds(column) {
                let AccuracyOrder { case, quantity, order, within, .. } = outcome.order;
                let slope = outcome.slope(column);
                lines.push(format!("{case}, {quantity}, {method:?}: of order {slope:.2}, expected {order} ± {within}"));
            }
        }
    }
    lines
}

/// Known faults that are within the claimed bound now, a line each: their entries can be removed.
pub fn cured(outcomes: &[CaseOutcome]) -> Vec<String> {
    let mut lines = Vec::new();
    for outcome in outcomes {
        for (q, quantity) in outcome.case.quantities.iter().enumerate() {
            for (column, method) in METHODS.iter().enumerate() {
                let holds =
                    |r| outcome.reading(q, column, r).is_none_or(|reading| reading.verdict == ReadingVerdict::Holds);
                if faults::of(outcome.case.name, quantity.name, *method).is_some() && (0..RATES.len()).all(holds) {
                    lines.push(format!("{}, {}, {method:?}", outcome.case.name, quantity.name));
                }
            }
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Bounds;

    #[test]
    fn a_number_is_judged_by_its_claim_and_then_by_what_is_known() {
        let quantity = Quantity::share("speed", "m/s", "v", || 2.0, Bounds::first_order(0.04));
        let fault = KnownFault { case: "", quantity: "speed", method: None, at: [0.5, 0.2, 0.2], why: "slow" };
        let verdict = |measured, fault, rate| judge(&quantity, fault, measured, rate).verdict;
        assert_eq!(verdict(2.06, None, 0), ReadingVerdict::Holds);
        assert_eq!(verdict(2.06, None, 1), ReadingVerdict::Beyond, "at 240 Hz a quarter of the error is allowed");
        assert_eq!(verdict(2.06, Some(&fault), 0), ReadingVerdict::Holds, "better than known");
        assert_eq!(verdict(1.2, Some(&fault), 0), ReadingVerdict::Wrong, "it is known");
        assert_eq!(verdict(0.9, Some(&fault), 0), ReadingVerdict::Beyond, "worse than known");
        assert_eq!(verdict(f64::NAN, Some(&fault), 0), ReadingVerdict::Beyond);
    }
}
