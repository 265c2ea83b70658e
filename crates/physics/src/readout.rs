//! What is read of a joint after a step: errors and values at the new poses, and forces by the purpose of its rows.
//!
//! ```text
//! force  = Σ λ lin / h    over all rows, on B at B's anchor, and its opposite on A
//! torque = Σ λ angB / h   over the angular rows (lin = 0): what the anchor's lever arm does not account for
//! energy = ½ k C²         over the soft rows, k = m ω², m the spring's mass (`softness.rs`); ½ I q̇² of an armature
//! ```
//! The impulses are those of the last sub-step's velocity solve; a split position correction adds none. They act along
//! the rows at the poses with which that sub-step began, and under SHAKE and RATTLE they are the forces of that moment,
//! a sub-step (or a part of a divided step) h before the poses and velocities that are read. For a bead that circles on
//! a string, F = m r ω² points along the string as it was then; its component along the present string is smaller, by
//! the factor cos(h ω).
//!
//! A row's jacobian need not be of unit length, so λ alone is not a torque: a stop written as 2 sin(θ/2) has the
//! length cos(θ/2), an ellipse of 10° by 60° has 1/6 on its long side. For motor, spring and limit the readout is the
//! generalized force that goes with the joint's value x, Q dx = work. A hinge's angle and a twist both grow as fast as
//! B rotates about A's axis a, so
//!
//! ```text
//! Q = Σ λ a · angB / h  (angular rows),  Σ λ / h  (linear ones, of unit length)      Q > 0 drives the value up
//! ```
//! Of a joint with several free axes they are those of the axis whose value is read; of an angle that is a component
//! of a rotation vector Q = Σ λ / h, since J is its gradient.
//!
//! The limit of a rope on a drum is the force by which the drum stops the rope's end, Σ λ / h, N > 0 away from it.
//!
//! A swing is limited towards any side; the readout of its torque, Σ λ angB / h, is the norm.

use glam::{Vec3, Vec3A};

use super::row::{Group, Row, RowId};

/// Readout of a joint after a step. World frame, SI units; forces are on B.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Readout {
    /// Distance of the anchors from where they should be, m.
    pub error: f32,
    /// The angular error, rad: for a lock the angle of the rotation that would remove it, for a hinge the angle between
    /// the axes, for a stop the overrun; for several of these the root of the sum of squares.
    pub angular_error: f32,
    /// What the kind measures, rad or m: see [`super::joints::JointInfo::measures`].
    pub value: f32,
    /// Rate of `value`, rad/s or m/s.
    pub speed: f32,
    /// B's anchor from A's, m, and B's rotation vector since the pose of the scene, rad, along and about A's axes. Of a
    /// joint with axes of its own, along and about these and from its zero.
    pub slides: Vec3,
    pub angles: Vec3,
    /// Force of all linear rows, limits and motors included, N, and torque of all angular ones, N·m. Like all forces
    /// here they are those at the start of the last sub-step.
    pub force: Vec3,
    pub torque: Vec3,
    /// Force of the anchor's rows, N.
    pub anchor: Vec3,
    /// Torque of the rows that hold an orientation or an axis, N·m.
    pub axis: Vec3,
    /// Generalized forces of spring, motor and limits, N along the joint's value or N·m about its axis; positive where
    /// they drive the value up.
    pub spring: f32,
    pub motor: f32,
    pub limit: f32,
    /// The same of its friction and of its damper.
    pub friction: f32,
    pub damping: f32,
    /// Force between the teeth of gears or along a screw's thread, or by which one span of a belt pulls more than the
    /// other, N.
    pub coupling: f32,
    /// Norm of the torque of a swing's limit, N·m.
    pub swing: f32,
    /// Mass to which the frequency of its spring or servo refers, kg or kg m²; zero without one.
    pub sprung: f32,
    /// Elastic energy of its soft rows, and kinetic energy of its armature, J.
    pub energy: f32,
    /// The largest residual of its rows after the last sweep, m/s or rad/s.
    pub residual: f32,
    /// Length of the sub-step, s: an impulse is its force times this.
    pub h: f32,
    pub stops: Stops,
}

/// The angle θ, rad, of the chord 2 sin(θ/2) of the unit circle.
pub fn angle_of_chord(chord: f32) -> f32 {
    2.0 * (0.5 * chord).min(1.0).asin()
}

/// The limits that a joint is at: those that push, or are exceeded.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Stops {
    /// The lower stop.
    pub least: bool,
    /// The upper stop, or a taut rope.
    pub greatest: bool,
    /// The limit of a swing, on any side.
    pub swing: bool,
}

impl Stops {
    /// Whether the joint is at any limit.
    pub fn any(&self) -> bool {
        self.least || self.greatest || self.swing
    }

    pub(super) fn set(&mut self, group: Group, lower: bool) {
        match (group, lower) {
            (Group::Swing, _) => self.swing = true,
            (_, true) => self.least = true,
            (_, false) => self.greatest = true,
        }
    }
}

impl Readout {
    /// Whether all its numbers are finite.
    pub fn is_finite(&self) -> bool {
        let Self { force, torque, anchor, axis, slides, angles, .. } = *self;
        let vectors = [force, torque, anchor, axis, slides, angles].iter().all(|v| v.is_finite());
        let Self {
            error,
            angular_error,
            value,
            speed,
            spring,
            motor,
            limit,
            swing,
            energy,
            friction,
            damping,
            coupling,
            ..
        } = *self;
        vectors
            && [error, angular_error, value, speed, spring, motor, limit, swing, energy, friction, damping, coupling]
                .iter()
                .all(|v| v.is_finite())
    }

    /// Norm of the impulse of all linear rows in the last sub-step, N·s.
    pub fn impulse(&self) -> f32 {
        self.force.length() * self.h
    }
}

/// Force, N, and torque, N·m, of a joint's rows on B, world frame.
pub fn load(rows: &[Row], h: f32) -> (Vec3, Vec3) {
    let (mut force, mut torque) = (Vec3A::ZERO, Vec3A::ZERO);
    for row in rows {
        force += row.lin * row.impulse;
        torque += angular(row) * row.impulse;
    }
    (Vec3::from(force) / h, Vec3::from(torque) / h)
}

/// The couple of a row per unit of impulse; zero for a linear row, whose moment comes from its lever arm.
pub(super) fn angular(row: &Row) -> Vec3A {
    if row.is_angular() { row.ang_b } else { Vec3A::ZERO }
}

/// Rows along the world's axes that carry a joint's load, for its readout: an impulse at B's anchor, N·s, and the
/// impulse of a couple, N·m·s.
pub fn rows_of(joint: u32, linear: Vec3, angular: Vec3) -> ([Row; 6], [RowId; 6]) {
    let free = Row { lo: f32::NEG_INFINITY, hi: f32::INFINITY, ..Row::default() };
    let rows = std::array::from_fn(|slot| {
        let axis = Vec3A::from(Vec3::AXES[slot % 3]);
        if slot < 3 {
            Row { lin: axis, impulse: linear[slot], ..free }
        } else {
            Row { ang_a: -axis, ang_b: axis, impulse: angular[slot - 3], ..free }
        }
    });
    let ids = std::array::from_fn(|slot| {
        let group = if slot < 3 { Group::Anchor } else { Group::Axis };
        RowId::Joint { joint, slot: slot as u8, group }
    });
    (rows, ids)
}
