//! `delassus doctor`: reports expected problems of a scene, with their causes.

use std::io::Write;
use std::path::Path;

use serde::Serialize;

use super::common::{Failure, print_json, report_mistakes};
use super::printable::within_line;
use delassus_doctor::{
    self as doctor, DoctorCase, Examination, Finding, Mechanism, Rule, Severity, mechanism, motions,
};
use delassus_launch::{Change, Changes, OpenRequest, OpeningError, change, preset};
use delassus_physics::preset::Preset;
use delassus_scene::{self as scene, Flat, Mistake, Scene, library};
use delassus_session::SessionError;

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Scene files, or names from `delassus list`
    #[arg(required = true, value_name = "SCENE")]
    scenes: Vec<String>,
    /// Examine them at the start of one of their experiments
    #[arg(long, value_name = "NAME", allow_hyphen_values = true)]
    experiment: Option<String>,
    /// Examine them with a preset of `delassus presets`
    #[arg(long, value_name = "NAME", value_parser = preset)]
    preset: Option<Preset>,
    /// Change a setting or a field of the scene, as in joints.motor.speed=3; may be given several times
    #[arg(long, value_name = "NAME=VALUE", value_parser = change)]
    set: Vec<Change>,
    /// Print findings and mechanisms as JSON
    #[arg(long)]
    json: bool,
}

impl Arguments {
    /// A scene with the requested changes, and its bodies and joints. The inner error is that of its file.
    fn read(&self, scene: &str, path: &Path) -> Result<Result<(Scene, Flat), Vec<Mistake>>, Failure> {
        let (experiment, set) = (self.experiment.clone(), self.set.clone());
        let changes = Changes { experiment, preset: self.preset, set };
        if changes == Changes::default() && scene != "-" {
            return Ok(scene::read(path).map(|loaded| (loaded.scene, loaded.flat)));
        }
        let session = match (OpenRequest { scene: scene.into(), changes }).open() {
            Ok(session) => session,
            Err(OpeningError::Session(SessionError::Mistakes(mistakes))) => return Ok(Err(mistakes)),
            Err(error) => return Err(error.into()),
        };
        let document = session.scene().cloned().unwrap_or_default();
        let base = path.parent().unwrap_or(Path::new(""));
        Ok(scene::expand(&document, base).map(|flat| (document, flat)))
    }
}

/// A finding with names instead of ids, as JSON.
#[derive(Debug, Serialize)]
struct FindingRecord<'a> {
    scene: &'a str,
    severity: Severity,
    rule: Rule,
    bodies: Vec<&'a str>,
    joints: Vec<&'a str>,
    what: &'a str,
    cure: &'a str,
    /// The label of the fix's button in the window.
    fix: Option<String>,
}

/// A mechanism with names instead of ids, as JSON.
#[derive(Debug, Serialize)]
struct Moving<'a> {
    scene: &'a str,
    bodies: Vec<&'a str>,
    joints: Vec<&'a str>,
    /// The mobility as text.
    words: String,
    /// Number of independent instantaneous motions; `None` if its loops are too large.
    degrees_of_freedom: Option<usize>,
    /// Number of those that remain possible as it moves.
    lasting: Option<usize>,
    /// Number of further motions that stops prevent in both directions.
    stopped: usize,
    /// Number of motions that motors prescribe.
    driven: usize,
    /// The degrees of freedom of its bodies without joints.
    ways: usize,
    rows: usize,
    /// Number of redundant rows.
    redundant: usize,
    /// Joints whose value is stationary although others move.
    dead_centres: Vec<&'a str>,
    motions: Vec<Motion<'a>>,
    /// Number of motions that are not listed, because there are many or because finding them would take too long.
    more_motions: usize,
}

/// An independent motion of a mechanism, scaled so that its fastest body moves by the mechanism's size in a second.
#[derive(Debug, Serialize)]
struct Motion<'a> {
    words: String,
    bodies: Vec<Twist<'a>>,
}

#[derive(Debug, Serialize)]
struct Twist<'a> {
    body: &'a str,
    /// Of the centre of mass, m/s, world frame.
    velocity: [f32; 3],
    /// rad/s, world frame.
    angular_velocity: [f32; 3],
}

#[derive(Debug, Default, Serialize)]
struct All {
    findings: Vec<serde_json::Value>,
    mechanisms: Vec<serde_json::Value>,
}

/// The most motions of a mechanism that are listed.
const MOTIONS: usize = 24;
/// The most motions of all mechanisms together.
const ALL_MOTIONS: usize = 10_000;

/// Examines the scenes. Findings do not make the command fail, unless one is an error.
pub fn doctor(arguments: &Arguments, out: &mut impl Write) -> Result<(), Failure> {
    let (mut failed, mut all) = (false, All::default());
    let mut left = Left { work: motions::MAX_WORK, motions: ALL_MOTIONS };
    for scene in &arguments.scenes {
        let path = library::find(scene);
        let (document, flat) = match arguments.read(scene, &path)? {
            Ok(read) => read,
            Err(mistakes) => {
                failed = true;
                report_mistakes(&mistakes);
                continue;
            }
        };
        let world = flat.world(document.settings.settings());
        let case = DoctorCase::new(&flat, &world).with_scene(&document);
        let seen = doctor::examine(&case);
        failed |= seen.findings.iter().any(|f| f.severity == Severity::Error);
        let name = path.display().to_string();
        if arguments.json {
            for finding in &seen.findings {
                all.findings.push(value(&record(&name, &case, finding))?);
            }
            for mechanism in &seen.mechanisms {
                all.mechanisms.push(value(&moving(&name, &case, mechanism, &mut left))?);
            }
        } else {
            print(&name, &case, &seen, out)?;
        }
    }
    if arguments.json {
        print_json(&all, out)?;
    }
    out.flush()?;
    if failed { Err(Failure::AlreadyReported) } else { Ok(()) }
}

fn value(item: &impl Serialize) -> Result<serde_json::Value, Failure> {
    serde_json::to_value(item).map_err(|e| Failure::Error(e.to_string()))
}

fn record<'a>(scene: &'a str, case: &DoctorCase<'a>, finding: &'a Finding) -> FindingRecord<'a> {
    FindingRecord {
        scene,
        severity: finding.severity,
        rule: finding.rule,
        bodies: finding.bodies.iter().map(|b| case.bodies[*b as usize]).collect(),
        joints: finding.joints.iter().map(|j| case.joints[*j]).collect(),
        what: &finding.what,
        cure: &finding.cure,
        fix: finding.fix.map(|fix| fix.label(|j| case.joint(j), |b| case.body(b))),
    }
}

/// What may still be spent on motions, in all scenes together.
struct Left {
    /// Multiplications.
    work: u64,
    /// Motions that are listed.
    motions: usize,
}

/// How a mechanism moves. Its motions are listed as far as that is left.
fn moving<'a>(scene: &'a str, case: &DoctorCase<'a>, mechanism: &Mechanism, left: &mut Left) -> Moving<'a> {
    let work = motions::work_of(case, mechanism);
    let can = work <= left.work && left.motions > 0;
    let motions = can.then(|| motions::of(case, mechanism)).flatten();
    let count = motions.as_ref().map_or(mechanism.freedom.unwrap_or(0), Vec::len);
    let listed = motions.as_ref().map_or(0, Vec::len).min(MOTIONS).min(left.motions);
    (left.work, left.motions) = (left.work - motions.as_ref().map_or(0, |_| work), left.motions - listed);
    let motions = motions.unwrap_or_default();
    let twist = |(id, velocity, spin): &(u32, glam::Vec3, glam::Vec3)| Twist {
        body: case.bodies[*id as usize],
        velocity: velocity.to_array(),
        angular_velocity: spin.to_array(),
    };
    Moving {
        scene,
        bodies: mechanism.bodies.iter().map(|b| case.bodies[*b as usize]).collect(),
        joints: mechanism.joints.iter().map(|j| case.joints[*j]).collect(),
        words: mechanism.words(),
        degrees_of_freedom: mechanism.freedom,
        lasting: mechanism.lasting,
        stopped: mechanism.stopped,
        driven: mechanism.driven,
        ways: mechanism.freedoms,
        rows: mechanism.rows,
        redundant: mechanism.redundant,
        dead_centres: mechanism.dead.iter().map(|j| case.joints[*j]).collect(),
        more_motions: count - listed,
        motions: (motions.iter().take(listed))
            .map(|m| Motion { words: m.words.clone(), bodies: m.bodies.iter().map(twist).collect() })
            .collect(),
    }
}

/// The most mechanisms of a scene that are listed.
const MECHANISMS: usize = 20;

fn print(scene: &str, case: &DoctorCase<'_>, seen: &Examination, out: &mut impl Write) -> Result<(), Failure> {
    for (first, count) in seen.kinds.iter().take(MECHANISMS) {
        let first = &seen.mechanisms[*first];
        let title = within_line(&mechanism::title(case, first, *count));
        writeln!(out, "{scene}: {title}: {}", within_line(&first.words()))?;
    }
    if seen.kinds.len() > MECHANISMS {
        writeln!(out, "{scene}: and {} more mechanisms", seen.kinds.len() - MECHANISMS)?;
    }
    if seen.findings.is_empty() {
        writeln!(out, "{scene}: nothing found")?;
    }
    for finding in &seen.findings {
        let what = within_line(&finding.what);
        writeln!(out, "{scene}: {} ({}): {what}", finding.severity.name(), finding.rule.name())?;
        writeln!(out, "    {}", within_line(&finding.cure))?;
    }
    Ok(())
}
