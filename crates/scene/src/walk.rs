//! The folders of a library, each once: links may lead in circles, or to the same folder again.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use delassus_files::built_in;

/// The deepest folder below the first.
const MAX_DEPTH: usize = 6;
/// The most folders and the most files that are looked at: more is no library, for example a whole disk.
const MAX_ENTRIES: usize = 20_000;

/// A file in a library.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct FoundFile {
    /// The path within the library, with `/` between its names.
    pub id: String,
    pub path: PathBuf,
}

/// The scene files below `root`, that is those with the ending `.ron`, in order. Hidden files and folders are left out,
/// and folders directly in the root with one of these names. A folder to which a link leads has the link's name, unless
/// it is also found without links.
pub fn scene_files(root: &Path, without: &[&str]) -> Vec<FoundFile> {
    if let Some(folder) = built_in::within(root) {
        return built_in_files(&folder, without);
    }
    let mut seen = HashSet::new();
    let mut files = Vec::new();
    // Folders without a link on the way come before all others, so that they have their own names.
    let (mut plain, mut linked) = (vec![(root.to_path_buf(), String::new(), 0)], Vec::new());
    while let Some((folder, prefix, depth)) = plain.pop().or_else(|| linked.pop()) {
        if !fs::canonicalize(&folder).is_ok_and(|folder| seen.insert(folder)) || seen.len() > MAX_ENTRIES {
            continue;
        }
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
            if name.starts_with('.') || files.len() >= MAX_ENTRIES {
                continue;
            }
            let id = format!("{prefix}{name}");
            if path.is_dir() {
                if depth < MAX_DEPTH && !(depth == 0 && without.contains(&name.as_str())) {
                    let is_link = entry.file_type().is_ok_and(|kind| kind.is_symlink());
                    let list = if is_link { &mut linked } else { &mut plain };
                    list.push((path, id + "/", depth + 1));
                }
            } else if name.ends_with(".ron") {
                files.push(FoundFile { id, path });
            }
        }
    }
    files.sort();
    files
}

/// The same of a folder within the program.
fn built_in_files(folder: &str, without: &[&str]) -> Vec<FoundFile> {
    let prefix = if folder.is_empty() { String::new() } else { format!("{folder}/") };
    let found = |(path, _): &built_in::BuiltInFile| {
        let id = path.strip_prefix(&prefix)?;
        let left_out = id.split_once('/').is_some_and(|(first, _)| without.contains(&first));
        (!left_out && id.ends_with(".ron")).then(|| FoundFile { id: id.into(), path: built_in::path(path) })
    };
    let mut files: Vec<FoundFile> = built_in::files().iter().filter_map(found).collect();
    files.sort();
    files
}
