//! A computation on a thread of its own. Dropping it cancels it.

use std::fmt;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, TryRecvError};
use std::time::Duration;

use delassus_physics::threads;
use delassus_physics::work::Cancel;

/// A computation under way, and its result as soon as there is one.
pub struct Background<T> {
    pending: Receiver<T>,
    cancel: Cancel,
}

/// What has become of a computation.
#[derive(Debug, PartialEq, Eq)]
pub enum Progress<T> {
    Running,
    Done(T),
    /// It ended without a result.
    Failed,
}

impl<T: Send + 'static> Background<T> {
    /// Starts it; `None` if no thread can be started. It gets what cancels it, and is to look at it often. Where there
    /// are no threads at all it is computed at once.
    pub fn start(name: &str, compute: impl FnOnce(&Cancel) -> T + Send + 'static) -> Option<Self> {
        let (send, pending) = mpsc::channel();
        let cancel = Cancel::default();
        if !threads::AVAILABLE {
            drop(send.send(compute(&cancel)));
            return Some(Self { pending, cancel });
        }
        let thread_cancel = cancel.clone();
        // The receiver is gone if the computation was cancelled.
        let thread =
            std::thread::Builder::new().name(name.into()).spawn(move || drop(send.send(compute(&thread_cancel))));
        thread.is_ok().then_some(Self { pending, cancel })
    }

    /// Looks without waiting.
    pub fn poll(&self) -> Progress<T> {
        match self.pending.try_recv() {
            Ok(result) => Progress::Done(result),
            Err(TryRecvError::Empty) => Progress::Running,
            Err(TryRecvError::Disconnected) => Progress::Failed,
        }
    }

    /// Waits for the result, for at most `max_wait`.
    pub fn wait(&self, max_wait: Duration) -> Progress<T> {
        if !threads::AVAILABLE {
            return self.poll();
        }
        match self.pending.recv_timeout(max_wait) {
            Ok(result) => Progress::Done(result),
            Err(RecvTimeoutError::Timeout) => Progress::Running,
            Err(RecvTimeoutError::Disconnected) => Progress::Failed,
        }
    }
}

impl<T> fmt::Debug for Background<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Background")
    }
}

impl<T> Drop for Background<T> {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}

/// How long a frame waits for what it shows, before it says that it is being computed.
pub const MAX_WAIT: Duration = Duration::from_millis(40);

/// Something that is computed from a key and kept, until it is asked for with another key. It is computed in the frame
/// or, `elsewhere`, on a thread; another key cancels that.
#[derive(Debug)]
pub struct Computed<K, T> {
    key: Option<K>,
    made: Option<T>,
    pending: Option<Background<T>>,
}

impl<K, T> Default for Computed<K, T> {
    fn default() -> Self {
        Self { key: None, made: None, pending: None }
    }
}

impl<K: PartialEq, T: Send + 'static> Computed<K, T> {
    /// Starts to compute it if the key is a new one. `begin` makes of the present state what is to be computed. Takes
    /// the result if there is one; true if it came just now.
    pub fn update<W>(&mut self, key: K, elsewhere: bool, begin: impl FnOnce() -> W) -> bool
    where
        W: FnOnce(Option<&Cancel>) -> T + Send + 'static,
    {
        if self.key.as_ref() == Some(&key) {
            return self.poll_for(Duration::ZERO);
        }
        (self.key, self.made) = (Some(key), None);
        self.pending = None;
        let work = begin();
        if !elsewhere {
            self.made = Some(work(None));
            return true;
        }
        self.pending = Background::start("looked at", move |cancel| work(Some(cancel)));
        self.poll_for(MAX_WAIT)
    }

    /// Takes the result if there is one after waiting this long.
    fn poll_for(&mut self, max_wait: Duration) -> bool {
        let Some(pending) = &self.pending else { return false };
        let progress = if max_wait.is_zero() { pending.poll() } else { pending.wait(max_wait) };
        match progress {
            Progress::Running => return false,
            Progress::Done(made) => self.made = Some(made),
            Progress::Failed => {}
        }
        self.pending = None;
        self.made.is_some()
    }

    /// What was computed with the last key.
    pub fn get(&self) -> Option<&T> {
        self.made.as_ref()
    }

    /// Whether it is still being computed.
    pub fn is_pending(&self) -> bool {
        self.pending.is_some()
    }

    /// Cancels what is being computed; it begins again when it is asked for.
    pub fn rest(&mut self) {
        if self.pending.take().is_some() {
            self.key = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::Duration;

    use super::{Background, Computed, Progress};

    #[test]
    fn dropping_it_cancels_it() {
        let (send, ended) = mpsc::channel();
        let endless = Background::start("endless", move |cancel| {
            while !cancel.is_cancelled() {
                std::thread::sleep(Duration::from_millis(1));
            }
            send.send(()).expect("the test waits");
        });
        let endless = endless.expect("a thread");
        assert_eq!(endless.poll(), Progress::Running);
        assert_eq!(endless.wait(Duration::from_millis(5)), Progress::Running);
        drop(endless);
        ended.recv_timeout(Duration::from_secs(60)).expect("it ends");
    }

    #[test]
    fn its_result_comes_and_a_panic_is_a_failure() {
        let done = Background::start("done", |_| 7).expect("a thread");
        assert_eq!(done.wait(Duration::from_secs(60)), Progress::Done(7));
        let failed = Background::<u32>::start("failed", |_| panic!("on purpose")).expect("a thread");
        assert_eq!(failed.wait(Duration::from_secs(60)), Progress::Failed);
    }

    /// Its work ends when it is cancelled only.
    fn endless() -> (impl FnOnce(Option<&super::Cancel>) -> u32 + Send + 'static, mpsc::Receiver<()>) {
        let (send, ended) = mpsc::channel();
        let work = move |cancel: Option<&super::Cancel>| {
            while !cancel.expect("it is on a thread").is_cancelled() {
                std::thread::sleep(Duration::from_millis(1));
            }
            send.send(()).expect("the test waits");
            0
        };
        (work, ended)
    }

    #[test]
    fn another_key_cancels_what_is_computed() {
        let mut computed = Computed::default();
        let (work, ended) = endless();
        assert!(!computed.update(1, true, || work));
        assert!(!computed.update(1, true, || |_: Option<&super::Cancel>| panic!("it was begun already")));
        assert!(computed.is_pending() && computed.get().is_none());
        assert!(computed.update(2, false, || |_: Option<&super::Cancel>| 7));
        assert_eq!((computed.get(), computed.is_pending()), (Some(&7), false));
        ended.recv_timeout(Duration::from_secs(60)).expect("it ends");
    }

    #[test]
    fn what_rests_is_cancelled_and_begins_again() {
        let mut computed = Computed::default();
        let (work, ended) = endless();
        assert!(!computed.update(1, true, || work));
        computed.rest();
        ended.recv_timeout(Duration::from_secs(60)).expect("it ends");
        assert!(computed.update(1, false, || |_: Option<&super::Cancel>| 8));
        computed.rest();
        assert!(!computed.update(1, false, || |_: Option<&super::Cancel>| 9), "a result stays");
        assert_eq!(computed.get(), Some(&8));
    }
}
