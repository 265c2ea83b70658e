//! Moves a linkage a small distance along one of its motions, and projects it back onto C = 0 with minimal steps.
//!
//! ```text
//! C + J Δ = 0 with the least ‖Δ‖, repeated (Gauss–Newton)
//! it stays where it was moved    a true motion; the rank there is that of the neighbouring poses
//! it is drawn back               an infinitesimal motion only: a chain stretched straight
//! ```

use glam::Quat;

use super::gram_schmidt::dot;
use super::linkage::{Linkage, Stand, equality_rows};
use super::rows::JointRow;
use delassus_physics::body::Body;

/// The distance moved along a motion, in sizes of the linkage.
const STEP: f64 = 0.05;
/// The tolerance of C = 0, in sizes of the linkage.
const CLOSED: f64 = 2e-5;
/// The largest number of projection steps.
pub const DRAWS: usize = 16;
/// The share of a motion that remains after the projection: of a true motion, and of one that partly leads on.
const WHOLE: f64 = 0.9;
const LEADS: f64 = 0.4;
/// With more motions than this, the examination stops if the first mixture does not simply lead on.
const FEW: usize = 12;
/// The least number of mixtures of motions that are tried: at a bifurcation each leads into the nearest branch.
const MIXTURES: usize = 6;

/// The state of the loops after a small motion.
pub struct DisplacedPose {
    pub stand: Stand,
    /// All rows in that pose.
    pub rows: Vec<JointRow>,
    /// The rows of the joints' free values in that pose, by joint.
    pub values: Vec<(usize, Vec<f64>)>,
}

impl Linkage<'_> {
    /// Moves the bodies by `motion`, given in the linkage's unknowns.
    pub fn displace(&self, bodies: &mut [Box<Body>], motion: &[f64]) {
        for (at, id) in self.bodies.iter().enumerate() {
            let (shift, turn) = self.twist(at, motion);
            let body = &mut bodies[*id as usize];
            body.position += shift;
            body.rotation = (Quat::from_scaled_axis(turn) * body.rotation).normalize();
        }
    }

    /// The error below which C counts as zero, m.
    fn enough(&self, bodies: &[Box<Body>]) -> f64 {
        let reach = self.bodies.iter().map(|id| bodies[*id as usize].position.length()).fold(self.size, f32::max);
        // f32 has 7 digits of a coordinate.
        CLOSED * f64::from(self.size) + 1e-6 * f64::from(reach)
    }

    /// Projects the bodies onto C = 0. False if this fails, as it must if the rows contradict each other.
    pub fn close(&self, bodies: &mut [Box<Body>]) -> bool {
        let enough = self.enough(bodies);
        for _ in 0..DRAWS {
            let held = equality_rows(self.rows(bodies));
            let stand = self.stand(held);
            let open: Vec<f64> = stand.errors();
            if open.iter().all(|c| c.abs() <= enough) {
                return true;
            }
            let wanted: Vec<f64> = open.iter().map(|c| -c).collect();
            let step = stand.taken.solve(&wanted);
            if !step.iter().all(|x| x.is_finite()) || dot(&step, &step).sqrt() > f64::from(self.size) {
                return false;
            }
            self.displace(bodies, &step);
        }
        false
    }

    /// Moves the bodies of `bench` from `start` a small distance along a motion and projects them onto C = 0. Returns
    /// the displacement in the linkage's unknowns, divided by the distance along the motion.
    fn go(&self, start: &[Box<Body>], bench: &mut Vec<Box<Body>>, motion: &[f64], by: f64) -> Option<Vec<f64>> {
        if bench.len() != start.len() {
            *bench = start.to_vec();
        }
        self.put_back(start, bench);
        // The body that moves farthest moves by the step.
        let most = self.fastest(motion);
        if most <= 0.0 {
            return None;
        }
        let by = by * f64::from(self.size) / most;
        let step: Vec<f64> = motion.iter().map(|x| x * by).collect();
        self.displace(bench, &step);
        if !self.close(bench) {
            return None;
        }
        let mut gone = vec![0.0; self.width];
        for (at, id) in self.bodies.iter().enumerate() {
            let (from, to) = (&start[*id as usize], &bench[*id as usize]);
            let turn = (to.rotation * from.rotation.inverse()).to_scaled_axis();
            for (k, freedom) in self.freedoms[at].iter().enumerate() {
                let freedom = freedom.shift.dot(to.position - from.position) + self.size * freedom.turn.dot(turn);
                gone[self.first[at] + k] = f64::from(freedom) / by;
            }
        }
        Some(gone)
    }

    /// Puts the bodies back at their start.
    pub fn put_back(&self, start: &[Box<Body>], bench: &mut [Box<Body>]) {
        for id in self.bodies {
            let (from, to) = (&start[*id as usize], &mut bench[*id as usize]);
            (to.position, to.rotation) = (from.position, from.rotation);
        }
    }
}

/// The result of following a linkage's motions.
pub struct Continuation {
    /// The state after a small motion, if any motion leads on.
    pub moved: Option<DisplacedPose>,
    /// The number of motions that lead on (`usize::MAX`: all of them), and the number of motions at the displaced
    /// pose.
    pub leading: usize,
    pub there: usize,
}

/// Follows the linkage's inner motions a small distance; the linkage has `freedom` motions in all. `None` if there
/// are too many of them and the first mixture does not simply lead on, or if the linkage cannot be closed at its
/// start.
pub fn continue_motion(
    linkage: &Linkage<'_>,
    inner: &[Vec<f64>],
    freedom: usize,
    bench: &mut Vec<Box<Body>>,
) -> Option<Continuation> {
    let world = &linkage.case.world.state.bodies;
    let mut closed = Vec::new();
    let stand = linkage.stand(equality_rows(linkage.rows(world)));
    if stand.errors().iter().any(|c| c.abs() > linkage.enough(world)) {
        closed.clone_from(world);
        if !linkage.close(&mut closed) {
            return None;
        }
    }
    let start = if closed.is_empty() { world } else { &closed };
    let here = |linkage: &Linkage<'_>, bench: &mut Vec<Box<Body>>| {
        let (rows, values) = (linkage.rows(bench), linkage.values(bench));
        linkage.put_back(start, bench);
        DisplacedPose { stand: linkage.stand(equality_rows(rows.clone())), rows, values }
    };
    let count = inner.len();
    let mut moved: Option<DisplacedPose> = None;
    // The displacements in terms of the inner motions.
    let mut paths: Vec<Vec<f64>> = Vec::new();
    let tries = if count > 1 { count.max(MIXTURES) } else { 1 };
    for turn in 0..tries {
        // A mixture of all motions with pseudo-random weights that differ each time.
        let mut motion = vec![0.0; linkage.width];
        for (k, v) in inner.iter().enumerate() {
            let share = ((k + 1) as f64 * (turn + 1) as f64 * 0.618_034 + 0.1).fract() - 0.5;
            motion.iter_mut().zip(v).for_each(|(x, y)| *x += (share + 0.6 * share.signum()) * y);
        }
        let length = dot(&motion, &motion).sqrt();
        motion.iter_mut().for_each(|x| *x /= length.max(f64::MIN_POSITIVE));
        for by in [STEP, -STEP] {
            let Some(gone) = linkage.go(start, bench, &motion, by) else { continue };
            let leads = dot(&gone, &motion);
            let to = here(linkage, bench);
            if leads > WHOLE && to.stand.free.len() >= freedom {
                // The regular case: at least as many motions there as here, and the displacement follows the motion.
                let there = to.stand.free.len();
                return Some(Continuation { moved: Some(to), leading: usize::MAX, there });
            }
            paths.push(inner.iter().map(|v| dot(v, &gone)).collect());
            if leads > LEADS && moved.as_ref().is_none_or(|m| to.stand.free.len() < m.stand.free.len()) {
                moved = Some(to);
            }
            break;
        }
        if turn == 0 && count > FEW {
            return None;
        }
    }
    // The number of independent directions among the displacements; motions that were drawn back leave only a small
    // part.
    let mut leading = 0;
    while let Some(longest) = paths.iter().max_by(|a, b| dot(a, a).total_cmp(&dot(b, b))).cloned() {
        let length = dot(&longest, &longest).sqrt();
        if length < LEADS * 0.6 {
            break;
        }
        leading += 1;
        for path in &mut paths {
            let along = dot(path, &longest) / (length * length);
            path.iter_mut().zip(&longest).for_each(|(x, y)| *x -= along * y);
        }
    }
    let there = moved.as_ref().map_or(0, |m| m.stand.free.len());
    Some(Continuation { moved, leading, there })
}
