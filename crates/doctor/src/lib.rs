//! The doctor: examines a world before its first step, and reports its mobility, expected problems with their causes
//! and numbers, and remedies. It has no user interface and changes nothing; a [`Fix`] is what the session may do
//! about a finding.
//!
//! | rule | looks for |
//! |---|---|
//! | anchors | anchors, lengths or planes that do not coincide at the start |
//! | axes | axes of one joint that are not aligned at the start |
//! | limit | a value outside its limits, or a rope too short, at the start |
//! | exclusion | limits of two joints on the same pair that cannot both hold |
//! | motor | a motor without a cap that runs against a stop, or one that presses on its stop from the start |
//! | undercut | a cam with a hollow that is narrower than the roller of its follower |
//! | undefined | a row that is written down and has no finite value or gradient at the start |
//! | unmoved | a force, torque or drag on a body that it cannot move |
//! | immovable | a joint between bodies that cannot move |
//! | jam | axes of a loop that differ so little that they are probably meant to coincide, and jam |
//! | locked | a motor in a loop that cannot move |
//! | against | motors that drive one motion at contradicting speeds |
//! | stops | limits of several joints of a loop that prevent every motion |
//! | singular | loops with instantaneous motions that do not continue: stretched straight, or at a bifurcation |
//! | dead | a value that is stationary although its loop can move: a dead centre |
//! | loop | redundant rows of closed loops, consistent or contradicting |
//! | mass | a heavy body that hangs or rests on a light one |
//! | breaks | a break limit below the expected load |
//! | degrees | an angle in radians that is probably meant in degrees |
//! | sweeps | rows of welded bodies for which the sweeps are too few |
//! | inertia | a body with very different moments of inertia |
//! | far | a body so far from the origin that single precision cannot resolve millimetres |
//! | passes | a body that may pass through another under the contact settings |
//! | overlap | bodies that overlap at the start |
//! | impacts | bouncing balls that touch each other, whose impacts are solved all at once |
//! | weak | a motor or servo whose cap is below its static load, if it should hold still, or below its joint's friction |

mod alone;
pub mod angles;
mod bodies;
mod case;
mod chains;
mod continuation;
mod drives;
mod finding;
mod forces;
pub mod gram_schmidt;
pub mod graph;
mod impacts;
mod jams;
mod joints;
mod linkage;
mod loads;
mod loops;
pub mod mechanism;
pub mod motions;
mod passing;
mod redundancy;
mod rows;
pub mod singular;
mod stacks;
mod stops;
mod sweeps;
mod undefined;
mod undercut;
pub mod verdict;
mod weak;
mod words;

pub use case::DoctorCase;
pub use delassus_scene::Rule;
pub use finding::{Finding, Fix, Severity};
pub use mechanism::Mechanism;

/// The result of an examination.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Examination {
    /// The most severe first.
    pub findings: Vec<Finding>,
    /// In the order of their first bodies.
    pub mechanisms: Vec<Mechanism>,
    /// For each kind of mechanism the index of the first one, and how many there are.
    pub kinds: Vec<(usize, usize)>,
}

/// The largest number of findings of one rule that are listed; the last one says how many more there are.
const MAX_LISTED: usize = 12;

/// Runs all checks. If the steps of the case's world are cancelled, so is the examination, and its findings are
/// incomplete.
pub fn examine(case: &DoctorCase<'_>) -> Examination {
    let mut found = Vec::new();
    joints::examine(case, &mut found);
    let contacts = case.contacts();
    bodies::examine(case, &contacts, &mut found);
    forces::examine(case, &mut found);
    let mut mechanisms = mechanism::examine(case, &mut found);
    let kinds = mechanism::sort(&mut mechanisms);
    chains::examine(case, &mechanisms, &mut found);
    stacks::examine(case, &contacts, &mut found);
    loads::examine(case, &contacts, &mechanisms, &mut found);
    impacts::examine(case, &contacts, &mut found);
    sweeps::examine(case, &mechanisms, &mut found);
    weak::examine(case, &mut found);
    passing::examine(case, &mut found);
    angles::examine(case, &mut found);
    undercut::examine(case, &mut found);
    undefined::examine(case, &mut found);
    apply_expectations(case, &mut found);
    found.sort_by_key(|f| (std::cmp::Reverse(f.severity), f.rule));
    Examination { findings: abridge(found), mechanisms, kinds }
}

/// Findings that the scene expects are not warnings. An expected rule without a finding is reported.
fn apply_expectations(case: &DoctorCase<'_>, found: &mut Vec<Finding>) {
    let Some(scene) = case.scene else { return };
    for finding in found.iter_mut().filter(|f| scene.expects.contains(&f.rule)) {
        finding.severity = Severity::Meant;
    }
    for (k, rule) in scene.expects.iter().enumerate() {
        if !rule.is_of_run() && !found.iter().any(|f| f.rule == *rule) && !scene.expects[..k].contains(rule) {
            found.push(Finding {
                rule: *rule,
                severity: Severity::Note,
                bodies: Vec::new(),
                joints: Vec::new(),
                what: format!(
                    "The scene's `expects` lists `{}`, but nothing of the kind was found at the start.",
                    rule.name()
                ),
                cure: "Remove it from the list, or find out what has changed.".into(),
                fix: None,
            });
        }
    }
}

/// Limits the number of findings of each rule.
fn abridge(found: Vec<Finding>) -> Vec<Finding> {
    let mut short: Vec<Finding> = Vec::new();
    for group in found.chunk_by(|a, b| (a.severity, a.rule) == (b.severity, b.rule)) {
        short.extend_from_slice(&group[..group.len().min(MAX_LISTED)]);
        let more = group.len().saturating_sub(MAX_LISTED);
        if let Some(last) = short.last_mut().filter(|_| more > 0) {
            last.what = format!("{} And {more} more like this.", last.what);
        }
    }
    short
}
