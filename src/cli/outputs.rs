//! The files that a command writes. None of them may be a file that the command reads, and no two may be the same one,
//! whatever their names: through links, too.

use std::fs;
use std::path::{Path, PathBuf};

use super::common::Failure;
use delassus_launch::OpenRequest;
use delassus_session::Session;

/// The name of standard input, and of standard output.
const STANDARD: &str = "-";

/// What a path leads to.
#[derive(Debug, PartialEq, Eq)]
enum Target {
    /// An existing file, by its device and number: hard links have the same.
    #[cfg(unix)]
    File(u64, u64),
    /// A file that does not exist yet, or any file where files have no numbers.
    Path(PathBuf),
}

/// The target of an output: a file, a pipe, a terminal. `None` for folders, and for the device that swallows
/// everything.
fn target(path: &Path) -> Option<Target> {
    if path == Path::new(STANDARD) {
        return place(path, &metadata_of(std::io::stdout())?);
    }
    match fs::metadata(path) {
        Ok(found) => place(path, &found),
        Err(_) => Some(Target::Path(unmade(path))),
    }
}

/// The file that a command reads. A pipe or a terminal may be read and written.
fn read(path: &Path) -> Option<Target> {
    let found = if path == Path::new(STANDARD) { metadata_of(std::io::stdin()) } else { fs::metadata(path).ok() };
    found.filter(fs::Metadata::is_file).and_then(|found| place(path, &found))
}

#[cfg(unix)]
fn place(_path: &Path, found: &fs::Metadata) -> Option<Target> {
    use std::os::unix::fs::{FileTypeExt, MetadataExt};
    let device = |found: &fs::Metadata| found.file_type().is_char_device().then(|| found.rdev());
    let swallows = fs::metadata("/dev/null").ok().and_then(|null| device(&null));
    let lost = found.is_dir() || device(found).is_some_and(|device| Some(device) == swallows);
    (!lost).then(|| Target::File(found.dev(), found.ino()))
}

#[cfg(not(unix))]
fn place(path: &Path, found: &fs::Metadata) -> Option<Target> {
    found.is_file().then(|| Target::Path(fs::canonicalize(path).unwrap_or_else(|_| path.into())))
}

/// Where a standard stream leads.
#[cfg(unix)]
fn metadata_of(stream: impl std::os::fd::AsFd) -> Option<fs::Metadata> {
    fs::File::from(stream.as_fd().try_clone_to_owned().ok()?).metadata().ok()
}

#[cfg(not(unix))]
fn metadata_of<T>(_stream: T) -> Option<fs::Metadata> {
    None
}

/// Whether an output is standard output, by whatever name: `-`, `/dev/stdout`, the file that the shell sends it to.
pub fn is_standard(path: &Path) -> bool {
    path == Path::new(STANDARD) || target(path).is_some_and(|to| Some(to) == target(Path::new(STANDARD)))
}

/// The place where a file would be made: at the end of links that lead to no file yet.
fn unmade(path: &Path) -> PathBuf {
    /// As many as systems follow.
    const LINKS: usize = 40;
    let mut path = path.to_path_buf();
    for _ in 0..LINKS {
        let Ok(to) = fs::read_link(&path) else { break };
        path = folder(&path).join(to);
    }
    let name = path.file_name().unwrap_or_default().to_owned();
    fs::canonicalize(folder(&path)).map_or(path, |folder| folder.join(name))
}

/// The folder of a file.
fn folder(path: &Path) -> PathBuf {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new(".")).into()
}

/// The files of a scene, which no output may replace.
pub fn scene_files(open_request: &OpenRequest, session: &Session) -> Vec<PathBuf> {
    let scene = if open_request.scene == STANDARD { STANDARD.into() } else { open_request.path() };
    std::iter::once(scene).chain(session.part_files()).collect()
}

/// Refuses outputs that would overwrite what the command reads, or each other. An output is an option and its path.
///
/// # Errors
/// The first of them.
pub fn check(reads: &[PathBuf], outputs: &[(&str, Option<&Path>)]) -> Result<(), Failure> {
    let inputs: Vec<(&Path, Target)> = reads.iter().filter_map(|path| Some((path.as_path(), read(path)?))).collect();
    let mut taken: Vec<(&str, Target)> = Vec::new();
    for (option, path) in outputs.iter().filter_map(|(option, path)| Some((*option, (*path)?))) {
        let Some(to) = target(path) else { continue };
        let shown = path.display();
        if let Some((input, _)) = inputs.iter().find(|(_, target)| *target == to) {
            let same = if *input == path { String::new() } else { format!(" {},", input.display()) };
            let what =
                format!("{option} {shown}: this is{same} a file that the command reads. It would be overwritten");
            return Err(Failure::Misuse(what));
        }
        if let Some((other, _)) = taken.iter().find(|(_, target)| *target == to) {
            return Err(Failure::Misuse(format!("{option} {shown}: {other} writes to the same place")));
        }
        taken.push((option, to));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Which of two outputs, or of an input and an output, are taken for the same file.
    #[cfg(unix)]
    #[test]
    fn links_of_every_kind_lead_to_the_same_file() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("scene"), "text").unwrap();
        fs::create_dir(at("below")).unwrap();
        symlink(at("scene"), at("soft")).unwrap();
        symlink("soft", at("twice")).unwrap();
        fs::hard_link(at("scene"), at("hard")).unwrap();
        symlink(folder.path(), at("folder")).unwrap();
        symlink("absent", at("dangling")).unwrap();
        let same = |a: &str, b: &str| target(&at(a)) == target(&at(b));
        for name in ["soft", "twice", "hard", "folder/scene", "below/../scene"] {
            assert!(same("scene", name), "{name}");
            assert!(check(&[at("scene")], &[("--csv", Some(&at(name)))]).is_err(), "{name}");
        }
        for name in ["dangling", "folder/absent", "below/../absent"] {
            assert!(same("absent", name), "{name}");
            let outputs = [("--csv", Some(&*at("absent"))), ("--bodies", Some(&*at(name)))];
            assert!(check(&[], &outputs).is_err(), "{name}");
        }
        assert!(!same("scene", "absent") && !same("absent", "below/absent"));
        assert_eq!(target(Path::new("/dev/null")), None);
        let null = Some(Path::new("/dev/null"));
        assert!(check(&[], &[("--csv", null), ("--bodies", null)]).is_ok());
    }
}
