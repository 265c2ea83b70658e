//! Moves a linkage a small distance along one of its motions, and projects it back onto C = 0 with minimal steps.
//!
//! ```text
//! projection                     C + J Δ = 0 with the smallest ‖Δ‖, repeated (Gauss–Newton)
//! it stays where it was moved    a finite motion; the rank there is the rank of the neighbouring poses
//! it is projected to the start   an infinitesimal motion only, as of a chain stretched straight
//! ```

use glam::Quat;

use super::gram_schmidt::dot;
use super::linkage::{ActiveRows, Linkage, equality_rows};
use super::rows::JointRow;
use delassus_physics::body::Body;

/// The distance moved along a motion, as a fraction of the linkage's size.
const STEP: f64 = 0.05;
/// The tolerance of C = 0, as a fraction of the linkage's size.
const CLOSED: f64 = 2e-5;
/// The largest number of projection steps.
pub const MAX_PROJECTIONS: usize = 16;
/// The share of a motion that must remain after the projection for it to count as finite, or as finite in part.
const FINITE: f64 = 0.9;
const PARTLY_FINITE: f64 = 0.4;
/// With more motions than this, the search ends unless the first mixture of them is finite.
const MAX_MOTIONS: usize = 12;
/// The smallest number of mixtures of motions to try. At a bifurcation each of them leads into the nearest branch.
const MIXTURES: usize = 6;

/// The state of the loops after a small motion.
pub struct DisplacedPose {
    pub active: ActiveRows,
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
    fn tolerance(&self, bodies: &[Box<Body>]) -> f64 {
        let reach = self.bodies.iter().map(|id| bodies[*id as usize].position.length()).fold(self.size, f32::max);
        // f32 has 7 digits of a coordinate.
        CLOSED * f64::from(self.size) + 1e-6 * f64::from(reach)
    }

    /// Projects the bodies onto C = 0. False if this fails, as it must if the rows contradict each other.
    pub fn close(&self, bodies: &mut [Box<Body>]) -> bool {
        let tolerance = self.tolerance(bodies);
        for _ in 0..MAX_PROJECTIONS {
            let held = equality_rows(self.rows(bodies));
            let active = self.active_rows(held);
            let errors: Vec<f64> = active.errors();
            if errors.iter().all(|c| c.abs() <= tolerance) {
                return true;
            }
            let wanted: Vec<f64> = errors.iter().map(|c| -c).collect();
            let step = active.basis.solve(&wanted);
            if !step.iter().all(|x| x.is_finite()) || dot(&step, &step).sqrt() > f64::from(self.size) {
                return false;
            }
            self.displace(bodies, &step);
        }
        false
    }

    /// Moves copies of the bodies, `moved`, from `start` a small distance along a motion and projects them onto C = 0.
    /// The body that moves farthest moves by `distance`, in sizes of the linkage. Returns the displacement in the
    /// linkage's unknowns, divided by the factor by which the motion was scaled; none if the projection fails.
    fn follow(
        &self,
        start: &[Box<Body>],
        moved: &mut Vec<Box<Body>>,
        motion: &[f64],
        distance: f64,
    ) -> Option<Vec<f64>> {
        if moved.len() != start.len() {
            *moved = start.to_vec();
        }
        self.put_back(start, moved);
        let fastest = self.fastest(motion);
        if fastest <= 0.0 {
            return None;
        }
        let scale = distance * f64::from(self.size) / fastest;
        let step: Vec<f64> = motion.iter().map(|x| x * scale).collect();
        self.displace(moved, &step);
        if !self.close(moved) {
            return None;
        }
        let mut displacement = vec![0.0; self.width];
        for (at, id) in self.bodies.iter().enumerate() {
            let (from, to) = (&start[*id as usize], &moved[*id as usize]);
            let turn = (to.rotation * from.rotation.inverse()).to_scaled_axis();
            for (k, freedom) in self.freedoms[at].iter().enumerate() {
                let freedom = freedom.shift.dot(to.position - from.position) + self.size * freedom.turn.dot(turn);
                displacement[self.first[at] + k] = f64::from(freedom) / scale;
            }
        }
        Some(displacement)
    }

    /// Puts the bodies back at their start.
    pub fn put_back(&self, start: &[Box<Body>], moved: &mut [Box<Body>]) {
        for id in self.bodies {
            let (from, to) = (&start[*id as usize], &mut moved[*id as usize]);
            (to.position, to.rotation) = (from.position, from.rotation);
        }
    }
}

/// The result of following a linkage's motions.
pub struct Continuation {
    /// The state after a small motion, if any motion is finite.
    pub moved: Option<DisplacedPose>,
    /// The number of finite motions; `usize::MAX` for all of them.
    pub continuing: usize,
    /// The number of motions at the displaced pose.
    pub displaced_freedom: usize,
}

/// Follows the linkage's inner motions a small distance on `bench`, copies of the bodies. The linkage has `freedom`
/// motions in all. `None` if there are too many of them and the first mixture is not finite, or if the linkage cannot
/// be closed at its start.
pub fn continue_motion(
    linkage: &Linkage<'_>,
    inner: &[Vec<f64>],
    freedom: usize,
    bench: &mut Vec<Box<Body>>,
) -> Option<Continuation> {
    let world = &linkage.case.world.state.bodies;
    let mut closed = Vec::new();
    let active = linkage.active_rows(equality_rows(linkage.rows(world)));
    if active.errors().iter().any(|c| c.abs() > linkage.tolerance(world)) {
        closed.clone_from(world);
        if !linkage.close(&mut closed) {
            return None;
        }
    }
    let start = if closed.is_empty() { world } else { &closed };
    let here = |linkage: &Linkage<'_>, bench: &mut Vec<Box<Body>>| {
        let (rows, values) = (linkage.rows(bench), linkage.values(bench));
        linkage.put_back(start, bench);
        DisplacedPose { active: linkage.active_rows(equality_rows(rows.clone())), rows, values }
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
        for distance in [STEP, -STEP] {
            let Some(displacement) = linkage.follow(start, bench, &motion, distance) else { continue };
            let remains = dot(&displacement, &motion);
            let to = here(linkage, bench);
            if remains > FINITE && to.active.free.len() >= freedom {
                // The regular case: at least as many motions there as here, and the displacement follows the motion.
                let displaced_freedom = to.active.free.len();
                return Some(Continuation { moved: Some(to), continuing: usize::MAX, displaced_freedom });
            }
            paths.push(inner.iter().map(|v| dot(v, &displacement)).collect());
            if remains > PARTLY_FINITE && moved.as_ref().is_none_or(|m| to.active.free.len() < m.active.free.len()) {
                moved = Some(to);
            }
            break;
        }
        if turn == 0 && count > MAX_MOTIONS {
            return None;
        }
    }
    // The number of independent directions among the displacements. Of infinitesimal motions only a small part is left.
    let mut continuing = 0;
    while let Some(longest) = paths.iter().max_by(|a, b| dot(a, a).total_cmp(&dot(b, b))).cloned() {
        let length = dot(&longest, &longest).sqrt();
        if length < PARTLY_FINITE * 0.6 {
            break;
        }
        continuing += 1;
        for path in &mut paths {
            let along = dot(path, &longest) / (length * length);
            path.iter_mut().zip(&longest).for_each(|(x, y)| *x -= along * y);
        }
    }
    let displaced_freedom = moved.as_ref().map_or(0, |m| m.active.free.len());
    Some(Continuation { moved, continuing, displaced_freedom })
}
