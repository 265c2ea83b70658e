//! `delassus presets`: what each preset sets, and for those of other engines where each value is from and what has no
//! counterpart.

use std::io::Write;

use super::common::Failure;
use delassus_physics::preset::{ABSENT, Preset};
use delassus_physics::setting::Setting;
use delassus_physics::settings::{LIST, Settings};

/// The settings in which a preset differs from the default, and those for which it gives a source.
fn named(preset: Preset) -> Vec<&'static Setting> {
    let (settings, default) = (preset.settings(), Settings::default());
    let has_source = |s: &Setting| preset.engine().is_some_and(|e| e.sources.iter().any(|(name, _)| *name == s.name));
    LIST.iter().filter(|s| (s.get)(&settings) != (s.get)(&default) || has_source(s)).collect()
}

/// Where a value is from.
fn source(preset: Preset, setting: &Setting) -> &'static str {
    let Some(engine) = preset.engine() else { return "" };
    let known = engine.sources.iter().find(|(name, _)| *name == setting.name);
    let without = if ABSENT.contains(&setting.name) { "off: this engine has none" } else { "" };
    known.map_or(without, |(_, source)| source)
}

/// What a preset is.
pub fn title(preset: Preset) -> String {
    match (preset.engine(), preset) {
        (Some(engine), _) => format!("{} as it comes ({})", engine.name, engine.version),
        (None, Preset::SmallSteps) => "the default".to_owned(),
        (None, _) => "one step of ten sweeps, the loop of the book".to_owned(),
    }
}

/// Prints every preset: as a table for documents, or as text.
pub fn presets(markdown: bool, out: &mut impl Write) -> Result<(), Failure> {
    if markdown {
        writeln!(
            out,
            "# Presets\n\nWritten by `delassus presets --markdown`. A preset is a set of settings under one name:"
        )?;
        writeln!(
            out,
            "`settings: (preset: Box3D)` in a scene, `--preset Box3D` on the command line, *Preset* in the Solver tab."
        )?;
        writeln!(
            out,
            "The presets of other engines hold the default values of these engines. They copy the values, not the"
        )?;
        writeln!(out, "programs: with the same values this program may behave differently from that engine.")?;
    }
    for (index, preset) in Preset::all().enumerate() {
        let (name, title, settings) = (preset.name(), title(preset), preset.settings());
        match (markdown, index) {
            (true, _) => writeln!(out, "\n## `{name}`: {title}\n\n| setting | value | source |\n|---|---|---|")?,
            (false, 0) => writeln!(out, "{name}: {title}")?,
            (false, _) => writeln!(out, "\n{name}: {title}")?,
        }
        for setting in named(preset) {
            let value = (setting.get)(&settings);
            let unit = if setting.unit.is_empty() { String::new() } else { format!(" {}", setting.unit) };
            let source = source(preset, setting);
            if markdown {
                writeln!(out, "| `{}` | {value}{unit} | {source} |", setting.name)?;
            } else {
                writeln!(
                    out,
                    "{}",
                    format!("  {:36} {:14} {source}", setting.name, format!("{value}{unit}")).trim_end()
                )?;
            }
        }
        let without = preset.engine().map_or(&[][..], |engine| engine.without);
        if !without.is_empty() {
            writeln!(out, "{}", if markdown { "\nWithout a counterpart:\n" } else { "  without a counterpart:" })?;
            let bullet = if markdown { "-" } else { "   " };
            without.iter().try_for_each(|what| writeln!(out, "{bullet} {what}"))?;
        }
    }
    Ok(out.flush()?)
}
