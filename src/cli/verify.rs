//! `delassus verify`: compares the simulation with closed-form solutions and integrations in f64.

use std::io::Write;
use std::path::{Path, PathBuf};

use indicatif::{ProgressBar, ProgressStyle};

use super::common::Failure;
use delassus_files::whole_file;
use delassus_scene as scene;
use delassus_verify::{self as verify, Case};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Only the cases whose name contains this, as in `pendulum` or `bounce/flat-box`; may be given again
    #[arg(long, value_name = "NAME")]
    case: Vec<String>,
    /// Leave out the cases that take long
    #[arg(long)]
    fast: bool,
    /// List the cases and run none
    #[arg(long, conflicts_with_all = ["json", "markdown", "scene"])]
    list: bool,
    /// Print the scene of one case and run none
    #[arg(long, value_name = "NAME", conflicts_with_all = ["json", "markdown", "case", "fast"])]
    scene: Option<String>,
    /// Print every number as JSON in place of the table
    #[arg(long)]
    json: bool,
    /// Write the page `docs/truth.md` to a file; `-` is standard output, in place of the table
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
}

pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<(), Failure> {
    if let Some(name) = &arguments.scene {
        let Some(case) = verify::all().find(|case| case.name == name.as_str()) else { return Err(unknown(name)) };
        let document = verify::document(case).map_err(Failure::Error)?;
        return Ok(write!(out, "{}", scene::write(&document))?);
    }
    let cases = chosen(arguments)?;
    if arguments.list {
        for case in cases {
            writeln!(out, "{:28} {}", case.name, case.what)?;
        }
        return Ok(());
    }
    let bar = ProgressBar::new(0);
    bar.set_style(
        ProgressStyle::with_template("{bar:40} {pos}/{len} runs, {elapsed}")
            .unwrap_or_else(|_| ProgressStyle::default_bar()),
    );
    let found = verify::verify(&cases, &verify::RATES, |total| {
        bar.set_length(total as u64);
        bar.inc(1);
    });
    bar.finish_and_clear();
    let (outcomes, orders) = found.map_err(Failure::Error)?;
    let page = || verify::markdown(&outcomes, &orders);
    match &arguments.markdown {
        Some(file) if file == Path::new("-") => write!(out, "{}", page())?,
        Some(file) => whole_file::put(file, page().as_bytes())
            .map_err(|e| Failure::Error(format!("{}: cannot be written: {e}", file.display())))?,
        None => {}
    }
    if arguments.json {
        writeln!(out, "{}", verify::json(&outcomes, &orders).map_err(Failure::Error)?)?;
    } else if arguments.markdown.as_deref() != Some(Path::new("-")) {
        write!(out, "{}", verify::table(&outcomes, &orders))?;
    }
    out.flush()?;
    let mut err = super::printable::stderr();
    for line in verify::cured(&outcomes) {
        writeln!(err, "note: no longer wrong: {line}")?;
    }
    let failures = verify::failures(&outcomes, &orders);
    if failures.is_empty() {
        return Ok(());
    }
    for line in &failures {
        writeln!(err, "{line}")?;
    }
    writeln!(err, "{} of the numbers are farther off than is claimed or known", failures.len())?;
    Err(Failure::AlreadyReported)
}

/// The requested cases.
fn chosen(arguments: &Arguments) -> Result<Vec<&'static Case>, Failure> {
    if let Some(name) = arguments.case.iter().find(|name| !verify::all().any(|case| case.name.contains(name.as_str())))
    {
        return Err(unknown(name));
    }
    let named =
        |case: &&Case| arguments.case.is_empty() || arguments.case.iter().any(|name| case.name.contains(name.as_str()));
    Ok(verify::all().filter(named).filter(|case| !arguments.fast || !case.runs.slow).collect())
}

fn unknown(name: &str) -> Failure {
    let near =
        verify::all().max_by(|a, b| strsim::jaro_winkler(a.name, name).total_cmp(&strsim::jaro_winkler(b.name, name)));
    let near = near.map_or_else(String::new, |case| format!(", did you mean `{}`?", case.name));
    Failure::Misuse(format!("no case is called `{name}`{near} `delassus verify --list` lists them"))
}
