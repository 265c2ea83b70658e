//! Measures of a world after a step: energy, momentum, errors. The sums are in f64, so that rounding does not grow
//! with the number of bodies.

use glam::DVec3;

use super::body::Motion;
pub use super::phases::Phases;
use super::row::RowList;
use super::sums::{Sums, sum};
use super::world::World;
use super::{stability, threads};

/// Measures of a world.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Metrics {
    /// Kinetic energy of the dynamic bodies, J.
    pub kinetic_energy: f64,
    /// Potential energy, −m g·x with zero at the world's origin, J.
    pub potential_energy: f64,
    /// Elastic energy of the joints' soft rows, ½ k C², J; without the mouse's spring.
    pub spring_energy: f64,
    /// Of the dynamic bodies, N·s.
    pub momentum: DVec3,
    /// Of the dynamic bodies, about the world's origin, N·m·s.
    pub angular_momentum: DVec3,
    /// Worst and mean anchor error over the joints, m.
    pub joint_error_max: f64,
    pub joint_error_mean: f64,
    /// Worst orientation error over the joints, rad.
    pub angular_error_max: f64,
    /// Deepest overlap, m; zero where nothing overlaps.
    pub penetration_max: f64,
    /// Contact points, including predicted ones.
    pub contacts: usize,
    pub rows: usize,
    /// The largest residual of a row after the last sweep, m/s or rad/s.
    pub residual: f64,
    /// Mean number of sweeps in a sub-step of the last step.
    pub sweeps: f64,
    /// Number of parts of the last step; more than 1 where a mechanism whips: see `divide/`.
    pub parts: u32,
    /// Estimated spectral radius of the sweep; `None` without the setting `solver.spectrum_every`.
    pub radius: Option<f64>,
    /// How often a body has been stopped, or a move of it not made, because it was not finite or ran away: see
    /// `super::fault`.
    pub stopped: usize,
    /// Impulses that were clamped or reset before they were carried to the next step: see `warm_start.impulse_cap`.
    pub guarded: usize,
    /// Joints that have broken.
    pub broken: usize,
    /// Sleeping bodies: see `super::sleep`.
    pub asleep: usize,
    /// Whether rows keep adding energy, which ends in an explosion: see [`super::stability::grows`].
    pub growing: bool,
}

impl Metrics {
    /// Total energy, J: kinetic, potential and elastic.
    pub fn energy(&self) -> f64 {
        self.kinetic_energy + self.potential_energy + self.spring_energy
    }

    /// Updates what the step has counted, without going through the bodies: contacts, rows, residual, sweeps and
    /// faults. The other fields stay as they are.
    pub fn count(&mut self, world: &World) {
        let residual =
            world.pipeline.executor.on_device.image().map_or(world.report.residual, |image| image.residual());
        (self.rows, self.residual) = (world.report.row_count, residual.into());
        (self.stopped, self.guarded, self.asleep) =
            (world.report.stopped, world.report.guarded, world.state.sleep.count());
        self.sweeps =
            f64::from(world.report.sweeps) / f64::from((world.settings.step.substeps * world.report.parts).max(1));
        self.parts = world.report.parts;
        self.radius = world.report.spectrum.map(|s| s.radius.into()).filter(|r: &f64| r.is_finite());
        (self.contacts, self.penetration_max) = (0, 0.0);
        for (_, _, manifold) in world.state.contacts.manifolds() {
            self.contacts += manifold.points.len();
            for point in &manifold.points {
                self.penetration_max = self.penetration_max.max(f64::from(-point.separation));
            }
        }
    }
}

/// Number of bodies, and of joints, in one piece of the sums.
const PIECE: usize = 4096;

/// The sums of one piece of the bodies and joints, without those that the articulations sum up themselves.
fn piece(world: &World, piece: usize) -> Sums {
    let mut sums = Sums::default();
    let range = |count: usize| (piece * PIECE).min(count)..((piece + 1) * PIECE).min(count);
    let gravity = world.settings.step.gravity.as_dvec3();
    for index in
        range(world.state.bodies.len()).filter(|index| !world.pipeline.executor.articulations.is_body_behind(*index))
    {
        let body = &world.state.bodies[index];
        if body.motion != Motion::Dynamic {
            continue;
        }
        let mass = f64::from(body.mass);
        let (position, rotation, velocity) = world.state(index as u32);
        let (x, v, w) = (position.as_dvec3(), velocity.linear.as_dvec3(), velocity.angular.as_dvec3());
        let spin = body.inertia_at(rotation).as_dmat3() * w;
        sums.kinetic += 0.5 * (mass * v.length_squared() + w.dot(spin));
        sums.potential -= mass * gravity.dot(x);
        sums.momentum += mass * v;
        sums.moving += mass;
        sums.angular += mass * x.cross(v) + spin;
    }
    let mut list = RowList::default();
    for index in
        range(world.state.joints.len()).filter(|index| !world.pipeline.executor.articulations.is_joint_behind(*index))
    {
        let joint = &world.state.joints[index];
        let away = world.pipeline.executor.on_device.is_ahead();
        let readout = if away { world.joint_now(index, &mut list).1 } else { joint.readout };
        sums.errors += f64::from(readout.error);
        sums.largest_gap = sums.largest_gap.max(readout.error.into());
        sums.largest_angle = sums.largest_angle.max(readout.angular_error.into());
        sums.springs += f64::from(readout.energy);
        sums.broken += usize::from(joint.broken.is_some());
    }
    sums
}

/// Measures the present state of the world.
pub fn measure(world: &World) -> Metrics {
    let mut m = Metrics::default();
    m.count(world);
    let threads = threads::count(world.settings.solver.threads);
    let pieces = world.state.bodies.len().max(world.state.joints.len()).div_ceil(PIECE);
    let mut sums = sum(threads, pieces, |piece| self::piece(world, piece));
    sums.add(&world.pipeline.executor.articulations.sums(world.settings.step.gravity, threads));
    (m.kinetic_energy, m.potential_energy, m.spring_energy) = (sums.kinetic, sums.potential, sums.springs);
    (m.momentum, m.angular_momentum, m.broken) = (sums.momentum, sums.angular, sums.broken);
    m.growing = stability::grows(world, m.kinetic_energy, sums.moving);
    (m.joint_error_max, m.angular_error_max) = (sums.largest_gap, sums.largest_angle);
    m.joint_error_mean = sums.errors / world.state.joints.len().max(1) as f64;
    m
}

impl World {
    /// Energy, momentum, errors and counts of the present state.
    pub fn metrics(&self) -> Metrics {
        measure(self)
    }
}
