//! A computation on a thread of its own. Dropping it cancels it.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError, TryRecvError};
use std::time::Duration;

use delassus_physics::work::Cancel;

/// A computation under way, and its result as soon as there is one.
pub struct Background<T> {
    coming: Receiver<T>,
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
    /// Starts it; `None` if no thread can be started. It gets what cancels it, and is to look at it often.
    pub fn start(name: &str, compute: impl FnOnce(&Cancel) -> T + Send + 'static) -> Option<Self> {
        let (send, coming) = mpsc::channel();
        let cancel = Cancel::default();
        let own = cancel.clone();
        // The receiver is gone if the computation was cancelled.
        let thread = std::thread::Builder::new().name(name.into()).spawn(move || drop(send.send(compute(&own))));
        thread.is_ok().then_some(Self { coming, cancel })
    }

    /// Looks without waiting.
    pub fn look(&self) -> Progress<T> {
        match self.coming.try_recv() {
            Ok(result) => Progress::Done(result),
            Err(TryRecvError::Empty) => Progress::Running,
            Err(TryRecvError::Disconnected) => Progress::Failed,
        }
    }

    /// Waits for the result, for at most `patience`.
    pub fn wait(&self, patience: Duration) -> Progress<T> {
        match self.coming.recv_timeout(patience) {
            Ok(result) => Progress::Done(result),
            Err(RecvTimeoutError::Timeout) => Progress::Running,
            Err(RecvTimeoutError::Disconnected) => Progress::Failed,
        }
    }
}

impl<T> Drop for Background<T> {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::Duration;

    use super::{Background, Progress};

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
        assert_eq!(endless.look(), Progress::Running);
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
}
