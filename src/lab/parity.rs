//! One world by two processors: the same state, stepped by the processor and by the graphics device side by side, and
//! how far the two are apart after each step, body by body and row by row.
//!
//! ```text
//! of a body     |x − x'|, m;  |v − v'|, m/s
//! of a joint    |λ − λ'| over its rows, N s (N m s where they are angular), in the axes in which they are kept
//! ```
//! Sums in another order round otherwise, 2⁻²⁴ of what they add up; what a motion makes of that grows with it, in a
//! chain that cracks like a whip twofold in a quarter of a second. A kernel that is wrong shows in the first step.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::physics::device::{DeviceRefusal, StepDevice};
use crate::physics::settings::{Processor, Settings};
use crate::physics::world::World;

/// How far a body is from where it is by the other processor.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Deviation {
    /// m.
    pub position: f32,
    /// m/s.
    pub velocity: f32,
}

/// The largest differences after a step.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct StepDifference {
    pub step: u64,
    /// m, m/s and N s.
    pub position: f32,
    pub velocity: f32,
    pub impulse: f32,
}

/// Two runs from one state.
pub struct Parity {
    /// By the processor and by the device.
    sides: [World; 2],
    /// The step at which they were one.
    pub begun: u64,
    /// By body, and by joint.
    pub bodies: Vec<Deviation>,
    pub joints: Vec<f32>,
    pub moments: Vec<StepDifference>,
    /// Positions that are farther apart than this differ, m.
    pub epsilon: f32,
    /// The first step after which they do, with the body.
    pub first: Option<(u64, u32)>,
}

/// So many steps are kept for the curves.
const KEPT: usize = 100_000;

/// The larger one; what is no number is larger than all.
fn more(a: f32, b: f32) -> f32 {
    if a.is_nan() || a > b { a } else { b }
}

/// Whether a distance is more than ε; what is no number is.
fn differs(apart: f32, epsilon: f32) -> bool {
    apart > epsilon || apart.is_nan()
}

impl Parity {
    /// From a world as it stands, on this device.
    pub fn new(world: &World, device: Option<&Arc<dyn StepDevice>>, epsilon: f32) -> Self {
        let side = |processor| {
            let mut side = world.clone();
            (side.resident, side.readouts, side.device) = (true, false, device.cloned());
            side.settings.solver.device = processor;
            side
        };
        Self {
            sides: [side(Processor::Cpu), side(Processor::Gpu)],
            begun: world.step_count,
            bodies: vec![Deviation::default(); world.bodies.len()],
            joints: vec![0.0; world.joints.len()],
            moments: Vec::new(),
            epsilon,
            first: None,
        }
    }

    /// The step at which both stand.
    pub fn step_count(&self) -> u64 {
        self.sides[0].step_count
    }

    /// Why the device does not make the steps, if so: then both are the processor's.
    pub fn device_refusal(&self) -> Option<&DeviceRefusal> {
        self.sides[1].device_refusal()
    }

    /// Steps both, by these settings, up to a step or until the time is over; whether they are there.
    pub fn follow(&mut self, settings: &Settings, step: u64, budget: Duration) -> bool {
        let begin = Instant::now();
        for (side, processor) in self.sides.iter_mut().zip([Processor::Cpu, Processor::Gpu]) {
            side.settings = *settings;
            side.settings.solver.device = processor;
        }
        while self.step_count() < step {
            let before = self.step_count();
            self.sides.iter_mut().for_each(World::step);
            if self.step_count() == before {
                break;
            }
            self.measure();
            if begin.elapsed() > budget {
                break;
            }
        }
        self.step_count() >= step
    }

    /// Compares the two as they stand.
    fn measure(&mut self) {
        let [here, away] = &self.sides;
        let mut moment = StepDifference { step: here.step_count, ..StepDifference::default() };
        let mut farthest = 0;
        for (id, apart) in (0..).zip(&mut self.bodies) {
            let ((x, _, v), (y, _, w)) = (here.state(id), away.state(id));
            *apart = Deviation { position: x.distance(y), velocity: (v.linear - w.linear).length() };
            if more(apart.position, moment.position) != moment.position {
                farthest = id;
            }
            moment.position = more(apart.position, moment.position);
            moment.velocity = more(apart.velocity, moment.velocity);
        }
        for (joint, apart) in self.joints.iter_mut().enumerate() {
            let pairs = here.impulses_now(joint).into_iter().zip(away.impulses_now(joint));
            *apart = pairs.map(|(a, b)| (a - b) * (a - b)).sum::<f32>().sqrt();
            moment.impulse = more(*apart, moment.impulse);
        }
        if self.first.is_none() && differs(moment.position, self.epsilon) {
            self.first = Some((moment.step, farthest));
        }
        if self.moments.len() < KEPT {
            self.moments.push(moment);
        }
    }

    /// Asks by another ε: the first step is looked for among those that were made.
    pub fn ask(&mut self, epsilon: f32) {
        if self.epsilon == epsilon {
            return;
        }
        self.epsilon = epsilon;
        let first = self.moments.iter().find(|moment| differs(moment.position, epsilon));
        let farthest = (0..).zip(&self.bodies).max_by(|(_, a), (_, b)| a.position.total_cmp(&b.position));
        self.first = first.map(|moment| (moment.step, farthest.map_or(0, |(id, _)| id)));
    }

    /// The bodies, or the joints, that are farthest apart, the farthest first.
    pub fn worst_bodies(&self, count: usize) -> Vec<u32> {
        worst(self.bodies.iter().map(|apart| apart.position), count)
    }

    /// The same of the joints, by their impulses.
    pub fn worst_joints(&self, count: usize) -> Vec<u32> {
        worst(self.joints.iter().copied(), count)
    }
}

fn worst(apart: impl Iterator<Item = f32>, count: usize) -> Vec<u32> {
    let mut list: Vec<(u32, f32)> = (0..).zip(apart).filter(|(_, apart)| *apart != 0.0).collect();
    list.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    list.truncate(count);
    list.into_iter().map(|(index, _)| index).collect()
}
