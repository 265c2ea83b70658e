//! Files within the program, such as the scenes of its library: they are there without a disk, and cannot be written.
//!
//! Their paths begin with [`ROOT`], as in `built-in:/book/09-chain.ron`. [`file_reader`](super::file_reader) reads
//! them, and the functions here take the place of those of `std` that ask the disk about a path.

use std::path::{Component, Path, PathBuf};
use std::sync::OnceLock;

use super::memory;

/// The folder of the files within the program. A file on the disk whose name begins like this is written `./built-in:…`.
pub const ROOT: &str = "built-in:";

/// A file's path below [`ROOT`], with `/` between names, and its text.
pub type BuiltInFile = (&'static str, &'static str);

static FILES: OnceLock<&'static [BuiltInFile]> = OnceLock::new();

/// Makes these files known, sorted by their paths. Only the first call of a process has an effect.
pub fn install(files: &'static [BuiltInFile]) {
    FILES.get_or_init(|| files);
}

/// All files within the program, sorted by their paths.
pub fn files() -> &'static [BuiltInFile] {
    FILES.get().copied().unwrap_or_default()
}

/// Whether a path begins with [`ROOT`]. The file need not exist.
pub fn is_built_in(path: &Path) -> bool {
    path.components().next().is_some_and(|first| first.as_os_str() == ROOT)
}

/// The text of a file within the program.
pub fn text(path: &Path) -> Option<&'static str> {
    let within = within(path)?;
    files().iter().find(|(id, _)| *id == within).map(|(_, text)| *text)
}

/// The path of a file of the program below [`ROOT`], with `/` between names; `None` for a path of the disk.
pub fn within(path: &Path) -> Option<String> {
    if !is_built_in(path) {
        return None;
    }
    let mut names: Vec<&str> = Vec::new();
    for component in path.components().skip(1) {
        match component {
            // Nothing is above the root.
            Component::ParentDir => drop(names.pop()),
            Component::Normal(name) => names.push(name.to_str()?),
            _ => {}
        }
    }
    Some(names.join("/"))
}

/// The full path, with [`ROOT`], of the file with this path below it.
pub fn path(within: &str) -> PathBuf {
    PathBuf::from(if within.is_empty() { ROOT.to_owned() } else { format!("{ROOT}/{within}") })
}

/// Whether there is such a file, on the disk or in the program.
pub fn is_file(path: &Path) -> bool {
    if is_built_in(path) { text(path).is_some() } else { path.is_file() || memory::contains(path) }
}

/// The path by which a file is known, whatever path leads to it; `None` if there is no such file or folder.
pub fn canonical(path: &Path) -> Option<PathBuf> {
    match within(path) {
        Some(within) => {
            let is_folder =
                |id: &str| within.is_empty() || id.strip_prefix(&within).is_some_and(|r| r.starts_with('/'));
            let exists = files().iter().any(|(id, _)| *id == within || is_folder(id));
            exists.then(|| self::path(&within))
        }
        None if memory::contains(path) => Some(path.into()),
        None => path.canonicalize().ok(),
    }
}

/// The path from the root, without asking the disk whether the file is there.
pub fn absolute(path: &Path) -> PathBuf {
    match within(path) {
        Some(within) => self::path(&within),
        None => std::path::absolute(path).unwrap_or_else(|_| path.into()),
    }
}

/// The path of a file as another file in the folder `base` refers to it: relative to that folder, absolute, or within
/// the program.
pub fn join(base: &Path, file: &str) -> PathBuf {
    if is_built_in(Path::new(file)) { absolute(Path::new(file)) } else { base.join(file) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FEW: &[BuiltInFile] = &[("book/09-chain.ron", "a chain"), ("parts/doll.ron", "a doll")];

    #[test]
    fn a_file_of_the_program_is_found_by_every_path_to_it() {
        install(FEW);
        for there in ["built-in:/parts/doll.ron", "built-in:/book/../parts/doll.ron", "built-in:/../parts/./doll.ron"] {
            let there = Path::new(there);
            assert_eq!((text(there), is_file(there)), (Some("a doll"), true), "{}", there.display());
            assert_eq!(canonical(there), Some("built-in:/parts/doll.ron".into()));
            assert_eq!(absolute(there), Path::new("built-in:/parts/doll.ron"));
            assert_eq!(crate::file_reader::bytes(there, 100).unwrap(), b"a doll");
        }
        for absent in
            ["built-in:/parts", "built-in:/parts/doll", "built-in:", "parts/doll.ron", "./built-in:/parts/doll.ron"]
        {
            assert_eq!((text(Path::new(absent)), is_file(Path::new(absent))), (None, false), "{absent}");
            assert!(crate::file_reader::bytes(Path::new(absent), 100).is_err(), "{absent}");
        }
        assert_eq!(canonical(Path::new("built-in:/parts")), Some("built-in:/parts".into()), "a folder");
        assert_eq!(canonical(Path::new("built-in:/par")), None);
        assert!(crate::file_reader::bytes(Path::new("built-in:/parts/doll.ron"), 3).is_err(), "the limit counts");
    }

    #[test]
    fn a_scene_of_the_disk_may_refer_to_a_file_of_the_program_and_the_other_way_round() {
        let (on_disk, inside) = (Path::new("mine"), Path::new("built-in:/book"));
        assert_eq!(join(on_disk, "doll.ron"), Path::new("mine/doll.ron"));
        assert_eq!(join(on_disk, "built-in:/parts/doll.ron"), Path::new("built-in:/parts/doll.ron"));
        assert_eq!(absolute(&join(inside, "../parts/doll.ron")), Path::new("built-in:/parts/doll.ron"));
        let disk = absolute(on_disk);
        assert_eq!(join(inside, disk.to_str().unwrap()), disk);
    }
}
