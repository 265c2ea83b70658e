//! The usual table on the terminal.

use std::io::Write;

use crate::cli::common::Failure;
use crate::cli::printable::within_line;
use delassus_analysis::summary::{TableColumn, columns};
use delassus_analysis::{Analysis, DoctorCase};

/// Prints it.
pub fn print(analysis: &Analysis, case: &DoctorCase<'_>, out: &mut impl Write) -> Result<(), Failure> {
    let columns = columns(analysis, case);
    let width = |column: &TableColumn| {
        let cells = column.cells.iter().map(|cell| cell.chars().count());
        cells.chain([within_line(&column.head).chars().count(), column.unit.chars().count()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = columns.iter().map(width).collect();
    let line = |cell: &dyn Fn(&TableColumn) -> String| {
        let cells = columns.iter().zip(&widths).map(|(column, width)| format!("{:>width$}", cell(column)));
        cells.collect::<Vec<_>>().join("  ")
    };
    writeln!(out, "{}", line(&|column| within_line(&column.head)))?;
    writeln!(out, "{}", line(&|column| column.unit.into()))?;
    for k in 0..analysis.samples.len() {
        writeln!(out, "{}", line(&|column| column.cells[k].clone()))?;
    }
    Ok(())
}
