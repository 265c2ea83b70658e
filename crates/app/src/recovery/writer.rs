//! The thread that writes the copy of the open document. The window only hands it the newest document, a few pointers,
//! so it never waits for the disk. The thread can also be asked from outside to write at once: by a signal, by a panic,
//! and at the end of the process.

use std::io::{Error, Result};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::copy::same;
use super::slot::Slot;
use delassus_physics::clock::Instant;
use delassus_session::UnsavedWork;

/// The thread rests this many times as long as it wrote, so that a large scene is not written all the time.
const PAUSE_FACTOR: u32 = 10;
/// Time until a copy that could not be written is tried again.
const RETRY_AFTER: Duration = Duration::from_secs(30);
/// The longest wait for a copy when the process ends.
const LAST: Duration = Duration::from_secs(20);

/// The thread and its orders.
pub struct Writer {
    orders: Arc<Orders>,
    thread: Option<JoinHandle<()>>,
}

/// What the thread is to write. Clones of the pointer may ask for it at any time.
pub struct Orders {
    folder: PathBuf,
    every: Duration,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// The newest unsaved work; `None` if everything is saved or discarded.
    work: Option<UnsavedWork>,
    /// A copy that was claimed, whose work is now the open document.
    adopted: Option<Slot>,
    /// Counts the changes of these two; `done` is the count at the last success.
    asked: u64,
    done: u64,
    /// Counts the attempts.
    tries: u64,
    /// Do not wait for the next interval.
    hurry: bool,
    error: Option<Error>,
    ended: bool,
    /// The copy, once it is written.
    #[cfg(test)]
    copy: Option<PathBuf>,
}

#[cfg(test)]
impl State {
    fn note_copy(&mut self, slot: Option<&Slot>) {
        self.copy = slot.map(|slot| slot.copy().into());
    }
}

impl Writer {
    /// Starts the thread, which writes below `folder`, at most once in `every`.
    pub fn start(folder: &Path, every: Duration) -> Self {
        let orders = Orders { folder: folder.into(), every, state: Mutex::default(), changed: Condvar::new() };
        let orders = Arc::new(orders);
        let thread = {
            let orders = orders.clone();
            thread::Builder::new().name("recovery".into()).spawn(move || orders.carry_out())
        };
        let thread = thread.map_err(|error| {
            let mut state = orders.state();
            (state.error, state.ended) = (Some(error), true);
        });
        let thread = thread.ok();
        Self { orders, thread }
    }

    /// The orders.
    pub fn orders(&self) -> &Arc<Orders> {
        &self.orders
    }
}

impl Drop for Writer {
    /// Ends the thread. The copy stays: only saved and discarded work is deleted.
    fn drop(&mut self) {
        self.orders.state().ended = true;
        self.orders.changed.notify_all();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Orders {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The copy that is on the disk.
    #[cfg(test)]
    pub fn copy(&self) -> Option<PathBuf> {
        self.state().copy.clone()
    }

    /// Takes note of the document's unsaved work. With `None` the copy is deleted.
    pub fn note(&self, work: Option<UnsavedWork>) {
        let mut state = self.state();
        let known = match (&state.work, &work) {
            (Some(old), Some(new)) => same(old, new),
            (None, None) => true,
            _ => false,
        };
        if !known {
            state.work = work;
            state.asked += 1;
            self.changed.notify_all();
        }
    }

    /// Takes over a claimed copy for this work, and writes it again at once. The copy of what was open before is
    /// deleted, but only after that.
    pub fn adopt(&self, slot: Slot, work: Option<UnsavedWork>) {
        let mut state = self.state();
        (state.work, state.adopted, state.hurry) = (work, Some(slot), true);
        state.asked += 1;
        self.changed.notify_all();
    }

    /// The last error, once.
    pub fn error(&self) -> Option<Error> {
        self.state().error.take()
    }

    /// Writes at once, and waits until it is done or has failed. Does nothing if everything is written.
    pub fn flush(&self) {
        let mut state = self.state();
        let (begin, tries) = (Instant::now(), state.tries);
        while state.asked != state.done && !state.ended {
            // An attempt that has begun may have been for older work: two attempts are enough for the newest.
            if state.tries > tries + 1 || begin.elapsed() > LAST {
                return;
            }
            state.hurry = true;
            self.changed.notify_all();
            state = self.changed.wait_timeout(state, LAST).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// The thread.
    fn carry_out(&self) {
        let mut slot: Option<Slot> = None;
        let mut due = Instant::now();
        let mut state = self.state();
        while !state.ended {
            let now = Instant::now();
            let waits = state.asked != state.done;
            if !(waits && (state.hurry || state.work.is_none() || now >= due)) {
                let rest = if waits { due.saturating_duration_since(now) } else { Duration::MAX };
                state = self.wait(state, rest);
                continue;
            }
            let (asked, work, adopted) = (state.asked, state.work.clone(), state.adopted.take());
            state.hurry = false;
            drop(state);
            let before = adopted.and_then(|adopted| slot.replace(adopted));
            let done = self.put(&mut slot, work.as_ref()).and_then(|()| before.map_or(Ok(()), Slot::discard));
            state = self.state();
            #[cfg(test)]
            state.note_copy(slot.as_ref());
            state.tries += 1;
            due = Instant::now();
            match done {
                Ok(()) => {
                    state.done = asked;
                    due += self.every.max(now.elapsed() * PAUSE_FACTOR);
                }
                Err(error) => {
                    state.error = Some(error);
                    due += self.every.max(RETRY_AFTER);
                }
            }
            self.changed.notify_all();
        }
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State>, rest: Duration) -> MutexGuard<'a, State> {
        if rest == Duration::MAX {
            return self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        self.changed.wait_timeout(state, rest).unwrap_or_else(PoisonError::into_inner).0
    }

    /// Makes the copy be of this work.
    fn put(&self, slot: &mut Option<Slot>, work: Option<&UnsavedWork>) -> Result<()> {
        let Some(work) = work else { return slot.take().map_or(Ok(()), Slot::discard) };
        if !slot.as_ref().is_some_and(Slot::is_marked) {
            *slot = Some(Slot::new(&self.folder)?);
        }
        match slot {
            Some(slot) => slot.write(work),
            None => Ok(()),
        }
    }
}
