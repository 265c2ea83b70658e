//! `delassus sweep`: a scene run over and over with other settings, and what one column came to.

use std::path::PathBuf;

use super::Failure;
use super::opening::{Change, Opening, change};
use super::values::{Axis, axis};
use crate::scene::nearest;
use crate::session::columns::{KEYS, METRICS, Moment};
use crate::session::{Command, Sample, Session};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    opening: Opening,
    /// What is varied: NAME=FROM..TO, with `:COUNT` or `:log` after it, or NAME=A,B,C
    #[arg(long, value_name = "NAME=VALUES", value_parser = axis)]
    x: Axis,
    /// What is varied as well, each with each
    #[arg(long, value_name = "NAME=VALUES", value_parser = axis)]
    y: Option<Axis>,
    /// The column that is measured, see `delassus columns`
    #[arg(long, value_name = "COLUMN")]
    metric: String,
    /// What is taken of it
    #[arg(long, value_enum, default_value_t = Take::Most)]
    take: Take,
    /// Simulated time of each run, s
    #[arg(long, value_name = "T", default_value_t = 5.0)]
    seconds: f64,
    /// Write the table there as CSV; `-` is standard output
    #[arg(long, value_name = "FILE", default_value = "-")]
    out: PathBuf,
    /// Run only part I of N of the table, counted from 1, so that several machines share it
    #[arg(long, value_name = "I/N", value_parser = shard, default_value = "1/1")]
    shard: (usize, usize),
}

/// What is taken of a column over a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Take {
    /// The largest that it was
    Most,
    /// The smallest
    Least,
    /// Its mean
    Mean,
    /// What it was after the last step
    End,
}

fn shard(text: &str) -> Result<(usize, usize), String> {
    let parsed = text.split_once('/').and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
    parsed.filter(|(i, n)| (1..=*n).contains(i)).ok_or_else(|| "expected I/N with I from 1 to N, as in 2/8".into())
}

/// Runs the table's cells and writes a line for each, in the table's order.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let names = || METRICS[KEYS..].iter().map(|column| column.name);
    let column = METRICS[KEYS..].iter().find(|column| column.name == arguments.metric).ok_or_else(|| {
        let near = nearest(&arguments.metric, names());
        Failure::Error(format!("--metric {}: there is no such column{near}", arguments.metric))
    })?;
    if !(arguments.seconds > 0.0 && arguments.seconds <= 1e5) {
        return Err(Failure::Error("--seconds: expected a time above 0".into()));
    }
    let heads: Vec<&str> =
        [Some(arguments.x.name.as_str()), arguments.y.as_ref().map(|y| y.name.as_str()), Some(column.name)]
            .into_iter()
            .flatten()
            .collect();
    let mut table = super::tables::named(&arguments.out, &heads)?;
    let ys: Vec<Option<&String>> =
        arguments.y.as_ref().map_or_else(|| vec![None], |y| y.values.iter().map(Some).collect());
    let (part, parts) = arguments.shard;
    let cells = arguments.x.values.iter().flat_map(|x| ys.iter().map(move |y| (x, *y)));
    for (x, y) in cells.enumerate().filter(|(k, _)| k % parts == part - 1).map(|(_, cell)| cell) {
        let mut changes = vec![made(&arguments.x, x)?];
        if let (Some(axis), Some(value)) = (&arguments.y, y) {
            changes.push(made(axis, value)?);
        }
        let mut session = arguments.opening.open_with(&changes)?;
        let value = measured(&mut session, arguments, &|sample| {
            (column.get)(Moment { step: sample.step, time: sample.time }, sample).number()
        });
        let mut line: Vec<String> = std::iter::once(x.clone()).chain(y.cloned()).collect();
        // A run that breaks off or is not finite has no value.
        line.push(value.map_or_else(String::new, |value| value.to_string()));
        table.write_record(&line).map_err(super::tables::failure)?;
        table.flush()?;
    }
    Ok(())
}

/// One value of an axis as an argument of `--set`.
fn made(axis: &Axis, value: &str) -> Result<Change, Failure> {
    change(&format!("{}={value}", axis.name)).map_err(Failure::Error)
}

/// What a column comes to in a run; none where a step cannot be made or the value is not finite.
fn measured(session: &mut Session, arguments: &Arguments, get: &dyn Fn(&Sample) -> Option<f64>) -> Option<f64> {
    let steps = (arguments.seconds * f64::from(session.settings().step.rate)).round().max(1.0) as u64;
    let mut values = Vec::new();
    for step in 1..=steps {
        session.dispatch(Command::Step).ok()?;
        if session.snapshot().step < step {
            return None;
        }
        let value = session.samples().samples.back().and_then(get).filter(|value| value.is_finite())?;
        values.push(value);
    }
    match arguments.take {
        Take::Most => values.into_iter().reduce(f64::max),
        Take::Least => values.into_iter().reduce(f64::min),
        Take::Mean => Some(values.iter().sum::<f64>() / values.len() as f64),
        Take::End => values.last().copied(),
    }
}
