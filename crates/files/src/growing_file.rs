//! Files that are written piece by piece: some get their name only when they are complete, as films; others can be read
//! while they grow, as the tables of a run.

use std::fs::File;
use std::io::{BufWriter, Error, ErrorKind, Result, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use super::{atomic_write, fault, whole_file};

/// A file that gets its name when it is complete. Until then it has a temporary name in the same folder, and is deleted
/// if it is dropped. It holds a lock, which the system releases when the process ends.
pub struct GrowingFile {
    writer: SharedWriter,
    /// `None` after a planned crash, which cleans nothing up.
    part: Option<tempfile::TempPath>,
}

/// Writes into a [`GrowingFile`]. An encoder may swallow an error at its end; the file remembers it.
#[derive(Clone)]
pub struct SharedWriter(Arc<Mutex<WriterState>>);

struct WriterState {
    out: BufWriter<StopOnError>,
    failed: Option<Error>,
}

impl GrowingFile {
    /// Begins a file in this folder whose temporary name begins with `prefix`.
    ///
    /// # Errors
    /// Errors of the file system.
    pub fn create(folder: &Path, prefix: &str) -> Result<Self> {
        fault::point()?;
        let (file, part) = atomic_write::builder().prefix(prefix).tempfile_in(folder)?.into_parts();
        // On a file system without locks this fails. Then the files of running programs look like abandoned ones.
        let _ = file.try_lock();
        let state = WriterState { out: BufWriter::new(StopOnError::of(file)), failed: None };
        Ok(Self { writer: SharedWriter(Arc::new(Mutex::new(state))), part: Some(part) })
    }

    /// A writer for an encoder.
    pub fn writer(&self) -> SharedWriter {
        self.writer.clone()
    }

    /// Completes the file and moves it to `path`.
    ///
    /// # Errors
    /// If any part of it could not be written, or it cannot be moved; what was at `path` is then still there.
    pub fn finish(mut self, path: &Path) -> Result<()> {
        {
            let mut state = self.writer.0.lock().unwrap_or_else(PoisonError::into_inner);
            state.out.flush()?;
            if let Some(error) = state.failed.take() {
                return Err(error);
            }
            state.out.get_ref().file.sync_all()?;
        }
        fault::point()?;
        if let Some(part) = self.part.take() {
            part.persist(path).map_err(|error| error.error)?;
        }
        whole_file::sync_folder_of(path);
        fault::point()
    }
}

impl Drop for GrowingFile {
    fn drop(&mut self) {
        if fault::has_crashed()
            && let Some(mut part) = self.part.take()
        {
            part.disable_cleanup(true);
        }
    }
}

impl Write for SharedWriter {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).attempt(|out| out.write(bytes))
    }

    fn flush(&mut self) -> Result<()> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).attempt(Write::flush)
    }
}

impl WriterState {
    fn attempt<R>(&mut self, write: impl FnOnce(&mut BufWriter<StopOnError>) -> Result<R>) -> Result<R> {
        let result = write(&mut self.out);
        if let Err(error) = &result {
            self.failed.get_or_insert(Error::new(error.kind(), error.to_string()));
        }
        result
    }
}

/// A file that may be read while it is written: at every moment it holds a correct beginning. After an error nothing
/// more is written, because a buffered writer would write a part again that is already partly in the file.
pub struct StopOnError {
    file: File,
    has_failed: bool,
}

impl StopOnError {
    /// Replaces what is at `path` by an empty file.
    ///
    /// # Errors
    /// Errors of the file system.
    pub fn create(path: &Path) -> Result<BufWriter<Self>> {
        fault::point()?;
        Ok(BufWriter::new(Self::of(File::create(path)?)))
    }

    fn of(file: File) -> Self {
        Self { file, has_failed: false }
    }

    fn attempt<R>(&mut self, write: impl FnOnce(&mut File) -> Result<R>) -> Result<R> {
        if self.has_failed {
            return Err(Error::other("an earlier part could not be written"));
        }
        let result = fault::point().and_then(|()| write(&mut self.file));
        self.has_failed = result.as_ref().is_err_and(|error| error.kind() != ErrorKind::Interrupted);
        result
    }
}

impl Write for StopOnError {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        // If a test plans a fault, the bytes are written in two parts, so that the fault can come in between.
        let part = if fault::is_planned() { bytes.len().div_ceil(2) } else { bytes.len() };
        self.attempt(|file| file.write(&bytes[..part]))
    }

    fn flush(&mut self) -> Result<()> {
        self.attempt(Write::flush)
    }
}
