//! Closed loops of joints whose rows depend on each other.
//!
//! ```text
//! J of the loop's equality rows, each row of length one, over the bodies' ways to move; angles times the loop's size
//! rank = number of singular values above 10⁻⁴ of the largest;  y J = 0: those rows say what the others say
//! y c = 0: they agree, and how the forces are shared is left open;  y c ≠ 0: they contradict each other
//! ```
//! The loops are those that one joint closes in a tree that spans the mechanism: dependence within such a loop is found,
//! dependence that only several loops together have is not. A loop that is stretched straight is singular, too: pulling
//! its two ends is a force that moves nothing.

use glam::Vec3;

use super::graph::{Forest, GROUND, node};
use super::svd::decompose;
use super::{Case, Finding, Rule, Severity};
use crate::physics::row::{Law, RowList};

/// Singular values below this share of the largest count as zero: f32 poses leave some 10⁻⁶.
const ZERO: f64 = 1e-4;
/// A contradiction below this is rounding, m (or rad times the loop's size).
const AGREES: f64 = 1e-3;
/// The most rows of a loop: its decomposition takes some 10 n² m operations.
const MOST_ROWS: usize = 150;
/// The operations after which it is enough.
const ENOUGH: f64 = 1e9;

pub fn examine(case: &Case<'_>, found: &mut Vec<Finding>) {
    let mut list = RowList::default();
    let mut equalities = |joint: usize| {
        let joint = &case.world.joints[joint];
        list.rows.clear();
        joint.def.kind.linearize(&joint.ends(&case.world.bodies), &mut list);
        list.rows.retain(|row| matches!(row.law, Law::Equal { .. }));
        list.rows.clone()
    };
    let holds: Vec<bool> = (0..case.world.joints.len()).map(|joint| !equalities(joint).is_empty()).collect();
    let forest = Forest::new(case, |joint| holds[joint]);
    let (mut spent, mut passed_over) = (0.0, 0);
    for closing in &forest.closing {
        let cycle = forest.cycle(*closing);
        let rows: Vec<_> = cycle.iter().flat_map(|j| equalities(*j).into_iter().map(move |row| (*j, row))).collect();
        let work = 10.0 * (rows.len() * rows.len() * 6 * cycle.len()) as f64;
        if rows.len() > MOST_ROWS || spent + work > ENOUGH {
            passed_over += 1;
            continue;
        }
        spent += work;
        found.extend(of_loop(case, &cycle, &rows));
    }
    if passed_over > 0 {
        found.push(Finding {
            rule: Rule::Loop,
            severity: Severity::Note,
            bodies: Vec::new(),
            joints: Vec::new(),
            what: format!(
                "{passed_over} loops of joints were not looked at: they have more than {MOST_ROWS} rows, or are too many."
            ),
            cure: "Nothing need be done.".into(),
            fix: None,
        });
    }
}

/// The finding of one loop, if its rows depend on each other.
fn of_loop(case: &Case<'_>, cycle: &[usize], rows: &[(usize, crate::physics::row::RowSpec)]) -> Option<Finding> {
    let world = case.world;
    let mut bodies: Vec<u32> = Vec::new();
    for joint in cycle {
        let def = &world.joints[*joint].def;
        for body in [def.a, def.b] {
            if node(case, body) != GROUND && !bodies.contains(&body) {
                bodies.push(body);
            }
        }
    }
    // A length to measure angles by.
    let anchors: Vec<Vec3> = cycle.iter().map(|j| world.joints[*j].ends(&world.bodies).pa()).collect();
    let middle = anchors.iter().sum::<Vec3>() / anchors.len() as f32;
    let centres = bodies.iter().map(|b| world.bodies[*b as usize].position);
    let size = anchors.iter().copied().chain(centres).map(|p| p.distance(middle)).fold(0.1, f32::max);

    let ways: Vec<Vec<Way>> = bodies.iter().map(|b| ways(case, *b)).collect();
    let (mut columns, mut errors) = (Vec::new(), Vec::new());
    for (joint, row) in rows {
        let def = &world.joints[*joint].def;
        let mut column = Vec::new();
        for (body, ways) in bodies.iter().zip(&ways) {
            for way in ways {
                let mut entry = 0.0;
                if *body == def.a {
                    entry += row.jacobian.ang_a.dot(way.turn) / size - row.jacobian.lin.dot(way.shift);
                }
                if *body == def.b {
                    entry += row.jacobian.ang_b.dot(way.turn) / size + row.jacobian.lin.dot(way.shift);
                }
                column.push(f64::from(entry));
            }
        }
        let length = column.iter().map(|v| v * v).sum::<f64>().sqrt();
        let Law::Equal { c } = row.law else { continue };
        if length > 0.0 {
            column.iter_mut().for_each(|v| *v /= length);
            columns.push(column);
            errors.push(f64::from(c) / length);
        }
    }
    let count = columns.len();
    let freedom: usize = ways.iter().map(Vec::len).sum();
    let svd = decompose(columns);
    let largest = *svd.singular.first()?;
    let rank = svd.singular.iter().filter(|s| **s > ZERO * largest).count();
    if rank == count {
        return None;
    }
    let off = |y: &Vec<f64>| y.iter().zip(&errors).map(|(y, c)| y * c).sum::<f64>().abs();
    let contradiction = svd.combinations[rank..].iter().map(off).fold(0.0, f64::max);
    let spare = count - rank;
    let least = svd.singular[..rank].last().copied().unwrap_or(0.0);
    let names: Vec<&str> = cycle.iter().take(6).map(|j| case.joint(*j)).collect();
    let others = if cycle.len() > 6 { format!(" and {} more", cycle.len() - 6) } else { String::new() };
    let rows_say = if spare == 1 { "one says" } else { "say" };
    let spare_rows = if spare == 1 { String::new() } else { format!("{spare} ") };
    let mut what = format!(
        "The loop of {}{others}: of {count} rows {spare_rows}{rows_say} what the others say (singular values {largest:.2} to {least:.2e}, then below {:.0e}). The bodies have {freedom} ways to move, and the rows take away {rank}.",
        names.join(", "),
        ZERO * largest,
    );
    let contradicts = contradiction > AGREES;
    what += &if contradicts {
        format!(
            " At the start they contradict each other by {contradiction:.2e} m, and no impulses can satisfy them all."
        )
    } else {
        " They agree, but how they share the forces is left to the solver.".to_owned()
    };
    Some(Finding {
        rule: Rule::Loop,
        severity: if contradicts { Severity::Warning } else { Severity::Note },
        bodies,
        joints: cycle.to_vec(),
        what,
        cure: "Let fewer rows hold it: a ball-socket in place of a hinge takes two away, in place of a weld three. A loop \
            that starts stretched straight needs some slack."
            .into(),
        fix: None,
    })
}

/// A way in which a body can move: a shift along it, or a turn about it.
struct Way {
    shift: Vec3,
    turn: Vec3,
}

/// All six ways of a body, or those that are left to a particle or in a plane.
fn ways(case: &Case<'_>, body: u32) -> Vec<Way> {
    let shift = |along: Vec3| Way { shift: along, turn: Vec3::ZERO };
    let turn = |about: Vec3| Way { shift: Vec3::ZERO, turn: about };
    let turns = case.world.bodies[body as usize].inv_inertia_local != glam::Mat3::ZERO;
    match case.plane(body) {
        Some(normal) => {
            let (u, v) = normal.any_orthonormal_pair();
            [u, v].map(shift).into_iter().chain(turns.then(|| turn(normal))).collect()
        }
        None => {
            let turned: &[Vec3] = if turns { &Vec3::AXES } else { &[] };
            Vec3::AXES.map(shift).into_iter().chain(turned.iter().map(|about| turn(*about))).collect()
        }
    }
}
