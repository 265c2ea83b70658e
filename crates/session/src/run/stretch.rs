//! A stretch of a run: from one edit of its bodies to the next, with enough stored states to recompute any of its
//! states.
//!
//! ```text
//! first ── key ── key ── key ── now            key: a stored state at a fixed interval, as many as memory allows
//!    │in  │in in        │in                    in:  an input (settings or mouse pull), with its step
//! ```
//! A state between two keys is recomputed from the earlier one, bit for bit. When the memory is full, every second
//! key is dropped, so that the keys reach twice as far back. Once recomputing an interval would take longer than
//! `MAX_RERUN_SECONDS`, the oldest keys are dropped instead. Of steps that take long more states are stored.

use std::collections::VecDeque;
use std::sync::Arc;

use super::rerun::{self, Rerun};
use super::{Input, Recorded};
use delassus_physics::device::StepDevice;
use delassus_physics::mouse_joint::MouseJoint;
use delassus_physics::world::World;

/// The states and inputs of a run from one edit of its bodies to the next.
#[derive(Clone)]
pub struct Stretch {
    /// The world at step 0 as the document describes it: the state that Reset returns to.
    pub(super) beginning: Arc<World>,
    /// The world just after the edit, unless the edit was made at step 0.
    pub(super) start: Option<Arc<World>>,
    /// All inputs since then, in order.
    pub(super) inputs: Vec<Recorded>,
    /// Its key states, oldest first.
    keys: VecDeque<Arc<World>>,
    /// Interval between key states, steps.
    every: u64,
    /// Whether it stores key states.
    stores: bool,
    /// The device that recomputes steps: see [`Executor::device`](delassus_physics::world::Executor::device).
    device: Option<Arc<dyn StepDevice>>,
}

/// Initial interval between key states, steps.
const KEY_EVERY: u64 = 16;
/// The longest time that recomputing one interval between keys may take, s.
const MAX_RERUN_SECONDS: f64 = 0.03;
/// Memory for the key states of a stretch, bytes.
pub const MEMORY: usize = 64 << 20;
/// The longest time that going back may take by recomputing from the beginning, s. It is computed beside the frame and
/// can be cancelled.
const LONGEST_RERUN: f64 = 5.0;

impl Stretch {
    /// A stretch that begins at `start`, or at `beginning` if that is `None`.
    pub fn new(beginning: Arc<World>, start: Option<Arc<World>>) -> Self {
        Self {
            beginning,
            start,
            inputs: Vec::new(),
            keys: VecDeque::new(),
            every: KEY_EVERY,
            stores: true,
            device: None,
        }
    }

    /// The same inputs from the same states, for a run beside that stores no key states.
    pub fn inputs_only(&self) -> Self {
        Self { keys: VecDeque::new(), stores: false, ..self.clone() }
    }

    /// Sets the device that recomputes steps, or none.
    pub fn use_device(&mut self, device: Option<Arc<dyn StepDevice>>) {
        self.device = device;
    }

    /// The earliest state.
    pub fn first(&self) -> &Arc<World> {
        self.start.as_ref().unwrap_or(&self.beginning)
    }

    /// The number of steps made before it began.
    pub fn first_step(&self) -> u64 {
        self.first().state.step_count
    }

    /// The earliest state, with the inputs of its step applied.
    pub fn start_state(&self) -> World {
        let mut world = World::clone(self.first());
        world.pipeline.executor.resident = true;
        world.pipeline.executor.device.clone_from(&self.device);
        self.put_in(&mut world);
        world
    }

    /// The earliest step that can be restored, if a step takes `step_seconds`.
    pub fn reaches(&self, step_seconds: f64) -> u64 {
        let first = self.first_step();
        match self.keys.front() {
            Some(key) if (key.state.step_count - first) as f64 * step_seconds > LONGEST_RERUN => key.state.step_count,
            _ => first,
        }
    }

    /// How the state after this many steps since the run began is computed again, with the inputs of that step applied,
    /// bit for bit. `here` is a state of this stretch that is available. `None` if the step is not in this stretch, or
    /// if it would take too long at `step_seconds` per step.
    pub fn rerun(&self, step: u64, here: Option<&World>, step_seconds: f64) -> Option<Rerun> {
        let key = self.keys.partition_point(|key| key.state.step_count <= step).checked_sub(1).map(|at| &self.keys[at]);
        let at = |world: &World| world.state.step_count;
        let first = Some(self.first()).filter(|first| at(first) <= step);
        let stored = key.or(first);
        let here = here.filter(|here| at(here) <= step && stored.is_none_or(|stored| at(stored) < at(here)));
        let bearable = |from: u64| (step - from) as f64 * step_seconds <= LONGEST_RERUN;
        let from = match (here, stored) {
            (Some(here), _) if bearable(at(here)) => Arc::new(here.clone()),
            (_, Some(stored)) if key.is_some() || bearable(at(stored)) => Arc::clone(stored),
            _ => return None,
        };
        Some(Rerun { from, inputs: self.inputs.clone(), device: self.device.clone(), target: step })
    }

    /// The state that [`Self::rerun`] gives, computed here.
    pub fn at(&self, step: u64, here: Option<&World>, step_seconds: f64) -> Option<World> {
        self.rerun(step, here, step_seconds)?.make(None).ok()
    }

    /// The state at this step, recomputed from the first state.
    pub fn again(&self, step: u64) -> Option<World> {
        let (inputs, device) = (self.inputs.clone(), self.device.clone());
        Rerun { from: self.first().clone(), inputs, device, target: step }.make_all().ok()
    }

    /// The latest stored state up to this step.
    pub fn nearest(&self, step: u64) -> &Arc<World> {
        let key = self.keys.partition_point(|key| key.state.step_count <= step).checked_sub(1);
        key.map_or_else(|| self.first(), |at| &self.keys[at])
    }

    /// Applies the inputs recorded at the world's current step. Returns whether there are any.
    pub fn put_in(&self, world: &mut World) -> bool {
        rerun::put_in(&self.inputs, world)
    }

    /// The mouse joint and the step rate, Hz, that apply to the step after this one.
    pub fn common_at(&self, step: u64) -> (Option<MouseJoint>, f32) {
        let first = self.first();
        let mut common = (first.state.mouse_joint, first.settings.step.rate);
        for Recorded { input, .. } in self.inputs.iter().take_while(|r| r.step <= step) {
            match input {
                Input::MouseJoint(pull) => common.0 = *pull,
                Input::Settings(settings) => common.1 = settings.step.rate,
            }
        }
        common
    }

    /// Records an input.
    pub fn record(&mut self, new: Recorded) {
        // Of several inputs of one kind between two steps (a drag at 240 Hz) only the last matters.
        let same = |r: &Recorded| std::mem::discriminant(&r.input) == std::mem::discriminant(&new.input);
        match self.inputs.iter_mut().rev().take_while(|r| r.step == new.step).find(|r| same(r)) {
            Some(recorded) => recorded.input = new.input,
            None => self.inputs.push(new),
        }
    }

    /// Stores this state if a key is due at its step.
    pub fn keep(&mut self, world: &mut World, step_seconds: f64) {
        let step = world.state.step_count;
        let last = self.keys.back().map_or(self.first_step(), |key| key.state.step_count);
        let long = step > last && (step - last + 1) as f64 * step_seconds > MAX_RERUN_SECONDS;
        if !self.stores
            || step == 0
            || !(step.is_multiple_of(self.every) || long)
            || (step <= last && !self.keys.is_empty())
        {
            return;
        }
        let room = MEMORY / world.bytes_beside().max(1);
        while !self.keys.is_empty() && self.keys.len() >= room {
            if !self.thin(step_seconds) {
                self.keys.pop_front();
            }
        }
        if room > 0 && (step.is_multiple_of(self.every) || long) {
            // Data that no step changes is shared between the keys.
            world.share();
            self.keys.push_back(Arc::new(world.clone()));
        }
    }

    /// Drops every second key; false if recomputing the longer intervals would take too long, or only one key is
    /// left.
    pub fn thin(&mut self, step_seconds: f64) -> bool {
        let wider = 2 * self.every;
        let bearable = wider as f64 * step_seconds <= MAX_RERUN_SECONDS && self.keys.len() > 1;
        if bearable {
            self.every = wider;
            self.keys.retain(|key| key.state.step_count.is_multiple_of(wider));
        }
        bearable
    }

    /// Drops the oldest key; false if there is none.
    pub fn forget(&mut self) -> bool {
        self.keys.pop_front().is_some()
    }

    /// Discards keys and inputs after this step; inputs at the step itself are kept.
    pub fn cut(&mut self, step: u64) {
        while self.keys.back().is_some_and(|w| w.state.step_count >= step) {
            self.keys.pop_back();
        }
        self.inputs.retain(|r| r.step <= step);
    }

    /// Discards all keys and inputs; the beginning and the start are kept.
    pub fn clear(&mut self) {
        self.keys.clear();
        self.inputs.clear();
        self.every = KEY_EVERY;
    }

    /// The stored states, each with the memory that it takes in addition to the others, approximately, bytes.
    pub fn states(&self) -> impl Iterator<Item = (&Arc<World>, usize)> {
        let keys = self.keys.iter().map(|key| (key, key.bytes_beside()));
        keys.chain(self.start.iter().map(|start| (start, start.bytes())))
    }

    /// The memory taken in addition to the beginning, approximately, bytes.
    pub fn bytes(&self) -> usize {
        self.states().map(|(_, bytes)| bytes).sum::<usize>() + size_of_val(&*self.inputs)
    }

    /// Steps and times, s, of the stored states.
    pub fn times(&self) -> impl Iterator<Item = (u64, f64)> {
        let first = self.first();
        std::iter::once((first.state.step_count, first.state.time))
            .chain(self.keys.iter().map(|key| (key.state.step_count, key.state.time)))
    }

    /// The intervals of steps in which the mouse pulled a body. One still open ends at `end`, the stretch's last
    /// step.
    pub fn holds(&self, end: u64) -> Vec<(u64, u64)> {
        let mut holds = Vec::new();
        let mut since = self.first().state.mouse_joint.map(|_| self.first_step());
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

/// Applies an input to a world.
pub fn apply(world: &mut World, input: Input) {
    match input {
        Input::Settings(settings) => world.settings = settings,
        Input::MouseJoint(mouse_joint) => world.state.mouse_joint = mouse_joint,
    }
}
