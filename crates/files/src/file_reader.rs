//! Reads files from outside the program. All files of users go through here, so that a bad path does no harm: no
//! folder, pipe or device is opened, no file is read beyond its limit, and nothing blocks.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{Error, ErrorKind, Read, Result};
use std::path::Path;

use super::{built_in, memory};

/// Opens a regular file for reading, through links too. A pipe that nobody writes to does not block.
///
/// # Errors
/// There is no such file, it may not be read, or it is not a regular file.
pub fn open(path: &Path) -> Result<File> {
    // Opening can already have effects, for example on a tape or a pipe.
    is_regular(&std::fs::metadata(path)?)?;
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK);
    let file = options.open(path)?;
    // Another program may have replaced it since.
    is_regular(&file.metadata()?)?;
    Ok(file)
}

/// The content of a regular file of at most `limit` bytes, or of a file within the program ([`built_in`]).
///
/// # Errors
/// As [`open`]; the file is larger; or it cannot be read.
pub fn bytes(path: &Path, limit: u64) -> Result<Vec<u8>> {
    if built_in::is_built_in(path) {
        let text = built_in::text(path).ok_or(ErrorKind::NotFound)?;
        return if text.len() as u64 > limit { Err(too_large(limit)) } else { Ok(text.as_bytes().into()) };
    }
    if memory::TAKES_THE_DISKS_PLACE {
        let bytes = memory::read(path)?;
        return if bytes.len() as u64 > limit { Err(too_large(limit)) } else { Ok(bytes) };
    }
    let file = open(path)?;
    let length = file.metadata()?.len();
    if length > limit {
        return Err(too_large(limit));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or_default());
    // The file may grow while it is read. One byte more shows that it is too large.
    file.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit { Err(too_large(limit)) } else { Ok(bytes) }
}

/// The text of a regular file of at most `limit` bytes.
///
/// # Errors
/// As [`bytes`], or the file is not UTF-8 text.
pub fn text(path: &Path, limit: u64) -> Result<String> {
    String::from_utf8(bytes(path, limit)?).map_err(|_| Error::new(ErrorKind::InvalidData, "this is not UTF-8 text"))
}

fn is_regular(kind: &Metadata) -> Result<()> {
    if kind.is_file() { Ok(()) } else { Err(Error::new(ErrorKind::InvalidInput, "is not a file")) }
}

fn too_large(limit: u64) -> Error {
    let limit = if limit >= 1 << 20 { format!("{} MiB", limit >> 20) } else { format!("{} KiB", limit >> 10) };
    Error::new(ErrorKind::FileTooLarge, format!("the file is too large, at most {limit}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_beyond_its_limit_a_folder_and_a_missing_file_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        std::fs::write(&path, "12345").unwrap();
        assert_eq!(text(&path, 5).unwrap(), "12345");
        assert_eq!(text(&path, 4).unwrap_err().kind(), ErrorKind::FileTooLarge);
        assert_eq!(text(folder.path(), 5).unwrap_err().kind(), ErrorKind::InvalidInput);
        assert_eq!(text(&folder.path().join("b"), 5).unwrap_err().kind(), ErrorKind::NotFound);
        std::fs::write(&path, [0xff]).unwrap();
        assert_eq!(text(&path, 5).unwrap_err().kind(), ErrorKind::InvalidData);
    }

    /// A sparse file of 3 GiB takes no space on the disk, and no memory here.
    #[test]
    fn a_huge_file_is_refused_before_it_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("huge");
        File::create(&path).unwrap().set_len(3 << 30).unwrap();
        assert_eq!(bytes(&path, 16 << 20).unwrap_err().kind(), ErrorKind::FileTooLarge);
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_and_an_endless_device_are_refused_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        for path in [&pipe, Path::new("/dev/zero")] {
            assert_eq!(bytes(path, 100).unwrap_err().kind(), ErrorKind::InvalidInput, "{}", path.display());
        }
        let link = folder.path().join("link");
        std::os::unix::fs::symlink(&pipe, &link).unwrap();
        assert_eq!(bytes(&link, 100).unwrap_err().kind(), ErrorKind::InvalidInput);
    }
}
