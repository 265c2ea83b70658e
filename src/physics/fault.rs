//! Faults in a world's state, and the guard that keeps them from spreading: rows and contacts would carry a NaN to
//! every body within a few steps.
//!
//! A velocity that is not finite or too high is set to zero. A move that is not finite or leads out of the world is not
//! made. The other bodies go on. The first fault is kept, so that whoever runs the world can stop and report it.

use glam::Vec3;

use super::body::{Body, Motion, Velocity};
use super::world::World;

/// Speeds above this are taken for an explosion, m/s and rad/s.
pub const RUNAWAY: f32 = 1e5;
/// Nothing is farther from the world's origin than this, m: squares of 32 bits are still finite there.
pub const EDGE: f32 = 1e12;

/// The first thing that went wrong.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fault {
    pub body: u32,
    /// The step in which it went wrong; the first is 1.
    pub step: u64,
    pub kind: FaultKind,
}

/// What went wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultKind {
    /// A velocity, a correction or a force was infinite or no number.
    NotFinite,
    /// Faster than `RUNAWAY`, or farther away than `EDGE`.
    RanAway,
}

/// What a sub-step has done wrong.
#[derive(Debug, Clone, Copy, Default)]
pub struct FaultWatch {
    /// The first body, and how.
    pub first: Option<(u32, FaultKind)>,
    /// Velocities set to zero and moves not made.
    pub stopped: usize,
}

impl FaultWatch {
    /// Notes an offence.
    #[cold]
    pub fn note(&mut self, body: u32, kind: FaultKind) {
        self.first.get_or_insert((body, kind));
        self.stopped += 1;
    }

    /// Whether a velocity may stay as it is; one that may not is set to zero.
    #[inline(always)]
    pub fn contain(&mut self, body: u32, velocity: &mut Velocity) -> bool {
        let fastest = velocity.linear.abs().max(velocity.angular.abs()).max_element();
        // A comparison with what is not a number is false; of a maximum the number may be left.
        let fine = fastest < RUNAWAY && velocity.is_finite();
        if !fine {
            self.note(body, if velocity.is_finite() { FaultKind::RanAway } else { FaultKind::NotFinite });
            *velocity = Velocity::default();
        }
        fine
    }

    /// Moves a body's centre of mass, unless that leads nowhere. Whether it could.
    #[inline(always)]
    pub fn shift(&mut self, index: u32, body: &mut Body, by: Vec3) -> bool {
        let to = body.position + by;
        let fine = to.abs().max_element() < EDGE && to.is_finite();
        if fine {
            body.position = to;
        } else {
            self.note(index, if to.is_finite() { FaultKind::RanAway } else { FaultKind::NotFinite });
        }
        fine
    }
}

/// Looks at the velocities, as a sub-step leaves them or as the next finds them, and keeps what has gone wrong.
pub fn look(world: &mut World, mut watch: FaultWatch) {
    for (index, (body, velocity)) in world.bodies.iter().zip(&mut world.velocities).enumerate() {
        if body.motion == Motion::Static {
            // An impulse that overflowed times an inverse mass of zero is no number.
            *velocity = Velocity::default();
        } else {
            watch.contain(index as u32, velocity);
        }
    }
    keep(world, watch);
}

/// Keeps what has gone wrong in the step that is being made.
pub fn keep(world: &mut World, watch: FaultWatch) {
    world.stopped += watch.stopped;
    if let (None, Some((body, kind))) = (world.fault, watch.first) {
        world.fault = Some(Fault { body, step: world.step_count + 1, kind });
    }
}
