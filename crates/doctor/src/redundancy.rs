//! Redundant rows of closed loops: rows that depend on other rows, and agree with them or contradict them.
//!
//! ```text
//! y J = 0: the rows are linearly dependent with weights y;  y C = 0: they agree, and their forces are not unique;
//! y C ≠ 0: they contradict each other, and no pose satisfies them all
//! ```

use super::gram_schmidt::dot;
use super::linkage::{Linkage, Stand};
use super::words::names;
use super::{Finding, Rule, Severity};

/// Contradictions below this are rounding errors, m (or rad times the size of the loops).
const AGREES: f64 = 1e-3;
/// Rows with a smaller share in a dependence are not part of it.
const SHARE: f64 = 0.03;

/// Reports the redundant rows; if the loop jams, that has been reported already.
pub fn examine(linkage: &Linkage<'_>, stand: &Stand, jammed: bool, found: &mut Vec<Finding>) {
    let spare = stand.taken.dependent.len();
    if spare == 0 {
        return;
    }
    let errors = stand.errors();
    let mut contradiction = 0.0f64;
    let mut concerned = vec![false; linkage.joints.len()];
    for row in &stand.taken.dependent {
        let y = stand.taken.dependence(*row);
        contradiction = contradiction.max(dot(&y, &errors).abs());
        let most = y.iter().fold(0.0, |most: f64, y| most.max(y.abs()));
        for (row, _) in stand.held.iter().zip(&y).filter(|(_, y)| y.abs() > SHARE * most) {
            if let Ok(at) = linkage.joints.binary_search(&row.joint) {
                concerned[at] = true;
            }
        }
    }
    let contradicts = contradiction > AGREES;
    if jammed && !contradicts {
        return;
    }
    let joints: Vec<usize> = linkage.joints.iter().zip(&concerned).filter(|(_, on)| **on).map(|(j, _)| *j).collect();
    let mut bodies: Vec<u32> = (joints.iter())
        .flat_map(|joint| [linkage.case.world.joints[*joint].def.a, linkage.case.world.joints[*joint].def.b])
        .filter(|id| linkage.bodies.binary_search(id).is_ok())
        .collect();
    bodies.sort_unstable();
    bodies.dedup();
    let (count, rank) = (stand.held.len(), stand.taken.rank());
    let says = if spare == 1 { "one says" } else { "say" };
    let number = if spare == 1 { String::new() } else { format!("{spare} ") };
    let mut what = format!(
        "In the loops of {} {number}of {count} rows {says} what the others say: the bodies have {} ways to move, and \
         the rows take away {rank}.",
        names(linkage.case, &joints),
        linkage.width,
    );
    what += &if contradicts {
        format!(
            " At the start they contradict each other by {contradiction:.2e} m, and no impulses can satisfy them all."
        )
    } else {
        " They agree, but how they share the forces is left to the solver.".to_owned()
    };
    found.push(Finding {
        rule: Rule::Loop,
        severity: if contradicts { Severity::Warning } else { Severity::Note },
        bodies,
        joints,
        what,
        cure: "Let fewer rows hold it: a ball-socket in place of a hinge takes two away, in place of a weld three."
            .into(),
        fix: None,
    });
}
