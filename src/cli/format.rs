//! `delassus format`: the reference of the scene format, as lists, as a document or as JSON.

use std::io::Write;

use serde::Serialize;

use super::common::{Failure, print_json};
use super::list::{self, SettingRecord};
use delassus_scene::format::{Field, Type, types};

/// The reference as JSON.
#[derive(Debug, Serialize)]
struct Reference {
    types: &'static [Type],
    /// The fields of a `SettingsPatch`, by group.
    settings: Vec<SettingRecord>,
}

pub fn format(markdown: bool, json: bool, out: &mut impl Write) -> Result<(), Failure> {
    if json {
        return print_json(&Reference { types: types(), settings: list::all_settings() }, out);
    }
    let head = if markdown { "## " } else { "" };
    if markdown {
        writeln!(out, "{INTRODUCTION}")?;
    }
    for kind in types() {
        writeln!(out, "\n{head}{}\n\n{}\n", kind.name, kind.what)?;
        writeln!(out, "    {}", kind.example)?;
        if !kind.fields.is_empty() {
            writeln!(out)?;
            table(&kind.fields, markdown, out)?;
        }
        for form in &kind.forms {
            let name = if markdown { format!("**`{}`**", form.name) } else { form.name.into() };
            writeln!(out, "\n{name}: {}.", form.what)?;
            if !form.fields.is_empty() {
                writeln!(out)?;
                table(&form.fields, markdown, out)?;
            }
        }
    }
    writeln!(out, "\n{head}SettingsPatch\n\nSettings by their groups; what is left out keeps its default.\n")?;
    writeln!(out, "    (solver: (iterations: 50, method: Jacobi), step: (gravity: (0, 0, -1.62)))\n")?;
    let preset = if markdown { "[`Preset`](#preset)" } else { "Preset" };
    writeln!(out, "`preset` is a {preset}.")?;
    for group in list::all_settings().chunk_by(|a, b| a.group == b.group) {
        let (name, title) = (group[0].name.split('.').next().unwrap_or_default(), group[0].group);
        let name = if markdown { format!("**`{name}`**") } else { name.to_owned() };
        writeln!(out, "\n{name}: {title}.\n")?;
        if markdown {
            writeln!(out, "| field | unit | range | default | |\n|---|---|---|---|---|")?;
        }
        for setting in group {
            let field = setting.name.split_once('.').map_or(setting.name, |(_, field)| field);
            let (unit, range, default) = (setting.unit, &setting.range, &setting.shown);
            if markdown {
                writeln!(out, "| `{field}` | {unit} | {range} | {default} | {} |", setting.what)?;
            } else {
                writeln!(out, "  {field}: {default} {unit} ({range}): {}", setting.what)?;
            }
        }
    }
    Ok(out.flush()?)
}

fn table(fields: &[Field], markdown: bool, out: &mut impl Write) -> Result<(), Failure> {
    if markdown {
        writeln!(out, "| field | takes | unit | range | default | |\n|---|---|---|---|---|---|")?;
    }
    for Field { name, takes, unit, range, default, what } in fields {
        if markdown {
            let takes = link(takes);
            writeln!(out, "| `{name}` | {takes} | {unit} | {range} | {default} | {what} |")?;
        } else {
            let unit = if unit.is_empty() { String::new() } else { format!(" {unit}") };
            let range = if range.is_empty() { String::new() } else { format!(", {range}") };
            writeln!(out, "  {name}: {takes}{unit}{range}; {default}; {what}")?;
        }
    }
    Ok(())
}

/// Links a type to its section.
fn link(takes: &str) -> String {
    let bare = takes.trim_matches(['[', ']', '(', ')']);
    let name = bare.split(',').next().unwrap_or(bare);
    let known = types().iter().any(|kind| kind.name == name) || name == "SettingsPatch";
    match name {
        "StabilizationPatch" => "[the group `stabilization`](#settingspatch)".into(),
        name if known => takes.replace(name, &format!("[`{name}`](#{})", name.to_lowercase())),
        _ => takes.into(),
    }
}

const INTRODUCTION: &str = "\
# The scene format

Written by `delassus format --markdown`, which prints it for the program that you have; `--json` prints it for programs.

A scene is a text file in RON, Rusty Object Notation (`.ron`): fields in round brackets, `(name: value)`; lists in square
ones; texts in double quotes; forms by their name, `Sphere(radius: 1)`; `//` begins a comment. Metres, kilograms, seconds and
radians; the world's z is up. What has a default may be left out, and is left out when a scene is saved. Every number
must be finite. `delassus check` tells every mistake with its line and column, and `--set` gives any field another value by
its path.

There is no JSON Schema: editors apply one to JSON and YAML only, none of those that know RON does. `delassus check
--json` has every mistake's line and column for an editor's list of problems.";
