//! `delassus arena`: every solver runs every scene of the arena; the error against the cost.
//!
//! ```text
//! arena.ron -> list -> match_run -> arena/results.csv -> page -> arena.md
//!                                                     -> scatter plots -> arena/SCENE.svg
//! ```

mod list;
mod match_run;
mod page;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::common::Failure;
use super::stop::Stop;
use super::values::shard;
use super::{outputs, tables};
use delassus_figure::{Scatter, ScatterPoint};
use delassus_files::{file_reader, whole_file};
use delassus_scene::MAX_BYTES;
use list::{ArenaScene, ArenaSolver};
use match_run::ArenaResult;

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The folder to write: arena.md, and in its folder arena the results as a table and a picture for each scene
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Run only these scenes of the arena, by name, with commas between them
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    scene: Vec<String>,
    /// Run only these solvers: presets, or values of solver.method
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    solver: Vec<String>,
    /// Run only part I of N, counted from 1, and write only the table
    #[arg(long, value_name = "I/N", value_parser = shard, default_value = "1/1")]
    shard: (usize, usize),
    /// Run nothing: make the page of tables of earlier runs, as of the parts
    #[arg(long, value_name = "FILE", conflicts_with = "shard")]
    results: Vec<PathBuf>,
    /// End a run once its steps have taken this much processor time, s
    #[arg(long, value_name = "T", allow_negative_numbers = true, default_value_t = 300.0)]
    limit: f64,
}

/// Beside arena.md: the folder of the table and the pictures.
const FOLDER: &str = "arena";
/// Errors in the pictures are kept within this range: a logarithm has no zero.
const DRAWN: [f64; 2] = [1e-6, 1e6];

/// Runs the solvers on the scenes, and writes table, pictures and page.
pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<(), Failure> {
    if !(arguments.limit > 0.0 && arguments.limit <= 1e6) {
        return Err(Failure::Misuse("--limit: expected a time above 0".into()));
    }
    let (scenes, solvers) = (list::scenes(&arguments.scene)?, list::solvers(&arguments.solver)?);
    let folder = arguments.out.join(FOLDER);
    let (table, page) = (folder.join("results.csv"), arguments.out.join("arena.md"));
    let pictures: Vec<PathBuf> = scenes.iter().map(|scene| folder.join(format!("{}.svg", scene.stem()))).collect();
    let writes: Vec<_> =
        [&table, &page].into_iter().chain(&pictures).map(|path| ("--out", Some(path.as_path()))).collect();
    outputs::check(&arguments.results, &writes)?;
    let known = arguments.results.iter().map(|file| read_results(file)).collect::<Result<Vec<_>, _>>()?.concat();
    std::fs::create_dir_all(&folder).map_err(|error| failure(&folder, &error))?;
    // The first line has the headings, the fields of `ArenaResult`.
    let mut lines = csv::Writer::from_writer(tables::out(&table)?);
    let results = if arguments.results.is_empty() {
        run_all(arguments, &scenes, &solvers, &mut lines, out)?
    } else {
        known.iter().try_for_each(|result| write_result(&mut lines, result))?;
        known
    };
    if arguments.shard.1 > 1 {
        return Ok(());
    }
    let title = |scene: &ArenaScene| Ok((scene.clone(), scene.read()?.scene.title));
    let titled = scenes.iter().map(title).collect::<Result<Vec<_>, Failure>>()?;
    for ((scene, title), path) in titled.iter().zip(&pictures) {
        picture(scene, title, &results).save(path, [720, 460]).map_err(|error| failure(path, &error))?;
    }
    let text = page::page(&titled, &solvers, &results, FOLDER).map_err(|error| failure(&page, &error))?;
    whole_file::put(&page, text.as_bytes()).map_err(|error| failure(&page, &error))
}

fn failure(path: &Path, error: &dyn std::error::Error) -> Failure {
    Failure::Error(format!("{}: {error}", path.display()))
}

/// Runs one pair after the other, and prints and writes a line for each.
fn run_all(
    arguments: &Arguments,
    scenes: &[ArenaScene],
    solvers: &[ArenaSolver],
    table: &mut tables::Table,
    out: &mut impl Write,
) -> Result<Vec<ArenaResult>, Failure> {
    let (part, parts) = arguments.shard;
    let pairs = scenes.iter().flat_map(|scene| solvers.iter().map(move |solver| (scene, *solver)));
    let pairs: Vec<_> = pairs.enumerate().filter(|(k, _)| k % parts == part - 1).map(|(_, pair)| pair).collect();
    let (stop, limit) = (Stop::listen()?, Duration::from_secs_f64(arguments.limit));
    let mut results: Vec<ArenaResult> = Vec::new();
    writeln!(out, "{:30} {:12} {:>10} {:>12}  measured", "scene", "solver", "error", "cost s/s")?;
    for (scene, solver) in &pairs {
        let loaded = scene.read()?;
        let Some(result) = match_run::run(scene, &loaded, *solver, limit, &stop)? else {
            let rest = "; no page is written";
            return Err(Failure::Stopped(format!("stopped after {} of {} runs{rest}", results.len(), pairs.len())));
        };
        let (error, cost) = (result.error.map(page::error), result.cost.map(|cost| format!("{cost:.5}")));
        let [error, cost] = [error, cost].map(|cell| cell.unwrap_or_else(|| "-".into()));
        let said = if result.note.is_empty() { &result.measured } else { &result.note };
        writeln!(out, "{:30} {:12} {error:>10} {cost:>12}  {said}", scene.scene, solver.name())?;
        out.flush()?;
        write_result(table, &result)?;
        results.push(result);
    }
    Ok(results)
}

fn write_result(table: &mut tables::Table, result: &ArenaResult) -> Result<(), Failure> {
    table.serialize(result).map_err(tables::failure)?;
    Ok(table.flush()?)
}

fn read_results(path: &Path) -> Result<Vec<ArenaResult>, Failure> {
    let text = file_reader::text(path, MAX_BYTES).map_err(|error| failure(path, &error))?;
    csv::Reader::from_reader(text.as_bytes())
        .deserialize()
        .collect::<Result<Vec<_>, _>>()
        .map_err(|error| failure(path, &error))
}

/// Error against cost of the solvers that have both.
fn picture(scene: &ArenaScene, title: &str, results: &[ArenaResult]) -> Scatter {
    let own = results.iter().filter(|result| result.scene == scene.scene);
    let point = |result: &ArenaResult| {
        let error = result.error?.clamp(DRAWN[0], DRAWN[1]);
        Some(ScatterPoint { name: result.solver.clone(), at: [result.cost.filter(|cost| *cost > 0.0)?, error] })
    };
    Scatter {
        title: title.to_owned(),
        x: "cost: processor time per simulated second (s/s)".into(),
        y: "error, in tolerances".into(),
        points: own.filter_map(point).collect(),
    }
}
