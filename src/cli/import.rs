//! `delassus import`: the description of a robot as a scene.

use std::io::Write;
use std::path::PathBuf;

use super::common::{Failure, report_mistakes};
use super::in_short::in_short;
use super::{outputs, printable};
use delassus_import::{Options, disk};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// A robot description: URDF, or MJCF, the XML of MuJoCo
    file: PathBuf,
    /// Write the scene to this file; `-` is standard output
    #[arg(long, value_name = "SCENE.ron", default_value = "-")]
    out: PathBuf,
    /// Fix the root of a URDF to the world [default: if only one joint leaves it]
    #[arg(long, conflicts_with = "free")]
    fixed: bool,
    /// Leave the root of a URDF free, on a floor
    #[arg(long)]
    free: bool,
    /// Let the links of a URDF touch each other
    #[arg(long)]
    self_collision: bool,
    /// Hold every joint that has no drive in its place with a servo of this frequency, Hz, up to its effort
    #[arg(long, value_name = "HZ", value_parser = hertz)]
    hold: Option<f64>,
    /// The keyframe of an MJCF from which the pose and the controls are taken
    #[arg(long, value_name = "NAME")]
    key: Option<String>,
}

/// A frequency, Hz.
fn hertz(text: &str) -> Result<f64, String> {
    let range = 1e-3..=1e4;
    let hertz: f64 = text.parse().map_err(|_| "this is not a number".to_owned())?;
    if range.contains(&hertz) { Ok(hertz) } else { Err("a frequency is from 0.001 to 10000 Hz".into()) }
}

/// Writes the scene to a file or to `out`, and what was changed or left out to standard error.
pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<(), Failure> {
    let Arguments { file, out: to, fixed, free, self_collision, hold, key } = arguments;
    outputs::check(std::slice::from_ref(file), &[("--out", Some(to.as_path()))])?;
    let options = Options {
        fixed: (*fixed || *free).then_some(*fixed),
        self_collision: *self_collision,
        hold: *hold,
        key: key.clone(),
    };
    let imported = disk::read(file, &options).map_err(|mistake| {
        report_mistakes(&[mistake]);
        Failure::AlreadyReported
    })?;
    let text = imported.text();
    // What a scene refuses is a fault of this command, and must not be written.
    let loaded = delassus_scene::read_str(&text, &to.to_string_lossy()).map_err(|mistakes| {
        report_mistakes(&mistakes);
        Failure::Error(format!("{}: no scene can be made of it", file.display()))
    })?;
    for note in &imported.notes {
        let line = in_short(&note.to_string(), std::env::args_os());
        // A closed standard error is ignored.
        let _ = writeln!(printable::stderr(), "{}: {line}", file.display());
    }
    if outputs::is_standard(to) {
        out.write_all(text.as_bytes())?;
        return Ok(out.flush()?);
    }
    delassus_scene::save(to, &text).map_err(|e| Failure::Error(format!("{}: cannot be written: {e}", to.display())))?;
    let (bodies, joints) = (loaded.flat.bodies.len(), loaded.flat.joints.len());
    writeln!(out, "{}: {bodies} bodies, {joints} joints, {} notes", to.display(), imported.notes.len())?;
    Ok(out.flush()?)
}
