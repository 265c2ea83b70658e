//! The place of one copy: its random name, and a lock on a file beside it. The system releases the lock when the
//! process ends, however it ends. So a copy whose lock is free is work that somebody lost.

use std::ffi::OsStr;
use std::fs::{self, File, TryLockError};
use std::io::Result;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::copy::{self, KeptWork};
use crate::session::UnsavedWork;

/// The ending of locks.
const LOCK: &str = "lock";
/// A lock without a copy that is older belongs to nobody: one that is younger may just be made.
const ORPHANED: Duration = Duration::from_secs(60);

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
        let made = crate::new_file::builder().prefix("").rand_bytes(16).suffix(".lock").tempfile_in(folder)?;
        let (lock, path) = made.keep().map_err(|error| error.error)?;
        // A file system without locks gives an error: the copy is then offered although its writer lives, which is
        // better than never.
        let _ = lock.try_lock();
        Ok(Self { copy: path.with_extension(copy::ENDING), lock })
    }

    /// Takes over a copy whose writer has ended; `None` if it has not, or another process was faster.
    pub fn claim(copy: &Path) -> Option<Self> {
        let path = copy.with_extension(LOCK);
        let lock = File::options().read(true).write(true).create(true).truncate(false).open(path).ok()?;
        if let Err(TryLockError::WouldBlock) = lock.try_lock() {
            return None;
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
        // Released, whatever happened.
        drop(self.lock);
        gone
    }
}

/// The copies in a folder whose writers have ended, newest first.
pub fn lost(folder: &Path) -> Vec<KeptWork> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        match path.extension().and_then(OsStr::to_str) {
            // The claim is given up at once.
            Some(copy::ENDING) if Slot::claim(&path).is_some() => found.extend(copy::head(&path)),
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
