//! Writes a file completely or not at all.
//!
//! ```text
//! a new file beside it ── written ── its permissions ── on the disk ── takes its place ── the folder on the disk
//! ```
//! A crash at any moment leaves the old content or the new one, and at worst a temporary file.

use std::fs::Permissions;
use std::io::{Result, Write};
use std::path::Path;

use super::{atomic_write, fault, memory};

/// So much is written at a time.
const PIECE: usize = 1 << 20;

/// Replaces the content of `path`. The temporary file's name begins and ends with `name`; the new file has these
/// permissions, or those of any new file.
///
/// # Errors
/// Errors of the file system; the file is then as it was before.
pub fn write(path: &Path, bytes: &[u8], name: (&str, &str), permissions: Option<Permissions>) -> Result<()> {
    if memory::TAKES_THE_DISKS_PLACE {
        memory::write(path, bytes);
        return Ok(());
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fault::point()?;
    let mut file = atomic_write::builder().prefix(name.0).suffix(name.1).tempfile_in(folder)?;
    let fill = || {
        fault::point()?;
        for piece in bytes.chunks(PIECE) {
            // Half of it, as if the disk were full or the program ended within the piece.
            let (first, rest) = piece.split_at(piece.len() / 2);
            file.write_all(first)?;
            fault::point()?;
            file.write_all(rest)?;
            fault::point()?;
        }
        if let Some(permissions) = permissions {
            file.as_file().set_permissions(permissions)?;
            fault::point()?;
        }
        file.as_file().sync_all()?;
        fault::point()
    };
    if let Err(error) = fill() {
        if fault::has_crashed() {
            file.disable_cleanup(true);
        }
        return Err(error);
    }
    file.persist(path).map_err(|error| error.error)?;
    sync_folder_of(path);
    fault::point()
}

/// Replaces the content of the file at `path`, or at the end of the links there, and keeps its permissions. What is no
/// regular file, such as a pipe, is written to.
///
/// # Errors
/// Errors of the file system; a regular file is then as it was before.
pub fn put(path: &Path, bytes: &[u8]) -> Result<()> {
    let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let old = std::fs::metadata(&path).ok();
    if old.as_ref().is_some_and(|old| !old.is_file()) {
        return std::fs::write(&path, bytes);
    }
    write(&path, bytes, (".delassus-", ".tmp"), old.map(|old| old.permissions()))
}

/// Puts the folder's new entry on the disk. Where a system cannot, the file's content is safe nevertheless.
pub(crate) fn sync_folder_of(path: &Path) {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if cfg!(unix)
        && let Ok(folder) = std::fs::File::open(folder)
    {
        let _ = folder.sync_all();
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::fault::{FaultKind, at_each_point};
    use super::write;

    #[test]
    fn a_fault_at_any_point_leaves_the_old_content_or_the_new() {
        for kind in [FaultKind::Fails, FaultKind::Crashes] {
            let folder = tempfile::tempdir().expect("a folder");
            let path = folder.path().join("file");
            let (old, new) = (vec![b'a'; 10], vec![b'b'; super::PIECE + 10]);
            let permissions = || fs::metadata(&path).ok().map(|data| data.permissions());
            let begin = || {
                fs::write(&path, &old).expect("a file");
                write(&path, &new, (".part", ".tmp"), permissions())
            };
            let points = at_each_point(kind, begin, |point, result| {
                let now = fs::read(&path).expect("a file");
                assert!(now == old || now == new, "{kind:?} at point {point}: {} bytes", now.len());
                assert_eq!(now == old, result.is_err() && now != new, "{kind:?} at point {point}");
                let others = fs::read_dir(folder.path()).expect("a folder").count() - 1;
                assert!(kind == FaultKind::Crashes || others == 0, "{kind:?} at point {point} leaves {others} files");
            });
            assert!(points >= 9, "{points}");
        }
    }
}
