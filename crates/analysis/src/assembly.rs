//! The ways to assemble the loops of a joint at its present value: a four-bar linkage closes open and crossed.
//!
//! The joints of a spanning tree of the loops are given random values, always the same ones; the joint itself and what is
//! held keep theirs. From there Newton's method closes the rest. What is found counts once, if no joint is beyond a stop
//! and no axis points the other way.

use delassus_doctor::DoctorCase;
use delassus_physics::joints::JointKind;

use crate::coordinate::Coordinate;
use crate::linkage::State;
use crate::loops::Loops;
use crate::newton::{self, Newton};
use crate::path::{BEYOND, Drive, Walker, beyond_stop};
use crate::pose::carried;
use crate::refusal::Refusal;
use crate::rows::{Measure, Pose};

/// The starts.
const STARTS: u64 = 48;
/// For larger loops no other ways are looked for.
const MAX_BODIES: usize = 12;
/// Ways whose points are nearer than this share of the size are one.
const SAME: f64 = 1e-3;

/// A way to assemble.
#[derive(Debug, Clone, PartialEq)]
pub struct Assembly {
    /// Where the bodies are: their centres of mass and orientations, by ascending number.
    pub moved: Vec<(u32, Pose)>,
    /// Whether this is the present one.
    pub is_present: bool,
}

/// The ways to assemble the loops of a joint at the present value of its coordinate, the present one among them; in an
/// order that does not depend on which it is. One if it is part of no loop. `cancelled` is asked between starts, and
/// ends the search.
///
/// # Errors
/// A [`Refusal`] if the joint cannot be posed at all.
pub fn assemblies(
    case: &DoctorCase<'_>,
    joint: usize,
    coordinate: Coordinate,
    cancelled: impl Fn() -> bool,
) -> Result<Vec<Assembly>, Refusal> {
    let mut loops = Loops::of(case, joint, coordinate)?;
    let present = loops.closed.clone();
    let alone = |loops: &Loops<'_>| vec![Assembly { moved: loops.moved(&present), is_present: true }];
    let drives = loops.linkage.bodies.len() <= MAX_BODIES && loops.linkage.joints.len() > 1;
    let Some((kept, _)) = loops.held(&present).filter(|_| drives) else { return Ok(alone(&loops)) };
    let (driven, by) = loops.driven;
    let drive = Drive { driven, by: Some(by), held: Vec::new(), kept };
    let mut found = vec![present.clone()];
    for start in 0..STARTS {
        if cancelled() {
            break;
        }
        let from = scattered(&loops, &drive, start);
        if let Some(state) = closed(&mut loops, &drive, from)
            && found.iter().all(|other| is_other(&loops, other, &state))
        {
            found.push(state);
        }
    }
    let mut all: Vec<(Vec<i64>, Assembly)> = (found.iter().enumerate())
        .map(|(k, state)| {
            let rounded = |x: f64| (x / (SAME * loops.linkage.size)).round() as i64;
            let key = loops.points(state).iter().flat_map(|p| p.to_array()).map(rounded).collect();
            (key, Assembly { moved: loops.moved(state), is_present: k == 0 })
        })
        .collect();
    all.sort_by(|(a, _), (b, _)| a.cmp(b));
    Ok(all.into_iter().map(|(_, assembly)| assembly).collect())
}

fn is_other(loops: &Loops<'_>, one: &State, other: &State) -> bool {
    let apart = loops.points(one).into_iter().zip(loops.points(other)).map(|(a, b)| a.distance(b));
    apart.fold(0.0, f64::max) > SAME * loops.linkage.size
}

/// Closes the loops from afar; none if that fails, or if a joint does not allow what is found.
fn closed(loops: &mut Loops<'_>, drive: &Drive, from: State) -> Option<State> {
    let present = loops.closed.clone();
    let walker = Walker::from(&mut loops.linkage, drive.clone(), present.clone())?;
    let value = walker.value();
    let drives = drive.kept.len() + 1;
    let system = |state: &State| walker.linkage.system(walker.rows_at(state, value), drives);
    let mut state = newton::solve(walker.linkage, from, &Newton::FROM_AFAR, system).ok()?;
    for at in 0..loops.linkage.joints.len() {
        if let Some(row) = loops.linkage.value(at, &state) {
            state.values[at] = row.error;
        }
        let joint = &loops.linkage.joints[at].1;
        let beyond = |state: &State| {
            let value = Some(state.values[at]).filter(|value| !value.is_nan());
            beyond_stop(joint, loops.linkage.ends(at, &state.poses), value)
        };
        let most = beyond(&present) + BEYOND * loops.linkage.size.max(1.0);
        let [a, b] = loops.linkage.ends(at, &state.poses);
        let axes = (a.rotation * joint.def.axis_a.as_dvec3()).dot(b.rotation * joint.def.axis_b.as_dvec3());
        if beyond(&state) > most || (keeps_axis(&joint.def.kind) && axes < 0.0) {
            return None;
        }
    }
    Some(state)
}

/// Whether a joint's rows hold B's axis along A's, which they do as well if it points the other way.
fn keeps_axis(kind: &JointKind) -> bool {
    matches!(
        kind,
        JointKind::Hinge(_)
            | JointKind::RotaryMotor(_)
            | JointKind::Cylindrical(_)
            | JointKind::Screw(_)
            | JointKind::AxisLock(_)
    )
}

/// The bodies where the joints of a spanning tree have random values.
fn scattered(loops: &Loops<'_>, drive: &Drive, start: u64) -> State {
    let (linkage, mut state) = (&loops.linkage, loops.closed.clone());
    let mut random = Random(start);
    let mut placed: Vec<bool> = vec![true; state.poses.len()];
    linkage.bodies.iter().for_each(|id| placed[*id as usize] = false);
    // The driven joint first, so that its value stays.
    let mut order: Vec<usize> = (0..linkage.joints.len()).collect();
    order.rotate_left(drive.driven);
    order[1..].sort_by_key(|at| random.of(*at as u64));
    while let Some(at) = order.iter().copied().find(|at| {
        let def = &linkage.joints[*at].1.def;
        placed[def.a as usize] != placed[def.b as usize]
    }) {
        let joint = &linkage.joints[at].1;
        let [a, b] = [joint.def.a as usize, joint.def.b as usize];
        let (known, new) = if placed[a] { (a, b) } else { (b, a) };
        let before = |id: usize| loops.closed.poses[id];
        state.poses[new] = carried(&before(new), &before(known), &state.poses[known]);
        for coordinate in Coordinate::of(&joint.def.kind) {
            if (at, coordinate) == loops.driven || drive.kept.contains(&(at, coordinate)) {
                continue;
            }
            let now = linkage.coordinate((at, coordinate), &state.poses, 0.0).error;
            let half = if coordinate.measure() == Measure::Angle { std::f64::consts::PI } else { linkage.size };
            let (least, greatest) = coordinate.range(joint).unwrap_or((now - half, now + half));
            let (least, greatest) = (least.max(now - half), greatest.min(now + half));
            let to = least + (greatest - least) * random.next();
            let set = coordinate.set(joint, &state.poses[a], &state.poses[b], to);
            // A moves against B as B would against A.
            let [from, to] = if new == b { [state.poses[b], set] } else { [set, state.poses[b]] };
            state.poses[new] = carried(&state.poses[new], &from, &to);
        }
        placed[new] = true;
    }
    state
}

/// Numbers that look random and are the same in each run: SplitMix64.
struct Random(u64);

impl Random {
    fn mixed(mut z: u64) -> u64 {
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number for this one.
    fn of(&self, at: u64) -> u64 {
        Self::mixed(self.0.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ at.wrapping_add(1).wrapping_mul(0xD1B5_4A32_D192_ED03))
    }

    /// From 0 to 1.
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        (Self::mixed(self.0) >> 11) as f64 / (1u64 << 53) as f64
    }
}
