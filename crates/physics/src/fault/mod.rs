//! Faults in a world's state, and the guard that keeps them from spreading: rows and contacts would carry a NaN to
//! every body within a few steps.
//!
//! A velocity that is not finite or too high is set to zero. A move that is not finite or leads out of the world is not
//! made. The other bodies go on. The first fault is kept, so that the caller of the step can stop and report it.

pub(crate) mod check;

use glam::Vec3;

use super::body::{Body, Velocity};

/// Speeds above this count as an explosion, m/s and rad/s.
pub const RUNAWAY: f32 = 1e5;
/// The farthest coordinate from the world's origin, m. Its square is still finite in 32 bits.
pub const EDGE: f32 = 1e12;

/// The first fault of a world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fault {
    pub body: u32,
    /// The step in which it occurred; the first is 1.
    pub step: u64,
    pub kind: FaultKind,
}

/// The kind of a fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultKind {
    /// A velocity, a correction or a force was infinite or NaN.
    NotFinite,
    /// A speed above `RUNAWAY`, or a position beyond `EDGE`.
    RanAway,
}

/// The faults of a sub-step.
#[derive(Debug, Clone, Copy, Default)]
pub struct FaultWatch {
    /// The first body with a fault, and its kind.
    pub first: Option<(u32, FaultKind)>,
    /// Velocities set to zero and moves not made.
    pub stopped: usize,
}

impl FaultWatch {
    /// Records a fault.
    #[cold]
    pub fn record(&mut self, body: u32, kind: FaultKind) {
        self.first.get_or_insert((body, kind));
        self.stopped += 1;
    }

    /// Returns whether a velocity is valid; one that is not is set to zero.
    #[inline(always)]
    pub fn contain(&mut self, body: u32, velocity: &mut Velocity) -> bool {
        let fastest = velocity.linear.abs().max(velocity.angular.abs()).max_element();
        // A comparison with NaN is false, but a maximum may drop a NaN.
        let fine = fastest < RUNAWAY && velocity.is_finite();
        if !fine {
            self.record(body, if velocity.is_finite() { FaultKind::RanAway } else { FaultKind::NotFinite });
            *velocity = Velocity::default();
        }
        fine
    }

    /// Moves a body's centre of mass by `by`, m, unless the new position is invalid; returns whether it was moved.
    #[inline(always)]
    pub fn shift(&mut self, index: u32, body: &mut Body, by: Vec3) -> bool {
        let to = body.position + by;
        let fine = to.abs().max_element() < EDGE && to.is_finite();
        if fine {
            body.position = to;
        } else {
            self.record(index, if to.is_finite() { FaultKind::RanAway } else { FaultKind::NotFinite });
        }
        fine
    }
}
