//! `delassus sweep`: runs a scene repeatedly with different settings, and tabulates a column.

use std::path::PathBuf;

use super::common::{Failure, open, stuck_at};
use super::outputs;
use super::stop::Stop;
use super::values::{SweepAxis, axis, shard};
use delassus_figure::{COLORS, Curve, Figure, FigureError, FigureFormat, Heat, Panel};
use delassus_launch::{Change, OpenRequest, change};
use delassus_session::condition::EachQuantity;
use delassus_session::{Command, Quantity, Session};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    open_request: OpenRequest,
    /// What to vary: NAME=FROM..TO, with `:COUNT` or `:log` after it, or NAME=A,B,C
    #[arg(long, value_name = "NAME=VALUES", value_parser = axis)]
    x: SweepAxis,
    /// What to vary as well, in all combinations
    #[arg(long, value_name = "NAME=VALUES", value_parser = axis)]
    y: Option<SweepAxis>,
    /// The column that is measured: of the whole world, or of bodies, joints or contacts as in --fail-if,
    /// joints.motor.torque, joints.*.error or joints.door.at; see `delassus columns`
    #[arg(long, value_name = "COLUMN")]
    metric: String,
    /// Which of its values to take; with `*`, of all together [default: most; of a word, end]
    #[arg(long, value_enum)]
    take: Option<Take>,
    /// Simulated time of each run, s
    #[arg(long, value_name = "T", allow_negative_numbers = true, default_value_t = 5.0)]
    seconds: f64,
    /// Write the table there: as CSV, or as a picture if the name ends with .png or .svg; `-` is standard output
    #[arg(long, value_name = "FILE", default_value = "-")]
    out: PathBuf,
    /// Run only part I of N of the table, counted from 1, so that several machines share it
    #[arg(long, value_name = "I/N", value_parser = shard, default_value = "1/1")]
    shard: (usize, usize),
}

/// The statistic of a column over a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Take {
    /// The largest that it was
    Most,
    /// The smallest
    Least,
    /// Its mean
    Mean,
    /// What it was after the last step; with `*` the largest then
    End,
}

/// What is measured: one quantity, or all of a column whose names match.
enum Metric {
    One(Quantity),
    Each(EachQuantity),
}

impl Metric {
    fn read(text: &str) -> Result<Self, String> {
        match EachQuantity::read(text) {
            Ok(each) if text.contains('*') || each.is_word() => Ok(Self::Each(each)),
            Err(why) if text.contains('*') => Err(why),
            _ => Quantity::read(text).map(Self::One),
        }
    }

    fn is_word(&self) -> bool {
        matches!(self, Self::Each(quantity) if quantity.is_word())
    }

    /// Its words after a step, one behind the other.
    fn words(&self, session: &Session) -> String {
        match self {
            Self::Each(quantity) => quantity.words(session.snapshot()).join(" "),
            Self::One(_) => String::new(),
        }
    }

    fn unit(&self) -> &'static str {
        match self {
            Self::One(quantity) => quantity.heading().unit,
            Self::Each(quantity) => quantity.heading().unit,
        }
    }

    fn missing(&self, session: &Session) -> Option<String> {
        match self {
            Self::One(quantity) => quantity.missing(session.snapshot()),
            Self::Each(quantity) => quantity.missing(session.snapshot()),
        }
    }

    /// Its values after a step; none where nothing is measured, as before two bodies touch.
    fn values(&self, session: &Session) -> Vec<f64> {
        match self {
            // What the run did not measure is no number.
            Self::One(quantity) if quantity.is_of_run() => vec![session.value_of(quantity).unwrap_or(f64::NAN)],
            Self::One(quantity) => session.value_of(quantity).into_iter().collect(),
            Self::Each(quantity) => quantity.values(session.snapshot(), session.samples().samples.back()),
        }
    }
}

/// Runs the cells of the table and writes a line for each, in the order of the table.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let metric = &arguments.metric;
    let misuse = |what: String| Failure::Misuse(format!("--metric {metric}: {what}"));
    let quantity = Metric::read(metric).map_err(misuse)?;
    if !(arguments.seconds > 0.0 && arguments.seconds <= 1e5) {
        return Err(Failure::Misuse("--seconds: expected a time above 0".into()));
    }
    let heads: Vec<&str> =
        [Some(arguments.x.name.as_str()), arguments.y.as_ref().map(|y| y.name.as_str()), Some(metric.as_str())]
            .into_iter()
            .flatten()
            .collect();
    let drawn = match FigureFormat::of(&arguments.out) {
        Ok(kind) => kind != FigureFormat::Csv,
        // A name without the ending of a picture means a table.
        Err(FigureError::NoPictures) => return Err(Failure::Error(FigureError::NoPictures.to_string())),
        Err(_) => false,
    };
    if drawn && arguments.shard.1 > 1 {
        return Err(Failure::Misuse(
            "--shard: a part of a table is written as .csv; only the whole makes a picture".into(),
        ));
    }
    if quantity.is_word() && (drawn || arguments.take.is_some_and(|take| take != Take::End)) {
        return Err(misuse("it is a word: write a table, with --take end".into()));
    }
    let session = open(&arguments.open_request, &[])?;
    if let Some(what) = quantity.missing(&session) {
        return Err(misuse(what));
    }
    outputs::check(&outputs::scene_files(&arguments.open_request, &session), &[("--out", Some(&arguments.out))])?;
    let ys: Vec<Option<&String>> =
        arguments.y.as_ref().map_or_else(|| vec![None], |y| y.values.iter().map(Some).collect());
    let (part, parts) = arguments.shard;
    let cells = arguments.x.values.iter().flat_map(|x| ys.iter().map(move |y| (x, *y)));
    let cells: Vec<_> = cells.enumerate().filter(|(k, _)| k % parts == part - 1).map(|(_, cell)| cell).collect();
    // A value that cannot be set is refused before anything is written.
    let changes = |(x, y): &(&String, Option<&String>)| {
        let second = arguments.y.as_ref().zip(*y).map(|(axis, value)| made(axis, value));
        std::iter::once(made(&arguments.x, x)).chain(second).collect::<Result<Vec<_>, _>>()
    };
    let changes = cells.iter().map(changes).collect::<Result<Vec<_>, _>>()?;
    let table = if drawn { None } else { Some(super::tables::named(&arguments.out, &heads)?) };
    let (mut table, mut values) = (table, Vec::new());
    let (stop, mut wrong) = (Stop::listen()?, Vec::new());
    for ((x, y), changes) in cells.iter().zip(&changes) {
        let mut session = open(&arguments.open_request, changes)?;
        let mut stopped_early = false;
        let value = match measured(&mut session, arguments, &quantity, &stop) {
            Cell::Value(value) => value,
            Cell::Wrong(why) => {
                stopped_early = true;
                wrong.push(format!("{}: {why}", std::iter::once(*x).chain(*y).cloned().collect::<Vec<_>>().join(", ")));
                None
            }
            Cell::Stopped => {
                let rest = if drawn { ": no picture is written" } else { "" };
                return Err(Failure::Stopped(format!("stopped after {} of {} runs{rest}", values.len(), cells.len())));
            }
        };
        values.push(value);
        let Some(table) = &mut table else { continue };
        let mut line: Vec<String> = std::iter::once(*x).chain(*y).cloned().collect();
        // A run that stops early or has a value that is not finite leaves the cell empty.
        let word = || if stopped_early { String::new() } else { quantity.words(&session) };
        line.push(value.map_or_else(word, |value| value.to_string()));
        table.write_record(&line).map_err(super::tables::failure)?;
        table.flush()?;
    }
    if drawn {
        let unit = quantity.unit();
        let what = if unit.is_empty() { metric.clone() } else { format!("{metric} ({unit})") };
        picture(arguments, &what, &values).map_err(|error| Failure::Error(format!("--out: {error}")))?;
    }
    match wrong.first() {
        None => Ok(()),
        Some(first) => Err(Failure::Distrust(format!(
            "not to be trusted: {} of {} runs have no value. The first is {first}",
            wrong.len(),
            cells.len()
        ))),
    }
}

/// The table as a picture: a heat map over two axes, or a curve over one axis with numeric values.
fn picture(arguments: &Arguments, what: &str, values: &[Option<f64>]) -> Result<(), FigureError> {
    /// In pixels.
    const SIZE: [u32; 2] = [760, 520];
    let (x, title) = (&arguments.x, arguments.open_request.scene.clone());
    let numbers: Vec<f64> = x.values.iter().filter_map(|value| value.parse().ok()).collect();
    if arguments.y.is_none() && numbers.len() == x.values.len() {
        let points = numbers.into_iter().zip(values).map(|(x, y)| [x, y.unwrap_or(f64::NAN)]).collect();
        let curve = Curve { name: what.to_owned(), color: COLORS[0], points, ..Curve::default() };
        let panel = Panel { x: x.name.clone(), y: what.to_owned(), curves: vec![curve], ..Panel::default() };
        return Figure { title, panels: vec![panel], columns: 1 }.save(&arguments.out, SIZE);
    }
    let (name, rows) = match &arguments.y {
        Some(y) => (y.name.clone(), y.values.clone()),
        None => (String::new(), vec![String::new()]),
    };
    // In the table y varies fastest, in the picture x does.
    let count = rows.len();
    let fields = (0..count).flat_map(|row| (0..x.values.len()).map(move |column| values[column * count + row]));
    let (x, y) = ((x.name.clone(), x.values.clone()), (name, rows));
    Heat { title, x, y, what: what.to_owned(), values: fields.collect() }.save(&arguments.out, SIZE)
}

/// A value of an axis as an argument of `--set`.
fn made(axis: &SweepAxis, value: &str) -> Result<Change, Failure> {
    change(&format!("{}={value}", axis.name)).map_err(Failure::Misuse)
}

/// What a run gives.
enum Cell {
    /// None if nothing was measured, as where two bodies never touch.
    Value(Option<f64>),
    /// Why it has no value: a step could not be made, or a value is not finite.
    Wrong(String),
    /// The user stopped it.
    Stopped,
}

/// The statistic of a quantity in a run. Steps in which nothing was measured do not count, as before two bodies touch.
fn measured(session: &mut Session, arguments: &Arguments, quantity: &Metric, stop: &Stop) -> Cell {
    let steps = (arguments.seconds * f64::from(session.settings().step.rate)).round().max(1.0) as u64;
    let (mut max, mut min, mut sum, mut count, mut end) = (f64::NEG_INFINITY, f64::INFINITY, 0.0, 0_u64, None);
    for step in 1..=steps {
        if stop.is_asked() {
            return Cell::Stopped;
        }
        if let Err(error) = session.dispatch(Command::Step) {
            return Cell::Wrong(error.to_string());
        }
        if session.snapshot().step < step {
            return Cell::Wrong(stuck_at(session, step));
        }
        let values = quantity.values(session);
        if let Some(value) = values.iter().find(|value| !value.is_finite()) {
            return Cell::Wrong(format!("the value is {value} after step {step}"));
        }
        end = values.iter().copied().reduce(f64::max).or(end);
        for value in values {
            (max, min, sum, count) = (max.max(value), min.min(value), sum + value, count + 1);
        }
    }
    Cell::Value(match arguments.take.unwrap_or(Take::Most) {
        _ if count == 0 => None,
        Take::Most => Some(max),
        Take::Least => Some(min),
        Take::Mean => Some(sum / count as f64),
        Take::End => end,
    })
}
