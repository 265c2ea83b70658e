//! `delassus analyse`: a mechanism over the travel of one joint: positions, forces, dead centres, curves.

mod json;
mod table;

use std::io::Write;
use std::path::{Path, PathBuf};

use super::common::{Failure, open, print_json};
use super::printable::{self, within_line};
use super::{outputs, tables};
use delassus_analysis::curve::PlaneCurve;
use delassus_analysis::rows::Measure;
use delassus_analysis::summary::Findings;
use delassus_analysis::{DoctorCase, Refusal, Request, Travel, analyse, columns, page};
use delassus_figure::FigureFormat;
use delassus_files::whole_file;
use delassus_launch::OpenRequest;
use delassus_scene::nearest;
use glam::DVec3;

#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    open_request: OpenRequest,
    /// The joint that drives the mechanism
    #[arg(long, value_name = "JOINT", allow_hyphen_values = true)]
    over: String,
    /// How many turns it makes from the pose of the scene; negative ones go backwards [default: 1]
    #[arg(long, value_name = "N", allow_negative_numbers = true, conflicts_with_all = ["from", "to"])]
    turns: Option<f64>,
    /// The value at which it starts, degrees or m [default: that of the scene]
    #[arg(long, value_name = "A", allow_negative_numbers = true)]
    from: Option<f64>,
    /// The value at which it ends, degrees or m
    #[arg(long, value_name = "B", allow_negative_numbers = true)]
    to: Option<f64>,
    /// The number of intervals between samples
    #[arg(long, value_name = "K", default_value_t = 36)]
    samples: usize,
    /// Its constant speed, rad/s or m/s
    #[arg(long, value_name = "V", allow_negative_numbers = true, default_value_t = 1.0)]
    speed: f64,
    /// Hold another joint at its value in the scene; may be given several times
    #[arg(long, value_name = "JOINT", allow_hyphen_values = true)]
    hold: Vec<String>,
    /// The joint that does the work: gives its ratio of transmission and the mechanical advantage
    #[arg(long, value_name = "JOINT", allow_hyphen_values = true)]
    output: Option<String>,
    /// Follow a point of a body, given from the origin of its shape in its axes, m, as in --point rod 0.1,0,0
    #[arg(long, num_args = 2, value_names = ["BODY", "X,Y,Z"], allow_hyphen_values = true)]
    point: Option<Vec<String>>,
    /// Write all results, one line per sample; `-` is standard output
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Draw the point's path to scale as SVG
    #[arg(long, value_name = "FILE", requires = "point")]
    svg: Option<PathBuf>,
    /// Write the point's path as DXF, m
    #[arg(long, value_name = "FILE", requires = "point")]
    dxf: Option<PathBuf>,
    /// Draw values, speeds, what the drive needs, and the joints' forces; .svg, .png or .csv
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Write a report page with the table, the plots and the point's path
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Print it as JSON
    #[arg(long)]
    json: bool,
}

/// Analyses, prints a table with a summary, and writes the files.
pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<(), Failure> {
    let session = open(&arguments.open_request, &[])?;
    let files = [
        ("--csv", arguments.csv.as_deref()),
        ("--svg", arguments.svg.as_deref()),
        ("--dxf", arguments.dxf.as_deref()),
        ("--plot", arguments.plot.as_deref()),
        ("--html", arguments.html.as_deref()),
    ];
    outputs::check(&outputs::scene_files(&arguments.open_request, &session), &files)?;
    for (option, path) in files.iter().skip(1) {
        if path.is_some_and(|path| path == Path::new("-")) {
            return Err(Failure::Misuse(format!("{option} -: expected the name of a file")));
        }
    }
    if let Some(path) = &arguments.plot {
        FigureFormat::of(path).map_err(|error| Failure::Misuse(format!("--plot {}: {error}", path.display())))?;
    }
    let world = session.world().ok_or_else(|| Failure::Error("the scene has no world".into()))?;
    let snapshot = session.snapshot();
    let (bodies, joints) = (snapshot.bodies.iter().map(|b| &*b.name), snapshot.joints.iter().map(|j| &*j.name));
    let case = DoctorCase::named(world, bodies, joints);
    let request = arguments.request(&case)?;
    let analysis = analyse(&case, &request).map_err(failure)?;
    let title = session.title();
    let curve = PlaneCurve::of_point(&analysis);
    if let Some(path) = &arguments.csv {
        columns::write_csv(&analysis, &case, tables::out(path)?)?;
    }
    let of_point = format!("{title}: {}", arguments.point.iter().flatten().cloned().collect::<Vec<_>>().join(" "));
    if let (Some(path), Some(curve)) = (&arguments.svg, &curve) {
        put(path, &curve.svg(&of_point))?;
    }
    if let (Some(path), Some(curve)) = (&arguments.dxf, &curve) {
        put(path, &curve.dxf())?;
    }
    if let Some(path) = &arguments.plot {
        let figure = page::figure(&analysis, &case, &title);
        let drawn = figure.save(path, figure.usual_size());
        drawn.map_err(|error| Failure::Error(format!("{}: {error}", path.display())))?;
    }
    if let Some(path) = &arguments.html {
        let page = page::page(&analysis, &case, &title, &of_point);
        put(path, &page.map_err(|error| Failure::Error(format!("{}: {error}", path.display())))?)?;
    }
    if arguments.json {
        return print_json(&json::json(&analysis, &case, &title), out);
    }
    if arguments.csv.as_deref().is_some_and(outputs::is_standard) {
        // The table went to standard output, so what is for people goes elsewhere.
        return Findings::of(&analysis, &case, &title).lines().iter().try_for_each(|line| {
            let _ = writeln!(printable::stderr(), "{}", within_line(line));
            Ok(())
        });
    }
    table::print(&analysis, &case, out)?;
    for line in Findings::of(&analysis, &case, &title).lines() {
        writeln!(out, "{}", within_line(&line))?;
    }
    Ok(out.flush()?)
}

fn put(path: &Path, text: &str) -> Result<(), Failure> {
    whole_file::put(path, text.as_bytes())
        .map_err(|error| Failure::Error(format!("{}: cannot be written: {error}", path.display())))
}

/// A request that makes no sense is misuse; a mechanism that does not do what is asked is an error.
fn failure(refusal: Refusal) -> Failure {
    let words = within_line(&refusal.to_string());
    match refusal {
        Refusal::Misuse { .. } | Refusal::NoValue { .. } | Refusal::NoCoordinate { .. } => Failure::Misuse(words),
        Refusal::Immovable { .. } | Refusal::MoreMotions { .. } => Failure::Misuse(words),
        Refusal::Outside { .. } | Refusal::NoLimits => Failure::Misuse(words),
        Refusal::Broken { .. } | Refusal::TooLarge { .. } | Refusal::Open { .. } => Failure::Error(words),
        Refusal::LoopTooLarge { .. }
        | Refusal::Locked { .. }
        | Refusal::StartNotReached { .. }
        | Refusal::Cancelled => Failure::Error(words),
    }
}

impl Arguments {
    fn request(&self, case: &DoctorCase<'_>) -> Result<Request, Failure> {
        let joint = |option: &str, name: &str| find(option, name, "joint", &case.joints);
        let over = joint("--over", &self.over)?;
        let kind = &case.world.state.joints[over].def.kind;
        let unit = |value: f64| Measure::of(kind).map_or(value, |measure| measure.from_shown(value));
        let travel = match (self.turns, self.from, self.to) {
            (Some(turns), ..) => Travel::Turns(turns),
            (None, None, None) => Travel::Usual,
            (None, Some(from), Some(to)) => Travel::Between(unit(from), unit(to)),
            (None, None, Some(to)) => Travel::Between(case.world.state.joints[over].readout.value.into(), unit(to)),
            (None, Some(_), None) => return Err(Failure::Misuse("--from: give --to as well".into())),
        };
        let hold = self.hold.iter().map(|name| joint("--hold", name)).collect::<Result<_, _>>()?;
        let output = self.output.as_ref().map(|name| joint("--output", name)).transpose()?;
        let point = match self.point.as_deref() {
            Some([body, at]) => {
                let id = find("--point", body, "body", &case.bodies)?;
                Some((u32::try_from(id).unwrap_or_default(), place(at)?))
            }
            _ => None,
        };
        Ok(Request { joint: over, travel, samples: self.samples, speed: self.speed, hold, output, point })
    }
}

/// The index of a name; a name that is not there is misuse, and the error lists those that are.
pub(super) fn find(option: &str, name: &str, what: &str, names: &[&str]) -> Result<usize, Failure> {
    const MOST: usize = 20;
    if let Some(index) = names.iter().position(|known| *known == name) {
        return Ok(index);
    }
    let hint = nearest(name, names.iter().copied());
    let all = match names.len() {
        0 => format!(". The scene has no {what}"),
        count if count > MOST => format!(". The scene has {}, and {} more", names[..MOST].join(", "), count - MOST),
        _ => format!(". The scene has {}", names.join(", ")),
    };
    Err(Failure::Misuse(within_line(&format!("{option}: no {what} is called `{name}`{hint}{all}"))))
}

/// Reads a point, as in `0.1,0,-0.2`.
fn place(text: &str) -> Result<DVec3, Failure> {
    let parts: Vec<f64> = text.split(',').filter_map(|part| part.trim().parse().ok()).collect();
    match (parts.as_slice(), text.split(',').count()) {
        ([x, y, z], 3) => Ok(DVec3::new(*x, *y, *z)),
        _ => Err(Failure::Misuse(format!("--point: expected three numbers as in 0.1,0,-0.2, not `{text}`"))),
    }
}
