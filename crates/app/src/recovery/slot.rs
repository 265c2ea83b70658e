//! The place of one copy: its random name, and a lock on a file beside it. The system releases the lock when the
//! process ends, however it ends. So a copy whose lock is free is work that somebody lost.

use std::ffi::OsStr;
use std::fs::{self, File, TryLockError};
use std::io::Result;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, SystemTime};

use super::copy::{self, KeptWork};
use delassus_physics::clock::Instant;
use delassus_session::UnsavedWork;

/// The ending of locks.
const LOCK: &str = "lock";
/// A lock without a copy that is older belongs to nobody: one that is younger may just be made.
const ORPHANED: Duration = Duration::from_secs(60);
/// The longest wait for a window that lists the copies.
const LISTING: Duration = Duration::from_millis(100);

/// The place of a copy that belongs to this process.
pub struct Slot {
    copy: PathBuf,
    /// Locked until it is dropped.
    lock: File,
}

impl Slot {
    /// A new place in this folder.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub fn new(folder: &Path) -> Result<Self> {
        fs::create_dir_all(folder)?;
        let made =
            delassus_files::atomic_write::builder().prefix("").rand_bytes(16).suffix(".lock").tempfile_in(folder)?;
        let (lock, path) = made.keep().map_err(|error| error.error)?;
        // A file system without locks gives an error: the copy is then offered although its writer lives, which is
        // better than never.
        let _ = lock.try_lock();
        Ok(Self { copy: path.with_extension(copy::ENDING), lock })
    }

    /// Takes over a copy whose writer has ended; `None` if it has not, or another process was faster.
    pub fn claim(copy: &Path) -> Option<Self> {
        let lock = open_lock(copy)?;
        let begin = Instant::now();
        // Another window that lists the copies at this moment holds the lock as well, but not for long.
        while let Err(TryLockError::WouldBlock) = lock.try_lock() {
            if begin.elapsed() > LISTING {
                return None;
            }
            thread::sleep(Duration::from_millis(1));
        }
        // Its writer deletes the copy before it releases the lock.
        copy.is_file().then(|| Self { copy: copy.into(), lock })
    }

    /// The copy's path.
    #[cfg(test)]
    pub fn copy(&self) -> &Path {
        &self.copy
    }

    /// Whether the lock can still be found beside the copy. It cannot if somebody has emptied the folder.
    pub fn is_marked(&self) -> bool {
        self.copy.with_extension(LOCK).is_file()
    }

    /// Writes the copy.
    ///
    /// # Errors
    /// Errors of the file system; the copy is then as it was before.
    pub fn write(&self, work: &UnsavedWork) -> Result<()> {
        copy::write(&self.copy, work)
    }

    /// Deletes the copy, whose work is saved or discarded.
    ///
    /// # Errors
    /// The copy cannot be deleted: it will be offered again.
    pub fn discard(self) -> Result<()> {
        let gone = match fs::remove_file(&self.copy) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        };
        if gone.is_ok() {
            // In this order: a copy without a lock counts as lost work.
            let _ = fs::remove_file(self.copy.with_extension(LOCK));
        }
        gone
    }
}

impl Drop for Slot {
    /// Releases the lock. Closing the file is not enough: a child process that is just being started shares it until
    /// its program begins.
    fn drop(&mut self) {
        let _ = self.lock.unlock();
    }
}

fn open_lock(copy: &Path) -> Option<File> {
    let path = copy.with_extension(LOCK);
    File::options().read(true).write(true).create(true).truncate(false).open(path).ok()
}

/// Whether the writer of a copy has ended. Any number of windows may ask at the same time.
fn is_lost(copy: &Path) -> bool {
    let Some(lock) = open_lock(copy) else { return false };
    if let Err(TryLockError::WouldBlock) = lock.try_lock_shared() {
        return false;
    }
    let is_lost = copy.is_file();
    let _ = lock.unlock();
    is_lost
}

/// The copies in a folder whose writers have ended, newest first.
pub fn lost(folder: &Path) -> Vec<KeptWork> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        match path.extension().and_then(OsStr::to_str) {
            Some(copy::ENDING) if is_lost(&path) => found.extend(copy::head(&path)),
            Some(LOCK) => sweep_up(&path),
            _ => {}
        }
    }
    found.sort_by(|a, b| b.written.cmp(&a.written).then_with(|| a.copy.cmp(&b.copy)));
    found
}

/// Deletes a lock that was left without its copy.
fn sweep_up(lock: &Path) {
    let alone = || !lock.with_extension(copy::ENDING).exists();
    let old = |at: SystemTime| at.elapsed().is_ok_and(|age| age > ORPHANED);
    let is_old = || lock.metadata().and_then(|data| data.modified()).is_ok_and(old);
    if is_old() && alone() && File::open(lock).is_ok_and(|file| file.try_lock().is_ok()) {
        let _ = fs::remove_file(lock);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A child process that is being started shares all open files. Work was not listed at such a moment.
    #[test]
    fn the_lock_is_released_although_a_child_process_still_shares_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let slot = Slot::new(folder.path()).expect("a place");
        std::fs::write(slot.copy(), "").expect("a copy");
        let (copy, shared) = (slot.copy().to_path_buf(), slot.lock.try_clone().expect("the same file"));
        assert!(!is_lost(&copy), "its writer is alive");
        drop(slot);
        assert!(is_lost(&copy));
        assert!(Slot::claim(&copy).is_some());
        drop(shared);
    }

    #[test]
    fn windows_that_list_at_the_same_time_do_not_hide_work_from_each_other() {
        let folder = tempfile::tempdir().expect("a folder");
        let slot = Slot::new(folder.path()).expect("a place");
        std::fs::write(slot.copy(), "").expect("a copy");
        let copy = slot.copy().to_path_buf();
        drop(slot);
        let other = open_lock(&copy).expect("a lock");
        other.try_lock_shared().expect("nobody holds it");
        assert!(is_lost(&copy));
    }
}
