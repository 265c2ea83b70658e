//! What the library's folders and the lessons hold, and how they are read.

use std::path::PathBuf;

use delassus_scene::{
    lesson::Lesson,
    library::{Library, OwnFolder},
};
use delassus_ui::view::{Shelf, ShelfFolder};

/// What is to be read.
pub(super) struct ShelfRequest {
    /// The folder of the program's library.
    pub root: PathBuf,
    /// The user's own folders.
    pub folders: Vec<OwnFolder>,
    /// The user's own lesson.
    pub own: Option<(PathBuf, Lesson)>,
    /// The number of this reading.
    pub turn: u64,
}

/// What was read.
#[derive(Debug)]
pub struct ReadShelf {
    pub(super) shelf: Shelf,
    pub(super) own: Option<Lesson>,
    /// Of two readings, the later one counts.
    pub(super) turn: u64,
}

impl ShelfRequest {
    /// Reads it.
    pub fn made(self) -> ReadShelf {
        let Self { root, folders, own, turn } = self;
        let library = Library::of(root, folders.clone());
        let mut lessons = library.lessons();
        // The file may have changed; if it has mistakes now, the last version stays.
        let own = own.map(|(file, lesson)| super::lesson(&file).unwrap_or(lesson));
        lessons.extend(own.clone());
        // A folder that another path leads to as well is shown once, and one that is gone can be removed.
        let shown = |folder: OwnFolder| {
            let there = library.own.contains(&folder);
            (there || !folder.path.is_dir()).then_some(ShelfFolder { folder, there })
        };
        let folders = folders.into_iter().filter_map(shown).collect();
        let shelf = Shelf { entries: library.entries(), folders, parts: library.parts(), lessons };
        ReadShelf { shelf, own, turn }
    }
}
