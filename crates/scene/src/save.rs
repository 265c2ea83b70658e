//! Writes a scene's text to its file, completely or not at all.

use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

use delassus_files::{built_in, memory, whole_file};

/// Saves a scene's text: it is written to a temporary file, which then replaces the file, so that the file is never
/// half written. The permissions of an existing file are kept, and symbolic links are followed.
///
/// # Errors
/// Errors of the file system, and a path within the program.
pub fn save(path: &Path, text: &str) -> io::Result<()> {
    if built_in::is_built_in(path) {
        let what = "it is part of the program and stays as it is: save under another name";
        return Err(io::Error::new(io::ErrorKind::ReadOnlyFilesystem, what));
    }
    if memory::TAKES_THE_DISKS_PLACE {
        return whole_file::write(path, text.as_bytes(), (PREFIX, SUFFIX), None);
    }
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let permissions = match fs::metadata(&path) {
        Ok(old) if old.permissions().readonly() => {
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, "the file is read-only"));
        }
        Ok(old) => Some(old.permissions()),
        Err(_) => None,
    };
    if !folder.is_dir() {
        return Err(io::Error::new(io::ErrorKind::NotFound, format!("there is no folder {}", folder.display())));
    }
    if path.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
    }
    if path.exists() && !path.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a file"));
    }
    remove_abandoned(folder);
    whole_file::write(&path, text.as_bytes(), (PREFIX, SUFFIX), permissions).map_err(without_path)
}

/// Prefix and suffix of the temporary file's name.
const PREFIX: &str = ".scene";
const SUFFIX: &str = ".tmp";
/// A temporary file older than this was left by a program that was killed.
const ABANDONED_AFTER: Duration = Duration::from_secs(60);

/// Removes temporary files left in a folder by programs that were killed while saving. Failures are ignored.
fn remove_abandoned(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let is_temporary = name.to_str().is_some_and(|name| name.starts_with(PREFIX) && name.ends_with(SUFFIX));
        let old = || {
            entry
                .metadata()
                .and_then(|m| m.modified())
                .is_ok_and(|at| at.elapsed().is_ok_and(|age| age > ABANDONED_AFTER))
        };
        if is_temporary && old() {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// The error without the path of the temporary file, which means nothing to the user.
fn without_path(error: io::Error) -> io::Error {
    match error.to_string().split_once(" at path ") {
        Some((said, _)) => io::Error::new(error.kind(), said.to_owned()),
        None => error,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Scene, write};
    use super::*;

    #[test]
    fn what_a_killed_save_left_goes_at_the_next_one_and_nothing_else_does() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, age: u64| {
            let file = fs::File::create(folder.path().join(name)).unwrap();
            file.set_modified(std::time::SystemTime::now() - Duration::from_secs(age)).unwrap();
        };
        file(".sceneAbc123.tmp", 3600);
        file(".sceneNow456.tmp", 1);
        file(".scenery", 3600);
        file("notes.tmp", 3600);
        save(&folder.path().join("scene.ron"), "text").unwrap();
        let mut left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, [".sceneNow456.tmp", ".scenery", "notes.tmp", "scene.ron"]);
    }

    #[test]
    fn saving_keeps_permissions_and_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.ron");
        let mut scene = Scene { title: "one".into(), ..Scene::default() };
        save(&path, &write(&scene)).unwrap();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        }
        scene.title = "two".into();
        save(&path, &write(&scene)).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), write(&scene));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
        }
        assert!(save(&folder.path().join("no/such/folder.ron"), "").is_err());
    }
}
