//! The library: all scene files under a folder, of the disk or within the program. Files need not be registered.

mod export;
mod folders;

use std::path::{Path, PathBuf};

use super::lesson;
use super::mistake::Slip;
use super::outline::{self, Member};
use super::read;
use super::types::Pattern;
use super::walk::{FoundFile, scene_files};
use super::wording;
use delassus_files::built_in;

pub use export::{Exported, export};
pub use folders::{
    FOLDERS_VARIABLE, LIBRARY_VARIABLE, Library, OwnFolder, Reason, add_folders, find, own_folders, remember_folders,
    scenes_folder, source_scenes, unusable_folders,
};

/// The folder with parts of scenes, which are not listed as scenes; lessons are not listed either.
const PARTS: &str = "parts";

/// A scene in the library, of which only the head was read.
#[derive(Debug, Clone, PartialEq)]
pub struct LibraryEntry {
    pub path: PathBuf,
    /// Path within the library without extension: `book/09-chain`.
    pub id: String,
    pub title: String,
    /// The document and chapter that it reproduces.
    pub source: String,
    pub about: String,
    /// The names and descriptions of its experiments.
    pub experiments: Vec<ExperimentWords>,
    /// Why the head could not be read; the title is then the file's name.
    pub mistake: Option<String>,
    /// The user's folder that it lies in; `None` for the program's library.
    pub own: Option<PathBuf>,
}

/// The texts of an experiment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ExperimentWords {
    pub name: String,
    pub about: String,
}

impl LibraryEntry {
    /// Number of bodies in its file, without those of parts; the scene is not laid out. `None` if it cannot be read.
    pub fn bodies(&self) -> Option<u64> {
        let scene = read::scene_of(&read::read_text(&self.path).ok()?)?;
        let patterns = scene.patterns.iter().map(Pattern::bodies);
        Some(patterns.fold(scene.bodies.len() as u64, u64::saturating_add))
    }

    /// Where it comes from, in a word or as the path of the user's folder.
    pub fn place(&self) -> String {
        match &self.own {
            Some(folder) => folder.display().to_string(),
            None if built_in::is_built_in(&self.path) => "built-in".into(),
            None => "source tree".into(),
        }
    }

    /// The folder within the library, such as `book`; empty at the top level.
    pub fn folder(&self) -> &str {
        self.id.rsplit_once('/').map_or("", |(folder, _)| folder)
    }
}

/// The scenes under `root`, sorted by id. An unreadable file is listed with its mistake; an unreadable folder counts
/// as empty.
pub fn library(root: &Path) -> Vec<LibraryEntry> {
    entries(root, "", &[PARTS, lesson::FOLDER])
}

/// The heads of the scene files below a folder, sorted by their ids, which begin with `prefix`.
fn entries(root: &Path, prefix: &str, without: &[&str]) -> Vec<LibraryEntry> {
    let entry = |file: FoundFile| {
        let id = format!("{prefix}{}", file.id.strip_suffix(".ron").unwrap_or(&file.id));
        let stem = id.rsplit('/').next().unwrap_or_default().to_owned();
        head(file.path, id, &stem)
    };
    let mut entries: Vec<LibraryEntry> = scene_files(root, without).into_iter().map(entry).collect();
    entries.sort_by(|a, b| a.id.cmp(&b.id));
    entries
}

/// The folder of the scenes that solvers are compared on by `delassus arena`.
const ARENA: &str = "arena";

/// The scenes under `root` that solvers are compared on, sorted by id.
pub fn arena(root: &Path) -> Vec<LibraryEntry> {
    entries(&root.join(ARENA), &format!("{ARENA}/"), &[])
}

/// Scenes with more bodies need a powerful machine; operations on all scenes skip them.
pub const LARGE: u64 = 200_000;

/// The scenes under `root` except those with more than [`LARGE`] bodies and those of the [`arena`], in which solvers may
/// fail.
pub fn ordinary(root: &Path) -> Vec<LibraryEntry> {
    let mut entries = library(root);
    entries.retain(|entry| entry.folder() != ARENA && entry.bodies().is_none_or(|bodies| bodies <= LARGE));
    entries
}

/// The parts that scenes are built from: the files in the folder `parts` under `root`, sorted by id.
pub fn parts(root: &Path) -> Vec<LibraryEntry> {
    entries(&root.join(PARTS), &format!("{PARTS}/"), &[])
}

/// Whether a file in this folder or below it has the fields required of a scene, version and title.
fn has_scene(folder: &Path) -> bool {
    let is_scene = |file: FoundFile| {
        let Ok(text) = read::read_text(&file.path) else { return false };
        let Ok(root) = outline::document(&text) else { return false };
        let members = outline::members(&text, &root);
        ["version", "title"].iter().all(|field| members.iter().any(|member| member.name(&text) == *field))
    };
    scene_files(folder, &[]).into_iter().any(is_scene)
}

/// Reads what the list shows, without the bodies.
fn head(path: PathBuf, id: String, stem: &str) -> LibraryEntry {
    let mut entry = LibraryEntry {
        path,
        id,
        title: stem.into(),
        source: String::new(),
        about: String::new(),
        experiments: Vec::new(),
        mistake: None,
        own: None,
    };
    let text = match read::read_text(&entry.path) {
        Ok(text) => text,
        Err(mistake) => {
            entry.mistake = Some(mistake.to_string());
            return entry;
        }
    };
    let mistake = |Slip { at, what, .. }: Slip| {
        let (line, column) = outline::position(&text, at);
        Some(format!("{}:{line}:{column}: {what}", entry.path.display()))
    };
    let root = match outline::document(&text) {
        Ok(root) => root,
        Err(slip) => {
            entry.mistake = mistake(slip);
            return entry;
        }
    };
    for member in outline::members(&text, &root) {
        let field = match member.key.as_ref().map(|k| &text[k.clone()]) {
            Some("title") => &mut entry.title,
            Some("source") => &mut entry.source,
            Some("about") => &mut entry.about,
            Some("experiments") => {
                entry.experiments = experiments(&text, &member);
                continue;
            }
            _ => continue,
        };
        match wording::value(&text, &member) {
            Ok(value) => *field = value,
            Err(slip) => entry.mistake = mistake(slip),
        }
    }
    entry
}

/// The texts of the experiments in this list; mistakes are reported only when the scene is opened.
fn experiments(text: &str, list: &Member) -> Vec<ExperimentWords> {
    let experiment = |entry: Member| {
        let mut words = ExperimentWords::default();
        for member in outline::members(text, &entry.value) {
            let field = match member.name(text) {
                "name" => &mut words.name,
                "about" => &mut words.about,
                _ => continue,
            };
            *field = wording::value(text, &member).unwrap_or_default();
        }
        words
    };
    outline::members(text, &list.value).into_iter().map(experiment).filter(|words| !words.name.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Folders of other programs with this name are not taken for the library: without files, with other files, or
    /// with other RON files.
    #[test]
    fn a_folder_called_scenes_is_the_library_only_with_a_scene_in_it() {
        let folder = std::env::temp_dir().join(format!("delassus-library-{}", std::process::id()));
        let below = folder.join("book");
        std::fs::create_dir_all(&below).expect("a folder for the test");
        let mut found = vec![has_scene(&folder)];
        for (file, text) in [
            ("notes.txt", "(version: 1, title: \"A scene by another name\")"),
            ("level.ron", "(resources: {}, entities: {})"),
            ("half.ron", "(version: 1,"),
            ("scene.ron", "(version: 1, title: \"A scene\")"),
        ] {
            std::fs::write(below.join(file), text).expect("it is written");
            found.push(has_scene(&folder));
        }
        std::fs::remove_dir_all(&folder).expect("it is taken away");
        assert_eq!(found, [false, false, false, false, true]);
        assert!(has_scene(&source_scenes()));
        assert!(!has_scene(&folder), "a folder that is not there");
    }
}
