//! Loops that jam because some of their axes are nearly, but not exactly, aligned: a door on two hinges that are a
//! few degrees out of line.
//!
//! ```text
//! Take the hinges and sliders of a loop that cannot move, with axes that differ by up to 15°. If the loop can move once
//! all of them lie along one of these axes, or along the line through two of their anchors, the misalignment jams it.
//! ```
//! This is tested by trial: the rows are computed with the changed axes, and their rank is computed again.

use glam::Vec3;

use super::linkage::{ActiveRows, Linkage, equality_rows};
use super::rows::{self, JointRow, MEET};
use super::words::{degrees, names, number};
use super::{Finding, Fix, Rule, Severity};
use delassus_physics::joint::Joint;
use delassus_physics::joints::{Freedom, UNBOUNDED};
use delassus_physics::row::RowList;

/// Axes that differ by more than this angle are assumed to be different on purpose, rad.
const INTENDED: f32 = 0.27;
/// Axes that differ by less than this angle count as parallel, rad; the rank does not detect such differences either.
const PARALLEL: f32 = 1e-4;
/// The largest number of directions that are tried.
const TRIES: usize = 24;
/// Rates below this count as zero, for motions and values of unit length.
const STILL: f64 = 1e-3;

/// A hinge or slider whose axis has to be aligned with others.
struct Axis {
    joint: usize,
    /// World frame, unit length, all in the same half space.
    along: Vec3,
    anchor: Vec3,
    /// Whether it rotates about a fixed line; a slider fits any parallel line.
    hinge: bool,
}

/// A direction that frees the loop: which joints to change, and the resulting degrees of freedom.
struct Cure {
    direction: Vec3,
    changed: Vec<usize>,
    freedom: usize,
}

pub fn examine(linkage: &Linkage<'_>, active: &ActiveRows, found: &mut Vec<Finding>) {
    let values = linkage.values(&linkage.case.world.state.bodies);
    let locked = |joint: usize| values.iter().any(|(owner, row)| *owner == joint && active.rate(row) < STILL);
    let mut remaining: Vec<Axis> = axes(linkage);
    while !remaining.is_empty() {
        let first = remaining.remove(0);
        let near = |axis: &Axis| between(axis.along, first.along) <= INTENDED;
        let (mut cluster, others): (Vec<Axis>, Vec<Axis>) = remaining.into_iter().partition(near);
        remaining = others;
        cluster.insert(0, first);
        if cluster.len() > 1 && cluster.iter().any(|axis| locked(axis.joint)) {
            for axis in 1..cluster.len() {
                if cluster[axis].along.dot(cluster[0].along) < 0.0 {
                    cluster[axis].along = -cluster[axis].along;
                }
            }
            if let Some(cure) = best(linkage, active, &cluster, &locked) {
                report(linkage, active, &cluster, &cure, found);
            }
        }
    }
}

/// The axes of the loops' hinges and sliders.
fn axes(linkage: &Linkage<'_>) -> Vec<Axis> {
    let world = linkage.case.world;
    let axis = |joint: &usize| {
        let joint_state = &world.state.joints[*joint];
        let ends = joint_state.frames(&world.state.bodies);
        let hinge = match joint_state.def.kind.info().free {
            Freedom::Turn => true,
            Freedom::Slide => false,
            Freedom::Nothing | Freedom::More => return None,
        };
        Some(Axis { joint: *joint, along: ends.axis_a, anchor: ends.pa(), hinge })
    };
    linkage.joints.iter().filter_map(axis).collect()
}

/// The angle between two lines, 0 to π/2, rad.
fn between(a: Vec3, b: Vec3) -> f32 {
    a.cross(b).length().atan2(a.dot(b).abs())
}

/// The direction that frees the cluster while changing the fewest axes.
fn best(linkage: &Linkage<'_>, active: &ActiveRows, cluster: &[Axis], locked: &dyn Fn(usize) -> bool) -> Option<Cure> {
    let mut directions: Vec<Vec3> = Vec::new();
    let mut add_direction = |direction: Vec3| {
        if between(direction, cluster[0].along) <= INTENDED
            && directions.iter().all(|d| between(*d, direction) > PARALLEL)
        {
            directions.push(direction);
        }
    };
    cluster.iter().for_each(|axis| add_direction(axis.along));
    let hinges: Vec<&Axis> = cluster.iter().filter(|axis| axis.hinge).collect();
    for (k, one) in hinges.iter().enumerate() {
        for two in &hinges[k + 1..] {
            let line = two.anchor - one.anchor;
            if line.length() > MEET {
                let line = line.normalize();
                add_direction(if line.dot(cluster[0].along) < 0.0 { -line } else { line });
            }
        }
    }
    let mut best: Option<Cure> = None;
    for direction in directions.into_iter().take(TRIES) {
        let changed: Vec<usize> =
            cluster.iter().filter(|axis| between(axis.along, direction) > PARALLEL).map(|axis| axis.joint).collect();
        if changed.is_empty() {
            continue;
        }
        let (rows, values) = aligned(linkage, &changed, direction);
        let trial = linkage.active_rows(equality_rows(rows));
        let frees = |joint: usize| values.iter().any(|(owner, row)| *owner == joint && trial.rate(row) > STILL);
        let freed = cluster.iter().any(|axis| locked(axis.joint) && frees(axis.joint));
        let freedom = trial.free.len();
        let better = best
            .as_ref()
            .is_none_or(|b| freedom > b.freedom || (freedom == b.freedom && changed.len() < b.changed.len()));
        if freedom > active.free.len() && freed && better {
            best = Some(Cure { direction, changed, freedom });
        }
    }
    best
}

/// All rows, and the joints' free values, with the axes of some joints along a direction.
fn aligned(linkage: &Linkage<'_>, changed: &[usize], direction: Vec3) -> (Vec<JointRow>, Vec<(usize, Vec<f64>)>) {
    let world = linkage.case.world;
    let (mut rows, mut values, mut list) = (Vec::new(), Vec::new(), RowList::default());
    for index in linkage.joints {
        let mut joint: Joint = (*world.state.joints[*index]).clone();
        if changed.contains(index) {
            joint.def.axis_a = world.state.bodies[joint.def.a as usize].rotation.inverse() * direction;
            joint.def.axis_b = world.state.bodies[joint.def.b as usize].rotation.inverse() * direction;
        }
        rows::of_joint(*index, &joint, &world.state.bodies, &mut list, &mut rows);
        if let Some(jacobian) = rows::free_value(&joint, &world.state.bodies) {
            values.push((*index, linkage.value(*index, jacobian)));
        }
    }
    (rows, values)
}

fn report(linkage: &Linkage<'_>, active: &ActiveRows, cluster: &[Axis], cure: &Cure, found: &mut Vec<Finding>) {
    let case = linkage.case;
    let joints: Vec<usize> = cluster.iter().map(|axis| axis.joint).collect();
    // The largest angle between two axes, and the largest distance between two hinges' lines.
    let (mut widest, mut pair, mut offset) = (0.0f32, (0, 1), 0.0f32);
    for (i, one) in cluster.iter().enumerate() {
        for (j, two) in cluster.iter().enumerate().skip(i + 1) {
            let angle = between(one.along, two.along);
            if angle > widest {
                (widest, pair) = (angle, (i, j));
            }
            if one.hinge && two.hinge {
                offset = offset.max((two.anchor - one.anchor).reject_from(one.along).length());
            }
        }
    }
    let all = names(case, &joints);
    let how = if widest > PARALLEL {
        let (one, two) = (&cluster[pair.0], &cluster[pair.1]);
        format!(
            "the axes of {} and {} differ by {}°",
            case.joint(one.joint),
            case.joint(two.joint),
            number(widest.to_degrees())
        )
    } else {
        format!("their axes are parallel, but {} mm apart", number(1e3 * offset))
    };
    let now = match active.free.len() {
        0 => "nothing in the loop can move".to_owned(),
        freedom => format!("it has {}", degrees(freedom)),
    };
    let bodies = (cluster.iter())
        .flat_map(|axis| [case.world.state.joints[axis.joint].def.b, case.world.state.joints[axis.joint].def.a])
        .filter(|id| linkage.bodies.contains(id));
    let mut concerned: Vec<u32> = Vec::new();
    for id in bodies {
        if !concerned.contains(&id) {
            concerned.push(id);
        }
    }
    let pushing: Vec<String> = (joints.iter())
        .filter_map(|joint| {
            let (speed, cap) = case.world.state.joints[*joint].def.kind.motor()?;
            let with =
                if cap >= UNBOUNDED { "without bound".to_owned() } else { format!("with up to {}", number(cap)) };
            (speed != 0.0).then(|| format!(" The motor of {} pushes against that {with}.", case.joint(*joint)))
        })
        .collect();
    let d = cure.direction;
    let along = format!("({}, {}, {})", number(d.x), number(d.y), number(d.z));
    found.push(Finding {
        rule: Rule::Jam,
        severity: Severity::Warning,
        bodies: concerned,
        joints,
        what: format!(
            "{all} jam: {how}, and {now}. With all axes along {along}, {} would have {}.{}",
            names_of_bodies(linkage),
            degrees(cure.freedom),
            pushing.concat()
        ),
        cure: format!("Give {} the axis {along}.", names(case, &cure.changed)),
        fix: cure.changed.first().map(|joint| Fix::Axis { joint: *joint, axis: cure.direction }),
    });
}

fn names_of_bodies(linkage: &Linkage<'_>) -> String {
    match linkage.bodies {
        [one] => linkage.case.body(*one).to_owned(),
        many => format!("the {} bodies", many.len()),
    }
}
