//! `delassus list` and `delassus settings`.

use std::io::Write;

use super::Failure;
use crate::physics::settings::{LIST, Settings};
use crate::scene::{self, library};

/// Prints the library: path, title, source.
pub fn scenes(out: &mut impl Write) -> Result<(), Failure> {
    let folder = library::scenes_folder();
    let entries = scene::library(&folder);
    if entries.is_empty() {
        return Err(Failure::Error(format!("{}: no scenes there", folder.display())));
    }
    let width = |text: fn(&scene::Entry) -> &str| entries.iter().map(|e| text(e).chars().count()).max().unwrap_or(0);
    let (ids, titles) = (width(|e| &e.id), width(|e| &e.title));
    for entry in &entries {
        let line = format!("{:ids$}  {:titles$}  {}", entry.id, entry.title, entry.source);
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(out.flush()?)
}

/// Prints every setting: name, default, range, unit, what it does and where it comes from.
pub fn settings(out: &mut impl Write) -> Result<(), Failure> {
    let defaults = Settings::default();
    let width = LIST.iter().map(|s| s.name.len()).max().unwrap_or(0);
    let mut group = "";
    for setting in LIST {
        if setting.group != group {
            group = setting.group;
            writeln!(out, "{}{group}", if setting.name == LIST[0].name { "" } else { "\n" })?;
        }
        let unit = if setting.unit.is_empty() { String::new() } else { format!(" {}", setting.unit) };
        let (default, range) = ((setting.get)(&defaults), setting.domain.describe());
        writeln!(out, "  {:width$}  {default}{unit}  ({range})", setting.name)?;
        writeln!(out, "  {:width$}  {} [{}]", "", setting.what, setting.source)?;
    }
    Ok(out.flush()?)
}
