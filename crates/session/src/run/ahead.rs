//! Steps made ahead of time on a separate thread. A frame takes those that are ready and waits for none.
//!
//! ```text
//! the run      Wₙ ──────────────── take ── Wₙ₊₁ ── take ── Wₙ₊₂        drawn, read, edited and recorded
//! the thread      copy, step ── Wₙ₊₁ ── copy, step ── Wₙ₊₂ ── …        as far ahead as there is room
//! ```
//! The run always holds a complete state, so a command acts at once on the visible state; steps made ahead from a
//! different state are then discarded, and the step in progress is cancelled. Stepping a copy gives the same result bit
//! for bit, so such a run and its replay agree.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use super::Run;
use delassus_physics::clock::Instant;
use delassus_physics::work::Cancel;
use delassus_physics::world::World;

/// Memory for states made ahead, bytes. The copy being stepped and one spare buffer come on top.
const MEMORY: usize = 256 << 20;

/// The thread and its shared queue.
pub struct AheadThread {
    /// Memory for the queued states, bytes.
    memory: usize,
    desk: Arc<(Mutex<Desk>, Condvar)>,
    thread: Option<JoinHandle<()>>,
    /// The [epoch](Run::epoch) of the run that the queued steps continue.
    epoch: Option<u64>,
}

/// Data shared between the thread and the session.
#[derive(Default)]
struct Desk {
    /// The state to start from, with its epoch, until the thread has taken it.
    order: Option<(u64, Box<World>)>,
    /// The epoch for which steps are wanted.
    epoch: Option<u64>,
    made: VecDeque<Precomputed>,
    /// How many states may be queued.
    room: usize,
    /// Cancels the current step.
    cancel: Cancel,
    /// When the current step was begun, and how long the last one took.
    begun: Option<Instant>,
    took: Duration,
    /// States no longer needed: the thread reuses one as its next buffer and frees the others.
    spent: Vec<Box<World>>,
    closed: bool,
}

/// A state that was made ahead.
pub struct Precomputed {
    pub world: Box<World>,
    /// Wall time of the step.
    pub took: Duration,
}

impl Default for AheadThread {
    fn default() -> Self {
        Self::within(MEMORY)
    }
}

impl AheadThread {
    /// A thread that queues states up to this memory, bytes.
    fn within(memory: usize) -> Self {
        Self { memory, desk: Arc::default(), thread: None, epoch: None }
    }

    fn desk(&self) -> MutexGuard<'_, Desk> {
        lock(&self.desk.0)
    }

    /// Starts making steps from the run's state, unless this is under way; at most `room` states are queued.
    pub fn go_on(&mut self, run: &Run, room: usize) {
        // Of a larger world one state is made ahead.
        let room = room.min(self.memory / run.world().bytes_beside().max(1)).max(1);
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
            // If no thread can be started, the session makes the steps itself: see `is_at_work`.
            self.thread = std::thread::Builder::new().name("steps".into()).spawn(move || work(&desk)).ok();
        }
    }

    /// Stops, and discards the queued states.
    pub fn stop(&mut self) {
        if self.epoch.take().is_some() {
            let mut desk = self.desk();
            desk.forget();
            (desk.order, desk.epoch) = (None, None);
            drop(desk);
            // Wake the thread so that it frees its states.
            self.desk.1.notify_all();
        }
    }

    /// Whether it was started from the run's state.
    pub fn is_for(&self, run: &Run) -> bool {
        self.epoch == Some(run.epoch())
    }

    /// Whether the thread is making steps from the run's state.
    pub fn is_at_work(&self, run: &Run) -> bool {
        self.is_for(run) && self.thread.as_ref().is_some_and(|thread| !thread.is_finished())
    }

    /// How long the current step has been computed.
    pub fn computing(&self) -> Duration {
        self.desk().begun.map_or(Duration::ZERO, |begun| begun.elapsed())
    }

    /// How many states after the run's are ready.
    pub fn ready(&self, run: &Run) -> usize {
        if self.is_for(run) { self.desk().made.len() } else { 0 }
    }

    /// Waits until a state is ready, for at most `patience`; returns at once if it is not expected by then.
    pub fn wait(&self, patience: Duration) {
        if self.thread.is_none() {
            return;
        }
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

    /// The state after the run's, if ready.
    pub fn take(&mut self, run: &Run) -> Option<Precomputed> {
        if !self.is_for(run) {
            return None;
        }
        let made = self.desk().made.pop_front();
        self.desk.1.notify_one();
        made
    }

    /// Gives a state to the thread for reuse or freeing.
    pub fn discard(&self, world: Box<World>) {
        self.desk().spent.push(world);
    }
}

impl Drop for AheadThread {
    /// Does not wait: the thread cancels its current step and ends by itself.
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
        std::mem::take(&mut self.cancel).cancel();
        let Self { made, spent, order, .. } = self;
        spent.extend(made.drain(..).map(|made| made.world));
        spent.extend(order.take().map(|(_, world)| world));
    }
}

fn lock(desk: &Mutex<Desk>) -> MutexGuard<'_, Desk> {
    desk.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The thread's loop: makes the wanted steps until it is closed.
fn work((desk, bell): &(Mutex<Desk>, Condvar)) {
    // The state being stepped, which keeps its scratch buffers; the session gets copies.
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
                // Freeing a large state takes time, so do it without the lock.
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
        let cancel = at.cancel.clone();
        drop(at);
        let Some((_, world)) = &mut here else { continue };
        world.report.work.cancelled_by(Some(cancel.clone()));
        world.step();
        // The session's copies are not cancelled with it.
        world.report.work.cancelled_by(None);
        let took = begun.elapsed();
        if cancel.is_cancelled() {
            // The state is of no use.
            here = None;
            continue;
        }
        let copy = match spare.take() {
            Some(mut spare) => {
                spare.clone_from(world);
                spare
            }
            None => world.clone(),
        };
        let mut at = lock(desk);
        if at.epoch == Some(epoch) && !cancel.is_cancelled() {
            (at.begun, at.took) = (None, took);
            at.made.push_back(Precomputed { world: copy, took });
            bell.notify_all();
        } else {
            spare = Some(copy);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::AheadThread;
    use crate::{Command, Session};

    const SCENE: &str = r#"(version: 1, title: "balls", patterns: [Grid(name: "g", count: (6, 6, 3), spacing: (0.3, 0.3, 0.3),
        of: Body(shape: Sphere(radius: 0.15), at: (0, 0, 0.2)))],
        bodies: [(name: "floor", shape: Box(half: (9, 9, 1)), at: (0, 0, -1), motion: Static)])"#;

    fn session() -> Session {
        Session::from_text(SCENE, "balls.ron").expect("a scene")
    }

    /// Of a world larger than the memory for queued states one state is made ahead. So no frame waits for a step, and
    /// the run is the same.
    #[test]
    fn a_world_larger_than_the_memory_for_states_is_stepped_on_the_thread_too() {
        let mut here = session();
        (0..6).for_each(|_| here.dispatch(Command::Step).expect("a step"));

        let mut session = session();
        let size = session.open.as_ref().expect("it is open").run.world().bytes_beside();
        session.ahead.steps = AheadThread::within(size - 1);
        session.run_ahead(true);
        session.dispatch(Command::Play).expect("it plays");
        let begun = Instant::now();
        while session.snapshot().step < 6 {
            let before = session.snapshot().step;
            session.advance(Duration::from_millis(17), Duration::from_millis(10));
            let run = &session.open.as_ref().expect("it is open").run;
            assert!(session.ahead.steps.is_for(run), "the thread makes the steps");
            assert!(session.ahead.steps.desk().room == 1 && session.ahead.steps.ready(run) <= 1);
            assert!(session.snapshot().step <= before + 2, "at most the one that was queued and the one that was due");
            assert!(begun.elapsed() < Duration::from_secs(120), "the steps come");
            std::thread::sleep(Duration::from_millis(1));
        }
        session.dispatch(Command::Pause).expect("it pauses");
        session.dispatch(Command::Seek(6)).expect("it is a step of the run");
        while session.computing().is_some() {
            session.advance(Duration::from_millis(17), Duration::from_millis(10));
        }
        assert_eq!(session.snapshot().hash, here.snapshot().hash);
    }
}
