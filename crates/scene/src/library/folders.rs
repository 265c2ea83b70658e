//! Where scenes are looked for: in the user's own folders, and in the library of the program.
//!
//! ```text
//! --scenes DIR … │ DELASSUS_SCENES │ the folders that the window remembers │ ./scenes │ the library
//! ```
//! All of them are listed. If several have a scene of the same name, the name opens the first in this order, so that a
//! copy of a scene that was written out to be changed is opened in place of the original; `built-in:NAME` opens that.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::{LibraryEntry, PARTS, entries, has_scene, library};
use crate::lesson::{self, Lesson};
use delassus_files::built_in;

/// The variable that names own folders, separated as in `PATH`.
pub const FOLDERS_VARIABLE: &str = "DELASSUS_SCENES";

/// The variable that names the folder to read in place of the library: the scenes of a source tree that are being
/// edited. If it is empty, the library within the program is read even where the source tree is.
pub const LIBRARY_VARIABLE: &str = "DELASSUS_LIBRARY";

/// Why a folder is searched for scenes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// The option `--scenes`.
    Option,
    /// The variable [`FOLDERS_VARIABLE`].
    Variable,
    /// The user added it in the window.
    Window,
    /// It is called `scenes` and lies in the current directory.
    Current,
}

/// A user's folder of scenes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnFolder {
    pub path: PathBuf,
    pub reason: Reason,
}

/// The folders of `--scenes`, and those that the window remembers.
static GIVEN: Mutex<[Vec<PathBuf>; 2]> = Mutex::new([const { Vec::new() }; 2]);

/// Searches these folders first, as `--scenes` asks.
///
/// # Errors
/// The first that is no folder.
pub fn add_folders(folders: &[PathBuf]) -> Result<(), String> {
    if let Some(wrong) = folders.iter().find_map(|folder| unusable(folder)) {
        return Err(wrong);
    }
    GIVEN.lock().unwrap_or_else(PoisonError::into_inner)[0] = folders.to_vec();
    Ok(())
}

/// Searches these folders as well, which the window remembers. Folders that do not exist are ignored.
pub fn remember_folders(folders: &[PathBuf]) {
    GIVEN.lock().unwrap_or_else(PoisonError::into_inner)[1] = folders.to_vec();
}

/// What is wrong with folders that [`FOLDERS_VARIABLE`] names; these are ignored.
pub fn unusable_folders() -> Vec<String> {
    let named = own_folders(&[]).into_iter().filter(|folder| folder.reason == Reason::Variable);
    named.filter_map(|folder| Some(format!("{FOLDERS_VARIABLE}: {}", unusable(&folder.path)?))).collect()
}

/// Why this is no folder of scenes; `None` if it is one.
fn unusable(folder: &Path) -> Option<String> {
    let why = match std::fs::read_dir(folder) {
        Ok(_) => return None,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => "there is no such folder".to_owned(),
        Err(error) if error.kind() == std::io::ErrorKind::NotADirectory => "it is not a folder".to_owned(),
        Err(error) => format!("it cannot be read: {error}"),
    };
    Some(format!("{}: {why}", folder.display()))
}

/// The user's folders in the order in which they are searched, whether or not they exist; `remembered` are those of the
/// window.
pub fn own_folders(remembered: &[PathBuf]) -> Vec<OwnFolder> {
    let [given, _] = GIVEN.lock().unwrap_or_else(PoisonError::into_inner).clone();
    // The variable is not split if it is not set: in the browser there is no such list, and `split_paths` panics.
    let named = std::env::var_os(FOLDERS_VARIABLE).map_or_else(Vec::new, |variable| {
        std::env::split_paths(&variable).filter(|folder| !folder.as_os_str().is_empty()).collect()
    });
    // Other programs have folders of this name, too.
    let current = Some(PathBuf::from("scenes")).filter(|folder| has_scene(folder)).into_iter().collect();
    let lists: [(Reason, Vec<PathBuf>); 4] = [
        (Reason::Option, given),
        (Reason::Variable, named),
        (Reason::Window, remembered.to_vec()),
        (Reason::Current, current),
    ];
    lists.into_iter().flat_map(|(reason, list)| list.into_iter().map(move |path| OwnFolder { path, reason })).collect()
}

/// The folder of the program's library: the one that [`LIBRARY_VARIABLE`] names, else that of the source tree if it is
/// still there, so that scenes can be edited without building the program again, else the copy within the program.
pub fn scenes_folder() -> PathBuf {
    match std::env::var_os(LIBRARY_VARIABLE) {
        Some(folder) if folder.is_empty() => built_in::path(""),
        Some(folder) => folder.into(),
        None => Some(source_scenes()).filter(|folder| folder.is_dir()).unwrap_or_else(|| built_in::path("")),
    }
}

/// The scenes of the source tree that the program was built from.
pub fn source_scenes() -> PathBuf {
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    crate_folder.ancestors().nth(2).unwrap_or(crate_folder).join("scenes")
}

/// All folders that are searched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Library {
    /// The program's library, a folder of the disk or within the program.
    pub root: PathBuf,
    /// The user's folders in the order of the search. Each exists, and no two are the same, nor is one `root`.
    pub own: Vec<OwnFolder>,
}

impl Library {
    /// The program's library and the user's folders as they are now.
    pub fn now() -> Self {
        let [_, remembered] = GIVEN.lock().unwrap_or_else(PoisonError::into_inner).clone();
        Self::of(scenes_folder(), own_folders(&remembered))
    }

    /// The library `root` with those of the folders that exist, each once.
    pub fn of(root: PathBuf, folders: Vec<OwnFolder>) -> Self {
        let mut known: Vec<PathBuf> = built_in::canonical(&root).into_iter().collect();
        let mut is_new = |folder: &OwnFolder| {
            let path = folder.path.canonicalize().ok().filter(|path| path.is_dir() && !known.contains(path));
            known.extend(path.clone());
            path.is_some()
        };
        let own = folders.into_iter().filter(|folder| is_new(folder)).collect();
        Self { root, own }
    }

    /// All scenes: those of the user's folders, then those of the program's library, each sorted by name.
    pub fn entries(&self) -> Vec<LibraryEntry> {
        self.gather(library)
    }

    /// All parts, in the same order.
    pub fn parts(&self) -> Vec<LibraryEntry> {
        self.gather(super::parts)
    }

    fn gather(&self, read: impl Fn(&Path) -> Vec<LibraryEntry>) -> Vec<LibraryEntry> {
        let scenes_of = |folder: &OwnFolder| {
            let from_folder = |entry| LibraryEntry { own: Some(folder.path.clone()), ..entry };
            read(&folder.path).into_iter().map(from_folder).collect::<Vec<_>>()
        };
        self.own.iter().flat_map(scenes_of).chain(read(&self.root)).collect()
    }

    /// All lessons in order. One in a user's folder is shown in place of another of the same name, and its scene is
    /// looked for in that folder first.
    pub fn lessons(&self) -> Vec<Lesson> {
        let mut lessons = Vec::new();
        for folder in &self.own {
            for mut lesson in lesson::all(&folder.path) {
                lesson.file = exact(&folder.path, &lesson.scene);
                lessons.push(lesson);
            }
        }
        lessons.extend(lesson::all(&self.root));
        // The sort is stable: of the same names the first comes first.
        lessons.sort_by(|a, b| a.id.cmp(&b.id));
        lessons.dedup_by(|later, first| later.id == first.id);
        lessons
    }

    /// The file of the scene with this name, such as `book/09-chain`, with or without its ending and its sorting
    /// number.
    pub fn find(&self, scene: &str) -> Option<PathBuf> {
        let folders: Vec<&Path> = self.own.iter().map(|folder| folder.path.as_path()).chain([&*self.root]).collect();
        let (folders, name) = match scene.strip_prefix(built_in::ROOT) {
            Some(name) => (vec![&*self.root], name.trim_start_matches(['/', '\\'])),
            None => (folders, scene),
        };
        let name = name.strip_suffix(".ron").unwrap_or(name);
        let unnumbered = |folder: &&Path| entries_named(folder, name);
        (folders.iter().find_map(|folder| exact(folder, name))).or_else(|| folders.iter().find_map(unnumbered))
    }

    /// The shortest name by which [`Library::find`] finds this entry, its path if there is none.
    pub fn name_of(&self, entry: &LibraryEntry) -> String {
        let names = [entry.id.clone(), format!("{}{}", built_in::ROOT, entry.id)];
        let leads_here = |name: &String| self.find(name).is_some_and(|found| found == entry.path);
        names.into_iter().find(leads_here).unwrap_or_else(|| entry.path.display().to_string())
    }
}

/// The file of this name in a folder.
fn exact(folder: &Path, name: &str) -> Option<PathBuf> {
    let path = folder.join(format!("{name}.ron"));
    let path = if built_in::is_built_in(&path) { built_in::absolute(&path) } else { path };
    built_in::is_file(&path).then_some(path)
}

/// The first scene of a folder that has this name apart from its sorting number.
fn entries_named(folder: &Path, name: &str) -> Option<PathBuf> {
    let unnumbered = |id: &str| {
        let (folder, name) = id.rsplit_once('/').unwrap_or(("", id));
        let name = name.split_once('-').filter(|(n, _)| n.bytes().all(|b| b.is_ascii_digit())).map_or(name, |(_, n)| n);
        if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
    };
    let scenes = entries(folder, "", &[PARTS, lesson::FOLDER]);
    scenes.into_iter().find(|entry| unnumbered(&entry.id) == name).map(|entry| entry.path)
}

/// The file of a scene given as a path or as a name, see [`Library::find`]; the path itself if there is none.
pub fn find(scene: &str) -> PathBuf {
    let path = PathBuf::from(scene);
    if !built_in::is_built_in(&path) && path.is_file() {
        return path;
    }
    Library::now().find(scene).unwrap_or(path)
}

#[cfg(test)]
#[path = "folders_tests.rs"]
mod tests;
