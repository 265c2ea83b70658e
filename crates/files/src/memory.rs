//! Files in memory, which take the place of the disk where there is none: in the browser. What the page opens is put
//! here, and what the program writes is handed to the page, which offers it as a download.

use std::collections::BTreeMap;
use std::io::{Error, ErrorKind, Result};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Whether files are kept in memory because there is no disk.
pub const TAKES_THE_DISKS_PLACE: bool = cfg!(target_arch = "wasm32");

#[derive(Default)]
struct Files {
    contents: BTreeMap<PathBuf, Vec<u8>>,
    /// The files that were written since the last [`take_written`], oldest first.
    written: Vec<PathBuf>,
}

static FILES: Mutex<Files> = Mutex::new(Files { contents: BTreeMap::new(), written: Vec::new() });

fn files() -> MutexGuard<'static, Files> {
    FILES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Puts a file there that comes from outside; it replaces one of the same path.
pub fn put(path: &Path, bytes: Vec<u8>) {
    files().contents.insert(path.into(), bytes);
}

/// Writes a file, which [`take_written`] then returns.
pub fn write(path: &Path, bytes: &[u8]) {
    let mut files = files();
    files.contents.insert(path.into(), bytes.into());
    files.written.retain(|written| written != path);
    files.written.push(path.into());
}

/// Whether there is such a file.
pub fn contains(path: &Path) -> bool {
    files().contents.contains_key(path)
}

/// The content of a file.
///
/// # Errors
/// There is no such file.
pub fn read(path: &Path) -> Result<Vec<u8>> {
    files().contents.get(path).cloned().ok_or_else(|| Error::from(ErrorKind::NotFound))
}

/// The files that were written since the last call, with their contents.
pub fn take_written() -> Vec<(PathBuf, Vec<u8>)> {
    let mut files = files();
    let written = std::mem::take(&mut files.written);
    written.into_iter().filter_map(|path| files.contents.get(&path).cloned().map(|bytes| (path, bytes))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_handed_over_once_and_can_be_read() {
        let (opened, saved) = (Path::new("opened.ron"), Path::new("saved.ron"));
        put(opened, b"theirs".into());
        write(saved, b"first");
        write(saved, b"second");
        assert_eq!(take_written(), [(saved.to_path_buf(), b"second".to_vec())]);
        assert_eq!(take_written(), []);
        assert_eq!((read(opened).unwrap(), read(saved).unwrap()), (b"theirs".to_vec(), b"second".to_vec()));
        assert!(contains(saved) && !contains(Path::new("other.ron")));
        assert_eq!(read(Path::new("other.ron")).unwrap_err().kind(), ErrorKind::NotFound);
    }
}
