//! `delassus scenes`: the library as files.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use super::common::Failure;
use delassus_scene::library::{self, Exported};

/// Where scenes are looked for; printed below the help.
pub const FOLDERS: &str = "\
Scenes are looked for in these places, and all are listed; a name opens the first scene that has it:
  1. the folders of --scenes, in the order given
  2. the folders that DELASSUS_SCENES names, separated as in PATH
  3. the folders that the window remembers, in the window only
  4. the folder scenes in the current directory
  5. the library within the program, or the scenes of the source tree that it was built from, if that is still there;
     built-in:NAME always opens one of these";

#[derive(Debug, clap::Subcommand)]
pub enum Action {
    /// Write all scenes, parts and lessons of the library into a folder; exit code 1 if files there were kept that
    /// differ
    Export {
        /// The folder, which is made if it is not there
        folder: PathBuf,
        /// Replace files that are there and differ
        #[arg(long)]
        force: bool,
    },
}

pub fn run(action: &Action, out: &mut impl Write) -> Result<(), Failure> {
    let Action::Export { folder, force } = action;
    let done = library::export(&library::scenes_folder(), folder, *force);
    let Exported { written, same, kept } = done.map_err(|error| Failure::Error(error.to_string()))?;
    let mut counts: BTreeMap<&Path, usize> = BTreeMap::new();
    for file in &written {
        *counts.entry(file.parent().unwrap_or(folder)).or_default() += 1;
    }
    for (folder, count) in counts {
        writeln!(out, "{}: {count} written", folder.display())?;
    }
    if same > 0 {
        writeln!(out, "{same} were there already, as they are in the library")?;
    }
    if kept.is_empty() {
        writeln!(out, "`--scenes {}` opens these in place of those of the library", folder.display())?;
        return Ok(out.flush()?);
    }
    out.flush()?;
    let list: String = kept.iter().map(|file| format!("\n  {}", file.display())).collect();
    Err(Failure::Error(format!(
        "{} were there already and differ; they are kept unless --force is given:{list}",
        kept.len()
    )))
}
