//! A run: the world made from the document, and what was done to it since, so that any state of it can be had again
//! to the bit.

pub mod clock;
pub(super) mod past;
pub(super) mod pick;
pub(super) mod trouble;

use std::cell::OnceCell;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::physics::metrics::Phases;
use crate::physics::mouse_joint::MouseJoint;
use crate::physics::settings::Settings;
use crate::physics::world::World;

/// Something from outside that the world's future depends on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Input {
    Settings(Settings),
    MouseJoint(Option<MouseJoint>),
}

/// An input, and the number of steps that had been run when it came.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Recorded {
    pub step: u64,
    pub input: Input,
}

/// A world with its past since the last edit of its bodies.
#[derive(Clone)]
pub struct Run {
    /// Its trees stay in the forest from step to step: see [`World::resident`].
    world: World,
    /// A copy of it that is up to date, if somebody has read one since it was changed.
    settled: OnceCell<Box<World>>,
    stretch: Stretch,
    /// Wall time of a step, smoothed, s.
    pub step_seconds: f64,
    /// Wall time of the last step, ms.
    pub last_step_ms: f32,
    /// Smoothed.
    pub phases: Phases,
}

/// What a run was from one edit of its bodies to the next: enough to run any state of it again.
#[derive(Clone)]
pub struct Stretch {
    /// The world at step 0 as the document has it: where Reset returns to.
    beginning: Arc<World>,
    /// The world just after the edit, unless it was made at step 0.
    start: Option<Arc<World>>,
    /// All inputs since then, in order.
    inputs: Vec<Recorded>,
    /// Some of its states, oldest first, as many as the memory set aside allows.
    kept: VecDeque<World>,
}

/// A state is kept every this many steps; those between are run again when wanted.
const KEEP_EVERY: u64 = 16;
/// Memory for kept states, bytes.
const KEEP_BYTES: usize = 64 << 20;
/// The longest that going back may take by running again from the beginning, s.
const LONGEST_RERUN: f64 = 1.0;
/// Share of a new measurement in the smoothed ones.
const SMOOTHING: f64 = 0.1;

impl Stretch {
    fn new(beginning: Arc<World>, start: Option<Arc<World>>) -> Self {
        Self { beginning, start, inputs: Vec::new(), kept: VecDeque::new() }
    }

    /// Its earliest state.
    fn first(&self) -> &World {
        self.start.as_deref().unwrap_or(&self.beginning)
    }

    /// The number of steps that had been run when it began.
    pub fn first_step(&self) -> u64 {
        self.first().step_count
    }

    /// Its state after this many steps since the run began, to the bit; `None` if it did not come to be within it, or
    /// if running it again would take too long at `step_seconds` a step.
    pub fn at(&self, step: u64, step_seconds: f64) -> Option<World> {
        let from = match self.kept.iter().rev().find(|w| w.step_count <= step) {
            Some(world) => world,
            None => {
                let first = self.first();
                let steps = step.checked_sub(first.step_count)?;
                (steps as f64 * step_seconds <= LONGEST_RERUN).then_some(first)?
            }
        };
        let mut world = from.clone();
        run_until(&mut world, step, &self.inputs);
        Some(world)
    }

    /// Forgets what was done from this step on.
    pub fn cut(&mut self, step: u64) {
        while self.kept.back().is_some_and(|w| w.step_count > step) {
            self.kept.pop_back();
        }
        self.inputs.retain(|r| r.step < step);
    }

    /// The memory that it takes beside its beginning, about, bytes.
    pub fn bytes(&self) -> usize {
        let kept: usize = self.kept.iter().map(World::bytes_beside).sum();
        kept + self.start.as_deref().map_or(0, World::bytes) + size_of_val(&*self.inputs)
    }

    /// Forgets its oldest kept state, from which later ones could be run again; false if it has none.
    pub fn forget(&mut self) -> bool {
        self.kept.pop_front().is_some()
    }
}

impl Run {
    /// Starts from a world that has not been stepped.
    pub fn new(mut world: World) -> Self {
        world.share();
        Self {
            stretch: Stretch::new(Arc::new(world.clone()), None),
            world,
            settled: OnceCell::new(),
            step_seconds: 0.0,
            last_step_ms: 0.0,
            phases: Phases::default(),
        }
    }

    /// The world as it runs: [`World::state`], [`World::joint_now`], [`World::hash`] and [`World::metrics`] tell how it
    /// stands; its lists of bodies, velocities and joints may be behind.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The world as it stands, with all of its lists up to date.
    pub fn settled(&self) -> &World {
        let copy = || self.settled.get_or_init(|| Box::new(self.world.settled().unwrap_or_else(|| self.world.clone())));
        if self.world.is_behind() { copy() } else { &self.world }
    }

    /// Brings the lists of the world up to date.
    pub fn settle(&mut self) {
        self.settled = OnceCell::new();
        self.world.settle();
    }

    /// The world at step 0.
    pub fn beginning(&self) -> &Arc<World> {
        &self.stretch.beginning
    }

    /// The world just after the last edit of its bodies, if that was made after step 0.
    pub fn start(&self) -> Option<&Arc<World>> {
        self.stretch.start.as_ref()
    }

    /// Goes on from another state, of a world that is `beginning` at step 0. What was until now is handed back.
    pub fn continue_with(&mut self, beginning: Arc<World>, world: World) -> (Stretch, World) {
        let start = (world.step_count > 0).then(|| Arc::new(world.clone()));
        self.resume(Stretch::new(beginning, start), world)
    }

    /// Goes on with an edited world: `begin` makes its beginning of what that was, `carry` its present state of the
    /// beginning and the present one. Hands back what was until now if that is to be kept; else nothing is copied that
    /// has not been stepped since the last edit and whose numbers stay.
    pub fn edit(
        &mut self,
        keeps: bool,
        numbers_stay: bool,
        begin: impl FnOnce(&mut Arc<World>),
        carry: impl Fn(&World, &mut World),
    ) -> Option<Stretch> {
        self.settle();
        let ended = keeps.then(|| {
            let next = Stretch::new(self.stretch.beginning.clone(), None);
            std::mem::replace(&mut self.stretch, next)
        });
        let Self { world, stretch, .. } = self;
        begin(&mut stretch.beginning);
        carry(&stretch.beginning, world);
        stretch.kept.clear();
        stretch.inputs.clear();
        if world.step_count == 0 {
            let mouse_joint = Input::MouseJoint(world.mouse_joint);
            stretch.inputs.extend(world.mouse_joint.map(|_| Recorded { step: 0, input: mouse_joint }));
            stretch.start = None;
            return ended;
        }
        let first = stretch.start.as_mut().filter(|first| numbers_stay && first.step_count == world.step_count);
        match first.and_then(Arc::get_mut) {
            Some(first) => {
                carry(&stretch.beginning, first);
                (first.settings, first.mouse_joint) = (world.settings, world.mouse_joint);
            }
            None => {
                world.share();
                stretch.start = Some(Arc::new(world.clone()));
            }
        }
        ended
    }

    /// Goes on in an earlier stretch, from a state of it.
    pub fn resume(&mut self, stretch: Stretch, world: World) -> (Stretch, World) {
        self.settled = OnceCell::new();
        (std::mem::replace(&mut self.stretch, stretch), std::mem::replace(&mut self.world, world))
    }

    /// Hands the world an input, effective on its next step.
    pub fn input(&mut self, input: Input) {
        let step = self.world.step_count;
        // Of many inputs of one kind between two steps (a drag at 240 Hz) only the last matters.
        let same = |r: &Recorded| std::mem::discriminant(&r.input) == std::mem::discriminant(&input);
        match self.stretch.inputs.iter_mut().rev().take_while(|r| r.step == step).find(|r| same(r)) {
            Some(recorded) => recorded.input = input,
            None => self.stretch.inputs.push(Recorded { step, input }),
        }
        apply(&mut self.world, input);
    }

    /// What was done to the world since the last edit of its bodies.
    pub fn inputs(&self) -> &[Recorded] {
        &self.stretch.inputs
    }

    /// Runs one step and measures it. False where it could not be made, or has led into trouble that was not there
    /// before.
    pub fn step(&mut self) -> bool {
        self.keep();
        self.settled = OnceCell::new();
        self.world.resident = true;
        let (begin, before) = (Instant::now(), (self.world.step_count, trouble::cause(&self.world)));
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
        self.world.step_count > before.0 && trouble::cause(&self.world) == before.1
    }

    /// Keeps the present state if it is one of those to keep.
    fn keep(&mut self) {
        let (step, kept) = (self.world.step_count, &mut self.stretch.kept);
        if !step.is_multiple_of(KEEP_EVERY) || kept.back().is_some_and(|w| w.step_count >= step) {
            return;
        }
        let room = KEEP_BYTES / self.world.bytes_beside().max(1);
        while !kept.is_empty() && kept.len() >= room {
            kept.pop_front();
        }
        if room > 0 && step > 0 {
            // What no step changes is there once.
            self.world.share();
            kept.push_back(self.world.clone());
        }
    }

    /// Goes one step back within its stretch; false if no state from which to get there is kept. What was done from
    /// there on is forgotten.
    pub fn back(&mut self) -> bool {
        let target = self.world.step_count.checked_sub(1);
        let Some(world) = target.and_then(|step| self.stretch.at(step, self.step_seconds)) else { return false };
        self.stretch.cut(world.step_count);
        self.settled = OnceCell::new();
        self.world = world;
        true
    }

    /// The hash of the state that the same inputs lead to when everything is run again from the last edit of the
    /// bodies.
    pub fn replayed_hash(&self) -> u64 {
        let mut world = self.stretch.first().clone();
        run_until(&mut world, self.world.step_count, &self.stretch.inputs);
        world.hash()
    }
}

/// Runs steps that were run before, with their inputs, until so many have been made.
fn run_until(world: &mut World, target: u64, inputs: &[Recorded]) {
    while world.step_count < target {
        let step = world.step_count;
        let first = inputs.partition_point(|r| r.step < step);
        for recorded in inputs[first..].iter().take_while(|r| r.step == step) {
            apply(world, recorded.input);
        }
        world.step();
        if world.step_count == step {
            debug_assert!(false, "a step that was made once can be made again");
            return;
        }
    }
}

fn apply(world: &mut World, input: Input) {
    match input {
        Input::Settings(settings) => world.settings = settings,
        Input::MouseJoint(mouse_joint) => world.mouse_joint = mouse_joint,
    }
}

fn blend(old: &mut Duration, new: Duration, share: f64) {
    *old = old.mul_f64(1.0 - share) + new.mul_f64(share);
}
