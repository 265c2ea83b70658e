//! What is found: the analysis, and each of its samples.

use glam::{DQuat, DVec3};

use delassus_doctor::DoctorCase;

use crate::forces::Reaction;
use crate::path::Barrier;
use crate::rows::{Measure, Twist};

/// The force or torque of a drive, N or N·m, positive where it drives the value up: at rest, and at the asked speed.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct DriveLoad {
    pub at_rest: f64,
    pub moving: f64,
}

/// A joint at a sample.
#[derive(Debug, Clone, PartialEq)]
pub struct JointAt {
    /// Its value, rad or m, its rate and its acceleration; none where it has no single value.
    pub value: Option<[f64; 3]>,
    /// What it bears at rest, and at the asked speed.
    pub at_rest: Reaction,
    pub moving: Reaction,
}

/// A body at a sample: its centre of mass, m, its orientation, velocity and acceleration, world frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BodyAt {
    pub position: DVec3,
    pub rotation: DQuat,
    pub velocity: Twist,
    pub acceleration: Twist,
}

/// A sample.
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    /// The value of the driven joint, rad or m.
    pub value: f64,
    /// In the order of [`Analysis::joints`] and [`Analysis::bodies`].
    pub joints: Vec<JointAt>,
    pub bodies: Vec<BodyAt>,
    pub drive: DriveLoad,
    /// What holds the held joints.
    pub held: Vec<DriveLoad>,
    /// The rate of the output's value for each rate of the driven one.
    pub ratio: Option<f64>,
    /// Of the pairs of [`Analysis::centres`], world frame, m; none at infinity.
    pub centres: Vec<Option<DVec3>>,
    /// The point's place, m, velocity, m/s, and acceleration, m/s², world frame.
    pub point: Option<[DVec3; 3]>,
    /// The largest error of the joints, m; angles times the mechanism's size.
    pub error: f64,
}

impl Sample {
    /// The mechanical advantage: the output's force or torque for each of the drive, without friction and inertia.
    /// Infinite at a dead centre of the output.
    pub fn advantage(&self) -> Option<f64> {
        self.ratio.map(|ratio| 1.0 / ratio)
    }
}

/// A pair of bodies whose instant centre is listed; 0 is the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Centre {
    pub bodies: [u32; 2],
}

/// Where a joint turns back: its index in the world, the driven value, and its own, rad or m.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Turn {
    pub joint: usize,
    pub driven: f64,
    pub value: f64,
}

/// Where the mechanism stopped before the end of its travel.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stopped {
    /// The driven value, rad or m.
    pub value: f64,
    pub barrier: Barrier,
}

/// What the driven joint's motor has, and what it needs at the asked speed, N·m or N.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MotorUse {
    pub cap: f64,
    /// The largest need, and the driven value there.
    pub worst: f64,
    pub at: f64,
}

/// Motions that remain with the driven joint held, and in which no centre of mass moves: a rod that spins about its own
/// axis. They are left at rest by the shortest velocities.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Idle {
    pub motions: usize,
}

/// What was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Analysis {
    /// The driven joint and what its value measures.
    pub joint: usize,
    pub measure: Measure,
    pub speed: f64,
    /// The joints of the mechanism, by their index in the world, and its dynamic bodies.
    pub joints: Vec<usize>,
    pub bodies: Vec<u32>,
    /// The joints that are held.
    pub held: Vec<usize>,
    pub output: Option<usize>,
    pub samples: Vec<Sample>,
    pub stopped: Option<Stopped>,
    pub turns: Vec<Turn>,
    pub motor: Option<MotorUse>,
    /// The normal of the plane in which all bodies move, if there is one; world frame.
    pub normal: Option<DVec3>,
    /// The pairs of bodies whose instant centres the samples list.
    pub centres: Vec<Centre>,
    pub idle: Idle,
    /// Redundant rows, among which the load is shared by the least norm.
    pub redundant: usize,
    /// The largest error of the scene's joints, m, before their loops were closed; angles times the size.
    pub open: f64,
    /// Whether any row has 32 bits only.
    pub is_single_precision: bool,
    /// The size of the mechanism, m.
    pub size: f64,
    /// Joints of the mechanism whose friction is left out, and those whose motors or servos are.
    pub with_friction: Vec<usize>,
    pub with_motor: Vec<usize>,
    /// Whether it has bodies that a mover moves; they stay where they are.
    pub has_movers: bool,
}

impl Analysis {
    /// A driven value with its unit, as text: an angle in degrees.
    pub fn shown(&self, value: f64) -> String {
        self.measure.words(value)
    }

    /// Where and why it stopped, as text.
    pub fn stopped_words(&self, case: &DoctorCase<'_>) -> Option<String> {
        let stopped = self.stopped?;
        Some(format!("{}, {}", self.shown(stopped.value), why(case, self.joint, stopped.barrier)))
    }
}

/// Why it stopped, as text.
pub(crate) fn why(case: &DoctorCase<'_>, driven: usize, barrier: Barrier) -> String {
    match barrier {
        Barrier::DeadCentre => "a dead centre".into(),
        Barrier::Stop { joint } if joint == driven => "at its own stop".into(),
        Barrier::Stop { joint } => format!("where `{}` is at its stop", case.joint(joint)),
    }
}

/// The first sample at which this is largest in size.
pub fn largest(samples: &[Sample], of: impl Fn(&Sample) -> f64) -> Option<&Sample> {
    // A later one that is larger by rounding only is not.
    let is_larger = |new: f64, old: f64| new > old * (1.0 + 1e-9) && new > 1e-12;
    samples.iter().reduce(|old, new| if is_larger(of(new).abs(), of(old).abs()) { new } else { old })
}
