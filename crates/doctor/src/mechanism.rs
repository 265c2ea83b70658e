//! The mechanisms of a scene: bodies connected by joints, and their degrees of freedom.
//!
//! ```text
//! A body at the end of a single joint whose rows on it are independent loses as many degrees of freedom as there are
//! rows. It is removed, and so on inwards: trees of joints vanish, and the loops remain.
//! degrees of freedom = Σ over removed bodies (n − rows) + Σ n of the bodies in loops − rank of all rows of the loops
//! n: degrees of freedom of the body without joints
//! ```
//! This is exact, since a row block [C, D] with D of full rank adds its number of rows to the rank. Contacts are
//! ignored; static and kinematic bodies do not move.

use std::collections::{HashMap, HashSet};

use super::gram_schmidt::GramSchmidt;
use super::rows::{self, JointRow, RowRole};
use super::words::degrees;
use super::{DoctorCase, Finding, loops};
use delassus_physics::graph::DisjointSets;
use delassus_physics::row::RowList;
use delassus_scene::words::counted;

/// Bodies connected by joints, and their mobility at the start.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Mechanism {
    /// The ids of the dynamic bodies, ascending.
    pub bodies: Vec<u32>,
    pub joints: Vec<usize>,
    /// The degrees of freedom of the bodies without joints: six each, fewer for particles and in planes.
    pub freedoms: usize,
    /// Number of rows with C = 0 (held rows).
    pub rows: usize,
    /// Number of redundant rows among the held rows of the loops.
    pub redundant: usize,
    /// Number of independent instantaneous motions; `None` if the loops are too large to examine.
    pub freedom: Option<usize>,
    /// Number of those that remain possible as the mechanism moves; `None` if unknown.
    pub lasting: Option<usize>,
    /// Number of further motions that stops prevent in both directions.
    pub stopped: usize,
    /// Number of motions that motors prescribe.
    pub driven: usize,
    /// Joints whose value is stationary although others move: dead centres.
    pub dead: Vec<usize>,
    /// Similar mechanisms have the same number, see [`sort`].
    pub kind: usize,
}

impl Mechanism {
    /// The mobility as text.
    pub fn words(&self) -> String {
        let Some(freedom) = self.freedom else {
            return "not examined: its loops are too large, or too many came before it".to_owned();
        };
        let lasting = self.lasting.unwrap_or(freedom);
        let mut words = match (freedom, lasting) {
            (0, _) => "nothing can move".to_owned(),
            (_, 0) => "nothing can move except at this instant".to_owned(),
            (_, lasting) => degrees(lasting),
        };
        if lasting > 0 && freedom != lasting {
            words += &format!(", {freedom} at this instant");
        }
        if self.stopped > 0 {
            words += &match freedom - self.stopped.min(freedom) {
                0 => ", but its stops leave none".to_owned(),
                left => format!(", of which its stops leave {left}"),
            };
        }
        if self.driven > 0 {
            words += &format!(", {} driven", self.driven);
        }
        words
    }
}

/// The title of a mechanism, or of `count` similar ones: its bodies.
pub fn title(case: &DoctorCase<'_>, mechanism: &Mechanism, count: usize) -> String {
    title_by(|id| case.body(id), mechanism, count)
}

/// The same with a function that gives the names of bodies by id.
pub fn title_by<'n>(body: impl Fn(u32) -> &'n str, mechanism: &Mechanism, count: usize) -> String {
    let (bodies, joints) = (mechanism.bodies.len(), mechanism.joints.len());
    let first = mechanism.bodies.first().map_or("", |id| body(*id));
    let text = match (bodies, joints) {
        (1, 0) => first.to_owned(),
        (1, _) => format!("{first} on {}", counted(joints, "joint", "joints")),
        _ => format!("{first} and {} on {}", counted(bodies - 1, "body", "bodies"), counted(joints, "joint", "joints")),
    };
    if count > 1 { format!("{text}, and {} more like it", count - 1) } else { text }
}

/// Numbers the mechanisms by kind, and returns the index of the first mechanism of each kind with their number.
/// Mechanisms of a kind have equal numbers of bodies and joints and the same mobility in words.
pub fn sort(mechanisms: &mut [Mechanism]) -> Vec<(usize, usize)> {
    let mut kinds: Vec<(usize, usize)> = Vec::new();
    let mut at: HashMap<(usize, usize, String), usize> = HashMap::new();
    for (index, mechanism) in mechanisms.iter_mut().enumerate() {
        let key = (mechanism.bodies.len(), mechanism.joints.len(), mechanism.words());
        mechanism.kind = *at.entry(key).or_insert_with(|| {
            kinds.push((index, 0));
            kinds.len() - 1
        });
        kinds[mechanism.kind].1 += 1;
    }
    kinds
}

/// The rows of all joints.
pub struct JointRows {
    rows: Vec<JointRow>,
    /// For each joint the index of its first row; one more entry at the end.
    first: Vec<usize>,
}

impl JointRows {
    pub fn of(case: &DoctorCase<'_>) -> Self {
        let (mut rows, mut list) = (Vec::new(), RowList::default());
        let mut first = vec![0];
        for (index, joint) in case.world.state.joints.iter().enumerate() {
            rows::of_joint(index, joint, &case.world.state.bodies, &mut list, &mut rows);
            first.push(rows.len());
        }
        Self { rows, first }
    }

    pub fn of_joint(&self, joint: usize) -> &[JointRow] {
        &self.rows[self.first[joint]..self.first[joint + 1]]
    }
}

/// The bodies and joints of each mechanism, in the order of their first body; a free body is a mechanism of its own.
pub fn group(case: &DoctorCase<'_>) -> Vec<Mechanism> {
    let world = case.world;
    let dynamic = |id: u32| world.state.bodies[id as usize].is_dynamic();
    let mut sets = DisjointSets::new(world.state.bodies.len());
    for joint in world.state.joints.iter().filter(|j| j.broken.is_none() && dynamic(j.def.a) && dynamic(j.def.b)) {
        sets.join(joint.def.a, joint.def.b);
    }
    let mut number: HashMap<u32, usize> = HashMap::new();
    let mut mechanisms: Vec<Mechanism> = Vec::new();
    for id in (1..world.state.bodies.len() as u32).filter(|id| dynamic(*id)) {
        let at = *number.entry(sets.first(id)).or_insert_with(|| {
            mechanisms.push(Mechanism::default());
            mechanisms.len() - 1
        });
        mechanisms[at].bodies.push(id);
    }
    for (index, joint) in world.state.joints.iter().enumerate().filter(|(_, j)| j.broken.is_none()) {
        let moving = [joint.def.a, joint.def.b].into_iter().find(|id| dynamic(*id));
        if let Some(at) = moving.and_then(|id| number.get(&sets.first(id))) {
            mechanisms[*at].joints.push(index);
        }
    }
    mechanisms
}

/// A removed body: it is connected to the rest by one joint or none.
pub struct Leaf {
    pub body: u32,
    pub joint: Option<usize>,
}

/// A mechanism split into the removed bodies, in the order of removal, and its loops.
#[derive(Default)]
pub struct Decomposition {
    pub leaves: Vec<Leaf>,
    /// The bodies and joints of the loops.
    pub bodies: Vec<u32>,
    pub joints: Vec<usize>,
}

/// Splits a mechanism into trees and loops.
pub fn decompose(case: &DoctorCase<'_>, mechanism: &Mechanism, joint_rows: &JointRows) -> Decomposition {
    let index_of: HashMap<u32, usize> = mechanism.bodies.iter().enumerate().map(|(at, id)| (*id, at)).collect();
    // A joint without active rows is not an edge, nor is one whose ends cannot move relative to each other.
    let mut edges: Vec<Vec<usize>> = vec![Vec::new(); mechanism.bodies.len()];
    let mut removed: HashSet<usize> = HashSet::new();
    for joint in mechanism.joints.iter().filter(|joint| !joint_rows.of_joint(**joint).is_empty()) {
        let def = &case.world.state.joints[*joint].def;
        for at in [def.a, def.b].iter().filter_map(|id| index_of.get(id)) {
            edges[*at].push(*joint);
        }
    }
    let independent = |body: u32, joint: usize| {
        let rows = joint_rows.of_joint(joint);
        let (freedoms, size) = (rows::freedoms(case, body), rows::size(case, &[body]));
        let mut basis = GramSchmidt::new(freedoms.len());
        let vectors: Vec<Vec<f64>> = rows
            .iter()
            .map(|row| {
                let mut v: Vec<f64> = freedoms.iter().map(|twist| twist.row_entry(row, body, size)).collect();
                let length = v.iter().map(|x| x * x).sum::<f64>().sqrt();
                v.iter_mut().for_each(|x| *x /= length.max(f64::MIN_POSITIVE));
                v
            })
            .collect();
        rows.len() <= freedoms.len() && basis.add(&vectors) == rows.len()
    };
    let mut parts = Decomposition::default();
    let mut is_removed = vec![false; edges.len()];
    // The number of each body's joints that are not removed.
    let mut degrees: Vec<usize> = edges.iter().map(Vec::len).collect();
    let mut candidates: Vec<usize> = (0..edges.len()).rev().filter(|at| degrees[*at] <= 1).collect();
    while let Some(at) = candidates.pop() {
        if is_removed[at] || degrees[at] > 1 {
            continue;
        }
        let body = mechanism.bodies[at];
        let joint = edges[at].iter().copied().find(|joint| !removed.contains(joint));
        if joint.is_some_and(|joint| !independent(body, joint)) {
            continue;
        }
        is_removed[at] = true;
        parts.leaves.push(Leaf { body, joint });
        if let Some(joint) = joint {
            removed.insert(joint);
            degrees[at] = 0;
            let def = &case.world.state.joints[joint].def;
            let other = if def.a == body { def.b } else { def.a };
            if let Some(other) = index_of.get(&other) {
                degrees[*other] -= 1;
                candidates.push(*other);
            }
        }
    }
    parts.bodies = (0..edges.len()).filter(|at| !is_removed[*at]).map(|at| mechanism.bodies[at]).collect();
    let mut joints: Vec<usize> = edges.into_iter().flatten().filter(|joint| !removed.contains(joint)).collect();
    joints.sort_unstable();
    joints.dedup();
    parts.joints = joints;
    parts
}

/// The mechanisms; findings about their loops are added to `found`.
pub fn examine(case: &DoctorCase<'_>, found: &mut Vec<Finding>) -> Vec<Mechanism> {
    let joint_rows = JointRows::of(case);
    let mut mechanisms = group(case);
    let mut scratch = loops::LoopScratch::default();
    for mechanism in &mut mechanisms {
        if case.world.report.work.is_cancelled() {
            break;
        }
        let parts = decompose(case, mechanism, &joint_rows);
        let held = |joint: &usize| {
            joint_rows.of_joint(*joint).iter().filter(|r| matches!(r.role, RowRole::Held { .. })).count()
        };
        mechanism.freedoms = mechanism.bodies.iter().map(|id| rows::freedoms(case, *id).len()).sum();
        mechanism.rows = mechanism.joints.iter().map(held).sum();
        let tree_freedom: usize = parts
            .leaves
            .iter()
            .map(|leaf| rows::freedoms(case, leaf.body).len() - leaf.joint.as_ref().map_or(0, held))
            .sum();
        let driven = |leaf: &Leaf| {
            leaf.joint.is_some_and(|j| joint_rows.of_joint(j).iter().any(|r| matches!(r.role, RowRole::Driven { .. })))
        };
        mechanism.driven = parts.leaves.iter().filter(|leaf| driven(leaf)).count();
        if parts.bodies.is_empty() {
            (mechanism.freedom, mechanism.lasting) = (Some(tree_freedom), Some(tree_freedom));
        } else {
            loops::examine(case, &parts, &joint_rows, tree_freedom, mechanism, &mut scratch, found);
        }
    }
    mechanisms
}
