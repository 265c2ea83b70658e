//! What is measured of a world after a step: energy, momentum, errors. Accumulated in f64, so that sums over many
//! bodies add no error of their own.

use std::time::Duration;

use glam::DVec3;

use super::body::Motion;
use super::stability;
use super::world::World;

/// Measures of a world.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Metrics {
    /// J, of dynamic bodies.
    pub kinetic_energy: f64,
    /// J, −m g·x with the world's origin as zero.
    pub potential_energy: f64,
    /// J, ½ k C² of the soft rows of joints: springs, not the mouse's hand.
    pub spring_energy: f64,
    /// N·s.
    pub momentum: DVec3,
    /// N·m·s, about the world's origin.
    pub angular_momentum: DVec3,
    /// Worst and mean anchor error over the joints, m.
    pub joint_error_max: f64,
    pub joint_error_mean: f64,
    /// Worst orientation error over the joints, rad.
    pub angular_error_max: f64,
    /// Deepest overlap, m; zero where nothing overlaps.
    pub penetration_max: f64,
    /// Contact points.
    pub contacts: usize,
    pub rows: usize,
    /// The largest velocity by which a row was still wrong after the last sweep, m/s or rad/s.
    pub residual: f64,
    /// Sweeps that a sub-step of the last step took, in the mean.
    pub sweeps: f64,
    /// The sweep's spectral radius, where the setting `solver.spectrum_every` has it estimated.
    pub radius: Option<f64>,
    /// How often a body has been brought to rest, or a move of it not made, because it was not finite or ran away: see
    /// `super::fault`.
    pub stopped: usize,
    /// Impulses that were cut down or reset before they were carried on: see `warm_start.impulse_cap`.
    pub guarded: usize,
    /// Joints that have broken.
    pub broken: usize,
    /// Whether the rows add energy, which ends in an explosion: see [`super::stability::grows`].
    pub growing: bool,
}

impl Metrics {
    /// All energy, J: of motion, of height and of springs.
    pub fn energy(&self) -> f64 {
        self.kinetic_energy + self.potential_energy + self.spring_energy
    }
}

/// Wall time of the last step by phase.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Phases {
    /// Bounding boxes and pairs.
    pub broad: Duration,
    /// Manifolds.
    pub narrow: Duration,
    /// Rows.
    pub prepare: Duration,
    /// Forces, warm start and sweeps.
    pub solve: Duration,
    /// Poses and read-outs.
    pub integrate: Duration,
}

impl Phases {
    pub fn total(&self) -> Duration {
        self.broad + self.narrow + self.prepare + self.solve + self.integrate
    }
}

/// Measures the world as it stands.
pub fn measure(world: &World) -> Metrics {
    let mut m = Metrics { rows: world.row_count, residual: world.residual.into(), ..Metrics::default() };
    (m.stopped, m.guarded) = (world.stopped, world.guarded);
    m.sweeps = f64::from(world.sweeps) / f64::from(world.settings.step.substeps.max(1));
    m.radius = world.spectrum.map(|s| s.radius.into()).filter(|r: &f64| r.is_finite());
    let gravity = world.settings.step.gravity.as_dvec3();
    let mut moving = 0.0;
    for (index, body) in (0..).zip(&world.bodies) {
        if body.motion != Motion::Dynamic {
            continue;
        }
        let mass = f64::from(body.mass);
        let (position, rotation, velocity) = world.state(index);
        let (x, v, w) = (position.as_dvec3(), velocity.linear.as_dvec3(), velocity.angular.as_dvec3());
        let spin = body.inertia_at(rotation).as_dmat3() * w;
        m.kinetic_energy += 0.5 * (mass * v.length_squared() + w.dot(spin));
        m.potential_energy -= mass * gravity.dot(x);
        m.momentum += mass * v;
        moving += mass;
        m.angular_momentum += mass * x.cross(v) + spin;
    }
    m.growing = stability::grows(world, m.kinetic_energy, moving);
    let off = world.forest.errors();
    (m.joint_error_max, m.angular_error_max, m.joint_error_mean) = (off.most.into(), off.most_angle.into(), off.sum);
    let known = world.joints.iter().enumerate().filter(|(index, _)| !world.forest.is_behind(*index));
    for (_, joint) in known {
        m.joint_error_max = m.joint_error_max.max(joint.readout.error.into());
        m.angular_error_max = m.angular_error_max.max(joint.readout.angular_error.into());
        m.joint_error_mean += f64::from(joint.readout.error);
        m.spring_energy += f64::from(joint.readout.energy);
        m.broken += usize::from(joint.broken.is_some());
    }
    m.joint_error_mean /= world.joints.len().max(1) as f64;
    for (_, _, manifold) in world.contacts.manifolds() {
        m.contacts += manifold.points.len();
        for point in &manifold.points {
            m.penetration_max = m.penetration_max.max(f64::from(-point.separation));
        }
    }
    m
}
