//! Running cases and judging what they measure.

use rayon::prelude::*;

use super::accuracy_order::{AccuracyOrder, LADDER, OrderOutcome};
use super::case::{Case, METHODS, Quantity, RATES};
use super::case_run::CaseRun;
use super::cases::ORDERS;
use super::faults::{self, KnownFault};
use super::number;
use crate::physics::settings::Method;

/// What a case came to: measured values by solver and rate, in the order of `METHODS` and `RATES` and, within, of the
/// case's quantities. Nothing where the solver is left out.
pub struct CaseOutcome {
    pub case: &'static Case,
    measured: [[Option<Vec<f64>>; RATES.len()]; METHODS.len()],
}

/// One measured number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reading {
    /// In the quantity's unit.
    pub measured: f64,
    /// In its unit, or as a share of what is expected.
    pub error: f64,
    pub verdict: ReadingVerdict,
}

/// What is to be thought of a measured number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadingVerdict {
    /// As near as is claimed.
    Holds,
    /// Farther off than is claimed, and known to be.
    Wrong,
    /// Farther off than is claimed or known.
    Beyond,
}

impl CaseOutcome {
    /// What was measured of a quantity, by the quantity's, the solver's and the rate's place.
    pub fn reading(&self, quantity: usize, column: usize, rate: usize) -> Option<Reading> {
        let measured = *self.measured[column][rate].as_ref()?.get(quantity)?;
        let asked = self.case.quantities.get(quantity)?;
        Some(judge(asked, faults::of(self.case.name, asked.name, METHODS[column]), measured, rate))
    }
}

fn judge(quantity: &Quantity, fault: Option<&KnownFault>, measured: f64, rate: usize) -> Reading {
    let error = quantity.error(measured);
    // Not a number is within no bound.
    let verdict = if error.abs() <= quantity.bounds.at[rate] {
        ReadingVerdict::Holds
    } else if fault.is_some_and(|fault| fault.covers(error, rate)) {
        ReadingVerdict::Wrong
    } else {
        ReadingVerdict::Beyond
    };
    Reading { measured, error, verdict }
}

/// Runs cases by every solver at every rate, and the orders of accuracy that are measured on them. `done` is told of
/// each run that has ended, and how many there are.
///
/// # Errors
/// A case's scene or settings are mistaken, or it does not measure what it names.
pub fn verify(
    cases: &[&'static Case],
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
        let rates = LADDER.into_iter().filter(|rate| ladder || RATES.contains(rate));
        let methods = METHODS.into_iter().filter(|method| case.left_out(*method).is_none());
        jobs.extend(methods.flat_map(|method| rates.clone().map(move |rate| (*case, method, rate))));
    }
    let total = jobs.len();
    let runs: Vec<Vec<f64>> = (jobs.par_iter())
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

/// Runs a case by one solver at one rate.
fn run(case: &Case, method: Method, rate: u32) -> Result<Vec<f64>, String> {
    let measured = (case.measure)(&mut CaseRun::new(case, method, rate)?);
    if measured.len() == case.quantities.len() {
        Ok(measured)
    } else {
        Err(format!("{} measures {} numbers and names {}", case.name, measured.len(), case.quantities.len()))
    }
}

/// What is farther off than is claimed or known, a line each.
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

/// Known faults that are none any more, a line each: their entries can go.
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
    use crate::verify::Bounds;

    #[test]
    fn a_number_is_judged_by_its_claim_and_then_by_what_is_known() {
        let quantity = Quantity::share("speed", "m/s", "v", || 2.0, Bounds::first_order(0.04));
        let fault = KnownFault { case: "", quantity: "speed", method: None, at: [0.5, 0.2], why: "slow" };
        let verdict = |measured, fault, rate| judge(&quantity, fault, measured, rate).verdict;
        assert_eq!(verdict(2.06, None, 0), ReadingVerdict::Holds);
        assert_eq!(verdict(2.06, None, 1), ReadingVerdict::Beyond, "at 240 Hz a quarter of the error is allowed");
        assert_eq!(verdict(2.06, Some(&fault), 0), ReadingVerdict::Holds, "better than known");
        assert_eq!(verdict(1.2, Some(&fault), 0), ReadingVerdict::Wrong, "it is known");
        assert_eq!(verdict(0.9, Some(&fault), 0), ReadingVerdict::Beyond, "worse than known");
        assert_eq!(verdict(f64::NAN, Some(&fault), 0), ReadingVerdict::Beyond);
    }
}
