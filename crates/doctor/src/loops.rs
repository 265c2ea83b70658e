//! The closed loops of a mechanism, all together: dependences among their rows, the loops' motions, and whether these
//! continue after a small motion.

use super::continuation;
use super::linkage::{Linkage, equality_rows};
use super::mechanism::{Decomposition, JointRows, Mechanism};
use super::rows::JointRow;
use super::words::{degrees, names};
use super::{DoctorCase, Finding, Rule, Severity, drives, jams, redundancy, stops};
use delassus_physics::body::Body;

/// The most rows that are examined together. n rows with m unknowns take about 2 n² m operations.
pub const MAX_ROWS: usize = 900;
/// The most rows of loops whose motions are followed.
pub const FEW_ROWS: usize = 240;
/// The total number of operations after which further loops are skipped; a few tenths of a second.
const MAX_OPERATIONS: f64 = 1e9;

/// Shared by the examinations of all mechanisms: a copy of the bodies to be moved, made on first use, and the
/// operations so far.
#[derive(Default)]
pub struct LoopScratch {
    bodies: Vec<Box<Body>>,
    spent: f64,
}

/// Examines the loops of a mechanism. `tree_freedom` is the number of motions of the removed bodies, those outside the
/// loops.
pub fn examine(
    case: &DoctorCase<'_>,
    parts: &Decomposition,
    joint_rows: &JointRows,
    tree_freedom: usize,
    mechanism: &mut Mechanism,
    scratch: &mut LoopScratch,
    found: &mut Vec<Finding>,
) {
    let linkage = Linkage::new(case, &parts.bodies, &parts.joints);
    let rows: Vec<JointRow> = parts.joints.iter().flat_map(|joint| joint_rows.of_joint(*joint)).copied().collect();
    let work = 4.0 * (rows.len() * rows.len() * linkage.width) as f64;
    if rows.len() > MAX_ROWS || scratch.spent + work > MAX_OPERATIONS {
        report_skipped(&linkage, rows.len(), found);
        return;
    }
    scratch.spent += work;
    let active = linkage.active_rows(equality_rows(rows.clone()));
    mechanism.redundant = active.basis.dependent.len();
    mechanism.freedom = Some(tree_freedom + active.free.len());
    let is_small =
        rows.len() <= FEW_ROWS && scratch.spent + (continuation::MAX_PROJECTIONS as f64 + 8.0) * work < MAX_OPERATIONS;
    let (inner, rigid) = linkage.inner(&active);
    let freedom = active.free.len();
    let followed = if is_small && !inner.is_empty() {
        scratch.spent += continuation::MAX_PROJECTIONS as f64 * work;
        continuation::continue_motion(&linkage, &inner, freedom, &mut scratch.bodies)
    } else {
        None
    };
    // Rigid motions always continue.
    let lasting_freedom = match &followed {
        Some(followed) if followed.continuing == usize::MAX => Some(followed.displaced_freedom.min(freedom)),
        Some(followed) => Some((followed.continuing + rigid).min(followed.displaced_freedom.max(rigid)).min(freedom)),
        None => inner.is_empty().then_some(freedom),
    };
    mechanism.lasting = lasting_freedom.map(|lasting_freedom| tree_freedom + lasting_freedom);
    let jammed = is_small && {
        let before = found.len();
        jams::examine(&linkage, &active, found);
        found.len() > before
    };
    redundancy::examine(&linkage, &active, jammed, found);
    if let (Some(followed), Some(lasting_freedom)) = (&followed, lasting_freedom) {
        report_singular(
            &linkage,
            mechanism,
            freedom,
            lasting_freedom,
            followed.continuing.saturating_add(rigid) < freedom,
            found,
        );
    }
    let loop_state = drives::LoopState { jammed, moved: followed.as_ref().and_then(|o| o.moved.as_ref()) };
    drives::examine(&linkage, &rows, &active, &loop_state, mechanism, found);
    mechanism.stopped = stops::examine(&linkage, &rows, &active, found);
}

fn report_skipped(linkage: &Linkage<'_>, rows: usize, found: &mut Vec<Finding>) {
    found.push(Finding {
        rule: Rule::Loop,
        severity: Severity::Note,
        bodies: linkage.bodies.to_vec(),
        joints: linkage.joints.to_vec(),
        what: format!(
            "The loops of {} were not examined: they have {rows} rows. At most {MAX_ROWS} are examined, and fewer if \
             other loops came first.",
            names(linkage.case, linkage.joints)
        ),
        cure: "No action is needed.".into(),
        fix: None,
    });
}

/// Reports motions that are only instantaneous: infinitesimal ones (`infinitesimal`), or those of a bifurcation.
fn report_singular(
    linkage: &Linkage<'_>,
    mechanism: &Mechanism,
    freedom: usize,
    lasting: usize,
    infinitesimal: bool,
    found: &mut Vec<Finding>,
) {
    if lasting >= freedom {
        return;
    }
    let names = names(linkage.case, linkage.joints);
    let (what, cure) = if infinitesimal {
        let ways = match freedom - lasting {
            1 => "one way that leads".to_owned(),
            more => format!("{more} ways that lead"),
        };
        (
            format!(
                "The loops of {names} can begin to move in {ways} nowhere. They are stretched straight or flat: at \
                 first they give way to a load across them without resisting, and then they bear it by forces many \
                 times as large."
            ),
            "Give them some slack, or some depth across the line in which they lie.",
        )
    } else {
        (
            format!(
                "The loops of {names} are in a singular pose, a dead centre: {} here and {lasting} a little farther \
                 on. They can leave it in more than one way, and rounding decides which.",
                degrees(freedom),
            ),
            "Start a little away from that pose.",
        )
    };
    found.push(Finding {
        rule: Rule::Singular,
        severity: Severity::Warning,
        bodies: mechanism.bodies.clone(),
        joints: linkage.joints.to_vec(),
        what,
        cure: cure.into(),
        fix: None,
    });
}
