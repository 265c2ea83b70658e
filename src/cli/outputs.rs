//! The files that a command writes. None of them may be a file that the command reads, and no two may be the same one,
//! whatever their names: through links, too.

use std::fs;
use std::path::{Path, PathBuf};

use super::common::Failure;
use delassus_launch::OpenRequest;
use delassus_session::Session;

/// What a path leads to.
#[derive(Debug, PartialEq, Eq)]
enum Target {
    /// An existing file, by its device and number: hard links have the same.
    #[cfg(unix)]
    File(u64, u64),
    /// A file that does not exist yet, or any file where files have no numbers.
    Path(PathBuf),
}

/// The target of an output; `None` for standard output, devices, pipes and folders, which no file is lost by.
fn target(path: &Path) -> Option<Target> {
    if path == Path::new("-") {
        return None;
    }
    match fs::metadata(path) {
        Ok(found) if !found.is_file() => None,
        #[cfg(unix)]
        Ok(found) => {
            use std::os::unix::fs::MetadataExt;
            Some(Target::File(found.dev(), found.ino()))
        }
        #[cfg(not(unix))]
        Ok(_) => Some(Target::Path(fs::canonicalize(path).unwrap_or_else(|_| path.into()))),
        Err(_) => Some(Target::Path(unmade(path))),
    }
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
pub fn scene_files(opening: &OpenRequest, session: &Session) -> Vec<PathBuf> {
    std::iter::once(opening.path()).chain(session.part_files()).collect()
}

/// Refuses outputs that would overwrite what the command reads, or each other. An output is an option and its path.
///
/// # Errors
/// The first of them.
pub fn check(reads: &[PathBuf], outputs: &[(&str, Option<&Path>)]) -> Result<(), Failure> {
    let inputs: Vec<(&Path, Target)> = reads.iter().filter_map(|path| Some((path.as_path(), target(path)?))).collect();
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
            return Err(Failure::Misuse(format!("{option} {shown}: {other} writes to the same file")));
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
        assert_eq!(target(Path::new("-")), None);
        assert_eq!(target(Path::new("/dev/null")), None);
    }
}
