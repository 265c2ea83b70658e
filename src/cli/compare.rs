//! `delassus compare`: two to four runs of a scene in lockstep, each with settings of its own.
//!
//! The distance of a run from the first one is that of its bodies' centres, the largest of all, m.

use std::io::Write;
use std::path::PathBuf;

use super::Failure;
use super::extremes::Extremes;
use super::opening::{Change, Opening, change};
use super::summary::Stepping;
use crate::session::columns::{KEYS, METRICS, Moment};
use crate::session::{Command, Session};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    opening: Opening,
    /// A setting of the first run, as in solver.method=Jacobi; may be given several times
    #[arg(long, value_name = "NAME=VALUE", value_parser = change)]
    a: Vec<Change>,
    /// Of the second run
    #[arg(long, value_name = "NAME=VALUE", value_parser = change)]
    b: Vec<Change>,
    /// Of a third
    #[arg(long, value_name = "NAME=VALUE", value_parser = change)]
    c: Vec<Change>,
    /// Of a fourth
    #[arg(long, value_name = "NAME=VALUE", value_parser = change)]
    d: Vec<Change>,
    /// Simulated time, s
    #[arg(long, value_name = "T", default_value_t = 5.0)]
    seconds: f64,
    /// Runs differ once a body is farther than this from where it is in the first run, m
    #[arg(long, value_name = "METRES", default_value_t = 1e-3)]
    epsilon: f64,
    /// Write the metrics of all runs side by side, a line a step; `-` is standard output
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
}

/// One of the runs.
struct Run {
    name: &'static str,
    session: Session,
    stepping: Stepping,
    extremes: Extremes,
    energy: f64,
    /// The largest distance from the first run, and when it first exceeded ε.
    apart: f64,
    differs: Option<u64>,
}

/// What the table tells: a name, its unit, and its value.
type Told = (&'static str, &'static str, fn(&Run) -> f64);

const TOLD: [Told; 8] = [
    ("joint error, most", "m", |run| most(run, "joint_error_max")),
    ("joint error, mean at end", "m", |run| last(run, "joint_error_mean")),
    ("angular error, most", "rad", |run| most(run, "angular_error_max")),
    ("penetration, most", "m", |run| most(run, "penetration_max")),
    ("residual, most", "m/s", |run| most(run, "residual")),
    ("energy, change at end", "J", |run| last(run, "energy") - run.energy),
    ("farthest from run a", "m", |run| run.apart),
    ("a step takes", "ms", |run| run.stepping.mean()),
];

fn most(run: &Run, column: &str) -> f64 {
    run.extremes.maxima.get(column).map_or(0.0, |extreme| extreme.value)
}

fn last(run: &Run, column: &str) -> f64 {
    let of = METRICS.iter().find(|known| known.name == column);
    let sample = run.session.samples().samples.back();
    of.zip(sample).map_or(0.0, |(column, sample)| {
        (column.get)(Moment { step: sample.step, time: sample.time }, sample).number().unwrap_or(f64::NAN)
    })
}

/// The largest distance of two runs' bodies, m; bodies that only one has do not count.
fn distance(a: &Session, b: &Session) -> f64 {
    let pairs = a.snapshot().bodies.iter().zip(&b.snapshot().bodies);
    pairs.map(|(a, b)| f64::from(a.centre.distance(b.centre))).fold(0.0, f64::max)
}

/// Makes the runs and tells how they differ.
pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<(), Failure> {
    if !(arguments.seconds > 0.0 && arguments.seconds <= 1e5) {
        return Err(Failure::Error("--seconds: expected a time above 0".into()));
    }
    let named = [("a", &arguments.a), ("b", &arguments.b), ("c", &arguments.c), ("d", &arguments.d)];
    // The first two always: one of them may be the scene as it is.
    let wanted = named.into_iter().enumerate().filter(|(k, (_, changes))| *k < 2 || !changes.is_empty());
    let mut runs = Vec::new();
    for (_, (name, changes)) in wanted {
        let session = arguments.opening.open_with(changes)?;
        let energy = session.snapshot().metrics.energy();
        let (stepping, extremes) = (Stepping::default(), Extremes::default());
        runs.push(Run { name, session, stepping, extremes, energy, apart: 0.0, differs: None });
    }
    let rate = runs[0].session.settings().step.rate;
    if runs.iter().any(|run| run.session.settings().step.rate != rate) {
        return Err(Failure::Error("runs in lockstep have one step rate: step.rate differs".into()));
    }
    let mut table = arguments.csv.as_ref().map(|path| super::tables::named(path, &heads(&runs))).transpose()?;
    let steps = (arguments.seconds * f64::from(rate)).round().max(1.0) as u64;
    for step in 1..=steps {
        for run in &mut runs {
            run.session.dispatch(Command::Step)?;
            super::tell_device(&format!("run {}: ", run.name), &mut run.session);
            if run.session.snapshot().step < step {
                return Err(Failure::Error(format!("run {}: step {step} cannot be made", run.name)));
            }
            run.stepping.add(&run.session);
            if let Some(sample) = run.session.samples().samples.back() {
                run.extremes.add(sample);
            }
        }
        let (first, others) = runs.split_at_mut(1);
        for run in others {
            let apart = distance(&first[0].session, &run.session);
            run.apart = run.apart.max(apart);
            // What is not a number differs, too.
            if run.differs.is_none() && (apart > arguments.epsilon || apart.is_nan()) {
                run.differs = Some(step);
            }
        }
        if let Some(table) = &mut table {
            table.write_record(line(&runs)).map_err(super::tables::failure)?;
        }
    }
    if let Some(mut table) = table {
        table.flush()?;
    }
    tell(&runs, steps, arguments, out)
}

/// `a.energy` and so on for each run, and how far each is from the first.
fn heads(runs: &[Run]) -> Vec<String> {
    let mut heads: Vec<String> = METRICS[..KEYS].iter().map(|column| column.name.to_owned()).collect();
    for run in runs {
        heads.extend(METRICS[KEYS..].iter().map(|column| format!("{}.{}", run.name, column.name)));
    }
    heads.extend(runs[1..].iter().map(|run| format!("{}.distance", run.name)));
    heads
}

fn line(runs: &[Run]) -> Vec<String> {
    let mut line = Vec::new();
    for (k, run) in runs.iter().enumerate() {
        let Some(sample) = run.session.samples().samples.back() else { continue };
        let at = Moment { step: sample.step, time: sample.time };
        let columns = if k == 0 { METRICS } else { &METRICS[KEYS..] };
        line.extend(
            columns
                .iter()
                .map(|column| (column.get)(at, sample).number().map_or_else(String::new, |value| value.to_string())),
        );
    }
    line.extend(runs[1..].iter().map(|run| distance(&runs[0].session, &run.session).to_string()));
    line
}

fn tell(runs: &[Run], steps: u64, arguments: &Arguments, out: &mut impl Write) -> Result<(), Failure> {
    write!(out, "{:<28}", format!("{steps} steps"))?;
    for run in runs {
        write!(out, "{:>14}", run.name)?;
    }
    writeln!(out)?;
    for (name, unit, value) in TOLD {
        write!(out, "{:<28}", format!("{name} ({unit})"))?;
        for run in runs {
            write!(out, "{:>14}", format!("{:.4e}", value(run)))?;
        }
        writeln!(out)?;
    }
    for run in &runs[1..] {
        let epsilon = arguments.epsilon;
        match run.differs {
            Some(step) => writeln!(out, "{} leaves a by more than {epsilon} m at step {step}", run.name)?,
            None => writeln!(out, "{} stays within {epsilon} m of a", run.name)?,
        }
    }
    Ok(())
}
