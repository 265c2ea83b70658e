//! `delassus stability`: how fast a scene's sweeps converge, and which bounds its settings break.

use std::io::Write;

use super::{Assignment, Failure, assignment};
use crate::physics::settings::Method;
use crate::physics::spectrum::{SWEEPS, Scratch};
use crate::physics::stability;
use crate::session::Command;

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Scene file, or a name from `delassus list`
    scene: String,
    /// Steps to run before looking
    #[arg(long, value_name = "N", default_value_t = 60)]
    steps: u64,
    /// Change a setting, as in solver.iterations=50; see `delassus settings`
    #[arg(long, value_name = "NAME=VALUE", value_parser = assignment)]
    set: Vec<Assignment>,
}

pub fn stability(arguments: &Arguments, out: &mut impl Write) -> Result<(), Failure> {
    let mut session = super::open(&arguments.scene, &arguments.set)?;
    // There are no rows before the first step.
    for _ in 0..arguments.steps.max(1) {
        session.dispatch(Command::Step)?;
    }
    let Some(world) = session.world() else { return Ok(()) };
    let found = stability::stability(world, &mut Scratch::default(), SWEEPS);
    let spectrum = &found.spectrum;
    let method = world.settings.solver.method;
    writeln!(out, "rows             {} of {} hold something", spectrum.rows, world.system.rows.len())?;
    writeln!(out, "blocks at a body {} at most", spectrum.meeting)?;
    writeln!(
        out,
        "λmax(D⁻¹A)       {:.4}, so that Jacobi is stable for ω below {:.4}",
        spectrum.largest,
        2.0 / spectrum.largest
    )?;
    if method == Method::Direct {
        writeln!(out, "ρ                {:.6} of a Gauss–Seidel sweep; the direct solver has none", spectrum.radius)?;
    } else {
        writeln!(out, "ρ                {:.6}, ω = {}", spectrum.radius, spectrum.relaxation)?;
        writeln!(out, "sweeps a digit   {:.1}", found.sweeps_a_digit)?;
        writeln!(out, "left of an error {:.3e} after {} sweeps", found.left, found.iterations)?;
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
