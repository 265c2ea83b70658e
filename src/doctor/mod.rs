//! The doctor: looks at a world before its first step and says how it can move, what will go wrong, why, with the
//! numbers, and what helps. It knows no screen and changes nothing; a [`Fix`] is what the session may do about a
//! finding.
//!
//! | rule | looks for |
//! |---|---|
//! | anchors | anchors, lengths or planes that do not meet at the start |
//! | axes | axes of one joint that are not aligned at the start |
//! | limit | a value outside its limits, or a rope too short, at the start |
//! | exclusion | limits of two joints on the same pair that cannot both hold |
//! | motor | a motor without a cap before a stop, or one that starts by pressing on its stop |
//! | immovable | a joint between bodies that nothing moves |
//! | jam | axes of a loop that differ by so little that they must be meant to be one, and jam |
//! | locked | a motor in a loop that cannot move |
//! | against | motors that drive one motion at speeds that do not suit each other |
//! | stops | limits of several joints of a loop that leave it no motion |
//! | singular | loops that can begin to move in ways that do not last: stretched straight, or at a fork |
//! | dead | a value that stands still though its loop can move: a dead centre |
//! | loop | rows of closed loops of joints that depend on each other, agreeing or not |
//! | mass | a heavy body that hangs or stands on a light one |
//! | breaks | a break limit below the load |
//! | degrees | an angle in radians that looks meant in degrees |
//! | sweeps | bodies welded in a row that the sweeps cannot carry |
//! | inertia | a body that is far easier to turn about one axis than about another |
//! | far | a body so far out that single precision has no millimetres left |
//! | overlap | bodies that stand in each other |

pub mod angles;
mod bodies;
mod case;
mod chains;
mod continuation;
mod drives;
mod finding;
mod gram_schmidt;
mod graph;
mod jams;
mod joints;
mod linkage;
mod loads;
mod loops;
pub mod mechanism;
pub mod motions;
mod redundancy;
mod rows;
pub mod singular;
mod stacks;
mod stops;
mod sweeps;
mod words;

pub use crate::scene::Rule;
pub use case::DoctorCase;
pub use finding::{Finding, Fix, Severity};
pub use mechanism::Mechanism;

/// What an examination has found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Examination {
    /// The worst first.
    pub findings: Vec<Finding>,
    /// In the order of their first bodies.
    pub mechanisms: Vec<Mechanism>,
    /// Of each kind of mechanism the first, and how many there are.
    pub kinds: Vec<(usize, usize)>,
}

/// The most findings of one rule that are told; the last says how many more there are.
const MOST: usize = 12;

/// Looks at everything.
pub fn examine(case: &DoctorCase<'_>) -> Examination {
    let mut found = Vec::new();
    joints::examine(case, &mut found);
    let contacts = case.contacts();
    bodies::examine(case, &contacts, &mut found);
    let mut mechanisms = mechanism::examine(case, &mut found);
    let kinds = mechanism::sort(&mut mechanisms);
    chains::examine(case, &mut found);
    stacks::examine(case, &contacts, &mut found);
    loads::examine(case, &contacts, &mechanisms, &mut found);
    sweeps::examine(case, &mechanisms, &mut found);
    angles::examine(case, &mut found);
    meant(case, &mut found);
    found.sort_by_key(|f| (std::cmp::Reverse(f.severity), f.rule));
    Examination { findings: abridge(found), mechanisms, kinds }
}

/// What the scene wants is no alarm; what it wants and has not is told.
fn meant(case: &DoctorCase<'_>, found: &mut Vec<Finding>) {
    let Some(scene) = case.scene else { return };
    for finding in found.iter_mut().filter(|f| scene.expects.contains(&f.rule)) {
        finding.severity = Severity::Meant;
    }
    for (k, rule) in scene.expects.iter().enumerate() {
        if !found.iter().any(|f| f.rule == *rule) && !scene.expects[..k].contains(rule) {
            found.push(Finding {
                rule: *rule,
                severity: Severity::Note,
                bodies: Vec::new(),
                joints: Vec::new(),
                what: format!(
                    "The scene's `expects` has `{}`, and nothing of the kind is found at the start.",
                    rule.name()
                ),
                cure: "Take it out of the list, or find what has changed.".into(),
                fix: None,
            });
        }
    }
}

/// Of many findings alike only the first.
fn abridge(found: Vec<Finding>) -> Vec<Finding> {
    let mut short: Vec<Finding> = Vec::new();
    for group in found.chunk_by(|a, b| (a.severity, a.rule) == (b.severity, b.rule)) {
        short.extend_from_slice(&group[..group.len().min(MOST)]);
        let more = group.len().saturating_sub(MOST);
        if let Some(last) = short.last_mut().filter(|_| more > 0) {
            last.what = format!("{} And {more} more like this.", last.what);
        }
    }
    short
}
