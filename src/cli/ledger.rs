//! `delassus ledger`: what each cause contributed to energy and momentum, step by step, as CSV.

use std::path::{Path, PathBuf};

use super::common::{Failure, open};
use super::run::seconds;
use super::stop::Stop;
use super::{outputs, tables};
use delassus_launch::OpenRequest;
use delassus_physics::balance::{CAUSES, Cause, Share};
use delassus_physics::world::World;
use delassus_session::Command;

#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    open_request: OpenRequest,
    /// Steps to run [default: 60]
    #[arg(long, value_name = "N", conflicts_with = "seconds")]
    steps: Option<u64>,
    /// Simulated time to run, s
    #[arg(long, value_name = "T", value_parser = seconds, allow_negative_numbers = true)]
    seconds: Option<f64>,
    /// Where to write the table; `-` is standard output
    #[arg(long, value_name = "FILE", default_value = "-")]
    out: PathBuf,
}

/// The number of steps where none is given.
const STEPS: u64 = 60;

/// The columns: J, N·s and N·m·s. Momenta are those of all dynamic bodies, about the world's origin.
const COLUMNS: [&str; 15] = [
    "step",
    "time",
    "cause",
    "energy",
    "translation_x",
    "translation_y",
    "translation_z",
    "rotation",
    "potential_energy",
    "momentum_x",
    "momentum_y",
    "momentum_z",
    "angular_momentum_x",
    "angular_momentum_y",
    "angular_momentum_z",
];

/// Writes a row for each cause, and one for the measured change, which their sum equals.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut session = open(&arguments.open_request, &[])?;
    let files = outputs::scene_files(&arguments.open_request, &session);
    outputs::check(&files, &[("--out", Some(arguments.out.as_path()))])?;
    let mut table = tables::named(Path::new(&arguments.out), &COLUMNS)?;
    let rate = f64::from(session.settings().step.rate);
    let steps = arguments.steps.or_else(|| Some((arguments.seconds? * rate).round() as u64)).unwrap_or(STEPS);
    let stop = Stop::listen()?;
    for step in 1..=steps {
        if stop.is_asked() {
            table.flush()?;
            return Err(Failure::Stopped(format!("stopped after {} of {} steps", step - 1, steps)));
        }
        let balance = session.world().and_then(World::balanced).map(|(_, balance)| balance);
        session.dispatch(Command::Step)?;
        let (at, time) = (session.snapshot().step, session.snapshot().time);
        if let Some(balance) = balance.filter(|_| at == step) {
            let all = CAUSES.iter().map(|cause| (name(*cause), *balance.of(*cause)));
            for (cause, share) in all.chain([("change", balance.change)]) {
                table.serialize((at, time, cause, values(&share))).map_err(tables::failure)?;
            }
        }
        if let Some(trouble) = &session.snapshot().trouble {
            table.flush()?;
            return Err(Failure::Distrust(trouble.what.to_string()));
        }
    }
    Ok(table.flush()?)
}

fn name(cause: Cause) -> &'static str {
    match cause {
        Cause::Gravity => "gravity",
        Cause::Forces => "forces",
        Cause::WarmStart => "warm_start",
        Cause::Joints => "joints",
        Cause::Springs => "springs",
        Cause::Limits => "limits",
        Cause::Motors => "motors",
        Cause::Contacts => "contacts",
        Cause::Friction => "friction",
        Cause::MouseJoint => "pull",
        Cause::Correction => "correction",
        Cause::Integrator => "integrator",
    }
}

fn values(share: &Share) -> [f64; 12] {
    let Share { linear, rotational: turning, potential, momentum, angular } = *share;
    let [x, y, z] = linear.to_array();
    let ([p, q, r], [u, v, w]) = (momentum.to_array(), angular.to_array());
    [share.energy(), x, y, z, turning, potential, p, q, r, u, v, w]
}
