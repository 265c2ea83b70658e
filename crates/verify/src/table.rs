//! The results as a table for a terminal, and as JSON.

use std::fmt::Write;

use serde::Serialize;

use super::accuracy_order::{LADDER, OrderOutcome};
use super::case::{METHODS, RATES};
use super::cases::FAMILIES;
use super::faults;
use super::number;
use super::outcome::{CaseOutcome, ReadingVerdict};
use delassus_physics::settings::Method;

/// The table for a terminal: for each quantity the true value, and for each rate the measured value and error of each
/// solver. `!` marks a known fault, `✗` an error beyond all bounds.
pub fn table(outcomes: &[CaseOutcome], orders: &[OrderOutcome]) -> String {
    let mut out = String::new();
    for family in FAMILIES {
        let of_family: Vec<_> =
            outcomes.iter().filter(|o| family.cases.iter().any(|c| c.name == o.case.name)).collect();
        if !of_family.is_empty() {
            let heading = ["", "unit", "expected", "Hz", "Gauss–Seidel", "Jacobi", "direct"].map(String::from);
            let mut rows = vec![heading.to_vec()];
            of_family.iter().for_each(|outcome| push(&mut rows, outcome));
            let _ = writeln!(out, "{}\n\n{}", family.title, aligned(&rows));
        }
    }
    if !orders.is_empty() {
        let _ = writeln!(out, "Orders of accuracy\n\n{}", aligned(&order_rows(orders)));
    }
    out
}

fn push(rows: &mut Vec<Vec<String>>, outcome: &CaseOutcome) {
    rows.push(vec![outcome.case.name.into()]);
    for (q, quantity) in outcome.case.quantities.iter().enumerate() {
        for (r, rate) in RATES.iter().enumerate() {
            let mut row = match r {
                0 => vec![format!("  {}", quantity.name), quantity.unit.into(), number::short((quantity.expected)())],
                _ => vec![String::new(); 3],
            };
            row.push(rate.to_string());
            row.extend((0..METHODS.len()).map(|column| {
                outcome.reading(q, column, r).map_or("–".into(), |reading| {
                    let mark = match reading.verdict {
                        ReadingVerdict::Holds => "",
                        ReadingVerdict::Wrong => " !",
                        ReadingVerdict::Beyond => " ✗",
                    };
                    format!("{}  {}{mark}", number::short(reading.measured), number::error(quantity, reading.error))
                })
            }));
            rows.push(row);
        }
    }
}

fn order_rows(orders: &[OrderOutcome]) -> Vec<Vec<String>> {
    let mut heading = vec![String::new(), "solver".into()];
    heading.extend(LADDER.map(|rate| format!("{rate} Hz")));
    heading.extend(["order".into(), "expected".into()]);
    let mut rows = vec![heading];
    for outcome in orders {
        let Some((_, _, quantity)) = outcome.order.find() else { continue };
        for (column, method) in METHODS.iter().enumerate() {
            let first = if column == 0 { format!("{}, {}", outcome.order.case, quantity.name) } else { String::new() };
            let mut row = vec![first, method_name(*method).into()];
            row.extend(outcome.errors[column].map(|error| number::error(quantity, error)));
            let mark = if outcome.holds(column) { "" } else { " ✗" };
            row.extend([format!("{:.2}{mark}", outcome.slope(column)), outcome.order.order.to_string()]);
            rows.push(row);
        }
    }
    rows
}

/// A solver's name in the tables.
pub fn method_name(method: Method) -> &'static str {
    match method {
        Method::GaussSeidel => "Gauss–Seidel",
        Method::Jacobi => "Jacobi",
        Method::Direct => "direct",
        Method::TgsSoft => "TGS soft",
        Method::Nncg => "NNCG",
        Method::Avbd => "AVBD",
        Method::Admm => "ADMM",
    }
}

/// Rows with aligned columns; a row with a single cell is a line of its own.
fn aligned(rows: &[Vec<String>]) -> String {
    let mut widths: Vec<usize> = Vec::new();
    for row in rows.iter().filter(|row| row.len() > 1) {
        widths.resize(widths.len().max(row.len()), 0);
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let mut out = String::new();
    for row in rows {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(&widths) {
            let _ = write!(line, "{cell:width$}  ");
        }
        let _ = writeln!(out, "{}", line.trim_end());
    }
    out
}

/// A measured value as JSON. `expected` and `measured` are in `unit`; errors are in `unit` if `absolute`, otherwise
/// relative to the expected value.
#[derive(Serialize)]
struct Line<'a> {
    case: &'a str,
    quantity: &'a str,
    unit: &'a str,
    truth: &'a str,
    expected: f64,
    solver: &'static str,
    rate: u32,
    measured: f64,
    error: f64,
    absolute: bool,
    claimed: f64,
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<&'a str>,
}

#[derive(Serialize)]
struct OrderLine<'a> {
    case: &'a str,
    quantity: &'a str,
    solver: &'static str,
    rates: [u32; LADDER.len()],
    errors: [f64; LADDER.len()],
    order: f64,
    expected: f64,
    holds: bool,
}

/// All results as JSON: `readings` and `orders`.
///
/// # Errors
/// Never in practice: serde's errors.
pub fn json(outcomes: &[CaseOutcome], orders: &[OrderOutcome]) -> Result<String, String> {
    let mut readings = Vec::new();
    for outcome in outcomes {
        for (q, quantity) in outcome.case.quantities.iter().enumerate() {
            for (column, method) in METHODS.iter().enumerate() {
                for (r, rate) in RATES.iter().enumerate() {
                    let Some(reading) = outcome.reading(q, column, r) else { continue };
                    let fault = faults::of(outcome.case.name, quantity.name, *method);
                    readings.push(Line {
                        case: outcome.case.name,
                        quantity: quantity.name,
                        unit: quantity.unit,
                        truth: quantity.truth,
                        expected: (quantity.expected)(),
                        solver: method_name(*method),
                        rate: *rate,
                        measured: reading.measured,
                        error: reading.error,
                        absolute: quantity.absolute,
                        claimed: quantity.bounds.at[r],
                        verdict: match reading.verdict {
                            ReadingVerdict::Holds => "holds",
                            ReadingVerdict::Wrong => "known to be wrong",
                            ReadingVerdict::Beyond => "beyond what is claimed or known",
                        },
                        fault: fault.map(|fault| fault.why),
                    });
                }
            }
        }
    }
    let orders: Vec<_> = (orders.iter())
        .flat_map(|outcome| {
            METHODS.iter().enumerate().map(|(column, method)| OrderLine {
                case: outcome.order.case,
                quantity: outcome.order.quantity,
                solver: method_name(*method),
                rates: LADDER,
                errors: outcome.errors[column],
                order: outcome.slope(column),
                expected: outcome.order.order,
                holds: outcome.holds(column),
            })
        })
        .collect();
    serde_json::to_string_pretty(&serde_json::json!({ "readings": readings, "orders": orders }))
        .map_err(|e| e.to_string())
}
