//! Redundant rows of closed loops: rows that depend on other rows, and agree with them or contradict them.
//!
//! ```text
//! y J = 0: the rows are linearly dependent with weights y;  y C = 0: they agree, and their forces are not unique;
//! y C ≠ 0: they contradict each other, and no pose satisfies them all
//! ```

use super::gram_schmidt::dot;
use super::linkage::{ActiveRows, Linkage};
use super::words::names;
use super::{Finding, Rule, Severity};
use delassus_physics::joints::JointKind;

/// Contradictions below this are rounding errors, m (or rad times the size of the loops).
const AGREES: f64 = 1e-3;
/// Rows with a smaller share in a dependence are not part of it.
const SHARE: f64 = 0.03;

/// Reports the redundant rows; if the loop jams, that has been reported already.
pub fn examine(linkage: &Linkage<'_>, active: &ActiveRows, jammed: bool, found: &mut Vec<Finding>) {
    let redundant = active.basis.dependent.len();
    if redundant == 0 {
        return;
    }
    let errors = active.errors();
    let mut contradiction = 0.0f64;
    let mut concerned = vec![false; linkage.joints.len()];
    for row in &active.basis.dependent {
        let y = active.basis.dependence(*row);
        contradiction = contradiction.max(dot(&y, &errors).abs());
        let largest = y.iter().fold(0.0, |largest: f64, y| largest.max(y.abs()));
        for (row, _) in active.held.iter().zip(&y).filter(|(_, y)| y.abs() > SHARE * largest) {
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
        .flat_map(|joint| {
            [linkage.case.world.state.joints[*joint].def.a, linkage.case.world.state.joints[*joint].def.b]
        })
        .filter(|id| linkage.bodies.binary_search(id).is_ok())
        .collect();
    bodies.sort_unstable();
    bodies.dedup();
    let (count, rank) = (active.held.len(), active.basis.rank());
    let (number, repeat) =
        if redundant == 1 { ("one".to_owned(), "repeats") } else { (redundant.to_string(), "repeat") };
    let mut what = format!(
        "In the loops of {}, {number} of {count} rows {repeat} the others: the bodies have {} ways to move, and the \
         rows remove {rank}.",
        names(linkage.case, &joints),
        linkage.width,
    );
    what += &if contradicts {
        format!(
            " At the start they contradict each other by {contradiction:.2e} m, and no impulses can satisfy them all."
        )
    } else {
        " They agree, but the solver decides how they share the forces.".to_owned()
    };
    found.push(Finding {
        rule: Rule::Loop,
        severity: if contradicts { Severity::Warning } else { Severity::Note },
        cure: cure(joints.iter().map(|joint| &linkage.case.world.state.joints[*joint].def.kind)),
        bodies,
        joints,
        what,
        fix: None,
    });
}

/// Kinds with fewer rows for the kinds of joint that there are.
fn cure<'a>(kinds: impl Iterator<Item = &'a JointKind>) -> String {
    let (mut hinge, mut weld, mut ball) = (false, false, false);
    for kind in kinds {
        hinge |= matches!(kind, JointKind::Hinge(_));
        weld |= matches!(kind, JointKind::Fixed(_));
        ball |= matches!(kind, JointKind::BallSocket(_));
    }
    let list = [
        (hinge, "a ball-socket in place of a hinge removes two"),
        (weld, "a ball-socket in place of a weld removes three"),
        (ball && !hinge && !weld, "a rod (`Distance`) in place of a ball-socket removes two"),
    ];
    let list: Vec<&str> = list.iter().filter(|(there, _)| *there).map(|(_, words)| *words).collect();
    let fewer = match list.as_slice() {
        [] => "Use fewer rows: remove a joint of the loop, or replace it by a kind with fewer rows.".to_owned(),
        list => format!("Use fewer rows: {}.", list.join(", ")),
    };
    fewer
        + " Then their forces are unique. If the sweeps leave a gap in the loop, use more iterations or the direct \
           solver."
}

#[cfg(test)]
mod tests {
    use super::cure;
    use delassus_physics::joints::{BallSocket, Fixed, Hinge, JointKind};

    #[test]
    fn a_loop_of_ball_sockets_is_not_cured_by_ball_sockets() {
        let (ball, hinge, weld) = (
            JointKind::BallSocket(BallSocket::default()),
            JointKind::Hinge(Hinge::default()),
            JointKind::Fixed(Fixed::default()),
        );
        assert!(cure([&ball, &ball].into_iter()).contains("a rod"));
        let mixed = cure([&ball, &hinge, &weld].into_iter());
        assert!(mixed.contains("of a hinge") && mixed.contains("of a weld") && !mixed.contains("a rod"), "{mixed}");
        assert!(cure(std::iter::empty()).contains("remove a joint"));
    }
}
