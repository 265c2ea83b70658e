//! Processor and graphics device compared: one state, stepped by both, and their difference after each step for each
//! body and joint.
//!
//! ```text
//! body      |x − x'|, m;  |v − v'|, m/s
//! joint     |λ − λ'| over its rows, N·s (N·m·s if they are angular), in the axes in which they are stored
//! ```
//! Sums in a different order have different rounding errors, 2⁻²⁴ of the summands; the motion amplifies them, in a
//! chain that cracks like a whip by a factor of two in a quarter of a second. A kernel that is wrong shows in the
//! first step.

use std::sync::Arc;
use std::time::Duration;

use delassus_physics::clock::Instant;
use delassus_physics::device::{DeviceRefusal, StepDevice};
use delassus_physics::settings::{Processor, Settings};
use delassus_physics::world::World;

/// The difference of a body's state between the two.
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
    /// Differences of positions, m, velocities, m/s, and joint impulses, N·s.
    pub position: f32,
    pub velocity: f32,
    pub impulse: f32,
}

/// Two runs from the same state.
pub struct Parity {
    /// The world stepped by the processor, and the one stepped by the device.
    sides: [World; 2],
    /// The step at which both were equal.
    pub begun: u64,
    /// By body id, and by joint index.
    pub bodies: Vec<Deviation>,
    pub joints: Vec<f32>,
    pub moments: Vec<StepDifference>,
    /// Positions count as different beyond this distance, m.
    pub epsilon: f32,
    /// The first step after which they differ, and a body that does.
    pub first: Option<(u64, u32)>,
}

/// Number of steps that are kept for the curves.
const KEPT: usize = 100_000;

/// The larger one; NaN counts as larger than any number.
fn more(a: f32, b: f32) -> f32 {
    if a.is_nan() || a > b { a } else { b }
}

/// Whether a distance exceeds ε, or is NaN.
fn differs(apart: f32, epsilon: f32) -> bool {
    apart > epsilon || apart.is_nan()
}

impl Parity {
    /// Starts with copies of a world, one of them on this device.
    pub fn new(world: &World, device: Option<&Arc<dyn StepDevice>>, epsilon: f32) -> Self {
        let side = |processor| {
            let mut side = world.clone();
            (side.pipeline.executor.resident, side.pipeline.executor.readouts, side.pipeline.executor.device) =
                (true, false, device.cloned());
            side.settings.solver.device = processor;
            side
        };
        Self {
            sides: [side(Processor::Cpu), side(Processor::Gpu)],
            begun: world.state.step_count,
            bodies: vec![Deviation::default(); world.state.bodies.len()],
            joints: vec![0.0; world.state.joints.len()],
            moments: Vec::new(),
            epsilon,
            first: None,
        }
    }

    /// The current step of both.
    pub fn step_count(&self) -> u64 {
        self.sides[0].state.step_count
    }

    /// Why the device refuses the world, if it does: then both are stepped by the processor.
    pub fn device_refusal(&self) -> Option<&DeviceRefusal> {
        self.sides[1].device_refusal()
    }

    /// Steps both with these settings until `step` or the end of `budget`. Returns whether `step` was reached.
    pub fn step_to(&mut self, settings: &Settings, step: u64, budget: Duration) -> bool {
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

    /// Compares the current states.
    fn measure(&mut self) {
        let [here, away] = &self.sides;
        let mut moment = StepDifference { step: here.state.step_count, ..StepDifference::default() };
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

    /// Sets another ε; the first step is searched among those already made.
    pub fn ask(&mut self, epsilon: f32) {
        if self.epsilon == epsilon {
            return;
        }
        self.epsilon = epsilon;
        let first = self.moments.iter().find(|moment| differs(moment.position, epsilon));
        let farthest = (0..).zip(&self.bodies).max_by(|(_, a), (_, b)| a.position.total_cmp(&b.position));
        self.first = first.map(|moment| (moment.step, farthest.map_or(0, |(id, _)| id)));
    }

    /// The ids of the bodies with the largest differences of positions, largest first.
    pub fn worst_bodies(&self, count: usize) -> Vec<u32> {
        worst(self.bodies.iter().map(|apart| apart.position), count)
    }

    /// The indices of the joints with the largest differences of impulses, largest first.
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
