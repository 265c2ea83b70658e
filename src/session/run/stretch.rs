//! A stretch of a run: from one edit of its bodies to the next, with enough of it to have any of its states again.
//!
//! ```text
//! first ── key ── key ── key ── now            key: a state, every so many steps, as many as the memory holds
//!    │in  │in in        │in                    in:  a change of settings, the hand's pull, with its step
//! ```
//! What lies between two key states is made again from the earlier one, to the bit. When the memory is full every
//! second of them goes, so that they reach twice as far back, as long as the steps between two of them take no longer
//! than an eye notices; then the oldest go.

use std::collections::VecDeque;
use std::sync::Arc;

use super::{Input, Recorded};
use crate::physics::device::StepDevice;
use crate::physics::mouse_joint::MouseJoint;
use crate::physics::world::World;

/// What a run was from one edit of its bodies to the next.
#[derive(Clone)]
pub struct Stretch {
    /// The world at step 0 as the document has it: where Reset returns to.
    pub(super) beginning: Arc<World>,
    /// The world just after the edit, unless it was made at step 0.
    pub(super) start: Option<Arc<World>>,
    /// All inputs since then, in order.
    pub(super) inputs: Vec<Recorded>,
    /// Its key states, oldest first.
    keys: VecDeque<Arc<World>>,
    /// From one key state to the next, steps.
    every: u64,
    /// What makes the steps again: see [`World::device`].
    device: Option<Arc<dyn StepDevice>>,
}

/// At first a key state is kept every this many steps.
const KEY_EVERY: u64 = 16;
/// The longest that it may take to come from one key state to the next, s.
const NOTICED: f64 = 0.03;
/// Memory for the key states of a stretch, bytes.
pub const MEMORY: usize = 64 << 20;
/// The longest that going back may take by running again from the beginning, s.
const LONGEST_RERUN: f64 = 1.0;

impl Stretch {
    pub fn new(beginning: Arc<World>, start: Option<Arc<World>>) -> Self {
        Self { beginning, start, inputs: Vec::new(), keys: VecDeque::new(), every: KEY_EVERY, device: None }
    }

    /// Has a device for steps that are made again, or none.
    pub fn use_device(&mut self, device: Option<Arc<dyn StepDevice>>) {
        self.device = device;
    }

    /// Its earliest state.
    pub fn first(&self) -> &Arc<World> {
        self.start.as_ref().unwrap_or(&self.beginning)
    }

    /// The number of steps that had been run when it began.
    pub fn first_step(&self) -> u64 {
        self.first().step_count
    }

    /// Its earliest state, with what was done then.
    pub fn start_state(&self) -> World {
        self.run(self.first(), self.first_step())
    }

    /// The first step to whose state one can go back, if a step takes `step_seconds`.
    pub fn reaches(&self, step_seconds: f64) -> u64 {
        let first = self.first_step();
        match self.keys.front() {
            Some(key) if (key.step_count - first) as f64 * step_seconds > LONGEST_RERUN => key.step_count,
            _ => first,
        }
    }

    /// Its state after this many steps since the run began, with all that was done then, to the bit. `here` is a state
    /// of it that is at hand. `None` if it did not come to be within it, or if running it again would take too long at
    /// `step_seconds` a step.
    pub fn at(&self, step: u64, here: Option<&World>, step_seconds: f64) -> Option<World> {
        let key = self.keys.partition_point(|key| key.step_count <= step).checked_sub(1).map(|at| &*self.keys[at]);
        let before = [Some(&**self.first()), here].into_iter().flatten().filter(|world| world.step_count <= step);
        let near = before.max_by_key(|world| world.step_count);
        let bearable = |from: &World| (step - from.step_count) as f64 * step_seconds <= LONGEST_RERUN;
        let from = match (key, near) {
            (Some(key), Some(near)) if near.step_count <= key.step_count => key,
            (_, Some(near)) if bearable(near) => near,
            (key, _) => key?,
        };
        Some(self.run(from, step))
    }

    /// Its state there, run again from its beginning.
    pub fn again(&self, step: u64) -> World {
        self.run(self.first(), step)
    }

    fn run(&self, from: &World, target: u64) -> World {
        let mut world = from.clone();
        world.resident = true;
        world.device.clone_from(&self.device);
        self.put_in(&mut world);
        while world.step_count < target {
            let step = world.step_count;
            world.step();
            if world.step_count == step {
                debug_assert!(false, "a step that was made once can be made again");
                break;
            }
            self.put_in(&mut world);
        }
        world
    }

    /// Does again what was done at the world's step.
    pub fn put_in(&self, world: &mut World) {
        let step = world.step_count;
        if self.inputs.last().is_none_or(|last| last.step < step) {
            return;
        }
        let first = self.inputs.partition_point(|r| r.step < step);
        self.inputs[first..].iter().take_while(|r| r.step == step).for_each(|r| apply(world, r.input));
    }

    /// What the hand pulls in the step that is made after this one, and its rate, Hz.
    pub fn common_at(&self, step: u64) -> (Option<MouseJoint>, f32) {
        let first = self.first();
        let mut common = (first.mouse_joint, first.settings.step.rate);
        for Recorded { input, .. } in self.inputs.iter().take_while(|r| r.step <= step) {
            match input {
                Input::MouseJoint(pull) => common.0 = *pull,
                Input::Settings(settings) => common.1 = settings.step.rate,
            }
        }
        common
    }

    /// Takes an input to its last state.
    pub fn take(&mut self, new: Recorded) {
        // Of many inputs of one kind between two steps (a drag at 240 Hz) only the last matters.
        let same = |r: &Recorded| std::mem::discriminant(&r.input) == std::mem::discriminant(&new.input);
        match self.inputs.iter_mut().rev().take_while(|r| r.step == new.step).find(|r| same(r)) {
            Some(recorded) => recorded.input = new.input,
            None => self.inputs.push(new),
        }
    }

    /// Keeps this state if it is one of those to keep.
    pub fn keep(&mut self, world: &mut World, step_seconds: f64) {
        let step = world.step_count;
        if step == 0 || !step.is_multiple_of(self.every) || self.keys.back().is_some_and(|w| w.step_count >= step) {
            return;
        }
        let room = MEMORY / world.bytes_beside().max(1);
        while !self.keys.is_empty() && self.keys.len() >= room {
            if !self.thin(step_seconds) {
                self.keys.pop_front();
            }
        }
        if room > 0 && step.is_multiple_of(self.every) {
            // What no step changes is there once.
            world.share();
            self.keys.push_back(Arc::new(world.clone()));
        }
    }

    /// Keeps every second of its key states; false if more steps between two of them would be noticed.
    pub fn thin(&mut self, step_seconds: f64) -> bool {
        let wider = 2 * self.every;
        let bearable = wider as f64 * step_seconds <= NOTICED && self.keys.len() > 1;
        if bearable {
            self.every = wider;
            self.keys.retain(|key| key.step_count.is_multiple_of(wider));
        }
        bearable
    }

    /// Forgets its oldest key state, from which later ones could be run again; false if it has none.
    pub fn forget(&mut self) -> bool {
        self.keys.pop_front().is_some()
    }

    /// Forgets what came behind this step; what was done at it stays.
    pub fn cut(&mut self, step: u64) {
        while self.keys.back().is_some_and(|w| w.step_count >= step) {
            self.keys.pop_back();
        }
        self.inputs.retain(|r| r.step <= step);
    }

    /// Forgets all that it has but its beginning and its start.
    pub fn clear(&mut self) {
        self.keys.clear();
        self.inputs.clear();
        self.every = KEY_EVERY;
    }

    /// The states that it has, each with the memory that it takes beside the others, about, bytes.
    pub fn states(&self) -> impl Iterator<Item = (&Arc<World>, usize)> {
        let keys = self.keys.iter().map(|key| (key, key.bytes_beside()));
        keys.chain(self.start.iter().map(|start| (start, start.bytes())))
    }

    /// The memory that it takes beside its beginning, about, bytes.
    pub fn bytes(&self) -> usize {
        self.states().map(|(_, bytes)| bytes).sum::<usize>() + size_of_val(&*self.inputs)
    }

    /// Its steps with their times, s, as far as it has states of them.
    pub fn times(&self) -> impl Iterator<Item = (u64, f64)> {
        let first = self.first();
        std::iter::once((first.step_count, first.time)).chain(self.keys.iter().map(|key| (key.step_count, key.time)))
    }

    /// From which step to which the hand held something, the last one open; `end` is where the stretch ends.
    pub fn holds(&self, end: u64) -> Vec<(u64, u64)> {
        let mut holds = Vec::new();
        let mut since = self.first().mouse_joint.map(|_| self.first_step());
        for Recorded { step, input } in &self.inputs {
            match (input, since) {
                (Input::MouseJoint(Some(_)), None) => since = Some(*step),
                (Input::MouseJoint(None), Some(from)) => {
                    holds.push((from, *step));
                    since = None;
                }
                _ => {}
            }
        }
        holds.extend(since.map(|from| (from, end)));
        holds
    }
}

/// Hands a world an input.
pub fn apply(world: &mut World, input: Input) {
    match input {
        Input::Settings(settings) => world.settings = settings,
        Input::MouseJoint(mouse_joint) => world.mouse_joint = mouse_joint,
    }
}
