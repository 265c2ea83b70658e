//! `delassus export`: a scene in the format of another program.

use std::io::Write;
use std::path::PathBuf;

use super::common::{Failure, open};
use super::in_short::in_short;
use super::{outputs, printable};
use delassus_import::export;
use delassus_launch::OpenRequest;

#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    open_request: OpenRequest,
    /// The format
    #[arg(long, value_name = "FORMAT")]
    to: Format,
    /// Write the model to this file; `-` is standard output
    #[arg(long, value_name = "FILE", default_value = "-")]
    out: PathBuf,
}

/// A format of another program.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Format {
    /// The XML of MuJoCo
    Mjcf,
}

/// Writes the model to a file or to `out`, and what has no counterpart to standard error.
pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<(), Failure> {
    let Arguments { open_request, to: Format::Mjcf, out: to } = arguments;
    let session = open(open_request, &[])?;
    outputs::check(&outputs::scene_files(open_request, &session), &[("--out", Some(to.as_path()))])?;
    let flat = session.laid_out()?;
    let scene = session.scene().cloned().unwrap_or_default();
    let exported = export::mjcf(&scene, &flat, session.settings());
    for note in &exported.notes {
        let line = in_short(&note.to_string(), std::env::args_os());
        // A closed standard error is ignored.
        let _ = writeln!(printable::stderr(), "{}: {line}", open_request.scene);
    }
    if outputs::is_standard(to) {
        out.write_all(exported.text.as_bytes())?;
        return Ok(out.flush()?);
    }
    delassus_scene::save(to, &exported.text)
        .map_err(|e| Failure::Error(format!("{}: cannot be written: {e}", to.display())))?;
    let (bodies, joints) = (flat.bodies.len(), flat.joints.len());
    writeln!(out, "{}: {bodies} bodies, {joints} joints, {} notes", to.display(), exported.notes.len())?;
    Ok(out.flush()?)
}
