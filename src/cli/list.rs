//! `delassus list`, `delassus settings` and `delassus columns`.

use std::io::Write;

use serde::Serialize;

use super::common::{Failure, print_json};
use super::printable::within_line;
use delassus_physics::setting::{Domain, Setting, Value};
use delassus_physics::settings::{LIST, Settings};
use delassus_scene::Words as _;
use delassus_scene::library::{Library, LibraryEntry};
use delassus_scene::words::SettingWords;
use delassus_session::columns::{BODIES, CONTACTS, ColumnHeading, JOINTS, METRICS, VERDICT, headings};

/// Prints all scenes: the name that opens each, its title, its source, and where it comes from.
pub fn scenes(out: &mut impl Write) -> Result<(), Failure> {
    let library = Library::now();
    let entries = library.entries();
    if entries.is_empty() {
        return Err(Failure::Error(format!("{}: no scenes there", library.root.display())));
    }
    let line = |entry: &LibraryEntry| {
        [&library.name_of(entry), &entry.title, &entry.source, &entry.place()].map(|text| within_line(text))
    };
    let lines: Vec<_> = entries.iter().map(line).collect();
    let width = |at: usize| lines.iter().map(|line| line[at].chars().count()).max().unwrap_or(0);
    let (names, titles, sources) = (width(0), width(1), width(2));
    for [name, title, source, place] in &lines {
        writeln!(out, "{name:names$}  {title:titles$}  {source:sources$}  {place}")?;
    }
    Ok(out.flush()?)
}

/// A setting as JSON.
#[derive(Debug, Serialize)]
pub struct SettingRecord {
    pub name: &'static str,
    pub group: &'static str,
    label: &'static str,
    pub unit: &'static str,
    default: serde_json::Value,
    /// The default and the range as text.
    #[serde(skip)]
    pub shown: String,
    #[serde(skip)]
    pub range: String,
    #[serde(flatten)]
    domain: DomainRecord,
    pub what: &'static str,
    source: &'static str,
}

/// The values of a setting.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum DomainRecord {
    Switch,
    Integer {
        min: u32,
        max: u32,
    },
    Real {
        min: f32,
        max: f32,
    },
    Choice {
        choices: Vec<ChoiceRecord>,
    },
    /// Each component within ± max.
    Vector {
        max: f32,
    },
}

#[derive(Debug, Serialize)]
struct ChoiceRecord {
    name: &'static str,
    what: &'static str,
}

fn record(setting: &Setting) -> SettingRecord {
    let default = match (setting.get)(&Settings::default()) {
        Value::Bool(v) => v.into(),
        Value::Int(v) => v.into(),
        Value::Real(v) => v.into(),
        Value::Choice(v) => v.into(),
        Value::Vector(v) => v.to_array().to_vec().into(),
    };
    let domain = match setting.domain {
        Domain::Switch => DomainRecord::Switch,
        Domain::Integer { min, max } => DomainRecord::Integer { min, max },
        Domain::Real { min, max } => DomainRecord::Real { min, max },
        Domain::Choice(choices) => DomainRecord::Choice {
            choices: choices.words().iter().map(|c| ChoiceRecord { name: c.name, what: c.what }).collect(),
        },
        Domain::Vector { max } => DomainRecord::Vector { max },
    };
    let (shown, range) = ((setting.get)(&Settings::default()).to_string(), setting.domain.describe());
    let (Setting { name, unit, .. }, SettingWords { group, label, what, source, .. }) = (*setting, *setting.words());
    SettingRecord { name, group, label, unit, default, shown, range, domain, what, source }
}

/// Every setting, for JSON and documents.
pub fn all_settings() -> Vec<SettingRecord> {
    LIST.iter().map(record).collect()
}

/// Prints every setting: name, default, range, unit, effect and source.
pub fn settings(json: bool, out: &mut impl Write) -> Result<(), Failure> {
    if json {
        return print_json(&all_settings(), out);
    }
    let defaults = Settings::default();
    let width = LIST.iter().map(|s| s.name.len()).max().unwrap_or(0);
    let mut group = "";
    for setting in LIST {
        let words = setting.words();
        if words.group != group {
            group = words.group;
            writeln!(out, "{}{group}", if setting.name == LIST[0].name { "" } else { "\n" })?;
        }
        let unit = if setting.unit.is_empty() { String::new() } else { format!(" {}", setting.unit) };
        let (default, range) = ((setting.get)(&defaults), setting.domain.describe());
        writeln!(out, "  {:width$}  {default}{unit}  ({range})", setting.name)?;
        writeln!(out, "  {:width$}  {} [{}]", "", words.what, words.source)?;
    }
    Ok(out.flush()?)
}

/// The tables of a run: the option that writes one, the meaning of its lines, and its columns.
fn tables() -> [(&'static str, &'static str, Vec<ColumnHeading>); 4] {
    let metrics = headings(METRICS).into_iter().chain(headings(VERDICT)).collect();
    [
        ("--csv", "The whole world, one line per step", metrics),
        ("--bodies", "One line per body and step; world frame", headings(BODIES)),
        (
            "--joints",
            "One line per joint and step; world frame, forces on B as they were at the beginning of the last sub-step, 1/240 s earlier at the default",
            headings(JOINTS),
        ),
        (
            "--contacts",
            "One line per step for every two bodies with contact points; world frame, forces on B in the last sub-step",
            headings(CONTACTS),
        ),
    ]
}

/// Prints every column of the tables.
pub fn columns(markdown: bool, out: &mut impl Write) -> Result<(), Failure> {
    if markdown {
        writeln!(out, "# The tables of `delassus run`\n")?;
        writeln!(
            out,
            "Written by `delassus columns --markdown`. SI units; z is up. In `--fail-if`, give a column of the first"
        )?;
        writeln!(
            out,
            "table by its name, and one of the others after `bodies.NAME.`, `joints.NAME.` or `contacts.A+B.`. Here `*`"
        )?;
        writeln!(out, "is any, and `contacts.A.` is all contacts of a body together.")?;
    }
    let width = tables().iter().flat_map(|(_, _, list)| list).map(|c| c.name.len()).max().unwrap_or(0);
    for (index, (argument, what, list)) in tables().into_iter().enumerate() {
        if markdown {
            writeln!(out, "\n## `{argument}`\n\n{what}.\n\n| column | unit | |\n|---|---|---|")?;
        } else {
            writeln!(out, "{}{argument}: {what}", if index == 0 { "" } else { "\n" })?;
        }
        for ColumnHeading { name, unit, what, .. } in list {
            if markdown {
                writeln!(out, "| `{name}` | {unit} | {what} |")?;
            } else {
                writeln!(out, "{}", format!("  {name:width$}  {unit:10}  {what}").trim_end())?;
            }
        }
    }
    Ok(out.flush()?)
}
