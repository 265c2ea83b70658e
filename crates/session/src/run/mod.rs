//! A run: the world made from the document and the inputs since, so that any of its states can be recomputed bit for
//! bit.

pub(super) mod ahead;
pub mod clock;
pub(super) mod line;
pub(super) mod pick;
pub(super) mod repeat;
pub(super) mod rerun;
pub(super) mod stretch;
pub(super) mod trouble;

use std::cell::OnceCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use ahead::Precomputed;
use delassus_physics::clock::Instant;
use delassus_physics::device::StepDevice;
use delassus_physics::metrics::Phases;
use delassus_physics::mouse_joint::MouseJoint;
use delassus_physics::settings::Settings;
use delassus_physics::world::World;
use stretch::Stretch;

/// An external input that the world's later states depend on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Input {
    Settings(Settings),
    MouseJoint(Option<MouseJoint>),
}

/// An input, and the number of steps made before it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Recorded {
    pub step: u64,
    pub input: Input,
}

/// A world and its stretch (the states and inputs since the last edit of its bodies).
#[derive(Clone)]
pub struct Run {
    /// Its trees stay in the articulations between steps: see
    /// [`Executor::resident`](delassus_physics::world::Executor::resident).
    world: World,
    /// An up-to-date copy of the world, if one was read since the last change.
    synced: OnceCell<Box<World>>,
    stretch: Stretch,
    /// The state that the device reported last, while late readback is on.
    late: Option<Box<World>>,
    reads_late: bool,
    /// The device that makes the steps if the settings ask for it: see
    /// [`Executor::device`](delassus_physics::world::Executor::device).
    device: Option<Arc<dyn StepDevice>>,
    /// See [`Run::epoch`].
    epoch: u64,
    /// Wall time of a step, smoothed, s.
    pub step_seconds: f64,
    /// Wall time of the last step, ms.
    pub last_step_ms: f32,
    /// Wall times of the phases of a step, smoothed.
    pub phases: Phases,
}

/// Source of epoch numbers, shared by all runs.
static EPOCHS: AtomicU64 = AtomicU64::new(0);

fn next_epoch() -> u64 {
    EPOCHS.fetch_add(1, Ordering::Relaxed)
}

/// Weight of a new measurement in the smoothed times.
const SMOOTHING: f64 = 0.1;

impl Run {
    /// Starts from a world at step 0.
    pub fn new(mut world: World) -> Self {
        world.share();
        Self {
            stretch: Stretch::new(Arc::new(world.clone()), None),
            device: world.pipeline.executor.device.clone(),
            world,
            synced: OnceCell::new(),
            epoch: next_epoch(),
            late: None,
            reads_late: false,
            step_seconds: 0.0,
            last_step_ms: 0.0,
            phases: Phases::default(),
        }
    }

    /// A run that repeats this one's stretch from `from`, a state of it, and stores no states.
    pub fn repeat_from(&self, from: &Arc<World>) -> Self {
        let mut run = Self::new(World::clone(from));
        run.device.clone_from(&self.device);
        run.continue_in(self.stretch.inputs_only());
        run.step_seconds = self.step_seconds;
        run.put_in();
        run
    }

    /// Sets the device for the following steps, or none.
    pub fn use_device(&mut self, device: Option<Arc<dyn StepDevice>>) {
        self.epoch = next_epoch();
        self.stretch.use_device(device.clone());
        self.device = device;
    }

    /// The device set by [`Run::use_device`].
    pub fn device(&self) -> Option<&Arc<dyn StepDevice>> {
        self.device.as_ref()
    }

    /// The running world. [`World::state`], [`World::joint_now`], [`World::hash`] and [`World::metrics`] give its
    /// current state; its lists of bodies, velocities and joints may be behind.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The current world with all lists up to date.
    pub fn synced(&self) -> &World {
        let copy = || self.synced.get_or_init(|| Box::new(self.world.synced().unwrap_or_else(|| self.world.clone())));
        if self.world.is_behind() { copy() } else { &self.world }
    }

    /// A number that changes whenever the state does, except by accepting a step made ahead. Steps made ahead from a
    /// state of another epoch are invalid.
    pub fn epoch(&self) -> u64 {
        self.epoch
    }

    /// A copy of the world that is ready to be stepped.
    pub fn world_to_step(&self) -> World {
        let mut world = self.world.clone();
        world.pipeline.executor.resident = true;
        world.pipeline.executor.device.clone_from(&self.device);
        world
    }

    /// Brings the world's lists up to date.
    pub fn sync(&mut self) {
        self.epoch = next_epoch();
        self.forget_copies();
        self.world.sync();
    }

    /// The world at step 0.
    pub fn beginning(&self) -> &Arc<World> {
        &self.stretch.beginning
    }

    /// The world just after the last edit of its bodies, if that edit was made after step 0.
    pub fn start(&self) -> Option<&Arc<World>> {
        self.stretch.start.as_ref()
    }

    /// Continues from another state, of a world that is `beginning` at step 0. Returns the previous stretch and
    /// world.
    pub fn continue_with(&mut self, beginning: Arc<World>, world: World) -> (Stretch, World) {
        let start = (world.state.step_count > 0).then(|| Arc::new(world.clone()));
        self.resume(Stretch::new(beginning, start), world)
    }

    /// Continues with an edited world. `begin` edits the world at step 0; `carry` applies the edit to a later state,
    /// given the edited beginning. Returns the previous stretch if `keeps`. Otherwise, if nothing was stepped since
    /// the last edit and `numbers_stay`, the edit is made in place without copying.
    pub fn edit(
        &mut self,
        keeps: bool,
        numbers_stay: bool,
        begin: impl FnOnce(&mut Arc<World>),
        carry: impl Fn(&World, &mut World),
    ) -> Option<Stretch> {
        self.sync();
        let ended = keeps.then(|| {
            let next = Stretch::new(self.stretch.beginning.clone(), None);
            self.continue_in(next)
        });
        let Self { world, stretch, .. } = self;
        begin(&mut stretch.beginning);
        carry(&stretch.beginning, world);
        stretch.clear();
        if world.state.step_count == 0 {
            let mouse_joint = Input::MouseJoint(world.state.mouse_joint);
            stretch.inputs.extend(world.state.mouse_joint.map(|_| Recorded { step: 0, input: mouse_joint }));
            stretch.start = None;
            return ended;
        }
        let first =
            stretch.start.as_mut().filter(|first| numbers_stay && first.state.step_count == world.state.step_count);
        match first.and_then(Arc::get_mut) {
            Some(first) => {
                carry(&stretch.beginning, first);
                (first.settings, first.state.mouse_joint) = (world.settings, world.state.mouse_joint);
            }
            None => {
                world.share();
                stretch.start = Some(Arc::new(world.clone()));
            }
        }
        ended
    }

    /// Continues in an earlier stretch, from one of its states.
    pub fn resume(&mut self, stretch: Stretch, world: World) -> (Stretch, World) {
        self.forget_copies();
        (self.continue_in(stretch), std::mem::replace(&mut self.world, world))
    }

    /// The stretch that contains the current state.
    pub fn stretch(&self) -> &Stretch {
        &self.stretch
    }

    /// Moves to another stretch and returns the previous one. The caller still has to set the state.
    pub fn continue_in(&mut self, mut stretch: Stretch) -> Stretch {
        self.epoch = next_epoch();
        stretch.use_device(self.device.clone());
        std::mem::replace(&mut self.stretch, stretch)
    }

    /// Moves to another state of the current stretch.
    pub fn stand(&mut self, world: World) {
        self.epoch = next_epoch();
        self.forget_copies();
        self.world = world;
    }

    /// Discards the stretch's states and inputs after the current step.
    pub fn cut(&mut self) {
        self.stretch.cut(self.world.state.step_count);
    }

    /// Records an input and applies it to the world; it takes effect on the next step.
    pub fn input(&mut self, input: Input) {
        self.epoch = next_epoch();
        let step = self.world.state.step_count;
        self.stretch.record(Recorded { step, input });
        stretch::apply(&mut self.world, input);
    }

    /// The inputs since the last edit of bodies.
    pub fn inputs(&self) -> &[Recorded] {
        &self.stretch.inputs
    }

    /// Runs one step and measures it. False if the step could not be made or caused new trouble.
    pub fn step(&mut self) -> bool {
        self.epoch = next_epoch();
        self.stretch.keep(&mut self.world, self.step_seconds);
        self.synced = OnceCell::new();
        self.world.pipeline.executor.resident = true;
        self.world.pipeline.executor.device.clone_from(&self.device);
        let (begin, before) = (Instant::now(), (self.world.state.step_count, trouble::cause(&self.world)));
        self.world.step();
        // The cost of the step must be known before more steps are scheduled, so wait for the device.
        if self.reads_late {
            self.world.wait_for_previous();
        } else {
            self.world.wait();
        }
        self.measure(begin.elapsed());
        // If the run follows its past, apply the inputs recorded at the new step.
        self.stretch.put_in(&mut self.world);
        self.world.state.step_count > before.0 && trouble::cause(&self.world) == before.1
    }

    /// Takes over a step made ahead from this state. Returns whether all was well, and the previous state.
    pub fn accept(&mut self, made: Precomputed) -> (bool, Box<World>) {
        self.stretch.keep(&mut self.world, self.step_seconds);
        self.synced = OnceCell::new();
        let before = (self.world.state.step_count, trouble::cause(&self.world));
        let mut old = made.world;
        std::mem::swap(&mut self.world, &mut old);
        self.measure(made.took);
        (self.world.state.step_count > before.0 && trouble::cause(&self.world) == before.1, old)
    }

    /// Applies the inputs recorded at the present step, if the run follows its past.
    pub fn put_in(&mut self) {
        if self.stretch.put_in(&mut self.world) {
            self.epoch = next_epoch();
        }
    }

    /// Records the duration of the last step.
    fn measure(&mut self, took: Duration) {
        let seconds = took.as_secs_f64();
        self.last_step_ms = (seconds * 1e3) as f32;
        let share = if self.step_seconds == 0.0 { 1.0 } else { SMOOTHING };
        self.step_seconds += (seconds - self.step_seconds) * share;
        let (old, new) = (&mut self.phases, &self.world.report.phases);
        blend(&mut old.broad, new.broad, share);
        blend(&mut old.narrow, new.narrow, share);
        blend(&mut old.prepare, new.prepare, share);
        blend(&mut old.solve, new.solve, share);
        blend(&mut old.integrate, new.integrate, share);
    }

    fn forget_copies(&mut self) {
        (self.synced, self.late) = (OnceCell::new(), None);
    }

    /// Turns late readback on or off: if on, [`Self::shown`] is the state that the device reported last, and nothing
    /// waits for the device.
    pub fn read_late(&mut self, on: bool) {
        self.reads_late = on;
        if !on {
            self.late = None;
        }
    }

    /// Takes over a state that the device has reported; false if there is none.
    pub fn take_readback(&mut self) -> bool {
        let came = self.reads_late && self.world.take_readback(&mut self.late);
        if self.world.device_world().is_none() {
            // The device failed, and the world's lists hold the current state.
            self.forget_copies();
        }
        came
    }

    /// Asks the device to report the current state.
    pub fn request_readback(&mut self) {
        self.world.request_readback();
    }

    /// Keeps the poses before the next step on the device; the picture interpolates between them and those after it.
    pub fn keep_poses(&mut self) {
        self.world.keep_poses();
    }

    /// The state that the device reported last, while late readback is on.
    pub fn late(&self) -> Option<&World> {
        self.late.as_deref().filter(|_| self.reads_late)
    }

    /// The state to show: the one read back late, if any, else the current one.
    pub fn shown(&self) -> &World {
        self.late().unwrap_or(&self.world)
    }

    /// The hash of the state reached by running all inputs again from the last edit of bodies.
    pub fn replayed_hash(&self) -> Option<u64> {
        self.stretch.again(self.world.state.step_count).map(|world| world.hash())
    }
}

fn blend(old: &mut Duration, new: Duration, share: f64) {
    *old = old.mul_f64(1.0 - share) + new.mul_f64(share);
}
