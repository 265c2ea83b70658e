//! `delassus compare`: two to four runs of a scene in lockstep, each with its own settings.
//!
//! The distance between a run and the first one is the largest distance between the centres of the same body, m. With
//! `--a solver.device=Cpu --b solver.device=Gpu` it measures the deviation of the graphics device from the processor,
//! also for velocities and joint forces.

use std::io::Write;
use std::path::PathBuf;

use super::common::{Failure, open, report_device, stuck_at};
use super::not_finite::{NotFinite, not_finite};
use super::outputs;
use super::stop::Stop;
use delassus_figure::{COLORS, Curve, Figure, FigureFormat, Panel};
use delassus_launch::{Change, OpenRequest, change};
use delassus_session::columns::{KEYS, METRICS, Moment};
use delassus_session::comparison::{self, FIGURES, Score};
use delassus_session::{Command, Session};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    open_request: OpenRequest,
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
    #[arg(long, value_name = "T", allow_negative_numbers = true, default_value_t = 5.0)]
    seconds: f64,
    /// Runs differ once a body is farther than this from its place in the first run, m
    #[arg(long, value_name = "METRES", default_value_t = 1e-3)]
    epsilon: f64,
    /// Write the metrics of all runs side by side, one line per step; `-` is standard output
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Draw the curves of all runs over time: joint error, penetration, energy, distance; .svg or .png
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
}

/// One of the runs.
struct Run {
    name: &'static str,
    session: Session,
    score: Score,
    /// The initial energy, J.
    energy: f64,
    /// For each step the time, s, and the plotted values.
    drawn: Vec<[f64; DRAWN.len() + 1]>,
    /// The largest distance from the first run, m, and the first step at which it exceeded ε.
    distance: f64,
    differs: Option<u64>,
    /// The largest differences of velocities, m/s, and of joint forces, N, with the step and the name of each.
    speed: LargestDifference,
    force: LargestDifference,
    /// Its first value that is not finite.
    not_finite: Option<NotFinite>,
}

/// The largest difference so far, with its step and the name of the body or joint.
#[derive(Default)]
struct LargestDifference {
    difference: f64,
    place: Option<(u64, String)>,
}

impl LargestDifference {
    fn record(&mut self, difference: f32, step: u64, name: &str) {
        if f64::from(difference) > self.difference || difference.is_nan() && !self.difference.is_nan() {
            (self.difference, self.place) = (difference.into(), Some((step, name.to_owned())));
        }
    }
}

/// The plotted quantities: name, unit, and whether the axis is logarithmic.
const DRAWN: [(&str, &str, bool); 4] = [
    ("Joint error", "m", true),
    ("Penetration", "m", false),
    ("Energy, change", "J", false),
    ("Distance from a", "m", true),
];

/// The largest distance between the same body of two runs, m; bodies that only one run has are ignored.
fn distance(a: &Session, b: &Session) -> f64 {
    let pairs = a.snapshot().bodies.iter().zip(&b.snapshot().bodies);
    pairs.map(|(a, b)| f64::from(comparison::distance(a.centre, b.centre))).fold(0.0, f64::max)
}

/// Makes the runs and reports their differences.
pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<(), Failure> {
    if !(arguments.seconds > 0.0 && arguments.seconds <= 1e5) {
        return Err(Failure::Misuse("--seconds: expected a time above 0".into()));
    }
    if !(arguments.epsilon >= 0.0 && arguments.epsilon.is_finite()) {
        return Err(Failure::Misuse("--epsilon: expected a distance of 0 m or more".into()));
    }
    let named = [("a", &arguments.a), ("b", &arguments.b), ("c", &arguments.c), ("d", &arguments.d)];
    // Always the first two: one of them may have the scene's own settings.
    let wanted = named.into_iter().enumerate().filter(|(k, (_, changes))| *k < 2 || !changes.is_empty());
    let mut runs = Vec::new();
    for (_, (name, changes)) in wanted {
        let session = open(&arguments.open_request, changes)?;
        let energy = session.snapshot().metrics.energy();
        runs.push(Run {
            name,
            session,
            score: Score::new(energy),
            energy,
            drawn: Vec::new(),
            distance: 0.0,
            differs: None,
            speed: LargestDifference::default(),
            force: LargestDifference::default(),
            not_finite: None,
        });
    }
    if let Some(first) = runs.first() {
        let outputs = [("--csv", arguments.csv.as_deref()), ("--plot", arguments.plot.as_deref())];
        outputs::check(&outputs::scene_files(&arguments.open_request, &first.session), &outputs)?;
    }
    if let Some(path) = &arguments.plot {
        // Checked before the runs, not after them.
        FigureFormat::of(path).map_err(|error| Failure::Misuse(format!("--plot {}: {error}", path.display())))?;
    }
    let rate = runs[0].session.settings().step.rate;
    if runs.iter().any(|run| run.session.settings().step.rate != rate) {
        return Err(Failure::Misuse("runs in lockstep share one step rate: step.rate differs".into()));
    }
    let mut table = arguments.csv.as_ref().map(|path| super::tables::named(path, &headings(&runs))).transpose()?;
    let steps = (arguments.seconds * f64::from(rate)).round().max(1.0) as u64;
    let stop = Stop::listen()?;
    let (mut made, mut stuck) = (0, None);
    'steps: for step in 1..=steps {
        if stop.is_asked() {
            break;
        }
        for run in &mut runs {
            run.session.dispatch(Command::Step)?;
            report_device(&format!("run {}: ", run.name), &mut run.session);
            if run.session.snapshot().step < step {
                stuck = Some(format!("run {}: {}", run.name, stuck_at(&run.session, step)));
                break 'steps;
            }
            run.not_finite = run.not_finite.take().or_else(|| not_finite(&run.session));
            if let Some(sample) = run.session.samples().samples.back() {
                run.score.add(sample);
                if arguments.plot.is_some() {
                    let metrics = &sample.metrics;
                    let energy = metrics.energy() - run.energy;
                    run.drawn.push([sample.time, metrics.joint_error_max, metrics.penetration_max, energy, 0.0]);
                }
            }
        }
        let (first, others) = runs.split_at_mut(1);
        for run in others {
            let distance = distance(&first[0].session, &run.session);
            run.distance = run.distance.max(distance);
            if let Some(drawn) = run.drawn.last_mut() {
                drawn[DRAWN.len()] = distance;
            }
            let (one, other) = (first[0].session.snapshot(), run.session.snapshot());
            for (a, b) in one.bodies.iter().zip(&other.bodies) {
                run.speed.record(a.velocity.distance(b.velocity), step, &b.name);
            }
            for (a, b) in one.joints.iter().zip(&other.joints) {
                run.force.record(a.readout.force.distance(b.readout.force), step, &b.name);
            }
            // NaN counts as a difference, too.
            if run.differs.is_none() && (distance > arguments.epsilon || distance.is_nan()) {
                run.differs = Some(step);
            }
        }
        if let Some(table) = &mut table {
            table.write_record(line(&runs)).map_err(super::tables::failure)?;
        }
        made = step;
    }
    if let Some(mut table) = table {
        table.flush()?;
    }
    if let Some(path) = &arguments.plot {
        let figure = figure(&runs);
        let drawn = figure.save(path, figure.usual_size());
        drawn.map_err(|error| Failure::Error(format!("{}: {error}", path.display())))?;
    }
    print(&runs, made, arguments, out)?;
    let wrong = runs
        .iter()
        .filter_map(|run| Some(format!("not to be trusted: run {}: {}", run.name, run.not_finite.as_ref()?)));
    let wrong: Vec<String> = stuck.map(|what| format!("not to be trusted: {what}")).into_iter().chain(wrong).collect();
    if !wrong.is_empty() {
        return Err(Failure::Distrust(wrong.join("\n")));
    }
    if made == steps { Ok(()) } else { Err(Failure::Stopped(format!("stopped after {made} of {steps} steps"))) }
}

/// A figure with the curves of all runs.
fn figure(runs: &[Run]) -> Figure {
    let panel = |(k, (title, unit, logarithmic)): (usize, (&str, &str, bool))| Panel {
        title: title.into(),
        x: "time (s)".into(),
        y: unit.into(),
        logarithmic,
        curves: (runs.iter().enumerate())
            // The distance of the first run from itself is not drawn.
            .filter(|(index, _)| *index > 0 || k + 1 < DRAWN.len())
            .map(|(index, run)| Curve {
                name: run.name.into(),
                unit: unit.into(),
                color: COLORS[index],
                dashes: 0,
                points: run.drawn.iter().map(|line| [line[0], line[k + 1]]).collect(),
            })
            .collect(),
        ..Panel::default()
    };
    let title = runs.first().map_or_else(String::new, |run| run.session.title());
    Figure { title, panels: DRAWN.into_iter().enumerate().map(panel).collect(), columns: 2 }
}

/// The headings: `a.energy` and so on for each run, and the distance of each from the first.
fn headings(runs: &[Run]) -> Vec<String> {
    let mut headings: Vec<String> = METRICS[..KEYS].iter().map(|column| column.name.to_owned()).collect();
    for run in runs {
        headings.extend(METRICS[KEYS..].iter().map(|column| format!("{}.{}", run.name, column.name)));
    }
    headings.extend(runs[1..].iter().map(|run| format!("{}.distance", run.name)));
    headings
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

/// Prints the table of the runs' figures, and their differences from the first run.
fn print(runs: &[Run], steps: u64, arguments: &Arguments, out: &mut impl Write) -> Result<(), Failure> {
    write!(out, "{:<28}", format!("{steps} steps"))?;
    for run in runs {
        write!(out, "{:>14}", run.name)?;
    }
    writeln!(out)?;
    let line = |out: &mut dyn Write, name: &str, unit: &str, value: &dyn Fn(&Run) -> f64| {
        let unit = if unit.is_empty() { String::new() } else { format!(" ({unit})") };
        write!(out, "{:<28}", format!("{name}{unit}"))?;
        for run in runs {
            write!(out, "{:>14}", format!("{:.4e}", value(run)))?;
        }
        writeln!(out)
    };
    for figure in &FIGURES {
        line(out, figure.name, figure.unit, &|run| (figure.of)(&run.score))?;
    }
    line(out, "farthest from run a", "m", &|run| run.distance)?;
    for run in &runs[1..] {
        let epsilon = arguments.epsilon;
        match run.differs {
            Some(step) => writeln!(out, "{} leaves a by more than {epsilon} m at step {step}", run.name)?,
            None => writeln!(out, "{} stays within {epsilon} m of a", run.name)?,
        }
        for (what, unit, largest) in [("velocity", "m/s", &run.speed), ("joint force", "N", &run.force)] {
            if let Some((step, name)) = &largest.place {
                let by = largest.difference;
                writeln!(out, "{}: the {what} farthest from a's, {name} at step {step}, by {by:.4e} {unit}", run.name)?;
            }
        }
    }
    Ok(())
}
