//! Steps made ahead of time, on a thread of their own: whoever draws takes those that are ready and waits for none.
//!
//! ```text
//! the run      Wₙ ──────────────── take ── Wₙ₊₁ ── take ── Wₙ₊₂        what is drawn, read, edited, recorded
//! the thread      copy, step ── Wₙ₊₁ ── copy, step ── Wₙ₊₂ ── …        as far ahead as there is room
//! ```
//! The run always holds a whole state, so a command acts at once, on the state that is seen; what was made ahead from
//! another one is then forgotten. A step of a copy is the same step to the bit, so a run made so and its replay agree.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::Run;
use crate::physics::world::World;

/// Memory for states made ahead, bytes. There are a copy that is stepped and one to write the next state over beside them.
const MEMORY: usize = 256 << 20;

/// The thread, and what it is to go on from.
#[derive(Default)]
pub struct AheadThread {
    desk: Arc<(Mutex<Desk>, Condvar)>,
    thread: Option<JoinHandle<()>>,
    /// The [epoch](Run::epoch) of the run from which it goes on.
    epoch: Option<u64>,
}

/// What lies between the thread and whoever takes.
#[derive(Default)]
struct Desk {
    /// What to go on from, with its epoch, until the thread has taken it.
    order: Option<(u64, Box<World>)>,
    /// Of which epoch steps are wanted.
    epoch: Option<u64>,
    made: VecDeque<Precomputed>,
    /// How many may lie here.
    room: usize,
    /// When the step that is being made was begun, and how long the last one took.
    begun: Option<Instant>,
    took: Duration,
    /// States that nobody needs: the next ones are written over them.
    spent: Vec<Box<World>>,
    closed: bool,
}

/// A state that was made ahead.
pub struct Precomputed {
    pub world: Box<World>,
    /// What the step took.
    pub took: Duration,
}

impl AheadThread {
    fn desk(&self) -> MutexGuard<'_, Desk> {
        lock(&self.desk.0)
    }

    /// Whether there is memory for copies of such a world.
    pub fn bears(world: &World) -> bool {
        world.bytes_beside() <= MEMORY
    }

    /// Has steps made from where the run stands, unless they are already, `room` states at most.
    pub fn go_on(&mut self, run: &Run, room: usize) {
        let room = room.min(MEMORY / run.world().bytes_beside().max(1));
        let same = self.epoch == Some(run.epoch());
        let order = (!same).then(|| (run.epoch(), Box::new(run.world_to_step())));
        {
            let mut desk = self.desk();
            desk.room = room;
            if order.is_some() {
                desk.forget();
                (desk.order, desk.epoch) = (order, Some(run.epoch()));
                (desk.begun, desk.took) = (None, Duration::from_secs_f64(run.step_seconds));
            }
        }
        self.epoch = Some(run.epoch());
        self.desk.1.notify_one();
        if self.thread.is_none() {
            let desk = Arc::clone(&self.desk);
            // Where there can be no thread, whoever takes makes the steps: see `is_at_work`.
            self.thread = std::thread::Builder::new().name("steps".into()).spawn(move || work(&desk)).ok();
        }
    }

    /// Makes no more, and forgets what was made.
    pub fn stop(&mut self) {
        if self.epoch.take().is_some() {
            let mut desk = self.desk();
            desk.forget();
            (desk.order, desk.epoch) = (None, None);
            drop(desk);
            // It lets go of what it holds.
            self.desk.1.notify_all();
        }
    }

    /// Whether there is a thread that makes steps from where the run stands.
    pub fn is_at_work(&self, run: &Run) -> bool {
        self.epoch == Some(run.epoch()) && self.thread.as_ref().is_some_and(|thread| !thread.is_finished())
    }

    /// How many states are ready that follow the run's.
    pub fn ready(&self, run: &Run) -> usize {
        if self.epoch == Some(run.epoch()) { self.desk().made.len() } else { 0 }
    }

    /// Waits until a state is ready, but no longer than `patience`, and not at all if it will not be ready by then.
    pub fn wait(&self, patience: Duration) {
        let end = Instant::now() + patience;
        let mut desk = self.desk();
        while desk.made.is_empty() {
            let left = end.saturating_duration_since(Instant::now());
            let hopeless = desk.begun.unwrap_or_else(Instant::now) + desk.took > end;
            if left.is_zero() || hopeless || desk.epoch.is_none() {
                return;
            }
            desk = self.desk.1.wait_timeout(desk, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// The state after the run's, if it is ready.
    pub fn take(&mut self, run: &Run) -> Option<Precomputed> {
        if self.epoch != Some(run.epoch()) {
            return None;
        }
        let made = self.desk().made.pop_front();
        self.desk.1.notify_one();
        made
    }

    /// Has the thread let go of a state.
    pub fn discard(&self, world: Box<World>) {
        self.desk().spent.push(world);
    }
}

impl Drop for AheadThread {
    /// The thread ends by itself once its step is made: nobody waits for it.
    fn drop(&mut self) {
        let mut desk = self.desk();
        desk.closed = true;
        desk.forget();
        drop(desk);
        self.desk.1.notify_one();
    }
}

impl Desk {
    fn forget(&mut self) {
        let Self { made, spent, order, .. } = self;
        spent.extend(made.drain(..).map(|made| made.world));
        spent.extend(order.take().map(|(_, world)| world));
    }
}

fn lock(desk: &Mutex<Desk>) -> MutexGuard<'_, Desk> {
    desk.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What the thread does: step after step of what is wanted, until nobody wants any.
fn work((desk, bell): &(Mutex<Desk>, Condvar)) {
    // The state that it steps, which keeps its scratch; whoever takes gets copies.
    let mut here: Option<(u64, Box<World>)> = None;
    let mut spare: Option<Box<World>> = None;
    loop {
        let mut at = lock(desk);
        let epoch = loop {
            if at.closed {
                return;
            }
            if let Some(order) = at.order.take() {
                at.spent.extend(here.replace(order).map(|(_, world)| world));
            }
            let mut spent = std::mem::take(&mut at.spent);
            if !spent.is_empty() {
                // It takes time to let go of a large state.
                drop(at);
                spare = spent.pop();
                drop(spent);
                at = lock(desk);
                continue;
            }
            match &here {
                Some((epoch, _)) if at.epoch == Some(*epoch) && at.made.len() < at.room => break *epoch,
                Some((epoch, _)) if at.epoch != Some(*epoch) => {
                    drop(at);
                    (here, spare) = (None, None);
                    at = lock(desk);
                }
                _ => at = bell.wait(at).unwrap_or_else(PoisonError::into_inner),
            }
        };
        let begun = Instant::now();
        at.begun = Some(begun);
        drop(at);
        let Some((_, world)) = &mut here else { continue };
        world.step();
        let took = begun.elapsed();
        let copy = match spare.take() {
            Some(mut spare) => {
                spare.clone_from(world);
                spare
            }
            None => world.clone(),
        };
        let mut at = lock(desk);
        if at.epoch == Some(epoch) {
            (at.begun, at.took) = (None, took);
            at.made.push_back(Precomputed { world: copy, took });
            bell.notify_all();
        } else {
            spare = Some(copy);
        }
    }
}
