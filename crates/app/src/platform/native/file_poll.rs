//! A thread that polls the times and lengths of files several times a second, so that the window never waits for the
//! disk.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, SystemTime};

use super::Proxy;
use crate::window::UserEvent;

/// Time between two polls.
const POLL_INTERVAL: Duration = Duration::from_millis(300);

/// The files that the thread polls.
#[derive(Default)]
pub(crate) struct FilePoll(Arc<Mutex<Vec<PathBuf>>>);

/// Modification time and length of a file, if it exists.
pub(crate) type Stamp = Option<(Option<SystemTime>, u64)>;

fn stamp(file: &Path) -> Stamp {
    let found = std::fs::metadata(file).ok()?;
    Some((found.modified().ok(), found.len()))
}

impl FilePoll {
    /// Polls no files yet; without an event loop it never sends events.
    pub fn new(proxy: Option<Proxy>) -> Self {
        let files = Self::default();
        if let Some(proxy) = proxy {
            let polled = files.0.clone();
            thread::spawn(move || poll_files(&polled, &proxy));
        }
        files
    }

    /// What the thread compares.
    #[cfg(test)]
    pub fn stamps(files: Vec<PathBuf>) -> Vec<(PathBuf, Stamp)> {
        stamps(files)
    }

    /// The files that are polled.
    #[cfg(test)]
    pub fn files(&self) -> Vec<PathBuf> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Polls these files from now on.
    pub fn set(&self, files: impl Iterator<Item = PathBuf>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = files.collect();
    }
}

/// Modification time and length of each file.
fn stamps(files: Vec<PathBuf>) -> Vec<(PathBuf, Stamp)> {
    let stamped = |file: PathBuf| {
        let stamp = stamp(&file);
        (file, stamp)
    };
    files.into_iter().map(stamped).collect()
}

fn poll_files(polled: &Mutex<Vec<PathBuf>>, proxy: &Proxy) {
    let mut last = Vec::new();
    loop {
        thread::sleep(POLL_INTERVAL);
        let files = polled.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let now = stamps(files);
        // A newly watched file may have changed between its reading and this first poll, too.
        if now != last && !now.is_empty() && !proxy.send(UserEvent::FileTouched) {
            return;
        }
        last = now;
    }
}
