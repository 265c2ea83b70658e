//! `delassus doctor`: what will go wrong with a scene, and why.

use std::io::Write;

use serde::Serialize;

use super::Failure;
use crate::doctor::{self, Case, Finding, Rule, Severity};
use crate::scene::{self, library};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Scene files, or names from `delassus list`
    #[arg(required = true, value_name = "SCENE")]
    scenes: Vec<String>,
    /// Print the findings as JSON
    #[arg(long)]
    json: bool,
}

/// A finding with names in place of numbers.
#[derive(Debug, Serialize)]
struct Told<'a> {
    scene: &'a str,
    severity: Severity,
    rule: Rule,
    bodies: Vec<&'a str>,
    joints: Vec<&'a str>,
    what: &'a str,
    cure: &'a str,
    /// What the window's button would do.
    fix: Option<&'static str>,
}

/// Findings are told and no failure, unless one is an error.
pub fn doctor(arguments: &Arguments, out: &mut impl Write) -> Result<(), Failure> {
    let (mut failed, mut all) = (false, Vec::new());
    for scene in &arguments.scenes {
        let path = library::find(scene);
        let loaded = match scene::read(&path) {
            Ok(loaded) => loaded,
            Err(mistakes) => {
                failed = true;
                for mistake in mistakes {
                    // Nobody to tell if standard error is closed; the exit code tells.
                    let _ = writeln!(std::io::stderr(), "{mistake}");
                }
                continue;
            }
        };
        let world = loaded.flat.world(loaded.scene.settings.settings());
        let case = Case::new(&loaded.flat, &world);
        let found = doctor::examine(&case);
        failed |= found.iter().any(|f| f.severity == Severity::Error);
        let name = path.display().to_string();
        if arguments.json {
            all.extend(found.iter().map(|f| json(&name, &case, f)).collect::<Result<Vec<_>, _>>()?);
        } else {
            tell(&name, &found, out)?;
        }
    }
    if arguments.json {
        let text = serde_json::to_string_pretty(&all).map_err(|e| Failure::Error(e.to_string()))?;
        writeln!(out, "{text}")?;
    }
    out.flush()?;
    if failed { Err(Failure::Told) } else { Ok(()) }
}

fn json(scene: &str, case: &Case<'_>, finding: &Finding) -> Result<serde_json::Value, Failure> {
    let told = Told {
        scene,
        severity: finding.severity,
        rule: finding.rule,
        bodies: finding.bodies.iter().map(|b| case.bodies[*b as usize]).collect(),
        joints: finding.joints.iter().map(|j| case.joints[*j]).collect(),
        what: &finding.what,
        cure: &finding.cure,
        fix: finding.fix.map(|fix| fix.label()),
    };
    serde_json::to_value(told).map_err(|e| Failure::Error(e.to_string()))
}

fn tell(scene: &str, found: &[Finding], out: &mut impl Write) -> Result<(), Failure> {
    if found.is_empty() {
        writeln!(out, "{scene}: nothing found")?;
    }
    for finding in found {
        writeln!(out, "{scene}: {} ({}): {}", finding.severity.name(), finding.rule.name(), finding.what)?;
        writeln!(out, "    {}", finding.cure)?;
    }
    Ok(())
}
