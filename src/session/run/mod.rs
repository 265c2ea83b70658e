//! A run: the world made from the document, and what was done to it since, so that any state of it can be had again
//! to the bit.

pub(super) mod ahead;
pub mod clock;
pub(super) mod line;
pub(super) mod pick;
pub(super) mod stretch;
pub(super) mod trouble;

use std::cell::OnceCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::physics::device::StepDevice;
use crate::physics::metrics::Phases;
use crate::physics::mouse_joint::MouseJoint;
use crate::physics::settings::Settings;
use crate::physics::world::World;
use ahead::Precomputed;
use stretch::Stretch;

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

/// A world with its stretch since the last edit of its bodies.
#[derive(Clone)]
pub struct Run {
    /// Its trees stay in the forest from step to step: see [`World::resident`].
    world: World,
    /// A copy of it that is up to date, if somebody has read one since it was changed.
    settled: OnceCell<Box<World>>,
    stretch: Stretch,
    /// How it stood when a device that makes the steps told last, while that is listened to.
    late: Option<Box<World>>,
    listens: bool,
    /// What makes the steps where the settings ask for it: see [`World::device`].
    device: Option<Arc<dyn StepDevice>>,
    /// See [`Run::epoch`].
    epoch: u64,
    /// Wall time of a step, smoothed, s.
    pub step_seconds: f64,
    /// Wall time of the last step, ms.
    pub last_step_ms: f32,
    /// Smoothed.
    pub phases: Phases,
}

/// The epochs of all runs.
static EPOCHS: AtomicU64 = AtomicU64::new(0);

fn next_epoch() -> u64 {
    EPOCHS.fetch_add(1, Ordering::Relaxed)
}

/// Share of a new measurement in the smoothed ones.
const SMOOTHING: f64 = 0.1;

impl Run {
    /// Starts from a world that has not been stepped.
    pub fn new(mut world: World) -> Self {
        world.share();
        Self {
            stretch: Stretch::new(Arc::new(world.clone()), None),
            device: world.device.clone(),
            world,
            settled: OnceCell::new(),
            epoch: next_epoch(),
            late: None,
            listens: false,
            step_seconds: 0.0,
            last_step_ms: 0.0,
            phases: Phases::default(),
        }
    }

    /// Has a device for the steps from now on, or none.
    pub fn use_device(&mut self, device: Option<Arc<dyn StepDevice>>) {
        self.epoch = next_epoch();
        self.stretch.use_device(device.clone());
        self.device = device;
    }

    /// That device.
    pub fn device(&self) -> Option<&Arc<dyn StepDevice>> {
        self.device.as_ref()
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

    /// Another number whenever the state is another one than its own steps have led to: what was made ahead of a state
    /// of another epoch does not follow it.
    pub fn epoch(&self) -> u64 {
        self.epoch
    }

    /// A copy of the world that is ready to be stepped.
    pub fn world_to_step(&self) -> World {
        let mut world = self.world.clone();
        world.resident = true;
        world.device.clone_from(&self.device);
        world
    }

    /// Brings the lists of the world up to date.
    pub fn settle(&mut self) {
        self.epoch = next_epoch();
        self.forget_copies();
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
            self.continue_in(next)
        });
        let Self { world, stretch, .. } = self;
        begin(&mut stretch.beginning);
        carry(&stretch.beginning, world);
        stretch.clear();
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
        self.forget_copies();
        (self.continue_in(stretch), std::mem::replace(&mut self.world, world))
    }

    /// The stretch in which it stands.
    pub fn stretch(&self) -> &Stretch {
        &self.stretch
    }

    /// Stands in another stretch from now on, and hands back that in which it stood; the state is still to follow.
    pub fn continue_in(&mut self, mut stretch: Stretch) -> Stretch {
        self.epoch = next_epoch();
        stretch.use_device(self.device.clone());
        std::mem::replace(&mut self.stretch, stretch)
    }

    /// Stands at another state of its stretch.
    pub fn stand(&mut self, world: World) {
        self.epoch = next_epoch();
        self.forget_copies();
        self.world = world;
    }

    /// Forgets what came behind the state at which it stands.
    pub fn cut(&mut self) {
        self.stretch.cut(self.world.step_count);
    }

    /// Hands the world an input, effective on its next step.
    pub fn input(&mut self, input: Input) {
        self.epoch = next_epoch();
        let step = self.world.step_count;
        self.stretch.take(Recorded { step, input });
        stretch::apply(&mut self.world, input);
    }

    /// What was done to the world since the last edit of its bodies.
    pub fn inputs(&self) -> &[Recorded] {
        &self.stretch.inputs
    }

    /// Runs one step and measures it. False where it could not be made, or has led into trouble that was not there
    /// before.
    pub fn step(&mut self) -> bool {
        self.epoch = next_epoch();
        self.stretch.keep(&mut self.world, self.step_seconds);
        self.settled = OnceCell::new();
        self.world.resident = true;
        self.world.device.clone_from(&self.device);
        let (begin, before) = (Instant::now(), (self.world.step_count, trouble::cause(&self.world)));
        self.world.step();
        // What steps of it cost is to be known before more are asked for.
        if self.listens {
            self.world.keep_pace();
        } else {
            self.world.wait();
        }
        self.measure(begin.elapsed());
        // Where this step was made before, what was done behind it is done again.
        self.stretch.put_in(&mut self.world);
        self.world.step_count > before.0 && trouble::cause(&self.world) == before.1
    }

    /// Has a step that was made ahead of this state for its own, and hands back the state before it.
    pub fn accept(&mut self, made: Precomputed) -> (bool, Box<World>) {
        self.stretch.keep(&mut self.world, self.step_seconds);
        self.settled = OnceCell::new();
        let before = (self.world.step_count, trouble::cause(&self.world));
        let mut old = made.world;
        std::mem::swap(&mut self.world, &mut old);
        self.measure(made.took);
        (self.world.step_count > before.0 && trouble::cause(&self.world) == before.1, old)
    }

    /// Notes what the last step took.
    fn measure(&mut self, took: Duration) {
        let seconds = took.as_secs_f64();
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

    fn forget_copies(&mut self) {
        (self.settled, self.late) = (OnceCell::new(), None);
    }

    /// Whether the world is [shown](Self::shown) as a device tells late how it stands; nothing waits for the device
    /// then.
    pub fn listen(&mut self, listens: bool) {
        self.listens = listens;
        if !listens {
            self.late = None;
        }
    }

    /// Hears what a device has told since; false if nothing has come.
    pub fn take_readback(&mut self) -> bool {
        let came = self.listens && self.world.take_readback(&mut self.late);
        if self.world.device_world().is_none() {
            // It has failed, and the world's lists are how it stands.
            self.forget_copies();
        }
        came
    }

    /// Has the device tell how the world stands now.
    pub fn request_readback(&mut self) {
        self.world.request_readback();
    }

    /// Has the poses before the next step kept on the device, between which and those behind it the picture lies.
    pub fn keep_poses(&mut self) {
        self.world.keep_poses();
    }

    /// How the world stood when the device told last, while that is listened to.
    pub fn late(&self) -> Option<&World> {
        self.late.as_deref().filter(|_| self.listens)
    }

    /// The world as it is shown: as it stands, or as it is came of late.
    pub fn shown(&self) -> &World {
        self.late().unwrap_or(&self.world)
    }

    /// The hash of the state that the same inputs lead to when everything is run again from the last edit of the
    /// bodies.
    pub fn replayed_hash(&self) -> u64 {
        self.stretch.again(self.world.step_count).hash()
    }
}

fn blend(old: &mut Duration, new: Duration, share: f64) {
    *old = old.mul_f64(1.0 - share) + new.mul_f64(share);
}
