//! `delassus stability`: how fast a scene's sweeps converge, and which bounds its settings break.

use std::io::Write;

use serde::Serialize;

use super::common::{Failure, open, print_json};
use crate::opening::OpenRequest;
use crate::physics::solvers;
use crate::physics::spectrum::{SWEEPS, Scratch};
use crate::physics::stability;
use crate::session::Command;

#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    opening: OpenRequest,
    /// Steps to run before looking
    #[arg(long, value_name = "N", default_value_t = 60)]
    steps: u64,
    /// Print it as JSON
    #[arg(long)]
    json: bool,
}

/// What there is to tell, for programs; nothing stands for what a method has not.
#[derive(Debug, Serialize)]
struct StabilityReport {
    /// Rows that hold something, of all.
    rows: usize,
    all_rows: usize,
    /// The most blocks that meet at one body.
    meeting: u32,
    /// λmax(D⁻¹A).
    largest: f64,
    /// Jacobi is stable for ω below this.
    jacobi_bound: f64,
    /// The sweep's spectral radius; by the direct solver that of a Gauss–Seidel sweep.
    radius: f64,
    relaxation: Option<f64>,
    sweeps_a_digit: Option<f64>,
    /// What is left of an error after the step's sweeps.
    left: Option<f64>,
    iterations: u32,
    /// Sweeps wanted by Baumgarte with warm starting.
    enough: Option<u32>,
    /// Whether the estimates had stopped changing; else they are lower bounds.
    settled: bool,
    warnings: Vec<String>,
}

pub fn stability(arguments: &Arguments, out: &mut impl Write) -> Result<(), Failure> {
    let mut session = open(&arguments.opening, &[])?;
    // There are no rows before the first step.
    for _ in 0..arguments.steps.max(1) {
        session.dispatch(Command::Step)?;
    }
    let Some(world) = session.world() else { return Ok(()) };
    let found = stability::stability(world, &mut Scratch::default(), SWEEPS);
    let spectrum = &found.spectrum;
    let exact = solvers::of(world.settings.solver.method).exact;
    if arguments.json {
        let sweeps = !exact;
        let told = StabilityReport {
            rows: spectrum.rows,
            all_rows: world.row_count,
            meeting: spectrum.meeting,
            largest: spectrum.largest.into(),
            jacobi_bound: f64::from(2.0 / spectrum.largest),
            radius: spectrum.radius.into(),
            relaxation: sweeps.then_some(spectrum.relaxation.into()),
            sweeps_a_digit: sweeps.then_some(found.sweeps_a_digit.into()),
            left: sweeps.then_some(found.left.into()),
            iterations: found.sweeps,
            enough: found.enough,
            settled: spectrum.settled,
            warnings: found.warnings.iter().map(ToString::to_string).collect(),
        };
        return print_json(&told, out);
    }
    writeln!(out, "rows             {} of {} hold something", spectrum.rows, world.row_count)?;
    writeln!(out, "blocks at a body {} at most", spectrum.meeting)?;
    writeln!(
        out,
        "λmax(D⁻¹A)       {:.4}, so that Jacobi is stable for ω below {:.4}",
        spectrum.largest,
        2.0 / spectrum.largest
    )?;
    if exact {
        writeln!(out, "ρ                {:.6} of a Gauss–Seidel sweep; the direct solver has none", spectrum.radius)?;
    } else {
        writeln!(out, "ρ                {:.6}, ω = {}", spectrum.radius, spectrum.relaxation)?;
        writeln!(out, "sweeps a digit   {:.1}", found.sweeps_a_digit)?;
        writeln!(out, "left of an error {:.3e} after {} sweeps", found.left, found.sweeps)?;
    }
    if let Some(enough) = found.enough {
        writeln!(out, "sweeps wanted    {enough} by Baumgarte with warm starting")?;
    }
    if !spectrum.settled {
        writeln!(out, "note: both numbers are still changing after {SWEEPS} sweeps, they are lower bounds")?;
    }
    for warning in &found.warnings {
        writeln!(out, "warning: {warning}")?;
    }
    Ok(())
}
