//! `delassus run`: runs a scene without a window.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::common::{Failure, open, report_device};
use super::extremes::Extremes;
use super::not_finite::{NotFinite, not_finite};
use super::outputs;
use super::run_verdict::{self, RunVerdict};
use super::sensors::Sensors;
use super::stop::Stop;
use super::summary::{Stepping, Summary};
use super::tables::{self, Table};
use delassus_launch::OpenRequest;
use delassus_session::columns::{BODIES, CONTACTS, Distrust, JOINTS};
use delassus_session::condition::{Condition, ConditionWatch, condition};
use delassus_session::{Command, Session};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    open_request: OpenRequest,
    /// Steps to run
    #[arg(long, value_name = "N", conflicts_with = "seconds")]
    steps: Option<u64>,
    /// Simulated time to run, s [default: 10]
    #[arg(long, value_name = "T", value_parser = seconds, allow_negative_numbers = true)]
    seconds: Option<f64>,
    /// Write the metrics of every step as CSV, see `delassus columns`; `-` is standard output
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write the state of every body as CSV
    #[arg(long, value_name = "FILE")]
    bodies: Option<PathBuf>,
    /// Write the state of every joint as CSV
    #[arg(long, value_name = "FILE")]
    joints: Option<PathBuf>,
    /// Write the contact forces of every two bodies that touch as CSV
    #[arg(long, value_name = "FILE")]
    contacts: Option<PathBuf>,
    /// Log the scene's sensors: a .mcap file for Foxglove and rerun, any other as CSV
    #[arg(long, value_name = "FILE")]
    sensors: Option<PathBuf>,
    /// Exit with code 4 if a sensor raises an alarm
    #[arg(long)]
    fail_on_alarm: bool,
    /// Record the run, for `delassus replay`
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Write only every K-th step
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    every: u64,
    /// Exit with code 4 if this holds after any step: COLUMN > VALUE, of the metrics, of joints.NAME, bodies.NAME or
    /// contacts.A+B (`*` is any), followed by `at end` or `after SECONDS` if wanted; may be given several times
    #[arg(long, value_name = "CONDITION", value_parser = condition)]
    fail_if: Vec<Condition>,
    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
}

/// The interval at which progress is updated.
const REFRESH: Duration = Duration::from_millis(100);
/// Default simulated time, s.
const DEFAULT_SECONDS: f64 = 10.0;
/// The longest run, s: a little more than a day.
const MAX_SECONDS: f64 = 1e5;

/// Reads a simulated time to run, s.
pub(super) fn seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse().ok().filter(|s| (0.0..=MAX_SECONDS).contains(s));
    seconds.ok_or_else(|| format!("expected seconds from 0 to {MAX_SECONDS}"))
}

impl Arguments {
    /// Refuses tables and recordings that would overwrite the scene, or each other.
    fn check_outputs(&self, session: &Session) -> Result<(), Failure> {
        let outputs = [
            ("--csv", &self.csv),
            ("--bodies", &self.bodies),
            ("--joints", &self.joints),
            ("--contacts", &self.contacts),
            ("--sensors", &self.sensors),
            ("--record", &self.record),
        ];
        outputs::check(
            &outputs::scene_files(&self.open_request, session),
            &outputs.map(|(name, to)| (name, to.as_deref())),
        )
    }
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let files = [&arguments.csv, &arguments.bodies, &arguments.joints, &arguments.contacts, &arguments.sensors];
    let streams = files.iter().filter(|file| file.as_deref().is_some_and(outputs::is_standard)).count();
    if streams > 1 {
        return Err(Failure::Misuse("only one table can go to standard output".into()));
    }
    let mut session = open(&arguments.open_request, &[])?;
    arguments.check_outputs(&session)?;
    let mut watches = run_verdict::watches(&arguments.fail_if, &session)?;
    let rate = f64::from(session.settings().step.rate);
    let steps = arguments.steps.unwrap_or_else(|| (arguments.seconds.unwrap_or(DEFAULT_SECONDS) * rate).round() as u64);
    let mut tables = Tables::create(arguments)?;
    let mut sensors = Sensors::new(&session, arguments.sensors.as_deref())?;
    if arguments.record.is_some() {
        session.dispatch(Command::Record)?;
    }

    let begin = Instant::now();
    // A run that takes less than a second shows no progress.
    let mut shown = Duration::from_secs(1) - REFRESH;
    let mut bar: Option<ProgressBar> = None;
    let (mut stepping, mut extremes) = (Stepping::default(), Extremes::default());
    let mut wrong = not_finite(&session);
    if steps == 0 {
        check_watches(&mut watches, &session, true);
    }
    let stop = Stop::listen()?;
    let mut stopped = None;
    for step in 1..=steps {
        if stop.is_asked() {
            stopped = Some(format!("stopped after {} of {steps} steps", step - 1));
            break;
        }
        session.dispatch(Command::Step)?;
        report_device("", &mut session);
        if session.snapshot().step < step {
            // The step could not be made: the verdict gives the reason.
            break;
        }
        stepping.add(&session);
        session.judge();
        if let Some(sample) = session.samples().samples.back() {
            extremes.add(sample);
        }
        wrong = wrong.or_else(|| not_finite(&session));
        check_watches(&mut watches, &session, step == steps);
        let writes = step.is_multiple_of(arguments.every);
        sensors.read(&session, writes)?;
        if writes {
            tables.write(&session, wrong.as_ref())?;
        }
        if session.snapshot().trouble.is_some() {
            break;
        }
        let elapsed = begin.elapsed();
        if elapsed > shown + REFRESH {
            shown = elapsed;
            let bar = bar.get_or_insert_with(|| progress(steps));
            bar.set_position(step);
            bar.set_message(format!("{:.0} s left", elapsed.as_secs_f64() * (steps - step) as f64 / step as f64));
        }
    }
    let wall = begin.elapsed();
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    sensors.finish()?;
    let reports = sensors.reports();
    let mut verdict = RunVerdict::new(&session, wrong.as_ref(), &watches);
    if arguments.fail_on_alarm {
        verdict.alarms(&reports);
    }
    tables.finish(&session, &Distrust(verdict.distrust.join("; ")))?;
    if let Some(file) = &arguments.record {
        session.dispatch(Command::SaveRecording(file.clone()))?;
    }
    let summary = Summary::new(&session, wall, &stepping, &extremes, &verdict, &reports);
    if streams > 0 {
        summary.print(&mut super::printable::stderr(), arguments.json)?;
    } else {
        summary.print(&mut super::printable::stdout(), arguments.json)?;
    }
    verdict.failure()?;
    stopped.map_or(Ok(()), |what| Err(Failure::Stopped(what)))
}

fn check_watches(watches: &mut [ConditionWatch], session: &Session, end: bool) {
    let sample = session.samples().samples.back();
    for watch in watches {
        watch.check(session.snapshot(), sample, end);
    }
}

/// A progress bar; shown on a terminal only.
fn progress(steps: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} steps, {msg}");
    ProgressBar::new(steps).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// The requested tables.
struct Tables {
    metrics: Option<tables::Metrics>,
    bodies: Option<Table>,
    joints: Option<Table>,
    contacts: Option<Table>,
}

impl Tables {
    fn create(arguments: &Arguments) -> Result<Self, Failure> {
        Ok(Self {
            metrics: arguments.csv.as_deref().map(tables::Metrics::create).transpose()?,
            bodies: arguments.bodies.as_deref().map(|path| tables::create(path, BODIES)).transpose()?,
            joints: arguments.joints.as_deref().map(|path| tables::create(path, JOINTS)).transpose()?,
            contacts: arguments.contacts.as_deref().map(|path| tables::create(path, CONTACTS)).transpose()?,
        })
    }

    fn write(&mut self, session: &Session, wrong: Option<&NotFinite>) -> Result<(), Failure> {
        if let (Some(table), Some(sample)) = (&mut self.metrics, session.samples().samples.back()) {
            table.add(*sample, run_verdict::so_far(session, wrong))?;
        }
        if let Some(table) = &mut self.bodies {
            tables::bodies(table, session)?;
        }
        if let Some(table) = &mut self.joints {
            tables::joints(table, session)?;
        }
        if let Some(table) = &mut self.contacts {
            tables::contacts(table, session)?;
        }
        Ok(())
    }

    fn finish(self, session: &Session, distrust: &Distrust) -> Result<(), Failure> {
        if let Some(mut table) = self.metrics {
            table.finish(session.samples().samples.back(), distrust)?;
        }
        for mut table in [self.bodies, self.joints, self.contacts].into_iter().flatten() {
            table.flush()?;
        }
        Ok(())
    }
}
