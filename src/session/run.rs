//! A run: the world made from the document, and what was done to it since, so that any state of it can be had again
//! to the bit.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use crate::physics::metrics::Phases;
use crate::physics::pull::Pull;
use crate::physics::settings::Settings;
use crate::physics::world::World;

/// Something from outside that the world's future depends on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Input {
    Settings(Settings),
    Pull(Option<Pull>),
}

/// An input, and the number of steps that had been run when it came.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Recorded {
    pub step: u64,
    pub input: Input,
}

/// A world with its past.
#[derive(Clone)]
pub struct Run {
    pub world: World,
    /// All inputs since the beginning, in order.
    inputs: Vec<Recorded>,
    /// The world at step 0 as the document has it: where Reset returns to.
    beginning: World,
    /// The world just after the last edit of its bodies, if there was one: nothing before it can be run again.
    edited: Option<Box<World>>,
    /// Some earlier states, oldest first, as many as the memory set aside allows.
    kept: VecDeque<World>,
    /// Wall time of a step, smoothed, s.
    pub step_seconds: f64,
    /// Wall time of the last step, ms.
    pub last_step_ms: f32,
    /// Smoothed.
    pub phases: Phases,
}

/// A state is kept every this many steps; those between are run again when wanted.
const KEEP_EVERY: u64 = 16;
/// Memory for kept states, bytes.
const KEEP_BYTES: usize = 128 << 20;
/// The longest that going back may take by running again from the beginning, s.
const LONGEST_RERUN: f64 = 1.0;
/// Share of a new measurement in the smoothed ones.
const SMOOTHING: f64 = 0.1;

impl Run {
    /// Starts from a world that has not been stepped.
    pub fn new(world: World) -> Self {
        Self {
            beginning: world.clone(),
            world,
            inputs: Vec::new(),
            edited: None,
            kept: VecDeque::new(),
            step_seconds: 0.0,
            last_step_ms: 0.0,
            phases: Phases::default(),
        }
    }

    /// The world at step 0.
    pub fn beginning(&self) -> &World {
        &self.beginning
    }

    /// Goes on with another world, made from an edited document whose world at step 0 is `beginning`. The past from
    /// here on ends at this edit.
    pub fn continue_with(&mut self, beginning: World, world: World) {
        self.edited = (world.step_count > 0).then(|| Box::new(world.clone()));
        self.beginning = beginning;
        self.world = world;
        self.kept.clear();
        self.inputs.clear();
    }

    /// The earliest state that is still to be had.
    fn earliest(&self) -> &World {
        self.edited.as_deref().unwrap_or(&self.beginning)
    }

    /// Hands the world an input, effective on its next step.
    pub fn input(&mut self, input: Input) {
        let step = self.world.step_count;
        // Of many inputs of one kind between two steps (a drag at 240 Hz) only the last matters.
        let same = |r: &Recorded| std::mem::discriminant(&r.input) == std::mem::discriminant(&input);
        match self.inputs.iter_mut().rev().take_while(|r| r.step == step).find(|r| same(r)) {
            Some(recorded) => recorded.input = input,
            None => self.inputs.push(Recorded { step, input }),
        }
        apply(&mut self.world, input);
    }

    /// What was done to the world so far.
    pub fn inputs(&self) -> &[Recorded] {
        &self.inputs
    }

    /// Runs one step and measures it.
    pub fn step(&mut self) {
        self.keep();
        let begin = Instant::now();
        self.world.step();
        let seconds = begin.elapsed().as_secs_f64();
        self.last_step_ms = (seconds * 1e3) as f32;
        let share = if self.step_seconds == 0.0 { 1.0 } else { SMOOTHING };
        self.step_seconds += (seconds - self.step_seconds) * share;
        let (old, new) = (&mut self.phases, &self.world.phases);
        blend(&mut old.broad, new.broad, share);
        blend(&mut old.narrow, new.narrow, share);
        blend(&mut old.prepare, new.prepare, share);
        blend(&mut old.solve, new.solve, share);
        blend(&mut old.integrate, new.integrate, share);
    }

    /// Keeps the present state if it is one of those to keep.
    fn keep(&mut self) {
        let step = self.world.step_count;
        if !step.is_multiple_of(KEEP_EVERY) || self.kept.back().is_some_and(|w| w.step_count >= step) {
            return;
        }
        let room = KEEP_BYTES / footprint(&self.world).max(1);
        while !self.kept.is_empty() && self.kept.len() >= room {
            self.kept.pop_front();
        }
        if room > 0 && step > 0 {
            self.kept.push_back(self.world.clone());
        }
    }

    /// Goes one step back; false if no state from which to get there is kept. What was done from there on is
    /// forgotten.
    pub fn back(&mut self) -> bool {
        let Some(target) = self.world.step_count.checked_sub(1) else { return false };
        while self.kept.back().is_some_and(|w| w.step_count > target) {
            self.kept.pop_back();
        }
        let from = match self.kept.back() {
            Some(world) => world,
            None => {
                let earliest = self.earliest();
                let Some(steps) = target.checked_sub(earliest.step_count) else { return false };
                if steps as f64 * self.step_seconds > LONGEST_RERUN {
                    return false;
                }
                earliest
            }
        };
        let mut world = from.clone();
        while world.step_count < target {
            rerun(&mut world, &self.inputs);
        }
        self.world = world;
        self.inputs.retain(|r| r.step < target);
        true
    }

    /// The hash of the state that the same inputs lead to when everything is run again from the beginning.
    pub fn replayed_hash(&self) -> u64 {
        let mut world = self.earliest().clone();
        while world.step_count < self.world.step_count {
            rerun(&mut world, &self.inputs);
        }
        world.hash()
    }
}

/// Runs a step that was run before, with its inputs.
fn rerun(world: &mut World, inputs: &[Recorded]) {
    let step = world.step_count;
    let first = inputs.partition_point(|r| r.step < step);
    for recorded in inputs[first..].iter().take_while(|r| r.step == step) {
        apply(world, recorded.input);
    }
    world.step();
}

fn apply(world: &mut World, input: Input) {
    match input {
        Input::Settings(settings) => world.settings = settings,
        Input::Pull(pull) => world.pull = pull,
    }
}

fn blend(old: &mut Duration, new: Duration, share: f64) {
    *old = old.mul_f64(1.0 - share) + new.mul_f64(share);
}

/// About how many bytes a copy of the world takes: its arrays, and as much again as its rows for contacts kept.
fn footprint(world: &World) -> usize {
    size_of_val(world.bodies.as_slice())
        + size_of_val(world.velocities.as_slice())
        + size_of_val(world.joints.as_slice())
        + size_of_val(world.system.blocks.as_slice())
        + 2 * size_of_val(world.system.rows.as_slice())
        + size_of_val(world.system.ids.as_slice())
        + 256 * world.bodies.len()
}
