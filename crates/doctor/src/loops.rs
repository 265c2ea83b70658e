//! The closed loops of a mechanism, all together: dependences among their rows, the loops' motions, and whether these
//! continue after a small motion.

use super::continuation;
use super::linkage::{Linkage, equality_rows};
use super::mechanism::{Decomposition, JointRows, Mechanism};
use super::rows::JointRow;
use super::words::{degrees, names};
use super::{DoctorCase, Finding, Rule, Severity, drives, jams, redundancy, stops};
use delassus_physics::body::Body;

/// The most rows that are examined together: that takes about 2 n²m operations.
pub const MOST_ROWS: usize = 900;
/// The most rows of loops whose motions are followed.
pub const FEW_ROWS: usize = 240;
/// The total number of operations after which further loops are skipped: some tenths of a second.
const ENOUGH: f64 = 1e9;

/// Shared by the examinations of all mechanisms: a copy of the bodies to be moved, made on first use, and the
/// operations so far.
#[derive(Default)]
pub struct LoopScratch {
    bodies: Vec<Box<Body>>,
    spent: f64,
}

/// Examines the loops of a mechanism; `aside` is the number of motions of the bodies that were removed before.
pub fn examine(
    case: &DoctorCase<'_>,
    parts: &Decomposition,
    asked: &JointRows,
    aside: usize,
    mechanism: &mut Mechanism,
    scratch: &mut LoopScratch,
    found: &mut Vec<Finding>,
) {
    let linkage = Linkage::new(case, &parts.bodies, &parts.joints);
    let rows: Vec<JointRow> = parts.joints.iter().flat_map(|joint| asked.of_joint(*joint)).copied().collect();
    let work = 4.0 * (rows.len() * rows.len() * linkage.width) as f64;
    if rows.len() > MOST_ROWS || scratch.spent + work > ENOUGH {
        passed_over(&linkage, rows.len(), found);
        return;
    }
    scratch.spent += work;
    let active = linkage.active_rows(equality_rows(rows.clone()));
    mechanism.spare = active.basis.dependent.len();
    mechanism.freedom = Some(aside + active.free.len());
    let few = rows.len() <= FEW_ROWS && scratch.spent + (continuation::MAX_PROJECTIONS as f64 + 8.0) * work < ENOUGH;
    let (inner, rigid) = linkage.inner(&active);
    let here = active.free.len();
    let onward = if few && !inner.is_empty() {
        scratch.spent += continuation::MAX_PROJECTIONS as f64 * work;
        continuation::continue_motion(&linkage, &inner, here, &mut scratch.bodies)
    } else {
        None
    };
    // Rigid motions always continue.
    let lasting = match &onward {
        Some(onward) if onward.continuing == usize::MAX => Some(onward.displaced_freedom.min(here)),
        Some(onward) => Some((onward.continuing + rigid).min(onward.displaced_freedom.max(rigid)).min(here)),
        None => inner.is_empty().then_some(here),
    };
    mechanism.lasting = lasting.map(|lasting| aside + lasting);
    let jammed = few && {
        let before = found.len();
        jams::examine(&linkage, &active, found);
        found.len() > before
    };
    redundancy::examine(&linkage, &active, jammed, found);
    if let (Some(onward), Some(lasting)) = (&onward, lasting) {
        singular(&linkage, mechanism, here, lasting, onward.continuing.saturating_add(rigid) < here, found);
    }
    let others = drives::LoopState { jammed, moved: onward.as_ref().and_then(|o| o.moved.as_ref()) };
    drives::examine(&linkage, &rows, &active, &others, mechanism, found);
    mechanism.stopped = stops::examine(&linkage, &rows, &active, found);
}

fn passed_over(linkage: &Linkage<'_>, rows: usize, found: &mut Vec<Finding>) {
    found.push(Finding {
        rule: Rule::Loop,
        severity: Severity::Note,
        bodies: linkage.bodies.to_vec(),
        joints: linkage.joints.to_vec(),
        what: format!(
            "The loops of {} were not examined: they have {rows} rows, and up to {MOST_ROWS} are examined, fewer if \
             other loops came before.",
            names(linkage.case, linkage.joints)
        ),
        cure: "No action is needed.".into(),
        fix: None,
    });
}

/// Motions that are only instantaneous: drawn back, or at a bifurcation.
fn singular(
    linkage: &Linkage<'_>,
    mechanism: &Mechanism,
    here: usize,
    lasting: usize,
    back: bool,
    found: &mut Vec<Finding>,
) {
    if lasting >= here {
        return;
    }
    let names = names(linkage.case, linkage.joints);
    let (what, cure) = if back {
        let ways = match here - lasting {
            1 => "one way that leads".to_owned(),
            more => format!("{more} ways that lead"),
        };
        (
            format!(
                "The loops of {names} can begin to move in {ways} nowhere: stretched straight or flat, they give way \
                 to a load across without resisting, and bear it then by forces many times as large."
            ),
            "Give them some slack, or a depth across the line in which they lie.",
        )
    } else {
        (
            format!(
                "The loops of {names} stand in a singular pose, a dead centre: {} here and {lasting} a small way on. \
                 They can leave it in more than one way, and rounding decides in which.",
                degrees(here),
            ),
            "Start a little beside that pose.",
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
