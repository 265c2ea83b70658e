//! `delassus stability`: the convergence rate of a scene's sweeps, and the stability bounds that its settings
//! violate.

use std::collections::BTreeMap;
use std::io::Write;

use serde::Serialize;

use super::common::{Failure, open, print_json};
use super::run_verdict::{self, BreachReport};
use delassus_launch::OpenRequest;
use delassus_physics::plan;
use delassus_physics::solvers;
use delassus_physics::spectrum::{SWEEPS, Scratch};
use delassus_physics::stability;
use delassus_scene::{Words as _, words};
use delassus_session::Command;

#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    open_request: OpenRequest,
    /// Steps to run before the measurement
    #[arg(long, value_name = "N", default_value_t = 60)]
    steps: u64,
    /// Print it as JSON
    #[arg(long)]
    json: bool,
}

/// The result as JSON; `None` if the method has no such value.
#[derive(Debug, Serialize)]
struct StabilityReport {
    /// The number of active rows, and of all rows.
    rows: usize,
    all_rows: usize,
    /// The largest number of blocks at one body.
    meeting: u32,
    /// λmax(D⁻¹A).
    largest: f64,
    /// Jacobi is stable for ω below this bound.
    jacobi_bound: f64,
    /// The spectral radius of a sweep; for the direct solver, that of a Gauss–Seidel sweep.
    radius: f64,
    relaxation: Option<f64>,
    sweeps_a_digit: Option<f64>,
    /// The share of an error that remains after the sweeps of a step.
    left: Option<f64>,
    iterations: u32,
    /// Number of sweeps recommended for Baumgarte stabilization with warm starting.
    enough: Option<u32>,
    /// Whether the estimates have converged; otherwise they are lower bounds.
    settled: bool,
    /// Who made the last step.
    stepped: String,
    /// Settings without effect on this scene, each with the reason.
    idle: BTreeMap<&'static str, &'static str>,
    warnings: Vec<String>,
    /// What exceeds the bounds of the verdict.
    breaches: Vec<BreachReport>,
}

pub fn stability(arguments: &Arguments, out: &mut impl Write) -> Result<(), Failure> {
    let mut session = open(&arguments.open_request, &[])?;
    // Before the first step there are no rows.
    for _ in 0..arguments.steps.max(1) {
        session.dispatch(Command::Step)?;
        session.judge();
    }
    let breaches = run_verdict::breaches(&session);
    let Some(world) = session.world() else { return Ok(()) };
    let found = stability::stability(world, &mut Scratch::default(), SWEEPS);
    let spectrum = &found.spectrum;
    let exact = solvers::of(world.settings.solver.method).exact;
    let stepped = words::stepped(&world.report);
    let idle: BTreeMap<_, _> = plan::all_idle(&world.settings, &session.facts())
        .map(|(setting, why)| (setting.name, words::idle(why)))
        .collect();
    if arguments.json {
        let sweeps = !exact;
        let report = StabilityReport {
            rows: spectrum.rows,
            all_rows: world.report.row_count,
            meeting: spectrum.blocks_per_body,
            largest: spectrum.largest.into(),
            jacobi_bound: f64::from(2.0 / spectrum.largest),
            radius: spectrum.radius.into(),
            relaxation: sweeps.then_some(spectrum.relaxation.into()),
            sweeps_a_digit: sweeps.then_some(found.sweeps_a_digit.into()),
            left: sweeps.then_some(found.left.into()),
            iterations: found.sweeps,
            enough: found.sweeps_needed,
            settled: spectrum.settled,
            stepped,
            idle,
            warnings: found.warnings.iter().map(|warning| warning.words().to_string()).collect(),
            breaches,
        };
        return print_json(&report, out);
    }
    writeln!(out, "rows             {} of {} are active", spectrum.rows, world.report.row_count)?;
    writeln!(out, "blocks on a body {} at most", spectrum.blocks_per_body)?;
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
        writeln!(out, "sweeps per digit {:.1}", found.sweeps_a_digit)?;
        writeln!(out, "error left       {:.3e} after {} sweeps", found.left, found.sweeps)?;
    }
    if let Some(sweeps_needed) = found.sweeps_needed {
        writeln!(out, "sweeps needed    {sweeps_needed} by Baumgarte with warm starting")?;
    }
    if !spectrum.settled {
        writeln!(out, "note: both numbers are still changing after {SWEEPS} sweeps, so they are lower bounds")?;
    }
    for warning in &found.warnings {
        writeln!(out, "warning: {}", warning.words())?;
    }
    writeln!(out, "steps            {stepped}")?;
    let mut reasons: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    idle.iter().for_each(|(name, why)| reasons.entry(why).or_default().push(name));
    for (why, names) in reasons {
        writeln!(out, "no effect        {}, because {why}", names.join(", "))?;
    }
    let seconds = world.state.time;
    if breaches.is_empty() {
        writeln!(out, "verdict          within all bounds in these {seconds:.2} s")?;
    }
    for breach in &breaches {
        let word = if breach.expected { "expected" } else { "not to be trusted" };
        writeln!(out, "{word}: {} {}", breach.what, breach.why)?;
    }
    Ok(())
}
