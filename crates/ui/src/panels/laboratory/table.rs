//! Export of the rows of a step: as CSV for other programs, as text for people.

use super::owner_name;
use super::units::{self, Units};
use crate::{view::View, widgets::number::with_unit};
use delassus_lab::TracedStep;

/// The rows with all of their numbers and J at one moment, as CSV in SI units.
pub fn csv(traced: &TracedStep, shown: &[usize], moment: usize, view: &View<'_>) -> String {
    let mut table = csv::Writer::from_writer(Vec::new());
    let now = &traced.trace.moments[moment];
    let head = [
        "of",
        "row",
        "K",
        "gamma",
        "b",
        "lo",
        "hi",
        "lambda_warm",
        "lambda",
        "force",
        "residual",
        "state",
        "J_vA_x",
        "J_vA_y",
        "J_vA_z",
        "J_wA_x",
        "J_wA_y",
        "J_wA_z",
        "J_vB_x",
        "J_vB_y",
        "J_vB_z",
        "J_wB_x",
        "J_wB_y",
        "J_wB_z",
    ];
    // Writing to memory does not fail.
    let _ = table.write_record(head);
    for index in shown {
        let row = &traced.rows[*index];
        let (lambda, j) = (now.impulses[*index], &row.jacobian);
        let numbers = [
            row.k,
            row.gamma,
            row.bias,
            row.lo,
            row.hi,
            row.warm,
            lambda,
            lambda / traced.trace.h,
            now.residuals[*index],
        ];
        let mut record = vec![owner_name(row.owner, (row.a, row.b), view), row.part()];
        record.extend(numbers.map(|number| number.to_string()));
        record.push(row.bounded.word().to_owned());
        for part in [j.lin_a(), j.ang_a, j.lin, j.ang_b] {
            record.extend(part.to_array().map(|c| c.to_string()));
        }
        let _ = table.write_record(record);
    }
    table.into_inner().ok().and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default()
}

/// The rows as in the table, in columns of equal width.
pub fn text(traced: &TracedStep, shown: &[usize], moment: usize, view: &View<'_>) -> String {
    let now = &traced.trace.moments[moment];
    let mut lines = vec![["of", "row", "K", "b", "λ warm", "λ", "λ/h", "residual", "bound", ""].map(str::to_owned)];
    for index in shown {
        let row = &traced.rows[*index];
        let Units { speed, inverse, impulse, force, .. } = units::of(row);
        let number = |value: f32, unit: &str| with_unit(value.into(), unit);
        lines.push([
            owner_name(row.owner, (row.a, row.b), view),
            row.part(),
            units::plain(row.k.into(), inverse),
            number(row.bias, speed),
            number(row.warm, impulse),
            number(now.impulses[*index], impulse),
            number(now.impulses[*index] / traced.trace.h, force),
            number(now.residuals[*index], speed),
            row.share().map(|share| format!("{:.0} %", 100.0 * share)).unwrap_or_default(),
            row.bounded.word().to_owned(),
        ]);
    }
    let mut widths = [0; 10];
    for line in &lines {
        (widths.iter_mut().zip(line)).for_each(|(width, cell)| *width = (*width).max(cell.chars().count()));
    }
    let mut text = format!("step {}, {}\n", traced.step, traced.moment(moment));
    for line in &lines {
        let cells = line.iter().zip(widths).enumerate().map(|(k, (cell, width))| {
            // Names are aligned to the left, numbers to the right.
            if k < 2 || k == 9 { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
        });
        text.push_str(cells.collect::<Vec<_>>().join("  ").trim_end());
        text.push('\n');
    }
    text
}
