//! `delassus bench-gpu`: document 001's chains of beads on the graphics device, by method, compared with the
//! processor.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use super::common::Failure;
use super::tables;
use delassus_gpu::bench::{self, Measured};
use delassus_gpu::kernels::Kernel;
use delassus_gpu::timing::{Timed, TimingSource};
use delassus_gpu::traffic::{self, Workload};
use delassus_gpu::{Device, Scheme, chains, timing};
use delassus_physics::settings::Settings;

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// How many chains
    #[arg(long, value_name = "N", default_value_t = 2500, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    chains: u32,
    /// Beads of each, the first one held
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = clap::value_parser!(u32).range(2..=100_000))]
    beads: u32,
    /// Sweeps of a step
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=1000))]
    iterations: u32,
    /// Steps of 1/240 s, after which the joints' gaps are measured
    #[arg(long, value_name = "N", default_value_t = 60, value_parser = clap::value_parser!(u32).range(2..=100_000))]
    steps: u32,
    /// What is measured; if it is left out, everything but, on a software driver, sweeps over rows, which take minutes
    /// there
    #[arg(long, value_enum, value_name = "METHOD", value_delimiter = ',')]
    method: Vec<BenchMethod>,
    /// Also write the numbers there as CSV; `-` is standard output in place of the tables
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
}

/// What can be measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum BenchMethod {
    /// The device: 001's two passes, velocities from the total multipliers
    Printed,
    /// The device: two passes, velocities by increments
    Incremental,
    /// The device: one pass from multipliers to multipliers
    OnePass,
    /// The device: Gauss–Seidel, a pass a colour
    Coloured,
    /// The device: trees solved exactly, a thread a tree
    Exact,
    /// The device: chains solved exactly by parallel cyclic reduction, a thread a joint
    Cyclic,
    /// The processor's step with Jacobi's sweeps over its rows on the device
    RowsJacobi,
    /// The same with Gauss–Seidel's, by colours
    RowsColoured,
    /// The same with whole trees solved exactly
    RowsExact,
    /// The processor's Jacobi
    CpuJacobi,
    /// The processor's Gauss–Seidel by colours
    CpuColoured,
    /// The processor's exact solver of trees
    CpuTree,
}

impl BenchMethod {
    const ALL: [Self; 12] = [
        Self::Printed,
        Self::Incremental,
        Self::OnePass,
        Self::Coloured,
        Self::Exact,
        Self::Cyclic,
        Self::RowsJacobi,
        Self::RowsColoured,
        Self::RowsExact,
        Self::CpuJacobi,
        Self::CpuColoured,
        Self::CpuTree,
    ];

    fn scheme(self) -> Option<Scheme> {
        match self {
            Self::Printed => Some(Scheme::Printed),
            Self::Incremental => Some(Scheme::Incremental),
            Self::OnePass => Some(Scheme::OnePass),
            Self::Coloured => Some(Scheme::Coloured),
            Self::Exact => Some(Scheme::Exact),
            Self::Cyclic => Some(Scheme::Cyclic),
            _ => None,
        }
    }

    /// The settings of the benchmark for this method.
    fn settings(self, iterations: u32) -> Settings {
        match self {
            Self::RowsJacobi | Self::CpuJacobi => bench::settings(iterations),
            Self::RowsColoured | Self::CpuColoured => bench::coloured(iterations),
            Self::RowsExact | Self::CpuTree => bench::trees(iterations),
            Self::Printed | Self::Incremental | Self::OnePass | Self::Coloured | Self::Exact | Self::Cyclic => {
                bench::of(self.scheme().unwrap_or_default(), iterations)
            }
        }
    }

    /// Whether the device makes Jacobi sweeps over rows (true) or other sweeps over rows (false); `None` if it sweeps
    /// no rows.
    fn rows(self) -> Option<bool> {
        let rows = [Self::RowsJacobi, Self::RowsColoured, Self::RowsExact];
        rows.contains(&self).then_some(self == Self::RowsJacobi)
    }

    fn name(self) -> &'static str {
        match self {
            Self::RowsJacobi => "rows-jacobi",
            Self::RowsColoured => "rows-coloured",
            Self::RowsExact => "rows-exact",
            Self::CpuJacobi => "cpu-jacobi",
            Self::CpuColoured => "cpu-coloured",
            Self::CpuTree => "cpu-tree",
            device => device.scheme().map_or("", Scheme::name),
        }
    }
}

/// Headings of the CSV: a line for each method, followed by its kernels.
const HEADS: [&str; 12] = [
    "method",
    "kernel",
    "clock",
    "runs",
    "time_us",
    "steps_per_s",
    "bytes_per_run",
    "bytes_per_constraint_sweep",
    "bandwidth_gb_s",
    "share_of_copy",
    "gap_mean_mm",
    "gap_worst_mm",
];

/// The work, and the numbers that the results are related to.
struct Bench {
    iterations: u32,
    work: Workload,
    /// The device's copy bandwidth, bytes per second.
    copy: f64,
}

/// A line of results, for a method or a kernel of it; `None` if it has no such value.
#[derive(Default)]
struct Line {
    method: &'static str,
    kernel: &'static str,
    clock: &'static str,
    runs: u32,
    /// The time of a step, or of a run of the kernel, s.
    seconds: f64,
    /// Bytes per run.
    bytes: Option<u64>,
    a_sweep: Option<f64>,
    gap: Option<bench::Gap>,
}

impl Line {
    fn rate(&self) -> Option<f64> {
        self.bytes.map(|bytes| bytes as f64 / self.seconds)
    }

    fn record(&self, copy: f64) -> [String; 12] {
        let number = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
        let whole = self.kernel.is_empty();
        [
            self.method.to_owned(),
            self.kernel.to_owned(),
            self.clock.to_owned(),
            self.runs.to_string(),
            (self.seconds * 1e6).to_string(),
            number(whole.then(|| 1.0 / self.seconds)),
            self.bytes.map_or_else(String::new, |bytes| bytes.to_string()),
            number(self.a_sweep),
            number(self.rate().map(|rate| rate * 1e-9)),
            number(self.rate().map(|rate| rate / copy)),
            number(self.gap.map(|gap| gap.mean * 1e3)),
            number(self.gap.map(|gap| gap.worst * 1e3)),
        ]
    }
}

/// Runs the benchmark and writes the results.
pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<(), Failure> {
    let all = arguments.method.is_empty();
    let mut chosen = if all { BenchMethod::ALL.to_vec() } else { arguments.method.clone() };
    let wants_device = chosen.iter().any(|method| method.scheme().is_some() || method.rows().is_some());
    let failed = |fault: delassus_gpu::DeviceFault| Failure::Error(fault.to_string());
    let device = wants_device.then(|| Device::open().map(Arc::new)).transpose().map_err(failed)?;
    if all && device.as_ref().is_some_and(|device| device.is_software()) {
        chosen.retain(|method| method.rows().is_none());
    }
    let copy = device.as_ref().map(|device| timing::copy_bandwidth(device)).transpose().map_err(failed)?;
    let build = |method: BenchMethod| {
        bench::chains(arguments.chains as usize, arguments.beads as usize, method.settings(arguments.iterations))
    };
    // The first body is the world.
    let (chains, beads) = (arguments.chains as usize, arguments.beads as usize);
    let passes = chains::passes(arguments.beads - 1);
    let work = Workload { bodies: chains * beads + 1, constraints: chains * (beads - 1), passes };
    let bench = Bench { iterations: arguments.iterations, work, copy: copy.unwrap_or(f64::NAN) };
    let to_table = arguments.csv.as_deref().is_none_or(|path| path != "-");
    if to_table {
        head(arguments, device.as_deref(), &bench, out)?;
    }
    let mut lines = Vec::new();
    for method in &chosen {
        let measured = match (method.scheme(), &device) {
            (Some(scheme), Some(device)) => {
                bench::on_device(device, &build(*method), scheme, arguments.steps).map_err(failed)?
            }
            (None, Some(device)) if method.rows().is_some() => {
                bench::by_rows(device, build(*method), arguments.steps).map_err(failed)?
            }
            _ => bench::on_processor(build(*method), arguments.steps),
        };
        let first = lines.len();
        bench.lines(*method, &measured, &mut lines);
        if to_table {
            (lines[first..].iter()).try_for_each(|line| bench.print(line, out))?;
            out.flush()?;
        }
    }
    if let Some(path) = &arguments.csv {
        let mut table = tables::named(path, &HEADS)?;
        for line in &lines {
            table.write_record(line.record(bench.copy)).map_err(tables::failure)?;
        }
        table.flush()?;
    }
    Ok(())
}

/// Writes what is measured, and the column headings.
fn head(arguments: &Arguments, device: Option<&Device>, bench: &Bench, out: &mut impl Write) -> Result<(), Failure> {
    let Bench { work: Workload { bodies, constraints, .. }, copy, .. } = bench;
    let Arguments { chains, beads, iterations, steps, .. } = arguments;
    writeln!(out, "{chains} chains of {beads} beads: {bodies} bodies, {constraints} constraints")?;
    writeln!(out, "{iterations} sweeps a step, {steps} steps of 1/240 s")?;
    if let Some(device) = device {
        writeln!(out, "device   {}", device.describe())?;
        writeln!(out, "copies   {:.1} GB/s read and written", copy * 1e-9)?;
    }
    writeln!(
        out,
        "\n{:<36}{:>6}{:>14}{:>11}{:>9}{:>9}{:>8}{:>11}{:>11}",
        "method, kernel", "runs", "time", "steps/s", "B/c·it", "GB/s", "copy", "gap mean", "worst"
    )?;
    Ok(())
}

impl Bench {
    /// The lines of a method: its step, then its kernels.
    fn lines(&self, method: BenchMethod, measured: &Measured, lines: &mut Vec<Line>) {
        let name = method.name();
        let Workload { bodies, constraints, .. } = self.work;
        let lanes = method.rows().filter(|_| method != BenchMethod::RowsExact);
        let lanes = lanes.map(|at_once| traffic::lanes(at_once, bodies, constraints));
        let a_sweep = method.scheme().map(|scheme| traffic::sweep(scheme, self.work).bytes).or(lanes);
        let gap = Some(measured.gap);
        lines.push(Line {
            method: name,
            clock: "wall",
            runs: 1,
            seconds: measured.step,
            a_sweep,
            gap,
            ..Line::default()
        });
        lines.extend(measured.rows.iter().map(|Timed { kernel, runs, seconds }| Line {
            method: name,
            kernel,
            clock: TimingSource::Timestamps.name(),
            runs: *runs,
            seconds: seconds / f64::from(*runs),
            ..Line::default()
        }));
        let Some((kernels, clock)) = &measured.kernels else { return };
        lines.extend(kernels.iter().map(|Timed { kernel, runs, seconds }| Line {
            method: name,
            kernel: kernel.name(),
            clock: clock.name(),
            runs: *runs,
            seconds: seconds / f64::from(*runs),
            // A run of a coloured kernel is a part of a sweep.
            bytes: Some(
                traffic::bytes(*kernel, bodies, constraints) * u64::from(self.sweeps(*kernel, *runs))
                    / u64::from(*runs),
            ),
            ..Line::default()
        }));
    }

    /// The number of sweeps made by `runs` runs of a kernel.
    fn sweeps(&self, kernel: Kernel, runs: u32) -> u32 {
        if kernel == Kernel::Coloured { self.iterations } else { runs }
    }

    fn print(&self, line: &Line, out: &mut impl Write) -> Result<(), Failure> {
        let whole = line.kernel.is_empty();
        let name = if whole { line.method.to_owned() } else { format!("  {} ({})", line.kernel, line.clock) };
        let shown = |value: Option<f64>, digits: usize, unit: &str| {
            value.map_or_else(String::new, |value| format!("{value:.digits$}{unit}"))
        };
        writeln!(
            out,
            "{name:<36}{:>6}{:>14}{:>11}{:>9}{:>9}{:>8}{:>11}{:>11}",
            line.runs,
            format!("{:.1} µs", line.seconds * 1e6),
            shown(whole.then(|| 1.0 / line.seconds), 1, ""),
            shown(line.a_sweep, 1, ""),
            shown(line.rate().map(|rate| rate * 1e-9), 2, ""),
            shown(line.rate().map(|rate| 100.0 * rate / self.copy), 0, " %"),
            shown(line.gap.map(|gap| gap.mean * 1e3), 3, " mm"),
            shown(line.gap.map(|gap| gap.worst * 1e3), 3, " mm"),
        )?;
        Ok(())
    }
}
