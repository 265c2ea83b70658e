//! Recovery of unsaved work after a crash. The edited document is written to a folder next to the window's settings,
//! a few seconds after each edit. The next start offers the copies that ended processes left there.
//!
//! A copy exists from the first unsaved edit until the work is saved or discarded. Recovered work keeps its copy: it
//! passes from the process that ended to the process that recovered the work, which writes it again at once. So there
//! is no moment at which a crash would lose it. A copy also holds the text of the scene file from which the work
//! started. With it the window can see whether the file has changed since, and can merge the two.
//!
//! The parts: [`copy`] is the file, [`slot`] its name and lock, [`writer`] the thread that writes it, [`last_words`]
//! what happens when the process is about to end.

mod copy;
pub(super) mod last_words;
mod slot;
mod writer;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

pub(super) use copy::{KeptWork, WorkText};
pub(super) use slot::Slot;
pub(super) use writer::Orders;

use delassus_session::Session;
use writer::Writer;

/// Default time between two writes.
const DEFAULT_INTERVAL: Duration = Duration::from_secs(2);

/// The recovery copy of this process, and those that others left.
pub(super) struct Recovery {
    folder: Option<PathBuf>,
    writer: Option<Writer>,
}

impl Recovery {
    /// Writes to a folder next to the settings; without a settings folder it writes nothing. The environment variable
    /// `DELASSUS_KEEP_EVERY` sets the interval, s.
    pub fn new(settings: Option<&Path>) -> Self {
        let folder = settings.map(|folder| folder.join("recovery"));
        let seconds = std::env::var("DELASSUS_KEEP_EVERY").ok().and_then(|seconds| seconds.parse().ok());
        let every = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok()).unwrap_or(DEFAULT_INTERVAL);
        let writer = folder.as_deref().map(|folder| Writer::start(folder, every));
        Self { folder, writer }
    }

    /// Hands the document to the writer: its unsaved work is written soon, and the copy is deleted if there is none.
    /// With `gone` the document's file no longer exists, so that even saved work has no other copy. Does not wait for
    /// the disk.
    ///
    /// # Errors
    /// The last attempt to write failed; each failure is reported once.
    pub fn note(&self, session: &Session, gone: bool) -> io::Result<()> {
        let Some(writer) = &self.writer else { return Ok(()) };
        writer.orders().note(session.unsaved(gone));
        writer.orders().error().map_or(Ok(()), Err)
    }

    /// Writes what was handed over, and waits until it is written.
    pub fn flush(&self) {
        if let Some(writer) = &self.writer {
            writer.orders().flush();
        }
    }

    /// Deletes this process's copy, after its work was saved or discarded.
    pub fn end(&self) {
        if let Some(writer) = &self.writer {
            writer.orders().note(None);
            writer.orders().flush();
        }
    }

    /// The writer's orders, for code that must write when the process ends.
    pub fn orders(&self) -> Option<Arc<Orders>> {
        self.writer.as_ref().map(|writer| writer.orders().clone())
    }

    /// The unsaved work of ended processes, newest first.
    pub fn found(&self) -> Vec<KeptWork> {
        self.folder.as_deref().map(slot::lost).unwrap_or_default()
    }

    /// Claims lost work and reads it. Dropping the claim leaves the copy as it is.
    ///
    /// # Errors
    /// Another window has it, it is gone, or it cannot be read.
    pub fn claim(&self, copy: &Path) -> io::Result<(Slot, WorkText)> {
        let slot =
            Slot::claim(copy).ok_or_else(|| io::Error::other("it is open in another window, or was discarded"))?;
        let work = copy::read(copy)?;
        Ok((slot, work))
    }

    /// Makes claimed work, which is open now, this process's own: its copy is written again at once.
    pub fn adopt(&self, slot: Slot, session: &Session) {
        if let Some(writer) = &self.writer {
            writer.orders().adopt(slot, session.unsaved(false));
        }
    }

    /// Deletes lost work.
    ///
    /// # Errors
    /// Another window has it, or it cannot be deleted.
    pub fn discard(&self, copy: &Path) -> io::Result<()> {
        match Slot::claim(copy) {
            Some(slot) => slot.discard(),
            None if copy.is_file() => Err(io::Error::other("it is open in another window")),
            None => Ok(()),
        }
    }

    /// The copy of this process, once it is written.
    #[cfg(test)]
    pub fn own(&self) -> Option<PathBuf> {
        self.writer.as_ref()?.orders().copy()
    }
}

#[cfg(test)]
mod tests;
